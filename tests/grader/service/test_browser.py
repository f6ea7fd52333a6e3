"""The pages in a real browser: axe finds nothing, the policy blocks nothing, a telephone is wide enough."""

import logging
import shutil
import threading
from datetime import timedelta

import pytest
from service_world import PASSWORD, SOFTMAX, UNSTABLE, World

from grader.db.clock import now
from grader.services import regrading

pytest.importorskip("playwright", reason="no playwright: pip install '.[test]'")
pytest.importorskip("axe_playwright_python", reason="no axe: pip install '.[test]'")

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright
from werkzeug.serving import make_server

CHROMIUM = shutil.which("chromium")
if CHROMIUM is None:
    pytest.skip("no browser: apt-get install chromium", allow_module_level=True)

NOBODY = ["/login", "/register"]
STUDENT = [
    "/", "/c/nlp/", "/c/nlp/a/softmax/", "/s/1", "/s/1/code", "/s/3", "/c/nlp/a/softmax/leaderboard", "/account/",
    "/join", "/nowhere",
]  # fmt: skip
TEACHER = [
    "/c/nlp/class", "/c/nlp/class/1", "/c/nlp/a/softmax/class", "/c/nlp/people/", "/c/nlp/edit", "/c/nlp/audit",
    "/c/nlp/a/softmax/edit", "/c/nlp/a/softmax/extensions", "/c/nlp/a/softmax/regrades", "/regrades/1",
]  # fmt: skip
ADMIN = ["/admin/", "/admin/users", "/admin/courses/new"]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A class that has done something, behind a real server."""
    world = World(tmp_path_factory.mktemp("browser"))
    world.course(li="student", han="student", boss="teacher")
    world.person("root", admin=True)
    world.set_task(due_at=now() + timedelta(days=3), attempts=5, late_percent=10.0, late_days=2)
    world.submit("li", UNSTABLE)
    world.submit("li", SOFTMAX)
    world.work()
    world.submit("li", SOFTMAX + "# waits")
    with world.database.writing() as session:
        regrading.start(session, world.user(session, "boss"), world.task(session), "all")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = make_server("127.0.0.1", 0, world.app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield world, f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    world.close()


@pytest.fixture(scope="module")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Visit:
    """Someone in a browser; what the page complains about is remembered."""

    def __init__(self, chromium, url, login, **context):
        self.url, self.complaints = url, []
        self.context = chromium.new_context(**context)
        self.page = self.context.new_page()
        self.page.on(
            "console", lambda line: line.type in ("error", "warning") and self.complaints.append(line.text)
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        if login:
            self.page.goto(f"{url}/login")
            self.page.fill("#login", login)
            self.page.fill("#password", PASSWORD)
            self.page.click("#submit")

    def check(self, path):
        self.page.goto(self.url + path)
        self.complaints = [line for line in self.complaints if "404" not in line or path != "/nowhere"]
        assert not self.complaints, path
        wide = self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert wide <= 0, f"{path} is {wide} pixels too wide"
        found = Axe().run(self.page)
        assert not found.response["violations"], f"{path}\n{found.generate_report()}"


@pytest.mark.parametrize(
    ("login", "paths"), [(None, NOBODY), ("li", STUDENT), ("boss", TEACHER), ("root", ADMIN)]
)
@pytest.mark.parametrize(("locale", "scheme", "width"), [("en-US", "light", 1200), ("zh-CN", "dark", 360)])
def test_every_page_is_accessible_quiet_and_fits(served, chromium, login, paths, locale, scheme, width):
    _world, url = served
    viewport = {"width": width, "height": 800}
    visit = Visit(chromium, url, login, locale=locale, color_scheme=scheme, viewport=viewport)
    for path in paths:
        visit.check(path)
    visit.context.close()


def test_the_report_appears_without_a_reload_by_hand(served, chromium):
    world, url = served
    visit = Visit(chromium, url, "han", locale="en-US")
    visit.page.goto(f"{url}/c/nlp/a/softmax/")
    visit.page.click("summary:has-text('paste')")
    visit.page.fill("#pasted", SOFTMAX)
    visit.page.click("button:has-text('Hand in')")
    visit.page.wait_for_selector("text=In the queue")
    world.work()
    visit.page.wait_for_selector("text=12 of 12 tests passed", timeout=20_000)
    visit.context.close()


def test_without_javascript_everything_works(served, chromium):
    world, url = served
    visit = Visit(chromium, url, "han", locale="en-US", java_script_enabled=False)
    visit.page.goto(f"{url}/c/nlp/a/softmax/")
    file = {"name": "mine.py", "mimeType": "text/x-python", "buffer": UNSTABLE.encode()}
    visit.page.set_input_files("#files", file)
    visit.page.click("button:has-text('Hand in')")
    world.work()
    visit.page.wait_for_selector("text=7 of 12 tests passed", timeout=20_000)  # the page refreshes itself
    visit.context.close()


def test_a_file_that_is_dropped_is_handed_in(served, chromium):
    _world, url = served
    visit = Visit(chromium, url, "han", locale="en-US")
    visit.page.goto(f"{url}/c/nlp/a/softmax/")
    visit.page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["x = 1"], "dropped.py"));
            document.querySelector("[data-drop]").dispatchEvent(new DragEvent("drop", {dataTransfer: data}));
        }"""
    )
    assert visit.page.evaluate("document.querySelector('#files').files[0].name") == "dropped.py"
    visit.context.close()


def test_dark_and_light_are_chosen_by_a_button(served, chromium):
    _world, url = served
    visit = Visit(chromium, url, "li", color_scheme="light", locale="en-US")
    seen = set()
    for _ in range(3):
        seen.add(visit.page.evaluate("getComputedStyle(document.body).backgroundColor"))
        visit.page.click("button[name=theme]")
    assert len(seen) == 2
    visit.context.close()

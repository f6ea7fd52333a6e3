"""Takes the pictures of docs/course.md and docs/course.zh-CN.md from a demo course: ``python docs/screenshots.py``.

Wants ``pip install '.[test]'`` and Debian's chromium.
"""

import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

IMAGES = Path(__file__).with_name("images")
LANGUAGES = {"en": "en-US", "zh": "zh-CN"}
COLOURS, WIDTH = 256, 940
# Name → whose page, where, the link to follow from there, and how much of it is shown.
SHOTS = {
    "report": ("ada", "/c/attention/a/masking/", "a[href^='/s/']", 1130),
    "matrix": ("teacher", "/c/attention/class", "", 660),
    "mistakes": ("teacher", "/c/attention/a/softmax/class", "", 900),
}


@contextmanager
def demo() -> Iterator[tuple[str, dict[str, str]]]:
    """A demo course behind a server of its own: its address, and the passwords by login."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "GRADER_DATA": folder, "GRADER_PORT": str(port)}
        command = [sys.executable, "-m", "grader"]
        told = subprocess.run(
            [*command, "demo", "--once"], env=environment, capture_output=True, text=True, check=True
        )
        passwords = dict(re.findall(r"^  (\w+) +(\S{12}) ", told.stdout, re.MULTILINE))
        server = subprocess.Popen([*command, "serve"], env=environment, stderr=subprocess.DEVNULL)
        try:
            url = f"http://127.0.0.1:{port}"
            wait_until_graded(url)
            yield url, passwords
        finally:
            server.terminate()
            server.wait()


def wait_until_graded(url: str) -> None:
    """Wait until nothing is queued or running any more."""
    while True:
        try:
            with urllib.request.urlopen(f"{url}/healthz") as answer:
                queue = json.load(answer)["queue"]
            if queue["done"] and not queue["queued"] and not queue["leased"]:
                return
        except urllib.error.URLError:
            pass  # it is only beginning
        time.sleep(1)


def log_in(page: Page, url: str, login: str, password: str) -> None:
    """Come in."""
    page.goto(f"{url}/login")
    page.fill("#login", login)
    page.fill("#password", password)
    page.click("#submit")


def shoot(page: Page, path: Path) -> None:
    """Write what is seen of a page, with few colours: flat surfaces and letters need no more."""
    seen = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    seen.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size >> 10} kB")


def main() -> None:
    """Take every picture in both languages."""
    IMAGES.mkdir(exist_ok=True)
    with demo() as (url, passwords), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for lang, locale in LANGUAGES.items():
            for name, (login, path, link, height) in SHOTS.items():
                size = {"width": WIDTH, "height": height}
                page = browser.new_context(locale=locale, color_scheme="light", viewport=size).new_page()
                log_in(page, url, login, passwords[login])
                page.goto(url + path)
                if link:
                    page.click(link)
                page.wait_for_load_state("networkidle")
                shoot(page, IMAGES / f"{name}.{lang}.png")
                page.context.close()
        browser.close()


if __name__ == "__main__":
    main()

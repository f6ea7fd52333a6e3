"""From the first link to the report on the page."""

import re

from service_world import PASSWORD, UNSTABLE

from grader.services import accounts


def test_from_the_first_link_to_the_report(world):
    with world.database.writing() as session:
        token = accounts.first_link(session, 1)
    admin = world.browser()
    assert admin.get(f"/link/{token}").headers["Location"] == "/link"
    assert admin.get("/link").status_code == 200
    assert admin.post("/link", login="boss", name="The Boss", password=PASSWORD).status_code == 302
    assert world.browser().get(f"/link/{token}").status_code == 410, "a link is good for one use"
    assert (
        admin.post("/admin/courses/new", slug="nlp", title="注意力", zone="Asia/Shanghai").status_code == 302
    )
    code = re.search(r"register\?code=(\w+)", admin.get("/c/nlp/edit").text)[1]

    student = world.browser()
    student.get("/register")
    answer = student.post("/register", code=code, login="li", name="李雷", number="7", password=PASSWORD)
    assert answer.headers["Location"] == "/c/nlp/"
    assert "Softmax" in student.get("/c/nlp/").text
    assert "<math" in student.get("/c/nlp/a/softmax/").text, "formulas are drawn"
    answer = student.upload("/c/nlp/a/softmax/submissions", "mine.py", UNSTABLE.encode(), kind="final")
    assert answer.status_code == 302
    page = answer.headers["Location"]
    assert "place 1" in student.get(page).text
    assert world.work() == 1
    report = student.get(page).text
    assert "subtract" in report.lower() and "no-max" not in report
    assert "12 tests passed" in report
    assert student.get(page + "/code").text.count("softmax")
    picture = re.search(r'src="(/s/\d+/pictures/[^"]+)"', report)
    if picture:
        assert student.get(picture[1].replace("&amp;", "&")).mimetype == "image/png"
    assert "李雷" in admin.get("/c/nlp/class").text


def test_a_page_that_asks_again_gets_only_what_is_new(world):
    world.course(li="student")
    submission = world.submit("li")
    li, path = world.browser("li"), f"/s/{submission}/progress"
    first = li.get(path)
    tag = first.headers["ETag"]
    assert (first.status_code, first.headers["X-Over"]) == (200, "no")
    again = li.get(path, **{"If-None-Match": tag})
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
    assert again.headers["X-Again"] == first.headers["X-Again"]
    assert li.get(path, **{"If-None-Match": "W/" + tag}).status_code == 304, "a proxy that compresses says so"
    world.work()
    over = li.get(path, **{"If-None-Match": tag})
    assert (over.status_code, over.headers["X-Over"]) == (200, "yes")

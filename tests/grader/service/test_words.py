"""Two languages, whole."""

import string

import pytest
from service_words import said, translated


def test_everything_the_pages_say_is_there_in_chinese():
    entries = {entry.id: entry.string for entry in translated() if entry.id}
    missing = [words for words in said() if not any(entries.get(words, ""))]
    assert not missing
    assert not set(entries) - said(), "translations of what nobody says any more"


@pytest.mark.parametrize(
    "entry", [entry for entry in translated() if entry.id], ids=lambda entry: str(entry.id)[:40]
)
def test_both_languages_fill_in_the_same(entry):
    english = entry.id if isinstance(entry.id, str) else entry.id[1]
    chinese = entry.string if isinstance(entry.string, str) else entry.string[0]
    values = _Names()
    assert names(english, values) == names(chinese, _Names())


def names(text, values):
    text % values
    return values.asked


class _Names(dict):
    """Remembers what it was asked for."""

    def __init__(self):
        super().__init__()
        self.asked = set()

    def __missing__(self, name):
        assert set(name) <= set(string.ascii_lowercase + "_")
        self.asked.add(name)
        return 1


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_page_speaks_one_language(world, lang):
    world.course(li="student")
    page = world.browser("li", lang).get("/c/nlp/a/softmax/").text
    assert f'lang="{"zh-CN" if lang == "zh" else "en"}"' in page
    assert ("Hand in" in page) == (lang == "en")
    assert ("提交" in page) == (lang == "zh")


def test_times_are_the_course_s_and_say_so(world):
    from datetime import datetime, timezone

    world.course(li="student")
    world.set_task(due_at=datetime(2027, 3, 31, 15, 59, tzinfo=timezone.utc))
    page = world.browser("li").get("/c/nlp/a/softmax/").text
    assert "Mar 31, 2027, 11:59" in page.replace("\u202f", " ") and "Asia/Shanghai" in page

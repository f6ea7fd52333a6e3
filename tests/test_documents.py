"""What the documents say is so: their examples run, their links lead somewhere, their commands are the real ones."""

import re

import pytest
from pages import ROOT, blocks, run

READMES = ["README.md", "README.zh-CN.md"]
DOCUMENTS = sorted(str(path.relative_to(ROOT)) for path in [*ROOT.glob("*.md"), *ROOT.glob("*/**/*.md")])
DOCUMENTS = [name for name in DOCUMENTS if not name.startswith((".", "build/", "dist/"))]


@pytest.mark.parametrize("name", READMES)
def test_the_readme_s_blocks_run_one_after_the_other(name):
    namespace, (first, *others) = {}, blocks(name)
    assert run(first, name, namespace) == "(2, 8, 1000, 64) float32\n"
    assert len(others) == 3
    for block in others:
        run(block, name, namespace)


def test_the_first_block_has_ten_lines():
    first = blocks("README.md")[0].code.splitlines()
    assert len([line for line in first if line]) <= 10


def test_both_readmes_have_the_same_code():
    english, chinese = ([block.bare_code for block in blocks(name)] for name in READMES)
    assert english == chinese


@pytest.mark.parametrize("name", READMES)
def test_both_readmes_have_the_two_commands(name):
    text = (ROOT / name).read_text()
    for command in ("pip install '.[demo]' && python -m pyattn.demo ", "pip install '.[test]' && pytest "):
        assert re.search(rf"^{re.escape(command)} *# ", text, re.MULTILINE)


def test_both_readmes_have_the_same_figures():
    """The measured tables may differ in words only."""
    tables = [measured(name) for name in READMES]
    numbers = [re.findall(r"\d+(?:\.\d+)?", table) for table in tables]
    assert numbers[0] == numbers[1]


def measured(name):
    (table,) = re.findall(r"<!-- measured -->(.*?)<!-- /measured -->", (ROOT / name).read_text(), re.DOTALL)
    return table


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_to_what_is_there(name):
    text = re.sub(r"```.*?```", "", (ROOT / name).read_text(), flags=re.DOTALL)
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if not link.startswith(("http", "#"))]
    missing = [link for link in links if not ((ROOT / name).parent / link.partition("#")[0]).exists()]
    assert not missing


@pytest.mark.parametrize("name", DOCUMENTS)
def test_files_that_a_table_tells_to_open_exist(name):
    folder = (ROOT / name).parent
    rows = [row for row in (ROOT / name).read_text().splitlines() if row.startswith("|")]
    named = [path for row in rows for path in re.findall(r"`([\w/]+\.(?:h|cpp|py|cmake))`", row)]
    assert not [path for path in named if not (folder / path).exists()]


def test_the_list_of_decisions_names_every_one():
    folder = ROOT / "docs" / "adr"
    decisions = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("0*.md"))}
    lines = [f"- [{text.splitlines()[0].removeprefix('# ')}]({name})" for name, text in decisions.items()]
    assert "\n".join(lines) in (folder / "README.md").read_text(encoding="utf-8")


def test_pictures_are_small_and_the_same_in_both_languages():
    """`python docs/screenshots.py` takes them; each is on the page of its language."""
    pages = {"en": "docs/course.md", "zh": "docs/course.zh-CN.md"}
    texts = {lang: (ROOT / page).read_text() for lang, page in pages.items()}
    shown = {lang: re.findall(rf"images/(\w+)\.{lang}\.png", text) for lang, text in texts.items()}
    assert shown["en"] == shown["zh"]
    pictures = {path.name: path.stat().st_size for path in (ROOT / "docs" / "images").iterdir()}
    assert set(pictures) == {f"{name}.{lang}.png" for lang, names in shown.items() for name in names}
    assert max(pictures.values()) <= 60_000

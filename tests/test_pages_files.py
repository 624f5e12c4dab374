"""What the pages are made of: plain modules that build elements from code, and nothing from elsewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[1] / "src" / "withhold" / "service" / "pages"
MODULES = sorted((PAGES / "modules").glob("*.js"))
_PARSING = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|\beval\(|new Function|javascript:"
_IMPORTED = re.compile(r"""(?:from|import)\s*\(?\s*["']\./([\w.]+)["']""")


class Tags(HTMLParser):
    """The tags of a page, with their attributes, and whatever text stands in a script or style."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inline: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] in ("script", "style") and data.strip():
            self.inline.append(data)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_modules_parse_no_markup_and_set_no_style(module: Path) -> None:
    source = module.read_text()
    assert not re.search(_PARSING, source)
    assert not re.search(r"""[{,]\s*style:|setAttribute\(\s*["'](style|on)""", source)
    assert source.startswith("//")
    assert source.count("\n") <= 300


def test_every_module_is_used_and_every_import_is_there() -> None:
    imported = {name for module in MODULES for name in _IMPORTED.findall(module.read_text())}
    assert imported | {"main.js"} == {module.name for module in MODULES}


def test_nothing_comes_from_elsewhere() -> None:
    for file in [*MODULES, *PAGES.glob("styles/*.css"), PAGES / "index.html"]:
        addresses = set(re.findall(r"""(?:https?:)?//[\w.-]+\.\w+[^\s"')]*""", file.read_text()))
        assert addresses <= {"http://www.w3.org/2000/svg"}, file.name
        assert "@import" not in file.read_text()


def test_the_page_has_no_inline_script_or_style() -> None:
    read = Tags()
    read.feed((PAGES / "index.html").read_text())
    assert not read.inline
    assert not [name for _, given in read.tags for name in given if name == "style" or name.startswith("on")]
    named = [
        given.get("src") or given.get("href") or "" for tag, given in read.tags if tag in ("script", "link", "img")
    ]
    assert all((PAGES / name.removeprefix("/pages/")).is_file() for name in named)


def test_both_dark_themes_are_the_same() -> None:
    source = (PAGES / "styles" / "theme.css").read_text()
    dark = re.findall(r'(?:not\(\[data-theme="light"\]\)|\[data-theme="dark"\])\s*\{([^}]*)\}', source)
    one, other = ({line.strip() for line in each.splitlines() if line.strip()} for each in dark)
    assert one == other

"""The docs say what the code does: every block runs, every link leads somewhere, every page is up to date."""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from types import ModuleType

import pytest
import typer

import withhold
from withhold import cli
from withhold.labels import LABELS
from withhold.policy import TABLES

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES, DOCS = ROOT / "examples", ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]
_BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_SHOWN_AS_IS = {"text", "toml"}
_RUN = {"python", "pycon", "console"}


@dataclass(frozen=True)
class Command:
    """One line of a console block and what the block shows below it."""

    line: str
    shown: str


def blocks(page: Path) -> list[tuple[str, str]]:
    """The fenced blocks of a page: language and content."""
    return [(language, content) for _, language, content in _BLOCK.findall(page.read_text(encoding="utf-8"))]


def commands(content: str) -> Iterator[Command]:
    for part in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        yield Command(line, shown.rstrip())


def title(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def run(line: str, folder: Path) -> tuple[int, str]:
    """A command as a user would type it, and what they would see: 80 columns, everything in order."""
    environment = {
        **os.environ,
        "COLUMNS": "80",
        "LC_ALL": "C",
        "NO_COLOR": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONUTF8": "1",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(
        line, shell=True, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60
    )
    seen = done.stdout.decode("utf-8").splitlines()
    return done.returncode, "\n".join(line.rstrip() for line in seen).rstrip()


def matches(shown: str, seen: str) -> bool:
    """Whether the output is what is shown, in which `...` stands for anything."""
    pattern = ".*".join(re.escape(piece) for piece in shown.split("..."))
    return re.fullmatch(pattern, seen, re.DOTALL) is not None


def check_console(content: str, folder: Path) -> None:
    for command in commands(content):
        code, seen = run(command.line, folder)
        may_fail = any(line.startswith("error:") for line in command.shown.splitlines())
        assert may_fail or code == 0, f"$ {command.line}\n{seen}"
        if command.shown:
            assert matches(command.shown, seen), f"$ {command.line}\nthe page shows:\n{command.shown}\nseen:\n{seen}"


def check_session(content: str, namespace: dict[str, object], name: str) -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    test = doctest.DocTestParser().get_doctest(content, namespace, name, None, 0)
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=flags).run(test, out=said.append, clear_globs=False)
    namespace.update(test.globs)
    assert not result.failed, "".join(said)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the examples in it, and nothing else."""
    shutil.copytree(EXAMPLES, tmp_path, ignore=shutil.ignore_patterns("*.py", "__pycache__"), dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


_LONG_GUIDES = (
    "assess",
    "attack",
    "audit",
    "bridges",
    "corpus",
    "desk",
    "detect",
    "evaluate",
    "fit",
    "folders",
    "infer",
    "inspect",
    "person",
    "plan",
    "pseudonyms",
    "publish",
    "redact",
    "serve",
    "suggest",
)
_LONG = {
    "README.md",
    "docs/tutorial.md",
    *(f"docs/guides/{name}.md" for name in _LONG_GUIDES),
}
"""Pages that fit models, redact many files or load large libraries, which takes a while."""


def pages_that_run() -> Iterator[object]:
    for page in PAGES:
        if any(language in _RUN for language, _ in blocks(page)):
            yield pytest.param(page, marks=pytest.mark.slow if title(page) in _LONG else (), id=title(page))


@pytest.mark.parametrize("page", list(pages_that_run()))
def test_every_block_runs_and_shows_the_truth(page: Path, folder: Path) -> None:
    namespace: dict[str, object] = {"__name__": "__docs__"}
    for language, content in blocks(page):
        if language == "python":
            exec(compile(content, title(page), "exec"), namespace)
        elif language == "pycon":
            check_session(content, namespace, title(page))
        elif language == "console":
            check_console(content, folder)


@pytest.mark.parametrize("page", PAGES, ids=title)
def test_every_block_says_what_it_is(page: Path) -> None:
    assert {language for language, _ in blocks(page)} <= _RUN | _SHOWN_AS_IS


def test_a_block_that_does_not_tell_the_truth_is_noticed(folder: Path) -> None:
    with pytest.raises(AssertionError):
        check_console("$ echo 1\n2\n", folder)
    with pytest.raises(AssertionError):
        check_console("$ withhold read nothing.docx\n", folder)
    with pytest.raises(AssertionError):
        check_session(">>> 1 + 1\n3\n", {}, "wrong")


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"loaded_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_references_are_what_the_code_says() -> None:
    assert load(DOCS / "generate.py").stale() == []


def test_the_memo_is_what_its_script_makes() -> None:
    assert load(EXAMPLES / "make_memo.py").memo() == (EXAMPLES / "memo.docx").read_bytes()


def test_the_tutorial_shows_the_policy_of_the_example() -> None:
    policy = (EXAMPLES / "clients.toml").read_text(encoding="utf-8")
    shown = next(content for language, content in blocks(DOCS / "tutorial.md") if language == "toml")
    assert shown.strip() in policy


@dataclass(frozen=True)
class Demo:
    """What the demo shows, and the folder of the files it writes."""

    seen: str
    folder: Path


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    folder = tmp_path_factory.mktemp("demo")
    shutil.copytree(EXAMPLES, folder / "examples")
    code, seen = run(f'"{sys.executable}" examples/demo.py', folder)
    assert code == 0, seen
    return Demo(seen, folder / "build" / "demo")


@pytest.mark.slow
def test_the_demo_fits_a_terminal_and_shows_that_the_name_is_gone(demo: Demo) -> None:
    seen = demo.seen
    assert max(map(len, seen.splitlines())) <= 80
    assert re.search(r"in the new file +nowhere", seen)
    assert re.search(r"in the memo +word/document.xml: [1-9]", seen)
    assert (demo.folder / "memo.redacted.docx").is_file()
    letter = withhold.read(demo.folder / "letter.redacted.txt").text
    named = ("Tamsworth", "Jory", "Halloran", "Ennisby", "219-09", "555-0142", "Lisbon", "1988", "20417", "Tannery")
    assert not [name for name in named if name in letter]
    assert letter.count("[PERSON 1]") == 3


def ranks(seen: str, title: str) -> list[int]:
    """A row of one of the demo's tables: the file, without names, redacted."""
    found = re.search(rf"{title}.*? (\d+) +(\d+) +(\d+)$", seen, re.MULTILINE)
    assert found, title
    return list(map(int, found.groups()))


def test_the_demo_hides_the_client_and_keeps_the_industry(demo: Demo) -> None:
    own = ranks(demo.seen, "client: rank with our model")
    assert own[:2] == [1, 1]
    assert own[2] >= 5
    assert ranks(demo.seen, "industry") == [1, 1, 1]
    assert "quillmarsh" not in withhold.read(demo.folder / "memo_client.redacted.docx").text.lower()


def test_the_demo_hides_the_guest_from_attackers_who_find_them_without_the_name(demo: Demo) -> None:
    for attacker in ("our model", "bm25"):
        before = ranks(demo.seen, f"guest: rank with {attacker}")
        assert before[:2] == [1, 1], attacker
        assert before[2] >= 5, attacker
    assert ranks(demo.seen, "guest: rank with embedding")[2] >= 5
    profile = withhold.read(demo.folder / "profile.redacted.txt").text
    assert not [name for name in ("Bram", "Bellweather", "1976", "Fallowfield") if name in profile]
    assert "most of the work" in profile


def test_the_guide_lists_every_label_with_its_kind() -> None:
    rows = re.findall(r"^\| `([A-Z]+)` \| (.*) \|$", prose(DOCS / "guides" / "detect.md"), re.MULTILINE)
    shown = {(kind, label) for kind, labels in rows for label in re.findall(r"`([A-Z_]+)`", labels)}
    assert shown == {(each.kind, name) for name, each in LABELS.items()}


def test_every_verb_has_its_guide() -> None:
    verbs = {name for name in withhold.__all__ if name.islower()} | {"evaluate"}
    assert verbs <= {guide.stem for guide in (DOCS / "guides").glob("*.md")}


def test_every_command_and_option_is_in_the_reference() -> None:
    text = (DOCS / "reference" / "command-line.md").read_text(encoding="utf-8")
    groups = [("withhold", typer.main.get_command(cli.app))]
    while groups:
        path, command = groups.pop()
        for name, inner in getattr(command, "commands", {}).items():
            groups.append((f"{path} {name}", inner))
        if not hasattr(command, "commands"):
            assert f"## `{path}`\n" in text
            assert all(f"`{flag}" in text for each in command.params for flag in each.opts if flag.startswith("-"))


def test_every_key_of_a_policy_is_in_the_reference() -> None:
    text = (DOCS / "reference" / "policy.md").read_text(encoding="utf-8")
    for name, kind in TABLES.items():
        _, _, section = text.partition(f"[{name}]")
        section = section.partition("\n## ")[0]
        assert all(f"| `{key.name}` |" in section for key in fields(kind)), name


def prose(page: Path) -> str:
    return _BLOCK.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=title)
def test_every_link_inside_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        assert other.is_file(), target
        assert not anchor or anchor in anchors(other), target


@pytest.mark.parametrize("page", PAGES, ids=title)
def test_every_file_of_the_code_that_is_named_exists(page: Path) -> None:
    for name in re.findall(r"`([\w/]+/[\w/]*\.py|\w+\.py)`", prose(page)):
        assert any((root / name).is_file() for root in (ROOT, ROOT / "src" / "withhold")), name


def test_every_page_is_in_the_menu() -> None:
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert sorted(re.findall(r": ([\w/-]+\.md)$", menu, re.MULTILINE)) == sorted(
        page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")
    )


@pytest.mark.slow
def test_the_pages_build_and_load_nothing_from_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    code, seen = run(f'"{sys.executable}" -m mkdocs build --strict --site-dir "{tmp_path}"', ROOT)
    assert code == 0, seen
    loaded = re.compile(
        r"<(?:script|img|iframe|link rel=\"(?:stylesheet|icon|shortcut icon)\")[^>]*(?:src|href)=\"https?://"
    )
    assert not [page for page in tmp_path.rglob("*.html") if loaded.search(page.read_text(encoding="utf-8"))]

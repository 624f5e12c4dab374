"""Guardians: rules about the code itself."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import withhold
from withhold import contracts, errors, plugins

SOURCE = Path(withhold.__file__).parent
PROJECT = SOURCE.parent.parent

FLOORS = [
    ["errors"],
    ["codec", "spans", "files", "labels", "private", "progress"],
    ["types"],
    ["contracts"],
    ["policy"],
    ["text", "plugins", "wire"],
    ["learners"],
    ["formats", "corpora", "taxonomies", "detectors", "risk", "planners", "operators", "attacks"],
    ["gate", "reports"],
    ["redactor", "template"],
    ["assistant", "batch", "fit", "bridges"],
    ["evaluation", "study"],
    ["console", "service"],
    ["cli"],
]
"""From the ground up: a module may import from floors below its own, and from its own room."""

LEVEL = {room: number for number, floor in enumerate(FLOORS) for room in floor}


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(SOURCE.rglob("*.py")):
        yield ".".join(path.relative_to(SOURCE).with_suffix("").parts), path


def imported(name: str, source: str) -> Iterator[str]:
    """The rooms that a module imports from, by absolute or relative imports; those for types only do not count."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            node.body = []
    package = ["withhold", *name.split(".")[:-1]]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            start = ".".join([*base, *(node.module.split(".") if node.module else [])])
            targets = [f"{start}.{alias.name}" for alias in node.names]
        else:
            continue
        for target in targets:
            parts = target.split(".")
            if parts[0] == "withhold" and len(parts) > 1:
                yield parts[1]


def allowed(importer: str, target: str) -> bool:
    if importer in ("__init__", "__main__", target) or target not in LEVEL:
        return True
    return LEVEL[target] < LEVEL[importer]


@pytest.mark.parametrize(("name", "path"), list(modules()), ids=lambda value: value if isinstance(value, str) else "")
def test_imports_point_upwards(name: str, path: Path) -> None:
    room = name.split(".")[0]
    assert room in ("__init__", "__main__", *LEVEL), f"say on which floor {room} stands"
    wrong = {target for target in imported(name, path.read_text("utf-8")) if not allowed(room, target)}
    assert not wrong, f"{name} imports from {sorted(wrong)}"


@pytest.mark.parametrize(
    ("name", "source", "rooms"),
    [
        ("formats.txt", "from withhold.risk import x", ["risk"]),
        ("formats.txt", "from ..risk import x", ["risk"]),
        ("formats.docx.text", "from ... import risk", ["risk"]),
        ("formats.txt", "import withhold.planners.direct", ["planners"]),
        ("types", "def f():\n    from withhold import redactor", ["redactor"]),
    ],
)
def test_the_guardian_sees_every_kind_of_import(name: str, source: str, rooms: list[str]) -> None:
    assert list(imported(name, source)) == rooms
    assert not all(allowed(name.split(".")[0], room) for room in rooms)


def test_attackers_share_no_code_with_defenders() -> None:
    for name, path in modules():
        if name.startswith("attacks."):
            assert not {"risk", "planners"} & set(imported(name, path.read_text("utf-8")))


def test_the_public_surface() -> None:
    verbs = "read detect assess plan apply attack audit redact inspect"
    nouns = (
        "Background Block Components Detection Document Edit Evidence Find Finding Handling Hidden Inference Ledger "
        "Notice Operators Outcome Plan Policy Redaction Redactor Report Residue Risk Secret Span Term Verification"
    )
    raised = {name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)}
    assert set(withhold.__all__) == {*verbs.split(), *nouns.split(), *raised}
    assert all(getattr(withhold, name).__doc__ for name in withhold.__all__)


def test_every_error_is_in_the_tree_and_in_its_drawing() -> None:
    tree = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, Exception)]
    assert all(issubclass(each, errors.WithholdError) for each in tree)
    drawn = re.findall(r"^[ │├└─]*([A-Z]\w+)", str(errors.__doc__), re.M)
    assert {each.__name__ for each in tree} <= set(drawn)


def test_importing_is_light() -> None:
    heavy = "lxml typer rich cryptography numpy scipy sklearn numba charset_normalizer pydantic"
    script = f"import sys, withhold; print([name for name in {heavy.split()!r} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout.strip() == "[]"


def test_our_components_keep_their_promises() -> None:
    ours = [plugin for plugin in plugins.plugins() if plugin.distribution == "withhold"]
    declared = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
    assert {(plugin.kind, plugin.name) for plugin in ours} == {
        (group.removeprefix("withhold."), name)
        for group, names in declared.items()
        if group.startswith("withhold.")
        for name in names
    }
    for plugin in ours:
        component = plugins.load(plugin.kind, plugin.name)
        made = component() if plugin.kind == "formats" else component.from_policy(withhold.Policy())
        assert isinstance(made, contracts.KINDS[plugin.kind])


def test_functions_and_files_stay_small() -> None:
    long_functions, long_files = [], []
    for name, path in modules():
        source = path.read_text("utf-8")
        if source.count("\n") > 600:
            long_files.append(name)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                length = (node.end_lineno or 0) - node.lineno + 1
                if length > 60:
                    long_functions.append(f"{name}.{node.name}: {length}")
    assert not long_functions
    assert not long_files


def _modules(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name.split(".")[0] for alias in node.names]
    return [(node.module or "").split(".")[0]] if isinstance(node, ast.ImportFrom) else []


def test_benchmarks_find_what_they_share() -> None:
    folder = PROJECT / "benchmarks"
    trees = {path.stem: ast.parse(path.read_text("utf-8")) for path in folder.glob("*.py")}
    named = {
        stem: {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        | {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        for stem, tree in trees.items()
    }
    shared = [
        (stem, node.module, alias.name)
        for stem, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in trees
        for alias in node.names
    ]
    assert shared
    assert [each for each in shared if each[2] not in named[each[1]]] == []


def test_nothing_prints_or_logs() -> None:
    """A print or a log record is the easiest leak there is; only the edges speak."""
    for name, path in modules():
        if name.split(".")[0] in ("cli", "console"):
            continue
        tree = ast.parse(path.read_text("utf-8"))
        calls = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not calls & {"print", "breakpoint"}, name
        assert "logging" not in {name for node in ast.walk(tree) for name in _modules(node)}, name


def test_public_functions_say_what_they_promise() -> None:
    for name in withhold.__all__:
        value = getattr(withhold, name)
        if inspect.isfunction(value):
            assert value.__doc__
            assert "return" in value.__annotations__

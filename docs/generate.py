"""Writes docs/reference/ from the code: `python docs/generate.py`, or `--check` to see whether it is up to date.

Needs nothing but the package itself. Components are those of pyproject.toml, not those that happen to be installed.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import typer

import withhold
from withhold import cli, contracts, errors
from withhold.policy import TABLES
from withhold.template import default, summary, template, toml

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs" / "reference"
WRITTEN = "<!-- Written by docs/generate.py; change the code, not this page. -->\n\n"


def policy() -> str:
    """Every key of a policy file, by table."""
    lines = ["# Policy reference", "", "A policy is one TOML file. Unknown keys are refused.", ""]
    for name, kind in TABLES.items():
        title = f"[[{name}]]" if name in ("find", "secret") else f"[{name}]"
        lines += [f"## `{title}`", "", summary(kind), ""]
        rows = [(f"`{key.name}`", _type(key), _default(key), key.metadata["doc"]) for key in dataclasses.fields(kind)]
        lines += [*table(("key", "type", "default", "meaning"), rows), ""]
    lines += ["## The file that `withhold policy init` writes", "", "```toml", template().rstrip(), "```"]
    return "\n".join(lines) + "\n"


def _type(key: dataclasses.Field[Any]) -> str:
    """What to write in a TOML file."""
    kind = str(key.type).removesuffix(" | None")
    if "Literal[" in kind:
        choices = " or ".join(f'`"{choice}"`' for choice in re.findall(r"[\"'](\w+)[\"']", kind))
        return f"list of {choices}" if kind.startswith("tuple[") else choices
    return _TOML_TYPES[kind]


_TOML_TYPES = {
    "str": "string",
    "bool": "`true` or `false`",
    "int": "whole number",
    "float": "number",
    "tuple[str, ...]": "list of strings",
    "Mapping[str, str]": "table of strings",
    "Mapping[str, float]": "table of numbers",
    "Mapping[str, tuple[str, ...]]": "table of lists of strings",
}


def _default(key: dataclasses.Field[Any]) -> str:
    if key.default is dataclasses.MISSING and key.default_factory is dataclasses.MISSING:
        return "required"
    value = default(key)
    return "none" if value is None else f"`{toml(value)}`"


def command_line() -> str:
    """Every command and option."""
    program = typer.main.get_command(cli.app)
    lines = ["# Command-line reference", "", str(program.help), "", *_exit_codes()]
    for path, command in _commands(program, "withhold"):
        arguments, options = [], []
        for parameter in command.params:
            (arguments if parameter.param_type_name == "argument" else options).append(parameter)
        usage = " ".join([path, *(_argument(each) for each in arguments), "[OPTIONS]"])
        lines += [f"## `{path}`", "", str(inspect.cleandoc(command.help)), "", "```text", usage, "```", ""]
        rows = [(f"`{each.metavar}`", _words(each)) for each in arguments]
        rows += [(", ".join(f"`{flag}`" for flag in _flags(each)), _words(each)) for each in options]
        lines += [*table(("argument or option", "meaning"), rows), ""]
        lines += [re.sub(r"Example: (.*)", r"Example: `\1`", command.epilog or ""), ""]
    return "\n".join(lines).rstrip() + "\n"


def _exit_codes() -> list[str]:
    codes = re.search(r"Exit codes: (.*)\.", " ".join((inspect.getdoc(cli) or "").split()))
    assert codes, "the docstring of cli.py tells the exit codes"
    return ["Results go to standard output, words and errors to standard error.", "", f"Exit codes: {codes[1]}.", ""]


def _commands(group: Any, path: str) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


def _argument(parameter: Any) -> str:
    return f"{parameter.metavar}..." if parameter.nargs == -1 else str(parameter.metavar)


def _flags(parameter: Any) -> list[str]:
    value = f" {parameter.metavar}" if parameter.metavar else ""
    flags = [*parameter.opts, *parameter.secondary_opts]
    return [flag + (value if flag.startswith("--") and not parameter.is_flag else "") for flag in flags]


def _words(parameter: Any) -> str:
    words = [str(parameter.help)]
    if parameter.param_type_name == "option" and parameter.multiple:
        words.append("May be given several times.")
    if parameter.param_type_name == "option" and parameter.required:
        words.append("Required.")
    value = parameter.default
    if isinstance(value, (int, float, str, Path)) and not isinstance(value, bool):
        words.append(f"Default: `{value}`.")
    return " ".join(words)


def python() -> str:
    """Every public name that is no error, and the contracts of components."""
    public = {name: getattr(withhold, name) for name in withhold.__all__}
    functions = {name: value for name, value in public.items() if inspect.isfunction(value)}
    classes = {name: value for name, value in public.items() if inspect.isclass(value) and name not in functions}
    nouns = {name: value for name, value in classes.items() if not issubclass(value, Exception)}
    lines = ["# Python reference", "", "Errors have [a page of their own](errors.md).", "", "## Verbs", ""]
    for name, function in functions.items():
        lines += _callable(f"withhold.{name}", function, 3)
    lines += ["## Classes", ""]
    for name, kind in nouns.items():
        lines += _class(name, kind)
    lines += ["## Contracts", "", *described(contracts), ""]
    for group, kind in contracts.KINDS.items():
        lines += _class(kind.__name__, kind, f"Entry-point group: `withhold.{group}`.")
    return "\n".join(lines).rstrip() + "\n"


def _class(name: str, kind: type, note: str = "") -> list[str]:
    lines = [f"### `{name}`", "", *described(kind), ""]
    if note:
        lines += [note, ""]
    if dataclasses.is_dataclass(kind):
        lines += [*(f"- `{_field(field)}`" for field in dataclasses.fields(kind)), ""]
    for member, value in vars(kind).items():
        if member.startswith("_"):
            continue
        if isinstance(value, property) or type(value).__name__ == "cached_property":
            lines += [f"#### `{name}.{member}`", "", *described(value), ""]
        elif inspect.isfunction(value):
            lines += _callable(f"{name}.{member}", value, 4)
        elif isinstance(value, classmethod):
            lines += _callable(f"{name}.{member}", value.__func__, 4)
    return lines


def _field(field: dataclasses.Field[Any]) -> str:
    if field.default_factory is not dataclasses.MISSING:
        return f"{field.name}: {field.type} = {field.default_factory.__name__}()"
    return f"{field.name}: {field.type}" + ("" if field.default is dataclasses.MISSING else f" = {field.default!r}")


def _callable(name: str, function: Callable[..., object], level: int) -> list[str]:
    return [f"{'#' * level} `{name}`", "", "```text", signature(name, function), "```", "", *described(function), ""]


def signature(name: str, function: Callable[..., object]) -> str:
    """The call as it is written in the code, the same on every version of Python."""
    shown: list[str] = []
    known = inspect.signature(function)
    for parameter in known.parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in shown:
            shown.append("*")
        given = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        shown.append(f"{parameter.name}: {parameter.annotation}{given}")
    return f"{name}({', '.join(shown)}) -> {known.return_annotation}"


def error_tree() -> str:
    lines = ["# Errors", "", *described(errors), ""]
    for name, value in vars(errors).items():
        if inspect.isclass(value) and issubclass(value, Exception):
            lines += [f"## `{name}`", "", *described(value), ""]
    return "\n".join(lines).rstrip() + "\n"


def components() -> str:
    """What comes with the package, by kind."""
    lines = ["# Components", "", "What a policy can name. `withhold plugins` lists what is installed on a machine.", ""]
    groups = entry_points()
    for kind, contract in contracts.KINDS.items():
        lines += [f"## {kind.title()}", "", summary(contract), ""]
        rows = [(f"`{name}`", f"`{target}`", summary(load(target))) for name, target in groups.get(kind, {}).items()]
        lines += [*(table(("name", "class", "what it does"), rows) if rows else ["None comes with withhold yet."]), ""]
    return "\n".join(lines).rstrip() + "\n"


def formats() -> str:
    lines = ["# Formats", "", "A file is told by its content first and by its name second.", ""]
    found = {name: load(target) for name, target in entry_points()["formats"].items()}
    rows = [
        (f"[`{name}`](#{name})", " ".join(f"`{each}`" for each in kind.extensions if each))
        for name, kind in found.items()
    ]
    lines += [*table(("format", "names end in"), rows), ""]
    for name, kind in found.items():
        lines += [f"## {name}", "", *described(inspect.getmodule(kind)), "", *described(kind), ""]
    return "\n".join(lines).rstrip() + "\n"


def entry_points() -> dict[str, dict[str, str]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {group.removeprefix("withhold."): points for group, points in project["entry-points"].items()}


def load(target: str) -> Any:
    module, name = target.split(":")
    return getattr(importlib.import_module(module), name)


def described(thing: object) -> list[str]:
    """A docstring as Markdown: drawings stay drawings, and what is raised becomes a list."""
    text = inspect.cleandoc(getattr(thing, "__doc__", None) or "")
    text, _, raised = text.partition("\nRaises:\n")
    lines = [_code(each) if each.startswith("    ") else each for each in text.strip().split("\n\n")]
    joined = "\n\n".join(lines).splitlines()
    if raised:
        kinds = re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", raised, re.MULTILINE)
        joined += ["", *(f"- raises `{kind}` {' '.join(words.split())}" for kind, words in kinds)]
    return joined


def _code(drawing: str) -> str:
    return f"```text\n{inspect.cleandoc(drawing)}\n```"


def table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    heads = list(columns)
    cells = [[" ".join(cell.replace("|", "\\|").split()) for cell in row] for row in rows]
    return [f"| {' | '.join(row)} |" for row in [heads, ["---"] * len(heads), *cells]]


def http() -> str:
    """Every route, and every shape that is sent or answered, from the OpenAPI schema."""
    from withhold.service.app import make_api

    schema = make_api().openapi()
    lines = ["# HTTP reference", "", schema["info"]["description"], ""]
    lines += ["The same as a schema for programs is at `/api/v1/openapi.json` of a running server.", ""]
    operations = [
        (operation["tags"][0], method.upper(), path, operation)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]
    for tag in dict.fromkeys(tag for tag, *_ in operations):
        lines += [f"## {tag.capitalize()}", ""]
        rows = [
            (f"`{method} {path}`", _sent(operation), _answered(operation), _sentence(operation["description"]))
            for of, method, path, operation in operations
            if of == tag
        ]
        lines += [*table(("route", "sent", "answered", "what it does"), rows), ""]
    lines += ["## Shapes", "", "What has a default may be left out. What a request says besides is refused.", ""]
    for name, shape in sorted(schema["components"]["schemas"].items()):
        lines += [f"### {name}", "", *([_sentence(shape["description"]), ""] if "description" in shape else [])]
        rows = [
            (f"`{key}`", _shape(each), _given(shape, key, each), _sentence(each.get("description", "")))
            for key, each in shape.get("properties", {}).items()
        ]
        lines += [*table(("key", "type", "default", "meaning"), rows), ""]
    return "\n".join(lines).rstrip() + "\n"


def _sentence(text: str) -> str:
    return " ".join(text.split())


def _sent(operation: dict[str, Any]) -> str:
    content = operation.get("requestBody", {}).get("content", {})
    return ", ".join(_shape(each["schema"]) for each in content.values())


def _answered(operation: dict[str, Any]) -> str:
    """The good answer, and besides the usual refusals those that have a shape of their own."""
    told = []
    for status, answer in operation["responses"].items():
        shapes = [_shape(each["schema"]) for each in answer.get("content", {}).values() if each.get("schema")]
        if status.startswith("2"):
            told.append(f"{status} {', '.join(shapes)}".strip())
        elif status == "409":
            told.append(f"409 {', '.join(shapes)}")
    return "; ".join(told)


def _shape(schema: dict[str, Any]) -> str:
    """A type in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(_shape(each) for each in schema[key]))
    if "enum" in schema or "const" in schema:
        return " or ".join(f"`{json.dumps(each)}`" for each in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of {_shape(schema['items'])}" if "items" in schema else "list"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"table of {_shape(schema['additionalProperties'])}"
    if schema.get("format") in ("date-time", "base64"):
        return str({"date-time": "time", "base64": "base64"}[schema["format"]])
    return str(schema.get("type", "any"))


def _given(shape: dict[str, Any], key: str, schema: dict[str, Any]) -> str:
    if key in shape.get("required", ()):
        return "required"
    return f"`{json.dumps(schema['default'], ensure_ascii=False)}`" if "default" in schema else ""


PAGES: dict[str, Callable[[], str]] = {
    "policy.md": policy,
    "command-line.md": command_line,
    "python.md": python,
    "errors.md": error_tree,
    "components.md": components,
    "formats.md": formats,
    "http.md": http,
}


def stale() -> list[str]:
    """The pages that are not what the code says."""
    texts = {name: REFERENCE / name for name in PAGES}
    return [
        name
        for name, path in texts.items()
        if not path.is_file() or path.read_text(encoding="utf-8") != WRITTEN + PAGES[name]()
    ]


def main() -> int:
    if "--check" in sys.argv[1:]:
        old = stale()
        print(f"not up to date: {', '.join(old)}; run python docs/generate.py" if old else "up to date")
        return 1 if old else 0
    REFERENCE.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        (REFERENCE / name).write_text(WRITTEN + page(), encoding="utf-8")
        print(f"written: docs/reference/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

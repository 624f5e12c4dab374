"""A policy file to start from: every setting with its default, explained by the policy's own words."""

from __future__ import annotations

import inspect
import json
import textwrap
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from typing import Any

from withhold.policy import TABLES

_EXAMPLES: dict[str, dict[str, Any]] = {
    "find": {"label": "CLIENT", "terms": ["Acme", "Acme Holdings"]},
    "secret": {"name": "the client", "model": "concepts"},
}
"""Tables that a policy may have many of, and that have no defaults to show."""


def template() -> str:
    """The whole file, as TOML."""
    lines = ["# What to hide, how, and with which components. Check it with `withhold policy check FILE`."]
    for name, kind in TABLES.items():
        lines += ["", *_comment(summary(kind))]
        lines += _repeated(name, kind) if name in _EXAMPLES else [f"[{name}]", *_settings(kind)]
    return "\n".join(lines) + "\n"


def summary(thing: object) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join(inspect.cleandoc(getattr(thing, "__doc__", None) or "").split("\n\n")[0].split())


def _settings(kind: type) -> Iterator[str]:
    for setting in fields(kind):
        value = default(setting)
        line = f"{setting.name} = {toml(value)}"
        yield from ("", *_comment(setting.metadata["doc"]))
        yield line if value is not None else f"# {setting.name} ="


def _repeated(name: str, kind: type) -> Iterator[str]:
    """A table that is only shown, not set: all of it commented out."""
    yield f"# [[{name}]]"
    for setting in fields(kind):
        value = _EXAMPLES[name].get(setting.name, default(setting))
        yield from ("#", *_comment(setting.metadata["doc"]))
        yield f"# {setting.name} = {'' if value is None else toml(value)}".rstrip()


def default(setting: Field[Any]) -> Any:
    if setting.default_factory is not MISSING:
        return setting.default_factory()
    return None if setting.default is MISSING else setting.default


def toml(value: Any) -> str:
    """A value of a policy as TOML; JSON writes strings, numbers, booleans and lists the same way."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }" if value else "{}"
    return json.dumps(value, ensure_ascii=False)


def _comment(words: str) -> list[str]:
    return textwrap.wrap(words, width=88, initial_indent="# ", subsequent_indent="# ")

"""The policy of a run: what a file says, what options add, and whether all of it is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from withhold.errors import PolicyError
from withhold.labels import known_as
from withhold.policy import Find, Policy


def extend(
    policy: Policy,
    *,
    terms: Sequence[str] = (),
    patterns: Sequence[str] = (),
    lists: Sequence[Path] = (),
    labels: Sequence[str] = (),
    label: str = "TERM",
    anywhere: bool = False,
    operator: str | None = None,
    mark: str | None = None,
    replacement: str | None = None,
    key: Path | None = None,
) -> Policy:
    """The policy with one more thing to find, more labels and other operators; a key means pseudonyms.

    Raises:
        PolicyError: if the outcome makes no sense, or names what is not there.
    """
    operator = operator or ("pseudonymise" if key else None)
    changes: dict[str, Any] = {"default": operator, "mark": mark, "key": str(key.resolve()) if key else None}
    named = tuple(str(each.resolve()) for each in lists)
    try:
        operators = replace(policy.operators, **{name: value for name, value in changes.items() if value is not None})
        if terms or patterns or named:
            find = Find(label, tuple(terms), tuple(patterns), named, anywhere, replacement)
            policy = replace(policy, find=(*policy.find, find))
        wanted = (*policy.detection.labels, *map(_spelt, labels))
        policy = replace(policy, detection=replace(policy.detection, labels=tuple(dict.fromkeys(wanted))))
    except ValueError as error:
        raise PolicyError(str(error)) from None
    finds = tuple(replace(find, anywhere=True) for find in policy.find) if anywhere else policy.find
    policy = replace(policy, operators=operators, find=finds)
    policy.check()
    return policy


def _spelt(name: str) -> str:
    """A choice of labels as policies spell it, however it is typed: `person`, `Direct`, `GPE`."""
    name = name.strip()
    return name.lower() if name.lower() in ("all", "direct", "quasi") else known_as(name)

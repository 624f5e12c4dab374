"""Which of the things that a user has listed were found in no file: perhaps they are misspelt."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from withhold.codec import Value
from withhold.policy import Policy


@dataclass(frozen=True, slots=True)
class Unfound(Value):
    """Of one source, such as `--find`, the numbers of what was found nowhere; what it is, is not said."""

    source: str
    numbers: tuple[int, ...]


def unfound(policy: Policy, met: Collection[int], *, options: bool) -> list[Unfound]:
    """What the policy lists and no file has. `met` are the entries that files have, by the numbers of
    `ListDetector.met`; with `options`, the last table is what the command line says.
    """
    told, before = [], 0
    for source, count in _sources(policy, options=options):
        numbers = tuple(number for number in range(1, count + 1) if before + number not in met)
        before += count
        if numbers:
            told.append(Unfound(source, numbers))
    return told


def _sources(policy: Policy, *, options: bool) -> Iterator[tuple[str, int]]:
    """What lists things to find and how many, in the order of their numbers: all terms come before patterns."""
    patterns = []
    for number, find in enumerate(policy.find, 1):
        is_option = options and number == len(policy.find)
        table = f"[[find]] table {number}, "
        yield "--find" if is_option else f"{table}terms", len(find.terms)
        for place, name in enumerate(find.lists, 1):
            count = len(policy.listed((name,), "find.lists"))
            yield f"--list file {place}" if is_option else f"{table}lists file {place}", count
        patterns.append(("--regex" if is_option else f"{table}patterns", len(find.patterns)))
    yield from patterns

"""Whether anything on a page depends on what was taken out of it.

Documents that differ in one name alone, made by programs that set text in their own ways, are redacted. If nothing
depends on the name, the outputs are equal. Compared are those with the same text in the same lines; where a longer name
has moved a line break, that much is told by any method that does not set the page anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import log2
from typing import Any

from withhold.errors import WithholdError
from withhold.evaluation.layout.makers import MAKERS, NAMES, RESIDUAL, Missing
from withhold.evaluation.layout.signatures import Signature, signature
from withhold.policy import Components, Find, Policy
from withhold.redactor import Redactor

Remove = Callable[[bytes, str], bytes]
"""Takes a name out of a file."""

Track = Callable[[Iterable[Any], int, str], Iterator[Any]]


def withhold(data: bytes, name: str) -> bytes:
    """A redaction of ours, by the name alone."""
    policy = Policy(find=(Find(label="PERSON", terms=(name,)),), components=Components(attacks=()))
    redactor = Redactor(policy)
    return redactor.redact(redactor.read(data, name="document.pdf"), compare=False).document.native


def evaluate(
    names: Sequence[str] = NAMES,
    *,
    makers: Iterable[str] = tuple(MAKERS),
    remove: Remove = withhold,
    track: Track | None = None,
) -> dict[str, Any]:
    """For every maker how many files are compared, and how many layouts and files are told apart. Makers that are not
    installed are left out, and said to be.
    """
    documents: list[dict[str, Any]] = []
    left_out: list[dict[str, str]] = []
    for maker in makers:
        try:
            sources = (MAKERS | RESIDUAL)[maker](names)
        except Missing as missing:
            left_out.append({"document": maker, "needs": str(missing)})
            continue
        pairs = list(zip(sources, names, strict=True))
        tracked = track(pairs, len(pairs), maker) if track else pairs
        documents.append(_compared(maker, tracked, remove))
    return {
        "documents": documents,
        "left_out": left_out,
        "worst_layouts": max((each["layouts"] for each in documents), default=0),
        "worst_files": max((each["files"] for each in documents), default=0),
    }


def _compared(maker: str, sources: Iterable[tuple[bytes, str]], remove: Remove) -> dict[str, Any]:
    alike: dict[str, list[Signature]] = defaultdict(list)
    refused = 0
    for data, name in sources:
        try:
            found = signature(remove(data, name))
        except WithholdError:
            refused += 1
            continue
        alike[found.text].append(found)
    most = max(alike.values(), key=len, default=[])
    layouts = len({each.layout for each in most})
    return {
        "document": maker,
        "candidates": len(most),
        "layouts": layouts,
        "files": len({each.file for each in most}),
        "bits": round(log2(layouts), 2) if layouts else 0.0,
        "other_lines": sum(map(len, alike.values())) - len(most),
        "refused": refused,
    }


def rows(report: dict[str, Any]) -> list[tuple[object, ...]]:
    """The documents of a report, for a table."""
    keys = ("document", "candidates", "layouts", "files", "other_lines", "refused")
    return [tuple(each[key] for key in keys) for each in report["documents"]]

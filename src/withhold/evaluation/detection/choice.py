"""What is evaluated: a text with what was found in it, and the labels that count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from withhold import labels
from withhold.errors import MalformedData
from withhold.fit.annotated import Annotated, Mention
from withhold.types import Finding


@dataclass(frozen=True, slots=True)
class Choice:
    """The labels that count: whole kinds, and labels alone."""

    kinds: frozenset[str]
    labels: frozenset[str] = frozenset()

    def key(self, label: str) -> str | None:
        """What a label counts as: its kind, or itself where only it was chosen; None if it does not count."""
        if (kind := labels.kind(label)) in self.kinds:
            return kind
        return name if (name := labels.known_as(label)) in self.labels else None

    @property
    def keys(self) -> list[str]:
        """In the order of reports."""
        order = {kind: place for place, kind in enumerate(labels.KINDS)}
        return sorted(self.kinds | self.labels, key=lambda each: (order.get(each, len(order)), each))


def choose(names: Sequence[str], there: Iterable[str]) -> Choice:
    """Of the labels that a set of texts annotates, those that are meant by the names: ours, kinds, `direct`, `quasi`,
    `all`, or the set's own. Without names, all its kinds.

    Raises:
        MalformedData: if a name is nowhere known.
    """
    there = set(there)
    here = Choice(frozenset(map(labels.kind, there)), frozenset(map(labels.known_as, there)))
    if not names:
        return Choice(here.kinds)
    kinds, single = set(), set()
    for name in names:
        known = labels.known_as(name)
        if known in labels.KINDS:
            kinds.add(known)
        elif known in labels.LABELS or known in here.labels:
            single.add(known)
        elif name in ("all", "direct", "quasi"):
            single |= labels.chosen([name])
        else:
            raise MalformedData(
                f"--labels: {name!r} is neither a label of the data ({', '.join(sorted(there))}) nor one of ours; "
                f"kinds are {', '.join(labels.KINDS)}"
            )
    return Choice(frozenset(kinds) & here.kinds, frozenset(single) & here.labels)


@dataclass(frozen=True, slots=True)
class Case:
    """A text, the findings that would be acted upon, and the labels that count in its set."""

    text: Annotated
    found: tuple[Finding, ...]
    choice: Choice

    @property
    def mentions(self) -> list[Mention]:
        """The mentions that count."""
        return [each for each in self.text.mentions if self.choice.key(each.label)]

    @property
    def alarms(self) -> list[Finding]:
        """The findings that can be wrong: of a label that the set does not annotate, nobody can say."""
        return [each for each in self.found if self.choice.key(each.label)]


def needed(mention: Mention) -> bool:
    """Whether a mention has to be masked: where nothing is said of that, it has."""
    return mention.identifier != "none"


def direct(mention: Mention) -> bool:
    """Whether a mention points at someone by itself: as its annotator says, or as its label does."""
    if mention.identifier is None:
        return labels.identifier(mention.label) == "direct"
    return mention.identifier == "direct"

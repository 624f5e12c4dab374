"""What is done about a redaction that an attack wins against: take away what the attack read, or ask for more; and what
must not be written at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from withhold.errors import PolicyError
from withhold.formats.residue import Names
from withhold.spans import Span, intersect, union
from withhold.text import squeeze
from withhold.types import Finding, Outcome, Redaction, Replacement, Secret

LABEL = "CLUE"
"""What goes not because it names the secret, but because it tells: the planners' word for it."""

Stretches = Sequence[tuple[Span, Span]]
"""What of a document is left: where each stretch stood, and where it stands in the redaction."""


def unexpected(redaction: Redaction) -> list[Outcome]:
    """The attacks that win though no risk of their secret stays: of those that stay it is said that they do, and the
    document is not emptied for them.
    """
    stays = {risk.secret for risk in redaction.plan.risks if risk.stays}
    return [outcome for outcome in redaction.outcomes if outcome.wins and outcome.secret not in stays]


def stricter(secrets: Iterable[Secret], won: Iterable[Outcome], kept: Stretches) -> tuple[Secret, ...]:
    """The secrets, asking for more wherever an attack won that cannot say what of the source it read: half as many
    classes again to hide among, or half of the ceiling.
    """
    told = {outcome.secret for outcome in won if not telling((outcome,), kept)}
    return tuple(_stricter(secret) if secret.name in told else secret for secret in secrets)


def _stricter(secret: Secret) -> Secret:
    if secret.model in ("concepts", "identity"):
        return replace(secret, k=secret.k + max(1, secret.k // 2))
    return secret if secret.ceiling is None else replace(secret, ceiling=secret.ceiling / 2)


def telling(won: Iterable[Outcome], kept: Stretches) -> list[Finding]:
    """What stood in the source where attacks found in the redaction what they went by."""
    read = union(*(outcome.telling for outcome in won))
    stood = union(part.shift(was.start - now.start) for was, now in kept for part in intersect((now,), read))
    return [Finding(span, LABEL, "gate", reason="an attack went by it") for span in stood]


def failings(redaction: Redaction) -> tuple[int, int, int]:
    """How bad a redaction is: the risks that stay, then the attacks that win; of two that are alike, the one that fewer
    attacks were tried on is the worse, since services are asked only about what all others fail at.
    """
    stays = sum(risk.stays for risk in redaction.plan.risks)
    return stays, sum(outcome.wins for outcome in redaction.outcomes), -len(redaction.outcomes)


def spelling(texts: Iterable[str]) -> Names:
    """Asks whether something that is written spells out one of the removed texts. Numbers and letters do not count."""
    removed = {squeeze(text) for text in texts}
    return Names(text for text in removed if sum(letter.isalpha() for letter in text) >= 3)


def refuse_telling(replacements: Sequence[Replacement], texts: Sequence[str]) -> None:
    """Marks are chosen by people: one that spells out what is hidden is a mistake. Numbers and letters are not.

    Raises:
        PolicyError: if there is such a mark.
    """
    removed = spelling(texts)
    if any(removed.told_by(text) for text in {each.text for each in replacements}):
        raise PolicyError(
            "a mark, label or replacement repeats what it should hide: use other marks (--operator suppress, or other "
            "labels), or put words that need not go on the allow list"
        )

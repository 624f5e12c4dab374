"""Commands for a person at work on a document: what to look at first, what to write instead, how far they have come."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from withhold import console
from withhold.cli.options import AsJson, File, about, app

if TYPE_CHECKING:
    from withhold.assistant import Advice, Assistant, Suggestion
    from withhold.types import Document

Secrets = Annotated[
    Path, typer.Option("--policy", "-p", metavar="FILE", help="A policy file that says what must not be inferred.")
]
SecretName = Annotated[
    str | None, typer.Option("--secret", metavar="NAME", help="Which secret of the policy; the first if not given.")
]
Most = Annotated[int, typer.Option("--most", "-n", min=1, metavar="N", help="How many terms to look at.")]
_OFFERS = 4
_PARTS = ("change", "bonus", "penalty")


@app.command(epilog="Example: withhold suggest biography.txt --policy person.toml --term 'firefighter'")
def suggest(
    file: File,
    policy: Secrets,
    term: Annotated[
        str | None, typer.Option("--term", metavar="TEXT", help="A word or phrase of the document; else the worst.")
    ] = None,
    secret: SecretName = None,
    most: Most = 10,
    as_json: AsJson = False,
) -> None:
    """Say what could be written in place of telling words, with the risk before and after.

    Every suggestion was measured by the risk model of the secret; none tells more than what it replaces. Nothing is
    changed. What is printed quotes the document: do not release it.
    """
    with about(file):
        assistant = _assistant(file, policy, secret)
        looked = [(None, assistant.suggest(term))] if term else _looked(assistant, most)
    if as_json:
        console.print_json([_as_json(assistant.document, advice, offers) for advice, offers in looked])
        return
    rows = [row for advice, offers in looked for row in _rows(assistant, advice, offers)]
    console.show(
        f"What could be written instead in {file}", ("instead of", "#tells", "write", "#tells then", "#kept"), rows
    )
    if term and not rows:
        console.say("nothing that tells less was found for this term")


@app.command(epilog="Example: withhold guide biography.txt --policy person.toml")
def guide(file: File, policy: Secrets, secret: SecretName = None, most: Most = 20, as_json: AsJson = False) -> None:
    """Say what to look at first: the terms that tell most, and that make other terms more telling.

    The guide value of a term is the sum, over the other terms, of how much surer the secret is from both than from the
    other one alone. What is printed quotes the document: do not release it.
    """
    with about(file):
        assistant = _assistant(file, policy, secret)
        advised = assistant.advise(most)
    if as_json:
        console.print_json([_as_json(assistant.document, advice) for advice in advised])
        return
    rows = [
        (_written(assistant.document, advice), len(advice.spans), f"{advice.value:.2f}", advice.reason)
        for advice in advised
    ]
    console.show(f"What to look at first in {file}", ("term", "#places", "#guide value", "why"), rows)


@app.command(epilog="Example: withhold score biography.txt biography.edited.txt --policy person.toml")
def score(
    original: Annotated[Path, typer.Argument(metavar="ORIGINAL", help="The document as it was.")],
    edited: Annotated[Path, typer.Argument(metavar="EDITED", help="The document as it is now.")],
    policy: Secrets,
    secret: SecretName = None,
    as_json: AsJson = False,
) -> None:
    """Score an edited document: up for what it tells less of, down for what was deleted without need.

    The second score is one that words without meaning, written in place of others, cannot raise.
    """
    from withhold import Redactor
    from withhold.assistant import rate

    chosen = _policy(policy)
    redactor = Redactor(chosen)
    with about(original):
        before = redactor.read(original)
    with about(edited):
        published, proof = rate(before, redactor.read(edited), chosen, _secret(chosen, secret))
    if as_json:
        kinds = (("published", published), ("padding_proof", proof))
        console.print_json({name: {**each.to_json(), "total": each.total} for name, each in kinds})
        return
    rows = [(part, *both) for part, *both in zip(_PARTS, published.reasons(), proof.reasons(), strict=True)]
    rows.append(("total", f"{published.total:+.2f}", f"{proof.total:+.2f}"))
    console.show(f"Score of {edited}", ("part", "as published", "proof against padding"), rows)


def _policy(file: Path) -> Any:
    from withhold import Policy

    return Policy.load(file)


def _secret(policy: Any, name: str | None) -> Any:
    from withhold.errors import PolicyError

    found = [secret for secret in policy.secret if name in (None, secret.name)]
    if name is not None and not found:
        raise PolicyError(f"the policy has no secret called {name!r}")
    return found[0] if name is not None else None


def _assistant(file: Path, policy: Path, secret: str | None) -> Assistant:
    from withhold import Redactor
    from withhold.assistant import Assistant

    chosen = _policy(policy)
    return Assistant(Redactor(chosen).read(file), chosen, _secret(chosen, secret))


def _looked(assistant: Assistant, most: int) -> list[tuple[Advice | None, list[Suggestion]]]:
    advised = assistant.advise(most)
    spans = ((advice, advice.spans[0]) for advice in advised)
    return [(advice, assistant.suggest(span)) for advice, span in console.track(spans, len(advised), "Looking")]


def _written(document: Document, advice: Advice) -> str:
    return advice.spans[0].of(document.text)


def _rows(assistant: Assistant, advice: Advice | None, offers: list[Suggestion]) -> list[tuple[object, ...]]:
    text = assistant.document.text
    if not offers and advice is not None:
        tells = assistant.gauge.before(advice.spans[0])
        return [(_written(assistant.document, advice), f"{tells:.0%}", "(nothing that tells less)", "", "")]
    return [
        (each.span.of(text), f"{each.before:.0%}", each.text, f"{each.after:.0%}", f"{each.kept:.0%}")
        for each in offers[:_OFFERS]
    ]


def _as_json(document: Document, advice: Advice | None, offers: list[Suggestion] | None = None) -> dict[str, Any]:
    told: dict[str, Any] = {**advice.to_json(), "written": _written(document, advice)} if advice else {}
    if offers is not None:
        told["suggestions"] = [{**each.to_json(), "replaces": each.span.of(document.text)} for each in offers]
    return told

"""The command that tries to undo a redaction, whoever made it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from withhold import console
from withhold.cli.concepts import Source, read_both
from withhold.cli.options import AsJson, about, app, flag

if TYPE_CHECKING:
    from withhold.policy import Policy
    from withhold.types import Document, Outcome

_NAMED = 8
_PAINTED = ("blackened text", "text under a", "picture under a")
"""Kinds of hidden things that say that somebody meant to redact, and only painted over."""

Given = Annotated[
    Path | None,
    typer.Option("--policy", "-p", metavar="FILE", help="A policy: its secrets, what it wants removed, its attacks."),
]


@app.command(epilog="Example: withhold attack memo.redacted.docx -p clients.toml --source memo.docx")
def attack(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The redacted document, whichever tool made it.")],
    policy: Given = None,
    source: Source = None,
    candidates: Annotated[
        Path | None,
        typer.Option("--candidates", metavar="FILE", help="Names, one a line, to try in the room of what is gone."),
    ] = None,
    show: Annotated[
        bool,
        flag("--show", help="Show the words an attack went by, what each mark is taken for, the candidates that fit."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Try to find out what a redacted document hides, with attackers that no plan was made against.

    Without a policy the file is searched for hidden content, its words for names that were left, and the words around
    marks for what kind of thing they hide. The exit code is 3 if an attack wins, or if none could be tried on a secret.
    """
    from withhold import Policy, Redactor
    from withhold.learners.marks import marks_in

    chosen = Policy.load(policy) if policy else _no_policy()
    redactor = Redactor(_with_candidates(chosen, candidates) if candidates else chosen)
    with about(file):
        document, origin = read_both(redactor, file, source)
        outcomes = redactor.attack(document, origin)
    if as_json:
        console.print_json([outcome.to_json() for outcome in outcomes])
    else:
        _show(file, outcomes)
        if show:
            _show_words(redactor.policy, document, outcomes)
            _show_fits(redactor.policy, document)
        measured = any(outcome.attack == "layout" for outcome in outcomes)
        if policy is None and not measured and not marks_in(document.text):
            console.say(f"no marks were found in it: {_unmarked(outcomes)}")
    untold = any(each.model == "concepts" and not each.value for each in redactor.policy.secret)
    if source is None and untold and not as_json:
        console.say("give --source, or `value` in the policy, if it leaves the class to the model")
    secrets = {secret.name for secret in redactor.policy.secret}
    untried = [f"{each.attack} on {each.secret}" for each in outcomes if not each.trials and each.secret in secrets]
    if untried and not as_json:
        console.say(f"exit code 3, since this could not be tried: {', '.join(untried)}")
    raise typer.Exit(3 if untried or not outcomes or any(each.wins for each in outcomes) else 0)


def _no_policy() -> Policy:
    """Every attack that needs nothing but a document."""
    from withhold.policy import Components, Policy

    return Policy(components=Components(attacks=(*Components().attacks, "mask_type")))


def _with_candidates(policy: Policy, file: Path) -> Policy:
    from withhold.errors import PolicyError

    if not file.is_file():
        raise PolicyError(f"{file}: no such file")
    attacks = tuple(dict.fromkeys((*policy.components.attacks, "layout")))
    return replace(
        policy,
        gate=replace(policy.gate, candidates=str(file.absolute())),
        components=replace(policy.components, attacks=attacks),
    )


def _show_words(policy: Policy, document: Document, outcomes: Sequence[Outcome]) -> None:
    """What the released text itself says: the words that attacks went by, and each mark with the likeliest type."""
    from withhold.attacks.mask_type import MODEL, MaskTypeAttack
    from withhold.batch.one import places

    went_by = sorted((span, each.attack) for each in outcomes for span in each.telling)
    tried = any(each.attack == MODEL for each in outcomes)
    asked = next((secret for secret in policy.secret if secret.model == MODEL), None)
    guesses = MaskTypeAttack.from_policy(policy).guesses(document, asked) if tried else []
    marks = [(guess.span, f"{guess.kind} {guess.likely:.0%}") for guess in guesses]
    for title, head, found in (("Words attacks went by", "attack", went_by), ("Marks", "taken for", marks)):
        if found:
            console.show(title, (head, "where", "words"), places(document, found))


def _show_fits(policy: Policy, document: Document) -> None:
    """The names of the list that have the width of what is gone, best first; they are the asker's own."""
    from withhold.attacks.layout import LayoutAttack

    attack = LayoutAttack.from_policy(policy)
    rows = []
    for fit in attack.measure(document):
        names = [attack.candidates[index] for index in fit.ranking[: min(fit.fitting, _NAMED)]]
        more = fit.fitting - len(names)
        told = ", ".join(names) + (f" and {more} more" if more else "")
        rows.append((fit.place.page, f"{fit.place.width:.1f}", fit.fitting, told if fit.place.telling else "not told"))
    if rows:
        console.show("Places", ("#page", "#points", "#fit", "candidates"), rows)


def _show(file: Path, outcomes: Sequence[Outcome]) -> None:
    if not outcomes:
        console.say("nothing was tried: the policy names no attack that is for its secrets")
        return
    columns = ("attack", "secret", "#chance", "#before", "#result", "verdict")
    console.show(f"Attacks on {file}", columns, [_row(each) for each in outcomes])
    for each in outcomes:
        if each.note:
            console.say(f"{each.attack}, {each.secret}: {each.note}")
    won = sum(each.wins for each in outcomes)
    look = any(_row(each)[-1] == "look" for each in outcomes)
    told = f"{won} of {len(outcomes)} win" if won else "no attack wins"
    console.say(told + ("; look at what gains more than chance, though nothing forbids it" if look else ""))


def _unmarked(outcomes: Sequence[Outcome]) -> str:
    """What to make of a document without marks."""
    if any(kind in outcome.note for outcome in outcomes if outcome.attack == "hidden" for kind in _PAINTED):
        return "words were painted over, and are still there"
    return "is it redacted?"


def _row(outcome: Outcome) -> tuple[str, ...]:
    """The cells of an outcome, so narrow that no word breaks at 80 columns; the result stands with its interval."""
    if not outcome.trials:
        return outcome.attack, outcome.secret, "", "", "", "none"
    before = "" if outcome.before is None else _short(outcome.before)
    low, high = map(_short, outcome.interval)
    result = f"{_short(outcome.result)} ({low}-{high})"
    gains = outcome.interval[0] > outcome.baseline
    verdict = "wins" if outcome.wins else "look" if gains else "holds"
    return outcome.attack, outcome.secret, _short(outcome.baseline), before, result, verdict


def _short(share: float) -> str:
    return f"{share:.2f}".removeprefix("0")

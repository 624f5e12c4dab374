"""A report as one page: nothing is fetched, nothing is run, and it can be printed."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from withhold.reports import charts
from withhold.reports.markup import Html, join, listed, say, table, tag, whole
from withhold.reports.release import Release, Tried, Watched
from withhold.reports.report import Bound, Report
from withhold.reports.style import RUNNING, STYLE
from withhold.types import Outcome, Risk

BANNER = "INTERNAL: DO NOT RELEASE"
PLACES = 500
"""So many places are listed; the JSON has all."""
_YES, _MAYBE, _NO, _TELL = (("yes", "✓"), ("maybe", "!"), ("no", "✕"), ("soft", "·"))
_HEADLINES = {
    "ready": "Every check holds",
    "look": "Every check holds, but look at this first",
    "fails": "Do not release this file",
}
_RELEASED_HEADLINES = {**_HEADLINES, "look": "Every check holds, but mind this first"}
_CHECKS = {
    "read back": "The file was read again, and is the edited text, block by block.",
    "independent reader": "A reader that shares no parser with the writer looked for what was removed.",
    "names": "Names that hold the file together, such as those of styles, were searched too.",
    "raw bytes": "What is not text, such as pictures, was searched byte by byte.",
}


def page(report: Report | Release) -> bytes:
    """The whole page of either edition."""
    if isinstance(report, Release):
        return whole("Audit of a redaction", STYLE, _released(report))
    return whole(f"Audit of a redaction, {BANNER.lower()}", STYLE + RUNNING % BANNER, _internal(report))


def _internal(report: Report) -> Iterator[Html]:
    yield tag("p", BANNER, class_="banner", role="note")
    yield tag("header", tag("h1", "Audit of a redaction"), _about(report.result, report.format))
    yield tag("main", *_internal_sections(report))
    yield _footer(report.to_bytes())


def _internal_sections(report: Report) -> Iterator[Html]:
    yield _verdict(report.standing, _HEADLINES[report.standing], _facts(report))
    yield _section("What was removed, and why", _removed(report))
    if report.risks:
        yield _section("What a reader could infer", *_risks(report.risks))
    if report.outcomes:
        yield _section("Attacks", *_attacks(report.outcomes))
    if report.notices:
        rows = [(each.kind, each.action, each.count) for each in report.notices]
        yield _section("What else became of the file", table(("what", "fate", "#count"), rows))
    yield from _bounds(report.bounds)
    told = f"{report.verification.strings} removed strings were looked for in {report.verification.passages} places."
    yield _checks(report.verification.checks, told)
    digests = {"the redacted file": report.result, "the source": report.source, "the policy": report.policy}
    yield _section(
        "Made with",
        _versions(report.versions),
        _pairs("SHA-256 digests", "digest", {**digests, **report.inputs}, code=True),
        _pairs("Seeds, and rounds of the gate", "#number", {**report.seeds, "rounds": report.rounds}),
    )
    yield _by_hand(report.result, "--policy POLICY --source SOURCE ")
    yield _section("Every place", *_places(report))


def _released(report: Release) -> Iterator[Html]:
    yield tag("header", tag("h1", "Audit of a redaction"), _about(report.result, report.format))
    yield tag("main", *_released_sections(report))
    yield _footer(report.to_bytes())


def _released_sections(report: Release) -> Iterator[Html]:
    yield _verdict(report.standing, _RELEASED_HEADLINES[report.standing], _released_facts(report))
    yield _section(
        "What this is",
        tag(
            "p",
            "Something was removed from this file before it was released. This report says what was checked before "
            "that, and how those fared who tried to find out what is gone. It does not say what was removed, how much "
            "or why, and has no digest of anything but the released file and public models: by such things a guess "
            f"could be checked. Shares are rounded to {report.step:.0%}.",
        ),
    )
    if report.secrets:
        yield _section("What a reader must not infer", *_watched(report.secrets))
    if report.attacks:
        yield _section("Attacks", *_attacks(report.attacks))
    yield from _bounds(report.bounds)
    told = f"What was removed was looked for in {report.passages} places."
    yield _checks(report.checks, told)
    others = {"components of others": f"{report.others}"} if report.others else {}
    yield _section(
        "Made with",
        _versions({**report.versions, **others}),
        _pairs("SHA-256 digests", "digest", {"the released file": report.result, **report.models}, code=True),
    )
    yield _by_hand(report.result, "")


def _about(digest: str, format: str) -> Html:
    return tag("p", f"Of a file of the format {format or 'unknown'} with the SHA-256 digest ", tag("code", digest))


def _section(title: str, *content: object) -> Html:
    return tag("section", tag("h2", title), *content)


def _verdict(standing: str, headline: str, facts: Iterable[tuple[tuple[str, str], str]]) -> Html:
    items = [join((tag("span", sign, class_=f"sign {kind}"), tag("span", told))) for (kind, sign), told in facts]
    return tag("section", tag("h2", headline), listed(items), class_=f"verdict {standing}")


def _facts(report: Report) -> Iterator[tuple[tuple[str, str], str]]:
    checked = report.verification
    yield (
        _YES,
        f"Nothing that was removed is left in the file: {checked.strings} strings were looked for in "
        f"{checked.passages} places of it, in {_count(len(checked.checks), 'way')}.",
    )
    staying = [risk.secret for risk in report.risks if risk.stays]
    yield from _risk_facts(len(report.risks), staying)
    winning = [f"{each.attack} ({each.secret})" for each in report.outcomes if each.wins]
    yield from _attack_facts(sum(each.trials > 0 for each in report.outcomes), winning, bool(report.risks))
    if report.rounds:
        yield _TELL, f"It was made stricter {_count(report.rounds, 'time')}, because an attack won before that."
    yield from ((_MAYBE, f"{concern}") for concern in report.concerns)


def _released_facts(report: Release) -> Iterator[tuple[tuple[str, str], str]]:
    ways = _count(len(report.checks), "way")
    yield (
        _YES,
        f"Nothing that was removed is left in the file: {report.passages} places of it were searched, in {ways}.",
    )
    yield from _risk_facts(len(report.secrets), [])
    yield from _attack_facts(sum(each.trials > 0 for each in report.attacks), [], bool(report.secrets))
    yield from ((_MAYBE, f"{concern}") for concern in report.concerns)


def _risk_facts(watched: int, staying: Sequence[str]) -> Iterator[tuple[tuple[str, str], str]]:
    if staying:
        yield (
            _NO,
            f"Can still be told: {', '.join(staying)}. {len(staying)} of {watched} risks are above their ceiling.",
        )
    elif watched:
        yield _YES, f"Every risk is under its ceiling ({watched} of {watched})."
    else:
        yield _TELL, "No secret was named, so nobody asked what a reader could infer from what is left."


def _attack_facts(tried: int, winning: Sequence[str], watched: bool) -> Iterator[tuple[tuple[str, str], str]]:
    if winning:
        yield _NO, f"Of {_count(tried, 'attack')}, {len(winning)} won: {', '.join(winning)}."
    elif tried:
        yield _YES, f"{_count(tried, 'attack')} tried, and none won."
    elif watched:
        yield _MAYBE, "No attack was tried: what the risk models say, nobody has put to the test."


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _removed(report: Report) -> Html:
    if not report.plan.edits:
        return tag("p", "Nothing was found that had to go.")
    counts = Counter((edit.label, edit.reason or "no reason given", edit.operator) for edit in report.plan.edits)
    rows = [(label, reason, operator, count) for (label, reason, operator), count in sorted(counts.items())]
    columns = ("label", "why", "what was done", "#places")
    return table(columns, rows, foot=("all", "", "", len(report.plan.edits)))


def _places(report: Report) -> Iterator[Html]:
    edits = report.plan.edits
    rows = [(f"{e.span.start} to {e.span.end}", e.label, e.reason, e.operator) for e in edits[:PLACES]]
    what = f"{_count(len(edits), 'place')}, by the characters of the source's text"
    if len(edits) > PLACES:
        what += f"; the first {PLACES} are here, all are in the JSON"
    if not edits:
        yield tag("p", "None.")
        return
    yield table(("characters", "label", "why", "what was done"), rows, caption=what)


def _risks(risks: Sequence[Risk]) -> Iterator[Html]:
    yield _legend(before="in the source", after="in this file", ceiling="ceiling", zone="where it may be")
    rows = [
        (
            join((risk.secret, *(tag("span", each, class_="note") for each in (f"model: {risk.model}", *risk.notes)))),
            _level(risk, risk.before),
            _level(risk, risk.after),
            _asked(risk),
            Html(charts.risk(risk.before, risk.after, risk.ceiling)),
            _judged(risk.stays, "can be told", "hidden"),
        )
        for risk in risks
    ]
    columns = ("secret", "#in the source", "#in this file", "#asked for", "~", "verdict")
    yield table(
        columns,
        rows,
        caption="Each secret by the risk model that watches over it; the picture shows 1/rank, "
        "or the share of what a reader may look up that tells.",
    )


def _level(risk: Risk, level: float) -> str:
    if risk.measure == "share":
        return f"{level:.1%}"
    return f"rank {round(1 / level)}" if level > 0 else "no rank"


def _asked(risk: Risk | Watched) -> str:
    if risk.ceiling is None:
        return "not told"
    if risk.measure == "share":
        return f"at most {risk.ceiling:.1%}"
    return f"rank {round(1 / risk.ceiling)} or later" if risk.ceiling > 0 else "no rank"


def _watched(secrets: Sequence[Watched]) -> Iterator[Html]:
    rows = [
        (
            f"secret {each.secret}",
            each.model,
            "yes" if each.told_before else "no",
            _asked(each),
            _judged(False, "", "hidden"),
        )
        for each in secrets
    ]
    columns = ("secret", "model", "could be told before", "asked for", "verdict")
    yield table(
        columns,
        rows,
        caption="Each secret by the risk model that watches over it. The rank is that of the truth "
        "among a reader's guesses; a share is that of what a reader may look up that tells.",
    )


def _attacks(outcomes: Sequence[Outcome | Tried]) -> Iterator[Html]:
    yield _legend(chance="chance", before="on the source", after="on this file", reach="95 % interval")
    yield table(
        ("attack", "secret", "#chance", "#on the source", "#on this file", "~", "verdict"),
        [_attack(each) for each in outcomes],
        caption="Chance is what an attack would gain without reading. An attack that gains nothing from the source "
        "proves nothing by failing here.",
    )
    known = list(dict.fromkeys(each.attack.partition(":")[0] for each in outcomes))
    told = [join((tag("strong", name), ": ", what)) for name in known if (what := _purpose(name))]
    if told:
        yield listed(told)


def _attack(outcome: Outcome | Tried) -> Sequence[object]:
    note = outcome.note if isinstance(outcome, Outcome) else ""
    called = join(outcome.attack.partition(":")[::2], ":<wbr>") if ":" in outcome.attack else outcome.attack
    name = join((called, tag("span", note, class_="note") if note else ""))
    number = f"secret {outcome.secret}" if outcome.secret else "the file as a whole"
    secret = outcome.secret if isinstance(outcome, Outcome) else number
    if not outcome.trials:
        return name, secret, "", "", "", "", tag("span", "– not tried", class_="maybe")
    before = "not known" if outcome.before is None else f"{outcome.before:.0%}"
    wins = isinstance(outcome, Outcome) and outcome.wins
    low, high = outcome.interval
    trials = _count(outcome.trials, "trial")
    if isinstance(outcome, Tried) and outcome.trials > 1:
        trials = f"{outcome.trials}+ trials"
    reach = tag("span", f"{low:.0%} to {high:.0%}, {trials}", class_="note")
    drawn = charts.attack(outcome.baseline, outcome.before, outcome.result, outcome.interval, lost=wins)
    if outcome.baseline is None:
        chance = "not told"
    else:
        chance = f"{outcome.baseline:.1%}" if isinstance(outcome, Outcome) else f"{outcome.baseline:.0%}"
    verdict = _judged(wins, "wins", "held")
    return name, secret, chance, before, f"{outcome.result:.0%}", join((Html(drawn), reach)), verdict


def _purpose(name: str) -> Html:
    """What an attack of withhold does, in the words of its own code."""
    from withhold import plugins
    from withhold.errors import WithholdError

    ours = {each.name for each in plugins.plugins() if each.kind == "attacks" and each.distribution == "withhold"}
    if name not in ours:
        return Html()
    try:
        told = str(plugins.load("attacks", name).__doc__ or "")
    except WithholdError:
        return Html()
    parts = " ".join(told.split("\n\n")[0].split()).split("`")
    return join(tag("code", part) if number % 2 else part for number, part in enumerate(parts))


def _judged(bad: bool, lost: str, held: str) -> Html:
    (kind, sign), told = (_NO, lost) if bad else (_YES, held)
    return tag("span", f"{sign} {told}", class_=kind)


def _legend(**signs: str) -> Html:
    return listed((join((Html(charts.sign(name)), told)) for name, told in signs.items()), class_="legend")


def _bounds(bounds: Mapping[str, Bound]) -> Iterator[Html]:
    if bounds:
        rows = [
            (join((name, tag("span", each.says, class_="note"))), f"{each.value:.2%}", f"{each.confidence:.0%}")
            for name, each in bounds.items()
        ]
        yield _section("Bounds", table(("of what", "#at most", "#confidence"), rows))


def _checks(checks: Iterable[str], told: str) -> Html:
    rows = [(each, _CHECKS.get(each, "")) for each in checks]
    return _section("Checks of the file", tag("p", told), table(("check", "what it does"), rows))


def _pairs(name: str, what: str, pairs: Mapping[str, object], *, code: bool = False) -> Html:
    rows = [(key, tag("code", value) if code else value) for key, value in pairs.items()]
    return table((name, what), rows)


def _versions(versions: Mapping[str, str]) -> Html:
    return listed((join((tag("strong", name), " ", version)) for name, version in versions.items()), class_="versions")


def _by_hand(digest: str, options: str) -> Html:
    return _section(
        "Check it yourself",
        tag("p", "The digest of the file needs no trust in withhold. It must be the one above:"),
        tag("pre", tag("code", "sha256sum FILE")),
        tag("p", "What can be checked again, this checks again, from the JSON that this page was made from:"),
        tag("pre", tag("code", f"withhold verify REPORT.json FILE {options}".rstrip())),
    )


def _footer(data: bytes) -> Html:
    digest = hashlib.sha256(data).hexdigest()
    return tag("footer", tag("p", "Made from a report in JSON with the SHA-256 digest ", tag("code", digest)))


__all__ = ["BANNER", "page", "say"]

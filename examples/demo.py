"""What `make demo` shows: a memo from which names go, a note in which they are found without a list, a memo that no
longer tells which client it is about, with its audit, and a conversation that no longer tells with whom.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import textwrap
import zipfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import withhold
from withhold.corpora.build import build
from withhold.fit.aliases import read_aliases
from withhold.fit.attackers import fit_attackers
from withhold.fit.concepts import fit_concepts
from withhold.fit.labelled import Labelled
from withhold.policy import Gate

EXAMPLES = Path(__file__).resolve().parent
MEMO, POLICY = EXAMPLES / "memo.docx", EXAMPLES / "clients.toml"
OUTPUT = EXAMPLES.parent / "build" / "demo" / "memo.redacted.docx"
NAME = "Brackwater"

LETTER = EXAMPLES / "letter.txt"
LETTER_OUTPUT = OUTPUT.parent / "letter.redacted.txt"

CLIENT_MEMO, CONSULTING = EXAMPLES / "memo_client.docx", EXAMPLES / "consulting.toml"
CORPUS, ALIASES = EXAMPLES / "clients" / "documents.jsonl", EXAMPLES / "clients" / "clients.csv"
CLIENT_OUTPUT = OUTPUT.parent / "memo_client.redacted.docx"
CLIENT_AUDIT, CLIENT_RELEASE = OUTPUT.parent / "memo_client.audit.html", OUTPUT.parent / "memo_client.release.html"

PROFILE, GUEST = EXAMPLES / "profile.txt", EXAMPLES / "profile.toml"
ARCHIVE = EXAMPLES / "archive.jsonl"
PROFILE_OUTPUT = OUTPUT.parent / "profile.redacted.txt"


def main() -> None:
    remove_names()
    find_by_itself()
    hide_the_client()
    hide_the_guest()
    print("\nTo try next, with files of your own (. .venv/bin/activate comes first):\n")
    print("  withhold inspect FILE                what is hidden in it")
    print("  withhold redact FILE --find NAME     a copy without that name, verified")
    print("  withhold redact FILE --detect all    a copy without what is found by itself")
    print("  withhold attack FILE                 what a redacted file still tells")
    print("  withhold verify --help               how an audit is checked again")
    print("  withhold fit concepts --help         a model of your own clients")
    print("  withhold corpus build FOLDER -o DIR  an index of what your readers know")
    print("\nTo decide yourself about that memo and the conversation, in your browser:\n")
    print("  withhold serve --example --open")


def remove_names() -> None:
    policy = withhold.Policy.load(POLICY)
    redaction = withhold.redact(MEMO, policy)
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    redaction.write(OUTPUT, overwrite=True)

    print(f"A memo to a client, {shown(MEMO)}. What a reader of it does not see:\n")
    for hidden in withhold.inspect(MEMO):
        print(f"  {hidden.kind:<24}{shorten(hidden.text, 52)}")
    print(f"\nRedacted by the policy {shown(POLICY)}:\n")
    show("removed", [f"{count} {label}" for label, count in redaction.plan.removed.items()])
    show("dropped besides", [f"{notice.kind} ({notice.count})" for notice in redaction.notices])
    show("verified by", redaction.verification.checks)
    print(f"\nHow often is the name {NAME} in each part of the file? Unpack it and count:\n")
    show("in the memo", occurrences(MEMO))
    show("in the new file", occurrences(OUTPUT) or ["nowhere"])
    print(f"\nThe new file is {shown(OUTPUT)}: open it, and the memo beside it.")


def find_by_itself() -> None:
    everything = withhold.Detection(labels=("all",))
    redactor = withhold.Redactor(withhold.Policy(detection=everything, operators=withhold.Operators(default="mask")))
    letter = redactor.read(LETTER)
    findings = redactor.detect(letter)
    redaction = redactor.redact(letter)
    redaction.write(LETTER_OUTPUT, overwrite=True)

    print(f"\n\nA note by a social worker, {shown(LETTER)}. Nothing in it is on any list.")
    print("What points at someone, and what narrows down who it may be, is found by itself:\n")
    for identifier, title in (("direct", "points at someone"), ("quasi", "narrows it down")):
        labels = Counter(each.label for each in findings if each.identifier == identifier)
        show(title, [f"{count} {label}" for label, count in sorted(labels.items())])
    for title, document in (("Before", letter), ("After", redaction.document)):
        print(f"\n{title}, in part:\n")
        print(textwrap.indent("\n\n".join(document.text.split("\n\n")[2:4]), "  "))
    print("\nA person has one number, whatever they are called. What no detector finds stays:")
    print(f"read the new file, {shown(LETTER_OUTPUT)}, before you release it.")


def hide_the_client() -> None:
    print(f"\n\nA memo to another client, {shown(CLIENT_MEMO)}. Who it is must not be told;")
    print("that it is a retailer may be. Without the name, towns and products still tell.")
    with tempfile.TemporaryDirectory() as folder:
        learnt, unseen = fit(Path(folder))
        print(f"\nA model learns from {learnt} documents about 21 clients what gives each away. Then")
        print("words go until 4 others look likelier (first, some 10 seconds of compiling).", flush=True)
        show_client(withhold.Policy.load(Path(folder) / CONSULTING.name), unseen)
    print(f"\nThe new file is {shown(CLIENT_OUTPUT)}.")


def fit(folder: Path) -> tuple[int, int]:
    """A model and attackers beside a copy of the policy; of how many documents each."""
    shutil.copy(CONSULTING, folder)
    held: list[Labelled] = []
    fitted = fit_concepts(
        CORPUS,
        folder / "model",
        secret="client",
        keep=["industry"],
        holdout=0.3,
        aliases=read_aliases(ALIASES),
        workers=1,
        attackers=held.extend,
    )
    return fitted.documents, fit_attackers(folder / "model", held)


def show_client(policy: withhold.Policy, unseen: int) -> None:
    """What is told by the memo, by the memo without names, and by the redacted one."""
    tried = Tried(policy, CLIENT_MEMO, CLIENT_OUTPUT)
    print(f"\n  {'':<34}{'memo':>8}{'no names':>12}{'redacted':>12}\n")
    tried.show_words()
    row("industry: rank of the true one", [rank(risk, "industry") for risk in tried.risks])
    row("client: rank with our model", [rank(risk, "client") for risk in tried.risks])
    tried.show_attacks("client")
    explain(
        f"The last {len(tried.ranks[-1])} are attackers that learnt from {unseen} other documents. They have 4 "
        f"guesses, so rank 5 or more is safe from them. {tried.gate()} So few documents prove little, though: with "
        "others held out, other attackers find it. docs/guides/attack.md says what to make of it."
    )
    show_audit(tried)


def show_audit(tried: Tried) -> None:
    """The report for one's own files and, if nothing is left to be found, the one for others."""
    report = tried.redactor.audit(tried.redaction)
    written = [report.write(CLIENT_AUDIT, overwrite=True)]
    if report.holds:
        written.append(report.releasable().write(CLIENT_RELEASE, overwrite=True))
    explain(
        "What was done, checked and tried is in an audit. The one that may go with the file is only made if everything "
        f"holds. Written: {', '.join(map(shown, written))}."
    )


def hide_the_guest() -> None:
    print(f"\n\nA conversation with someone who wants no name in print, {shown(PROFILE)}.")
    print("But readers have the county's archive, and know how to look things up.")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(GUEST, folder)
        built = build([ARCHIVE], Path(folder) / "archive", documents=withhold.Redactor().read)
        print(f"\nThe {built.documents} documents of {shown(ARCHIVE)} become an index. Then words go")
        print("until 4 other people are found before the guest.", flush=True)
        tried = Tried(withhold.Policy.load(Path(folder) / GUEST.name), PROFILE, PROFILE_OUTPUT)
    print(f"\n  {'':<34}{'profile':>8}{'no name':>12}{'redacted':>12}\n")
    tried.show_words()
    row("guest: rank with our model", [round(1 / risk.after) for risk in tried.risks])
    tried.show_attacks("guest")
    for title, copy in (("Before", tried.copies[0]), ("After", tried.copies[-1])):
        print(f"\n{title}, in part:\n")
        print("\n\n".join(map(indented, copy.text.split("\n\n")[2:4])))
    explain(
        "The last two are attackers that look the words up by a search with other constants than plans have, and by "
        f"what the words mean. Without the name, found by: {tried.found(1)}. {tried.gate()} A friend who knows the "
        "story may still recognise it."
    )
    print(f"\nThe new file is {shown(PROFILE_OUTPUT)}.")


class Tried:
    """A file, the file with nothing gone but what names the secret, and its redaction: what each of them tells."""

    def __init__(self, policy: withhold.Policy, file: Path, output: Path) -> None:
        self.redactor = withhold.Redactor(policy)
        source = self.redactor.read(file)
        self.redaction = self.redactor.redact(source)
        self.redaction.write(output, overwrite=True)
        direct = replace(policy.components, planner="direct")
        without_names = withhold.redact(source, replace(policy, components=direct, gate=Gate(rounds=0)))
        self.risks = [self.redactor.assess(source)[0], without_names.plan.risks[0], self.redaction.plan.risks[0]]
        self.copies = [source, without_names.document, self.redaction.document]
        self.attacks = [self.redactor.attack(source, source), without_names.outcomes, self.redaction.outcomes]
        self.ranks = [[each for each in several if each.note.startswith("rank")] for several in self.attacks]

    def show_words(self) -> None:
        row("words", [len(re.findall(r"\w+", each.text)) for each in self.copies])

    def show_attacks(self, whom: str) -> None:
        for several in zip(*self.ranks, strict=True):
            ranks = [each.note.split()[1].rstrip(",;") for each in several]
            row(f"{whom}: rank with {several[0].attack.partition(':')[2]}", ranks)

    def gate(self) -> str:
        """How many attacks were tried, whether the file was planned anew because one won, and which win in the end."""
        tried, rounds = len({each.attack for each in self.redaction.outcomes}), self.redaction.rounds
        if rounds:
            again = f"Since one won, it was planned anew; that of round {rounds} was written."
        else:
            again = "No planning anew was needed." if self.redaction.holds else "Planning anew made it no better."
        return f"These and others, {tried} in all, attacked the new file. {again} Still found by: {self.found()}."

    def found(self, copy: int = -1) -> str:
        return ", ".join(each.attack.rpartition(":")[2] for each in self.attacks[copy] if each.wins) or "none"


def explain(told: str) -> None:
    print(f"\n{textwrap.fill(told, 80)}")


def indented(paragraph: str) -> str:
    return textwrap.fill(paragraph, 80, initial_indent="  ", subsequent_indent="  ")


def row(title: str, cells: Sequence[object]) -> None:
    first, *rest = cells
    print(f"  {title:<34}{first!s:>8}", *(f"{each!s:>11}" for each in rest))


def rank(risk: withhold.Risk, attribute: str) -> int:
    return next(each.rank for each in risk.standings if each.true and each.attribute == attribute)


def occurrences(file: Path) -> list[str]:
    """How often each part of the package holds the name, as it stands there or with its tags taken away."""
    found = []
    with zipfile.ZipFile(file) as archive:
        for part in archive.namelist():
            raw = archive.read(part).lower()
            count = max(text.count(NAME.lower().encode()) for text in (raw, re.sub(rb"<[^>]*>", b"", raw)))
            found += [f"{part}: {count}"] if count else []
    return found


def show(title: str, words: Sequence[str]) -> None:
    first, *rest = textwrap.wrap(", ".join(words), 60)
    print(f"  {title:<18}{first}", *(" " * 20 + line for line in rest), sep="\n")


def shorten(text: str, width: int) -> str:
    return textwrap.shorten(text, width, placeholder=" ...")


def shown(path: Path) -> str:
    return os.path.relpath(path)


if __name__ == "__main__":
    main()

"""Writes letters.jsonl: made-up letters of a law office in which people and matters are marked.

    python examples/make_letters.py

The example of docs/guides/fit.md. Nobody in it exists.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

FILE = Path(__file__).parent / "letters.jsonl"
LETTERS = 40


def listed(words: str) -> list[str]:
    return words.split()


GIVEN = listed("""
    Ada Anselm Bertil Bridie Callum Cosima Dagny Edwin Elspeth Farid Fenna Greta Hamid Ines Ivo Jory Katja Lorcan
    Maren Nils Odile Pavel Quirin Rosalba Sanjit Tamsin Ulrike Vasco Wanda Xenia Yusuf Zelda
""")
STARTS = listed("Ald Bar Bren Cal Cor Dren Ell Fen Gal Har Ing Jar Kel Lar Mor Nor Ost Pel Ros Sel Tor Ulv Var Wen Yar")
ENDS = listed("agh bury dell ensen er feld gate hurst ick ieri ley man mere nik oglu ova quist ridge son stad ton wick")

OPENINGS = (
    "Dear {title} {surname},\nthank you for your letter of last week.",
    "Dear {given},\nit was good to see you at the Summer Fair.",
    "To: {given} {surname}\nRe: {matter}\n\nPlease find the Draft Agreement enclosed.",
    "{title} {surname} called this morning about {matter}.",
    "File note. Present: {given} {surname}, {other} and two clerks.",
)
BODIES = (
    "Our client, {title} {surname}, does not accept the figures in the Annual Report.",
    "We act for {given} {surname} in the matter {matter}.",
    "The hearing before the County Court has been moved to Thursday.",
    "{other} will attend on behalf of the Building Society.",
    "I have asked {other} to look at the Deed once more.",
    "Under Clause 14 of the Lease no notice is needed before March.",
    "Counsel, {other}, advises that the Claim Form be served by post.",
    "Papers in {matter} were lost between the Registry and our office.",
    "As {given} said on Monday, the Old Mill is not part of the estate.",
    "The witness {other} could not say who had signed.",
    "Nothing in the Land Register speaks against it.",
    "Kindly quote {matter} in your reply.",
    "The offer of 4,500 from Northgate Insurance stands until Friday.",
    "{title} {surname} has since moved to the coast.",
)
CLOSINGS = (
    "Yours sincerely,\n{writer}",
    "Kind regards\n{writer}",
    "With best wishes, {writer}",
    "Dictated by {writer}",
)


def letters() -> str:
    """One letter a line, with the spans of people and matters."""
    chance = random.Random(7)
    return "".join(json.dumps(letter(chance, number)) + "\n" for number in range(1, LETTERS + 1))


def letter(chance: random.Random, number: int) -> dict[str, object]:
    """A letter: its text, and where in it somebody is named and a matter is quoted."""

    def surname() -> str:
        return chance.choice(STARTS) + chance.choice(ENDS)

    said = {
        "given": chance.choice(GIVEN),
        "surname": surname(),
        "title": chance.choice(("Mr", "Mrs", "Ms", "Dr")),
        "matter": f"{chance.choice('ABCHKLP')}X-{chance.randrange(100, 9999)}/{chance.randrange(1, 9)}",
        "other": f"{chance.choice(GIVEN)} {surname()}",
        "writer": f"{chance.choice(GIVEN)} {surname()}",
    }
    parts = [chance.choice(OPENINGS), " ".join(chance.sample(BODIES, 6)), chance.choice(CLOSINGS)]
    text, spans = "", []
    for piece in "\n\n".join(parts).replace("{", "\0{").replace("}", "}\0").split("\0"):
        name = piece[1:-1] if piece.startswith("{") else ""
        if name and name != "title":
            spans.append((len(text), len(text) + len(said[name]), "MATTER" if name == "matter" else "PERSON"))
        text += said[name] if name else piece
    return {"id": f"letter-{number:02}", "text": text, "spans": _joined(text, spans)}


def _joined(text: str, spans: list[tuple[int, int, str]]) -> list[dict[str, object]]:
    """The spans as a table, given name and surname in one."""
    found: list[dict[str, object]] = []
    for start, end, label in spans:
        if found and found[-1]["label"] == label == "PERSON" and text[int(str(found[-1]["end"])) : start] == " ":
            found[-1]["end"] = end
        else:
            found.append({"start": start, "end": end, "label": label})
    return found


if __name__ == "__main__":
    FILE.write_text(letters(), encoding="utf-8")

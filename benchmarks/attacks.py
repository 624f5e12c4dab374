"""How long the attacks take on one document, each by itself and all together, from a cold start.

    python benchmarks/attacks.py [FILE] [--words 5000] [--policy FILE]

Without a file, a letter of so many words is made up. With a policy its secrets are attacked too; without one, what
needs none is tried, with names of people wanted removed. Times are of the process alone.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import replace
from pathlib import Path
from time import process_time

from withhold import Components, Detection, Policy, Redactor
from withhold.plugins import plugins

WORDS = (
    "the of and to in that was it on for with as his they at be this from have or by one had not but what all were "
    "when we there can an your which their said if do will each about how up out them then she many some so these "
    "would other into has more her two like him see time could no make than first been its who now people my made "
    "over did down only way find use may water long little very after words called just where most know court "
    "applicant government proceedings decision complaint hearing report letter office year house street"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--words", type=int, default=5_000)
    parser.add_argument("--policy", type=Path)
    given = parser.parse_args()
    policy = Policy.load(given.policy) if given.policy else Policy(detection=Detection(labels=("PERSON",)))
    reader = Redactor(policy)
    document = reader.read(given.file) if given.file else reader.read(letter(given.words).encode(), name="letter.txt")
    print(f"{len(document.text.split())} words")
    total = 0.0
    for name in (plugin.name for plugin in plugins("attacks")):
        start = process_time()
        redactor = Redactor(replace(policy, components=Components(attacks=(name,))))
        outcomes = redactor.attack(document)
        took = process_time() - start
        total += took
        print(f"{name:16} {took:7.2f} s   {len(outcomes)} outcomes, {sum(each.wins for each in outcomes)} win")
    print(f"{'together':16} {total:7.2f} s")


def letter(words: int) -> str:
    """Plain sentences with marks here and there."""
    chance, known = random.Random(1), WORDS.split()
    said = [chance.choice([*known, "[REDACTED]"]) if at % 12 else chance.choice(known).title() for at in range(words)]
    return " ".join(f"{word}." if at % 12 == 11 else word for at, word in enumerate(said))


if __name__ == "__main__":
    main()

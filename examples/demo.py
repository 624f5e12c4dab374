"""What `make demo` shows: one memo from what it hides to a copy that hides nothing."""

from __future__ import annotations

import os
import re
import textwrap
import zipfile
from collections.abc import Sequence
from pathlib import Path

import withhold

EXAMPLES = Path(__file__).resolve().parent
MEMO, POLICY = EXAMPLES / "memo.docx", EXAMPLES / "clients.toml"
OUTPUT = EXAMPLES.parent / "build" / "demo" / "memo.redacted.docx"
NAME = "Brackwater"


def main() -> None:
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
    print("\nTo try next, with files of your own (. .venv/bin/activate comes first):\n")
    print("  withhold inspect FILE                what is hidden in it")
    print("  withhold redact FILE --find NAME     a copy without that name, verified")


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

"""The way back from pseudonyms, for whoever holds the ledger and its key."""

from __future__ import annotations

import re
from pathlib import Path

from withhold.errors import MalformedData, SecretKeyError
from withhold.operators.pseudonymise import load_key, unseal
from withhold.redactor import Redactor
from withhold.spans import Span
from withhold.types import Document, Edit, Ledger, Plan, Redaction


def open_ledger(path: Path, key: Path) -> dict[str, str]:
    """What each pseudonym stands for.

    Raises:
        SecretKeyError: if there is no ledger at `path`, or the key does not open it.
    """
    try:
        ledger = Ledger.from_bytes(path.read_bytes())
    except OSError as error:
        raise SecretKeyError(f"{path}: {error.strerror}") from None
    except MalformedData:
        raise SecretKeyError(f"{path}: not a ledger") from None
    return unseal(ledger, load_key(key))


def reveal(redactor: Redactor, document: Document, originals: dict[str, str]) -> Redaction:
    """The document with the originals in place of their pseudonyms, in the spelling of their first appearance.

    Raises:
        SecretKeyError: if there is none of them in it.
    """
    codes = "|".join(re.escape(code) for code in sorted(originals, key=len, reverse=True))
    found = re.finditer(codes, document.text) if codes else iter(())
    edits = tuple(
        Edit(Span(*match.span()), "replace", "PSEUDONYM", "in the ledger", replacement=originals[match.group()])
        for match in found
    )
    if not edits:
        raise SecretKeyError("no pseudonym of this ledger is in the file; it is the ledger of another")
    return redactor.apply(Plan(edits, source=document.digest), document)

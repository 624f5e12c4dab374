"""Stand-ins: the same for the same thing, and reversible for whoever holds the key.

Without a key stand-ins are lettered within each document, or within a batch (`Person A`). With one they are codes
computed by AES-CMAC from what the thing is called in full (`PERSON-7K2QF9XM4D`), so they are the same in every document
that calls it so, and say nothing to anyone without the key. The released file never carries the text, not even
encrypted: the way back is a ledger, sealed with AES-SIV under the same key, that the owner keeps.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from withhold.errors import SecretKeyError
from withhold.files import write
from withhold.operators.entities import Numbers, full_names, number
from withhold.policy import Policy
from withhold.types import Edit, Ledger

_CODE_LETTERS = 10
_KEY_BYTES = 64


class Pseudonymise:
    """Consistent stand-ins; with a key, across documents and reversibly."""

    def __init__(self, key: bytes | None = None, numbers: Numbers | None = None) -> None:
        self.key = key
        self.numbers = numbers

    @property
    def counts(self) -> bool:
        return self.key is None

    def with_numbers(self, numbers: Numbers) -> Self:
        """The same, with the numbers of a batch."""
        return type(self)(self.key, numbers)

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        key = policy.operators.key
        return cls(load_key(policy.resolve(key)) if key else None)

    def replace(self, edits: Sequence[Edit], texts: Sequence[str]) -> list[str]:
        if self.key is None:
            numbers = number(edits, texts, self.numbers)
            return [
                f"{edit.label.replace('_', ' ').title()} {_letters(n)}" for edit, n in zip(edits, numbers, strict=True)
            ]
        return self._codes(edits, texts)

    def ledger(self, edits: Sequence[Edit], texts: Sequence[str]) -> Ledger | None:
        """What each stand-in stands for, in the spelling of its first appearance; None without a key."""
        if self.key is None or not edits:
            return None
        entries: dict[str, str] = {}
        for code, text in zip(self._codes(edits, texts), texts, strict=True):
            entries.setdefault(code, text)
        return seal(entries, self.key)

    def _codes(self, edits: Sequence[Edit], texts: Sequence[str]) -> list[str]:
        # Entities are numbered per document, so across a batch only the words themselves can tell.
        return [self._code(edit.label, name) for edit, name in zip(edits, full_names(edits, texts), strict=True)]

    def _code(self, label: str, name: str) -> str:
        from cryptography.hazmat.primitives.ciphers.algorithms import AES
        from cryptography.hazmat.primitives.cmac import CMAC

        assert self.key is not None
        mac = CMAC(AES(self.key[:32]))
        mac.update(f"{label}\0{name}".encode("utf-8", "surrogatepass"))
        code = base64.b32encode(mac.finalize()).decode("ascii")[:_CODE_LETTERS]
        return f"{label}-{code}"


def make_key(path: str | Path) -> Path:
    """Write a new key file, readable by its owner only; never over another."""
    return write(path, base64.b64encode(os.urandom(_KEY_BYTES)) + b"\n")


def load_key(path: Path) -> bytes:
    try:
        key = base64.b64decode(path.read_bytes().strip(), validate=True)
    except OSError as error:
        raise SecretKeyError(f"{path}: {error.strerror}") from None
    except ValueError:
        raise SecretKeyError(f"{path}: not a key file; `withhold key` makes one") from None
    if len(key) != _KEY_BYTES:
        raise SecretKeyError(f"{path}: not a key file; `withhold key` makes one")
    return key


def seal(entries: Mapping[str, str], key: bytes) -> Ledger:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    plain = json.dumps(entries, sort_keys=True).encode("ascii")
    return Ledger(AESSIV(key[32:]).encrypt(plain, None))


def unseal(ledger: Ledger, key: bytes) -> dict[str, str]:
    """What the stand-ins of a ledger stand for.

    Raises:
        SecretKeyError: if the key is not the one that sealed it, or it has been changed.
    """
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    try:
        plain = AESSIV(key[32:]).decrypt(ledger.sealed, None)
    except (InvalidTag, ValueError):
        raise SecretKeyError("the ledger does not open with this key, or has been changed") from None
    entries: dict[str, str] = json.loads(plain)
    return entries


def _letters(number: int) -> str:
    """1 is A, 26 is Z, 27 is AA."""
    letters = ""
    while number:
        number, letter = divmod(number - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters

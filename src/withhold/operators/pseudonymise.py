"""Stand-ins: the same for the same thing, and reversible for whoever holds the key.

Without a key stand-ins are lettered within each document (`Person A`). With one they are codes computed from
the removed text by AES-CMAC (`PERSON-7K2QF9XM4D`), so they are the same in every document of a batch and say
nothing to anyone without the key. The released file never carries the text, not even encrypted: the way back is
a ledger, sealed with AES-SIV under the same key, that the owner keeps.
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
from withhold.operators.entities import number
from withhold.policy import Policy
from withhold.text import WORD, fold
from withhold.types import Edit, Ledger

_CODE_LETTERS = 10
_KEY_BYTES = 64


class Pseudonymise:
    """Consistent stand-ins; with a key, across documents and reversibly."""

    def __init__(self, key: bytes | None = None) -> None:
        self.key = key

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        key = policy.operators.key
        return cls(load_key(policy.resolve(key)) if key else None)

    def replace(self, edits: Sequence[Edit], texts: Sequence[str]) -> list[str]:
        if self.key is None:
            numbers = number(edits, texts)
            return [
                f"{edit.label.replace('_', ' ').title()} {_letters(n)}" for edit, n in zip(edits, numbers, strict=True)
            ]
        return [self._code(edit, text) for edit, text in zip(edits, texts, strict=True)]

    def ledger(self, edits: Sequence[Edit], texts: Sequence[str]) -> Ledger | None:
        """What each stand-in stands for, in the spelling of its first appearance; None without a key."""
        if self.key is None or not edits:
            return None
        entries: dict[str, str] = {}
        for edit, text in zip(edits, texts, strict=True):
            entries.setdefault(self._code(edit, text), text)
        return seal(entries, self.key)

    def _code(self, edit: Edit, text: str) -> str:
        from cryptography.hazmat.primitives.ciphers.algorithms import AES
        from cryptography.hazmat.primitives.cmac import CMAC

        assert self.key is not None
        mac = CMAC(AES(self.key[:32]))
        # Entities are numbered per document, so across a batch only the words themselves can tell.
        words = "".join(WORD.findall(fold(text).text)) or text
        mac.update(f"{edit.label}\0{words}".encode("utf-8", "surrogatepass"))
        code = base64.b32encode(mac.finalize()).decode("ascii")[:_CODE_LETTERS]
        return f"{edit.label}-{code}"


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

"""Answers that are kept, so that nothing is asked twice."""

from __future__ import annotations

import hmac
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from withhold.corpora.remote.questions import Answer
from withhold.errors import CorpusError, MalformedData, OutputError
from withhold.files import write

_KEY = "key"
_KEY_BYTES = 32


class Cache:
    """Answers by what was asked: in memory, and in a folder if there is one.

    A file is named by a keyed hash of the query and does not hold the query, so a list of the names tells nothing. The
    answers are as sensitive as the documents they were asked about: their snippets show what was looked for. The folder
    is its owner's alone (0700, files 0600), and a folder that others may read is refused. Answers are kept until the
    folder is deleted; a damaged one counts as not there.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._kept: dict[str, Answer] = {}
        self._secret = b""

    def __repr__(self) -> str:
        return f"Cache(on_disk={self.folder is not None}, answers={len(self._kept)})"

    def get(self, asked: str) -> Answer | None:
        name = self._name(asked)
        if name not in self._kept and self.folder:
            try:
                self._kept[name] = Answer.from_bytes(self._path(name).read_bytes())
            except (OSError, MalformedData):
                return None
        return self._kept.get(name)

    def put(self, asked: str, answer: Answer) -> None:
        name = self._name(asked)
        self._kept[name] = answer
        if self.folder:
            try:
                self._path(name).parent.mkdir(mode=0o700, exist_ok=True)
                write(self._path(name), answer.to_bytes(), overwrite=True)
            except (OSError, OutputError):
                raise CorpusError(f"corpus.cache: {self.folder} cannot be written to") from None

    def _path(self, name: str) -> Path:
        assert self.folder is not None
        return self.folder / name[:2] / f"{name[2:]}.json"

    def _name(self, asked: str) -> str:
        self._secret = self._secret or self._find_secret()
        return hmac.new(self._secret, asked.encode("utf-8", "surrogatepass"), "sha256").hexdigest()

    def _find_secret(self) -> bytes:
        """The key of the names: drawn once for a folder, or for as long as the memory lasts."""
        if self.folder is None:
            return secrets.token_bytes(_KEY_BYTES)
        _claim(self.folder)
        path = self.folder / _KEY
        try:
            with suppress(OutputError):  # someone was first: theirs counts
                write(path, secrets.token_bytes(_KEY_BYTES))
            kept = path.read_bytes()
        except OSError:
            kept = b""
        if len(kept) != _KEY_BYTES:
            raise CorpusError(f"corpus.cache: {path} is no key of a cache; delete the folder, or name another")
        return kept


def _claim(folder: Path) -> None:
    """Make the folder, or make sure that nobody else may read it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        mode = stat.S_IMODE(folder.stat().st_mode)
    except OSError as error:
        raise CorpusError(f"corpus.cache: {folder} cannot be made: {error.strerror}") from None
    if os.name == "posix" and mode & 0o077:
        raise CorpusError(f"corpus.cache: others may read {folder}; `chmod 700` it, or name another folder")

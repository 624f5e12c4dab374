"""Asking a language model what a redacted document hides.

Any service that speaks the protocol of OpenAI's chat completions will do, one on this machine too. It is asked only if
the policy names it, sees the redacted text and what sort of thing is looked for, and never a secret's value, its name
in the policy, or the classes it could be: whether a guess is right is decided here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from functools import cached_property
from typing import Any, Self

from withhold.errors import PolicyError, ServiceError
from withhold.files import read_bytes
from withhold.learners.features import words
from withhold.policy import Policy
from withhold.types import Document, Mask, Outcome, Secret
from withhold.wire import Address, Request, Wire, is_local

TABLE = "language_model"
_Question = tuple[str, int]
"""What is asked, and how many guesses there are."""

_LONGEST = 200
"""Characters of a guess that are looked at."""

_MOST = 100_000
"""Characters of an answer that are looked at."""

_SYSTEM = (
    "You are testing a redaction before a document is released. You are given a document from which something was "
    "removed. Infer what was removed from everything that is left, however weak the clues are. Answer with nothing but "
    'a JSON object of this form: {"guesses": ["the likeliest", "the next", ...]}.'
)
_WITHOUT = "You are not shown the document. Give the likeliest answers all the same."
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s*|[\"'`*]")


class LanguageModelAttack:
    """A language model guesses every secret that has a value or is a person, in a few guesses.

    It has as many guesses as a plan promises to put before the truth, and wins if one of them is it. Its baseline is
    what it guesses when it is not shown the document.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._unread: dict[_Question, list[str]] = {}

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy)

    def statement(self) -> str:
        """What is sent to whom; empty if the policy names no service.

        Raises:
            ServiceError: if its address is none.
        """
        if not self._policy.language_model.url:
            return ""
        address = self._address
        told = "on this machine" if is_local(address.host) else "encrypted" if address.secure else "NOT encrypted"
        return (
            f"The text of redacted documents is sent to a language model at {address.name} ({told}), up to "
            f"{self._policy.language_model.characters:,} characters of each, with what sort of thing is looked for; "
            "never what was removed."
        )

    def attack(self, document: Document, secrets: Sequence[Secret], masks: Sequence[Mask] = ()) -> list[Outcome]:
        """One outcome for each secret that has a name; none at all if the policy names no service, or the document has
        no mark of a redaction. A text that has the name of a secret is not sent, and the notes say so.

        Raises:
            ServiceError: if the service does not answer as it should.
        """
        from withhold.learners.marks import marks_in

        named = [secret for secret in secrets if secret.names]
        if not self._policy.language_model.url or not named:
            return []
        if not masks and not marks_in(document.text, self._policy.operators.mark):
            return []
        if any(_rank([document.text], secret.names) for secret in named):
            return [_untried(secret, "the text has the name of a secret, and was not sent") for secret in named]
        left = [self._policy.language_model.budget]
        questions = [self._question(secret) for secret in named]
        with closing(self._wire):
            unread = {question: self._guesses(question, None, left) for question in dict.fromkeys(questions)}
            read = {question: self._guesses(question, document.text, left) for question in dict.fromkeys(questions)}
        return [_outcome(each, read[asked], unread[asked]) for each, asked in zip(named, questions, strict=True)]

    def _question(self, secret: Secret) -> _Question:
        hides = secret.model in ("concepts", "identity")
        return _sought(secret), max(secret.confusers, 1) if hides else self._policy.language_model.guesses

    def _guesses(self, question: _Question, text: str | None, left: list[int]) -> list[str] | None:
        """What the model guesses, with the text or without; None if the budget is spent. What it guesses without is
        asked once.
        """
        if text is None and question in self._unread:
            return self._unread[question]
        if not left[0]:
            return None
        left[0] -= 1
        shown = _WITHOUT if text is None else f"The document:\n\n{text[: self._policy.language_model.characters]}"
        sought, number = question
        said = self._ask(f"{sought} Give {number} guesses, the likeliest first.\n\n{shown}")
        guesses = _read(said, number)
        if text is None:
            self._unread[question] = guesses
        return guesses

    def _ask(self, prompt: str) -> str:
        asked = {
            "model": self._policy.language_model.model,
            "messages": [{"role": "system", "content": _SYSTEM}, {"role": "user", "content": prompt}],
            "temperature": 0,
            "max_tokens": 1000,
            "stream": False,
        }
        body = json.dumps(asked).encode("ascii")
        target = f"{self._address.path or '/v1'}/chat/completions"
        reply = self._wire.ask(Request("POST", target, body, self._headers))
        with suppress(KeyError, IndexError, TypeError):
            said = reply["choices"][0]["message"]["content"]
            if isinstance(said, str):
                return said
        raise ServiceError(f"{self._address.name} answers, but not as chat completions do; check {TABLE}.url")

    @cached_property
    def _address(self) -> Address:
        return Address.of(self._policy.language_model.url or "", TABLE, ServiceError)

    @cached_property
    def _wire(self) -> Wire:
        timeout = self._policy.language_model.timeout
        return Wire(self._address, _AtOnce(), timeout=timeout, refusals={}, table=TABLE, error=ServiceError)

    @cached_property
    def _headers(self) -> Mapping[str, str]:
        headers = {"Content-Type": "application/json"}
        if file := self._policy.language_model.key:
            key = read_bytes(self._policy.resolve(file), 1).decode("utf-8", "replace").strip()
            if not key or not key.isascii() or not key.isprintable():
                raise PolicyError(f"{TABLE}.key: {file} holds no key; it is one line of plain characters")
            headers["Authorization"] = f"Bearer {key}"
        return headers


class _AtOnce:
    """Requests go out as soon as the one before is answered; a busy service is given the pause it asks for."""

    def wait(self, queries: int = 1) -> None:
        pass

    def pause(self, seconds: float) -> None:
        from time import sleep

        sleep(seconds)


def _untried(secret: Secret, why: str) -> Outcome:
    from withhold.learners.intervals import wilson

    return Outcome("language_model", secret.name, 0.0, 0.0, wilson(0, 0), 0, f"not tried: {why}")


def _outcome(secret: Secret, guesses: list[str] | None, unread: list[str] | None) -> Outcome:
    from withhold.learners.intervals import wilson

    if guesses is None or unread is None:
        return _untried(secret, "language_model.budget is spent")
    rank = _rank(guesses, secret.names)
    return Outcome(
        attack="language_model",
        secret=secret.name,
        baseline=float(_rank(unread, secret.names) > 0),
        result=float(rank > 0),
        interval=wilson(rank > 0, 1),
        trials=1,
        note=f"guess {rank} of {len(guesses)}" if rank else f"none of {len(guesses)} guesses",
        wins=rank > 0,
    )


def _sought(secret: Secret) -> str:
    """The sort of thing a secret is. Words of the policy are sent only if they do not hold the secret themselves."""
    if secret.person is not None:
        return "The name of the person whom the document is about was removed. Who is it?"
    sort = words(secret.attribute or "")
    if sort and not any(set(words(name)) & set(sort) for name in secret.names):
        return (
            f"The document's {' '.join(sort)} was removed: {' '.join(sort)} is a property of the document. What is it?"
        )
    return "What the document is about, or whom, was removed. What or who is it?"


def _read(said: str, number: int) -> list[str]:
    """The guesses in an answer, as JSON or, if it is none, one a line; no more than were asked for."""
    given: Any = None
    said = said[:_MOST]
    within = (said[said.find(opening) : said.rfind(closing) + 1] for opening, closing in ("{}", "[]"))
    for candidate in (said, *within):
        with suppress(ValueError, RecursionError):
            given = json.loads(candidate)
            break
    if isinstance(given, dict):
        given = given.get("guesses", list(given.values()))
    if not isinstance(given, list):
        given = [_BULLET.sub("", line) for line in said.splitlines()]
    guesses = [each for each in given if isinstance(each, str) and each.strip()]
    return [each[:_LONGEST] for each in guesses[:number]]


def _rank(guesses: Sequence[str], names: Sequence[str]) -> int:
    """Which guess is the first that is right, from 1; 0 if none is. One is right that has all words of a name in order,
    whatever else it says.
    """
    wanted = [words(name) for name in names if words(name)]
    for rank, guess in enumerate(guesses, 1):
        read = words(guess)
        for name in wanted:
            if any(read[at : at + len(name)] == name for at in range(len(read) - len(name) + 1)):
                return rank
    return 0

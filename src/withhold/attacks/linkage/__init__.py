"""Looking a redacted document up among people: who is it about?

`lookup` is how people are looked up, by words and by meaning. Nothing here knows how a redaction was planned.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Self

from withhold import plugins
from withhold.contracts import Archive
from withhold.policy import Policy
from withhold.types import Document, Mask, Outcome, Secret

if TYPE_CHECKING:
    from withhold.attacks.linkage.lookup import Meaning

MATCHING = (0.9, 0.4)
"""The constants of BM25 with which the attack looks documents up."""


class LinkageAttack:
    """Attackers who look a person up by words and by meaning, in the corpus of the policy, try every secret that is a
    person.

    An attacker has as many guesses as a plan promises to put before the person, and wins if they are one of them. What
    holds the text itself is left out of what they know, if the policy wants that.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._meaning: Meaning | None = None

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy)

    def attack(self, document: Document, secrets: Sequence[Secret], masks: Sequence[Mask] = ()) -> list[Outcome]:
        """One outcome for each attacker and person; one with a note alone where nobody can be looked up.

        Raises:
            CorpusError: if the corpus cannot be opened.
        """
        people = [secret for secret in secrets if secret.person is not None]
        return [outcome for secret in people for outcome in self._outcomes(document, secret)]

    def _outcomes(self, document: Document, secret: Secret) -> Iterator[Outcome]:
        from withhold.attacks.linkage.lookup import Asked, Candidates, Meaning, left, rank_of
        from withhold.learners.intervals import wilson

        corpus = plugins.corpus(self._policy)
        if not isinstance(corpus, Archive):
            yield Outcome("linkage", secret.name, 0.0, 0.0, wilson(0, 0), 0, "not tried: the corpus is not at hand")
            return
        parts = left(document.text, self._policy.operators.mark)
        gone = corpus.copies("\n\n".join(parts)) if self._policy.corpus.leave_out_copies else []
        candidates = Candidates.of(corpus.without(gone) if gone else corpus, gone)
        true, copied = candidates.named(secret.names), _titles(corpus, gone, secret.names)
        if not true or (copied and not copied & _titles(corpus, set(corpus.names()).difference(gone), secret.names)):
            but = " but copies of the text" if copied else ""
            note = f"not tried: the corpus has no document about the person{but}"
            yield Outcome("linkage", secret.name, 0.0, 0.0, wilson(0, 0), 0, note)
            return
        if self._meaning is None or self._meaning.corpus is not corpus:
            self._meaning = Meaning(corpus)
        guesses = max(secret.confusers, 1)
        baseline = min(guesses / candidates.count, 1.0)
        asked = Asked.of(candidates, parts)
        tried = {"bm25": asked.matched(*MATCHING), "embedding": self._meaning.scores(candidates, " ".join(parts))}
        for name, scores in tried.items():
            rank = rank_of(scores, true)
            won = int(rank <= guesses)
            note = f"rank {rank} of {candidates.count}"
            yield Outcome(f"linkage:{name}", secret.name, baseline, float(won), wilson(won, 1), 1, note, wins=bool(won))


def _titles(corpus: Archive, some: Collection[str], names: Sequence[str]) -> set[str]:
    """The titles by which some documents are about the person. Where copies of the text have one, documents that have
    another are about someone else of that name.
    """
    from withhold.attacks.linkage.lookup import key

    wanted, held = {key(name) for name in names} - {""}, set(some)
    told = zip(corpus.names(), corpus.titles(), strict=True)
    return {title for name, title in told if name in held and key(title) in wanted}

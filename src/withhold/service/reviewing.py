"""Reviews at work: the store that remembers, the desks that know, and the rules of who may do what."""

from __future__ import annotations

import base64
import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from withhold.assistant.desk.values import Decision, Preview
from withhold.errors import MalformedData, PolicyError
from withhold.policy import Policy
from withhold.service import policies, tasks
from withhold.service.desks import Desks
from withhold.service.faults import Refusal
from withhold.service.jobs import Job, Jobs
from withhold.service.log import Line
from withhold.service.people import People
from withhold.service.schemas import policies as asked
from withhold.service.schemas import reviews as told
from withhold.service.schemas.jobs import MadeResult, ReleaseResult
from withhold.service.schemas.verbs import Tried
from withhold.service.settings import Settings
from withhold.service.shelf import Shelf
from withhold.service.store import Outrun, Record, Store

if TYPE_CHECKING:
    from withhold.assistant.desk import Desk
    from withhold.types import Document

_OF_THE_DESK = ("term", "finding", "strength", "text")


class Conflict(Exception):
    """A change was made on a version that is no longer the current one."""

    def __init__(self, current: told.ReviewState) -> None:
        super().__init__("the review has changed")
        self.current = current


class Reviewing:
    """What people do with reviews."""

    def __init__(
        self, settings: Settings, store: Store, desks: Desks, shelf: Shelf, people: People, jobs: Jobs
    ) -> None:
        self._settings, self._store, self._desks = settings, store, desks
        self._shelf, self._people, self._jobs = shelf, people, jobs

    def create(self, who: str, new: told.NewReview) -> Record:
        """A new review of an uploaded file."""
        policy, others = self._asked(who, new)
        document = self._desks.read(policy, new.document.name, new.document.data)
        return self._begun(who, new, others, document)

    def read(self, who: str, new: told.NewReview) -> Job:
        """Begin to read an uploaded file that takes long, such as a scan; a new review of it is the result."""
        policy, others = self._asked(who, new)
        file = tasks.File(new.document.name, new.document.data)
        given = tasks.Given(policy, file, characters=self._settings.characters)

        def finish(document: Document) -> MadeResult:
            record = self._begun(who, new, others, document)
            self._desks.hold(record, policy, document)
            return MadeResult(made=record.id)

        return self._jobs.begin("read", who, tasks.read, given, finish=finish)

    def _asked(self, who: str, new: told.NewReview) -> tuple[Policy, list[str]]:
        return policies.settle(new.policy, who, self._settings, self._shelf), self._others(who, new.reviewers)

    def _begun(self, who: str, new: told.NewReview, others: list[str], document: Document) -> Record:
        chosen = new.policy.model_dump(mode="json")
        content = {
            "name": new.document.name,
            "format": document.format,
            "native": document.native,
            "reading": document.reading,
            "policy": chosen,
        }
        return self._store.get(self._store.create(who, content, others, self._days(chosen)), who)

    def _days(self, policy: dict[str, Any]) -> float:
        """For how long a review of that policy is kept after each change."""
        return min(policy.get("days") or self._settings.days, self._settings.days)

    def _others(self, who: str, names: list[str]) -> list[str]:
        known = set(self._people.names())
        if not known.issuperset(names):
            raise Refusal(422, "UnknownPerson", "there is nobody of that name here", "GET /api/v1/me has their names.")
        return [name for name in names if name != who]

    def share(self, record: Record, who: str, names: list[str]) -> Record:
        """Let others see a review; only its owner can."""
        self._own(record, who)
        self._store.share(record.id, self._others(who, names))
        return self._store.get(record.id, who)

    def delete(self, record: Record, who: str) -> None:
        """Delete a review with everything that is stored of it; only its owner can."""
        self._own(record, who)
        self._jobs.cancel_review(record.id)
        self._desks.forget(record.id)
        self._store.delete(record.id)

    def _own(self, record: Record, who: str) -> None:
        if record.owner != who:
            raise Refusal(403, "NotTheOwner", "only the owner of a review may do that", "Ask them.")

    def policy(self, record: Record) -> Policy:
        """The policy of a review. Models and corpora are those of its owner."""
        chosen = asked.Policy.model_validate(record.policy)
        return policies.settle(chosen, record.owner, self._settings, self._shelf)

    def document(self, record: Record) -> Document:
        return self._desks.document(record, self.policy(record))

    def prints(self, record: Record) -> told.Prints:
        return self._desks.ask(tasks.prints, record, self.policy(record))

    def picture(self, record: Record, page: int) -> bytes:
        return self._desks.ask(tasks.picture, record, self.policy(record), page=page)

    @contextmanager
    def desk(self, record: Record) -> Iterator[Desk]:
        with self._desks.of(record, self.policy(record)) as desk:
            yield desk

    def decisions(self, lines: tuple[Line, ...], desk: Desk) -> tuple[list[int], list[Decision]]:
        """The decisions that a desk is told of, and their lines. Those that are about nothing any more, since the
        policy has changed, are left out; they are in the log, and count again if it changes back.
        """
        from withhold.assistant.desk import decision

        numbers, decisions = list[int](), list[Decision]()
        for line in lines:
            if line.kind in _OF_THE_DESK:
                with contextlib.suppress(PolicyError):
                    decisions.append(desk.settle(decision(_bare(line.decision))))
                    numbers.append(line.number)
        return numbers, decisions

    def state(self, record: Record) -> told.ReviewState:
        """How a review stands."""
        with self.desk(record) as desk:
            return self._state(record, desk, record.folded.counting)

    def _state(self, record: Record, desk: Desk, lines: tuple[Line, ...]) -> told.ReviewState:
        numbers, decisions = self.decisions(lines, desk)
        return told.ReviewState(
            review=summary(record),
            policy=asked.Policy.model_validate(record.policy),
            numbers=numbers,
            state=desk.state(decisions),
        )

    def decide(self, record: Record, who: str, version: int, given: told.Decision) -> told.ReviewState:
        """Store a decision, and say how the review then stands.

        Raises:
            Conflict: if somebody else was first.
            WithholdError: if it cannot be carried out; then it is not stored.
        """
        self._at(record, who, version)
        if isinstance(given, told.PolicyDecision):
            if given.policy.days != record.policy.get("days"):
                self._own(record, who)  # who may delete it may say when it is deleted
            return self._change(record, who, "policy", _plain(given))
        if isinstance(given, told.NoteDecision):
            return self._change(record, who, "note", _plain(given))
        return self._change(record, who, given.kind, self._settled(record, given))

    def _settled(self, record: Record, given: told.Decision) -> dict[str, Any]:
        """A decision as it is stored: checked by the desk, with everything filled in, so that it stays what it is."""
        from withhold.assistant.desk import decision

        with self.desk(record) as desk:
            plain = _plain(given)
            if isinstance(given, told.TextChange):
                plain = self._written(record, desk, given)
            settled = desk.settle(decision(_bare(plain))).to_json()
            _, before = self.decisions(record.folded.counting, desk)
            after = [*before, decision(settled)]
            written = (change.edit.replacement or "" for change in desk.changes(after))
            self._fits(len(desk.document.text) + sum(map(len, written)))
            desk.state(after)  # what cannot be carried out is refused before it is stored
        return {**settled, "note": getattr(given, "note", "")}

    def _written(self, record: Record, desk: Desk, given: told.TextChange) -> dict[str, Any]:
        if (given.text is None) == (given.replacements is None):
            raise MalformedData("text: give the text, or the replacements")
        if given.text is None:
            return {key: value for key, value in _plain(given).items() if key != "text"}
        self._fits(len(given.text))
        _, before = self.decisions(record.folded.counting, desk)
        made: dict[str, Any] = desk.preview(given.text, before).decision.to_json()
        return made

    def preview(self, record: Record, text: str) -> Preview:
        """What freely edited text tells. Nothing is stored."""
        self._fits(len(text))
        with self.desk(record) as desk:
            _, before = self.decisions(record.folded.counting, desk)
            return desk.preview(text, before)

    def _fits(self, characters: int) -> None:
        """Refuse what makes a text longer than an upload may be."""
        most = self._settings.characters
        if characters > most:
            raise Refusal(413, "TooLarge", f"the text would be longer than {most:,} characters", "Write less.")

    def _change(self, record: Record, who: str, kind: str, content: dict[str, Any]) -> told.ReviewState:
        """Add a line to the log, and say how the review then stands."""
        after = record.then(kind, who, content)
        after = after.kept(self._days(after.policy))
        with self.desk(after):
            pass  # a policy that no desk can be made by is refused before it is stored, also one that undo goes back to
        try:
            self._store.append(after)
        except Outrun:
            raise Conflict(self.state(self._store.get(record.id, who))) from None
        return self.state(after)  # without asking the database: what is stored is answered as stored

    def undo(self, record: Record, who: str, version: int) -> told.ReviewState:
        """Take back the last decision that counts."""
        self._at(record, who, version)
        if not record.folded.counting:
            raise Refusal(409, "NothingToUndo", "there is nothing to undo")
        return self._change(record, who, "undo", {"of": record.folded.counting[-1].number})

    def redo(self, record: Record, who: str, version: int) -> told.ReviewState:
        """Bring back the last decision that was undone."""
        self._at(record, who, version)
        if not record.folded.undone:
            raise Refusal(409, "NothingToRedo", "there is nothing to redo")
        return self._change(record, who, "redo", {"of": record.folded.undone[-1].number})

    def approve(self, record: Record, who: str, version: int) -> told.ReviewState:
        """Approve what would be released: by somebody else than whoever decided last."""
        self._at(record, who, version)
        if who == (record.folded.last_hand or record.owner):
            advice = "Share the review with somebody (PUT reviews/{id}/reviewers) and ask them."
            raise Refusal(403, "NotASecondPerson", "who decided last cannot approve", advice)
        return self._change(record, who, "approve", {})

    def _at(self, record: Record, who: str, version: int) -> None:
        if record.version != version:
            raise Conflict(self.state(record))

    def _decided(self, record: Record) -> tasks.Decided:
        with self.desk(record) as desk:
            _, decisions = self.decisions(record.folded.counting, desk)
        return tasks.Decided(
            policy=self.policy(record),
            document=tasks.File(record.name, self._store.native(record.id)),
            reading=record.reading,
            decisions=tuple(each.to_json() for each in decisions),
            version=record.version,
        )

    def _undecided(self, record: Record) -> int:
        """How many doubtful places nobody has decided about."""
        with self.desk(record) as desk:
            _, decisions = self.decisions(record.folded.counting, desk)
            return len(desk.state(decisions).undecided)

    def attack(self, record: Record, who: str, version: int) -> Job:
        """Begin attacks on what would be released."""
        self._at(record, who, version)
        given = self._decided(record)
        return self._jobs.begin("attack", who, tasks.attack_review, given, finish=_as_it_is, review=record.id)

    def release(self, record: Record, who: str, asked: told.NewRelease) -> Job:
        """Begin a release: the gate, and then all files at once, or none."""
        version, accepted = asked.version, asked.accept
        self._at(record, who, version)
        if self._settings.approval and record.folded.status == "open":
            advice = "Ask somebody else to look at it and to approve."
            raise Refusal(409, "NotApproved", "this server releases only what a second person has approved", advice)
        if not asked.leave_undecided and (left := self._undecided(record)):
            are = "place that may be personal data is" if left == 1 else "places that may be personal data are"
            advice = "Decide about them, or say that they shall stay (leave_undecided)."
            raise Refusal(409, "Undecided", f"{left} {are} undecided and would stay", advice)

        def finish(gated: tasks.Gated) -> ReleaseResult:
            if not gated.result.holds and accepted is None:
                return gated.result.model_copy(update={"released": False, "files": []})
            result = gated.result.model_copy(update={"released": True})
            files = {key: _packed(file) for key, file in gated.files.items()}
            content = {"accepted": accepted, "result": result.model_dump(mode="json"), "files": files}
            self._store.release(record.id, version, who, content)
            return result

        return self._jobs.begin("release", who, tasks.release, self._decided(record), finish=finish, review=record.id)


def summary(record: Record) -> told.Review:
    """A review as it is listed."""
    folded = record.folded
    return told.Review(
        id=record.id,
        name=record.name,
        format=record.format,
        owner=record.owner,
        reviewers=list(record.reviewers),
        created=record.created,
        changed=record.changed,
        expires=record.expires,
        version=record.version,
        status=folded.status,
        decisions=len(folded.counting),
        undoes=folded.counting[-1].number if folded.counting else None,
        redoes=folded.undone[-1].number if folded.undone else None,
        approved_by=folded.approved_by,
        released_version=record.released_version,
    )


def _plain(given: told.Decision) -> dict[str, Any]:
    return given.model_dump(mode="json")


def _bare(stored: dict[str, Any]) -> dict[str, Any]:
    """A decision without what is for people alone."""
    return {key: value for key, value in stored.items() if key != "note"}


def _as_it_is(tried: Tried) -> Tried:
    return tried


def _packed(file: tasks.File) -> dict[str, str]:
    return {"name": file.name, "data": base64.b64encode(file.data).decode("ascii")}

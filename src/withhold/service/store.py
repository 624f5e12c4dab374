"""Reviews in the database. What is stored is stored for good: each change is one transaction, or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, Row, delete, exists, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from withhold.service.database import forget, jobs, log, now, releases, reviewers, reviews
from withhold.service.faults import Refusal
from withhold.service.log import Folded, Line, fold
from withhold.service.people import fresh

_HEAD = [column for column in reviews.c if column.name != "native"]


@dataclass(frozen=True, slots=True)
class Record:
    """A review as it is stored, with its log."""

    id: str
    owner: str
    name: str = field(repr=False)
    format: str
    reading: str = field(repr=False)
    base: dict[str, Any] = field(repr=False)
    version: int
    created: datetime
    changed: datetime
    expires: datetime
    reviewers: tuple[str, ...]
    lines: tuple[Line, ...]
    released_version: int | None

    @property
    def folded(self) -> Folded:
        return fold(self.lines)

    @property
    def policy(self) -> dict[str, Any]:
        """The policy in force: the last that was decided on, or the first."""
        decided = [line.decision["policy"] for line in self.folded.counting if line.kind == "policy"]
        chosen: dict[str, Any] = decided[-1] if decided else self.base
        return chosen

    def then(self, kind: str, who: str, decision: dict[str, Any]) -> Record:
        """The review with one more line in its log."""
        line = Line(self.version + 1, kind, who, now(), decision)
        return replace(self, lines=(*self.lines, line), version=line.number, changed=line.when)

    def kept(self, days: float) -> Record:
        """The review, expiring so many days after its last change."""
        return replace(self, expires=self.changed + timedelta(days=days))


class Outrun(Exception):
    """The review is no longer at the version that a change was made on."""


def missing() -> Refusal:
    """What is not there and what is somebody else's are answered alike."""
    return Refusal(404, "NotFound", "there is no such thing here", "It may have been deleted, or be somebody else's.")


class Store:
    """The reviews of one server."""

    def __init__(self, engine: Engine, most: int, longest: int) -> None:
        self._engine, self._most, self._longest = engine, most, longest

    def create(self, owner: str, content: Mapping[str, Any], others: Iterable[str], days: float) -> str:
        """A new review; its id.

        Raises:
            Refusal: if the owner has too many.
        """
        review, moment = fresh(), now()
        with self._engine.begin() as connection:
            own = select(func.count()).select_from(reviews).where(reviews.c.owner == owner)
            if connection.execute(own).scalar_one() >= self._most:
                advice = "Delete some that are done."
                raise Refusal(429, "TooMany", f"a person may have {self._most} reviews at once", advice)
            times = {"created": moment, "changed": moment, "expires": moment + timedelta(days=days)}
            connection.execute(insert(reviews).values(id=review, owner=owner, version=0, **content, **times))
            _share(connection, review, others)
        return review

    def get(self, review: str, who: str) -> Record:
        """A review that somebody may see.

        Raises:
            Refusal: if there is none.
        """
        with self._engine.connect() as connection:
            head = connection.execute(select(*_HEAD).where(reviews.c.id == review, _seen_by(who))).one_or_none()
            if head is None:
                raise missing()
            return _records(connection, [head])[0]

    def all(self, who: str) -> list[Record]:
        """The reviews that somebody may see, the last changed first."""
        with self._engine.connect() as connection:
            heads = connection.execute(select(*_HEAD).where(_seen_by(who)).order_by(reviews.c.changed.desc())).all()
            return _records(connection, heads)

    def native(self, review: str) -> bytes:
        """The file as it was uploaded."""
        with self._engine.connect() as connection:
            data = connection.execute(select(reviews.c.native).where(reviews.c.id == review)).scalar()
        if data is None:
            raise missing()
        return bytes(data)

    def append(self, after: Record) -> None:
        """Store the last line of a review, which is still at the version before it.

        Raises:
            Outrun: if it is not; then nothing is stored.
        """
        with self._engine.begin() as connection:
            self._append(connection, after.id, after.lines[-1], expires=after.expires)

    def _append(self, connection: Connection, review: str, line: Line, **more: Any) -> None:
        if line.number > self._longest:
            raise Refusal(429, "TooMany", f"the log of a review has at most {self._longest} lines", "Begin a new one.")
        # This takes the lock first: whoever comes second finds another version.
        row = connection.execute(
            update(reviews)
            .where(reviews.c.id == review, reviews.c.version == line.number - 1)
            .values(version=line.number, changed=line.when, **more)
        )
        if row.rowcount != 1:
            raise Outrun
        told = {"number": line.number, "kind": line.kind, "who": line.who, "when": line.when}
        try:
            connection.execute(insert(log).values(review=review, **told, decision=line.decision))
        except IntegrityError:
            raise Outrun from None

    def share(self, review: str, others: Iterable[str]) -> None:
        """Let these people see a review, and nobody else but its owner."""
        with self._engine.begin() as connection:
            connection.execute(delete(reviewers).where(reviewers.c.review == review))
            _share(connection, review, others)

    def release(self, review: str, version: int, who: str, content: Mapping[str, Any]) -> None:
        """Store a release with its line of the log: all of its files, or nothing.

        Raises:
            Outrun: if the review has changed since the release was begun.
        """
        with self._engine.begin() as connection:
            told = {"accepted": content["accepted"], "holds": content["result"]["holds"]}
            self._append(connection, review, Line(version + 1, "release", who, now(), told))
            connection.execute(delete(releases).where(releases.c.review == review))
            row = {"review": review, "version": version, "when": now(), "who": who, **content}
            connection.execute(insert(releases).values(**row))

    def released(self, review: str) -> Row[Any]:
        """The last release of a review.

        Raises:
            Refusal: if there is none.
        """
        with self._engine.connect() as connection:
            row = connection.execute(select(releases).where(releases.c.review == review)).one_or_none()
        if row is None:
            raise Refusal(404, "NotReleased", "nothing of this review was released", "Release it first.")
        return row

    def delete(self, review: str) -> None:
        """Delete a review and all that is stored of it, so that it is gone from the files of the database, too."""
        self._delete([review])

    def sweep(self) -> list[str]:
        """Delete what has expired; the ids of the reviews."""
        with self._engine.connect() as connection:
            expired = list(connection.execute(select(reviews.c.id).where(reviews.c.expires < now())).scalars())
        if expired:
            self._delete(expired)
        return expired

    def _delete(self, gone: Sequence[str]) -> None:
        with self._engine.begin() as connection:
            for table in (jobs, log, releases, reviewers):
                connection.execute(delete(table).where(table.c.review.in_(gone)))
            connection.execute(delete(reviews).where(reviews.c.id.in_(gone)))
        forget(self._engine)


def _seen_by(who: str) -> Any:
    shared = exists().where(reviewers.c.review == reviews.c.id, reviewers.c.who == who)
    return or_(reviews.c.owner == who, shared)


def _share(connection: Connection, review: str, others: Iterable[str]) -> None:
    rows = [{"review": review, "who": who} for who in dict.fromkeys(others)]
    if rows:
        connection.execute(insert(reviewers), rows)


def _records(connection: Connection, heads: Sequence[Row[Any]]) -> list[Record]:
    ids = [head.id for head in heads]
    versions = {head.id: head.version for head in heads}
    lines: dict[str, list[Line]] = {review: [] for review in ids}
    others: dict[str, list[str]] = {review: [] for review in ids}
    for row in connection.execute(select(log).where(log.c.review.in_(ids)).order_by(log.c.review, log.c.number)):
        if row.number <= versions[row.review]:  # not what was added since the version was read
            lines[row.review].append(Line(row.number, row.kind, row.who, row.when, row.decision))
    for row in connection.execute(select(reviewers).where(reviewers.c.review.in_(ids)).order_by(reviewers.c.who)):
        others[row.review].append(row.who)
    version = select(releases.c.review, releases.c.version).where(releases.c.review.in_(ids))
    released = {row.review: row.version for row in connection.execute(version)}
    return [
        Record(
            id=head.id,
            owner=head.owner,
            name=head.name,
            format=head.format,
            reading=head.reading,
            base=head.policy,
            version=head.version,
            created=head.created,
            changed=head.changed,
            expires=head.expires,
            reviewers=tuple(others[head.id]),
            lines=tuple(lines[head.id]),
            released_version=released.get(head.id),
        )
        for head in heads
    ]

"""The tables, and the database they are in: SQLite, or PostgreSQL.

What is committed is on disk. What is deleted is overwritten: SQLite zeroes it, and its log is emptied at once.
"""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    URL,
    Boolean,
    Column,
    DateTime,
    Engine,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
    make_url,
)
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.pool import QueuePool
from sqlalchemy.types import TypeDecorator

from withhold.errors import OutputError, PluginError, PolicyError
from withhold.service.settings import Settings

tables = MetaData()
_TRIES = 50
_KINDS = "the database must be SQLite or PostgreSQL: postgresql://user@host/name"


class Moment(TypeDecorator[datetime]):
    """A time in UTC, which SQLite would forget."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


def now() -> datetime:
    return datetime.now(UTC)


def _review(**how: Any) -> Column[str]:
    return Column("review", String(64), ForeignKey("reviews.id", ondelete="CASCADE"), **how)


people = Table(
    "people",
    tables,
    Column("name", String(200), primary_key=True),
    Column("token", String(64), nullable=False, unique=True),
    Column("created", Moment, nullable=False),
)

sessions = Table(
    "sessions",
    tables,
    Column("id", String(64), primary_key=True),
    Column("who", String(200), nullable=False),
    Column("csrf", String(64), nullable=False),
    Column("created", Moment, nullable=False),
    Column("expires", Moment, nullable=False),
)

reviews = Table(
    "reviews",
    tables,
    Column("id", String(64), primary_key=True),
    Column("owner", String(200), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("format", String(40), nullable=False),
    Column("native", LargeBinary, nullable=False),
    Column("reading", String(64), nullable=False),
    Column("policy", JSON, nullable=False),
    Column("version", Integer, nullable=False),
    Column("created", Moment, nullable=False),
    Column("changed", Moment, nullable=False),
    Column("expires", Moment, nullable=False, index=True),
)

reviewers = Table(
    "reviewers", tables, _review(primary_key=True), Column("who", String(200), primary_key=True, index=True)
)

log = Table(
    "log",
    tables,
    _review(primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("who", String(200), nullable=False),
    Column("when", Moment, nullable=False),
    Column("decision", JSON, nullable=False),
)
"""Append-only: the version of a review is the number of its last line, so two tabs cannot both write the next one."""

releases = Table(
    "releases",
    tables,
    _review(primary_key=True),
    Column("version", Integer, nullable=False),
    Column("when", Moment, nullable=False),
    Column("who", String(200), nullable=False),
    Column("accepted", Text),
    Column("result", JSON, nullable=False),
    Column("files", JSON, nullable=False),
)

jobs = Table(
    "jobs",
    tables,
    Column("id", String(64), primary_key=True),
    Column("owner", String(200), nullable=False),
    Column("kind", String(20), nullable=False),
    _review(nullable=True),
    Column("status", String(20), nullable=False),
    Column("created", Moment, nullable=False),
    Column("ended", Moment),
    Column("error", JSON),
    Column("result", JSON),
    Index("jobs_of_owner", "owner", "status"),
)

made = Table(
    "made",
    tables,
    Column("id", String(64), primary_key=True),
    Column("kind", String(10), nullable=False),
    Column("name", Text, nullable=False),
    Column("owner", String(200), nullable=False, index=True),
    Column("created", Moment, nullable=False),
    Column("shared", Boolean, nullable=False),
    Column("documents", Integer, nullable=False),
)
"""Models and corpora; the files of each are in a folder of its id."""


def connect(settings: Settings) -> Engine:
    """The database of the settings, with its tables.

    Raises:
        OutputError: if it cannot be opened.
        PluginError: if something has to be installed for it.
        PolicyError: if it is neither SQLite nor PostgreSQL.
    """
    make_private(settings)
    try:
        url = make_url(settings.database_url)
    except ArgumentError:
        raise PolicyError(_KINDS) from None
    if url.get_backend_name() == "sqlite":
        engine = create_engine(url, hide_parameters=True, poolclass=QueuePool, pool_size=16, max_overflow=48)
        event.listen(engine, "connect", _prepare_sqlite)
    elif url.get_backend_name() == "postgresql":
        engine = _postgresql(url)
    else:
        raise PolicyError(_KINDS)
    try:
        tables.create_all(engine)
    except SQLAlchemyError:
        raise OutputError("the database cannot be opened; is it there, and may you write to it?") from None
    return engine


def _postgresql(url: URL) -> Engine:
    try:
        return create_engine(
            url.set(drivername="postgresql+pg8000"),
            hide_parameters=True,
            pool_pre_ping=True,
            pool_size=10,
            max_overflow=40,
            pool_timeout=10,
        )
    except ModuleNotFoundError:
        raise PluginError("PostgreSQL needs pg8000: pip install 'withhold[postgresql]'") from None


def make_private(settings: Settings) -> None:
    """The data folder, for its owner alone."""
    try:
        settings.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        settings.folder.chmod(0o700)
    except OSError as error:
        raise OutputError(f"{settings.folder} cannot be used for data: {error.strerror}") from None
    os.umask(0o077)


def _prepare_sqlite(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    for setting in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "secure_delete=ON",
        "foreign_keys=ON",
        "busy_timeout=10000",
        "temp_store=MEMORY",
    ):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def forget(engine: Engine) -> None:
    """See to it that nothing deleted is left in the files of the database: of SQLite, the write-ahead log. Somebody who
    reads just now is waited for.
    """
    if engine.dialect.name != "sqlite":
        return
    for _ in range(_TRIES):
        with engine.connect() as connection:
            is_busy, *_rest = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
        if not is_busy:
            return
        time.sleep(0.1)

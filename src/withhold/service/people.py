"""Who may use a server: a one-time token, people with tokens of their own, and sessions.

Tokens are random and long, and only their SHA-256 is stored, so whoever reads the database cannot sign in.
"""

from __future__ import annotations

import getpass
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import Engine, delete, insert, select
from sqlalchemy.exc import IntegrityError

from withhold.errors import PolicyError
from withhold.service.database import now, people, sessions

SESSION = timedelta(hours=12)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")


@dataclass(frozen=True, slots=True)
class Person:
    """Who sends a request, and what proves it: a session, whose requests need its `csrf`, or a token of their own."""

    name: str
    session: str | None = field(default=None, repr=False)
    csrf: str = field(default="", repr=False)
    expires: datetime | None = None


def fresh() -> str:
    """An id or token that nobody can guess."""
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def local_name() -> str:
    """What to call whoever started the server."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = ""
    return name if _NAME.fullmatch(name) else "owner"


class People:
    """The people of one server."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._once: str | None = None

    def once(self) -> str:
        """A token that signs in whoever started the server, once."""
        token = fresh()
        self._once = digest(token)
        return token

    def add(self, name: str) -> str:
        """The token of a new person, which nobody can be told again.

        Raises:
            PolicyError: if the name will not do, or is taken.
        """
        if not _NAME.fullmatch(name):
            raise PolicyError("a name has letters, digits and . _ @ -, 64 at most")
        token = fresh()
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(people).values(name=name, token=digest(token), created=now()))
        except IntegrityError:
            raise PolicyError(f"there is somebody called {name} already") from None
        return token

    def remove(self, name: str) -> None:
        """Let somebody in no longer. Their reviews stay until they expire.

        Raises:
            PolicyError: if there is nobody of that name.
        """
        with self._engine.begin() as connection:
            gone = connection.execute(delete(people).where(people.c.name == name)).rowcount
            connection.execute(delete(sessions).where(sessions.c.who == name))
        if not gone:
            raise PolicyError(f"there is nobody called {name}")

    def names(self) -> list[str]:
        with self._engine.connect() as connection:
            return list(connection.execute(select(people.c.name).order_by(people.c.name)).scalars())

    def sign_in(self, token: str) -> tuple[str, Person] | None:
        """A new session and whose it is, for a token; a one-time token is spent by it."""
        name = self._whose(token)
        if name is None:
            return None
        session, csrf, expires = fresh(), fresh(), now() + SESSION
        with self._engine.begin() as connection:
            connection.execute(delete(sessions).where(sessions.c.expires < now()))
            connection.execute(
                insert(sessions).values(id=digest(session), who=name, csrf=csrf, created=now(), expires=expires)
            )
        return session, Person(name, digest(session), csrf, expires)

    def _whose(self, token: str) -> str | None:
        if self._once is not None and hmac.compare_digest(self._once, digest(token)):
            self._once = None
            return local_name()
        person = self.holder(token)
        return person.name if person else None

    def holder(self, token: str) -> Person | None:
        """Whose token it is."""
        with self._engine.connect() as connection:
            name = connection.execute(select(people.c.name).where(people.c.token == digest(token))).scalar()
        return Person(name) if name is not None else None

    def visitor(self, session: str) -> Person | None:
        """Whose session it is, if it has not expired."""
        with self._engine.connect() as connection:
            found = connection.execute(select(sessions).where(sessions.c.id == digest(session))).one_or_none()
        if found is None or found.expires < now():
            return None
        return Person(found.who, found.id, found.csrf, found.expires)

    def sign_out(self, person: Person) -> None:
        with self._engine.begin() as connection:
            connection.execute(delete(sessions).where(sessions.c.id == person.session))

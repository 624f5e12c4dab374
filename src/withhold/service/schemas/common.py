"""What all of them share: texts, spans, files, errors, and who is there."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Base64Bytes, BaseModel, ConfigDict, Field, StringConstraints


def _whole(text: str) -> str:
    """Refuse halves of characters and NUL, which no file and no database can hold."""
    if any("\ud800" <= letter <= "\udfff" or letter == "\0" for letter in text):
        raise ValueError("text must not hold NUL or halves of characters")
    return text


_UNSEEN = re.compile(r"[\x01-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Signs that nobody sees, and that turn the letters after them around: `exe.txt` may look like `txt.exe`."""


def _shown(name: str) -> str:
    """The name as it looks; refuse one of which nothing is left."""
    shown = _UNSEEN.sub("", name)
    if not shown:
        raise ValueError("a file needs a name that can be seen")
    return shown


Text = Annotated[str, AfterValidator(_whole)]
Words = Annotated[str, StringConstraints(max_length=2_000), AfterValidator(_whole)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_whole)]
FileName = Annotated[
    str, StringConstraints(min_length=1, max_length=255), AfterValidator(_whole), AfterValidator(_shown)
]
Reason = Annotated[str, StringConstraints(min_length=1, max_length=10_000), AfterValidator(_whole)]
Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Offset = Annotated[int, Field(ge=0, le=2**31 - 1)]
Share = Annotated[float, Field(ge=0, le=1)]


class Asked(BaseModel):
    """What a request says."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Answer(BaseModel):
    """What is answered."""

    model_config = ConfigDict(frozen=True, from_attributes=True, hide_input_in_errors=True)


class Fault(Answer):
    """What went wrong, in words for a person: never a word of a document."""

    kind: str
    message: str
    advice: str = ""


class Failure(Answer):
    """The one shape of every error."""

    error: Fault


class Stretch(Asked):
    """The characters from `start` up to but not including `end`."""

    start: Offset
    end: Offset


class Upload(Asked):
    """A file. Its name tells the format, and nothing else is done with it."""

    name: FileName
    data: Base64Bytes = Field(description="The bytes of the file, in base64.", repr=False)


class Token(Asked):
    """What the command line printed: the one-time token, or a person's own."""

    token: Annotated[str, StringConstraints(min_length=1, max_length=200)]


class Me(Answer):
    """Who is signed in. `csrf` goes into the header `X-CSRF-Token` of every request that changes something."""

    user: str
    csrf: str
    expires: datetime | None
    others: list[str] = Field(description="Other people of this server, with whom a review can be shared.")


class Health(Answer):
    status: Literal["ready"]


class LabelInfo(Answer):
    name: str
    kind: str
    identifier: str
    doc: str


class FormatInfo(Answer):
    name: str
    extensions: list[str]


class Limits(Answer):
    upload_megabytes: int
    expanded_megabytes: int
    reviews: int = Field(description="So many reviews a person may have at once.")
    days: float = Field(description="After so many days without a change a review is deleted.")
    job_seconds: float
    jobs: int = Field(description="So many jobs a person may have waiting or running.")


class About(Answer):
    """What this server can do, and what it allows."""

    version: str
    labels: list[LabelInfo]
    formats: list[FormatInfo]
    models: list[str] = Field(description="Risk models that a secret can name.")
    operators: list[str]
    attacks: list[str]
    policies: list[str] = Field(description="Policies of this server that a review can start from.")
    limits: Limits
    approval: bool = Field(description="Whether a second person must approve before anything is released.")
    example: str | None = Field(
        default=None, description="The id of the review of the bundled example, if there is one."
    )

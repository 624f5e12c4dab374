"""A policy as a request may give it: no paths, no addresses, no regular expressions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from withhold.service.schemas.common import Asked, Id, Name, Share, Words, _whole


class Find(Asked):
    """Words and phrases to find."""

    label: Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]{0,31}$")] = "TERM"
    terms: Annotated[list[Name], Field(min_length=1, max_length=2_000)]
    anywhere: bool = False


class Detection(Asked):
    """What to find that is not listed word by word."""

    labels: list[Annotated[str, StringConstraints(max_length=40)]] = Field(default=[], max_length=100)
    thresholds: dict[str, Share] = Field(default={}, max_length=100)
    allow: list[Name] = Field(default=[], max_length=2_000)
    country: Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}$")] = "US"
    consistent: bool = True


class Secret(Asked):
    """What a reader must not infer. `fitted` is the id of a concept model of this server."""

    name: Name = "secret"
    model: Literal["", "concepts", "association", "information", "identity", "mask_type"] = ""
    attribute: Name | None = None
    value: Name | None = None
    aliases: list[Name] = Field(default=[], max_length=500)
    fitted: Id | None = None
    k: Annotated[int, Field(ge=1, le=1_000)] = 5
    counting: Literal["all", "others"] = "all"
    ceiling: Share | None = None
    person: Name | None = None
    related: list[Name] = Field(default=[], max_length=200)


class Keep(Asked):
    """What a reader should still be able to tell."""

    attributes: list[Name] = Field(default=[], max_length=50)
    values: dict[Words, list[Name]] = Field(default={}, max_length=50)


class Operators(Asked):
    """What is put in place of what goes."""

    default: Literal["suppress", "mask", "pseudonymise"] = "suppress"
    labels: dict[Words, Literal["suppress", "mask", "pseudonymise"]] = Field(default={}, max_length=100)
    mark: Annotated[str, StringConstraints(min_length=1, max_length=40), AfterValidator(_whole)] = "[REDACTED]"


class Handling(Asked):
    """What is done with what is not text."""

    tracked_changes: Literal["accept", "reject"] = "accept"
    images: Literal["blank", "keep"] = "blank"
    attachments: Literal["redact", "drop"] = "redact"


class Policy(Asked):
    """What to hide and to keep. A part that is given takes the place of that part of `base`.

    Folders and files of the server, and addresses elsewhere, can only be named by a policy that the server offers
    (`base`, one of `about.policies`). Models and corpora are named by their ids.
    """

    base: Name | None = None
    find: list[Find] | None = Field(default=None, max_length=20)
    detection: Detection | None = None
    secrets: list[Secret] | None = Field(default=None, max_length=20)
    keep: Keep | None = None
    corpus: Id | None = None
    operators: Operators | None = None
    files: Handling | None = None
    generalise: bool | None = None
    linking: bool | None = Field(
        default=None, description="Take terms that stand together for one where that tells more of a topic."
    )
    rounds: Annotated[int, Field(ge=0, le=10)] | None = None
    days: Annotated[float, Field(gt=0, le=3650)] | None = Field(
        default=None, description="Delete the review after so many days without a change; the server's limit at most."
    )

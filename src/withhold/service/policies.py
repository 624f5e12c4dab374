"""A policy of a request as the library understands it. What it names must be the person's, or the server's to give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from withhold.errors import PolicyError
from withhold.policy import Background, Detection, Find, Keep, Policy
from withhold.service.faults import Refusal
from withhold.service.schemas import policies as asked
from withhold.service.settings import Settings
from withhold.service.shelf import Kind, Shelf
from withhold.types import Secret

_LOOKED_UP = ("association", "information", "identity")
"""Risk models that ask a corpus."""


def settle(given: asked.Policy, who: str, settings: Settings, shelf: Shelf) -> Policy:
    """The policy of a request.

    Raises:
        PolicyError: if it makes no sense, or names what is not there.
        Refusal: if it names what is somebody else's.
    """
    policy = _base(given.base, settings)
    try:
        policy = replace(policy, **_parts(given, who, policy, shelf))
    except ValueError as error:
        raise PolicyError(str(error)) from None
    limit = min(policy.files.max_megabytes, settings.expanded_megabytes)
    policy = replace(policy, files=replace(policy.files, max_megabytes=limit))
    policy.check()
    _look_up(policy)
    return policy


def _look_up(policy: Policy) -> None:
    """Refuse secrets that are looked up where nothing can be."""
    if policy.corpus.kind != "index" or policy.corpus.index:
        return
    for secret in policy.secret:
        if secret.model in _LOOKED_UP:
            told = f"secret {secret.name!r} needs a corpus: documents that readers can look up"
            raise Refusal(422, "NoCorpus", told, "Choose what readers can look up, or build a corpus first.")


def _base(name: str | None, settings: Settings) -> Policy:
    if name is None:
        return Policy(folder=str(settings.folder))
    if name not in settings.policies:
        raise PolicyError("this server has no such policy; GET /api/v1/about lists those it has")
    return Policy.load(settings.policies[name])


def _parts(given: asked.Policy, who: str, policy: Policy, shelf: Shelf) -> dict[str, Any]:
    """The parts of a policy that a request gives."""
    parts: dict[str, Any] = {}
    if given.find is not None:
        parts["find"] = tuple(Find(each.label, tuple(each.terms), anywhere=each.anywhere) for each in given.find)
    if given.detection is not None:
        parts["detection"] = _tuples(Detection, given.detection.model_dump())
    if given.secrets is not None:
        parts["secret"] = tuple(_secret(each, who, shelf) for each in given.secrets)
    if given.keep is not None:
        values = {name: tuple(several) for name, several in given.keep.values.items()}
        parts["keep"] = Keep(tuple(given.keep.attributes), values)
    if given.corpus is not None:
        parts["corpus"] = Background(index=_folder(shelf, given.corpus, who, "corpus"))
    if given.operators is not None:
        parts["operators"] = replace(policy.operators, **given.operators.model_dump())
    if given.files is not None:
        parts["files"] = replace(policy.files, **given.files.model_dump())
    if given.generalise is not None:
        parts["planning"] = replace(policy.planning, generalise=given.generalise)
    if given.linking is not None:
        parts["inference"] = replace(policy.inference, linking=given.linking)
    if given.rounds is not None:
        parts["gate"] = replace(policy.gate, rounds=given.rounds)
    return parts


def _folder(shelf: Shelf, thing: str, who: str, kind: Kind) -> str:
    try:
        return str(shelf.get(thing, who, kind).folder)
    except Refusal:
        told = f"the {kind} that the policy names is not here: it was deleted, is not offered any more, or is not yours"
        raise Refusal(404, "NotOnTheShelf", told, "Choose another in the set-up.") from None


def _secret(given: asked.Secret, who: str, shelf: Shelf) -> Secret:
    said = given.model_dump()
    if given.fitted is not None:
        said["fitted"] = _folder(shelf, given.fitted, who, "model")
    secret: Secret = _tuples(Secret, said)
    return secret


def _tuples(kind: type[Any], said: Mapping[str, Any]) -> Any:
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in said.items()})

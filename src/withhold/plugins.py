"""Components by name, found through entry points, ours included."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from withhold.codec import Value
from withhold.contracts import KINDS, Remote
from withhold.errors import PluginError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from withhold.contracts import Corpus, Taxonomy
    from withhold.policy import Background, Policy
    from withhold.types import Document


@dataclass(frozen=True, slots=True)
class Plugin(Value):
    """One component that can be named in a policy."""

    kind: str
    name: str
    target: str
    distribution: str


_trusted: ContextVar[Collection[str] | None] = ContextVar("trusted", default=None)


@contextmanager
def trusting(distributions: Collection[str] | None) -> Iterator[None]:
    """Inside, only components of these distributions are loaded; of all, if None."""
    token = _trusted.set(distributions)
    try:
        yield
    finally:
        _trusted.reset(token)


def is_trusted(distribution: str) -> bool:
    trusted = _trusted.get()
    return trusted is None or distribution in trusted


@cache
def _found(kind: str) -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return claim(kind, entry_points(group=f"withhold.{kind}"))


@cache
def _owners(kind: str) -> dict[str, str]:
    """The distributions of components by name; each has to read a file to say what it is called."""
    return {name: _distribution(point) for name, point in _found(kind).items()}


def claim(kind: str, points: Collection[EntryPoint]) -> dict[str, EntryPoint]:
    """The entry points by name; a name claimed twice is refused, since either could be the impostor."""
    claimed: dict[str, EntryPoint] = {}
    for point in points:
        other = claimed.setdefault(point.name, point)
        if other.value != point.value or _distribution(other) != _distribution(point):
            raise PluginError(
                f"two components claim the name {point.name!r} in withhold.{kind}: {other.value} of "
                f"{_distribution(other)} and {point.value} of {_distribution(point)}; uninstall one"
            )
    return claimed


def plugins(kind: str | None = None) -> list[Plugin]:
    """All components of a kind, or of every kind, without loading any."""
    return [
        Plugin(each, name, point.value, _owners(each)[name])
        for each in ([kind] if kind else KINDS)
        for name, point in sorted(_found(each).items())
    ]


def load(kind: str, name: str) -> Any:
    """The component class called `name`.

    Raises:
        PluginError: if there is none, two claim the name, or its distribution is not trusted (see `trusting`).
    """
    found = _found(kind)
    if name not in found:
        near = get_close_matches(name, found, n=1)
        advice = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(found) or 'none'}"
        raise PluginError(f"no {kind} component is called {name!r}; {advice}")
    owner = _owners(kind)[name]
    if not is_trusted(owner):
        raise PluginError(f"{name!r} comes from {owner!r}, which components.trusted does not name")
    try:
        return found[name].load()
    except Exception as error:
        raise PluginError(f"{name!r} of {owner} cannot be loaded: {type(error).__name__}") from error


def corpus(policy: Policy, document: Document | None = None) -> Corpus:
    """The corpus of the policy, opened once for all who ask. What is sent to a search engine on account of one document
    counts together, whoever asks.

    Raises:
        PluginError: as `load` does.
        CorpusError: if it cannot be opened.
    """
    with trusting(policy.components.trusted):
        load("corpora", policy.corpus.kind)
        return _open(policy.corpus, policy.folder, document.reading if document else "")


def taxonomies(policy: Policy) -> list[Taxonomy]:
    """The taxonomies of the policy, in its order.

    Raises:
        PluginError: as `load` does.
    """
    with trusting(policy.components.trusted):
        return [load("taxonomies", name).from_policy(policy) for name in policy.components.taxonomies]


@lru_cache(maxsize=64)
def _open(background: Background, folder: str, reading: str) -> Corpus:
    from withhold.policy import Policy

    if reading:
        opened = _open(background, folder, "")
        return opened.fresh() if isinstance(opened, Remote) else opened
    made: Corpus = load("corpora", background.kind).from_policy(Policy(corpus=background, folder=folder))
    return made


def _distribution(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "unknown"

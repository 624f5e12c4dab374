"""What a redaction went by: versions, digests, seeds, and what is promised of its detectors."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeVar

from withhold.errors import PolicyError
from withhold.files import is_file, is_folder
from withhold.policy import Policy
from withhold.reports.report import Bound

Each = TypeVar("Each")

_PACKAGE = Path(__file__).parent.parent
_WORKING = {"presidio": ("presidio-analyzer", "spacy"), "network": ("gliner", "tokenizers", "torch", "transformers")}
"""What else does the work of detectors that not everybody has."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_BLOCK = 1 << 20


def versions(policy: Policy) -> dict[str, str]:
    """The versions of Python, of withhold and of everything it works with, and of whose components the policy names."""
    from withhold.plugins import plugins

    named = {(kind, name) for kind, name in _components(policy)}
    foreign = {each.distribution for each in plugins() if (each.kind, each.name) in named}
    working = [name for detector in policy.components.detectors for name in _WORKING.get(detector, ())]
    return {**_versions(), **_installed(sorted({*foreign, *working} - {"withhold"}))}


def _components(policy: Policy) -> Iterator[tuple[str, str]]:
    chosen = policy.components
    yield from (("detectors", name) for name in chosen.detectors)
    yield from (("attacks", name) for name in chosen.attacks)
    yield from (("taxonomies", name) for name in chosen.taxonomies)
    yield from (("operators", name) for name in (policy.operators.default, *policy.operators.labels.values()))
    yield from (("risk", secret.model) for secret in policy.secret)
    yield "planners", chosen.planner
    yield "corpora", policy.corpus.kind


def requirements() -> list[str]:
    """The distributions that every withhold works with."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        asked = requires("withhold") or []
    except PackageNotFoundError:
        return []
    found = (_NAME.match(each) for each in asked if "extra ==" not in each)
    return sorted(match.group() for match in found if match)


@cache
def _versions() -> dict[str, str]:
    import platform

    return {"python": platform.python_version(), **_installed(["withhold", *requirements()])}


def _installed(names: Iterable[str]) -> dict[str, str]:
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def inputs(policy: Policy) -> dict[str, str]:
    """SHA-256 digests of the files, models and corpus that the policy names, by what it calls them, and of the models
    that come with withhold.
    """
    return {**{name: digest(path) for name, path in _named(policy)}, **shipped()}


def _named(policy: Policy) -> Iterator[tuple[str, Path]]:
    """The files and folders of a policy. They are called by their place in it: their own names may tell."""
    several = {
        **{f"find {n}, list {m}": each for n, find in _from_one(policy.find) for m, each in _from_one(find.lists)},
        **{f"detection.allow_lists {n}": each for n, each in _from_one(policy.detection.allow_lists)},
        "detection.fitted": policy.detection.fitted,
        "detection.network": policy.detection.network,
        "detection.presidio": policy.detection.presidio,
        **{f"secret {n}, fitted": secret.fitted for n, secret in _from_one(policy.secret)},
        "planning.taxonomy": policy.planning.taxonomy,
        "corpus.index": policy.corpus.index and f"{policy.corpus.index}/manifest.json",
    }
    for name, path in several.items():
        if path and (is_file(policy.resolve(path)) or is_folder(policy.resolve(path))):
            yield name, policy.resolve(path)


def _from_one(several: Iterable[Each]) -> Iterator[tuple[int, Each]]:
    return enumerate(several, 1)


@cache
def shipped() -> dict[str, str]:
    """The digests of the models and word lists that come with withhold."""
    files = (each for each in sorted(_PACKAGE.rglob("data/*")) if each.suffix in (".npz", ".onnx", ".xz", ".json"))
    return {f"withhold/{each.relative_to(_PACKAGE).as_posix()}": digest(each) for each in files}


def digest(path: Path) -> str:
    """SHA-256 of a file; of a folder, that of the list of its files that `sha256sum` makes, in order of their names.

    Raises:
        PolicyError: if something cannot be read.
    """
    try:
        if is_file(path):
            return _digest(path, path.stat().st_mtime_ns, path.stat().st_size)
        files = sorted((each for each in path.rglob("*") if each.is_file()), key=lambda each: _listed(each, path))
        lines = (f"{digest(each)}  ".encode() + _listed(each, path) + b"\n" for each in files)
        return hashlib.sha256(b"".join(lines)).hexdigest()
    except OSError as error:
        raise PolicyError(f"{path} cannot be read: {error.strerror}") from None


def _listed(file: Path, folder: Path) -> bytes:
    return b"./" + file.relative_to(folder).as_posix().encode("utf-8", "surrogateescape")


@lru_cache(1024)
def _digest(path: Path, _changed: int, _size: int) -> str:
    whole = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            whole.update(block)
    return whole.hexdigest()


def seeds(policy: Policy) -> dict[str, int]:
    """Where chance starts from."""
    return {"planning.seed": policy.planning.seed}


LEFT = "sensitive words that the fitted detector leaves"
MISSED = "words that the fitted detector misses"
SAYS = {
    LEFT: "the share of sensitive words left in documents like those that the detector was judged by, none of which it "
    "had learnt from",
    MISSED: "the share of marked words missed in documents like those that the detector was measured on, none of which "
    "it had learnt from",
}
"""What each bound means."""


def bounds(policy: Policy) -> dict[str, Bound]:
    """What is promised of the fitted detector of a policy, from documents that it had not learnt from."""
    if not policy.detection.fitted or "fitted" not in policy.components.detectors:
        return {}
    from withhold.learners import sieve, spotter

    folder = policy.resolve(policy.detection.fitted)
    if is_file(folder / spotter.DESCRIPTION):
        learnt = spotter.Description.from_bytes((folder / spotter.DESCRIPTION).read_bytes()).together.by_word
        if learnt is None:
            return {}
        return {MISSED: _bound(MISSED, learnt.missed, learnt.right + learnt.missed, 1 - learnt.recall_range[0])}
    if not is_file(folder / sieve.DESCRIPTION):
        return {}
    sifted = sieve.Sifted.from_bytes((folder / sieve.DESCRIPTION).read_bytes())
    if sifted.rule == "paper":
        return {}  # It has judged itself by what it had learnt.
    left = round(sifted.residual_share * sifted.sensitive)
    return {LEFT: _bound(LEFT, left, sifted.sensitive, sifted.residual_range[1])}


def _bound(name: str, left: int, of: int, measured: float) -> Bound:
    """What was measured by documents, but never less than the counts of words allow."""
    bound = Bound(measured, 0.95, SAYS[name], "wilson", {"left": left, "of": of})
    return replace(bound, value=max(measured, least(bound)))


def least(bound: Bound) -> float:
    """The least that a bound can be, by its counts: the upper end of their 95 % score interval.

    Raises:
        ValueError: if they are none.
    """
    from withhold.learners.intervals import wilson

    return wilson(int(bound.inputs["left"]), int(bound.inputs["of"]))[1]

"""Everything withhold raises on purpose.

    WithholdError
    ├── DocumentError            something about the file
    │   ├── UnsupportedFormat    no format reads it, or its name and content disagree
    │   ├── EncryptedDocument    it needs a password
    │   ├── DamagedDocument      it cannot be parsed as what it is
    │   ├── HostileDocument      it is larger, or expands or nests further, than is safe
    │   └── UnwritableText       a replacement has characters that the file cannot hold
    ├── PolicyError              the policy is wrong, or asks for what is not there
    ├── MalformedData            JSON does not describe the value it should
    ├── PluginError              a component is missing, claimed twice, not trusted, or broken
    ├── CorpusError              a reference corpus cannot be built, opened or asked
    ├── ServiceError             a service that attacks may ask does not answer as it should
    ├── NotFitted                a model is used before it has learned
    ├── PlanError                a plan is none, or does not fit the document
    │   └── PlanInfeasible       no plan brings every risk under its ceiling
    ├── SecretKeyError           a key or ledger is missing, malformed, or not the right one
    ├── OutputError              the output cannot be written where it was asked to go
    ├── Stopped                  work ended before it was done (time limit, killed worker)
    └── LeakError                the output could not be verified; nothing was written

Messages say what happened, to which thing, and what to do. They never quote a document: a message may be
logged, mailed or pasted into a bug report.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from withhold.types import Residue


class WithholdError(Exception):
    """Root of the tree: catch this to catch everything withhold raises on purpose."""


class DocumentError(WithholdError):
    """Something about the file."""


class UnsupportedFormat(DocumentError):
    """No format reads the file, or its name and its content disagree."""


class EncryptedDocument(DocumentError):
    """The file needs a password."""


class DamagedDocument(DocumentError):
    """The file cannot be parsed as what it is."""


class HostileDocument(DocumentError):
    """The file is larger, or expands or nests further, than is safe or the policy allows."""


class UnwritableText(DocumentError):
    """A replacement has characters that the file, or its encoding, cannot hold."""


class PolicyError(WithholdError):
    """The policy is wrong, or asks for what is not there."""


class MalformedData(WithholdError):
    """JSON (or TOML) does not describe the value it should."""


class PluginError(WithholdError):
    """A component is missing, claimed twice, not trusted by the policy, or does not keep its contract."""


class CorpusError(WithholdError):
    """A reference corpus cannot be built, opened or asked: it is missing or damaged, or its budget is spent."""


class ServiceError(WithholdError):
    """A service that attacks may ask cannot be reached, or does not answer as it should."""


class NotFitted(WithholdError):
    """A model is used before it has learned."""


class PlanError(WithholdError):
    """A plan is malformed, or does not fit the document it is applied to."""


class PlanInfeasible(PlanError):
    """No plan brings every risk under its ceiling."""


class SecretKeyError(WithholdError):
    """A key or ledger is missing, malformed, or not the right one."""


class OutputError(WithholdError):
    """The output cannot be written where it was asked to go."""


class Stopped(WithholdError):
    """Work ended before it was done: a time limit, or a worker that died."""


class LeakError(WithholdError):
    """The output could not be verified, so there is none.

    `residues` says where something was found, never what.
    """

    def __init__(self, message: str, residues: Sequence[Residue] = ()) -> None:
        super().__init__(message)
        self.residues = tuple(residues)

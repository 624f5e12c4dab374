"""withhold makes documents safe to release, and proves it.

    policy = withhold.Policy.load("clients.toml")
    redaction = withhold.redact("memo.docx", policy)
    redaction.write("memo.redacted.docx")

The verbs are `read`, `detect`, `assess`, `plan`, `apply`, `attack`, `audit`; `redact` is all of them, and
`inspect` shows what is hidden in a file.
"""

from withhold.errors import (
    DamagedDocument,
    DocumentError,
    EncryptedDocument,
    HostileDocument,
    LeakError,
    MalformedData,
    NotFitted,
    OutputError,
    PlanError,
    PlanInfeasible,
    PluginError,
    PolicyError,
    SecretKeyError,
    Stopped,
    UnsupportedFormat,
    UnwritableText,
    WithholdError,
)
from withhold.policy import Components, Detection, Find, Operators, Policy
from withhold.redactor import (
    Redactor,
    apply,
    assess,
    attack,
    audit,
    detect,
    inspect,
    plan,
    read,
    redact,
)
from withhold.spans import Span
from withhold.types import (
    Block,
    Document,
    Edit,
    Evidence,
    Finding,
    Handling,
    Hidden,
    Ledger,
    Notice,
    Outcome,
    Plan,
    Redaction,
    Report,
    Residue,
    Risk,
    Secret,
    Term,
    Verification,
)

__version__ = "0.1.0"

__all__ = [
    "Block",
    "Components",
    "DamagedDocument",
    "Detection",
    "Document",
    "DocumentError",
    "Edit",
    "EncryptedDocument",
    "Evidence",
    "Find",
    "Finding",
    "Handling",
    "Hidden",
    "HostileDocument",
    "LeakError",
    "Ledger",
    "MalformedData",
    "NotFitted",
    "Notice",
    "Operators",
    "Outcome",
    "OutputError",
    "Plan",
    "PlanError",
    "PlanInfeasible",
    "PluginError",
    "Policy",
    "PolicyError",
    "Redaction",
    "Redactor",
    "Report",
    "Residue",
    "Risk",
    "Secret",
    "SecretKeyError",
    "Span",
    "Stopped",
    "Term",
    "UnsupportedFormat",
    "UnwritableText",
    "Verification",
    "WithholdError",
    "apply",
    "assess",
    "attack",
    "audit",
    "detect",
    "inspect",
    "plan",
    "read",
    "redact",
]

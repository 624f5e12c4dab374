"""Texts that never were in a file, and the policies for them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from withhold.errors import PolicyError
from withhold.policy import Detection, Policy
from withhold.spans import Span
from withhold.types import Block, Document


def document(text: str) -> Document:
    """A text as a document: the same characters at the same offsets."""
    return Document(text, text.encode("utf-8", "surrogatepass"), "txt", (Block(Span(0, len(text))),))


def policy_of(labels: Sequence[str], policy: Policy | str | Path | None) -> Policy:
    """The policy that is given, by itself or as a file, or one that asks for the labels.

    Raises:
        PolicyError: if both are given, or a label is none.
    """
    if policy is not None and labels:
        raise PolicyError("give labels or a policy, not both: a policy says what to find")
    if isinstance(policy, Policy):
        return policy
    if policy is not None:
        return Policy.load(policy)
    try:
        return Policy(detection=Detection(labels=tuple(labels) or ("all",)))
    except ValueError as error:
        raise PolicyError(str(error)) from None


def labels_of(policy: Policy) -> list[str]:
    """Every label that a policy is known to find."""
    found = {*policy.detection.wanted, *(find.label for find in policy.find)}
    return sorted(found | ({"SECRET"} if policy.secret else set()))

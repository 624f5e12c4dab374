"""For a person at work on a document: what to look at first, what to write instead, and how far they have come."""

from withhold.assistant.guide import Advice, advise, guide
from withhold.assistant.score import History, Score, padding_proof, rate, score
from withhold.assistant.suggestions import Assistant, Suggestion, suggest

__all__ = [
    "Advice",
    "Assistant",
    "History",
    "Score",
    "Suggestion",
    "advise",
    "guide",
    "padding_proof",
    "rate",
    "score",
    "suggest",
]

"""The instructions of a stream that say what it shows and in which font, without taking the rest apart.

Most of a stream is of no interest here: lines are drawn, places and colours are set. One pass of a regular expression
finds these stretches, which stay as they are. It knows instructions that are well formed and one to a line, as all
streams are that are made here. Where it meets anything else, the whole stream is read as viewers read it.
"""

from __future__ import annotations

import re

from withhold.formats.pdf.tokens import MOST_INSTRUCTIONS, Instruction, instructions

TELLING = ("Tj", "TJ", "'", '"', "Tf", "gs", "Tw", "q", "Q", "Do")
"""What shows a string, or says how strings are shown after it."""

_WHITE = rb"\x00\t\n\x0c\r "
_DELIMITER = rb"[" + _WHITE + rb"()<>\[\]{}/%]"
_NUMBER = rb"[+-]{0,2}(?:\d++\.?\d*+|\.\d++)(?:-\d*+)?(?=" + _DELIMITER + rb")"
_NAME = rb"/[^" + _WHITE + rb"()<>\[\]{}/%]*+"
_STRING = rb"\((?:[^()\\]++|\\.)*+\)"
_HEX = rb"<[0-9A-Fa-f" + _WHITE + rb"]*+>"
_SIMPLE = rb"[" + _WHITE + rb"]++|" + b"|".join((_NUMBER, _NAME, _STRING, _HEX))
_ARRAY = rb"\[(?:" + _SIMPLE + rb")*+\]"
_ENTRIES = rb"<<(?:" + _SIMPLE + rb"|" + _ARRAY + rb")*+>>"
_OPERANDS = rb"(?![" + _WHITE + rb"])(?:" + b"|".join((_SIMPLE, _ARRAY, _ENTRIES)) + rb")*+"
_END = rb"(?:\n(?![" + _WHITE + rb"])|\Z)"
_WORDS = b"|".join(re.escape(word.encode()) for word in TELLING)
_OTHERS = rb"(?!(?:" + _WORDS + rb"|BI|ID|EI|true|false|null)(?:" + _DELIMITER + rb"|\Z))"
_PART = re.compile(
    rb"((?:" + _OPERANDS + _OTHERS + rb"[A-Za-z'\"*_][^" + _WHITE + rb"()<>\[\]{}/%]*+" + _END + rb")++)?+"
    rb"(?:<((?:[0-9A-Fa-f]{2})*+)> Tj" + _END + rb"|(" + _OPERANDS + rb"(?:" + _WORDS + rb")" + _END + rb"))?+",
    re.DOTALL,
)
"""Instructions that are not telling, as many as there are, and one that is."""


def parts(data: bytes) -> list[Instruction]:
    """The instructions of a stream, in order. Those that are not `TELLING` may be put together, as many as stand side
    by side, as one without an operator.

    Raises:
        HostileDocument: if there are more of them, or they nest further, than is safe.
    """
    found, at, known = [], 0, dict[bytes, Instruction]()
    if len(data) < MOST_INSTRUCTIONS:
        while (match := _PART.match(data, at)) and match.end() > at:
            at = match.end()
            others, digits, telling = match.groups()
            if others is not None:
                found.append(Instruction("", [], others.removesuffix(b"\n")))
            if digits is not None:
                found.append(Instruction("Tj", [bytes.fromhex(digits.decode())], b"<%b> Tj" % digits))
            elif telling is not None:
                if telling not in known:
                    (known[telling],) = instructions(telling)
                found.append(known[telling])
    return found if at == len(data) else instructions(data)

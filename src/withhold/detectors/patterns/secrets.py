"""Secrets of machines: keys, tokens, passwords; and wallets, which are keys to money."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from math import log2

from withhold.detectors.patterns.base import Candidate, Rule, View, clue, listed, pattern

# ---- wallets

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_GENERATORS = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)


def _is_base58(text: str) -> bool:
    number = 0
    for letter in text:
        number = number * 58 + _BASE58.index(letter)
    if number.bit_length() > 200:
        return False
    data = number.to_bytes(25, "big")
    return sha256(sha256(data[:-4]).digest()).digest()[:4] == data[-4:]


def _is_bech32(text: str) -> bool:
    prefix, _, rest = text.lower().rpartition("1")
    if text not in (text.lower(), text.upper()) or any(letter not in _BECH32 for letter in rest):
        return False
    check = 1
    values = [*(ord(letter) >> 5 for letter in prefix), 0, *(ord(letter) & 31 for letter in prefix)]
    for value in (*values, *map(_BECH32.index, rest)):
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate(_GENERATORS):
            check ^= generator if top >> bit & 1 else 0
    return check in (1, 0x2BC830A3)


# ---- keys with a form of their own

_KEYS = (
    ("AWS access key", r"(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA|ABIA|ACCA)[0-9A-Z]{16}(?![0-9A-Za-z])"),
    ("GitHub token", r"gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}"),
    ("GitLab token", r"glpat-[\w-]{20,64}"),
    ("Slack token", r"xox[abeoprs]-[A-Za-z0-9-]{10,255}"),
    ("Google API key", r"AIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])"),
    ("Google OAuth token", r"ya29\.[0-9A-Za-z_-]{20,512}"),
    ("Stripe key", r"(?:sk|rk|pk)_(?:live|test)_[0-9A-Za-z]{10,99}"),
    ("JSON Web Token", r"eyJ[\w-]{8,4096}+\.[\w-]{4,8192}+(?:\.[\w-]{0,2048}+)?"),
    ("npm token", r"npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
    ("PyPI token", r"pypi-[\w-]{16,512}"),
    ("SendGrid key", r"SG\.[\w-]{16,32}\.[\w-]{16,64}"),
    ("Twilio key", r"(?:SK|AC)[0-9a-f]{32}(?![0-9a-f])"),
    ("Hugging Face token", r"hf_[A-Za-z0-9]{30,64}"),
    ("API key", r"sk-(?:ant-|proj-)?[\w-]{20,255}"),
    ("DigitalOcean token", r"do[opr]_v1_[0-9a-f]{64}"),
)
_KEY_AT = re.compile("|".join(f"(?P<k{place}>{regex})" for place, (_, regex) in enumerate(_KEYS)))
_KEY_CHARACTERS = f"{_BASE58}0OIl_-."


def _keys(view: View, start: int, end: int) -> Iterator[Candidate]:
    if start and view.text[start - 1] in "-._":
        head = view.text[max(0, start - 24) : start]
        start -= len(head) - len(head.rstrip(_KEY_CHARACTERS))
    if match := _KEY_AT.match(view.text, start):
        name = _KEYS[int(str(match.lastgroup)[1:])][0]
        yield Candidate(start, match.end(), "KEY", 0.97, f"{name} by its form", checked=True)


_PEM = re.compile(r"-----BEGIN ([A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?)-----")
_PEM_REST = re.compile(r"(?:[A-Za-z0-9+/=:, -]{0,80}\n){0,120}")
_LONGEST_PEM = 16_384


def _pem(view: View, start: int, end: int) -> Iterator[Candidate]:
    match = _PEM.match(view.text, start)
    if match is None:
        return
    closing = f"-----END {match.group(1)}-----"
    last = view.text.find(closing, match.end(), match.end() + _LONGEST_PEM) + len(closing)
    if last < len(closing):  # cut off: what looks like the rest of it
        rest = _PEM_REST.match(view.text, match.end())
        last = rest.end() if rest else match.end()
    yield Candidate(start, last, "KEY", 0.99, "private key", checked=True)


# ---- what stands behind a word for a secret

_PASSWORDS = listed("password passwd pwd passphrase passcode pass pin kennwort passwort contrasena")
_SECRETS = listed(
    "secret apikey api_key token credential credentials access_key secret_key private_key client_secret auth_token "
    "access_token key"
)
_BEHIND = re.compile(
    r"(?:[ _-]?(?:key|token|secret|id|code|phrase|word|number))?\"?"
    r"[ ]{0,2}(?::=?|=>?|[ ](?P<spoken>is:?|was)(?=[ ]))[ ]{0,2}\n?"
    r"(?P<quote>[\"'`]?)(?P<it>[^\s\"'`<>,;]{3,256}+)"
)
_EMPTY = re.compile(
    r"[*x•.\-_#?]+\Z|(?:none|null|true|false|required|undefined|n/a|yes|no|not|the|your|my|an?|changed|reset|optional)\Z"
    r"|\$\{|%|\[|\{|os\.\w|getenv|process\.\w|config\w*[.(]",
    re.I,
)
_REQUEST = re.compile(r"[ ]{1,2}(?P<it>[A-Za-z0-9+/_.=~-]{12,4096}+)")


def entropy(text: str) -> float:
    """Bits per character, by how often each character occurs."""
    shares = (text.count(letter) / len(text) for letter in set(text))
    return -sum(share * log2(share) for share in shares)


def _value(view: View, end: int) -> tuple[re.Match[str], int, int] | None:
    """What is said to be the secret, unless it is a mark in its place."""
    match = _BEHIND.match(view.low, end)
    if match is None:
        return None
    first, last = match.span("it")
    while last > first and view.text[last - 1] in ".,;:)":
        last -= 1
    return (match, first, last) if last - first >= 3 and not _EMPTY.match(view.text[first:last]) else None


def _mixed(text: str) -> bool:
    return any(letter.isdigit() for letter in text) or any(not letter.isalnum() for letter in text[1:-1])


def _passwords(view: View, start: int, end: int) -> Iterator[Candidate]:
    found = _value(view, end)
    if found is None:
        return
    match, first, last = found
    word, value = view.low[start:end], view.text[first:last]
    if word == "pin" and not value.isdigit():
        return
    if not _mixed(value) and (word == "pass" or (match["spoken"] and not match["quote"])):
        return
    yield Candidate(first, last, "KEY", 0.85, "password, by the words before it")


def _dense(text: str) -> bool:
    return len(text) >= 12 and "(" not in text and _mixed(text) and entropy(text) > 3.2


def _secrets(view: View, start: int, end: int) -> Iterator[Candidate]:
    found = _value(view, end)
    if found and _dense(view.text[found[1] : found[2]]):
        yield Candidate(found[1], found[2], "KEY", 0.85, "secret, by the words before it")


def _requests(view: View, start: int, end: int) -> Iterator[Candidate]:
    match = _REQUEST.match(view.text, end)
    if match and _dense(match["it"]):
        yield Candidate(*match.span("it"), "KEY", 0.85, "credential of a request")


_SECRET = clue("secret, key, token, password, credential, auth, aws, api, signature, hash", before=32)

RULES = (
    pattern(
        "WALLET", r"[13LMDX][1-9A-HJ-NP-Za-km-z]{24,34}(?![A-Za-z0-9])", "wallet, checksum holds", 0.98,
        proof=_is_base58, least=24, lead="any",
    ),
    pattern(
        "WALLET", r"(?:bc|tb|ltc|BC|TB|LTC)1[a-zA-Z0-9]{8,87}(?![A-Za-z0-9])", "wallet, checksum holds", 0.98,
        proof=_is_bech32, least=12, lead="letter",
    ),
    pattern("WALLET", r"0x[0-9a-fA-F]{40}(?![0-9A-Za-z])", "Ethereum address by its form", 0.9, least=24),
    Rule(("KEY",), _keys, least=10, lead="any"),
    Rule(("KEY",), _pem, signs=("-----begin ",)),
    Rule(("KEY",), _passwords, words=_PASSWORDS),
    Rule(("KEY",), _secrets, words=_SECRETS),
    Rule(("KEY",), _requests, words=("bearer", "basic")),
    pattern(
        "KEY", r"[A-Za-z0-9+/_-]{32,256}={0,2}(?![A-Za-z0-9])", "long random string", 0.3,
        check=_dense, clues=_SECRET, clued=0.7, least=24, lead="any",
    ),
)  # fmt: skip

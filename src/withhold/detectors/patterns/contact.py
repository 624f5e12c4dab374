"""How to reach someone over a network: e-mail, Web and network addresses, user names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from withhold.detectors.patterns.base import Candidate, Rule, View, clue, listed, one_of

# ---- e-mail

_LOCAL = re.compile(r"[\w.%+'-]{1,64}\Z")
_DOMAIN = re.compile(r"(?:[\w-]{1,63}\.){1,8}(?:xn--[a-z0-9-]{2,40}|[^\W\d_]{2,24})(?![\w-])|\[[0-9a-fA-F.:]{3,45}\]")
_BARE_HOST = re.compile(r"[\w-]{1,63}")
_AT = r"(?:[\[({<]\s?at\s?[\])}>]|(?<=\s)at(?=\s))"
_DOT = r"(?:[\[({<]\s?dot\s?[\])}>]|(?<=\s)dot(?=\s)|\.)"
_IN_WORDS = re.compile(
    rf"(?<![\w.+-])[\w.+-]{{1,64}}\s{{0,2}}{_AT}\s{{0,2}}(?:[\w-]{{1,63}}\s{{0,2}}{_DOT}\s{{0,2}}){{1,4}}"
    r"(?:com|org|net|edu|gov|mil|info|biz|[a-z]{2})(?![\w-])"
)
_BRACKETS = re.compile(r"[\[({<]\s?at\s?[\])}>]")


def _emails(view: View, start: int, end: int) -> Iterator[Candidate]:
    local = _LOCAL.search(view.text, max(0, start - 64), start) if view.text[start - 1 : start].strip(" .@") else None
    if local is None or not local.group().strip(".'"):
        return
    first = start - len(local.group().lstrip(".'%"))
    if domain := _DOMAIN.match(view.text, end):
        yield Candidate(first, domain.end(), "EMAIL", 0.97, "e-mail address")
    elif host := _BARE_HOST.match(view.text, end):
        yield Candidate(first, host.end(), "EMAIL", 0.4, "e-mail address without a domain")


def _emails_in_words(view: View, start: int, end: int) -> Iterator[Candidate]:
    """`name at host dot com`, around its `dot` or its `(at)`."""
    for match in _IN_WORDS.finditer(view.low, max(0, start - 80), end + 80):
        if match.start() < end and start < match.end():
            sure = 0.9 if _BRACKETS.search(match.group()) else 0.65
            yield Candidate(match.start(), match.end(), "EMAIL", sure, "e-mail address in words")


# ---- Web addresses

_SCHEME = re.compile(r"(?<![a-z0-9])[a-z][a-z0-9+.\-]{1,20}\Z")
_REST = re.compile(r"[^\s<>\"'`{}|\\^\[\]\u3000-\u3002]{1,2048}+")
_AFTER_HOST = re.compile(r"(?::[0-9]{1,5})?(?:[/?#][^\s<>\"'`{}|\\^\[\]]{0,2048}+)?")
_HOST_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789.-"
_TOP = one_of(
    "com org net edu gov mil int info biz dev xyz online tech cloud eu uk ac ad ae af ag al ao aq ar au aw ax az ba "
    "bb bd bf bg bh bi bj bm bn bo br bs bt bw by bz ca cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk "
    "dm dz ec ee eg er es et fi fj fk fm fo fr ga gd ge gf gg gh gi gl gm gn gp gq gr gt gu gw gy hk hm hn hr ht hu "
    "ie il im iq ir je jm jo jp ke kg kh ki km kn kp kr kw ky kz lb lc li lk lr ls lt lu lv ly ma mc md mg mh mk ml "
    "mm mn mo mp mq mr mt mu mv mw mx mz na nc ne nf ng ni nl np nr nu nz om pa pe pf pg ph pk pm pn pr ps pt pw py "
    "qa re ro rs ru rw sa sb sc sd se sh si sk sl sm sn sr ss st sv sx sy sz tc td tf tg th tj tk tl tm tn tr tt tv "
    "tw tz ua ug uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw"
)
_ALSO_WORDS = one_of(
    "at be in is it me my no so to us am as by do la an id cc sg pl io ai app name pro shop site store blog page live "
    "club work md ps py rs sh so st re"
)
_TOP_LABEL = re.compile(r"[a-z]{2,6}(?![\w-])")


def _urls(view: View, start: int, end: int) -> Iterator[Candidate]:
    scheme = _SCHEME.search(view.low, max(0, start - 21), start)
    rest = _REST.match(view.text, end)
    if scheme and rest:
        yield Candidate(scheme.start(), _trimmed(view.text, end, rest.end()), "URL", 0.97, "Web address")


def _www(view: View, start: int, end: int) -> Iterator[Candidate]:
    rest = _REST.match(view.text, end)
    if rest and not view.text[start - 1 : start].isalnum() and (last := _trimmed(view.text, end, rest.end())) > end + 3:
        yield Candidate(start, last, "URL", 0.97, "Web address")


def _hosts(view: View, start: int, end: int) -> Iterable[Candidate]:
    """A host name around one of its dots: the last one before a domain that is known."""
    top = _TOP_LABEL.match(view.low, end)
    if top is None or (top.group() not in _TOP and top.group() not in _ALSO_WORDS):
        return ()
    head = view.low[max(0, start - 253) : start]
    name = head[len(head.rstrip(_HOST_CHARACTERS)) :].lstrip(".-")
    before = view.text[start - len(name) - 1 : start - len(name)]
    if len(name) < 2 or name.isdigit() or name.endswith((".", "-")) or before.isalnum() or before in ("@", "_"):
        return ()
    after = _AFTER_HOST.match(view.text, top.end())
    last = _trimmed(view.text, top.end(), after.end()) if after else top.end()
    return _host(view, start - len(name), last, name, top)


def _host(view: View, first: int, last: int, name: str, top: re.Match[str]) -> Iterator[Candidate]:
    """Domains that are words too (or endings of files) need more than a dot that may have lost its space."""
    written, labels = view.text[top.start() : top.end()], name.split(".")
    bare = last == top.end()
    if written.isupper() and len(labels) == 1 and bare and len(written) == 2:
        return  # the sign of a share
    if written != written.lower() and not view.text[first:last].isupper():
        return
    if top.group() not in _ALSO_WORDS:
        yield Candidate(first, last, "URL", 0.85, "host name")
    elif not bare or (len(labels) > 1 and all(len(label) > 1 for label in labels)):
        yield Candidate(first, last, "URL", 0.65, "host name")


def _trimmed(text: str, start: int, end: int) -> int:
    """Where an address ends, without the signs of the sentence around it."""
    while end > start and text[end - 1] in ".,;:!?)'*":
        if text[end - 1] == ")" and text.count("(", start, end) >= text.count(")", start, end):
            break
        end -= 1
    return end


# ---- network addresses

_V4 = re.compile(r"(?<![\w.])(?<![^/]/)((?:[0-9]{1,3}\.){3}[0-9]{1,3})(?:/[0-9]{1,2}(?![0-9/]))?(?![\w-]|\.[0-9])")
_V6 = re.compile(
    r"(?:[0-9a-f]{0,4}+:){2,7}+(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9a-f]{1,4})?(?:%\w{1,15})?(?:/\d{1,3})?(?![\w:])"
)
_PAIR = r"[0-9a-f]{2}"
_MAC = re.compile(rf"(?:{_PAIR}([:-])(?:{_PAIR}\1){{4}}{_PAIR}|(?:{_PAIR}{_PAIR}\.){{2}}{_PAIR}{_PAIR})(?![\w:-])")
_HEX = "0123456789abcdef:-"
_VERSION = clue("version, release, v, ver, section, paragraph, clause, article, chapter, firmware, build", before=12)


def _v4(view: View, start: int, end: int) -> Iterable[Candidate]:
    match = _V4.match(view.text, start)
    parts = [int(part) for part in match.group(1).split(".")] if match else [256]
    if match is None or max(parts) > 255:
        return ()
    sure = 0.4 if max(parts) < 20 or _VERSION.beside(view, start, end) else 0.95
    return (Candidate(start, match.end(), "IP", sure, "IPv4 address"),)


def _v6_and_mac(view: View, start: int, end: int) -> Iterable[Candidate]:
    before, after = view.low[start - 1 : start], view.low[end : end + 1]
    if ":" in (before, after) or (end - start == 2 and "-" in (before, after)) or (end - start == 4 and after == "."):
        return _hexadecimal(view, start)
    return ()


def _hexadecimal(view: View, start: int) -> Iterator[Candidate]:
    head = view.low[max(0, start - 40) : start]
    first = start - len(head) + len(head.rstrip(_HEX))
    if first and (view.low[first - 1].isalnum() or view.low[first - 1] in "_."):
        return
    if mac := _MAC.match(view.low, first):
        yield Candidate(first, mac.end(), "IP", 0.95, "MAC address", checked=True)
    elif (match := _V6.match(view.low, first)) and _is_v6(match.group()):
        yield Candidate(first, match.end(), "IP", 0.97, "IPv6 address", checked=True)


def _is_v6(text: str) -> bool:
    """Not a bare `::`, nor a time of day, nor the `::` of a programming language."""
    from ipaddress import IPv6Interface

    if ("::" not in text and text.count(":") != 7) or not any(letter.isdigit() for letter in text):
        return False
    try:
        IPv6Interface(text)
    except ValueError:
        return False
    return len(text) > 4 or text.startswith("::")


# ---- user names

_NAME = re.compile(r"@[A-Za-z_][\w.]{1,30}(?:@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4})?(?<![.])")
_NOT_NAMES = one_of(
    "media import property param return returns override see todo since author version the all here style type id "
    "class href src context value name graph username user password none null"
)
_FORUM = re.compile(r"u/[\w-]{3,20}(?![\w/])")
_BEHIND = re.compile(
    r"(?P<more>[ ]?(?:name|id))?[ ]{0,2}(?:is[ ]{1,2}|[:=][ ]{0,2})[\"'(]?(?P<it>@?[A-Za-z0-9][\w.\-]{1,30}\w)(?![\w@])"
)


def _handles(view: View, start: int, end: int) -> Iterator[Candidate]:
    before = view.text[start - 1 : start]
    match = _NAME.match(view.text, start)
    if match is None or before.isalnum() or before in ("_", ".", "/", "@", "-", "\\", "$"):
        return
    name = match.group()[1:]
    short = name.isupper() and len(name) < 4
    if name.lower() not in _NOT_NAMES and not short and view.text[match.end() : match.end() + 1] not in ("{", "("):
        yield Candidate(start, match.end(), "HANDLE", 0.75, "user name with an @")


def _forum_names(view: View, start: int, end: int) -> Iterator[Candidate]:
    match = _FORUM.match(view.text, start)
    before = view.text[start - 1 : start]
    if match and not before.isalnum() and view.text[max(0, start - 2) : start - 1] not in (":", "/"):
        yield Candidate(start - (before == "/"), match.end(), "HANDLE", 0.8, "user name of a forum")


def _named_handles(view: View, start: int, end: int) -> Iterator[Candidate]:
    """A user name behind `username:` and the like."""
    match = _BEHIND.match(view.text, end)
    if match and (match["more"] or view.low[start:end] != "user") and match["it"].lower() not in _NOT_NAMES:
        yield Candidate(*match.span("it"), "HANDLE", 0.75, "user name, by the words before it")


RULES = (
    Rule(("EMAIL",), _emails, signs=("@",)),
    Rule(("EMAIL",), _emails_in_words, signs=(" dot ", "(at)", "[at]", "{at}", "(dot)", "[dot]")),
    Rule(("URL",), _urls, signs=("://",)),
    Rule(("URL",), _www, signs=("www.",)),
    Rule(("URL",), _hosts, signs=(".",)),
    Rule(("IP",), _v4, runs=range(1, 4), least=7),
    Rule(("IP",), _v6_and_mac, lead="any", least=2),
    Rule(("HANDLE",), _handles, signs=("@",)),
    Rule(("HANDLE",), _forum_names, signs=("u/",)),
    Rule(("HANDLE",), _named_handles, words=listed("username user login userid screenname nickname")),
)

"""Postal addresses: streets with the number first or last, flats, post boxes, and what is called an address."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from withhold.detectors.patterns.base import Candidate, Rule, View, listed, one_of, trie

# ---- words

_STREETS = listed(
    "street st avenue ave av boulevard blvd road rd lane ln drive dr court ct place pl terrace ter way highway hwy "
    "parkway pkwy square sq crescent cres close circle cir trail trl alley aly expressway expy freeway fwy turnpike "
    "tpke plaza plz row mews gardens gdns"
)
_RARER = listed(
    "annex arcade bayou beach bend bluff bluffs bottom branch bridge brook brooks burg burgs bypass camp canyon cape "
    "causeway center centers centre circles cliff cliffs club common commons corner corners course courts cove coves "
    "creek crest crossing crossroad crossroads curve dale dam divide drives estate estates extension extensions fall "
    "falls ferry field fields flat flats ford fords forest forge forges fork forks fort garden gateway glen glens "
    "green greens grove groves harbor harbors haven heights hill hills hollow inlet island islands isle junction "
    "junctions key keys knoll knolls lake lakes land landing light lights loaf lock locks lodge loop mall manor "
    "manors meadow meadows mill mills mission motorway mount mountain mountains neck orchard oval overpass park parks "
    "parkways pass passage path pike pine pines plain plains point points port ports prairie radial ramp ranch rapid "
    "rapids rest ridge ridges river roads route rue run shoal shoals shore shores skyway spring springs spur spurs "
    "squares station stravenue stream streets summit throughway trace track trafficway trailer tunnel underpass union "
    "unions valley valleys via viaduct view views village villages ville vista walk walks wall ways well wells wharf "
    "quay yard rise drove parade promenade esplanade circus gate vale wynd"
)
_FIRST = listed(
    "rua avenida avda av calle via viale piazza piazzale piazzetta vicolo corso largo rue place boulevard bd chemin "
    "allee quai impasse plaza paseo carrer travessa praca estrada ul ulica al aleja pl plac os osiedle strada str "
    "bulevardul trg ulice namesti borgo contrada localita strasse jalan jl rambla camino carrera cra rota rte cours "
    "passage platia odos"
)
_FIRST_SMALL = one_of("rue via rua calle")
_LAST = listed(
    "strasse straße str str. gasse platz allee damm ufer chaussee straat laan plein gracht kade dijk dreef singel "
    "gatan gata vagen vag stigen grand torget katu kuja polku kaari vej gade vaenget veien gaten vei utca puiestee "
    "maantee iela gatve vegur braut weg steeg hof"
)
_WEAK_LAST = listed("tie tee ring alle tn kato plads")
STATES = listed(
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR "
    "PA RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR VI FM MH PW AA AE AP Alabama Alaska Arizona Arkansas "
    "California Colorado Connecticut Delaware Florida Georgia Hawaii Idaho Illinois Indiana Iowa Kansas Kentucky "
    "Louisiana Maine Maryland Massachusetts Michigan Minnesota Mississippi Missouri Montana Nebraska Nevada Ohio "
    "Oklahoma Oregon Pennsylvania Tennessee Texas Utah Vermont Virginia Washington Wisconsin Wyoming Hampshire Jersey "
    "Mexico York Carolina Dakota Island Columbia"
)
"""The states by their signs and the last word of their names."""

_UNITS = trie(listed("apt apartment suite ste unit flat floor room bldg building"))
_COMPASS = r"(?:[NSEW]\.?|N\.?[EW]\.?|S\.?[EW]\.?|North|South|East|West)"

# ---- pieces

_SPACE = r"[ \t,\r]{0,3}\n?[ \t>?,]{0,8}"
_UNIT = rf"(?:{_SPACE}(?:(?i:{_UNITS})\.?[ ]{{1,2}}#?|#[ ]?)(?:\d{{1,5}}[A-Za-z]?|[A-Z]-?\d{{0,4}})(?!\w)){{0,2}}"
_PLACE = r"(?<![\w'-])(?:[A-Z][a-z]?\.|[A-Z][\w'-]{0,24}+)"
_LITTLE = trie(
    listed("de la le les du des of on upon am an der den do da dos sur in u the di del della nad van von and")
)
_CITY = rf"{_PLACE}(?:[ ](?:{_PLACE}|{_LITTLE}(?![a-z]))){{0,4}}"
UK = r"(?:GIR ?0AA|[A-Z]{1,2}\d[A-Z0-9]? ?\d[ABD-HJLNP-UW-Z]{2})(?!\w)"
_ZIP = r"\d{5}(?:-\d{4})?(?![\w-])"
_CODE = rf"(?:{_ZIP}|{UK}|[A-Z]\d[A-Z] ?\d[A-Z]\d(?!\w)|(?:\d{{4}}(?: ?[A-Z]{{2}})?|\d{{3}} \d{{2}}|\d{{6}})(?!\w))"
_LINE_END = r"[ \t,>?]{0,4}\r?\n?[ \t,>?]{0,6}"
_TAIL = re.compile(
    rf"{_UNIT}(?:{_SPACE}(?:"
    rf"(?:{_CITY}{_SPACE})?(?<![A-Za-z])(?:[A-Z][a-z]{{1,12}} )?{trie(STATES)}[ ,.]{{1,3}}\r?\n?[ ]?{_ZIP}"
    rf"|(?:{_CITY}{_SPACE}){{0,3}}{UK}"
    rf"|(?:[A-Z]{{1,2}}-)?{_CODE}[ ]{_CITY})"
    rf"|(?:[ ,]{{1,3}}{_CITY}){{1,3}}(?=\.?[ ]{{0,3}}(?:\r?\n|\Z))"
    rf"|(?:{_LINE_END}(?<!\w)[A-Z][\w'.()-]{{0,24}}){{1,7}}{_LINE_END}(?<!\w){_CODE})?"
)
"""A flat; then town, state and ZIP, or town and UK code, or code and town, or towns up to the end of the line, or
some lines that end in a code.
"""


def _with_tail(view: View, start: int, end: int, score: float, reason: str) -> Candidate:
    """The address with the town and the post code that may follow; surer if they do."""
    tail = _TAIL.match(view.text, end)
    if tail and tail.end() > end:
        return Candidate(start, tail.end(), "ADDRESS", max(score, 0.9), reason)
    return Candidate(start, end, "ADDRESS", score, reason)


# ---- number first

_NUMBER = r"(?<![\w.,/$:-])\d{1,6}[A-Za-z]?(?:[-/]\d{1,4}[A-Za-z]?)?(?:[ ]1/2)?,?[ ](?:\d{1,4}[A-Za-z]?,?[ ])?"
_NAME = r"(?:[A-Z][\w'-]{0,24}|[A-Z][a-z]{0,3}\.|\d{1,3}(?:st|nd|rd|th))"
_NUMBER_FIRST = re.compile(
    rf"{_NUMBER}(?:{_COMPASS}[ ])?{_NAME}[ ](?:(?:{_NAME}|{_LITTLE}(?![a-z]))[ ]){{0,4}}?"
    rf"(?i:(?P<sure>{trie(_STREETS)})|{trie(_RARER)})(?![A-Za-z'])(?P<dot>\.)?"
    rf"(?:[ ]{_COMPASS}(?!\w))?(?:[ ]\d{{1,4}}(?![\w.,]))?"
)
_ANY_CASE = re.compile(
    rf"{_NUMBER}(?:(?:[a-z][\w'.-]{{0,20}}[ ]){{1,4}}?{trie(_STREETS)}(?![a-z'])\.?"
    rf"|{trie(_FIRST)}\.?(?:[ ][\w'.-]{{1,20}}){{1,4}})"
)
_ANY_NAME = re.compile(rf"{_NUMBER}(?:[^\W\d_a-z][^\W_'.-]{{1,24}}[ ]?){{1,5}}(?:\d{{1,5}}[A-Za-z]?(?!\w))?")
_DWELLS = re.compile(
    r"(?<![a-z])(?:address(?:es)?(?:[ ](?:is|was|with|to)|:)?|address[^\n]{0,24}(?:[ ]is|:)|(?:now[ ])?lives?[ ]in"
    r"|(?:lives?|living|lived|resid(?:es?|ing|ed)|located|stays?|staying|situated|premises|house|home|flat"
    r"|meet(?:[ ](?:me|you))?|restaurant[ ]is|office[ ]is|offices[ ]are|delivered)[ ]at"
    r"|(?:lives?|living)[ ]on)"
    r"[: ]{0,3}\r?\n?\Z"
)
_DWELLS_END = one_of("at on to in is th s: : ss")
_LAWS = listed("§ article articles rule rules section sections no. nos. paragraph art. sec. part chapter item table")
_LAW = re.compile(rf"{trie(_LAWS)}[ ]\Z")
_YEAR = re.compile(r"(?:19|20)\d{2}[ ]")


def _number_first(view: View, start: int, end: int) -> Iterable[Candidate]:
    """Number, name, type of street: `12 Oak Street`."""
    match = _NUMBER_FIRST.match(view.text, start)
    if match is None:
        return _called_address(view, start)
    if _LAW.search(view.low, max(0, start - 12), start):
        return ()
    found = _with_tail(view, start, match.end(), 0.8 if match["sure"] else 0.55, "street address")
    if found.end > match.end():
        return (found,)
    kind = match.group().rstrip(". ").rpartition(" ")[2]
    if not kind[0].isupper() or (not match["sure"] and "," in match.group()) or _YEAR.match(view.text, start):
        found = found._replace(score=0.6 if match["sure"] and not _YEAR.match(view.text, start) else 0.4)
    return (found._replace(end=found.end - 1) if match["dot"] and len(kind) > 4 else found,)


def _called_address(view: View, start: int) -> Iterable[Candidate]:
    """An address that is named as one, however it is written."""
    near = view.low[max(0, start - 3) : start].strip()
    if near not in _DWELLS_END or not _DWELLS.search(view.low, max(0, start - 48), start):
        return ()
    match = _ANY_CASE.match(view.low, start) or _ANY_NAME.match(view.text, start)
    if match is None:
        return ()
    last = start + len(match.group().rstrip())
    return (_with_tail(view, start, last, 0.65, "address, by the words before it"),)


# ---- number last

_JOINING = trie(listed("de la da do dos das del della delle di du des z i e y l' d'"))
_BETWEEN = rf"(?:(?:{_NAME}|{_JOINING})[ ]){{1,5}}"
_HOUSE = r"\d{1,4}(?:[ ]?[a-zA-Z](?!\w))?(?:[-/]\d{1,4}[a-zA-Z]?)?(?![\w%]|[.,:]\d)"
_TYPE_FIRST = re.compile(rf"\.?[ ]{_BETWEEN}{_HOUSE}")
_LEADING = re.compile(r"(?<![\w.,])\d{1,6}[ ]\Z")
_TYPE_LAST = re.compile(
    r"(?:(?<![\w.])\d{1,6}[ ])?(?<!\w)"
    r"(?:(?:[A-Z][\w'.-]{0,24}[ -]){0,2}[A-Z][\w'-]{1,24}|(?:[A-Z][\w'-]{1,24}[ -]){1,2})"
    rf"(?:(?P<sure>(?i:{trie(_LAST)}))|{trie(_WEAK_LAST)})[ ]\Z"
)
_ENDINGS = frozenset(ending[-2:] for ending in (*_LAST, *_WEAK_LAST))
_HOUSE_AT = re.compile(_HOUSE)


def _type_first(view: View, start: int, end: int) -> Iterator[Candidate]:
    """Type of street, name, number: `Via Roma 131`."""
    match = _TYPE_FIRST.match(view.text, end)
    if match and (view.text[start].isupper() or view.text[end] == "." or view.low[start:end] in _FIRST_SMALL):
        leading = _LEADING.search(view.text, max(0, start - 8), start)
        yield _with_tail(view, leading.start() if leading else start, match.end(), 0.75, "street address")


def _type_last(view: View, start: int, end: int) -> Iterable[Candidate]:
    """Name and type of street in one word, number: `Hauptstrasse 12`."""
    if view.text[start - 1 : start] != " " or view.low[max(0, start - 3) : start - 1] not in _ENDINGS:
        return ()
    before = _TYPE_LAST.search(view.text, max(0, start - 72), start)
    house = _HOUSE_AT.match(view.text, start)
    if before is None or house is None:
        return ()
    return (_with_tail(view, before.start(), house.end(), 0.75 if before["sure"] else 0.4, "street address"),)


# ---- flats, boxes, and the word address

_BEFORE_FLAT = re.compile(r"(?<![\w.,])\d{1,6}[A-Za-z]?(?:[ ,]{1,2}[\w'.()/-]{1,25}){1,7}[ ,]{0,2}\r?\n?[ \t>?]{0,6}\Z")
_FLAT = re.compile(r"\.?[ ]{0,2}#?(?:\d{1,5}[a-z]?|[a-z]-?\d{1,4})(?!\w)")
_TOWN_LINES = re.compile(rf"(?:[ ,]{{0,3}}\r?\n[ \t>?]{{0,6}}{_CITY}(?=,?[ ]{{0,3}}(?:\r?\n|\Z|[.?]))){{1,3}}")
_SURE_FLATS = one_of("apt suite apartment ste flat")


def _flats(view: View, start: int, end: int) -> Iterator[Candidate]:
    """What stands before and behind `Apt. 12`."""
    flat = _FLAT.match(view.low, end)
    if flat is None:
        return
    before = _BEFORE_FLAT.search(view.text, max(0, start - 80), start)
    if before and not before.group().islower():
        lines = _TOWN_LINES.match(view.text, flat.end())
        last = max(flat.end(), lines.end() if lines else 0)
        found = _with_tail(view, before.start(), flat.end(), 0.85, "address with a flat or suite")
        yield found._replace(end=max(found.end, last))
    elif view.text[start].isupper() and view.low[start:end] in _SURE_FLATS:
        yield _with_tail(view, start, flat.end(), 0.6, "flat or suite")._replace(score=0.6)


_PO = re.compile(r"(?<![a-z])(?:p\.?[ ]?o\.?|post office|postal|gpo)[ ]?\Z")
_BOX = re.compile(r"[ ]?(?:no\.?|number|#)?[ ]?\d{1,6}(?!\w)")
_UNIT_BOX = r"(?:psc|unit|cmr)[ ]\d{1,5},?[ ]box[ ]\d{1,5}"
_MILITARY = re.compile(rf"(?:{_UNIT_BOX}|(?:uss|usns|usnv|uscgc)[ ][a-z'-]{{2,24}})[ ,]{{0,3}}\r?\n?[ >?]{{0,6}}\Z")
_MILITARY_END = re.compile(r"[ ](?:aa|ae|ap)[ ]{1,2}\d{5}(?:-\d{4})?(?!\w)")


def _boxes(view: View, start: int, end: int) -> Iterator[Candidate]:
    before, box = _PO.search(view.low, max(0, start - 14), start), _BOX.match(view.low, end)
    if before and box:
        yield _with_tail(view, before.start(), box.end(), 0.9, "post box")


def _military(view: View, start: int, end: int) -> Iterator[Candidate]:
    if after := _MILITARY_END.match(view.low, end):
        before = _MILITARY.search(view.low, max(0, start - 48), start)
        yield Candidate(before.start() if before else start, after.end(), "ADDRESS", 0.95, "military address")


_LABEL = re.compile(r"[ ]?:[ \t]{0,8}")
_LINE = re.compile(r"[^\r\n]{3,120}|\r?\n[^\n]{3,100}(?:\n(?![^\n:]{0,30}:)[^\n]{1,60}){0,4}")
_OTHER_ADDRESS = re.compile(r"(?:ip|mail|e-mail|email|mac|web|network|server|wallet|bitcoin)[ -]?\Z")


def _labelled(view: View, start: int, end: int) -> Iterator[Candidate]:
    """What stands behind `Address:`, on its line or on the lines below."""
    label = _LABEL.match(view.low, end)
    line = _LINE.match(view.text, label.end()) if label else None
    if line is None or _OTHER_ADDRESS.search(view.low, max(0, start - 10), start):
        return
    written = line.group().rstrip()
    if written.count(")") > written.count("("):
        written = written.rstrip(")")
    if "@" in written or "://" in written or not any(letter.isdigit() for letter in written[:60]):
        return
    first = line.start() + len(written) - len(written.lstrip())
    yield Candidate(first, line.start() + len(written), "ADDRESS", 0.6, "address, by the word before it")


RULES = (
    Rule(("ADDRESS",), _number_first),
    Rule(("ADDRESS",), _type_first, words=_FIRST),
    Rule(("ADDRESS",), _type_last),
    Rule(("ADDRESS",), _flats, words=listed("apt apartment suite ste unit flat floor")),
    Rule(("ADDRESS",), _boxes, words=("box",)),
    Rule(("ADDRESS",), _military, words=listed("apo fpo dpo")),
    Rule(("ADDRESS",), _labelled, words=listed("address addresses addr residence domicile")),
)

"""Names of people in their parts: titles, given names, initials, surnames."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from withhold.detectors.company_forms import GIVEN_NAMES, table
from withhold.detectors.dictionary import is_word
from withhold.text import WORD, fold

Gender = Literal["f", "m"]
Part = tuple[str, ...]
"""One part of a name, folded: one word, or several that hyphens or apostrophes join."""

_MALE = table("mr sir lord herr signor senor sr monsieur king prince father brother uncle messrs")
_FEMALE = table("mrs ms miss lady dame madam madame mme mlle frau signora senora sra queen princess sister aunt")
_HONORIFICS = _MALE | _FEMALE | table("mx dr prof professor rev reverend hon judge justice")
TITLES = _HONORIFICS | table("""
    fr rabbi imam sheikh capt captain col colonel gen general lt lieutenant sgt sergeant maj major cmdr commander adm
    admiral cpl corporal pte private officer detective inspector constable president senator sen rep congressman
    congresswoman minister ambassador governor gov mayor pope chancellor secretary attorney counsel nurse doctor
    chairman director agent don dona
""")
_SUFFIXES = table("jr sr esq esquire qc kc sc md phd dphil obe mbe cbe dds rn cpa")
PARTICLES = table("van von der den de del della di da dos das du la le el al bin ibn bint ben ter ten zu af av st")
_FEMALE_NAMES = table("""
    alice amanda amy andrea angela ann anna anne barbara carol caroline catherine charlotte christine claire diana
    dorothy eleanor elena elizabeth ellen emily emma eva evelyn fiona frances hannah helen jane janet jennifer jessica
    joan judith julia julie karen kate katherine laura linda lisa louise lucia lucy margaret maria marie martha mary
    melissa michelle monica nancy natalie nicole nina pamela patricia rachel rebecca rosa ruth sandra sara sarah sharon
    sofia sophia sophie stephanie susan teresa theresa valerie vera virginia
""")
_EITHER = table("alex chris jean kim lee leslie robin sandy terry tracy")
_SHORT = {
    name: frozenset(several.split())
    for name, _, several in (
        line.strip().partition(": ")
        for line in """
            abigail: abby gail
            albert: al bert
            alexander: alex sandy
            alexandra: alex sandra
            alfred: alf fred
            andrew: andy drew
            anthony: tony
            barbara: barb babs
            benjamin: ben
            bernard: bernie
            bradley: brad
            catherine: cathy kate katie
            charles: charlie chuck
            christina: chris tina
            christine: chris
            christopher: chris
            cynthia: cindy
            daniel: dan danny
            david: dave
            deborah: deb debbie
            dennis: denny
            donald: don
            dorothy: dot dottie
            douglas: doug
            edward: ed eddie ted
            elizabeth: liz beth betty lisa
            eugene: gene
            francis: frank
            frederick: fred freddie
            gabriel: gabe
            gerald: gerry jerry
            gregory: greg
            harold: hal harry
            henry: harry hank
            jacob: jake
            jacqueline: jackie
            james: jim jimmy jamie
            jeffrey: jeff
            jennifer: jen jenny
            jessica: jess
            john: jack johnny jon
            jonathan: jon
            joseph: joe joey
            joshua: josh
            judith: judy
            katherine: kate kathy katie
            kathleen: kathy kate
            kenneth: ken kenny
            kimberly: kim
            lawrence: larry
            leonard: len lenny
            louis: lou
            margaret: maggie meg peggy
            matthew: matt
            michael: mike mick
            mitchell: mitch
            nathaniel: nate nat
            nicholas: nick
            pamela: pam
            patricia: pat patty trish
            patrick: pat paddy
            peter: pete
            philip: phil
            phillip: phil
            randall: randy
            raymond: ray
            rebecca: becky
            richard: dick rick rich
            robert: bob bobby rob robbie
            rodney: rod
            ronald: ron
            russell: russ
            samantha: sam
            samuel: sam
            sandra: sandy
            stephen: steve
            steven: steve
            stuart: stu
            susan: sue susie
            theodore: ted theo
            theresa: terry tess
            thomas: tom tommy
            timothy: tim
            valerie: val
            victor: vic
            victoria: vicky
            vincent: vince
            walter: walt
            william: bill billy will willie
            zachary: zach zack
        """.strip().splitlines()
    )
}
"""What people with a given name are called for short."""

_PATH = re.compile(r"\\|://|www\.", re.I)
_ORDINAL = re.compile(r"[IVX]{2,5}")
_NAME = re.compile(r"[>| \t]*[^\W\d_]{2,}(?:['-][^\W\d_]{2,})*")
_POSSESSIVE = re.compile(r"'s?$", re.I)
_TOKEN = re.compile(r"[^\W_]+(?:['-][^\W_]+)*\.?|,")
_TITLE_BEFORE = re.compile(r"(?<![\w@])((?:[A-Za-z]{2,9}\.?[ \u00a0]){1,2})$")


@dataclass(frozen=True, slots=True, repr=False)
class Person:
    """A name of a person: the parts before the surname, those of the surname, and what the title says."""

    given: tuple[Part, ...]
    surname: tuple[Part, ...]
    gender: Gender | None = None

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.given + self.surname

    @property
    def is_full(self) -> bool:
        """Whether more than one part of it is known."""
        return len(self.parts) > 1 and bool(self.given)

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(word for part in self.parts for word in part)

    @property
    def family(self) -> Part:
        """The words of the surname, without its particles."""
        return tuple(word for part in self.surname for word in part if word not in PARTICLES) or self.surname[-1]


def person(text: str) -> Person | None:
    """The parts of a name as it is written, or as an address has it; None if there is no name in it."""
    folded = _POSSESSIVE.sub("", _said(fold(text, keep_case=True).text.strip()))
    tokens = [token for token in _TOKEN.findall(folded) if not token[0].isdigit()]
    capitals = folded.isupper()
    if "," in tokens:
        comma = tokens.index(",")
        last, first = tokens[:comma], [token for token in tokens[comma:] if token != ","]
        suffixed = all(_bare(token) in _SUFFIXES for token in first)
        tokens = last if suffixed else first + last
    titles = []
    while len(tokens) > 1 and _bare(tokens[0]) in TITLES:
        titles.append(_bare(tokens.pop(0)))
    while len(tokens) > 1 and (_bare(tokens[-1]) in _SUFFIXES or _ORDINAL.fullmatch(tokens[-1])):
        tokens.pop()
    parts = [part for token in tokens for part in _parts(token, capitals or len(tokens) == 1)]
    if not parts:
        return None
    at = len(parts) - 1
    while at > 0 and len(parts[at - 1]) == 1 and parts[at - 1][0] in PARTICLES:
        at -= 1
    return Person(tuple(parts[:at]), tuple(parts[at:]), _gender(titles, parts[:at]))


def _said(written: str) -> str:
    """What of a span can be a name: what stands before the "@", nothing of a path, and of two lines the first, unless
    the second is clearly a surname.
    """
    if _PATH.search(written):
        return ""
    if "@" in written:
        return re.sub(r"[._+-]+", " ", written[: written.index("@")].split()[-1] if written.index("@") else "")
    first, *lines = written.splitlines() or [""]
    if len(lines) == 1 and WORD.fullmatch(first) and _NAME.fullmatch(lines[0]):
        is_name = not is_word(WORD.findall(lines[0].casefold())[-1])
        return f"{first} {lines[0]}" if is_name else first
    return first


def _bare(token: str) -> str:
    return token.rstrip(".").casefold()


def _parts(token: str, whole: bool) -> list[Part]:
    """The parts in a token: one, or one for each letter of initials that are written together."""
    words = tuple(WORD.findall(token.casefold()))
    if not whole and len(words) == 1 and len(words[0]) in (2, 3) and token.isalpha() and token.isupper():
        return [(letter,) for letter in words[0]]
    return [words] if words else []


def _gender(titles: Sequence[str], given: Sequence[Part]) -> Gender | None:
    for title in titles:
        if title in _MALE | _FEMALE:
            return "m" if title in _MALE else "f"
    return gender_of(given[0][0]) if given else None


def gender_of(name: str) -> Gender | None:
    """What a title or a given name says, if it is a common one."""
    if name in _MALE | _FEMALE:
        return "m" if name in _MALE else "f"
    if name in _FEMALE_NAMES:
        return "f"
    return "m" if name in GIVEN_NAMES - _EITHER else None


def title_before(text: str, start: int) -> tuple[int, Gender | None] | None:
    """Where a title that stands before a name begins, and what it says; None if there is none."""
    match = _TITLE_BEFORE.search(text, max(0, start - 24), start)
    if not match:
        return None
    words = match[1].split()
    for count in range(len(words)):
        said = [_bare(word) for word in words[count:]]
        if all(word in _HONORIFICS for word in said) and words[count][0].isupper():
            begin = start - len(match[1]) + sum(len(word) + 1 for word in words[:count])
            return begin, next((gender for gender in map(gender_of, said) if gender), None)
    return None


def same_given(left: Part, right: Part) -> bool:
    """Whether two given names can be of one person: the same, an initial of the other, or short for it."""
    one, other = "".join(left), "".join(right)
    if 1 in (len(one), len(other)):
        return one[0] == other[0]
    return one == other or one in called(other) or other in called(one)


def called(name: str) -> frozenset[str]:
    """What someone of a given name may be called for short."""
    return _SHORT.get(name, frozenset())


def in_full(name: str) -> frozenset[str]:
    """What given names someone may have who is called so for short."""
    return frozenset(longer for longer, several in _SHORT.items() if name in several)


def compatible(left: Person, right: Person) -> bool:
    """Whether two names with a given name or initials each can be of one person."""
    if left.gender and right.gender and left.gender != right.gender:
        return False
    if left.family != right.family:
        shorter, longer = sorted((left.words, right.words), key=len)
        return len(shorter) > 1 and longer[: len(shorter)] == shorter
    shorter_given, longer_given = sorted((left.given, right.given), key=len)
    if not shorter_given:
        return True
    if not same_given(shorter_given[0], longer_given[0]):
        return False
    rest = iter(longer_given[1:])
    return all(any(same_given(part, other) for other in rest) for part in shorter_given[1:])

"""Taxonomies: more general words, for the sense that is meant, and never the word itself."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from withhold import Policy, PolicyError
from withhold.errors import MalformedData
from withhold.learners.features import Features
from withhold.policy import Planning
from withhold.taxonomies import kinds, places, plain, tables, usage, wordnet
from withhold.taxonomies.english import plural, singulars, stem
from withhold.taxonomies.own import OwnTaxonomy
from withhold.taxonomies.places import Places
from withhold.taxonomies.wordnet import Hypernyms

HYPERNYMS, PLACES, KINDS = Hypernyms(), Places(), kinds.Kinds()


@pytest.mark.parametrize(
    ("word", "offered"),
    [
        ("sedan", "motor vehicle"),
        ("cars", "motor vehicles"),
        ("car", "vehicle"),
        ("insurance", "assets"),
        ("copper", "metal"),
        ("women", "people"),
        ("mice", "mammals"),
        ("factories", "plants"),
        ("shirts", "clothing"),
        ("retailers", "merchants"),
        ("december", "month"),
        ("internet", "computer network"),
        ("hospitals", "buildings"),
        ("tv", "broadcasting"),
    ],
)
def test_nouns_have_something_more_general_in_the_same_number(word: str, offered: str) -> None:
    assert offered in HYPERNYMS.generalise(word)


@pytest.mark.parametrize(
    "word",
    [
        "",
        " ",
        "xyzzy",
        "entity",
        "object",
        "the",
        "as",
        "in",
        "provides",
        "offers",
        "general",
        "anew",
        "s",
        "42",
        "日本",
    ],
)
def test_what_is_no_noun_or_says_nothing_has_no_replacement(word: str) -> None:
    assert HYPERNYMS.generalise(word) == ()


@pytest.mark.parametrize(
    ("word", "context", "offered"),
    [
        ("bank", "loans deposits money customers accounts", "financial institution"),
        ("bank", "river slope water canoe", "slope"),
        ("crane", "lift heavy construction machine building", "lifting device"),
        ("crane", "bird wading neck legs marsh", "bird"),
        ("bass", "fish freshwater river caught", "saltwater fish"),
        ("bass", "opera singer sang lowest voice adult male soprano", "singer"),
        ("trawlers", "vessels fleet boat ship nets", "fishing boats"),
        ("mouse", "computer screen cursor pad button", "electronic device"),
        ("plants", "factory manufacturing industrial steel workers", "structures"),
    ],
)
def test_the_words_around_a_word_tell_its_sense(word: str, context: str, offered: str) -> None:
    assert offered in HYPERNYMS.generalise(word, tuple(context.split()))


@pytest.mark.parametrize(
    ("name", "context", "within"),
    [
        ("lyon", "", ("Auvergne-Rhône-Alpes", "France", "Western Europe", "Europe")),
        ("paris", "", ("Île-de-France", "France", "Western Europe", "Europe")),
        ("paris", "houston dallas texas", ("Texas", "United States", "North America", "Americas")),
        ("new york", "", ("United States", "North America", "Americas")),
        ("bombay", "", ("Maharashtra", "India", "South Asia", "Asia")),
        ("tokyo", "", ("Japan", "East Asia", "Asia")),
        ("california", "", ("United States", "North America", "Americas")),
        ("georgia", "tbilisi", ("Western Asia", "Asia")),
        ("georgia", "atlanta florida", ("United States", "North America", "Americas")),
        ("france", "", ("Western Europe", "Europe")),
        ("kenya", "", ("East Africa", "Sub-Saharan Africa", "Africa")),
        ("brazil", "", ("South America", "Latin America", "Americas")),
        ("uk", "", ("Northern Europe", "Europe")),
        ("scandinavia", "", ("Northern Europe", "Europe")),
        ("europe", "", ()),
        ("french", "", ("Western European", "European")),
        ("germans", "", ("Western Europeans", "Europeans")),
        ("polish", "wood floors", ()),
        ("polish", "warsaw", ("Eastern European", "European")),
        ("mobile", "software austin texas", ()),
        ("mobile", "huntsville alabama", ("Alabama", "United States", "North America", "Americas")),
        ("reading", "a good book", ()),
        ("of", "ankara", ()),
        ("xyzzy", "", ()),
        ("", "", ()),
    ],
)
def test_places_are_within_others(name: str, context: str, within: tuple[str, ...]) -> None:
    assert PLACES.generalise(name, tuple(context.split())) == within


def some_lemmas() -> list[str]:
    return list(wordnet.read_senses(tables.DATA / "wordnet.npz").numbers)[::7]


def some_places() -> list[str]:
    return list(places.read_atlas(tables.DATA).places)[::7]


@pytest.mark.slow
def test_no_word_is_offered_for_itself() -> None:
    for word in some_lemmas():
        for form in (word, plural(word)):
            assert form not in {each.lower() for each in HYPERNYMS.generalise(form)}
            assert all(form not in each.lower().split() for each in HYPERNYMS.generalise(form))
    for name in some_places():
        assert all(f" {name} " not in f" {tables.as_key(each)} " for each in PLACES.generalise(name))


def test_going_up_comes_to_an_end() -> None:
    for word in some_lemmas()[::20]:
        seen, level = {word}, HYPERNYMS.generalise(word)
        for _ in range(60):
            if not level:
                break
            seen.add(level[0].lower())
            level = HYPERNYMS.generalise(level[0].lower())
        assert not level or level[0].lower() in seen


def test_nothing_above_a_synset_is_below_it() -> None:
    senses = wordnet.read_senses(tables.DATA / "wordnet.npz")
    for synset in range(0, len(senses.names), 11):
        lineage = senses.lineage(synset)
        assert lineage[0] == synset
        assert len(set(lineage)) == len(lineage)
        assert all(up < synset for up in lineage[1:])
        assert not any(senses.general[up] for up in lineage[1:])


@given(st.text(max_size=20), st.lists(st.sampled_from(["river", "money", "paris", "texas", "fish", "x"]), max_size=6))
def test_any_text_may_be_asked_and_the_answer_is_always_the_same(word: str, context: list[str]) -> None:
    for kind in (Hypernyms, Places):
        offered = kind().generalise(word, context)
        assert offered == kind().generalise(word, tuple(context))
        assert len(set(offered)) == len(offered)
        assert all(each.strip() and each != word for each in offered)


def test_what_was_asked_before_makes_no_difference() -> None:
    river, money = ("river", "slope", "water", "canoe"), ("loans", "money", "deposits")
    fresh = [Hypernyms().generalise("bank", context) for context in (river, money, ())]
    again = [HYPERNYMS.generalise("bank", context) for context in (river, money, ())]
    assert fresh == again


def test_many_words_are_looked_up_quickly() -> None:
    """Far from the speed itself, so that a slow machine passes and a slow algorithm does not."""
    words, context = some_lemmas()[:4000], tuple(some_lemmas()[:400])
    start = time.process_time()
    for word in words:
        HYPERNYMS.generalise(word, context)
        PLACES.generalise(word, context)
    assert time.process_time() - start < 4


def test_they_are_made_from_a_policy() -> None:
    for kind in (Hypernyms, Places, OwnTaxonomy):
        assert kind.from_policy(Policy()).generalise("xyzzy") == ()


# ── The user's own ──


def own(folder: Path, content: str | bytes) -> OwnTaxonomy:
    path = folder / "own.csv"
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return OwnTaxonomy.from_policy(Policy(planning=Planning(taxonomy="own.csv"), folder=str(folder)))


def test_the_users_words_are_written_as_given(tmp_path: Path) -> None:
    mine = own(
        tmp_path,
        '\ufeffCarrefour, a retailer, a company\n\n"Crédit Agricole", "a bank, in France"\nAcme Inc.,firm,firm,\n',
    )
    assert mine.generalise("carrefour") == ("a retailer", "a company")
    assert mine.generalise("credit agricole") == ("a bank, in France",)
    assert mine.generalise("acme inc") == ("firm",)
    assert mine.generalise("other") == ()


@pytest.mark.parametrize(
    "content",
    [
        "carrefour\n",
        "carrefour;retailer\n",
        "carrefour,retailer\nCARREFOUR,company\n",
        "carrefour,the Carrefour group\n",
        "?!,retailer\n",
        b"carrefour,\xff\xfe\n",
        b'carrefour,"retailer\n',
        b"carrefour,\x00\n\x00",
    ],
)
def test_a_list_that_makes_no_sense_is_refused_without_quoting_it(tmp_path: Path, content: str | bytes) -> None:
    with pytest.raises(PolicyError) as refused:
        own(tmp_path, content)
    assert "arrefour" not in str(refused.value)


def test_a_list_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PolicyError):
        OwnTaxonomy(tmp_path / "none.csv")
    with pytest.raises(PolicyError):
        OwnTaxonomy(tmp_path)


@given(st.binary(max_size=60))
def test_any_bytes_are_a_list_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    try:
        own(tmp_path_factory.getbasetemp(), content)
    except PolicyError:
        return


# ── Damaged tables ──


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    for name in ("wordnet.npz", "places.npz", "countries.csv"):
        shutil.copy(tables.DATA / name, tmp_path / name)
    return tmp_path


def rewrite(path: Path, **changed: np.ndarray) -> None:
    with np.load(path) as stored:
        arrays = {name: stored[name] for name in stored.files}
    np.savez(path, **{**arrays, **changed})  # type: ignore[arg-type]


def ask(folder: Path) -> None:
    Hypernyms(folder / "wordnet.npz").generalise("bank")
    Places(folder).generalise("paris")


@pytest.mark.parametrize("name", ["wordnet.npz", "places.npz", "countries.csv"])
@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04", b"\x00" * 100, b"\xff,\xff\n"])
def test_a_damaged_file_is_refused(copied: Path, name: str, content: bytes | None) -> None:
    if content is None:
        (copied / name).unlink()
    else:
        (copied / name).write_bytes(content)
    with pytest.raises(MalformedData):
        ask(copied)


@pytest.mark.parametrize("at", [40, 2000, 100_000, -3000, -30])
@pytest.mark.parametrize("name", ["wordnet.npz", "places.npz"])
def test_a_file_with_other_bytes_is_refused_or_read(copied: Path, name: str, at: int) -> None:
    data = bytearray((copied / name).read_bytes())
    data[at : at + 8] = b"\xff" * 8
    (copied / name).write_bytes(bytes(data))
    try:
        ask(copied)
    except MalformedData:
        return


def test_no_byte_of_a_table_can_do_harm(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez_compressed(path, a=np.arange(50, dtype=np.int32))
    good, refused = path.read_bytes(), 0
    for at in range(len(good)):
        for other in (good[at] ^ 1, good[at] ^ 255):
            path.write_bytes(good[:at] + bytes([other]) + good[at + 1 :])
            try:
                assert tables.read_table(path, {"a": "int32"})["a"].ndim == 1
            except MalformedData:
                refused += 1
    assert refused > len(good)


def test_tables_that_do_not_hold_together_are_refused(copied: Path) -> None:
    good = wordnet.read_table(tables.DATA / "wordnet.npz", wordnet._COLUMNS)
    cycle = good["above"].copy()
    cycle[0] = len(good["above_counts"]) - 1
    wrong = [
        {"above": cycle},
        {"above": good["above"][:-1]},
        {"above": good["above"] - 1},
        {"senses": good["senses"] + 100_000},
        {"senses": good["senses"].astype(np.int64)},
        {"tags": good["tags"][None, :]},
        {"clues": np.full_like(good["clues"], 65535)},
        {"names": good["names"][:100]},
        {"lemmas": np.frombuffer(b"\xff\xff", np.uint8)},
        {"irregular": np.frombuffer(b"one", np.uint8)},
        {"names": np.array([object()])},
    ]
    for number, changed in enumerate(wrong):
        path = copied / f"{number}.npz"
        shutil.copy(copied / "wordnet.npz", path)
        rewrite(path, **changed)
        with pytest.raises(MalformedData):
            Hypernyms(path).generalise("bank")


@pytest.mark.parametrize(
    "line",
    [",Europe,Western Europe,European,,", ",Atlantis,Nowhere,,,", "only,two", "XX,Europe,,,,,,too many"],
)
def test_a_world_that_is_within_itself_or_nowhere_is_refused(copied: Path, line: str) -> None:
    path = copied / "countries.csv"
    path.write_text(path.read_text("utf-8") + line + "\n", "utf-8")
    with pytest.raises(MalformedData):
        Places(copied).generalise("paris")


# ── English ──


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("car", "cars"),
        ("motor vehicle", "motor vehicles"),
        ("company", "companies"),
        ("day", "days"),
        ("business", "businesses"),
        ("box", "boxes"),
        ("church", "churches"),
        ("knife", "knives"),
        ("businessman", "businessmen"),
        ("human", "humans"),
        ("person", "people"),
        ("piece of furniture", "pieces of furniture"),
        ("clothing", "clothing"),
        ("kitchenware", "kitchenware"),
        ("durable goods", "durable goods"),
        ("assets", "assets"),
        ("North American", "North Americans"),
    ],
)
def test_plurals(one: str, many: str) -> None:
    assert plural(one) == many
    if one != many and " " not in one and one not in ("person", "North American"):
        assert one in singulars(many)


def test_forms_of_a_word_have_one_stem() -> None:
    assert len({stem(word) for word in ("lend", "lends", "lending", "lended")}) == 1
    assert stem("boxes") == stem("box")
    assert stem("glass") == "glass"


def test_plain_words_are_function_words() -> None:
    table = plain.read_plain(plain._TABLE)
    assert len(table) > 400
    features = Features()
    assert {word: said for word, said in table.items() if features.counts(said)} == {}
    assert [word for word in table if not features.counts(word) or tables.as_key(table[word]) == word] == []
    given = [line for line in plain._TABLE.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    assert len(table) == sum(len(line.partition(" = ")[0].split(",")) for line in given)  # each word once


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("previously", "formerly"),
        ("underwent", "had"),
        ("Undergoing", "having"),
        ("mechanically", "somehow"),
        ("actually", None),
        ("fortunately", None),
        ("family", None),
        ("rally", None),
        ("harbour", None),
    ],
)
def test_other_words_than_nouns_have_plain_ones(word: str, said: str | None) -> None:
    assert plain.plain_words(word) == ((said,) if said else ())


def test_a_damaged_table_of_plain_words_is_refused(tmp_path: Path) -> None:
    for content in (b"no sign\n", b"word = \n", b"\xff"):
        (tmp_path / "plain.txt").write_bytes(content)
        plain.read_plain.cache_clear()
        with pytest.raises(MalformedData):
            plain.read_plain(tmp_path / "plain.txt")
    plain.read_plain.cache_clear()


@pytest.mark.parametrize(
    ("word", "use", "said"),
    [
        ("reviewed", "PASSIVE", ("gone over",)),
        ("reviewed", "PAST", ("went over",)),
        ("reviewed", "VERB", None),
        ("examined", "VERB", ("looked at",)),
        ("identifies", "VERB", ("sees",)),
        ("transmitting", "VERB", ("passing on",)),
        ("presented", "VERB", ("came",)),
        ("presented", "PERFECT", ("come",)),
        ("presented", "PASSIVE", None),
        ("ate", "VERB", ("had",)),
        ("transferred", "PASSIVE", ("taken",)),
        ("transferred", "PAST", None),
        ("posterior", "ADJ", ("back",)),
        ("posterior", "NOUN", None),
        ("headaches", "NOUN", None),
        ("hallucinations", "NOUN", ("symptoms", "complaints")),
        ("CARDIAC", "PROPN", None),
        ("cardiac", "PROPN", ("internal", "bodily")),
        ("scissors", "NOUN", ()),
        ("quillby", "VERB", None),
    ],
)
def test_words_have_something_said_for_the_use_they_are_put_to(
    word: str, use: str, said: tuple[str, ...] | None
) -> None:
    assert KINDS.generalise_as(word, use) == said


def test_nothing_is_said_for_itself_or_twice() -> None:
    for (word, use), said in usage.read_usage(KINDS.usage).said.items():
        assert word not in said, (word, use)
    given: set[tuple[str, str]] = set()
    for line in KINDS.usage.read_text("utf-8").splitlines():
        if line.startswith("["):
            section = line
        elif line and not line.startswith("#"):
            for word in line.partition(" = ")[0].split(", "):
                kind = "verbs" if section in ("[verbs]", "[active]") else section
                assert (kind, word) not in given, word
                given.add((kind, word))


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("carry out", ("carry out", "carries out", "carrying out", "carried out", "carried out")),
        ("use", ("use", "uses", "using", "used", "used")),
        ("stop", ("stop", "stops", "stopping", "stopped", "stopped")),
        ("agree", ("agree", "agrees", "agreeing", "agreed", "agreed")),
        ("wash", ("wash", "washes", "washing", "washed", "washed")),
        ("visit", ("visit", "visits", "visiting", "visited", "visited")),
        ("be", ("be", "is", "being", "was", "been")),
        ("see to", ("see to", "sees to", "seeing to", "saw to", "seen to")),
    ],
)
def test_verbs_have_their_forms(verb: str, forms: tuple[str, ...]) -> None:
    found = usage.Verb.of(verb)
    assert (*found.plain, found.past, found.participle) == forms


def test_a_damaged_table_of_usage_is_refused(tmp_path: Path) -> None:
    for content in (b"word = before any section\n", b"[verbs]\nno sign\n", b"[nouns]\nword = \n", b"\xff"):
        (tmp_path / "usage.txt").write_bytes(content)
        usage.read_usage.cache_clear()
        with pytest.raises(MalformedData):
            usage.read_usage(tmp_path / "usage.txt")
    usage.read_usage.cache_clear()


def test_what_is_one_word_is_known() -> None:
    assert HYPERNYMS.has("high school")
    assert HYPERNYMS.has("high schools")
    assert not HYPERNYMS.has("school high")


def test_members_are_what_would_be_called_so() -> None:
    organs = HYPERNYMS.members("organ")
    assert {"gland", "lung"} & organs
    assert "car" not in organs
    assert "lungs" in HYPERNYMS.members("organs")
    assert {"father", "mother"} <= KINDS.members("parent")
    assert "fathers" in KINDS.members("parents")


def test_kinds_never_offer_a_sign() -> None:
    words = [*kinds.read_kinds(kinds.DATA / "kinds.txt").words, "lives", "hospitals"]
    assert [word for word in words for offer in KINDS.generalise(word) if "*" in offer] == []
    assert KINDS.generalise("lives") == ()

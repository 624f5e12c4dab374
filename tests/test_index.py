"""The embedded corpus, against the plainest one there is."""

from __future__ import annotations

import json
import random
import shutil
import stat
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from tests.plain_corpus import PlainCorpus
from withhold import CorpusError, Policy, plugins
from withhold.contracts import Archive
from withhold.corpora.index import Index, Writer
from withhold.corpora.index.cutting import paragraphs
from withhold.corpora.index.shard import _once, _posting
from withhold.policy import Background

WORDS = ["a", "b", "c", "dé", "Éa", "new", "York", "x1", "straße", "ИВАН", "O'Brien", "co-op"]
TERMS = st.one_of(
    st.sampled_from(WORDS),
    st.lists(st.sampled_from(WORDS), min_size=2, max_size=3).map(" ".join),
    st.lists(st.sampled_from([*WORDS, "new york", "!?"]), min_size=0, max_size=3).map(tuple),
    st.sampled_from(["", "…", "nowhere", "a nowhere"]),
)
MARKS = ["so-many-letters-that-lines-end", ".", ", ", "\n", "\n\n", " \n \n", "\r\n\r\n", "-\n"]
TEXTS = st.lists(st.sampled_from([*WORDS, *WORDS, *MARKS]), max_size=25).map(" ".join)
NAMES = st.sampled_from(["one", "two", "three", "four", "five", "six\n", "", "näme", "\ud800", "x" * 5000])
ADD = st.tuples(NAMES, st.sampled_from(["", "A title\nof two lines", "T"]), TEXTS)
STEPS = st.lists(st.one_of(ADD, ADD, ADD, NAMES, st.just(None)), max_size=15)


def build(folder: Path, steps: list[Any], words: int = 20) -> PlainCorpus:
    """What an index and a plain list of documents become by the same steps: add, delete (a name), commit (None)."""
    kept: dict[str, tuple[str, str, str]] = {}
    with Writer(folder, words=words) as writer:
        for step in [*steps, None]:
            if step is None:
                writer.commit(str(len(kept)))
            elif isinstance(step, str):
                writer.delete([step])
                kept.pop(step, None)
            else:
                kept.pop(step[0], None)
                kept[step[0]] = step
                writer.add(*step)
        assert writer.mark == str(len(kept))
    return PlainCorpus(list(kept.values()))


def agree(ours: Index, plain: PlainCorpus, sets: list[Any], topic: Any) -> None:
    terms = list(dict.fromkeys(term for terms in sets for term in terms)) or ["a"]
    for unit in ("document", "paragraph"):
        assert ours.size(unit) == plain.size(unit)
        for given_too in (None, topic):
            counted = ours.count_matrix(terms, unit, given_too)
            np.testing.assert_array_equal(counted, plain.count_matrix(terms, unit, given_too))
        np.testing.assert_array_equal(ours.count_all(sets, unit), plain.count_all(sets, unit))
        np.testing.assert_array_equal(ours.occurrences(terms, unit).toarray(), plain.occurrences(terms, unit).toarray())
    for depth in (1, 3):
        for match in ("all", "any"):
            assert ours.tells(sets, topic, depth, match).tolist() == plain.tells(sets, topic, depth, match).tolist()
        assert ours.holding(sets, depth) == plain.holding(sets, depth)
    phrases = [term for term in terms if isinstance(term, str)]
    for hit, other in zip(ours.contains(phrases), plain.contains(phrases), strict=True):
        assert (hit and (hit.document, hit.title)) == (other and (other.document, other.title))
    query = " ".join(phrases)
    assert [hit.document for hit in ours.search(query, 4)] == [hit.document for hit in plain.search(query, 4)]


def agree_on_all(ours: Index, plain: PlainCorpus) -> None:
    assert list(ours.names()) == plain.names()
    assert list(ours.titles()) == plain.titles()
    assert [ours.text(name) for name in ours.names()] == [plain.text(name) for name in plain.names()]
    assert ours.lengths().tolist() == plain.lengths().tolist()
    assert ours.bounds().tolist() == plain.bounds().tolist()


@settings(max_examples=35, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    STEPS,
    st.lists(st.lists(TERMS, max_size=4), max_size=4),
    TERMS,
    st.sets(NAMES, max_size=3),
    st.sampled_from([1, 40, 10_000]),
)
@pytest.mark.slow
def test_it_counts_and_ranks_as_the_plain_corpus_does(
    tmp_path_factory: pytest.TempPathFactory, steps: Any, sets: Any, topic: Any, left_out: set[str], words: int
) -> None:
    folder = tmp_path_factory.mktemp("index")
    plain = build(folder, steps, words)
    ours = Index(folder)
    agree_on_all(ours, plain)
    agree(ours, plain, sets, topic)
    agree(ours.without(left_out), plain.without(left_out), sets, topic)
    agree(ours.without(left_out).without(["one"]), plain.without({*left_out, "one"}), sets, topic)
    with Writer(folder) as writer:
        writer.compact()
    agree_on_all(Index(folder), plain)
    agree(Index(folder), plain, sets, topic)
    shutil.rmtree(folder)


LINES = st.lists(st.sampled_from(["a b c d e f g", "h i j k l m", "d e f g h i j k", "x y", "\n"]), max_size=6).map(
    "\n".join
)


@settings(max_examples=40, deadline=None)
@given(st.lists(LINES, max_size=8), LINES)
def test_copies_are_those_that_share_a_third_of_the_runs(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], text: str
) -> None:
    folder = tmp_path_factory.mktemp("index")
    plain = build(folder, [(str(number), "", each) for number, each in enumerate(texts)])
    assert Index(folder).copies(text) == plain.copies(text)
    assert Index(folder).without(["0"]).copies(text) == plain.without(["0"]).copies(text)
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("", [[]]),
        (" \n\n \n", [[]]),
        ("one line", [["one", "line"]]),
        ("first\nsecond", [["first"], ["second"]]),
        ("first\nstill first\n\nsecond", [["first", "still", "first"], ["second"]]),
        ("\n\nfirst\r\nsecond\r\n", [["first"], ["second"]]),
        ("first \r\n \t\r\n\r\n second\n", [["first"], ["second"]]),
        ("...\n\nfirst", [["first"]]),
        (f"{'x' * 45}\n{'y' * 40} a\nb c\nd", [["x" * 45, "y" * 40, "a"], ["b", "c"], ["d"]]),
        (f"{'x' * 40} a\nbcd c\nd", [["x" * 40, "a", "bcd", "c"], ["d"]]),
        (f"{'x' * 40}\n  indented", [["x" * 40], ["indented"]]),
        (f"{'x' * 101}\nfollows", [["x" * 101], ["follows"]]),
    ],
)
def test_paragraphs(text: str, read: list[list[str]]) -> None:
    assert paragraphs(text) == read


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))
def test_postings_of_one_place_are_those_of_any_bitmap(document: int, paragraph: int) -> None:
    one, other = BitMap([document]).serialize(), BitMap([paragraph]).serialize()
    assert _once(document, paragraph) == _posting((one, (0, b"")), (other, (0, b"")))


def test_a_snippet_shows_where_the_words_are(tmp_path: Path) -> None:
    filler = "Nothing to see here. " * 100
    build(tmp_path / "i", [("d", "A title", f"{filler}The café of  New York is closed. {filler}"), ("e", "", filler)])
    ours = Index(tmp_path / "i")
    (hit,) = ours.search("CAFE new-york", 5)
    assert (hit.document, hit.title) == ("d", "A title")
    assert "café of New York" in hit.snippet
    assert len(hit.snippet) < 300
    assert hit.score > 0
    (hit,) = ours.contains(["the cafe of New York is closed"])
    assert hit is not None
    assert "café of New York is closed" in hit.snippet
    assert ours.contains(["the café is closed", "", "…"]) == [None, None, None]


def test_the_policy_names_the_folder(tmp_path: Path) -> None:
    none = Index.from_policy(Policy())
    assert isinstance(none, Archive)
    with pytest.raises(CorpusError, match="withhold corpus build"):
        none.size("document")
    with pytest.raises(CorpusError, match="withhold corpus build"):
        Index(tmp_path / "nowhere").count_all([["a"]], "document")
    build(tmp_path / "there", [("one", "", "a b")])
    policy = Policy(corpus=Background(index="there"), folder=str(tmp_path))
    assert plugins.corpus(policy).count_all([["b"]], "paragraph").tolist() == [1]


def test_nothing_of_a_document_is_in_what_people_paste(tmp_path: Path) -> None:
    build(tmp_path / "i", [("one", "Hidden", "hidden words"), ("two", "", "more")])
    ours = Index(tmp_path / "i")
    hits = ours.search("hidden", 3)
    with pytest.raises(CorpusError) as error:
        ours.text("hidden words")
    shown = [
        ours,
        ours.holdings,
        ours.holdings.shards,
        ours.holdings.manifest,
        ours.without(["one"]),
        hits,
        error.value,
    ]
    assert "idden" not in "".join(map(repr, shown))
    folder = tmp_path / "i"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    files = [path for path in folder.iterdir() if path.name != "lock"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    with Writer(tmp_path) as first:
        first.add("one", "", "a")
        with pytest.raises(CorpusError, match="another process"):
            Writer(tmp_path)
    with Writer(tmp_path):
        assert Index(tmp_path).size("document") == 0  # what was not committed is forgotten


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "shard-000001.bin").write_text("a model")
    (tmp_path / "lock").write_text("a poem")
    with pytest.raises(CorpusError, match="holds other files"):
        Writer(tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "shard-000001.bin": "a model",
        "lock": "a poem",
    }


def test_a_reader_keeps_what_it_has_opened(tmp_path: Path) -> None:
    build(tmp_path, [("one", "", "a b")])
    before = Index(tmp_path)
    assert before.size("document") == 1
    with Writer(tmp_path) as writer:
        writer.add("one", "", "c")
        writer.add("two", "", "a")
        writer.commit()
        writer.compact()
    assert (before.text("one"), before.count_all([["a"]], "document").tolist()) == ("a b", [1])
    assert (Index(tmp_path).text("one"), Index(tmp_path).size("document")) == ("c", 2)
    assert len(list(tmp_path.glob("shard-*.bin"))) == len(Index(tmp_path).holdings.shards)


def test_compacting_removes_the_words(tmp_path: Path) -> None:
    texts = [(str(number), "", f"w{number} {'more words ' * 20}") for number in range(10)]
    build(tmp_path, [*texts, None, "3"])
    with Writer(tmp_path) as writer:
        assert writer.mark == "9"
        writer.compact()
        assert writer.mark == "9"
    (shard,) = Index(tmp_path).holdings.shards
    assert "w3" not in shard.strings("words")
    assert shard.part.documents == 9


def test_many_commits_make_few_files(tmp_path: Path) -> None:
    with Writer(tmp_path) as writer:
        for number in range(70):
            writer.add(f"d{number}", "", f"w{number} and more")
            writer.commit()
            assert len(list(tmp_path.glob("shard-*.bin"))) < 16
        writer.compact()
    (shard,) = Index(tmp_path).holdings.shards
    assert shard.part.documents == 70
    assert Index(tmp_path).names() == tuple(f"d{number}" for number in range(70))


def test_threads_and_processes_read_at_once(tmp_path: Path) -> None:
    texts = [(str(number), "", " ".join(f"w{(number * step) % 17}" for step in range(1, 40))) for number in range(100)]
    plain = build(tmp_path, texts, 5000)
    sets = [[f"w{one}", f"w{other}"] for one in range(17) for other in range(one)]
    expected = plain.count_all(sets, "document").tolist()
    script = textwrap.dedent(
        """
        import json, sys
        from withhold.corpora.index import Index
        print(json.dumps(Index(sys.argv[1]).count_all(json.loads(sys.argv[2]), "document").tolist()))
        """
    )
    command = [sys.executable, "-c", script, str(tmp_path), json.dumps(sets)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    shared = Index(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        counted = list(pool.map(lambda _: shared.count_all(sets, "document").tolist(), range(16)))
        told = list(pool.map(lambda _: shared.tells(sets, "w3 w6", 3, "any").tolist(), range(16)))
    assert counted == [expected] * 16
    assert told == [plain.tells(sets, "w3 w6", 3, "any").tolist()] * 16
    assert json.loads(process.communicate()[0]) == expected


KILLED = """
import os, random, signal, sys
from pathlib import Path
from withhold.corpora.index import Index, Writer

BATCHES = 6

def batch(number):
    return [(f"d{each}", f"t{number}", f"text {number} of {each} " * 50) for each in range(number * 3, number * 3 + 6)]

def expected(batches):
    kept = {}
    for number in range(batches):
        for name, title, text in batch(number):
            kept.pop(name, None)
            kept[name] = text
        kept.pop(f"d{number * 3 + 1}", None)
    return list(kept.items())

def work(folder):
    with Writer(folder, words=3000) as writer:
        for number in range(int(writer.mark or 0), BATCHES):
            for each in batch(number):
                writer.add(*each)
            writer.delete([f"d{number * 3 + 1}"])
            writer.commit(str(number + 1))

def die_at(event):
    seen = 0
    def hook(name, arguments):
        nonlocal seen
        if name in ("open", "os.rename", "os.remove", "os.link", "mmap.__new__"):
            seen += 1
            if seen == event:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(hook)

def attempt(folder, prepare, *arguments):
    child = os.fork()
    if child == 0:
        prepare(*arguments)
        work(folder)
        os._exit(0)
    return os.waitpid(child, 0)[1]

def check(folder):
    if not (folder / "manifest.json").exists():
        return 0
    index = Index(folder)
    done = int(index.holdings.manifest.mark or 0)
    assert [(name, index.text(name)) for name in index.names()] == expected(done), done
    index.count_matrix(["text", "of"], "document")
    return done

root, marks = Path(sys.argv[1]), set()
for event in range(2, 150, int(sys.argv[2])):  # before some operation on a file
    folder = root / f"event{event}"
    killed = attempt(folder, die_at, event)
    marks.add(check(folder) if killed else -1)
    work(folder)
    assert check(folder) == BATCHES
    assert {path.suffix for path in folder.iterdir()} == {"", ".bin", ".json"}
    assert not list(folder.glob(".withhold-*"))
for number in range(int(sys.argv[3])):  # at any moment, over and over in the same folder
    folder = root / f"time{number % 3}"
    attempt(folder, signal.setitimer, signal.ITIMER_REAL, random.Random(number).uniform(0.001, 0.03))
    marks.add(check(folder))
print(sorted(marks))
"""


def killed(folder: Path, step: int, times: int) -> list[int]:
    command = [sys.executable, "-c", KILLED, str(folder), str(step), str(times)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    marks: list[int] = json.loads(done.stdout)
    return marks


@pytest.mark.slow
def test_a_kill_loses_no_more_than_the_batch_at_work(tmp_path: Path) -> None:
    assert {0, 1, 2, 3, 4, 5} <= set(killed(tmp_path, 8, 10))


@pytest.mark.slow
def test_kills_at_every_moment(tmp_path: Path) -> None:
    assert {-1, 0, 1, 2, 3, 4, 5} <= set(killed(tmp_path, 1, 300))


def ask_everything(ours: Index, sets: list[Any]) -> list[Any]:
    terms = [term for terms in sets for term in terms]
    answers: list[Any] = [ours.names(), ours.titles(), [ours.text(name) for name in ours.names()]]
    for unit in ("document", "paragraph"):
        answers += [ours.size(unit), ours.count_all(sets, unit).tolist()]
        answers += [ours.occurrences(terms, unit).toarray().tolist()]
    return [*answers, ours.holding(sets, 3), ours.copies(ours.text("0")), ours.search("w1 w2 w3", 5)]


def damaged(folder: Path, chance: random.Random) -> str:
    """Change a file of the index, and say how."""
    path = chance.choice(sorted(path for path in folder.iterdir() if path.name != "lock"))
    data = bytearray(path.read_bytes())
    place = chance.randrange(len(data))
    if chance.random() < 0.1:
        path.write_bytes(data[:place])
        return f"{path.name} cut at {place}"
    data[place] ^= 1 << chance.randrange(8)
    path.write_bytes(data)
    return f"{path.name} at {place}"


@pytest.mark.parametrize("trials", [80, pytest.param(3000, marks=pytest.mark.slow)])
def test_a_damaged_index_is_told_not_counted(tmp_path: Path, trials: int) -> None:
    texts = [(str(n), f"t{n}", "\n".join(f"w{n % 3} w{n % 5} w{step}" for step in range(6))) for n in range(30)]
    build(tmp_path / "whole", [*texts[:20], None, "7", *texts[20:]], 100)
    sets = [["w1", "w2"], ["w1 w2", ("w3", "w4 w5")], ["w0"]]
    expected = ask_everything(Index(tmp_path / "whole"), sets)
    chance, told = random.Random(trials), 0
    for _ in range(trials):
        shutil.copytree(tmp_path / "whole", tmp_path / "copy")
        how = damaged(tmp_path / "copy", chance)
        try:
            assert ask_everything(Index(tmp_path / "copy"), sets) == expected, how
        except CorpusError:
            told += 1
        shutil.rmtree(tmp_path / "copy")
    assert told > 0.5 * trials


def test_all_of_an_index_is_compared_when_asked_to(tmp_path: Path) -> None:
    texts = [(str(n), f"t{n}", "\n".join(f"w{n % 3} v{n} w{step}" for step in range(6))) for n in range(30)]
    build(tmp_path / "whole", texts, 100)
    index = Index(tmp_path / "whole")
    index.verify()
    chance = random.Random(3)
    missed = 0
    for _ in range(60):
        shutil.copytree(tmp_path / "whole", tmp_path / "copy")
        path = chance.choice(sorted((tmp_path / "copy").glob("shard-*")))
        data = bytearray(path.read_bytes())
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
        told = ""
        try:
            Index(tmp_path / "copy").verify()
        except CorpusError as error:
            told = str(error)
        missed += not told
        assert not told or f"delete the folder {tmp_path / 'copy'} and build" in told
        shutil.rmtree(tmp_path / "copy")
    assert missed < 5  # the bytes that fill up to a multiple of eight hold nothing


def test_damage_is_not_written_anew(tmp_path: Path) -> None:
    build(tmp_path / "index", [("a", "", "one two three"), None, ("b", "", "four five")], 100)
    shard = Index(tmp_path / "index").holdings.shards[0]
    place = shard.array("stream").ctypes.data - np.frombuffer(shard._map, np.uint8).ctypes.data
    path = tmp_path / "index" / shard.part.file
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)
    with pytest.raises(CorpusError, match="damaged"), Writer(tmp_path / "index") as writer:
        writer.compact()

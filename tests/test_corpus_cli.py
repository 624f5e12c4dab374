"""Building an index and asking it, from the outside: what a person at a terminal would do."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.plain_corpus import PlainCorpus
from withhold import Redactor
from withhold.cli import main
from withhold.cli.inference import _show as show_inference
from withhold.cli.linkage import _show as show_linkage
from withhold.corpora import build as building
from withhold.corpora.build import Progress, build, cut, delete, describe, titled
from withhold.corpora.counting import count, marked
from withhold.corpora.index import Index
from withhold.corpora.index.cutting import paragraphs
from withhold.corpora.index.manifest import Manifest
from withhold.corpora.sources import Fields
from withhold.errors import CorpusError

STORIES = [
    {"id": "ann", "title": "Ann", "text": "Ann flew a plane under the bridge.\n\nShe was a pilot and an actress."},
    {"id": "bob", "title": "Bob", "text": "Bob was a pilot too."},
    {"id": "cy", "title": "Cy", "text": "Cy Köhler built the bridge, with Ann."},
]


def written(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, "utf-8")
    return path


def lines(path: Path, records: list[dict[str, str]]) -> Path:
    return written(path, "".join(json.dumps(record) + "\n" for record in records))


def made(sources: list[Path], folder: Path, **options: Any) -> Progress:
    return build(sources, folder, documents=Redactor().read, **options)


def run(*arguments: object) -> tuple[int, str, str]:
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as stopped:
        main([str(each) for each in arguments])
    out.flush(), err.flush()
    code = stopped.value.code
    shown = [each.buffer.getvalue().decode("utf-8") for each in (out, err)]  # type: ignore[attr-defined]
    return code if isinstance(code, int) else 0, shown[0], shown[1]


@pytest.fixture
def index(tmp_path: Path) -> Path:
    made([lines(tmp_path / "stories.jsonl", STORIES)], tmp_path / "index")
    return tmp_path / "index"


def names(folder: Path) -> list[str]:
    return sorted(Index(folder).names())


def test_documents_are_named_by_where_they_came_from(tmp_path: Path) -> None:
    written(tmp_path / "a/letters/one.txt", "first letter")
    written(tmp_path / "a/letters/x#1.txt", "odd name")
    lines(tmp_path / "a/letters/more.jsonl", [{"text": "x y"}, {"id": "k", "text": "z"}, {"id": "k", "text": "again"}])
    written(tmp_path / "b/letters/one.txt", "another first letter")
    lines(tmp_path / "c/more.jsonl", [{"text": "p q"}])
    sources = [tmp_path / "a/letters", tmp_path / "b/letters", tmp_path / "c/more.jsonl"]
    made(sources, tmp_path / "index")
    known = [
        "b/letters/one.txt",
        "letters/more.jsonl#0",
        "letters/more.jsonl#k",
        "letters/more.jsonl#k~2",
        "letters/one.txt",
        "letters/x%231.txt",
        "more.jsonl#0",
    ]
    assert names(tmp_path / "index") == known
    assert Index(tmp_path / "index").text("letters/more.jsonl#k~2") == "again"
    assert made([*reversed(sources), tmp_path / "a"], tmp_path / "index").documents == 0
    written(tmp_path / "a/letters/one.txt", "rewritten since")
    assert made([tmp_path / "a"], tmp_path / "index").replaced == 1
    assert names(tmp_path / "index") == known


def test_what_has_not_changed_is_left_and_what_has_is_replaced(tmp_path: Path) -> None:
    folder, notes = tmp_path / "index", tmp_path / "notes"
    written(notes / "a.txt", "apple")
    changing = lines(notes / "b.jsonl", [{"text": "banana"}, {"text": "berry"}])
    assert made([notes], folder).documents == 3
    again = made([notes], folder)
    assert (again.documents, again.unchanged, again.files) == (0, 2, 0)
    lines(changing, [{"text": "blueberry pie"}])
    written(notes / "c.txt", "cherry")
    after = made([notes], folder)
    assert (after.documents, after.unchanged, after.replaced) == (2, 1, 1)
    assert names(folder) == ["notes/a.txt", "notes/b.jsonl#0", "notes/c.txt"]
    assert Index(folder).count_all([["banana"], ["berry"], ["blueberry"], ["apple"]], "document").tolist() == [
        0,
        0,
        1,
        1,
    ]
    assert made([notes], folder, pages=1).documents == 4


def test_how_a_source_was_read_is_remembered(tmp_path: Path) -> None:
    table, letter, folder = tmp_path / "tables/my.csv", tmp_path / "letter.txt", tmp_path / "index"
    written(table, "Name,Story,Notes\nAnn,Ann flew,none at all\nBob,Bob sank,none\n")
    written(letter, "one two three four")
    assert run("corpus", "build", tmp_path / "tables", "-o", folder, "--title", "Name", "--text", "Story")[0] == 0
    kept = ["tables/my.csv#0", "tables/my.csv#1"]
    code, out, _ = run("corpus", "build", table, letter, "-o", folder, "--json")
    told = json.loads(out)
    assert (code, told["documents"], told["removed"], told["unchanged"]) == (0, 1, 0, 1)
    assert names(folder) == ["letter.txt", *kept]
    written(tmp_path / "tables/new.csv", "Name,Story\nCy,Cy built\n")
    written(table, "Name,Story,Notes\nAnn,Ann flew off,none\n")
    ended = made([tmp_path / "tables"], folder)
    assert (ended.documents, ended.replaced, ended.removed) == (2, 1, 2)
    assert names(folder) == ["letter.txt", "tables/my.csv#0", "tables/new.csv#0"]
    assert set(Index(folder).titles()) == {"letter", "Ann", "Cy"}
    ended = made([tmp_path / "tables", letter], folder, pages=2)
    assert (len(names(folder)), ended.removed) == (5, 3)
    assert made([letter], folder).unchanged == 1
    assert made([letter], folder, pages=0).documents == 1
    made([table], folder, fields=Fields(("Notes",)))
    assert Index(folder).text("tables/my.csv#0") == "Ann\n\nnone"


@pytest.mark.parametrize("content", ["Name,Saga\nAnn,Ann flew\n", "", "Name,Story\nAnn,\n", None])
def test_a_source_that_gives_nothing_now_keeps_its_documents(tmp_path: Path, content: str | None) -> None:
    table, folder = written(tmp_path / "my.csv", "Name,Story\nAnn,Ann flew\n"), tmp_path / "index"
    options: dict[str, Any] = {"fields": Fields(("Story",))}
    made([table], folder, **options)
    if content is None:
        options = {"fields": Fields(("Saga",))}
    else:
        written(table, content)
    for _ in range(2):
        ended = made([table], folder, **options)
        assert (ended.documents, ended.removed, ended.replaced, ended.skipped[building.STAYS]) == (0, 0, 0, 1)
        assert names(folder) == ["my.csv#0"]
    written(table, "Name,Story\nAnn,Ann swam\n")
    assert made([table], folder, fields=Fields(("Story",))).removed == 1
    assert Index(folder).text("my.csv#0").endswith("Ann swam")


def test_an_index_inside_its_source_is_not_read(tmp_path: Path) -> None:
    written(tmp_path / "a.txt", "apple")
    for _ in range(2):
        made([tmp_path], tmp_path / "index")
    assert len(names(tmp_path / "index")) == 1

    with pytest.raises(CorpusError, match="source of its own"):
        made([tmp_path / "index"], tmp_path / "index")


@pytest.mark.skipif(sys.platform != "linux", reason="file names of any bytes")
def test_names_of_files_may_be_anything(tmp_path: Path) -> None:
    odd = [
        b"a\xff.txt",
        b"a\xfe.txt",
        b"two\nlines.txt",
        b"#.txt",
        "Größe.txt".encode(),
        b"a b.txt",
        b"x" * 200 + b".txt",
    ]
    (tmp_path / "odd").mkdir()
    for name in odd:
        Path(os.fsdecode(os.fsencode(tmp_path / "odd") + b"/" + name)).write_text("text")
    assert made([tmp_path / "odd"], tmp_path / "index").documents == len(odd)
    assert made([tmp_path / "odd"], tmp_path / "index").unchanged == len(odd)
    assert len(names(tmp_path / "index")) == len(odd)
    assert all(name.isprintable() for name in names(tmp_path / "index"))


def test_pages_keep_paragraphs_and_all_words() -> None:
    text = "\n\n".join(" ".join(f"w{p}x{n}" for n in range(40 + 7 * p)) for p in range(12))
    for words in (10, 50, 100, 10_000):
        pages = list(cut(text, words))
        assert " ".join(pages).split() == text.split()
        assert all(len(page.split()) <= words for page in pages)
    assert list(cut("a b\n\nc d\n\ne f", 4)) == ["a b\n\nc d", "e f"]


def test_pages_are_documents_and_go_together(tmp_path: Path) -> None:
    book = written(tmp_path / "book.txt", "\n\n".join(f"chapter {number} " * 10 for number in range(20)))
    assert made([book], tmp_path / "index", pages=100).documents == 4
    assert names(tmp_path / "index") == [f"book.txt#page {number}" for number in range(1, 5)]
    assert delete(tmp_path / "index", ["book.txt#page 2"]) == 1
    assert delete(tmp_path / "index", ["book.txt"]) == 3
    assert names(tmp_path / "index") == []


@pytest.mark.parametrize(
    ("title", "text", "whole"),
    [
        ("Steve Buscemi", "Steven Vincent Buscemi acts.", "Steve Buscemi\n\nSteven Vincent Buscemi acts."),
        ("Steve Buscemi", "STEVE BUSCEMI, an actor.\n\nMore.", "STEVE BUSCEMI, an actor.\n\nMore."),
        ("Steve Buscemi", "Steve, an actor.", "Steve Buscemi\n\nSteve, an actor."),
        ("Re: bees", "a@b.org\n\nRe: bees\n\nThey swarm.", "a@b.org\n\nRe: bees\n\nThey swarm."),
        ("", "text", "text"),
        ("--", "text", "text"),
        # Lines that are paragraphs without the title are so with it.
        ("T", "one\ntwo", "T\n\none\n\ntwo"),
        ("T", f"{'word ' * 12}\nbroken off", f"T\n\n{'word ' * 12}\nbroken off"),
    ],
)
def test_titles_are_parts_of_texts(title: str, text: str, whole: str) -> None:
    assert titled(title, text) == whole
    assert titled(title, whole) == whole
    assert paragraphs(whole)[-len(paragraphs(text)) :] == paragraphs(text)


def test_titles_are_counted_and_searched(tmp_path: Path) -> None:
    """A title that the source gives counts as a part of every page; the name of a file is none."""
    story = " ".join(f"word{number}" for number in range(40))
    records = [{"title": "Steve Buscemi", "text": f"Steven Vincent Buscemi was a firefighter.\n\n{story}"}]
    page = "<title>Steve Buscemi</title><p>He was a firefighter.</p><p>And acts.</p>"
    sources = [
        lines(tmp_path / "a.jsonl", records),
        written(tmp_path / "b.html", page),
        written(tmp_path / "c.eml", "From: a@b.org\nSubject: Steve Buscemi\n\nOnce a firefighter.\n"),
        written(tmp_path / "d.mbox", "From a@b.org Mon Jan  1 10:00:00 2024\nSubject: Steve Buscemi\n\nfirefighter\n"),
        written(tmp_path / "Steve Buscemi.txt", "A firefighter."),
    ]
    made(sources, tmp_path / "index")
    index = Index(tmp_path / "index")
    assert sorted(index.titles()) == ["Steve Buscemi"] * 5
    (found,) = count(index, ["firefighter"], "document", "Steve Buscemi")
    assert (found.count, found.with_topic) == (5, 4)
    hits = index.search("steve", 9)
    assert {hit.document.partition("#")[0] for hit in hits} == {"a.jsonl", "b.html", "c.eml", "d.mbox"}
    assert all("Steve Buscemi" in hit.snippet for hit in hits)
    assert index.copies(records[0]["text"]) == ["a.jsonl#0"]
    made(sources[:1], tmp_path / "pages", pages=20)
    pages = Index(tmp_path / "pages")
    assert pages.size("document") > 1
    assert pages.count_all([["Steve Buscemi"]], "document").tolist() == [pages.size("document")]


def test_documents_and_sources_are_deleted(tmp_path: Path, index: Path) -> None:
    more = lines(tmp_path / "more.jsonl", [{"id": "dee", "text": "Dee"}])
    made([more], index)
    with pytest.raises(
        CorpusError,
        match=r"no document is called 'none'; names look like 'stories.jsonl#ann', .*nothing",
    ):
        delete(index, ["stories.jsonl#bob", "none"])
    assert delete(index, ["stories.jsonl#bob"]) == 1
    assert names(index) == ["more.jsonl#dee", "stories.jsonl#ann", "stories.jsonl#cy"]
    assert sum(part.documents for part in Manifest.load(index).parts) == 3  # none of them has the text any more
    assert made([tmp_path / "stories.jsonl"], index).documents == 0
    assert delete(index, [str(tmp_path / "stories.jsonl")], sources=True) == 2
    assert names(index) == ["more.jsonl#dee"]
    assert made([tmp_path / "stories.jsonl"], index).documents == 3
    with pytest.raises(CorpusError, match="it is a source: --source deletes"):
        delete(index, ["stories.jsonl", "none"])
    with pytest.raises(CorpusError, match="not built from"):
        delete(index, ["elsewhere"], sources=True)


SLOW = """
import sys, time
from pathlib import Path
from withhold import Redactor
from withhold.corpora import build, sources
build._CHARACTERS = 3_000
def track(progress):
    print(progress.documents, flush=True)
    time.sleep(0.02)
build.build([Path(each) for each in sys.argv[2:]], Path(sys.argv[1]), documents=Redactor().read, track=track)
"""


@pytest.mark.slow
def test_a_build_that_was_killed_goes_on(tmp_path: Path) -> None:
    records = [{"id": f"d{n % 900}", "text": f"text {n} of word{n % 7}\n\nand word{n % 11}"} for n in range(1_000)]
    many = lines(tmp_path / "many.jsonl", [*records[:500], {"nothing": ""}, *records[500:]])
    for number in range(20):
        written(tmp_path / "folder" / f"{number}.txt", f"note {number} of word{number % 7}")
    sources = [many, tmp_path / "folder"]
    broken, whole = tmp_path / "broken", tmp_path / "whole"
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, str(broken), *map(str, sources)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    for line in process.stdout:
        if int(line) >= 500:
            process.send_signal(signal.SIGKILL)
            break
    process.wait()
    process.stdout.close()
    assert 0 < len(names(broken)) < 1_020
    assert not describe(broken)["complete"]
    rest = made(sources, broken)
    unbroken = made(sources, whole)
    assert rest.documents < unbroken.documents == 1_020
    assert rest.skipped == unbroken.skipped == {"without text": 1}
    one, other = Index(whole), Index(broken)
    assert names(whole) == names(broken)
    assert len(set(one.names())) == 1_020
    assert all(one.text(name) == other.text(name) for name in one.names())
    terms = [f"word{number}" for number in range(11)]
    for unit in ("document", "paragraph"):
        assert (one.count_matrix(terms, unit) == other.count_matrix(terms, unit)).all()
    told = [describe(folder) for folder in (whole, broken)]
    assert told[0]["sources"] == told[1]["sources"]
    assert told[1]["complete"]


def test_what_is_passed_over_is_told_and_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "_CHARACTERS", 10)
    source = written(tmp_path / "a.jsonl", '{"text": "one and two"}\n{broken\n{"text": ""}\n{"text": "three"}\n')
    assert made([source], tmp_path / "index").skipped == {"not JSON": 1, "without text": 1}
    (told,) = describe(tmp_path / "index")["sources"]  # type: ignore[misc]
    assert told["skipped"] == {"not JSON": 1, "without text": 1}


def test_files_that_are_passed_over_are_named(tmp_path: Path) -> None:
    folder, index = tmp_path / "folder", tmp_path / "index"
    for number in range(12):
        written(folder / f"{number:02}.txt", "")
    written(folder / ".hidden", "text")
    written(folder / "a.txt", "text")
    code, _, err = run("corpus", "build", folder, "-o", index)
    named = ", ".join(str(folder / f"{number:02}.txt") for number in range(10))
    assert (code, f"without text: {named}, and 2 more\n" in err) == (0, True)
    assert f"hidden, or a link: {folder / '.hidden'}\n" in err
    told = made([folder], tmp_path / "other").to_json()
    assert [len(told["passed_over"][why]) for why in ("without text", "hidden, or a link")] == [12, 1]


def test_a_source_that_is_gone_does_not_keep_others_from_being_read(tmp_path: Path, index: Path) -> None:
    (tmp_path / "stories.jsonl").unlink()
    letter = written(tmp_path / "letter.txt", "A letter.")
    code, out, err = run("corpus", "build", tmp_path / "stories.jsonl", letter, "-o", index, "--json")
    told = json.loads(out)
    assert (code, told["documents"], told["skipped"]) == (0, 1, {building.GONE: 1}), err
    assert told["passed_over"] == {building.GONE: [str(tmp_path / "stories.jsonl")]}
    assert len(names(index)) == 4
    letter.unlink()
    code, _, err = run("corpus", "build", tmp_path / "stories.jsonl", letter, "-o", index)
    assert (code, "letter.txt: no such file or folder" in err, len(names(index))) == (1, True, 4)


def test_words_are_counted_in_one_way(tmp_path: Path) -> None:
    source = lines(tmp_path / "a.jsonl", [{"title": "A-b", "text": "it's 3.5 m – well-known, isn't it? " * 9}] * 20)
    assert made([source], tmp_path / "index").words == describe(tmp_path / "index")["words"]
    assert made([source], tmp_path / "pages", pages=7).words == describe(tmp_path / "pages")["words"]


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    source = written(tmp_path / "folder/a.parquet", "PAR1")
    written(tmp_path / "folder/b.txt", "text")
    code, _, err = run("corpus", "build", source, "-o", tmp_path / "index")
    assert (code, "pip install 'withhold[parquet]'" in err) == (1, True)
    code, out, _ = run("corpus", "build", tmp_path / "folder", "-o", tmp_path / "index", "--json")
    assert code == 0
    assert json.loads(out)["documents"] == 1
    assert "pip install 'withhold[parquet]'" in next(iter(json.loads(out)["skipped"]))
    assert not describe(tmp_path / "index")["complete"]
    monkeypatch.undo()
    assert made([tmp_path / "folder"], tmp_path / "index").skipped == {"damaged": 1}
    assert describe(tmp_path / "index")["complete"]


def test_counts_agree_with_the_plain_corpus(index: Path) -> None:
    plain = PlainCorpus([(each["id"], each["title"], each["text"]) for each in STORIES])
    terms = ["pilot", "Bridge", "ann", "kohler", "built the bridge", "none"]
    for unit in ("document", "paragraph"):
        for topic in (None, "actress", ("actress", "built")):
            assert count(Index(index), terms, unit, topic) == count(plain, terms, unit, topic)  # type: ignore[arg-type]
    (found,) = count(Index(index), ["pilot"], "document", "actress")
    assert (found.count, found.with_topic, found.confidence) == (2, 1, 0.5)
    assert found.interval is not None
    assert found.interval[0] < 0.5 < found.interval[1]


@pytest.mark.parametrize(
    ("snippet", "query", "shown"),
    [
        ("Cy Köhler built it.", "kohler BUILT", "Cy >>Köhler built<< it."),
        ("A pilot, and pilots", "pilot", "A >>pilot<<, and pilots"),
        ("nothing", "else", "nothing"),
    ],
)
def test_words_of_a_query_are_marked(snippet: str, query: str, shown: str) -> None:
    assert marked(snippet, query) == shown


def test_the_commands(tmp_path: Path) -> None:
    source, index = lines(tmp_path / "stories.jsonl", [*STORIES, {"id": "empty"}]), tmp_path / "index"
    code, out, err = run("corpus", "build", source, "-o", index)
    assert (code, "documents added" in out, "without text" in out, "--text FIELD" in err) == (0, True, True, False)
    code, out, _ = run("corpus", "build", source, "-o", index, "--json")
    assert (json.loads(out)["documents"], json.loads(out)["unchanged"]) == (0, 1)
    code, out, _ = run("corpus", "info", index, "--json")
    told = json.loads(out)
    assert (told["documents"], told["paragraphs"], told["words"]) == (3, 4, 26)
    assert (told["bytes"] > 0, told["date"][:2], told["complete"]) == (True, "20", True)
    assert told["sources"][0] == {
        "name": "stories.jsonl",
        "path": str(source),
        "documents": 3,
        "files": 1,
        "skipped": {"without text": 1},
        "complete": True,
    }
    assert "stories.jsonl" in run("corpus", "info", index)[1]
    code, out, _ = run("corpus", "count", index, "pilot", "ann", "--given", "actress", "--alias", "plane")
    assert [line.split() for line in out.splitlines()[2:]] == [
        ["pilot", "2", "1", "50.0%", "9.5%", "to", "90.5%"],
        ["ann", "2", "1", "50.0%", "9.5%", "to", "90.5%"],
        ["pilot", "+", "ann", "1", "1", "100.0%", "20.7%", "to", "100.0%"],
    ]
    code, out, _ = run("corpus", "count", index, "ann", "--unit", "paragraph", "--json")
    assert json.loads(out)["counts"][0]["count"] == 2
    code, out, _ = run("corpus", "search", index, "who built", "bridge", "-k", "1")
    assert ("Cy (stories.jsonl#cy)" in out, ">>built<< the >>bridge<<" in out) == (True, True)
    assert run("corpus", "search", index, "zebra")[2] == "no document holds any of these words\n"
    code, out, _ = run("corpus", "delete", index, "stories.jsonl#cy", "--json")
    assert json.loads(out) == {"deleted": 1}
    assert run("corpus", "delete", index, "stories.jsonl", "--source")[2] == "2 documents deleted\n"


def test_an_index_that_may_not_be_read_is_told(tmp_path: Path, index: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    code, _, err = run("corpus", "info", tmp_path / "loop")
    assert (code, "cannot be read: " in err, "no index" in err) == (1, True, False)
    index.chmod(0)
    try:
        if os.access(index, os.R_OK):
            pytest.skip("nothing is forbidden to this user")
        assert "cannot be read: Permission denied" in run("corpus", "info", index)[2]
    finally:
        index.chmod(0o700)


def test_a_document_is_not_blamed_for_the_index(tmp_path: Path, index: Path) -> None:
    (shard,) = index.glob("shard-*")
    shard.write_bytes(shard.read_bytes()[:-1])
    policy = written(
        tmp_path / "p.toml",
        '[corpus]\nindex = "index"\n[[secret]]\nname = "a"\nmodel = "association"\nvalue = "Ann"\n',
    )
    letter = written(tmp_path / "letter.txt", "A pilot flew under the bridge.")
    code, _, err = run("assess", letter, "--policy", policy)
    assert (code, err.startswith(f"error: {shard} is damaged; delete the folder {index}")) == (1, True), err


def test_a_build_that_is_interrupted_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(building, "build", interrupt)
    code, _, err = run("corpus", "build", written(tmp_path / "a.txt", "text"), "-o", tmp_path / "index")
    assert (code, err) == (130, "the same command goes on where this one was\nstopped\n")


def test_people_are_looked_for_before_documents(tmp_path: Path) -> None:
    documents = written(tmp_path / "documents.jsonl", "broken")
    code, _, err = run("evaluate", "linkage", "--people", tmp_path / "none.jsonl", "--documents", documents)
    assert (code, "none.jsonl: No such file" in err, "documents.jsonl" in err) == (1, True, False)


def test_paths_are_not_broken(tmp_path: Path) -> None:
    """Whatever the width of the terminal is."""
    source = lines(tmp_path / ("deep/" * 12) / "stories.jsonl", STORIES)
    made([source], tmp_path / "index")
    _, out, err = run("corpus", "info", tmp_path / "index")
    assert f"stories.jsonl is {source}\n" in err
    assert max(map(len, out.splitlines())) <= 80


def test_info_tells_damage_that_was_not_asked_about(index: Path) -> None:
    assert "all files of the index are sound" in run("corpus", "info", index)[2]
    (shard,) = index.glob("shard-*")
    data = bytearray(shard.read_bytes())
    start = json.loads(data[data.index(b'{"word_keys"') : -16])["texts"][1]
    data[start + 30] ^= 1
    shard.write_bytes(data)
    assert run("corpus", "count", index, "pilot")[0] == 0
    code, out, err = run("corpus", "info", index)
    assert (code, out, "is damaged; delete the folder" in err) == (1, "", True)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["build", "none", "-o", "index"], 1, "none: no such file or folder"),
        (["info", "none"], 1, "holds no index"),
        (["count", "none"], 2, "give a term to count"),
        (["count", "none", "x"], 1, "holds no index"),
        (["count", "none", "x", "--alias", "y"], 2, "--alias goes with --given"),
        (["search", "none"], 2, "give a query"),
        (["delete", "none", "x"], 1, "holds no index"),
    ],
)
def test_errors_say_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ended, _, err = run("corpus", *arguments)
    assert (ended, message in err) == (code, True)
    assert not (tmp_path / "none").exists()
    assert not (tmp_path / "index").exists()


def test_the_corpus_of_a_policy_is_asked(tmp_path: Path, index: Path) -> None:
    policy = written(tmp_path / "p.toml", '[corpus]\nindex = "index"\n')
    code, out, err = run("corpus", "count", "pilot", "--policy", policy, "--json")
    assert (code, json.loads(out)["counts"][0]["count"], err) == (0, 2, "")
    written(tmp_path / "p.toml", '[corpus]\nindex = "index"\n[components]\ntrusted = ["other"]\n')
    assert run("corpus", "count", "pilot", "--policy", policy)[0] == 1


class Engine(BaseHTTPRequestHandler):
    """A search engine that knows one page."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps({"results": [{"url": "http://a.org", "title": "A", "content": "Ann the pilot"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_a_search_engine_is_asked_only_after_saying_so(tmp_path: Path) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Engine)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        url = f"http://127.0.0.1:{server.server_address[1]}"
        policy = written(tmp_path / "p.toml", f'[corpus]\nkind = "searxng"\nurl = "{url}"\nper_second = 1000\n')
        code, out, err = run("corpus", "search", "pilot", "--policy", policy)
        assert (code, ">>pilot<<" in out) == (0, True), err
        assert "127.0.0.1" in err.splitlines()[0]
        assert "sent" in err.splitlines()[0]
    finally:
        server.shutdown()
        server.server_close()


def test_fields_are_named_on_the_command_line(tmp_path: Path) -> None:
    source = lines(tmp_path / "a.jsonl", [{"q": "Who?", "a": "Ann.", "nr": "7", "topic": "People"}])
    code, _, err = run("corpus", "build", source, "-o", tmp_path / "empty")
    assert (code, "--text FIELD" in err) == (1, True)
    options = ["--text", "q", "--text", "a", "--name", "nr", "--title", "topic"]
    assert run("corpus", "build", source, "-o", tmp_path / "index", *options)[0] == 0
    index = Index(tmp_path / "index")
    assert (list(index.names()), list(index.titles())) == (["a.jsonl#7"], ["People"])
    assert index.text("a.jsonl#7") == "People\n\nWho?\n\nAnn."


def test_progress_reaches_the_end(tmp_path: Path) -> None:
    source = lines(tmp_path / "a.jsonl", [{"text": f"text {number}"} for number in range(500)])
    seen: list[Progress] = []
    made([source], tmp_path / "index", track=seen.append, fields=Fields())
    assert [each.bytes for each in seen] == sorted(each.bytes for each in seen)
    assert (seen[-1].bytes, seen[-1].of_bytes, seen[-1].documents) == (source.stat().st_size, seen[-1].bytes, 500)


def test_tables_of_measurements_break_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    rate = {"before": 1.0, "before_interval": (0.88, 1.0), "after": 1.0, "interval": (0.88, 1.0), "rank1": 1.0}
    summary = {"words_kept": 1.0, **dict.fromkeys(("bm25", "embedding", "pairs"), rate)}
    linkage = {**summary, "baselines": {"marked": summary, "detected": summary}, "documents": 9, "left_out": 0, "k": 4}
    linkage |= {"candidates": {}, "curve": [{"way": "generalise", "k": 32, **summary}]}
    mean = {"value": 1000.0, "low": 100.0, "high": 1000.0}
    told = ("precedents", "covered", "generalised", "words", "occurrences", "left_by_cover", "left_by_precedents")
    covering = {name: dict.fromkeys(told, mean) for name in ("everything", "generalising", "keywords")}
    inference = {"documents": 9, "without_inferences": 0, "inferences": mean, "keywords": [20, 40, 60, 80, 100]}
    inference |= {"rho": {}, "ratios": {}, "several": None, "covering": covering}
    inference |= {"queries": {"ranking": 1, "detection": [1], "everything": 1}}
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        show_linkage(linkage)
        show_inference(inference)
    out.flush()
    shown = out.buffer.getvalue().decode("utf-8")  # type: ignore[attr-defined]
    whole = (
        "embedding",
        "sanitized",
        "detected,",
        "88%-100%",
        "generalised",
        "occurrences",
        "precedents",
        "inferences",
    )
    assert [word for word in whole if word not in shown.split()] == []
    assert max(map(len, shown.splitlines())) <= 80

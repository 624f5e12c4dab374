"""Texts with marked spans: every format gives the same spans, and what is wrong is named and not quoted."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withhold.errors import DamagedDocument, DocumentError, MalformedData, UnsupportedFormat, WithholdError
from withhold.fit.annotated import Annotated, read_annotated
from withhold.fit.annotated.conll import _runs

TEXT = "Zoë Kwiatkowska lives in Łódź."
SPANS = [(0, 15, "PERSON"), (25, 29, "LOC")]

TAB = [
    {"span_text": "Zoë Kwiatkowska", "entity_type": "PERSON", "start_offset": 0, "end_offset": 15, "entity_id": "e1"},
    {"span_text": "Łódź", "entity_type": "LOC", "start_offset": 25, "end_offset": 29, "entity_id": "e2"},
]

SHAPES: dict[str, dict[str, object]] = {
    "spans with types": {"text": TEXT, "spans": [{"start": s, "end": e, "type": label} for s, e, label in SPANS]},
    "spans with labels": {"text": TEXT, "spans": [{"start": s, "end": e, "label": label} for s, e, label in SPANS]},
    "presidio-research": {
        "full_text": TEXT,
        "masked": "",
        "spans": [
            {"entity_type": label, "entity_value": TEXT[s:e], "start_position": s, "end_position": e}
            for s, e, label in SPANS
        ],
        "template_id": 7,
        "metadata": None,
    },
    "doccano": {"id": 1, "text": TEXT, "label": [list(each) for each in SPANS]},
    "doccano with relations": {
        "id": 1,
        "text": TEXT,
        "entities": [
            {"id": n, "label": label, "start_offset": s, "end_offset": e} for n, (s, e, label) in enumerate(SPANS)
        ],
        "relations": [],
        "Comments": [],
    },
    "Label Studio": {
        "id": 1,
        "data": {"source": "a.txt", "text": TEXT},
        "annotations": [
            {
                "was_cancelled": False,
                "result": [
                    {
                        "type": "labels",
                        "value": {"start": s, "end": e, "text": TEXT[s:e], "labels": [label]},
                    }
                    for s, e, label in SPANS
                ],
            },
            {"was_cancelled": True, "result": []},
        ],
    },
    "Label Studio, small": {
        "id": 1,
        "text": TEXT,
        "ner": [{"start": s, "end": e, "text": TEXT[s:e], "labels": [label]} for s, e, label in SPANS],
        "annotator": 1,
    },
    "TAB": {"doc_id": "001-1", "text": TEXT, "annotations": {"annotator1": {"entity_mentions": TAB}}},
    "TAB, one annotator": {"metadata": {"provenance": {"doc_id": "001-1"}}, "text": TEXT, "entities": TAB},
    "privacy mask": {
        "source_text": TEXT,
        "privacy_mask": [{"label": label, "start": s, "end": e, "value": TEXT[s:e]} for s, e, label in SPANS],
    },
}


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def spans(text: Annotated) -> list[tuple[int, int, str]]:
    return [(each.span.start, each.span.end, each.label) for each in text.mentions]


def shown(text: Annotated) -> list[tuple[str, str]]:
    return [(each.span.of(text.text), each.label) for each in text.mentions]


@pytest.mark.parametrize("record", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_every_shape_of_json_gives_the_same_spans(record: object, packed: bool, tmp_path: Path) -> None:
    contents = [
        json.dumps([record]),
        json.dumps(record),
        json.dumps(record, indent=2),
        json.dumps(record) + "\n\n" + json.dumps(record) + "\n",
        "\ufeff" + json.dumps([record, record], ensure_ascii=False),
    ]
    for number, content in enumerate(contents):
        data = gzip.compress(content.encode()) if packed else content.encode()
        found = read_annotated(written(tmp_path / f"{number}.unknown", data))
        assert len(found) == (1 if number < 3 else 2)
        for text in found:
            assert text.text == TEXT
            assert spans(text) == SPANS
            assert text.annotators == 1


def test_the_benchmark_keeps_annotators_entities_and_flags(tmp_path: Path) -> None:
    flagged = [{**each, "identifier_type": flag} for each, flag in zip(TAB, ("DIRECT", "NO_MASK"), strict=True)]
    record = {
        "doc_id": "001-1",
        "dataset_type": "dev",
        "text": TEXT,
        "annotations": {"a": {"entity_mentions": flagged}, "b": {"entity_mentions": []}},
    }
    (text,) = read_annotated(written(tmp_path / "tab.json", json.dumps([record])))
    assert (text.id, text.group, text.split, text.annotators) == ("001-1", "001-1", "dev", 2)
    assert [(each.entity, each.identifier, each.annotator) for each in text.mentions] == [
        ("e1", "direct", "a"),
        ("e2", "none", "a"),
    ]


def test_tasks_that_nobody_has_annotated_are_passed_over(tmp_path: Path) -> None:
    record = SHAPES["Label Studio"]
    found = read_annotated(written(tmp_path / "x.json", json.dumps([{**record, "annotations": []}, record])))
    assert [spans(text) for text in found] == [SPANS]
    assert "Kwiatkowska" not in repr(found)


def test_brat(tmp_path: Path) -> None:
    text = "Mr Jan\r\nNowak met Ms Ewa Lis. Nowak left."
    notes = (
        "T1\tPerson 3 6;8 13\tJan Nowak\nT2\tPerson 21 28\tEwa Lis\n"
        "T3\tPerson 30 35\tNowak\n*\tEquiv T1 T3\n*\tEquiv T3 T1\n"
        "R1\tKnows Arg1:T1 Arg2:T2\n#1\tAnnotatorNotes T1\tsure\n"
    )
    folder = tmp_path / "case"
    folder.mkdir()
    written(folder / "one.txt", text)
    written(folder / "one.ann", notes)
    written(folder / "two.txt.gz", gzip.compress(b"Nothing here."))
    written(folder / "two.ann.gz", gzip.compress(b""))
    one, two = read_annotated(tmp_path)
    assert shown(one) == [("Jan", "Person"), ("Nowak", "Person"), ("Ewa Lis", "Person"), ("Nowak", "Person")]
    assert [each.entity for each in one.mentions] == ["T1", "T1", "T2", "T1"]
    assert (one.id, two.id, two.mentions) == ("case/one", "case/two", ())
    assert read_annotated(folder / "one.ann")[0].mentions == one.mentions


COLUMNS = {
    "BIO": ["O", "B-PER", "I-PER", "B-PER", "O", "B-LOC", "O"],
    "IOB1": ["O", "I-PER", "I-PER", "B-PER", "O", "I-LOC", "O"],
    "BIOES": ["O", "B-PER", "E-PER", "S-PER", "O", "S-LOC", "O"],
    "BILOU": ["O", "B-PER", "L-PER", "U-PER", "O", "U-LOC", "O"],
}
WORDS = ["Then", "Jan", "Nowak", "Ewa", "left", "Łódź", "."]


@pytest.mark.parametrize("tags", COLUMNS.values(), ids=COLUMNS)
@pytest.mark.parametrize("sign", ["\t", " ", "   "])
@pytest.mark.parametrize("between", [[], ["NN"], ["NN", "B-NP"]], ids=len)
def test_columns(tags: list[str], sign: str, between: list[str], tmp_path: Path) -> None:
    lines = [sign.join([word, *between, tag]) for word, tag in zip(WORDS, tags, strict=True)]
    (text,) = read_annotated(written(tmp_path / "x", "\r\n".join([*lines, "", ""])))
    assert text.text == "Then Jan Nowak Ewa left Łódź ."
    assert shown(text) == [("Jan Nowak", "PER"), ("Ewa", "PER"), ("Łódź", "LOC")]


def test_columns_without_prefixes_join_neighbours(tmp_path: Path) -> None:
    (text,) = read_annotated(written(tmp_path / "x", "[ O\nJan creative-work\nNowak creative-work\nEwa PER\n"))
    assert shown(text) == [("Jan Nowak", "creative-work"), ("Ewa", "PER")]


def test_an_entity_does_not_go_on_in_the_next_sentence_and_empty_words_are_none(tmp_path: Path) -> None:
    (text,) = read_annotated(written(tmp_path / "x", "Jan\tI-PER\n\nNowak\tI-PER\n \tO\n\tO\nx\tO\n"))
    assert text.text == "Jan\nNowak x"
    assert shown(text) == [("Jan", "PER"), ("Nowak", "PER")]


def test_only_spaces_and_tabs_end_a_column(tmp_path: Path) -> None:
    (text,) = read_annotated(written(tmp_path / "x", " 5\xa0km NN O \nJan\u2028Nowak NN B-PER  \n"))
    assert shown(text) == [("Jan\u2028Nowak", "PER")]


def test_documents_of_columns(tmp_path: Path) -> None:
    marked = "-DOCSTART- -X- O\n\nA O\n\nB O\n\n-DOCSTART- -X- O\n\nC B-PER\n"
    assert [each.text for each in read_annotated(written(tmp_path / "x", marked))] == ["A\nB", "C"]
    lone = read_annotated(written(tmp_path / "y", "A\tO\n\n" * 50))
    assert [each.text.count("A") for each in lone] == [20, 20, 10]


@given(st.lists(st.sampled_from(["O", "A", "B"]), max_size=12), st.randoms(use_true_random=False))
def test_all_ways_of_writing_runs_mean_the_same(labels: list[str], draw: random.Random) -> None:
    """Runs of labels, cut at random places, survive every scheme that can express them."""
    cuts = [draw.random() < 0.5 or place == 0 or labels[place - 1] != label for place, label in enumerate(labels)]
    starts = [place for place, label in enumerate(labels) if cuts[place] and label != "O"]
    expected = []
    for start in starts:
        end = start
        while end + 1 < len(labels) and not cuts[end + 1]:
            end += 1
        expected.append((start, end, labels[start]))
    bio, bioes, iob = ["O"] * len(labels), ["O"] * len(labels), ["O"] * len(labels)
    for start, end, label in expected:
        for place in range(start, end + 1):
            bio[place] = f"{'B' if place == start else 'I'}-{label}"
            bioes[place] = f"{'S' if start == end else 'B' if place == start else 'E' if place == end else 'I'}-{label}"
            follows = place == start and place > 0 and labels[place - 1] == label
            iob[place] = f"{'B' if follows else 'I'}-{label}"
    for tags in (bio, bioes, iob):
        assert list(_runs(tags)) == expected


THREAD = """#begin document (a_1)
From\tEwa\t-\t-
:\tEwa\t-\t-
ewa@x.org\tEwa\t(P0*)\t(0)


Nowak\tEwa\t(P1\t(1
,\tEwa\t-\t-
Jan\tEwa\tP1) | (O1)\t1)

I\tEwa\t(P0)\t(0)
met\tEwa\t-\t-
the\tEwa\t(P2\t(2
director\tEwa\tP2)\t2)
of\tEwa\t-\t-
Acme\tEwa\t(O0)\t(3)
#\tEwa\t-\t-
#end document
"""


@pytest.mark.parametrize(
    "content", [THREAD, json.dumps({"id": "1", "split": "train", "conll": THREAD})], ids=["alone", "in JSON"]
)
def test_threads_give_the_names_of_persons(content: str, tmp_path: Path) -> None:
    (text,) = read_annotated(written(tmp_path / "x", content))
    assert text.text == "From : ewa@x.org\nNowak , Jan\nI met the director of Acme #"
    assert shown(text) == [("ewa@x.org", "PERSON"), ("Nowak , Jan", "PERSON")]
    assert [each.entity for each in text.mentions] == ["P0", "P1"]


WRONG = {
    "empty": "",
    "blank": " \n\n",
    "no records": "[]",
    "a number": "[1]",
    "no text": '{"spans": []}',
    "no spans": '{"text": "Kwiatkowska"}',
    "beyond the end": '{"text": "Kwiatkowska", "spans": [{"start": 0, "end": 12, "type": "PERSON"}]}',
    "negative": '{"text": "Kwiatkowska", "spans": [{"start": -2, "end": 2, "type": "PERSON"}]}',
    "backwards": '{"text": "Kwiatkowska", "spans": [{"start": 3, "end": 2, "type": "PERSON"}]}',
    "nothing": '{"text": "Kwiatkowska", "spans": [{"start": 3, "end": 3, "type": "PERSON"}]}',
    "not numbers": '{"text": "Kwiatkowska", "spans": [{"start": "0", "end": 3, "type": "PERSON"}]}',
    "truth": '{"text": "Kwiatkowska", "spans": [{"start": false, "end": true, "type": "PERSON"}]}',
    "no label": '{"text": "Kwiatkowska", "spans": [{"start": 0, "end": 3}]}',
    "two labels": '{"text": "Kwiatkowska", "spans": [{"start": 0, "end": 3, "labels": ["A", "B"]}]}',
    "other text": '{"text": "Kwiatkowska", "spans": [{"start": 0, "end": 3, "type": "A", "text": "Nowak"}]}',
    "two items": '{"text": "Kwiatkowska", "label": [[0, 3]]}',
    "a text for a span": '{"text": "Kwiatkowska", "spans": ["Kwiatkowska"]}',
    "an annotator without mentions": '{"text": "Kwiatkowska", "annotations": {"a": {}}}',
    "spans in HTML": '{"data": {"text": "Kwiatkowska"}, "annotations": [{"result": [{"type": "hypertextlabels"}]}]}',
    "broken JSON": '{"text": "Kwiatkowska", "spans": []}\n{"text": "Kwiatkowska',
    "deep": "[" * 100_000,
    "a word alone": "Kwiatkowska B-PER\nNowak\nA O\n",
    "prose": "Kwiatkowska lives in Warsaw.\nShe has a cat.\n",
    "a thread with two columns": "#begin document (x)\nKwiatkowska\t-\n",
    "not UTF-8": b"A\tO\nKwiatkowska\xff\tB-PER\n",
    "cut off": gzip.compress(b"A O\n" * 1000)[:-9],
}


@pytest.mark.parametrize("content", WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_told_and_not_quoted(content: str | bytes, tmp_path: Path) -> None:
    path = written(tmp_path / "wrong.jsonl", content)
    with pytest.raises((MalformedData, UnsupportedFormat, DamagedDocument)) as raised:
        read_annotated(path)
    assert "wrong.jsonl" in str(raised.value)
    assert "Kwiat" not in str(raised.value)
    assert "Nowak" not in str(raised.value)


def test_the_place_is_named(tmp_path: Path) -> None:
    good = json.dumps({"text": "abc", "spans": []})
    bad = json.dumps(
        {"text": "abc", "spans": [{"start": 0, "end": 1, "type": "A"}, {"start": 0, "end": 9, "type": "A"}]}
    )
    with pytest.raises(MalformedData, match=r"x, line 3, span 2: .*3 characters"):
        read_annotated(written(tmp_path / "x", f"{good}\n\n{bad}\n"))
    with pytest.raises(MalformedData, match="line 2: not UTF-8"):
        read_annotated(written(tmp_path / "y", b"A\tO\n\xff\tO\n"))


def test_files_that_are_missing(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="no such file"):
        read_annotated(tmp_path / "none.jsonl")
    with pytest.raises(DocumentError, match=r"no \.ann files"):
        read_annotated(tmp_path)
    with pytest.raises(DocumentError, match=r"no one\.txt beside it"):
        read_annotated(written(tmp_path / "one.ann", "T1\tA 0 1\tx\n"))
    written(tmp_path / "one.txt", "")
    with pytest.raises(MalformedData, match=r"one\.ann, line 1"):
        read_annotated(tmp_path)


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_nothing_but_our_errors_comes_of_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = written(tmp_path_factory.getbasetemp() / "any", data)
    try:
        found = read_annotated(path)
    except WithholdError:
        return
    assert all(each.span.end <= len(text.text) for text in found for each in text.mentions)

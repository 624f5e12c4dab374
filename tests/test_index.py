"""The embedded corpus, against the plainest one there is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.plain_corpus import PlainCorpus
from withhold.corpora.index import Index, Writer

WORDS = ["a", "b", "c", "dé", "Éa", "new", "York", "x1", "straße", "ИВАН", "O'Brien", "co-op"]
TERMS = st.one_of(
    st.sampled_from(WORDS),
    st.lists(st.sampled_from(WORDS), min_size=2, max_size=3).map(" ".join),
    st.lists(st.sampled_from([*WORDS, "new york", "!?"]), min_size=0, max_size=3).map(tuple),
    st.sampled_from(["", "…", "nowhere", "a nowhere"]),
)
TEXTS = st.lists(
    st.one_of(st.sampled_from(WORDS), st.sampled_from([".", ", ", "\n", "\n\n", " \n \n", "\r\n\r\n", "-\n"])),
    max_size=30,
).map(" ".join)
NAMES = st.sampled_from(["one", "two", "three", "four", "five", "six\n", "", "näme", "x" * 5000])
ADD = st.tuples(NAMES, st.sampled_from(["", "A title\nof two lines", "T"]), TEXTS)
STEPS = st.lists(st.one_of(ADD, ADD, NAMES, st.just(None)), max_size=25)


def build(folder: Path, steps: list[object]) -> PlainCorpus:
    """What an index and a plain list of documents become by the same steps: add, delete (a name), commit (None)."""
    kept: dict[str, tuple[str, str, str]] = {}
    with Writer(folder) as writer:
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
    return PlainCorpus(list(kept.values()))


def agree(ours: Index, plain: PlainCorpus, sets: list[list[object]], topic: object) -> None:
    terms = list(dict.fromkeys(term for terms in sets for term in terms))
    for unit in ("document", "paragraph"):
        assert ours.size(unit) == plain.size(unit)
        np.testing.assert_array_equal(
            ours.count_matrix(terms, unit),
            plain.count_matrix(terms, unit).reshape(len(terms), -1) if terms else np.zeros((0, 0)),
        )
        np.testing.assert_array_equal(
            ours.count_matrix(terms, unit, topic), plain.count_matrix(terms, unit, topic) if terms else np.zeros((0, 0))
        )
        np.testing.assert_array_equal(ours.count_all(sets, unit), plain.count_all(sets, unit))
        np.testing.assert_array_equal(ours.occurrences(terms, unit).toarray(), plain.occurrences(terms, unit).toarray())
    for depth in (1, 3):
        for match in ("all", "any"):
            assert ours.tells(sets, topic, depth, match).tolist() == plain.tells(sets, topic, depth, match).tolist()
        assert ours.holding(sets, depth) == plain.holding(sets, depth)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS, st.lists(st.lists(TERMS, max_size=4), max_size=4), TERMS, st.sets(NAMES, max_size=3))
def test_it_counts_and_ranks_as_the_plain_corpus_does(
    tmp_path_factory: pytest.TempPathFactory, steps, sets, topic, left_out
) -> None:
    folder = tmp_path_factory.mktemp("index")
    plain = build(folder, steps)
    ours = Index(folder)
    assert list(ours.names()) == plain.names()
    assert list(ours.titles()) == plain.titles()
    assert [ours.text(name) for name in ours.names()] == [plain.text(name) for name in plain.names()]
    assert ours.lengths().tolist() == plain.lengths().tolist()
    assert ours.bounds().tolist() == plain.bounds().tolist()
    agree(ours, plain, sets, topic)
    agree(ours.without(left_out), plain.without(left_out), sets, topic)

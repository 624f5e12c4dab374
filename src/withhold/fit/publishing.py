"""A whole corpus, marked in part, as it may be published: what is marked goes, and what models find that have learnt
from the marked documents goes from all.

A marked document is read by models that have learnt from others: they hide in it what they would hide in any.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from withhold.codec import Value
from withhold.errors import NotFitted, OutputError
from withhold.files import is_there, write
from withhold.fit.annotated import Annotated, read_annotated
from withhold.fit.greedy import Costs, chosen, make, words
from withhold.learners.sieve import Sieve, Sifted, runs
from withhold.learners.tokens import cut
from withhold.policy import Policy
from withhold.spans import Span

FOLDS = 4


@dataclass(frozen=True, slots=True)
class Published(Value):
    """What was written: documents, how many of them were marked, the share of all words that is published, and what is
    known of the models. How much that is sensitive is left, `sieve` estimates from the marked documents.
    """

    output: str
    documents: int
    labelled: int
    words: int
    publish_ratio: float
    sieve: Sifted


def publish(source: str | Path, output: str | Path, policy: Policy, *, overwrite: bool = False) -> Published:
    """Write the texts of a corpus as JSON lines (`document`, its number, and `text`) with the mark of the policy in
    place of what is sensitive. Names, groups and annotations of the records are not written.

    Raises:
        DocumentError, MalformedData: if the corpus cannot be read.
        NotFitted: if there are not two marked documents that differ.
        OutputError: if the output is there already.
    """
    output = Path(output)
    if is_there(output) and (not overwrite or output.resolve() == Path(source).resolve()):
        raise OutputError(f"{output} is there already; choose another name, or overwrite it if it is not the corpus")
    documents = read_annotated(source, bare=True)
    sieve, spans = _learnt(documents, policy)
    lines, total, off = [], 0, 0
    for number, document in enumerate(documents):
        tokens = cut(document.text)
        if number not in spans:
            spans[number] = [spot.span for spot in sieve.spots(document.text)]
        counted = words(tokens)
        total += int(counted.sum())
        off += sum(int(counted[list(tokens.covered(span))].sum()) for span in spans[number])
        text = hide(document.text, spans[number], policy.operators.mark)
        lines.append(json.dumps({"document": number + 1, "text": text}, ensure_ascii=False))
    write(output, ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass"), overwrite=overwrite)
    labelled = sum(document.annotators > 0 for document in documents)
    return Published(str(output), len(documents), labelled, total, 1 - off / max(1, total), sieve.description)


def _learnt(documents: list[Annotated], policy: Policy) -> tuple[Sieve, dict[int, list[Span]]]:
    """What was learnt from the marked documents, and what goes from each of them, by their numbers."""
    asked = policy.publishing
    numbers = [n for n, each in enumerate(documents) if each.annotators and len(cut(each.text))]
    if not numbers:
        raise NotFitted("no document of the corpus is marked, so there is nothing to learn from; mark some of them")
    sieve, hidden = make(
        chosen([documents[n] for n in numbers], asked.labels),
        costs=Costs(asked.loss, asked.worth),
        learners=asked.learners,
        rule=asked.rule,
        folds=FOLDS,
    )
    spans = {}
    for number, flags in zip(numbers, hidden, strict=True):
        tokens = cut(documents[number].text)
        spans[number] = [tokens.span(first, last) for first, last in runs(flags)]
    return sieve, spans


def hide(text: str, spans: Iterable[Span], mark: str) -> str:
    """The text with a mark in place of each span; spans are in order and do not overlap."""
    kept, start = [], 0
    for span in spans:
        kept += [text[start : span.start], mark]
        start = span.end
    return "".join([*kept, text[start:]])

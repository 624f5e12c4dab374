"""OpenSearch, and what speaks like it: a search server of one's own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from urllib.parse import quote

from withhold.codec import decode
from withhold.corpora.remote.asking import SearchCorpus
from withhold.corpora.remote.questions import Answer, Question
from withhold.corpora.remote.searxng import authorisation
from withhold.corpora.remote.web import LARGEST_COUNT, rows, table, text
from withhold.errors import CorpusError, MalformedData
from withhold.types import Hit
from withhold.wire import Request, Wire

_NAME = re.compile(r"[^\s/\\*?\"<>|,#:]+")
_TOPIC = "topic"


class OpenSearch(SearchCorpus):
    """Asks the index and the field of `corpus.collection` (`pages:text`) by `_msearch`, many queries in a request.

    Counts are exact: an answer that is not whole, because a shard failed or time ran out, is an error. What counts as
    the same word is up to the analyser of the field: use one that folds case and accents, and does not stem. Whether a
    document holds a topic is decided by the server on all of its text.
    """

    kind = "opensearch"
    batch: ClassVar = 50
    refusals: ClassVar = {404: "has no such index (404); check corpus.url and corpus.collection"}

    def _promise(self) -> str:
        return "Counts are those of the server, not estimates."

    def _missing(self) -> str:
        index, _, field = (self.background.collection or "").partition(":")
        good = _NAME.fullmatch(index) and not index.startswith(("_", "-", "+", ".")) and _NAME.fullmatch(field)
        return "" if good else 'corpus.collection: give the index of opensearch and its field, as in "pages:text"'

    @property
    def _field(self) -> str:
        return (self.background.collection or "").partition(":")[2]

    def _query(self, question: Question) -> str:
        body: dict[str, Any] = {
            "query": self._clause(question),
            "size": question.hits,
            "track_total_hits": True,
            "_source": ["title"] if question.kind != "terms" else False,
        }
        if question.kind != "terms":
            shown = {"number_of_fragments": 3, "fragment_size": 400, "pre_tags": [""], "post_tags": [""]}
            body["highlight"] = {"fields": {self._field: shown}}
        return json.dumps(body, sort_keys=True)

    def _clause(self, question: Question) -> dict[str, Any]:
        if not question.groups:
            return {"match_all": {}}
        if question.kind == "words":
            return {"match": {self._field: {"query": question.groups[0][0]}}}
        if question.match == "any":
            return self._also(self._any([phrase for group in question.groups for phrase in group]), question.topic)
        return self._also({"bool": {"must": [self._any(group) for group in question.groups]}}, question.topic)

    def _any(self, phrases: Sequence[str]) -> dict[str, Any]:
        clauses = [{"match_phrase": {self._field: {"query": phrase}}} for phrase in phrases]
        return clauses[0] if len(clauses) == 1 else {"bool": {"should": clauses, "minimum_should_match": 1}}

    def _also(self, clause: dict[str, Any], topic: Sequence[str]) -> dict[str, Any]:
        """Let the server mark the documents that hold the topic, which changes neither what is found nor its rank."""
        if not topic:
            return clause
        clauses = [{"match_phrase": {self._field: {"query": phrase}}} for phrase in topic]
        marked = {"bool": {"should": clauses, "minimum_should_match": 1, "boost": 0, "_name": _TOPIC}}
        return {"bool": {"must": [clause], "should": [marked]}}

    def _said(self, wire: Wire, queries: Sequence[str]) -> Sequence[Any]:
        index = quote((self.background.collection or "").partition(":")[0], safe="")
        headers = {"Content-Type": "application/x-ndjson"}
        if self._key:
            headers["Authorization"] = authorisation(self._key)
        body = "".join(f"{{}}\n{query}\n" for query in queries).encode("ascii")
        request = Request("POST", f"{wire.address.path}/{index}/_msearch", body, headers, len(queries))
        try:
            said = decode(tuple[object, ...], table(wire.ask(request), "answer").get("responses"), "responses")
        except MalformedData as error:
            raise CorpusError(f"{self.kind} does not answer as it should: {error}") from None
        if len(said) != len(queries):
            raise CorpusError(f"{self.kind} does not answer as it should: {len(queries)} answers expected")
        return list(said)

    def _read(self, query: str, raw: Any) -> Answer:
        data = table(raw, "response")
        if "error" in data:
            status = decode(int, data.get("status", 0), "status")
            raise CorpusError(f"opensearch refuses a query ({status}); is the field of corpus.collection a text field?")
        failed = decode(int, table(data.get("_shards", {}), "_shards").get("failed", 0), "_shards.failed")
        if failed or decode(bool, data.get("timed_out", False), "timed_out") or data.get("terminated_early"):
            raise CorpusError("opensearch gives part of an answer: a shard failed, or time ran out; try again later")
        found = table(data.get("hits"), "hits")
        total = table(found.get("total"), "hits.total")
        value = decode(int, total.get("value"), "hits.total.value")
        if not 0 <= value < LARGEST_COUNT:
            raise MalformedData("hits.total.value: expected a number of documents")
        listed = rows(found.get("hits", ()), "hits.hits")
        told = tuple(_TOPIC in decode(tuple[str, ...], each.get("matched_queries", ()), "matched") for each in listed)
        exact = decode(str, total.get("relation"), "hits.total.relation") == "eq"
        return Answer(value, "exact" if exact else "at least", tuple(map(self._hit, listed)), told)

    def _hit(self, data: Mapping[str, Any]) -> Hit:
        source, shown = table(data.get("_source") or {}, "_source"), table(data.get("highlight") or {}, "highlight")
        title = source.get("title")
        fragments = decode(tuple[str, ...], shown.get(self._field, ()), "highlight")
        return Hit(
            document=text(data.get("_id"), "_id"),
            title=text(title, "title") if isinstance(title, str) else "",
            snippet=" … ".join(text(each, "highlight") for each in fragments),
            score=decode(float | None, data.get("_score"), "_score") or 0.0,
        )

    def _tells(self, question: Question, answer: Answer) -> bool:
        return any(answer.told[: question.hits])

"""Brave's web search API, and others that answer alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from urllib.parse import urlencode

from withhold.codec import decode
from withhold.corpora.remote.questions import Answer, holds
from withhold.corpora.remote.web import WebSearch, result, rows, table, text
from withhold.types import Hit
from withhold.wire import Request, Wire

_PAGE = 20
_PATH = "/res/v1/web/search"


class Brave(WebSearch):
    """Asks `corpus.url` with the key of `corpus.key` in the header `X-Subscription-Token`.

    The API gives no total. A count is the number of results on a page of 20: exact enough for rare sets of terms, and
    for frequent ones a lower bound that says nothing but "20 or more". Ratios of two such counts mean little; `tells`,
    which reads what is found, does not suffer.
    """

    kind = "brave"
    longest: ClassVar = (400, 50)
    refusals: ClassVar = {422: "does not take the query or the key (422); check the file of corpus.key"}

    def _promise(self) -> str:
        return f"Counts end at {_PAGE}, since the engine gives no totals."

    def _bound(self) -> str:
        return f"brave shows {_PAGE} results and no total: a count is a lower bound"

    def _missing(self) -> str:
        return "" if self._key else "corpus.key is not given: the policy must name a file with the key of brave"

    def _said(self, wire: Wire, queries: Sequence[str]) -> Sequence[Any]:
        asked = {"q": queries[0], "count": _PAGE, "safesearch": "off", "spellcheck": 0, "text_decorations": 0}
        only = {"result_filter": "web,query", "extra_snippets": 1}
        target = f"{wire.address.path or _PATH}?{urlencode(asked | only)}"
        return [wire.ask(Request("GET", target, headers={"X-Subscription-Token": self._key or ""}))]

    def _read(self, query: str, raw: Any) -> Answer:
        data = table(raw, "answer")
        web = table(data.get("web") or {}, "web")
        hits = tuple(_hit(each) for each in rows(web.get("results") or (), "web.results"))
        said = table(data.get("query") or {}, "query")
        if decode(str | None, said.get("altered"), "query.altered"):  # the results are those of another query
            hits = tuple(hit for hit in hits if _fits(query, hit))
            return Answer(len(hits), "at least", hits)
        more = decode(bool | None, said.get("more_results_available"), "query.more_results_available")
        return Answer(len(hits), "at least" if more or len(hits) >= _PAGE else "estimate", hits)


def _hit(data: Mapping[str, Any]) -> Hit:
    more = decode(tuple[str, ...], data.get("extra_snippets") or (), "extra_snippets")
    return result(data, text(data.get("description"), "description"), *(text(each, "extra_snippets") for each in more))


def _fits(query: str, hit: Hit) -> bool:
    """Whether what is shown of a result has one of the phrases, which is the least that can be asked."""
    return holds(f"{hit.title}\n{hit.snippet}", [each for each in query.split('"')[1::2] if each])

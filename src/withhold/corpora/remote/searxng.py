"""SearXNG: a metasearch engine that anyone can run (`/search` with `format=json`)."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Sequence
from typing import Any, ClassVar
from urllib.parse import urlencode

from withhold.codec import decode
from withhold.corpora.remote.questions import Answer
from withhold.corpora.remote.web import LARGEST_COUNT, WebSearch, result, rows, table, text
from withhold.errors import CorpusError, MalformedData
from withhold.wire import Request, Wire

SCHEMES = ("Basic ", "Bearer ", "ApiKey ")


class Searxng(WebSearch):
    """Asks the engines behind a SearXNG, which see its address in place of yours.

    Queries are posted, so that they do not stand in the logs of web servers. A total is what SearXNG makes of the
    engines' own estimates; old versions often have none and new ones never: then the results of the first page are
    counted, and the count is a lower bound. If no engine found anything and one did not respond, nothing is known, and
    that is an error.
    """

    kind = "searxng"
    refusals: ClassVar = {403: "refuses to answer (403); its settings must list json under search.formats"}

    def _promise(self) -> str:
        return "SearXNG passes them on to the engines it is set up with. Counts are estimates or lower bounds."

    def _bound(self) -> str:
        return "searxng gave no total: a count is the number of results on its first page"

    def _said(self, wire: Wire, queries: Sequence[str]) -> Sequence[Any]:
        path = wire.address.path
        target = path if path.endswith("/search") else f"{path}/search"
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if self._key:
            headers["Authorization"] = authorisation(self._key)
        form = {"q": queries[0], "format": "json", "safesearch": "0"}
        return [wire.ask(Request("POST", target, urlencode(form).encode("ascii"), headers))]

    def _read(self, query: str, raw: Any) -> Answer:
        data = table(raw, "answer")
        hits = tuple(
            result(each, text(each.get("content"), "content")) for each in rows(data.get("results"), "results")
        )
        silent = decode(tuple[object, ...], data.get("unresponsive_engines", ()), "unresponsive_engines")
        if silent and not hits:
            raise CorpusError(
                f"searxng found nothing, but {len(silent)} of its engines did not respond; turn those off in its "
                "settings, or come back later"
            )
        given = decode(int | float | None, data.get("number_of_results"), "number_of_results") or 0
        if not math.isfinite(given) or not 0 <= given < LARGEST_COUNT:
            raise MalformedData("number_of_results: expected a number of documents")
        if given > len(hits):
            return Answer(int(given), "estimate", hits)
        return Answer(len(hits), "at least" if hits else "estimate", hits)


def authorisation(key: str) -> str:
    """The header for a key: `name:password`, a bare API key, or the header itself."""
    if key.startswith(SCHEMES):
        return key
    return f"Basic {b64encode(key.encode('ascii')).decode('ascii')}" if ":" in key else f"ApiKey {key}"

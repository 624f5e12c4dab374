"""Search engines on this machine, over real HTTP, that speak the languages of SearXNG, Brave and OpenSearch.

They read the whole of a query's syntax and refuse what they do not know, as the real ones do.
"""

from __future__ import annotations

import json
import math
import re
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from withhold.learners.features import words

Json = dict[str, Any]
Node = tuple[str, Any]


@dataclass
class Seen:
    """One request as it came in."""

    method: str
    path: str
    parameters: dict[str, str]
    headers: dict[str, str]
    body: bytes


@dataclass
class Engine:
    """Documents as (name, title, text), a log of what was asked, and what goes wrong next, in order."""

    documents: Sequence[tuple[str, str, str]]
    key: str = ""
    seen: list[Seen] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    troubles: list[Callable[[BaseHTTPRequestHandler], None]] = field(default_factory=list)
    trouble: Callable[[BaseHTTPRequestHandler], None] | None = None
    url: str = ""

    def answer(self, seen: Seen) -> tuple[int, Json]:
        raise NotImplementedError

    def held(self, number: int, phrase: str) -> int:
        """How often a document holds a phrase; paragraphs are not run together."""
        wanted = words(phrase)
        return sum(
            wanted == part[at : at + len(wanted)]
            for part in map(words, self.documents[number][2].split("\n\n"))
            for at in range(len(part) - len(wanted) + 1)
        )

    def score(self, number: int, phrase: str) -> float:
        """BM25."""
        size = len(self.documents)
        met = sum(self.held(other, phrase) > 0 for other in range(size))
        lengths = [len(words(text)) for _, _, text in self.documents]
        held, norm = self.held(number, phrase), 1.2 * (0.25 + 0.75 * lengths[number] / (sum(lengths) / size))
        return math.log(1 + (size - met + 0.5) / (met + 0.5)) * held * 2.2 / (held + norm)


class Web(Engine):
    """Words, phrases in quotes, OR between neighbours, brackets; one after the other means all of them."""

    def best(self, query: str) -> list[int]:
        self.queries.append(query)
        tree = _parse(query)
        fits = [number for number in range(len(self.documents)) if self._fits(number, tree)]
        return sorted(fits, key=lambda number: (-sum(self.score(number, each) for each in _leaves(tree)), number))

    def _fits(self, number: int, node: Node) -> bool:
        sort, inner = node
        if sort == "phrase":
            return self.held(number, inner) > 0
        return (all if sort == "all" else any)(self._fits(number, each) for each in inner)


@dataclass
class SearxngEngine(Web):
    """`totals`: true ones, as few versions have; zeros, as many have; or none, as the newest."""

    totals: str = "true"
    page: int = 10
    silent: tuple[tuple[str, str], ...] = ()

    def answer(self, seen: Seen) -> tuple[int, Json]:
        if seen.path != "/search" or seen.parameters.get("format") != "json":
            return 404, {}
        if not seen.parameters.get("q"):
            return 400, {"error": "No query"}
        if any(part[0] in "!:<?" for part in seen.parameters["q"].split()):
            return 302, {}  # a bang, a language or a time limit, wherever it stands: the query is not what it seems
        found = self.best(seen.parameters["q"])
        results = [
            {
                "url": name,
                "title": title,
                "content": text,
                "publishedDate": None,
                "engine": "plain",
                "template": "default.html",
                "parsed_url": ["https", "example.org", "/", "", "", ""],
                "engines": ["plain"],
                "positions": [place],
                "score": 1.0,
                "category": "general",
            }
            for place, (name, title, text) in enumerate((self.documents[n] for n in found[: self.page]), 1)
        ]
        data: Json = {"query": seen.parameters["q"], "results": results, "answers": [], "corrections": []}
        data |= {"infoboxes": [], "suggestions": [], "unresponsive_engines": [list(each) for each in self.silent]}
        return 200, data | {"true": {"number_of_results": len(found)}, "zero": {"number_of_results": 0}}.get(
            self.totals, {}
        )


@dataclass
class BraveEngine(Web):
    altered: bool = False

    def answer(self, seen: Seen) -> tuple[int, Json]:
        if seen.headers.get("x-subscription-token") != self.key:
            return 401, {"type": "ErrorResponse", "error": {"code": "SUBSCRIPTION_TOKEN_INVALID"}}
        asked = seen.parameters.get("q", "")
        if seen.path != "/res/v1/web/search" or seen.method != "GET":
            return 404, {}
        if not asked or len(asked) > 400 or len(asked.split()) > 50 or int(seen.parameters.get("count", 20)) > 20:
            return 422, {"type": "ErrorResponse", "error": {"code": "VALIDATION"}}
        found = self.best(asked)
        page = int(seen.parameters.get("count", 20))
        results = []
        for number in found[:page]:
            name, title, text = self.documents[number]
            shown, _, more = text.partition("\n\n")
            result: Json = {"type": "search_result", "subtype": "generic", "is_live": False, "language": "en"}
            result |= {"url": name, "title": title, "description": _escaped(shown), "family_friendly": True}
            results.append(result | ({"extra_snippets": [_escaped(more)]} if more else {}))
        query: Json = {"original": asked, "more_results_available": len(found) > page, "spellcheck_off": True}
        data: Json = {"type": "search", "query": query | ({"altered": "something else"} if self.altered else {})}
        web = {"type": "search", "results": results, "family_friendly": True}
        return 200, data | ({"web": web} if results else {})


@dataclass
class OpenSearchEngine(Engine):
    """One index, `pages`, with the fields `title` and `text`."""

    batches: list[int] = field(default_factory=list)

    def answer(self, seen: Seen) -> tuple[int, Json]:
        if self.key and seen.headers.get("authorization") != self.key:
            return 401, {}
        if seen.path != "/pages/_msearch":
            return 404, {"error": {"type": "index_not_found_exception"}, "status": 404}
        assert seen.headers["content-type"] == "application/x-ndjson"
        *lines, last = seen.body.decode("ascii").split("\n")
        if last or len(lines) % 2:
            return 400, {"error": {"reason": "The msearch request must be terminated by a newline"}, "status": 400}
        bodies = lines[1::2]
        self.queries += bodies
        self.batches.append(len(bodies))
        assert all(json.loads(header) == {} for header in lines[::2])
        return 200, {"took": 1, "responses": [self._search(json.loads(body)) for body in bodies]}

    def _search(self, body: Json) -> Json:
        if not set(body) <= {"query", "size", "track_total_hits", "_source", "highlight"}:
            return {"error": {"type": "parsing_exception"}, "status": 400}
        scored = [(self._match(number, body["query"]), number) for number in range(len(self.documents))]
        fits = sorted((-score, number, names) for (score, names), number in scored if score is not None)
        hits = [self._hit(number, -score, names, body) for score, number, names in fits[: body.get("size", 10)]]
        exact = body.get("track_total_hits") is True or len(fits) <= 10_000
        total = {"value": len(fits), "relation": "eq"} if exact else {"value": 10_000, "relation": "gte"}
        shards = {"total": 1, "successful": 1, "skipped": 0, "failed": 0}
        found = {"total": total, "max_score": hits[0]["_score"] if hits else None, "hits": hits}
        return {"took": 1, "timed_out": False, "_shards": shards, "hits": found, "status": 200}

    def _hit(self, number: int, score: float, names: Sequence[str], body: Json) -> Json:
        name, title, text = self.documents[number]
        hit: Json = {"_index": "pages", "_id": name, "_score": score}
        if body.get("_source"):
            hit["_source"] = {each: {"title": title, "text": text}[each] for each in body["_source"]}
        if names:
            hit["matched_queries"] = list(names)
        if "highlight" in body:
            ((wanted, how),) = body["highlight"]["fields"].items()
            assert how["pre_tags"] == how["post_tags"] == [""]
            hit["highlight"] = {wanted: text.split("\n\n")[: how["number_of_fragments"]]}
        return hit

    def _match(self, number: int, query: Json) -> tuple[float | None, list[str]]:
        """The score of a document, None if the query does not fit it, and the names of the clauses that do."""
        ((sort, inner),) = query.items()
        if sort == "match_all":
            return 1.0, []
        if sort == "bool":
            return self._bool(number, inner)
        ((wanted, asked),) = inner.items()
        assert wanted == "text"
        phrases = words(asked["query"]) if sort == "match" else [asked["query"]]
        assert sort in ("match", "match_phrase")
        met = [self.score(number, phrase) for phrase in phrases if self.held(number, phrase)]
        return (sum(met), []) if met else (None, [])

    def _bool(self, number: int, inner: Json) -> tuple[float | None, list[str]]:
        assert set(inner) <= {"must", "should", "minimum_should_match", "boost", "_name"}
        must = [self._match(number, each) for each in inner.get("must", [])]
        should = [self._match(number, each) for each in inner.get("should", [])]
        least = inner.get("minimum_should_match", 0 if must else 1)
        met = [each for each in should if each[0] is not None]
        if any(score is None for score, _ in must) or len(met) < least:
            return None, []
        names = [name for _, each in [*must, *met] for name in each]
        score = sum(score for score, _ in [*must, *met] if score is not None) * inner.get("boost", 1)
        return score, [*names, *([inner["_name"]] if "_name" in inner else [])]


_TOKEN = re.compile(r'"([^"]*)"|([()])|([^\s()"]+)')


def _parse(query: str) -> Node:
    tokens = [(quoted, bracket, bare) for quoted, bracket, bare in _TOKEN.findall(query)]
    tree, rest = _all_of(tokens)
    if rest:
        raise ValueError("a bracket too many")
    return tree


def _all_of(tokens: list[tuple[str, str, str]]) -> tuple[Node, list[tuple[str, str, str]]]:
    parts: list[Node] = []
    while tokens and tokens[0][1] != ")":
        part, tokens = _atom(tokens)
        alternatives = [part]
        while tokens and tokens[0][2] == "OR":
            part, tokens = _atom(tokens[1:])
            alternatives.append(part)
        parts.append(("any", alternatives) if len(alternatives) > 1 else alternatives[0])
    return ("all", parts), tokens


def _atom(tokens: list[tuple[str, str, str]]) -> tuple[Node, list[tuple[str, str, str]]]:
    (quoted, bracket, bare), *rest = tokens
    if bracket == "(":
        inner, rest = _all_of(rest)
        assert rest[0][1] == ")"
        return inner, rest[1:]
    assert not bracket
    return ("phrase", quoted or bare), rest


def _leaves(node: Node) -> Iterator[str]:
    sort, inner = node
    if sort == "phrase":
        yield inner
    else:
        for each in inner:
            yield from _leaves(each)


def _escaped(text: str) -> str:
    return f"<strong>{text.replace('&', '&amp;')}</strong>"


def plain(status: int, body: bytes, headers: Mapping[str, str] = {}) -> Callable[[BaseHTTPRequestHandler], None]:
    def reply(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in (
            {"Content-Length": str(len(body)), "Content-Type": "application/json"} | dict(headers)
        ).items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return reply


@contextmanager
def serving(engine: Engine, context: ssl.SSLContext | None = None) -> Iterator[Engine]:
    """The engine on a free port of this machine, until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            form = body.decode() if "urlencoded" in self.headers.get("Content-Type", "") else ""
            asked = dict(parse_qsl(parts.query) + parse_qsl(form))
            headers = {name.lower(): value for name, value in self.headers.items()}
            seen = Seen(self.command, parts.path, asked, headers, body)
            engine.seen.append(seen)
            trouble = engine.troubles.pop(0) if engine.troubles else engine.trouble
            if trouble is not None:
                try:
                    trouble(self)
                except OSError:
                    self.close_connection = True
                return
            status, data = engine.answer(seen)
            plain(status, json.dumps(data).encode())(self)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Nothing: the tests read `seen`."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """Clients that hang up are part of the tests."""

    server = Server(("127.0.0.1", 0), Handler)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=server.serve_forever, args=(0.005,), daemon=True)
    thread.start()
    engine.url = f"{'https' if context else 'http'}://127.0.0.1:{server.server_port}"
    try:
        yield engine
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

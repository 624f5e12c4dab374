"""Search engines as corpora: asked over real HTTP, and compared with counting by hand."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import socketserver
import ssl
import stat
import struct
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.plain_corpus import PlainCorpus
from tests.search_servers import BraveEngine, Engine, OpenSearchEngine, SearxngEngine, plain, serving
from withhold import Background, CorpusError, Policy
from withhold.corpora.remote.asking import SearchCorpus
from withhold.corpora.remote.brave import Brave
from withhold.corpora.remote.decoys import Decoys, _listed
from withhold.corpora.remote.opensearch import OpenSearch
from withhold.corpora.remote.pace import Pace, SharedPace
from withhold.corpora.remote.questions import Question
from withhold.corpora.remote.searxng import Searxng
from withhold.learners.features import words
from withhold.learners.stopwords import STOPWORDS
from withhold.wire import LARGEST, Address

DOCUMENTS = [
    ("https://a.example/1", "Harbour", "The ferry left the old harbour at noon.\n\nA storm was near & everyone knew."),
    ("https://a.example/2", "Storms", "A storm took the ferry. The harbour master saw it all, and wrote it down."),
    ("https://a.example/3", "Bakery", "The baker sold bread at noon, by the harbour."),
    ("https://a.example/4", "Café", "Café owners by the old mill sell bread and tea. Zoë is one of the owners."),
    ("https://a.example/5", "Mill", "The old mill ground flour for the baker. The storm broke its wheel."),
    ("https://a.example/6", "Lighthouse", "Nobody lives in the lighthouse since the storm took the keeper."),
]
TERMS = ["storm", "harbour", "old mill", "bread", ("ferry", "tea"), "cafe"]
SECRET = "zanzibarite"
FAST = 1e6

KINDS: dict[str, tuple[type[SearchCorpus], Callable[..., Engine]]] = {
    "searxng": (Searxng, SearxngEngine),
    "brave": (Brave, BraveEngine),
    "opensearch": (OpenSearch, OpenSearchEngine),
}


def opened(engine: Engine, kind: str, folder: Path, **more: Any) -> SearchCorpus:
    """A corpus at the engine, as a policy would name it."""
    (folder / "engine.key").write_text("s3cr3t-key\n")
    engine.key = {"brave": "s3cr3t-key", "opensearch": "ApiKey s3cr3t-key"}.get(kind, "")
    timing = {name: more.pop(name) for name in ("pace", "timeout") if name in more}
    settings = {"url": engine.url, "per_second": FAST, "key": "engine.key", "collection": "pages:text"} | more
    return KINDS[kind][0](Policy(corpus=Background(kind=kind, **settings), folder=str(folder)), **timing)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def engine(kind: str) -> Iterator[Engine]:
    with serving(KINDS[kind][1](DOCUMENTS)) as served:
        yield served


@pytest.fixture
def searxng() -> Iterator[SearxngEngine]:
    served = SearxngEngine(DOCUMENTS)
    with serving(served):
        yield served


# What is counted and found


def test_counts_are_those_of_a_plain_corpus(engine: Engine, kind: str, tmp_path: Path) -> None:
    corpus, oracle = opened(engine, kind, tmp_path), PlainCorpus(DOCUMENTS)
    assert np.array_equal(corpus.count_matrix(TERMS, "document"), oracle.count_matrix(TERMS, "document"))
    assert corpus.sent == len(TERMS) * (len(TERMS) + 1) / 2
    expected = oracle.count_matrix(TERMS, "document", given=("noon", "owners"))
    assert np.array_equal(corpus.count_matrix(TERMS, "document", given=("noon", "owners")), expected)
    sets = [("storm", "harbour", "noon"), ("storm",), (("tea", "bread", "flour"), "old mill"), ("nowhere",)]
    counts = corpus.count_all(sets, "document")
    assert counts.dtype == np.int64
    assert np.array_equal(counts, oracle.count_all(sets, "document"))


def test_no_terms_and_no_sets_cost_nothing(engine: Engine, kind: str, tmp_path: Path) -> None:
    corpus = opened(engine, kind, tmp_path)
    assert corpus.count_matrix([], "document").shape == (0, 0)
    assert corpus.count_all([], "document").shape == (0,)
    assert corpus.tells([], "storm", 5, "all").dtype == np.bool_
    assert corpus.contains([]) == []
    assert corpus.search("?!", 3) == []
    assert not engine.seen


@pytest.mark.parametrize("match", ["all", "any"])
@pytest.mark.parametrize("depth", [1, 2, 5])
def test_what_tells(engine: Engine, kind: str, tmp_path: Path, match: Any, depth: int) -> None:
    corpus, oracle = opened(engine, kind, tmp_path), PlainCorpus(DOCUMENTS)
    sets = [("storm",), ("harbour", "noon"), ("old mill", "bread"), ("bread",), ("keeper",), ("nowhere",)]
    for topic in ("ferry", ("baker", "flour"), "zoe"):
        told = corpus.tells(sets, topic, depth, match)
        assert np.array_equal(told, oracle.tells(sets, topic, depth, match))


def test_documents_that_hold_terms(engine: Engine, kind: str, tmp_path: Path) -> None:
    corpus, oracle = opened(engine, kind, tmp_path), PlainCorpus(DOCUMENTS)
    sets = [("storm",), ("harbour", "ferry"), ("nowhere",)]
    assert corpus.holding(sets, 2) == oracle.holding(sets, 2)


def test_search_shows_documents(engine: Engine, kind: str, tmp_path: Path) -> None:
    hits = opened(engine, kind, tmp_path).search("storm lighthouse", 1)
    assert [(hit.document, hit.title) for hit in hits] == [("https://a.example/6", "Lighthouse")]
    assert "keeper" in hits[0].snippet
    assert "<" not in hits[0].snippet


def test_sentences_found_as_they_stand(engine: Engine, kind: str, tmp_path: Path) -> None:
    found = opened(engine, kind, tmp_path).contains(
        [
            'The harbour-master saw it all, and "wrote" it down.',
            "A storm was near & everyone knew.",
            "The harbour master saw nothing at all, and wrote it down.",
            "ferry harbour",
        ]
    )
    assert [hit and hit.document for hit in found] == ["https://a.example/2", "https://a.example/1", None, None]


def test_a_sentence_is_not_believed_to_be_there_unless_it_is_shown(searxng: SearxngEngine, tmp_path: Path) -> None:
    searxng.documents = [("https://a.example/9", "Loose", "An engine that takes quotes lightly shows this.")]
    searxng.best = lambda query: [0]  # type: ignore[method-assign]
    assert opened(searxng, "searxng", tmp_path).contains(["The ferry left the old harbour at noon."]) == [None]


def test_paragraphs_are_counted_as_documents_and_that_is_told(engine: Engine, kind: str, tmp_path: Path) -> None:
    corpus = opened(engine, kind, tmp_path)
    assert corpus.count_all([("ferry", "knew")], "paragraph").tolist() == [1]
    assert "paragraphs were asked for, and documents counted (1 times)" in corpus.notes()


def test_the_size_is_known_only_of_a_server_of_ones_own(tmp_path: Path) -> None:
    with serving(OpenSearchEngine(DOCUMENTS)) as engine:
        corpus = opened(engine, "opensearch", tmp_path)
        assert (corpus.size("document"), corpus.notes()) == (len(DOCUMENTS), ())
    with serving(SearxngEngine(DOCUMENTS)) as engine:
        corpus = opened(engine, "searxng", tmp_path)
        assert corpus.size("document") == 10**10
        assert any("nobody knows" in note for note in corpus.notes())
        with pytest.raises(CorpusError, match="no terms at all"):
            corpus.count_all([()], "document")
        assert not engine.seen


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_counts_of_any_corpus(engine: Engine, kind: str, tmp_path: Path, data: st.DataObject) -> None:
    listed = ["red", "Blue", "grün", "or", "AND", "NOT", "x-ray", "(a)", "42", "site:b", "-c", "!g", "!!d", ":fr"]
    word = st.sampled_from(listed)
    phrase = st.lists(word, min_size=1, max_size=3).map(" ".join)
    texts = data.draw(st.lists(st.lists(phrase, min_size=1, max_size=4).map(". ".join), min_size=1, max_size=6))
    term = phrase | st.lists(phrase, min_size=1, max_size=3).map(tuple)
    sets = data.draw(st.lists(st.lists(term, min_size=1, max_size=3), min_size=1, max_size=4))
    engine.documents = [(f"d{number}", "", text) for number, text in enumerate(texts)]
    expected = PlainCorpus(engine.documents).count_all(sets, "document")
    assert np.array_equal(opened(engine, kind, tmp_path).count_all(sets, "document"), expected)


def test_many_queries_go_in_few_requests_to_a_server_of_ones_own(tmp_path: Path) -> None:
    served = OpenSearchEngine(DOCUMENTS)
    with serving(served):
        opened(served, "opensearch", tmp_path).count_matrix([f"w{number}" for number in range(15)], "document")
    assert served.batches == [50, 50, 20]


# How sure a count is


def test_a_count_without_a_total_is_a_lower_bound_and_that_is_told(searxng: SearxngEngine, tmp_path: Path) -> None:
    for totals, sure in (("zero", False), ("none", False), ("true", True)):
        searxng.totals, searxng.page = totals, 2
        corpus = opened(searxng, "searxng", tmp_path)
        assert corpus.count_all([("storm",)], "document").tolist() == [4 if sure else 2]
        assert any("first page" in note for note in corpus.notes()) is not sure


def test_brave_counts_to_twenty(tmp_path: Path) -> None:
    many = [(f"https://a.example/{number}", "", f"common word{number}") for number in range(25)]
    with serving(BraveEngine(many)) as engine:
        corpus = opened(engine, "brave", tmp_path)
        assert corpus.count_all([("common",), ("word3",)], "document").tolist() == [20, 1]
        assert any("lower bound (1 times)" in note for note in corpus.notes())


def test_results_of_another_query_are_not_counted(tmp_path: Path) -> None:
    served = BraveEngine(DOCUMENTS, altered=True)
    served.best = lambda query: [0, 1, 3]  # type: ignore[method-assign]
    with serving(served):
        assert opened(served, "brave", tmp_path).count_all([("ferry",)], "document").tolist() == [2]


def test_nothing_found_by_engines_that_do_not_respond_is_no_zero(searxng: SearxngEngine, tmp_path: Path) -> None:
    searxng.silent = (("google", "timeout"),)
    corpus = opened(searxng, "searxng", tmp_path)
    assert corpus.count_all([("storm",)], "document").tolist() == [4]
    with pytest.raises(CorpusError, match="did not respond"):
        corpus.count_all([("nowhere",)], "document")


PARTIAL = [
    {"_shards": {"failed": 1}},
    {"timed_out": True},
    {"terminated_early": True},
    {"error": {"type": "x"}, "status": 400},
]


@pytest.mark.parametrize("fault", PARTIAL)
def test_part_of_an_answer_is_no_answer(tmp_path: Path, fault: dict[str, Any]) -> None:
    whole = {
        "timed_out": False,
        "_shards": {"failed": 0},
        "hits": {"total": {"value": 3, "relation": "eq"}, "hits": []},
    }
    with serving(OpenSearchEngine(DOCUMENTS)) as engine:
        engine.trouble = plain(200, json.dumps({"responses": [whole | fault]}).encode())
        with pytest.raises(CorpusError, match="opensearch"):
            opened(engine, "opensearch", tmp_path).count_all([(SECRET,)], "document")
        engine.trouble = plain(200, json.dumps({"responses": [whole]}).encode())
        assert opened(engine, "opensearch", tmp_path).count_all([(SECRET,)], "document").tolist() == [3]


# What goes wrong


def drip(handler: BaseHTTPRequestHandler) -> None:
    """An answer that never stops coming, and never hangs long enough for a socket to time out."""
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.02)


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"results": [')
    handler.close_connection = True


def stammer(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"zanzibarite? never heard of\r\n\r\n")
    handler.close_connection = True


ELSEWHERE = {"Location": f"https://elsewhere.example/search?q={SECRET}"}
WRONG = {
    "not found": (plain(404, b"{}"), "404"),
    "server error": (plain(500, SECRET.encode()), "500"),
    "refused": (plain(401, b"{}"), "key"),
    "redirect": (plain(302, b"", ELSEWHERE), "another address"),
    "redirect that keeps the method": (plain(307, b"", ELSEWHERE), "another address"),
    "redirect to another port": (plain(308, b"", {"Location": "http://127.0.0.1:1/search"}), "another address"),
    "not JSON": (plain(200, f"<html>{SECRET}".encode()), "JSON"),
    "truncated": (plain(200, b'{"results": [{"url": "https'), "JSON"),
    "no number": (plain(200, b'{"results": [], "number_of_results": NaN}'), "JSON"),
    "nested": (plain(200, b"[" * 100_000), "JSON"),
    "hangs up": (hang_up, "answer|JSON"),
    "no HTTP": (stammer, "HTTP"),
    "huge": (plain(200, b" " * (LARGEST + 1)), "16 MB"),
    "slow": (drip, "within"),
    "wrong types": (
        plain(200, b'{"results": {"zanzibarite": 1}, "responses": 3, "web": [3]}'),
        "expected|as it should",
    ),
    "a list": (plain(200, b'["zanzibarite"]'), "expected"),
    "wrong numbers": (
        plain(
            200,
            b'{"results": [], "number_of_results": -1, "web": {"results": 1}, "responses": [{"hits": {"total": '
            b'{"value": true, "relation": "eq"}}}]}',
        ),
        "expected",
    ),
    "wrong texts": (
        plain(
            200,
            b'{"results": [{"url": ["zanzibarite"]}], "web": {"results": [{"url": 3}]}, "responses": [{"hits": '
            b'{"total": {"value": 1, "relation": "eq"}, "hits": [{"_id": 7}]}}]}',
        ),
        "expected",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_errors_say_what_is_wrong_and_nothing_of_the_query(
    engine: Engine, kind: str, tmp_path: Path, wrong: str
) -> None:
    engine.trouble, said = WRONG[wrong]
    corpus = opened(engine, kind, tmp_path, timeout=0.3 if wrong == "slow" else 10.0)
    with pytest.raises(CorpusError, match=said) as caught:
        corpus.count_all([(SECRET, "harbour")], "document")
    told = "".join(traceback.format_exception(caught.value)) + repr(corpus) + repr({**vars(corpus), "_key": ""})
    assert SECRET not in told.lower()
    assert "s3cr3t" not in told
    assert len(engine.seen) == 1


def test_an_engine_that_is_not_there(kind: str, tmp_path: Path) -> None:
    with serving(KINDS[kind][1](DOCUMENTS)) as engine:
        pass
    with pytest.raises(CorpusError, match="cannot be reached"):
        opened(engine, kind, tmp_path).count_all([(SECRET,)], "document")


def test_a_redirect_on_the_same_host_is_followed_and_only_so_far(searxng: SearxngEngine, tmp_path: Path) -> None:
    onwards = plain(307, b"", {"Location": "/search"})
    searxng.troubles = [onwards]
    assert opened(searxng, "searxng", tmp_path).count_all([("storm",)], "document").tolist() == [4]
    assert [seen.method for seen in searxng.seen] == ["POST", "POST"]
    searxng.trouble = onwards
    with pytest.raises(CorpusError, match="another address"):
        opened(searxng, "searxng", tmp_path).count_all([("storm",)], "document")


def test_a_connection_that_was_closed_is_opened_anew(searxng: SearxngEngine, tmp_path: Path) -> None:
    def answer_and_leave(handler: BaseHTTPRequestHandler) -> None:
        plain(200, b'{"results": []}')(handler)
        handler.close_connection = True  # without a word of it in the headers

    searxng.troubles = [answer_and_leave]
    corpus = opened(searxng, "searxng", tmp_path)
    assert sorted(corpus.count_all([("storm",), ("a storm",), ("storm took",)], "document").tolist())[0] == 0
    assert (corpus.sent, len(searxng.seen)) == (3, 3)


def test_a_term_without_a_word_is_refused_before_anything_is_sent(engine: Engine, kind: str, tmp_path: Path) -> None:
    for nothing in ("", "?!", ("storm", "  "), ()):
        with pytest.raises(CorpusError, match="without a word"):
            opened(engine, kind, tmp_path).count_all([("storm",), (nothing,)], "document")
    assert not engine.seen


def test_a_query_that_is_too_long_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    with serving(BraveEngine(DOCUMENTS)) as engine:
        corpus = opened(engine, "brave", tmp_path)
        with pytest.raises(CorpusError, match="50 words") as caught:
            corpus.count_all([("storm",), (tuple(f"{SECRET}{number}" for number in range(40)),)], "document")
        assert SECRET not in str(caught.value)
        assert not engine.seen
        long = "The harbour master saw it all, and wrote it down. " * 20
        assert corpus.contains([long]) == [None]
        assert len(engine.queries[0].split()) == 30


def test_what_a_policy_does_not_say_is_named(kind: str, tmp_path: Path) -> None:
    component = KINDS[kind][0]
    corpus = component.from_policy(Policy())
    assert "Nothing is sent" in corpus.statement()
    assert corpus.fresh().notes() == ()
    for use in (
        lambda: corpus.size("document"),
        lambda: corpus.count_matrix(["a"], "document"),
        lambda: corpus.tells([["a"]], "b", 1, "all"),
        lambda: corpus.holding([["a"]], 1),
        lambda: corpus.search("a", 1),
        lambda: corpus.contains(["a b"]),
    ):
        with pytest.raises(CorpusError, match=r"corpus\.url is not given"):
            use()
    if kind != "searxng":
        bare = component(Policy(corpus=Background(kind=kind, url="localhost:1"), folder=str(tmp_path)))
        with pytest.raises(CorpusError, match=r"corpus\.(key|collection)"):
            bare.count_all([("a",)], "document")


@pytest.mark.parametrize("content", [b"", b"\n", "schl\u00fcssel".encode(), b"two\nlines", b"a\x00b"])
def test_a_key_that_is_none(tmp_path: Path, content: bytes) -> None:
    with serving(SearxngEngine(DOCUMENTS)) as engine:
        corpus = opened(engine, "searxng", tmp_path)
        (tmp_path / "engine.key").write_bytes(content)
        with pytest.raises(CorpusError, match=r"corpus\.key"):
            corpus.count_all([("storm",)], "document")
        assert not engine.seen


@pytest.mark.parametrize(
    ("key", "header"),
    [("user:word", "Basic dXNlcjp3b3Jk"), ("os_x", "ApiKey os_x"), ("Bearer abc", "Bearer abc")],
)
def test_keys_of_servers(tmp_path: Path, key: str, header: str) -> None:
    with serving(OpenSearchEngine(DOCUMENTS)) as engine:
        corpus = opened(engine, "opensearch", tmp_path)
        (tmp_path / "engine.key").write_text(key)
        engine.key = header
        assert corpus.count_all([("storm",)], "document").tolist() == [4]


@pytest.mark.parametrize(
    "collection", [None, "", "pages", ":text", "_all:text", "a,b:text", "a/b:text", "p*:t", "a:b c"]
)
def test_collections_that_are_none(tmp_path: Path, collection: str | None) -> None:
    with serving(OpenSearchEngine(DOCUMENTS)) as engine:
        with pytest.raises(CorpusError, match=r"corpus\.collection"):
            opened(engine, "opensearch", tmp_path, collection=collection).count_all([("storm",)], "document")
        assert not engine.seen


# Where it goes


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://s.example", "https://s.example"),
        ("s.example/sub/", "https://s.example"),
        ("s.example:8443", "https://s.example:8443"),
        ("http://s.example", "http://s.example"),
        ("localhost:8888", "http://localhost:8888"),
        ("127.0.0.1", "http://127.0.0.1"),
        ("[::1]:9200", "http://[::1]:9200"),
        ("HTTPS://S.Example", "https://s.example"),
        ("localhost.example", "https://localhost.example"),
    ],
)
def test_addresses(url: str, expected: str) -> None:
    assert Address.of(url).url == expected


@pytest.mark.parametrize(
    "url",
    [
        "",
        "https://",
        "ftp://s.example",
        "file:///etc/passwd",
        "https://user:word@s.example",
        "https://@s.example",
        "https://s.example/?key=1",
        "https://s.example/#x",
        "https://s.example:port",
        "https://s.example:99999",
        "https://[::1",
        "https://s.example/\r\nX: y",
        "https://a b",
    ],
)
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(CorpusError, match=r"corpus\.url") as caught:
        Address.of(url)
    assert "word" not in str(caught.value).replace("passwords", "")


def certificate(folder: Path) -> Path:
    """A certificate for this machine and one called search.test, which nobody has vouched for, with its key."""
    from ipaddress import ip_address

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    names = [x509.IPAddress(ip_address("127.0.0.1")), x509.DNSName("search.test")]
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "server.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture
def encrypted(tmp_path: Path) -> Iterator[SearxngEngine]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(tmp_path))
    served = SearxngEngine(DOCUMENTS)
    with serving(served, context):
        yield served


def test_certificates_are_checked(encrypted: SearxngEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CorpusError, match="certificate"):
        opened(encrypted, "searxng", tmp_path).count_all([(SECRET,)], "document")
    assert not encrypted.seen
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "server.pem"))
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:1")  # not for what is on this machine
    assert opened(encrypted, "searxng", tmp_path).count_all([("storm",)], "document").tolist() == [4]


def test_a_proxy_is_told_the_host_and_nothing_else(
    encrypted: SearxngEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bytes] = []

    class Proxy(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while (line := self.rfile.readline()) not in (b"\r\n", b""):
                seen.append(line)
            self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
            there = socket.create_connection(("127.0.0.1", int(encrypted.url.rpartition(":")[2])))
            back = threading.Thread(target=carry, args=(there, self.connection))
            back.start()
            carry(self.connection, there)
            back.join()
            there.close()

    def carry(source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                seen.append(data)
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Proxy) as proxy:
        thread = threading.Thread(target=proxy.serve_forever, args=(0.005,))
        thread.start()
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "server.pem"))
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{proxy.server_address[1]}")
        corpus = opened(encrypted, "searxng", tmp_path, url="https://search.test")
        assert corpus.count_all([("storm",)], "document").tolist() == [4]
        proxy.shutdown()
        thread.join()
    assert seen[0].startswith(b"CONNECT search.test:443 HTTP/1.")
    assert b"storm" not in b"".join(seen)
    assert b"s3cr3t" not in b"".join(seen)


def test_tls_is_not_given_up_for_an_engine_that_has_none(searxng: SearxngEngine, tmp_path: Path) -> None:
    corpus = opened(searxng, "searxng", tmp_path, url=searxng.url.replace("http:", "https:"))
    with pytest.raises(CorpusError, match="TLS"):
        corpus.count_all([(SECRET,)], "document")
    assert not searxng.seen


def test_queries_are_not_in_the_addresses_that_servers_log(searxng: SearxngEngine, tmp_path: Path) -> None:
    opened(searxng, "searxng", tmp_path, url=f"{searxng.url}/search").count_all([(SECRET,)], "document")
    (seen,) = searxng.seen
    assert (seen.method, seen.path) == ("POST", "/search")
    assert SECRET in seen.parameters["q"]


def test_statements(tmp_path: Path) -> None:
    def said(**given: Any) -> str:
        return Searxng(Policy(corpus=Background(kind="searxng", **given), folder=str(tmp_path))).statement()

    assert "sent to s.example (encrypted): at most 70 queries" in said(url="https://s.example", budget=70)
    assert "NOT encrypted" in said(url="http://s.example")
    assert "this machine" in said(url="localhost:8080")
    assert "without decoys" in said(url="s.example")
    assert "of which 3 in 4 are decoys" in said(url="s.example", decoys=3)
    assert "estimates" in said(url="s.example")
    assert "corpus.cache" in said(url="s.example", cache="kept")
    with pytest.raises(CorpusError, match=r"corpus\.url"):
        said(url="ftp://s.example")


# Budget


def test_a_call_that_cannot_be_paid_for_sends_nothing(engine: Engine, kind: str, tmp_path: Path) -> None:
    corpus = opened(engine, kind, tmp_path, budget=20)
    with pytest.raises(CorpusError, match="21 queries are needed, and 20 of the 20"):
        corpus.count_matrix(TERMS, "document")
    assert not engine.seen
    corpus.count_matrix(TERMS[:5], "document")
    assert corpus.sent == len(engine.queries) == 15
    with pytest.raises(CorpusError, match="6 queries are needed, and 5 of the 20"):
        corpus.count_matrix(TERMS, "document")
    corpus.count_matrix(TERMS[:5], "document")  # known by now, and free
    assert corpus.sent == len(engine.queries) == 15


def test_every_document_has_a_budget_of_its_own(engine: Engine, kind: str, tmp_path: Path) -> None:
    corpus = opened(engine, kind, tmp_path, budget=3)
    corpus.count_all([("one",), ("two",), ("three",)], "paragraph")
    other = corpus.fresh()
    assert (other.sent, corpus.sent, other.notes()) == (0, 3, ())
    other.count_all([("one",), ("four",), ("five",)], "document")
    assert (other.sent, corpus.sent, len(engine.queries)) == (2, 3, 5)
    with pytest.raises(CorpusError, match="budget"):
        corpus.count_all([("six",)], "document")


def test_a_query_that_is_asked_twice_in_a_call_is_sent_once(engine: Engine, kind: str, tmp_path: Path) -> None:
    corpus = opened(engine, kind, tmp_path)
    counts = corpus.count_all([("storm", "ferry"), ("ferry", "storm"), ("storm", "ferry", "storm")], "document")
    assert counts.tolist() == [2, 2, 2]
    assert corpus.sent == 1


# Cache


def test_what_was_asked_once_is_not_asked_again(engine: Engine, kind: str, tmp_path: Path) -> None:
    sets = [("storm", "harbour"), ("bread",)]
    first = opened(engine, kind, tmp_path, cache="kept")
    answers = (first.count_all(sets, "document").tolist(), first.contains(["A storm took the ferry."]))
    sent = len(engine.seen)
    again = opened(engine, kind, tmp_path, cache="kept", budget=0)
    assert (again.count_all(sets, "document").tolist(), again.contains(["A storm took the ferry."])) == answers
    assert len(engine.seen) == sent
    with pytest.raises(CorpusError, match="budget"):
        opened(engine, kind, tmp_path, cache="kept", budget=0, url=f"{engine.url}/other").count_all(sets, "document")


def test_what_is_kept_is_for_its_owner_and_does_not_name_the_query(searxng: SearxngEngine, tmp_path: Path) -> None:
    opened(searxng, "searxng", tmp_path, cache="kept").count_all([(SECRET,), ("storm",)], "document")
    paths = [tmp_path / "kept", *(tmp_path / "kept").rglob("*")]
    assert len([path for path in paths if path.suffix == ".json"]) == 2
    assert {path.name for path in paths if not path.suffix} >= {"kept", "key", "pace"}
    for path in paths:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)
        assert SECRET not in str(path)
        assert path.is_dir() or SECRET.encode() not in path.read_bytes()
    opened(searxng, "searxng", tmp_path, cache="other").count_all([(SECRET,), ("storm",)], "document")
    names = [{path.name for path in (tmp_path / folder).rglob("*.json")} for folder in ("kept", "other")]
    assert not names[0] & names[1]


def test_a_folder_that_others_may_read_is_refused(searxng: SearxngEngine, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir(mode=0o755)
    with pytest.raises(CorpusError, match="others may read"):
        opened(searxng, "searxng", tmp_path, cache="kept").count_all([("storm",)], "document")
    assert not searxng.seen


@pytest.mark.parametrize("damage", [b"", b"{", b'{"total": "many"}', b'{"total": 3, "sort": "never"}', b"[" * 90_000])
def test_a_damaged_answer_is_asked_for_anew(searxng: SearxngEngine, tmp_path: Path, damage: bytes) -> None:
    opened(searxng, "searxng", tmp_path, cache="kept").count_all([("storm",)], "document")
    (path,) = (tmp_path / "kept").rglob("*.json")
    whole = path.read_bytes()
    path.write_bytes(damage)
    assert opened(searxng, "searxng", tmp_path, cache="kept").count_all([("storm",)], "document").tolist() == [4]
    assert path.read_bytes() == whole


def test_a_cache_whose_key_is_damaged_or_that_cannot_be_written(searxng: SearxngEngine, tmp_path: Path) -> None:
    opened(searxng, "searxng", tmp_path, cache="kept").count_all([("storm",)], "document")
    (tmp_path / "kept" / "key").write_bytes(b"short")
    with pytest.raises(CorpusError, match="no key of a cache"):
        opened(searxng, "searxng", tmp_path, cache="kept").count_all([("storm",)], "document")
    (tmp_path / "file").write_text("")
    with pytest.raises(CorpusError, match=r"corpus\.cache"):
        opened(searxng, "searxng", tmp_path, cache="file/kept").count_all([("storm",)], "document")


def test_answers_before_a_failure_are_kept(searxng: SearxngEngine, tmp_path: Path) -> None:
    fine = plain(200, b'{"results": []}')
    searxng.troubles = [fine, fine, plain(500, b"")]
    with pytest.raises(CorpusError, match="500"):
        opened(searxng, "searxng", tmp_path, cache="kept").count_all([(f"w{n}",) for n in range(5)], "document")
    corpus = opened(searxng, "searxng", tmp_path, cache="kept")
    corpus.count_all([(f"w{n}",) for n in range(5)], "document")
    assert corpus.sent == 3


# Pace


class Watch:
    """A clock that moves when someone sleeps."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def pace(self, per_second: float) -> Pace:
        return Pace(per_second, clock=lambda: self.now, sleep=self.sleep)


def test_queries_keep_their_distance() -> None:
    watch = Watch()
    pace = watch.pace(4.0)
    sent = []
    for queries in (1, 1, 8, 1, 1):
        pace.wait(queries)
        sent.append(watch.now)
    assert sent == [100.0, 100.25, 100.5, 102.5, 102.75]
    watch.now += 60
    pace.wait()
    assert watch.now == 162.75  # a pause is no credit
    pace.wait()
    assert watch.now == 163.0


def test_a_corpus_keeps_the_pace_of_its_policy(engine: Engine, kind: str, tmp_path: Path) -> None:
    watch = Watch()
    corpus = opened(engine, kind, tmp_path, pace=watch.pace(2.0))
    corpus.count_all([("one",), ("two",), ("three",)], "document")
    corpus.fresh().count_all([("four",)], "document")
    assert watch.now == pytest.approx(101.5)


def test_queries_leave_in_time(searxng: SearxngEngine, tmp_path: Path) -> None:
    times: list[float] = []
    original = searxng.answer

    def timed(seen: Any) -> Any:
        times.append(time.monotonic())
        return original(seen)

    searxng.answer = timed  # type: ignore[method-assign]
    started = time.monotonic()
    opened(searxng, "searxng", tmp_path, per_second=40.0).count_all([(f"w{n}",) for n in range(5)], "document")
    assert times[-1] - started >= 4 / 40  # the fifth cannot come earlier, however slow the machine is
    assert all(one <= other for one, other in pairwise(times))


def test_those_who_share_a_folder_share_a_pace(tmp_path: Path) -> None:
    watch = Watch()
    one, other = (SharedPace(4.0, tmp_path / "pace", clock=lambda: watch.now, sleep=watch.sleep) for _ in range(2))
    sent = []
    for pace in (one, other, other, one):
        pace.wait()
        sent.append(watch.now)
    assert sent == [100.0, 100.25, 100.5, 100.75]
    one.pause(7.0)
    other.wait()
    assert watch.now == 107.75
    assert stat.S_IMODE((tmp_path / "pace").stat().st_mode) == 0o600


@pytest.mark.parametrize("damage", [b"", b"abc", struct.pack("<d", 1e300), struct.pack("<d", float("nan"))])
def test_a_damaged_pace_holds_nobody_up(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "pace").write_bytes(damage)
    pace = SharedPace(1000.0, tmp_path / "pace")
    started = time.monotonic()
    pace.wait()
    pace.wait()
    assert time.monotonic() - started < 5


AGO = "Wed, 21 Oct 2015 07:28:00 GMT"
BRAVE_LIMITS = {"X-RateLimit-Remaining": "0, 900", "X-RateLimit-Reset": "1, 1419704"}


@pytest.mark.parametrize(
    ("status", "headers", "pauses"),
    [
        (429, {"Retry-After": "7"}, [7.0, 7.0]),
        (503, {"Retry-After": "0"}, []),
        (503, {}, [1.0, 2.0]),
        (429, {"Retry-After": AGO}, []),
        (429, {"Retry-After": "soon"}, [1.0, 2.0]),
        (429, {"Retry-After": "-5"}, [1.0, 2.0]),
        (429, BRAVE_LIMITS, [1.0, 1.0]),
    ],
)
def test_a_busy_engine_is_asked_again_when_it_says_so(
    engine: Engine, kind: str, tmp_path: Path, status: int, headers: dict[str, str], pauses: list[float]
) -> None:
    watch = Watch()
    engine.troubles = [plain(status, b"{}", headers)] * 2
    corpus = opened(engine, kind, tmp_path, pace=watch.pace(FAST))
    assert corpus.count_all([("storm",)], "document").tolist() == [4]
    assert watch.slept == pauses
    assert corpus.sent == 1  # a query is paid for once
    assert len(engine.seen) == 3


def test_a_date_to_come_back_at(searxng: SearxngEngine, tmp_path: Path) -> None:
    from email.utils import format_datetime

    watch = Watch()
    searxng.troubles = [plain(503, b"", {"Retry-After": format_datetime(datetime.now(UTC) + timedelta(seconds=30))})]
    opened(searxng, "searxng", tmp_path, pace=watch.pace(FAST)).count_all([("storm",)], "document")
    assert 0 < watch.slept[0] <= 30


def test_patience_ends(searxng: SearxngEngine, tmp_path: Path) -> None:
    watch = Watch()
    searxng.trouble = plain(429, b"", {"Retry-After": "5"})
    with pytest.raises(CorpusError, match="still busy"):
        opened(searxng, "searxng", tmp_path, pace=watch.pace(FAST)).count_all([(SECRET,)], "document")
    assert (watch.slept, len(searxng.seen)) == ([5.0, 5.0, 5.0], 4)
    searxng.trouble = plain(429, b"", {"Retry-After": "86400"})
    with pytest.raises(CorpusError, match="86400 seconds"):
        opened(searxng, "searxng", tmp_path, pace=watch.pace(FAST)).count_all([(SECRET,)], "document")
    assert (len(watch.slept), len(searxng.seen)) == (3, 5)


# Decoys


def said(query: str) -> list[str]:
    """The telling words of a query, whichever engine it is for."""
    kept = query if query.startswith('"') else " ".join(_phrases(json.loads(query)))
    return [word for word in words(kept) if word not in STOPWORDS and word != "or"]


def _phrases(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "query" and isinstance(value, str):
                yield value
            else:
                yield from _phrases(value)
    elif isinstance(node, list):
        for each in node:
            yield from _phrases(each)


COMMON = ["storm", "harbour", "old mill", "bread", "1987", "winter of 40 ships"]


def test_decoys_are_as_many_as_asked_for_and_change_no_count(engine: Engine, kind: str, tmp_path: Path) -> None:
    corpus = opened(engine, kind, tmp_path, decoys=2)
    expected = PlainCorpus(DOCUMENTS).count_matrix(COMMON, "document")
    assert np.array_equal(corpus.count_matrix(COMMON, "document"), expected)
    assert corpus.sent == len(engine.queries) == 63
    with pytest.raises(CorpusError, match=r"63 queries \(2 decoys with each true one\) are needed, and 62"):
        opened(engine, kind, tmp_path, decoys=2, budget=62).count_matrix(COMMON, "document")


def test_decoys_are_asked_about_as_the_true_document_is(engine: Engine, kind: str, tmp_path: Path) -> None:
    corpus = opened(engine, kind, tmp_path, decoys=3)
    corpus.count_matrix(COMMON, "document", given="ferry")
    corpus.tells([("storm", "bread")], "ferry", 3, "all")
    true = {word for term in [*COMMON, "ferry"] for word in words(term)} - STOPWORDS
    of_true = Counter(word for query in engine.queries for word in said(query) if word in true)
    of_false = Counter(word for query in engine.queries for word in said(query) if word not in true)
    assert sorted(of_false.values()) == sorted(3 * list(of_true.values()))
    lengths = Counter(len(said(query)) for query in engine.queries if set(said(query)) & true)
    assert Counter(len(said(query)) for query in engine.queries) == Counter({k: 4 * n for k, n in lengths.items()})
    mixed = [query for query in engine.queries if 0 < len(set(said(query)) & true) < len(set(said(query)))]
    assert not mixed  # a stand-in stands for nothing that is true


def test_no_place_in_the_order_is_that_of_the_true_query(searxng: SearxngEngine, tmp_path: Path) -> None:
    corpus = opened(searxng, "searxng", tmp_path, decoys=3, budget=10_000)
    for number in range(100):
        corpus.count_all([(f"harbour {number:05}",)], "document")
    places = Counter(
        next(at for at in range(4) if "harbour" in searxng.queries[start + at])
        for start in range(0, len(searxng.queries), 4)
    )
    assert all(places[place] >= 5 for place in range(4))  # 25 are expected; fewer than 5 come once in a million times


def test_a_word_keeps_its_stand_ins_and_a_new_document_has_new_subjects() -> None:
    decoys = Decoys(2)
    first = decoys.of([Question((("harbour",), ("storm",)))])
    assert decoys.fresh().of([Question((("harbour",), ("storm",)))]) == first
    assert Decoys(2).of([Question((("harbour",), ("storm",)))]) != first
    assert decoys.of([Question(())]) == []


def test_stand_ins_are_about_as_frequent_and_look_alike() -> None:
    listed, ranks = _listed()
    sample = [listed[rank] for rank in range(50, 20_000, 400)]
    decoys = Decoys(1)
    far = []
    for word in sample:
        ((stand_in,),) = decoys.of([Question(((word,),))])[0].groups
        far.append(abs(np.log((ranks[stand_in] + 100) / (ranks[word] + 100))))
    assert max(far) < 0.5  # a third to either side
    (shaped,) = decoys.of([Question((("Harbour of NATO, 1987 or 12345",),))])
    ((text,),) = shaped.groups
    first, of, second, year, other, number = text.replace(",", "").split()
    assert (of, other) == ("of", "or")
    assert first.istitle()
    assert second.isupper()
    assert 1900 <= int(year) < 2030
    assert len(number) == 5


def test_decoys_are_thrown_away(searxng: SearxngEngine, tmp_path: Path) -> None:
    corpus = opened(searxng, "searxng", tmp_path, decoys=4, cache="kept")
    corpus.count_all([("storm",)], "document")
    assert len(searxng.queries) == 5
    assert len(list((tmp_path / "kept").rglob("*.json"))) == 1
    again = opened(searxng, "searxng", tmp_path, decoys=4, cache="kept")
    again.count_all([("storm",)], "document")
    assert again.sent == 0


def test_reprs_tell_nothing(engine: Engine, kind: str, tmp_path: Path) -> None:
    corpus = opened(engine, kind, tmp_path, decoys=1, cache="kept")
    corpus.count_all([(SECRET,)], "document")
    shown = repr(corpus) + repr({**vars(corpus), "_key": ""}) + repr(Question(((SECRET,),), topic=(SECRET,)))
    assert SECRET not in shown
    assert "s3cr3t" not in shown


def test_a_home_for_the_cache_is_made_with_its_parents(searxng: SearxngEngine, tmp_path: Path) -> None:
    opened(searxng, "searxng", tmp_path, cache="deep/down/kept").count_all([("storm",)], "document")
    assert stat.S_IMODE(os.stat(tmp_path / "deep/down/kept").st_mode) == 0o700  # noqa: PTH116

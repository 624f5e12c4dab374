"""The attack that asks a language model, against a real server that speaks the protocol of chat completions."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.search_servers import Engine, Json, Seen, plain, serving
from withhold import Components, Policy, PolicyError, Redactor, Secret, ServiceError, read
from withhold.attacks.language_model import LanguageModelAttack
from withhold.policy import LanguageModel
from withhold.types import Outcome
from withhold.wire import LARGEST

TEXT = "The audit of [REDACTED] took a year. Its harbour cranes were new, and its ferries old."
WHO = Secret(name="the Quillby file", model="information", value="Quillby Shipping", aliases=("QS Lines",))
ANN = Secret(name="person", person="Ann Ott", k=4)


@dataclass
class Model(Engine):
    """Answers with its guesses in JSON, or what it is told to say; without a document, with blind ones."""

    documents: Sequence[tuple[str, str, str]] = ()
    guesses: tuple[str, ...] = ()
    blind: tuple[str, ...] = ()
    says: str | None = None
    prompts: list[Json] = field(default_factory=list)

    def answer(self, seen: Seen) -> tuple[int, Json]:
        if seen.method != "POST" or seen.path != "/v1/chat/completions":
            return 404, {}
        if self.key and seen.headers.get("authorization") != f"Bearer {self.key}":
            return 401, {}
        asked = json.loads(seen.body)
        self.prompts.append(asked)
        read_it = "The document:" in asked["messages"][-1]["content"]
        said = self.says or json.dumps({"guesses": self.guesses if read_it else self.blind})
        return 200, {"choices": [{"index": 0, "message": {"role": "assistant", "content": said}}]}


@pytest.fixture
def model() -> Iterator[Model]:
    with serving(Model()) as served:
        assert isinstance(served, Model)
        yield served


def attack(model: Model, *secrets: Secret, text: str = TEXT, **more: object) -> list[Outcome]:
    policy = Policy(language_model=LanguageModel(url=model.url, **more))  # type: ignore[arg-type]
    return LanguageModelAttack(policy).attack(read(text.encode(), name="a.txt"), secrets)


@pytest.mark.parametrize(
    ("guesses", "rank"),
    [
        (("Acme", "quillby shipping"), 2),
        (("QS LINES",), 1),
        (("The Quillby Shipping Company Ltd",), 1),
        (("Quíllby Shippıng",), 1),
        (("Quillby",), 0),
        (("Shipping Quillby",), 0),
        (("a", "b", "c", "d", "e", "Quillby Shipping"), 0),
        ((), 0),
    ],
)
def test_guesses_are_judged_here(model: Model, guesses: tuple[str, ...], rank: int) -> None:
    model.guesses = guesses
    (outcome,) = attack(model, WHO)
    assert (outcome.result, outcome.wins, outcome.trials) == (float(rank > 0), rank > 0, 1)
    assert outcome.note.startswith(f"guess {rank} of" if rank else "none of")
    assert outcome.baseline == 0.0
    assert not any(guess in outcome.note.split() for guess in guesses)


def test_what_is_guessed_without_the_document_is_the_baseline(model: Model) -> None:
    model.guesses = model.blind = ("Quillby Shipping",)
    (outcome,) = attack(model, WHO)
    assert outcome.baseline == outcome.result == 1.0


@pytest.mark.parametrize(
    "says",
    [
        'Sure! ```json\n{"guesses": ["Acme", "Quillby Shipping"]}\n```',
        '["Acme", "Quillby Shipping"]',
        "1. Acme\n2. **Quillby Shipping**\n",
        "- Acme\n- Quillby Shipping",
    ],
)
def test_answers_that_are_not_quite_as_asked_are_understood(model: Model, says: str) -> None:
    model.says = says
    (outcome,) = attack(model, WHO)
    assert outcome.wins


@pytest.mark.parametrize(
    "says", ["", "I cannot help with that.", '{"guesses": 7}', "[[[[", '{"guesses": [1, null, {}]}']
)
def test_answers_that_guess_nothing_win_nothing(model: Model, says: str) -> None:
    model.says = says or " "
    (outcome,) = attack(model, WHO)
    assert not outcome.wins


def test_nothing_but_redacted_text_and_the_sort_of_thing_is_sent(model: Model) -> None:
    attack(model, WHO, ANN, Secret(name="c", attribute="client", value="Quillby Shipping", fitted="m"))
    assert all(each["temperature"] == 0 and each["model"] == "default" for each in model.prompts)
    sent = json.dumps(model.prompts) + "".join(str(each.headers) for each in model.seen)
    for word in ("Quillby", "QS", "Ott", "file"):
        assert word not in sent
    assert "client" in sent
    assert any(TEXT in each["messages"][-1]["content"] for each in model.prompts)
    leaky = Secret(name="c", attribute="Quillby client", value="Quillby Shipping", fitted="m")
    attack(model, leaky)
    assert "quillby" not in json.dumps(model.prompts).lower()


def test_nothing_is_sent_without_an_address_a_secret_or_a_mark(model: Model) -> None:
    document = read(TEXT.encode(), name="a.txt")
    assert LanguageModelAttack(Policy()).statement() == ""
    assert LanguageModelAttack(Policy()).attack(document, [WHO]) == []
    assert attack(model) == []
    assert attack(model, WHO, text="Quillby Shipping was audited.") == []
    assert model.seen == []


def test_the_source_is_never_sent_nor_what_another_attack_wins_against(model: Model) -> None:
    policy = Policy(
        secret=(Secret(name="who", model="association", value="Quillby Shipping"),),
        language_model=LanguageModel(url=model.url),
        components=Components(attacks=("hidden", "language_model")),
    )
    redactor = Redactor(policy)
    source = redactor.read(b"Quillby Shipping [...] took a year.", name="a.md")
    good, bad = (redactor.read(b"[REDACTED] [...] took a year." + more, name="a.md") for more in (b"", b"<!-- QS -->"))
    assert [each.attack for each in redactor.attack(source, source)] == ["hidden"]
    assert [each.attack for each in redactor.attack(bad, source)] == ["hidden"]
    assert model.seen == []
    assert [each.attack for each in redactor.attack(good, source)] == ["hidden", "language_model"]
    assert "Quillby" not in json.dumps(model.prompts)
    assert "a language model at 127.0.0.1" in redactor.disclosure
    assert "on this machine" in redactor.disclosure


def test_a_text_that_has_the_name_of_a_secret_is_not_sent(model: Model) -> None:
    outcomes = attack(model, ANN, WHO, text="[REDACTED] works for QUILLBY  Shipping, they say.")
    assert [(each.trials, each.wins) for each in outcomes] == [(0, False), (0, False)]
    assert all("not sent" in each.note for each in outcomes)
    assert model.seen == []
    assert attack(model, WHO, text="[REDACTED] is shipping Quillby.")[0].trials == 1


@pytest.mark.parametrize("says", ["{" * 3_000_000, "[" * 3_000_000, "\n" * 3_000_000, '{"guesses":' * 300_000])
def test_an_answer_of_any_size_and_shape_is_read_in_no_time(model: Model, says: str) -> None:
    model.says = says
    began = time.process_time()
    assert not attack(model, WHO)[0].wins
    assert time.process_time() - began < 5


def test_requests_are_bounded_and_what_is_left_out_is_told(model: Model) -> None:
    spent = attack(model, WHO, ANN, budget=3)
    assert len(model.prompts) == 3
    assert [each.trials for each in spent] == [1, 0]
    assert "budget" in spent[1].note
    assert attack(model, WHO, text=TEXT + "x" * 99_999, budget=2, characters=500)[0].trials == 1
    assert max(len(each["messages"][-1]["content"]) for each in model.prompts) < 1_000


def test_two_secrets_of_a_sort_are_asked_about_once(model: Model) -> None:
    model.guesses = ("Ann Ott",)
    first, second = attack(model, ANN, Secret(name="other", person="Bo Ott", k=4))
    assert (first.wins, second.wins) == (True, False)
    assert len(model.prompts) == 2


def slow(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    for _ in range(20):
        handler.wfile.write(b" ")
        time.sleep(0.1)


TROUBLES: dict[str, tuple[Callable[[BaseHTTPRequestHandler], None], str]] = {
    "huge": (plain(200, b" " * (LARGEST + 1)), "more than 16 MB"),
    "no JSON": (plain(200, b"<html>Quillby"), "not JSON"),
    "deep": (plain(200, b"[" * 100_000), "not JSON"),
    "wrong shape": (plain(200, b'{"choices": []}'), "not as chat completions do"),
    "wrong kind": (plain(200, b'{"choices": [{"message": {"content": 7}}]}'), "not as chat completions do"),
    "a list": (plain(200, b"[1]"), "not as chat completions do"),
    "server error": (plain(500, b"Quillby"), "status 500"),
    "bad request": (plain(400, b"Quillby"), "status 400"),
    "busy for long": (plain(429, b"", {"Retry-After": "999"}), "999 seconds"),
    "elsewhere": (plain(307, b"", {"Location": "http://example.org/v1/chat/completions"}), "another address"),
    "slow": (slow, "within 0.3 seconds"),
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_services_that_misbehave_are_refused_in_words_that_tell_nothing(model: Model, trouble: str) -> None:
    model.trouble, message = TROUBLES[trouble]
    with pytest.raises(ServiceError) as raised:
        attack(model, WHO, timeout=0.3 if trouble == "slow" else 10)
    assert message in str(raised.value)
    assert "Quillby" not in str(raised.value)


def test_a_busy_service_is_asked_again(model: Model) -> None:
    model.guesses = ("Quillby Shipping",)
    model.troubles = [plain(429, b"", {"Retry-After": "0"}), plain(503, b"", {"Retry-After": "0"})]
    assert attack(model, WHO)[0].wins


def test_keys_are_read_from_a_file_and_sent_to_nobody_else(model: Model, tmp_path: Path) -> None:
    model.key = "sk-1"
    (tmp_path / "key").write_text("sk-1\n")
    asked = LanguageModel(url=model.url, key="key")
    document = read(TEXT.encode(), name="a.txt")
    assert (
        LanguageModelAttack(Policy(language_model=asked, folder=str(tmp_path))).attack(document, [WHO])[0].trials == 1
    )
    (tmp_path / "key").write_text("wrong")
    with pytest.raises(ServiceError, match=r"language_model\.key"):
        LanguageModelAttack(Policy(language_model=asked, folder=str(tmp_path))).attack(document, [WHO])
    (tmp_path / "key").write_text("\n")
    with pytest.raises(PolicyError, match="holds no key"):
        LanguageModelAttack(Policy(language_model=asked, folder=str(tmp_path))).attack(document, [WHO])


@pytest.mark.parametrize("url", ["", " ", "ftp://x", "https://u:p@host/v1", "https://host/v1?key=1"])
def test_addresses_that_are_none_are_refused(url: str) -> None:
    policy = Policy(language_model=LanguageModel(url=url))
    if not url:
        assert LanguageModelAttack(policy).statement() == ""
        return
    with pytest.raises(ServiceError, match=r"language_model\.url"):
        LanguageModelAttack(policy).statement()


def test_a_service_elsewhere_is_said_to_be() -> None:
    said = LanguageModelAttack(Policy(language_model=LanguageModel(url="https://models.example/v1"))).statement()
    assert "models.example (encrypted)" in said
    plain_text = LanguageModel(url="http://models.example/v1")
    assert "NOT encrypted" in LanguageModelAttack(Policy(language_model=plain_text)).statement()

"""Networks from a folder: exact offsets, nothing cut off, nothing fetched, no code of theirs run."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from tests.fixtures.networks import lookup_folder, onnx_file, tokenizer
from withhold import Components, Detection, Finding, PluginError, Policy, PolicyError, Redactor
from withhold.bridges.plain import document
from withhold.detectors.foreign import need
from withhold.detectors.network import NetworkDetector
from withhold.detectors.network.classifier import Classifier
from withhold.detectors.network.decoding import Scheme, spans
from withhold.detectors.network.folder import Folder
from withhold.detectors.network.gliner import PROMPTS, Gliner
from withhold.detectors.network.offline import offline
from withhold.labels import LABELS

OUTPUTS = ["O", "B-PER", "I-PER", "B-ORG", "I-ORG"]
KNOWN = {
    "jane": {"B-PER": 0.9, "I-PER": 0.05},
    "doe": {"I-PER": 0.95},
    "acme": {"B-ORG": 0.6, "B-PER": 0.25},
    "de": {"I-PER": 0.3},
    "maybe": {"B-ORG": 0.25},
    "hardly": {"B-ORG": 0.1},
    "sep": {"B-ORG": 0.9},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lookup_folder(tmp_path_factory.mktemp("lookup"), KNOWN, OUTPUTS, positions=32)


def detect(folder: Path, text: str, labels: Sequence[str] = ()) -> list[Finding]:
    return NetworkDetector(folder, Detection(labels=tuple(labels))).detect(document(text))


def found(folder: Path, text: str, labels: Sequence[str] = ()) -> list[tuple[str, str]]:
    return [(each.span.of(text), each.label) for each in detect(folder, text, labels) if each.score >= 0.5]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I met Jane Doe there.", [("Jane Doe", "PERSON")]),
        ("JANE DOE, Acme", [("JANE DOE", "PERSON"), ("Acme", "ORG")]),
        ("Jane Jane", [("Jane", "PERSON"), ("Jane", "PERSON")]),
        ("Jane\n\tDoe", [("Jane\n\tDoe", "PERSON")]),
        ("Jane-Doe and (Doe)", [("Jane-Doe", "PERSON"), ("Doe", "PERSON")]),
        ("Jane - Doe", [("Jane", "PERSON"), ("Doe", "PERSON")]),
        ("Jane de Doe", [("Jane de Doe", "PERSON")]),
        ("Jane de", [("Jane", "PERSON")]),
        ("Jané Doë", [("Jané Doë", "PERSON")]),
        ("Jane\u0301 Doe\u0308!", [("Jane\u0301 Doe\u0308", "PERSON")]),
        ("Ja\u200bne Doe\u200b", [("Ja\u200bne Doe\u200b", "PERSON")]),
        ("janet", [("janet", "PERSON")]),
        ("[SEP] Jane [PAD]", [("SEP", "ORG"), ("Jane", "PERSON")]),
        ("\ud83d Jane \U0001f600 Doe", [("Jane", "PERSON"), ("Doe", "PERSON")]),
        ("nobody", []),
        (" \n", []),
        ("", []),
    ],
)
def test_spans_are_exact(folder: Path, text: str, expected: list[tuple[str, str]]) -> None:
    assert found(folder, text) == expected


def test_scores_are_those_of_anything_that_is_asked_for(folder: Path) -> None:
    scores = {each.span.of("Acme Jane"): each.score for each in detect(folder, "Acme Jane")}
    assert scores == {"Acme": pytest.approx(0.85), "Jane": pytest.approx(0.95)}
    assert [each.score for each in detect(folder, "Acme", ["ORG"])] == [pytest.approx(0.6)]
    assert [(each.label, each.score) for each in detect(folder, "Acme", ["PERSON"])] == [
        ("PERSON", pytest.approx(0.25))
    ]


def test_doubt_is_told_and_what_is_hardly_likely_is_not(folder: Path) -> None:
    assert [(each.span.of("maybe hardly"), each.score) for each in detect(folder, "maybe hardly")] == [
        ("maybe", pytest.approx(0.25))
    ]


def test_findings_say_who_and_how(folder: Path) -> None:
    [finding] = detect(folder, "Jane Doe")
    assert (finding.detector, finding.identifier, finding.reason) == ("network", "direct", "the network's word")


_WORDS = st.sampled_from(["jane", "doe", "acme", "nobody", "x", "Jane", "tremendous"])


@given(st.lists(_WORDS, max_size=120))
def test_long_texts_are_read_as_short_ones_are(folder: Path, words: list[str]) -> None:
    """The network looks at single words, so windows must make no difference: against a walk over the words."""
    kinds = {"jane": "PERSON", "doe": "PERSON", "acme": "ORG"}
    expected: list[tuple[str, str]] = []
    before = None
    for word in words:
        kind = kinds.get(word.lower())
        if kind and kind == before and word == "doe":
            expected[-1] = (f"{expected[-1][0]} {word}", kind)
        elif kind:
            expected.append((word, kind))
        before = kind
    assert found(folder, " ".join(words)) == expected


@pytest.mark.parametrize("words", [0, 1, 29, 30, 31, 52, 53, 54, 200])
def test_every_piece_is_judged_once_and_in_order(folder: Path, words: int) -> None:
    text = "Jane x, " * words
    offsets, likely = Classifier(Folder.open(folder))._likely(text)
    whole = Tokenizer.from_file(str(folder / "tokenizer.json"))
    assert list(offsets) == whole.encode(text, add_special_tokens=False).offsets
    assert likely.shape == (len(offsets), len(OUTPUTS))


def test_nothing_is_lost_where_windows_meet(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("withhold.detectors.network._WINDOW", 100)
    monkeypatch.setattr("withhold.detectors.network._OVERLAP", 40)
    for shift in range(60):
        text = "x" * shift + " Jane Doe met Acme" * 20
        assert found(folder, text) == [("Jane Doe", "PERSON"), ("Acme", "ORG")] * 20


def word_pieces() -> Tokenizer:
    return tokenizer(["jane", "zu"])


def bytes_of_words() -> Tokenizer:
    """Like those of RoBERTa and GPT: a character can be in two pieces, and a space belongs to the next word."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, trim_offsets=False)
    made.train_from_iterator(
        [_SAMPLE],
        trainers.BpeTrainer(vocab_size=262, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False),
    )
    return made


def sentence_pieces() -> Tokenizer:
    """Like those of XLM-RoBERTa and DeBERTa: only white space parts words."""
    made = Tokenizer(models.Unigram())
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.train_from_iterator([_SAMPLE], trainers.UnigramTrainer(vocab_size=64, unk_token="<unk>", show_progress=False))
    return made


_SAMPLE = (
    "Zoë met Jane O'Neill-Świątek, (Anna), in Zürich 12.5.2024 at jane@acme.example! 田中さんは東京に住んでいます。"
)


@pytest.mark.parametrize("make", [word_pieces, bytes_of_words, sentence_pieces])
@pytest.mark.parametrize(
    "name", ["Zoë", "Jane O'Neill-Świątek", "Anna", "Zürich", "12.5.2024", "jane@acme.example", "田中", "東京"]
)
def test_offsets_are_exact_whatever_the_pieces(make: Any, name: str) -> None:
    """A network that is sure of every piece with letters in it; signs between them it calls nothing."""
    encoded = make().encode(_SAMPLE, add_special_tokens=False)
    start, end = _SAMPLE.index(name), _SAMPLE.index(name) + len(name)
    sure = [
        any(start <= place < end and _SAMPLE[place].isalnum() for place in range(*offsets))
        for offsets in encoded.offsets
    ]
    likely = np.array([[0.05, 0.95] if yes else [0.99, 0.01] for yes in sure])
    scheme = Scheme.of({0: "O", 1: "NAME"}, lambda label: True)
    [(left, right, label, score)] = spans(_SAMPLE, encoded.offsets, likely, scheme)
    assert (_SAMPLE[left:right], label) == (name, "PERSON")
    assert score == pytest.approx(0.95)


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (["O", "B-PER", "I-PER"], ("PERSON",)),
        (["B-LOC", "E-LOC", "O", "S-LOC", "I-LOC"], ("LOC",)),
        (["o", "u-org", "l-org"], ("ORG",)),
        (["O", "PER", "E-MAIL"], ("EMAIL", "PERSON")),
        (["O", "I-GIVENNAME", "I-SURNAME", "I-OWN_THING"], ("OWN_THING", "PERSON")),
    ],
)
def test_outputs_are_known_by_their_names(names: list[str], labels: tuple[str, ...]) -> None:
    scheme = Scheme.of(dict(enumerate(names)), lambda label: True)
    assert scheme.labels == labels
    assert scheme.shares.sum(axis=1).tolist() == [float(name.upper() != "O") for name in names]
    assert scheme.begins.tolist() == [name.upper()[:2] in ("B-", "S-", "U-") for name in names]


@pytest.mark.parametrize(
    "names", [{0: "O"}, {0: "PER", 1: "LOC"}, {0: "O", 2: "PER"}, {0: "LABEL_0", 1: "LABEL_1"}, {0: "O", 1: "LABEL_1"}]
)
def test_outputs_without_sense_are_refused(names: dict[int, str]) -> None:
    with pytest.raises(PolicyError, match=r"detection\.network"):
        Scheme.of(names, lambda label: True)


def test_two_names_of_a_person_add_up(tmp_path: Path) -> None:
    says = {"jane": {"I-GIVENNAME": 0.4, "I-SURNAME": 0.3, "I-CITY": 0.2}}
    folder = lookup_folder(tmp_path / "n", says, ["O", "I-GIVENNAME", "I-SURNAME", "I-CITY"])
    assert [(each.label, each.score) for each in detect(folder, "Jane", ["PERSON"])] == [("PERSON", pytest.approx(0.7))]
    assert [(each.label, each.score) for each in detect(folder, "Jane")] == [("PERSON", pytest.approx(0.9))]


def change(folder: Path, name: str, **said: object) -> None:
    path = folder / name
    path.write_text(json.dumps({**(json.loads(path.read_text()) if path.exists() else {}), **said}))


def only_pickled(folder: Path) -> None:
    (folder / "model.onnx").rename(folder / "pytorch_model.bin")


def shards_elsewhere(folder: Path) -> None:
    (folder / "model.onnx").unlink()
    change(folder, "model.safetensors.index.json", weight_map={"a": "../other.safetensors"})


def pickled_shards(folder: Path) -> None:
    (folder / "model.onnx").unlink()
    change(folder, "model.safetensors.index.json", weight_map={"a": "model.bin"})


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (only_pickled, "pickled"),
        (shards_elsewhere, "not safetensors"),
        (pickled_shards, "not safetensors"),
        (lambda folder: (folder / "model.onnx").unlink(), "neither model.onnx nor model.safetensors"),
        (lambda folder: (folder / "model.onnx").write_bytes(b"pickle?"), "cannot be loaded"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "no tokenizer.json"),
        (lambda folder: (folder / "tokenizer.json").write_text("{}"), "cannot be used"),
        (lambda folder: (folder / "config.json").unlink(), "holds no network"),
        (lambda folder: (folder / "config.json").write_text("{"), "damaged"),
        (lambda folder: (folder / "config.json").write_text("[" * 100_000), "damaged"),
        (lambda folder: (folder / "config.json").write_text("[]"), "damaged"),
        (lambda folder: change(folder, "config.json", auto_map={"AutoModel": "code.Model"}), "never run"),
        (lambda folder: change(folder, "tokenizer_config.json", auto_map={"AutoTokenizer": ["x"]}), "never run"),
        (lambda folder: change(folder, "gliner_config.json", encoder_config={"auto_map": {"a": "b"}}), "never run"),
        (lambda folder: change(folder, "config.json", x=[{"_attn_implementation": "some/kernel"}]), "never run"),
        (lambda folder: change(folder, "adapter_config.json", base_model_name_or_path="some/where"), "adapter"),
        (lambda folder: change(folder, "config.json", id2label=None), "id2label"),
        (lambda folder: change(folder, "config.json", id2label={"x": "O"}), "id2label"),
        (lambda folder: change(folder, "config.json", max_position_embeddings=8), "too little text"),
        (lambda folder: onnx_file(folder / "model.onnx", np.zeros((9, 5)), inputs=("input_ids", "pixels")), "no token"),
        (lambda folder: change(folder, "gliner_config.json", model_name="some/where"), "refers to another network"),
    ],
)
def test_a_folder_that_is_not_safe_or_whole_is_refused(folder: Path, tmp_path: Path, spoil: Any, message: str) -> None:
    spoilt = shutil.copytree(folder, tmp_path / "spoilt")
    assert found(spoilt, "Jane") == [("Jane", "PERSON")]
    spoil(spoilt)
    with pytest.raises(PolicyError, match=message):
        NetworkDetector(spoilt)


def test_numbers_that_make_no_sense_are_refused(folder: Path, tmp_path: Path) -> None:
    spoilt = shutil.copytree(folder, tmp_path / "spoilt")
    vocabulary = Tokenizer.from_file(str(spoilt / "tokenizer.json")).get_vocab_size()
    for logits in (np.zeros((vocabulary, 4)), np.full((vocabulary, 5), np.nan)):
        onnx_file(spoilt / "model.onnx", logits)
        with pytest.raises(PolicyError, match="a number for each of its outputs"):
            detect(spoilt, "Jane")


def test_what_fails_does_not_quote_the_text(folder: Path, tmp_path: Path) -> None:
    spoilt = shutil.copytree(folder, tmp_path / "spoilt")
    onnx_file(spoilt / "model.onnx", np.zeros((3, 5)))
    with pytest.raises(PluginError, match="the network failed") as caught:
        detect(spoilt, "Jane Doe")
    assert "Jane" not in str(caught.value)
    assert caught.value.__suppress_context__


def test_a_missing_library_is_named_with_its_extra(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(PluginError, match=r"onnxruntime is not installed; pip install 'withhold\[onnx\]'"):
        Classifier(Folder.open(folder))


def policy_for(folder: Path, detectors: Sequence[str] = ("network",), labels: Sequence[str] = ()) -> Policy:
    detection = Detection(labels=tuple(labels), network=folder.name)
    return Policy(detection=detection, components=Components(detectors=tuple(detectors)), folder=str(folder.parent))


def test_a_policy_names_the_folder(folder: Path, tmp_path: Path) -> None:
    redaction = Redactor(policy_for(folder)).redact(b"I met Jane Doe of Acme, maybe.", name="a.txt")
    assert redaction.document.text == "I met [REDACTED] of [REDACTED], maybe."
    assert redaction.plan.removed == {"PERSON": 1, "ORG": 1}
    people = Redactor(policy_for(folder, labels=["PERSON"])).redact(b"I met Jane Doe of Acme, maybe.", name="a.txt")
    assert people.document.text == "I met [REDACTED] of Acme, maybe."
    (tmp_path / "p.toml").write_text('[detection]\nnetwork = "elsewhere"\n[components]\ndetectors = ["network"]\n')
    with pytest.raises(PolicyError, match=r"detection\.network: no such folder: elsewhere"):
        Policy.load(tmp_path / "p.toml")
    with pytest.raises(PolicyError, match=r"set detection\.network"):
        Redactor(Policy(components=Components(detectors=("network",)))).load()


def test_a_network_is_loaded_once_and_anew_when_it_changes(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "copy")
    first, second = NetworkDetector.from_policy(policy_for(copy)), NetworkDetector.from_policy(policy_for(copy))
    assert first._network is second._network
    lookup_folder(copy, {"doe": {"B-ORG": 0.9}}, OUTPUTS)
    assert found(copy, "Doe") == [("Doe", "ORG")]


def test_every_label_can_be_asked_for_in_words() -> None:
    assert set(PROMPTS) == set(LABELS)
    assert len(set(PROMPTS.values())) == len(PROMPTS)


_ALONE = """
import sys

def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        raise RuntimeError(f"the network was asked: {event}")

sys.addaudithook(watch)
"""
"""Python that stops at any use of the network."""


def run_alone(script: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _ALONE + textwrap.dedent(script), *arguments],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip() + done.stderr.strip()


_FIND = """
from withhold.bridges.plain import document
from withhold.detectors.network import NetworkDetector
from withhold.policy import Detection
text = "I met Jane Doe."
findings = NetworkDetector(sys.argv[1], Detection(labels=("PERSON", "ORG"))).detect(document(text))
assert findings, "nothing found"
print(len([found for found in findings if found.score > 0]) > 0)
"""


def test_an_onnx_file_runs_offline_and_without_torch(folder: Path) -> None:
    script = _FIND + 'print([name for name in ("torch", "transformers", "requests") if name in sys.modules])'
    assert run_alone(script, str(folder)) == "True\n[]"


def library(name: str) -> Any:
    """A large library that only some machines have; CI has all of them."""
    if importlib.util.find_spec(name.partition(".")[0]) is None:
        pytest.skip(f"{name} is not installed")
    return need(name, name)


def fast_tokenizer() -> Any:
    transformers = library("transformers")
    made = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer(["jane", "doe", "acme", "met", "in", "london"]),
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_max_length=64,
    )
    made.add_tokens(["<<ENT>>", "<<SEP>>"], special_tokens=True)
    return made


def small_bert(pieces: int) -> dict[str, Any]:
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    return {"vocab_size": pieces, "max_position_embeddings": 64, **sizes}


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A token classifier of the usual make, with weights left to chance."""
    torch, transformers = library("torch"), library("transformers")
    pieces = fast_tokenizer()
    torch.manual_seed(1)
    settings = transformers.BertConfig(
        **small_bert(len(pieces)),
        id2label=dict(enumerate(OUTPUTS)),
        label2id={name: at for at, name in enumerate(OUTPUTS)},
    )
    folder = tmp_path_factory.mktemp("bert")
    with offline(transformers):
        network = transformers.BertForTokenClassification(settings)
        network.classifier.weight.data *= 20
        network.save_pretrained(folder)
        pieces.save_pretrained(folder)
    return folder


@pytest.mark.slow
def test_safetensors_give_what_transformers_computes(bert: Path) -> None:
    """Piece by piece, on a text of one window, against a forward pass of the library's own."""
    torch, transformers = library("torch"), library("transformers")
    text = "Jane Doe met Acme in London."
    offsets, likely = Classifier(Folder.open(bert))._likely(text)
    with offline(transformers):
        pieces = transformers.AutoTokenizer.from_pretrained(bert)(text, return_offsets_mapping=True)
        network = transformers.AutoModelForTokenClassification.from_pretrained(bert).eval()
    with torch.inference_mode():
        logits = network(input_ids=torch.tensor([pieces["input_ids"]])).logits[0]
    assert list(offsets) == [tuple(each) for each in pieces["offset_mapping"][1:-1]]
    np.testing.assert_allclose(likely, torch.softmax(logits, -1).numpy()[1:-1], atol=1e-5)
    assert found(bert, text)


@pytest.mark.slow
def test_an_export_to_onnx_finds_the_same(bert: Path, tmp_path: Path) -> None:
    torch, transformers = library("torch"), library("transformers")
    exported = shutil.copytree(bert, tmp_path / "exported")
    with offline(transformers), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        network = transformers.AutoModelForTokenClassification.from_pretrained(bert).eval()
        names = ["input_ids", "attention_mask"]
        torch.onnx.export(
            network,
            (torch.ones(1, 8, dtype=torch.long),) * 2,
            str(exported / "model.onnx"),
            input_names=names,
            output_names=["logits"],
            dynamic_axes={name: {0: "batch", 1: "pieces"} for name in [*names, "logits"]},
            dynamo=False,
        )
    (exported / "model.safetensors").unlink()
    text = "Jane Doe met Acme in London; then he and she went away. " * 20
    ours, theirs = detect(exported, text), detect(bert, text)
    assert [(each.span, each.label) for each in ours] == [(each.span, each.label) for each in theirs]
    assert [each.score for each in ours] == pytest.approx([each.score for each in theirs], abs=1e-4)


@pytest.mark.slow
def test_pickled_and_foreign_weights_are_refused(bert: Path, tmp_path: Path) -> None:
    torch, transformers = library("torch"), library("transformers")
    pickled = shutil.copytree(bert, tmp_path / "pickled")
    torch.save({}, pickled / "pytorch_model.bin")
    assert found(pickled, "Jane Doe") == found(bert, "Jane Doe")
    (pickled / "model.safetensors").unlink()
    with pytest.raises(PolicyError, match="pickled"):
        NetworkDetector(pickled)
    headless = shutil.copytree(bert, tmp_path / "headless")
    with offline(transformers):
        transformers.BertModel(transformers.BertConfig.from_pretrained(bert)).save_pretrained(headless)
    shutil.copy(bert / "config.json", headless / "config.json")
    with pytest.raises(PolicyError, match="not those of a token classifier"):
        NetworkDetector(headless)
    damaged = shutil.copytree(bert, tmp_path / "damaged")
    (damaged / "model.safetensors").write_bytes(b"\x00" * 64)
    with pytest.raises(PolicyError, match="transformers cannot load"):
        NetworkDetector(damaged)


@pytest.fixture(scope="module")
def gliner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GLiNER model made by its own library, with weights left to chance."""
    torch, library_ = library("torch"), library("gliner")
    pieces = fast_tokenizer()
    torch.manual_seed(3)
    settings = library_.config.UniEncoderSpanConfig(
        model_name="none",
        hidden_size=16,
        max_len=24,
        max_width=3,
        encoder_config={"model_type": "bert", **small_bert(len(pieces))},
    )
    folder = tmp_path_factory.mktemp("gliner")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = library_.model.UniEncoderSpanGLiNER(settings, tokenizer=pieces, backbone_from_pretrained=False)
        model.resize_embeddings()
        model.save_pretrained(folder, safe_serialization=True)
    return folder


ASKED = ("PERSON", "ORG")


@pytest.mark.slow
def test_gliner_gives_what_its_library_computes(gliner: Path) -> None:
    text = "Jane Doe met Acme in London."
    with offline(library("transformers")), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = library("gliner").GLiNER.from_pretrained(str(gliner), local_files_only=True)
        theirs = model.predict_entities(text, [PROMPTS[label] for label in ASKED], threshold=0.2)
    ours = detect(gliner, text, ASKED)
    labels = {PROMPTS[label]: label for label in ASKED}
    assert [(each.span.start, each.span.end, each.label) for each in ours] == [
        (each["start"], each["end"], labels[each["label"]]) for each in theirs
    ]
    assert [each.score for each in ours] == pytest.approx([each["score"] for each in theirs], abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("sentence", ["Jane Doe met Acme in London ", "Incomprehensibilities met Jane, in London. "])
def test_gliner_reads_long_texts_to_the_end(gliner: Path, sentence: str) -> None:
    """Left to itself it cuts off what has more words, or more pieces of words, than it takes at once. This one is sure
    of nothing and finds words of every part of a text.
    """
    text = sentence * 40
    covered = {place for each in detect(gliner, text, ASKED) for place in range(each.span.start, each.span.end)}
    words = [match.span() for match in re.finditer(r"\w+", text)]
    assert sum(start in covered for start, _ in words) > 0.9 * len(words)
    assert max(covered) >= len(text) - 30


@pytest.mark.slow
@pytest.mark.parametrize("sentence", ["Jane Doe met Acme in London ", "Incomprehensibilities met Jane, in London. "])
def test_gliner_is_given_no_more_than_it_takes(gliner: Path, sentence: str) -> None:
    network = Gliner(Folder.open(gliner))
    model, text, prompts = network._model, sentence * 40, [PROMPTS[label] for label in ASKED]
    words = [match.span() for match in re.finditer(r"\w+|[^\w\s]", text)]
    for start, end in network._windows(text, words, prompts):
        prepared = model.prepare_batch([text[start:end]], prompts)
        batch = model.collate_batch(prepared["input_x"], prepared["entity_types"], model.create_collator())
        assert int(batch["words_mask"].max()) == len(prepared["tokens"][0]) == len(batch["tokens"][0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"words_splitter_type": "stanza"}, "splitter of words"),
        ({"encoder_config": None}, "refers to another network"),
        ({"encoder_config": {"model_type": "bert", "auto_map": {"AutoModel": "code.Model"}}}, "never run"),
        ({"encoder_config": {"model_type": "unheard of"}}, "gliner cannot load"),
        ({"hidden_size": 18}, "gliner cannot load"),
    ],
)
def test_a_gliner_folder_that_is_not_whole_is_refused(gliner: Path, tmp_path: Path, said: Any, message: str) -> None:
    spoilt = shutil.copytree(gliner, tmp_path / "spoilt")
    assert detect(spoilt, "Jane Doe", ASKED)
    change(spoilt, "gliner_config.json", **said)
    with pytest.raises(PolicyError, match=message):
        NetworkDetector(spoilt)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bert", "gliner"])
def test_large_libraries_run_offline_and_say_nothing(name: str, request: pytest.FixtureRequest) -> None:
    assert run_alone(_FIND, str(request.getfixturevalue(name))) == "True"


@pytest.mark.slow
def test_settings_of_the_libraries_are_as_before(bert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    transformers, hub = library("transformers"), library("huggingface_hub.constants")
    monkeypatch.setattr(hub, "HF_HUB_OFFLINE", False)
    before = (hub.HF_HUB_OFFLINE, transformers.utils.logging.get_verbosity())
    Classifier(Folder.open(bert))
    assert (hub.HF_HUB_OFFLINE, transformers.utils.logging.get_verbosity()) == before

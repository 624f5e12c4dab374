"""Token classifiers of the Hugging Face layout: BERT and its kin, as ONNX or as safetensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from withhold.detectors.foreign import need
from withhold.detectors.network.decoding import Numbers, Offsets, Scheme, softmax, spans
from withhold.detectors.network.folder import TOKENIZER, Folder
from withhold.detectors.network.offline import offline
from withhold.errors import PolicyError
from withhold.files import is_file
from withhold.learners.runtime import session

_LONGEST = 512
_BATCH = 8

Whole = NDArray[np.int64]
Claim = tuple[int, int, str, float]


class Network(Protocol):
    """Something that gives numbers for every output, for every piece of every text of a batch."""

    def __call__(self, pieces: Whole, mask: Whole) -> NDArray[Any]: ...


class Classifier:
    """A network that says of each piece of a text what it is part of. Long texts are read in windows that overlap by a
    quarter; each piece is judged where it has most of the text around it.
    """

    def __init__(self, folder: Folder) -> None:
        if not is_file(folder.path / TOKENIZER):
            raise PolicyError(
                f"detection.network: {folder.path} has no {TOKENIZER}; save the network with its fast tokeniser"
            )
        self.names = _names(folder)
        self._tokenizer = _tokenizer(folder)
        self._network = _onnx(folder) if folder.onnx else _torch(folder)
        self._padding = int(folder.described.get("pad_token_id") or 0)

    def claims(self, text: str, is_asked_for: Callable[[str], bool]) -> Iterator[Claim]:
        """Start, end, label and score of what is found in a text."""
        scheme = Scheme.of(self.names, is_asked_for)
        offsets, likely = self._likely(text)
        return spans(text, offsets, likely, scheme)

    def _likely(self, text: str) -> tuple[Offsets, Numbers]:
        """For each piece of the text, where it is and how likely each output is."""
        encoded = self._tokenizer.encode(text)
        windows = [encoded, *encoded.overflowing]
        shared = self._tokenizer.truncation["stride"] // 2
        offsets: list[tuple[int, int]] = []
        rows: list[Numbers] = [np.zeros((0, len(self.names)))]
        for number, (window, likely) in enumerate(zip(windows, self._run(windows), strict=True)):
            own = [place for place, special in enumerate(window.special_tokens_mask) if not special]
            # What two windows share is judged in halves, each by the window that sees more around it.
            own = own[shared if number else 0 :]
            if number + 1 < len(windows):
                own = own[: len(own) - (self._tokenizer.truncation["stride"] - shared)]
            places = window.offsets
            offsets += [places[place] for place in own]
            rows.append(likely[own])
        return offsets, np.concatenate(rows)

    def _run(self, windows: Sequence[Any]) -> Iterator[Numbers]:
        for start in range(0, len(windows), _BATCH):
            batch = windows[start : start + _BATCH]
            longest = max(len(window.ids) for window in batch)
            pieces = np.full((len(batch), longest), self._padding, np.int64)
            mask = np.zeros((len(batch), longest), np.int64)
            for row, window in enumerate(batch):
                pieces[row, : len(window.ids)] = window.ids
                mask[row, : len(window.ids)] = 1
            logits = self._network(pieces, mask)
            if logits.shape != (*pieces.shape, len(self.names)) or not np.isfinite(logits[mask == 1]).all():
                raise PolicyError("detection.network: the network does not give a number for each of its outputs")
            yield from softmax(logits)


def _names(folder: Folder) -> dict[int, str]:
    named: Any = folder.described.get("id2label")
    try:
        return {int(number): str(name) for number, name in named.items()}
    except (AttributeError, ValueError):
        raise PolicyError(
            f"detection.network: {folder.path} does not say what the outputs of the network are (id2label)"
        ) from None


def _tokenizer(folder: Folder) -> Any:
    tokenizers = need("tokenizers", "onnx")
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(folder.path / TOKENIZER))
        positions = int(folder.described.get("max_position_embeddings") or _LONGEST)
    except Exception:
        # The library raises nothing more precise.
        raise PolicyError(f"detection.network: {folder.path / TOKENIZER} cannot be used") from None
    # Some networks leave their first two positions unused.
    longest = min(_LONGEST, positions - 2)
    if longest < 16:
        raise PolicyError(f"detection.network: the network in {folder.path} takes too little text at once")
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest, stride=longest // 4)
    # What looks like a mark of the network, such as [SEP], is text like any other.
    tokenizer.encode_special_tokens = True
    return tokenizer


def _onnx(folder: Folder) -> Network:
    need("onnxruntime", "onnx")
    assert folder.onnx is not None
    try:
        network = session(folder.onnx, threads=0)
    except Exception:
        # The library's own errors share no base but this.
        raise PolicyError(f"detection.network: {folder.onnx} cannot be loaded") from None
    taken = {each.name for each in network.get_inputs()}
    if "input_ids" not in taken or not taken <= {"input_ids", "attention_mask", "token_type_ids"}:
        raise PolicyError(f"detection.network: {folder.onnx} is no token classifier: it does not take input_ids")

    def run(pieces: Whole, mask: Whole) -> NDArray[Any]:
        given = {"input_ids": pieces, "attention_mask": mask, "token_type_ids": np.zeros_like(pieces)}
        logits: NDArray[Any] = network.run(None, {name: given[name] for name in taken})[0]
        return logits

    return run


def _torch(folder: Folder) -> Network:
    torch, transformers = need("torch", "transformers"), need("transformers", "transformers")
    with offline(transformers):
        try:
            network, told = transformers.AutoModelForTokenClassification.from_pretrained(
                str(folder.path),
                local_files_only=True,
                trust_remote_code=False,
                use_safetensors=True,
                attn_implementation="eager",
                output_loading_info=True,
            )
        except Exception as error:
            # Whatever is wrong with a folder, the library says it in errors of many kinds.
            raise PolicyError(
                f"detection.network: transformers cannot load {folder.path}: {type(error).__name__}"
            ) from None
    if told["missing_keys"] or told["mismatched_keys"]:
        raise PolicyError(f"detection.network: the weights in {folder.path} are not those of a token classifier")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    network.to(device).eval()

    def run(pieces: Whole, mask: Whole) -> NDArray[Any]:
        with torch.inference_mode():
            given = {"input_ids": torch.from_numpy(pieces), "attention_mask": torch.from_numpy(mask)}
            logits = network(**{name: each.to(device) for name, each in given.items()}).logits
        numbers: NDArray[Any] = logits.float().cpu().numpy()
        return numbers

    return run

"""GLiNER models: networks that are told in words what to look for."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from withhold.detectors.foreign import need
from withhold.detectors.network.classifier import Claim
from withhold.detectors.network.decoding import DOUBTFUL
from withhold.detectors.network.folder import Folder
from withhold.detectors.network.offline import offline
from withhold.errors import PolicyError
from withhold.files import is_file
from withhold.labels import LABELS

Stretch = tuple[int, int]

_LONGEST = 512
_AT_ONCE = 25
"""So many things are asked for in one go; GLiNER models are not taught to be asked for more."""

PROMPTS = {
    "PERSON": "person",
    "ORG": "organization",
    "LOC": "location",
    "ADDRESS": "address",
    "ZIP": "postal code",
    "COORDINATES": "geographic coordinates",
    "CODE": "identification number",
    "EMAIL": "email address",
    "PHONE": "phone number",
    "URL": "url",
    "IP": "ip address",
    "HANDLE": "username",
    "CARD": "credit card number",
    "IBAN": "iban",
    "ACCOUNT": "bank account number",
    "ROUTING": "bank routing number",
    "WALLET": "cryptocurrency wallet",
    "SSN": "social security number",
    "ITIN": "taxpayer identification number",
    "EIN": "employer identification number",
    "PASSPORT": "passport number",
    "LICENCE": "license number",
    "NATIONAL_ID": "national id number",
    "CASE": "case number",
    "RECORD": "record number",
    "PLATE": "license plate number",
    "KEY": "password",
    "DATETIME": "date and time",
    "DATE": "date",
    "TIME": "time",
    "DURATION": "duration",
    "QUANTITY": "quantity",
    "MONEY": "money",
    "DEM": "nationality, religion or profession",
    "AGE": "age",
    "MISC": "event, product or law",
}
"""What a model is asked for, by label."""


class Gliner:
    """A GLiNER model. Long texts are read in windows that overlap by a quarter."""

    def __init__(self, folder: Folder) -> None:
        described = folder.described
        if not is_file(folder.path / "tokenizer_config.json") or not isinstance(described.get("encoder_config"), dict):
            raise PolicyError(
                f"detection.network: {folder.path} refers to another network for its tokeniser or encoder; load it "
                "once where there is a hub, and keep what `save_pretrained` of GLiNER writes"
            )
        if described.get("words_splitter_type", "whitespace") != "whitespace":
            raise PolicyError(f"detection.network: {folder.path} needs a splitter of words that fetches models")
        gliner, transformers = need("gliner", "gliner"), need("transformers", "gliner")
        with offline(transformers), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                self._model = gliner.GLiNER.from_pretrained(
                    str(folder.path),
                    local_files_only=True,
                    strict=folder.onnx is None,
                    load_onnx_model=folder.onnx is not None,
                    onnx_model_file=str(folder.onnx.relative_to(folder.path)) if folder.onnx else "model.onnx",
                )
            except Exception as error:
                # Whatever is wrong with a folder, the library says it in errors of many kinds.
                raise PolicyError(
                    f"detection.network: gliner cannot load {folder.path}: {type(error).__name__}"
                ) from None
        self._tokenizer = self._model.data_processor.transformer_tokenizer
        positions = int(described["encoder_config"].get("max_position_embeddings") or _LONGEST)
        self._pieces = min(_LONGEST, positions - 2, self._tokenizer.model_max_length)
        self._words = int(described.get("max_len") or 384)

    def claims(self, text: str, is_asked_for: Callable[[str], bool]) -> Iterator[Claim]:
        """Start, end, label and score of what is found in a text."""
        asked = {PROMPTS[label]: label for label in LABELS if is_asked_for(label)}
        words = [(start, end) for _, start, end in self._model.data_processor.words_splitter(text)]
        prompts = list(asked)
        for first in range(0, len(prompts), _AT_ONCE):
            some = prompts[first : first + _AT_ONCE]
            windows = list(self._windows(text, words, some))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = self._model.inference([text[start:end] for start, end in windows], some, threshold=DOUBTFUL)
            for (start, _), several in zip(windows, found, strict=True):
                for each in several:
                    yield start + each["start"], start + each["end"], asked[each["label"]], float(each["score"])

    def _windows(
        self, text: str, words: Sequence[tuple[int, int]], prompts: Sequence[str]
    ) -> Iterator[tuple[int, int]]:
        """Stretches of whole words that the model takes at once; what is longer it would cut off."""
        sizes = [len(ids) for ids in self._tokenize([text[start:end] for start, end in words])]
        room = self._pieces - sum(len(ids) + 1 for ids in self._tokenize(list(prompts))) - 4
        if room < 16:
            raise PolicyError("detection.network: the GLiNER model takes too little text at once")
        first = 0
        while first < len(words):
            last, taken = first, 0
            while last < len(words) and last - first < self._words and (taken + sizes[last] <= room or last == first):
                taken += sizes[last]
                last += 1
            yield words[first][0], words[last - 1][1]
            if last == len(words):
                return
            first = max(last - (last - first) // 4, first + 1)

    def _tokenize(self, words: list[str]) -> list[Any]:
        return list(self._tokenizer(words, add_special_tokens=False)["input_ids"]) if words else []

"""The shapes in which tools write marked texts as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from withhold.errors import MalformedData
from withhold.fit.annotated import conll
from withhold.fit.annotated.records import Annotated, Mention, marked, need

Place = tuple[Any, str]
"""A record, and what to call it in an error."""

_TEXTS = ("text", "full_text", "source_text")
_LISTS = ("spans", "entities", "label", "labels", "privacy_mask")
_STARTS = ("start", "start_offset", "start_position")
_ENDS = ("end", "end_offset", "end_position")
_LABELS = ("type", "label", "entity_type", "labels")
_SAID = ("text", "span_text", "entity_value", "value")


def read(records: Sequence[Place], *, bare: bool = False) -> list[Annotated]:
    """The texts of the records, in order; a task that nobody has annotated yet is passed over, unless `bare` ones count
    too: then a text without a list of spans is one of no annotator.
    """
    found = []
    for number, (record, where) in enumerate(records, 1):
        if not isinstance(record, dict):
            raise MalformedData(f"{where}: expected an object with a text and its spans")
        name = str(_first(record, "doc_id", "id", "data_id") or _metadata(record, "data_id") or number)
        if isinstance(record.get("conll"), str):
            found.append(conll.thread(record["conll"], where, name, _split(record)))
        elif (read := _text(record, where, name, bare)) is not None:
            found.append(read)
    return found


def _text(record: Mapping[str, Any], where: str, name: str, bare: bool) -> Annotated | None:
    if isinstance(record.get("data"), dict) and isinstance(record.get("annotations"), list):
        task = _task(record, where, name)
        return task if bare or task.annotators else None
    text = _first(record, *_TEXTS)
    if not isinstance(text, str):
        raise MalformedData(f"{where}: no text; expected one of {', '.join(_TEXTS)}")
    if isinstance(record.get("annotations"), dict):
        several = {str(who): _listed(said, where) for who, said in record["annotations"].items()}
    elif bare and not any(record.get(name) is not None for name in (*_LISTS, "annotations")):
        several = {}
    else:
        several = {"": _spans(record, where)}
    mentions = [each for who, spans in several.items() for each in _mentions(text, spans, where, who)]
    return Annotated(name, text, tuple(mentions), len(several), _group(record), _split(record))


def _listed(said: Any, where: str) -> list[Any]:
    """The mentions of one annotator, as the Text Anonymization Benchmark has them."""
    mentions = said.get("entity_mentions") if isinstance(said, dict) else said
    if not isinstance(mentions, list):
        raise MalformedData(f"{where}: an annotator without entity_mentions")
    return mentions


def _spans(record: Mapping[str, Any], where: str) -> list[Any]:
    for name in _LISTS:
        if isinstance(record.get(name), list):
            spans: list[Any] = record[name]
            return spans
    # Label Studio names the list after the control of its page.
    for several in record.values():
        if isinstance(several, list) and several and isinstance(several[0], dict) and "labels" in several[0]:
            return several
    raise MalformedData(f"{where}: no list of spans; expected one of {', '.join(_LISTS)}")


def _mentions(text: str, spans: Sequence[Any], where: str, annotator: str) -> Iterator[Mention]:
    for number, given in enumerate(spans, 1):
        place = f"{where}, span {number}"
        if isinstance(given, list):
            if len(given) != 3:
                raise MalformedData(f"{place}: expected start, end and label")
            given = dict(zip(("start", "end", "label"), given, strict=True))
        if not isinstance(given, dict):
            raise MalformedData(f"{place}: expected an object with start, end and label")
        span = marked(text, _first(given, *_STARTS), _first(given, *_ENDS), place, _first(given, *_SAID))
        entity = _first(given, "entity_id", "entity")
        yield Mention(
            span,
            _label(given, place),
            None if entity is None else str(entity),
            need(given.get("identifier_type")),
            annotator,
        )


def _label(given: Mapping[str, Any], place: str) -> str:
    label = _first(given, *_LABELS)
    if isinstance(label, list) and len(label) == 1:
        label = label[0]
    if not isinstance(label, str) or not label.strip():
        raise MalformedData(f"{place}: no label; expected one, as text, in {', '.join(_LABELS)}")
    return label.strip()


def _task(record: Mapping[str, Any], where: str, name: str) -> Annotated:
    """A task of Label Studio with what each annotator has submitted."""
    data = record["data"]
    texts = [each for each in (data.get(key) for key in _TEXTS) if isinstance(each, str)]
    texts = texts or [each for each in data.values() if isinstance(each, str)]
    if not texts:
        raise MalformedData(f"{where}: no text in its data")
    done = [each for each in record["annotations"] if isinstance(each, dict) and not each.get("was_cancelled")]
    mentions: list[Mention] = []
    for number, annotation in enumerate(done, 1):
        result = annotation.get("result")
        if not isinstance(result, list):
            raise MalformedData(f"{where}: an annotation without a result")
        regions = [each for each in result if isinstance(each, dict)]
        if any(each.get("type") == "hypertextlabels" for each in regions):
            raise MalformedData(f"{where}: spans in HTML, not in text; label the plain text")
        values = [each.get("value") for each in regions if each.get("type") == "labels"]
        mentions += _mentions(texts[0], values, where, str(number))
    return Annotated(name, texts[0], tuple(mentions), len(done), "", _split(record))


def _first(record: Mapping[str, Any], *names: str) -> Any:
    return next((record[name] for name in names if record.get(name) is not None), None)


def _metadata(record: Mapping[str, Any], name: str) -> Any:
    """A field of the metadata, or of the provenance in it."""
    metadata = record.get("metadata")
    if not isinstance(metadata, dict):
        return None
    provenance = metadata.get("provenance")
    return metadata.get(name) or (provenance.get(name) if isinstance(provenance, dict) else None)


def _group(record: Mapping[str, Any]) -> str:
    group = _first(record, "template_id", "group", "doc_id") or _metadata(record, "doc_id")
    return "" if group is None else str(group)


def _split(record: Mapping[str, Any]) -> str:
    return str(_first(record, "split", "dataset_type") or _metadata(record, "dataset_type") or "")

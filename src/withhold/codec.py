"""JSON both ways for frozen dataclasses, and the one place where outside data is checked against them.

Policies come through here too: a TOML table is read like any other value, so a key that is not known is
refused, with the nearest right one named, wherever it stands.
"""

from __future__ import annotations

import base64
import binascii
import json
import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any, Literal, Self, Union, get_args, get_origin, get_type_hints

from withhold.errors import MalformedData

Json = dict[str, Any]


class Value:
    """A frozen dataclass that can be written as JSON and read back as an equal value."""

    __slots__ = ()

    def to_json(self) -> Json:
        plain: Json = encode(self)
        return plain

    @classmethod
    def from_json(cls, data: object) -> Self:
        value: Self = decode(cls, data)
        return value

    def to_bytes(self) -> bytes:
        """The value as a JSON file, in ASCII, so that no text in it can break it."""
        return json.dumps(self.to_json(), indent=2).encode("ascii") + b"\n"

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The value in a JSON file.

        Raises:
            MalformedData: if there is none in it.
        """
        try:
            plain = json.loads(data)
        except (ValueError, RecursionError):
            raise MalformedData("not JSON") from None
        return cls.from_json(plain)


def encode(value: Any) -> Any:
    """The value as dicts, lists, strings, numbers, booleans and None."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: encode(getattr(value, field.name)) for field in _written(value)}
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    return value


def _written(kind: Any) -> list[Field[Any]]:
    """The fields of a dataclass that are written to JSON."""
    return [field for field in fields(kind) if field.metadata.get("json", True)]


def decode(kind: Any, data: object, where: str = "") -> Any:
    """`data` as a value of the annotated type `kind`.

    Raises:
        MalformedData: naming the place (`where`) and what was expected there, not what was found.
    """
    if is_dataclass(kind):
        return _decode_dataclass(kind, data, where)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _decode_union(arguments, data, where)
    if origin is Literal:
        if data not in arguments:
            allowed = ", ".join(repr(argument) for argument in arguments)
            raise MalformedData(f"{where or 'value'}: expected one of {allowed}")
        return data
    if origin is tuple:
        return _decode_tuple(arguments, data, where)
    if origin is not None and issubclass(origin, Mapping):
        _expect(isinstance(data, Mapping), where, "a table")
        assert isinstance(data, Mapping)
        return {key: decode(arguments[1], item, f"{where}.{key}") for key, item in data.items()}
    return _decode_scalar(kind, data, where)


@cache
def hints(kind: type) -> dict[str, Any]:
    """The resolved annotations of a dataclass."""
    return get_type_hints(kind)


def _decode_dataclass(kind: Any, data: object, where: str) -> Any:
    _expect(isinstance(data, Mapping), where, "a table")
    assert isinstance(data, Mapping)
    known = {field.name: field for field in _written(kind)}
    for key in data:
        if key not in known:
            raise MalformedData(unknown_key(str(key), known, where))
    missing = [
        name
        for name, field in known.items()
        if name not in data and field.default is MISSING and field.default_factory is MISSING
    ]
    if missing:
        raise MalformedData(f"{where or kind.__name__}: {', '.join(missing)} missing")
    prefix = f"{where}." if where else ""
    values = {key: decode(hints(kind)[key], item, prefix + key) for key, item in data.items()}
    try:
        return kind(**values)
    except ValueError as error:
        raise MalformedData(f"{where or kind.__name__}: {error}") from None


def unknown_key(key: str, known: Mapping[str, object], where: str = "") -> str:
    """What to say of a key that is not known: the nearest right one, or all of them."""
    place = f"{where}: " if where else ""
    near = get_close_matches(key, known, n=1, cutoff=0.5)
    advice = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(known)}"
    return f"{place}unknown key {key!r}; {advice}"


def _decode_union(arguments: tuple[Any, ...], data: object, where: str) -> Any:
    if data is None and type(None) in arguments:
        return None
    failure: MalformedData | None = None
    for argument in arguments:
        if argument is not type(None):
            try:
                return decode(argument, data, where)
            except MalformedData as error:
                failure = failure or error
    raise failure or MalformedData(f"{where or 'value'}: expected nothing")


def _decode_tuple(arguments: tuple[Any, ...], data: object, where: str) -> tuple[Any, ...]:
    _expect(isinstance(data, (list, tuple)), where, "a list")
    assert isinstance(data, (list, tuple))
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        item = arguments[0]
        return tuple(decode(item, each, f"{where}[{i}]") for i, each in enumerate(data))
    _expect(len(data) == len(arguments), where, f"{len(arguments)} items")
    pairs = zip(arguments, data, strict=True)
    return tuple(decode(kind, item, f"{where}[{i}]") for i, (kind, item) in enumerate(pairs))


_NAMES = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


def _decode_scalar(kind: Any, data: object, where: str) -> Any:
    if kind is Any or kind is object:
        return data
    if kind is bytes:
        _expect(isinstance(data, str), where, "base64 text")
        assert isinstance(data, str)
        try:
            return base64.b64decode(data, validate=True)
        except binascii.Error:
            raise MalformedData(f"{where or 'value'}: expected base64 text") from None
    if kind is float and type(data) is int:
        _expect(abs(data) < 2**1000, where, "a number that is not so large")
        return float(data)
    _expect(type(data) is kind, where, _NAMES.get(kind, str(kind)))
    return data


def _expect(condition: bool, where: str, what: str) -> None:
    if not condition:
        raise MalformedData(f"{where or 'value'}: expected {what}")

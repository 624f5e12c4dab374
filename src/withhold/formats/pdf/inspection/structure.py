"""What a PDF holds beside its pages: properties, outlines, attachments, comments, fields, layers, scripts, remains."""

from __future__ import annotations

import io
import re
import warnings
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import pikepdf

from withhold.errors import EncryptedDocument
from withhold.types import Hidden

UNREADABLE = "structure that cannot be looked into"

_PROPERTIES = frozenset(
    ("Title", "Author", "Subject", "Keywords", "Creator", "Producer", "CreationDate", "ModDate", "Trapped")
)
_PACKING = frozenset(("/ObjStm", "/XRef"))
_ALTERNATIVE = ("/ActualText", "/Alt", "/E")
_PACKED = frozenset(("/FlateDecode", "/Fl", "/LZWDecode", "/LZW", "/RunLengthDecode", "/RL"))
_SMALL, _LARGEST = 100_000, 100_000_000
"""Streams that may be packed in any way, and the most that others may unpack to, in bytes."""

_MOST = 500_000
"""So many objects are looked at; a file with more is said to be unreadable."""

Said = dict[tuple[str, str], list[str]]
"""What was found, by kind and place: one text for each."""


def beside_the_pages(data: bytes, password: str | None = None) -> Iterator[Hidden]:
    """Everything that is no text of a page. A file that pikepdf cannot open is said to be unreadable.

    Raises:
        EncryptedDocument: if it needs another password.
    """
    try:
        with warnings.catch_warnings(), pikepdf.open(io.BytesIO(data), password=password or "") as pdf:
            warnings.simplefilter("ignore")  # they quote the file
            found = _Search(pdf).run()
    except pikepdf.PasswordError:
        raise EncryptedDocument("the PDF needs a password; remove it first") from None
    except (pikepdf.PdfError, ValueError, RuntimeError, TypeError, RecursionError, AttributeError, KeyError):
        # What is so broken that a library stumbles over it can hide anything.
        yield Hidden(UNREADABLE, "file")
        return
    for (kind, where), texts in found.items():
        yield Hidden(kind, where, len(texts), " | ".join(filter(None, texts)))


class _Search:
    """One walk from the trailer over everything that can be reached, and what of it is not part of a page's picture."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._found: Said = defaultdict(list)
        self._reached: set[tuple[int, int]] = set()

    def run(self) -> Said:
        root = self._pdf.Root
        self._info()
        self._outline(root)
        self._fields(root)
        self._layers(root)
        self._labels(root)
        for number, page in enumerate(self._pdf.pages, 1):
            self._page(page.obj, f"page {number}")
        self._walk(self._pdf.trailer)
        self._unused()
        return dict(self._found)

    def _add(self, kind: str, where: str, text: object = "") -> None:
        self._found[kind, where].append(" ".join(_text(text).split()))

    def _info(self) -> None:
        info = self._pdf.trailer.get("/Info")
        if isinstance(info, pikepdf.Dictionary):
            for key, value in info.items():
                name = str(key).removeprefix("/")
                if not isinstance(value, pikepdf.String) or not str(value).strip():
                    continue
                self._add(f"property {name if name in _PROPERTIES else 'of its own'}", "file", value)

    def _outline(self, root: Any) -> None:
        waiting, seen = [_get(root.get("/Outlines"), "/First")], 0
        while waiting and seen < _MOST:
            item = waiting.pop()
            seen += 1
            if isinstance(item, pikepdf.Dictionary) and not self._again(item):
                self._add("outline titles", "file", item.get("/Title", ""))
                waiting += [_get(item, "/Next"), _get(item, "/First")]
        self._reached.clear()

    def _again(self, thing: Any) -> bool:
        """Whether it was met before; what has no number is met once only."""
        if thing.objgen == (0, 0):
            return False
        met = thing.objgen in self._reached
        self._reached.add(thing.objgen)
        return met

    def _fields(self, root: Any) -> None:
        form = root.get("/AcroForm")
        if not isinstance(form, pikepdf.Dictionary):
            return
        if "/XFA" in form:
            self._add("XFA form", "file")
        waiting = _items(form.get("/Fields"))
        while waiting and len(self._reached) < _MOST:
            field = waiting.pop()
            if isinstance(field, pikepdf.Dictionary) and not self._again(field):
                waiting += _items(field.get("/Kids"))
                kind = "signatures" if field.get("/FT") == "/Sig" else "form fields"
                said = [_text(field.get(key)) for key in ("/T", "/V", "/DV", "/TU", "/RV") if key in field]
                if said:
                    self._add(kind, "file", " ".join(said))
        self._reached.clear()

    def _layers(self, root: Any) -> None:
        layers = root.get("/OCProperties")
        off = {each.objgen for each in _items(_get(_get(layers, "/D"), "/OFF"))}
        for layer in _items(_get(layers, "/OCGs")):
            self._add("hidden layers" if layer.objgen in off else "layers", "file", _get(layer, "/Name") or "")

    def _labels(self, root: Any) -> None:
        for value in _items(_get(root.get("/PageLabels"), "/Nums")):
            if prefix := _get(value, "/P"):
                self._add("page labels", "file", prefix)

    def _page(self, page: Any, where: str) -> None:
        for key, kind in (("/Thumb", "thumbnails"), ("/PieceInfo", "private data of programs")):
            if key in page:
                self._add(kind, where)
        for annotation in _items(page.get("/Annots")):
            if isinstance(annotation, pikepdf.Dictionary):
                self._annotation(annotation, where)
        for stream in _items(page.get("/Contents")) or [page.get("/Contents")]:
            self._spoken(stream, where)

    def _annotation(self, annotation: Any, where: str) -> None:
        subtype = str(annotation.get("/Subtype", ""))
        if subtype == "/Redact":
            self._add("unapplied redactions", where, annotation.get("/OverlayText", ""))
        elif subtype == "/Link":
            target = _get(annotation.get("/A"), "/URI") or _get(annotation.get("/A"), "/F")
            if target is not None:
                self._add("link targets", where, target)
        elif subtype not in ("/Widget", "/Popup"):
            said = [_text(annotation.get(key)) for key in ("/T", "/Subj", "/Contents") if key in annotation]
            if any(said):
                self._add("comments", where, " ".join(said))

    def _spoken(self, stream: Any, where: str) -> None:
        """Text to be read aloud or copied in place of what is drawn. It is told even where the page shows the same."""
        if not isinstance(stream, pikepdf.Stream):
            return
        content = _decoded(stream)
        if any(key.encode() in content for key in _ALTERNATIVE[:2]):
            for instruction in pikepdf.parse_content_stream(stream, "BDC DP"):
                self._alternative(instruction.operands[-1], where)

    def _alternative(self, holder: Any, where: str) -> None:
        if isinstance(holder, pikepdf.Dictionary):
            for key in _ALTERNATIVE:
                if isinstance(holder.get(key), pikepdf.String):
                    self._add("alternative texts", where, holder.get(key))

    def _walk(self, trailer: Any) -> None:
        waiting: list[Any] = [trailer]
        while waiting:
            thing = waiting.pop()
            if isinstance(thing, pikepdf.Array):
                children: Iterable[Any] = list(thing)
            elif isinstance(thing, (pikepdf.Dictionary, pikepdf.Stream)):
                self._thing(thing)
                children = thing.values()
            else:
                continue
            for child in children:
                if isinstance(child, pikepdf.Object) and not self._again(child):
                    waiting.append(child)
            if len(self._reached) > _MOST:
                raise ValueError("too many objects")

    def _thing(self, thing: Any) -> None:
        """Things that can hang on any object."""
        kind = str(thing.get("/Type", ""))
        if kind == "/Metadata" and isinstance(thing, pikepdf.Stream):
            self._add("XMP metadata", "file", re.sub(rb"<[^>]*>", b" ", _decoded(thing)).decode("utf-8", "replace"))
        elif kind == "/EmbeddedFile":
            self._add("attachments", "file")
        elif "/EF" in thing:
            self._add("attached names", "file", thing.get("/UF", thing.get("/F", "")))
        elif "/JS" in thing:
            self._add("scripts", "file", thing.get("/JS"))
        elif kind == "/StructElem" or "/ActualText" in thing:
            self._alternative(thing, "file")

    def _unused(self) -> None:
        """Objects that nothing leads to and that can say something: what a tool took off a page and left behind."""
        for thing in self._pdf.objects:
            if isinstance(thing, (pikepdf.Dictionary, pikepdf.Stream)) and thing.objgen not in self._reached:
                if isinstance(thing, pikepdf.Stream) and str(thing.get("/Type", "")) not in _PACKING:
                    self._add("unused objects", "file", _shown(thing))
                elif any(isinstance(value, pikepdf.String) for value in thing.values()):
                    self._add("unused objects", "file", " ".join(map(_text, thing.values())))


def _get(holder: Any, key: str) -> Any:
    return holder.get(key) if isinstance(holder, (pikepdf.Dictionary, pikepdf.Stream)) else None


def _items(thing: Any) -> list[Any]:
    return list(thing) if isinstance(thing, pikepdf.Array) else []


def _decoded(stream: Any) -> bytes:
    """What a stream says, if it is certain that it will not blow up.

    Raises:
        ValueError: if it could.
    """
    packed = stream.read_raw_bytes()
    filters = stream.get("/Filter", [])
    names = [str(each) for each in filters] if isinstance(filters, pikepdf.Array) else [str(filters)]
    packing = [name for name in names if name in _PACKED]
    if len(packing) > 1 or (packing and packing != ["/FlateDecode"] and len(packed) > _SMALL):
        raise ValueError("a stream that is packed more than once, or in a way that cannot be measured")
    if packing == names == ["/FlateDecode"]:
        unpacking = zlib.decompressobj()
        try:
            unpacking.decompress(packed, _LARGEST)
        except zlib.error:
            return b""
        if unpacking.unconsumed_tail:
            raise ValueError("a stream that unpacks to more than is safe")
    elif packing and len(packed) > _SMALL:
        raise ValueError("a stream that cannot be measured")
    return bytes(stream.read_bytes())


def _shown(stream: Any) -> str:
    """What a stream would show if it were part of a page, as far as its codes are letters."""
    try:
        _decoded(stream)
        instructions = pikepdf.parse_content_stream(stream, "Tj TJ ' \"")
    except (pikepdf.PdfError, ValueError, RuntimeError):
        return ""
    strings = [each for instruction in instructions for each in instruction.operands]
    return "".join(_text(each) for each in strings if isinstance(each, (pikepdf.String, pikepdf.Array)))


def _text(value: Any) -> str:
    """What a string, a stream or a list of them says."""
    if isinstance(value, pikepdf.Stream):
        return _decoded(value).decode("utf-8", "replace")
    if isinstance(value, pikepdf.Array):
        return "".join(_text(each) for each in value if isinstance(each, (pikepdf.String, pikepdf.Stream)))
    return "" if value is None or isinstance(value, pikepdf.Dictionary) else str(value)

"""Opening a file: what is encrypted, damaged or too large is refused by name."""

from __future__ import annotations

import gc
import io
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pikepdf

from withhold.errors import DamagedDocument, EncryptedDocument, HostileDocument, UnsupportedFormat
from withhold.types import Handling

SIGNATURE = b"%PDF-"
MOST_PAGES = 20_000
_HEAD = 1024


def is_pdf(data: bytes) -> bool:
    """Whether the bytes begin as viewers want a PDF to begin: some put other things before the signature."""
    return SIGNATURE in data[:_HEAD]


@contextmanager
def damage_is_told() -> Iterator[None]:
    """Whatever goes wrong with a file that is not as it should be becomes an error that does not quote it."""
    try:
        yield
    except pikepdf.PasswordError:
        raise EncryptedDocument("the file needs a password to be read") from None
    except _FAULTS:
        raise DamagedDocument("the file is damaged in a way that cannot be repaired") from None


@contextmanager
def nothing_is_collected() -> Iterator[None]:
    """Letters by the hundred thousand are made and kept: looking through them for garbage, again and again, takes as
    long as reading them, and finds none. What is there in the end counts as old, so that nobody looks through it at
    once either; only now and then everything is.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
        if was_on and next(_turns) % _SELDOM == 0:
            gc.collect()
        elif was_on and not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()
    finally:
        if was_on:
            gc.enable()


_SELDOM = 50
_turns = count(1)

_FAULTS = (
    *(pikepdf.PdfError, pikepdf.ForeignObjectError, ValueError, TypeError, KeyError, IndexError, AttributeError),
    *(RuntimeError, RecursionError, ArithmeticError, MemoryError, NotImplementedError),
)


def password_of(handling: Handling) -> str:
    """The password that a policy has a file for; empty if it has none.

    Raises:
        EncryptedDocument: if there is no such file.
    """
    if not handling.password:
        return ""
    try:
        lines = Path(handling.password).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise EncryptedDocument("the file with the password cannot be read") from None
    return lines[0] if lines else ""


def open_pdf(data: bytes, password: str = "") -> pikepdf.Pdf:
    """The file, repaired where it is damaged.

    Raises:
        EncryptedDocument: if it needs a password, or another one.
        DamagedDocument: if nothing can be made of it.
        HostileDocument: if it has more pages than is safe.
    """
    try:
        pdf = _opened(data, password) or _opened(_repaired(data, password), password)
    except pikepdf.PasswordError:
        if password:
            raise EncryptedDocument("the password does not open the file") from None
        raise EncryptedDocument(
            "the file needs a password: name a file with it in the policy (files.password)"
        ) from None
    if pdf is None:
        raise DamagedDocument("the file cannot be parsed as a PDF")
    pages = len(pdf.pages)
    if not pages:
        raise DamagedDocument("the file has no pages")
    if pages > MOST_PAGES:
        raise HostileDocument(f"the file has more than {MOST_PAGES} pages")
    return pdf


def _opened(data: bytes, password: str) -> pikepdf.Pdf | None:
    try:
        pdf = _open(data, "")
    except pikepdf.PasswordError:
        if not password:
            raise
        pdf = _open(data, password)
    return pdf


def _open(data: bytes, password: str) -> pikepdf.Pdf | None:
    try:
        pdf = pikepdf.open(io.BytesIO(data), password=password, attempt_recovery=True, suppress_warnings=True)
        return pdf if len(pdf.pages) >= 0 else None
    except pikepdf.PasswordError:
        raise
    except _FAULTS:
        return None


def _repaired(data: bytes, password: str) -> bytes:
    """The pages as PDFium would save them, which finds its way through more damage; empty if it does not."""
    import pypdfium2

    buffer = io.BytesIO()
    try:
        pdf, copy = pypdfium2.PdfDocument(data, password=password or None), pypdfium2.PdfDocument.new()
        copy.import_pages(pdf)
        copy.save(buffer)
        copy.close()
        pdf.close()
    except (pypdfium2.PdfiumError, ValueError):
        return b""
    return buffer.getvalue()


def refuse_forms_made_of_xml(pdf: pikepdf.Pdf) -> None:
    """Some forms are not drawn from the pages but from XML beside them, which viewers of pages do not show."""
    form = pdf.Root.get("/AcroForm")
    if isinstance(form, pikepdf.Dictionary) and "/XFA" in form and pdf.Root.get("/NeedsRendering", False):
        raise UnsupportedFormat("a form that is drawn from XML, not from pages; print it to a PDF file first")


def stream_bytes(stream: pikepdf.Object, limit: int) -> bytes:
    """What a stream holds, decoded.

    Raises:
        DamagedDocument: if it cannot be decoded.
        HostileDocument: if it is longer than the limit.
    """
    try:
        data = bytes(stream.read_bytes())
    except (pikepdf.PdfError, RuntimeError, ValueError, NotImplementedError):
        raise DamagedDocument("a stream cannot be decoded") from None
    if len(data) > limit:
        raise HostileDocument("a stream expands to more than the policy allows")
    return data


def content_bytes(page: pikepdf.Object, limit: int) -> bytes:
    """All content streams of a page, as one; what cannot be decoded draws nothing in viewers either."""
    return b"\n".join(_pieces(page.get("/Contents"), limit))


def _pieces(contents: object, limit: int) -> Iterator[bytes]:
    if isinstance(contents, pikepdf.Stream):
        try:
            yield stream_bytes(contents, limit)
        except DamagedDocument:
            return
    elif isinstance(contents, pikepdf.Array):
        for each in contents:
            yield from _pieces(each, limit)

"""What a file has besides what its pages draw: all of it stays behind, and is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Stream

_CATALOGUE = {
    "/Metadata": "metadata",
    "/StructTreeRoot": "tags",
    "/PageLabels": "page labels",
    "/OpenAction": "actions",
    "/AA": "actions",
    "/Threads": "article threads",
    "/Collection": "portfolio",
    "/PieceInfo": "private data of programs",
    "/Dests": "named places",
    "/OCProperties": "layers",
    "/DSS": "signatures",
    "/Perms": "signatures",
}
_PAGE = {
    "/Metadata": "metadata",
    "/Thumb": "thumbnails",
    "/PieceInfo": "private data of programs",
    "/AA": "actions",
    "/AF": "attachments",
    "/B": "article threads",
}
_NAMES = {"/EmbeddedFiles": "attachments", "/JavaScript": "scripts", "/Dests": "named places"}
_MOST = 100_000


def besides(pdf: pikepdf.Pdf, data: bytes) -> Counter[str]:
    """How often each kind of thing is in the file that no page draws."""
    found: Counter[str] = Counter()
    info = pdf.trailer.get("/Info")
    if isinstance(info, Dictionary) and len(info.keys()):
        found["document properties"] += len(info.keys())
    for key, kind in _CATALOGUE.items():
        if key in pdf.Root:
            found[kind] += 1
    _count_trees(pdf.Root, found)
    for page in pdf.pages:
        for key, kind in _PAGE.items():
            if key in page.obj:
                found[kind] += 1
        for annotation in _listed(page.obj.get("/Annots")):
            found[_annotation(annotation)] += 1
    if (revisions := data.count(b"startxref")) > 1 and not pdf.is_linearized:
        found["earlier versions"] += revisions - 1
    return +found


def _count_trees(root: Any, found: Counter[str]) -> None:
    names = root.get("/Names")
    for key, kind in _NAMES.items():
        if isinstance(names, Dictionary) and key in names:
            found[kind] += 1
    if isinstance(outline := root.get("/Outlines"), Dictionary):
        found["outline"] += sum(1 for _ in _siblings(outline.get("/First")))
    if isinstance(form := root.get("/AcroForm"), Dictionary):
        found["form fields"] += len(list(_listed(form.get("/Fields"))))


def _listed(value: Any) -> Iterator[Any]:
    return (each for each in value if isinstance(each, (Dictionary, Stream))) if isinstance(value, Array) else iter(())


def _siblings(item: Any) -> Iterator[Any]:
    seen = 0
    while isinstance(item, Dictionary) and seen < _MOST:
        yield item
        item, seen = item.get("/Next"), seen + 1


def _annotation(annotation: Any) -> str:
    kind = str(annotation.get("/Subtype", ""))
    return {"/Link": "links", "/Widget": "form fields", "/FileAttachment": "attachments"}.get(kind, "comments")


def settle_annotations(pdf: pikepdf.Pdf) -> bool:
    """Draw on the pages what comments and form fields show, as a viewer does; what they say besides stays behind.

    Returns whether there were any.
    """
    if not any("/Annots" in page.obj for page in pdf.pages):
        return False
    try:
        form = pdf.Root.get("/AcroForm")
        if isinstance(form, Dictionary) and form.get("/NeedAppearances", False):
            pdf.generate_appearance_streams()
        pdf.flatten_annotations("screen")
    except (pikepdf.PdfError, RuntimeError, ValueError, TypeError):
        return False
    return True

"""Runs joined and emptied ones removed, so that where Word happened to split a text tells nothing."""

from __future__ import annotations

from lxml import etree

from withhold.formats.docx.names import SPACE, Element, a, drop, each, m, unwrap, w

_SIGNS = {w("fldChar"), w("instrText")}


def join(root: Element) -> None:
    """Drop empty runs and join neighbours of the same looks; every text keeps its spaces."""
    for text in each(root, w("t")):
        if not text.text:
            drop(text)
    for run in each(root, w("r")):
        if not any(child.tag != w("rPr") for child in run):
            drop(run)
    for tag in (a, m):
        for run in each(root, tag("r")):
            if not any(child.tag not in (tag("rPr"), tag("t"), w("rPr")) or child.text for child in run):
                drop(run)
    _join(root, w("r"), w("rPr"))
    _join(root, a("r"), a("rPr"))
    for run in root.iter(w("r")):
        _join_texts(run)
    for text in root.iter(w("t")):
        text.set(SPACE, "preserve")


def drop_guides(root: Element) -> int:
    """Put the base of every phonetic guide (ruby) in its place; how many there were.

    A guide says its base once more in another script, where no search for the base finds it, and stands
    between the letters of a word.
    """
    rubies = list(each(root, w("ruby")))
    for ruby in rubies:
        base = ruby.find(w("rubyBase"))
        inner = list(base.iter(w("r"))) if base is not None else []
        ruby[:] = [child for run in inner for child in run if child.tag != w("rPr")]
        unwrap(ruby)
    return len(rubies)


def _join(root: Element, tag: str, properties: str) -> None:
    looks = ""
    first: Element | None = None
    for run in each(root, tag):
        own = _looks(run, properties)
        if first is not None and run.getprevious() is first and own == looks and _joinable(run) and _joinable(first):
            first.extend([child for child in run if child.tag != properties])
            if tag == a("r"):
                _join_texts(first)
            drop(run)
        else:
            first, looks = run, own


def _joinable(run: Element) -> bool:
    return not any(child.tag in _SIGNS for child in run)


def _looks(run: Element, properties: str) -> str:
    found = run.find(properties)
    if found is None or (not len(found) and not found.attrib):
        return ""
    return etree.tostring(found, method="c14n").decode()


def _join_texts(run: Element) -> None:
    for text in [child for child in run if child.tag in (w("t"), a("t"))]:
        before = text.getprevious()
        if before is not None and before.tag == text.tag:
            before.text = (before.text or "") + (text.text or "")
            drop(text)

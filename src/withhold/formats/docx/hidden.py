"""Hidden runs: text that a document holds and does not show."""

from __future__ import annotations

from withhold.formats.docx.names import Element, drop, on, w


def hidden_styles(styles: Element | None) -> set[str]:
    """The styles whose text is hidden, by themselves or through the style they are based on."""
    if styles is None:
        return set()
    own: dict[str, bool] = {}
    base: dict[str, str] = {}
    for style in styles.iter(w("style")):
        identifier = style.get(w("styleId"), "")
        vanish = style.find(f"{w('rPr')}/{w('vanish')}")
        if vanish is not None:
            own[identifier] = on(vanish)
        parent = style.find(w("basedOn"))
        if parent is not None:
            base[identifier] = parent.get(w("val"), "")
    return {style for style in {*own, *base} if _hides(style, own, base)}


def _hides(style: str, own: dict[str, bool], base: dict[str, str]) -> bool:
    seen: set[str] = set()
    while style not in own and style in base and style not in seen:
        seen.add(style)
        style = base[style]
    return own.get(style, False)


def hidden_runs(root: Element, styles: set[str]) -> list[Element]:
    """The runs that Word does not show."""
    return [run for run in root.iter(w("r")) if _hidden(run, styles)]


def _hidden(run: Element, styles: set[str]) -> bool:
    direct = run.find(f"{w('rPr')}/{w('vanish')}")
    if direct is not None:
        return on(direct)
    character = run.find(f"{w('rPr')}/{w('rStyle')}")
    paragraph = next(run.iterancestors(w("p")), None)
    style = paragraph.find(f"{w('pPr')}/{w('pStyle')}") if paragraph is not None else None
    return _names_one(character, styles) != _names_one(style, styles)


def _names_one(reference: Element | None, styles: set[str]) -> bool:
    """Whether a style hides; a paragraph's and a character's that both do cancel each other out."""
    return reference is not None and reference.get(w("val")) in styles


def remove_hidden(root: Element, styles: set[str]) -> int:
    """Delete hidden runs; how many held anything."""
    removed = 0
    for run in hidden_runs(root, styles):
        removed += any(child.tag != w("rPr") for child in run)
        drop(run)
    return removed

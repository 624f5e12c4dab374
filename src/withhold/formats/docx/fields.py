"""Fields: their results are text and stay; their codes can say anything and go."""

from __future__ import annotations

from dataclasses import dataclass, field

from withhold.formats.docx.names import SPACE, Element, drop, each, number, on, unwrap, w

KEPT_CODES = ("PAGE", "NUMPAGES", "SECTIONPAGES")
"""Fields whose codes stay, since their results are different on every page."""


@dataclass(slots=True, repr=False)
class _Field:
    """A field that has begun: its signs, the content of its code, and what the code says."""

    signs: list[Element] = field(default_factory=list)
    content: list[Element] = field(default_factory=list)
    code: str = ""
    in_code: bool = True


def flatten(root: Element) -> int:
    """Replace every field by its result, but for page numbers; how many there were."""
    flattened = 0
    open_fields: list[_Field] = []
    for child in [child for run in root.iter(w("r")) for child in run if child.tag != w("rPr")]:
        if child.tag == w("fldChar"):
            kind = child.get(w("fldCharType"))
            if kind == "begin":
                open_fields.append(_Field())
            if not open_fields:
                drop(child)
                continue
            open_fields[-1].signs.append(child)
            if kind == "separate":
                open_fields[-1].in_code = False
            elif kind == "end":
                flattened += _close(open_fields.pop(), nested=any(each.in_code for each in open_fields))
        elif (outermost := next((each for each in open_fields if each.in_code), None)) is not None:
            outermost.content.append(child)
            if child.tag == w("instrText") and open_fields[-1].in_code:
                open_fields[-1].code += child.text or ""
    for unfinished in open_fields:
        for element in (*unfinished.signs, *(e for e in unfinished.content if e.tag == w("instrText"))):
            drop(element)
    return flattened + _flatten_simple(root) + _drop_stray_codes(root)


def _close(finished: _Field, nested: bool) -> int:
    words = finished.code.split()
    name = words[0].upper() if words else ""
    if name in KEPT_CODES and not nested:
        codes = [element for element in finished.content if element.tag == w("instrText")]
        codes[0].text = f" {name} "
        codes[0].set(SPACE, "preserve")
        for element in finished.content:
            if element is not codes[0]:
                drop(element)
        for data in (child for sign in finished.signs for child in list(sign)):
            drop(data)
        return 0
    _write_shown(name, finished)
    for element in (*finished.signs, *finished.content):
        drop(element)
    return 1


def _write_shown(name: str, finished: _Field) -> None:
    """Buttons that show a part of their code, form fields that show a choice: write down what is seen."""
    begin, shown = finished.signs[0], ""
    if name == "FORMCHECKBOX":
        box = begin.find(f"{w('ffData')}/{w('checkBox')}")
        if box is not None:
            checked = box.find(w("checked"))
            shown = "☒" if on(checked if checked is not None else box.find(w("default"))) else "☐"
    elif name == "FORMDROPDOWN":
        choices = begin.find(f"{w('ffData')}/{w('ddList')}")
        if choices is not None:
            shown = _chosen(choices)
    elif name in ("MACROBUTTON", "GOTOBUTTON"):
        shown = " ".join(finished.code.split()[2:])
    if shown:
        text = begin.makeelement(w("t"))
        text.text = shown
        begin.addprevious(text)


def _chosen(choices: Element) -> str:
    entries = [entry.get(w("val"), "") for entry in choices.findall(w("listEntry"))]
    for tag in ("result", "default"):
        chosen = number(choices.find(w(tag)))
        if chosen is not None and chosen < len(entries):
            return entries[chosen]
    return entries[0] if entries else ""


def _flatten_simple(root: Element) -> int:
    flattened = 0
    for simple in each(root, w("fldSimple")):
        for data in simple.findall(w("fldData")):
            drop(data)
        words = simple.get(w("instr"), "").split()
        if words and words[0].upper() in KEPT_CODES:
            simple.set(w("instr"), f" {words[0].upper()} ")
        else:
            unwrap(simple)
            flattened += 1
    return flattened


def _drop_stray_codes(root: Element) -> int:
    stray = 0
    for code in each(root, w("instrText")):
        if (code.text or "").strip() not in KEPT_CODES:
            drop(code)
            stray += 1
    return stray

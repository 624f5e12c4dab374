"""What bad redactions leave in a PDF is found, and good ones raise no alarm."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable

import pikepdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fixtures.redacted_pdfs import (
    BAD,
    BAD_PICTURES,
    BESIDE,
    GOOD,
    SECRET,
    beside,
    changed,
    page,
    sentence,
    without,
)
from withhold.errors import DamagedDocument, DocumentError, EncryptedDocument
from withhold.formats.pdf.inspection import HARMLESS, UNREADABLE, hidden, unseen_text
from withhold.types import Hidden

TURNED = [pytest.param(False, id="level"), pytest.param(True, id="turned")]


def alarms(data: bytes) -> list[Hidden]:
    """What is found besides the properties that any program writes."""
    return [each for each in hidden(data) if each.kind not in HARMLESS and not each.kind.startswith("property")]


@pytest.mark.parametrize("turned", TURNED)
@pytest.mark.parametrize("make", BAD.values(), ids=BAD)
def test_every_bad_redaction_is_found_with_its_words(make: Callable[..., bytes], turned: bool) -> None:
    data = make(turned=turned)
    assert any(SECRET in each.text for each in alarms(data))


@pytest.mark.parametrize("turned", TURNED)
@pytest.mark.parametrize("make", BAD_PICTURES.values(), ids=BAD_PICTURES)
def test_what_is_drawn_over_a_scan_is_found(make: Callable[..., bytes], turned: bool) -> None:
    (found,) = unseen_text(make(turned=turned))
    assert found.kind == "picture under a drawing"
    left, bottom, right, top = found.boxes[0]
    assert {round(right - left), round(top - bottom)} == {120, 13}


@pytest.mark.parametrize("turned", TURNED)
@pytest.mark.parametrize("make", GOOD.values(), ids=GOOD)
def test_no_false_alarm(make: Callable[..., bytes], turned: bool) -> None:
    assert alarms(make(turned=turned)) == []


def _patterned(pattern: dict[str, object], cell: bytes | None, packed: bool = False) -> bytes:
    """A page on which the secret is painted with a pattern, whose colour is said to be black."""
    names, out = pikepdf.Name, io.BytesIO()
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(420, 170))
    holder = pikepdf.Dictionary(Type=names.Pattern) if cell is None else pdf.make_stream(cell)
    for key, value in pattern.items():
        holder["/" + key] = value
    font = pikepdf.Dictionary(Type=names.Font, Subtype=names.Type1, BaseFont=names.Helvetica)
    pdf.pages[0].obj.Resources = pikepdf.Dictionary(
        Font=pikepdf.Dictionary(F1=font),
        Pattern=pikepdf.Dictionary(P1=pdf.make_indirect(holder)),
        ColorSpace=pikepdf.Dictionary(C=pikepdf.Array([names.Pattern, names.DeviceGray])),
    )
    shown = b"BT /F1 11 Tf 20 100 Td (Nothing here) Tj ET /C cs 0 /P1 scn BT /F1 11 Tf 20 60 Td (%b) Tj ET"
    pdf.pages[0].obj.Contents = pdf.make_stream(shown % SECRET.encode())
    mode = pikepdf.ObjectStreamMode
    pdf.save(out, object_stream_mode=mode.generate if packed else mode.disable)
    return out.getvalue()


TILING = {
    "PatternType": 1, "PaintType": 2, "TilingType": 1, "BBox": [0, 0, 4, 4], "XStep": 4, "YStep": 4,
    "Resources": pikepdf.Dictionary(),
}  # fmt: skip
WHITE = pikepdf.Dictionary(FunctionType=2, Domain=[0, 1], C0=[1, 1, 1], C1=[1, 1, 1], N=1)
SHADING = {
    "PatternType": 2,
    "Shading": pikepdf.Dictionary(
        ShadingType=2, ColorSpace=pikepdf.Name.DeviceRGB, Coords=[0, 0, 420, 0], Function=WHITE,
        Extend=[True, True],
    ),
}  # fmt: skip


@pytest.mark.parametrize("written", [b"/PatternType", b"/Pattern#54ype", b"/#50atternTyp#65"])
@pytest.mark.parametrize("cell", [b"", b"0 0 1.2 1.2 re f"])
def test_text_that_a_pattern_hardly_paints_is_found(cell: bytes, written: bytes) -> None:
    data = _patterned(TILING, cell).replace(b"/PatternType", written)
    assert [each.text for each in alarms(data)] == [SECRET]


@pytest.mark.parametrize("packed", [False, True])
def test_text_in_a_white_shade_is_found(packed: bool) -> None:
    assert [each.text for each in alarms(_patterned(SHADING, None, packed))] == [SECRET]


@pytest.mark.parametrize("kind", BESIDE)
def test_what_stands_beside_the_pages(kind: str) -> None:
    before, after = list(hidden(page(without))), list(hidden(beside(kind)))
    assert kind in {each.kind for each in after}
    assert not any(SECRET in each.text for each in before)
    if kind not in ("attachments", "thumbnails"):
        assert any(SECRET in each.text for each in after if each.kind == kind)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("black box over text", "text under a drawing"),
        ("image over text", "text under an image"),
        ("black annotation", "text under an annotation"),
        ("unapplied redaction", "unapplied redactions"),
        ("black text on black", "blackened text"),
        ("white text", "white text"),
        ("invisible text", "invisible text"),
        ("text off the page", "text off the page"),
        ("tiny text", "tiny text"),
        ("clipped text", "clipped text"),
        ("hidden layer", "text in a hidden layer"),
        ("earlier revision", "earlier revisions"),
        ("OCR layer under a blackened scan", "invisible text"),
    ],
)
def test_the_reason_is_told(name: str, kind: str) -> None:
    assert kind in {each.kind for each in alarms(BAD[name]())}


def test_the_words_of_a_scan_are_a_class_of_their_own() -> None:
    found = [each for each in hidden(GOOD["scan with its OCR layer"]()) if each.kind == "OCR layer"]
    assert SECRET in found[0].text


def test_only_what_is_covered_is_told() -> None:
    (found,) = unseen_text(BAD["black box over text"]())
    assert found.text == SECRET
    left, bottom, right, top = found.boxes[:, 0].min(), found.boxes[:, 1].min(), *found.boxes[:, 2:].max(axis=0)
    assert 144 < left < 147
    assert right < 263
    assert 96 < bottom < top < 112


def test_a_page_with_a_crop_and_a_turn() -> None:
    def change(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].Rotate = 270
        pdf.pages[0].CropBox = [40, 20, 400, 150]

    assert [each.text for each in alarms(changed(BAD["black box over text"](), change))] == [SECRET]
    # What the crop cuts off is still in the file.
    cut = changed(page(sentence), lambda pdf: pdf.pages[0].__setitem__("/CropBox", pikepdf.Array([270, 0, 420, 170])))
    assert any(each.kind == "text off the page" and SECRET in each.text for each in alarms(cut))


def test_what_a_tool_left_without_a_use() -> None:
    def change(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].Contents = pdf.make_stream(b"BT /F1 11 Tf 72 100 Td (nothing) Tj ET")

    data = page(sentence)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        old = pdf.pages[0].Contents
        change(pdf)
        pdf.Root.Kept = old
        out = io.BytesIO()
        pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    orphaned = out.getvalue().replace(b"/Kept", b"/Nop ", 1)
    # The name of a key is all that led to it; a reference that is no longer one leaves the stream without a use.
    start = orphaned.index(b"/Nop ")
    end = orphaned.index(b"R", start) + 1
    orphaned = orphaned[:start] + b" " * (end - start) + orphaned[end:]
    assert any(each.kind == "unused objects" and SECRET in each.text for each in hidden(orphaned))


def test_a_damaged_or_locked_file_is_refused_by_name() -> None:
    with pytest.raises(DamagedDocument):
        list(hidden(b"%PDF-1.7\nnothing"))
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(page(sentence))) as pdf:
        pdf.save(out, encryption=pikepdf.Encryption(owner="o", user="u"))
    with pytest.raises(EncryptedDocument):
        list(hidden(out.getvalue()))
    assert list(hidden(out.getvalue(), "u"))


def test_a_stream_that_blows_up_is_not_unpacked() -> None:
    with pikepdf.open(io.BytesIO(page(sentence))) as pdf:
        bomb = pdf.make_stream(b"")
        bomb.write(zlib.compress(bytes(150_000_000), 9), filter=pikepdf.Name.FlateDecode, type_check=False)
        pdf.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS=bomb)
        out = io.BytesIO()
        pdf.save(out, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
    assert UNREADABLE in {each.kind for each in hidden(out.getvalue())}


def test_nothing_found_shows_its_words() -> None:
    found = [*hidden(BAD["black box over text"]()), *unseen_text(BAD["black box over text"]())]
    assert found
    assert not any("Kwiatkowski" in repr(each) for each in found)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32 - 1), st.integers(1, 40))
def test_damage_is_told_or_refused(seed: int, times: int) -> None:
    """Bytes changed anywhere end in a list or in an error of ours, never in another one."""
    data = bytearray(BAD["black box over text"]())
    for step in range(times):
        data[zlib.crc32(b"%d %d" % (seed, step)) % len(data)] = zlib.crc32(b"%d" % (seed + step)) % 256
    try:
        found = list(hidden(bytes(data)))
    except DocumentError:
        return
    assert all(each.kind for each in found)

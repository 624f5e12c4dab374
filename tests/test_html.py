"""Web pages: what is particular to them."""

from __future__ import annotations

import re
from base64 import b64encode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fixtures.html_files import every_slot, plain
from withhold import Policy, Redactor, formats
from withhold.errors import DocumentError, HostileDocument, UnwritableText
from withhold.formats.html import Html, css
from withhold.formats.html.names import Names
from withhold.formats.images import BLANK_PNG
from withhold.policy import Find
from withhold.spans import Span
from withhold.text import fold
from withhold.types import Document, Handling, Notice, Replacement

NAMES = (
    "Kwiatkowski Nowak Lee Szymborska O'Brien Müller Zhang Papadopoulos Zu Fitzgerald-Jones Smith Øster Żak Ivanova "
    "Abernathy MacDonald Ito Vandenberg Quint Xu"
)


def read(page: str | bytes, handling: Handling | None = None) -> Document:
    data = page if isinstance(page, bytes) else page.encode("utf-8", "surrogatepass")
    return formats.read(data, format="html", handling=handling)


def find(document: Document, word: str, text: str = "[X]") -> list[Replacement]:
    folded = fold(document.text)
    return [
        Replacement(folded.span(*match.span()), text) for match in re.finditer(re.escape(fold(word).text), folded.text)
    ]


def remove(page: str | bytes, word: str, text: str = "[X]") -> tuple[str, tuple[Notice, ...]]:
    """The page without the word, verified."""
    document = read(page)
    result, notices, _ = formats.rewrite(document, find(document, word, text))
    return result.native.decode(), notices


def body(page: str) -> str:
    match = re.search("<body[^>]*>(.*)</body>", page, re.DOTALL)
    assert match
    return match[1]


def blocks(page: str | bytes) -> list[str]:
    document = read(page)
    return [block.span.of(document.text) for block in document.blocks]


def test_blocks_say_in_which_cell_they_are() -> None:
    page = (
        "<h2>Head</h2><table><caption>Cap</caption><tr><th>a<td>b<p>c</p></td></tr>"
        "<tr><td><table><tr><td>in</td></tr></table>out</td><td><a href='https://x.example'>d</a></td></tr></table><td>e"
    )
    document = read(page)
    assert [(block.span.of(document.text), block.kind, block.where) for block in document.blocks] == [
        ("Head", "body", "h2"),
        ("Cap", "body", "caption"),
        ("a", "cell", "table 1, row 1, cell 1"),
        ("b", "cell", "table 1, row 1, cell 2"),
        ("c", "cell", "table 1, row 1, cell 2"),
        ("in", "cell", "table 2, row 1, cell 1"),
        ("out", "cell", "table 1, row 2, cell 1"),
        ("https://x.example", "link target", "a href"),
        ("d", "cell", "table 1, row 2, cell 2"),
        ("e", "body", "div"),
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>Kwiat<b>kow</b>ski came", "<p>[X] came</p>"),
        ("<p>Kwiat<!-- x -->kowski came", "<p>[X] came</p>"),
        ("<p>Kwiat<wbr>kowski came", "<p>[X] came</p>"),
        ("<p>Kwiat&shy;kowski came", "<p>[X] came</p>"),
        ("<p>&#x4b;wiat&#107;owski came", "<p>[X] came</p>"),
        ("<p>Kwi\0at\x01ko&#8;wski came", "<p>[X] came</p>"),
        ("<p>a <i>Kwiatkowski</i> b", "<p>a <i>[X]</i> b</p>"),
        ("<p><b>Mr Kwiat</b><i>kowski</i> b", "<p><b>Mr [X]</b> b</p>"),
        ('<a href="http://kwiatkowski.com">site</a>', "<a>site</a>"),
        ('<img alt="Mr Kwiatkowski" src="a.png">', '<img alt="Mr [X]" src="a.png">'),
        ("<ruby>Kwiat<rt>ki</rt>kowski</ruby>", "<ruby>[X]<rt>ki</rt></ruby>"),
        ("<textarea>Kwiatkowski &lt;b></textarea>", "<textarea>[X] &lt;b&gt;</textarea>"),
        ("<p>Kwiatkowski</p></body></html>tail Kwiatkowski", "<p>[X]</p>tail [X]"),
        ("<svg><text>Kwiat<title>x</title>kowski</text></svg>", "<svg><text>[X]<title>x</title></text></svg>"),
        ("<p>Kwiat<rt>kowski</rt> came", "<p>[X] came</p>"),
        ("<metadata>Kwiat</metadata><annotation>kowski</annotation>", "<span>[X]</span>"),
        ("<svg><text>Kwiat<path/>kowski</text></svg>", "<svg><text>[X]<path></path></text></svg>"),
        ("<svg><text>Kwiat<textPath>kowski</textPath></text>", "<svg><text>[X]<textpath></textpath></text></svg>"),
        ("<svg><text><![CDATA[Kwiat]]>kowski</text></svg>", "<svg><text>[X]</text></svg>"),
        ("<p lang=en>Mr <b dir=ltr><i lang=pl id=x>Kwiatkowski", '<p lang="en">Mr <b><i id="x">[X]</i></b></p>'),
    ],
)
def test_a_word_goes_however_it_is_marked_up(source: str, expected: str) -> None:
    assert body(remove("<body>" + source, "Kwiatkowski")[0]) == expected


def test_a_removed_line_break_goes_and_others_stay() -> None:
    document = read("<body><p>one<br>two<br>three")
    assert document.text == "one\ntwo\nthree"
    result, _, _ = formats.rewrite(document, [Replacement(Span(2, 5), "-")])
    assert body(result.native.decode()) == "<p>on-wo<br>three</p>"


@pytest.mark.parametrize(
    "source", ["<p><b>Kwiatkowski</b> </p>", "<div>Kwiatkowski <p>x</p></div>", "<p>Kwiatkowski<br>"]
)
def test_white_space_left_alone_is_still_text(source: str) -> None:
    remove("<body>" + source, "Kwiatkowski", "")


@pytest.mark.parametrize("word", ["table", "title", "color", "center", "div", "left", "Arial", "charset", "stylesheet"])
def test_words_of_the_format_can_be_removed(word: str) -> None:
    page = (
        f"<html><head><title>A {word}</title><style>table, .{word} {{ color: red; text-align: left }}</style></head>"
        f'<body><center><table class="{word}" align="center"><tr><td title="{word}">A {word} here</td></tr></table>'
        f'</center><font face="Arial" color="red">x</font><p style="font: bold 12px Arial, serif">{word}</p></body>'
    )
    output, _ = remove(page, word)
    assert "A [X] here" in output
    assert '<table class="n1" align="center">' in output
    assert "table, .n1 { color: red; text-align: left }" in output
    assert ("Arial" in output) == (word != "Arial")


def test_every_slot_is_clean() -> None:
    output, notices = remove(every_slot("Kwiatkowski"), "Kwiatkowski")
    assert "kwiat" not in output.lower()
    assert base64_free(output)
    kinds = {notice.kind for notice in notices}
    assert kinds >= {"comments", "scripts", "structured data", "metadata elements", "hidden elements", "hidden fields"}


def base64_free(output: str) -> bool:
    import base64

    found = re.findall(r"base64,([A-Za-z0-9+/=]+)", output)
    return bool(found) and all(b"Kwiat" not in base64.b64decode(each) for each in found)


def test_what_was_removed_does_not_show_in_the_output() -> None:
    outputs = {remove(every_slot(name), name)[0] for name in NAMES.split()}
    assert len(outputs) == 1


def test_formatting_and_structure_stay() -> None:
    page = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>T</title><style>\n'
        "p.note, #x > li:nth-child(2n+1) { color: #ff0000; margin: 0 auto }\n"
        "@media screen and (max-width: 600px) {\n.a { width: calc(100% - 2px) }\n}\n</style></head>"
        '<body class="a"><h1 id="x" style="text-align: center">H &amp; <em>M</em></h1><ul><li>one</li><li>two</li></ul>'
        '<table border="1"><tbody><tr><td colspan="2">c</td></tr></tbody></table><hr><p class="note">x<br>y</p>'
        '<svg viewbox="0 0 10 10"><path d="M0 0L10 10z" fill="#f00"></path></svg></body></html>'
    )
    document = read(page)
    output, notices = Html().rewrite(document, [])
    assert output.decode() == page
    assert notices == ()


@pytest.mark.parametrize(
    ("source", "gone"),
    [
        ("<p style='display:none'>x", "hidden elements"),
        ("<p style='DISPLAY : none !important'>x", "hidden elements"),
        ("<p style='font-size:0px'>x", "hidden elements"),
        ("<p style='opacity:0.0'>x", "hidden elements"),
        ("<style>.h{visibility:hidden}</style><p class='a h'>x", "hidden elements"),
        ("<style>p#h{display:none}</style><p id=h>x", "hidden elements"),
        ("<p hidden>x", "hidden elements"),
        ("<input type=' HIDDEN ' value=x>", "hidden fields"),
        ("<input type=radio value=x>", "values not shown"),
        ("<template>x</template>", "templates"),
        ("<noscript>x</noscript>", "parts for browsers without scripts"),
        ("<p data-x=x></p>", "data attributes"),
        ("<p onclick=x></p>", "event attributes"),
        ("<a href=' java\nscript:x'></a>", "unsafe links"),
        ("<select>x</select>", "texts not shown"),
    ],
)
def test_what_is_not_seen_goes_and_is_told(source: str, gone: str) -> None:
    document = read("<body>" + source)
    output, notices = Html().rewrite(document, [])
    assert document.text == ""
    assert Notice(gone, "removed", 1) in notices
    assert "x" not in re.sub(r"<style>.*?</style>|[^<>]*html[^<>]*", "", body(output.decode()))
    assert gone in {hidden.kind for hidden in Html().inspect(source.encode())}
    assert list(Html().inspect(output)) == []


def test_visible_text_that_is_hard_to_see_is_reported_and_stays() -> None:
    page = b"<p style='color:#fff'>pale</p><p style='font-size:1px'>tiny</p><p>zero\xe2\x80\x8bwidth</p>"
    assert [hidden.kind for hidden in Html().inspect(page)] == [
        "text as pale as its ground",
        "tiny text",
        "invisible characters",
    ]
    assert blocks(page) == ["pale", "tiny", "zero\u200bwidth"]


@pytest.mark.parametrize("tag", ["base", "bgsound", "embed", "image", "img", "link", "param", "source", "track", "wbr"])
def test_what_follows_an_element_without_content_stays(tag: str) -> None:
    assert blocks(f"<body><p>before <{tag} src='x'>after</p>")[-1].replace("\n", "").endswith("after")


def test_names_that_tell_what_the_text_does_not_have_are_new() -> None:
    page = "<style>.acme { color: red }</style><p class=acme id=of%20Acme style='font-family: Acme Sans'>Thanks</p>"
    redactor = Redactor(Policy(find=(Find(terms=("Acme",)),)))
    output = redactor.redact(read(page)).document.native.decode()
    assert "acme" not in output.lower()
    assert '<p class="n1" id="n2">Thanks</p>' in output
    assert 'class="acme"' in Redactor().redact(read(page)).document.native.decode()


def test_links_into_the_page_follow_new_names() -> None:
    output, _ = remove(
        "<body><h1 id=aboutKwiatkowski>Kwiatkowski</h1><a href=#about%4bwiatkowski>up</a>", "Kwiatkowski"
    )
    assert body(output) == '<h1 id="n1">[X]</h1><a href="#n1">up</a>'


def test_new_names_are_free() -> None:
    names = Names(["Nowak"], ["n1", "n3", "nowak"])
    assert [names("name", each) for each in ("nowak", "n1", "theNowakBox", "nowak", "other")] == [
        "n2", "n1", "n4", "n2", "other",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "tells"),
    [("jan-nowak", True), ("JanNowak", True), ("jannowak2", True), ("nowak", True), ("january", False), ("now", False)],
)
def test_a_name_tells_by_words_and_by_running_together(name: str, tells: bool) -> None:
    assert Names(["Jan Nowak"], []).tells(name) is tells


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        ("p{color:RED}", "p { color: red }"),
        ("p{color:red;/*x*/}", "p { color: red }"),
        ("@import 'x';p{top:0}", "p { top: 0 }"),
        ("p{background:url(data:a;b,c);top:0}", "p { top: 0 }"),
        ("p::after{content:'x';top:0}", "p::after { top: 0 }"),
        ("a[href='x'],b{top:0}", "b { top: 0 }"),
        ("p{--x:1;top:0}", "p { top: 0 }"),
        ("p{width:expression(alert(1));top:0}", "p { top: 0 }"),
        (r".sm\:w-1\/2{top:0}", r".sm\:w-1\/2 { top: 0 }"),
        (r".\4bw{top:0}", ".Kw { top: 0 }"),
        (r"p{col\6fr:red}", ""),
        ("p{font-family:'Times New Roman',Georgia,serif}", "p { font-family: Times New Roman, Georgia, serif }"),
        ("p{font:italic 12px/1.5 'My Font'}", "p { font: italic 12px/1.5 My Font }"),
        ("p{top:0", "p { top: 0 }"),
        ("<!-- p{top:0} -->", "p { top: 0 }"),
        ("p{top:kwiatkowski}", ""),
        ("kwiatkowski{top:0}", ""),
        ("@keyframes x{from{top:0}}p{left:0}", "p { left: 0 }"),
        ("}p{top:0}", ""),
        ("p{color:#kwiatk}", ""),
        ("</style><p>", ""),
    ],
)
def test_style_sheets_keep_known_words_only(sheet: str, expected: str) -> None:
    assert css.clean_sheet(sheet).text == expected
    assert css.clean_sheet(expected).text == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"\xff\xfe" + "<p>Łódź".encode("utf-16-le"), "Łódź"),
        ("<html><p>Łódź and more text".encode("utf-16-be"), "Łódź and more text"),
        (b"<meta charset=windows-1250><p>\xa3\xf3d\x9f", "Łódź"),
        (b'<?xml version="1.0" encoding="ISO-8859-1"?><html><p>caf\xe9 \x80', "café €"),
        (b"<!-- <meta charset=windows-1250> --><p>\xc5\x81\xc3\xb3d\xc5\xba", "Łódź"),
        (b"<meta name=x content='a charset=windows-1250'><p>\xc5\x81\xc3\xb3d\xc5\xba", "Łódź"),
        (b"<meta name=x content='%s'><meta charset=windows-1257><p>\xd9\xf3d\xea" % (b"x" * 5000), "Łódź"),
        (b"<meta http-equiv=content-type content='text/html; charset=utf-8'><p>caf\xc3\xa9 \xff", "café \ufffd"),
    ],
)
def test_encodings(data: bytes, expected: str) -> None:
    document = read(data)
    assert document.text == expected
    assert expected in Html().rewrite(document, [])[0].decode("utf-8")


@pytest.mark.parametrize(
    ("data", "certain"),
    [
        (b"  <!-- x --><!DOCTYPE HTML>", True),
        (b'\xef\xbb\xbf<?xml version="1.0"?><html xmlns="x">', True),
        ("\ufeff<HTML>".encode("utf-16-le"), True),
        ("<html>".encode("utf-16-be"), True),
        (b"<p>fragment", False),
        (b"text <html>", False),
        (b"<htmlx>", False),
        (b"", False),
    ],
)
def test_recognises_only_what_is_certain(data: bytes, certain: bool) -> None:
    assert Html().recognises(data) is certain


@pytest.mark.parametrize("page", ["<div>" * 100_000 + "x", "<b><i>" * 50_000, "<p>" + "x" * 11_000_000])
def test_pages_too_deep_or_large_are_refused(page: str) -> None:
    with pytest.raises(HostileDocument):
        read(page)


def test_a_replacement_must_be_writable() -> None:
    document = read("<p>x")
    with pytest.raises(UnwritableText):
        Html().rewrite(document, [Replacement(Span(0, 1), "a\x00b")])


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<table>foo<tr><td>x", "foo<table><tr><td>x</td></tr></table>"),
        ("<table><tr><form><td>x</form></table>", "<form></form><table><tr><td>x</td></tr></table>"),
        ("<table><td>x<td>y</table>", "<table><tr><td>x</td><td>y</td></tr></table>"),
        ("<td>x</td>", "<div>x</div>"),
        ("<svg><p>x</svg>", "<span><p>x</p></span>"),
        ("<svg><style><a title='</style><img src=x onerror=y>'>", '<span><img src="x">\'&gt;</span>'),
        ("<button>a<button>b", "<button>a<div>b</div></button>"),
        ("<xmp><b></xmp>", "<pre>&lt;b&gt;</pre>"),
        ("<plaintext><b>", "<pre>&lt;b&gt;</pre>"),
        ("<my-card>x</my-card>", "<span>x</span>"),
        ("a&ampb &notit; &#xD800;", "a&amp;b ¬it; \ufffd"),
        ("<p id=a id=b class=c>x", '<p id="a" class="c">x</p>'),
        ("<wbr>x</wbr>", "<wbr>x"),
    ],
)
def test_odd_pages_are_written_so_that_all_read_them_alike(source: str, expected: str) -> None:
    output = Html().rewrite(read("<body>" + source), [])[0].decode()
    assert body(output).startswith(expected)


TAGS = (
    "a b p div span table tr td tbody caption ul li dl dt dd h1 form button select option textarea title svg path text "
    "math mi mtext style script br wbr img input hr pre ruby rt my-el foreignobject template noscript plaintext xmp "
    "iframe html body head center font nobr optgroup col details mglyph desc marquee object frameset annotation-xml"
)
ATTRIBUTES = (
    "id=Kwiatkowski|class='a Kwiatkowski'|title='x Kwiatkowski'|href=#Kwiatkowski|href=//x/kwiatkowski|hidden|"
    "style='font-family:Kwiatkowski;color:red'|alt=Kwiatkowski|data-x=kwiatkowski|onclick=Kwiatkowski|value=Kwiatkowski|"
    'src=data:,kwiatkowski|style=display:none|Kwiatkowski|kwiatkowski=1|lang=kwiatkowski|fill=url(#Kwiatkowski)|"|=|<|'
    "align=center|title='a\"b>c'|style=\"content:'Kwiatkowski'\""
)
TEXTS = (
    "Kwiatkowski|Kwiat|kowski| |\n|foo|&lt;|&amp;|&#x4b;wiatkowski|&shy;|<!--Kwiatkowski-->|<!--|-->|</|<|>|&|&#|"
    "<![CDATA[Kwiatkowski]]>|]]>|&#xD800;|\0|<?x Kwiatkowski?>|<!doctype Kwiatkowski>|&#13;|\x01|\"|'|}|{|"
    ".Kwiatkowski{color:red}|/*Kwiatkowski*/|.x{display:none}|&nbsp;|\ufffe"
)
start_tags = st.builds(
    lambda tag, attributes, end: f"<{' '.join([tag, *attributes])}{end}",
    st.sampled_from(TAGS.split()),
    st.lists(st.sampled_from(ATTRIBUTES.split("|")), max_size=2),
    st.sampled_from([">", ">", "/>"]),
)
soups = st.lists(
    st.one_of(start_tags, st.sampled_from(TAGS.split()).map("</{}>".format), st.sampled_from(TEXTS.split("|"))),
    max_size=25,
).map("".join)


@settings(max_examples=150, deadline=None)
@given(soups, st.sampled_from(["[X]", "", " "]))
def test_no_soup_hides_a_word(soup: str, replacement: str) -> None:
    page = "<body><p>Kwiatkowski</p>" + soup
    output, _ = remove(page, "Kwiatkowski", replacement)
    assert "kwiatkowski" not in output.lower()
    assert not any("kwiatkowski" in fold(passage.text).text for passage in Html().passages(output.encode()))


@settings(max_examples=150, deadline=None)
@given(soups)
def test_writing_again_changes_nothing(soup: str) -> None:
    once = Html().rewrite(read("<html>" + soup), [])[0]
    twice, notices = Html().rewrite(read(once), [])
    assert twice == once
    assert notices == ()
    assert {hidden.kind for hidden in Html().inspect(once)} <= {"invisible characters"}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=30), max_size=5))
def test_plain_pages_keep_their_text(paragraphs: list[str]) -> None:
    kept = [each for each in paragraphs if each.strip(" ")]
    assert blocks(plain(paragraphs)) == kept


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_page_or_an_error(data: bytes) -> None:
    try:
        document = read(data)
    except DocumentError:
        return
    formats.rewrite(document, [])


@settings(max_examples=150, deadline=None)
@given(soups, st.data())
def test_any_edit_of_any_soup_reads_back(soup: str, data: st.DataObject) -> None:
    document = read("<html>" + soup)
    ends = st.lists(st.integers(0, len(document.text)), min_size=2, max_size=2, unique=True).map(sorted)
    if len(document.text) < 2:
        return
    start, end = data.draw(ends)
    text = data.draw(st.sampled_from(["", "[X]", " ", "\n", "<b>&amp;"]))
    formats.rewrite(document, [Replacement(Span(start, end), text)])


def test_pictures_that_are_kept_are_told() -> None:
    picture = b64encode(BLANK_PNG + b"tail")
    data = b"<!doctype html><title>t</title><p>x<img src='data:image/png;base64," + picture + b"'>"
    document = formats.read(data, name="a.html", handling=Handling(images="keep"))
    _, notices, _ = formats.rewrite(document, [])
    assert ("pictures that were kept", "kept unexamined") in {(each.kind, each.action) for each in notices}

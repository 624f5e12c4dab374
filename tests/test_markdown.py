"""Markdown: found through every sign that formats it, removed without a trace, the rest left alone."""

from __future__ import annotations

import html
import random
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.fixtures.markdown_files import every_slot, plain
from withhold import formats
from withhold.errors import LeakError
from withhold.formats.markdown import Markdown
from withhold.spans import Span
from withhold.types import Document, Handling, Notice, Replacement

SECRET = "Kwiatkowski"
MARK = "[REDACTED]"
RENDER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def read(source: str | bytes) -> Document:
    data = source if isinstance(source, bytes) else source.encode("utf-8", "surrogatepass")
    return formats.read(data, format="markdown")


def redact(source: str | bytes, secret: str = SECRET, mark: str = MARK) -> tuple[str, tuple[Notice, ...]]:
    """The output with every occurrence of the secret replaced, verified."""
    document = read(source)
    replacements = [Replacement(Span(*match.span()), mark) for match in re.finditer(secret, document.text, re.I)]
    result, notices, _ = formats.rewrite(document, replacements)
    return result.native.decode("utf-8", "surrogatepass"), notices


def texts(source: str) -> dict[str, list[str]]:
    document = read(source)
    found: dict[str, list[str]] = {}
    for block in document.blocks:
        found.setdefault(block.kind, []).append(block.span.of(document.text))
    return found


def rendered(source: str) -> str:
    """The words of the page as an independent renderer shows them."""
    page = RENDER.render(source)
    page = re.sub(r"<!--.*?-->|<(script|style|template)\b.*?</\1>", "", page, flags=re.S)
    page = re.sub(r"</?(?:p|li|td|th|tr|h\d|div|pre|blockquote|br|hr)\b[^>]*>", " ", page)
    return html.unescape(re.sub(r"<[^>]*>", "", page))


DISGUISES = {
    "bold": "Kwiat**kow**ski",
    "bold start": "**Kwiat**kowski",
    "italic": "Kwiat*kow*ski",
    "unpaired star": "Kwiat*kowski",
    "strike": "Kwiat~~kow~~ski",
    "nested": "K***wiat**ko*wski",
    "underscores": "__Kwiat__**kowski**",
    "code": "Kwiat`kow`ski",
    "decimal": "Kwiat&#107;owski",
    "hexadecimal": "Kwiat&#x6B;owski",
    "no semicolon": "Kwiat&#107owski",
    "tag": "Kwiat<b>kow</b>ski",
    "unknown tag": "Kwiat<x-y>kow</x-y>ski",
    "comment": "Kwiat<!-- x -->kowski",
    "empty element": "Kwiat<wbr>kowski",
    "script": "Kwiat<script>x</script>kowski",
    "processing": "Kwiat<?x?>kowski",
    "link": "[Kwiat](http://x)kowski",
    "link in the middle": "Kwiat[kow](<http://x> 'y')ski",
    "reference": "Kwiat[kow][r]ski\n\n[r]: http://x",
    "image": "Kwiat![y](http://x)kowski",
    "html block": '<div>Kwiat<b"x">kow</b>ski</div>',
    "html block ticks": "<div>`Kwiat<b>kow</b>ski`</div>",
    "list code": "- a ` b\n- Kwiat<b>kow</b>ski `c`",
    "table code": "| a | b |\n|---|---|\n| ` | Kwiat<b>kow</b>ski `c` |",
    "list stars": "- 2*3 x\n- Kwiat*kow*ski",
    "everything": "**K**w[i](x)&#97;t<i>k</i>o`w`s<!---->k&#x69;",
}


@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_word_is_found_in_disguise(disguise: str) -> None:
    source = DISGUISES[disguise]
    assert SECRET in read(source).text
    output, _ = redact(source)
    assert "kow" not in output
    assert MARK in rendered(output)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("A **Kwiatkowski** b", "A **[REDACTED]** b"),
        ("A *b Kwiatkowski c* d", "A *b [REDACTED] c* d"),
        ("**Kwiat**kowski", "**[REDACTED]**"),
        ("Kwiat**kowski** a *b*", "[REDACTED] a *b*"),
        ("*Kwiatkowski* Kwiat**kowski b** c", "*[REDACTED]* [REDACTED] b c"),
        ("[Kwiat](http://x)kowski", "[[REDACTED]](http://x)"),
        ("[a](http://Kwiatkowski.pl)", "a"),
        ("[a](http://Kwiatkowski.pl 'b')", "[a](<> 'b')"),
        ("![a](Kwiatkowski.png)", "![a]()"),
        ('[a](b "Kwiatkowski")', '[a](b "[REDACTED]")'),
        ("# Kwiatkowski\r\n\r\n> Kwiatkowski\r\n> b\r\n", "# [REDACTED]\r\n\r\n> [REDACTED]\r\n> b\r\n"),
        ("| a | Kwiatkowski |\n|---|---|\n", "| a | [REDACTED] |\n|---|---|\n"),
        ("<a href='Kwiatkowski'>b</a>", "<a>b</a>"),
        ("<a title='Kwiatkowski'>b</a>", "<a title='[REDACTED]'>b</a>"),
        ("```Kwiatkowski\nKwiatkowski\n```\n", "```[REDACTED]\n[REDACTED]\n```\n"),
        ("`a Kwiatkowski`", "`a [REDACTED]`"),
        ("<http://x/Kwiatkowski>", "<http://x/[REDACTED]>"),
        ("[b][Kwiatkowski]\n\n[kwiatkowski]: u", "[b][ref-1]\n\n[ref-1]: u"),
        ("[Kwiatkowski]\n\n[Kwiatkowski]: u", "[[REDACTED]][ref-1]\n\n[ref-1]: u"),
        ("[b]\n\n[b]: Kwiatkowski", "[b]\n\n[b]: <>"),
        ("Kwiatkowski(http://x)", "&#91;REDACTED&#93;(http://x)"),
        ("x**Kwiatkowski**y", "x[REDACTED]y"),
        ("\ufeffKwiatkowski\n", "\ufeff[REDACTED]\n"),
        ("C:\\Users\\Kwiatkowski\\x", "C:\\Users&#92;&#91;REDACTED&#93;&#92;x"),
    ],
)
def test_what_is_written(source: str, expected: str) -> None:
    assert redact(source)[0] == expected


def test_a_replacement_that_means_something_is_escaped() -> None:
    for mark in ("```", "# x", "*", "<b>", "a\n\nb", "[x](y)", "&amp;", "", "    x", "| |", "---", "<!--", "\\"):
        for source in ("Kwiatkowski", "a\nKwiatkowski\nb", "*Kwiatkowski*", "`Kwiatkowski`", "- Kwiatkowski"):
            expected = read(source).text.replace(SECRET, mark)
            document = read(redact(source, mark=mark)[0])
            assert document.text == expected


def test_blocks_have_kinds() -> None:
    found = texts('---\na: b\n---\n# c\n\nd [e](f "g") ![h](i)\n\n```j\nk\n```\n\n[l]\n\n[l]: m\n')
    assert found == {
        "front matter": ["a: b"],
        "heading": ["c"],
        "paragraph": ["d e ", "l"],
        "link target": ["f", "i", "m"],
        "title": ["g"],
        "alt text": ["h"],
        "code": ["k"],
        "code language": ["j"],
        "reference label": ["l"],
    }


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('---\na: "Kwiat\\u006bowski \\x4bw"\n---\nText', '---\na: "[REDACTED] \\x4bw"\n---\nText'),
        ('---\na: "long \\\n  \\ Kwiat\\x6bowski"\n---\nText', '---\na: "long \\\n  \\ [REDACTED]"\n---\nText'),
        ('---\na: "Kwiat\\\n  kowski b"\n---\nText', '---\na: "[REDACTED] b"\n---\nText'),
        ('---\na: "\\\\u006b Kwiatkowski"\n---\nText', '---\na: "\\\\u006b [REDACTED]"\n---\nText'),
        ('---json\n{"a": "Kwiat\\u006bowski"}\n---\nText', '---json\n{"a": "[REDACTED]"}\n---\nText'),
        (';;;\n{"a": "Kwiat\\u006bowski"}\n;;;\nText', ';;;\n{"a": "[REDACTED]"}\n;;;\nText'),
        ('{\n"a": "Kwiat\\u006bowski"\n}\n\nText', '{\n"a": "[REDACTED]"\n}\n\nText'),
        ('+++\na = "Kwiat\\U0000006bowski"\n+++\nText', '+++\na = "[REDACTED]"\n+++\nText'),
    ],
)
def test_front_matter_escapes_are_read(source: str, expected: str) -> None:
    assert redact(source)[0] == expected


def test_an_apostrophe_in_front_matter_is_one() -> None:
    assert texts("---\na: 'by: O''Brien'\n---\nText")["front matter"] == ["a: 'by: O'Brien'"]


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("a <!-- Kwiatkowski --> b", "HTML comments"),
        ("a\n\n<!-- Kwiatkowski\n\nKwiatkowski -->\n\nb", "HTML comments"),
        ("a b\n\n<!-- never closed Kwiatkowski", "HTML comments"),
        ("a\n\n[//]: # (Kwiatkowski)\n\nb", "unused reference definitions"),
        ("a\n\n<script>\nKwiatkowski\n\nx</script>\n\nb", "hidden HTML"),
        ("a <span hidden>Kwiatkowski</span> b", "hidden HTML"),
        ("a <span style='display: none'>Kwiatkowski</span> b", "hidden HTML"),
        ("<div hidden>\n\nKwiatkowski <div>x</div>\n\n</div>\n\na b", "hidden HTML"),
        ("<b onclick='Kwiatkowski'>a</b> b", "event handlers"),
        ("<b class='Kwiatkowski'>a</b> b", "HTML attributes"),
        ("<b width='Kwiatkowski'>a</b> b", "HTML attributes"),
        ("a <Kwiatkowski>b", "unknown HTML tags"),
        ("[a](data:text/plain,Kwiatkowski) b", "data: and script addresses"),
        ("![a](data:text/plain,Kwiatkowski) b", "data: and script addresses"),
        ("[a] b\n\n[a]: data:text/plain,Kwiatkowski", "data: and script addresses"),
        ("<a href='java&#115;cript:Kwiatkowski'>a</a> b", "data: and script addresses"),
    ],
)
def test_what_nobody_sees_is_dropped_and_reported(source: str, kind: str) -> None:
    assert SECRET not in read(source).text
    output, notices = redact(source, "no such word")
    assert SECRET not in output
    assert [(notice.kind, notice.action) for notice in notices] == [(kind, "removed")]
    assert {"a", "b"} <= set(re.findall(r"\w+", read(output).text))
    assert kind in {hidden.kind for hidden in Markdown().inspect(source.encode())}
    assert list(Markdown().inspect(output.encode())) == []
    assert redact(output, "no such word") == (output, ())


def test_inspect_names_what_stays() -> None:
    found = list(Markdown().inspect("---\na: b\n---\nc\u200bd <!-- e -->".encode()))
    assert [(each.kind, each.count) for each in found] == [
        ("front matter", 1),
        ("HTML comments", 1),
        ("invisible characters", 1),
    ]


@pytest.mark.parametrize(
    "source",
    [
        "```html\n<!-- kept --> <script>kept</script> [a](data:x) *kept*\n```\n",
        "Text `<!-- kept -->` and `<script>`.\n",
        "Text.\n\n    <div hidden>kept</div>\n",
        "snake_case, 2 * 3 * 4, a < b > c, AT&T, x[1](2), ~100, [ ] todo, \\*no\\*\n",
        "*a* **b** _c_ `d` <b>e</b> <br> [f](g 'h') ![i](j) <k@l.m> [n][o] &amp; \\[\n\n[o]: p\n",
        "Title\n=====\n\n1. a\n2. b\n   - c\n\n> d\n>> e\n\n***\n\n| a | b |\n|:--|--:|\n| c | d |\n\n[^1]: Note\n",
        '<div align="center"><img src="a.png" alt="b" width="100"></div>\n',
        "# Heading\nText  \nwith\\\nbreaks\n\n\n\n",
        "",
        "\n\n",
    ],
)
def test_clean_source_is_left_alone(source: str) -> None:
    for ends in ("\n", "\r\n", "\r"):
        data = source.replace("\n", ends)
        assert redact(data, "no such word") == (data, ())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1250"])
def test_encodings_are_kept(encoding: str) -> None:
    source = "Zażółć gęślą jaźń, pisał Kwiatkowski do wszystkich, którzy chcieli go wysłuchać.\r\n"
    handling = Handling(encoding="cp1250" if encoding == "cp1250" else None)
    document = formats.read(source.encode(encoding), format="markdown", handling=handling)
    start = document.text.index(SECRET)
    result, _, _ = formats.rewrite(document, [Replacement(Span(start, start + len(SECRET)), MARK)])
    assert result.native == source.replace(SECRET, MARK).encode(encoding)


def test_every_slot() -> None:
    output, _ = redact(every_slot(SECRET))
    for view in (output, html.unescape(output), rendered(output)):
        assert SECRET.lower() not in view.lower()
    assert "The end." in output
    assert {each.kind for each in Markdown().inspect(output.encode())} == {"front matter"}
    assert redact(output, "no such word") == (output, ())


def test_names_cannot_be_told_from_the_output() -> None:
    names = ("Kwiatkowski", "Nowak", "Leed", "Wolfeschlegelsteinhausen", "Zorro")
    assert len({redact(every_slot(name), name)[0] for name in names}) == 1


@given(st.lists(st.text(st.characters(exclude_categories=["Cc", "Cs"]))))
def test_plain_reads_as_its_paragraphs(paragraphs: list[str]) -> None:
    document = read(plain(paragraphs))
    assert [block.span.of(document.text) for block in document.blocks] == [each for each in paragraphs if each]


SOUP = [
    "*", "**", "_", "~~", "`", "``", "\n", "\n\n", " ", "- ", "# ", "> ", "1. ", "| ", "[", "]", "](x)", "](x 'y')",
    "][r]", "![", "<b>", "</b>", "<div>", "</div>", "<!--", "-->", "<span hidden>", "</span>", "&amp;", "&#42;", "\\",
    "```\n", "\n```\n", "    ", "<a title='t'>", "</a>", "<br>", "alpha", "beta", "7", "\n\n[r]: u\n\n", ".", "<", "(",
    "---\n", "<q@w.e>", "\t", "<pre>", "</pre>",
]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([*SOUP, SECRET, "Kwiat", "kowski"]), max_size=14))
def test_soup_is_redacted(pieces: list[str]) -> None:
    """The secret is gone from every view and the words around it are still there, or nothing is written."""
    source = "".join(pieces)
    try:
        output, _ = redact(source)
    except LeakError:
        return
    for view in (output, html.unescape(output), rendered(output)):
        assert SECRET not in view
    kept = set(re.findall("alpha|beta", read(source).text))
    assert all(word in read(output).text for word in kept)
    assert redact(output, "no such word") == (output, ())


@pytest.mark.slow
def test_almost_any_edit_can_be_made() -> None:
    """What cannot be written so that it reads back is refused; even in soup that is rare."""
    chance = random.Random(7)
    refused = made = 0
    while made < 1000:
        document = read("".join(chance.choices(SOUP, k=chance.randint(1, 14))))
        start, end = sorted(chance.choices(range(len(document.text) + 1), k=2))
        if re.search(r"\w\w", document.text[start:end]):
            made += 1
            try:
                formats.rewrite(document, [Replacement(Span(start, end), chance.choice([MARK, "", "x"]))])
            except LeakError:
                refused += 1
    assert refused <= 5


HOSTILE = [
    "*", "[", "<", "&", "`", "](", "<a ", "<!--", "![", "[a](", '<a b="', "_a", "\n", "> ", "[]", "```\n", "- ", "\\",
    "<div hidden>\n\n", "~", "[x]: y\n", "[[]", "<pre>\n\n", "[a][b]", "<?", "<span hidden>", "**a", "`a``", "[a](b 'c",
]  # fmt: skip


@pytest.mark.parametrize("sign", HOSTILE)
def test_hostile_repetition_costs_no_more_than_its_length(sign: str) -> None:
    """A cost that grew with the square would take minutes here; one that grows with the length, a moment."""
    data = (sign * (60_000 // len(sign))).encode()
    start = time.process_time()
    Markdown().read(data, Handling())
    list(Markdown().passages(data))
    assert time.process_time() - start < 5


@pytest.mark.slow
@pytest.mark.parametrize("sign", HOSTILE)
def test_a_megabyte_of_hostile_repetition_finishes(sign: str) -> None:
    data = (sign * (1_000_000 // len(sign))).encode()
    Markdown().read(data, Handling())
    list(Markdown().passages(data))

"""Documents from where people have them: every kind of source, whole, broken and hostile."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import mailbox
import time
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from xml.sax.saxutils import escape

import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from tests.fixtures import docx_files, eml_files, html_files
from withhold import Redactor
from withhold.corpora.sources import Fields, Item, Skipped, parts, read
from withhold.corpora.sources.wikitext import plain
from withhold.errors import DocumentError

REDACTOR = Redactor()


def items(source: Path, skipped: Skipped | None = None, **options: object) -> list[Item]:
    return list(read(source, documents=REDACTOR.read, skipped=skipped, **options))  # type: ignore[arg-type]


def texts(source: Path, skipped: Skipped | None = None) -> list[str]:
    return [each.text for each in items(source, skipped)]


def written(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


RECORDS = [
    {"id": "a/1", "title": "One", "text": "First text."},
    {"url": "http://x.org", "name": "Two", "body": "Second text."},
    {"Abstract": "Third text.", "Headline": "Three"},
    {"contents": ["Fourth", "text."], "id": 4},
]
READ = [
    ("a/1", "One", "First text."),
    ("http://x.org", "Two", "Second text."),
    ("2", "Three", "Third text."),
    ("4", "", "Fourth\n\ntext."),
]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", "\n".join(map(json.dumps, RECORDS))),
        ("a.ndjson", "\n\n".join(map(json.dumps, RECORDS)) + "\n"),
        ("a.json", json.dumps(RECORDS)),
        ("b.json", json.dumps(RECORDS, indent=3)),
        ("c.json", json.dumps({"version": 1, "data": RECORDS})),
        ("d.json", "\n".join(map(json.dumps, RECORDS))),
        ("e.json", "\n".join(json.dumps(each, indent=1) for each in RECORDS)),
    ],
)
def test_json_in_every_layout(tmp_path: Path, name: str, content: str) -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-be"):
        found = items(written(tmp_path / encoding / name, content.encode(encoding)))
        assert [(each.name, each.title, each.text) for each in found] == READ
        assert [each.number for each in found] == [0, 1, 2, 3]


def test_fields_can_be_named_and_texts_put_together() -> None:
    record = {"q": "Question?", "a": "Answer.", "text": "not this", "Who": "Ann", "nr": 7}
    found = Fields(text=("q", "A", "none"), title="who", name="NR").item(record, 0, Skipped())
    assert found is not None
    assert (found.name, found.title, found.text) == ("7", "Ann", "Question?\n\nAnswer.")


@pytest.mark.parametrize(
    ("suffix", "packed"),
    [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lambda data: lzma.compress(data, preset=0))],
)
def test_compressed_files_and_those_cut_off(tmp_path: Path, suffix: str, packed: Callable[[bytes], bytes]) -> None:
    noise = [{"text": f"document {number} {hash((number, 1))} {hash((number, 2))}"} for number in range(8_000)]
    data = packed("\n".join(map(json.dumps, noise)).encode())
    assert len(items(written(tmp_path / f"a.jsonl{suffix}", data))) == len(noise)
    skipped = Skipped()
    cut = items(written(tmp_path / f"b.jsonl{suffix}", data[: len(data) // 2]), skipped)
    assert skipped["damaged"] == 1
    assert len(cut) < len(noise)
    assert len(cut) > 0 or suffix != ".gz"


def test_broken_lines_are_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    lines = [
        '{"text": "good"}',
        "{broken",
        '"just text"',
        "[1]",
        '{"title": "no text"}',
        "[" * 100_000,
        '{"text": " "}',
    ]
    skipped = Skipped()
    source = written(tmp_path / "a.jsonl", "\n".join([*lines, '{"text": "good too"}']))
    found = items(source, skipped)
    assert [(each.text, each.number) for each in found] == [("good", 0), ("good too", 7)]
    assert skipped == {"not JSON": 4, "without text": 2}
    assert [each.number for each in items(source, start=1)] == [7]


def test_a_list_that_breaks_off_gives_what_it_has(tmp_path: Path) -> None:
    skipped = Skipped()
    found = texts(written(tmp_path / "a.json", '[{"text": "one"}, {"text": "two"}, {"text": "thr'), skipped)
    assert (found, skipped) == (["one", "two"], {"not JSON": 1})
    assert texts(written(tmp_path / "b.json", "[" * 1_000_000), skipped) == []
    assert skipped == {"not JSON": 2}


def test_a_list_far_larger_than_what_is_read_at_once(tmp_path: Path) -> None:
    several = [{"text": f"{number} " + "word " * (number % 7 * 10_000)} for number in range(60)]
    found = texts(written(tmp_path / "a.json", json.dumps(several)))
    assert found == [each["text"] for each in several]


def test_lines_that_are_too_long_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("withhold.corpora.sources.streams.LONGEST", 1_000)
    content = '{"text": "one"}\n{"text": "' + "x" * 5_000 + '"}\n{"text": "two"}\n'
    skipped = Skipped()
    assert texts(written(tmp_path / "a.jsonl", content), skipped) == ["one", "two"]
    assert sum(skipped.values()) == 1


@pytest.mark.parametrize(
    ("encoding", "text"),
    [("cp1252", "Der Käse kostet fünf Euro, sagte Frau Müller."), ("cp1251", "Привет, это письмо")],
)
def test_encodings_are_guessed(tmp_path: Path, encoding: str, text: str) -> None:
    line = json.dumps({"text": text * 5}, ensure_ascii=False)
    assert texts(written(tmp_path / "a.jsonl", line.encode(encoding))) == [text * 5]
    mixed = b"\n".join([b'{"text": "plain"}', json.dumps({"text": "caf\u00e9"}).encode(), line.encode(encoding)])
    assert texts(written(tmp_path / "b.jsonl", mixed)) == ["plain", "café", text * 5]


def test_lone_surrogates_and_control_characters_cannot_break_an_index(tmp_path: Path) -> None:
    record = '{"text": "a \\ud800 b\\r\\nc", "title": "x\\ny\\u0000", "id": "\\udfffn"}'
    (found,) = items(written(tmp_path / "a.jsonl", record))
    for text in (found.name, found.title, found.text):
        text.encode()
    assert (found.title, found.text) == ("x y", "a \ufffd b\nc")


def table(rows: list[list[str]], delimiter: str) -> str:
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter).writerows(rows)
    return stream.getvalue()


@pytest.mark.parametrize(("name", "delimiter"), [("a.csv", ","), ("a.tsv", "\t"), ("a.tsv.gz", "\t")])
def test_tables(tmp_path: Path, name: str, delimiter: str) -> None:
    rows = [["ID", "Text", "Title"], ["1", "One,\nwith\ttwo lines", "A"], [], ["2", 'say "two"', "B"], ["3"]]
    content = table(rows, delimiter).encode()
    skipped = Skipped()
    found = items(written(tmp_path / name, gzip.compress(content) if name.endswith("gz") else content), skipped)
    assert [(each.name, each.title, each.text) for each in found] == [
        ("1", "A", "One,\nwith\ttwo lines"),
        ("2", "B", 'say "two"'),
    ]
    assert skipped == {"without text": 1}


def test_tables_without_texts_and_with_open_quotes(tmp_path: Path) -> None:
    assert texts(written(tmp_path / "a.csv", "Ann Smith,was here\n1,2\n"), skipped := Skipped()) == []
    assert skipped == {"a table without a column of texts": 1}
    assert texts(written(tmp_path / "b.csv", 'text\none\n"two\nthree\n')) == ["one", "two\nthree\n"]


def test_parquet(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    rows = [{"doc_id": n, "content": f"text {n}" if n % 5 else None, "other": b"\0" * 9} for n in range(1000)]
    parquet.write_table(pyarrow.Table.from_pylist(rows), file, row_group_size=300)
    found = items(file, skipped := Skipped())
    assert (len(found), skipped) == (800, {"without text": 200})
    assert items(file, start=650) == [each for each in found if each.number >= 650]
    assert items(written(tmp_path / "b.parquet", file.read_bytes()[:-9]), skipped := Skipped()) == []
    assert skipped == {"damaged": 1}


def mail(subject: str, text: str, page: str = "") -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = subject
    message["From"] = "ann@example.org"
    message["Message-ID"] = f"<{len(subject)}@example.org>"
    message.set_content(text)
    if page:
        message.add_alternative(page, subtype="html")
    message.add_attachment(b"attached words", maintype="text", subtype="plain", filename="notes.txt")
    return message


def test_mailboxes(tmp_path: Path) -> None:
    box = mailbox.mbox(tmp_path / "a.mbox")
    box.add(mail("Grüße aus Wien", "Dear Bob,\n\nFrom here on it is quoted.\n>From there too.\n"))
    box.add(mail("Two", "Plain", "<p>Page</p>"))
    only_page = EmailMessage()
    only_page.set_content("<title>T</title><p>Hello <b>you</b>.<p>Bye.", subtype="html", charset="utf-16", cte="base64")
    box.add(only_page)
    box.add(b"Subject: broken\nContent-Type: text/plain; charset=no-such\n\nna\xefve caf\xe9 in the evening\n")
    box.add(b"Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: image/png\n\nabc\n--x--\n")
    box.close()
    data = (tmp_path / "a.mbox").read_bytes()
    for file in (
        tmp_path / "a.mbox",
        written(tmp_path / "Inbox", data),
        written(tmp_path / "b.mbox.gz", gzip.compress(data)),
    ):
        found = items(file, skipped := Skipped())
        assert [(each.name, each.title) for each in found] == [
            ("14@example.org", "Grüße aus Wien"),
            ("3@example.org", "Two"),
            ("2", ""),
            ("3", "broken"),
        ]
        assert [each.text.strip() for each in found] == [
            "Dear Bob,\n\nFrom here on it is quoted.\nFrom there too.",
            "Plain",
            "Hello you.\n\nBye.",
            "naïve café in the evening",
        ]
        assert skipped == {"without text": 1}
        assert items(file, start=2) == found[2:]


def test_mails_that_nest_without_end(tmp_path: Path) -> None:
    nested = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (number, number) for number in range(2_000)
    )
    box = b"From a Mon Jan 1 10:00:00 2024\n" + nested + b"\n\nFrom b Mon Jan 1 10:00:00 2024\nSubject: s\n\nafter\n"
    assert "after" in texts(written(tmp_path / "a.mbox", box))


ARTICLE = """{{Short description|Not shown}}
{{Infobox person
| name = Ann Example
| image = Ann.jpg
| birth_date = {{birth date and age|1942|7|13|df=yes}}
| spouse = {{plainlist|
* {{marriage|Bob One|1964|1979|end=div}}
* {{marriage|[[Cy Two]]|2001}}
}}
}}
[[File:Ann.jpg|thumb|right|200px|alt=Not shown|Ann with [[Bob (pilot)|Bob]] at [[Heathrow]]]]
'''Ann Example''' (born July&nbsp;13)<ref name="a">{{cite web|title=Not shown}}</ref> is an ''American''
[[actress]]<ref name="a" /> and [[aviator|pilot]]s.<!-- Not shown --> She flew {{convert|10|km|mi}} over
{{lang|fr|la Manche}}{{snd}}see [http://example.org/not-shown her site].[[Category:Not shown]][[de:Not shown]]

== Career ==
* First, [[link]]
** ''Second''

{| class="wikitable"
|+ Films
! Year !! Title !! Role
|-
| 1977 || ''[[Star Film]]'' || style="not:shown" | Captain
|-
| rowspan=2 | 1980
| [[Other|Another]]<br />one
| Self {{small|(voice)}}
|}
<blockquote>Quoted {{as of|2020|5}}.</blockquote>
<nowiki>[[as it is]]</nowiki> &amp; H<sub>2</sub>O <math>not^shown</math>__NOTOC__
{{Not shown|1={{nested|not shown}}|text}}
"""
SHOWN = """name: Ann Example
birth date: 13 July 1942
spouse: Bob One (1964–1979)
Cy Two (2001)

Ann with Bob at Heathrow

Ann Example (born July 13) is an American
actress and pilots. She flew 10 km over
la Manche – see her site.

Career

First, link
Second

Films
Year, Title, Role
1977, Star Film, Captain
1980, Another one, Self (voice)

Quoted As of May 2020.

[[as it is]] & H2O"""


def test_wikitext_shows_what_a_reader_sees() -> None:
    assert plain(ARTICLE) == SHOWN


@pytest.mark.parametrize(
    ("wikitext", "shown"),
    [
        ("[[a|b]]s and [[c]]", "bs and c"),
        ("[[Paris (Texas)|]], [[#Life]], [[:Category:Films|films]], [[:de:Wien]]", "Paris, Life, films, de:Wien"),
        ("[[Datei:x.png|mini|Bild]] [[Kategorie:X]]", "Bild"),
        ("{{open|a [[b|c]] d", "open|a c d"),
        ("a [[b {{nowrap|c}} d", "a b c d"),
        ("a }} b ]] c", "a  b  c".replace("  ", " ")),
        ("x<ref>unclosed y", "xunclosed y"),
        ("a<!-- unclosed b", "a"),
        ("{|\n|a||b\n", "a, b"),
        ("{{Quote|text=Said.|author=Ann}}", "Said. Ann"),
        ("{{x|{{!}}}}a{{'}}b{{nowrap|1=c=d}}", "a'bc=d"),
        ("{{convert|10|-|20|km|mi|0}} {{circa|1500}} {{start date|1999}}", "10 - 20 km c. 1500 1999"),
        ("== A ==\nb\n=== C===\n----\nd", "A\n\nb\n\nC\n\nd"),
        ("{|\n|a\n{|\n|in\n|}\n|b\n|}", "a in, b"),
    ],
)
def test_wikitext_by_example(wikitext: str, shown: str) -> None:
    found = plain(wikitext, files={"file", "datei"}, categories={"kategorie"})
    assert found == shown


@given(st.text(alphabet="{}[]|<>!-='*#:;refnowiki/ \n&a", max_size=60))
def test_wikitext_of_any_kind_is_read(wikitext: str) -> None:
    plain(wikitext)


@pytest.mark.parametrize(
    "wikitext",
    ["{{" * 30_000, "[[File:a|" * 20_000, "<ref>" * 30_000, "{{nowrap|" * 20_000 + "}}" * 20_000, "\n{|\n|" * 20_000],
    ids=["templates", "links", "notes", "nested", "tables"],
)
def test_wikitext_takes_time_in_proportion(wikitext: str) -> None:
    start = time.process_time()
    plain(wikitext)
    assert time.process_time() - start < 2


def dump(*pages: str, head: str = "") -> str:
    info = '<siteinfo><namespaces><namespace key="6">Datei</namespace></namespaces></siteinfo>'
    return f'{head}<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">{info}{"".join(pages)}</mediawiki>'


def article(title: str, text: str, ns: int = 0, more: str = "", model: str = "wikitext") -> str:
    revision = f"<revision><id>1</id><model>{model}</model><text bytes='1'>{escape(text)}</text></revision>"
    return f"<page><title>{escape(title)}</title><ns>{ns}</ns><id>9</id>{more}{revision}</page>\n"


PAGES = [
    article("Ann & Bob", "'''Ann''' met [[Bob]]. [[Datei:x.png|mini|Both]]"),
    article("Talk:Ann", "no", ns=1),
    article("Annie", "#REDIRECT [[Ann]]", more='<redirect title="Ann" />'),
    article("Module", "return 1", model="Scribunto"),
    article("Cy", "#Redirect [[Ann]]"),
    "<page><title>Dee</title><ns>0</ns><revision><text>old</text></revision><revision><text>new</text></revision></page>",
]


def test_dumps_of_wikis(tmp_path: Path) -> None:
    data = dump(*PAGES).encode()
    for name, packed in (("a.xml", data), ("a.xml.bz2", bz2.compress(data[:700]) + bz2.compress(data[700:]))):
        found = items(written(tmp_path / name, packed), skipped := Skipped())
        assert [(each.name, each.text, each.number) for each in found] == [
            ("Ann & Bob", "Ann met Bob.\n\nBoth", 0),
            ("Dee", "new", 5),
        ]
        assert skipped == {"pages that are no articles": 2, "redirects": 2}
        assert [each.name for each in items(tmp_path / name, start=1)] == ["Dee"]


ENTITIES = (
    '<!DOCTYPE mediawiki [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
)


@pytest.mark.parametrize(
    ("content", "names", "why"),
    [
        (
            dump(article("A", "text"), head=ENTITIES).replace("text<", "&b;&f;<"),
            [],
            "too large, or expands or nests too far",
        ),
        (dump(article("A", "text"), "<page>" * 100_000), ["A"], "too large, or expands or nests too far"),
        (dump(article("A", "text"))[:-10], ["A"], "damaged"),
        (dump(article("A", "text"), "<page></wrong>"), ["A"], "damaged"),
    ],
    ids=["entities", "deep", "cut off", "not well-formed"],
)
def test_hostile_and_broken_dumps(tmp_path: Path, content: str, names: list[str], why: str) -> None:
    found = items(written(tmp_path / "a.xml", content), skipped := Skipped())
    assert ([each.name for each in found], skipped) == (names, {why: 1})


def archive(*, packed: bool) -> bytes:
    stream = io.BytesIO()
    writer = WARCWriter(stream, gzip=packed)

    def add(address: str, body: bytes, *headers: tuple[str, str], status: str = "200 OK") -> None:
        told = StatusAndHeaders(status, list(headers), protocol="HTTP/1.1")
        record = writer.create_warc_record(address, "response", io.BytesIO(body), http_headers=told)
        writer.write_record(record)
        record.raw_stream.close()

    head = b"<html><head><title>A page</title><style>no</style></head>"
    page = head + b"<body><p>Hello <b>there</b>.<p>Caf\xe9<script>no</script>"
    add("http://a.org/", page, ("Content-Type", "text/html; charset=iso-8859-1"))
    add("http://a.org/zip", gzip.compress(b"plain words"), ("Content-Type", "text/plain"), ("Content-Encoding", "gzip"))
    add("http://a.org/pic", b"\x89PNG", ("Content-Type", "image/png"))
    add("http://a.org/gone", page, ("Content-Type", "text/html"), status="404 Not Found")
    add("http://a.org/empty", b"", ("Content-Type", "text/html"))
    add(
        "http://a.org/bomb",
        gzip.compress(bytes(20_000_000)),
        ("Content-Type", "text/html"),
        ("Content-Encoding", "gzip"),
    )
    add("http://a.org/deep", b"<div>" * 50_000 + b"deep", ("Content-Type", "text/html"))
    add("http://a.org/last", b"<meta charset=koi8-r><p>" + "Привет".encode("koi8-r"), ("Content-Type", "text/html"))
    return stream.getvalue()


def test_web_archives(tmp_path: Path) -> None:
    one_piece = gzip.compress(archive(packed=False))
    for name, data in (
        ("a.warc", archive(packed=False)),
        ("a.warc.gz", archive(packed=True)),
        ("b.warc.gz", one_piece),
    ):
        file = written(tmp_path / name, data)
        found = items(file, skipped := Skipped())
        known = [(each.name, each.title, each.text) for each in found if not each.name.endswith("deep")]
        assert known == [
            ("http://a.org/", "A page", "Hello there.\n\nCafé"),
            ("http://a.org/zip", "", "plain words"),
            ("http://a.org/last", "", "Привет"),
        ]
        assert sum(skipped.values()) + len(found) == 8
        assert items(file, start=2) == [each for each in found if each.number >= 2]
    cut = items(written(tmp_path / "c.warc.gz", archive(packed=True)[:-30]), skipped := Skipped())
    assert len(cut) >= 2
    assert skipped["damaged"] >= 1


def test_web_archives_as_others_write_them(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def record(kind: str, content: bytes, *headers: str, length: object = None) -> bytes:
        told = [f"WARC-Type: {kind}", "WARC-Target-URI: http://a.org/", *headers]
        told.append(f"Content-Length: {len(content) if length is None else length}")
        return "\r\n".join(["WARC/1.0", *told, "", ""]).encode() + content + b"\r\n\r\n"

    web = "Content-Type: application/http; msgtype=response"
    chunked = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
    records = [
        record("warcinfo", b"SECRET"),
        record("response", chunked + b"3;x=y\r\none\r\n4\r\n two\r\n0\r\n\r\n", web),
        record("response", chunked + b"no chunks at all", web),
        record("response", chunked.replace(b"Transfer-", b"Content-").replace(b"chunked", b"br") + b"unpacked", web),
        record(
            "response", chunked.replace(b"Transfer-", b"Content-").replace(b"chunked", b"gzip") + b"\x1f\x8bno", web
        ),
        record("conversion", "väl".encode(), "Content-Type: text/plain"),
        record("response", b"SECRET", web, length="-3"),
        record("response", b"SECRET", web, length=3),
        record("resource", b"<p>last", "Content-Type: text/html"),
    ]
    found = items(written(tmp_path / "a.warc", b"".join(records)), skipped := Skipped())
    assert [each.text for each in found] == ["one two", "no chunks at all", "unpacked", "väl", "last"]
    assert skipped == {"damaged": 3, "answers that are no page": 1}
    assert capfd.readouterr() == ("", "")


def test_folders_of_every_format(tmp_path: Path) -> None:
    written(tmp_path / "a.txt", "First paragraph.\n\nSecond.")
    written(tmp_path / "b/memo.docx", docx_files.plain(["A memo", "of two paragraphs"]))
    written(tmp_path / "b/page.html", html_files.plain(["A page", "of two paragraphs"]))
    written(tmp_path / "b/mail.eml", eml_files.plain(["A mail", "of two paragraphs"]))
    written(tmp_path / "c/notes.jsonl", '{"text": "a record"}\n')
    written(tmp_path / "c/old.txt.gz", gzip.compress(b"packed away"))
    written(tmp_path / "c/.hidden.txt", "hidden")
    written(tmp_path / "c/.git/x.txt", "hidden")
    written(tmp_path / "d/scan.pdf", b"%PDF-1.7")
    written(tmp_path / "d/broken.docx", docx_files.plain(["x"])[:-50])
    (tmp_path / "d/link.txt").symlink_to(tmp_path / "a.txt")
    written(tmp_path / "index/meta.txt", "the index itself")
    found = items(tmp_path, skipped := Skipped())
    assert len(found) == 7
    assert {"First paragraph.\n\nSecond.", "a record", "packed away", "the index itself"} <= {
        each.text for each in found
    }
    assert sum("of two paragraphs" in each.text for each in found) == 3
    assert sum(skipped.values()) == 4
    assert "index" not in {file.parent.name for file in parts(tmp_path, apart=tmp_path / "index")}
    with pytest.raises(DocumentError, match="no such file or folder"):
        items(tmp_path / "none")


def test_bombs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("withhold.corpora.sources.streams._HARMLESS", 1_000_000)
    for name in ("a.jsonl.gz", "a.txt.gz", "a.csv.gz", "a.mbox.gz"):
        assert (
            items(written(tmp_path / name, gzip.compress(b"text " + bytes(3_000_000), 9)), skipped := Skipped()) == []
        )
        assert skipped["too large, or expands or nests too far"] == 1, name


def test_no_text_is_ever_shown(tmp_path: Path) -> None:
    (found,) = items(written(tmp_path / "a.jsonl", '{"text": "SECRET", "title": "SECRET"}'))
    assert "SECRET" not in repr(found)
    for name in ("a.jsonl", "a.json", "a.csv", "a.mbox", "a.xml", "a.warc", "a.parquet", "a.docx", "a.warc.gz"):
        for content in (
            b"SECRET",
            b'{"SECRET',
            b"<SECRET",
            b"<mediawiki><SECRET",
            b"WARC/1.0\r\nSECRET",
            b"From SECRET 1:00\n",
        ):
            items(written(tmp_path / name, content), skipped := Skipped())
            assert "SECRET" not in str(skipped)

"""The residue evaluation must be able to see a leak, or its zero means nothing."""

from __future__ import annotations

import base64
import inspect
import io
import re
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from pikepdf import Pdf

from tests.fixtures.pdf_files import page, save
from withhold.errors import DocumentError
from withhold.evaluation import libreoffice, package, readers, words
from withhold.evaluation.residue import evaluate
from withhold.evaluation.words import hits, lost, quantile, target
from withhold.private import PrivateFolder

SECRET = "Zbigniew"


def seen(format: str, data: bytes, word: str = SECRET) -> dict[str, int]:
    """Where an outside reader finds the word."""
    found = {
        where: max(hits(reading, word) for reading in readings) for where, readings in readers.everything(format, data)
    }
    return {where: count for where, count in found.items() if count}


def word_file(body: str, **parts: str | bytes) -> bytes:
    """A package with this body, and other parts under names in which `__` stands for a slash, `_` for a dot."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("word/document.xml", f"<w:document xmlns:w='w'><w:body>{body}</w:body></w:document>")
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return file.getvalue()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("one two three three", "three"),
        ("Zebra apple APPLE zebra", "apple"),
        ("abc de f", None),
        ("x1234567 house_boat", "house"),
        ("bcontent under under content", "under"),
    ],
)
def test_the_target_is_the_most_frequent_long_word(text: str, word: str | None) -> None:
    assert target(text) == word


def test_hits_are_whole_words_of_any_case_and_accent() -> None:
    assert hits("Zbigniew ZBIGNIEW, (zbigniéw) Zbigniewa xZbigniew Zbigniew2", "zbigniew") == 4


def test_a_word_whose_letters_stand_apart_is_a_word() -> None:
    assert hits("Z b i g n i e w came", "zbigniew") == 1
    assert hits("Z b, i g", "zbig") == 0


def test_words_lost_leaves_the_target_out() -> None:
    assert lost("a secret b c", "a [REDACTED] b c", "secret") == 0
    assert lost("a a secret b", "a b", "secret") == 0.25
    assert lost("", "", None) == 0


def test_quantiles() -> None:
    assert quantile([], 0.5) == 0
    assert quantile([3, 1, 2], 0.5) == 2
    assert quantile(range(1, 11), 0.9) == 9


SPLIT = f"<w:p><w:r><w:t>{SECRET[:3]}</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>{SECRET[3:]}</w:t></w:r></w:p>"


@pytest.mark.parametrize(
    "data",
    [
        word_file(f"<w:p><w:r><w:t>{SECRET}</w:t></w:r></w:p>"),
        word_file(SPLIT),
        word_file(SPLIT.replace("<", "\n  <").replace("\n  </w:t>", "</w:t>")),
        word_file("<w:t>&#90;bigniew</w:t>"),
        word_file(f"<w:t><![CDATA[{SECRET}]]></w:t>"),
        word_file(f"<w:p/><!-- {SECRET} -->"),
        word_file(f"<w:rPr><!-- {SECRET} --></w:rPr>"),
        word_file(f"<?note {SECRET}?>"),
        word_file(f"<w:del><w:delText>{SECRET}</w:delText></w:del>"),
        word_file(f"<w:t>left</w:t><w:instrText>AUTHOR {SECRET}</w:instrText><w:t>right</w:t>"),
        word_file(f"<wp:docPr id='1' name='x' descr='{SECRET}'/>"),
        word_file(f"<wp:docPr id='1' name='{SECRET}'/>"),
        word_file(f"<w:bookmarkStart w:name='{SECRET}'/>"),
        word_file(f"<w:tag w:val='{SECRET}'/>"),
        word_file(f"<w:lvlText w:val='{SECRET} %1'/>"),
        word_file(f"<w:fldSimple w:instr='AUTHOR {SECRET}'/>"),
        word_file("", word__styles_xml=f"<w:style w:customStyle='1'><w:name w:val='{SECRET}'/></w:style>"),
        word_file("", word___rels__document_xml_rels=f"<Relationship Target='http://x.example/{SECRET}'/>"),
        word_file("", word__Zbigniew_xml="<a/>"),
        word_file("", docProps__core_xml=f"<dc:creator>{SECRET}</dc:creator><dc:title>x</dc:title>"),
        word_file("", word__a_bin=b"\0\1" + SECRET.encode("utf-8")),
        word_file("", word__a_bin=b"\0\1" + SECRET.encode("utf-16-le") + b"\0\0"),
        word_file("", word__a_bin=b"\1" + SECRET.encode("utf-16-le") + b"\0\0"),
        word_file("", word__b_xml=f"<?xml version='1.0'?><a>{SECRET}</a>".encode("utf-16")),
        word_file("", word__inner_xlsx=word_file(f"<w:t>{SECRET}</w:t>")),
    ],
)
def test_the_package_scan_sees_the_word(data: bytes) -> None:
    assert sum(seen("docx", data).values()) == 1


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("<w:jc w:val='center'/>", "center"),
        ("<wp:align>center</wp:align>", "center"),
        ("<w:t>other</w:t>", "document"),
        ("<w:pStyle w:val='Heading'/>", "heading"),
        ("<w:r><w:t>mal</w:t></w:r><w:r><w:t>content</w:t></w:r>", "content"),
    ],
)
def test_the_words_of_the_format_are_no_residue(body: str, word: str) -> None:
    assert not seen("docx", word_file(body, word__styles_xml="<w:style><w:name w:val='heading 1'/></w:style>"), word)


def test_visible_text_leaves_out_what_word_hides() -> None:
    hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>"
    body = (
        f"<w:p><w:r><w:t>shown</w:t></w:r>{hidden}<w:del w:id='1'><w:r><w:delText>deleted</w:delText></w:r></w:del>"
        "<w:r><w:instrText>FIELD</w:instrText></w:r><mc:Fallback><w:r><w:t>again</w:t></w:r></mc:Fallback></w:p>"
    )
    assert package.visible(word_file(body)).split() == ["shown"]


MAIL = (
    b"From: a@example.com\r\nSubject: =?utf-8?b?%b?=\r\nContent-Type: multipart/mixed; boundary=cut\r\n\r\npre\r\n"
    b"--cut\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: %b\r\n\r\n%b\r\n--cut--\r\n"
)


@pytest.mark.parametrize(
    ("format", "data"),
    [
        ("txt", f"x {SECRET} y".encode()),
        ("txt", f"x {SECRET} y".encode("utf-16")),
        ("markdown", f"*{SECRET}*".encode()),
        ("html", b"<p>Zbi<b>gniew</b></p>"),
        ("html", f"<p title='{SECRET}'>x</p>".encode()),
        ("html", f"<!-- {SECRET} -->".encode()),
        ("html", f"<script>{SECRET}</script>".encode()),
        ("html", f"<p class='{SECRET}'>&nbsp;</p>".encode()),
        ("eml", MAIL % (base64.b64encode(SECRET.encode()), b"7bit", b"hello")),
        ("eml", MAIL % (b"eA==", b"base64", base64.b64encode(SECRET.encode()))),
        ("eml", MAIL % (b"eA==", b"quoted-printable", b"Zbig=\r\nnie=77")),
        ("eml", MAIL % (b"eA==", b"7bit", SECRET.encode())),
    ],
)
def test_other_readers_see_the_word(format: str, data: bytes) -> None:
    assert sum(seen(format, data).values()) == 1


def make_folder(folder: Path) -> Path:
    folder.mkdir()
    (folder / "a.txt").write_text(f"{SECRET} met {SECRET}. The others waited.")
    (folder / "b.bin").write_bytes(b"\x89PNG\r\n\x1a\n not text")
    (folder / ".hidden").write_text(SECRET)
    document = docx.Document()
    document.core_properties.author = SECRET
    paragraph = document.add_paragraph("Dear ")
    for run in (SECRET[:4], SECRET[4:], f", {SECRET} and friends."):
        paragraph.add_run(run).bold = True
    document.save(str(folder / "c.docx"))
    (folder / "d.docx").write_bytes((folder / "c.docx").read_bytes()[:900])
    (folder / "e.html").write_text(f"<title>{SECRET}</title><p title='{SECRET}'>Zbi<b>gniew</b> and friends.</p>")
    (folder / "f.md").write_text(f"# {SECRET}\n\n[{SECRET}](https://example.com/{SECRET}) and *friends*.\n")
    (folder / "g.eml").write_bytes(MAIL % (b"eA==", b"base64", base64.b64encode(f"{SECRET} and friends".encode())))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_folder(tmp_path / "files")


KEYS = {"files", "rewritten", "refused", "crashed", "crashes", "residual_hits", "residues"}
KEYS |= {"openable", "words_lost", "readers", "seconds"}


def check(report: dict[str, object]) -> None:
    assert set(report) == KEYS
    assert (report["files"], report["rewritten"], report["crashed"]) == (7, 5, 0)
    assert {each["file"] for each in report["refused"]} == {"b.bin", "d.docx"}  # type: ignore[attr-defined, index]
    assert (report["residual_hits"], report["residues"]) == (0, [])
    assert report["words_lost"] == {"median": 0.0, "p90": 0.0}
    assert SECRET.casefold() not in repr(report).casefold()


def test_a_folder_is_measured(folder: Path) -> None:
    report = evaluate(folder, jobs=2, seconds=60, libreoffice=False)
    check(report)
    assert report["readers"] == {"outside": 5, "libreoffice": 0}


def test_an_archive_is_measured(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "files.zip"
    with zipfile.ZipFile(archive, "w") as files:
        for path in folder.iterdir():
            files.write(path, path.name)
    check(evaluate(archive, jobs=2, seconds=60, libreoffice=False))


def test_only_folders_and_archives(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    for path in (tmp_path / "a.txt", tmp_path / "none"):
        with pytest.raises(DocumentError):
            evaluate(path)


@pytest.mark.slow
def test_a_slow_file_counts_as_crashed(folder: Path) -> None:
    report = evaluate(folder, jobs=1, seconds=0.0001, libreoffice=False)
    assert report["crashed"] == len(report["crashes"]) == 7


def test_the_readers_share_no_code_with_the_formats() -> None:
    modules = [readers, package, libreoffice, words]
    imported = {
        name for module in modules for name in re.findall(r"(?m)^ *(?:from|import) ([\w.]+)", inspect.getsource(module))
    }
    assert "zipfile" in imported
    assert {name for name in imported if name.startswith(("withhold", "lxml"))} <= {
        "withhold.evaluation",
        "withhold.evaluation.package",
        "withhold.private",
    }


def test_the_private_folder_is_private_and_goes() -> None:
    with PrivateFolder() as private:
        assert private.path.stat().st_mode & 0o777 == 0o700
        (private.path / "a").write_text("x")
        assert private.run([sys.executable, "-c", "pass"], 20)
        assert not private.run([sys.executable, "-c", "raise SystemExit(3)"], 20)
        assert not private.run([sys.executable, "-c", "import time; time.sleep(60)"], 0.2)
    assert not private.path.exists()


KILLED = """
import sys
from withhold.private import PrivateFolder

with PrivateFolder() as private:
    (private.path / "text").write_text("x")
    writer = "import os, sys, time\\nprint(os.getpid(), os.getcwd(), file=open(sys.argv[1] + '~', 'w'))\\n"
    writer += "os.rename(sys.argv[1] + '~', sys.argv[1])\\n"
    writer += "while True:\\n    open(f'more-{time.time()}', 'w').close()"
    private.run([sys.executable, "-c", writer, sys.argv[1]], 60)
"""


def test_a_kill_leaves_neither_the_folder_nor_its_programs(tmp_path: Path) -> None:
    parent = subprocess.Popen([sys.executable, "-c", KILLED, tmp_path / "note"])
    _wait_for(lambda: (tmp_path / "note").exists())
    process, folder = (tmp_path / "note").read_text().split()
    assert Path(folder, "text").exists()
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    _wait_for(lambda: not Path(folder).exists())
    _wait_for(lambda: not Path("/proc", process).exists() or "Z" in Path("/proc", process, "stat").read_text())


def _wait_for(condition: Callable[[], bool]) -> None:
    for _ in range(200):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it never happened")


@pytest.fixture(scope="module")
def office() -> str:
    program = libreoffice.find()
    if program is None:
        pytest.skip("LibreOffice is not installed")
    return program


@pytest.mark.slow
def test_libreoffice_measures_too(folder: Path, office: str) -> None:
    report = evaluate(folder, jobs=2, seconds=60)
    check(report)
    assert report["readers"] == {"outside": 5, "libreoffice": 1}


@pytest.mark.slow
def test_libreoffice_reads_the_good_among_the_bad(folder: Path, office: str) -> None:
    with PrivateFolder() as private:
        for name in ("c.docx", "d.docx"):
            (private.path / name).write_bytes((folder / name).read_bytes())
        (private.path / "e.docx").symlink_to("/dev/null")
        names = ("d.docx", "c.docx", "e.docx")
        texts = list(libreoffice.convert(office, private, [private.path / name for name in names]))
    assert texts[1] is not None
    assert hits(texts[1], SECRET) == 2
    assert SECRET not in (texts[0] or "") + (texts[2] or "")


def test_nothing_is_left_in_the_temporary_folder(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "own"
    own.mkdir()
    monkeypatch.setenv("TMPDIR", str(own))
    monkeypatch.setattr(tempfile, "tempdir", None)
    evaluate(folder, jobs=2, seconds=60, libreoffice=False)
    assert not list(own.glob("withhold-*"))


def pdf_file(content: bytes) -> bytes:
    pdf = Pdf.new()
    page(pdf, content)
    return save(pdf)


@pytest.mark.parametrize(
    "data",
    [
        pdf_file(f"BT /F1 12 Tf 72 700 Td ({SECRET}) Tj ET".encode()),
        pdf_file(f"BT /F1 12 Tf 72 700 Td <{SECRET.encode().hex()}> Tj ET".encode()),
        pdf_file(f"% {SECRET}\nBT /F1 12 Tf 72 700 Td (x) Tj ET".encode()),
        pdf_file(b"BT ET") + f"\n9 0 obj ({SECRET}) endobj".encode(),
        pdf_file(b"BT ET") + f"\n9 0 obj /{SECRET} endobj".encode(),
    ],
)
def test_the_readers_of_pdf_files_see_the_word(data: bytes) -> None:
    assert seen("pdf", data)
    assert not seen("pdf", data, "Nobody")


def test_what_nobody_sees_on_a_page_is_not_visible() -> None:
    white = b"1 g BT /F1 12 Tf 72 600 Td (Unseen) Tj ET"
    black = b"0 g BT /F1 12 Tf 72 700 Td (Seen) Tj ET 72 640 200 20 re f 1 g BT /F1 12 Tf 80 645 Td (reversed) Tj ET "
    told = readers.visibles("pdf", pdf_file(black + white))[1]
    assert told.split() == ["Seen", "reversed"]


def test_words_of_a_pdf_are_lost_if_no_reader_finds_them(tmp_path: Path) -> None:
    (tmp_path / "one.pdf").write_bytes(pdf_file(b"BT /F1 12 Tf 72 700 Td (Zbigniew came and Zbigniew went) Tj ET"))
    (tmp_path / "none.pdf").write_bytes(b"%PDF-1.7 nothing else")
    told = evaluate(tmp_path, libreoffice=False)
    assert (told["rewritten"], told["openable"], told["residual_hits"]) == (1, 1, 0)
    assert told["words_lost"]["p90"] == 0

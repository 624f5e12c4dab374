"""Mail: what is kept, what is dropped, what no reader may find, and files made to break a reader."""

from __future__ import annotations

import base64
import email
import email.policy
import io
import quopri
import re
import zipfile

import pytest

from tests.fixtures.eml_files import docx, encoded_part, every_slot, multipart, part, plain, png
from withhold import formats
from withhold.errors import DamagedDocument, EncryptedDocument, HostileDocument, UnsupportedFormat
from withhold.formats import images
from withhold.formats.eml.headers import Addresses, field_line, unfold, write_addresses
from withhold.policy import Find, Policy
from withhold.redactor import Redactor
from withhold.spans import Span
from withhold.types import Document, Handling, Redaction, Replacement

NAMES = (
    *("Kelly", "Alo", "Bobby", "Maximiliana", "Zbigniew", "Åsa", "Łukasz", "Jürgen-Peter", "O'Brien", "李雷"),
    *("Ольга", "Σοφία", "Ngo", "Wolfeschlegelstein", "Ivy", "Chrysanthemum", "José", "Quetzalcoatl", "Edda", "Max Li"),
)
EML = formats.named("eml")


def mail(*lines: str, newline: str = "\r\n") -> bytes:
    return newline.join(lines).encode("utf-8", "surrogateescape")


def read(data: bytes, handling: Handling | None = None) -> Document:
    return formats.read(data, name="mail.eml", handling=handling)


def texts(document: Document) -> list[str]:
    return [block.span.of(document.text) for block in document.blocks]


def redact(data: bytes, *terms: str, handling: Handling | None = None) -> Redaction:
    policy = Policy(find=(Find(terms=terms, anywhere=True),), files=handling or Handling())
    redactor = Redactor(policy)
    return redactor.redact(redactor.read(data, name="mail.eml"))


def rewritten(data: bytes, handling: Handling | None = None) -> bytes:
    return formats.rewrite(read(data, handling), [])[0].native


def reparsed(data: bytes) -> email.message.EmailMessage:
    return email.message_from_bytes(data, policy=email.policy.default)  # type: ignore[return-value]


def everything(data: bytes) -> str:
    """All text a third reader gets out of a mail, every encoding undone."""
    found = [data.decode("utf-8", "replace"), quopri.decodestring(data).decode("utf-8", "replace")]
    for word in re.findall(rb"=\?utf-8\?b\?([^?]*)\?=", data):
        found.append(base64.b64decode(word).decode("utf-8", "replace"))
    for each in email.message_from_bytes(data).walk():
        if isinstance(payload := each.get_payload(decode=True), bytes):
            found.append(payload.decode("utf-8", "replace"))
            if payload.startswith(b"PK"):
                archive = zipfile.ZipFile(io.BytesIO(payload))
                found += [archive.read(name).decode("utf-8", "replace") for name in archive.namelist()]
    return "\n".join(found).lower()


def test_no_slot_keeps_the_secret() -> None:
    redaction = redact(every_slot("Zbigniew"), "Zbigniew")
    assert "zbigniew" not in everything(redaction.document.native)
    kinds = {notice.kind for notice in redaction.notices}
    expected = {"blind copies", "comments in addresses", "mail headers", "headers of parts", "signatures"}
    assert expected | {"winmail.dat files", "mail system reports", "text around parts", "pictures"} <= kinds


def test_different_names_leave_the_same_file() -> None:
    outputs = {redact(every_slot(name), name).document.native for name in NAMES}
    assert len(outputs) == 1


def test_headers_do_not_fold_by_what_was_removed() -> None:
    def with_name(name: str) -> bytes:
        words = " ".join([name] * 12)
        encoded = base64.b64encode(words.encode()).decode()
        return mail(f"From: =?utf-8?b?{encoded}?= <a@example.org>", f"Subject: =?utf-8?b?{encoded}?=", "", words)

    assert len({redact(with_name(name), name).document.native for name in NAMES}) == 1


@pytest.mark.slow
def test_rewriting_changes_nothing_the_second_time() -> None:
    for handling in (Handling(), Handling(images="keep"), Handling(attachments="drop")):
        once = rewritten(every_slot("Kelly"), handling)
        assert rewritten(once, handling) == once
        assert texts(read(once, handling)) == texts(read(every_slot("Kelly"), handling))


def test_nothing_hidden_is_left_in_an_output() -> None:
    assert list(EML.inspect(every_slot("Kelly")))
    assert list(EML.inspect(rewritten(every_slot("Kelly")))) == []


@pytest.mark.parametrize(
    "word",
    [
        "multipart",
        "charset",
        "boundary",
        "plain",
        "Subject",
        "base64",
        "quoted",
        "printable",
        "mail",
        "utf",
        "docx",
        "attachment",
        "filename",
        "inline",
        "MIME",
        "Version",
        "1.0",
        "text",
        "html",
        "From",
        "rfc822",
        "mixed",
        "=_1_=",
    ],
)
def test_words_of_the_format_can_be_removed(word: str) -> None:
    body = encoded_part("text/plain; charset=utf-8", f"The {word} said {word}.".encode())
    attached = encoded_part(
        "text/plain", f"{word}\n".encode(), f'Content-Disposition: attachment; filename="{word}.txt"'
    )
    data = part(
        [f"From: {word} <a@b.example>", f"Subject: {word}", 'Content-Type: multipart/mixed; boundary="b"'],
        multipart("b", [body, attached]),
    )
    found = texts(redact(data, word).document)
    assert "The [REDACTED] said [REDACTED]." in found
    assert not any(word in text for text in found)


@pytest.mark.parametrize("sign", list("<>@,;:\"()\\.=?-[]%*'"))
def test_single_signs_can_be_removed(sign: str) -> None:
    data = mail(f'From: "a{re.escape(sign)}b" <x@y.example>', "Subject: q", "", f"one {sign} two")
    document = read(data)
    at = document.text.rindex(f" {sign} ") + 1
    result = formats.rewrite(document, [Replacement(Span(at, at + 1), "X")])[0]
    assert texts(result)[-1] == "one X two"


def test_blocks() -> None:
    data = part(
        [
            "From: =?utf-8?q?Zo=C3=AB?= Ray <zoe@example.org>",
            'To: Team: "Doe, Jo" <jo@example.org>, al@example.org;, undisclosed-recipients:;',
            "Subject: One",
            "\ttwo =?iso-8859-1?q?caf=E9?=",
            'Content-Type: multipart/alternative; boundary="b"',
        ],
        multipart(
            "b", [part(["Content-Type: text/plain"], b"hello\r\nyou\r\n"), encoded_part("text/html", b"<p>hi</p>")]
        ),
    )
    document = read(data)
    found = texts(document)
    assert found[:8] == [
        *("Zoë Ray", "zoe@example.org", "Team", "Doe, Jo", "jo@example.org", "al@example.org"),
        *("undisclosed-recipients", "One two café"),
    ]
    assert found[8] == "hello\nyou\n"
    assert "hi" in found[9]
    assert [(block.kind, block.where) for block in document.blocks[:3]] == [
        *(("header", "From"), ("header", "From"), ("header", "To")),
    ]


def test_untouched_mail_says_the_same_to_another_reader() -> None:
    data = part(
        [
            'From: "Doe, Jo" <jo@example.org>',
            "To: =?utf-8?b?5p2O6Zu3?= <li@example.org>, b@example.org",
            "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?= aus Berlin",
            "Date: Mon, 01 Jan 2024 10:00:00 +0000",
            'Content-Type: multipart/mixed; boundary="b"',
        ],
        multipart(
            "b",
            [
                part(["Content-Type: text/plain; charset=iso-8859-1"], "Füße\r\n".encode("latin-1")),
                encoded_part(
                    "text/csv; charset=utf-16",
                    "a;b\r\nü;d\r\n".encode("utf-16"),
                    'Content-Disposition: attachment; filename="ü.csv"',
                ),
            ],
        ),
    )
    before, after = reparsed(data), reparsed(rewritten(data))
    for header in ("From", "To"):
        assert after[header].addresses == before[header].addresses
    for header in ("Subject", "Date"):
        assert after[header] == before[header]
    body, attached = after.iter_parts()
    assert body.get_content() == "Füße\r\n"
    assert attached.get_filename() == "ü.csv"
    assert attached.get_content_type() == "text/csv"
    assert attached.get_payload(decode=True).decode() == "a;b\r\nü;d\r\n"


@pytest.mark.parametrize(
    "written",
    [
        "[REDACTED]",
        "",
        "a b",
        "=?utf-8?q?x?=",
        '"',
        "\\",
        "�",
        "<a@b>",
        "é" * 500,
        "a@b@c",
        " ",
        "a  b",
        "x" * 3000,
        "(comment)",
        "a,b;c:d",
        "\t",
        "\u2028",
        "'%41*",
    ],
)
def test_headers_stay_whole_whatever_replaces_a_word(written: str) -> None:
    data = part(
        [
            "From: Ann Kelly <kelly@example.org>",
            "To: Kelly@kelly.example",
            "Cc: Kelly <x@y.example>",
            "Subject: On Kelly",
            "Date: Kelly",
        ],
        b"Kelly",
    )
    document = read(data)
    spans = [Span(*match.span()) for match in re.finditer("(?i)kelly", document.text)]
    result = formats.rewrite(document, [Replacement(span, written) for span in spans])[0]
    head = result.native.split(b"\r\n\r\n")[0]
    names = re.findall(rb"^([!-9;-~]+):", head, re.MULTILINE)
    assert set(names) <= {
        b"From",
        b"To",
        b"Cc",
        b"Date",
        b"Subject",
        b"MIME-Version",
        b"Content-Type",
        b"Content-Transfer-Encoding",
    }
    assert len(names) == len(set(names))
    assert max(map(len, head.split(b"\r\n"))) < 998
    message = reparsed(result.native)
    for header in ("From", "To", "Cc"):
        assert (
            not message[header].defects or written in ("", '"', "\t", "\0", "\ud800", " ", "\u2028") or "\n" in written
        )


def test_addresses_come_back_as_written() -> None:
    entries = [("Doe, J.", "j@x.org"), ("", "[R]@x.org"), ("Zoë", "a b@x.org"), ("x", ""), ('q"\\', "y@[127.0.0.1]")]
    value = field_line("To", write_addresses(entries)).decode("ascii")[len("To:") :]
    assert Addresses.parse(unfold(value)).entries == entries


def test_words_broken_by_encodings_are_read_whole() -> None:
    flowed = part(["Content-Type: text/plain; format=flowed; delsp=yes"], b"The file of Kel \r\nly is here.\r\n")
    soft = part(
        ["Content-Type: text/plain", "Content-Transfer-Encoding: quoted-printable"], b"Dear Kel=\r\nly and K=65lly\r\n"
    )
    seven = part(["Content-Type: text/plain; charset=utf-7"], b"+AEsAZQBsAGwAeQ-")
    cut = part(
        ["Content-Type: text/plain", "Content-Transfer-Encoding: base64"], base64.b64encode(b"Kelly was here")[:-3]
    )
    folded = encoded_part("text/calendar", b"BEGIN:VCALENDAR\r\nSUMMARY:Kel\r\n ly\r\nEND:VCALENDAR\r\n")
    subject = "Subject: =?utf-8?b?S2Vs?= =?utf-8?q?ly?="
    data = part(
        ["From: a@b.example", subject, 'Content-Type: multipart/mixed; boundary="b"'],
        multipart("b", [flowed, soft, seven, cut, folded]),
    )
    redaction = redact(data, "Kelly")
    assert len(redaction.plan.edits) == 7
    assert "kel" not in everything(redaction.document.native)


def test_bodies_without_or_with_wrong_charsets() -> None:
    for charset in ("", "; charset=us-ascii", "; charset=x-unknown", "; charset=rot13", "; charset=unicode_escape"):
        data = mail("From: a@b.example", "Subject: x", f"Content-Type: text/plain{charset}", "", "Grüße an Kelly")
        assert texts(read(data))[-1] == "Grüße an Kelly"
    broken = (
        mail("Subject: x", "From: a@b.example", "Content-Type: text/plain; charset=utf-8", "", "Grüße an Kelly")
        + b"\xff"
    )
    assert texts(read(broken))[-1] == "Grüße an Kelly\ufffd"


def test_attachments_can_all_be_dropped() -> None:
    redaction = redact(every_slot("Kelly"), "Kelly", handling=Handling(attachments="drop"))
    kinds = [each.get_content_type() for each in reparsed(redaction.document.native).walk()]
    assert "application/octet-stream" not in kinds
    assert "message/rfc822" not in kinds
    assert not any(
        each.get_content_disposition() == "attachment" for each in reparsed(redaction.document.native).walk()
    )


def test_attachments_no_format_reads_are_dropped() -> None:
    unread = [
        encoded_part("application/octet-stream; name=a.bin", bytes(range(256)) * 4),
        encoded_part("application/pdf; name=a.pdf", b"%PDF-1.4 Kelly"),
        encoded_part("application/xml; name=a.xml", b"<a>&#75;elly</a>"),
        encoded_part("text/rtf", rb"{\rtf1 K{\b e}lly}"),
        encoded_part("text/enriched", b"K<bold>elly</bold>"),
        encoded_part("application/octet-stream; name=a.docx", b"PK\x03\x04 not really"),
        encoded_part(
            "text/plain; name=key.asc", b"-----BEGIN PGP MESSAGE-----\nabc\n", "Content-Disposition: attachment"
        ),
        encoded_part("text/vcard", b"BEGIN:VCARD\nN;ENCODING=QUOTED-PRINTABLE:=4Belly\nEND:VCARD\n"),
    ]
    data = part(
        ["From: a@b.example", 'Content-Type: multipart/mixed; boundary="b"'],
        multipart("b", [part([], b"kept"), *unread]),
    )
    redaction = redact(data, "Kelly")
    assert texts(redaction.document) == ["a@b.example", "kept"]
    assert {notice.kind: notice.count for notice in redaction.notices} == {"parts that cannot be read": len(unread)}


def test_files_written_into_the_text_are_dropped() -> None:
    letters = b"begin 644 kelly.txt\r\n%2V5L;'D \r\n`\r\nend\r\n"
    redaction = redact(mail("From: a@b.example", "Subject: x", "", "before", "") + letters + b"after\r\n", "Kelly")
    assert texts(redaction.document)[-1].split() == ["before", "after"]
    assert "files written into text" in {notice.kind for notice in redaction.notices}


def test_word_documents_inside_are_redacted() -> None:
    report = encoded_part(
        "application/octet-stream", docx("Report on Kelly"), 'Content-Disposition: attachment; filename="Kelly.docx"'
    )
    data = part(
        ["From: a@b.example", 'Content-Type: multipart/mixed; boundary="b"'],
        multipart("b", [part([], b"See Kelly"), report]),
    )
    result = redact(data, "Kelly").document.native
    attached = next(iter(reparsed(result).iter_attachments()))
    assert attached.get_filename() == "[REDACTED].docx"
    inside = formats.read(attached.get_payload(decode=True), name="x.docx")
    assert "Report on [REDACTED]" in texts(inside)


def test_a_file_name_that_goes_as_a_whole_leaves_no_trace() -> None:
    data = part(["From: a@b.example", "Content-Type: image/png; name=Kelly"], png("Kelly"))
    document = read(data)
    name = next(block.span for block in document.blocks if block.where == "file name")
    result = formats.rewrite(document, [Replacement(name, "")])[0]
    assert b"Disposition" not in result.native
    assert rewritten(result.native) == result.native


def test_pictures() -> None:
    picture = encoded_part("image/png; name=me.png", png("Kelly"), "Content-ID: <Kelly@x>")
    page = encoded_part("text/html", b"<p>See <img src='cid:Kelly@x' alt='me'></p>")
    data = part(["From: a@b.example", 'Content-Type: multipart/related; boundary="b"'], multipart("b", [page, picture]))
    blank, kept = redact(data, "Kelly"), redact(data, "Kelly", handling=Handling(images="keep"))
    for redaction, expected in ((blank, images.BLANK_PNG), (kept, images.strip_metadata(png("Kelly")))):
        last = list(reparsed(redaction.document.native).walk())[-1]
        assert last.get_payload(decode=True) == expected
        assert last["Content-ID"] == "<1@mail>"
    assert {"pictures": "changed"}.items() <= {notice.kind: notice.action for notice in blank.notices}.items()
    assert {"pictures": "kept unexamined"}.items() <= {notice.kind: notice.action for notice in kept.notices}.items()


@pytest.mark.parametrize(
    "data",
    [
        part(["From: a@b", 'Content-Type: multipart/encrypted; boundary="b"'], multipart("b", [part([], b"x")])),
        part(["From: a@b", "Content-Type: application/pkcs7-mime; name=smime.p7m"], b"MIAG"),
        part(["From: a@b", "Content-Type: application/octet-stream; name=smime.p7m"], b"MIAG"),
        mail("From: a@b", "", "-----BEGIN PGP MESSAGE-----", "", "abc"),
    ],
)
def test_encrypted_mail_is_refused(data: bytes) -> None:
    with pytest.raises(EncryptedDocument):
        read(data)


def test_signed_mail_keeps_its_text() -> None:
    signed = [part(["Content-Type: text/plain"], b"hello"), encoded_part("application/pgp-signature", b"Kelly")]
    data = part(["From: a@b.example", 'Content-Type: multipart/signed; boundary="b"'], multipart("b", signed))
    redaction = redact(data, "Kelly")
    assert texts(redaction.document) == ["a@b.example", "hello"]
    assert [notice.kind for notice in redaction.notices] == ["signatures"]
    with pytest.raises(UnsupportedFormat):
        read(part(["From: a@b", "Content-Type: application/pkcs7-mime; smime-type=signed-data"], b"MIAG"))


def test_recognises() -> None:
    assert EML.recognises(mail("Received: x", "From: a@b", "", "hi"))
    assert EML.recognises(mail("From: a@b", "Subject: folded", " more", "", "hi", newline="\n"))
    assert EML.recognises(mail("From: a@b", "Subject: x", "", "hi", newline="\r"))
    for text in ("Dear Ann,\n\nhi", "From: Ann\n\nhi", "Subject: x\nhello there\nTo: b\n", "", "From: a\nNote: b\n\n"):
        assert not EML.recognises(text.encode())


def test_mailboxes_are_refused() -> None:
    one = mail("From ann@example.org Mon Jan  1 10:00:00 2024", "From: a@b", "Subject: x", "", "hi", "", newline="\n")
    for name in ("box", "box.mbox", "box.eml"):
        with pytest.raises(UnsupportedFormat, match="mbox"):
            formats.read(one * 2, name=name)


@pytest.mark.parametrize("newline", ["\r\n", "\n", "\r"])
def test_any_newlines(newline: str) -> None:
    lines = [
        "From: Kelly <k@b.example>",
        "Subject: x",
        'Content-Type: multipart/mixed; boundary="b"',
        "",
        "--b",
        "",
        "Kelly",
    ]
    lines += ["two", "--b", "Content-Type: text/plain", "", "Kelly", "--b--", ""]
    assert texts(redact(mail(*lines, newline=newline), "Kelly").document)[-2:] == ["[REDACTED]\ntwo", "[REDACTED]"]


def test_inspect_says_what_is_there() -> None:
    found = {hidden.kind for hidden in EML.inspect(every_slot("Kelly"))}
    assert {"blind copies", "mail headers", "headers of parts", "comments in addresses", "text around parts"} <= found
    assert {"signatures", "winmail.dat files", "parts that cannot be read", "mail system reports"} <= found
    assert {"picture metadata"} <= found
    assert "Kelly" not in repr(list(EML.inspect(every_slot("Kelly"))))


def _nested(levels: int) -> bytes:
    opened = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n) for n in range(levels))
    return b"From: a@b\nSubject: x\n" + opened + b"\nKelly\n"


def _forwarded(levels: int, kind: str) -> bytes:
    return (f"From: a@b\nSubject: x\nContent-Type: {kind}\n\n" * levels + "From: Kelly\nTo: b\n\nKelly").encode()


@pytest.mark.parametrize(
    "data",
    [
        _nested(100_000),
        _nested(300),
        _forwarded(20_000, "message/rfc822"),
        b"From: a@b\nSubject: x\nContent-Type: multipart/mixed" + b";a" * 1_000_000 + b"\n\nKelly",
        b"From: a@b\nContent-Type: multipart/mixed\n\n--x\nContent-Transfer-Encoding: base64\n\nS2VsbHk=\n--x--\n",
        b"From: a@b\nSubject: x\n\n" + bytes(range(256)) * 10,
        b"From: a@b\nno header\nContent-Transfer-Encoding: base64\n\nS2VsbHk=\n",
        b"From: a@b\nContent-Transfer-Encoding: 8bit\nContent-Transfer-Encoding: base64\n\nS2VsbHk=\n",
        b"From: a@b\nContent-Type: text/plain\nContent-Type: text/html\n\nK&#101;lly\n",
    ],
)
def test_hostile_mail_is_refused(data: bytes) -> None:
    with pytest.raises((HostileDocument, DamagedDocument)):
        read(data)


@pytest.mark.slow
@pytest.mark.parametrize(
    "data",
    [
        b"From: a@b\nSubject: x\n" + b"X-A: Kelly\n" * 100_000 + b"\nKelly",
        b"From: a@b\nSubject: " + b"Kelly " * 20_000 + b"\n\nKelly",
        b"From: " + b"Kelly <kelly@b.example>, " * 3_000 + b"\nSubject: x\n\nKelly",
        b"From: " + b'"(<' * 300_000 + b"\nSubject: Kelly\n\nKelly",
        _forwarded(500, "application/octet-stream; name=a.eml"),
        b'From: a@b\nContent-Type: multipart/mixed; boundary="b"\n\n--b\n\nKelly\n--bb\n\nKelly\n--b--b\n--b--\nKelly',
        b"From: K\0elly <\0@b>\nSubject: \0Kelly\0\n\nKelly\0 Kelly",
        b"From: a@b\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\nS2VsbHk=S2VsbHk\n!!!! Kelly\n",
        b"From: \xff\xfeKelly\nSubject: =?utf-16?b?2ADYAA==?= Kelly\n\nKelly",
        b"From: a@b\nSubject: x\n\n" + b"begin 644 x\n" * 50_000 + b"Kelly",
        b"From: a@b\nContent-Type: text/plain; format=flowed\n\n" + b"Kelly \n" * 5_000,
        b"Subject:Kelly\nFrom\n:Kelly\n Kelly",
        b"",
        b"\n\n\n",
        b": Kelly\nKelly: \n\n",
        b"From: a@b\nContent-Type: ;;=\"\nContent-Disposition: attachment; filename*=x'y; filename*0*=%ZZ\n\nKelly",
        b"From: a@b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nRnJvbTogS2VsbHkKClM9NEJlbGx5",
    ],
)
def test_odd_mail_is_read_and_cleaned(data: bytes) -> None:
    redaction = redact(data, "Kelly")
    assert "kelly" not in everything(redaction.document.native)
    assert rewritten(redaction.document.native) == redaction.document.native
    list(EML.passages(data))
    list(EML.inspect(data))


@pytest.mark.slow
@pytest.mark.parametrize(
    "sign", ["(", '"', '"\\"', "<", '<"', '<"\\"', "=?", "=?a?b?", "=?a?b?c?= ", ",", ":;", "\\", " "]
)
def test_long_runs_of_one_sign_are_read_in_time(sign: str) -> None:
    data = mail(f"From: {sign * 50_000}", f"Subject: {sign * 50_000}", f"X-Other: {sign * 50_000}", "", "text")
    assert texts(read(rewritten(data)))[-1] == "text"
    assert list(EML.passages(data))


def test_a_bomb_in_an_attachment_is_dropped() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", b"<Types/>")
        archive.writestr("word/document.xml", b"\0" * 60_000_000)
    bomb = encoded_part("application/octet-stream; name=a.docx", file.getvalue())
    data = part(
        ["From: a@b.example", 'Content-Type: multipart/mixed; boundary="b"'], multipart("b", [part([], b"kept"), bomb])
    )
    assert texts(read(data, Handling(max_megabytes=5))) == ["a@b.example", "kept"]


def test_plain_fixture() -> None:
    paragraphs = ["one", "", "zwei <ü> & \u2028 three", " trailing ", "=?utf-8?q?x?=", "From here", ".", "--b"]
    document = read(plain(paragraphs))
    assert document.text == "\n".join(paragraphs)
    assert texts(read(rewritten(document.native))) == texts(document)


@pytest.mark.parametrize(
    "charset", [b"charset=\xff", b"charset*=utf-8''utf-8", b"charset*0=ut; charset*1=f-8", b"charset=no-such"]
)
def test_odd_names_of_charsets_are_no_trouble(charset: bytes) -> None:
    head = b"From: a@example.com\r\nTo: b@example.com\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; "
    data = head + charset + b"\r\nContent-Transfer-Encoding: 8bit\r\n\r\nDear Zo\xc3\xab!\r\n"
    assert "Dear Zoë!" in formats.read(data, name="a.eml").text


def test_names_in_a_page_tell_nothing_that_the_policy_names() -> None:
    data = mail("Subject: Thanks", "Content-Type: text/html", "", "<p class=acme>Thanks</p>")
    assert b"acme" in redact(data, "Nobody").document.native
    assert b"acme" not in redact(data, "Acme").document.native

"""Mail (EML): headers a reader sees, every text part, attachments by their own formats, and nothing else.

The output is a new message. It has the headers From, Reply-To, To, Cc, Date and Subject and those that describe
its parts; everything else is dropped. Boundaries and content identifiers are numbers, so they say nothing.
Both versions of a text stay, if a mail has a plain and an HTML one, and so do invisible characters in a text.
Signatures no longer hold and are dropped.
"""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from withhold.errors import UnsupportedFormat, UnwritableText
from withhold.formats.blocks import Draft, Local, localise, splice
from withhold.formats.eml.headers import ADDRESSES, field_line, write_addresses, write_parameter, write_text
from withhold.formats.eml.parts import Builder, Inner, Mail, Part, Words, parse
from withhold.formats.eml.passages import passages
from withhold.formats.eml.text import quoted_printable
from withhold.types import Block, Document, Handling, Hidden, Notice, Passage, Replacement

_HEAD = 100_000
_TELLING = frozenset(
    ["from", "to", "subject", "date", "received", "message-id", "mime-version", "return-path", "delivered-to"],
)
_FIELD = re.compile(rb"([!-9;-~]+)[ \t]*:")


class Eml:
    """Mail as one file holds it. Mailboxes (mbox), which hold many, are refused."""

    name = "eml"
    extensions: tuple[str, ...] = (".eml",)

    def recognises(self, data: bytes) -> bool:
        """Whether the bytes start with headers, two of which every mail has; a mailbox counts, to be refused."""
        names = set()
        lines = re.split(rb"\r\n|\r|\n", data[:_HEAD])
        for line in lines[1:] if _is_mailbox(data) else lines:
            match = _FIELD.match(line)
            if match:
                names.add(match[1].decode("ascii").lower())
            elif line[:1] not in (b" ", b"\t"):
                return not line and len(names & _TELLING) >= 2
        return len(names & _TELLING) >= 2

    def settle(self, data: bytes, handling: Handling) -> Handling:
        return handling

    def read(self, data: bytes, handling: Handling) -> tuple[str, tuple[Block, ...]]:
        draft = Draft()
        for leaf in leaves(_mail(data, Builder(handling))):
            if isinstance(leaf, Words):
                draft.add(leaf.text, leaf.kind, leaf.where)
            else:
                _add_inner(draft, leaf)
        return draft.finish()

    def rewrite(self, document: Document, replacements: Sequence[Replacement]) -> tuple[bytes, tuple[Notice, ...]]:
        builder = Builder(document.handling)
        mail = _mail(document.native, builder)
        notices = Counter((each.kind, "removed") for each in builder.dropped)
        notices.update(("pictures", action) for action in builder.pictures)
        written = _Writer(notices, document.unwanted)
        written.edit(mail, localise(document.blocks, replacements))
        return written.mail(mail), written.summary()

    def passages(self, data: bytes) -> Iterator[Passage]:
        return passages(data)

    def inspect(self, data: bytes) -> Iterator[Hidden]:
        builder = Builder(replace(Handling(), images="keep"))
        mail = _mail(data, builder)
        yield from builder.dropped
        for leaf in leaves(mail):
            if isinstance(leaf, Inner):
                for hidden in leaf.format.inspect(leaf.document.native):
                    yield replace(hidden, where=f"{leaf.where}: {hidden.where}")


def _is_mailbox(data: bytes) -> bool:
    return data.startswith((b"From ", b">From "))


def _mail(data: bytes, builder: Builder) -> Mail:
    if _is_mailbox(data):
        raise UnsupportedFormat("a mailbox (mbox), not a single mail; save each message as a file of its own")
    return builder.mail(parse(data))


def leaves(mail: Mail) -> Iterator[Words | Inner]:
    """Every text of a mail that is not empty, in the order a reader comes to it."""
    for _, words in mail.headers:
        yield from (word for word in words if word.text)
    yield from _part_leaves(mail.body)


def _part_leaves(part: Part) -> Iterator[Words | Inner]:
    if part.name and part.name.text:
        yield part.name
    if isinstance(part.content, list):
        for child in part.content:
            yield from _part_leaves(child)
    elif isinstance(part.content, Mail):
        yield from leaves(part.content)
    elif isinstance(part.content, Inner) or (isinstance(part.content, Words) and part.content.text):
        yield part.content


def _add_inner(draft: Draft, inner: Inner) -> None:
    for block in inner.document.blocks:
        kind = "attachment" if inner.attached else block.kind
        where = f"{inner.where}: {block.where or block.kind}"
        seams = [seam - block.span.start for seam in block.seams]
        draft.add(block.span.of(inner.document.text), kind, where, atomic=block.atomic, seams=seams)


def _spliced(words: Words, changes: Local) -> str:
    """The words with the changes made; line breaks in them must not become syntax, nor get lost."""
    if any("\r" in change.text or ("\n" in change.text and words.kind == "header") for change in changes):
        raise UnwritableText("a replacement has a line break that a mail cannot hold there; choose another mark")
    return splice(words.text, changes)


@dataclass(repr=False)
class _Writer:
    """Writes an edited tree of parts as a new message."""

    notices: Counter[tuple[str, str]]
    unwanted: tuple[str, ...]
    rewritten: dict[int, bytes] = field(default_factory=dict)
    boundaries: Iterator[int] = field(default_factory=lambda: count(1))

    def edit(self, mail: Mail, local: dict[int, Local]) -> None:
        """Make the replacements, which are numbered by block, in the leaves they fall into."""
        first = 0
        for leaf in list(leaves(mail)):
            if isinstance(leaf, Words):
                leaf.text = _spliced(leaf, local.get(first, []))
                first += 1
            else:
                self._edit_inner(leaf, local, first)
                first += len(leaf.document.blocks)

    def _edit_inner(self, inner: Inner, local: dict[int, Local], first: int) -> None:
        changes = [
            Replacement(change.span.shift(block.span.start), change.text)
            for number, block in enumerate(inner.document.blocks, first)
            for change in local.get(number, ())
        ]
        document = replace(inner.document, unwanted=self.unwanted)
        self.rewritten[id(inner)], notices = inner.format.rewrite(document, changes)
        for notice in notices:
            self.notices[notice.kind, notice.action] += notice.count

    def summary(self) -> tuple[Notice, ...]:
        found = [Notice(kind, action, number) for (kind, action), number in self.notices.items()]  # type: ignore[arg-type]
        return tuple(sorted(found, key=lambda notice: (notice.kind, notice.action)))

    def mail(self, mail: Mail) -> bytes:
        written = b""
        for name, words in mail.headers:
            texts = [word.text for word in words]
            if name in ADDRESSES:
                value = write_addresses(list(zip(texts[::2], texts[1::2], strict=True)))
            else:
                value = write_text(texts[0]) if any(texts) else ""
            written += field_line(name, value) if value else b""
        return written + field_line("MIME-Version", "1.0") + self._part(mail.body)

    def _part(self, part: Part) -> bytes:
        """The headers and the body of a part."""
        fields: list[tuple[str, list[str]]] = []
        type_fields = [part.type]
        if isinstance(part.content, list):
            # "=_" stands in no quoted-printable and no base64 text, so no line of a part can be the boundary.
            boundary = f"=_{next(self.boundaries)}_="
            type_fields.append(f'boundary="{boundary}"')
            body, encoding = self._parts(part.content, boundary), ""
        elif isinstance(part.content, Mail):
            body, encoding = self.mail(part.content), ""
        else:
            body, encoding = self._body(part, part.content)
            if part.type.startswith("text/"):
                type_fields.append("charset=utf-8")
        fields.append(("Content-Type", type_fields))
        if encoding:
            fields.append(("Content-Transfer-Encoding", [encoding]))
        if part.image:
            fields.append(("Content-ID", [f"<{part.image}@mail>"]))
        file_name = part.name.text + part.suffix if part.name else ""
        if part.attached or file_name:
            named = write_parameter("filename", file_name) if file_name else []
            fields.append(("Content-Disposition", ["attachment" if part.attached else "inline", *named]))
        return b"".join(field_line(name, "; ".join(values)) for name, values in fields) + b"\r\n" + body

    def _parts(self, parts: Sequence[Part], boundary: str) -> bytes:
        line = f"--{boundary}".encode("ascii")
        return b"".join(line + b"\r\n" + self._part(part) + b"\r\n" for part in parts) + line + b"--\r\n"

    def _body(self, part: Part, content: Words | Inner | bytes) -> tuple[bytes, str]:
        if isinstance(content, Words):
            return quoted_printable(content.text), "quoted-printable"
        data = content if isinstance(content, bytes) else self.rewritten[id(content)]
        if part.type == "text/html" and not part.attached:
            return quoted_printable(data.decode("utf-8-sig", "surrogatepass")), "quoted-printable"
        return base64.encodebytes(data).replace(b"\n", b"\r\n"), "base64"

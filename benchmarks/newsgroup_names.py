"""Newsgroup posts in which the names of authors are marked, for `withhold publish` and `withhold evaluate publish`.

    python benchmarks/newsgroup_names.py [--data DIR] [--posts N] -o posts.jsonl

`--data`, or WITHHOLD_DATA, names a folder with the posts of 20 Newsgroups and a table of their authors, which are not
part of this project. As many posts of each group are drawn as of any other, by authors whose From: line has a name of
two or three words. A post is its subject, its From: line without the address, and its body. Marked are the author's
name and its parts, and the names of all other authors of the collection: in full, and then their parts too. Others
who are named are not marked, so some false alarms are none. Posts of one author have one group, so that no fold knows
a name by another post of the same person.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

POSTS = "newsgroups20/20news_19997.jsonl.gz"
AUTHORS = "newsgroups20/split_bydate60_dedup_authors.csv.gz"
LONGEST = 4_000
NAME = re.compile(r"[A-Z][a-z]{2,}(?: [A-Z]\.?)?(?: [A-Z][a-z'-]{2,}){1,2}")
WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")


@dataclass(frozen=True)
class Post:
    """Whose it is, and its text."""

    id: str
    author: str
    text: str


def authors(folder: Path) -> dict[str, str]:
    """The author of each post that is no copy and has one with a name."""
    with gzip.open(folder / AUTHORS, "rt", encoding="utf-8") as lines:
        rows = [
            (row["id"], " ".join(row["author_name_header"].split()))
            for row in csv.DictReader(lines)
            if not row["duplicate_of"]
        ]
    return {post: name for post, name in rows if NAME.fullmatch(name) and not name.startswith("The ")}


def posts(folder: Path, table: Mapping[str, str], count: int) -> list[Post]:
    """Some posts of each group, drawn by chance, the same every time."""
    groups: dict[str, list[Post]] = defaultdict(list)
    with gzip.open(folder / POSTS, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            author = table.get(record["id"])
            if author:
                groups[record["group"]].append(Post(record["id"], author, _text(record["text"], author)))
    each = -(-count // len(groups))
    drawn = [post for name in sorted(groups) for post in random.Random(name).sample(groups[name], each)]
    return drawn[:count]


def _text(raw: str, author: str) -> str:
    head, _, body = raw.partition("\n\n")
    subject = re.search(r"^Subject:.*$", head, re.MULTILINE)
    return f"{subject[0] if subject else 'Subject:'}\nFrom: {author}\n\n{body[:LONGEST].strip()}\n"


def by_first_word(names: Iterable[str]) -> dict[str, list[str]]:
    known: dict[str, list[str]] = defaultdict(list)
    for name in sorted(set(names), key=lambda each: (-len(each), each)):
        known[name.split()[0]].append(name)
    return known


def marked(post: Post, known: Mapping[str, Sequence[str]]) -> Iterator[tuple[int, int]]:
    """The places of the author's name and its parts, and of other authors' of whom the full name is there."""
    named = {post.author}
    for word in WORD.finditer(post.text):
        found = (name for name in known.get(word[0], ()) if post.text.startswith(name, word.start()))
        named.update(islice(found, 1))
    parts = {part for name in named for part in WORD.findall(name) if len(part) > 2}
    taken = [found.span() for name in sorted(named) for found in re.finditer(rf"\b{re.escape(name)}\b", post.text)]
    for word in WORD.finditer(post.text):
        if word[0] in parts:
            taken.append(word.span())
    last = 0
    for start, end in sorted(taken, key=lambda each: (each[0], -each[1])):
        if start >= last:
            yield start, end
            last = end


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("WITHHOLD_DATA"))
    parser.add_argument("--posts", type=int, default=600)
    parser.add_argument("-o", "--output", type=Path, required=True)
    asked = parser.parse_args()
    if asked.data is None or not (Path(asked.data) / POSTS).is_file():
        sys.exit(f"--data, or WITHHOLD_DATA, must name a folder with {POSTS} and {AUTHORS}")
    table = authors(Path(asked.data))
    drawn, known = posts(Path(asked.data), table, asked.posts), by_first_word(table.values())
    with asked.output.open("w", encoding="utf-8") as file:
        for post in drawn:
            spans = [{"start": start, "end": end, "label": "PERSON"} for start, end in marked(post, known)]
            record = {"id": post.id, "group": post.author, "text": post.text, "spans": spans}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
    print(f"{len(drawn)} posts by {len({post.author for post in drawn})} authors: {asked.output}")


if __name__ == "__main__":
    main()

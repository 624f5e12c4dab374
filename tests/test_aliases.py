"""Other names of classes: read from tables as people write them, kept in models, and gone from documents."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withhold import Policy, Redactor
from withhold.errors import DocumentError, MalformedData
from withhold.fit.aliases import read_aliases
from withhold.fit.concepts import fit_concepts
from withhold.learners.concepts import Concepts
from withhold.policy import Planning
from withhold.types import Secret

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "clients"


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ("client,aliases\nAcme,ACM; Acme Inc ;\n", {"Acme": ("ACM", "Acme Inc")}),
        ("client,industry,aliases\nAcme,food,ACM;acme.example\n", {"Acme": ("ACM", "acme.example")}),
        ("client,industry, Aliases\nAcme,food,ACM\n", {"Acme": ("ACM",)}),
        ("\ufeffclient,aliases\r\nAcme,ACM\r\n\r\nBolt,\r\n", {"Acme": ("ACM",), "Bolt": ()}),
        ('client,aliases\n" Acme, Sons ","A&S;ACM"\n', {"Acme, Sons": ("A&S", "ACM")}),
        ("client,aliases\nAcme,ACM;ACM\nAcme,Acme Ltd;ACM\n", {"Acme": ("ACM", "Acme Ltd")}),
        ("client,aliases\nAcme\n,ACM\n", {}),
        ("client,aliases\n", {}),
        ("client,aliases\nŻółw,株式会社;Zolw\n", {"Żółw": ("株式会社", "Zolw")}),
    ],
)
def test_tables_as_people_write_them(tmp_path: Path, table: str, found: dict[str, tuple[str, ...]]) -> None:
    (tmp_path / "aliases.csv").write_bytes(table.encode())
    assert read_aliases(tmp_path / "aliases.csv") == found


@given(st.dictionaries(st.text("abcXYZ ,\"'é", min_size=1).filter(str.strip), st.lists(st.text('ab ,"é.', min_size=1))))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, known: dict[str, list[str]]) -> None:
    path = tmp_path_factory.mktemp("aliases") / "a.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["class", "aliases"], *([name, ";".join(some)] for name, some in known.items())])
    found = read_aliases(path)
    assert set(found) == {name.strip() for name in known}
    for name, several in known.items():
        assert {each.strip() for each in several if each.strip()} <= set(found[name.strip()])


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", MalformedData),
        (b"client\nZzyzx\n", MalformedData),
        (b"client;aliases\nZzyzx;ZZ\n", MalformedData),
        (b"client,aliases\nZzyzx\xff,ZZ\n", DocumentError),
        (None, DocumentError),
    ],
)
def test_what_is_no_table_is_refused_without_quoting_it(
    tmp_path: Path, data: bytes | None, error: type[Exception]
) -> None:
    path = tmp_path / "aliases.csv"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(error, match=r"aliases\.csv") as told:
        read_aliases(path)
    assert "Zzyzx" not in str(told.value)
    with pytest.raises(DocumentError):
        read_aliases(tmp_path)


def test_aliases_of_a_model_are_found_in_documents(tmp_path: Path) -> None:
    rows = [
        {"text": f"{own} {own} {own} plan year board", "client": name}
        for name, own in (("Brackwater", "milk"), ("Ostlund", "steel"), ("Peverell", "cloth"))
        for _ in range(4)
    ]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)))
    aliases = {"Brackwater": ("Bluepail", "BWD", "bluepail.example")}
    options = {"secret": "client", "workers": 1, "holdout": 0}
    fit_concepts(tmp_path / "corpus.jsonl", tmp_path / "model", aliases=aliases, **options)  # type: ignore[arg-type]
    assert Concepts.load(tmp_path / "model").aliases == aliases
    secret = Secret("who", "concepts", fitted="model", k=2, aliases=("Palewater",))
    for given_value in (None, "Brackwater"):
        asked = Policy(
            secret=(Secret(**{**_fields(secret), "value": given_value}),),
            planning=Planning(aim="paper"),
            folder=str(tmp_path),
        )
        words = "BWD, Bluepail and Palewater: write to a@bluepail.example about milk. The plan of the board of Ostlund."
        text = Redactor(asked).redact(words.encode(), name="a.txt").document.text
        for name in ("BWD", "Bluepail", "Palewater", "bluepail"):
            assert name not in text
        assert "Ostlund" in text
    more = {"Ostlund": ("OST",)}
    fit_concepts(tmp_path / "corpus.jsonl", tmp_path / "model", aliases=more, update=True, **options)  # type: ignore[arg-type]
    assert Concepts.load(tmp_path / "model").aliases == aliases | more


def _fields(secret: Secret) -> dict[str, object]:
    return {name: getattr(secret, name) for name in secret.__dataclass_fields__}


def test_the_example_table_names_every_class() -> None:
    found = read_aliases(EXAMPLES / "clients.csv")
    lines = (EXAMPLES / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    assert set(found) == {json.loads(line)["client"] for line in lines}
    assert all(len(several) == 3 for several in found.values())

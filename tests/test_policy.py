"""The policy file: what it says is checked before anything is done."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields
from pathlib import Path

import pytest

from withhold import Detection, Find, Policy, PolicyError, Redactor, redact
from withhold.operators.pseudonymise import make_key
from withhold.policy import TABLES
from withhold.template import template

FULL = """
[[find]]
label = "PERSON"
terms = ["Zbigniew Kwiatkowski"]
lists = ["names.txt"]

[[find]]
label = "CASE"
patterns = ['\\d{5}/\\d{2}']

[operators]
default = "suppress"
labels = { PERSON = "mask" }

[files]
tracked_changes = "reject"
max_megabytes = 10

[components]
trusted = ["withhold"]
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "policy.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_policy_is_read_from_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("Ada Byron\n\n  Grace Hopper  \n", encoding="utf-8-sig")
    policy = Policy.load(write(tmp_path, FULL))
    text = b"Ada Byron met Grace Hopper and Z. Kwiatkowski (Zbigniew Kwiatkowski), case 12345/09. Ada Byron left."
    assert redact(text, policy).document.text == (
        "[PERSON 1] met [PERSON 2] and Z. Kwiatkowski ([PERSON 3]), case [REDACTED]. [PERSON 1] left."
    )
    assert policy.files.tracked_changes == "reject"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[files]\ntracked_change = 'accept'", "files: unknown key 'tracked_change'; did you mean 'tracked_changes'"),
        ("[file]", "unknown key 'file'; did you mean 'files'"),
        ("zebra = 1", "unknown key 'zebra'; known keys: "),
        ("folder = 'x'", "unknown key 'folder'"),
        ("[files]\nimages = 'maybe'", "files.images: expected one of 'blank', 'keep'"),
        ("[files]\nmax_megabytes = 'many'", "files.max_megabytes: expected a whole number"),
        ("[files]\nmax_megabytes = 0", "files: max_megabytes must be 1 or more"),
        ("[[find]]\npatterns = ['a{99999999999}']", r"patterns\[0\] is not a regular expression"),
        ("a = " + "[" * 10_000, "nests too deeply"),
        ("[[find]]\nlabel = 'X'", r"find\[0\]: needs terms, patterns or lists"),
        ("[[find]]\npatterns = ['(']", r"find\[0\]: patterns\[0\] is not a regular expression"),
        ("[[find]]\nlists = ['missing.txt']", "no such file: missing.txt"),
        ("[operators]\nmark = ' '", "mark must not be empty"),
        ("[operators]\nkey = 'no.key'", "withhold key"),
        ("[[secret]]\nperson = 'A'\nvalue = 'B'", "a person or has a value"),
        ("[secret]\nceiling = 2", "ceiling must be from 0 to 1"),
        ('[secret]\nperson = "Ann Ott"\nceiling = 0.01', "follows from k"),
        ("[[secret]]\nperson = 'A'\n[[secret]]\nperson = 'B'", "same name"),
        ("[secret]\nmodel = 'association'\nvalue = ' '", "what must not be inferred"),
        ("[corpus]\nindex = 'missing'", "withhold corpus build"),
        ("this is not TOML", "not TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        Policy.load(write(tmp_path, text))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=r"missing\.toml"):
        Policy.load(tmp_path / "missing.toml")


def test_a_secret_nobody_watches_is_refused(tmp_path: Path) -> None:
    policy = Policy.load(write(tmp_path, "[[secret]]\nname = 'client'\nmodel = 'oracle'"))
    with pytest.raises(Exception, match="no risk component is called 'oracle'"):
        Redactor(policy).redact(b"some text")


def test_a_component_from_elsewhere_needs_trust(tmp_path: Path) -> None:
    policy = Policy.load(write(tmp_path, "[components]\ntrusted = ['somebody-else']"))
    with pytest.raises(Exception, match=r"components\.trusted"):
        Redactor(policy).redact(b"some text")


def test_the_digest_is_of_what_it_says_not_where_it_is(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    text = "[operators]\nmark = '[-]'"
    assert Policy.load(write(one, text)).digest == Policy.load(write(other, text)).digest
    assert Policy.load(write(one, text)).digest != Policy().digest


def test_keys_are_found_from_the_policys_folder(tmp_path: Path) -> None:
    make_key(tmp_path / "batch.key")
    policy = Policy.load(
        write(tmp_path, "[operators]\ndefault='pseudonymise'\nkey='batch.key'\n[[find]]\nterms=['Ada']\nlabel='PERSON'")
    )
    assert redact(b"Ada left.", policy).document.text.startswith("PERSON-")


def test_a_byte_order_mark_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_bytes(b"\xef\xbb\xbf[[find]]\nterms = ['Acme']\n")
    assert Policy.load(tmp_path / "p.toml").find[0].terms == ("Acme",)


def test_a_text_in_place_of_a_tuple_is_refused() -> None:
    with pytest.raises(ValueError, match="tuples"):
        Find(terms="Maren")  # type: ignore[arg-type]
    with pytest.raises(PolicyError, match="tuples"):
        Policy(find=Find(terms=("Maren",)))  # type: ignore[arg-type]


def test_replace_needs_a_replacement(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="no replacement"):
        Policy.load(write(tmp_path, "[operators]\ndefault = 'replace'\n[[find]]\nterms = ['Ada']"))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('labels = ["PERSN"]', "PERSN"),
        ("thresholds = { PERSN = 0.4 }", "did you mean 'PERSON'"),
        ("thresholds = { PERSON = 1.5 }", "from 0 to 1"),
        ('fitted = "nowhere"', "withhold fit detector"),
        ('allow_lists = ["nowhere.txt"]', "no such file"),
    ],
)
def test_what_is_wrong_with_detection(tmp_path: Path, lines: str, message: str) -> None:
    (tmp_path / "p.toml").write_text(f"[detection]\n{lines}\n")
    with pytest.raises(PolicyError, match=message):
        Policy.load(tmp_path / "p.toml")


def test_a_country_is_an_iso_code() -> None:
    with pytest.raises(PolicyError, match="the United Kingdom is GB"):
        Redactor(Policy(detection=Detection(labels=("PHONE",), country="UK"))).load()
    Redactor(Policy(detection=Detection(labels=("PHONE",), country="gb"))).load()


@pytest.mark.parametrize("given", [{"find": []}, "policy.toml", Find(terms=("Acme",))])
def test_what_is_no_policy_is_said_to_be_none(given: object) -> None:
    with pytest.raises(PolicyError, match=r"a Policy is needed, such as Policy.load\(FILE\), not a (dict|str|Find)"):
        redact(b"Acme", given)  # type: ignore[arg-type]


def test_the_file_to_start_from_cuts_no_sentence() -> None:
    words = " ".join(template().replace("\n#", " ").split())
    for kind in TABLES.values():
        said = inspect.cleandoc(str(kind.__doc__)).split("\n\n")[0]
        docs = [said, *(setting.metadata["doc"] for setting in fields(kind))]
        for doc in docs:
            assert " ".join(doc.split()) in words
    for paragraph in re.findall(r"(?:^# .*\n)+", template(), re.MULTILINE):
        if not re.search(r"^# (\[\[|\w+ =)", paragraph, re.MULTILINE):
            assert paragraph.endswith((".\n", "...\n")), paragraph

"""The bundled example: a memo whose client must not be told, and a conversation whose guest must not be found."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from withhold.files import is_folder
from withhold.service import tasks
from withhold.service.people import local_name
from withhold.service.schemas.common import Upload
from withhold.service.schemas.policies import Detection, Keep, Operators, Policy, Secret
from withhold.service.schemas.reviews import NewReview

if TYPE_CHECKING:
    from withhold.service.app import Service
    from withhold.service.settings import Settings

MEMO, TALK = "memo_client.docx", "profile.txt"
_MODEL, _CORPUS = "example clients", "example archive"


def files() -> Path:
    """Where the example is: in the installed package, or in the project it is developed in."""
    here = Path(__file__).parent
    installed = here / "example_files"
    return installed if is_folder(installed) else here.parent.parent.parent / "examples"


def offer(settings: Settings) -> Settings:
    """The settings with the model and the corpus of the example, which are made in the data folder the first time."""
    from withhold.service.database import make_private

    make_private(settings)
    model, corpus = settings.folder / "example" / "model", settings.folder / "example" / "archive"
    if not is_folder(model):
        _make(model, lambda folder: tasks.fit(_lesson(folder), _quietly))
    if not is_folder(corpus):
        archive = (tasks.File("archive.jsonl", (files() / "archive.jsonl").read_bytes()),)
        _make(corpus, lambda folder: tasks.build(tasks.Lesson(archive, folder), _quietly))
    return replace(settings, models={**settings.models, _MODEL: model}, corpora={**settings.corpora, _CORPUS: corpus})


def _make(folder: Path, work: Callable[[Path], object]) -> None:
    """Have a folder made whole or not at all."""
    staged = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(staged, ignore_errors=True)
    folder.parent.mkdir(mode=0o700, exist_ok=True)
    work(staged)
    staged.rename(folder)


def _lesson(folder: Path) -> tasks.Lesson:
    from withhold.fit.aliases import read_aliases

    clients = files() / "clients"
    documents = (tasks.File("documents.jsonl", (clients / "documents.jsonl").read_bytes()),)
    aliases = read_aliases(clients / "clients.csv")
    return tasks.Lesson(documents, folder, secret="client", keep=("industry",), aliases=aliases)


def _quietly(_progress: float, _doing: str) -> None:
    """Nobody listens."""


def begin(service: Service) -> str:
    """The review of the memo, begun if there is none yet; its id. The conversation gets one, too."""
    who = local_name()
    there = {record.name: record.id for record in service.store.all(who) if record.owner == who}
    for name, policy in _policies(service, who).items():
        if name not in there:
            upload = Upload.model_construct(name=name, data=(files() / name).read_bytes())
            there[name] = service.reviewing.create(who, NewReview(document=upload, policy=policy)).id
    return there[MEMO]


def _policies(service: Service, who: str) -> Mapping[str, Policy]:
    model = next(thing.id for thing in service.shelf.all(who, "model") if thing.name == _MODEL)
    corpus = next(thing.id for thing in service.shelf.all(who, "corpus") if thing.name == _CORPUS)
    operators = Operators(mark="[…]")
    return {
        TALK: Policy(secrets=[Secret(name="our guest", person="Bram Bellweather")], corpus=corpus, operators=operators),
        MEMO: Policy(
            secrets=[Secret(name="the client", model="concepts", attribute="client", fitted=model)],
            keep=Keep(attributes=["industry"]),
            detection=Detection(labels=["direct"]),
            operators=operators,
        ),
    }

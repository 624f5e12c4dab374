"""Concept models and corpora: made from uploads, looked into, tried, deleted."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request

from withhold.service import shelf, tasks
from withhold.service.faults import Refusal
from withhold.service.jobs import Jobs
from withhold.service.people import fresh
from withhold.service.schemas import jobs, models
from withhold.service.schemas.common import Id, Upload
from withhold.service.schemas.verbs import ClassStanding
from withhold.service.security import Visitor
from withhold.service.shelf import Shelf, Thing

router = APIRouter(tags=["models and corpora"])
_TOLD = 12


def _shelf(request: Request) -> Shelf:
    found: Shelf = request.app.state.shelf
    return found


def _model(id: Id, person: Visitor, request: Request) -> Thing:
    return _shelf(request).get(id, person.name, "model")


def _corpus(id: Id, person: Visitor, request: Request) -> Thing:
    return _shelf(request).get(id, person.name, "corpus")


Model = Annotated[Thing, Depends(_model)]
Corpus = Annotated[Thing, Depends(_corpus)]


@router.get("/models", response_model=models.MadeList)
def all_models(person: Visitor, request: Request) -> models.MadeList:
    """Concept models that you can use."""
    return _listed(_shelf(request).all(person.name, "model"))


@router.post("/models", status_code=202, response_model=jobs.Job)
def fit(new: models.NewModel, person: Visitor, request: Request) -> jobs.Job:
    """Learn from labelled documents which words give a class away. The result of the job is a `MadeResult`."""
    lesson = {
        "secret": new.secret,
        "keep": tuple(new.keep),
        "text": new.text,
        "holdout": new.holdout,
        "classes": None if new.classes is None else tuple(new.classes),
        "aliases": new.aliases,
    }
    return _make(request, person.name, "model", new.name, new.files, lesson)


@router.get("/models/{id}", response_model=models.Model)
def one_model(thing: Model) -> models.Model:
    """A model: its classes, and the words that speak for each of them most."""
    found = shelf.model(thing.folder)
    concepts = [
        models.Concept(
            attribute=attribute,
            classes=[
                models.ClassWords(name=name, documents=documents, words=words)
                for name, documents, words in shelf.top_words(found, attribute, _TOLD)
            ],
        )
        for attribute in sorted(found.attributes, key=lambda name: (name != found.secret, name))
    ]
    return models.Model(**_summary(thing), concepts=concepts, words=len(found.words))


@router.delete("/models/{id}", status_code=204)
def delete_model(thing: Model, request: Request) -> None:
    """Delete a model of your own."""
    _delete(thing, request)


@router.post("/models/{id}/test", response_model=models.Tested)
def test(query: models.SentenceQuery, thing: Model) -> models.Tested:
    """What a model takes a sentence for, and by which words."""
    standings, words = shelf.weigh_sentence(shelf.model(thing.folder), query.text)
    return models.Tested(
        standings=list(map(ClassStanding.model_validate, standings)),
        words=[models.Weighed.model_validate(each) for each in words],
    )


@router.get("/corpora", response_model=models.MadeList)
def all_corpora(person: Visitor, request: Request) -> models.MadeList:
    """Corpora that you can use."""
    return _listed(_shelf(request).all(person.name, "corpus"))


@router.post("/corpora", status_code=202, response_model=jobs.Job)
def build(new: models.NewCorpus, person: Visitor, request: Request) -> jobs.Job:
    """Make a corpus of uploaded files: what a reader knows already. The result of the job is a `MadeResult`."""
    return _make(request, person.name, "corpus", new.name, new.files, {})


@router.get("/corpora/{id}", response_model=models.Corpus)
def one_corpus(thing: Corpus) -> models.Corpus:
    """A corpus, and how much there is in it."""
    return models.Corpus(**_summary(thing), paragraphs=shelf.corpus(thing.folder).size("paragraph"))


@router.delete("/corpora/{id}", status_code=204)
def delete_corpus(thing: Corpus, request: Request) -> None:
    """Delete a corpus of your own."""
    _delete(thing, request)


@router.post("/corpora/{id}/search", response_model=models.Hits)
def search(query: models.SearchQuery, thing: Corpus) -> models.Hits:
    """The documents that fit a query best, with snippets."""
    return models.Hits(hits=shelf.corpus(thing.folder).search(query.query, query.most))


@router.post("/corpora/{id}/count", response_model=models.Counted)
def count(query: models.CountQuery, thing: Corpus) -> models.Counted:
    """How many documents and paragraphs hold each term, and how many all of them."""
    corpus = shelf.corpus(thing.folder)
    sets = [*([term] for term in query.terms), query.terms]
    documents, paragraphs = (corpus.count_all(sets, unit).tolist() for unit in ("document", "paragraph"))
    return models.Counted(
        documents=documents[:-1],
        paragraphs=paragraphs[:-1],
        documents_with_all=documents[-1],
        paragraphs_with_all=paragraphs[-1],
        of_documents=corpus.size("document"),
        of_paragraphs=corpus.size("paragraph"),
    )


def _make(
    request: Request, who: str, kind: shelf.Kind, name: str, files: list[Upload], lesson: dict[str, Any]
) -> jobs.Job:
    kept, thing, begun = _shelf(request), fresh(), request.app.state.jobs
    assert isinstance(begun, Jobs)
    given = tasks.Lesson(tuple(tasks.File(each.name, each.data) for each in files), kept.place(thing), **lesson)

    def finish(documents: int) -> jobs.MadeResult:
        kept.put(thing, kind, name, who, documents)
        return jobs.MadeResult(made=thing)

    task = tasks.fit if kind == "model" else tasks.build
    job = begun.begin(kind, who, task, given, finish=finish, clean=lambda: kept.discard(thing))
    return jobs.Job.model_validate(job)


def _delete(thing: Thing, request: Request) -> None:
    if thing.shared:
        raise Refusal(403, "NotTheOwner", "this is the server's own", "Ask whoever runs the server.")
    _shelf(request).delete(thing)


def _summary(thing: Thing) -> dict[str, Any]:
    return models.Made.model_validate(thing).model_dump()


def _listed(things: list[Thing]) -> models.MadeList:
    return models.MadeList(made=[models.Made.model_validate(each) for each in things])

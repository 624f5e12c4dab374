"""How long people at the workbench wait, over HTTP, on a real server: one with a long document, and fifty at once.

    python benchmarks/service.py --folder DIR [--people N] [--seconds N] [--think SECONDS] [--words N]

DIR keeps what benchmarks/desk.py generates: a corpus of 100,000 documents and a concept model of 60 classes. The server
is `withhold serve`, started here, in a process of its own, with its database on disk.

First one person with a document of 5,000 words: the first analysis (upload, overview, all stops of the sliders, first
state), what follows from an edit, from a move of the slider and from typing. Beside what the person waits for is the
processor time that the server took for it: what would be waited for on a machine with nothing else to do.

Then so many people at once, each with a document of their own, who decide, type and look around, and think in between
for a time of chance. The floor is the route that does nothing, asked at the same time: what the machine, the network
stack and Python cost by themselves.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console
from rich.table import Table

CORES = os.sched_getaffinity(0)
sys.path.insert(0, str(Path(__file__).parent))
import desk as generated  # noqa: E402

os.sched_setaffinity(0, CORES)  # that one measures on one core

Times = dict[str, list[float]]
PROGRAM = [sys.executable, "-c", "from withhold.cli import main; main()"]


class Server:
    """`withhold serve`, with the corpus and the model, and the tokens of its people."""

    def __init__(self, data: Path, options: argparse.Namespace) -> None:
        self.tokens = [self._add(data, f"person{number}") for number in range(options.people)]
        offered = ["--model", f"{options.folder}/model-{options.classes}"]
        offered += ["--corpus", f"{options.folder}/index-{options.documents}"]
        command = [*PROGRAM, "serve", "--port", "0", "--data", str(data), *offered]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().partition("/#token=")[0]

    def _add(self, data: Path, name: str) -> str:
        from withhold.service.database import connect
        from withhold.service.people import People
        from withhold.service.settings import Settings

        return People(connect(Settings(data))).add(name)

    def client(self, number: int) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {self.tokens[number]}"}
        return httpx.AsyncClient(base_url=f"{self.url}/api/v1", headers=headers, timeout=300)

    def processor(self) -> float:
        """Seconds of processor time that the server has taken, without its workers."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()


class Person:
    """Somebody with a document."""

    def __init__(self, client: httpx.AsyncClient, chance: random.Random) -> None:
        self.client, self.chance = client, chance

    async def open(self, text: bytes, policy: dict[str, Any]) -> None:
        """All that happens when a document is opened."""
        upload = {"name": "memo.txt", "data": base64.b64encode(text).decode()}
        made = await self.client.post("/reviews", json={"document": upload, "policy": policy})
        made.raise_for_status()
        self.path, self.version = f"/reviews/{made.json()['id']}", 0
        self.secrets = [secret["name"] for secret in policy["secrets"]]
        overview = (await self.client.get(f"{self.path}/overview")).raise_for_status().json()
        self.terms = sorted(overview["terms"], key=_risk, reverse=True)[:300]
        self.stops = [await self._stops(number) for number in range(len(self.secrets))]
        self._heard((await self.client.get(f"{self.path}/state")).raise_for_status().json())

    async def _stops(self, number: int) -> int:
        slider = (await self.client.get(f"{self.path}/slider/{number}")).raise_for_status().json()
        return len(slider["stops"])

    def _heard(self, answer: dict[str, Any]) -> None:
        self.version = answer["review"]["version"]
        self.text = "".join(piece["text"] for piece in answer["state"]["pieces"])

    async def _decide(self, decision: dict[str, Any]) -> None:
        body = {"version": self.version, "decision": decision}
        self._heard((await self.client.post(f"{self.path}/decisions", json=body)).raise_for_status().json())

    async def edit(self) -> None:
        term = self.chance.choice(self.terms)
        action, scope = self.chance.choice(("remove", "keep")), self.chance.choice(("everywhere", "here"))
        await self._decide({"kind": "term", "action": action, "spans": term["spans"][:1], "scope": scope})

    async def slide(self) -> None:
        number = self.chance.randrange(len(self.secrets))
        k = self.chance.randint(1, self.stops[number])
        await self._decide({"kind": "strength", "secret": self.secrets[number], "k": k})

    async def type(self) -> None:
        words = self.text.split(" ")
        words[self.chance.randrange(len(words))] += " plainer"
        (await self.client.post(f"{self.path}/preview", json={"text": " ".join(words)})).raise_for_status()

    async def look(self) -> None:
        (await self.client.get(f"{self.path}/terms/{self.chance.choice(self.terms)['id']}")).raise_for_status()

    async def undo(self) -> None:
        answer = await self.client.post(f"{self.path}/undo", json={"version": self.version})
        if answer.status_code == 200:
            self._heard(answer.json())


def _risk(term: dict[str, Any]) -> float:
    return max((told["highest"] for told in term["told"]), default=0.0)


async def timed(work: Awaitable[None]) -> float:
    start = time.perf_counter()
    await work
    return time.perf_counter() - start


async def one(server: Server, options: argparse.Namespace, texts: Callable[[int, int], bytes]) -> Table:
    """One person with a long document."""
    table = Table("", "waited, median", "waited, slowest", "processor, mean", title="one person")
    async with server.client(0) as client:
        policy = await _policy(client, options)
        person = Person(client, random.Random(1))
        await person.open(texts(300, 99), policy)  # models, corpus and compiled loops are loaded by another document
        await person.edit()
        before, start = server.processor(), time.perf_counter()
        await person.open(texts(options.words, 3), policy)
        taken, waited = server.processor() - before, time.perf_counter() - start
        table.add_row("first analysis", f"{waited:.2f} s", "", f"{taken:.2f} s")
        for name, act in (("after an edit", person.edit), ("slider moved", person.slide), ("typing", person.type)):
            before = server.processor()
            times = [await timed(act()) for _ in range(options.edits)]
            each = (server.processor() - before) / options.edits
            table.add_row(name, _ms(statistics.median(times)), _ms(max(times)), _ms(each))
    return table


async def many(server: Server, options: argparse.Namespace, texts: Callable[[int, int], bytes]) -> Table:
    """People at once."""
    clients = [server.client(number) for number in range(options.people)]
    policy = await _policy(clients[0], options)
    people = [Person(client, random.Random(number)) for number, client in enumerate(clients)]
    opened = await asyncio.gather(*(person.open(texts(options.shorter, n), policy) for n, person in enumerate(people)))
    assert len(opened) == options.people
    times: Times = defaultdict(list)
    until = time.monotonic() + options.seconds
    before, start = server.processor(), time.monotonic()
    await asyncio.gather(*(_work(person, options, until, times) for person in people), _floor(clients[0], until, times))
    taken, lasted = server.processor() - before, time.monotonic() - start
    for client in clients:
        await client.aclose()
    floor = statistics.median(times["nothing (the floor)"])
    asked = sum(map(len, times.values())) - len(times["nothing (the floor)"])
    title = f"{options.people} people, {asked} requests in {lasted:.0f} s; processor {_ms(taken / asked)} for each"
    table = Table("", "requests", "p50", "p95", "p50 / floor", title=title)
    together = [each for name, several in times.items() if name != "nothing (the floor)" for each in several]
    for name, several in [*sorted(times.items()), ("all but the floor", together)]:
        middle, late = statistics.median(several), statistics.quantiles(several, n=20)[-1]
        table.add_row(name, str(len(several)), _ms(middle), _ms(late), f"{middle / floor:.1f}")
    return table


async def _work(person: Person, options: argparse.Namespace, until: float, times: Times) -> None:
    acts = [person.edit] * 5 + [person.type] * 3 + [person.look] * 3 + [person.slide] + [person.undo]
    while time.monotonic() < until:
        await asyncio.sleep(person.chance.expovariate(1 / options.think))
        act = person.chance.choice(acts)
        times[act.__name__].append(await timed(act()))


async def _floor(client: httpx.AsyncClient, until: float, times: Times) -> None:
    async def nothing() -> None:
        (await client.get("/health")).raise_for_status()

    while time.monotonic() < until:
        await asyncio.sleep(0.2)
        times["nothing (the floor)"].append(await timed(nothing()))


async def _policy(client: httpx.AsyncClient, options: argparse.Namespace) -> dict[str, Any]:
    models, corpora = [(await client.get(path)).raise_for_status().json()["made"] for path in ("/models", "/corpora")]
    value = f"client {generated.OWN % options.classes}"
    return {
        "secrets": [
            {"name": "client", "model": "concepts", "fitted": models[0]["id"], "value": value},
            {"name": "topic", "model": "association", "value": generated.PERSON},
        ],
        "corpus": corpora[0]["id"],
        "detection": {"labels": ["PERSON", "EMAIL", "PHONE"]},
    }


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--classes", type=int, default=60)
    parser.add_argument("--words", type=int, default=5_000, help="of the one person's document")
    parser.add_argument("--shorter", type=int, default=1_000, help="words of everybody's document")
    parser.add_argument("--edits", type=int, default=20)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=5.0, help="seconds between an answer and the next request")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    world = generated.build(options.folder, options.documents, options.classes)
    console = Console()
    load = os.getloadavg()[0]
    console.print(
        f"{options.words:,} words, {options.documents:,} documents, {options.classes} classes; load {load:.1f}"
    )
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "data", options)
        try:
            console.print(asyncio.run(one(server, options, lambda words, seed: generated.memo(world, words, seed))))
            console.print(asyncio.run(many(server, options, lambda words, seed: generated.memo(world, words, seed))))
        finally:
            server.end()


if __name__ == "__main__":
    main()

"""What whoever runs the server decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """Where a server keeps its data, whom it answers, and how much it lets them do."""

    folder: Path
    database: str | None = field(default=None, repr=False)
    origins: tuple[str, ...] = ("http://127.0.0.1:8750",)
    policies: Mapping[str, Path] = field(default_factory=dict)
    models: Mapping[str, Path] = field(default_factory=dict)
    corpora: Mapping[str, Path] = field(default_factory=dict)
    approval: bool = False
    days: float = 30.0
    upload_megabytes: int = 32
    expanded_megabytes: int = 256
    characters: int = 1_000_000
    reviews: int = 200
    log_lines: int = 20_000
    job_seconds: float = 900.0
    verb_seconds: float = 120.0
    jobs: int = 8
    workers: int = 2
    desks: int = 64
    secure: bool = False

    @property
    def database_url(self) -> str:
        """The database: a file of SQLite in the folder, if no other is named."""
        return self.database or f"sqlite:///{self.folder / 'reviews.sqlite'}"

    @property
    def hosts(self) -> frozenset[str]:
        """What a request may name as its host: that of an origin, and nothing else."""
        return frozenset(origin.partition("://")[2] for origin in self.origins)

    @property
    def cookie(self) -> str:
        """The name of the cookie of a session: browsers send it to every port of a host, so each server has its own."""
        _, _, port = self.origins[0].partition("://")[2].rpartition(":")
        return f"withhold_session_{port}" if port.isdecimal() else "withhold_session"

    @property
    def request_bytes(self) -> int:
        """How large a request may be: the largest upload in base64, and room for what stands around it."""
        return self.upload_megabytes * 1_400_000 + 1_000_000

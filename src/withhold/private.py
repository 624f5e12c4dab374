"""A private folder for programs that need real files, and a watchdog that removes it whatever happens."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

# Runs in a process of its own. It hears of programs that start ("+PID") and end ("-PID"), and when its
# input ends, since this process is done or dead, it ends those still running and removes the folder.
_WATCHDOG = """
import os, shutil, signal, sys, time
running = set()
for line in sys.stdin:
    (running.add if line[0] == "+" else running.discard)(int(line[1:]))
for group in running:
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass
for attempt in range(20):
    shutil.rmtree(sys.argv[1], ignore_errors=True)
    if not os.path.exists(sys.argv[1]):
        break
    time.sleep(0.1)
"""


class PrivateFolder:
    """A folder only its owner can read, gone when this process is: at the end of `with`, or killed."""

    def __enter__(self) -> PrivateFolder:
        self.path = Path(tempfile.mkdtemp(prefix="withhold-"))
        self._watchdog = subprocess.Popen(
            [sys.executable, "-I", "-c", _WATCHDOG, str(self.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            text=True,
        )
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        self._ear.close()
        self._watchdog.wait()

    def run(self, command: Sequence[str | Path], seconds: float) -> bool:
        """Whether the program did its work in time; it and all it started are ended if not."""
        program = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd=self.path,
        )
        with self._watched(program.pid):
            try:
                return program.wait(seconds) == 0
            except subprocess.TimeoutExpired:
                return False
            finally:
                with contextlib.suppress(OSError):
                    os.killpg(program.pid, signal.SIGKILL)
                program.wait()

    @contextlib.contextmanager
    def _watched(self, process: int) -> Iterator[None]:
        self._tell(f"+{process}\n")
        try:
            yield
        finally:
            self._tell(f"-{process}\n")

    def _tell(self, words: str) -> None:
        self._ear.write(words)
        self._ear.flush()

    @property
    def _ear(self) -> IO[str]:
        assert self._watchdog.stdin is not None
        return self._watchdog.stdin

"""Files: whole or not at all, private, bounded, and nothing left behind by a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from withhold.errors import DocumentError, HostileDocument, OutputError
from withhold.files import _write_renamed, read_bytes, write


def test_a_file_is_written_privately(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", b"content")
    assert path.read_bytes() == b"content"
    assert path.stat().st_mode & 0o077 == 0
    assert list(tmp_path.iterdir()) == [path]


def test_nothing_is_overwritten_unless_asked(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", b"first")
    with pytest.raises(OutputError, match="exists"):
        write(path, b"second")
    assert path.read_bytes() == b"first"
    write(path, b"second", overwrite=True)
    assert path.read_bytes() == b"second"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("overwrite", [False, True])
def test_the_way_without_unnamed_files_does_the_same(tmp_path: Path, overwrite: bool) -> None:
    path = tmp_path / "a.txt"
    _write_renamed(path, b"content", overwrite)
    assert path.read_bytes() == b"content"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OutputError):
        write(tmp_path / "no" / "such" / "a.txt", b"x")


def test_reading_is_bounded_and_says_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "big"
    path.write_bytes(b"x" * 1_000_001)
    assert len(read_bytes(path, 2)) == 1_000_001
    with pytest.raises(HostileDocument, match="max_megabytes"):
        read_bytes(path, 1)
    with pytest.raises(DocumentError, match="no such file"):
        read_bytes(tmp_path / "missing", 1)
    with pytest.raises(DocumentError, match="not a plain file"):
        read_bytes(tmp_path, 1)


def test_a_kill_leaves_nothing_behind(tmp_path: Path) -> None:
    """Killed again and again at any moment: either the whole file is there, or no file at all."""
    script = textwrap.dedent(
        f"""
        import sys
        from pathlib import Path
        from withhold.files import write
        print("ready", flush=True)
        for number in range(10_000):
            write(Path({str(tmp_path)!r}) / f"{{number}}.bin", b"x" * 300_000)
        """
    )
    for _ in range(5):
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        while not any(tmp_path.iterdir()):
            assert process.poll() is None
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        for path in tmp_path.iterdir():
            assert path.stat().st_size == 300_000
            assert path.suffix == ".bin"
            assert not path.name.startswith(".")
            path.unlink()


@pytest.mark.parametrize("name", ["a" * 300, "a\0b"])
def test_a_name_that_cannot_be_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutputError):
        write(tmp_path / name, b"x")


def test_the_longest_name_can_be_overwritten(tmp_path: Path) -> None:
    path = write(tmp_path / ("a" * 255), b"first")
    write(path, b"second", overwrite=True)
    assert path.read_bytes() == b"second"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_to_nowhere_is_taken_until_overwritten(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")
    with pytest.raises(OutputError, match="exists"):
        write(link, b"x")
    write(link, b"x", overwrite=True)
    assert not link.is_symlink()
    assert list(tmp_path.iterdir()) == [link]

"""Components by name: found, refused when claimed twice, missing, or not trusted."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from withhold import Document, PluginError, Policy, Secret, plugins
from withhold.plugins import claim, load, trusting
from withhold.policy import Components


def test_ours_are_found() -> None:
    found = {(plugin.kind, plugin.name) for plugin in plugins.plugins()}
    assert {("formats", "docx"), ("detectors", "lists"), ("planners", "direct"), ("operators", "mask")} <= found


def test_a_name_claimed_twice_is_refused() -> None:
    points = [EntryPoint("txt", target, "withhold.formats") for target in ("a:A", "b:B")]
    with pytest.raises(PluginError, match="two components claim the name 'txt'"):
        claim("formats", points)


def test_the_same_claim_made_twice_is_one() -> None:
    points = [EntryPoint("txt", "a:A", "withhold.formats")] * 2
    assert list(claim("formats", points)) == ["txt"]


def test_a_missing_one_is_named_with_the_nearest() -> None:
    with pytest.raises(PluginError, match="did you mean 'markdown'"):
        load("formats", "markdwn")
    with pytest.raises(PluginError, match=r"there are: .*concepts"):
        load("risk", "oracle")


def test_trust_is_by_distribution() -> None:
    with trusting(["withhold"]):
        assert load("formats", "txt").name == "txt"
    with trusting(["somebody-else"]), pytest.raises(PluginError, match=r"components\.trusted"):
        load("formats", "txt")


def test_whom_a_policy_does_not_trust_is_not_asked_what_a_reader_knows() -> None:
    policy = Policy(components=Components(trusted=("somebody-else",)))
    for ask in (plugins.corpus, plugins.taxonomies):
        with pytest.raises(PluginError, match=r"components\.trusted"):
            ask(policy)
    document, topic = Document("a word", b"", "txt", ()), Secret(value="else")
    for model in ("association", "information", "identity"):
        risk = load("risk", model).from_policy(policy)
        with pytest.raises(PluginError, match=r"components\.trusted"):
            risk.assess(document, topic)


def test_an_installed_plugin_is_used(tmp_path: Path) -> None:
    """A real distribution on the path, with a detector of its own, named by a policy."""
    (tmp_path / "shouting.py").write_text(
        textwrap.dedent(
            """
            import re
            from withhold import Finding, Span

            class Shouting:
                @classmethod
                def from_policy(cls, policy):
                    return cls()

                def detect(self, document):
                    shouts = re.finditer("[A-Z]{4,}", document.text)
                    return [Finding(Span(*shout.span()), "SHOUT", "shouting") for shout in shouts]
            """
        )
    )
    info = tmp_path / "shouting-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shouting\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[withhold.detectors]\nshouting = shouting:Shouting\n")
    script = textwrap.dedent(
        """
        import withhold
        from withhold.policy import Components
        policy = withhold.Policy(components=Components(detectors=("lists", "shouting"), trusted=TRUSTED))
        print(withhold.redact(b"please STOP now", policy).document.text)
        """
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}

    def run(trusted: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", script.replace("TRUSTED", trusted)]
        return subprocess.run(command, env=environment, capture_output=True, text=True)

    assert run("None").stdout == "please [REDACTED] now\n"
    assert "components.trusted does not name" in run("('withhold',)").stderr

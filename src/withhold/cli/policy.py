"""Commands about policy files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from withhold import console
from withhold.cli.options import AsJson, about, app, policies

if TYPE_CHECKING:
    from withhold.types import Secret


@policies.command("init", epilog="Example: withhold policy init -o clients.toml")
def policy_init(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The new file.")] = Path(
        "withhold.toml"
    ),
    as_json: AsJson = False,
) -> None:
    """Write a policy file with every setting, its default and what it means."""
    from withhold.files import write
    from withhold.template import template

    write(output, template().encode())
    console.say(
        f"written: {output}; set labels in [detection] or add [[find]] tables, then: withhold policy check {output}"
    )
    if as_json:
        console.print_json({"output": str(output)})


@policies.command("check", epilog="Example: withhold policy check clients.toml")
def policy_check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The policy file.")], as_json: AsJson = False
) -> None:
    """Load a policy and every component it names, and say what it will do."""
    from withhold import Policy, Redactor

    policy = Policy.load(file)
    redactor = Redactor(policy)
    with about(file):
        components = redactor.load()
        console.disclose(redactor)
    finds = [
        (
            find.label,
            len(find.terms),
            len(find.patterns),
            len(find.lists),
            "replace" if find.replacement is not None else policy.operators.choose(find.label),
        )
        for find in policy.find
    ]
    detects = [
        (label, policy.detection.threshold(label), policy.operators.choose(label))
        for label in sorted(policy.detection.wanted)
    ]
    if as_json:
        columns = ("label", "terms", "patterns", "lists", "operator")
        found = [dict(zip(columns, row, strict=True)) for row in finds]
        sought = [dict(zip(("label", "threshold", "operator"), row, strict=True)) for row in detects]
        listed = [list(each) for each in components]
        console.print_json({"find": found, "detect": sought, "components": listed})
        return
    if finds:
        console.show("Finds", ("label", "#terms", "#patterns", "#lists", "operator"), finds)
    if detects:
        console.show("Detects", ("label", "#threshold", "operator"), detects)
    console.show("Components, all loaded", ("kind", "name"), components)
    secrets = [(secret.name, secret.model, secret.attribute or "", _asked(secret)) for secret in policy.secret]
    if secrets:
        console.show("Secrets", ("name", "model", "attribute", "asked for"), secrets)
    idle = ", but finds nothing: set labels in [detection], or add [[find]] or [[secret]] tables" if policy.idle else ""
    console.say(f"the policy is good{idle}")


def _asked(secret: Secret) -> str:
    """What a secret's risk must come down to."""
    if secret.model in ("concepts", "identity"):
        return f"hidden among {secret.confusers + 1}"
    return "ceiling " + ("not set" if secret.ceiling is None else f"{secret.ceiling:.1%}")


@app.command(epilog="Example: withhold plugins --json")
def plugins(as_json: AsJson = False) -> None:
    """List every component that a policy can name, and where it comes from."""
    from withhold.plugins import plugins as installed

    found = installed()
    if as_json:
        console.print_json([each.to_json() for each in found])
    else:
        rows = [(each.kind, each.name, each.distribution, each.target) for each in found]
        console.show("Components", ("kind", "name", "from", "class"), rows)

"""`key` and `reveal`: pseudonyms that only the holder of a key can undo."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from withhold import console
from withhold.cli.options import AsJson, File, Overwrite, PolicyFile, about, app


@app.command(epilog="Example: withhold key -o clients.key")
def key(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The new key file.")],
    as_json: AsJson = False,
) -> None:
    """Make a key for pseudonyms that only its holder can undo."""
    from withhold.operators.pseudonymise import make_key

    make_key(output)
    console.say(f"written: {output}; keep it secret, and keep it: without it pseudonyms cannot be revealed")
    if as_json:
        console.print_json({"output": str(output)})


@app.command(epilog="Example: withhold reveal memo.redacted.docx --ledger l/memo.ledger --key k -o memo.docx")
def reveal(
    file: File,
    ledger: Annotated[Path, typer.Option("--ledger", metavar="FILE", help="The ledger of this very file.")],
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="The key it was made with.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="OUT", help="The new file.")],
    policy: PolicyFile = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Put the originals back in place of pseudonyms, in a new file."""
    from withhold import Policy
    from withhold.batch.one import reveal_file

    with about(file):
        chosen = Policy.load(policy) if policy else Policy()
        revealed = reveal_file(file, output, chosen, ledger, key, overwrite=overwrite)
    console.say(f"{revealed} pseudonyms revealed; written: {output}")
    if as_json:
        console.print_json({"output": str(output), "revealed": revealed})

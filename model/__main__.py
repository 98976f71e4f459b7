"""Command line: ``python -m model open PATH`` converts a model, ``check`` verifies its claims.

Commands over files of sentences are in `model.file_commands`.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import shlex
import sys
from collections.abc import Sequence
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import torch
import typer
from typer import Argument, Option

from core.measurements import PROOFS
from words import Message, english

from . import file_commands
from .errors import CheckpointError, ModelError
from .io.checkpoint import (
    FOLDER_VARIABLE,
    checkpoints_folder,
    save_checkpoint,
    title_of,
    typed_path,
)
from .io.formats import formats
from .loading import load_model
from .verify.claims import Checked, as_proofs, check, proof_messages
from .verify.reference import sentences

MOST_SENTENCES = 8
KEPT = ("title", "description", "licence", "languages", "guided", "examples", "words", "format")
"""Entries of `CheckpointCard` that are written to the card of a converted model."""

app = typer.Typer(
    help="Open models from other libraries, and check a model's claims against slower "
    "computations.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


@app.command("check")
def check_claims(
    checkpoint: Annotated[str, Argument(help="a name under checkpoints/, or a path")],
) -> None:
    """Check every claim of a model. The exit status is 1 if one is false."""
    results = check(load_model(checkpoint, check_claims=False))
    _tell(results)
    raise typer.Exit(int(not all(result.holds for result in results)))


def open_model(
    path: Annotated[Path, Argument(help="a folder, or a file")],
    name: Annotated[
        str, Option(help="name of the folder under checkpoints/ (default: from the path)")
    ] = "",
    # Replaced by one parameter for each option of the formats, see `_register`.
    **options: str,
) -> None:
    """Convert the model at `path` into a checkpoint folder and verify its claims.

    `name` is the folder under ``checkpoints/``; the default is derived from the path. `options`
    hold facts that no file states, by the names of `Format.options`.
    """
    path = typed_path(path)
    name = name or re.sub(r"[^\w.-]+", "-", title_of(path.resolve())).strip("-.") or "model"
    folder = _new_folder(name)
    options = {option: value for option, value in options.items() if value}
    reader = load_model(path, check_claims=False, options=options)
    texts = sentences(reader, MOST_SENTENCES)
    results = check(reader, texts=texts)
    _tell(results)
    card = {key: value for key in KEPT if (value := getattr(reader.card, key))}
    sides = reader.tokenizers
    vocabularies = sides["target"] if sides["source"] is sides["target"] else sides
    save_checkpoint(folder, reader.model, vocabularies, card=card)
    # The proofs are stored with the fingerprint of the files as written, so the folder is loaded
    # again.
    saved = load_model(folder, check_claims=False)
    command = shlex.join(("python", "-m", "model", *sys.argv[1:]))
    proofs = as_proofs(saved, results, len(texts), command)
    text = json.dumps(proofs.to_values(), indent=2)
    (folder / PROOFS.file).write_text(text + "\n", encoding="utf-8")
    print(*proof_messages(reader.card.format, proofs), sep="\n")
    _print_app_command(folder)


def _new_folder(name: str) -> Path:
    """Return the checkpoint folder `name`; raises CheckpointError if it is taken or forbidden."""
    folder = checkpoints_folder() / name
    # A name such as "../x" must not leave the folder, and hidden folders are not listed as
    # checkpoints.
    if folder.parent != checkpoints_folder() or name.startswith(".") or folder.exists():
        message = Message.of("format-name", folder=str(folder))
        raise CheckpointError(message, hint=Message("format-name-hint"))
    return folder


def _print_app_command(folder: Path) -> None:
    """Print the command and the address that open the checkpoint in `folder`."""
    command = "make app"
    named = os.environ.get(FOLDER_VARIABLE, "")
    # The command repeats the variable, or the app would look in the default folder.
    if named:
        command = f"{FOLDER_VARIABLE}={shlex.quote(named)} {command}"
    print(english("format-opened", folder=str(folder), name=quote(folder.name), command=command))
    if named:
        end = f"{os.pathsep}checkpoints"
        print(english("format-opened-alone", variable=FOLDER_VARIABLE, end=end))


def _tell(results: Sequence[Checked]) -> None:
    """Print one line for each result, capabilities aligned in a column."""
    width = max((len(result.capability) for result in results), default=0)
    for result in results:
        verdict = "ok   " if result.holds else "FALSE"
        claim = f"{verdict}  {result.capability:{width}}  {result.claim}"
        print(f"{claim}: {result.error or f'{result.difference:.2g}'} ({result.seconds:.1f} s)")


def _register() -> None:
    """Register "open" with one command-line option for each option of the formats."""
    # The last parameter is `options`. Typer reads names, defaults and help from the signature
    # alone, so a signature built here stands in for it.
    parameters = list(inspect.signature(open_model, eval_str=True).parameters.values())[:-1]
    for name in dict.fromkeys(option for layout in formats() for option in layout.options):
        hint = Annotated[str, Option(help=english(f"format-option-{name}"))]
        parameters.append(Parameter(name, Parameter.KEYWORD_ONLY, default="", annotation=hint))
    function: Any = open_model
    function.__signature__ = inspect.Signature(parameters)
    function.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    names = ", ".join(layout.name for layout in formats())
    app.command("open", help=english("format-command", formats=names))(function)


_register()
file_commands.register(app)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    Returns 1 if a claim is false or something cannot be opened, 2 if the command line itself is
    wrong.
    """
    try:
        typer.main.get_command(app)(argv, prog_name="python -m model")
    # Click exits instead of returning.
    except SystemExit as ended:
        return int(ended.code or 0)
    except (ModelError, OSError) as error:
        print(*filter(None, (error, getattr(error, "hint", None))), sep="\n", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    # Over one sentence several threads mostly wait for each other; the app uses one as well.
    torch.set_num_threads(1)
    sys.exit(main())

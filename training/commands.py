"""Command lines from signatures: parameters become options, the docstring the help text."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand


def _on_threads(n: int | None) -> int | None:
    """Set torch's threads as soon as the option is parsed; return `n`."""
    if n:
        import torch

        torch.set_num_threads(n)
    return n


Option = typer.Option
Config = Annotated[Path, Option(help="config of the run")]
Checkpoint = Annotated[str, Option(help="a name in checkpoints/ or a path")]
Data = Annotated[Path, Option(help="folder of the datasets")]
Threads = Annotated[
    int | None, Option(min=1, callback=_on_threads, help="CPU threads (default: all cores)")
]
Variant = Annotated[
    str | None, Option(help="a variant that the config defines; it gets its own run")
]
Run = Annotated[Path, Option(help="folder of the run")]
Runs = Annotated[Path, Option(help="folder of the runs")]
Limit = Annotated[int | None, Option(min=1, help="use only this many sentences of each set")]
Write = Annotated[bool, Option("--write", help="store the results next to the weights or in docs/")]

DATA = Path("data")
CONFIGS = Path("training/configs")
HELP = ["--help", "-h"]
OWN_PACKAGES = ("core", "model", "viz", "ui", "training", "evaluation", "benchmarks", "words")


class SpreadCommand(TyperCommand):
    """A command whose options take several values: `--steps 1 2` is `--steps 1 --steps 2`.

    It refuses `--limit` with `--write`: measurements of a part of the sets are never stored.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # Click wants the option's name before every value.
        several = {name for param in self.params if param.multiple for name in param.opts}
        spread: list[str] = []
        option = ""
        for arg in args:
            if arg.startswith("--"):
                option = arg if arg in several else ""
            elif option and spread[-1] != option:
                spread.append(option)
            spread.append(arg)
        rest = super().parse_args(ctx, spread)
        if ctx.params.get("write") and ctx.params.get("limit") is not None:
            raise typer.BadParameter(
                "--write stores only results of whole sets", ctx, param_hint="--limit"
            )
        return rest


def application(**kept: Any) -> typer.Typer:
    """Return an application whose help and errors are plain text."""
    return typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": HELP},
        **kept,
    )


def alone(
    function: Callable[..., None],
    prog: str,
    about: str | None = None,
    argv: Sequence[str] | None = None,
) -> int:
    """Run a module whose only command is `function`; `about` is its help text."""
    app = application()
    app.command(cls=SpreadCommand, help=about)(function)
    return run(app, prog, argv)


def run(
    app: typer.Typer, prog: str, argv: Sequence[str] | None = None, default: str | None = None
) -> int:
    """Run a command line; `default` names the command that runs if the line names none.

    Returns 0, or 1 after printing an error and its remedy, for instance a package that is missing
    in the app's environment, or 2 if the command line itself is wrong.
    """
    argv = list(sys.argv[1:] if argv is None else argv)
    if default and (not argv or (argv[0].startswith("-") and argv[0] not in HELP)):
        argv.insert(0, default)
    try:
        typer.main.get_command(app)(argv, prog_name=prog)
    # Click ends every command, successful or not, with SystemExit.
    except SystemExit as ended:
        return int(ended.code or 0)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        # A missing module of our own is a bug and keeps its traceback.
        if not missing or missing in OWN_PACKAGES:
            raise
        print(
            f"{prog} needs the package {missing!r}, which is not installed. "
            "`make dev-environment` installs what the app does without.",
            file=sys.stderr,
        )
        return 1
    except _user_errors() as error:
        print(*filter(None, (error, getattr(error, "hint", None))), file=sys.stderr)
        return 1
    return 0


def _user_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions that a user can mend, whose message is shown without a traceback."""
    # Imported late: the model package loads torch, which `--help` does without.
    from model import ModelError

    from .corpora.text_pairs import CorpusError

    return OSError, ModelError, CorpusError


def command(app: typer.Typer, about: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds a function to `app`, its underscores turned into hyphens."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        app.command(function.__name__.replace("_", "-"), cls=SpreadCommand, help=about)(function)
        return function

    return register


def settings_of(path: Path, variant: str | None = None) -> dict[str, Any]:
    """Return the settings of a config, with one of its variants applied."""
    from .settings import read_config, variant_of

    return variant_of(read_config(path), variant)

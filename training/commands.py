"""Command lines from signatures: a function says its options, its docstring what it does."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import typer
from typer.core import TyperCommand

HELP = ["--help", "-h"]
OWN = ("core", "model", "viz", "ui", "training", "benchmarks", "words")


class SpreadCommand(TyperCommand):
    """Takes all values of an option after its name: `--steps 1 2` is `--steps 1 --steps 2`.

    What is measured of a part of the sets (`--limit`) is never stored (`--write`).
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
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
            raise typer.BadParameter("--write needs whole sets", ctx, param_hint="--limit")
        return rest


def application(**kept: Any) -> typer.Typer:
    """An application whose help and errors are plain text."""
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
    """Run a module whose only command is `function`, which `about` tells of."""
    app = application()
    app.command(cls=SpreadCommand, help=about)(function)
    return run(app, prog, argv)


def run(
    app: typer.Typer, prog: str, argv: Sequence[str] | None = None, default: str | None = None
) -> int:
    """Run a command line; `default` is the command of one that names none.

    0; 1 with what is wrong and how to mend it, a package among it that is not in the app's
    environment; 2 where the command line itself is wrong.
    """
    argv = list(sys.argv[1:] if argv is None else argv)
    if default and (not argv or (argv[0].startswith("-") and argv[0] not in HELP)):
        argv.insert(0, default)
    try:
        typer.main.get_command(app)(argv, prog_name=prog)
    except SystemExit as ended:
        return int(ended.code or 0)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if not missing or missing in OWN:
            raise
        print(
            f"{prog} needs the package {missing!r}, which is not installed. "
            "`make dev-environment` installs what the app does without.",
            file=sys.stderr,
        )
        return 1
    except _mendable() as error:
        print(*filter(None, (error, getattr(error, "hint", None))), file=sys.stderr)
        return 1
    return 0


def _mendable() -> tuple[type[Exception], ...]:
    from model import ModelError

    from .corpus import CorpusError

    return OSError, ModelError, CorpusError

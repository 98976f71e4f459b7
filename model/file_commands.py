"""Commands over files of sentences: ``align`` writes word alignments."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TextIO

import numpy as np
import typer
from typer import Argument, Option

from core.alignment import MAP_MEASURES, SYMMETRIZATIONS, Links, MapName, link_counts, pharaoh
from core.gold import READINGS, Gold, error_rate, precision, recall
from words import Message, english

from .errors import InputError
from .experiments.alignment import Aligner, align, read_map_name
from .pairs import Pair, read_gold, read_pairs
from .readers.reader import Reader
from .readers.recordings import Recording, is_recording, read_recording
from .translator import load_model

Symmetrize = StrEnum("Symmetrize", {name: name for name in SYMMETRIZATIONS})
Measures = StrEnum("Measures", {name: name for name in MAP_MEASURES})
Rows = StrEnum("Rows", {name: name for name in READINGS})


def align_file(
    path: Annotated[str, Argument(help=english("align-path"))],
    head: Annotated[str, Option(help=english("align-option-head"))],
    input: Annotated[Path | None, Option(help=english("align-option-input"))] = None,
    measure: Annotated[Measures, Option(help=english("align-option-measure"))] = Measures.weight,
    row: Annotated[Rows, Option(help=english("align-option-row"))] = Rows.reads,
    symmetrize: Annotated[
        Symmetrize, Option(help=english("align-option-symmetrize"))
    ] = Symmetrize.forward,
    reverse: Annotated[str, Option(help=english("align-option-reverse"))] = "",
    reverse_head: Annotated[str, Option(help=english("align-option-reverse-head"))] = "",
    gold: Annotated[Path | None, Option(help=english("align-option-gold"))] = None,
    first: Annotated[int, Option(min=0, max=1, help=english("align-option-first"))] = 0,
    output: Annotated[Path | None, Option(help=english("align-option-output"))] = None,
) -> None:
    """Write the word alignment of each pair as a line; the AER goes to standard error."""
    name = read_map_name(head)
    if reverse and symmetrize == "forward":
        raise InputError(Message("align-reverse-unused"))
    _check_input(is_recording(Path(path)), input, reverse)
    # Files are checked before a model is loaded, which takes longer.
    pairs = read_pairs(input) if input is not None else []
    reader = reader_at(path)
    if isinstance(reader, Recording):
        pairs = [recorded_pair(reader)]
    aligner = Aligner(reader, name, measure.value, row.value)
    golds = read_gold(gold, pairs, first) if gold is not None else []
    back = None
    if reverse:
        back_name = read_map_name(reverse_head or head)
        back = Aligner(load_model(reverse), back_name, measure.value, row.value)
    tell(_told(name))
    aligned: list[Links | None] = []
    with written(output) as file:
        for links in align_lines(aligner, pairs, symmetrize.value, back):
            print("" if links is None else pharaoh(links), file=file)
            aligned.append(links)
    _tell_rates(aligned, golds)
    raise typer.Exit(end(sum(links is None for links in aligned)))


def align_lines(
    aligner: Aligner, pairs: list[Pair], symmetrize: str, reverse: Aligner | None
) -> Iterator[Links | None]:
    """Yield the links of each pair; None, with the reason on standard error, if it has none."""
    for number, (source, target) in enumerate(pairs, start=1):
        try:
            yield align(aligner, source, target, symmetrize=symmetrize, reverse=reverse)
        except InputError as error:
            tell(Message.of("lines-failed", line=number, fault=error.message))
            yield None


def reader_at(path: str) -> Reader:
    """Return the recording at a path, or load the model there."""
    file = Path(path)
    return read_recording(file.name, file.read_bytes()) if is_recording(file) else load_model(path)


def recorded_pair(recording: Recording) -> Pair:
    """Return the texts of a recording, empty where it has none."""
    target = recording.target
    return recording.record.src.text, "" if target is None else target.text


def _check_input(recorded: bool, input: Path | None, reverse: str) -> None:
    """Raise InputError if a model has no pairs, or a recording has further ones."""
    if not recorded and input is None:
        raise InputError(Message("align-needs-input"))
    for option, value in (("input", input), ("reverse", reverse)):
        if recorded and value:
            raise InputError(Message.of("align-own-pair", option=option))


def _told(name: MapName) -> Message:
    """Say how the app counts a map."""
    of = "site" if name.layer is None else "layer" if name.head is None else "head"
    layer = (name.layer or 0) + 1
    head = (name.head or 0) + 1
    return Message.of("align-told", name=str(name), of=of, layer=layer, head=head)


def _tell_rates(aligned: list[Links | None], golds: list[Gold]) -> None:
    """Say the alignment error rate over the pairs that were aligned, if there is gold."""
    counts = [
        link_counts(links, gold)
        for links, gold in zip(aligned, golds, strict=False)
        if links is not None
    ]
    if not counts:
        return
    sums = np.sum(counts, axis=0)
    if not sums[2] + sums[3]:
        tell(Message("align-no-rates"))
        return
    rates = {
        name: float(np.nan_to_num(rate(sums)))
        for name, rate in (("error", error_rate), ("precision", precision), ("recall", recall))
    }
    tell(Message.of("align-rates", n=len(counts), **rates))


@contextmanager
def written(path: Path | None) -> Iterator[TextIO]:
    """Yield the file at `path` to write to, or standard output."""
    if path is None:
        yield sys.stdout
        return
    with path.open("w", encoding="utf-8", newline="\n") as file:
        yield file


def tell(message: Message) -> None:
    """Print a message on standard error, which is not part of the result."""
    print(english.of(message), file=sys.stderr)


def end(n_failed: int) -> int:
    """Say how many lines have no result; returns the exit status."""
    if n_failed:
        tell(Message.of("lines-failures", n=n_failed))
    return int(n_failed > 0)


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command("align", help=english("align-command"))(align_file)

"""Commands over files of sentences: ``align`` links words, ``translate`` writes a table."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TextIO

import numpy as np
import typer
from typer import Argument, Option

from core.alignment import Links, MapMeasure, MapName, Row, Symmetrization, link_counts, pharaoh
from core.gold import Gold, error_rate, precision, recall
from core.records.search import MAX_ALPHA, MAX_BEAM_SIZE, Decoding
from words import Message, english

from .errors import InputError
from .experiments.alignment import Aligner, align, read_map_name
from .many import TranslatedLine, translate_many
from .pairs import Pair, read_gold, read_lines, read_pairs
from .readers.reader import Reader
from .readers.recordings import Recording, is_recording, read_recording
from .translator import load_model, load_translator

COLUMNS = (
    *("line", "source", "output", "log_prob", "score"),
    *("tokens", "probabilities", "end_share", "error"),
)
"""Columns of a table of translations."""


def align_file(
    path: Annotated[str, Argument(help=english("align-path"))],
    head: Annotated[str, Option(help=english("align-option-head"))],
    input: Annotated[Path | None, Option(help=english("align-option-input"))] = None,
    measure: Annotated[MapMeasure, Option(help=english("align-option-measure"))] = "weight",
    row: Annotated[Row, Option(help=english("align-option-row"))] = "reads",
    symmetrize: Annotated[
        Symmetrization, Option(help=english("align-option-symmetrize"))
    ] = "forward",
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
    aligner = Aligner(reader, name, measure, row)
    golds = read_gold(gold, pairs, first) if gold is not None else []
    back = None
    if reverse:
        back_name = read_map_name(reverse_head or head)
        back = Aligner(load_model(reverse), back_name, measure, row)
    tell(_told(name))
    aligned: list[Links | None] = []
    with written(output) as file:
        for links in align_lines(aligner, pairs, symmetrize, back):
            print("" if links is None else pharaoh(links), file=file)
            aligned.append(links)
    _tell_rates(aligned, golds)
    raise typer.Exit(end(sum(links is None for links in aligned)))


def translate_file(
    path: Annotated[str, Argument(help=english("translate-path"))],
    input: Annotated[Path, Option(help=english("translate-option-input"))],
    as_json: Annotated[bool, Option("--json", help=english("translate-option-json"))] = False,
    beam_size: Annotated[
        int, Option(min=1, max=MAX_BEAM_SIZE, help=english("translate-option-beam"))
    ] = Decoding.beam_size,
    alpha: Annotated[
        float, Option(min=0.0, max=MAX_ALPHA, help=english("translate-option-alpha"))
    ] = Decoding.alpha,
    output: Annotated[Path | None, Option(help=english("align-option-output"))] = None,
) -> None:
    """Translate each line and write a row for it."""
    texts = read_lines(input)
    translator = load_translator(path)
    n_failed = 0
    with written(output) as file:
        table = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n")
        if not as_json:
            table.writeheader()
        for line in translate_many(translator, texts, Decoding(beam_size=beam_size, alpha=alpha)):
            n_failed += line.error is not None
            row = row_of(line)
            if as_json:
                print(json.dumps(row, ensure_ascii=False), file=file)
            else:
                table.writerow({name: _cell(value) for name, value in row.items()})
    raise typer.Exit(end(n_failed))


def row_of(line: TranslatedLine) -> dict[str, Any]:
    """Return the columns of a line, numbers rounded; those that it lacks are missing."""
    row: dict[str, Any] = {"line": line.line, "source": line.source}
    if line.error is not None:
        return {**row, "error": str(line.error)}
    row |= {
        "output": line.output,
        "log_prob": round(line.log_prob, 4),
        "score": round(line.score, 4),
        "tokens": list(line.tokens),
        "probabilities": [round(float(p), 4) for p in line.probabilities],
    }
    if line.end_share is not None:
        row["end_share"] = round(line.end_share, 4)
    return row


def _cell(value: Any) -> Any:
    """Return a value as a cell of a table; lists are joined by spaces."""
    # Pieces of a vocabulary have ▁ for a space, so a space separates them.
    return " ".join(map(str, value)) if isinstance(value, list) else value


def align_lines(
    aligner: Aligner, pairs: list[Pair], symmetrize: Symmetrization, reverse: Aligner | None
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
    app.command("translate", help=english("translate-command"))(translate_file)

"""Commands over files of sentences: ``align`` links words, ``translate`` writes a table."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TextIO

import numpy as np
import typer
from typer import Argument, Option

from core.alignment import Links, MapMeasure, MapName, Row, Symmetrization, link_counts, pharaoh
from core.gold import Gold, error_rate, precision, recall
from core.records.search import MAX_ALPHA, MAX_BEAM_SIZE, Decoding
from words import Message, english

from .errors import InputError
from .experiments.alignment import Aligner, align, read_map_name
from .loading import load_model, load_translator
from .many import translate_many
from .pairs import Pair, read_gold, read_lines, read_pairs
from .readers.reader import Reader
from .readers.recordings import Recording, is_recording, read_recording
from .sentence_tables import (
    ALIGNMENT_COLUMNS,
    TRANSLATION_COLUMNS,
    cell_of,
    gold_text,
    values_of,
)

Result = tuple[Links | None, Message | None]
"""Links of a pair, or the reason why it has none."""


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
    table: Annotated[bool, Option("--table", help=english("align-option-table"))] = False,
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
    results = align_lines(aligner, pairs, symmetrize, back)
    with written(output) as file:
        if table:
            aligned = _write_table(file, results, pairs, golds)
        else:
            aligned = _write_lines(file, results)
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
        table = csv.DictWriter(file, TRANSLATION_COLUMNS, delimiter="\t", lineterminator="\n")
        if not as_json:
            table.writeheader()
        for line in translate_many(translator, texts, Decoding(beam_size=beam_size, alpha=alpha)):
            n_failed += line.error is not None
            values = values_of(line)
            if as_json:
                print(json.dumps(values, ensure_ascii=False), file=file)
            else:
                table.writerow({name: cell_of(value) for name, value in values.items()})
    raise typer.Exit(end(n_failed))


def _write_lines(file: TextIO, results: Iterable[Result]) -> list[Links | None]:
    """Write the links of each pair in the Pharaoh format, and return them."""
    aligned = []
    for links, _ in results:
        print("" if links is None else pharaoh(links), file=file)
        aligned.append(links)
    return aligned


def _write_table(
    file: TextIO, results: Iterable[Result], pairs: Sequence[Pair], golds: Sequence[Gold]
) -> list[Links | None]:
    """Write a row of TSV for each pair, and return the links."""
    # An empty cell of gold links would mean that no word has one.
    columns = [column for column in ALIGNMENT_COLUMNS if golds or column != "gold"]
    rows = csv.DictWriter(file, columns, delimiter="\t", lineterminator="\n")
    rows.writeheader()
    aligned = []
    for number, (links, fault) in enumerate(results, start=1):
        source, target = pairs[number - 1]
        row = {"line": number, "source": source, "target": target}
        if golds:
            row["gold"] = gold_text(golds[number - 1])
        if links is not None:
            row["links"] = pharaoh(links)
        if fault is not None:
            row["error"] = english.of(fault)
        rows.writerow(row)
        aligned.append(links)
    return aligned


def align_lines(
    aligner: Aligner, pairs: list[Pair], symmetrize: Symmetrization, reverse: Aligner | None
) -> Iterator[Result]:
    """Yield the links of each pair and None; or None and the reason, also on standard error."""
    for number, (source, target) in enumerate(pairs, start=1):
        try:
            yield align(aligner, source, target, symmetrize=symmetrize, reverse=reverse), None
        except InputError as error:
            tell(Message.of("lines-failed", line=number, fault=error.message))
            yield None, error.message


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

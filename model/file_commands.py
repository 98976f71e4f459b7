"""Commands over files of sentences: ``align`` links words, ``translate`` writes a table.

Both read and write files of any length in constant memory (`model.corpus`).
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from typer import Argument, Option

from core.alignment import MapMeasure, MapName, Row, Symmetrization, link_counts
from core.gold import Gold, error_rate, precision, recall
from core.records.search import MAX_ALPHA, MAX_BEAM_SIZE, Decoding
from words import Message, english

from .corpus.engines import EngineName, engine_of
from .corpus.parts import CorpusRun, parts_of
from .corpus.protocol import Task, Values
from .corpus.reading import Corpus, CorpusFile, CorpusRows
from .corpus.tasks import AlignmentTask, TranslationTask, reader_at
from .corpus.writing import TableFormat, Write, format_at, written
from .errors import InputError
from .experiments.alignment import read_map_name
from .pairs import STANDARD_INPUT, Pair, links_in, read_gold
from .readers.recordings import Recording, is_recording
from .sentence_tables import ALIGNMENT_COLUMNS, TRANSLATION_COLUMNS, gold_text

PARTS = ".parts"
"""Ending of the folder beside an output in which finished parts wait for the others."""
EngineOption = Annotated[EngineName, Option(help=english("corpus-option-engine"))]
WorkersOption = Annotated[int | None, Option(min=1, help=english("corpus-option-workers"))]
OutputOption = Annotated[Path | None, Option(help=english("align-option-output"))]


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
    output: OutputOption = None,
    engine: EngineOption = "local",
    workers: WorkersOption = None,
) -> None:
    """Write the word alignment of each pair as a line; the AER goes to standard error."""
    name = read_map_name(head)
    if reverse and symmetrize == "forward":
        raise InputError(Message("align-reverse-unused"))
    _check_input(is_recording(Path(path)), input, reverse)
    back = read_map_name(reverse_head) if reverse_head else None
    task = AlignmentTask(path, name, measure, row, symmetrize, reverse, back)
    table_format = format_at(output, "tsv" if table else "links")
    with _pairs_at(path, input) as corpus:
        # Gold alignments are few, so they and their pairs are kept in memory.
        golds = read_gold(gold, [(s, t) for s, t in corpus.rows()], first) if gold else []
        # An empty cell of gold links would mean that no word has one.
        columns = [column for column in ALIGNMENT_COLUMNS if golds or column != "gold"]
        with (
            _finished(task, corpus, output, engine, workers) as results,
            written(output, columns, table_format) as write,
        ):
            tell(_told(name))
            n_failed = _write_links(results, golds, write)
    raise typer.Exit(end(n_failed))


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
    output: OutputOption = None,
    engine: EngineOption = "local",
    workers: WorkersOption = None,
) -> None:
    """Translate each sentence and write a row for it."""
    task = TranslationTask(path, Decoding(beam_size=beam_size, alpha=alpha))
    # A translation has no links: such a file would consist of empty lines.
    by_ending = format_at(output, "tsv")
    table: TableFormat = "jsonl" if as_json else "tsv" if by_ending == "links" else by_ending
    n_failed = 0
    with (
        _file_at(input) as file,
        _finished(task, CorpusFile(file, task.inputs), output, engine, workers) as results,
        written(output, TRANSLATION_COLUMNS, table) as write,
    ):
        for values in results:
            n_failed += "error" in values
            write(values)
    raise typer.Exit(end(n_failed))


@contextmanager
def _finished(
    task: Task, corpus: Corpus, output: Path | None, engine: EngineName, workers: int | None
) -> Iterator[Iterator[Values]]:
    """Yield the results of all rows in their order.

    With an output, they are stored in parts first, and a second call goes on where the first
    stopped. The parts are removed when the block has ended without an error.
    """
    if output is not None and output.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(output))
    run_engine = engine_of(engine, workers)
    if output is None and engine != "local":
        raise InputError(Message("corpus-needs-output"))
    # Reads the whole file: a fault in its last row is found before the first row is computed.
    facts = corpus.facts()
    if output is None:
        work = task.open()
        parts = parts_of(corpus.rows())
        yield (values for part in parts for values in work(part.first, part.rows))
        return
    run = CorpusRun(task.anywhere(), corpus, output.with_name(output.name + PARTS))
    with run.lock():
        run.begin(facts)
        # A bar redraws its line, which a log file would keep every time.
        hidden = not sys.stderr.isatty()
        with typer.progressbar(length=facts.n_rows, file=sys.stderr, hidden=hidden) as bar:
            run.finish(run_engine, bar.update)
        yield run.results()
        # Not in a `finally`: after an error the parts wait for the next call.
        run.remove()


@contextmanager
def _file_at(path: Path) -> Iterator[Path]:
    """Yield the path of a file, or of a copy of standard input for "-"."""
    if path != STANDARD_INPUT:
        yield path
        return
    # It is read twice: to find faults first, and to compute.
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "standard input"
        with copy.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield copy


@contextmanager
def _pairs_at(model: str, input: Path | None) -> Iterator[Corpus]:
    """Yield the pairs of a file, or that of a recording."""
    if input is None:
        reader = reader_at(model)
        # `_check_input` has refused a model without a file of pairs.
        assert isinstance(reader, Recording)
        target = reader.target
        pair = (reader.record.src.text, "" if target is None else target.text)
        yield CorpusRows((pair,))
        return
    with _file_at(input) as file:
        yield CorpusFile(file, AlignmentTask.inputs)


def _write_links(results: Iterator[Values], golds: Sequence[Gold], write: Write) -> int:
    """Write the links of each pair, say faults and rates; return the number of faults."""
    counts = []
    n_failed = 0
    for values in results:
        line = values["line"]
        if golds:
            values["gold"] = gold_text(golds[line - 1])
        write(values)
        if "error" in values:
            tell(Message.of("lines-failed", line=line, fault=values["error"]))
            n_failed += 1
        elif golds:
            pair: Pair = (values["source"], values["target"])
            links = links_in("links", line, values["links"], pair).possible
            counts.append(link_counts(links, golds[line - 1]))
    if counts:
        _tell_rates(counts)
    return n_failed


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


def _tell_rates(counts: Sequence[np.ndarray]) -> None:
    """Say the alignment error rate over the pairs that were aligned."""
    sums = np.sum(counts, axis=0)
    if not sums[2] + sums[3]:
        tell(Message("align-no-rates"))
        return
    rates = {
        name: float(np.nan_to_num(rate(sums)))
        for name, rate in (("error", error_rate), ("precision", precision), ("recall", recall))
    }
    tell(Message.of("align-rates", n=len(counts), **rates))


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

"""Corpora: every format gives the same rows, and interrupted work goes on."""

from __future__ import annotations

import csv
import fcntl
import importlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from subprocess import PIPE

import pyarrow
import pyarrow.parquet as parquet
import pytest

from core.alignment import MapName
from core.records.search import Decoding
from model import InputError
from model.__main__ import main
from model.corpus.engines import run_here
from model.corpus.parts import CorpusRun, parts_of
from model.corpus.reading import CorpusFile, CorpusRows
from model.corpus.tasks import AlignmentTask, TranslationTask
from model.many import translate_many
from model.sentence_tables import values_of
from support.corpora import ROUNDED, assert_same_rows
from support.models import ROOT

TEXTS = ("The dog sleeps.", "", "A cat runs.", "word " * 200, 'A "man"\tplays.', "A dog.", "Eine")
DECODING = Decoding(beam_size=2)


def parquet_file(path: Path, columns: dict) -> None:
    parquet.write_table(pyarrow.table(columns), path)


def write_texts(path: Path, table: str) -> None:
    """Write `TEXTS` as a file of a format."""
    if table == "parquet":
        parquet_file(path, {"id": range(len(TEXTS)), "source": [t or None for t in TEXTS]})
    elif table == "jsonl":
        rows = [{"id": n, "source": text} for n, text in enumerate(TEXTS)]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    elif table == "tsv":
        with path.open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file, delimiter="\t", lineterminator="\r\n")
            rows.writerows([("id", "source"), *enumerate(TEXTS)])
    else:
        path.write_text("".join(text + "\n" for text in TEXTS), encoding="utf-8-sig")


@pytest.mark.parametrize("table", ["txt", "tsv", "jsonl", "parquet"])
def test_every_format_has_the_same_rows(tmp_path, table):
    # The content tells the format, not the name.
    write_texts(tmp_path / "corpus", table)
    corpus = CorpusFile(tmp_path / "corpus", ("source",))
    assert [text for (text,) in corpus.rows()] == list(TEXTS)
    assert corpus.facts().n_rows == len(TEXTS)


def test_pairs_are_read_from_lines_and_from_tables(tmp_path):
    pairs = [("a b", "x"), ("c", "y z")]
    (tmp_path / "lines").write_text("a b\tx\nc ||| y z\n")
    (tmp_path / "tsv").write_text("target\tsource\nx\ta b\ny z\tc\n")
    parquet_file(tmp_path / "parquet", {"source": ["a b", "c"], "target": ["x", "y z"]})
    for name in ("lines", "tsv", "parquet"):
        assert list(CorpusFile(tmp_path / name, ("source", "target")).rows()) == pairs


FAULTS = {
    b"": "is empty",
    b"a\n\xff\n": "line 2: this is not UTF-8",
    b"id\tsource\n1\ta\n2\n": "line 3: expected 2 columns as in line 1, found 1",
    b'id\tsource\n1\t"a\n': "line 2: a quotation mark is not closed",
    b'{"source": "a"}\n[]\n': "line 2: this is not a JSON object",
    b'{"source": "a"}\n{"source": 7}\n': "row 2, column “source”: expected a text, found 7",
    b"PAR1 and nothing else": "is not a Parquet file",
    b"source\tsource\na\tb\n": "two columns are called “source”",
}


@pytest.mark.parametrize("data", FAULTS)
def test_a_fault_is_named_before_a_model_is_opened(tmp_path, capsys, data):
    (tmp_path / "corpus").write_bytes(data)
    assert main(["translate", "no-such-model", "--input", str(tmp_path / "corpus")]) == 1
    assert FAULTS[data] in capsys.readouterr().err


@pytest.mark.parametrize("first", ["{x} is a set.", "{", '{"a": 1}'])
def test_plain_text_may_begin_with_a_brace(tmp_path, first):
    path = tmp_path / "corpus.txt"
    path.write_text(f"{first}\nA dog.\n")
    assert list(CorpusFile(path, ("source",)).rows()) == [(first,), ("A dog.",)]
    path.write_text(f"{first}\t{{y}}\n")
    assert list(CorpusFile(path, ("source", "target")).rows()) == [(first, "{y}")]
    objects = path.rename(tmp_path / "corpus.jsonl")
    with pytest.raises(InputError, match="line 1: this is not a JSON object"):
        list(CorpusFile(objects, ("source",)).rows())


def test_a_table_without_the_column_is_refused_with_those_that_it_has(tmp_path):
    parquet_file(tmp_path / "corpus", {"text": ["a"]})
    with pytest.raises(InputError, match=r"no column “source”\. Its columns: text"):
        CorpusFile(tmp_path / "corpus", ("source",)).facts()


@pytest.mark.parametrize("first", [0, -4])
def test_damage_in_the_middle_of_a_parquet_file_is_named(tmp_path, first):
    """In a text, which is no UTF-8 then, or in its length before it."""
    path = tmp_path / "corpus"
    columns = {"source": [f"number {n}" for n in range(100)]}
    parquet.write_table(pyarrow.table(columns), path, compression="none", use_dictionary=False)
    data = bytearray(path.read_bytes())
    start = data.index(b"number 50") + first
    data[start : start + 4] = b"\xff" * 4
    path.write_bytes(data)
    with pytest.raises(InputError, match="or is damaged"):
        CorpusFile(path, ("source",)).facts()


def test_files_of_any_length_are_read_no_further_than_a_part():
    numbers = count()
    rows = ((str(next(numbers)),) for _ in iter(int, 1))
    parts = list(islice(parts_of(rows, 3), 2))
    assert [(part.index, part.first) for part in parts] == [(0, 1), (1, 4)]
    assert next(numbers) == 6


# -- runs --------------------------------------------------------------------------------------


class Stopped(Exception):
    """Stands for a machine that is switched off."""


@dataclass
class Breaking:
    """Engine that computes in this process, and is stopped before the part number `stop`."""

    stop: int
    n_parts: int = 0

    def __call__(self, task, parts) -> Iterator:
        for finished in run_here(task, parts):
            if self.n_parts == self.stop:
                raise Stopped
            self.n_parts += 1
            yield finished


@pytest.fixture
def run(tiny_checkpoint, tmp_path) -> CorpusRun:
    write_texts(tmp_path / "corpus", "txt")
    corpus = CorpusFile(tmp_path / "corpus", ("source",))
    task = TranslationTask(str(tiny_checkpoint), DECODING)
    return CorpusRun(task, corpus, tmp_path / "out.parts", size=3)


def begun(run: CorpusRun) -> CorpusRun:
    run.begin(run.corpus.facts())
    return run


def test_parts_hold_what_one_call_gives_with_errors_in_their_rows(run, tiny_translator):
    begun(run).finish()
    lines = translate_many(tiny_translator, TEXTS, DECODING, window=3)
    assert_same_rows(run.results(), [json.loads(json.dumps(values_of(line))) for line in lines])
    assert ["error" in values for values in run.results()] == [
        False,
        True,
        False,
        True,
        *[False] * 3,
    ]


def test_stopped_work_goes_on_where_it_stopped(run, tmp_path):
    whole = CorpusRun(run.task, run.corpus, tmp_path / "whole", size=3)
    begun(whole).finish()
    first = Breaking(stop=2)
    with pytest.raises(Stopped):
        begun(run).finish(first)
    second = Breaking(stop=9)
    finished = []
    begun(run).finish(second, finished.append)
    assert (first.n_parts, second.n_parts) == (2, 1)
    assert sum(finished) == len(TEXTS)
    assert_same_rows(run.results(), whole.results())


def test_a_part_that_was_being_written_is_computed_again(run):
    begun(run).finish()
    results = list(run.results())
    path = run.folder / "000001.jsonl"
    path.rename(path.with_name(path.name + ".0f.tmp"))
    engine = Breaking(stop=9)
    begun(run).finish(engine)
    assert engine.n_parts == 1
    assert_same_rows(run.results(), results)


def test_parts_of_another_run_are_refused(run, tmp_path):
    begun(run)
    options = TranslationTask(run.task.model, Decoding(beam_size=3))
    sizes = [CorpusRun(run.task, run.corpus, run.folder, size=4)]
    texts = [CorpusRun(run.task, CorpusRows((("A dog.",),)), run.folder, size=3)]
    for other in (CorpusRun(options, run.corpus, run.folder, size=3), *sizes, *texts):
        with pytest.raises(InputError, match="parts of another run"):
            begun(other)
    begun(run)


def test_a_second_command_with_the_same_output_is_refused(run, tiny_checkpoint, tmp_path, capsys):
    output = tmp_path / "out"
    command = ["translate", str(tiny_checkpoint), "--input", str(tmp_path / "corpus")]
    with run.lock():
        before = sorted(run.folder.iterdir())
        assert main([*command, "--output", str(output)]) == 1
        assert "Another command with this --output is running" in capsys.readouterr().err
        assert sorted(run.folder.iterdir()) == before
        assert not output.exists()
    assert main([*command, "--output", str(output)]) == 1  # two of the sentences have no result
    assert output.is_file()
    assert not run.folder.exists()


def test_a_command_that_was_killed_locks_nothing(run):
    code = (
        "import sys; from pathlib import Path; from model.corpus.parts import CorpusRun\n"
        "with CorpusRun(None, None, Path(sys.argv[1])).lock(): print('locked', flush=True); input()"
    )
    command = [sys.executable, "-c", code, str(run.folder)]
    with subprocess.Popen(command, cwd=ROOT, stdin=PIPE, stdout=PIPE, text=True) as other:
        assert other.stdout.readline() == "locked\n"
        with pytest.raises(InputError, match="Another command"), run.lock():
            raise AssertionError("two commands at work")
        other.kill()
    with run.lock():
        begun(run).finish()


def test_a_folder_that_is_being_removed_is_entered_once_it_is_empty(run, monkeypatch):
    unlink = os.unlink
    other = CorpusRun(run.task, run.corpus, run.folder)
    refused = []

    def unlink_and_enter(path, **more):
        unlink(path, **more)
        if os.path.basename(path) == "lock":
            entered.enter_context(other.lock())
            return
        with pytest.raises(InputError, match="Another command"), other.lock():
            raise AssertionError("two commands at work")
        refused.append(path)

    with ExitStack() as entered:
        with run.lock():
            begun(run).finish()
            n_files = len(list(run.folder.iterdir()))
            monkeypatch.setattr(os, "unlink", unlink_and_enter)
            run.remove()
            monkeypatch.undo()
        assert len(refused) == n_files - 1
        assert [path.name for path in run.folder.iterdir()] == ["lock"]


@pytest.mark.parametrize(
    ("owner", "step"),
    [(Path, "is_dir"), (Path, "open"), (fcntl, "flock")],
    ids=["created", "opened", "locked"],
)
def test_a_folder_that_is_removed_meanwhile_is_created_again(run, monkeypatch, owner, step):
    run.folder.mkdir()
    plain = getattr(owner, step)

    def remove_first(*args, **more):
        monkeypatch.undo()
        shutil.rmtree(run.folder)
        return plain(*args, **more)

    monkeypatch.setattr(owner, step, remove_first)
    with run.lock():
        assert getattr(owner, step) is plain
        begun(run).finish()


def test_a_file_in_place_of_the_folder_is_named(run):
    run.folder.touch()
    with pytest.raises(FileExistsError, match=run.folder.name), run.lock():
        raise AssertionError("entered a file")


def test_a_model_that_changed_is_another_run(run, tmp_path):
    file = tmp_path / "model" / "weights"
    file.parent.mkdir()
    file.write_text("1")
    task = TranslationTask(str(file.parent), DECODING)
    begun(CorpusRun(task, run.corpus, run.folder))
    file.write_text("12")
    with pytest.raises(InputError, match="an earlier version of the model"):
        begun(CorpusRun(task, run.corpus, run.folder))


# -- commands ----------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["tsv", "jsonl", "parquet"])
def test_a_file_has_what_standard_output_has(tiny_checkpoint, tmp_path, capsys, ending):
    write_texts(tmp_path / "corpus", "parquet")
    output = tmp_path / f"out.{ending}"
    command = ["translate", str(tiny_checkpoint), "--input", str(tmp_path / "corpus")]
    assert main([*command, "--json"]) == 1
    expected = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert main([*command, "--output", str(output)]) == 1
    if ending == "parquet":
        rows = parquet.read_table(output).to_pylist()
    elif ending == "jsonl":
        rows = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    else:
        rows = list(csv.DictReader(output.open(encoding="utf-8"), delimiter="\t"))
    for row, values in zip(rows, expected, strict=True):
        for column in ("output", "error"):
            assert (row.get(column) or "") == values.get(column, "")
        if "score" in values:
            assert float(row["score"]) == pytest.approx(values["score"], abs=ROUNDED)
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith("out")] == [
        output.name
    ]


def test_translations_are_no_links(tiny_checkpoint, tmp_path):
    (tmp_path / "corpus").write_text("A dog.\n")
    output = tmp_path / "out.links"
    command = ["translate", str(tiny_checkpoint), "--input", str(tmp_path / "corpus")]
    assert main([*command, "--output", str(output)]) == 0
    assert output.read_text("utf-8").startswith("line\tsource\toutput")


@pytest.mark.parametrize("folder", [".", ""])
def test_a_folder_as_output_is_refused_before_anything_is_computed(
    tiny_checkpoint, tmp_path, capsys, monkeypatch, folder
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corpus").write_text("A dog.\n")
    command = ["translate", str(tiny_checkpoint), "--input", "corpus"]
    assert main([*command, "--output", folder or str(tmp_path)]) == 1
    assert "Is a directory" in capsys.readouterr().err
    assert not tmp_path.with_name(tmp_path.name + ".parts").exists()


def test_a_corrected_command_runs_after_one_that_failed_at_once(tiny_checkpoint, tmp_path):
    (tmp_path / "pairs").write_text("A dog.\tEin Hund.\n")
    files = ["--input", str(tmp_path / "pairs"), "--output", str(tmp_path / "out.tsv")]
    for head, code in (("cross.99.0", 1), ("cross.1.2", 0)):
        assert main(["align", str(tiny_checkpoint), "--head", head, *files]) == code
    assert (tmp_path / "out.tsv").is_file()


def test_alignments_are_written_as_parquet(tiny_checkpoint, tmp_path):
    pairs = (("A dog.", "Ein Hund."), ("", "x"))
    sources, targets = zip(*pairs, strict=True)
    parquet_file(tmp_path / "pairs", {"source": sources, "target": targets})
    command = ["align", str(tiny_checkpoint), "--head", "cross.1.2"]
    files = ["--input", str(tmp_path / "pairs"), "--output", str(tmp_path / "out.parquet")]
    assert main([*command, *files]) == 1
    rows = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    work = AlignmentTask(str(tiny_checkpoint), MapName.read("cross.1.2")).open()
    expected = work(1, pairs)
    assert rows[0]["links"] == expected[0]["links"]
    assert rows[0]["links"]
    assert (rows[1]["links"], rows[1]["error"]) == (None, expected[1]["error"])


def test_workers_without_ray_are_refused_before_the_file_is_read(tmp_path, capsys):
    files = ["--input", str(tmp_path / "no such file"), "--output", str(tmp_path / "out")]
    assert main(["translate", "no-such-model", *files, "--workers", "2"]) == 1
    assert "Add --engine ray, or leave --workers out." in capsys.readouterr().err


def test_without_ray_the_command_says_how_to_install_it(tmp_path, capsys, monkeypatch):
    import_module = importlib.import_module

    def without_ray(name, package=None):
        if name == "ray":
            raise ModuleNotFoundError(name)
        return import_module(name, package)

    monkeypatch.setattr(importlib, "import_module", without_ray)
    (tmp_path / "corpus").write_text("A dog.\n")
    files = ["--input", str(tmp_path / "corpus"), "--output", str(tmp_path / "out")]
    assert main(["translate", "no-such-model", *files, "--engine", "ray"]) == 1
    assert "pip install '.[cluster]'" in capsys.readouterr().err
    assert not (tmp_path / "out.parts").exists()

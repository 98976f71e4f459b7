"""Corpora on Ray: the rows of this process, also if workers are killed or the job is stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.records.search import Decoding
from model import InputError
from model.corpus.engines import engine_of, run_here
from model.corpus.parts import CorpusRun
from model.corpus.reading import CorpusFile
from model.corpus.tasks import TranslationTask
from support.corpora import assert_same_rows
from support.models import ROOT, SENTENCES

pytest.importorskip("ray", reason="Ray is not installed: pip install '.[cluster]'")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

MARK = "ATTENTION_LAB_TEST"
"""Variable that tells the workers of a test from those of other runs."""


def run_in(folder: Path, model: object, name: str = "parts") -> CorpusRun:
    """Return a run over 240 sentences in parts of eight, begun in a folder of its own."""
    file = folder / "corpus"
    file.write_text("\n".join([*SENTENCES[::2], "", "A dog runs."] * 60), encoding="utf-8")
    corpus = CorpusFile(file, ("source",))
    task = TranslationTask(str(model), Decoding(beam_size=4, max_len=30))
    run = CorpusRun(task, corpus, folder / name, size=8)
    run.begin(corpus.facts())
    return run


def local_rows(folder: Path, model: object) -> list:
    run = run_in(folder, model, "local")
    run.finish(run_here)
    return list(run.results())


def workers(mark: str) -> list[int]:
    """Return the processes of Ray that compute for the test."""
    pids = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            is_worker = (folder / "cmdline").read_bytes().startswith(b"ray::Worker")
            if is_worker and f"{MARK}={mark}".encode() in (folder / "environ").read_bytes():
                pids.append(int(folder.name))
        except OSError:
            continue
    return pids


def test_rows_are_those_of_this_process_though_a_worker_is_killed(
    tiny_checkpoint, tmp_path, monkeypatch
):
    mark = tmp_path.name
    monkeypatch.setenv(MARK, mark)
    expected = local_rows(tmp_path, tiny_checkpoint)
    run = run_in(tmp_path, tiny_checkpoint)
    killed: list[int] = []
    numbers: list[int] = []

    def progress(n: int) -> None:
        numbers.append(n)
        if len(numbers) == 3:
            killed.extend(workers(mark))
            os.kill(killed[0], signal.SIGKILL)

    run.finish(engine_of("ray", 2), progress)
    assert killed
    assert sum(numbers) == run.corpus.facts().n_rows
    assert_same_rows(run.results(), expected)
    assert workers(mark) == []


def test_a_job_that_was_killed_goes_on(tiny_checkpoint, tmp_path, monkeypatch):
    mark = tmp_path.name
    monkeypatch.setenv(MARK, mark)
    (tmp_path / "corpus").write_text("\n".join(["A dog runs.", ""] * 3000), encoding="utf-8")
    command = [sys.executable, "-m", "model", "translate", str(tiny_checkpoint)]
    command += ["--input", str(tmp_path / "corpus"), "--beam-size", "1"]
    subprocess.run([*command, "--output", tmp_path / "local.jsonl"], cwd=ROOT)
    command += ["--output", str(tmp_path / "out.jsonl"), "--engine", "ray", "--workers", "1"]
    parts = tmp_path / "out.jsonl.parts"
    with subprocess.Popen(command, cwd=ROOT) as job:
        while not (parts / "000000.jsonl").exists():
            assert job.poll() is None
            time.sleep(0.05)
        job.kill()
    before = {file.name: file.stat().st_mtime_ns for file in parts.glob("*.jsonl")}
    assert 1 <= len(before) < 6
    until = time.monotonic() + 60
    while workers(mark) and time.monotonic() < until:
        time.sleep(0.5)
    assert workers(mark) == []  # they end with the job
    subprocess.run(command, cwd=ROOT)
    rows, expected = (
        list(map(json.loads, (tmp_path / name).read_text(encoding="utf-8").splitlines()))
        for name in ("out.jsonl", "local.jsonl")
    )
    assert_same_rows(rows, expected)
    assert not parts.exists()


def test_more_workers_than_cores_are_refused(tiny_checkpoint, tmp_path):
    run = run_in(tmp_path, tiny_checkpoint)
    with pytest.raises(InputError, match="10000 workers need as many cores"):
        run.finish(engine_of("ray", 10_000))

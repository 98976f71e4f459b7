"""The benchmark of the lineage: on one thread."""

from __future__ import annotations

import torch

from benchmarks import lineage


def test_the_systems_are_timed_on_one_thread(monkeypatch, capsys):
    threads = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        monkeypatch.setattr(
            lineage, "report", lambda repeats: f"threads: {torch.get_num_threads()}"
        )
        lineage.main(repeats=1)
        assert capsys.readouterr().out == "threads: 1\n"
    finally:
        torch.set_num_threads(threads)

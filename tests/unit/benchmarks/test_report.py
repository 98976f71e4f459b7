"""Benchmarks: timed cases have the sizes of their names, tables the right unit and side."""

from __future__ import annotations

import re

import pytest

from benchmarks.cases import (
    COST_LENGTHS,
    COST_WIDTHS,
    N_RUNNERS_UP,
    TGT_LENGTH,
    cost_cases,
    search_and_attend,
    search_tree,
    source_ids,
    translate_and_capture,
    tree_cases,
    write_random_checkpoint,
)
from benchmarks.report import RESULTS, TEMPLATES, Aim, marks, table
from benchmarks.search import cost_rows, cost_table, run
from benchmarks.timing import Timing, interleave
from core.card import fingerprint_of
from model.io.checkpoint import REQUIRED, load_checkpoint
from support.models import ROOT
from training.corpora.text_pairs import CorpusError
from training.files import write_between
from viz.figure import tables_of
from viz.sweep import cost_chart


def test_cases_take_turns_and_a_median_is_in_milliseconds():
    seen = []
    cases = {name: lambda name=name: seen.append(name) for name in "ab"}
    timings = interleave(cases, repeats=2, warmup=1)
    assert "".join(seen) == "ababab"
    assert {name: len(t.seconds) for name, t in timings.items()} == {"a": 2, "b": 2}
    timing = Timing("x", (0.004, 0.001, 0.002))
    assert (timing.median_ms, timing.fastest_ms) == (2.0, 1.0)
    with pytest.raises(ValueError, match="found 0 and 3"):
        interleave({}, repeats=0)


@pytest.mark.parametrize(
    ("value", "at_least", "met"),
    [(2.9, False, True), (3.1, False, False), (2.9, True, False), (3.1, True, True)],
)
def test_an_aim_is_met_on_its_own_side(value, at_least, met):
    aim = Aim("x", value, 3, at_least=at_least)
    assert aim.met is met
    assert ("missed" in aim.row()) is not met


def test_results_are_written_between_their_marks_or_not_at_all(tmp_path):
    page, ends = tmp_path / "RESULTS.md", marks("measured")
    page.write_text(f"# Before\n{ends[0]}\nold\n{ends[1]}\nafter\n")
    for text in ("new", "newer"):
        write_between(page, text, ends)
    assert page.read_text() == f"# Before\n{ends[0]}\nnewer\n{ends[1]}\nafter\n"
    for text in ("words", f"words {ends[0]}", f"words {ends[1]}"):
        page.write_text(text)
        with pytest.raises(CorpusError, match="lacks the lines"):
            write_between(page, "new", ends)
        assert page.read_text() == text
    shipped = RESULTS.read_text(encoding="utf-8")
    for path in TEMPLATES.glob("*.md.j2"):
        assert [shipped.count(mark) for mark in marks(path.name.split(".")[0])] == [1, 1]


def test_cases_have_the_lengths_widths_and_nodes_that_they_name(tiny_checkpoint, tmp_path):
    checkpoint = load_checkpoint(tiny_checkpoint)
    model, src = checkpoint.model, source_ids(checkpoint)
    assert src.shape == (1, 16)
    tree = translate_and_capture(model, src, beam_size=3)
    assert {len(h.ids) for h in tree.hypotheses()} == {TGT_LENGTH}
    tree = search_and_attend(model, src, beam_size=3)
    pruned = [sum(n.status == "pruned" for n in tree.at_step(i)) for i in range(TGT_LENGTH + 1)]
    assert pruned == [0] + [N_RUNNERS_UP] * TGT_LENGTH
    bare, full = (
        [h.ids for h in search_tree(model, src, beam_size=3, n_runners_up=n).hypotheses()]
        for n in (0, N_RUNNERS_UP)
    )
    assert full == bare
    sizes = []
    for name, case in tree_cases(checkpoint).items():
        cross, _, lengths = case()
        assert f" {len(cross)} nodes" in name
        assert set(lengths) == set(range(TGT_LENGTH + 1))
        sizes.append(len(cross))
    assert sizes[0] == sizes[1] + N_RUNNERS_UP * TGT_LENGTH
    lengths, widths = cost_cases(checkpoint)
    assert [*map(int, lengths)] == list(COST_LENGTHS)
    assert [*map(int, widths)] == list(COST_WIDTHS)
    assert all({len(h.ids) for h in case().hypotheses()} == {int(n)} for n, case in lengths.items())
    assert all(len(case().hypotheses()) == int(n) for n, case in widths.items())
    # Lengths that a model cannot write are left out.
    path = write_random_checkpoint(
        tmp_path, vocab_size=600, d_model=16, n_heads=2, d_ff=32, n_encoder_layers=1, max_len=40
    )
    small = load_checkpoint(path)
    assert small.model.config.vocab_size == 600
    assert list(cost_cases(small)[0]) == ["8", "16", "32"]


def test_a_cost_is_shared_out_per_token_and_per_further_token():
    timings = {"8": Timing("8", (0.010, 0.012, 0.011)), "16": Timing("16", (0.019,))}
    assert cost_table(timings, "target tokens", "token") == [
        "| target tokens | median ms | fastest ms | median ms per token | ms per further token |",
        "|---:|---:|---:|---:|---:|",
        "| 8 | 11.00 | 10.00 | 1.38 |  |",
        "| 16 | 19.00 | 19.00 | 1.19 | 1.00 |",
    ]
    timing = Timing("x", (0.010, 0.030, 0.020))
    rows = cost_rows({"8": timing, "16": timing}, {"1": timing})
    assert [(r["length"], r["beam_size"]) for r in rows] == [(8, 5), (16, 5), (20, 1)]
    assert [row["seconds"] for row in rows] == pytest.approx([0.02] * 3)
    assert len(tables_of(cost_chart(rows))["rows"]) == 3


@pytest.mark.slow
def test_one_run_measures_every_aim(tiny_checkpoint):
    aims, values = run(str(tiny_checkpoint), repeats=1, n_processes=1)
    text = table("measured", aims, values)
    for words in (
        "Forward", "Greedy", "Beam 5", "Attention of every node", "Cost against length",
        "Cost against width", "In the app", "Command: `python -m benchmarks",
    ):  # fmt: skip
        assert words in text
    assert text.count("met |") + text.count("**missed** |") == 9
    assert "find the same translation" in text


def test_a_table_of_other_weights_than_those_that_ship_says_so():
    shipped = {
        fingerprint_of(*((folder / name).read_bytes() for name in REQUIRED))
        for folder in (ROOT / "checkpoints").iterdir()
        if all((folder / name).exists() for name in REQUIRED)
    }
    named = {
        line: match[1]
        for line in RESULTS.read_text(encoding="utf-8").splitlines()
        if (match := re.search(r"fingerprint ([0-9a-f]{12})", line))
    }
    assert len(named) > 1
    for line, fingerprint in named.items():
        is_old = "older weights than those that ship" in line
        assert is_old == (fingerprint not in shipped), line

"""Turns are taken, medians are medians, and the tables go where they belong."""

import re
import subprocess
import sys

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
from model.checkpoint import REQUIRED, load_checkpoint
from support.models import ROOT
from training.corpus import CorpusError
from training.storing import write_between

MARKS = BEGIN, END = marks("measured")


def test_cases_take_turns_and_a_median_is_in_milliseconds():
    seen = []
    cases = {"a": lambda: seen.append("a"), "b": lambda: seen.append("b")}
    timings = interleave(cases, repeats=2, warmup=1)
    assert "".join(seen) == "ababab"
    assert {name: len(t.seconds) for name, t in timings.items()} == {"a": 2, "b": 2}
    timing = Timing("x", (0.004, 0.001, 0.002))
    assert (timing.median_ms, timing.fastest_ms) == (2.0, 1.0)


def test_zero_repeats_are_refused():
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


def test_writing_leaves_the_words_around_the_markers_alone(tmp_path):
    page = tmp_path / "RESULTS.md"
    page.write_text(f"# Before\n{BEGIN}\nold\n{END}\nafter\n")
    write_between(page, "new", MARKS)
    write_between(page, "newer", MARKS)
    assert page.read_text() == f"# Before\n{BEGIN}\nnewer\n{END}\nafter\n"


@pytest.mark.parametrize("text", ["words", f"words {BEGIN}", f"words {END}"])
def test_a_page_without_markers_is_refused_and_kept(text, tmp_path):
    page = tmp_path / "RESULTS.md"
    page.write_text(text)
    with pytest.raises(CorpusError, match="lacks the lines"):
        write_between(page, "new", MARKS)
    assert page.read_text() == text


@pytest.mark.parametrize("name", [path.name.split(".")[0] for path in TEMPLATES.glob("*.md.j2")])
def test_the_results_page_has_the_markers_of_every_benchmark_once(name):
    text = RESULTS.read_text(encoding="utf-8")
    assert [text.count(mark) for mark in marks(name)] == [1, 1]


def test_what_is_measured_has_its_length_and_runners_up_change_no_answer(tiny_checkpoint):
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


def test_measured_attention_is_that_of_every_node(tiny_checkpoint):
    sizes = []
    for name, case in tree_cases(load_checkpoint(tiny_checkpoint)).items():
        cross, _, lengths = case()
        assert f" {len(cross)} nodes" in name
        assert set(lengths) == set(range(TGT_LENGTH + 1))
        sizes.append(len(cross))
    assert sizes[0] == sizes[1] + N_RUNNERS_UP * TGT_LENGTH


def test_costs_are_of_the_lengths_and_widths_that_they_say(tiny_checkpoint):
    lengths, widths = cost_cases(load_checkpoint(tiny_checkpoint))
    assert [int(n) for n in lengths] == list(COST_LENGTHS)
    assert [int(n) for n in widths] == list(COST_WIDTHS)
    for n, case in lengths.items():
        assert {len(h.ids) for h in case().hypotheses()} == {int(n)}
    for n, case in widths.items():
        assert len(case().hypotheses()) == int(n)


def test_lengths_that_the_model_cannot_write_are_left_out(tmp_path):
    path = write_random_checkpoint(
        tmp_path, vocab_size=600, d_model=16, n_heads=2, d_ff=32, n_encoder_layers=1, max_len=40
    )
    checkpoint = load_checkpoint(path)
    assert checkpoint.model.config.vocab_size == 600
    assert list(cost_cases(checkpoint)[0]) == ["8", "16", "32"]


def test_a_cost_is_shared_out_and_told_from_that_of_one_more():
    timings = {"8": Timing("8", (0.010, 0.012, 0.011)), "16": Timing("16", (0.019,))}
    assert cost_table(timings, "target tokens", "token") == [
        "| target tokens | median ms | fastest ms | median ms per token | ms per further token |",
        "|---:|---:|---:|---:|---:|",
        "| 8 | 11.00 | 10.00 | 1.38 |  |",
        "| 16 | 19.00 | 19.00 | 1.19 | 1.00 |",
    ]


def test_one_run_measures_every_aim(tiny_checkpoint):
    tables = table("measured", **run(str(tiny_checkpoint), repeats=1, n_processes=1))
    for words in (
        "Forward", "Greedy", "Beam 5", "Attention of every node", "Cost against length",
        "Cost against width", "In the app", "Command: `python -m benchmarks",
    ):  # fmt: skip
        assert words in tables
    assert tables.count("met |") + tables.count("**missed** |") == 9
    assert "find the same translation" in tables


def test_help_comes_without_loading_any_library():
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "benchmarks", "--help"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "--checkpoint" in done.stdout
    assert "torch" not in done.stderr


def test_cost_rows_hold_lengths_at_one_width_and_widths_at_one_length():
    from viz.figure import tables_of
    from viz.sweep import cost_chart

    timing = Timing("x", (0.010, 0.030, 0.020))
    rows = cost_rows({"8": timing, "16": timing}, {"1": timing})
    assert [(r["length"], r["beam_size"]) for r in rows] == [(8, 5), (16, 5), (20, 1)]
    assert {round(r["seconds"], 6) for r in rows} == {0.02}
    assert len(tables_of(cost_chart(rows))["rows"]) == 3


def test_a_table_of_other_weights_than_those_that_ship_says_so():
    shipped = {
        fingerprint_of(*((folder / name).read_bytes() for name in REQUIRED))
        for folder in (ROOT / "checkpoints").iterdir()
        if all((folder / name).exists() for name in REQUIRED)
    }
    lines = [
        (line, re.search(r"fingerprint ([0-9a-f]{12})", line))
        for line in RESULTS.read_text(encoding="utf-8").splitlines()
    ]
    named = {line: match[1] for line, match in lines if match}
    assert len(named) > 1
    wrong = [
        line
        for line, fingerprint in named.items()
        if (fingerprint in shipped) == ("older weights than those that ship" in line)
    ]
    assert wrong == []

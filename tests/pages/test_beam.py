"""The page of the search: its tree, what a reader forces, the ranking, other ways, errors."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sacrebleu
import torch
from scipy.stats import binomtest
from streamlit.testing.v1 import AppTest

from core.records.attention import CROSS, AttentionRecord
from core.records.hypotheses import rerank
from core.records.search import FORCED, BeamTree, Budget, Decoding, Sampling
from model import Translator, load_translator, save_checkpoint
from support import app as harness
from support.app import (
    STEPPER,
    always,
    asked,
    charts,
    click,
    data_of,
    n_charts,
    press,
    put,
    run,
    says,
    send,
    step_to,
    table_of,
    words,
)
from support.models import make_model
from support.trees import grow
from ui.kit.bleu import sentence_bleu
from ui.pages.beam import greedy, hypotheses, methods, verdict
from ui.pages.beam import tree as steer
from ui.pages.beam.tree import hypothesis_markdown, strongest, sum_words, sums_mark
from words import Message, english
from words.numbers import fixed

SHORT = "A dog runs."
TREE, RANKING = 0, 1  # of the steppers
DECODING = Decoding(n_runners_up=3, min_len=3, max_len=12)


@pytest.fixture(scope="module")
def root(tmp_path_factory, tiny_tokenizer) -> Path:
    """A folder with a checkpoint of random weights that likes to end its sentences."""
    model = make_model(vocab_size=tiny_tokenizer.vocab_size, max_len=160)
    norm = model.decoder_layers[-1].feed_forward_residual.norm
    end = model.embedding.weight[model.config.eos_id]
    with torch.no_grad():
        norm.weight *= 0.4
        norm.bias += 2 * end / end.norm() ** 2
    root = tmp_path_factory.mktemp("ending")
    save_checkpoint(root / "en-de", model, tiny_tokenizer, card={"languages": ["en", "de"]})
    return root


@pytest.fixture(scope="module")
def ending(root) -> Translator:
    return load_translator(root / "en-de")


@pytest.fixture(scope="module")
def tree(ending):
    return ending.search(SHORT, DECODING)


def open_page(**address: str) -> AppTest:
    known = {"text": SHORT, "min_len": "3", "max_len": "12", "exact_limit": "1"}
    return harness.open_page("beam", **(known | address))


@pytest.fixture
def page(root, monkeypatch) -> AppTest:
    monkeypatch.setenv("ATTENTION_LAB_CHECKPOINTS", str(root))
    return open_page()


def begin(page: AppTest, text: str) -> AppTest:
    return put(page, begin_box=text)


def begun(page: AppTest) -> str:
    return page.text_input("begin_box").value


def click_node(page: AppTest, node_id: int) -> AppTest:
    return click(page, "beam_first", "node", id=node_id)


def opened(page: AppTest) -> int | None:
    return page.selectbox("open_node").value


# -- the tree --------------------------------------------------------------------------------


def test_the_blunder_is_the_first_token_in_which_greedy_search_differs(tree, ending):
    greedy_tree = ending.search(SHORT, replace(DECODING, beam_size=1))
    ways = (tree.hypothesis(tree.best).ids, greedy_tree.hypothesis(greedy_tree.best).ids)
    parts = [n for n, pair in enumerate(zip(*ways, strict=False), start=1) if len(set(pair)) > 1]
    parting = greedy.first_parting(tree)
    assert (parting and parting[0].step) == (parts[0] if parts else None)
    assert greedy.first_parting(greedy_tree) is None


@pytest.mark.parametrize(("status", "step"), [("pruned", 2), ("kept", None), ("finished", None)])
def test_the_path_of_greedy_search_ends_where_the_beam_prunes_it(status, step):
    searched = grow(
        [[(0, 0.6, "kept"), (0, 0.4, "kept")], [(0, 0.3, status), (1, 0.9, "finished")]]
    )
    alone = grow([[(0, 0.6, "kept")], [(0, 0.3, "finished")]])
    last = greedy.pruned_node(searched, alone)
    assert (last and last.step) == step
    marks = greedy.greedy_marks(searched, alone)
    assert marks.greedy == [1, 3]
    output = alone.hypothesis(alone.best)
    # The score of its output stands at the node at which the beam drops it.
    assert (marks.numbers.get(3) == f"…{fixed(output.score)}") == (status == "pruned")
    assert marks.greedy_score == output.score


@pytest.mark.parametrize(
    ("score", "finished", "better"),
    [
        (-1.5, True, "beam"),
        (-0.5, True, "greedy"),
        (-1.004, True, "none"),  # alike as written
        (-1.5, False, "none"),  # no fair comparison
    ],
)
def test_greedy_search_is_held_against_the_beam(tree, monkeypatch, score, finished, better):
    outputs = {}

    def tree_with(score: float, finished: bool) -> BeamTree:
        copy = replace(tree)
        hypothesis = tree.hypothesis(tree.best)
        outputs[id(copy)] = replace(hypothesis, score=score, finished=finished)
        return copy

    both = tree_with(-1.0, True), tree_with(score, finished)
    monkeypatch.setattr(BeamTree, "hypothesis", lambda self, node: outputs[id(self)])
    values = greedy.greedy_message(*both).values
    assert values["better"] == better
    assert (values["score"], values["other"]) == (-1.0, score)


def test_the_page_searches_once_and_once_more_if_greedy_search_differs(page, ending, monkeypatch):
    text = "A man and a dog runs."
    differs = greedy.first_parting(ending.search(text, DECODING)) is not None
    calls = []
    search = Translator._search
    monkeypatch.setattr(Translator, "_search", lambda *a, **k: calls.append(1) or search(*a, **k))
    open_page(text=text)
    assert len(calls) == 1 + differs


def test_a_click_opens_a_node_a_second_closes_it_and_one_that_names_none_does_nothing(page, tree):
    node = next(n for n in tree.nodes if n.status == "pruned")
    click_node(page, node.id)
    assert opened(page) == node.id
    assert str(node.reason) in words(page)
    assert asked(page)["node"] == ".".join(str(i) for i in tree.hypothesis(node.id).ids)
    for node_id in (-1, 10**6, True, None, "3", 1.0):
        assert opened(click_node(page, node_id)) == node.id
    assert opened(click_node(page, node.id)) is None
    assert english.page("beam_no_node").strip() in words(page)
    assert asked(page)["node"] == "none"
    pruned = (n for n in tree.nodes if n.token == "</s>" and n.status == "pruned")
    finished = (n for n in tree.nodes if n.status == "finished")
    for found, said in (
        (tree.nodes[0], "beam-ledger-start"),
        (next(finished), "beam-candidates-ended"),
        (next(pruned), "beam-candidates-ended"),
    ):
        click_node(page, found.id)
        assert says(page, said)
        assert n_charts(page) == 3
        assert (asked(page)["node"] == "root") == (found.id == 0)
    page.session_state["clicks"]["beam_candidates"] = 0
    click(page, "beam_candidates", "candidate", token_id=5)
    assert "force" not in asked(page), "nothing follows an end"


def test_the_open_node_is_found_in_a_wider_tree_and_forgotten_in_another(page, ending, tree):
    path = tree.path(tree.best)
    click_node(page, path[2].id)
    put(page, beam=7)
    wider = ending.search(SHORT, replace(DECODING, beam_size=7))
    assert wider.hypothesis(opened(page)).ids == tree.hypothesis(path[2].id).ids
    assert begun(put(begin(page, "Ein Hund"), text="A man plays.")) == ""
    assert "node" not in page.query_params


def test_a_label_of_an_earlier_menu_opens_nothing_and_loses_nothing(page):
    before = opened(page)
    menu = page.selectbox("open_node")
    # As from a browser whose menu is of an earlier tree, while a slider is held.
    menu.options.append("▁Hund · rank 9")
    assert opened(menu.set_value("▁Hund · rank 9").run()) == before
    assert page.text_input("text").value == SHORT


def test_the_step_is_kept_where_the_reader_left_it_and_draws_no_tree_anew(page, tree):
    last = max(node.step for node in tree.nodes)
    before = [chart.SerializeToString() for chart in charts(page)]
    assert data_of(page, STEPPER, TREE)["step"] == data_of(page, STEPPER, TREE)["last"] == last
    step_to(page, last - 1, TREE)
    send(page, STEPPER, TREE, step=None)
    assert asked(page)["step"] == str(last - 1)
    assert [chart.SerializeToString() for chart in charts(page)] == before
    assert "step" not in asked(step_to(page, last, TREE))
    put(page, max_len=4)
    assert data_of(put(page, max_len=12), STEPPER, TREE)["step"] == last


def test_a_search_that_has_something_odd_about_it_says_so(page, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(Translator, "vocab_size", 4)
        assert says(run(page), "beam-tree-wide", width=DECODING.beam_size, n=4)
    always(monkeypatch, AttentionRecord, across=None)
    assert says(run(page), "beam-looked-nothing")


def test_pieces_and_sums_are_written_so_that_they_can_be_read(tree):
    nodes = list(tree.nodes)
    nodes[1] = replace(nodes[1], token="▁**[x](y)**")
    text = hypothesis_markdown(replace(tree, nodes=tuple(nodes)), nodes[1])
    assert r"\*\*\[x\]\(y\)\*\*" in text
    text = sum_words([-float(i) for i in range(1, 21)])
    left_out = english("beam-ledger-left-out", n=14)
    assert text.startswith(f"− 1.00 − 2.00 − 3.00 − {left_out} −")
    assert text.endswith("− 18.00 − 19.00 − 20.00")


def test_the_surest_heads_are_named_first():
    weights = np.array([[[0.9, 0.1], [0.2, 0.8]], [[0.5, 0.5], [0.3, 0.7]]])
    heads = [h.values for h in strongest(weights, ("▁a", "▁b"), count=2).values["heads"]]
    assert [(each["token"], each["weight"]) for each in heads] == [("a", 0.9), ("b", 0.8)]
    free = replace(CROSS, normalised=False)
    for site, factor, id in ((CROSS, 1, "sums"), (CROSS, 0.9, "no-sums"), (free, 0.9, "free")):
        assert english(f"beam-looked-{id}") in sums_mark(weights * factor, site)


# -- a beginning that a reader forces --------------------------------------------------------


def force(page: AppTest, place: int) -> AppTest:
    page.selectbox("force_menu").select_index(place)
    return press(run(page), "force_token")


def test_undo_takes_back_one_beginning_at_a_time_and_that_of_as_searched(page):
    assert n_charts(begin(page, "   ")) == 4
    assert "begin" not in asked(page)
    assert n_charts(begin(begin(page, "Ein"), "Ein Hund")) == 5
    assert begun(press(page, "undo")) == "Ein"
    assert n_charts(press(page, "reset")) == 4
    assert begun(press(page, "undo")) == "Ein"
    assert begun(press(page, "undo")) == ""
    assert n_charts(page) == 4
    assert "undo" not in [button.key for button in page.button]


def test_a_lost_translation_is_told_from_a_worse_one():
    for gain, same, ended, id, told in (
        (0.2, False, (True, True), "more", {"gain": 0.2}),
        (-0.2, False, (True, True), "less", {"loss": 0.2}),
        (1e-5, False, (True, True), "equal", {}),
        (0.0, True, (True, True), "same", {}),
        (0.2, False, (True, False), "one-ended", {}),
        (0.2, False, (False, False), "none-ended", {}),
    ):
        assert steer.gained(gain, same, ended) == Message.of(f"beam-gain-{id}", **told)


def test_the_forced_node_is_open_and_the_address_shows_the_same(page, tree):
    force(click_node(page, 0), 4)
    assert page.segmented_control("open_side").value == "second"
    assert opened(page) == 1
    fate = {"status": english("beam-status-kept"), "why": "known", "reason": FORCED}
    assert english("beam-ledger-fate", **fate) in words(page)
    node = next(n for n in tree.nodes if n.step == 2 and n.token != "</s>")
    force(step_to(click_node(page, node.id), 2, TREE), 2)
    there = open_page(**asked(page))
    assert opened(there) == opened(page)
    assert data_of(there, STEPPER, TREE)["step"] == 2
    assert table_of(there, "tree").equals(table_of(page, "tree"))
    assert begun(open_page(begin="Ein Hund")) == "Ein Hund"


# -- the ranking, other methods and widths ---------------------------------------------------


def test_what_if_ranks_anew_without_searching_and_begins_at_the_alpha_of_the_search(
    page, tree, monkeypatch
):
    lines = table_of(page, "was")
    assert list(lines["text"]) == list(rerank(tree, tree.alpha, "wu")["text"])
    assert list(lines["rank"]) == list(lines["was"])
    assert data_of(put(page, alpha=1.5), STEPPER, RANKING)["step"] == round(1.5 / hypotheses.UNIT)
    put(page, alpha=tree.alpha)
    monkeypatch.setattr(Translator, "_search", None)
    step_to(page, round(2.0 / hypotheses.UNIT), RANKING)
    assert list(table_of(page, "was")["text"]) == list(rerank(tree, 2.0, "wu")["text"])


def test_exact_search_keeps_certain_and_uncertain_apart(ending, tree):
    proven = ending.exact_search("A dog.", Decoding(max_len=3), budget=Budget(seconds=60))
    best = tree.hypothesis(tree.best)
    equal = replace(proven, best=replace(best, finished=True), proven=True, reason=None)
    given_up = replace(equal, proven=False, reason=Message("model-exact-out-of-time"))
    better = replace(equal, best=replace(best, score=best.score + 1))
    for exact, id in (
        (equal, "proven"),
        (given_up, "unproven"),
        (better, "better-best"),
        (replace(better, proven=False), "better-found"),
        (replace(equal, best=None), "none"),
    ):
        assert methods.exact_message(exact, tree).id == f"beam-exact-{id}"
    assert methods.exact_message(given_up, tree).values["reason"] == given_up.reason
    assert methods.exact_message(better, tree).values["gain"] == pytest.approx(1)


def test_samples_drawn_twice_are_counted(ending):
    tree = ending.sample(SHORT, Sampling(n_samples=6, temperature=0.0, max_len=5))
    assert list(methods.samples_table(tree)["times"]) == [6]


def test_the_narrowest_width_with_the_best_score_is_the_one_that_the_table_shows():
    names = ("1 (greedy)", "3", "5", "10")
    for scores, change, best in (
        ((-0.8, -0.50003, -0.5, -0.5), "raises", "3"),  # the table shows the last three alike
        ((-0.5, -0.6, -0.49997, -0.5), "keeps", "1 (greedy)"),
        ((-0.4, -0.5, -0.5, -0.6), "lowers", "1 (greedy)"),
    ):
        lines = pd.DataFrame({"beam_size": names, "score": scores, "text": ("a", "b", "b", "c")})
        told = methods.widths_message(lines)
        assert (told.id, told.values["best"]) == (f"beam-width-{change}", best)


def test_widths_with_one_output_share_a_line_wherever_they_stand():
    lines = pd.DataFrame(
        {
            "beam_size": [1, 2, 3, 5],
            "text": ["a", "b", "a", "c"],
            "tokens": [("a",), ("b",), ("a",), ("c",)],
            "score": [-1.0, -0.9, -1.0, -0.5],
        }
    )
    groups = methods.width_groups(lines, searched=3)
    assert list(groups["text"]) == ["a", "b", "c"]
    assert list(groups["chosen"]) == [True, False, False]
    assert groups["beam_size"][0].endswith("1, 3")
    assert list(groups["score"]) == [-1.0, -0.9, -0.5]


# -- errors ----------------------------------------------------------------------------------


def test_bleu_and_its_parts_are_those_of_sacrebleu():
    output = "der Hund läuft durch den Schnee"
    reference = "ein Hund läuft durch tiefen Schnee heute"
    found = sentence_bleu(output, reference)
    assert found.score == pytest.approx(sacrebleu.sentence_bleu(output, [reference]).score)
    assert (found.counts, found.totals) == ([4, 2, 1, 0], [6, 5, 4, 3])
    assert found.precisions[0] == pytest.approx(100 * 4 / 6)
    assert found.bp == pytest.approx(math.exp(1 - 7 / 6))
    assert sentence_bleu("", "ein Hund").score == 0


def test_searches_with_one_output_share_a_line_and_the_reference_joins_its_equal(ending, tree):
    greedy_tree = ending.search(SHORT, replace(DECODING, beam_size=1))
    exact = ending.exact_search(SHORT, replace(DECODING, beam_size=1), budget=Budget(seconds=60))
    lines = verdict.sentence_lines(tree, greedy_tree, exact)
    assert lines["text"].is_unique
    names = " = ".join(lines["name"])
    for name in ("greedy", "exact")[: 1 + exact.proven]:
        assert english(f"beam-method-{name}") in names
    assert english("beam-method-beam", width=tree.beam_size) in names
    found = ending.diagnose_search(SHORT, lines["text"][0], DECODING, tree=tree)
    joined = verdict.with_reference(lines, found)
    assert len(joined) == len(lines)
    assert joined["name"][0].endswith(english("beam-reference"))
    assert list(joined["chosen"]) == [True] + [False] * (len(lines) - 1)


def test_shares_of_proven_search_errors_are_counted_with_the_bounds_of_wilson():
    exact = pd.DataFrame(
        {"set": "val", "alpha": 0.6, "beam_size": [1, 5], "not_best": [23, 0], "best": [76, 99]}
    ).assign(undecided=1)
    rows = verdict.error_rows(exact, 5)
    assert list(rows["value"]) == pytest.approx([0.23, 0.0])
    assert list(rows["n"]) == [100, 100]
    assert list(rows["chosen"]) == [False, True]
    for row, k in zip(rows.itertuples(), (23, 0), strict=True):
        expected = binomtest(k, row.n).proportion_ci(method="wilson")
        assert (row.low, row.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_a_width_that_exact_search_did_not_judge_has_no_share():
    counts = {"not_best": 1, "best": 2, "undecided": 1}
    widths = [{"beam_size": 1, **dict.fromkeys(counts, 0)}, {"beam_size": 5, **counts}]
    stored = {"errors": {"exact": [{"set": "val", "alpha": 0.0, "widths": widths}]}}
    rows = verdict.error_rows(verdict.exact_rows(stored), 5)
    assert list(rows["value"]) == [0.25]
    stored["errors"]["exact"][0]["widths"].pop()
    assert verdict.exact_rows(stored).empty


def test_every_verdict_of_a_search_is_a_row_of_its_bar():
    shares = {"same": 0.2, "search error": 0.015, "model error": 0.78, "length penalty": 0.005}
    tally = pd.DataFrame([{"set": "val", "beam_size": 5, "sentences": 400, **shares, "void": 0.0}])
    rows = verdict.verdict_rows(tally, 5)
    assert rows["value"].sum() == pytest.approx(1)
    # No reference was without a verdict.
    assert list(rows["value"]) == [0.2, 0.015, 0.005, 0.78]
    assert set(rows["aside"]) == {english("beam-verdicts-search", share=0.015)}
    assert rows["chosen"].all()


def test_the_measured_width_nearest_to_that_of_the_search_is_marked():
    measured = pd.DataFrame({"beam_size": [1, 5, 20, 1]})
    nearest = [verdict.nearest_width(measured, width) for width in (1, 3, 4, 12, 13, 50)]
    assert nearest == [1, 1, 5, 5, 20, 20]


@pytest.mark.parametrize(
    ("bleu", "lengths", "tells"),
    [
        ([39.0, 40.0, 39.8], [1.0, 0.98, 0.96], True),
        ([39.0, 39.8, 40.0], [1.0, 0.98, 0.96], False),
        ([39.0, 40.0, 39.8], [1.0, 0.98, 0.99], False),
        ([], [], False),
    ],
)
def test_a_wider_beam_is_called_worse_where_it_was_measured_so(bleu, lengths, tells):
    widths = (1, 5, 20)
    rows = [
        {"beam_size": width, "bleu": value, "length_ratio": length, "sentences": 7}
        for width, value, length in zip(widths, bleu, lengths, strict=False)
    ]
    stored = {"sweep": rows}
    told = english("beam-width-sweep", n=7, best="5", several="no", high=40.0, low=39.8, widest=20)
    assert (told in methods.sweep_fact(stored, methods.sweep_rows(stored))) == tells


def test_all_widths_with_the_best_number_as_written_are_named():
    rows = [
        {"beam_size": width, "bleu": bleu, "length_ratio": 1 - width / 100, "sentences": 7}
        for width, bleu in ((1, 39.0), (3, 39.98), (5, 40.02), (20, 39.8))
    ]
    stored = {"sweep": rows}
    assert "widths 3 and 5" in methods.sweep_fact(stored, methods.sweep_rows(stored))

"""The beam page, driven without a browser."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sacrebleu
import streamlit as st
import torch
from streamlit.testing.v1 import AppTest

from core.attention import CROSS, AttentionRecord
from core.hypotheses import hypotheses_table, rerank
from core.search import FORCED, VERDICTS, Decoding, Sampling
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
from ui.beam import hypotheses, methods, verdict
from ui.beam import tree as steer
from ui.beam.tree import hypothesis_markdown, ledger_messages, strongest, sum_words, sums_mark
from words import Message, english

SHORT = "A dog runs."
TREE, RANKING = 0, 1  # of the steppers
# What the page asks for at first, but for the lengths.
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
def tiny_translator(root) -> Translator:
    return load_translator(root / "en-de")


@pytest.fixture
def folder(root, monkeypatch) -> Path:
    monkeypatch.setenv("ATTENTION_LAB_CHECKPOINTS", str(root))
    return root


def open_page(**address: str) -> AppTest:
    known = {"text": SHORT, "min_len": "3", "max_len": "12", "exact_limit": "1"}
    return harness.open_page("beam", **(known | address))


@pytest.fixture
def page(folder) -> AppTest:
    return open_page()


@pytest.fixture(scope="module")
def tree(tiny_translator):
    return tiny_translator.search(SHORT, DECODING)


def look(page: AppTest, name: str) -> AppTest:
    return put(page, beam_look=name)


def begin(page: AppTest, text: str) -> AppTest:
    return put(page, begin_box=text)


def begun(page: AppTest) -> str:
    return page.text_input("begin_box").value


def click_node(page: AppTest, node_id: int) -> AppTest:
    return click(page, "beam_first", "node", id=node_id)


def opened(page: AppTest) -> int | None:
    return page.selectbox("open_node").value


# The tree


def test_open_is_the_least_sure_token_and_it_is_said_where_greedy_search_loses(
    page, tree, tiny_translator
):
    path = tree.path(tree.best)[1:]
    assert opened(page) == min(path, key=lambda node: node.log_prob).id
    greedy = tiny_translator.search(SHORT, replace(DECODING, beam_size=1))
    ways = (tree.hypothesis(tree.best).ids, greedy.hypothesis(greedy.best).ids)
    parts = [n for n, pair in enumerate(zip(*ways, strict=False), start=1) if len(set(pair)) > 1]
    assert steer.greedy_message(tree).values.get("step") == (parts[0] if parts else None)


def test_greedy_search_is_not_told_that_it_finds_its_own_output_too(tiny_translator):
    narrow = tiny_translator.search(SHORT, replace(DECODING, beam_size=1))
    assert steer.greedy_message(narrow).id == "beam-tree-width-one"


@pytest.mark.parametrize(
    ("scores", "change", "best"),
    [
        ((-0.8, -0.50003, -0.5, -0.5), "raises", "3"),  # the table shows the last three alike
        ((-0.5, -0.6, -0.49997, -0.5), "keeps", "1 (greedy)"),
        ((-0.4, -0.5, -0.5, -0.6), "lowers", "1 (greedy)"),
    ],
)
def test_the_narrowest_width_with_the_best_score_is_the_one_that_the_table_shows(
    scores, change, best
):
    names = ("1 (greedy)", "3", "5", "10")
    lines = pd.DataFrame({"beam_size": names, "score": scores, "text": ("a", "b", "b", "c")})
    told = methods.widths_message(lines)
    assert (told.id, told.values["best"]) == (f"beam-width-{change}", best)


def test_the_page_searches_once(folder, monkeypatch):
    calls = []
    search = Translator._search
    monkeypatch.setattr(Translator, "_search", lambda *a, **k: calls.append(1) or search(*a, **k))
    open_page(text="A man and a dog runs.")
    assert calls == [1]


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
    for found, said in (
        (tree.nodes[0], "beam-ledger-start"),
        (next(n for n in tree.nodes if n.status == "finished"), "beam-candidates-ended"),
    ):
        click_node(page, found.id)
        assert says(page, said)
        assert n_charts(page) == 3
        assert (asked(page)["node"] == "root") == (found.id == 0)


@pytest.mark.parametrize("kind", ["wu", "length", "none"])
def test_the_ledger_adds_up_and_names_the_penalty_in_use(tree, kind):
    node = tree.nodes[tree.best]
    total = math.fsum(n.log_prob for n in tree.path(node.id))
    penalty = {"wu": ((5 + node.step) / 6) ** 0.6, "length": node.step**0.6, "none": 1.0}[kind]
    line, score = ledger_messages(replace(tree, penalty=kind), node)[2:4]
    assert line.id == f"beam-ledger-penalty-{kind}"
    assert (line.values["length"], line.values["alpha"]) == (node.step, 0.6)
    assert line.values["value"] == pytest.approx(penalty)
    assert node.cum_log_prob == pytest.approx(total, abs=1e-4)
    assert score.values["sum"] == pytest.approx(total, abs=1e-4)


def test_the_open_node_is_found_in_a_wider_tree_and_forgotten_in_another(
    page, tiny_translator, tree
):
    path = tree.path(tree.best)
    click_node(page, path[2].id)
    put(page, beam=7)
    wider = tiny_translator.search(SHORT, replace(DECODING, beam_size=7))
    assert wider.hypothesis(opened(page)).ids == tree.hypothesis(path[2].id).ids
    assert begun(put(begin(page, "Ein Hund"), text="A man plays.")) == ""
    assert "node" not in page.query_params


def test_the_step_is_kept_where_the_reader_left_it_and_draws_no_tree_anew(page, tree):
    last = max(node.step for node in tree.nodes)
    before = [chart.SerializeToString() for chart in charts(page)]
    shown = data_of(page, STEPPER, TREE)
    assert (shown["step"], shown["last"]) == (last, last)
    step_to(page, last - 1, TREE)
    assert asked(page)["step"] == str(last - 1)
    assert data_of(page, STEPPER, TREE)["step"] == last - 1
    send(page, STEPPER, TREE, step=None)
    assert asked(page)["step"] == str(last - 1)
    assert [chart.SerializeToString() for chart in charts(page)] == before
    assert "step" not in asked(step_to(page, last, TREE))
    put(page, max_len=4)
    assert data_of(put(page, max_len=12), STEPPER, TREE)["step"] == last


def test_a_beam_beyond_the_vocabulary_is_named(page, monkeypatch):
    monkeypatch.setattr(Translator, "vocab_size", 4)
    assert says(run(page), "beam-tree-wide", width=DECODING.beam_size, n=4)


def test_a_hypothesis_that_never_ends_is_named(checkpoints_root, monkeypatch):
    monkeypatch.setenv("ATTENTION_LAB_CHECKPOINTS", str(checkpoints_root))
    page = open_page()
    assert says(page, "beam-hypotheses-cut", n=12)
    look(page, "methods")
    ends = {"least": 3, "most": 12, "text": "@", "work": "@"}
    assert english("beam-exact-ends-best", **ends).split(". ")[0] in words(page)
    look(page, "tree")
    assert n_charts(page) == 4


def test_nothing_can_be_forced_after_an_end_that_was_pruned(page, tree):
    node = next(n for n in tree.nodes if n.token == "</s>" and n.status == "pruned")
    click_node(page, node.id)
    assert says(page, "beam-candidates-ended")
    page.session_state["clicks"]["beam_candidates"] = 0
    click(page, "beam_candidates", "candidate", token_id=5)
    assert "force" not in asked(page)


# Steering


def force(page: AppTest, place: int) -> AppTest:
    page.selectbox("force_menu").select_index(place)
    return press(run(page), "force_token")


def test_undo_takes_back_one_beginning_at_a_time_and_that_of_as_searched(page):
    assert n_charts(begin(begin(page, "Ein"), "Ein Hund")) == 5
    assert begun(press(page, "undo")) == "Ein"
    assert n_charts(page) == 5
    assert n_charts(press(page, "reset")) == 4
    assert begun(press(page, "undo")) == "Ein"
    assert begun(press(page, "undo")) == ""
    assert n_charts(page) == 4
    assert "undo" not in [button.key for button in page.button]


def test_a_blank_beginning_is_none(page):
    assert begun(begin(page, "   ")).strip() == ""
    assert not page.error
    assert n_charts(page) == 4
    assert "begin" not in asked(page)


@pytest.mark.parametrize(
    ("gain", "lost", "ended", "told"),
    [
        (0.2, False, (True, True), Message.of("beam-gain-more", gain=0.2)),
        (-0.2, False, (True, True), Message.of("beam-gain-less", loss=0.2)),
        (1e-5, False, (True, True), "beam-gain-equal"),
        (0.0, True, (True, True), "beam-gain-same"),
        (0.2, False, (True, False), "beam-gain-one-ended"),
        (0.2, False, (False, False), "beam-gain-none-ended"),
    ],
)
def test_a_lost_translation_is_told_from_a_worse_one(gain, lost, ended, told):
    found = steer.gained(gain, lost, ended)
    assert told in (found, found.id)


# Hypotheses


def test_what_if_ranks_anew_without_searching_and_begins_at_the_alpha_of_the_search(
    page, tree, monkeypatch
):
    lines = table_of(page, "was")
    assert list(lines["text"]) == list(hypotheses_table(tree)["text"])
    assert list(lines["rank"]) == list(lines["was"])
    assert data_of(put(page, alpha=1.5), STEPPER, RANKING)["step"] == round(1.5 / hypotheses.UNIT)
    put(page, alpha=tree.alpha)
    monkeypatch.setattr(Translator, "_search", None)
    step_to(page, round(2.0 / hypotheses.UNIT), RANKING)
    assert list(table_of(page, "was")["text"]) == list(rerank(tree, 2.0, "wu")["text"])


# Methods


def test_exact_search_keeps_certain_and_uncertain_apart(tiny_translator, tree):
    proven = tiny_translator.exact_search("A dog.", Decoding(max_len=3), time_limit=60)
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


def test_samples_drawn_twice_are_counted(tiny_translator):
    tree = tiny_translator.sample(SHORT, Sampling(n_samples=6, temperature=0.0, max_len=5))
    lines = methods.samples_table(tree)
    assert list(lines["times"]) == [6]


# Width


def tallied(width: int, search: float) -> dict:
    shares = dict.fromkeys(VERDICTS, 0.0) | {"search error": search, "model error": 0.5 - search}
    return {"set": "tatoeba_val", "beam_size": width, "sentences": 100, "normalised": shares}


def test_the_tally_says_what_would_help():
    searches = {"errors": {"tally": [tallied(1, 0.4), tallied(5, 0.1)]}}
    tally = verdict.tally_rows(searches, normalised=True)
    assert list(tally["set"]) == ["Tatoeba validation"] * 2
    shares, helps = verdict.tally_messages(tally, 1)
    assert shares.values["search"] == pytest.approx(0.8)
    assert helps.id == verdict.tally_messages(tally, 2)[1].id == "beam-helps-wider"
    assert verdict.tally_messages(tally, 5)[1].id == "beam-helps-model"


# Errors


def test_the_verdict_on_a_reference_names_the_step_and_the_output_itself_is_no_error(
    tiny_translator, tree
):
    found = tiny_translator.compare(SHORT, "Ein Mann spielt.", tree=tree)
    by_score, by_sum, fell = verdict.verdict_messages(found)
    assert by_score.values["verdict"].id == "beam-verdict-" + found.verdict.replace(" ", "-")
    assert by_sum.values["verdict"].id.endswith(found.plain_verdict.replace(" ", "-"))
    assert fell.values["step"] == found.fell_out_at
    same = replace(found, verdict="same", plain_verdict="same", void=None)
    (only,) = verdict.verdict_messages(same)
    assert only.values["verdict"].id == "beam-verdict-same"


def test_bleu_and_its_parts_are_those_of_sacrebleu():
    output = "der Hund läuft durch den Schnee"
    reference = "ein Hund läuft durch tiefen Schnee heute"
    found = verdict.sentence_bleu(output, reference)
    assert found.score == pytest.approx(sacrebleu.sentence_bleu(output, [reference]).score)
    assert (found.counts, found.totals) == ([4, 2, 1, 0], [6, 5, 4, 3])
    assert found.precisions[0] == pytest.approx(100 * 4 / 6)
    assert found.bp == pytest.approx(math.exp(1 - 7 / 6))
    assert verdict.sentence_bleu("", "ein Hund").score == 0


# The address


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
    assert there.segmented_control("open_side").value == "second"
    assert data_of(there, STEPPER, TREE)["step"] == 2
    assert table_of(there, "tree").equals(table_of(page, "tree"))
    there = open_page(begin=asked(begin(page, "Ein Hund"))["begin"])
    assert begun(there) == "Ein Hund"
    assert n_charts(there) == 5


# Sessions and words


def test_markdown_in_pieces_stays_text(tree):
    nodes = list(tree.nodes)
    nodes[1] = replace(nodes[1], token="▁**[x](y)**")
    text = hypothesis_markdown(replace(tree, nodes=tuple(nodes)), nodes[1])
    assert r"\*\*\[x\]\(y\)\*\*" in text


def test_long_sums_keep_their_ends():
    text = sum_words([-float(i) for i in range(1, 21)])
    left_out = english("beam-ledger-left-out", n=14)
    assert text.startswith(f"− 1.00 − 2.00 − 3.00 − {left_out} −")
    assert text.endswith("− 18.00 − 19.00 − 20.00")


def test_the_surest_heads_are_named_first():
    weights = np.array([[[0.9, 0.1], [0.2, 0.8]], [[0.5, 0.5], [0.3, 0.7]]])
    heads = strongest(weights, ("▁a", "▁b"), count=2).values["heads"]
    found = [
        (*h.values["head"].values.values(), h.values["token"], h.values["weight"]) for h in heads
    ]
    assert found == [(1, 1, "a", 0.9), (1, 2, "b", 0.8)]
    assert english("beam-looked-sums") in sums_mark(weights, CROSS)
    assert english("beam-looked-no-sums") in sums_mark(weights * 0.9, CROSS)
    free = replace(CROSS, normalised=False)
    assert sums_mark(weights * 0.9, free) == english("beam-looked-free")


def test_a_model_that_looks_nowhere_says_so(page, monkeypatch):
    always(monkeypatch, AttentionRecord, across=None)
    assert says(run(page), "beam-looked-nothing")


@pytest.mark.parametrize(("look_at", "column"), [("methods", "method"), ("width", "beam_size")])
def test_what_a_view_tells_of_a_search_does_not_hang_on_when_it_ran(folder, look_at, column):
    """A first search is slow because it is the first: its time is no property of the search."""

    def told() -> tuple[list[str], pd.DataFrame]:
        st.cache_data.clear()
        st.cache_resource.clear()
        page = open_page(beam_look=look_at)
        lines = table_of(page, column)
        exact = [english(f"beam-method-exact{end}") for end in ("", "-given-up")]
        return [each.value for each in page.caption], lines[~lines[column].isin(exact)]

    (captions, lines), (again, lines_again) = told(), told()
    assert captions == again != []
    pd.testing.assert_frame_equal(lines, lines_again, check_exact=True)

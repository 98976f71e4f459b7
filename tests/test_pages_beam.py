"""The beam page, driven without a browser."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import harness
import numpy as np
import pandas as pd
import pytest
import sacrebleu
import streamlit as st
import torch
from conftest import make_model
from harness import (
    DEFAULT,
    STEPPER,
    TOLD,
    asked,
    charts,
    click,
    data_of,
    n_charts,
    run,
    says,
    send,
    step_to,
    table_of,
    tables,
    words,
)
from streamlit.testing.v1 import AppTest

from analysis.hypotheses import hypotheses_table, hypothesis_text, rerank
from model import Translator, load_translator, save_checkpoint
from records import CROSS, FORCED, Decoding, Sampling
from records.measurements import SEARCH
from records.stored import checked
from ui.address import IDS
from ui.beam import hypotheses, methods, verdict
from ui.beam import tree as steer
from ui.beam.tree import hypothesis_markdown, ledger_messages, strongest, sum_words, sums_mark
from words import Message, english
from words.numbers import fixed

SHORT = "A dog runs."
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
    card = {"title": "Random weights", "languages": ["en", "de"], "licence": "MIT"}
    save_checkpoint(root / "en-de", model, tiny_tokenizer, card=card)
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
    page.segmented_control("beam_look").set_value(name)
    return run(page)


def click_node(page: AppTest, node_id: int, side: str = "first") -> AppTest:
    return click(page, f"beam_{side}", "node", id=node_id)


def opened(page: AppTest) -> int | None:
    return page.selectbox("open_node").value


# The tree


def test_the_tree_of_the_sentence_is_there_at_once(page, tree):
    assert not page.error
    assert n_charts(page) == 3  # tree, candidates, attention
    found = page.session_state["run"].translation
    numbers = {"n_src": len(found.src), "n_tgt": len(found.tgt), "score": found.score}
    assert says(page, "run-numbers", beam=DECODING.beam_size, **numbers)


def test_the_least_sure_token_of_the_best_hypothesis_is_open_at_first(page, tree):
    path = tree.path(tree.best)[1:]
    assert opened(page) == min(path, key=lambda node: node.log_prob).id


def test_the_page_says_where_greedy_search_loses_the_best_hypothesis(page, tree, tiny_translator):
    greedy = tiny_translator.search(SHORT, replace(DECODING, beam_size=1))
    ways = (tree.hypothesis(tree.best).ids, greedy.hypothesis(greedy.best).ids)
    parts = [n for n, pair in enumerate(zip(*ways, strict=False), start=1) if len(set(pair)) > 1]
    found = steer.greedy_message(tree)
    assert found.values.get("step") == (parts[0] if parts else None)
    assert str(found).replace("\\", "") in words(page)


def test_the_page_searches_once(folder, monkeypatch):
    calls = []
    search = Translator._search
    monkeypatch.setattr(Translator, "_search", lambda *a, **k: calls.append(1) or search(*a, **k))
    open_page(text="A man and a dog runs.")
    assert calls == [1]


def test_a_click_on_a_node_opens_it(page, tree):
    node = next(n for n in tree.nodes if n.status == "pruned")
    click_node(page, node.id)
    assert opened(page) == node.id
    assert str(node.reason) in words(page)
    assert asked(page)["node"] == ".".join(str(i) for i in tree.hypothesis(node.id).ids)


def test_a_second_click_closes_the_node(page):
    click_node(page, 3)
    click_node(page, 3)
    assert opened(page) is None
    assert english.page("beam_no_node").strip() in words(page)
    assert asked(page)["node"] == "none"


def test_a_click_that_names_no_node_changes_nothing(page):
    before = opened(page)
    for node_id in (-1, 10**6, True, None, "3", 1.0):
        click_node(page, node_id)
        assert opened(page) == before


def test_the_ledger_adds_up(page, tree):
    node = tree.nodes[tree.best]
    click_node(page, node.id)
    total = math.fsum(n.log_prob for n in tree.path(node.id))
    assert node.cum_log_prob == pytest.approx(total, abs=1e-4)
    penalty = ((5 + node.step) / 6) ** 0.6
    shown = {"sum": total, "penalty": penalty, "score": total / penalty}
    assert says(page, "beam-ledger-score", **shown)
    wu = {"length": node.step, "alpha": 0.6, "value": penalty}
    assert says(page, "beam-ledger-penalty-wu", **wu)


def test_the_root_says_that_nothing_was_chosen(page):
    click_node(page, 0)
    assert says(page, "beam-ledger-start")
    assert asked(page)["node"] == "root"


def test_a_finished_node_has_nothing_that_could_follow(page, tree):
    node = next(n for n in tree.nodes if n.status == "finished")
    click_node(page, node.id)
    assert says(page, "beam-candidates-ended")
    assert n_charts(page) == 2


def test_the_menus_open_a_node(page, tree):
    page.selectbox("open_step").set_value(2)
    run(page)
    last = tree.at_step(2)[-1].id
    page.selectbox("open_node").set_value(last)
    run(page)
    assert opened(page) == last


def test_the_open_node_is_found_again_in_a_wider_tree(page, tiny_translator, tree):
    path = tree.path(tree.best)
    click_node(page, path[2].id)
    page.slider("beam").set_value(7)
    run(page)
    wider = tiny_translator.search(SHORT, replace(DECODING, beam_size=7))
    assert wider.hypothesis(opened(page)).ids == tree.hypothesis(path[2].id).ids


def test_another_sentence_forgets_node_and_beginning(page):
    click_node(page, 3)
    page.text_input("begin_box").set_value("Ein Hund")
    run(page)
    page.text_input("text").set_value("A man plays.")
    run(page)
    assert page.text_input("begin_box").value == ""
    assert "node" not in page.query_params


def test_the_step_is_kept_where_the_reader_left_it(page, tree):
    last = max(node.step for node in tree.nodes)
    shown = data_of(page, STEPPER)
    assert (shown["step"], shown["last"]) == (last, last)
    step_to(page, last - 1)
    assert asked(page)["step"] == str(last - 1)
    assert data_of(page, STEPPER)["step"] == last - 1
    step_to(page, last)
    assert "step" not in asked(page)


def test_a_step_that_makes_no_sense_is_not_taken(page):
    before = asked(page)
    identity = data_of(page, STEPPER)["identity"]
    good = {"identity": identity, "number": 1, "step": 2}
    for bad in ({"step": -1}, {"step": 99}, {"step": 1.5}, {"step": True}, {"identity": "other"}):
        send(page, STEPPER, step={**good, **bad})
        assert asked(page) == before
    send(page, STEPPER, step=None)
    assert asked(page) == before


def test_another_step_draws_no_tree_anew(page):
    before = [chart.SerializeToString() for chart in charts(page)]
    step_to(page, 2)
    assert [chart.SerializeToString() for chart in charts(page)] == before


@pytest.mark.parametrize("runners", [0, 6])
def test_runners_up_are_as_many_as_asked_for(folder, runners, tiny_translator):
    page = open_page(runners_up=str(runners))
    tree = tiny_translator.search(SHORT, replace(DECODING, n_runners_up=runners))
    page.selectbox("open_step").set_value(3)
    run(page)
    assert len(page.selectbox("open_node").options) == len(tree.at_step(3))


def test_penalty_and_its_place_reach_the_search(page, tiny_translator):
    page.radio("penalty").set_value("length")
    page.radio("penalise").set_value("pruning")
    page.number_input("min_len").set_value(4)
    run(page)
    decoding = replace(DECODING, penalty="length", penalise="pruning", min_len=4)
    tree = tiny_translator.search(SHORT, decoding)
    click_node(page, tree.best)
    assert f"**{fixed(tree.nodes[tree.best].score, 4)}**" in words(page)


def test_a_least_length_above_the_most_is_named_and_left_out(page, tree):
    page.number_input("min_len").set_value(99)
    run(page)
    assert says(page, "least-above-most", least=99, most=12)
    assert n_charts(page) >= 2


def test_a_beam_wider_than_the_vocabulary_is_named(page, monkeypatch):
    monkeypatch.setattr(Translator, "vocab_size", 4)
    run(page)
    assert says(page, "beam-tree-wide", width=DECODING.beam_size, n=4)


def test_a_hypothesis_that_never_ends_is_named(checkpoints_root, monkeypatch):
    monkeypatch.setenv("ATTENTION_LAB_CHECKPOINTS", str(checkpoints_root))
    page = open_page(beam_look="hypotheses")
    assert says(page, "beam-hypotheses-cut", n=12)
    look(page, "methods")
    ends = {"least": 3, "most": 12, "text": "@", "work": "@"}
    assert english("beam-exact-ends-best", **ends).split(". ")[0] in words(page)
    look(page, "tree")
    assert n_charts(page) == 3


def test_nothing_can_be_forced_after_an_end_that_was_pruned(page, tree):
    node = next(n for n in tree.nodes if n.token == "</s>" and n.status == "pruned")
    click_node(page, node.id)
    assert says(page, "beam-candidates-ended")
    page.session_state["clicks"]["beam_candidates"] = 0
    click(page, "beam_candidates", "candidate", token_id=5)
    assert "force" not in asked(page)


# Steering


def test_a_clicked_candidate_grows_a_second_tree(page, tree, tiny_translator):
    first = tree.path(tree.best)[1]
    click_node(page, first.id)
    wanted = tiny_translator.candidates(SHORT, (first.token_id,), 8)[3]
    click(page, "beam_candidates", "candidate", token_id=wanted.token_id)
    assert n_charts(page) == 4
    assert asked(page)["force"] == f"{first.token_id}.{wanted.token_id}"
    again = tiny_translator.regrow(SHORT, tree, first.id, wanted.token_id, DECODING)
    lines = table_of(page, "tree")
    assert list(lines["text"]) == [
        hypothesis_text(each.hypothesis(each.best)) for each in (tree, again)
    ]
    assert lines["score"].iloc[1] == pytest.approx(again.nodes[again.best].score, abs=1e-5)


def test_the_forced_node_is_open_after_forcing(page, tree):
    click_node(page, 0)
    page.selectbox("force_menu").select_index(4)
    run(page)
    page.button("force_token").click()
    run(page)
    assert page.segmented_control("open_side").value == "second"
    assert opened(page) == 1
    told = {"status": english("beam-status-kept"), "why": "known", "reason": FORCED}
    assert english("beam-ledger-fate", **told) in words(page)


def test_undo_takes_back_one_beginning_at_a_time(page):
    for text in ("Ein", "Ein Hund"):
        page.text_input("begin_box").set_value(text)
        run(page)
    assert n_charts(page) == 4
    page.button("undo").click()
    run(page)
    assert page.text_input("begin_box").value == "Ein"
    assert n_charts(page) == 4
    page.button("undo").click()
    run(page)
    assert page.text_input("begin_box").value == ""
    assert n_charts(page) == 3
    assert "undo" not in [button.key for button in page.button]


def test_as_searched_takes_the_beginning_away_and_undo_brings_it_back(page):
    page.text_input("begin_box").set_value("Ein")
    run(page)
    page.button("reset").click()
    run(page)
    assert n_charts(page) == 3
    page.button("undo").click()
    run(page)
    assert page.text_input("begin_box").value == "Ein"


@pytest.mark.parametrize("text", ["Ein " * 300, "漢字"])
def test_a_bad_beginning_is_named_and_loses_nothing(page, text):
    page.text_input("begin_box").set_value(text)
    run(page)
    assert page.error
    assert says(page, "beam-steer-stays")
    assert n_charts(page) == 3
    assert page.text_input("begin_box").value == text


def test_a_blank_beginning_forces_nothing(page):
    page.text_input("begin_box").set_value("   ")
    run(page)
    assert not page.error
    assert n_charts(page) == 3
    assert "begin" not in asked(page)


def test_a_lost_translation_is_told_from_a_worse_one():
    assert steer.gained(0.2, False) == Message.of("beam-gain-more", gain=0.2)
    assert steer.gained(-0.2, False) == Message.of("beam-gain-less", loss=0.2)
    assert steer.gained(1e-5, False).id == "beam-gain-equal"
    assert steer.gained(0.0, True).id == "beam-gain-same"
    assert steer.gained(0.2, False, (True, False)).id == "beam-gain-one-ended"
    assert steer.gained(0.2, False, (False, False)).id == "beam-gain-none-ended"


# Hypotheses


def test_hypotheses_are_ranked_as_the_search_ranked_them(page, tree):
    look(page, "hypotheses")
    lines = table_of(page, "was")
    wanted = hypotheses_table(tree)
    assert list(lines["text"]) == list(wanted["text"])
    assert list(lines["rank"]) == list(lines["was"])


def test_what_if_ranks_anew_without_searching(page, tree, monkeypatch):
    look(page, "hypotheses")

    def refuse(*args, **kwargs):
        raise AssertionError("searched again")

    monkeypatch.setattr(Translator, "_search", refuse)
    step_to(page, round(2.0 / hypotheses.UNIT))
    assert asked(page)["what_if"] == "2"
    wanted = rerank(tree, 2.0, "wu")
    assert list(table_of(page, "was")["text"]) == list(wanted["text"])
    (first, _) = hypotheses.rank_messages(wanted, tree, 2.0)
    assert first.values["alpha"] == 2
    assert str(first).replace("\\", "") in words(page)


def test_what_if_follows_the_alpha_of_the_search(page):
    look(page, "hypotheses")
    page.slider("alpha").set_value(1.5)
    run(page)
    assert data_of(page, STEPPER)["step"] == round(1.5 / hypotheses.UNIT)


def test_without_a_penalty_the_page_says_that_alpha_changes_nothing(folder):
    page = open_page(penalty="1: no penalty", beam_look="Hypotheses")
    assert says(page, "beam-rank-no-penalty")


# Methods


def test_exact_search_says_whether_the_beam_is_the_best(page, tree, tiny_translator):
    look(page, "methods")
    exact = tiny_translator.exact_search(SHORT, DECODING, time_limit=1)
    found = methods.exact_message(exact, tree)
    work = english("beam-exact-work", n=exact.expansions, seconds=exact.seconds)
    unproven = english("beam-exact-unproven", reason="@", work="@").split("@")[0]
    beginning = str(found).split(work)[0] if exact.proven else unproven
    assert beginning.replace("\\", "") in words(page)


def test_exact_search_keeps_certain_and_uncertain_apart(tiny_translator, tree):
    proven = tiny_translator.exact_search("A dog.", Decoding(max_len=3), time_limit=60)
    best = tree.hypothesis(tree.best)
    equal = replace(proven, best=replace(best, finished=True), proven=True, reason=None)
    assert methods.exact_message(equal, tree).id == "beam-exact-proven"
    given_up = replace(equal, proven=False, reason=Message("model-exact-out-of-time"))
    assert methods.exact_message(given_up, tree).id == "beam-exact-unproven"
    assert methods.exact_message(given_up, tree).values["reason"] == given_up.reason
    better = replace(equal, best=replace(best, score=best.score + 1))
    assert methods.exact_message(better, tree).id == "beam-exact-better-best"
    assert methods.exact_message(better, tree).values["gain"] == pytest.approx(1)
    unproven = replace(better, proven=False)
    assert methods.exact_message(unproven, tree).id == "beam-exact-better-found"
    nothing = replace(equal, best=None)
    assert methods.exact_message(nothing, tree).id == "beam-exact-none"


def test_samples_are_those_of_the_seed(page, tiny_translator):
    look(page, "methods")
    page.number_input("seed").set_value(7)
    page.number_input("samples").set_value(3)
    run(page)
    tree = tiny_translator.sample(
        SHORT, Sampling(n_samples=3, seed=7, min_len=3, max_len=12), alpha=0.6, penalty="wu"
    )
    wanted = {hypothesis_text(tree.hypothesis(node)) for node in tree.samples}
    assert set(table_of(page, "times")["text"]) == wanted


def test_samples_drawn_twice_are_counted(tiny_translator):
    tree = tiny_translator.sample(SHORT, Sampling(n_samples=6, temperature=0.0, max_len=5))
    lines = methods.samples_table(tree)
    assert list(lines["times"]) == [6]


def test_greedy_is_the_beam_of_one(page, tiny_translator):
    look(page, "methods")
    lines = table_of(page, "method").set_index("method")
    tree = tiny_translator.search(SHORT, replace(DECODING, beam_size=1))
    assert lines.loc[english("beam-method-greedy"), "text"] == hypothesis_text(
        tree.hypothesis(tree.best)
    )


# Width


def test_every_width_has_its_output(page, tiny_translator):
    look(page, "width")
    lines = table_of(page, "beam_size")
    for width, line in zip(methods.BEAMS, lines.to_dict("records"), strict=True):
        tree = tiny_translator.search(SHORT, replace(DECODING, beam_size=width))
        assert line["text"] == hypothesis_text(tree.hypothesis(tree.best))
        assert line["score"] == pytest.approx(tree.nodes[tree.best].score, abs=1e-5)


def test_the_command_is_shown_where_nothing_is_stored(page):
    look(page, "width")
    assert "python -m training sweep --checkpoint en-de --data DIR" in page.code[0].value
    look(page, "errors")
    assert "python -m training sweep" in page.code[0].value


STORED = {
    "command": "python -m training sweep",
    "sweep": [
        {
            "beam_size": width, "bleu": bleu, "mean_log_prob": -2.0, "length_ratio": 1.0,
            "seconds": 0.1, "unfinished": 0, "sentences": 100,
        }
        for width, bleu in ((1, 30.0), (5, 31.0))
    ],
    "errors": {
        "tally": [
            {
                "set": "tatoeba_val", "beam_size": width, "sentences": 100,
                "normalised": {
                    "same": 0.5, "search error": search, "model error": 0.5 - search,
                    "length penalty": 0.0, "void": 0.0,
                },
                "plain": {
                    "same": 0.5, "search error": 0.0, "model error": 0.0,
                    "length penalty": 0.5, "void": 0.0,
                },
            }
            for width, search in ((1, 0.4), (5, 0.1))
        ],
        "exact": [
            {
                "set": "tatoeba_val", "alpha": 0.6, "sentences": 10, "proven": 9,
                "widths": [
                    {"beam_size": 1, "not_best": 8, "best": 1, "undecided": 1},
                    {"beam_size": 5, "not_best": 2, "best": 7, "undecided": 1},
                ],
            }
        ],
    },
}  # fmt: skip


@pytest.fixture
def measured(folder, monkeypatch, tiny_translator):
    searches = checked(json.dumps(STORED).encode(), SEARCH.type)
    card = replace(tiny_translator.card, searches=searches)
    monkeypatch.setattr(Translator, "card", property(lambda self: card))
    return card


def test_the_stored_sweep_is_drawn(measured):
    page = open_page(beam_look="width")
    assert not page.code
    assert list(table_of(page, "bleu")["beam_size"]) == [1, 5]


def test_what_is_stored_comes_line_by_line(measured):
    assert list(methods.sweep_rows(measured)["beam_size"]) == [1, 5]
    assert list(verdict.tally_rows(measured, normalised=True)["set"]) == ["Tatoeba validation"] * 2
    assert list(verdict.exact_rows(measured)["beam_size"]) == [1, 5]


def test_the_tally_says_what_would_help(measured):
    tally = verdict.tally_rows(measured, normalised=True)
    shares, helps = verdict.tally_messages(tally, 1)
    assert shares.values["search"] == pytest.approx(0.8)
    assert helps.id == verdict.tally_messages(tally, 2)[1].id == "beam-helps-wider"
    assert verdict.tally_messages(tally, 5)[1].id == "beam-helps-model"
    by_sum = verdict.tally_rows(measured, normalised=False)
    assert verdict.tally_messages(by_sum, 5)[1].id == "beam-helps-alpha"


def test_the_tally_and_the_proven_errors_are_shown(measured):
    page = open_page(beam_look="errors")
    for width, n in ((1, 8), (5, 2)):
        assert says(page, "beam-exact-tally-width", width=width, n=n, total=10)
    page.toggle("tally_plain").set_value(True)
    run(page)
    assert says(page, "beam-helps-alpha")


# Errors


def test_an_empty_reference_asks_for_one(page):
    look(page, "errors")
    assert english.page("beam_no_reference").strip() in words(page)


def test_the_verdict_on_a_reference_names_the_step(page, tiny_translator, tree):
    look(page, "errors")
    page.text_input("reference").set_value("Ein Mann spielt.")
    run(page)
    found = tiny_translator.compare(SHORT, "Ein Mann spielt.", tree=tree)
    text = words(page)
    by_score, by_sum, fell = verdict.verdict_messages(found)
    assert by_score.values["verdict"].id == "beam-verdict-" + found.verdict.replace(" ", "-")
    assert by_sum.values["verdict"].id.endswith(found.plain_verdict.replace(" ", "-"))
    assert fell.values["step"] == found.fell_out_at
    assert all(str(message).replace("\\", "") in text for message in (by_score, by_sum, fell))
    sums = (found.output_log_prob, found.reference_log_prob)
    assert f"| {' | '.join(fixed(n, 4) for n in sums)} |" in text


def test_the_output_itself_is_no_error(tiny_translator, tree):
    found = tiny_translator.compare(SHORT, "Ein Hund.", tree=tree)
    same = replace(found, verdict="same", plain_verdict="same", void=None)
    (only,) = verdict.verdict_messages(same)
    assert only.values["verdict"].id == "beam-verdict-same"


def test_characters_the_vocabulary_lacks_make_the_verdict_void(page):
    look(page, "errors")
    page.text_input("reference").set_value("Ein 漢 Hund")
    run(page)
    beginning, unknown = english("beam-verdict-void-unknown", reason="@").split("@")
    text = words(page)
    assert beginning in text
    assert unknown in text
    assert "漢" in text


def test_a_reference_that_is_too_long_is_named_and_kept(page):
    look(page, "errors")
    page.text_input("reference").set_value("Hund " * 400)
    run(page)
    told = english("model-text-long", text="reference", n=401, most=160)
    assert told in page.error[0].value.replace("\\", "")
    assert page.text_input("reference").value == "Hund " * 400
    assert says(page, "beam-errors-stays")


def test_bleu_and_its_parts_are_those_of_sacrebleu(page):
    output, reference = (
        "der Hund läuft durch den Schnee",
        "ein Hund läuft durch tiefen Schnee heute",
    )
    found = verdict.sentence_bleu(output, reference)
    assert found.score == pytest.approx(sacrebleu.sentence_bleu(output, [reference]).score)
    assert found.counts == [4, 2, 1, 0]
    assert found.totals == [6, 5, 4, 3]
    assert found.precisions[0] == pytest.approx(100 * 4 / 6)
    assert found.bp == pytest.approx(math.exp(1 - 7 / 6))


def test_bleu_of_nothing_is_zero():
    assert verdict.sentence_bleu("", "ein Hund").score == 0


# The address


def test_the_address_shows_the_same(page, tree):
    node = next(n for n in tree.nodes if n.step == 2 and n.token != "</s>")
    click_node(page, node.id)
    step_to(page, 2)
    page.selectbox("force_menu").select_index(2)
    run(page)
    page.button("force_token").click()
    run(page)
    there = open_page(**asked(page))
    assert opened(there) == opened(page)
    assert there.segmented_control("open_side").value == "second"
    assert data_of(there, STEPPER)["step"] == 2
    assert table_of(there, "tree").equals(table_of(page, "tree"))


def test_a_typed_beginning_is_in_the_address(page):
    page.text_input("begin_box").set_value("Ein Hund")
    run(page)
    there = open_page(begin=asked(page)["begin"])
    assert there.text_input("begin_box").value == "Ein Hund"
    assert n_charts(there) == 4


@pytest.mark.parametrize(
    "value",
    ["-1", "1e9", "99999999999", "3.3", "0", "<script>alert(1)</script>", "١", "1." * 600, "nan"],
)
def test_hostile_addresses_change_nothing(page, value):
    names = ("node", "tree", "step", "force", "beam_look", "what_if", "candidates", "beam")
    more = ("alpha", "penalty", "penalise", "min_len", "runners_up", "tally_plain")
    there = open_page(**dict.fromkeys((*names, *more), value))
    assert not there.error
    assert opened(there) is not None


def test_ids_in_the_address_are_numbers_and_points():
    assert IDS.read("5.12.7") == (5, 12, 7)
    for text in ("", "5,7", "5..7", "-5", "5.x", "12345678"):
        assert IDS.read(text) is None


# Sessions and words


def test_two_sessions_do_not_share_node_or_beginning(folder):
    one, other = open_page(), open_page()
    before = opened(other)
    click_node(one, 2)
    one.text_input("begin_box").set_value("Ein")
    run(one)
    run(other)
    assert opened(other) == before
    assert n_charts(other) == 3


def test_an_empty_sentence_leaves_the_page_standing(page):
    page.text_input("text").set_value("")
    run(page)
    assert page.error
    assert n_charts(page) == 3


def test_the_attention_page_still_stands(page):
    page.switch_page("ui/pages/attention.py")
    run(page)
    assert data_of(page, TOLD)["kind"] == "encoder"


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


def test_the_ledger_names_the_penalty_in_use(tree):
    node = tree.nodes[tree.best]
    for kind in ("wu", "length", "none"):
        line = ledger_messages(replace(tree, penalty=kind), node)[2]
        assert line.id == f"beam-ledger-penalty-{kind}"
        assert (line.values["length"], line.values["alpha"]) == (node.step, 0.6)


def test_the_surest_heads_are_named_first():
    weights = np.array([[[0.9, 0.1], [0.2, 0.8]], [[0.5, 0.5], [0.3, 0.7]]])
    heads = strongest(weights, ("▁a", "▁b"), count=2).values["heads"]
    assert [h.values["head"].values for h in heads] == [
        {"layer": 1, "head": 1},
        {"layer": 1, "head": 2},
    ]
    assert [(h.values["token"], h.values["weight"]) for h in heads] == [
        ("a", 0.9),
        ("b", 0.8),
    ]
    assert english("beam-looked-sums") in sums_mark(weights, CROSS)
    assert english("beam-looked-no-sums") in sums_mark(weights * 0.9, CROSS)
    free = replace(CROSS, normalised=False)
    assert sums_mark(weights * 0.9, free) == english("beam-looked-free")


def test_a_model_that_looks_nowhere_says_so(page, monkeypatch):
    monkeypatch.setattr(Translator, "sites", ())
    assert says(run(page), "beam-looked-nothing")


def test_the_default_sentence_can_be_steered_to_its_end(folder, tiny_translator):
    end = tiny_translator.eos_id
    page = open_page(text=DEFAULT.text, force=str(end))
    assert not page.error
    steered = tables(charts(page)[0])["nodes"]
    assert steered.loc[steered["forced"], "status"].tolist() == ["finished"]


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

"""The view of the arithmetic: real numbers in its sentences, and what does not add up named."""

from dataclasses import replace

import pytest

from core.padding import AttentionCost
from model.experiments import arithmetic
from support.app import choose, maps_of, open_page, words
from support.number_text import holds
from ui.attention.arithmetic import cost_table
from words import english


def test_weights_that_do_not_follow_from_the_vectors_are_reported(folder, monkeypatch):
    take = arithmetic.vectors_of

    def doubled(reader, record):
        return tuple(replace(each, queries=2 * each.queries) for each in take(reader, record))

    monkeypatch.setattr(arithmetic, "vectors_of", doubled)
    page = open_page(look="arithmetic", text="A doubled dog runs.")
    assert any("differ from the model’s own weights" in each.value for each in page.warning)


@pytest.mark.parametrize(
    ("address", "said", "unsaid"),
    [
        ({"words": "true"}, english("attention-arithmetic-pieces"), "Without the division"),
        ({}, "random and untrained", "Without the division"),
        ({"kind": "cross"}, "(output token)", "(input token)"),
        ({"kind": "decoder", "decoder_rows": "read"}, "(input token)", "(output token)"),
    ],
    ids=str,
)
def test_what_is_shown_of_the_choices_is_said(folder, address, said, unsaid):
    text = words(open_page(look="arithmetic", **address))
    assert said in text
    assert unsaid not in text


def test_without_a_chosen_query_the_last_row_is_shown_and_said_so(folder):
    page = open_page(look="arithmetic", kind="encoder", layer="2", head="4")
    text, weights = words(choose(page, rows=[], columns=[])), maps_of(page, "encoder")
    assert english("attention-arithmetic-last") in text
    assert holds(text, f"**{weights[1, 3, -1].max() / 65534:.4f}**")
    n_queries, n_keys = weights.shape[2:]
    assert f"| {n_queries} × {n_keys} (this sentence) |" in text


def test_the_cost_table_by_hand():
    costs = (
        AttentionCost(2, 3, 4, 72, 600, 2e-6, 5e-6),
        AttentionCost(512, 512, 4, 3_145_728, 69_337_088, 2.5e-4, 0.0254),
    )
    lines = cost_table(costs).splitlines()
    assert lines[2] == "| 2 × 3 (this sentence) | 2 µs | 5 µs | 72 B | 600 B |"
    assert lines[3] == "| 512 × 512 | 250 µs | 25.4 ms | 3.1 MB | 69.3 MB |"


def test_a_sentence_of_one_token_is_shown(folder):
    address = {"kind": "decoder", "max_len": "1", "beam": "1", "scaling": "false"}
    page = open_page(look="arithmetic", text="a", **address)
    assert "the weight is **1.0000**" in words(page)

"""Heads and ribbons in the browser: what is sent there, and what is made of what comes back."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from scipy.stats import entropy
from streamlit.testing.v1 import AppTest

from core.records.attention import CROSS, AttentionMap
from core.weights.links import links
from model.io.checkpoint import FOLDER_VARIABLE
from support.app import (
    HEADS,
    TOLD,
    asked,
    component,
    data_of,
    focus,
    heads_of,
    maps_of,
    offered,
    open_page,
    put,
    put_focus,
    run,
    send,
    told_of,
)
from ui.components import FULL, MASKED
from ui.components.ribbons import places_of
from ui.kit.focus import HeadSelection
from ui.pages.attention.ribbons import summary
from viz.style import Look
from viz.theme import palette_of
from words import english

SHORT = "A dog runs."
RIBBONS = "attention_lab_ribbons"

# -- what a choice does ----------------------------------------------------------------------


def test_a_choice_is_about_the_sentence_on_screen_and_may_be_of_several_sites(folder):
    page = open_page()
    told = told_of(page)
    foci = {**told["foci"], "cross": {"layer": 0, "head": 2, "rows": [], "columns": [0]}}
    choice = {"number": 7, "badge": "entropy", "role": "all", "kind": "decoder", "foci": foci}
    for identity, taken in (("another", False), (told["identity"], True)):
        before = focus(page, "cross")
        send(page, TOLD, 0, choice={**choice, "identity": identity})
        now = HeadSelection(0, 2, (), (0,)) if taken else before
        assert focus(page, "cross") == now
        assert (page.session_state["badge"] == "entropy") == taken
        assert (page.session_state["kind"] == "decoder") == taken
        assert (told_of(page)["answered"] == 7) == taken


# -- what is sent ----------------------------------------------------------------------------


def test_every_weight_travels_to_half_a_step_and_what_may_not_be_seen_is_marked(folder):
    page = open_page()
    for attention in page.session_state["run"].record.maps:
        sent = maps_of(page, attention.site_id)
        future = np.triu(np.ones(sent.shape[2:], bool), 1)
        forbidden = np.broadcast_to(future & (attention.site_id == "decoder"), sent.shape)
        assert (sent[forbidden] == MASKED).all()
        assert (sent[~forbidden] <= FULL).all()
        told = sent[~forbidden].astype(float) / FULL
        assert np.abs(told - attention.weights[~forbidden]).max() <= 0.51 / FULL
        site = next(s for s in heads_of(page)["sites"] if s["name"] == attention.site_id)
        rows = attention.weights.reshape(-1, *attention.weights.shape[2:])
        entropies = [np.mean([entropy(row, base=2) for row in head]) for head in rows]
        np.testing.assert_allclose(site["badges"]["entropy"], entropies, atol=1e-4)
        ramp = list(Look(dark=True)(palette_of, attention.site).ramp)
        assert heads_of(page)["colours"][attention.site_id]["dark"] == ramp


def test_the_short_word_of_a_role_is_spelled_out_in_the_menu_of_roles():
    filters = heads_of(open_page())["filters"]
    titles = {line["name"]: line["title"] for line in filters}
    assert titles["noun"] == f"{english('role-noun')} = {english('role-title-noun')}"
    assert titles["all"] == english("role-title-all")
    assert titles["itself"] == english("role-title-itself")


def lines_of(page) -> dict[tuple[str, int], dict]:
    """By site and line of tokens: the rows and the columns that its tokens stand for."""
    return {
        (site["name"], line): places
        for site in heads_of(page)["sites"]
        for line, places in enumerate(site["lines"])
    }


@pytest.mark.parametrize("rows", ["read", "produced"])
def test_each_token_above_the_heads_is_the_right_row_and_column(folder, rows):
    page = open_page(text=SHORT, max_len="4", kind="decoder", decoder_rows=rows)
    src, n = (len(line["tokens"]) for line in heads_of(page)["lines"])
    here, ahead = [*range(n)], [*range(1, n), -1]
    # The decoder reads <s> first: what it writes in a row it reads in the next one, and the last
    # token it writes it never reads.
    expected = {
        ("encoder", 0): {"rows": [*range(src)], "columns": [*range(src)]},
        ("encoder", 1): {"rows": None, "columns": None},
        ("decoder", 0): {"rows": None, "columns": None},
        ("decoder", 1): {"rows": here if rows == "produced" else ahead, "columns": ahead},
        ("cross", 0): {"rows": None, "columns": [*range(src)]},
        ("cross", 1): {"rows": here, "columns": None},
    }
    assert lines_of(page) == expected
    sites = {site["name"]: site for site in heads_of(page)["sites"]}
    labels = [token["label"] for token in heads_of(page)["lines"][1]["tokens"]]
    assert sites["decoder"]["columns"] == ["<s>", *labels[:-1]]
    assert sites["cross"]["rows"] == labels, "as a site is shown that is not open"
    assert sites["decoder"]["rows"] == (labels if rows == "produced" else ["<s>", *labels[:-1]])


def test_pieces_of_a_word_are_one_row_and_left_out_tokens_none(folder):
    page = open_page(text="The animal didn't cross", words="true", special="hide")
    source = page.session_state["run"].translation.src
    words = ["The", "animal", "didn't", "cross"]
    assert heads_of(page)["sites"][0]["rows"] == words
    expected = [place for place, word in enumerate(words) for _ in source.pieces_of(word)]
    assert len(expected) > len(words)
    assert lines_of(page)["encoder", 0]["rows"] == [*expected, -1], "</s> is left out"


@pytest.mark.slow
def test_64_tokens_of_a_model_as_large_as_ours_are_small_enough():
    page = open_page(text=" ".join(["the"] * 63), max_len="64", min_len="64", beam="1")
    assert maps_of(page, "encoder").shape == (4, 8, 64, 64)
    assert maps_of(page, "cross").shape[2] >= 64
    assert len(component(page, HEADS).json.encode()) <= 1_500_000


# -- ribbons ---------------------------------------------------------------------------------


def ribbons(**address: str) -> AppTest:
    return open_page(look="ribbons", kind="decoder", layer="2", head="1", **address)


def shown(page: AppTest) -> dict:
    """What the browser is given of what is chosen."""
    return data_of(page, RIBBONS)["choice"]


def choose(page: AppTest, **choice) -> AppTest:
    """What a click in the browser sends."""
    data = data_of(page, RIBBONS)
    before = {"identity": data["identity"], "number": data["answered"] + 1, **data["choice"]}
    return send(page, RIBBONS, choice=before | choice)


def test_links_travel_as_places_in_the_weights():
    weights = np.random.default_rng(0).dirichlet(np.ones(5), size=(1, 3, 4)).astype(np.float32)
    found = links(AttentionMap(CROSS, weights, tuple("abcd"), tuple("vwxyz")), 0)
    assert weights[0].ravel()[places_of(found, (4, 5))].tolist() == found.weight.tolist()


def test_the_summary_counts_links_and_hidden_weight():
    weights = np.array([[[[0.8, 0.2]], [[0.5, 0.5]]]], np.float32)
    every = links(AttentionMap(CROSS, weights, ("a",), ("x", "y")), 0)
    for heads, told in (
        ((0,), "head 1 has 1 edge at this setting. The edges left out contain 20.0%"),
        ((0, 1), "heads 1, 2 have 3 edges at this setting. The edges left out contain 10.0%"),
    ):
        assert summary(every, heads) == f"In layer 1, {told} of all weight."
    assert summary(every, ()) == "No head is shown, so no edges are drawn."
    even = AttentionMap(CROSS, np.full((1, 1, 1, 4), 0.25, np.float32), ("a",), tuple("wxyz"))
    assert "up to 25.0% of a head’s weight" in summary(links(even, 0, most=2), (0,))


def test_a_lock_in_the_browser_reaches_the_focus_in_the_same_run(folder):
    page = ribbons()
    assert shown(page)["heads"] == [0]
    choose(page, rows=[2])
    assert (shown(page)["rows"], data_of(page, RIBBONS)["answered"]) == ([2], 1)
    choose(page, columns=[1], side="key")
    assert shown(page)["side"] == "key"
    choose(page, identity="another", rows=[0], heads=[1])
    assert focus(page, "decoder") == HeadSelection(1, 0, (2,), (1,))


def test_heads_that_are_on_stay_on_in_the_address_until_one_is_open_alone(
    folder, smallest_root, monkeypatch
):
    for text, heads in (("4,2", [1, 3]), ("4,5", [0]), ("4,", [0])):
        page = ribbons(heads=text)
        assert shown(page)["heads"] == heads
    run(choose(page, heads=[0, 3]))
    assert shown(page)["heads"] == [0, 3]
    assert asked(page)["heads"] == "1,4"
    choose(page, heads=[3])
    assert focus(page, "decoder").head == 3
    assert "heads" not in asked(page)
    choose(page, heads=[3, 1])
    put_focus(page, "decoder", HeadSelection(layer=1, head=2))
    assert shown(run(page))["heads"] == [2]
    choose(page, heads=[2, 3])
    monkeypatch.setenv(FOLDER_VARIABLE, str(smallest_root))
    assert shown(run(page))["heads"] == [0], "the next checkpoint has no more"


def test_the_layout_of_the_ribbons_stands_in_the_address(folder):
    page = ribbons()
    assert not data_of(page, RIBBONS)["horizontal"]
    assert "ribbons_layout" not in asked(page)
    put(page, ribbons_layout="horizontal")
    assert data_of(page, RIBBONS)["horizontal"]
    assert asked(page)["ribbons_layout"] == "horizontal"
    assert data_of(page, RIBBONS)["words"]["key"]["title"].startswith("↑")
    assert data_of(ribbons(ribbons_layout="horizontal"), RIBBONS)["horizontal"]


def test_several_queries_stay_in_the_address_and_leave_with_their_sentence(folder):
    page = ribbons()
    choose(page, rows=[1, 3])
    assert asked(page)["row"] == "2,4"
    assert shown(ribbons(row="2,4"))["rows"] == [1, 3]
    assert shown(ribbons(row="2,400"))["rows"] == [1]
    choose(page, rows=[])
    assert "row" not in asked(page)
    choose(page, rows=[1, 3])
    put(page, text="A dog.")
    assert shown(page)["rows"] != [1, 3]


def saved_table(page: AppTest) -> list[dict[str, str]]:
    """The CSV file of the ribbons, line by line."""
    with offered() as files:
        run(page)
    make = next(make for name, make in files if name.endswith(".csv"))
    return list(csv.DictReader(io.StringIO(make().removeprefix("\ufeff"))))


def test_the_table_of_several_queries_names_them_and_holds_their_mean_and_sum(folder):
    page = ribbons()
    attention = page.session_state["run"].record.decoder
    assert set(saved_table(page)[0]) >= {"query_token", "weight"}, "of one query the cells"
    choose(page, rows=[1, 3], heads=[0, 2])
    lines = saved_table(page)
    tokens = attention.output_tokens if page.session_state["decoder_rows"] == "produced" else None
    tokens = tokens or attention.query_tokens
    assert {line["query_tokens"] for line in lines} == {f"{tokens[1]} + {tokens[3]}"}
    assert {line["query_positions"] for line in lines} == {"2 + 4"}
    for line in lines:
        head, key = int(line["head"]) - 1, int(line["key_position"]) - 1
        cells = [float(attention.weights[1, head, row, key]) for row in (1, 3)]
        assert float(line["weight_sum"]) == pytest.approx(sum(cells), abs=1e-6)
        assert float(line["weight_mean"]) == pytest.approx(sum(cells) / 2, abs=1e-6)
    assert [line["key_position"] for line in lines] == ["1", "2", "3", "4"] * 2, "no later ones"
    assert "queries: " in lines[0]["signature"]
    choose(page, columns=[0], side="key")
    assert set(saved_table(page)[0]) >= {"query_token", "weight"}, "of keys the cells"

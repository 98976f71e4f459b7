"""All heads together and the roles of each: numbers, words, a filter, a card and a table."""

from __future__ import annotations

import math
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
import streamlit as st

from core.measurements import ROLES
from core.records.search import Decoding
from core.weights.aggregate import flow_rows, rollout
from core.weights.groups import single_groups
from core.weights.padding import PaddingEffect
from core.weights.row_heads import row_of_heads
from core.weights.transform import Regrouped, groups_for, regroup
from support.app import focus, heads_of, markdown, open_page, run, shown, told_of
from support.models import ROOT, read_json, write_measured
from ui.frame.run import FrameChoices, Run
from ui.kit.focus import HeadSelection
from ui.pages.attention import lab, roles, together
from ui.pages.attention.lab import padding_check
from ui.pages.attention.scene import AttentionScene, Display
from ui.pages.attention.window import scene_of_part
from viz.figure import tables_of
from words import english

SOURCE = "The animal didn't cross the street."
TIRED = "The animal didn't cross the street because it was too tired."


@pytest.fixture(scope="module")
def view(tiny_translator) -> Run:
    decoding = Decoding(beam_size=2, max_len=12)
    translation = tiny_translator.translate(SOURCE, decoding)
    return Run(FrameChoices("en-de", SOURCE, decoding), tiny_translator, translation)


@pytest.fixture
def nothing_cached():
    st.cache_data.clear()
    st.cache_resource.clear()


def make_scene(view, kind="encoder", *, words=False, special="show", rows=()) -> AttentionScene:
    record = view.translation.attention
    raw, produced = record.of(kind), kind == "cross"
    if words or special != "show":
        queries, keys = groups_for(record, kind, produced=produced) if words else (None, None)
        groups = {"query_groups": queries, "key_groups": keys}
        shown = regroup(raw, **groups, special=special, produced=produced)
    else:
        shown = Regrouped(raw, *map(single_groups, raw.weights.shape[2:]))
    display = Display(produced=produced, contrast=False, words=words, special=special)
    return AttentionScene(view, kind, raw, raw, shown, HeadSelection(rows=rows), None, display)


def weights(scene, how, layer=None) -> np.ndarray:
    return together.work_out(scene, how, layer).attention.weights[0, 0]


# -- a part of a long text -------------------------------------------------------------------

ROWS, COLUMNS = range(2, 5), range(1, 4)


@pytest.mark.parametrize("how", ["mean", "max", "rollout"])
@pytest.mark.parametrize("special", ["show", "renormalise"])
def test_a_part_of_a_text_has_the_numbers_of_the_whole(view, how, special):
    scene = make_scene(view, special=special)
    part = weights(scene_of_part(scene, ROWS, COLUMNS), how)
    np.testing.assert_allclose(part, weights(scene, how)[2:5, 1:4], atol=1e-6)


def test_files_of_a_part_count_positions_from_the_beginning_of_the_text(view):
    part = scene_of_part(make_scene(view), ROWS, COLUMNS)
    table = together.table_of(together.work_out(part, "mean", None), "mean")
    assert set(table["query_position"]) == {row + 1 for row in ROWS}
    assert set(table["key_position"]) == {column + 1 for column in COLUMNS}
    data = part.export_data
    assert data.numbers().weights.shape == part.raw.weights.shape
    assert len(data.row_tokens) == len(part.raw.query_tokens)


# -- all heads of a site ---------------------------------------------------------------------

OF_ALL = "all 8 heads of encoder self-attention (2 layers of 4 heads)"
OF_LAYER = "all 4 heads of layer 2 of encoder self-attention"
ASSUMED = ("½ A + ½ I", "assumed", "Abnar and Zuidema 2020")


@pytest.mark.parametrize(
    ("kind", "how", "layer", "said", "sums"),
    [
        ("encoder", "mean", None, (OF_ALL,), True),
        ("encoder", "spread", 1, (OF_LAYER,), False),
        ("decoder", "rollout", None, ASSUMED, True),
        ("cross", "rollout", None, (*ASSUMED, "0.75 comes from the source. The other 0.25"), False),
        ("encoder", "flow", None, ASSUMED, False),
    ],
)
def test_the_words_say_what_was_counted_and_assumed_and_whether_rows_sum_to_one(
    view, kind, how, layer, said, sums
):
    text = " ".join(together.work_out(make_scene(view, kind), how, layer).explanation.split())
    assert [each for each in said if each not in text] == []
    assert (english("attention-sums-one") in text) == sums
    if how == "mean":
        hidden = together.work_out(make_scene(view, kind, special="hide"), how, layer).explanation
        assert english("attention-left-out") in hidden
        assert "Rows do *not* sum to 1" in hidden


def test_words_are_merged_before_heads_are_combined_and_after_layers_are(view):
    scene, record = make_scene(view, words=True), view.translation.attention
    heads = scene.attention.weights.reshape(-1, *scene.attention.weights.shape[2:])
    np.testing.assert_array_equal(weights(scene, "max"), heads.max(axis=0))
    expected = record.encoder.weights[1].mean(axis=0)
    np.testing.assert_allclose(weights(make_scene(view), "mean", 1), expected, rtol=1e-6)
    rows, columns = scene.regrouped.query_groups, scene.regrouped.key_groups
    pieces = rollout(record, "encoder").attention.weights[0, 0]
    expected = [
        [np.mean([sum(pieces[q, k] for k in column) for q in row]) for column in columns]
        for row in rows
    ]
    np.testing.assert_allclose(weights(scene, "rollout"), expected, rtol=1e-5)
    row = next(n for n, group in enumerate(rows) if len(group) > 1)
    flows = flow_rows(record, "encoder", rows[row], columns)
    np.testing.assert_allclose(weights(scene, "flow")[row], np.mean(flows, axis=0), rtol=1e-5)


@pytest.mark.parametrize("layer", [None, 1])
def test_the_headline_counts_heads_that_agree_and_names_the_one_that_a_mean_hides(view, layer):
    scene = make_scene(view, rows=(2,))
    found = together.work_out(scene, "mean", layer)
    heads = row_of_heads(scene.attention, 2, layer)
    text = together.agreement_words(scene, found, heads, 2, "mean")
    weights = view.translation.attention.encoder.weights[:, :, 2]
    each = weights[slice(None) if layer is None else [layer]].reshape(-1, weights.shape[-1])
    mean = each.mean(axis=0)
    agree = [row for row in each if row.argmax() == mean.argmax()]
    others = [row for row in each if row.argmax() != mean.argmax()]
    assert english("attention-together-agree", n=len(agree), of=len(each)) in text
    hidden = max(others, key=lambda row: row.max() - mean[row.argmax()], default=None)
    assert ("Not visible in this map:" in text) == (hidden is not None)
    if hidden is not None:
        assert f"(**{hidden.max():.2f}**)" in text


def test_the_key_of_the_headline_is_red_and_not_the_selected_one(view, monkeypatch):
    monkeypatch.setattr(together, "click_count", lambda key: 0)
    largest = int(weights(make_scene(view), "mean")[2].argmax())
    selected = HeadSelection(rows=(2,), columns=(largest - 1,))
    scene = replace(make_scene(view), focus=selected)
    found = together.work_out(scene, "mean", None)
    heads = row_of_heads(scene.attention, 2)
    figure = together._aggregate_figure(scene, found, heads, 2, "mean")
    columns = tables_of(figure)["columns"]
    assert columns.index[columns["locked"]].tolist() == [largest]


@pytest.mark.parametrize("method", ["max", "spread"])
def test_a_maximum_names_its_head_and_a_deviation_its_extremes(view, method):
    scene = make_scene(view, rows=(2,))
    found = together.work_out(scene, method, None)
    heads = row_of_heads(scene.attention, 2)
    text = together.agreement_words(scene, found, heads, 2, method)
    key = int(weights(scene, method)[2].argmax())
    column = view.translation.attention.encoder.weights[:, :, 2, key]
    if method == "max":
        layer, head = np.argwhere(column == column.max())[0]
        assert f"layer {layer + 1}, head {head + 1}" in text
    else:
        assert f"from {column.min():.2f} to {column.max():.2f}" in text


def test_a_long_sentence_gets_the_flow_of_the_chosen_row_or_the_last_only(
    view, monkeypatch, nothing_cached
):
    monkeypatch.setattr(together, "MOST_TOKENS_FOR_ALL_FLOWS", 5)
    scene = make_scene(view, "cross", rows=(2,))
    found = together.work_out(scene, "flow", None)
    expected = flow_rows(view.translation.attention, "cross", [2])
    np.testing.assert_array_equal(found.attention.weights, expected[None, None])
    assert (found.row_tokens, found.locked) == ((scene.row_tokens[2],), (0,))
    assert "for one row only" in found.explanation
    table = together.table_of(found, "flow")
    assert set(table["query_position"]) == {3}
    np.testing.assert_array_equal(table["flow"], found.attention.weights[0, 0, 0])
    assert not {"layer", "head", "weight"} & set(table.columns)
    scene = make_scene(view, "decoder")
    assert together.work_out(scene, "flow", None).row_tokens == (scene.row_tokens[-1],)


def test_padding_that_is_looked_at_fails_the_check():
    assert padding_check(PaddingEffect(3, 3, 0.0, 1e-7)).passed
    assert not padding_check(PaddingEffect(3, 3, 1e-9, 1e-7)).passed
    assert not padding_check(PaddingEffect(3, 3, 0.0, 0.01)).passed


# -- roles -----------------------------------------------------------------------------------


@pytest.fixture
def with_roles(copies):
    """A checkpoint beside which the roles lie that `en-de` has in its first heads."""
    values = read_json(ROOT / "checkpoints" / "en-de" / ROLES.file)

    def cut(value):
        if isinstance(value, dict):
            return {name: cut(each) for name, each in value.items()}
        return [row[:4] for row in value[:2]] if isinstance(value, list) else value

    write_measured(copies / "en-de", ROLES, sites=cut(values["sites"]), off=cut(values["off"]))


def on_neighbour(weights, step):
    found = [row[i + step] for i, row in enumerate(weights) if 0 <= i + step < len(row)]
    return sum(map(float, found)) / len(found)


def even(weights):
    """The mean over rows (T, T) of their entropy, divided by the log of the number of tokens."""
    rows = [-sum(p * math.log(p) for p in row.tolist() if p > 0) for row in weights]
    return sum(rows) / len(rows) / math.log(len(weights))


def test_each_head_carries_its_role_pale_where_the_sentence_does_not_show_it(with_roles):
    page = open_page(text=TIRED)
    sent = heads_of(page)
    site = next(each for each in sent["sites"] if each["name"] == "encoder")
    named = [each and each["role"] for each in site["roles"]]
    assert named == [None, "itself", None, None, None, "spread", "previous", None]
    filters = ["all", "aligns", "previous", "itself", "column", "spread"]
    assert [each["name"] for each in sent["filters"]] == filters
    assert sent["badges"][0]["name"] == told_of(page)["badge"] == "role"
    assert sent["roles"]["previous"]["word"] == english("role-previous")
    heads = page.session_state["run"].record.encoder.weights.astype(float)
    heads = heads.reshape(-1, *heads.shape[2:])
    for place, value, least in (
        (1, on_neighbour(heads[1], 0), 0.4),
        (5, even(heads[5]), 0.8),
        (6, on_neighbour(heads[6], -1), 0.4),
    ):
        tile = site["roles"][place]
        assert tile["faint"] == (value < least)
        assert f"{value:.2f}" in tile["told"].split("). ")[-1]


def test_the_sentence_the_filter_and_the_card_tell_the_role_of_the_open_head(with_roles):
    for asked, kept in (("previous", "previous"), ("noun", None)):
        page = open_page(text=TIRED, layer="2", head="3", role=asked)
        assert (told_of(page)["role"], page.query_params.get("role")) == (kept or "all", kept)
    assert english("role-does-previous") in markdown(page)
    text = markdown(open_page(text=TIRED, layer="1", head="1"))
    assert "Layer 1, head 1 · no role." in text
    assert "a role needs 0.40" in text
    text = shown(markdown(open_page(text=TIRED, kind="cross", layer="2", head="4")))
    link = text.split(f"[{english('role-link')}](")[1].split(")\n")[0]
    page = open_page(**dict(parse_qsl(urlsplit(link).query)))
    assert (focus(page, "cross").place, told_of(page)["kind"]) == ((1, 3), "cross")


def test_a_picked_line_of_the_table_opens_its_head(with_roles, monkeypatch):
    draw, asked = roles.table, []

    def drawn(*what, on_pick, **how):
        asked.append(on_pick)
        draw(*what, on_pick=on_pick, **how)

    monkeypatch.setattr(roles, "table", drawn)
    page = open_page()
    with monkeypatch.context() as patch:
        patch.setattr(st, "session_state", page.session_state)
        (table,) = (each.value for each in page.dataframe if "candidate" in each.value.columns)
        line = 8 + 5
        assert (len(table), table.loc[line, "head"]) == (24, "decoder L2 H2")
        asked[0](line)
        assert (page.session_state["kind"], focus(page, "decoder").place) == ("decoder", (1, 1))
    page.session_state["fold_roles"] = False
    assert not run(page).dataframe, "the table is drawn for who opens its fold"


def test_a_model_without_roles_of_its_heads_shows_none(copies):
    write_measured(copies / "en-de", ROLES)  # of a model with other heads
    page = open_page()
    sent = heads_of(page)
    assert [site["roles"] for site in sent["sites"]] == [None] * 3
    assert len(sent["filters"]) == 1
    assert "role" not in {told_of(page)["badge"], *(each["name"] for each in sent["badges"])}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "faint", "headline"),
    [
        (TIRED, False, "“it” attends to “animal” (0.96)"),
        ("A dog runs.", True, "This sentence has no such pair of tokens"),
        ("I saw it.", False, "“it” attends"),  # its antecedent is not known
    ],
)
def test_the_headline_speaks_of_a_pronoun_where_the_sentence_has_one(
    text, faint, headline, monkeypatch
):
    said = []
    monkeypatch.setattr(lab, "finding", said.append)
    page = open_page(text=text, layer="4", head="8", kind="encoder")
    tile = heads_of(page)["sites"][0]["roles"][3 * 8 + 7]
    assert (tile["role"], tile["faint"]) == ("noun", faint)
    assert headline in shown(said[-1])

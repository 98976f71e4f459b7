"""Roles of heads on the attention page: words, a filter, a sentence, a card and a table."""

from __future__ import annotations

import math
from functools import partial
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
import streamlit as st

from core.measurements import ROLES
from support.app import english, focus, heads_of, markdown, open_page, run, shown, told_of
from support.models import ROOT, read_json, write_measured
from ui.attention import lab, roles

TIRED = "The animal didn't cross the street because it was too tired."


@pytest.fixture
def measured(copies):
    """A checkpoint beside which the roles lie that `en-de` has in its first heads."""
    values = read_json(ROOT / "checkpoints" / "en-de" / ROLES.file)

    def cut(value):
        if isinstance(value, dict):
            return {name: cut(each) for name, each in value.items()}
        return [row[:4] for row in value[:2]] if isinstance(value, list) else value

    write_measured(copies / "en-de", ROLES, sites=cut(values["sites"]), off=cut(values["off"]))


def test_each_head_carries_its_role_and_the_menu_has_those_there_are(measured):
    page = open_page()
    sent = heads_of(page)
    roles = next(site["roles"] for site in sent["sites"] if site["name"] == "encoder")
    named = [each and each["role"] for each in roles]
    assert named == [None, "itself", None, None, None, "spread", "previous", None]
    filters = ["all", "aligns", "previous", "itself", "column", "spread"]
    assert [each["name"] for each in sent["filters"]] == filters
    assert sent["badges"][0]["name"] == told_of(page)["badge"] == "role"
    assert sent["roles"]["previous"]["word"] == english("role-previous")


def mean_entropy_by_hand(weights):
    """The mean over rows (T, T) of their entropy, divided by the log of the number of tokens."""
    rows = [-sum(p * math.log(p) for p in row.tolist() if p > 0) for row in weights]
    return sum(rows) / len(rows) / math.log(len(weights))


def mean_neighbour_by_hand(weights, step):
    found = [row[i + step] for i, row in enumerate(weights) if 0 <= i + step < len(row)]
    return sum(map(float, found)) / len(found)


BY_HAND = {
    "itself": (partial(mean_neighbour_by_hand, step=0), 0.4),
    "previous": (partial(mean_neighbour_by_hand, step=-1), 0.4),
    "spread": (mean_entropy_by_hand, 0.8),
}


def test_a_label_is_pale_where_the_sentence_on_screen_does_not_show_it(measured):
    page = open_page(text=TIRED)
    (site,) = (each for each in heads_of(page)["sites"] if each["name"] == "encoder")
    weights = page.session_state["run"].record.of("encoder").weights.astype(np.float64)
    maps = weights.reshape(-1, *weights.shape[2:])
    named = [(each, head) for each, head in zip(site["roles"], maps, strict=True) if each]
    assert {each["role"] for each, _ in named} == set(BY_HAND)
    for each, head in named:
        measure, least = BY_HAND[each["role"]]
        value = measure(head)
        assert each["faint"] == (value < least)
        assert f"{value:.2f}" in each["told"].split("). ")[-1]


@pytest.mark.slow
def test_the_opening_sentence_does_not_show_the_role_of_eight_heads_of_the_shipped_model():
    pale = {
        (site["name"], 1 + place // site["heads"], 1 + place % site["heads"])
        for site in heads_of(open_page())["sites"]
        for place, each in enumerate(site["roles"])
        if each and each["faint"]
    }
    encoder = ((1, 2), (1, 5), (3, 1), (3, 5), (3, 6), (4, 1))
    others = {("decoder", 1, 7), ("cross", 1, 4)}
    assert pale == {("encoder", *place) for place in encoder} | others


@pytest.mark.parametrize("asked", ["previous", "noun"])
def test_the_filter_is_in_the_address_if_heads_have_the_role(measured, asked):
    page = open_page(role=asked)
    kept = asked if asked == "previous" else None
    assert (told_of(page)["role"], page.query_params.get("role")) == (kept or "all", kept)


def test_the_sentence_above_tells_the_role_and_what_a_role_needs(measured):
    told = english("role-does-previous")
    assert told in markdown(open_page(text=TIRED, layer="2", head="3"))
    text = markdown(open_page(text=TIRED, layer="1", head="1"))
    assert "**Layer 1, head 1** has no role." in text
    assert "a role needs 0.40" in text


def test_the_card_links_to_the_head_it_is_about(measured):
    text = shown(markdown(open_page(text=TIRED, kind="cross", layer="2", head="4")))
    link = text.split(f"[{english('role-link')}](")[1].split(")\n")[0]
    page = open_page(**dict(parse_qsl(urlsplit(link).query)))
    assert (focus(page, "cross").place, told_of(page)["kind"]) == ((1, 3), "cross")


def test_a_picked_line_of_the_table_opens_its_head(measured, monkeypatch):
    draw, asked = roles.table, []

    def drawn(*what, on_pick, **how):
        asked.append(on_pick)
        draw(*what, on_pick=on_pick, **how)

    monkeypatch.setattr(roles, "table", drawn)
    page = open_page()
    monkeypatch.setattr(st, "session_state", page.session_state)
    (table,) = (each.value for each in page.dataframe if "candidate" in each.value.columns)
    line = 8 + 5
    assert (len(table), *table.loc[line, ["site", "layer", "head"]]) == (3 * 8, "Decoder", 2, 2)
    asked[0](line)
    assert (page.session_state["kind"], focus(page, "decoder").place) == ("decoder", (1, 1))


def test_the_table_is_drawn_for_who_opens_its_fold(measured):
    page = open_page()
    assert len(page.dataframe) == 1
    page.session_state["fold_roles"] = False
    assert not run(page).dataframe


@pytest.mark.parametrize("of_other_heads", [True, False])
def test_a_model_without_roles_of_its_heads_shows_none(copies, of_other_heads):
    if of_other_heads:
        write_measured(copies / "en-de", ROLES)
    page = open_page()
    sent = heads_of(page)
    assert ([site["roles"] for site in sent["sites"]], len(sent["filters"])) == ([None] * 3, 1)
    assert "role" not in {told_of(page)["badge"], *(each["name"] for each in sent["badges"])}
    assert english("role-link") not in markdown(page)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "faint", "headline"),
    [
        (TIRED, False, "**Layer 4, head 8** attends from a pronoun to its antecedent: “it”"),
        ("A dog runs.", True, "This sentence has no known pair of tokens"),
        ("I saw it.", False, "“it” attends to"),  # its antecedent is not known
    ],
)
def test_the_headline_speaks_of_a_pronoun_where_the_sentence_has_one(
    text, faint, headline, monkeypatch
):
    said = []
    monkeypatch.setattr(lab, "finding", said.append)
    page = open_page(text=text, layer="4", head="8")
    (site,) = (each for each in heads_of(page)["sites"] if each["name"] == "encoder")
    tile = site["roles"][3 * site["heads"] + 7]
    assert (tile["role"], tile["faint"]) == ("noun", faint)
    assert shown(said[-1]).startswith(headline)

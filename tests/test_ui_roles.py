"""Roles of heads on the attention page: words, a filter, a sentence, a card and a table."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import pytest
import streamlit as st
from conftest import ROOT, read_json, write_measured
from harness import english, focus, heads_of, markdown, open_page, run, shown, told_of

from core.measurements import ROLES
from ui.attention import roles

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
    assert roles == [None, "itself", None, None, None, "spread", "previous", None]
    filters = ["all", "aligns", "previous", "itself", "column", "spread"]
    assert [each["name"] for each in sent["filters"]] == filters
    assert sent["badges"][0]["name"] == told_of(page)["badge"] == "role"
    assert sent["roles"]["previous"]["word"] == english("role-previous")


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

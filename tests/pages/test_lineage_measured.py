"""The views of what was measured, with made-up numbers; missing and damaged files; the menu."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
import torch

from core.card import Outline
from core.lineage import MeasuredLineage
from model import save_checkpoint
from model.registry import families
from support.app import open_page, press, says
from support.lineage_values import values
from ui.controls import checkpoint_label, family_order
from ui.lineage.measured import curve_rows, seen_until
from ui.lineage.timeline import checkpoint_for
from viz.figure import spec_of
from viz.lineage import length_curves
from words import english

FOUND = MeasuredLineage.from_values(values())

ADDITIVE = families()["additive-attention"]


@pytest.fixture
def lab(copies, tiny_tokenizer) -> Path:
    """A folder with two checkpoints, one of the lineage, and what was measured."""
    torch.manual_seed(0)
    sizes = {"vocab_size": tiny_tokenizer.vocab_size, "d_model": 16, "hidden_size": 12}
    model = ADDITIVE.build(ADDITIVE.config(**sizes, max_len=160)).eval()
    card = {"title": "Additive attention", "languages": ["en", "de"]}
    card["lineage"] = {"year": 2015, "paper": "Bahdanau et al. 2015"}
    path = copies / "lineage-bahdanau"
    save_checkpoint(path, model, tiny_tokenizer, architecture=ADDITIVE.name, card=card)
    (copies / "lineage.json").write_text(json.dumps(values()), encoding="utf-8")
    return copies


# -- length ----------------------------------------------------------------------------------


def test_what_training_saw_ends_between_four_and_five_captions():
    assert seen_until([FOUND.systems["cho"]], 4) == 54.0  # 48 and 60 words


def test_a_system_keeps_its_colour_when_others_are_off():
    rows = curve_rows(list(FOUND.systems.values()), "joined")
    order = list(dict.fromkeys(rows["label"]))

    def colours(shown: pd.DataFrame) -> dict[str, str]:
        spec = spec_of(length_curves(shown, order, along="words", measure="BLEU"))
        colour = spec["layer"][1]["encoding"]["color"]
        scale = dict(zip(colour["scale"]["domain"], colour["scale"]["range"], strict=True))
        return {name: scale[name] for name in colour["legend"]["values"]}

    every = colours(rows)
    assert len(set(every.values())) == len(order)
    one = colours(rows[rows["system"] == "bahdanau"])
    assert len(one) == 1
    assert one.items() <= every.items()


# -- timeline --------------------------------------------------------------------------------


def test_the_timeline_opens_a_checkpoint_and_names_what_is_not_there(lab):
    page = open_page("lineage", lineage_look="systems")
    assert says(page, "timeline-not-installed")
    press(page, "timeline_open_additive-attention")
    assert page.selectbox("checkpoint").value == "lineage-bahdanau"
    assert page.query_params["checkpoint"] == "lineage-bahdanau"


def test_of_several_checkpoints_that_of_the_lineage_is_opened():
    family = families()["transformer"]
    found = [
        Outline("en-de", "transformer"),
        Outline("lineage-transformer", "transformer", of_lineage=True),
    ]
    assert checkpoint_for(family, found) == "lineage-transformer"
    assert checkpoint_for(family, found[:1]) == "en-de"
    assert checkpoint_for(family, []) is None


# -- the menu of checkpoints -----------------------------------------------------------------


def test_the_menu_names_paper_and_family(lab):
    page = open_page("lineage", lineage_look="systems")
    assert page.selectbox("checkpoint").options == [
        "en-de · Transformer",
        english("system-bahdanau"),
        english("checkpoint-recording"),
    ]


def test_families_stand_together_the_oldest_first():
    found = {
        name: Outline(name, architecture, year=year)
        for name, architecture, year in (
            ("b", "luong-attention", 2015),
            ("c", "additive-attention", 2015),
            ("a", "luong-attention", 2015),
            ("d", "rnn-encoder-decoder", 2014),
            ("e", "transformer", None),
        )
    } | {"broken": None}
    in_order = sorted(found, key=lambda name: family_order(name, found[name]))
    assert in_order == ["d", "c", "a", "b", "e", "broken"]
    assert checkpoint_label("broken", None) == "broken"
    assert all(english.has(f"family-{name}") for name in families())

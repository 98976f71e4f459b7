"""The quick look: shares that agree with counting by hand, and variants of a config."""

from __future__ import annotations

import json

import pytest

from core.changes import MaskedCell
from core.intervention import Intervention
from training.card import CONFIGS
from training.coreference import generate_held_out
from training.corpus import CorpusError
from training.evaluate import HELD_OUT_SEED
from training.heads import head_links
from training.probe import probe, report
from training.pronoun import forced_choice_is_right, likeliest_form, noun_phrase
from training.settings import variant_of


@pytest.fixture(scope="module")
def found(tiny_translator):
    return probe(tiny_translator, 3)


def test_the_shares_are_those_of_counting(tiny_translator, found):
    items = generate_held_out(3, seed=HELD_OUT_SEED)
    right = sum(forced_choice_is_right(tiny_translator, pair) for pair in items)
    assert found["right"] == pytest.approx(right / 6, abs=1e-4)
    flips = 0
    for pair in items:
        src = tiny_translator.tokenize(pair.source)
        change = Intervention(
            *(
                MaskedCell("encoder", None, None, q, k)
                for q in src.pieces_at(*pair.pronoun)
                for k in noun_phrase(src, pair.antecedent)
            )
        )
        plain = likeliest_form(tiny_translator, pair)
        flips += likeliest_form(tiny_translator, pair, change) != plain
    assert found["flips"] == pytest.approx(flips / 6, abs=1e-4)
    assert found["sentences"] == 6


def test_the_heads_are_those_of_the_measurement(tiny_translator, found):
    best = head_links(tiny_translator, generate_held_out(3, seed=HELD_OUT_SEED))["encoder"]
    assert found["noun"]["margin"] == best["margin"]
    assert (found["property"]["layer"], found["property"]["head"]) != (
        found["noun"]["layer"],
        found["noun"]["head"],
    )


def test_the_report_names_heads_from_one(found):
    text = report(found)
    noun = found["noun"]
    assert f"antecedent head: layer {noun['layer'] + 1}, head {noun['head'] + 1}, margin" in text
    assert f"\npronoun accuracy (forced choice): {found['right']}\n" in text
    assert text.endswith(f"\nsentences: {found['sentences']}")


def test_a_variant_changes_the_training_and_has_a_run_of_its_own():
    settings = {
        "name": "x",
        "model": {"d_model": 8},
        "training": {"seed": 1, "routes": []},
        "variants": {"other": {"training": {"seed": 2}}},
    }
    changed = variant_of(json.loads(json.dumps(settings)), "other")
    assert changed["training"] == {"seed": 2, "routes": []}
    assert (changed["name"], changed["config"], changed["variant"]) == ("x-other", "x", "other")
    assert variant_of(json.loads(json.dumps(settings)), None)["training"]["seed"] == 1
    with pytest.raises(CorpusError, match="the config names other"):
        variant_of(settings, "third")


def test_a_variant_may_add_sets_and_leave_some_out():
    config = json.loads((CONFIGS / "ko-en.json").read_text(encoding="utf-8"))
    folders = {
        name: [entry["folder"] for entry in variant_of(dict(config), name)["data"]["sets"]]
        for name in (None, *config["variants"])
    }
    assert folders["back-translation"] == [*folders[None], "back-ko-en"]
    assert folders["no-german"] == [
        name for name in folders[None] if not name.endswith(("-de", "-de-nc"))
    ]
    assert folders["no-tags"] == folders["no-dropout"] == folders[None]
    assert folders["all-manuals"] == folders[None], "the same set, in its place"
    assert variant_of(dict(config), "no-tags")["data"]["tags"] is False

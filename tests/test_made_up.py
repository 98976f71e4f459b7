"""Made-up translations: signs by hand, shares by counting, and AUROC pair by pair."""

from __future__ import annotations

import json
import math
import shutil

import numpy as np
import pytest
import torch
from conftest import ROOT, SENTENCES
from harness import open_page, put, says, shown, words

from core.made_up import (
    JUDGED,
    KINDS,
    NEAREST,
    Signs,
    aligning_head,
    among_nearest,
    not_in,
    sign_bins,
    sign_table,
)
from core.measurements import MADE_UP, MadeUp
from core.stored import read_stored
from model import load_translator
from model.experiments.made_up import signs_of
from model.experiments.share import share_of
from training.made_up import FILE, judged_pairs
from training.made_up import MadeUp as Measuring

ENGLISH, GERMAN = SENTENCES[:2]


def stored_of(name: str) -> MadeUp:
    return MadeUp.from_values(read_stored(MADE_UP, ROOT / "checkpoints" / name).values)


@pytest.fixture(scope="module")
def en_de():
    return load_translator(ROOT / "checkpoints" / "en-de")


@torch.inference_mode()
def test_signs_are_those_of_the_model_worked_out_by_hand(en_de):
    found = signs_of(en_de, ENGLISH, GERMAN)
    model, record = en_de.model, en_de.attend(ENGLISH, GERMAN)
    ids = torch.tensor([record.tgt.ids])
    read = torch.tensor([[model.config.bos_id, *record.tgt.ids[:-1]]])
    for src, value in ((record.src.ids, found.log_p), ([model.config.eos_id], found.without)):
        logits = model(torch.tensor([list(src)]), read)
        loss = torch.nn.functional.cross_entropy(logits[0], ids[0])
        assert value == pytest.approx(-float(loss), abs=1e-5)
    assert found.gain == found.log_p - found.without
    assert found.sharp == pytest.approx(record.cross.weights[0, 7].max(axis=1).mean(), abs=1e-6)
    assert found.share == share_of(en_de, record).of_source.mean()


def test_a_made_up_translation_has_lower_signs(en_de):
    sound = signs_of(en_de, ENGLISH, GERMAN)
    made_up = signs_of(en_de, "The train to Berlin leaves at nine.", GERMAN)
    assert made_up.log_p < sound.log_p - 1
    assert made_up.gain < sound.gain - 1


def test_without_measured_roles_no_head_is_the_aligning_one(tiny_translator):
    assert signs_of(tiny_translator, ENGLISH, GERMAN).sharp is None
    assert aligning_head(None) is None


def judgements(n: int = 1000) -> MadeUp:
    values = np.random.default_rng(0).permutation(n) / n
    faulty = {kind: [] for kind in KINDS} | {"detached": np.flatnonzero(values < 0.2).tolist()}
    told = {"value": 0.9, "low": 0.8, "high": 1.0}
    values = {"log_p": values.tolist(), "share": values.tolist()}
    return MadeUp.from_values(
        {
            "command": "",
            "languages": JUDGED,
            "signs": values,
            "faults": faulty,
            "auroc": {kind: dict.fromkeys(values, told) for kind in KINDS},
        }
    )


@pytest.mark.parametrize(
    ("value", "share"), [(-9, 1.0), (0.1, 1.0), (0.2, 0.5), (0.25, 0.25), (0.5, 0.0), (9, 0.0)]
)
def test_a_verdict_is_the_share_among_the_nearest_pairs_with_wilsons_interval(value, share):
    """200 of 1,000 evenly spaced values, those below 0.2 faulty."""
    found = among_nearest(judgements(), "log_p", value, "detached")
    assert found.value == pytest.approx(share)
    z, n = 1.959964, NEAREST
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    assert (found.low, found.high) == pytest.approx((middle - half, middle + half), abs=1e-6)


def test_a_sign_that_the_model_lacks_has_no_line():
    of = {"one": Signs(0.1, 0.0, None, None), "other": Signs(0.9, 0.0, None, 0.1)}
    lines = sign_table({name: (judgements(), signs) for name, signs in of.items()}, "detached")
    assert lines["model"].tolist() == ["one", "other", "other"]
    assert lines["sign"].tolist() == ["log_p", "log_p", "share"]
    assert lines["near"].tolist() == [1.0, 0.0, 1.0]


def test_both_groups_of_a_distribution_sum_to_one():
    bins = sign_bins(judgements(), "log_p", "detached")
    assert bins.groupby("group")["share"].sum().tolist() == pytest.approx([1, 1])
    faulty = bins[bins["group"] == "faulty"]
    assert faulty["value"][faulty["share"] > 0].max() < 0.22


REPRODUCED = {
    "detached": (0.98, 0.96, 0.88, 0.84),
    "unsupported": (0.92, 0.87, 0.80, 0.77),
}


@pytest.mark.parametrize("name", ["en-de", "de-en"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_stored_auroc_is_the_share_of_pairs_in_the_right_order(name, kind):
    """Every faulty pair held against every sound one."""
    stored = stored_of(name)
    n = len(stored.signs["log_p"])
    faulty = {place for places in stored.faults.values() for place in places}
    sound = [place for place in range(n) if place not in faulty]
    for at, (sign, values) in enumerate(stored.signs.items()):
        values = np.array(values)
        low, high = values[stored.faults[kind]][:, None], values[sound][None]
        share = (low < high).mean() + (low == high).mean() / 2
        told = stored.auroc[kind][sign]
        assert told.value == pytest.approx(share, abs=6e-4)
        assert told.low <= told.value <= told.high
        if name == "en-de" and kind in REPRODUCED:
            assert told.value == pytest.approx(REPRODUCED[kind][at], abs=0.025)


ROWS = """,src,mt,ref,repetitions,named-entities,omission,strong-unsupport,full-unsupport
0,Ein Hund, der schläft.,A dog.,A sleeping dog.,0,0,1,0,0
1,"Ja, gut.",The train.,"Yes, good.",0,0,0,0,1
2,Gut.,Good.,Good.,0,0,0,0,0
3,Gut.,{long},Good.,1,0,0,0,0
"""


def test_judged_pairs_are_measured_without_their_texts(tiny_translator, tmp_path):
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_text(ROWS.replace("{long}", "dog " * 200), "utf-8")
    pairs = list(judged_pairs(tmp_path / FILE))
    assert pairs[0] == (("Ein Hund, der schläft.", "A dog."), (False, False, True, False, False))
    found = Measuring(tiny_translator, tmp_path).measure()
    assert found["faults"]["omission"] == [0]
    assert found["faults"]["detached"] == found["faults"]["unsupported"] == [1]
    signs = signs_of(tiny_translator, "The train.", "Ja, gut.")  # the other way round
    assert found["signs"]["log_p"][1] == pytest.approx(signs.log_p, abs=1e-4)
    assert len(found["signs"]["log_p"]) == 3  # one was too long
    assert not any(word in json.dumps(found) for word in ("Hund", "sleeping"))
    assert found["auroc"]["detached"]["log_p"]["value"] in (0, 1)  # one faulty, one sound


@pytest.mark.parametrize(
    ("language", "text", "other"),
    [
        ("en", ENGLISH, None),
        ("de", GERMAN, None),
        ("en", GERMAN, "de"),
        ("de", ENGLISH, "en"),
        ("de", "동물이 길을 건너지 않았다.", ""),
        ("ko", ENGLISH, None),
    ],
)
def test_a_text_is_held_against_the_profile_of_its_own_language(en_de, language, text, other):
    assert not_in(en_de.card.language_check, language, text) == other


# The page


def opened(**address):
    return open_page("worth", worth_look="made-up", **address)


@pytest.mark.parametrize("kind", ["unsupported", "omission"])
def test_the_verdict_is_by_the_sign_that_tells_the_judged_pairs_best(en_de, kind):
    page = opened(made_up_example="other", made_up_fault=kind)
    source, translation = (
        page.session_state[f"made_up_{side}"] for side in ("source", "translation")
    )
    read = {"en-de": (translation, source), "de-en": (source, translation)}
    told = {
        (of.value, name, sign): of
        for name in read
        for sign, of in stored_of(name).auroc[kind].items()
    }
    best = max(told)
    _, name, sign = best
    reader = load_translator(ROOT / "checkpoints" / name)
    value = getattr(signs_of(reader, *read[name]), sign)
    near = among_nearest(stored_of(name), sign, value, kind)
    said = shown(words(page))
    assert f"{near.value:.0%}" in said
    assert f"AUROC ({told[best].value:.2f}, {told[best].low:.2f} to" in said
    _, table = (each.value for each in page.dataframe)
    assert table["model"].tolist() == ["en-de", "de-en"]
    page = put(page, made_up_way="en-de")
    assert says(page, "made-up-not-calibrated", pair="English → German")


def test_without_a_model_of_the_other_direction_that_is_said(copies):
    page = opened(made_up_way="en-de", text=ENGLISH)
    assert says(page, "made-up-no-reverse", pair="German → English")


@pytest.mark.parametrize(
    ("texts", "id"),
    [
        ({"made_up_source": " "}, "model-text-empty"),
        ({"made_up_translation": "the " * 400}, "model-text-long"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(texts, id):
    page = put(opened(), **texts)
    (error,) = page.error
    part = "no visible characters" if "source" in next(iter(texts)) else "translation has"
    assert part in shown(error.value)


def test_a_copy_and_another_language_are_told():
    page = put(opened(), made_up_translation=GERMAN, made_up_source=GERMAN)
    assert says(page, "made-up-same")
    assert "does not look like English, but like German" in words(page)


def test_a_model_of_the_other_direction_is_found_by_its_languages(copies):
    shutil.copytree(copies / "en-de", copies / "back")
    card = {"languages": ["de", "en"], "title": "Back"}
    (copies / "back" / "card.json").write_text(json.dumps(card))
    page = opened(made_up_way="en-de", text=ENGLISH)
    assert not says(page, "made-up-no-reverse", pair="German → English")
    (table,) = (each.value for each in page.dataframe)
    assert table["model"].tolist() == ["back", "en-de"]

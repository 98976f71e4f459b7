"""The page of the lineage: one sentence through all systems, a step, a vector, measurements."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from core.card import Outline
from core.lineage import MeasuredLineage
from model import save_checkpoint
from model.experiments.step import step_values
from model.io.checkpoint import FOLDER_VARIABLE
from model.io.registry import families
from support.app import charts, click, open_page, press, says, table_of, words
from support.lineage_values import values
from support.models import ROOT
from ui.frame import reasons
from ui.frame.checkpoints import outlines
from ui.frame.messages import plain
from ui.kit.checkpoint_labels import checkpoint_label
from ui.pages.lineage import chosen, step
from ui.pages.lineage.measured import seen_until
from ui.pages.lineage.systems import default_pair
from ui.pages.lineage.timeline import checkpoint_for
from ui.shell.inputs import family_order
from words import Words, english

TEXT, LOCAL = "A dog runs through the snow.", "lineage-luong-local-p-general"
SHIPPED = ROOT / "checkpoints"


@pytest.fixture
def alone(tmp_path, monkeypatch) -> Path:
    """A folder with one checkpoint, which is not of the lineage."""
    (tmp_path / "en-de").symlink_to(SHIPPED / "en-de")
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    return tmp_path


def opened(look: str, checkpoint: str = "lineage-bahdanau", **address: str):
    known = {"checkpoint": checkpoint, "text": TEXT, "max_len": "9", "lineage_look": look}
    return open_page("lineage", **(known | address))


def values_of(page, at: int):
    """What a step of the decoder on screen is worked out from."""
    run = page.session_state["run"]
    return step_values(run.translator, run.translation.src, run.translation.tgt, at)


# -- all systems -----------------------------------------------------------------------------


def test_a_click_on_a_paper_hides_its_model_and_a_second_one_shows_it_again():
    page = opened("systems", lineage_systems="lineage-cho,lineage-bahdanau")
    shown = []
    for name in ("lineage-cho", "nobody", "lineage-cho"):
        click(page, "timeline", "paper", name=name)
        shown.append(set(page.session_state["lineage_systems"]))
    assert shown == [{"lineage-bahdanau"}] * 2 + [{"lineage-cho", "lineage-bahdanau"}]


def test_a_damaged_checkpoint_leaves_the_others_up(alone):
    for name in ("cho", "bahdanau"):
        (alone / f"lineage-{name}").symlink_to(SHIPPED / f"lineage-{name}")
    broken = alone / "broken"
    broken.mkdir()
    for file in ("config.json", "card.json"):
        (broken / file).write_bytes((SHIPPED / "lineage-sutskever" / file).read_bytes())
    page = opened("systems", lineage_systems="broken,lineage-cho,lineage-bahdanau")
    assert len(page.error) == 1
    assert "model.safetensors is missing" in words(page)
    assert len(charts(page)) > 1


def test_without_the_lineage_it_is_said_how_to_train_it_and_there_is_no_step(alone):
    page = opened("systems", "en-de")
    assert says(page, "lineage-not-installed")
    assert says(page, "lineage-difference-one")
    page = opened("step", "en-de")
    assert says(page, "need-values")
    assert page.segmented_control("lineage_look").value == "systems"


def test_a_model_of_other_languages_gives_way_to_one_that_has_ancestors():
    page = opened("systems", "ko-en", text="나는 학교에 간다.")
    assert page.session_state["run"].choices.checkpoint == "en-de"
    other, own = (plain(checkpoint_label(name, outlines()[name])) for name in ("en-de", "ko-en"))
    told = {"view": english("view-lineage-systems"), "other": other, "open": own}
    assert says(page, "view-brought", **told)
    titles = {name for drawn in page.multiselect for name in drawn.value}
    assert {"lineage-cho", "lineage-bahdanau", "en-de"} <= titles


def test_systems_that_are_installed_are_named_beside_a_model_of_other_languages(monkeypatch):
    """A model that was opened by its path is shown itself, whatever it reads."""
    monkeypatch.setattr(reasons, "opened", lambda: {"ko-en": outlines()["ko-en"]})
    page = opened("systems", "ko-en")
    installed = chosen.installed_systems()
    assert {each.name for each in installed} == {each.name for each in SHIPPED.glob("lineage-*")}
    named = " · ".join(chosen.titles_of(installed).values())
    assert says(page, "lineage-other-languages", systems=plain(named))
    assert not page.code


def outline(name: str, *can: str, of_lineage: bool = True, **more) -> Outline:
    return Outline(name, "x", of_lineage=of_lineage, capabilities=frozenset(can), **more)


def test_the_page_begins_with_the_open_system_and_the_oldest_of_each_other_kind():
    vectors = [outline("a"), outline("b")]
    attending = [outline("c", "scores"), outline("d", "scores")]
    alone = [outline(name, "scores", "positions") for name in "ef"]
    large = outline("z", "scores", "positions", of_lineage=False)
    found = [*vectors, *attending, *alone, large]
    assert chosen.first_systems(found, "z") == ("a", "c", "z")
    assert chosen.first_systems(found, "d") == ("a", "d", "e")
    assert chosen.first_systems([large], "z") == ("z",)
    sites = {"a": None, "b": 1, "c": 1}
    pictures = {name: SimpleNamespace(site=site) for name, site in sites.items()}
    assert default_pair(pictures, "c") == ("b", "c"), "two that show the same"
    assert default_pair(pictures, "a") == ("b", "a")


def test_systems_of_one_title_are_told_apart_and_in_the_language_of_the_page(monkeypatch):
    (title,) = chosen.titles_of([outlines()["en-de"]]).values()
    assert title == english("lineage-family-transformer")  # "English to German" is no model
    titles = chosen.titles_of([outline(name, title="T") for name in "ab"])
    assert titles == {"a": "T · a", "b": "T · b"}
    one = outline("a", title="T", titles={"ko": "제목"})
    assert chosen.titles_of([one]) == {"a": "T"}
    monkeypatch.setattr(chosen, "current_words", lambda: Words("ko"))
    assert chosen.titles_of([one]) == {"a": "제목"}
    assert (one.title_in("ko"), one.title_in("fr")) == ("제목", "T")


# -- one step, and one vector ----------------------------------------------------------------


@pytest.mark.parametrize("name", ["lineage-cho", "lineage-bahdanau", LOCAL])
def test_a_step_shows_every_equation_and_columns_that_add_up_as_they_are_shown(name):
    page = opened("step", name, step_token="3", step_source="2", step_unit="4")
    found = values_of(page, 2)
    latex = [each.value.strip().strip("$").strip() for each in page.latex]
    assert latex == [each.latex for each in found.equations]
    output, best = table_of(page, "logit"), found.candidates[0]
    assert output["probability"].iloc[0] == pytest.approx(np.exp(best.log_prob), abs=1e-4)
    columns = {"exponential": None, "probability": None}
    if found.weights is not None:
        columns["term"] = found.scores[1]
        columns["product"] = sum(found.weights * found.values["annotations"][:, 3])
        softmax = table_of(page, "share")
        assert softmax["share"].sum() == pytest.approx(2, abs=1e-9)  # the shares and their sum
        last = softmax["weight" if "weight" in softmax else "share"]
        np.testing.assert_allclose(last[:-1].fillna(0), found.weights, atol=1.1e-4)
    for column, value in columns.items():
        shown = (output if value is None else table_of(page, column))[column]
        assert shown[:-1].sum() == pytest.approx(shown.iloc[-1], abs=1e-9)
        assert value is None or shown.iloc[-1] == pytest.approx(value, abs=1e-4)


def test_a_token_outside_of_the_window_has_a_score_and_no_share():
    found = values_of(opened("step", LOCAL, step_token="2", text=" ".join([TEXT] * 4)), 1)
    columns, outside = step.softmax_columns(found), ~found.seen
    assert outside.any()
    assert np.isnan(columns["share"][outside]).all()
    assert not np.isnan(columns["score"]).any()


# -- what was measured, and the timeline -----------------------------------------------------

ADDITIVE = families()["additive-attention"]


def test_what_training_saw_ends_between_four_and_five_captions():
    systems = MeasuredLineage.from_values(values()).systems
    assert seen_until([systems["cho"]], 4) == 54.0  # 48 and 60 words


def test_the_timeline_opens_a_checkpoint_and_names_what_is_not_there(copies, tiny_tokenizer):
    torch.manual_seed(0)
    sizes = {"vocab_size": tiny_tokenizer.vocab_size, "d_model": 16, "hidden_size": 12}
    model = ADDITIVE.build(ADDITIVE.config(**sizes, max_len=160)).eval()
    card = {"title": "Additive attention", "languages": ["en", "de"]}
    card["lineage"] = {"year": 2015, "paper": "Bahdanau et al. 2015"}
    path = copies / "lineage-bahdanau"
    save_checkpoint(path, model, tiny_tokenizer, architecture=ADDITIVE.name, card=card)
    (copies / "lineage.json").write_text(json.dumps(values()), encoding="utf-8")
    page = open_page("lineage", lineage_look="systems")
    assert says(page, "timeline-not-installed")
    assert page.selectbox("checkpoint").options == [
        "en-de · Transformer",
        english("system-bahdanau"),
        english("checkpoint-recording"),
    ]
    press(page, "timeline_open_additive-attention")
    assert page.selectbox("checkpoint").value == "lineage-bahdanau"
    assert page.query_params["checkpoint"] == "lineage-bahdanau"


def test_checkpoints_stand_by_family_the_oldest_first_and_that_of_the_lineage_is_opened():
    family, own = families()["transformer"], Outline("en-de", "transformer")
    lineage = Outline("lineage-transformer", "transformer", of_lineage=True)
    for found, name in (([own, lineage], lineage.name), ([own], "en-de"), ([], None)):
        assert checkpoint_for(family, found) == name
    luong = {name: Outline(name, "luong-attention", year=2015) for name in "ba"}
    cho, none = Outline("d", "rnn-encoder-decoder", year=2014), Outline("e", "transformer")
    found = {"broken": None, "e": none, **luong, "d": cho}
    in_order = sorted(found, key=lambda name: family_order(name, found[name]))
    assert in_order == ["d", "a", "b", "e", "broken"]
    assert checkpoint_label("broken", None) == "broken"
    assert all(english.has(f"family-{name}") for name in families())

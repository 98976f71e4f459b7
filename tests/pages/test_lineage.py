"""The page of the lineage: one sentence through all systems, one step, one vector."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from core.card import Outline
from model.checkpoint import FOLDER_VARIABLE
from model.experiments.step import step_values
from support.app import charts, click, open_page, put, says, table_of, tables, words
from support.models import ROOT
from ui import views
from ui.controls import checkpoint_label
from ui.lineage import chosen, step
from ui.lineage.systems import default_pair
from ui.state import outlines
from ui.words import plain
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


# -- all systems ----------------------------------------------------------------------------


def test_a_window_wider_than_the_sentence_ends_where_the_sentence_does():
    page = opened("systems", lineage_systems=f"{LOCAL},lineage-luong-global-general")
    (windows,) = [t["windows"] for t in map(tables, charts(page)) if "windows" in t]
    assert words(page).count("because the Gaussian reduces some weights") == 1
    assert (windows["x"] == 0).all()
    assert windows["x2"].nunique() == 1


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


@pytest.mark.parametrize("look", ["systems", "bottleneck"])
def test_a_model_of_other_languages_gives_way_to_one_that_has_ancestors(look):
    page = opened(look, "ko-en", text="나는 학교에 간다.")
    assert page.segmented_control("lineage_look").value == look
    assert page.session_state["run"].choices.checkpoint == "en-de"
    other, own = (checkpoint_label(name, outlines()[name]) for name in ("en-de", "ko-en"))
    told = {"view": english(f"view-lineage-{look}"), "other": plain(other), "open": plain(own)}
    assert says(page, "view-brought", **told)
    assert not says(page, "lineage-other-languages", systems="")
    titles = {name for drawn in page.multiselect for name in drawn.value}
    assert {"lineage-cho", "lineage-bahdanau", "en-de"} <= titles


def test_systems_that_are_installed_are_named_beside_a_model_of_other_languages(monkeypatch):
    """A model that was opened by its path is shown itself, whatever it reads."""
    monkeypatch.setattr(views, "opened", lambda: {"ko-en": outlines()["ko-en"]})
    page = opened("systems", "ko-en")
    installed = chosen.installed_systems()
    assert {each.name for each in installed} == {each.name for each in SHIPPED.glob("lineage-*")}
    named = " · ".join(chosen.titles_of(installed).values())
    assert says(page, "lineage-other-languages", systems=plain(named))
    assert not page.code


def test_a_model_outside_of_the_lineage_is_titled_by_its_name_and_family():
    (title,) = chosen.titles_of([outlines()["en-de"]]).values()
    assert title == f"en-de · {english('family-transformer')}"  # "English to German" is no model


def test_the_page_begins_with_the_open_system_and_the_oldest_of_each_other_kind():
    def outline(name: str, *can: str, of_lineage: bool = True) -> Outline:
        return Outline(name, "x", of_lineage=of_lineage, capabilities=frozenset(can))

    vectors = [outline("a"), outline("b")]
    attending = [outline("c", "scores"), outline("d", "scores")]
    alone = [outline(name, "scores", "positions") for name in "ef"]
    large = outline("z", "scores", "positions", of_lineage=False)
    found = [*vectors, *attending, *alone, large]
    assert chosen.first_systems(found, "z") == ("a", "c", "z")
    assert chosen.first_systems(found, "d") == ("a", "d", "e")
    assert chosen.first_systems([large], "z") == ("z",)


def test_systems_of_one_title_are_told_apart_and_in_the_language_of_the_page(monkeypatch):
    kin = {"architecture": "x", "of_lineage": True}
    titles = chosen.titles_of([Outline(name, title="T", **kin) for name in "ab"])
    assert titles == {"a": "T · a", "b": "T · b"}
    outline = Outline("a", title="T", titles={"ko": "제목"}, **kin)
    assert chosen.titles_of([outline]) == {"a": "T"}
    monkeypatch.setattr(chosen, "current_words", lambda: Words("ko"))
    assert chosen.titles_of([outline]) == {"a": "제목"}
    assert (outline.told("ko"), outline.told("fr")) == ("제목", "T")


def test_the_two_that_are_compared_at_first_show_the_same():
    pictures = {
        name: SimpleNamespace(site=site) for name, site in (("a", None), ("b", 1), ("c", 1))
    }
    assert default_pair(pictures, "c") == ("b", "c")
    assert default_pair(pictures, "a") == ("b", "a")


# -- one step -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["lineage-cho", "lineage-bahdanau", LOCAL])
def test_a_step_shows_every_equation_and_its_output(name):
    page = opened("step", name)
    found = values_of(page, 1)
    assert [each.value.strip().strip("$").strip() for each in page.latex] == [
        each.latex for each in found.equations
    ]
    output, best = table_of(page, "logit"), found.candidates[0]
    assert output["probability"].iloc[0] == pytest.approx(np.exp(best.log_prob), abs=1e-4)
    for column in ("exponential", "probability"):
        assert output[column][:-1].sum() == pytest.approx(output[column].iloc[-1], abs=1e-9)


@pytest.mark.parametrize("name", ["lineage-bahdanau", LOCAL])
def test_every_column_of_a_step_adds_up_as_it_is_shown(name):
    page = opened("step", name, step_token="3", step_source="2", step_unit="4")
    found = values_of(page, 2)
    product = sum(found.weights * found.values["annotations"][:, 3])
    for name, value in (("term", found.scores[1]), ("product", product)):
        column = table_of(page, name)[name]
        assert column[:-1].sum() == pytest.approx(column.iloc[-1], abs=1e-9)
        assert column.iloc[-1] == pytest.approx(value, abs=1e-4)
    softmax = table_of(page, "share")
    assert softmax["share"].sum() == pytest.approx(2, abs=1e-9)  # the shares and their sum
    last = softmax["weight" if "weight" in softmax else "share"]
    np.testing.assert_allclose(last[:-1].fillna(0), found.weights, atol=1.1e-4)


def test_a_token_outside_of_the_window_has_a_score_and_no_share():
    found = values_of(opened("step", LOCAL, step_token="2", text=" ".join([TEXT] * 4)), 1)
    columns, outside = step.softmax_columns(found), ~found.seen
    assert outside.any()
    assert np.isnan(columns["share"][outside]).all()
    assert not np.isnan(columns["score"]).any()


def test_a_step_is_shown_with_a_model_that_has_its_equations_and_says_so():
    page = opened("step", "lineage-transformer")
    assert page.segmented_control("lineage_look").value == "step"
    assert page.session_state["run"].choices.checkpoint == "lineage-bahdanau"
    other, own = (english(f"system-{name}") for name in ("bahdanau", "transformer"))
    told = {"view": english("view-lineage-step"), "other": other, "open": own}
    assert says(page, "view-brought", **told)
    put(page, lineage_look="systems")
    assert page.session_state["run"].choices.checkpoint == "lineage-transformer"


# -- one vector -----------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "n"), [("bahdanau", 2), ("cho", 1), ("transformer", 0)])
def test_states_are_drawn_direction_by_direction_and_a_long_text_ends_its_line(name, n):
    page = opened("bottleneck", f"lineage-{name}", lineage_more="dog " * 200)
    assert len([t for t in map(tables, charts(page)) if "picture" in t]) == n
    assert says(page, "need-values") == (n == 0)
    assert "reads at most 160 tokens" in words(page)
    assert not page.error

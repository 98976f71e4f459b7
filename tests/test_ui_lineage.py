"""The page of the lineage: one sentence through all systems, one step, one vector."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from conftest import make_model
from harness import charts, open_page, put, says, table_of, tables, words

from core.card import Outline
from model import save_checkpoint
from model.checkpoint import FOLDER_VARIABLE
from model.config import config_from_dict
from model.experiments.step import step_values
from model.registry import families
from ui.lineage import chosen, step
from ui.lineage.systems import default_pair
from ui.words import plain
from words import Words, english

TEXT = "A dog runs through the snow."
SIZES = {"d_model": 12, "hidden_size": 10, "max_len": 60}
SYSTEMS = {
    "cho": ("rnn-encoder-decoder", 2014, {}),
    "sutskever": ("lstm-seq2seq", 2014, {"reverse_source": True}),
    "bahdanau": ("additive-attention", 2015, {}),
    "luong-global": ("luong-attention", 2015, {"score": "general"}),
    "luong-local-p": ("luong-attention", 2015, {"attention": "local-p", "window": 2}),
    "luong-local-m": ("luong-attention", 2015, {"attention": "local-m", "window": 40}),
}


def save(root: Path, name: str, tokenizer, architecture: str, year: int, more: dict) -> None:
    torch.manual_seed(4)
    family = families()[architecture]
    config = config_from_dict(family.config, {"vocab_size": tokenizer.vocab_size} | SIZES | more)
    card = {
        "title": f"Title of {name}",
        "languages": ["en", "de"],
        "lineage": {"year": year, "paper": name},
    }
    path = root / name
    save_checkpoint(path, family.build(config), tokenizer, architecture=architecture, card=card)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory, tiny_tokenizer) -> Path:
    """All systems with random weights, a Transformer of the lineage and one beside it."""
    root = tmp_path_factory.mktemp("lineage")
    for name, (architecture, year, more) in SYSTEMS.items():
        save(root, name, tiny_tokenizer, architecture, year, more)
    model = make_model(vocab_size=tiny_tokenizer.vocab_size)
    small = {"title": "Title of small", "lineage": {"year": 2017}}
    for name, pair, card in (
        ("small", "en de", small),
        ("en-de", "en de", {}),
        ("de-en", "de en", {}),
    ):
        save_checkpoint(
            root / name, model, tiny_tokenizer, card={"languages": pair.split(), **card}
        )
    return root


@pytest.fixture
def alone(shelf, tmp_path, monkeypatch) -> Path:
    """A folder with one checkpoint, which is not of the lineage."""
    (tmp_path / "en-de").symlink_to(shelf / "en-de")
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    return tmp_path


@pytest.fixture(autouse=True)
def app(shelf, monkeypatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(shelf))


def opened(look: str, checkpoint: str = "bahdanau", **address: str):
    return open_page(
        "lineage", checkpoint=checkpoint, text=TEXT, max_len="9", lineage_look=look, **address
    )


def values_of(page, at: int):
    """What a step of the decoder on screen is worked out from."""
    run = page.session_state["run"]
    return step_values(run.translator, run.translation.src, run.translation.tgt, at)


# -- all systems ----------------------------------------------------------------------------


def test_a_window_wider_than_the_sentence_ends_where_the_sentence_does():
    page = opened("systems", lineage_systems="luong-local-p,luong-local-m")
    windows = [t["windows"] for t in map(tables, charts(page)) if "windows" in t]
    assert len(windows) == 2
    assert words(page).count("because the Gaussian reduces some weights") == 1
    assert (windows[0]["x"] == 0).all()
    assert windows[0]["x2"].nunique() == 1


def test_a_damaged_checkpoint_leaves_the_others_up(shelf, tmp_path, monkeypatch):
    for name in ("cho", "bahdanau"):
        (tmp_path / name).symlink_to(shelf / name)
    broken = tmp_path / "broken"
    broken.mkdir()
    for file in ("config.json", "card.json"):
        (broken / file).write_bytes((shelf / "sutskever" / file).read_bytes())
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    page = opened("systems", lineage_systems="broken,cho,bahdanau")
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


def test_systems_that_are_installed_are_named_whatever_model_is_open():
    """Of another pair of languages they cannot be held against it, but they are there."""
    page = opened("systems", "de-en")
    assert not says(page, "lineage-not-installed")
    named = " · ".join(chosen.titles_of(chosen.installed_systems()).values())
    assert {each.name for each in chosen.installed_systems()} == {*SYSTEMS, "small"}
    assert says(page, "lineage-other-languages", systems=plain(named))
    assert not page.code


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
    titles = chosen.titles_of([Outline("a", "x", title="T"), Outline("b", "x", title="T")])
    assert titles == {"a": "T · a", "b": "T · b"}
    outline = Outline("a", "x", title="T", titles={"ko": "제목"})
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


@pytest.mark.parametrize("name", ["cho", "bahdanau", "luong-local-m"])
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


@pytest.mark.parametrize("name", ["bahdanau", "luong-local-p"])
def test_every_column_of_a_step_adds_up_as_it_is_shown(name):
    page = opened("step", name, step_token="3", step_source="2", step_unit="4")
    found = values_of(page, 2)
    exact = {
        "term": found.scores[1],
        "product": sum(found.weights * found.values["annotations"][:, 3]),
    }
    for name, value in exact.items():
        column = table_of(page, name)[name]
        assert column[:-1].sum() == pytest.approx(column.iloc[-1], abs=1e-9)
        assert column.iloc[-1] == pytest.approx(value, abs=1e-4)
    softmax = table_of(page, "share")
    assert softmax["share"].sum() == pytest.approx(2, abs=1e-9)  # the shares and their sum
    last = softmax["weight" if "weight" in softmax else "share"]
    np.testing.assert_allclose(last[:-1].fillna(0), found.weights, atol=1.1e-4)


def test_a_token_outside_of_the_window_has_a_score_and_no_share():
    found = values_of(opened("step", "luong-local-p", step_token="2"), 1)
    columns, outside = step.softmax_columns(found), ~found.seen
    assert outside.any()
    assert np.isnan(columns["share"][outside]).all()
    assert not np.isnan(columns["score"]).any()


def test_a_step_is_shown_with_a_model_that_has_its_equations_and_says_so():
    page = opened("step", "small")
    assert page.segmented_control("lineage_look").value == "step"
    assert page.session_state["run"].choices.checkpoint == "bahdanau"
    names = {"other": english("system-bahdanau"), "open": "small"}
    assert says(page, "view-brought", view=english("view-lineage-step"), **names)
    put(page, lineage_look="systems")
    assert page.session_state["run"].choices.checkpoint == "small"


# -- one vector -----------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "n"), [("bahdanau", 2), ("cho", 1), ("small", 0)])
def test_states_are_drawn_direction_by_direction_and_a_long_text_ends_its_line(name, n):
    page = opened("bottleneck", name, lineage_more="dog " * 100)
    assert len([t for t in map(tables, charts(page)) if "picture" in t]) == n
    assert says(page, "need-values") == (n == 0)
    assert "reads at most 60 tokens" in words(page)
    assert not page.error

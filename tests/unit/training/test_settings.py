"""Configs: variants, shorter runs, what holds from a step on, and what shipped cards name."""

from __future__ import annotations

import copy
import re
from types import SimpleNamespace

import pytest
import torch

from core.schedule import rate_multiplier, warmup_learning_rate
from support.models import ROOT, read_json
from training.card import CONFIGS
from training.corpora.pairs import repeats_of
from training.corpora.text_pairs import CorpusError
from training.objectives.families import model_for
from training.objectives.objective import latest, objective_at
from training.settings import read_config, shortened, variant_of


def ko_en(variant=None):
    return variant_of(read_config(CONFIGS / "ko-en.json"), variant)


def test_the_latest_entry_reached_counts_and_gives_its_values_together():
    entries = [[3, 5.0], [7, 9.0]]
    assert [latest(step, entries, 1.0) for step in (0, 2, 3, 6, 7, 8)] == [1, 1, 5, 5, 9, 9]
    both = [[3, 0.5, 0.0], [9, 0.6, 0.25]]
    assert [latest(step, both, (0.0, 0.0)) for step in (4, 9)] == [(0.5, 0.0), (0.6, 0.25)]


def rate_at(settings, step):
    training = settings["training"]
    rate = warmup_learning_rate(step, 256, training["warmup"], training["factor"])
    return rate * rate_multiplier(step, training["rate_points"])


@pytest.mark.parametrize("variant", [None, "all-manuals"])
def test_a_shorter_run_has_the_rates_of_the_whole_one_and_a_share_of_each_set(variant):
    whole = ko_en(variant)
    short = shortened(whole, 0.1)
    assert short["training"]["max_steps"] == whole["training"]["max_steps"] / 10
    for step in (10, 30, 100, 300, 500, 660):
        assert rate_at(short, step) == pytest.approx(rate_at(whole, 10 * step))
    assert not any(key.startswith("formation") for key in short["training"])
    assert whole["training"]["formation_steps"], "the config itself is left as it is"
    for epoch in (0, 1, 5, 6):
        expected = {name: 0.1 * times for name, times in repeats_of(whole["data"], epoch).items()}
        assert repeats_of(short["data"], epoch) == pytest.approx(expected)


def test_routes_begin_sooner_in_a_shorter_run_and_its_share_is_of_the_whole():
    config = read_config(CONFIGS / "en-de-controls.json")
    routes = shortened(config, 0.5)["training"]["routes"]
    assert [route["from_step"] for route in routes] == [10, 150]
    for share in (0, -1, 1.5):
        with pytest.raises(CorpusError, match="share of a run"):
            shortened(config, share)


@pytest.mark.parametrize(
    ("name", "variant"),
    [("en-de-captions", None), ("en-de-controls", None), ("captions", "hard")],
)
def test_a_shorter_run_has_the_objective_of_the_whole_one_at_the_same_share_of_the_way(
    name, variant
):
    settings = variant_of(read_config(CONFIGS / f"{name}.json"), variant)
    whole = settings["training"]
    half = shortened(settings, 0.5)["training"]
    steps = range(0, whole["max_steps"] + 1, 50)
    assert len({objective_at(step, whole) for step in steps}) > 1, "its objective changes"
    for step in steps:
        assert objective_at(step // 2, half) == objective_at(step, whole), step


def test_a_variant_changes_its_sections_and_has_a_run_of_its_own():
    settings = {
        "name": "x",
        "model": {"d_model": 8},
        "data": {"sets": [{"folder": "a"}, {"folder": "b"}], "tags": True},
        "training": {"seed": 1, "routes": []},
        "variants": {
            "other": {
                "training": {"seed": 2},
                "with": [{"folder": "c"}, {"folder": "a", "tag": "<a>"}],
                "without": ["b"],
            }
        },
    }
    changed = variant_of(copy.deepcopy(settings), "other")
    assert changed["training"] == {"seed": 2, "routes": []}
    assert (changed["name"], changed["config"], changed["variant"]) == ("x-other", "x", "other")
    sets = [{"folder": "a", "tag": "<a>"}, {"folder": "c"}]
    assert changed["data"] == {"sets": sets, "tags": True}
    assert variant_of(copy.deepcopy(settings), None)["training"]["seed"] == 1
    with pytest.raises(CorpusError, match="the config names other"):
        variant_of(settings, "third")


def test_every_shipped_config_fits_its_family():
    for path in sorted(CONFIGS.glob("*.json")):
        config = read_json(path)
        assert config["name"] == path.stem
        alone = [None] if config["model"] else []
        for variant in (*alone, *config.get("variants", ())):
            settings = variant_of(copy.deepcopy(config), variant)
            n_pieces = settings["tokenizer"]["vocab_size"]
            with torch.device("meta"):
                model = model_for(settings, SimpleNamespace(vocab_size=n_pieces))
            shape = (n_pieces, settings["model"]["d_model"])
            assert model.embedding.weight.shape == shape, (path, variant)
            objective_at(settings["training"]["max_steps"], settings["training"])


def test_the_command_of_every_card_names_the_config_that_made_the_weights():
    cards = sorted((ROOT / "checkpoints").glob("*/card.json"))
    assert cards
    for path in cards:
        card, sizes = read_json(path), read_json(path.parent / "config.json")
        training, command = (
            card["training"],
            r"python -m training --config (\S+)(?: --variant (\S+))?",
        )
        config, variant = re.fullmatch(command, training["command"]).groups()
        settings = variant_of(read_json(ROOT / config), variant)
        assert training["settings"] == settings["training"], path
        assert training["steps"] == settings["training"]["max_steps"], path
        assert card["data"] == settings["data"], path
        assert {name: sizes[name] for name in settings["model"]} == settings["model"], path

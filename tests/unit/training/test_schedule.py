"""What a config asks for from some step on."""

import pytest

from core.schedule import rate_multiplier, warmup_learning_rate
from training.card import CONFIGS
from training.corpus import CorpusError, repeats_of
from training.settings import latest, read_config, shortened, variant_of


def test_the_latest_entry_reached_counts_and_gives_its_values_together():
    entries = [[3, 5.0], [7, 9.0]]
    assert [latest(step, entries, 1.0) for step in (0, 2, 3, 6, 7, 8)] == [1, 1, 5, 5, 9, 9]
    both = [[3, 0.5, 0.0], [9, 0.6, 0.25]]
    assert [latest(step, both, (0.0, 0.0)) for step in (4, 9)] == [(0.5, 0.0), (0.6, 0.25)]


def rate_at(settings, step):
    training = settings["training"]
    rate = warmup_learning_rate(step, 256, training["warmup"], training["factor"])
    return rate * rate_multiplier(step, training["rate_points"])


@pytest.mark.parametrize("variant", [None, "all-manuals", "no-dropout"])
def test_a_shorter_run_has_the_rates_of_the_whole_one(variant):
    whole = variant_of(read_config(CONFIGS / "ko-en.json"), variant)
    short = shortened(whole, 0.1)
    assert short["training"]["max_steps"] == whole["training"]["max_steps"] / 10
    for step in (10, 30, 100, 300, 500, 660):
        assert rate_at(short, step) == pytest.approx(rate_at(whole, 10 * step))
    assert not any(key.startswith("formation") for key in short["training"])
    assert whole["training"]["formation_steps"], "the config itself is left as it is"


@pytest.mark.parametrize(
    ("part", "former", "epoch", "back"), [("last", None, 9, 0.6), ("longer", "last", 13, 0)]
)
def test_a_part_of_a_run_goes_on_in_its_folder_from_where_the_former_ended(
    part, former, epoch, back
):
    first = variant_of(read_config(CONFIGS / "ko-en.json"), former)
    then = variant_of(read_config(CONFIGS / "ko-en.json"), part)
    assert then["name"] == first["name"] == "ko-en"
    ended = first["training"]["max_steps"]
    for step in (1, 300, 2000, 3400, ended):
        assert rate_at(then, step) == pytest.approx(rate_at(first, step))
    before, since = repeats_of(then["data"], epoch - 1), repeats_of(then["data"], epoch)
    assert before.get("back-ko-en", 0) != since["back-ko-en"] == back
    assert before == {"back-ko-en": 0} | repeats_of(first["data"], epoch - 1)


def test_a_shorter_run_goes_through_a_share_of_each_set():
    whole = read_config(CONFIGS / "ko-en.json")["data"]
    short = shortened(read_config(CONFIGS / "ko-en.json"), 0.25)["data"]
    for epoch in (0, 1, 5, 6):
        of_short, of_whole = repeats_of(short, epoch), repeats_of(whole, epoch)
        assert of_short == {name: times / 4 for name, times in of_whole.items()}


def test_what_a_route_asks_for_begins_sooner_in_a_shorter_run():
    short = shortened(read_config(CONFIGS / "en-de-controls.json"), 0.5)["training"]
    assert [route["from_step"] for route in short["routes"]] == [10, 150]


@pytest.mark.parametrize("share", [0, -1, 1.5])
def test_a_share_beyond_the_run_is_refused(share):
    with pytest.raises(CorpusError, match="share of a run"):
        shortened(read_config(CONFIGS / "ko-en.json"), share)

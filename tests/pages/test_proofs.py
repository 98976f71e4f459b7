"""Two ways to the same number: what is false is found, what is stored is of these weights."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest
from unit.model.test_check import boasting  # noqa: F401 - a fixture

from core.measurements import PROOFS
from core.share import Shares
from model import check, list_checkpoints, load_reader
from model.check import CLAIMS, SUMS, TOLERANCE, Trial, claims_of
from model.checkpoint import FOLDER_VARIABLE
from support.app import markdown, open_page, press, says
from support.families import prenorm
from support.models import ROOT, read_json
from training.proofs import Proofs as Measured
from words import Words

SHIPPED = list_checkpoints(ROOT / "checkpoints")


def twice(field):
    return lambda made: replace(made, **{field: 2 * getattr(made, field)})


louder = twice("weights")
SPOILED = {
    "rows": (Trial, "record", lambda made: replace(made, maps=tuple(map(louder, made.maps)))),
    "contributions": (check, "contributions_of", lambda made: [*map(twice("outputs"), made)]),
    "score-split": (check, "why_of", twice("scores")),
    "source-share": (check, "share_of", lambda made: Shares(2 * made.source, made.prefix)),
    "rollout": (check, "rollout", lambda made: replace(made, attention=louder(made.attention))),
}


@pytest.mark.parametrize("name", SUMS)
def test_a_sum_that_does_not_come_out_is_found(name, tiny_translator, monkeypatch):
    held = {name: SUMS[name]}
    assert all(found.holds for found in check.check(tiny_translator, held))
    place, way, spoil = SPOILED[name]
    right = getattr(place, way)
    monkeypatch.setattr(place, way, lambda *of, **named: spoil(right(*of, **named)))
    assert not any(found.holds for found in check.check(tiny_translator, held))


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_identity_has_words(language):
    words = Words(language)
    assert [name for name in (*CLAIMS, *SUMS) if not words.has(f"check-{name}")] == []


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_stored_holds_and_is_all_there_is(name):
    stored = read_json(ROOT / "checkpoints" / name / PROOFS.file)
    assert max(stored["claims"].values()) <= TOLERANCE
    reader = load_reader(ROOT / "checkpoints" / name)
    assert stored["claims"].keys() == claims_of(reader).keys()
    assert stored["fingerprint"] == reader.card.fingerprint


def test_what_gives_no_number_is_stored_as_none(tiny_checkpoint, monkeypatch):
    monkeypatch.setitem(SUMS, "rows", lambda trial: 1 / 0)
    found = Measured(Measured.load(str(tiny_checkpoint))).measure()["claims"]
    assert {name for name, apart in found.items() if apart is None} == {"rows"}


def about(checkpoint: str):
    """A page whose view reads no sentence, with the checks of the model shown below it."""
    return open_page("cost", checkpoint=checkpoint, lang="en", identities="true")


def test_the_stored_differences_stand_in_about_this_model():
    page = about("lineage-cho")
    assert "All **5** identities hold. The largest difference is" in markdown(page)
    claims = read_json(ROOT / "checkpoints" / "lineage-cho" / PROOFS.file)["claims"]
    assert f"| {claims['search']:.1e} |" in markdown(page)


def test_the_button_computes_everything_again():
    page = about("lineage-cho")
    assert "on this machine" not in markdown(page)
    press(page, "checks_again")
    assert "All **5** identities hold on this machine" in markdown(page)


def test_what_is_stored_of_other_weights_is_not_shown(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "checkpoints" / "lineage-cho", tmp_path / "lineage-cho")
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    file = tmp_path / "lineage-cho" / PROOFS.file
    file.write_text(file.read_text().replace('"fingerprint": "', '"fingerprint": "0'))
    page = about("lineage-cho")
    assert "identities hold" not in markdown(page)
    assert says(page, "stored-foreign", file="lineage-cho/proofs.json")


def test_false_claims_are_told_at_once_and_found_again(boasting, monkeypatch):  # noqa: F811
    monkeypatch.setenv(FOLDER_VARIABLE, str(boasting.parent))
    page = about("boasting")
    assert f"**{len(prenorm.FALSE)}** identities do not hold" in markdown(page)
    assert says(page, "stored-missing", file="boasting/proofs.json")
    press(page, "checks_again")
    assert f"**{len(prenorm.FALSE)}** identities do not hold on this machine" in markdown(page)

"""Stored and computed differences between two ways to a number, on the page."""

from __future__ import annotations

import re
import shutil

import pytest

from core.measurements import PROOFS
from evaluation.proofs import ProofsMeasurement as Measured
from model import list_checkpoints, load_model, registered
from model.io.checkpoint import FOLDER_VARIABLE
from model.verify.claims import SUMS, TOLERANCE, claims_of
from support.app import markdown, open_page, press, says
from support.families import prenorm
from support.models import ROOT, read_json
from support.shapes import write_boasting

SHIPPED = list_checkpoints(ROOT / "checkpoints")


@pytest.mark.slow
def test_what_is_stored_holds_and_is_all_there_is():
    for name in SHIPPED:
        stored = read_json(ROOT / "checkpoints" / name / PROOFS.file)
        assert max(stored["claims"].values()) <= TOLERANCE, name
        reader = load_model(ROOT / "checkpoints" / name)
        assert stored["claims"].keys() == claims_of(reader).keys(), name
        assert stored["fingerprint"] == reader.card.fingerprint, name


def test_what_gives_no_number_is_stored_as_none(tiny_checkpoint, monkeypatch):
    monkeypatch.setitem(SUMS, "rows", lambda trial: 1 / 0)
    found = Measured(Measured.load(str(tiny_checkpoint))).measure()["claims"]
    assert {name for name, apart in found.items() if apart is None} == {"rows"}


def about(checkpoint: str):
    """A page whose view reads no sentence, with the checks of the model shown below it."""
    return open_page("cost", checkpoint=checkpoint, lang="en", identities="true")


def test_the_stored_differences_are_shown_until_they_are_computed_again():
    page = about("lineage-cho")
    assert "All **5** identities hold. The largest difference is" in markdown(page)
    claims = read_json(ROOT / "checkpoints" / "lineage-cho" / PROOFS.file)["claims"]
    assert f"| {claims['search']:.1e} |" in markdown(page)
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


def test_false_claims_are_told_at_once_and_found_again(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    with registered(prenorm.BOASTING):
        write_boasting(tmp_path)
        page = about("boasting")
        told = rf"\*\*{len(prenorm.FALSE)} of \d+\*\* identities do not hold"
        assert re.search(told, markdown(page))
        assert says(page, "stored-missing", file="boasting/proofs.json")
        press(page, "checks_again")
    assert re.search(f"{told} on this machine", markdown(page))

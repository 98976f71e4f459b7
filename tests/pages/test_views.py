"""Views with the checkpoints that the project ships, and measurements that they show.

`test_contract.py` opens every view once, `test_families.py` with tiny models of every family.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from model import list_checkpoints
from model.checkpoint import FOLDER_VARIABLE
from scripts.results import FIGURES
from scripts.views import drawn, main
from support.app import heard, open_view
from support.models import ROOT
from ui.pages import pages
from words import languages

CHECKPOINTS = ROOT / "checkpoints"
VIEWS = {(page.id, view.id): (page, view) for page in pages() for view in page.views}
# By view: what an address asks for, where it does not fit the model that its page opens with or
# opens without what was measured of a model.
ASKED = {
    ("captions", "gaze"): {"checkpoint": "captions-soft"},
    ("lineage", "step"): {"checkpoint": "lineage-bahdanau"},
    ("lineage", "bottleneck"): {"length_part": "joined"},
    ("masked", "guess"): {"text": "The animal was too tired because it ran."},
    ("training", "forming"): {"forming_of": "checkpoint"},
}
# By view: files with measurements, and messages that are shown with these alone.
STORED = {
    ("attention", "matrix"): {"roles.json": "role-table-alt"},
    ("worth", "gold"): {"gold.json": "gold-found"},
    ("worth", "share"): {"share.json": "share-agreement-stored"},
    ("worth", "atlas"): {"atlas.json": "atlas-found"},
    ("beam", "width"): {"search.json": "beam-sweep-alt"},
    ("beam", "errors"): {"search.json": "beam-tally-alt"},
    ("masks", "knockout"): {"interventions.json": "knock_how-mean"},
    ("masks", "change"): {"interventions.json": "masks-change-flips"},
    ("masks", "explain"): {"interventions.json": "masks-explain-over"},
    ("lineage", "bottleneck"): {"lineage.json": "lineage-curve-system"},
    ("documents", "agree"): {"documents.json": "documents-tau-mean-polarity"},
    ("masked", "guess"): {"masked.json": "masked-it-found"},
    ("masked", "agreement"): {"masked.json": "masked-agreement-measured"},
    ("training", "forming"): {
        "formation.npz": "forming_of-checkpoint",
        "formation_knockout.json": "training-knock-alt",
    },
    ("training", "warmup"): {"metrics.jsonl": "training-rate-own"},
}
IN_DOCS = {figure.path.name for figure in FIGURES.values()} | {"gaze.json", "proofs.json"}
"""Files that a figure or a table of docs/ shows."""
OF_THE_MODEL = {
    *("README.md", "card.json", "config.json", "model.safetensors", "tokenizer.json"),
    "language.json",  # the box of the sentence says what it finds
}
BESIDE_JSON = [
    (view, file, id)
    for view, files in STORED.items()
    for file, id in files.items()
    if not file.endswith(".json")
]
"""Files beside those of which `test_stored.py` says that without them nothing of them is shown."""

IN_TURN = [
    pytest.param(view, id="-".join(view), marks=pytest.mark.slow if place % 12 else ())
    for place, view in enumerate(VIEWS)
]
"""All views, of which every twelfth is quick enough for each run."""


def said(view: tuple[str, str], **address: str) -> tuple[set[str], str]:
    """Messages of a view, drawn without an error, and the checkpoint that it opens with."""
    with heard() as told:
        screen = open_view(*VIEWS[view], **ASKED.get(view, {}), **address)
    assert screen is not None, f"{view} is not drawn"
    assert [each.value for each in screen.error] == []
    return {*told}, screen.session_state["run"].choices.checkpoint


@pytest.mark.parametrize("view", STORED, ids="-".join)
def test_a_view_shows_what_was_measured_for_it(view):
    told, _ = said(view)
    assert {*STORED[view].values()} <= told


@pytest.mark.parametrize("view", IN_TURN)
def test_a_view_shows_what_was_measured_for_it_in_every_language(view):
    expected = {*STORED.get(view, {}).values()}
    first, *others = languages()
    _, measured = said(view, lang=first)
    for language in others:
        told, checkpoint = said(view, lang=language)
        if expected and checkpoint != measured and "checkpoint" not in ASKED.get(view, {}):
            told, _ = said(view, lang=language, checkpoint=measured)
        assert expected <= told, language


def test_every_file_with_measurements_is_shown_in_a_view_or_in_the_docs():
    files = {path.name for path in CHECKPOINTS.rglob("*") if path.is_file()}
    shown = {file for files in STORED.values() for file in files}
    assert shown | IN_DOCS == files - OF_THE_MODEL


@pytest.mark.parametrize(("view", "file", "id"), BESIDE_JSON)
def test_what_was_measured_is_not_shown_without_its_file(tmp_path, monkeypatch, view, file, id):
    for path in CHECKPOINTS.rglob("*"):
        if path.is_file() and path.name != file:
            place = tmp_path / path.relative_to(CHECKPOINTS)
            place.parent.mkdir(exist_ok=True)
            place.symlink_to(path)
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    told, _ = said(view)
    assert id not in told


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("checkpoint", list_checkpoints())
def test_every_view_opens_with_every_checkpoint_and_every_checkpoint_in_every_language(checkpoint):
    """A view in one language; with the next checkpoint it is the other's turn."""
    found, first = [], list_checkpoints().index(checkpoint)
    for turn, language in enumerate(languages(), first):
        turns = len(languages())
        its = [replace(page, views=page.views[turn % turns :: turns]) for page in pages()]
        found += drawn([checkpoint], [language], its)
    assert len(found) == len(VIEWS)
    assert [each for each in found if each.raised] == []
    assert any(each.outcome == "drawn" for each in found)
    shown = {each.page for each in found if each.outcome in ("drawn", "with another")}
    assert shown == {page for page, _ in VIEWS}, "no page is without a picture"


def test_the_table_counts_what_raised_and_ends_with_one(monkeypatch, capsys):
    import ui.cost.costs

    asked = ["--checkpoint", "lineage-cho", "--page", "cost"]
    assert main(asked) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[-3] == "| all | 2 | 0 | 0 | 0 | 2 | 0 | 0 | 0 |"

    def fail(run: object) -> None:
        raise LookupError("nobody meant this")

    monkeypatch.setattr(ui.cost.costs, "counted", fail)
    assert main([*asked, "--language", "ko"]) == 1
    told = capsys.readouterr().out
    assert "| lineage-cho | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 1 |" in told
    assert "cost/counted, lineage-cho, ko:" in told
    assert "LookupError: nobody meant this" in told

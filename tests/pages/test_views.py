"""Views with the checkpoints that the project ships, and measurements that they show.

`test_contract.py` opens every view once, `test_families.py` with tiny models of every family.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from model import list_checkpoints
from model.io.checkpoint import FOLDER_VARIABLE
from scripts.results import FIGURES
from scripts.views import drawn, main
from support.app import heard, open_view
from support.models import ROOT
from ui.pages import page_of, pages
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
    ("worth", "gold"): {"gold_part": "heads"},
}
# By view: a file with measurements, and a message that is shown with these alone.
STORED = (
    ("attention", "matrix", "roles.json", "role-table-alt"),
    ("worth", "gold", "gold.json", "gold-found"),
    ("worth", "share", "share.json", "share-agreement-stored"),
    ("worth", "atlas", "atlas.json", "atlas-found"),
    ("beam", "width", "search.json", "beam-sweep-alt"),
    ("beam", "errors", "search.json", "beam-errors-found-alt"),
    ("masks", "knockout", "interventions.json", "knock_how-mean"),
    ("masks", "change", "interventions.json", "masks-change-flips"),
    ("masks", "explain", "interventions.json", "masks-explain-over"),
    ("lineage", "bottleneck", "lineage.json", "lineage-curve-system"),
    ("documents", "agree", "documents.json", "documents-tau-mean-polarity"),
    ("masked", "guess", "masked.json", "masked-it-found"),
    ("masked", "agreement", "masked.json", "masked-agreement-measured"),
    ("training", "forming", "formation.npz", "forming_of-checkpoint"),
    ("training", "forming", "formation_knockout.json", "training-knock-alt"),
    ("training", "warmup", "metrics.jsonl", "training-rate-own"),
)
IN_DOCS = {figure.path.name for figure in FIGURES.values()} | {"gaze.json", "proofs.json"}
"""Files that a figure or a table of docs/ shows."""
OF_THE_MODEL = {
    *("README.md", "card.json", "config.json", "model.safetensors", "tokenizer.json"),
    "language.json",  # the box of the sentence says what it finds
}
ONE_FILE = {file for *_, file, _ in STORED if file.endswith(".json")}
"""Files without which nothing of them is shown, as `test_stored.py` says."""
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


def measured(view: tuple[str, str]) -> set[str]:
    """Messages that a view says with what was measured alone."""
    return {id for *place, _, id in STORED if tuple(place) == view}


@pytest.mark.parametrize("view", sorted({each[:2] for each in STORED}), ids="-".join)
def test_a_view_shows_what_was_measured_for_it(view):
    told, _ = said(view)
    assert measured(view) <= told


@pytest.mark.parametrize("view", IN_TURN)
def test_a_view_shows_what_was_measured_for_it_in_every_language(view):
    expected = measured(view)
    first, *others = languages()
    _, with_it = said(view, lang=first)
    for language in others:
        told, checkpoint = said(view, lang=language)
        if expected and checkpoint != with_it and "checkpoint" not in ASKED.get(view, {}):
            told, _ = said(view, lang=language, checkpoint=with_it)
        assert expected <= told, language


def test_every_file_with_measurements_is_shown_in_a_view_or_in_the_docs():
    files = {path.name for path in CHECKPOINTS.rglob("*") if path.is_file()}
    assert {file for *_, file, _ in STORED} | IN_DOCS == files - OF_THE_MODEL


@pytest.mark.parametrize(
    ("page", "view", "file", "id"), [each for each in STORED if each[2] not in ONE_FILE]
)
def test_what_was_measured_is_not_shown_without_its_file(
    tmp_path, monkeypatch, page, view, file, id
):
    for path in CHECKPOINTS.rglob("*"):
        if path.is_file() and path.name != file:
            place = tmp_path / path.relative_to(CHECKPOINTS)
            place.parent.mkdir(exist_ok=True)
            place.symlink_to(path)
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    told, _ = said((page, view))
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
    counted = page_of("cost").views[0]
    asked = ["--checkpoint", "lineage-cho", "--page", "cost"]
    assert main(asked) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[-3] == "| all | 2 | 0 | 0 | 0 | 2 | 0 | 0 | 0 |"

    def fail(run: object) -> None:
        raise LookupError("nobody meant this")

    monkeypatch.setitem(vars(counted), "show", fail)
    assert main([*asked, "--language", "ko"]) == 1
    told = capsys.readouterr().out
    assert "| lineage-cho | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 1 |" in told
    assert "cost/counted, lineage-cho, ko:" in told
    assert "LookupError: nobody meant this" in told

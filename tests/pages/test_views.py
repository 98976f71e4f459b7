"""Every view of every page, with the checkpoints that the project ships, and what was measured.

`test_contract.py` opens all of them with tiny models of every family.
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
from ui.views import Page
from words import languages

CHECKPOINTS = ROOT / "checkpoints"
PAGES = {page.id: page for page in pages()}
# Views that do not fit the model that their page opens with.
OPENED_WITH = {
    ("captions", "gaze"): "captions-soft",
    ("lineage", "step"): "lineage-bahdanau",
}
# By view: what an address asks for where it opens without what was measured of a model.
ASKED = {
    ("training", "forming"): {"forming_of": "checkpoint"},
    ("lineage", "bottleneck"): {"length_part": "joined"},
    ("masked", "guess"): {"text": "The animal was too tired because it ran."},
}
# By view: a file with measurements, and a message that is shown with these alone.
STORED = (
    ("attention", "matrix", "roles.json", "role-table-alt"),
    ("worth", "gold", "gold.json", "gold-found"),
    ("worth", "share", "share.json", "share-agreement-stored"),
    ("worth", "atlas", "atlas.json", "atlas-found"),
    ("beam", "width", "search.json", "beam-sweep-alt"),
    ("beam", "errors", "search.json", "beam-tally-alt"),
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
ONE_FILE = {file for *_, file, _ in STORED if file.endswith(".json")}
"""Files without which nothing of them is shown, as `test_stored.py` says."""
OF_THE_MODEL = {
    *("README.md", "card.json", "config.json", "model.safetensors", "tokenizer.json"),
    "language.json",  # the box of the sentence says what it finds
}


def opened(page: Page, id: str, **address: str):
    """A view with the model that its page opens with."""
    view = next(view for view in page.views if view.id == id)
    name = OPENED_WITH.get((page.id, id))
    asked = ASKED.get((page.id, id), {}) | ({"checkpoint": name} if name else {})
    return open_view(page, view, **asked | address)


@pytest.mark.parametrize("name", PAGES)
def test_every_view_opens_in_every_language_and_shows_what_was_measured_for_it(name):
    """Without measurements those in the first language are opened by `test_contract.py`."""
    page, (first, *others) = PAGES[name], languages()
    for view in page.views:
        expected = {id for *place, _, id in STORED if place == [name, view.id]}
        if expected:
            told, measured = sound(page, view.id, lang=first)
            assert expected <= told, f"{view.id} lacks {expected - told}"
        for language in others:
            told, shown = sound(page, view.id, lang=language)
            if expected and shown != measured:
                told, _ = sound(page, view.id, lang=language, checkpoint=measured)
            assert expected <= told, f"{view.id} in {language}"


def sound(page: Page, id: str, **address: str) -> tuple[set[str], str]:
    """What is said on a view, which is drawn without an error, and the checkpoint it opens with."""
    with heard() as said:
        screen = opened(page, id, **address)
    assert screen is not None, f"{id} is not drawn"
    assert [each.value for each in screen.error] == []
    return said, screen.session_state["run"].choices.checkpoint


def test_every_file_with_measurements_is_shown_in_a_view_or_in_the_docs():
    files = {path.name for path in CHECKPOINTS.rglob("*") if path.is_file()}
    assert {file for *_, file, _ in STORED} | IN_DOCS == files - OF_THE_MODEL


@pytest.mark.parametrize(
    ("name", "view", "file", "id"), [each for each in STORED if each[2] not in ONE_FILE]
)
def test_what_was_measured_is_not_shown_without_its_files(
    tmp_path, monkeypatch, name, view, file, id
):
    for path in CHECKPOINTS.rglob("*"):
        if path.is_file() and path.name != file:
            place = tmp_path / path.relative_to(CHECKPOINTS)
            place.parent.mkdir(exist_ok=True)
            place.symlink_to(path)
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    with heard() as said:
        assert opened(PAGES[name], view) is not None
    assert id not in said


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
    assert len(found) == sum(len(page.views) for page in pages())
    assert [each for each in found if each.raised] == []
    assert any(each.outcome == "drawn" for each in found)
    shown = {each.page for each in found if each.outcome in ("drawn", "with another")}
    assert shown == PAGES.keys(), "no page is without a picture"


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

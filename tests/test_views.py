"""Every view of every page, with the checkpoints that the project ships, and what was measured.

`test_contract.py` opens all of them with tiny models of every family.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from harness import ROOT, open_view

from model import list_checkpoints
from model.checkpoint import FOLDER_VARIABLE
from scripts.views import drawn, main
from ui.pages import pages
from ui.views import Page
from viz.figure import _kept
from words import Words, languages

CHECKPOINTS = ROOT / "checkpoints"
PAGES = {page.id: page for page in pages()}
# Views that do not fit the model that their page opens with.
OPENED_WITH = {
    ("captions", "gaze"): "captions-soft",
    ("lineage", "step"): "lineage-bahdanau",
}
# By view: what an address asks for where it opens with what was stored beside the code.
ASKED = {("training", "forming"): {"forming_of": "checkpoint"}}
# By view: a file with measurements, and a message that is shown with these alone.
STORED = (
    ("attention", "matrix", "confidence.json", "confidence-high"),
    ("attention", "matrix", "roles.json", "role-table-alt"),
    ("proofs", "identities", "proofs.json", "proofs-found"),
    ("worth", "gold", "gold.json", "gold-found"),
    ("worth", "share", "share.json", "share-agreement-stored"),
    ("worth", "atlas", "atlas.json", "atlas-found"),
    ("worth", "pruning", "pruning.json", "pruning-found"),
    ("worth", "made-up", "made_up.json", "made-up-found"),
    ("beam", "width", "search.json", "beam-sweep-alt"),
    ("beam", "errors", "search.json", "beam-tally-alt"),
    ("masks", "knockout", "interventions.json", "knock_how-mean"),
    ("masks", "pronoun", "interventions.json", "figures-pronoun-flips"),
    ("masks", "explain", "interventions.json", "masks-explain-over"),
    ("block", "units", "units.json", "block-unit-fires"),
    ("lineage", "length", "lineage.json", "lineage-curve-system"),
    ("lineage", "table", "lineage.json", "lineage-systems-all-beam"),
    ("captions", "measured", "gaze.json", "captions-column-caption"),
    ("documents", "agree", "documents.json", "documents-tau-mean-polarity"),
    ("documents", "other", "documents.json", "documents-other-mean-polarity"),
    ("documents", "measured", "documents.json", "documents-column-accuracy"),
    ("masked", "it", "masked.json", "masked-it-found"),
    ("masked", "agreement", "masked.json", "masked-agreement-measured"),
    ("masked", "measured", "masked.json", "masked-measured-alt"),
    ("training", "forming", "formation.npz", "forming_of-checkpoint"),
    ("training", "forming", "formation_knockout.json", "training-knock-alt"),
    ("training", "warmup", "metrics.jsonl", "training-rate-own"),
)
OF_THE_MODEL = {"README.md", "card.json", "config.json", "model.safetensors", "tokenizer.json"}


@pytest.fixture
def said(monkeypatch) -> set[str]:
    """The ids of all messages that were said."""
    ids: set[str] = set()
    say = Words.__call__

    def heard(self: Words, id: str, /, **values: object) -> str:
        ids.add(id)
        return say(self, id, **values)

    monkeypatch.setattr(Words, "__call__", heard)
    return ids


def opened(page: Page, id: str, **address: str):
    """A view with the model that its page opens with."""
    _kept.cache_clear()  # a chart whose shape is known is not worded again
    view = next(view for view in page.views if view.id == id)
    name = OPENED_WITH.get((page.id, id))
    asked = ASKED.get((page.id, id), {}) | ({"checkpoint": name} if name else {})
    return open_view(page, view, **asked | address)


@pytest.mark.parametrize("name", PAGES)
def test_every_view_opens_and_shows_what_was_measured_for_it(said, name):
    page = PAGES[name]
    for view in page.views:
        expected = {id for *place, _, id in STORED if place == [name, view.id]}
        told, shown = {}, {}
        for language in languages():
            said.clear()
            screen = opened(page, view.id, lang=language)
            assert screen is not None, f"{view.id} is not drawn"
            assert [each.value for each in screen.error] == []
            told[language], shown[language] = said.copy(), screen.session_state["run"].choices
        first, *others = languages()
        assert expected <= told[first], f"{view.id} lacks {expected - told[first]}"
        for language in others:
            if expected and shown[language].checkpoint != shown[first].checkpoint:
                said.clear()
                opened(page, view.id, lang=language, checkpoint=shown[first].checkpoint)
                told[language] = said.copy()
            assert expected <= told[language], f"{view.id} in {language}"


def test_every_file_with_measurements_is_shown_in_a_view():
    files = {path.name for path in CHECKPOINTS.rglob("*") if path.is_file()}
    assert {file for *_, file, _ in STORED} == files - OF_THE_MODEL


@pytest.mark.slow
@pytest.mark.parametrize(("name", "view", "file", "id"), STORED)
def test_what_was_measured_is_not_shown_without_its_file(
    said, tmp_path, monkeypatch, name, view, file, id
):
    for path in CHECKPOINTS.rglob("*"):
        if path.is_file() and path.name != file:
            place = tmp_path / path.relative_to(CHECKPOINTS)
            place.parent.mkdir(exist_ok=True)
            place.symlink_to(path)
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
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
    assert rows[-3] == "| all | 4 | 0 | 0 | 0 | 4 | 0 | 0 | 0 |"

    def fail(run: object) -> None:
        raise LookupError("nobody meant this")

    monkeypatch.setattr(ui.cost.costs, "paths", fail)
    assert main([*asked, "--language", "ko"]) == 1
    told = capsys.readouterr().out
    assert "| lineage-cho | 0 | 0 | 0 | 0 | 3 | 0 | 0 | 1 |" in told
    assert "cost/paths, lineage-cho, ko:" in told
    assert "LookupError: nobody meant this" in told

"""Contract of every view: address, messages, numbers, texts of a reader, and files.

A walk opens a view as it is shipped and gives each control that the address keeps another value, as
a reader would, one after the other; what comes up on the way is in its turn. So whatever is new is
held to all of this without a line here.
"""

from __future__ import annotations

import io
import json
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from model.io.checkpoint import FOLDER_VARIABLE
from support.app import (
    TEXTS,
    WIDGETS,
    asked,
    charts,
    kept_names,
    offered,
    open_page,
    open_view,
    pictures,
    spoken,
    tables,
)
from support.models import ROOT, read_json
from support.recorded.summary import Snapshot, differences, page_shown
from ui.frame.choices import OF_BODY, TYPED
from ui.kit.export import file_stem
from ui.pages import pages
from words import english

VIEWS = {f"{page.id}-{view.id}": (page, view) for page in pages() for view in page.views}
"""Every view, by the name of its test."""
FIRST = next(iter(VIEWS))
FRAME = {"beam", "alpha", "runners_up", "penalty", "penalise", "min_len", "max_len", "projector"}
"""Controls around all pages, walked with one of them; text, model and language have tests."""
SEEDS = (0, pytest.param(1, marks=pytest.mark.slow))
NONSENSE = ("<b>", "-1", "٣", "nan", "..", "9" * 40, "," * 2000)
ELSEWHERE = {"checkpoint", "lang", "change"}
"""Of these: what is said of another, in `test_doors.py` and `test_masks.py`."""
WRITTEN = "A dog runs through the snow."
MARKUP = "<script>alert(1)</script> **x** :red[y] $z$ [a](javascript:alert(1)) `c` 漢 it \u202e"
OBEYED = ("<script>", "**x**", ":red[y]", "](javascript")
"""Marks that Markdown would obey if they were not escaped."""
SENTENCES = {
    "ordinary": "it it it .",
    "hostile": "漢字 <b>x</b> `y` [z](w) 🐶 שלום עולם it مرحبا \u202eevil\x00 \x07animal \x1b[31m "
    "it\x7f\ttab\nline" + " the" * 40,
}
WITHOUT_FILES = {"arithmetic_costs", "here_live_0_0", "here_live_0_1", "role_table"}
"""Bars within a sentence, curves that grow as they are looked at, a table below the pictures."""
SHOWN_EMPTY = {"captions-gaze"}
"""Views of a text that may be empty: a scene without a thing."""
WITHOUT_NUMBERS = {"lineage-step": 1}
"""By view: pictures whose numbers are in tables beside them."""
RECORDED = ROOT / "tests/support/recorded"
ADDRESSES = read_json(RECORDED / "addresses.json")
FURTHER = ADDRESSES["further"]
"""Addresses with which a view says or shows something else."""
REFUSED = [each.replace("{long}", " ".join(["word"] * 199)) for each in ADDRESSES["refused"]]
"""Addresses of which a part cannot be read."""


@dataclass(frozen=True)
class Opened:
    """A view by an address, the values of its messages by their ids, and its files."""

    name: str
    screen: AppTest
    messages: dict[str, dict]
    files: list[tuple[str, Callable]]


def open_named(name: str) -> Opened:
    """Open a view by a name like ``beam-tree?beam=1``."""
    view, _, address = name.partition("?")
    more = dict(part.split("=", 1) for part in address.split("&") if part)
    with offered() as files, spoken() as messages:
        screen = open_view(*VIEWS[view], **more)
    assert screen is not None, f"{name} fits none of the models that its page opens with"
    return Opened(name, screen, messages, files)


as_shipped = cache(open_named)
"""A view as it opens, once a process."""


@pytest.fixture(scope="module", params=VIEWS)
def view(request) -> Opened:
    """Each view; pytest runs all of its tests before it opens the next."""
    return as_shipped(request.param)


@pytest.fixture(autouse=True, scope="module")
def forget() -> Iterator[None]:
    """Every opened view goes with the last of these tests."""
    yield
    as_shipped.cache_clear()


# Controls


def widgets(screen: AppTest, names: set[str]) -> dict[str, Any]:
    return {each.key: each for kind in WIDGETS for each in screen.get(kind) if each.key in names}


def of_body(screen: AppTest) -> set[str]:
    """Controls that the page keeps in the address, without the switch between its views."""
    return set(screen.session_state[OF_BODY]) - {page.key for page, _ in VIEWS.values()}


def own(name: str) -> set[str]:
    """Controls that no earlier view of the page keeps."""
    its = [other for other in VIEWS if VIEWS[other][0] is VIEWS[name][0]]
    before = (of_body(as_shipped(other).screen) for other in its[: its.index(name)])
    return of_body(as_shipped(name).screen).difference(*before)


def value_of(widget: Any) -> Any:
    """Value that the browser reports for a widget; None if nothing is chosen."""
    state = widget._widget_state
    field = state.WhichOneof("value")
    said = getattr(state, field) if field else None
    return tuple(said.data) if hasattr(said, "data") else said


def others(widget: Any) -> list[Any]:
    """Other values that a reader could choose; of numbers the near ones."""
    now = value_of(widget)
    if widget.proto.disabled:
        return []
    if widget.type in TEXTS:
        found: Any = [WRITTEN]
    elif widget.type == "toggle":
        found = [True, False]
    elif hasattr(widget, "options"):
        several = widget.type in ("button_group", "select_slider", "multiselect")
        found = [(each,) if several else each for each in widget.options]
    else:
        least, most, step = widget.proto.min, widget.proto.max, widget.proto.step
        middle = now[0] if isinstance(now, tuple) else now or least
        near = (round(middle + n * step, 6) for n in (-2, -1, 1, 2))
        found = [each for each in near if least <= each <= (most or math.inf)]
        found = [(each,) for each in found] if widget.type == "slider" else found
    return [each for each in found if each != now]


def give(screen: AppTest, widget: Any, value: Any) -> None:
    """Send what the browser sends when a reader chooses."""
    sent = widget._widget_state
    field = sent.WhichOneof("value") or "double_value"
    if isinstance(value, tuple):
        getattr(sent, field).data[:] = value
    else:
        setattr(sent, field, value)
    states = screen._tree.get_widget_states()
    kept = [each for each in states.widgets if each.id != sent.id]
    screen._run(type(states)(widgets=[*kept, sent]))
    assert not screen.exception, screen.exception


def walk(name: str, wanted: set[str], chance: random.Random) -> Iterator[AppTest]:
    """The screens on which each of the controls, and of those that come up, has another value.

    What one choice takes away is chosen on the next screen, which begins anew.
    """
    first = as_shipped(name).screen
    known, done = kept_names(first), set()
    while True:
        screen, before = open_view(*VIEWS[name]), len(done)
        same(first, screen)  # a session of its own knows nothing of the others
        while True:
            left = (wanted | (kept_names(screen) - known)) - done
            found = {key: each for key, each in widgets(screen, left).items() if others(each)}
            if not found:
                break
            key = chance.choice(sorted(found))
            value = chance.choice(others(found[key]))
            give(screen, found[key], value)
            done.add(key)
            if key in (there := widgets(screen, {key})):
                assert value_of(there[key]) == value
                assert key in asked(screen), f"{key} is {value}, and the address does not say it"
        if len(done) > before:
            yield screen
        if not others_left(first, wanted - done):
            return


def others_left(screen: AppTest, names: set[str]) -> bool:
    return any(others(each) for each in widgets(screen, names).values())


def components(screen: AppTest) -> list[Any]:
    """What the browser is given of all components, but for which answer it is and the foci: of the
    sites that are not open the address says none.
    """
    given = [json.loads(each.proto.json or "{}") for each in screen.get("bidi_component")]
    passing = ("answered", "number", "foci")
    return [{k: v for k, v in each.items() if k not in passing} for each in given]


def same(screen: AppTest, again: AppTest) -> None:
    """Controls, charts and components are as they are on the other screen."""
    assert components(again) == components(screen)
    both = [widgets(each, kept_names(each)) for each in (screen, again)]
    before, after = ({key: value_of(each) for key, each in found.items()} for found in both)
    assert after == before
    for old, new in zip(charts(screen), charts(again), strict=True):
        assert json.loads(new.spec) == json.loads(old.spec)
        data, kept = tables(new), tables(old)
        assert data.keys() == kept.keys()
        for table, rows in kept.items():
            pd.testing.assert_frame_equal(data[table], rows)


# A view as it opens


def nothing_that_nobody_chose_is_in_the_address(view: Opened) -> None:
    found = widgets(view.screen, set(view.screen.query_params))
    assert found.keys() <= {"text", VIEWS[view.name][0].key}


def sentence_and_search_stand_where_one_is_read(view: Opened) -> None:
    page, its = VIEWS[view.name]
    there = widgets(view.screen, {"text", "example", "beam", "alpha"}).keys()
    if page.reads and its.reads:
        assert "text" in there
        assert ("beam" in there) == view.screen.session_state["run"].translator.writes
    else:
        assert not there


def the_view_is_explained_and_names_its_model(view: Opened) -> None:
    folds = [each for each in view.screen.expander if each.label == english("fold-reading")]
    assert sum(len(each.value) for fold in folds for each in fold.markdown) > 200
    assert sum("million parameters" in each.value for each in view.screen.caption) == 1


def places(block: Any) -> Iterator[tuple[str, str]]:
    """Pictures and the menus of their files, by their keys, in their order on the page."""
    if block.type == "popover" and block.proto.popover.label == english("export"):
        yield "menu", block.proto.popover.id.split("-", 2)[2].removesuffix("_export")
    elif block.type == "flex_container" and block.proto.id:
        kind, _, key = block.proto.id.split("-", 2)[2].partition("_")
        if kind in ("scroll", "plot"):
            yield "picture", key
    for child in getattr(block, "children", {}).values():
        yield from places(child)


def pictures_are_described_and_followed_by_a_menu(view: Opened) -> None:
    plots = (each.proto for each in view.screen.get("plotly_chart"))
    assert all(each.alt for each in (*charts(view.screen), *plots))
    assert view.screen.get("plotly_chart") or not VIEWS[view.name][1].plotted
    found = [place for place in places(view.screen.main) if place[1] not in WITHOUT_FILES]
    assert not found or found[-1][0] == "menu"


def tables_are_described_and_their_columns_named(view: Opened) -> None:
    for each in view.screen.dataframe:
        assert each.proto.alt
        titles = json.loads(each.proto.columns)
        assert all(titles[str(column)]["label"] for column in each.value)


def files_have_names_and_can_be_read(view: Opened) -> None:
    suffixes = [file.partition(".")[2] for file, _ in view.files]
    n_tables = suffixes.count("html") - WITHOUT_NUMBERS.get(view.name, 0)
    assert suffixes.count("csv") == n_tables
    for file, make in view.files:
        stem, _, suffix = file.partition(".")
        assert file_stem(stem, limit=99) == stem != "figure"
        if suffix == "csv":
            rows = pd.read_csv(io.StringIO(make()), comment="#")
            assert len(rows)
            assert not [each for each in rows if "Unnamed" in each]
        elif suffix == "npz":
            assert len(np.load(io.BytesIO(make())))


CHECKS = (
    nothing_that_nobody_chose_is_in_the_address,
    sentence_and_search_stand_where_one_is_read,
    the_view_is_explained_and_names_its_model,
    pictures_are_described_and_followed_by_a_menu,
    tables_are_described_and_their_columns_named,
    files_have_names_and_can_be_read,
)


def test_an_opened_view_passes_every_check(view, subtests):
    assert not view.screen.error
    for each in CHECKS:
        with subtests.test(each.__name__):
            each(view)


# What is said and shown


@cache
def snapshot() -> Snapshot:
    """Recorded pages; to record a change: ``pytest tests/pages/test_contract.py -n 0 -k recorded
    --rewrite``.
    """
    return Snapshot(RECORDED / "said.json")


def compare(opened: Opened, request: pytest.FixtureRequest) -> None:
    found = page_shown(opened.screen, opened.messages)
    if request.config.getoption("--rewrite"):
        snapshot().pages[opened.name] = found
        snapshot().write([*VIEWS, *FURTHER])
    unlike = [*differences(found, snapshot().pages[opened.name])]
    assert not unlike, "\n".join(unlike)


def test_a_view_says_and_shows_what_was_recorded(view, request):
    compare(view, request)


@pytest.mark.parametrize("name", FURTHER, ids=FURTHER)
def test_an_address_says_and_shows_what_was_recorded(name, request):
    opened = open_named(name)
    assert not opened.screen.error
    compare(opened, request)


# What is chosen


@pytest.mark.parametrize("seed", SEEDS)
def test_the_address_of_what_is_chosen_shows_it_again(view, seed, monkeypatch, smallest_root):
    shows_again(view.name, own(view.name), seed, monkeypatch, smallest_root)


def test_the_address_of_a_search_shows_it_again(monkeypatch, smallest_root):
    shows_again(FIRST, FRAME, 0, monkeypatch, smallest_root)


def shows_again(name, wanted, seed, monkeypatch, smallest_root) -> None:
    """Walk through a view; each address shows the same again, and opens with a smaller model."""
    page, _ = VIEWS[name]
    for screen in walk(name, wanted, random.Random(seed)):
        again = open_page(page.id, **screen.query_params)
        assert dict(again.query_params) == dict(screen.query_params)
        same(screen, again)
        with monkeypatch.context() as elsewhere:
            elsewhere.setenv(FOLDER_VARIABLE, str(smallest_root))
            smaller = open_page(page.id, **{**screen.query_params, "layer": "3", "head": "7"})
            assert not smaller.error, "a model of one layer and one head takes it too"


# What makes no sense


def test_an_address_of_nonsense_opens_the_view_as_it_is(view):
    screen, chance = view.screen, random.Random(0)
    texts = {each.key for kind in TEXTS for each in screen.get(kind)}
    names = kept_names(screen) - {VIEWS[view.name][0].key, *TYPED, *ELSEWHERE, *texts}
    address = {each: chance.choice(NONSENSE) for each in sorted(names)}
    other = open_view(*VIEWS[view.name], **address)
    assert asked(other) == asked(screen), address
    same(screen, other)


def test_what_is_typed_is_text_and_no_more(view):
    wanted = own(view.name) | ({"text"} if view.name == FIRST else set())
    boxes = widgets(view.screen, wanted)
    for key in [key for key, each in boxes.items() if each.type in TEXTS]:
        screen = open_view(*VIEWS[view.name])
        give(screen, widgets(screen, {key})[key], MARKUP)
        assert value_of(widgets(screen, {key})[key]) == MARKUP
        for each in (*screen.markdown, *screen.caption, *screen.error, *screen.warning):
            assert not getattr(each.proto, "allow_html", False)
            assert not any(sign in each.value for sign in OBEYED)


@pytest.mark.parametrize("name", REFUSED, ids=ADDRESSES["refused"])
def test_what_cannot_be_read_is_said_once_stays_in_its_box_and_leaves_the_rest(name):
    screen = open_named(name).screen
    assert len(screen.error) == 1
    address = dict(part.split("=", 1) for part in name.partition("?")[2].split("&"))
    for key, box in widgets(screen, set(address)).items():
        assert box.type not in TEXTS or box.value.strip() == address[key].strip()
    assert pictures(screen)


@pytest.mark.parametrize("text", SENTENCES)
@pytest.mark.parametrize("name", VIEWS)
def test_every_view_takes_every_sentence_and_keeps_it_where_none_is_typed(folder, name, text):
    screen = open_view(*VIEWS[name], text=SENTENCES[text], max_len="12", beam="2")
    if screen is None:
        return
    assert not screen.error
    assert pictures(screen)
    shown = len(charts(screen)), components(screen)
    if text == "ordinary" and name not in SHOWN_EMPTY and (box := widgets(screen, {"text"})):
        give(screen, box["text"], " ")
        assert len(screen.error) == 1
        assert (len(charts(screen)), components(screen)) == shown

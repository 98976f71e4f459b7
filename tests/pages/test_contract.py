"""What holds of every control, picture and table, on every view of every page.

A walk opens a view as it is shipped and gives each control that the address keeps another value, as
a reader would, one after the other; what comes up on the way is in its turn. So whatever is new is
held to all of this without a line here.
"""

from __future__ import annotations

import io
import json
import math
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoint import FOLDER_VARIABLE
from support.app import (
    TEXTS,
    WIDGETS,
    asked,
    charts,
    kept_names,
    open_page,
    open_view,
    pictures,
    tables,
)
from support.models import ROOT
from support.recorded.freeze import Listening, shown_on
from support.recorded.summary import check, number
from ui.address import OF_BODY, TYPED
from ui.export import file_stem
from ui.pages import pages
from viz.figure import _kept
from words import Message, Words, english

VIEWS = {f"{page.id}-{view.id}": (page, view) for page in pages() for view in page.views}
"""Every view, by the name of its test."""
FRAME = {"beam", "alpha", "runners_up", "penalty", "penalise", "min_len", "max_len", "projector"}
"""What is around all pages, walked with one of them; its text, model and language have tests."""
FIRST = next(iter(VIEWS))
SEEDS = (0, pytest.param(1, marks=pytest.mark.slow))
NONSENSE = ("<b>", "-1", "٣", "nan", "..", "9" * 40, "," * 2000)
ELSEWHERE = {"checkpoint", "lang", "change"}
"""Of these: what is said of another, in `test_doors.py` and `test_masks_change.py`."""
WRITTEN = "A dog runs through the snow."
STRANGE = "<script>alert(1)</script> **x** :red[y] $z$ [a](javascript:alert(1)) `c` 漢 it \u202e"


SENTENCES = {
    "of one letter": "A",
    "of one word": "it",
    "of the same word": "it it it .",
    "that is long": "The dog. " * 12,
    "as long as can be": "the " * 159,
    "of unknown signs, two directions and control characters": "漢字 <b>x</b> `y` [z](w) 🐶 שלום "
    "עולם it مرحبا \u202eevil\x00 \x07animal \x1b[31m it\x7f\ttab\nline",
}
OBEYED = ("<script>", "**x**", ":red[y]", "](javascript")
"""What would stand in Markdown that was not kept from it."""
WITHOUT_FILES = {"arithmetic_costs", "here_live_0_0", "here_live_0_1", "role_table"}
"""Bars within a sentence, curves that grow as they are looked at, a table below the pictures."""
SHOWN_EMPTY = {"captions-gaze"}
"""Views of a text that may be empty: a scene without a thing."""
WITHOUT_NUMBERS = {"lineage-step": 1}
"""By view: pictures whose numbers are in tables beside them."""
SAID = ROOT / "tests/support/recorded" / "said.json"
"""What every view says and shows; after a change that is meant: ``python -m pytest
tests/pages/test_contract.py -k recorded --rewrite``."""
ADDRESSES = json.loads((SAID.parent / "addresses.json").read_text(encoding="utf-8"))
FURTHER = ADDRESSES["further"]
"""Addresses with which a view says or shows something else."""
LONG = " ".join(["word"] * 199)
REFUSED = [each.replace("{long}", LONG) for each in ADDRESSES["refused"]]
"""Addresses of which a part cannot be read."""
SHOWN = (*VIEWS, *FURTHER, *REFUSED)
AROUND = (
    *("app-", "page", "view-", "checkpoint", "example", "sentence", "lesson", "language", "fold"),
    *("model-size", "licence", "score-", "set-", "family-", "system-", "group-"),
    *("search-", "alpha", "penal", "most-tokens", "runners-up", "run-numbers", "settings"),
    *("head", "layer", "kind", "site-", "export"),
    *("loading", "projector", "link-", "quoted"),
    *("architecture-", "checks"),
)
"""Messages of what is around all pages."""
PROGRESS = "-progress"
"""Of messages that are said only while nobody has asked before."""
CLOCKS = {"seconds", "ms"}
WRITTEN_NUMBER = re.compile(r"[+−]?(?:\d[\d.,]*\d|\d)(?:e[+−-]?\d+)?%?")
MOST_SAID = 4


@dataclass
class Opened:
    """A view as it is at first or by an address; what is offered as files, a name and what makes
    it; and by the ids of messages the values that they were said with."""

    screen: AppTest
    files: list[tuple[str, Callable]]
    facts: dict[str, list]


@cache
def opened(name: str) -> Opened:
    view, _, address = name.partition("?")
    more = dict(part.split("=", 1) for part in address.split("&") if part)
    _kept.cache_clear()  # a chart whose shape is known is not worded again
    with Listening() as heard, Hearing() as said:
        screen = open_view(*VIEWS[view], **more)
    assert screen is not None, f"{name} fits none of the models that its page opens with"
    assert bool(screen.error) == (name in REFUSED)
    return Opened(screen, heard.files, said.facts)


class Hearing:
    """Notes the values of every message that a page says, each once, in their order."""

    def __enter__(self) -> Hearing:
        self.facts: dict[str, list] = {}
        self.kept = Words.__call__

        def hear(words: Words, id: str, /, **values: Any) -> str:
            told = [fact(value) for name, value in sorted(values.items()) if name not in CLOCKS]
            if not id.startswith(AROUND) and not id.endswith(PROGRESS):
                known = self.facts.setdefault(id, [])
                if told and told not in known and len(known) < MOST_SAID:
                    known.append(told)
            return self.kept(words, id, **values)

        Words.__call__ = hear
        return self

    def __exit__(self, *_: Any) -> None:
        Words.__call__ = self.kept


def fact(value: Any) -> Any:
    """Numbers and words as they are, of sentences the numbers: they may be worded otherwise."""
    if isinstance(value, Message):
        values = sorted(value.values.items())
        return [value.id, *(fact(each) for name, each in values if name not in CLOCKS)]
    if isinstance(value, list | tuple):
        return [*map(fact, value)]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return value
    if isinstance(value, str):
        return WRITTEN_NUMBER.findall(value) if re.search(r"\s", value) else value
    return number(float(value))


@pytest.fixture(autouse=True, scope="module")
def forget() -> Iterator[None]:
    """Every opened view goes with the last of these tests."""
    yield
    opened.cache_clear()


# What is said and shown


@pytest.mark.parametrize("name", SHOWN)
def test_what_a_view_says_and_shows_is_what_was_recorded(name, request):
    found = {"said": opened(name).facts, **shown_on(opened(name).screen)}
    known = json.loads(SAID.read_text(encoding="utf-8")) if SAID.exists() else {}
    if request.config.getoption("--rewrite"):
        known[name] = found
        lines = (
            f"{json.dumps(each)}: {json.dumps(known[each], ensure_ascii=False)}"
            for each in SHOWN
            if each in known
        )
        SAID.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    check(found, known[name])


# Controls


def widgets(screen: AppTest, names: set[str]) -> dict[str, Any]:
    return {each.key: each for kind in WIDGETS for each in screen.get(kind) if each.key in names}


def of_body(screen: AppTest) -> set[str]:
    """What the page itself keeps in the address, but for the switch between its views."""
    return set(screen.session_state[OF_BODY]) - {page.key for page, _ in VIEWS.values()}


def own(name: str) -> set[str]:
    """What no view of the page before this one keeps."""
    its = [other for other in VIEWS if VIEWS[other][0] is VIEWS[name][0]]
    before = (of_body(opened(other).screen) for other in its[: its.index(name)])
    return of_body(opened(name).screen).difference(*before)


def value_of(widget: Any) -> Any:
    """What the browser says of a widget; None where nothing is chosen."""
    state = widget._widget_state
    field = state.WhichOneof("value")
    said = getattr(state, field) if field else None
    return tuple(said.data) if hasattr(said, "data") else said


def others(widget: Any) -> list[Any]:
    """What else a reader could choose; of numbers those that are near."""
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
    """What the browser sends when a reader chooses."""
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
    known, done = kept_names(opened(name).screen), set()
    while True:
        screen, before = open_view(*VIEWS[name]), len(done)
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
        if len(done) == before:
            same(opened(name).screen, screen)  # a session of its own knows nothing of the others
            return
        yield screen


def components(screen: AppTest) -> list[Any]:
    """What the browser is given of all components, but for which answer it is and the foci: of the
    sites that are not open the address says none."""
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


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", [*VIEWS, "frame"])
def test_what_is_chosen_is_in_the_address_which_shows_the_same_again(
    name, seed, monkeypatch, smallest_root
):
    name, wanted = (FIRST, FRAME) if name == "frame" else (name, own(name))
    page, _ = VIEWS[name]
    for screen in walk(name, wanted, random.Random(seed)):
        again = open_page(page.id, **screen.query_params)
        assert dict(again.query_params) == dict(screen.query_params)
        same(screen, again)
        with monkeypatch.context() as elsewhere:
            elsewhere.setenv(FOLDER_VARIABLE, str(smallest_root))
            smaller = open_page(page.id, **{**screen.query_params, "layer": "3", "head": "7"})
            assert not smaller.error, "a model of one layer and one head takes it too"


@pytest.mark.parametrize("name", VIEWS)
def test_what_nobody_chose_is_not_in_the_address(name):
    screen = opened(name).screen
    assert widgets(screen, set(screen.query_params)).keys() <= {"text", VIEWS[name][0].key}


@pytest.mark.parametrize("name", VIEWS)
def test_nonsense_in_the_address_is_as_if_it_said_nothing(name):
    screen, chance = opened(name).screen, random.Random(0)
    texts = {each.key for kind in TEXTS for each in screen.get(kind)}
    names = kept_names(screen) - {VIEWS[name][0].key, *TYPED, *ELSEWHERE, *texts}
    address = {each: chance.choice(NONSENSE) for each in sorted(names)}
    other = open_view(*VIEWS[name], **address)
    assert asked(other) == asked(screen), address
    same(screen, other)


@pytest.mark.parametrize("name", VIEWS)
def test_what_is_typed_is_text_and_no_more(name):
    boxes = widgets(opened(name).screen, own(name) | ({"text"} if name == FIRST else set()))
    for key in [key for key, each in boxes.items() if each.type in TEXTS]:
        screen = open_view(*VIEWS[name])
        give(screen, widgets(screen, {key})[key], STRANGE)
        assert value_of(widgets(screen, {key})[key]) == STRANGE
        for each in (*screen.markdown, *screen.caption, *screen.error, *screen.warning):
            assert not getattr(each.proto, "allow_html", False)
            assert not any(sign in each.value for sign in OBEYED)


@pytest.mark.parametrize("name", [name for name in VIEWS if name not in SHOWN_EMPTY])
def test_a_sentence_that_cannot_be_read_leaves_what_was_shown(name):
    screen, before = open_view(*VIEWS[name]), opened(name).screen
    if box := widgets(screen, {"text"}):
        give(screen, box["text"], " ")
        assert len(screen.error) == 1
        assert len(charts(screen)) == len(charts(before))
        assert components(screen) == components(before)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_said_once_stays_in_its_box_and_leaves_the_rest(name):
    screen = opened(name).screen
    assert len(screen.error) == 1
    address = dict(part.split("=", 1) for part in name.partition("?")[2].split("&"))
    for key, box in widgets(screen, set(address)).items():
        assert box.type not in TEXTS or box.value.strip() == address[key].strip()
    assert pictures(screen)


@pytest.mark.parametrize("text", SENTENCES)
@pytest.mark.parametrize("name", VIEWS)
def test_every_view_takes_every_sentence(folder, name, text):
    screen = open_view(*VIEWS[name], text=SENTENCES[text], max_len="12", beam="2")
    if screen is not None:
        assert not screen.error
        assert pictures(screen)


@pytest.mark.parametrize("name", VIEWS)
def test_the_sentence_and_the_search_stand_where_one_is_read(name):
    screen, (page, view) = opened(name).screen, VIEWS[name]
    there = widgets(screen, {"text", "example", "beam", "alpha"}).keys()
    if page.reads and view.reads:
        assert "text" in there
        assert ("beam" in there) == screen.session_state["run"].translator.writes
    else:
        assert not there


# What is around a picture


@pytest.mark.parametrize("name", VIEWS)
def test_every_view_is_explained_and_tells_its_model_below_it(name):
    screen = opened(name).screen
    folds = [each for each in screen.expander if each.label == english("fold-reading")]
    assert sum(len(each.value) for fold in folds for each in fold.markdown) > 200
    told = [each for each in screen.caption if "million parameters" in each.value]
    assert len(told) == 1


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


@pytest.mark.parametrize("name", VIEWS)
def test_every_picture_is_told_and_followed_by_a_menu_of_its_files(name):
    screen = opened(name).screen
    shown = [*charts(screen), *(each.proto for each in screen.get("plotly_chart"))]
    found = [place for place in places(screen.main) if place[1] not in WITHOUT_FILES]
    assert all(each.alt for each in shown)
    assert not found or found[-1][0] == "menu"


@pytest.mark.parametrize("name", VIEWS)
def test_every_picture_comes_with_its_numbers_under_a_name(name):
    files = opened(name).files
    suffixes = [file.partition(".")[2] for file, _ in files]
    assert suffixes.count("csv") == suffixes.count("html") - WITHOUT_NUMBERS.get(name, 0)
    for file, make in files:
        stem, _, suffix = file.partition(".")
        assert file_stem(stem, limit=99) == stem != "figure"
        if suffix == "csv":
            rows = pd.read_csv(io.StringIO(make()), comment="#")
            assert len(rows)
            assert not [each for each in rows if "Unnamed" in each]
        elif suffix == "npz":
            assert len(np.load(io.BytesIO(make())))


@pytest.mark.parametrize("name", VIEWS)
def test_every_table_is_told_and_has_columns_with_names(name):
    screen = opened(name).screen
    for each in screen.dataframe:
        assert each.proto.alt
        titles = json.loads(each.proto.columns)
        assert all(titles[str(column)]["label"] for column in each.value)

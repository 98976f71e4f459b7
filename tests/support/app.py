"""Pages driven without a browser, for the tests of pages."""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Callable, Iterator, Set
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner import script_cache
from streamlit.testing.v1 import AppTest, app_test, local_script_runner
from streamlit.util import calc_hash

from model import list_checkpoints
from model.io.checkpoint import outline_of
from support.models import ROOT
from ui.architecture import _drawing
from ui.components import unpacked
from ui.frame.choices import OF_BODY, OF_FRAME, WATCHED
from ui.frame.reasons import offers
from ui.kit.layout import ICONS
from ui.pages.attention.roles import _measured_texts
from ui.shell.view import Page, View
from viz.figure import _kept
from words import Words, english
from words.packs import first_pack, opens_with

EXAMPLES = first_pack().examples
DEFAULT = EXAMPLES[0]
BY_FAMILY = {outline_of(name).architecture: name for name in reversed(list_checkpoints())}
"""The first shipped checkpoint of each family."""
HEADS, TOLD = "attention_lab_heads", "attention_lab_heads_told"
STEPPER = "attention_lab_stepper"
PICTURES = ("vega_lite_chart", "plotly_chart", "bidi_component", "dataframe")
AROUND = ("attention_lab_frame", "attention_lab_history")
TEXTS = ("text_input", "text_area")
WIDGETS = (
    *("button_group", "selectbox", "radio", "toggle", "slider", "number_input"),
    *("select_slider", "multiselect", *TEXTS),
)
MENUS = ("button_group", "selectbox", "radio", "multiselect")

# Opening a page looks through every installed package for components, and compiles its scripts;
# what it finds stays, and what it compiles.
manifest_scanner.scan_component_manifests = functools.cache(
    manifest_scanner.scan_component_manifests
)
local_script_runner.ScriptCache = app_test.ScriptCache = functools.cache(script_cache.ScriptCache)

# A page without a browser


def turned_to(page: AppTest, name: str) -> AppTest:
    """The same session on another page, before it runs."""
    # By its address: Streamlit would name the page by its file, and each is called page.py.
    page._page_hash = calc_hash(name)
    return page


def open_page(name: str = "attention", **address: str | list[str]) -> AppTest:
    """A page of the app, opened by an address; with the first example where it says no text."""
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    turned_to(page, name)
    known = "ko-en" if address.get("lang") == "ko" else "en-de"
    if opens_with(EXAMPLES, name) is not DEFAULT and _reads_english(
        address.get("checkpoint", known)
    ):
        address = {"text": DEFAULT.text, **address}
    return opened(page, **address)


def _reads_english(checkpoint: Any) -> bool:
    return str(checkpoint).startswith(("en-de", "lineage-"))


def at_address(address: str, **more: str) -> AppTest:
    """A page opened by an address like ``masks?mask_look=seen``, after `more`; nothing is escaped,
    and a name may stand in it several times.
    """
    page, _, query = address.partition("?")
    asked: dict[str, list[str]] = {}
    for part in filter(None, query.split("&")):
        name, _, value = part.partition("=")
        asked.setdefault(name, []).append(value)
    return open_page(page, **{**more, **asked})


def open_view(page: Page, view: View, **address: str) -> AppTest | None:
    """A view of a page, opened by its address in a session of its own.

    None where the model on screen lacks what the view needs, so that another is in its place.
    """
    screen = open_page(page.id, **{page.key: view.id}, **address)
    if len(page.views) == 1:  # such a page has no switch
        return screen
    shown = screen.session_state[page.key]
    if shown != view.id:
        lacks = view.lacks(offers(screen.session_state["run"].translator))
        assert lacks, f"{page.id}: {shown} is open, not {view.id}, which fits"
        return None
    return screen


def open_frame(frame: Callable, *args: Any, **address: str) -> AppTest:
    """A function as a page of its own, opened by an address."""
    return opened(AppTest.from_function(frame, default_timeout=120, args=args), **address)


def opened(page: AppTest, **address: str | list[str]) -> AppTest:
    """A page that is opened by an address, with all its folds; a name may stand in it several
    times.
    """
    page.session_state[WATCHED] = True  # as a browser says that it watches its history
    for name in ICONS:
        page.session_state[f"fold_{name}"] = True
    for name, value in address.items():
        page.query_params[name] = value
    return run(page)


def run(page: AppTest) -> AppTest:
    page.run()
    assert not page.exception, page.exception
    for menu in (each for kind in MENUS for each in page.get(kind)):
        labels = [getattr(option, "content", option) for option in menu.proto.options]
        assert len({*labels}) == len(labels), f"{menu.key} has options with one label: {labels}"
    return page


def markdown(page: AppTest) -> str:
    """All texts of the page as they are written."""
    found = (
        *(*page.markdown, *page.caption, *page.latex),
        *(*page.info, *page.success, *page.warning, *page.error),
    )
    return "\n".join(element.value for element in found)


def words(page: AppTest) -> str:
    """All that a person reads on the page, without the signs that keep Markdown from text."""
    return shown(markdown(page))


@contextlib.contextmanager
def heard() -> Iterator[Set[str]]:
    """The ids of all messages that are said meanwhile."""
    with spoken() as told:
        yield told.keys()


@contextlib.contextmanager
def spoken() -> Iterator[dict[str, dict[str, Any]]]:
    """The values of all messages that are said meanwhile, of each the first time, by their ids."""
    told: dict[str, dict[str, Any]] = {}
    say = Words.__call__

    def hear(self: Words, id: str, /, **values: Any) -> str:
        told.setdefault(id, values)
        return say(self, id, **values)

    # A chart whose shape is known is not worded again, nor are the parts and heads of a model.
    for cached in (_kept, _drawing, _measured_texts):
        cached.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Words, "__call__", hear)
        yield told


class OpenMenu:
    """A menu of files as it is once a reader has opened it."""

    open = True

    def __init__(self, menu: Any) -> None:
        self.menu = menu

    def __enter__(self) -> Any:
        return self.menu.__enter__()

    def __exit__(self, *failed: Any) -> Any:
        return self.menu.__exit__(*failed)


@contextlib.contextmanager
def offered() -> Iterator[list[tuple[str, Callable]]]:
    """The files that open menus offer meanwhile: a name, and the function that makes the file."""
    files: list[tuple[str, Callable]] = []
    popover = st.popover

    def opened_popover(label: str, *args: Any, key: str | None = None, **options: Any) -> Any:
        menu = popover(label, *args, key=key, **options)
        return OpenMenu(menu) if key and key.endswith("export") else menu

    def button(label: str, data: Any, *args: Any, **options: Any) -> bool:
        files.append((options.get("file_name", ""), data))
        return False

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(st, "popover", opened_popover)
        patch.setattr(st, "download_button", button)
        yield files


def says(page: AppTest, id: str, /, **values: Any) -> bool:
    """Return True if the page shows this message."""
    return shown(english(id, **values)) in words(page)


def shown(text: str) -> str:
    """Markdown with its escapes taken out."""
    return text.replace("\\", "")


def charts(page: AppTest) -> list:
    return [element.proto for element in page.get("vega_lite_chart")]


def n_charts(page: AppTest) -> int:
    return len(charts(page))


def pictures(page: AppTest) -> list:
    """Figures, tables and components of the page itself."""
    found = [each for kind in PICTURES for each in page.main.get(kind)]
    return [each for each in found if getattr(each.proto, "component_name", "") not in AROUND]


def tables(chart: Any) -> dict[str, pd.DataFrame]:
    """The named tables behind a chart."""
    return {
        table.name: pa.ipc.open_stream(table.data.data).read_pandas() for table in chart.datasets
    }


def specs(page: AppTest) -> list[dict[str, Any]]:
    """The specifications of all charts."""
    return [json.loads(chart.spec) for chart in charts(page)]


def table_of(page: AppTest, column: str) -> pd.DataFrame:
    """The first table to be read on the page that has this column."""
    return next(each.value for each in page.dataframe if column in each.value)


def click(page: AppTest, chart: str, selection: str, **values: object) -> AppTest:
    """What a click on a chart sends: the fields of its selection."""
    count = page.session_state["clicks"][chart]
    page.session_state[chart] = {"selection": {selection: [{**values, "click": count}]}}
    return run(page)


def component(page: AppTest, name: str, place: int = -1) -> Any:
    """What the browser is given of a component of ours, by the name it is registered by."""
    found = [e.proto for e in page.get("bidi_component") if e.proto.component_name == name]
    return found[place]


def data_of(page: AppTest, name: str, place: int = -1) -> dict[str, Any]:
    """The data of a component."""
    return given(component(page, name, place))


def given(proto: Any) -> dict[str, Any]:
    """The data of a component, an array as its bytes."""
    return unpacked(proto.bytes) if proto.bytes else json.loads(proto.json)


def send(page: AppTest, name: str, place: int = -1, **state: Any) -> AppTest:
    """What a component sends: its whole state."""
    states = page._tree.get_widget_states()
    widget = states.widgets.add()
    widget.id, widget.json_value = component(page, name, place).id, json.dumps(state)
    page._run(states)
    assert not page.exception
    return page


def heads_of(page: AppTest) -> dict[str, Any]:
    """What the browser is given of all heads."""
    return data_of(page, HEADS)


def told_of(page: AppTest) -> dict[str, Any]:
    """What the browser is told to have open."""
    return next(sent for sent in _all_told(page) if "foci" in sent)


def sent_head(page: AppTest) -> dict[str, Any]:
    """The head of a large site that the browser is sent by itself."""
    return next(sent for sent in _all_told(page) if "weights" in sent)


def _all_told(page: AppTest) -> list[dict[str, Any]]:
    found = [e.proto for e in page.get("bidi_component") if e.proto.component_name == TOLD]
    return [given(proto) for proto in found]


def maps_of(page: AppTest, kind: str) -> np.ndarray:
    """The weights of a site as the browser gets them, in steps: (layer, head, query, key)."""
    site = next(each for each in heads_of(page)["sites"] if each["name"] == kind)
    steps = np.frombuffer(site["weights"], "<u2")
    return steps.reshape(site["layers"], site["heads"], len(site["rows"]), len(site["columns"]))


def choose(page: AppTest, kind: str | None = None, **places: Any) -> AppTest:
    """What a choice among the heads sends: the open site, and at it another head, rows, columns.

    `badge` is the number under each head.
    """
    told = told_of(page)
    kind = kind or told["kind"]
    badge = places.pop("badge", told["badge"])
    role = places.pop("role", told["role"])
    foci = {**told["foci"], kind: {**told["foci"][kind], **places}}
    choice = {"number": told["answered"] + 1, "identity": told["identity"], "role": role}
    return send(page, TOLD, 0, choice={**choice, "kind": kind, "badge": badge, "foci": foci})


def step_to(page: AppTest, step: int, place: int = -1) -> AppTest:
    """What a stepper sends when it has come to rest."""
    data = data_of(page, STEPPER, place)
    sent = {"identity": data["identity"], "number": data["answered"] + 1, "step": step}
    return send(page, STEPPER, place, step=sent)


def opened_up(page: AppTest, key: str) -> AppTest:
    """With what is behind a menu or a line; it is drawn once somebody opens it."""
    page.session_state[key] = True
    return run(page)


def saved(page: AppTest) -> list[str]:
    """The figures that can be saved, by the keys of their menus, in their order on the page."""

    def menus(block: Any) -> Iterator[str]:
        if block.type == "popover" and block.proto.popover.label == english("export"):
            yield block.proto.id.split("-", 2)[2].removesuffix("_export")
        for child in getattr(block, "children", {}).values():
            yield from menus(child)

    return list(menus(page.main))


def press(page: AppTest, key: str) -> AppTest:
    page.button(key).click()
    return run(page)


def put(page: AppTest, **values: Any) -> AppTest:
    """With other values of these controls, all given before the page is drawn anew."""
    for key, value in values.items():
        found = (each for kind in WIDGETS for each in page.get(kind) if each.key == key)
        next(found).set_value(value)
    return run(page)


def asked(page: AppTest) -> dict[str, str]:
    """The address as the page left it."""
    found = page.query_params.items()
    return {name: value if isinstance(value, str) else value[0] for name, value in found}


def kept_names(page: AppTest) -> set[str]:
    """The names in the address of what is on the page, whether their values are defaults or not."""
    kept = (page.session_state[name] for name in (OF_FRAME, OF_BODY) if name in page.session_state)
    return {name for names in kept for name in names}


def focus(page: AppTest, kind: str = "encoder") -> Any:
    """The open head and the chosen tokens."""
    return page.session_state["focus"][kind].focus


def put_focus(page: AppTest, kind: str, focus: Any) -> None:
    """Open a head and choose tokens, as a click on another chart does."""
    store = page.session_state["focus"]
    store[kind] = replace(store[kind], focus=focus)


# The app in a browser


def always(monkeypatch: pytest.MonkeyPatch, of: type, **values: Any) -> None:
    """Let attributes of all instances of a class have these values, whatever they are set to."""
    for name, value in values.items():
        fixed = property(lambda self, value=value: value, lambda self, value: None)
        monkeypatch.setattr(of, name, fixed, raising=False)

"""What a page keeps in its address, so that a view can be shared: one schema, reader and writer.

Widgets whose values read the same in every language (numbers, toggles, texts) are bound by
Streamlit itself, which would write the *words* of an option. So options (`ui.choice`), heads,
tokens and changes are read and written here, as ids and numbers. Addresses from before there were
ids hold the words of an option; ``old_labels.json`` says which option they meant.

>>> PLACES.write((0, 2)), PLACES.read("3,1,x,0")
('1,3', (0, 2))
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import RerunData, RerunException, get_script_run_ctx

from .components.history import watch_history
from .words import say

MOST_LENGTH = 1000  # characters of a value that are looked at
WATCHED = "history_watched"
_SESSION, _WAITING = "address", "address_waiting"
CLOSED, ROOT = "none", "root"
_OF_FIRST_VISIT = ("focus", "beam_memory", "change", "change_place", "change_worked")
"""What pages keep in the session and take from the address only when it is not there yet."""
_GOING = "address_going"
_SENT = 0.03  # seconds in which Streamlit surely has sent what is waiting


@dataclass(frozen=True)
class Form:
    """How a value is spelt: `read` takes any text and returns None for what makes no sense.

    No more than `most` characters are looked at.
    """

    read: Callable[[str], Any]
    write: Callable[[Any], str]
    most: int = MOST_LENGTH


def _numbers(text: str, separator: str, least: int) -> tuple[int, ...] | None:
    parts = text.split(separator)
    sound = [p for p in parts if p.isascii() and p.isdigit() and len(p) < 8 and int(p) >= least]
    return tuple(map(int, sound)) if len(sound) == len(parts) else None


def _places(text: str) -> tuple[int, ...] | None:
    sound = (_numbers(part, ",", 1) or () for part in text.split(","))
    return tuple(sorted({number - 1 for numbers in sound for number in numbers})) or None


def _number(text: str) -> int | None:
    found = _numbers(text, ".", 0) or ()
    return found[0] if len(found) == 1 else None


def _decimal(text: str) -> float | None:
    sound = text.isascii() and len(text) < 8 and text.replace(".", "", 1).isdigit()
    return float(text) if sound else None


def _node(text: str) -> tuple[int, ...] | str | None:
    return {CLOSED: CLOSED, ROOT: ()}.get(text, _numbers(text, ".", 0))


TEXT = Form(lambda text: text or None, str)
LONG = Form(TEXT.read, TEXT.write, most=10**6)
"""A text whose reader says itself what is too much."""
OPTION = Form(lambda text: text or None, str)
"""The id of an option, read by `option` against those there are."""
PLACES = Form(_places, lambda places: ",".join(str(place + 1) for place in places))
"""Positions from 0, spelt from 1; what is no number is passed over."""
SOUND_PLACES = Form(lambda text: _places(text) if _numbers(text, ",", 1) else None, PLACES.write)
"""As `PLACES`, but one that is wrong spoils all."""
IDS = Form(lambda text: _numbers(text, ".", 0), lambda ids: ".".join(map(str, ids)))
"""Numbers as they are; one that is wrong spoils all."""
NUMBER = Form(_number, str)
DECIMAL = Form(_decimal, "{:g}".format)
NAMES = Form(lambda text: tuple(dict.fromkeys(filter(None, text.split(".")))) or None, ".".join)
"""Ids, each once; what they name is for the reader of the value to say."""
FOLDERS = Form(lambda text: tuple(dict.fromkeys(filter(None, text.split(",")))) or None, ",".join)
"""Names of folders, each once."""
SWITCH = Form(lambda text: text == "1" or None, lambda on: "1" if on else "")
LANGUAGE = Form(lambda text: text.split("-")[0].strip().lower() or None, str)
"""The code of a language; what tells its regions apart is passed over."""
NODE = Form(_node, lambda path: path if path == CLOSED else IDS.write(path) or ROOT)
"""A node of a search tree: the ids that lead to it, or that none is open."""
BOUND = None
"""Read and written by Streamlit."""


def _all(form: Form | None, names: str) -> dict[str, Form | None]:
    return dict.fromkeys(names.split(), form)


_FRAME = _all(BOUND, "text beam alpha min_len max_len runners_up") | _all(
    OPTION, "checkpoint penalty penalise"
)
_ATTENTION = (
    _all(BOUND, "words contrast share scaling")
    | _all(OPTION, "kind look special badge together together_layer space_dims")
    | _all(LONG, "second")
    | _all(PLACES, "layer head row column")
    | _all(SOUND_PLACES, "heads")
)
_BEAM = (
    _all(BOUND, "reference tally_plain exact_limit candidates")
    | _all(BOUND, "temperature top_k top_p seed samples")
    | _all(OPTION, "beam_look hypotheses_of")
    | _all(TEXT, "tree begin")
    | {"node": NODE, "step": NUMBER, "force": IDS, "what_if": DECIMAL}
)
_MASKS = (
    _all(BOUND, "seen_peek seen_target seen_padding_mask seen_second")
    | _all(BOUND, "test_phrase test_other_phrase trace_share trace_links trace_ranked")
    | _all(OPTION, "test_it test_noun test_other test_control test_row")
    | _all(OPTION, "trace_token trace_rival knock_head explain_token explain_head")
    | _all(OPTION, "mask_look change_tool change_where flips knock_how knock_order")
    | _all(OPTION, "seen_part seen_layer seen_head seen_pad_kind seen_pad_layer seen_pad_head")
    | _all(OPTION, "explain_hidden explain_method explain_against seen_row")
    | _all(LONG, "change")
)
_POSITIONS = (
    _all(BOUND, "encoding_mark encoding_length encoding_d_model encoding_base encoding_pos")
    | _all(BOUND, "encoding_dim encoding_dims encoding_offset")
    | _all(BOUND, "order_text order_seed order_typed position_words")
    | _all(BOUND, "position_source_seed position_source_offset")
    | _all(BOUND, "position_target_seed position_target_offset")
    | _all(OPTION, "position_look position_source position_target position_head")
    | _all(OPTION, "encoding_part encoding_values")
    | _all(OPTION, "order_how order_measure order_case order_layer order_head")
)
_BLOCK = _all(
    OPTION,
    "block_look block_stack block_encoder_token block_decoder_token block_encoder_step "
    "block_decoder_step block_cut block_cut_stack block_cut_layer block_cut_name block_weights "
    "block_encoder_layer block_decoder_layer block_encoder_unit block_decoder_unit "
    "block_path_states block_path_shown",
)
_COST = _all(OPTION, "cost_look cost_measure") | _all(
    NUMBER, "cost_n cost_d cost_k cost_r cost_step"
)
_LINEAGE = (
    _all(BOUND, "lineage_reference lineage_more")
    | _all(OPTION, "lineage_look lineage_target lineage_shown lineage_heads length_part")
    | _all(OPTION, "lineage_first lineage_second step_token step_source step_unit")
    | {"lineage_systems": FOLDERS, "length_systems": NAMES}
)
_CAPTIONS = _all(
    OPTION,
    "captions_look captions_model captions_tool captions_beside captions_kind captions_how "
    "captions_word captions_word_beside",
)
_TRAINING = (
    _all(BOUND, "rate_d_model rate_warmup rate_factor smoothing_epsilon toy_seed")
    | _all(
        OPTION, "training_look forming_of forming_sentence forming_measure forming_head knock_of"
    )
    | _all(OPTION, "smoothing_token toy_task toy_word toy_measure toy_head")
    | _all(NAMES, "curve_runs")
    | _all(IDS, "curve_steps")
)
_DOCUMENTS = _all(
    OPTION,
    "documents_look document document_model document_weights document_how document_level",
) | {"document_text": LONG, "document_left": TEXT}
_MASKED = _all(OPTION, "masked_look masked_layer masked_head") | {"masked_words": PLACES}
_LESSONS = {
    "lesson": OPTION,
    "lesson_said": OPTION,
    "lesson_step": NUMBER,
    "done": NAMES,
    "projector": SWITCH,
}
_GLOSSARY = _all(BOUND, "glossary_find")
_LANGUAGE = {"lang": LANGUAGE}
"""What goes along wherever the reader is sent."""
SCHEMA: dict[str, Form | None] = _LANGUAGE | _FRAME | _ATTENTION | _BEAM | _MASKS | _POSITIONS
SCHEMA |= _BLOCK | _COST | _LINEAGE | _CAPTIONS | _DOCUMENTS | _MASKED | _TRAINING
SCHEMA |= _LESSONS | _GLOSSARY
"""Everything an address may hold; ``<site>_rows`` belongs to it too, for each site there is."""
TYPED = ("text", "second", "begin", "document_text")
"""What is typed letter by letter, which Back takes away at once."""


def form_of(name: str) -> Form | None:
    """How this name is spelt.

    Raises
    ------
    ValueError : nothing of this name is kept in the address.
    """
    if name not in SCHEMA and not name.endswith("_rows"):
        raise ValueError(f"{name!r} is not in the schema of the address")
    return SCHEMA.get(name, OPTION)


def read(name: str) -> Any:
    """The value that the address gives, or None."""
    form = form_of(name)
    return form.read(st.query_params.get(name, "")[: form.most])


def write(name: str, value: Any) -> None:
    """Keep a value in the address; None or nothing takes it out.

    Before the browser watches its history, every value would make an entry there; so it waits.
    """
    text = "" if value is None else form_of(name).write(value)
    if WATCHED in st.session_state:
        _write(name, text)
    else:
        st.session_state.setdefault(_WAITING, {})[name] = text


def _write(name: str, text: str) -> None:
    if not text:
        if name in st.query_params:
            del st.query_params[name]
    elif st.query_params.get(name) != text:
        st.query_params[name] = text


@st.fragment
def keep_history() -> None:
    """Buttons to undo and to copy the link; the browser keeps what each act changed."""
    words = {name: say(f"link-{name}") for name in ("undo", "copy", "copied")}
    watched = WATCHED in st.session_state
    watch_history(TYPED, watched=watched, words=words, on_watched=_watched)
    if WATCHED in st.session_state:
        for name, text in st.session_state.pop(_WAITING, {}).items():
            _write(name, text)


def _watched() -> None:
    st.session_state[WATCHED] = True


def option(name: str, spelt: Iterable[str], old: Mapping[str, str] | None = None) -> str | None:
    """Which of the options the address asks for, as it is spelt; None when for none of them.

    `old` holds words that stood for an option in addresses and are not in ``old_labels.json``.
    """
    asked, spelt = read(name), set(spelt)
    if asked not in spelt:
        asked = {**_old_labels().get(name, {}), **(old or {})}.get(asked)
    return asked if asked in spelt else None


def here() -> str:
    """Where this run is: the name of the page's file and the address, as it is spelt."""
    context = get_script_run_ctx()
    known = context.pages_manager.get_pages().values() if context else ()
    names = (
        Path(each["script_path"]).stem
        for each in known
        if each["page_script_hash"] == context.page_script_hash
    )
    asked = {name: st.query_params.get_all(name) for name in st.query_params}
    return f"/{next(names, '')}?{urlencode(asked, doseq=True)}"


def by_history() -> bool:
    """The reader went back or forth, so the address says what to show, not the session."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def go(page: str, values: Mapping[str, str]) -> None:
    """Let the next run show what a link shows, whatever the session has chosen (for callbacks).

    As when the reader goes back to such an address: every value is read from it, and what it does
    not name is as at the beginning. `st.switch_page` cannot do that, for it leaves all that is
    bound by Streamlit as it is.

    Parameters
    ----------
    page : the name of its file in ``ui/pages/``.
    values : names of the schema with their values as they are spelt.

    Raises
    ------
    ValueError : a name is not in the schema, or there is no such page.
    """
    for name in values:
        form_of(name)
    if not Path(__file__).with_name("pages").joinpath(f"{page}.py").is_file():
        raise ValueError(f"there is no page {page!r}")
    along = {name: st.query_params[name] for name in _LANGUAGE if name in st.query_params}
    st.session_state[_GOING] = page, urlencode({**along, **values})


@contextmanager
def arriving() -> Iterator[None]:
    """The run in which the reader arrives where `go` sent him; around all that draws the page.

    It takes three runs: Streamlit forgets what is bound when the page changes, so the page changes
    first. A run that is interrupted on the way is begun again.
    """
    waiting = st.session_state.get(_GOING)
    if waiting is not None:
        _send_on(*waiting)
    try:
        yield
    except Exception:
        st.session_state.pop(_GOING, None)
        raise
    st.session_state.pop(_GOING, None)


def _send_on(page: str, query: str) -> None:
    """Begin the run that is still to come; return in the one that reads the address."""
    context = get_script_run_ctx()
    if context.is_history_navigation:
        for name in _OF_FIRST_VISIT if context.query_string == query else ():
            st.session_state.pop(name, None)
        return
    known = context.pages_manager.get_pages().values()
    hashes = {Path(each["script_path"]).stem: each["page_script_hash"] for each in known}
    here = context.page_script_hash == hashes[page]
    if here:
        with context.session_state.query_params() as params:
            params.populate_from_query_string(query)
            params._send_query_param_msg()
        time.sleep(_SENT)  # what is waiting when the next run begins would be dropped
    raise RerunException(
        RerunData(
            query_string=query if here else context.query_string,
            page_script_hash=hashes[page],
            cached_message_hashes=context.cached_message_hashes,
            context_info=context.context_info,
            is_history_navigation=here,
        )
    )


def of_frame() -> dict[str, str]:
    """What the address says of the choices that all pages share, as it is spelt."""
    return {
        name: st.query_params[name] for name in (*_FRAME, "projector") if name in st.query_params
    }


def drawn(name: str) -> None:
    """Remember that what `name` stands for is on the page."""
    st.session_state.setdefault(_SESSION, {})[name] = True


def begin() -> None:
    """The page, all that is below the frame, is about to be drawn anew."""
    seen = st.session_state.get(_SESSION, {})
    st.session_state[_SESSION] = {name: name in _FRAME | _LANGUAGE for name in seen}


def tidy() -> None:
    """Take out what was on the page and no longer is; the session still knows its value."""
    seen = st.session_state.get(_SESSION, {})
    for name in [name for name, there in seen.items() if not there]:
        write(name, None)
        del seen[name]


@cache
def _old_labels() -> dict[str, dict[str, str]]:
    return json.loads(Path(__file__).with_name("old_labels.json").read_text(encoding="utf-8"))

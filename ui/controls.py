"""Widgets that return values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st

from analysis.transform import SpecialTokens
from records import (
    ATTENTION_KINDS,
    MAX_OUTPUT_LENGTH,
    PENALISE,
    PENALTIES,
    AttentionKind,
    Decoding,
    Penalise,
    PenaltyKind,
)

from .choice import choice
from .examples import DEFAULT, EXAMPLES, example_of
from .state import Choices, available_checkpoints
from .words import site_name

MAX_BEAM_SIZE = 20
MOST_RUNNERS_UP = 10
KIND_NAMES = {"encoder": "Encoder", "decoder": "Decoder", "cross": "Cross"}
ATTENTION_VIEWS = ("matrix", "ribbons", "find", "arithmetic", "together", "pair")
BEAM_VIEWS = ("tree", "hypotheses", "methods", "width", "errors")
MASK_VIEWS = ("seen", "change", "knockout", "pronoun", "trace", "explain")
POSITION_VIEWS = ("encoding", "order", "model", "heads")
SPECIAL: tuple[SpecialTokens, ...] = ("show", "hide", "renormalise")


def frame_choices() -> Choices:
    """The choices all pages share: the sentence on top, checkpoint and search in the sidebar."""
    with st.sidebar:
        checkpoint = checkpoint_menu()
        decoding = decoding_controls()
    return Choices(checkpoint, sentence_box(), decoding)


def checkpoint_menu() -> str:
    names = available_checkpoints()
    return st.selectbox(
        "Checkpoint",
        names,
        key="checkpoint",
        bind="query-params",
        filter_mode=None,
        help="A folder under checkpoints/ with config.json, model.safetensors and tokenizer.json.",
    )


def decoding_controls() -> Decoding:
    beam_size = st.slider(
        "Beam width",
        1,
        MAX_BEAM_SIZE,
        5,
        key="beam",
        bind="query-params",
        help="Hypotheses kept alive at each step; 1 is greedy search.",
    )
    alpha = st.slider(
        "Length penalty α",
        0.0,
        2.0,
        0.6,
        0.1,
        key="alpha",
        bind="query-params",
        help="Scores are log-probabilities divided by a penalty that grows with length and α; 0 "
        "switches it off and favours short translations.",
    )
    with st.expander("More about the search", icon=":material/account_tree:", key="search_more"):
        penalty = penalty_menu()
        penalise = penalise_menu()
        min_len, max_len = length_inputs()
        n_runners_up = st.slider(
            "Runners-up per step",
            0,
            MOST_RUNNERS_UP,
            3,
            key="runners_up",
            bind="query-params",
            help="The likeliest candidates that were dropped, kept for the drawing of the tree. "
            "They change nothing in the search.",
        )
    return Decoding(beam_size, alpha, max_len, n_runners_up, penalty, penalise, min_len)


def penalty_menu() -> PenaltyKind:
    return choice("penalty", PENALTIES[::-1], words="penalty", style="radio")


def penalise_menu() -> Penalise:
    return choice("penalise", PENALISE, words="penalise", style="radio")


def length_inputs() -> tuple[int, int | None]:
    """Fewest and most tokens to produce; None lets the model choose."""
    least, most = st.columns(2)
    with least:
        min_len = st.number_input(
            "Least tokens",
            0,
            MAX_OUTPUT_LENGTH,
            0,
            key="min_len",
            bind="query-params",
            help="The end sign counts. Before that, ending is forbidden.",
        )
    with most:
        max_len = st.number_input(
            "Most tokens",
            1,
            MAX_OUTPUT_LENGTH,
            None,
            key="max_len",
            bind="query-params",
            placeholder="auto",
            help="Empty: twice the tokens of the sentence and ten more. A translation that never "
            "ends stops there.",
        )
    if max_len is not None and min_len > max_len:
        st.warning(
            f"The least length, {min_len}, is more than the most, {max_len}; the least is left "
            "out.",
            icon=":material/straighten:",
        )
        min_len = 0
    return min_len, max_len


def sentence_box() -> str:
    """The sentence and the menu that fills it."""
    box, menu = st.columns([3, 2])
    with menu:
        st.selectbox(
            "Examples",
            [example.text for example in EXAMPLES],
            index=None,
            key="example",
            placeholder="Choose an example",
            on_change=_use_example,
            format_func=lambda text: f"{example_of(text).group}: {text}",
        )
    with box:
        return st.text_input(
            "English sentence",
            DEFAULT.text,
            key="text",
            bind="query-params",
            live="500ms",
            placeholder="Type a sentence",
            on_change=_forget_example,
        )


def use_sentence(text: str) -> None:
    """Put a sentence into the box (for callbacks)."""
    st.session_state["text"] = text
    st.session_state["example"] = None


def _use_example() -> None:
    if st.session_state["example"]:
        st.session_state["text"] = st.session_state["example"]


def _forget_example() -> None:
    st.session_state["example"] = None


def kind_switch() -> AttentionKind:
    short = partial(site_name, form="short")
    return choice("kind", ATTENTION_KINDS, words="kind", title=False, text=short)


def view_switch() -> str:
    """What is shown of the open head, or of all."""
    return choice("look", ATTENTION_VIEWS, words="view-attention", title=False, wrap=True)


def beam_view_switch() -> str:
    """What is shown of the search."""
    return choice("beam_look", BEAM_VIEWS, words="view-beam", title=False, wrap=True)


def mask_view_switch() -> str:
    """What is shown of masks and interventions."""
    return choice("mask_look", MASK_VIEWS, words="view-masks", title=False, wrap=True)


def position_view_switch() -> str:
    """What is shown of positions."""
    return choice("position_look", POSITION_VIEWS, words="view-positions", title=False, wrap=True)


def named_switch(label: str, key: str, names: dict[str, str]) -> str:
    """A switch between named things, without a title; the first is chosen at the beginning."""
    first = next(iter(names))
    chosen = st.segmented_control(
        label,
        list(names),
        key=key,
        default=first,
        required=True,
        format_func=names.get,
        wrap=True,
        bind="query-params",
        label_visibility="collapsed",
    )
    return chosen or first


@dataclass(frozen=True)
class Display:
    """How the attention is shown; the numbers behind it stay as they are.

    Attributes
    ----------
    produced : rows are named by the token they produce, not by the one they read.
    contrast : colours are divided by the largest weight of their row.
    words : pieces are merged into words.
    special : what becomes of special tokens.
    """

    produced: bool
    contrast: bool
    words: bool
    special: SpecialTokens


def display_options(kind: AttentionKind) -> Display:
    with st.popover("Display", icon=":material/tune:"):
        return Display(
            produced=row_label_switch(kind),
            contrast=contrast_toggle(),
            words=merge_words_toggle(),
            special=special_tokens_menu(),
        )


def merge_words_toggle() -> bool:
    return st.toggle(
        "Merge pieces into words",
        key="words",
        bind="query-params",
        help="Weights are summed over the pieces of the word looked at and averaged over the "
        "pieces of the word that looks; rows still sum to one.",
    )


def special_tokens_menu() -> SpecialTokens:
    return choice("special", SPECIAL, words="special", style="radio")


def row_label_switch(kind: AttentionKind) -> bool:
    """True when rows carry the token produced, False for the token read."""
    if kind == "encoder":
        return False
    default = "produced" if kind == "cross" else "read"
    rows = choice(f"{kind}_rows", ("read", "produced"), words="rows", default=default)
    return rows == "produced"


def contrast_toggle() -> bool:
    return st.toggle(
        "Contrast per row",
        key="contrast",
        bind="query-params",
        help="Divides each row by its largest weight, for the colours only. Numbers stay as they "
        "are.",
    )


def badge_menu(options: dict[str, str]) -> str:
    """Which number to print under each head; `options` maps names to titles."""
    return st.selectbox(
        "Number under each head",
        list(options),
        key="badge",
        bind="query-params",
        format_func=options.get,
        filter_mode=None,
    )

"""Widgets that return values."""

from __future__ import annotations

from dataclasses import dataclass

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

from .examples import DEFAULT, EXAMPLES, example_of
from .state import Choices, available_checkpoints

MAX_BEAM_SIZE = 20
MOST_RUNNERS_UP = 10
KIND_NAMES = {"encoder": "Encoder", "decoder": "Decoder", "cross": "Cross"}
VIEW_NAMES = {
    "matrix": "Matrix",
    "ribbons": "Ribbons",
    "find": "Find a head",
    "arithmetic": "Arithmetic",
    "together": "All heads together",
    "pair": "Two sentences",
}
BEAM_VIEW_NAMES = {
    "tree": "Tree",
    "hypotheses": "Hypotheses",
    "methods": "Methods",
    "width": "Width",
    "errors": "Errors",
}
MASK_VIEW_NAMES = {
    "seen": "What may be seen",
    "change": "Change something",
    "knockout": "Knock out heads",
    "pronoun": "“It” put to the test",
    "trace": "Trace a decision",
    "explain": "Does attention explain?",
}
POSITION_VIEW_NAMES = {
    "encoding": "The encoding",
    "order": "Why it is needed",
    "model": "On this model",
    "heads": "Heads that follow position",
}
PENALTY_NAMES: dict[PenaltyKind, str] = {
    "wu": "((5 + length) / 6)^α",
    "length": "length^α",
    "none": "1: no penalty",
}
PENALISE_NAMES: dict[Penalise, str] = {
    "final": "only in the final ranking",
    "pruning": "in pruning too",
}
SPECIAL_NAMES = {
    "show": "shown",
    "hide": "left out, weights as they are",
    "renormalise": "left out, rows made to sum to one again",
}


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
    return st.radio(
        "Log-probabilities are divided by",
        PENALTIES[::-1],
        key="penalty",
        format_func=PENALTY_NAMES.get,
        bind="query-params",
        help="((5 + length) / 6)^α is the penalty of Wu et al. (2016), equation 14; with "
        "length^α, α = 1 gives the mean log-probability per token.",
    )


def penalise_menu() -> Penalise:
    return st.radio(
        "The penalty acts",
        PENALISE,
        key="penalise",
        format_func=PENALISE_NAMES.get,
        bind="query-params",
        help="In the final ranking, it orders the translations that have ended. In pruning too, a "
        "translation that has ended keeps its place in the beam, and defends it by its score "
        "against longer ones.",
    )


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
    chosen = st.segmented_control(
        "Attention",
        ATTENTION_KINDS,
        key="kind",
        default="encoder",
        required=True,
        format_func=KIND_NAMES.get,
        bind="query-params",
        label_visibility="collapsed",
    )
    return chosen or "encoder"  # an empty value in the address chooses nothing


def view_switch() -> str:
    """What is shown of the open head, or of all."""
    return named_switch("View", "look", VIEW_NAMES)


def beam_view_switch() -> str:
    """What is shown of the search."""
    return named_switch("View of the search", "beam_look", BEAM_VIEW_NAMES)


def mask_view_switch() -> str:
    """What is shown of masks and interventions."""
    return named_switch("View of masks", "mask_look", MASK_VIEW_NAMES)


def position_view_switch() -> str:
    """What is shown of positions."""
    return named_switch("View of positions", "position_look", POSITION_VIEW_NAMES)


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
    return st.radio(
        "Special tokens",
        list(SPECIAL_NAMES),
        key="special",
        format_func=SPECIAL_NAMES.get,
        bind="query-params",
        help="The end sign takes much weight where a head has nothing to say. Leaving it out makes "
        "the rest easier to see, but rows no longer sum to one unless they are made to.",
    )


def row_label_switch(kind: AttentionKind) -> bool:
    """True when rows carry the token produced, False for the token read."""
    if kind == "encoder":
        return False
    choice = st.segmented_control(
        "Rows named by the token",
        ("read", "produced"),
        key=f"{kind}_rows",
        bind="query-params",
        required=True,
        default="produced" if kind == "cross" else "read",
        format_func=lambda name: f"token {name}",
        help="Each decoder position reads one token and produces the next. The weights of a row "
        "are the same either way; only its name changes.",
    )
    return choice == "produced"


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

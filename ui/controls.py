"""Widgets that return values."""

from __future__ import annotations

import streamlit as st

from records import ATTENTION_KINDS, AttentionKind, Decoding

from .examples import DEFAULT, EXAMPLES, example_of
from .state import Choices, available_checkpoints

MAX_BEAM_SIZE = 10
KIND_NAMES = {"encoder": "Encoder", "decoder": "Decoder", "cross": "Cross"}
KIND_TITLES = {
    "encoder": "encoder self-attention",
    "decoder": "decoder self-attention",
    "cross": "cross-attention",
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
        help="Scores are divided by ((5 + length) / 6)^α; 0 switches the penalty off and favours "
        "short translations.",
    )
    return Decoding(beam_size=beam_size, alpha=alpha)


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
    return st.segmented_control(
        "Attention",
        ATTENTION_KINDS,
        key="kind",
        default="encoder",
        required=True,
        format_func=KIND_NAMES.get,
        bind="query-params",
        label_visibility="collapsed",
    )


def row_label_switch(kind: AttentionKind) -> bool:
    """True when rows carry the token produced, False for the token read."""
    if kind == "encoder":
        return False
    choice = st.segmented_control(
        "Rows named by the token",
        ("read", "produced"),
        key=f"{kind}_rows",
        required=True,
        default="produced" if kind == "cross" else "read",
        label_visibility="collapsed",
        format_func=lambda name: f"rows: token {name}",
        help="Each decoder position reads one token and produces the next. The weights of a row "
        "are the same either way; only its name changes.",
    )
    return choice == "produced"


def contrast_toggle() -> bool:
    return st.toggle(
        "Contrast per row",
        key="contrast",
        help="Divides each row by its largest weight, for the colours only. Numbers stay as they "
        "are.",
    )


def badge_menu(options: dict[str, str]) -> str:
    """Which number to print under each head; `options` maps names to titles."""
    return st.selectbox(
        "Number under each head",
        list(options),
        key="badge",
        format_func=options.get,
        filter_mode=None,
    )

"""Widgets that return values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from analysis.transform import SpecialTokens
from records import (
    MAX_OUTPUT_LENGTH,
    PENALISE,
    PENALTIES,
    AttentionSite,
    Decoding,
    Outline,
    Penalise,
    PenaltyKind,
)

from .choice import choice
from .state import Choices, outlines, sentences_for
from .words import current_words, say, system_name

MAX_BEAM_SIZE = 20
MOST_RUNNERS_UP = 10
SPECIAL: tuple[SpecialTokens, ...] = ("show", "hide", "renormalise")


def frame_choices() -> Choices:
    """The choices all pages share: the sentence on top, checkpoint and search in the sidebar."""
    with st.sidebar:
        checkpoint = checkpoint_menu()
        decoding = decoding_controls()
    return Choices(checkpoint, sentence_box(checkpoint), decoding)


def checkpoint_menu() -> str:
    """What is installed: the first as ever, then family by family, the oldest paper first."""
    found = outlines()
    first, *others = found
    others.sort(key=lambda name: family_order(name, found[name]))
    labels = {name: checkpoint_label(name, outline) for name, outline in found.items()}
    return choice(
        "checkpoint",
        (first, *others),
        words="checkpoint",
        style="select",
        text=lambda name: labels.get(name, name),
    )


def family_order(name: str, outline: Outline | None) -> tuple[int, str, str]:
    """By year, then by family; what says no year of itself comes last."""
    if outline is None:
        return 10_000, "", name
    return outline.year or 9999, outline.architecture, name


def checkpoint_label(name: str, outline: Outline | None) -> str:
    """Paper and kind of attention of a system of the lineage, else its name and its family."""
    if outline is None:
        return name
    if outline.of_lineage:
        return system_name(name, name)
    id = f"family-{outline.architecture}"
    family = say(id) if current_words().has(id) else outline.architecture
    return say("checkpoint-of-family", name=name, family=family)


def installed_with(capability: str, first: Sequence[str] = ()) -> dict[str, str]:
    """Names of the installed checkpoints whose family offers this, each with its label; those of
    `first` before the others."""
    found = {
        name: checkpoint_label(name, outline)
        for name, outline in outlines().items()
        if outline is not None and capability in outline.capabilities
    }
    return dict(sorted(found.items(), key=lambda each: [each[0] != name for name in first]))


def decoding_controls() -> Decoding:
    beam_size = st.slider(
        say("search-width"),
        1,
        MAX_BEAM_SIZE,
        5,
        key="beam",
        bind="query-params",
        help=say("search-width-help"),
    )
    alpha = st.slider(
        say("alpha"),
        0.0,
        2.0,
        0.6,
        0.1,
        key="alpha",
        bind="query-params",
        help=say("alpha-help"),
    )
    with st.expander(say("search-more"), icon=":material/account_tree:", key="search_more"):
        penalty = penalty_menu()
        penalise = penalise_menu()
        min_len, max_len = length_inputs()
        n_runners_up = st.slider(
            say("runners-up"),
            0,
            MOST_RUNNERS_UP,
            3,
            key="runners_up",
            bind="query-params",
            help=say("runners-up-help"),
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
            say("least-tokens"),
            0,
            MAX_OUTPUT_LENGTH,
            0,
            key="min_len",
            bind="query-params",
            help=say("least-tokens-help"),
        )
    with most:
        max_len = st.number_input(
            say("most-tokens"),
            1,
            MAX_OUTPUT_LENGTH,
            None,
            key="max_len",
            bind="query-params",
            placeholder=say("most-tokens-none"),
            help=say("most-tokens-help"),
        )
    if max_len is not None and min_len > max_len:
        st.warning(
            say("least-above-most", least=min_len, most=max_len), icon=":material/straighten:"
        )
        min_len = 0
    return min_len, max_len


def middle_cut(text: str, most: int = 38) -> str:
    """A text whose middle is left out where it is long: a minimal pair differs near its end."""
    if len(text) <= most:
        return text
    begin = (most - 1) * 2 // 5
    return f"{text[:begin].rstrip()}…{text[begin + 1 - most :].lstrip()}"


def sentence_box(checkpoint: str) -> str:
    """The sentence and the menu that fills it."""
    language, examples = sentences_for(checkpoint)
    box, menu = st.columns([3, 2])
    titles = {
        example.text: say(
            "example", group=say(f"example-{example.group}"), text=middle_cut(example.text)
        )
        for example in examples
    }
    with menu:
        st.selectbox(
            say("examples"),
            list(titles),
            index=None,
            key="example",
            placeholder=say("examples-none"),
            on_change=_use_example,
            format_func=lambda text: titles.get(text, text),
        )
    with box:
        return st.text_input(
            say("sentence", language=language),
            examples[0].text,
            key="text",
            bind="query-params",
            live="500ms",
            placeholder=say("sentence-none"),
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


def item_menu(kind: str, items: Sequence[int]) -> int:
    """Which of several maps of one site is looked at; counted from 1 on the page."""
    counted = lambda item: str(item + 1)  # noqa: E731
    return choice(
        f"{kind}_item", items, words="item", style="select", address=False, text=counted, width=120
    )


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


def display_options(site: AttentionSite, *, names_produced: bool) -> Display:
    """The menu of how to show a site; `names_produced`: its rows have two names to choose from."""
    with st.popover(say("display"), icon=":material/tune:"):
        return Display(
            produced=names_produced and row_label_switch(site),
            contrast=contrast_toggle(),
            words=merge_words_toggle(),
            special=special_tokens_menu(),
        )


def merge_words_toggle() -> bool:
    return st.toggle(
        say("merge-words"), key="words", bind="query-params", help=say("merge-words-help")
    )


def special_tokens_menu() -> SpecialTokens:
    return choice("special", SPECIAL, words="special", style="radio")


def row_label_switch(site: AttentionSite) -> bool:
    """True when rows carry the token produced, False for the token read.

    What looks at another side is better known by what it writes.
    """
    default = _row_names(site)
    rows = choice(f"{site.name}_rows", ("read", "produced"), words="rows", default=default)
    return rows == "produced"


def rows_produced(site: AttentionSite) -> bool:
    """What `row_label_switch` would say of a site that is not on screen."""
    return st.session_state.get(f"{site.name}_rows", _row_names(site)) == "produced"


def _row_names(site: AttentionSite) -> str:
    return "read" if site.is_self else "produced"


def contrast_toggle() -> bool:
    return st.toggle(
        say("contrast"), key="contrast", bind="query-params", help=say("contrast-help")
    )

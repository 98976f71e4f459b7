"""Controls of the frame: checkpoint, sentence and search.

The sidebar has the model; what a reader changes from sentence to sentence stands beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.card import Outline
from core.records.search import MAX_OUTPUT_LENGTH, PENALISE, PENALTIES, Decoding
from model import ModelError
from words.packs import ExampleSentence, opens_with

from ..frame import address, choices
from ..frame.checkpoints import by_preference, outlines
from ..frame.choices import arrives, use_sentence
from ..frame.messages import called, current_words, language_name, plain, say
from ..frame.run import OPENING, RECORDING, SEARCH_PAGE, FrameChoices
from ..frame.state import get_translator, reader_of, reads, sentences_for
from ..kit.checkpoint_labels import checkpoint_labels
from ..kit.controls import button, choice, labels_apart, number, slider, text_box, unlike
from ..kit.layout import warning
from .foreign_menu import open_menu, open_requested, tell_refused
from .recording import ELSEWHERE, recording_box

MAX_BEAM_SIZE = 20
MOST_ALPHA = 2.0  # of the length penalty
MOST_RUNNERS_UP = 10
BELOW = Path(__file__).with_name("tabs_first.css")
MOST_CHIPS = 5
HOME = "home_checkpoint"
"""Session key: the page's language and the default checkpoint for it."""
UNKNOWN = "unknown_checkpoint"
"""Session key: the checkpoint in the address, if it is not on offer."""
READ_BY = "text_read_by"
"""Session key: the checkpoint for which the sentence box was filled."""
KEPT = "texts_kept"
"""Session key: the last text of each language."""
PAGE_TEXT = "text_of_page"
"""Session key: the example with which the current page opens."""


def model_menu() -> str:
    """Draw the menu of models in the sidebar; return the open checkpoint."""
    with st.sidebar:
        open_requested()
        opened = checkpoint_menu()
        open_menu()
    if not tell_refused():
        _tell_unknown(opened)
    return opened


def frame_choices(
    name: str, *, opened: str, reads: bool, page: str = "", room: str = ""
) -> FrameChoices:
    """Draw sentence and search above the page and return the choices of the frame.

    Parameters
    ----------
    name : checkpoint that the page shows.
    opened : checkpoint of the menu.
    reads : the page reads the sentence; otherwise there is no sentence box and no search, and the
        first example is used.
    page : id of the page, for its own example.
    room : "below" if the sentence comes below the tabs.
    """
    if room == "below":
        st.html(BELOW)
    if not reads:
        return FrameChoices(name, sentences_for(name)[1][0].text, OPENING, reads=False)
    if name == RECORDING:
        recording_box()
        return FrameChoices(name, "", OPENING)
    line = st.container(horizontal=True, gap="small", key="sentence_line")
    text = sentence_box(line, name, opened, page)
    decoding = search_controls(line, page) if _searches(name) else OPENING
    return FrameChoices(name, text, decoding)


def _searches(name: str) -> bool:
    try:
        return get_translator(name).writes
    except ModelError:  # the caller reports this error
        return True


def checkpoint_menu() -> str:
    """Draw the menu of installed checkpoints: the home one, then by family, oldest paper first."""
    offered = outlines()
    home = _home(offered)
    others = sorted(offered.keys() - {home}, key=lambda name: family_order(name, offered[name]))
    labels = checkpoint_labels(offered)
    return choice(
        "checkpoint",
        (home, *others, RECORDING),
        words="checkpoint",
        style="select",
        text=lambda name: labels.get(name, name),
    )


def _home(offered: Mapping[str, Outline | None]) -> str:
    """Return the default checkpoint: the first one that reads the page's language.

    If there is a sentence already, in the address for instance, one that reads its language.
    """
    state = st.session_state
    language = current_words().language
    is_arrival = arrives(HOME)
    if is_arrival:
        state[UNKNOWN] = _unknown_checkpoint(offered)
        state[ELSEWHERE] = choices.read("checkpoint", choices.OPTION) == RECORDING
    if is_arrival or state[HOME][0] != language:
        first = by_preference(offered)[0]
        name = state.get(READ_BY)
        text = state.get("text", "")
        if is_arrival:
            text = st.query_params.get("text", "")
        elif name is None or text == sentences_for(name)[1][0].text:
            # The untouched example of the current model says nothing about the reader's language.
            text = ""
        state[HOME] = language, reading(first, text) if text else first
    return state[HOME][1]


def _unknown_checkpoint(offered: Mapping[str, Outline | None]) -> str | None:
    """Return the checkpoint that the address names if it is not on offer, else None."""
    name = choices.read("checkpoint", choices.OPTION)
    # `option` also takes the labels of old addresses.
    is_offered = choices.option("checkpoint", {*offered, RECORDING}) is not None
    return None if is_offered else name


def reading(first: str, text: str) -> str:
    """Return `first`, or the checkpoint for the language of `text` if `first` does not read it."""
    try:
        return first if reads(get_translator(first), text) else reader_of(text) or first
    except ModelError:
        return first


def _tell_unknown(opened: str) -> None:
    state = st.session_state
    if state.get(UNKNOWN) is None:
        return
    if opened != state[HOME][1]:
        # The reader has chosen another checkpoint since, so the warning is over.
        state[UNKNOWN] = None
        return
    # A path may come from a link made on another computer, which has its own message.
    warning(
        "checkpoint-path" if Path(state[UNKNOWN]).is_absolute() else "checkpoint-unknown",
        "link_off",
        asked=plain(state[UNKNOWN], 40),
        shown=plain(checkpoint_labels()[opened]),
    )


def family_order(name: str, outline: Outline | None) -> tuple[int, str, str]:
    """Return the sort key of a checkpoint: year, family, name; unknown years come last."""
    if outline is None:
        return 10_000, "", name
    # 9999: after every year, but before models that cannot be read.
    return outline.year or 9999, outline.architecture, name


def search_controls(line: DeltaGenerator, page: str) -> Decoding:
    """Draw the settings of the search: a menu in the line of the sentence.

    On the page of the search, width and length penalty stand in a line of their own.
    """
    with line:
        menu = st.popover(say("search-more"), icon=":material/account_tree:", key="search_menu")
    of_search = page == SEARCH_PAGE
    with st.container(horizontal=True, key="search_line") if of_search else menu:
        beam_size = slider("beam", 1, MAX_BEAM_SIZE, 5, words="search-width")
        alpha = slider("alpha", 0.0, MOST_ALPHA, 0.6, 0.1, words="alpha")
    with menu:
        penalty = choice("penalty", PENALTIES[::-1], words="penalty", style="radio")
        penalise = choice("penalise", PENALISE, words="penalise", style="radio")
        min_len, max_len = _lengths()
        n_runners_up = slider("runners_up", 0, MOST_RUNNERS_UP, 3, words="runners-up")
    return Decoding(beam_size, alpha, max_len, n_runners_up, penalty, penalise, min_len)


def _lengths() -> tuple[int, int | None]:
    """Return the fewest and most tokens to produce; None lets the model choose."""
    least, most = st.columns(2)
    with least:
        min_len = number("min_len", 0, MAX_OUTPUT_LENGTH, 0, words="least-tokens")
    with most:
        placeholder = say("most-tokens-none")
        max_len = number(
            "max_len", 1, MAX_OUTPUT_LENGTH, None, words="most-tokens", placeholder=placeholder
        )
    if max_len is not None and min_len > max_len:
        warning("least-above-most", "straighten", least=min_len, most=max_len)
        # An impossible pair is reported and the lower bound dropped, so the page still works.
        min_len = 0
    return min_len, max_len


def middle_cut(text: str, most: int = 24) -> str:
    """Shorten a long text in its middle, because minimal pairs differ near their ends."""
    if len(text) <= most:
        return text
    # Two fifths before the gap: the end is the part that differs.
    begin = (most - 1) * 2 // 5
    return f"{text[:begin].rstrip()}…{text[begin + 1 - most :].lstrip()}"


def sentence_box(line: DeltaGenerator, checkpoint: str, opened: str, page: str) -> str:
    """Draw the box of the sentence, the button that sends it, and the examples as chips."""
    state = st.session_state
    language, examples = sentences_for(checkpoint)
    first = opens_with(examples, page)
    _settle_text(checkpoint, opened)
    _follow_page(first.text)
    titles = example_titles(chips_of(examples, page))
    with line:
        text = text_box(
            "text",
            first.text,
            words="sentence",
            values={"language": language, "name": plain(language_name(language))},
            form=choices.LONG,
            # Reruns after half a second without typing.
            live="500ms",
            label_visibility="collapsed",
        )
        # Leaving the box sends the text, so the press needs no handler.
        button("send", words="sentence-send", type="primary")
        # The chip of the sentence in the box is lit, however the sentence came there.
        state["example"] = text if text in titles else None
        st.pills(
            say("examples"),
            list(titles),
            key="example",
            on_change=_use_example,
            format_func=unlike("example", titles, lambda text: titles.get(text, text)),
            label_visibility="collapsed",
        )
    if state[READ_BY] != checkpoint:
        # The box was filled for another checkpoint.
        st.rerun()
    return text


def chips_of(examples: Sequence[ExampleSentence], page: str) -> list[ExampleSentence]:
    """Return the examples that get a chip: those that show something, the page's own first."""
    telling = [example for example in examples if example.shows] or list(examples)
    telling.sort(key=lambda example: page not in example.pages)
    return telling[:MOST_CHIPS]


def example_titles(examples: Sequence[ExampleSentence]) -> dict[str, str]:
    """Return titles by text: the point of an example, else its text, cut unless two are alike."""
    points = {example.text: example.shows for example in examples}

    def title(text: str, whole: int) -> str:
        if points[text]:
            return called(f"example-{points[text]}", points[text])
        return text if whole else middle_cut(text)

    return labels_apart(points, title, 1)


def _settle_text(checkpoint: str, opened: str) -> None:
    """Put a text into the sentence box that `checkpoint` can read.

    Earlier texts are kept by language. A text that only the newly chosen model reads stays. On the
    first visit the address may hold a text for the `opened` model and not for the one shown; then
    the page is drawn twice, because only then may the box take another text than the address.
    """
    state = st.session_state
    text = state.get("text", st.query_params.get("text"))
    before = state.get(READ_BY)
    state[READ_BY] = checkpoint
    # The Back button restores text and model together.
    if text is None or before == checkpoint or address.by_history():
        return
    try:
        if before is None:
            if checkpoint != opened and not reads(get_translator(checkpoint), text):
                state[READ_BY] = opened
            return
        stays = _stays(text, before, checkpoint)
    except ModelError:  # the caller reports this error
        return
    if not stays:
        language, examples = sentences_for(checkpoint)
        texts = state.setdefault(KEPT, {})
        use_sentence(texts.get(language, examples[0].text))
        texts[sentences_for(before)[0]] = text


def _stays(text: str, before: str, checkpoint: str) -> bool:
    """Return True if the `text` of one checkpoint stays in the box for the next one.

    It does if both read one language, or if it is in the language of the next one only.
    """
    fits = reads(get_translator(checkpoint), text)
    fitted = reads(get_translator(before), text)
    if fits and fitted is False:
        return True
    # `reads` returns None if the text is no source of the model's kind, a number for instance.
    is_source = fits is not None or fitted is None
    return is_source and sentences_for(checkpoint)[0] == sentences_for(before)[0]


def _follow_page(first: str) -> None:
    """Replace the previous page's own example by this page's `first`, but never a typed text."""
    state = st.session_state
    before = state.get(PAGE_TEXT, first)
    state[PAGE_TEXT] = first
    if before != first and state.get("text") == before and "text" not in st.query_params:
        use_sentence(first)


def _use_example() -> None:
    if st.session_state["example"]:
        st.session_state["text"] = st.session_state["example"]

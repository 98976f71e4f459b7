"""Controls of the frame: checkpoint, sentence, search and display options.

The sidebar has the model; what a reader changes from sentence to sentence stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.attention import AttentionSite
from core.card import Outline
from core.search import MAX_OUTPUT_LENGTH, PENALISE, PENALTIES, Decoding
from core.transform import SpecialTokens
from model import ModelError
from words.packs import Example, opens_with

from . import address
from .kit.controls import choice, labels_apart, number, slider, text_box, toggle, unlike
from .kit.layout import warning
from .opened import open_menu, take_up, tell_refused
from .recording import recording_box
from .state import (
    RECORDING,
    Choices,
    by_preference,
    get_translator,
    outlines,
    reader_of,
    reads,
    sentences_for,
)
from .words import called, current_words, language_name, plain, say, system_name

MAX_BEAM_SIZE, MOST_ALPHA = 20, 2.0
SEARCH_PAGE = "beam"
MOST_RUNNERS_UP = 10
SPECIAL: tuple[SpecialTokens, ...] = ("show", "hide", "renormalise")
OPENING = Decoding(n_runners_up=3)
"""Search settings of a fresh session."""
HOME, UNKNOWN = "home_checkpoint", "unknown_checkpoint"
READ_BY, KEPT, PAGE_TEXT = "text_read_by", "texts_kept", "text_of_page"


def frame_choices(
    shown: Callable[[str], str] = lambda opened: opened,
    *,
    reads: Callable[[str], bool] = lambda name: True,
    page: str = "",
) -> Choices:
    """Draw the choices that all pages share: sentence and search on top, model in the sidebar.

    Parameters
    ----------
    shown : maps the open checkpoint to the one that the page shows, and tells the reader why.
    reads : returns True if the page reads the sentence with this checkpoint; otherwise there is no
        sentence box and no search, and the first example is used.
    page : id of the page, for its own example.
    """
    with st.sidebar:
        take_up()
        opened = checkpoint_menu()
        open_menu()
    if not tell_refused():
        _tell_unknown(opened)
    name = shown(opened)
    if not reads(name):
        return Choices(name, sentences_for(name)[1][0].text, OPENING)
    if name == RECORDING:
        recording_box()
        return Choices(name, "", OPENING)
    line = st.container(horizontal=True, gap="small", key="sentence_line")
    text = sentence_box(line, name, opened, page)
    return Choices(name, text, search_controls(line, page) if _searches(name) else OPENING)


def _searches(name: str) -> bool:
    try:
        return get_translator(name).writes
    except ModelError:  # the caller reports this error
        return True


def checkpoint_menu() -> str:
    """Draw the menu of installed checkpoints: the home one, then by family, oldest paper first."""
    found = outlines()
    home = _home(found)
    others = sorted(found.keys() - {home}, key=lambda name: family_order(name, found[name]))
    labels = checkpoint_labels(found)
    return choice(
        "checkpoint",
        (home, *others, RECORDING),
        words="checkpoint",
        style="select",
        text=lambda name: labels.get(name, name),
    )


def _home(found: Mapping[str, Outline | None]) -> str:
    """Return the default checkpoint: the first one that reads the page's language.

    If there is a sentence already, in the address for instance, one that reads its language.
    """
    state, language = st.session_state, current_words().language
    arrives = HOME not in state or address.by_history()
    if arrives:
        asked = address.read("checkpoint", address.OPTION)
        known = {*found, RECORDING}
        # Labels in old addresses count as known.
        wrong = asked is not None and address.option("checkpoint", known) is None
        state[UNKNOWN] = asked if wrong else None
    if arrives or state[HOME][0] != language:
        first = by_preference(found)[0]
        text, name = state.get("text", ""), state.get(READ_BY)
        if arrives:
            text = st.query_params.get("text", "")
        elif name is None or text == sentences_for(name)[1][0].text:
            # The untouched example of the current model says nothing about the reader's language.
            text = ""
        state[HOME] = language, reading(first, text) if text else first
    return state[HOME][1]


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
    asked, shown = plain(state[UNKNOWN], 40), plain(checkpoint_labels()[opened])
    # A path may come from a link made on another computer, which has its own message.
    kind = "path" if Path(state[UNKNOWN]).is_absolute() else "unknown"
    warning(f"checkpoint-{kind}", "link_off", asked=asked, shown=shown)


def family_order(name: str, outline: Outline | None) -> tuple[int, str, str]:
    """Return the sort key of a checkpoint: year, family, name; unknown years come last."""
    if outline is None:
        return 10_000, "", name
    # 9999: after every year, but before models that cannot be read.
    return outline.year or 9999, outline.architecture, name


def checkpoint_labels(found: Mapping[str, Outline | None] | None = None) -> dict[str, str]:
    """Return labels of all `outlines`; paths get as many folders as tell them apart."""
    known = {**(outlines() if found is None else found), RECORDING: None}
    most = max(len(Path(name).parts) for name in known) - 1
    return labels_apart(known, lambda name, more: checkpoint_label(name, known[name], more), most)


def checkpoint_label(name: str, outline: Outline | None, folders: int = 0) -> str:
    """Return the label of a checkpoint.

    For a system of the lineage, paper and kind of attention; for others family and name. `folders`
    is the number of parent folders shown before the name of a path.
    """
    if outline is None:
        return say("checkpoint-recording") if name == RECORDING else name
    if outline.of_lineage:
        return system_name(name, name)
    family = called(f"family-{outline.architecture}", outline.architecture)
    last = str(Path(*Path(name).parts[-1 - folders :]))
    return say("checkpoint-of-family", name=last, family=family)


def installed_with(capability: str, first: Sequence[str] = ()) -> dict[str, str]:
    """Return labels of the installed checkpoints with `capability`; `first` come first."""
    labels = checkpoint_labels()
    found = {
        name: labels[name]
        for name, outline in outlines().items()
        if outline is not None and capability in outline.capabilities
    }
    # Sorting by a list of booleans is stable: the order of `first`, then the order of installation.
    return dict(sorted(found.items(), key=lambda each: [each[0] != name for name in first]))


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


def middle_cut(text: str, most: int = 38) -> str:
    """Shorten a long text in its middle, because minimal pairs differ near their ends."""
    if len(text) <= most:
        return text
    # Two fifths before the gap: the end is the part that differs.
    begin = (most - 1) * 2 // 5
    return f"{text[:begin].rstrip()}…{text[begin + 1 - most :].lstrip()}"


def sentence_box(line: DeltaGenerator, checkpoint: str, opened: str, page: str) -> str:
    state, (language, examples) = st.session_state, sentences_for(checkpoint)
    first = opens_with(examples, page)
    _settle_text(checkpoint, opened)
    _follow_page(first.text)
    titles = example_titles(examples)
    with line:
        text = text_box(
            "text",
            first.text,
            words="sentence",
            values={"language": language, "name": plain(language_name(language))},
            form=address.LONG,
            # Reruns after half a second without typing.
            live="500ms",
            on_change=state.update,
            args=({"example": None},),
            label_visibility="collapsed",
        )
        st.selectbox(
            say("examples"),
            list(titles),
            index=None,
            key="example",
            placeholder=say(
                "examples-of-page"
                if page in first.pages and text == first.text
                else "examples-none"
            ),
            on_change=_use_example,
            format_func=unlike("example", titles, lambda text: titles.get(text, text)),
            label_visibility="collapsed",
            width=220,
        )
    if state[READ_BY] != checkpoint:
        # The box was filled for another checkpoint.
        st.rerun()
    return text


def example_titles(examples: Sequence[Example]) -> dict[str, str]:
    """Return titles by text: group and sentence, shortened unless two would be equal."""
    groups = {example.text: say(f"example-{example.group}") for example in examples}

    def title(text: str, whole: int) -> str:
        return say("example", group=groups[text], text=text if whole else middle_cut(text))

    return labels_apart(groups, title, 1)


def typed_text() -> str:
    """Return the content of the sentence box, drawn or not; empty if nothing was typed."""
    return st.session_state.get("text", st.query_params.get("text", ""))


def _settle_text(checkpoint: str, opened: str) -> None:
    """Put a text into the sentence box that `checkpoint` can read.

    Earlier texts are kept by language. A text that only the newly chosen model reads stays. On the
    first visit the address may hold a text for the `opened` model and not for the one shown; then
    the page is drawn twice, because only then may the box take another text than the address.
    """
    state = st.session_state
    text, before = state.get("text", st.query_params.get("text")), state.get(READ_BY)
    state[READ_BY] = checkpoint
    # The Back button restores text and model together.
    if text is None or before == checkpoint or address.by_history():
        return
    try:
        fits = reads(get_translator(checkpoint), text)
        if before is None:
            if checkpoint != opened and not fits:
                state[READ_BY] = opened
            return
        fitted = reads(get_translator(before), text)
    except ModelError:  # the caller reports this error
        return
    (language, examples), (of_before, _) = sentences_for(checkpoint), sentences_for(before)
    # `reads` returns None if the text is no source of the model's kind, a number for instance.
    stays = language == of_before and (fits is not None or fitted is None)
    if stays or (fits and fitted is False):
        return
    kept = state.setdefault(KEPT, {})
    use_sentence(kept.get(language, examples[0].text))
    kept[of_before] = text


def _follow_page(first: str) -> None:
    """Replace the previous page's own example by this page's `first`, but never a typed text."""
    state = st.session_state
    before, state[PAGE_TEXT] = state.get(PAGE_TEXT, first), first
    if before != first and state.get("text") == before and "text" not in st.query_params:
        use_sentence(first)


def use_sentence(text: str) -> None:
    st.session_state.update(text=text, example=None)


def _use_example() -> None:
    if st.session_state["example"]:
        st.session_state["text"] = st.session_state["example"]


@dataclass(frozen=True)
class Display:
    """Display options of attention; the numbers behind it stay the same."""

    produced: bool  # rows are named by the output token instead of the input token
    contrast: bool  # colours are scaled by the largest weight of the row
    words: bool  # subword pieces are merged into words
    special: SpecialTokens


def display_options(site: AttentionSite, *, names_produced: bool) -> Display:
    """Draw the menu of display options of `site`.

    `names_produced` offers to name rows by input or output token. Cross-attention rows are named by
    their output token by default.
    """
    with st.popover(say("display"), icon=":material/tune:"):
        rows = "read"
        if names_produced:
            key, names = f"{site.name}_rows", ("read", "produced")
            rows = choice(key, names, words="rows", default=_row_names(site))
        return Display(
            produced=rows == "produced",
            contrast=toggle("contrast", words="contrast"),
            words=toggle("words", words="merge-words"),
            special=choice("special", SPECIAL, words="special", style="radio"),
        )


def rows_produced(site: AttentionSite) -> bool:
    """Return True if rows of `site` are named by output token, also when its menu is not drawn."""
    return st.session_state.get(f"{site.name}_rows", _row_names(site)) == "produced"


def _row_names(site: AttentionSite) -> str:
    return "read" if site.is_self else "produced"

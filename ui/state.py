"""What the pages share: loaded models, computed translations, the last view that worked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from model import CheckpointError, ModelError, Translator, list_checkpoints, load_translator
from model.checkpoint import checkpoint_path
from records import Decoding, Translation

from .examples import DEFAULT
from .words import plain


@dataclass(frozen=True)
class Choices:
    """What the person asked for in the frame around the pages."""

    checkpoint: str
    text: str
    decoding: Decoding


@dataclass(frozen=True)
class View:
    """What a page shows: the choices that worked and what came of them."""

    choices: Choices
    translator: Translator
    translation: Translation

    @property
    def identity(self) -> tuple:
        """Changes when the pieces on either side change, and only then."""
        translation = self.translation
        return self.translator.card.fingerprint, translation.src.ids, translation.tgt.ids


def style_page() -> None:
    st.html(Path(__file__).with_name("style.css"))


def is_dark() -> bool:
    return st.context.theme.type == "dark"


def available_checkpoints() -> list[str]:
    """Names to choose from; "en-de" when there is none, so that loading it says what is wrong."""
    return list_checkpoints() or ["en-de"]


def get_translator(checkpoint: str) -> Translator:
    """The loaded checkpoint, read anew when its files change.

    Raises
    ------
    CheckpointError : it is missing or damaged.
    """
    folder = checkpoint_path(checkpoint).resolve()
    stamp = tuple(
        (file.name, file.stat().st_size, file.stat().st_mtime_ns)
        for file in sorted(folder.iterdir())
        if file.is_file()
    )
    return _load(str(folder), stamp)


@st.cache_resource(show_spinner="Loading the model…", max_entries=4)
def _load(folder: str, stamp: tuple) -> Translator:
    return load_translator(folder)


@st.cache_data(show_spinner=False, max_entries=128)
def _translate(
    fingerprint: str, text: str, decoding: Decoding, _translator: Translator
) -> Translation:
    return _translator.translate(text, decoding)


def _compute(choices: Choices) -> View:
    translator = get_translator(choices.checkpoint)
    fingerprint = translator.card.fingerprint
    translation = _translate(fingerprint, choices.text, choices.decoding, translator)
    return View(choices, translator, translation)


def current_view(choices: Choices) -> View | None:
    """Translate what was asked for; when that fails, say why and return the last that worked.

    None when nothing can be shown at all.
    """
    try:
        view = _compute(choices)
    except ModelError as error:
        problem = error
    else:
        st.session_state["last_view"] = choices
        return view
    show_problem(problem)
    default = Choices(choices.checkpoint, DEFAULT.text, choices.decoding)
    for earlier in (st.session_state.get("last_view"), default):
        if earlier is None or earlier == choices:
            continue
        try:
            view = _compute(earlier)
        except ModelError:
            continue
        text, checkpoint = plain(earlier.text, 120), plain(earlier.checkpoint)
        st.caption(f"Still showing “{text}” with checkpoint {checkpoint}.")
        return view
    return None


def show_problem(error: ModelError) -> None:
    """What went wrong and what to try, in plain words."""
    message = plain(str(error), 1200)
    message = message[:1].upper() + message[1:]
    hint = f"  \n{plain(error.hint)}" if error.hint else ""
    if isinstance(error, CheckpointError) and len(list_checkpoints()) > 1:
        hint += "  \nOther checkpoints can be chosen in the sidebar."
    st.error(message + hint, icon=":material/error:")

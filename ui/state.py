"""What the pages share: loaded models, computed translations, the last view that worked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from model import CheckpointError, ModelError, Translator, list_checkpoints, load_translator
from model.checkpoint import checkpoint_path
from records import Decoding, Translation

from .examples import DEFAULT
from .words import current_words, plain


@dataclass(frozen=True)
class Choices:
    """What the person asked for in the frame around the pages."""

    checkpoint: str
    text: str
    decoding: Decoding


@dataclass(frozen=True)
class Run:
    """What a page shows: the choices that worked and what came of them."""

    choices: Choices
    translator: Translator
    translation: Translation

    @property
    def source_identity(self) -> tuple:
        """Changes when the model or the sentence changes, whatever the search."""
        return self.translator.card.fingerprint, self.translation.src.ids

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


@st.cache_resource(show_spinner=False, max_entries=128)
def _translate(
    fingerprint: str, text: str, decoding: Decoding, _translator: Translator
) -> Translation:
    """One record for all sessions: no copy at each rerun, so nobody may write into its arrays."""
    translation = _translator.translate(text, decoding, stop=interrupted)
    for attention in translation.attention.maps:
        for array in (attention.weights, attention.scores, attention.mask):
            if array is not None:
                array.flags.writeable = False
    return translation


def translated(choices: Choices, translator: Translator) -> Run:
    """What comes of these choices with a translator that is loaded already.

    Raises
    ------
    InputError : as for `Translator.translate`.
    """
    fingerprint = translator.card.fingerprint
    translation = _translate(fingerprint, choices.text, choices.decoding, translator)
    return Run(choices, translator, translation)


def _compute(choices: Choices) -> Run:
    return translated(choices, get_translator(choices.checkpoint))


def current_run(choices: Choices) -> Run | None:
    """Translate what was asked for; when that fails, say why and return the last that worked.

    None when nothing can be shown at all.
    """
    try:
        run = _compute(choices)
    except ModelError as error:
        problem = error
    else:
        st.session_state["last_run"] = choices
        return run
    show_problem(problem)
    default = Choices(choices.checkpoint, DEFAULT.text, choices.decoding)
    for earlier in (st.session_state.get("last_run"), default):
        if earlier is None or earlier == choices:
            continue
        try:
            run = _compute(earlier)
        except ModelError:
            continue
        text, checkpoint = plain(earlier.text, 120), plain(earlier.checkpoint)
        st.caption(f"Still showing “{text}” with checkpoint {checkpoint}.")
        return run
    return None


def interrupted() -> bool:
    """For ``stop=``: ends a search whose page has been asked to run again, or was closed.

    A look into the session is where Streamlit ends such a run. It does so by an exception that
    passes through the search, so that nothing half done is kept in a cache.
    """
    st.session_state.get("run")
    return False


def show_problem(error: ModelError) -> None:
    """What went wrong and what to try, in plain words."""
    message = plain(current_words().of(error.message), 1200)
    message = message[:1].upper() + message[1:]
    hint = f"  \n{plain(current_words().of(error.hint))}" if error.hint else ""
    if isinstance(error, CheckpointError) and len(list_checkpoints()) > 1:
        hint += "  \nOther checkpoints can be chosen in the sidebar."
    st.error(message + hint, icon=":material/error:")

"""Language of the page: the browser's at first, then that of the sidebar and the address.

The choice is called ``lang`` in the address and in the session. `settle_language` runs before the
first message of a run, `language_switch` at the top of the sidebar.
"""

from __future__ import annotations

import streamlit as st

from words import Words, english, languages

from ..frame import address, choices
from ..frame.choices import CODE, arrives, kept
from ..frame.messages import current_words, plain, say
from ..kit.controls import choice

KEY = address.LANGUAGE
_UNKNOWN = "lang_unknown"


def settle_language() -> None:
    """Take the language from the address or the browser, before any message is drawn."""
    if arrives(KEY):
        code = choices.read(KEY, CODE)
        st.session_state[_UNKNOWN] = code if code and code not in languages() else None
    kept(KEY, CODE, _of_browser(), sound=lambda code: code in languages())


def language_switch() -> None:
    """Draw the menu of languages, each under its own name."""
    choice(
        KEY,
        languages(),
        words="language",
        default=_of_browser(),
        title=False,
        text=own_name,
        on_change=_forget_unknown,
    )


def language_warning() -> None:
    """Warn if the address asks for a language that the app does not have."""
    unknown = st.session_state.get(_UNKNOWN)
    if unknown:
        offered = ", ".join(map(own_name, languages()))
        text = say("language-unknown", asked=plain(unknown, 40), known=offered, used=_used())
        st.warning(text, icon=":material/translate:")


def own_name(language: str) -> str:
    """Return the name of a language in that language."""
    return Words(language)("language-own-name")


def language_spelt() -> dict[str, str]:
    """Return the language as address values for a link; empty for English, the default."""
    language = current_words().language
    return {} if language == english.language else {KEY: language}


def _used() -> str:
    return own_name(st.session_state[KEY])


def _of_browser() -> str:
    """Return the browser's language if the app has it, else English."""
    code = (st.context.locale or "").split("-")[0].lower()
    return code if code in languages() else english.language


def _forget_unknown() -> None:
    st.session_state[_UNKNOWN] = None

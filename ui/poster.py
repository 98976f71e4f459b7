"""A printable sheet of the model and the text on screen, offered in the head of the page."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlencode

import streamlit as st

from viz.look import Look
from viz.poster import poster_pdf, poster_svg

from .export import Download, download, file_stem, signature
from .guard import fragment
from .kit.layout import paragraph
from .state import READS, SHOWN, Run
from .words import current_words, say


@fragment
def poster_menu(run: Run) -> None:
    """The menu, where the page shows what the model of the frame made of the text above; a file is
    made when its button is pressed."""
    reader, drawing = run.translator, run.translator.family.drawing
    if not st.session_state[READS] or st.session_state.get(SHOWN, reader) is not reader:
        return
    help = say("poster-help")
    menu = st.popover(
        say("poster"), icon=":material/print:", key="poster", on_change="rerun", help=help
    )
    if not menu.open:
        return
    made = partial(
        Look(words=current_words()),  # for paper, whatever the page looks like
        poster_svg,
        run.translation,
        run.card,
        drawing(reader.model.config) if drawing else None,
        capabilities=reader.capabilities,
        address=_address(),
        signature=signature(),
    )
    name = file_stem(say("poster"), run.card.name, run.src.text)
    with menu:
        with st.container(horizontal=True, gap="small"):
            pdf = Download("PDF", f"{name}.pdf", "application/pdf", lambda: poster_pdf(made()))
            for file in (pdf, Download("SVG", f"{name}.svg", "image/svg+xml", made)):
                download(file, "poster")
        paragraph("poster-told")


def _address() -> str:
    """Where the page on screen is, with all that is chosen on it."""
    chosen = {name: st.query_params.get_all(name) for name in st.query_params}
    return f"{st.context.url or ''}?{urlencode(chosen, doseq=True)}"

"""A printable sheet of the model and the text on screen, offered in the head of the page."""

from __future__ import annotations

from functools import partial

import streamlit as st

from viz.look import Look
from viz.poster import poster_pdf, poster_svg

from . import address
from .export import Download, download, file_stem, signature
from .guard import fragment
from .kit.layout import paragraph
from .state import READS, RECORDING, SHOWN, Run
from .words import current_words, say


@fragment
def poster_menu(run: Run) -> None:
    """The menu, where the page shows what the model of the frame made of the text above; a file is
    made when its button is pressed."""
    reader = run.translator
    recorded = run.choices.checkpoint == RECORDING
    if recorded or not st.session_state[READS] or st.session_state.get(SHOWN, reader) is not reader:
        return
    look = {"icon": ":material/print:", "on_change": "rerun", "help": say("poster-help")}
    menu = st.popover(say("poster"), key="poster", **look)
    if not menu.open:
        return
    drawing, asked = reader.family.drawing, address.here().partition("?")[2]
    svg = partial(
        Look(words=current_words()),  # for paper, whatever the page looks like
        poster_svg,
        run.translation,
        run.card,
        drawing(reader.model.config) if drawing else None,
        capabilities=reader.capabilities,
        address=f"{st.context.url or ''}?{asked}",
        signature=signature(),
    )
    name = file_stem(say("poster"), run.card.name, run.src.text)
    with menu:
        with st.container(horizontal=True, gap="small"):
            pdf = f"{name}.pdf", "application/pdf", lambda: poster_pdf(svg())
            download(Download("PDF", *pdf), "poster")
            download(Download("SVG", f"{name}.svg", "image/svg+xml", svg), "poster")
        paragraph("poster-told")

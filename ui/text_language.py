"""Warnings about the language and the unknown tokens of a source, below the translation."""

from __future__ import annotations

import streamlit as st

from core.measurements import LANGUAGE
from core.sources import DocumentSource, Source
from core.text_language import other_language
from core.tokens import TokenSequence

from .kit.controls import button
from .kit.layout import warning
from .state import Run, open_checkpoint, outlines, reader_of, reads
from .stored import stored_box
from .words import language_name, language_names, plain, quoted, say

MOST_NAMED = 8


def warn(run: Run) -> None:
    """Say so when the source looks like another language, with a button to a model that reads it,
    and name what cannot be spelled; and where what was measured of that cannot be read."""
    lies = run.card.lies(LANGUAGE)
    if lies.state in ("damaged", "foreign"):
        stored_box(lies)
    src = run.src
    code, another = _other_language(run), None
    if isinstance(src, TokenSequence) and not reads(run.translator, src.text):
        another = reader_of(src.text)
    if another is not None:
        code = outlines()[another].languages[0]
    if code is not None:
        language, _ = language_names(run.card.languages)
        told = (
            say("language-other", language=language, other=plain(language_name(code)))
            if code
            else say("language-not", language=language)
        )
        st.warning(told, icon=":material/translate:")
    if another is None:
        _unknown(src)
        return
    source, target = language_names(outlines()[another].languages)
    how = {"words": "language-open", "values": {"source": source, "target": target}}
    button("language_open", open_checkpoint, another, icon="open_in_new", **how)


def _other_language(run: Run) -> str | None:
    """What the source looks like, if not like what the model reads, where that was measured."""
    check = run.card.language_check
    src = run.src
    if check is None or not isinstance(src, TokenSequence):
        return None
    return other_language(check, src.text)


def _unknown(src: Source) -> None:
    """Say which pieces the vocabulary lacks; the model reads all of them as one token."""
    parts = src.sentences if isinstance(src, DocumentSource) else (src,)
    texts = [part for part in parts if isinstance(part, TokenSequence)]
    unknown = [
        token
        for part in texts
        for token, lacking in zip(part.tokens, part.unknown, strict=True)
        if lacking
    ]
    if not unknown:
        return
    pieces = quoted(*dict.fromkeys(unknown), most=MOST_NAMED, length=24)
    of = sum(len(part) for part in texts)
    warning("run-unknown", "help", n=len(unknown), of=of, pieces=pieces)

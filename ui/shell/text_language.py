"""Warnings about the language and the unknown tokens of a source, below the translation."""

from __future__ import annotations

import streamlit as st

from core.measurements import LANGUAGE
from core.records.sources import DocumentSource, Source, TokenSequence
from core.text_language import other_language

from ..frame.checkpoints import open_checkpoint, outlines
from ..frame.messages import language_name, language_names, plain, quoted, say
from ..frame.run import Run
from ..frame.state import reader_of, reads
from ..kit.controls import button
from ..kit.layout import warning
from ..kit.measurements import stored_box

MOST_NAMED = 8


def warn(run: Run) -> None:
    """Warn if the source seems to be in another language, and name unknown pieces.

    A button opens a model that reads the text. A damaged language check is reported, too.
    """
    lies = run.card.measured(LANGUAGE)
    if lies.state in ("damaged", "foreign"):
        stored_box(lies)
    src = run.src
    code = _other_language(run)
    another = None
    if isinstance(src, TokenSequence) and not reads(run.translator, src.text):
        another = reader_of(src.text)
    outline = None if another is None else outlines()[another]
    if outline is not None:
        code = outline.languages[0]
    if code is not None:
        language, _ = language_names(run.card.languages)
        if code:
            text = say("language-other", language=language, other=plain(language_name(code)))
        else:
            text = say("language-not", language=language)
        st.warning(text, icon=":material/translate:")
    if outline is None:
        _unknown(src)
        return
    source, target = language_names(outline.languages)
    button(
        "language_open",
        open_checkpoint,
        another,
        words="language-open",
        values={"source": source, "target": target},
        icon="open_in_new",
    )


def _other_language(run: Run) -> str | None:
    """Return the language that the source seems to be in; None if it fits or was not measured.

    An empty string means: not the model's language, and no other known one.
    """
    check = run.card.language_check
    src = run.src
    if check is None or not isinstance(src, TokenSequence):
        return None
    return other_language(check, src.text)


def _unknown(src: Source) -> None:
    """Name the pieces missing from the vocabulary, all of which become one token."""
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

"""How far to trust what is on screen, in a line or two below the translation."""

from __future__ import annotations

import streamlit as st

from core.confidence import band_of, mean_log_prob, other_language
from core.measurements import CONFIDENCE
from core.runs import Translation
from core.sources import DocumentSource, Source
from core.tokens import TokenSequence

from .kit.controls import button
from .kit.layout import warning
from .state import Run, open_checkpoint, outlines, reader_of, reads
from .stored import stored_box
from .words import language_name, language_names, plain, quoted, say

MOST_NAMED = 8
COLOURS = {"low": "orange", "middle": "gray", "high": "gray"}


def warn(run: Run) -> None:
    """Say so when the source looks like another language, with a button to a model that reads it,
    and name what cannot be spelled; and where what was measured of that cannot be read."""
    lies = run.card.lies(CONFIDENCE)
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
            say("confidence-other", language=language, other=plain(language_name(code)))
            if code
            else say("confidence-not", language=language)
        )
        st.warning(told, icon=":material/translate:")
    if another is None:
        _unknown(src)
        return
    source, target = language_names(outlines()[another].languages)
    how = {"words": "confidence-open", "values": {"source": source, "target": target}}
    button("confidence_open", open_checkpoint, another, icon="open_in_new", **how)


def _other_language(run: Run) -> str | None:
    """What the source looks like, if not like what the model reads, where that was measured."""
    measured, src = run.card.confidence, run.src
    if measured is None or measured.check is None or not isinstance(src, TokenSequence):
        return None
    return other_language(measured.check, src.text)


def _unknown(src: Source) -> None:
    """Which pieces the vocabulary lacks; the model sees all of them as one and the same."""
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


def badge(run: Run) -> None:
    """How well sentences were translated of which the model was as sure.

    Nothing where that was not measured, and nothing of a text in another language or with unknown
    pieces, which are warned of: it may be sure of what it makes of them.
    """
    measured, translation = run.card.confidence, run.translation
    if measured is None or not isinstance(translation, Translation) or not translation.finished:
        return
    unknown = (*getattr(translation.src, "unknown", ()), *translation.tgt.unknown)
    if any(unknown) or _other_language(run) is not None:
        return
    band = band_of(measured, translation.log_probs)
    told = f":{COLOURS[band.name]}-badge[{say(f'confidence-{band.name}')}]"
    if band.name == "low":
        told += " " + say("confidence-low-told", chrf=band.chrf)
    how = say(
        "confidence-help",
        value=mean_log_prob(translation.log_probs),
        n=band.sentences,
        of=sum(each.sentences for each in measured.bands),
        chrf=band.chrf,
        good=band.good,
    )
    if band.name == "high" and measured.good_by_set is not None:
        least, most = measured.good_by_set
        how += " " + say("confidence-by-set", least=least, most=most)
    if measured.auc is not None:
        how += " " + say("confidence-auc", auc=100 * measured.auc)
    aucs = measured.auc_low, measured.auc_high, measured.auc_within
    if None not in aucs:
        low, high, within = (100 * each for each in aucs)
        how += " " + say("confidence-auc-within", low=low, high=high, within=within)
    st.markdown(told, help=how, width="content")

"""Loaded models, computed runs, and the last run that worked, shared by all pages."""

from __future__ import annotations

import gc
from dataclasses import replace

import streamlit as st

from core.interventions.intervention import Intervention
from core.records.attention import AttentionRecord
from core.records.sources import TokenSequence
from core.text_language import other_language
from model import ModelError, Reader, Translator, load_model
from model.io.checkpoint import checkpoint_path
from model.readers.recordings import Recording
from words.packs import ExampleSentence, examples_in, first_pack, pack_of

from .admission import once_a_turn
from .checkpoints import CheckpointFolder, by_preference, outlines, stamp_of
from .messages import plain, say
from .model_cache import ask, cached
from .problems import show_problem
from .run import RECORDING, UNCHANGED, FrameChoices, Run

MOST_SPECIMENS = 4
# Stands in for the session's recording until a file is loaded.
NOTHING_RECORDED = Recording("", "", AttentionRecord(TokenSequence("", (), (), ()), None, ()))


def reads(reader: Reader, text: str) -> bool | None:
    """Return True if `text` is in the model's language, as far as that was measured.

    Without a measurement, at least half of its tokens must be known. None if the text is no source
    of the model's kind at all.
    """
    try:
        src = reader.tokenize(text)
    except ModelError:
        return None
    check = reader.card.language_check
    if not isinstance(src, TokenSequence):
        return True
    if check is not None:
        return other_language(check, text) is None
    # `unknown` and `special` are bools per token; special tokens count for neither side.
    return 2 * sum(src.unknown) <= len(src) - sum(src.special)


def reader_of(text: str) -> str | None:
    """Return a checkpoint whose language check accepts `text`; one per language is tried."""
    offered = outlines()
    first_of_language: dict[tuple[str, ...], str] = {}
    for name in by_preference(offered):
        outline = offered[name]
        if outline is not None and outline.searches:
            first_of_language.setdefault(outline.languages[:1], name)
    for name in first_of_language.values():
        try:
            reader = get_translator(name)
        except ModelError:
            # The next language may still have a model that loads.
            continue
        if reader.card.language_check is not None and reads(reader, text):
            return name
    return None


def get_translator(checkpoint: str) -> Reader:
    """Return the loaded checkpoint, reloaded if its files change, or the session's recording."""
    if checkpoint == RECORDING:
        return st.session_state.get(RECORDING) or NOTHING_RECORDED
    return _reader_at(checkpoint)


@once_a_turn
def _reader_at(checkpoint: str) -> Reader:
    folder = checkpoint_path(checkpoint).absolute()
    # Sorted, because the order of a directory is arbitrary and the stamp must not be.
    files = sorted(folder.iterdir()) if folder.is_dir() else [folder]
    # An installed checkpoint is known by its folder's name, others by their path.
    at = "" if checkpoint == folder.name else checkpoint
    return _load(CheckpointFolder(str(folder), stamp_of(files), at))


@cached("path", "stamp", "at", spinner="loading")
def _load(folder: CheckpointFolder) -> Reader:
    # An evicted model has reference cycles and would stay in memory until a collection.
    gc.collect()
    reader = load_model(folder.path)
    if folder.at:
        reader.card = replace(reader.card, at=folder.at)
    return reader


def sentences_for(checkpoint: str) -> tuple[str, tuple[ExampleSentence, ...]]:
    """Return the language that a checkpoint reads, and at least one example text.

    Examples are those of its language pair, its own, those of another pair with the same source
    language, or words of its vocabulary; if it cannot be read, those of the first pair. A converted
    model gets none that is too long for it or whose language it does not read.
    """
    try:
        reader = get_translator(checkpoint)
    except ModelError:
        return first_pack().languages[0], first_pack().examples
    language = reader.card.languages[0]
    texts = reader.card.examples
    examples = pack_of(reader.card.languages).examples
    if reader.writes and "source" in reader.tokenizers:
        is_converted = bool(reader.card.format)
        borrows = not examples and not texts
        if borrows:  # `writes` is about translations of the other pair
            examples = tuple(replace(example, writes="") for example in examples_in(language))
        if borrows or is_converted:
            examples = tuple(
                example
                for example in examples
                if len(reader.tokenize(example.text)) <= reader.max_source_len
            )
        if is_converted:  # its vocabulary may lack the words of these sentences
            examples = tuple(example for example in examples if reads(reader, example.text))
            texts = texts or reader.tokenizers["source"].specimens(MOST_SPECIMENS)
    return language, examples or tuple(
        ExampleSentence("", text) for text in texts or (reader.example,)
    )


def translated(choices: FrameChoices, translator: Reader, change: Intervention = UNCHANGED) -> Run:
    """Return the run of these choices; InterventionError if `change` cannot be applied."""
    # Recordings belong to one session and are never cached for all.
    if isinstance(translator, Recording):
        return Run(choices, translator, translator.read(choices.text))
    if not translator.writes:
        return Run(choices, translator, ask(translator, Reader.read, choices.text))
    text = choices.text
    decoding = choices.decoding
    if change:
        translation = ask(translator, Translator.translate, text, decoding, intervention=change)
    else:
        # A plain translation keeps the cache key that it has without interventions.
        translation = ask(translator, Translator.translate, text, decoding)
    return Run(choices, translator, translation, change)


def _compute(choices: FrameChoices) -> Run:
    return translated(choices, get_translator(choices.checkpoint))


def current_run(choices: FrameChoices) -> Run | None:
    """Return the run of `choices`, or tell why not and return the last one that worked.

    None if nothing can be shown.
    """
    if choices.checkpoint == RECORDING and RECORDING not in st.session_state:
        return None
    try:
        run = _compute(choices)
    except ModelError as error:
        problem = error
    else:
        st.session_state["last_run"] = choices
        return run
    show_problem(problem)
    default = replace(choices, text=sentences_for(choices.checkpoint)[1][0].text)
    last = st.session_state.get("last_run")
    # A reader who opens another model sees that one, with a text that it reads.
    changed = last is not None and last.checkpoint != choices.checkpoint
    for earlier in (default, last) if changed else (last, default):
        if earlier is None or earlier == choices:
            continue
        try:
            run = _compute(replace(earlier, reads=choices.reads))
        except ModelError:
            continue
        checkpoint = plain(earlier.checkpoint)
        st.caption(say("still-showing", text=plain(earlier.text, 120), checkpoint=checkpoint))
        return run
    return None

"""What the pages share: loaded models, computed translations, the last view that worked."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from model import CheckpointError, ModelError, Translator, list_checkpoints, load_translator
from model.checkpoint import checkpoint_path
from records import (
    BeamTree,
    Candidate,
    Decoding,
    ExactSearch,
    Sampling,
    SearchVerdict,
    Translation,
    TreeAttention,
)

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


@dataclass(frozen=True)
class Timed:
    """A search, and the seconds it took when it ran."""

    tree: BeamTree
    seconds: float


def interrupted() -> bool:
    """For ``stop=``: ends a search whose page has been asked to run again, or was closed.

    A look into the session is where Streamlit ends such a run. It does so by an exception that
    passes through the search, so that nothing half done is kept in a cache.
    """
    st.session_state.get("run")
    return False


def search_again(
    run: Run,
    decoding: Decoding | None = None,
    *,
    prefix: str = "",
    prefix_ids: Sequence[int] = (),
) -> Timed:
    """Another search for the sentence on screen, with other choices or a given beginning.

    Raises
    ------
    InputError, ValueError : as for `Translator.search`.
    """
    return _search(
        run.translator.card.fingerprint,
        run.choices.text,
        decoding or run.choices.decoding,
        prefix,
        tuple(prefix_ids),
        run.translator,
    )


@st.cache_data(show_spinner=False, max_entries=256)
def _search(
    fingerprint: str,
    text: str,
    decoding: Decoding,
    prefix: str,
    prefix_ids: tuple[int, ...],
    _translator: Translator,
) -> Timed:
    began = time.perf_counter()
    tree = _translator.search(
        text, decoding, prefix=prefix, prefix_ids=prefix_ids, stop=interrupted
    )
    return Timed(tree, time.perf_counter() - began)


def samples_of(run: Run, sampling: Sampling) -> Timed:
    """Translations drawn at random, scored with the penalty in use."""
    decoding = run.choices.decoding
    return _sample(
        run.translator.card.fingerprint,
        run.choices.text,
        sampling,
        decoding.alpha,
        decoding.penalty,
        run.translator,
    )


@st.cache_data(show_spinner=False, max_entries=64)
def _sample(
    fingerprint: str,
    text: str,
    sampling: Sampling,
    alpha: float,
    penalty: str,
    _translator: Translator,
) -> Timed:
    began = time.perf_counter()
    tree = _translator.sample(text, sampling, alpha=alpha, penalty=penalty, stop=interrupted)
    return Timed(tree, time.perf_counter() - began)


def exact_of(run: Run, time_limit: float) -> ExactSearch:
    """The best translation there is by the penalty and lengths in use, or by the time limit."""
    best = run.translation.tree.hypothesis(run.translation.tree.best)
    return _exact(
        run.translator.card.fingerprint,
        run.choices.text,
        replace(run.choices.decoding, beam_size=1, n_runners_up=0),
        best.ids if best.finished else None,
        time_limit,
        run.translator,
    )


@st.cache_data(show_spinner="Searching everything…", max_entries=64)
def _exact(
    fingerprint: str,
    text: str,
    decoding: Decoding,
    start: tuple[int, ...] | None,
    time_limit: float,
    _translator: Translator,
) -> ExactSearch:
    return _translator.exact_search(
        text, decoding, start=start, time_limit=time_limit, stop=interrupted
    )


def tree_attention(run: Run, tree: BeamTree) -> TreeAttention:
    """What the decoder looked at to produce each node of `tree`."""
    paths = tuple((node.parent, node.token_id) for node in tree.nodes)
    fingerprint = run.translator.card.fingerprint
    return _attend_tree(fingerprint, run.choices.text, paths, tree, run.translator)


@st.cache_data(show_spinner=False, max_entries=32)
def _attend_tree(
    fingerprint: str, text: str, paths: tuple, _tree: BeamTree, _translator: Translator
) -> TreeAttention:
    return _translator.attend_tree(text, _tree)


def candidates_after(run: Run, prefix_ids: Sequence[int], k: int) -> tuple[Candidate, ...]:
    """The `k` likeliest tokens after a beginning.

    Raises
    ------
    InputError : the beginning has ended, or leaves no room for more.
    """
    fingerprint = run.translator.card.fingerprint
    return _candidates(fingerprint, run.choices.text, tuple(prefix_ids), k, run.translator)


@st.cache_data(show_spinner=False, max_entries=512)
def _candidates(
    fingerprint: str, text: str, prefix_ids: tuple[int, ...], k: int, _translator: Translator
) -> tuple[Candidate, ...]:
    return _translator.candidates(text, prefix_ids, k)


def verdict_on(run: Run, reference: str) -> SearchVerdict:
    """Why the search on screen did not return `reference`.

    Raises
    ------
    InputError : the reference is empty or longer than the model takes.
    """
    return _compare(
        run.translator.card.fingerprint,
        run.choices.text,
        reference,
        run.choices.decoding,
        run.translation.tree,
        run.translator,
    )


@st.cache_data(show_spinner=False, max_entries=64)
def _compare(
    fingerprint: str,
    text: str,
    reference: str,
    decoding: Decoding,
    _tree: BeamTree,
    _translator: Translator,
) -> SearchVerdict:
    return _translator.compare(text, reference, decoding, tree=_tree)


def show_problem(error: ModelError) -> None:
    """What went wrong and what to try, in plain words."""
    message = plain(current_words().of(error.message), 1200)
    message = message[:1].upper() + message[1:]
    hint = f"  \n{plain(current_words().of(error.hint))}" if error.hint else ""
    if isinstance(error, CheckpointError) and len(list_checkpoints()) > 1:
        hint += "  \nOther checkpoints can be chosen in the sidebar."
    st.error(message + hint, icon=":material/error:")

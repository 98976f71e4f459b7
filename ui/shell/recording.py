"""Upload of a recorded attention file; it stays in the reader's session."""

from __future__ import annotations

import gc
import hashlib
import threading
from collections.abc import Sequence
from functools import cache
from weakref import WeakSet

import streamlit as st

from core.records.head_weights import row_sums
from model import InputError
from model.readers.recording_files import MOST_MB
from model.readers.recording_sizes import RecordingSizeError
from model.readers.recordings import Recording, read_recording
from words import Message

from ..frame.messages import plain, say, site_name
from ..frame.problems import show_problem
from ..frame.run import RECORDING
from ..kit.layout import caption, note, paragraph
from ..kit.upload import file_box

MOST_TOGETHER = 300 * 10**6  # bytes of the recordings of all sessions, each counted once
REFUSED = "recording_refused"
"""Session key: the error of a file that cannot be read."""

ELSEWHERE = "recording_elsewhere"
"""Session key: True if the address names a recording that another session held."""
_LOCK = threading.Lock()  # of `recordings`, which no session may change while another reads it


@cache
def recordings() -> WeakSet[Recording]:
    """Return the recordings of all sessions of this process, held weakly."""
    return WeakSet()


def recording_box() -> None:
    """Draw the upload box; behind a button once a recording is shown, with its facts."""
    recording = st.session_state.get(RECORDING)
    refused = st.session_state.get(REFUSED)
    if recording is None:
        _drop()
        if refused is not None:
            _tell_refusal(refused)
        elif st.session_state.get(ELSEWHERE):
            note("recording-elsewhere", "draft")
        paragraph("recording")
        return
    with st.container(horizontal=True, vertical_alignment="center", key="sentence_line"):
        st.markdown(f"**{plain(recording.card.name, 60)}**", width="content")
        with st.popover(say("recording-another"), icon=":material/upload_file:"):
            _drop()
    if refused is not None:
        _tell_refusal(refused)
        caption("recording-kept", name=plain(recording.card.name, 60))
    if recording.parted:
        caption("recording-parts", token=plain(recording.parted))
    for precision in recording.precisions:
        caption(
            f"recording-{precision.storage}",
            site=site_name(precision.site_id, "attention"),
            error=precision.error,
            source=precision.source,
        )
    for attention in recording.record.maps:
        # Rows that need not sum to one are told with the range of their sums.
        if not attention.site.normalised:
            sums = row_sums(attention.weights)
            caption(
                "recording-rows",
                site=site_name(attention.site_id, "attention"),
                least=float(sums.min()),
                most=float(sums.max()),
            )


def _drop() -> None:
    file_box("recording_drop", "recording-drop", MOST_MB, _take)


def _take(name: str, data: bytes) -> None:
    state = st.session_state
    state.pop(REFUSED, None)
    try:
        # Sessions that open the same file share its weights.
        shared = _opened_before(data)
        recording = shared.renamed(name) if shared else read_recording(name, data)
        register(recording)
    except RecordingSizeError as error:
        state[REFUSED] = RecordingSizeError(error.message, hint=error.hint, code=error.code)
    except InputError as error:
        # A traceback would keep the frames of the parser, and with them everything that was read.
        state[REFUSED] = InputError(error.message, hint=error.hint)
    else:
        state[RECORDING] = recording


def _opened_before(data: bytes) -> Recording | None:
    """Return the recording of this file that some session holds."""
    digest = hashlib.sha256(data).digest()
    with _LOCK:
        held = list(recordings())
    return next((other for other in held if other.digest == digest), None)


def register(recording: Recording) -> None:
    """Add a recording to those of all sessions; InputError if they would hold too many bytes.

    Weights that another session holds already are counted once. Results that recordings keep are
    counted, too, and are dropped before a recording is refused.
    """
    mine = st.session_state.get(RECORDING)
    gc.collect()  # sessions that are over may still lie about
    with _LOCK:
        others = {id(other.record): other for other in recordings() if other is not mine}
        if id(recording.record) not in others:
            held = [*others.values(), recording]
            if _bytes_of(held) > MOST_TOGETHER:
                for other in held:
                    other.drop_kept()
                if _bytes_of(held) > MOST_TOGETHER:
                    raise InputError(Message("recording-full"), hint=Message("recording-full-hint"))
        recordings().add(recording)


def _bytes_of(held: Sequence[Recording]) -> int:
    return sum(recording.n_bytes for recording in held)


def _tell_refusal(error: InputError) -> None:
    """Draw why a file was refused, and the lines of Python that thin one that is too large."""
    show_problem(error)
    if isinstance(error, RecordingSizeError) and error.code:
        st.code(error.code, language="python")

"""Table of many sentences: translated here or read from a file, with alignments and their errors.

The table is kept in the session as `OPEN`. A file of sentences or of pairs is kept as `PENDING`
until the open model has read all of it; if the user cancels, the earlier table is still there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.alignment import link_cells
from core.gold import word_spans
from core.records.search import Decoding
from core.records.tokens import token_label, visible
from model import InputError, ModelError
from model.many import force_table, translate_table
from model.sentence_tables import (
    MOST_MB,
    MOST_TRANSLATED,
    Origin,
    SentenceRow,
    SentenceTable,
    gold_text,
    rate_of,
    read_sentence_table,
)
from ui.frame.choices import choose
from ui.frame.messages import plain, say
from ui.frame.model_cache import ask
from ui.frame.problems import show_problem
from ui.frame.run import SEARCH_PAGE, Run
from ui.frame.state import sentences_for
from ui.kit.blocks import FRAME, ROW, picture, table
from ui.kit.checkpoint_labels import checkpoint_labels
from ui.kit.controls import button, choice, one_line
from ui.kit.layout import caption, controls, finding, note
from ui.kit.upload import file_box
from ui.pages.beam.scene import FORCED, BeamScene
from viz.gold import link_grid
from words import Message
from words.packs import opens_with

OPEN = "many_table"
"""Session key: the `OpenTable` on the page; without it, the page shows the examples."""
PENDING = "many_work"
"""Session key: the `SentenceTable` that the open model has yet to read."""
COUNT = "many_count"
"""Session key: number of the tables opened so far."""
REFUSED = "many_refused"
"""Session key: the error of a file that cannot be read."""
PICKED = "many_picked"
"""Session key: line, in its file, of the row that the user has opened."""
DRAWN = "many_drawn"
"""Session key: number in the widget key of the table, raised whenever Python sets the row."""
BOXES = "many_boxes"
"""Session key: keys of the controls of other views that were filled from that row."""
MOST_EXAMPLES = 6
MOST_WORDS = 60  # of a pair whose links are drawn
TALL = 65  # pixels of a row; Streamlit breaks texts into lines above 64
HEIGHT = ROW + 6 * TALL + FRAME
# Pixels of columns. With `TEXT_ROOM` and the column of checkboxes they fit a page of 1280 pixels.
WIDTHS = {"line": 50, "log_prob": 66, "score": 66, "lowest": 94, "probabilities": 94}
WIDTHS |= {"end_share": 104, "roles": 108, "aer": 124}
TEXT_ROOM = 394  # pixels of all columns of text together
UNSURE = 0.5  # probability of a token below which its output is unsure
FORMATS = {"log_prob": "%.2f", "score": "%.2f", "aer": "percent"}
FORMATS |= dict.fromkeys(("lowest", "end_share", "roles"), "whole percent")


@dataclass(frozen=True, eq=False)
class OpenTable:
    """Table on the page, with the model and the search behind its numbers.

    `made_by` and `decoding` are empty for a table that was read from a file.
    """

    table: SentenceTable
    made_by: str = ""
    fingerprint: str = ""
    decoding: Decoding = field(default_factory=Decoding)
    number: int = 0  # in the order of opening; 0 for the examples


def show(scene: BeamScene) -> None:
    """Draw the table, and the alignment of the open row if it has one."""
    run = scene.run
    with controls():
        _files()
    _tell_refused()
    if PENDING in st.session_state:
        _measure(run, st.session_state[PENDING])
        return
    opened = st.session_state.get(OPEN) or _examples(run)
    rows = opened.table.rows
    at = _open_row(rows, run.choices.text)
    _tell(opened, None if at is None else rows[at])
    # Two columns for all rows of an aligned table, also for a row without links: moved on the page,
    # the widget would be a new one and lose the order that the user gave its rows.
    aligned = any(row.links is not None for row in rows)
    left, right = st.columns(2, gap="medium") if aligned else (st.container(), None)
    with left:
        _draw(opened, at)
        _origin(run, opened)
    if right is not None and at is not None and rows[at].links is not None:
        with right:
            _alignment(rows[at])


# Files


def _files() -> None:
    """Draw the menu of files, and the button that closes the table."""
    opened = st.session_state.get(OPEN)
    with st.popover(say("many-open"), icon=":material/upload_file:", key="many_files"):
        file_box("many_file", "many-file", MOST_MB, _take)
        # Links count the words of a target, which sentences alone do not have.
        if opened is not None and any(row.pair[1] for row in opened.table.rows):
            file_box("many_links", "many-links", MOST_MB, _take_links)
            first = choice("many_first", (0, 1), words="many-first", address=False)
            file_box("many_gold", "many-gold", MOST_MB, partial(_take_gold, first))
    if opened is not None:
        button("many_close", _close, words="many-close", icon="close", type="tertiary")


def _take(name: str, data: bytes) -> None:
    with _keeping_error():
        read = read_sentence_table(name, data)
        if read.origin == "table":
            _open(OpenTable(read))
        elif len(read.rows) > MOST_TRANSLATED:
            values = {"file": name, "n": len(read.rows), "most": MOST_TRANSLATED}
            raise InputError(Message.of("table-lines", **values))
        else:
            st.session_state[PENDING] = read


def _take_links(name: str, data: bytes) -> None:
    with _keeping_error():
        opened = st.session_state[OPEN]
        choose({OPEN: replace(opened, table=opened.table.with_links(name, data))})


def _take_gold(first: int, name: str, data: bytes) -> None:
    with _keeping_error():
        opened = st.session_state[OPEN]
        choose({OPEN: replace(opened, table=opened.table.with_gold(name, data, first))})


@contextmanager
def _keeping_error() -> Iterator[None]:
    """Keep a ModelError of the block for `_tell_refused`, instead of raising it."""
    st.session_state.pop(REFUSED, None)
    try:
        yield
    except ModelError as error:
        # A traceback would keep the frames of the parser, and with them the whole file.
        st.session_state[REFUSED] = InputError(error.message, hint=error.hint)


def _open(opened: OpenTable) -> None:
    """Keep a new table; its number tells its rows from those of the tables before it."""
    number = st.session_state.get(COUNT, 0) + 1
    choose({OPEN: replace(opened, number=number), COUNT: number})
    rows = opened.table.rows
    at = _open_row(rows, st.session_state.get("text", ""))
    _force(None if at is None else rows[at], opened.table.origin)


def _close() -> None:
    for key in (OPEN, PICKED, REFUSED):
        st.session_state.pop(key, None)
    _force(None, "sentences")


def _tell_refused() -> None:
    refused = st.session_state.get(REFUSED)
    if refused is None:
        return
    show_problem(refused)
    opened = st.session_state.get(OPEN)
    if opened is not None:
        caption("many-kept", file=plain(opened.table.name, 60))


# Numbers


def _measure(run: Run, work: SentenceTable) -> None:
    """Let the model of the run read a table, with a button that stops it, and open the result."""
    with st.container(horizontal=True, vertical_alignment="center"):
        caption("many-working", n=len(work.rows), file=plain(work.name, 60))
        button("many_cancel", _cancel, words="many-cancel", icon="stop")
    with _keeping_error():
        _open(_measured(run, work))
    st.session_state.pop(PENDING, None)
    st.rerun()


def _cancel() -> None:
    st.session_state.pop(PENDING, None)


def _measured(run: Run, work: SentenceTable) -> OpenTable:
    """Return a table with the numbers of the model of the run."""
    if work.origin == "pairs":
        lines = ask(run.translator, force_table, tuple(work.pairs))
    else:
        texts = tuple(row.source for row in work.rows)
        lines = ask(run.translator, translate_table, texts, _search(run))
    label = checkpoint_labels().get(run.choices.checkpoint, run.card.name)
    return OpenTable(work.with_lines(lines), label, run.card.fingerprint, _search(run))


def _search(run: Run) -> Decoding:
    """Return the search of the run, without the runners-up that a table has no room for."""
    return replace(run.choices.decoding, n_runners_up=0)


def _examples(run: Run) -> OpenTable:
    """Return the table of the first examples of the model, for a page without a file."""
    examples = sentences_for(run.choices.checkpoint)[1]
    first = opens_with(examples, SEARCH_PAGE)
    texts = dict.fromkeys(example.text for example in (first, *examples))
    rows = (SentenceRow(line, text) for line, text in enumerate([*texts][:MOST_EXAMPLES], start=1))
    return _measured(run, SentenceTable("", "sentences", tuple(rows)))


# Table


def _draw(opened: OpenTable, at: int | None) -> None:
    rows = opened.table.rows
    frame = frame_of(opened.table)
    texts = [name for name in ("source", "target", "output") if name in frame]
    table(
        "many-table",
        frame,
        key=_key(opened.number, at),
        words="many-column",
        widths={**dict.fromkeys(texts, TEXT_ROOM // len(texts)), **WIDTHS},
        formats=FORMATS,
        charts=["probabilities"],
        height=HEIGHT,
        row=TALL,
        on_pick=lambda position: _pick(rows[position], opened.table.origin),
        picked=at,
    )
    with st.container(gap="xsmall"):
        if at is not None:
            # A sentence of more than three lines is cut in its cell.
            source, written = (plain(visible(text)) for text in rows[at].pair)
            caption("many-row", place=rows[at].line, source=source, written=written)
        if at is not None and rows[at].roles:
            caption("many-roles", **_roles_seen(rows[at]))


def _key(number: int, at: int | None) -> str:
    """Return the widget key of the table whose row `at` is open.

    The browser keeps the row that was picked in a widget. If another row is open, because the user
    went back or typed a sentence, the table gets a new key, and with it the right row.
    """
    state = st.session_state
    drawn = state.setdefault(DRAWN, 0)
    held = state.get(f"many_rows_{number}_{drawn}")
    if held is not None and list(held["selection"]["rows"]) != ([] if at is None else [at]):
        state[DRAWN] = drawn + 1
    return f"many_rows_{number}_{state[DRAWN]}"


def frame_of(opened: SentenceTable) -> pd.DataFrame:
    """Return the columns that any row of a table has."""
    rows = opened.rows
    # The score of a table made here says little more than log P.
    cells = [_cells_of(row, scored=opened.origin == "table") for row in rows]
    columns = {name: [of_row[name] for of_row in cells] for name in next(iter(cells), {})}
    for name in dict.fromkeys(name for row in rows for name in row.others):
        columns.setdefault(name, _alike([row.others.get(name) for row in rows]))
    # Columns that no row fills are left out below.
    columns["error"] = [_error_text(row) for row in rows]
    return pd.DataFrame(
        {
            name: [visible(value) if isinstance(value, str) else value for value in values]
            for name, values in columns.items()
            if any(value is not None for value in values)
        }
    )


def _cells_of(row: SentenceRow, *, scored: bool) -> dict[str, Any]:
    """Return the cells of a row in the columns that every table may have."""
    return {
        "line": row.line,
        "source": row.source,
        "target": row.target,
        "output": row.output,
        "log_prob": row.log_prob,
        "score": row.score if scored else None,
        "lowest": min(row.probabilities, default=None),
        "probabilities": list(row.probabilities) or None,
        "end_share": row.end_share,
        "roles": row.roles_share,
        "aer": row.error_rate,
    }


def _alike(values: Sequence[Any]) -> list[Any]:
    """Return values of one kind: numbers if all are, else texts."""
    if all(value is None or isinstance(value, float) for value in values):
        return list(values)
    return [None if value is None else str(value) for value in values]


def _error_text(row: SentenceRow) -> str | None:
    return say(row.error) if isinstance(row.error, Message) else row.error


def _open_row(rows: Sequence[SentenceRow], text: str) -> int | None:
    """Return the position of the row whose sentence is on screen, the picked one first."""
    there = [at for at, row in enumerate(rows) if one_line(row.source) == text]
    picked = st.session_state.get(PICKED)
    return next((at for at in there if rows[at].line == picked), next(iter(there), None))


def _pick(row: SentenceRow, origin: Origin) -> None:
    """Open the sentence of a row on every page, and its target wherever one can be forced."""
    choose({"text": one_line(row.source), PICKED: row.line})
    _force(row, origin)


def _force(row: SentenceRow | None, origin: Origin) -> None:
    """Put the target of a row into the controls of all views that take one.

    Those of the earlier row are emptied first. The target is that of the file, or else the file's
    output, whichever model wrote it.
    """
    state = st.session_state
    for box in state.pop(BOXES, ()):
        state.pop(box, None)
    state.pop(FORCED, None)
    if row is None:
        return
    in_file = row.output if origin == "table" and row.target is None else row.target
    target = one_line(in_file or "")
    if not target:
        return
    source = one_line(row.source)
    boxes = {
        "reference": target,
        "seen_target": target,
        "lineage_target": "reference",
        "lineage_reference": target,
        "gold_source": source,
        "gold_target": target,
        "gold_links": "" if row.gold is None else gold_text(row.gold),
    }
    # Without a space after it, the last word would be taken for half typed.
    prefix = target + " " * target[-1].isalnum()
    choose({**boxes, BOXES: tuple(boxes), FORCED: (source, prefix)})


# Sentences about it


def _tell(opened: OpenTable, row: SentenceRow | None) -> None:
    """Draw the finding: the error rate of all alignments, or the numbers of the open row."""
    rows = opened.table.rows
    result = _finding(rows, row)
    facts = []
    if row is not None and result.id == "many-found":
        facts.append(_weakest(rows, row))
    if any(other.roles for other in rows):
        # Above the table: below it nobody would look for the meaning of a column.
        facts.append(say("many-columns"))
    small = [f"  \n:gray[:small[{fact}]]" for fact in facts if fact]
    finding(say(result) + "".join(small))


def _roles_seen(row: SentenceRow) -> dict[str, Any]:
    """Return the values of the message on the heads that play their role in a row."""
    seen = ", ".join(
        say("many-role", role=say(f"role-title-{role}"), shown=active, n=n)
        for role, (active, n) in row.roles.items()
    )
    n_active, n_heads = map(sum, zip(*row.roles.values(), strict=True))
    return {"roles": seen, "shown": n_active, "n": n_heads}


def _finding(rows: Sequence[SentenceRow], row: SentenceRow | None) -> Message:
    rate = rate_of(rows)
    if rate is not None:
        n = sum(row.links is not None and row.gold is not None for row in rows)
        row_rate = None if row is None else row.error_rate
        line = row.line if row is not None and row_rate is not None else 0
        return Message.of("many-aligned", rate=rate, n=n, place=line, own=row_rate or 0.0)
    if row is None:
        return Message.of("many-none", n=len(rows))
    if row.log_prob is None:
        return Message.of("many-opened", place=row.line)
    if not row.probabilities or len(row.tokens) != len(row.probabilities):
        return Message.of("many-log-prob", place=row.line, log_prob=row.log_prob)
    at = int(np.argmin(row.probabilities))
    token = plain(token_label(row.tokens[at]))
    lowest = row.probabilities[at]
    return Message.of(
        "many-found", place=row.line, token=token, lowest=lowest, log_prob=row.log_prob
    )


def _weakest(rows: Sequence[SentenceRow], row: SentenceRow) -> str:
    """Return a sentence on the row with the least likely token of all; "" without several rows."""
    lowest = {other.line: min(other.probabilities) for other in rows if other.probabilities}
    if len(lowest) < 2 or row.line not in lowest:
        return ""
    weakest = min(lowest, key=lowest.__getitem__)
    # The open row itself is row 0 of the message.
    line = 0 if lowest[weakest] == lowest[row.line] else weakest
    unsure = sum(probability < UNSURE for probability in lowest.values())
    least = lowest[weakest]
    return say("many-weakest", n=len(lowest), unsure=unsure, weakest=line, least=least)


def _origin(run: Run, opened: OpenTable) -> None:
    """Say where the numbers come from; offer to compute them anew with the open model."""
    table = opened.table
    values = {"file": plain(table.name, 60), "n": len(table.rows)}
    if not table.name:
        caption("many-examples")
        return
    if table.origin == "table":
        caption("many-from-file", **values)
        return
    translator = {"model": plain(opened.made_by), "width": opened.decoding.beam_size}
    caption(f"many-made-{table.origin}", **values, **translator, alpha=opened.decoding.alpha)
    same = opened.fingerprint == run.card.fingerprint
    if same and (table.origin == "pairs" or opened.decoding == _search(run)):
        return
    button("many_again", _again, table, words="many-again", icon="refresh")


def _again(table: SentenceTable) -> None:
    choose({PENDING: table.bare()})


# Alignment


def _alignment(row: SentenceRow) -> None:
    """Draw the links of a row as a grid of its words."""
    source, target = (_words(text) for text in row.pair)
    if max(len(source), len(target)) > MOST_WORDS:
        note("many-long", "grid_off", most=MOST_WORDS)
        return
    if not source or not target:
        note("many-no-words", "grid_off")
        return
    links = row.links or frozenset()
    cells = link_cells(links, row.gold, target, source)
    rate = row.error_rate
    picture(
        "many-links",
        link_grid(cells, target, source),
        numbers="cells",
        leave_out=("q", "k", "link", "join"),
        text=row.source,
        line=row.line,
        n=len(links),
        gold=0 if row.gold is None else len(row.gold.possible),
        right=0 if row.gold is None else len(links & row.gold.possible),
        rated="yes" if rate is not None else "no",
        rate=rate or 0.0,
    )


def _words(text: str) -> list[str]:
    """Return the words of a text with the numbers by which links name them."""
    spans = word_spans(text)
    return [f"{at} {visible(text[start:end])}" for at, (start, end) in enumerate(spans)]

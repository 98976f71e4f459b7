"""Which links carry a decision: every one knocked out, the strongest drawn as a path."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from analysis.knockout import Head
from analysis.labels import numbered_labels, token_label
from analysis.trace import TracePath, links_table, trace_path
from model import ModelError
from records import Candidate, Decision, Trace
from ui.blocks import figure_block
from ui.choice import choice
from ui.masks.choices import forms_at, renew, telling_position
from ui.masks.results import candidates_at, is_traced, remember_traced, traced
from ui.masks.trace_words import check_words, path_words, trace_words, verdict
from ui.state import Run, show_problem
from ui.words import current_words, head_at, plain, say
from viz.knockout import head_bars
from viz.trace import trace_flow
from words import numbers

MOST_RIVALS = 12
MOST_LISTED = 40
# Beyond these positions on both sides together a trace is asked for by a button.
MOST_AT_ONCE = 44


def show(run: Run) -> None:
    try:
        decision = choose(run)
    except ModelError as error:
        show_problem(error)
        return
    if decision is None:
        st.info(say("masks-trace-no-rival"), icon=":material/route:")
        return
    if not _go_ahead(run, decision):
        return
    try:
        trace = traced(run, decision)
    except ModelError as error:
        show_problem(error)
        return
    remember_traced(run, decision)
    st.markdown(trace_words(trace))
    if not trace.strongest(1):
        st.info(say("masks-trace-no-link"), icon=":material/route:")
        return
    share, n_links = _path_controls()
    _path(run, trace, trace_path(trace, share), n_links)
    _links(trace)
    _heads(run, trace)


def choose(run: Run) -> Decision | None:
    """The decision asked for: a produced token and a rival; None when it has no rival."""
    tgt = run.translation.tgt
    labels = numbered_labels(tgt.tokens)
    first = labels[telling_position(run)]
    renew("trace_for", run.identity, {"trace_token": first})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = choice(
            "trace_token",
            labels,
            words="masks-trace-token",
            style="select",
            default=first,
            text=str,
            filter_mode="fuzzy",
            width=220,
        )
        position = labels.index(chosen)
        rivals = rivals_at(run, position)
        if not rivals:
            return None
        renew("trace_rival_for", (run.identity, position), {"trace_rival": next(iter(rivals))})
        name = choice(
            "trace_rival",
            list(rivals),
            words="masks-trace-rival",
            style="select",
            text=str,
            filter_mode="fuzzy",
            width=240,
        )
    rival = rivals[name]
    return Decision(position, tgt.ids[position], tgt.tokens[position], rival.token_id, rival.token)


def rivals_at(run: Run, position: int) -> dict[str, Candidate]:
    """What could have been written there instead, by its label; the best form of a pronoun first,
    then the likeliest tokens."""
    written = run.translation.tgt.ids[position]
    found = [c for c in candidates_at(run, position) if c.token_id != written]
    forms = forms_at(run, position)
    wanted = set(forms.ids) if forms else set()
    first = [c for c in found if c.token_id in wanted]
    others = [c for c in found if c.token_id not in wanted]
    names: dict[str, Candidate] = {}
    for candidate in (*first, *others)[:MOST_RIVALS]:
        names.setdefault(token_label(candidate.token, max_length=30), candidate)
    return names


def _go_ahead(run: Run, decision: Decision) -> bool:
    """Short sentences are traced at once, long ones when the button is pressed."""
    n_positions = len(run.translation.src) + decision.position + 1
    if n_positions <= MOST_AT_ONCE or is_traced(run, decision):
        return True
    pressed = st.button(say("masks-trace-start"), key="trace_start", icon=":material/route:")
    if not pressed:
        st.info(say("masks-trace-long", n=n_positions), icon=":material/hourglass_empty:")
    return pressed


def _path_controls() -> tuple[float, int]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        percent = st.slider(
            say("masks-trace-share"), 1, 100, 25, key="trace_share", bind="query-params", width=320
        )
        n_links = st.slider(
            say("masks-trace-others"), 0, 100, 24, key="trace_links", bind="query-params", width=220
        )
    return percent / 100, n_links


def _path(run: Run, trace: Trace, path: TracePath, n_links: int) -> None:
    st.markdown(f"## {say('masks-trace-path', path=path_words(trace, path))}")
    said = verdict(run, trace, path)
    st.markdown(current_words().of(said) if said else "")
    figure_block(
        trace_flow(trace, path, n_links=n_links),
        key="trace_flow",
        alt=say("masks-trace-flow-alt"),
        name=say("masks-trace-file", token=trace.decision.token, text=run.translation.text),
        numbers=lambda: counted_from_one(links_table(trace, MOST_LISTED)),
    )
    if path.links:
        st.markdown(check_words(run, trace, path))


def counted_from_one(links: pd.DataFrame) -> pd.DataFrame:
    """The same lines with layers, heads and positions as people count."""
    places = ("layer", "head", "query", "key")
    return links.assign(**{name: links[name] + 1 for name in places})


def _links(trace: Trace) -> None:
    st.markdown(f"## {say('masks-trace-links')}")
    links = links_table(trace, MOST_LISTED)
    names = [head_at(*place) for place in links[["kind", "layer", "head"]].itertuples(index=False)]
    shown = links.assign(name=names)[["from", "to", "name", "weight", "change"]]
    column = st.column_config
    columns = {
        "from": (column.TextColumn, {"width": 130}),
        "to": (column.TextColumn, {"width": 130}),
        "name": (column.TextColumn, {"width": 110}),
        "weight": (column.NumberColumn, {"format": "%.3f"}),
        "change": (column.NumberColumn, {"format": "%+.3f"}),
    }
    st.dataframe(
        shown,
        key="trace_table",
        hide_index=True,
        column_config={
            name: kind(say(f"masks-trace-column-{name}"), **how)
            for name, (kind, how) in columns.items()
        },
        height=min(36 * (len(shown) + 1), 330),
        width="content",
        alt=say("masks-trace-table-alt", n=len(shown)),
    )


def _heads(run: Run, trace: Trace) -> None:
    st.markdown(f"## {say('masks-trace-heads')}")
    changes = head_changes(trace, run.record.kinds)
    heads, values = list(changes), np.array(list(changes.values()))
    ranked = st.toggle(say("masks-trace-ranked"), True, key="trace_ranked", bind="query-params")
    worst = min(changes, key=changes.get)
    lowest = {"head": head_at(*worst), "change": numbers.signed(changes[worst])}
    token, rival = (plain(token_label(t)) for t in (trace.decision.token, trace.decision.rival))
    figure_block(
        head_bars(heads, values, title=say("masks-trace-change"), ranked=ranked),
        key="trace_heads",
        alt=say("masks-trace-heads-alt", n=len(heads), **lowest),
        name=say("masks-trace-heads-file", token=trace.decision.token, text=run.translation.text),
        caption=say("masks-trace-heads-caption", token=token, rival=rival, **lowest),
        numbers=lambda: heads_table(changes),
    )


def head_changes(trace: Trace, kinds: Sequence[str]) -> dict[Head, float]:
    """The change of the log-odds without each head, in the order of the sites."""
    return {
        (kind, layer, head): float(change)
        for kind in kinds
        for (layer, head), change in np.ndenumerate(trace.head_changes[kind])
    }


def heads_table(changes: dict[Head, float]) -> pd.DataFrame:
    """One line a head: kind, layer and head (from 1) and the change of the log-odds."""
    lines = [(kind, layer + 1, head + 1) for kind, layer, head in changes]
    table = pd.DataFrame(lines, columns=["kind", "layer", "head"])
    return table.assign(change=list(changes.values()))

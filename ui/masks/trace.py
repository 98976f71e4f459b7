"""Which links carry a decision: every one knocked out, the strongest drawn as a path."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.knockout import HEAD
from analysis.labels import token_label
from analysis.trace import links_table, trace_path
from records import Candidate, Decision, Trace
from ui.export import counted_from_one
from ui.kit.blocks import note, picture, table
from ui.kit.controls import choice, slider, toggle
from ui.kit.layout import finding, settings, subtitle
from ui.masks.choices import forms_at, others_at, token_menu
from ui.masks.results import go_ahead, traced
from ui.masks.trace_words import check_words, path_words, trace_words
from ui.state import Run
from ui.words import head_at, plain, say
from viz.knockout import head_bars
from viz.trace import trace_flow
from words import numbers

MOST_RIVALS = 12
MOST_LISTED = 40
# Beyond these positions on both sides together a trace is asked for by a button.
MOST_AT_ONCE = 44


def show(run: Run) -> None:
    with settings():
        decision = choose(run)
    if decision is None:
        note("masks-trace-no-rival", "route")
        return
    n = len(run.translation.src) + decision.position + 1
    if not go_ahead("trace", (run.identity, decision), n > MOST_AT_ONCE, n=n):
        return
    trace = traced(run, decision)
    if trace.strongest(1):
        _path(run, trace)
        _heads(run, trace)
    else:
        finding(trace_words(trace))
        note("masks-trace-no-link", "route")


def choose(run: Run) -> Decision | None:
    """The decision asked for: a produced token and a rival; None when it has no rival."""
    tgt = run.translation.tgt
    position = token_menu(run, "trace_token", "masks-trace-token")
    rivals = rivals_at(run, position)
    if not rivals:
        return None
    name = choice(
        "trace_rival",
        list(rivals),
        words="masks-trace-rival",
        style="select",
        text=str,
        filter_mode="fuzzy",
        width=220,
        of=(run.identity, position),
    )
    rival = rivals[name]
    return Decision(position, tgt.ids[position], tgt.tokens[position], rival.token_id, rival.token)


def rivals_at(run: Run, position: int) -> dict[str, Candidate]:
    """What could have been written there instead, by its label; the best form of a pronoun first,
    then the likeliest tokens."""
    forms = forms_at(run, position)
    wanted = forms.ids if forms else ()
    found = sorted(others_at(run, position), key=lambda each: each.token_id not in wanted)
    names: dict[str, Candidate] = {}
    for candidate in found[:MOST_RIVALS]:
        names.setdefault(token_label(candidate.token, max_length=30), candidate)
    return names


def _path(run: Run, trace: Trace) -> None:
    with settings():
        percent = slider("trace_share", 1, 100, 25, words="masks-trace-share")
        n_links = slider("trace_links", 0, 100, 24, words="masks-trace-others")
    path, links = trace_path(trace, percent / 100), links_table(trace, MOST_LISTED)
    finding(path_words(run, trace, path))
    picture(
        "masks-trace-flow",
        trace_flow(trace, path, n_links=n_links),
        key="trace_flow",
        below=f"{trace_words(trace)} {check_words(run, trace, path)}",
        numbers=lambda: counted_from_one(links).assign(
            query=links["query"] + 1, key=links["key"] + 1
        ),
        token=trace.decision.token,
        text=run.translation.text,
    )
    subtitle("masks-trace-links")
    names = [head_at(*place) for place in links[["kind", "layer", "head"]].itertuples(index=False)]
    shown = links.assign(name=names)[["from", "to", "name", "weight", "change"]]
    table(
        "masks-trace-table",
        shown,
        key="trace_table",
        words="masks-trace-column",
        widths={"from": 130, "to": 130, "name": 110},
        formats={"weight": "%.3f", "change": "%+.3f"},
        height=330,
    )


def _heads(run: Run, trace: Trace) -> None:
    places = [
        (kind, layer, head, float(change))
        for kind in run.record.kinds
        for (layer, head), change in np.ndenumerate(trace.head_changes[kind])
    ]
    heads = pd.DataFrame(places, columns=[*HEAD, "change"])
    worst = heads.loc[heads["change"].idxmin()]
    subtitle("masks-trace-heads")
    ranked = toggle("trace_ranked", True, words="masks-trace-ranked")
    picture(
        "masks-trace-heads",
        head_bars(
            [place[:3] for place in places],
            heads["change"].to_numpy(),
            title=say("masks-trace-change"),
            ranked=ranked,
        ),
        key="trace_heads",
        numbers=lambda: counted_from_one(heads),
        n=len(heads),
        head=head_at(*worst[HEAD]),
        change=numbers.signed(worst["change"]),
        token=plain(token_label(trace.decision.token)),
        rival=plain(token_label(trace.decision.rival)),
        text=run.translation.text,
    )

"""Which links carry a decision: every one knocked out, the strongest drawn as a path."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from analysis.trace import TracePath, trace_path
from model import ModelError
from records import ATTENTION_KINDS, Candidate, Decision, Intervention, MaskedCell, Trace
from ui.export import export_menu
from ui.masks.choices import example_on, forms_at, renew, telling_position
from ui.masks.knockout import signed
from ui.masks.results import candidates_at, is_traced, remember_traced, traced
from ui.panels import show_picture
from ui.state import Run, is_dark, show_problem
from ui.words import plain
from viz.knockout import Head, head_bars
from viz.labels import distinct_labels, head_title, numbered_labels, token_label
from viz.trace import link_ends, links_table, trace_flow

MOST_RIVALS = 12
MOST_LISTED = 40
# Beyond these positions on both sides together a trace is asked for by a button.
MOST_AT_ONCE = 44
LARGEST_LOG_ODDS = 700.0


def show(run: Run) -> None:
    try:
        decision = choose(run)
    except ModelError as error:
        show_problem(error)
        return
    if decision is None:
        st.info(
            "There is nothing else that could stand there, so there is no decision to trace.",
            icon=":material/route:",
        )
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
        st.info(
            "No single link changes the log-odds, so there is no path to draw.",
            icon=":material/route:",
        )
        return
    share, n_links = _path_controls()
    path = trace_path(trace, share)
    _path(run, trace, path, n_links)
    _links(run, trace)
    _heads(run, trace)


def choose(run: Run) -> Decision | None:
    """The decision asked for: a produced token and a rival; None when it has no rival."""
    tgt = run.translation.tgt
    labels = numbered_labels(tgt.tokens)
    identity = run.identity
    first = labels[telling_position(run)]
    renew("trace_for", identity, {"trace_token": first})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Token decided for",
            labels,
            index=labels.index(first),
            key="trace_token",
            bind="query-params",
            width=220,
        )
        position = labels.index(chosen) if chosen in labels else telling_position(run)
        rivals = rivals_at(run, position)
        if not rivals:
            return None
        names = list(rivals)
        renew("trace_rival_for", (identity, position), {"trace_rival": names[0]})
        if st.session_state.get("trace_rival") not in (None, *names):
            st.session_state["trace_rival"] = names[0]
        name = st.selectbox(
            "against the rival",
            names,
            key="trace_rival",
            bind="query-params",
            width=240,
        )
    rival = rivals[name if name in rivals else names[0]]
    return Decision(position, tgt.ids[position], tgt.tokens[position], rival.token_id, rival.token)


def rivals_at(run: Run, position: int) -> dict[str, Candidate]:
    """What could have been written there instead, with its probability; the best form of a
    pronoun first, then the likeliest tokens."""
    written = run.translation.tgt.ids[position]
    found = [c for c in candidates_at(run, position) if c.token_id != written]
    forms = forms_at(run, position)
    wanted = set(forms.ids) if forms else set()
    first = [c for c in found if c.token_id in wanted]
    others = [c for c in found if c.token_id not in wanted]
    names: dict[str, Candidate] = {}
    for candidate in (*first, *others)[:MOST_RIVALS]:
        label = token_label(candidate.token, max_length=30)
        names.setdefault(label, candidate)
    return names


def _go_ahead(run: Run, decision: Decision) -> bool:
    """Short sentences are traced at once, long ones when the button is pressed."""
    n_positions = len(run.translation.src) + decision.position + 1
    if n_positions <= MOST_AT_ONCE or is_traced(run, decision):
        return True
    pressed = st.button("Knock out every link", key="trace_start", icon=":material/route:")
    if not pressed:
        st.info(
            f"{n_positions} positions lie before this decision, so tracing every link takes a "
            "while. The button starts it; another choice ends it.",
            icon=":material/hourglass_empty:",
        )
    return pressed


def trace_words(trace: Trace) -> str:
    """The decision, its log-odds, and what was run."""
    decision = trace.decision
    token, rival = (f"“{plain(token_label(t))}”" for t in (decision.token, decision.rival))
    odds = np.exp(min(abs(trace.log_odds), LARGEST_LOG_ODDS))
    side = "for" if trace.log_odds >= 0 else "against"
    size = f"{odds:.1f}" if odds < 100 else f"{odds:,.0f}" if odds < 1e6 else f"{odds:.0e}"
    return (
        f"ln P({token}) / P({rival}) = **{signed(trace.log_odds)}**, {size} to 1 {side} {token}. "
        f"{trace.n_links:,} links; {trace.n_run:,} of them can reach this decision and were "
        f"knocked out one by one in {trace.seconds:.1f} s."
    )


def _path_controls() -> tuple[float, int]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        percent = st.slider(
            "A link must be worth (% of the strongest)",
            1,
            100,
            25,
            key="trace_share",
            bind="query-params",
            width=320,
        )
        n_links = st.slider(
            "Other links drawn",
            0,
            100,
            24,
            key="trace_links",
            bind="query-params",
            width=220,
        )
    return percent / 100, n_links


def _path(run: Run, trace: Trace, path: TracePath, n_links: int) -> None:
    st.markdown(f"##### The path: {path_words(trace, path)}")
    st.markdown(verdict_words(run, trace, path))
    figure = trace_flow(trace, path, n_links=n_links)
    show_picture(
        figure,
        key="trace_flow",
        alt="The strongest links between the layers of encoder and decoder; the path is written "
        "out as text above.",
    )
    export_menu(
        figure,
        key="trace_flow_export",
        name=f"trace {trace.decision.token} {run.translation.text}",
        numbers=lambda: counted_from_one(links_table(trace, MOST_LISTED)),
    )
    if path.links:
        st.markdown(check_words(run, trace, path))


def path_words(trace: Trace, path: TracePath) -> str:
    """The stops and the links between them, as Markdown."""
    parts = [plain(token_label(trace.decision.token))]
    for link in path.links:
        _, to = link_ends(trace, link)
        name = f"{link.kind} layer {link.layer + 1} head {link.head + 1}"
        parts.append(f"{plain(to)} ({name}, {signed(link.change)})")
    return " → ".join(parts)


def verdict_words(run: Run, trace: Trace, path: TracePath) -> str:
    """Whether it is the path the textbook draws: from the pronoun by "it" to its antecedent."""
    if not path.links:
        strongest = trace.strongest(1)[0]
        start, end = (plain(name) for name in link_ends(trace, strongest))
        return (
            "No chain of links from the deciding position is strong enough; the strongest link of "
            f"all is {head_title(strongest.kind, strongest.layer, strongest.head)} from “{start}” "
            f"to “{end}” ({signed(strongest.change)})."
        )
    example, src = example_on(run), trace.src
    if example is None or not example.antecedent:
        return ""
    written = forms_at(run, trace.decision.position)
    if written is None:
        return ""
    pronoun, antecedent = src.pieces_of(example.pronoun), src.pieces_of(example.antecedent)
    textbook = (
        f"{plain(token_label(trace.decision.token))} → {example.pronoun} → {example.antecedent}"
    )
    if path.goes_by(pronoun, antecedent):
        return f"This is the textbook's path: {textbook}."
    return (
        f"This is **not** the textbook's path, {textbook}: {_way_words(trace, path, antecedent)}."
    )


def _way_words(trace: Trace, path: TracePath, antecedent: tuple[int, ...]) -> str:
    """Whether the path reaches the antecedent, and by way of what."""
    stops, labels = path.source_stops, distinct_labels(trace.src.tokens)
    noun = "“" + " ".join(plain(labels[i]) for i in antecedent) + "”"
    if not set(stops) & set(antecedent):
        return f"it does not reach {noun}"
    before = stops[: next(n for n, stop in enumerate(stops) if stop in antecedent)]
    if not before:
        return f"it reaches {noun} straight from the decoder"
    return f"it reaches {noun} by way of " + ", ".join(f"“{plain(labels[i])}”" for i in before)


def path_change(path: TracePath) -> Intervention:
    """All links of the path knocked out together."""
    return Intervention(
        masked=tuple(
            MaskedCell(link.kind, link.layer, link.head, link.query, link.key)
            for link in path.links
        )
    )


def log_odds_under(run: Run, trace: Trace, change: Intervention) -> float:
    """ln P(token) / P(rival) under a change, in its place of the translation.

    Raises
    ------
    InterventionError : the change leaves a row with nothing to look at.
    """
    decision = trace.decision
    vocabulary = int(run.translator.card.config.get("vocab_size", 10**6))
    found = {
        c.token_id: c.log_prob
        for c in candidates_at(run, decision.position, vocabulary, change)
        if c.token_id in (decision.token_id, decision.rival_id)
    }
    return found[decision.token_id] - found[decision.rival_id]


def check_words(run: Run, trace: Trace, path: TracePath) -> str:
    """The whole path knocked out at once, beside the sum of its links."""
    try:
        without = log_odds_under(run, trace, path_change(path))
    except ModelError as error:
        return f"The path cannot be knocked out as a whole: {plain(str(error))}"
    change = without - trace.log_odds
    total = sum(link.change for link in path.links)
    same = (without < 0) == (trace.log_odds < 0)
    turned = "turns to the rival" if without < 0 else "turns to the token"
    verdict = "still decides the same" if same else turned
    n_links = f"{len(path.links)} links" if len(path.links) > 1 else "1 link"
    return (
        f"Check: with the {n_links} of the path knocked out together the log-odds change by "
        f"**{signed(change)}** to {signed(without)} (the changes one by one sum to "
        f"{signed(total)}), and the model {verdict}."
    )


def counted_from_one(links: pd.DataFrame) -> pd.DataFrame:
    """The same lines with layers, heads and positions as people count."""
    places = ("layer", "head", "query", "key")
    return links.assign(**{name: links[name] + 1 for name in places})


def _links(run: Run, trace: Trace) -> None:
    st.markdown("##### The strongest links")
    links = links_table(trace, MOST_LISTED)
    shown = links[["from", "to", "name", "weight", "change"]]
    st.dataframe(
        shown,
        key="trace_table",
        hide_index=True,
        column_config={
            "from": st.column_config.TextColumn("token that looks", width=130),
            "to": st.column_config.TextColumn("looks at", width=130),
            "name": st.column_config.TextColumn("head", width=110),
            "weight": st.column_config.NumberColumn("weight", format="%.3f"),
            "change": st.column_config.NumberColumn("log-odds without it", format="%+.3f"),
        },
        height=min(36 * (len(shown) + 1), 330),
        width="content",
        alt=f"The {len(shown)} links that change the log-odds most.",
    )


def _heads(run: Run, trace: Trace) -> None:
    st.markdown("##### Whole heads, their output put to zero")
    heads, values = head_values(trace)
    ranked = st.toggle("Ranked", True, key="trace_ranked", bind="query-params")
    figure = head_bars(heads, values, title="change of the log-odds", ranked=ranked, dark=is_dark())
    worst = int(values.argmin())
    show_picture(
        figure,
        key="trace_heads",
        alt=f"Change of the log-odds without each of {len(heads)} heads; lowest without "
        f"{head_title(*heads[worst])}, {values[worst]:+.2f}.",
    )
    token, rival = (plain(token_label(t)) for t in (trace.decision.token, trace.decision.rival))
    st.caption(
        f"Bars below 0: the head speaks for “{token}”. Above 0: for “{rival}”. Lowest: "
        f"{head_title(*heads[worst])}, {signed(float(values[worst]))}."
    )
    export_menu(
        figure,
        key="trace_heads_export",
        name=f"trace heads {trace.decision.token} {run.translation.text}",
        numbers=lambda: heads_table(heads, values),
    )


def head_values(trace: Trace) -> tuple[list[Head], np.ndarray]:
    """Every head and the change of the log-odds without it, the encoder's first."""
    heads = [
        (kind, layer, head)
        for kind in ATTENTION_KINDS
        for layer, head in np.ndindex(trace.head_changes[kind].shape)
    ]
    values = [float(trace.head_changes[kind][layer, head]) for kind, layer, head in heads]
    return heads, np.array(values)


def heads_table(heads: list[Head], values: np.ndarray) -> pd.DataFrame:
    """One line a head: kind, layer and head (from 1) and the change of the log-odds."""
    lines = [(kind, layer + 1, head + 1) for kind, layer, head in heads]
    return pd.DataFrame(lines, columns=["kind", "layer", "head"]).assign(change=values)

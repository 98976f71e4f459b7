"""Which links carry a decision: every one knocked out, the strongest drawn as a path."""

from __future__ import annotations

from typing import Any

from core.attention import DECODER
from core.changes import MaskedCell
from core.intervention import Intervention
from core.knockout import HEAD, Decision
from core.search import Candidate
from core.tokens import token_label
from core.trace import (
    Trace,
    TracePath,
    check_facts,
    decision_facts,
    heads_table,
    link_facts,
    links_table,
    path_verdict,
    token_facts,
    trace_path,
)
from model import ModelError
from model.experiments.trace import trace_decision
from ui.effect import next_log_probs
from ui.export import counted_from_one
from ui.kit.blocks import picture, table
from ui.kit.controls import choice, slider, toggle
from ui.kit.layout import caption, finding, note, settings, subtitle
from ui.masks.choices import forms_at, go_ahead, others_at, token_menu
from ui.state import Run
from ui.words import head_at, plain, say, stated, token_text
from viz.knockout import head_bars
from viz.trace import trace_flow

MOST_RIVALS = 12
MOST_LISTED = 40
# Beyond these positions on both sides together a trace is asked for by a button.
MOST_AT_ONCE = 44


def show(run: Run) -> None:
    tgt, decision = run.tgt, None
    with settings():
        position = token_menu(run, "trace_token")
        if rivals := rivals_at(run, position):
            name = choice(
                "trace_rival",
                list(rivals),
                style="select",
                text=str,
                width=220,
                of=(run.identity, position),
            )
            rival = rivals[name].token_id, rivals[name].token
            decision = Decision(position, tgt.ids[position], tgt.tokens[position], *rival)
    if decision is None:
        note("masks-trace-no-rival", "route")
        return
    n = len(run.src) + position + 1
    if not go_ahead("trace", (run.identity, decision), n > MOST_AT_ONCE, n=n):
        return
    trace = run.ask_pair(trace_decision, decision)
    facts = decision_facts(trace)
    facts["token"] = run.spoken("target", facts["token"])
    told = stated("masks-trace-decision", **facts)
    if trace.strongest(1):
        _path(run, trace, told)
        _heads(run, trace)
    else:
        finding(told)
        note("masks-trace-no-link", "route")


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


def _path(run: Run, trace: Trace, told: str) -> None:
    with settings():
        percent = slider("trace_share", 1, 100, 25)
        n_links = slider("trace_links", 0, 100, 24)
    path, links = trace_path(trace, percent / 100), links_table(trace, MOST_LISTED)
    finding(path_words(run, trace, path))
    places = {"query": links["query"] + 1, "key": links["key"] + 1}
    picture(
        "trace-flow",
        trace_flow(trace, path, n_links=n_links),
        below=f"{told} {check_words(run, trace, path)}",
        numbers=lambda: counted_from_one(links).assign(**places),
        token=trace.decision.token,
        text=run.translation.text,
    )
    if DECODER.name not in trace.changes:
        caption("masks-trace-recurrence")
    subtitle("masks-trace-links")
    names = [head_at(*place) for place in links[HEAD].itertuples(index=False)]
    table(
        "trace-table",
        links.assign(name=names)[["from", "to", "name", "weight", "change"]],
        widths={"from": 130, "to": 130, "name": 110},
        formats={"weight": "%.3f", "change": "%+.3f"},
        height=330,
    )


def _heads(run: Run, trace: Trace) -> None:
    heads = heads_table(trace)
    worst = heads.loc[heads["change"].idxmin()]
    subtitle("masks-trace-heads")
    how: dict[str, Any] = {"title": say("masks-trace-change")}
    how["ranked"] = toggle("trace_ranked", True)
    places = [*heads[HEAD].itertuples(index=False, name=None)]
    picture(
        "trace-heads",
        head_bars(places, heads["change"].to_numpy(), **how),
        numbers=lambda: counted_from_one(heads),
        n=len(heads),
        head=head_at(*worst[HEAD]),
        change=worst["change"],
        text=run.translation.text,
        **{side: plain(token) for side, token in token_facts(trace).items()},
    )


def path_words(run: Run, trace: Trace, path: TracePath) -> str:
    """The stops with the links between them, and the verdict; as Markdown."""
    parts = [token_text(trace.decision.token)]
    parts += [stated("masks-trace-stop", **link_facts(trace, link)) for link in path.links]
    said = [say("masks-trace-path", path=" → ".join(parts))] if path.links else []
    return " ".join((*said, *verdict(run, trace, path)))


def verdict(run: Run, trace: Trace, path: TracePath) -> tuple[str, ...]:
    """Whether it is the path that the textbook draws; nothing where no textbook has one."""
    if not path.links:
        link = trace.strongest(1)[0]
        facts = link_facts(trace, link)
        causal = run.record.of(link.kind).site.causal
        facts["end"] = run.spoken("target" if causal else "source", facts["end"])
        return (stated("masks-trace-no-path", **facts),)
    example, src = run.example, trace.src
    if example is None or not example.antecedent or not forms_at(run, trace.decision.position):
        return ()
    words = {"pronoun": example.pronoun, "noun": example.antecedent}
    name, facts = path_verdict(trace, path, *map(src.pieces_of, words.values()))
    written = token_label(trace.decision.token)
    if "stop" in facts:
        facts["stop"] = run.spoken("source", facts["stop"])
        facts["by"] = [run.spoken("source", label) for label in facts.get("by", ())]
    return (stated(f"masks-trace-{name}", written=written, **words, **facts),)


def check_words(run: Run, trace: Trace, path: TracePath) -> str:
    """The whole path knocked out at once, beside the sum of its links; nothing of none."""
    if not path.links:
        return ""
    try:
        without = log_odds_under(run, trace, path_change(path))
    except ModelError as error:
        return say("masks-trace-no-check", why=plain(say(error.message)))
    return say("masks-trace-check", **check_facts(trace, path, without))


def path_change(path: TracePath) -> Intervention:
    links = ((link.kind, link.layer, link.head, link.query, link.key) for link in path.links)
    return Intervention(*(MaskedCell(*link) for link in links))


def log_odds_under(run: Run, trace: Trace, change: Intervention) -> float:
    """ln P(token) / P(rival) under a change, in its place of the translation."""
    decision = trace.decision
    log_probs = next_log_probs(run, change, run.tgt.ids[: decision.position])
    return float(log_probs[decision.token_id]) - float(log_probs[decision.rival_id])

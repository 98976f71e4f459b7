"""Which links carry a decision: the strongest as a path from the decoder down to the source."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .attention import CROSS, DECODER, ENCODER, HEAD
from .knockout import Decision
from .tokens import TokenSequence, distinct_labels, head_title, token_label


@dataclass(frozen=True)
class TracedLink:
    """One link: `query` looks at `key` in one head. `change` is that of the log-odds without it."""

    kind: str
    layer: int
    head: int
    query: int
    key: int
    weight: float
    change: float


@dataclass(frozen=True, eq=False)
class Trace:
    """Every link and every head knocked out alone: what that does to one decision."""

    src: TokenSequence  # src, tgt: the sentence and the translation that is being written
    tgt: TokenSequence
    decision: Decision  # token and rival
    log_odds: float  # natural log of P(token) / P(rival) with nothing knocked out
    # for each site a float32 (L, H, T_q, T_k): log-odds without that link minus `log_odds`, so
    # below 0 where the link speaks for the token. NaN where there is no such link (masked, or the
    # only one of its row), or the trace was stopped before it; exactly 0 where the decision cannot
    # depend on it
    changes: dict[str, np.ndarray]
    # for each site a float32 (L, H), the head's output put to zero
    head_changes: dict[str, np.ndarray]
    # for each site the weights (L, H, T_q, T_k) with nothing knocked out
    weights: dict[str, np.ndarray]
    n_links: int  # links there are
    # of these, knocked out in a run of their own; the decision cannot depend on the others
    n_run: int
    seconds: float  # wall-clock time

    def link(self, site: str, layer: int, head: int, query: int, key: int) -> TracedLink:
        """The link between these two, all from 0."""
        weight, change = (of[site][layer, head, query, key] for of in (self.weights, self.changes))
        return TracedLink(site, layer, head, query, key, float(weight), float(change))

    def strongest(self, n: int) -> tuple[TracedLink, ...]:
        """The `n` links with the largest absolute change, largest first."""
        links = []
        for site, changes in self.changes.items():
            flat = np.abs(np.nan_to_num(changes)).ravel()
            for index in np.argsort(-flat, kind="stable")[:n]:
                link = self.link(site, *map(int, np.unravel_index(index, changes.shape)))
                if link.change and not math.isnan(link.change):
                    links.append(link)
        return tuple(sorted(links, key=lambda link: -abs(link.change))[:n])


GAP = 2
"""Sub-layers that would fit between encoder and decoder, where a flow is drawn."""


@dataclass(frozen=True)
class TracePath:
    """A chain of links from the row that makes a decision towards the source."""

    decision: Decision  # what was decided
    # the links followed, from the decision on; empty when none was strong enough
    links: tuple[TracedLink, ...]
    toll: float  # what each link had to be worth, see `trace_path`

    @property
    def source_stops(self) -> tuple[int, ...]:
        """Source positions it comes through, in order, each stay counted once."""
        stops: list[int] = []
        for link in self.links:
            if link.kind != DECODER.name and stops[-1:] != [link.key]:
                stops.append(link.key)
        return tuple(stops)

    def goes_by(self, pronoun: tuple[int, ...], antecedent: tuple[int, ...]) -> bool:
        """It begins as the textbook's: from the decision to the pronoun, then its antecedent."""
        first, second, *_ = (*self.source_stops, None, None)
        straight = first is not None and self.links[0].kind == CROSS.name
        return straight and first in pronoun and second in antecedent


def trace_path(trace: Trace, share: float = 0.25) -> TracePath:
    """The chain of links that is worth most, from the decision down towards the source.

    It starts at the decision's row on top of the decoder. A link of a position leads to an earlier
    row of the decoder, below the layer of that link, or to a source token on top of the encoder,
    and so on down through the encoder; between links the position stays, which is the residual
    connection. Each link is worth its absolute change and costs a toll, `share` of the largest
    absolute change of all. So a link weaker than the toll is taken only where it leads to others
    that make up for it, and the chain ends where nothing below would. The best chain is found for
    every position and layer, from the bottom up (dynamic programming). Raises ValueError: `share`
    is not above 0 and at most 1.
    """
    if not 0 < share <= 1:
        raise ValueError(f"share is {share}, expected more than 0, at most 1")
    strongest = trace.strongest(1)
    if not strongest:
        return TracePath(trace.decision, (), 0.0)
    toll = share * abs(strongest[0].change)
    source = _no_chains(len(trace.src))
    for layer in range(trace.changes[ENCODER.name].shape[0]):
        source = _through(trace, ENCODER.name, layer, toll, above=source, behind=source)
    target = _no_chains(len(trace.tgt))
    for layer in range(trace.changes[CROSS.name].shape[0]):
        if DECODER.name in trace.changes:  # none of a recurrence
            target = _through(trace, DECODER.name, layer, toll, above=target, behind=target)
        target = _through(trace, CROSS.name, layer, toll, above=target, behind=source)
    return TracePath(trace.decision, target[trace.decision.position].links, toll)


@dataclass(frozen=True)
class _Chain:
    worth: float = 0.0
    links: tuple[TracedLink, ...] = ()


def _no_chains(length: int) -> list[_Chain]:
    return [_Chain()] * length


def _through(
    trace: Trace, site: str, layer: int, toll: float, *, above: list[_Chain], behind: list[_Chain]
) -> list[_Chain]:
    """The best chains one sub-layer higher: those of `above` stay, or a link leads to `behind`."""
    sizes = np.abs(trace.changes[site][layer]).astype(np.float64)  # (H, T_q, T_k)
    worth = sizes - toll + np.array([chain.worth for chain in behind])
    worth = np.where(np.nan_to_num(sizes) > 0, worth, -np.inf)
    higher = []
    for position, stays in enumerate(above):
        row = worth[:, position]
        head, key = map(int, np.unravel_index(int(row.argmax()), row.shape))
        if row[head, key] <= stays.worth:
            higher.append(stays)
            continue
        link = trace.link(site, layer, head, position, key)
        higher.append(_Chain(float(row[head, key]), (link, *behind[key].links)))
    return higher


# -- tables --------------------------------------------------------------------------------


def links_table(trace: Trace, n: int) -> pd.DataFrame:
    """The `n` strongest links, one line each, strongest first.

    Columns from and to (labels of the token that looks and of the one looked at, see `link_ends`),
    name (of the head, from 1), kind, layer, head, query, key (all from 0), weight (0 to 1) and
    change (of the log-odds without the link).
    """
    return _table(trace, trace.strongest(n))


def _table(trace: Trace, links: Iterable[TracedLink]) -> pd.DataFrame:
    lines = [
        (
            *link_ends(trace, link),
            head_title(link.kind, link.layer, link.head),
            *vars(link).values(),
        )
        for link in links
    ]
    numbers = [*HEAD, "query", "key", "weight", "change"]
    return pd.DataFrame(lines, columns=["from", "to", "name", *numbers])


def link_ends(trace: Trace, link: TracedLink) -> tuple[str, str]:
    """Labels of the token that looks and of the one it looks at, repeated words numbered.

    A decoder row is named by what it produces where it decides, else by what it reads.
    """
    source, rows = distinct_labels(trace.src.tokens), read_labels(trace)
    decides = trace.decision.position
    rows[decides] = distinct_labels(trace.tgt.tokens)[decides]
    queries = source if link.kind == ENCODER.name else rows
    keys = rows if link.kind == DECODER.name else source
    return queries[link.query], keys[link.key]


def read_labels(trace: Trace) -> list[str]:
    """Labels of what the rows of the decoder read."""
    return distinct_labels(("<s>", *trace.tgt.tokens[:-1]))


def flow_tables(trace: Trace, path: TracePath, n_links: int, fan: float) -> dict[str, pd.DataFrame]:
    """Where links are drawn: x counts positions, y sub-layers from the lowest, 0, `GAP` included.

    `n_links`: how many links are drawn beside those of the path. `fan`: from a link to that of the
    next head, so that none hides another. `links`: as `links_table`, the strongest last, with x, y
    of the key, x2, y2 of the query, and path, whether it is of the path. `stays`: x, y, x2, y2 of
    the positions that stay between the links of the path. `nodes`: x, y of every state. `ends`: x,
    y of where the path begins and, if it has links, ends.
    """
    n_encoder = len(trace.changes[ENCODER.name])
    n_decoder, n_heads = trace.changes[CROSS.name].shape[:2]
    foot = n_encoder + GAP - 0.5  # of the decoder

    def span(link: TracedLink) -> tuple[float, float, float, float]:
        aside, layer = (link.head - (n_heads - 1) / 2) * fan, link.layer
        below, above = {
            ENCODER.name: (layer - 0.5, layer + 0.5),
            DECODER.name: (foot + 2 * layer, foot + 2 * layer + 1),
            CROSS.name: (n_encoder - 0.5, foot + 2 * layer + 2),
        }[link.kind]
        return link.key + aside, below, link.query + aside, above

    at: tuple[float, float] = (trace.decision.position, foot + 2 * n_decoder)
    ends, stays = [at], []
    for x, y, x2, y2 in map(span, path.links):
        stays.append((*at, x2, y2))
        at = x, y
        ends[1:] = [at]
    others = [link for link in trace.strongest(n_links + len(path.links)) if link not in path.links]
    links = (*others[:n_links][::-1], *path.links)
    levels = [(len(trace.src), i - 0.5) for i in range(n_encoder + 1)]
    levels += [(len(trace.tgt), foot + i) for i in range(2 * n_decoder + 1)]
    line = ["x", "y", "x2", "y2"]
    lines = pd.DataFrame(map(span, links), columns=line).join(_table(trace, links))
    nodes = [(x, y) for length, y in levels for x in range(length)]
    return {
        "links": lines.assign(path=[link in path.links for link in links]),
        "stays": pd.DataFrame(stays, columns=line),
        "nodes": pd.DataFrame(nodes, columns=["x", "y"]),
        "ends": pd.DataFrame(ends, columns=["x", "y"]),
    }


def heads_table(trace: Trace) -> pd.DataFrame:
    """One line a head: kind, layer, head (from 0) and change (of the log-odds without it)."""
    lines = [
        (site, *head, float(change))
        for site, changes in trace.head_changes.items()
        for head, change in np.ndenumerate(changes)
    ]
    return pd.DataFrame(lines, columns=[*HEAD, "change"])


# -- facts for sentences -------------------------------------------------------------------


def decision_facts(trace: Trace) -> dict[str, Any]:
    odds = trace.log_odds
    facts = {"odds": odds, "factor": abs(odds), "side": "for" if odds >= 0 else "against"}
    return {**token_facts(trace), **facts, "links": trace.n_links, "run": trace.n_run}


def token_facts(trace: Trace) -> dict[str, str]:
    """The token and its rival."""
    decision = trace.decision
    return {"token": token_label(decision.token), "rival": token_label(decision.rival)}


def link_facts(trace: Trace, link: TracedLink) -> dict[str, Any]:
    """Where a link starts and ends, its head and its change."""
    start, end = link_ends(trace, link)
    head = link.kind, link.layer, link.head
    return {"start": start, "end": end, "head": head, "change": link.change}


def path_verdict(
    trace: Trace, path: TracePath, pronoun: tuple[int, ...], noun: tuple[int, ...]
) -> tuple[str, dict[str, Any]]:
    """Whether a path is the textbook's, from the pronoun by its source to the noun, and where it
    comes by: "textbook", "onward", "elsewhere", "straight" or "by-way".
    """
    stops, labels = path.source_stops, distinct_labels(trace.src.tokens)
    if path.goes_by(pronoun, noun):
        return "onward" if stops[2:] else "textbook", {}
    facts: dict[str, Any] = {"stop": " ".join(labels[i] for i in noun)}
    if not set(stops) & set(noun):
        return "elsewhere", facts
    before = stops[: next(n for n, stop in enumerate(stops) if stop in noun)]
    facts["by"] = [labels[i] for i in before]
    return "by-way" if before else "straight", facts


def check_facts(trace: Trace, path: TracePath, log_odds: float) -> dict[str, Any]:
    """The whole path knocked out at once, which leaves these log-odds, beside its links alone."""
    turned = (log_odds < 0) != (trace.log_odds < 0)
    return {
        "n": len(path.links),
        "change": log_odds - trace.log_odds,
        "sum": sum(link.change for link in path.links),
        "turn": "same" if not turned else "rival" if log_odds < 0 else "token",
    }

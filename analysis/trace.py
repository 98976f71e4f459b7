"""Which links carry a decision: the strongest as a path from the decoder down to the source."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from records import CROSS, DECODER, ENCODER, Decision, Trace, TracedLink


@dataclass(frozen=True)
class TracePath:
    """A chain of links from the row that makes a decision towards the source.

    Attributes
    ----------
    decision : what was decided.
    links : the links followed, from the decision on; empty when none was strong enough.
    toll : what each link had to be worth, see `trace_path`.
    """

    decision: Decision
    links: tuple[TracedLink, ...]
    toll: float

    @property
    def source_stops(self) -> tuple[int, ...]:
        """Source positions it comes through, in order, each stay counted once."""
        stops: list[int] = []
        for link in self.links:
            if link.kind != DECODER.name and stops[-1:] != [link.key]:
                stops.append(link.key)
        return tuple(stops)

    def goes_by(self, pronoun: tuple[int, ...], antecedent: tuple[int, ...]) -> bool:
        """It is the textbook's: straight from the decision to the pronoun, then its antecedent."""
        stops = self.source_stops
        return (
            len(stops) == 2
            and self.links[0].kind == CROSS.name
            and stops[0] in pronoun
            and stops[1] in antecedent
        )


def trace_path(trace: Trace, share: float = 0.25) -> TracePath:
    """The chain of links that is worth most, from the decision down towards the source.

    It starts at the decision's row on top of the decoder. A link of a position leads to an earlier
    row of the decoder, below the layer of that link, or to a source token on top of the encoder,
    and so on down through the encoder; between links the position stays, which is the residual
    connection. Each link is worth its absolute change and costs a toll, `share` of the largest
    absolute change of all. So a link weaker than the toll is taken only where it leads to others
    that make up for it, and the chain ends where nothing below would. The best chain is found for
    every position and layer, from the bottom up (dynamic programming).

    Raises
    ------
    ValueError : `share` is not above 0 and at most 1.
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
    for layer in range(trace.changes[DECODER.name].shape[0]):
        target = _through(trace, DECODER.name, layer, toll, above=target, behind=target)
        target = _through(trace, CROSS.name, layer, toll, above=target, behind=source)
    return TracePath(trace.decision, target[trace.decision.position].links, toll)


@dataclass(frozen=True)
class _Chain:
    """The best chain from one position downwards, and its worth."""

    worth: float = 0.0
    links: tuple[TracedLink, ...] = ()


def _no_chains(length: int) -> list[_Chain]:
    return [_Chain()] * length


def _through(
    trace: Trace,
    kind: str,
    layer: int,
    toll: float,
    *,
    above: list[_Chain],
    behind: list[_Chain],
) -> list[_Chain]:
    """The best chains one sub-layer higher: those of `above` stay, or a link leads to `behind`."""
    sizes = np.abs(trace.changes[kind][layer]).astype(np.float64)  # (H, T_q, T_k)
    worth = sizes - toll + np.array([chain.worth for chain in behind])
    worth = np.where(np.nan_to_num(sizes) > 0, worth, -np.inf)
    higher = []
    for position, stays in enumerate(above):
        row = worth[:, position]
        head, key = map(int, np.unravel_index(int(row.argmax()), row.shape))
        if row[head, key] <= stays.worth:
            higher.append(stays)
            continue
        change = float(trace.changes[kind][layer, head, position, key])
        weight = float(trace.weights[kind][layer, head, position, key])
        link = TracedLink(kind, layer, head, position, key, weight, change)
        higher.append(_Chain(float(row[head, key]), (link, *behind[key].links)))
    return higher

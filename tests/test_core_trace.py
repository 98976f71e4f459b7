"""The path of a decision: which links are followed."""

from __future__ import annotations

import numpy as np
import pytest

from core.knockout import Decision
from core.tokens import TokenSequence
from core.trace import Trace, link_ends, links_table, trace_path

N_SRC, N_TGT = 4, 3
IT, NOUN, TIRED = 1, 0, 2


def sequence(*tokens: str) -> TokenSequence:
    offsets = tuple((i, i + 1) for i in range(len(tokens)))
    return TokenSequence(" ".join(tokens), tuple(range(4, 4 + len(tokens))), tokens, offsets)


def make_trace(links: dict[tuple, float], position: int = 2) -> Trace:
    """A trace in which only `links` {(kind, layer, head, query, key): change} matter."""
    shapes = {
        "encoder": (3, 2, N_SRC, N_SRC),
        "decoder": (2, 2, N_TGT, N_TGT),
        "cross": (2, 2, N_TGT, N_SRC),
    }
    changes = {kind: np.zeros(shape, np.float32) for kind, shape in shapes.items()}
    later = np.triu_indices(N_TGT, 1)
    changes["decoder"][:, :, later[0], later[1]] = np.nan
    for (kind, *place), change in links.items():
        changes[kind][tuple(place)] = change
    return Trace(
        src=sequence("▁animal", "▁it", "▁tired", "</s>"),
        tgt=sequence("▁Tier", ",", "▁es"),
        decision=Decision(position, 6, "▁es", 9, "▁sie"),
        log_odds=4.0,
        changes=changes,
        head_changes={kind: np.zeros(shape[:2], np.float32) for kind, shape in shapes.items()},
        weights={kind: np.full(shape, 0.25, np.float32) for kind, shape in shapes.items()},
        n_links=10,
        n_run=5,
        seconds=0.1,
    )


def stops(trace: Trace, share: float = 0.25) -> list[tuple]:
    return [
        (link.kind, link.layer, link.head, link.query, link.key)
        for link in trace_path(trace, share).links
    ]


AT_IT, AT_TIRED = ("cross", 1, 0, 2, IT), ("cross", 1, 0, 2, TIRED)
BACK, DETOUR = ("encoder", 2, 1, IT, NOUN), ("decoder", 1, 0, 2, 0)


@pytest.mark.parametrize(
    ("links", "path", "textbook"),
    [
        pytest.param({AT_IT: -2.0, BACK: -1.0}, [AT_IT, BACK], True, id="textbook"),
        pytest.param(
            {AT_TIRED: -2.0, ("encoder", 2, 1, TIRED, NOUN): -1.0},
            [AT_TIRED, ("encoder", 2, 1, TIRED, NOUN)],
            False,
            id="another token",
        ),
        pytest.param({AT_IT: -2.0}, [AT_IT], False, id="it stops at the pronoun"),
        pytest.param({}, [], False, id="nothing matters"),
    ],
)
def test_a_path_by_the_pronoun_and_its_noun_is_that_of_the_textbook(links, path, textbook):
    trace = make_trace(links)
    assert stops(trace) == path
    assert trace_path(trace).goes_by((IT,), (NOUN,)) == textbook


def every_chain(trace: Trace, side: str, level: int, position: int):
    """All chains from a place downwards, by trying everything; levels count sub-layers."""
    yield ()
    kinds = ("encoder",) if side == "source" else ("decoder", "cross")
    for below in range(level):
        kind, layer = kinds[below % len(kinds)], below // len(kinds)
        changes = trace.changes[kind][layer, :, position]
        for head, key in zip(*np.nonzero(np.nan_to_num(changes)), strict=True):
            place = (kind, layer, int(head), position, int(key))
            behind = ("source", 3) if kind == "cross" else (side, below)
            for rest in every_chain(trace, *behind, int(key)):
                yield (place, *rest)


@pytest.mark.parametrize("seed", range(12))
def test_no_chain_is_worth_more_than_the_path(seed):
    rng = np.random.default_rng(seed)
    links = {}
    for kind, n_layers, n_keys in (("encoder", 3, N_SRC), ("decoder", 2, 3), ("cross", 2, N_SRC)):
        n_rows = N_SRC if kind == "encoder" else N_TGT
        for _ in range(12):
            sizes = (n_layers, 2, n_rows, n_keys)
            place = tuple(int(rng.integers(size)) for size in sizes)
            if kind != "decoder" or place[3] <= place[2]:
                links[kind, *place] = float(rng.normal())
    trace = make_trace(links)
    path = trace_path(trace, 0.3)

    def worth(chain) -> float:
        return sum(abs(links[place]) - path.toll for place in chain)

    best = max(map(worth, every_chain(trace, "target", 4, 2)))
    assert worth(stops(trace, 0.3)) == pytest.approx(best, abs=1e-5)


def test_the_deciding_row_is_known_by_what_it_produces_and_others_by_what_they_read():
    trace = make_trace({("decoder", 1, 0, 2, 1): -3.0, ("cross", 0, 0, 1, 0): -2.0})
    decision, earlier = trace_path(trace).links
    assert link_ends(trace, decision) == ("es", "Tier")
    assert link_ends(trace, earlier) == ("Tier", "animal")


def test_links_are_listed_strongest_first_with_head_and_weight():
    trace = make_trace({AT_IT: -1.0, BACK: 2.0})
    table = links_table(trace, 5)
    assert list(table["name"]) == ["encoder L3 H2", "cross L2 H1"]
    assert list(table["change"]) == [2.0, -1.0]
    assert list(table["from"]) == ["it", "es"]
    assert set(table["weight"]) == {0.25}


def test_the_last_link_must_be_worth_more_than_a_share_of_the_strongest_anywhere():
    trace = make_trace({AT_IT: -2.0, BACK: -1.0})
    assert trace_path(trace, 0.49).source_stops == (IT, NOUN)
    assert stops(trace, 0.5) == [AT_IT]
    trace = make_trace({AT_IT: -1.0, ("encoder", 0, 0, 3, 3): 10.0})
    assert (trace_path(trace, 0.25).toll, stops(trace, 0.25)) == (2.5, [])

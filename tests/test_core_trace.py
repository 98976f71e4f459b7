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
        pytest.param(
            {DETOUR: -3.0, ("cross", 0, 0, 0, IT): -2.0, BACK: -1.0},
            [DETOUR, ("cross", 0, 0, 0, IT), BACK],
            False,
            id="a detour",
        ),
        pytest.param({("cross", 0, 1, 2, 3): 5.0}, [("cross", 0, 1, 2, 3)], False, id="any sign"),
        pytest.param(
            {("cross", 0, 1, 2, 3): -2.5, DETOUR: -2.0},
            [("cross", 0, 1, 2, 3)],
            False,
            id="the strongest of all layers and heads",
        ),
        pytest.param({AT_IT: -0.1, BACK: -2.0}, [AT_IT, BACK], True, id="weak before strong"),
        pytest.param({AT_IT: -2.0, BACK: -0.1}, [AT_IT], False, id="weak before nothing"),
        pytest.param({BACK: -2.0}, [], False, id="nothing leads to it"),
        pytest.param(
            # The link to 3 is in the same layer, so after it.
            {DETOUR: -3.0, ("cross", 1, 0, 0, 3): -2.9, ("cross", 0, 0, 0, IT): -1.0},
            [DETOUR, ("cross", 0, 0, 0, IT)],
            False,
            id="an earlier row only below the layer that read it",
        ),
        pytest.param(
            {
                AT_IT: -3.0,
                ("encoder", 1, 0, IT, TIRED): -2.0,
                ("encoder", 2, 0, TIRED, NOUN): -2.0,  # above the link before
                ("encoder", 0, 0, TIRED, 3): -1.0,
            },
            [AT_IT, ("encoder", 1, 0, IT, TIRED), ("encoder", 0, 0, TIRED, 3)],
            False,
            id="layers of the encoder only go down",
        ),
        pytest.param({}, [], False, id="nothing matters"),
    ],
)
def test_which_links_are_followed(links, path, textbook):
    trace = make_trace(links)
    assert stops(trace) == path
    assert trace_path(trace).goes_by((IT,), (NOUN,)) == textbook


def test_stops_are_the_places_in_the_source():
    links = {AT_TIRED: -2.0, ("encoder", 2, 1, TIRED, NOUN): -1.0}
    assert trace_path(make_trace(links)).source_stops == (TIRED, NOUN)


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


@pytest.mark.parametrize(("share", "n"), [(0.49, 2), (0.5, 1)])
def test_the_last_link_must_be_worth_more_than_the_toll(share, n):
    trace = make_trace({("cross", 1, 0, 2, IT): -2.0, ("encoder", 2, 1, IT, NOUN): -1.0})
    assert len(trace_path(trace, share).links) == n


def test_the_toll_is_a_share_of_the_strongest_link_anywhere():
    trace = make_trace({("cross", 1, 0, 2, IT): -1.0, ("encoder", 0, 0, 3, 3): 10.0})
    assert trace_path(trace, 0.25).toll == 2.5
    assert stops(trace, 0.25) == []


def test_the_deciding_row_is_known_by_what_it_produces_and_others_by_what_they_read():
    trace = make_trace({("decoder", 1, 0, 2, 1): -3.0, ("cross", 0, 0, 1, 0): -2.0})
    decision, earlier = trace_path(trace).links
    assert link_ends(trace, decision) == ("es", "Tier")
    assert link_ends(trace, earlier) == ("Tier", "animal")


def test_links_are_listed_strongest_first_with_head_and_weight():
    trace = make_trace({("cross", 1, 0, 2, IT): -1.0, ("encoder", 2, 1, IT, NOUN): 2.0})
    table = links_table(trace, 5)
    assert list(table["name"]) == ["encoder L3 H2", "cross L2 H1"]
    assert list(table["change"]) == [2.0, -1.0]
    assert list(table["from"]) == ["it", "es"]
    assert set(table["weight"]) == {0.25}

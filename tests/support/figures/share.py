import numpy as np

from core.records.attention import AttentionRecord
from core.records.sources import TokenSequence
from core.source_share import Shares, share_cells, share_lines
from support.figures import map_of, rng
from viz.source_share import share_curve, share_map


def _shares(tokens):
    n = len(tokens)
    both = rng().random((n, 2 * n)) * np.hstack([np.ones((n, n)), np.tri(n)])
    return Shares(*np.split(both / both.sum(1, keepdims=True), 2, axis=1))


def _curve(tokens, tenths=()):
    return share_curve(share_lines(tokens, tokens, _shares(tokens), tenths))


def _stored(tokens):
    tenth = {"value": 0.5, "low": 0.4, "high": 0.6}
    return _curve(tokens, [tenth] * 10)


def _map(tokens):
    side = TokenSequence("", tuple(range(len(tokens))), tokens, ((0, 0),) * len(tokens))
    record = AttentionRecord(side, side, (map_of(tokens, "cross"),))
    return share_map(record, share_cells(record, _shares(tokens)))


FIGURES = {
    "share-curve": _curve,
    "share-curve-stored": _stored,
    "share-map": _map,
}

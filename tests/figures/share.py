import numpy as np
import pandas as pd

from core.attention import AttentionRecord
from core.made_up import GROUPS, SIGNS
from core.share import Shares, share_cells, share_lines
from core.tokens import TokenSequence
from figures import map_of, rng
from viz.made_up import sign_bands
from viz.share import share_curve, share_map


def _shares(tokens):
    n = len(tokens)
    both = rng().random((n, 2 * n)) * np.hstack([np.ones((n, n)), np.tri(n)])
    return Shares(*np.split(both / both.sum(1, keepdims=True), 2, axis=1))


def _curve(tokens, tenths=()):
    return share_curve(share_lines(tokens, _shares(tokens), tenths))


def _stored(tokens):
    tenth = {"value": 0.5, "low": 0.4, "high": 0.6}
    return _curve(tokens, [tenth] * 10)


def _map(tokens):
    side = TokenSequence("", tuple(range(len(tokens))), tokens, ((0, 0),) * len(tokens))
    record = AttentionRecord(side, side, (map_of(tokens, "cross"),))
    return share_map(record, share_cells(record, _shares(tokens)))


def _bands(tokens):
    n = 2 * len(SIGNS)
    lines = [(panel, at / 2, 0.5, group) for panel in range(n) for at in (0, 1) for group in GROUPS]
    bins = pd.DataFrame(lines, columns=["panel", "value", "share", "group"])
    of = {"panel": range(n), "model": [*"xxxxyyyy"], "sign": SIGNS * 2, "label": [*"abcdefgh"]}
    return sign_bands(
        bins, pd.DataFrame(of).assign(value=0.25), [(sign, "") for sign in of["sign"]]
    )


FIGURES = {
    "share-curve": _curve,
    "share-curve-stored": _stored,
    "share-map": _map,
    "made-up": _bands,
}

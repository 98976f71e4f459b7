from dataclasses import replace

import numpy as np
import pandas as pd

from core.records.attention import TRANSFORMER_SITES
from core.records.tokens import distinct_labels
from support.figures import map_of, rng
from viz import lineage


def _map(tokens):
    centres = np.linspace(0, len(tokens) - 1, len(tokens))
    weights = map_of(tokens).head(0, 0)
    site = replace(TRANSFORMER_SITES["cross"], window=1)
    return lineage.system_map(weights, tokens, tokens, site=site, centres=centres)


def _drops(tokens):
    drops = rng().normal(size=(len(tokens), len(tokens)))
    drops[0, 0] = np.nan
    return lineage.system_map(drops, tokens, tokens, limit=2.0, title="lineage-drop")


def _states(tokens):
    states = np.tanh(rng().normal(size=(len(tokens), 40)))
    return lineage.state_picture(states, tokens, np.arange(40), limit=1.0)


def _lines(tokens):
    frame = pd.DataFrame(
        [(name, n, 1 / (n + i)) for i, name in enumerate("ab") for n in range(4, 9)]
    )
    return lineage.length_lines(
        frame.set_axis(["system", "words", "share"], axis=1), {"a": "cho", "b": "x"}, "b"
    )


def curve_rows():
    values = [("b", "B", at, 30 - at, 28 - at, 33 - at, 50) for at in (5.0, 10.0, 20.0)]
    return pd.DataFrame(values, columns=["system", "label", "at", "value", "low", "high", "texts"])


def _curves(tokens):
    return lineage.length_curves(
        curve_rows(), {"A": "cho", "B": "luong", "C": "x"}, along="words", measure="BLEU", seen=12.0
    )


def _gains(tokens):
    gains = pd.DataFrame({"label": distinct_labels(tokens), "value": 1.5, "low": -0.5, "high": 2.5})
    papers = pd.DataFrame({"place": [0], "value": [4.0], "source": ["A paper"]})
    return lineage.gain_dots(gains, papers, 1.7)


def _papers(tokens):
    years = 2014.8 + np.arange(len(tokens)) % 5
    papers = pd.DataFrame(
        {
            "label": distinct_labels(tokens),
            "at": years,
            "kind": "a",
            "system": "x",
            "name": "",
            "marked": False,
        }
    )
    return lineage.paper_line(papers.assign(told="2014"), "abc")


def _shares(tokens):
    shares = pd.DataFrame({"label": distinct_labels(tokens), "value": 1 / len(tokens)})
    return lineage.share_bars({"lineage-table-weight": shares, "lineage-table-probability": shares})


FIGURES = {
    "lineage-map": _map,
    "lineage-drops": _drops,
    "lineage-units": lambda tokens: lineage.unit_bars(rng().normal(size=len(tokens))),
    "lineage-states": _states,
    "lineage-lengths": _lines,
    "lineage-curves": _curves,
    "lineage-gains": _gains,
    "lineage-papers": _papers,
    "lineage-shares": _shares,
}

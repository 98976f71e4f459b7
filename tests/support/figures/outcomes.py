import numpy as np
import pandas as pd

from viz.documents import attention_shares
from viz.outcomes import error_dots, score_dots, verdict_bars


def _outputs(tokens):
    texts = [" ".join(tokens), " ".join(tokens[1:])]
    return pd.DataFrame(
        {"name": ["a", "b"], "text": texts, "score": [-1.0, -2.0], "chosen": [True, False]}
    )


def _errors(tokens):
    rows = [(name, 0.2 / (1 + place)) for place, name in enumerate(dict.fromkeys(tokens[:3]))]
    table = pd.DataFrame(rows, columns=["name", "value"])
    bounds = {"low": table["value"] / 2, "high": table["value"] * 2}
    return table.assign(**bounds, n=100, chosen=table["name"] == tokens[0])


def _verdicts(tokens):
    rows = [
        (name, outcome, share)
        for name in dict.fromkeys(tokens[:3])
        for outcome, share in (("same", 0.2), ("search", 0.01), ("model", 0.79))
    ]
    table = pd.DataFrame(rows, columns=["name", "outcome", "value"])
    return table.assign(chosen=table["name"] == tokens[0], aside="1%")


def _shares(tokens):
    weights = np.arange(1.0, 1 + len(tokens))
    return attention_shares([tokens, tokens[:1]], [weights, weights[:1]], np.array([0.75, np.nan]))


FIGURES = {
    "score-dots": lambda tokens: score_dots(_outputs(tokens)),
    "error-dots": lambda tokens: error_dots(_errors(tokens)),
    "verdict-bars": lambda tokens: verdict_bars(_verdicts(tokens), ["same", "search", "model"]),
    "document-shares": _shares,
}

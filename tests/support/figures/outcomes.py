import numpy as np
import pandas as pd

from viz.documents import attention_shares
from viz.outcomes import error_dots, score_dots


def _outputs(tokens):
    texts = [" ".join(tokens), " ".join(tokens[1:])]
    return pd.DataFrame(
        {"name": ["a", "b"], "text": texts, "score": [-1.0, -2.0], "chosen": [True, False]}
    )


def _errors(tokens):
    rows = [
        (name, test, share)
        for name in dict.fromkeys(tokens[:3])
        for test, share in (("exact", 0.2), ("reference", 0.01))
    ]
    table = pd.DataFrame(rows, columns=["name", "test", "value"])
    bounds = {"low": table["value"] / 2, "high": table["value"] * 2}
    return table.assign(**bounds, n=100, chosen=table["name"] == tokens[0], aside="80%")


def _shares(tokens):
    weights = np.arange(1.0, 1 + len(tokens))
    return attention_shares([tokens, tokens[:1]], [weights, weights[:1]], np.array([0.75, np.nan]))


FIGURES = {
    "score-dots": lambda tokens: score_dots(_outputs(tokens)),
    "error-dots": lambda tokens: error_dots(_errors(tokens)),
    "document-shares": _shares,
}

import numpy as np
import pandas as pd

from core.ablation import HeadAblation
from core.records.attention import HEAD
from core.records.sources import TokenSequence
from core.records.tokens import token_labels
from viz.ablation import head_grid
from viz.pronoun import flip_rates

from . import rng

HEADS = tuple((site, layer, 0) for site in ("encoder", "decoder", "cross") for layer in (0, 1))


def sequence(*tokens) -> TokenSequence:
    offsets = tuple((i, i + 1) for i in range(len(tokens)))
    return TokenSequence(" ".join(tokens), tuple(4 + len(t) for t in tokens), tokens, offsets)


def head_ablation(heads, changes, plain, choice_probs, **more) -> HeadAblation:
    """Two tokens, the second output other than the rest."""
    written = sequence("▁es", "▁war")
    other = sequence("▁sie", "▁war")
    values = {
        "src": sequence("▁it"),
        "tgt": written,
        "ablation": "zero",
        "heads": heads,
        "log_probs": np.float32(plain) + np.array(changes, "f4"),
        "plain_log_probs": np.array(plain, "f4"),
        "outputs": tuple(other if i == 1 else written for i in range(len(heads))),
        "plain_output": written,
        "choices": ("▁es", "▁sie"),
        "choice_probs": np.array(choice_probs, "f4"),
        "plain_choice_probs": np.array([0.75, 0.25], "f4"),
        "position": 0,
        "seconds": 0.1,
    }
    return HeadAblation(**{**values, **more})


def heads_table(heads) -> pd.DataFrame:
    return pd.DataFrame(heads, columns=HEAD)


def _heads(tokens, **more):
    changed = [True] + [False] * 5
    outputs = [*tokens] * 6
    values = rng().normal(size=6)
    lines = heads_table(HEADS).assign(text=outputs, changed=changed)
    return head_grid(lines, values, title="change", **more)


def _lines(tokens):
    labels = token_labels([*dict.fromkeys(tokens)][:4])
    n = len(labels)
    places = [label for label in labels for _ in range(n)]
    shares = {name: rng().random(n * n) for name in ("share", "low", "high")}
    return pd.DataFrame({"hidden": labels * n, "place": places, "n": 9, **shares})


FIGURES = {
    "knockout-heads": lambda tokens: _heads(tokens[:1], selected=HEADS[2]),
    "knockout-shares": lambda _: head_grid(
        heads_table(HEADS), rng().random(6), title="share", shares=True
    ),
    "hiding-flips": lambda tokens: flip_rates(_lines(tokens)),
}

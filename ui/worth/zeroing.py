"""Value zeroing: what a layer loses with the values of one token, beside the weights."""

from __future__ import annotations

from core.measures import row_shares
from core.tables import matrix_cells
from core.zeroing import zeroing_facts
from model.experiments.zeroing import value_zeroing
from ui.kit.blocks import picture
from ui.kit.controls import choice
from ui.kit.layout import controls, finding
from ui.state import Run
from ui.words import say, stated
from viz.effect import weight_matrix
from viz.figure import side_by_side

FIRST = 3
"""The layer whose weights go to ``</s>`` most."""


def show(run: Run) -> None:
    """Two maps of one layer: the shares of value zeroing, and the mean of its weights."""
    attention = run.record.of(run.record.between("source", "source"))
    tokens = run.src.tokens
    with controls():
        layer = choice(
            "zeroing_layer",
            range(attention.n_layers),
            words="layer",
            title=False,
            style="select",
            default=min(FIRST, attention.n_layers - 1),
            text=lambda place: say("zeroing-layer", layer=place + 1),
            spell=lambda place: str(place + 1),
            width=112,
        )
    shares = row_shares(run.ask(value_zeroing, run.src, run.tgt, layer))
    weights = attention.weights[layer].mean(0)
    told = {"layer": layer + 1, "n": len(tokens)}
    finding(stated("zeroing-found", **told, **zeroing_facts(shares, weights, run.src)))
    maps = {"share": shares, "weight": weights}
    figures = {
        say(f"zeroing-{name}"): weight_matrix(
            each, tokens, tokens, kind=attention.site, title=f"zeroing-{name}"
        )
        for name, each in maps.items()
    }
    numbers = matrix_cells(shares, tokens, tokens).assign(weight=weights.ravel())
    picture("zeroing", side_by_side(figures), numbers=numbers, text=run.src.text, **told)

"""Names of heads beside their rows in the figure of all heads together."""

from __future__ import annotations

import pytest

from core.weights.aggregate import combine
from core.weights.row_heads import row_of_heads
from support.figures import map_of
from viz.figure import tables_of
from viz.labels import SMALLEST_FONT
from viz.together import heads_together

TOKENS = ["▁a", "▁b", "▁c", "</s>"]


@pytest.mark.parametrize("told", [(0, 0), (1, 1), None])
def test_low_rows_name_only_the_opened_head_and_that_of_the_text(monkeypatch, told):
    monkeypatch.setattr("viz.together._TALLEST", 6.0)
    attention = map_of(TOKENS, "encoder")
    lines = tables_of(
        heads_together(
            combine(attention, "mean"),
            row_of_heads(attention, 0),
            0,
            row_tokens=TOKENS,
            titles=("Mean weight", "Weight"),
            opened=(1, 0),
            headline=told,
        )
    )["heads"]
    named = lines[lines["named"]]
    heads = set(zip(named["layer"], named["head"], strict=True))
    assert heads == {(1, 0), told} - {None}
    assert (named["middle"].diff().dropna() >= SMALLEST_FONT).all()
    weights = lines["weight"].map("{:.2f}".format)
    for line, weight in zip(lines.itertuples(), weights, strict=True):
        assert line.label.endswith(f": {weight}") == ((line.layer, line.head) == told)

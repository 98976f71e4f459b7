"""Order and position in tables."""

from types import SimpleNamespace

import numpy as np
import pytest
from figures import map_of
from test_core_tables import TOKENS

from core.positions import position_head_table
from viz.figure import tables_of
from viz.order import layer_panels
from viz.position_heads import head_scatter

KINDS = ("encoder", "decoder", "cross")


def heads(**changes):
    """The table of two heads a kind; those of the decoder have no row with a choice."""
    none, attention = np.full((1, 2), np.nan), map_of(("a", "b"), layers=1, heads=2)
    found = {
        "plain": SimpleNamespace(kinds=KINDS, of=lambda kind: attention),
        "other_words": {
            "encoder": np.array([[[0.2, 0.9]], [[0.4, 0.7]]]),
            "decoder": np.stack([none, none]),
            "cross": np.array([[[0.5, 0.1]], [[0.5, 0.1]]]),
        },
        "without_positions": {
            "encoder": np.array([[0.6, 0.1]]),
            "decoder": none,
            "cross": np.array([[0.3, 0.4]]),
        },
        "sharpness": dict.fromkeys(KINDS, np.array([[0.5, 0.8]])),
        "chance": {"encoder": 0.3, "decoder": float("nan"), "cross": 0.2},
    }
    return position_head_table(SimpleNamespace(**(found | changes)))


@pytest.mark.parametrize(("measure", "inks"), [("distance", "bw"), ("cosine", "wb")])
def test_far_apart_is_strong(measure, inks):
    """White stands on strong colours: on a large distance, on a small cosine."""
    panels = {"a": np.array([[0.0, 0.0]]), "b": np.array([[0.0, 1.0]])}
    cells = tables_of(layer_panels(panels, TOKENS[:2], measure=measure))["cells"]
    names = {"#000000": "b", "#ffffff": "w"}
    assert "".join(names[ink] for ink in cells["ink"][2:]) == inks


def test_heads_are_ranked_by_what_survives_other_words():
    table = heads()
    assert table["words"].tolist() == pytest.approx([0.8, 0.5, 0.3, 0.1])
    first = table.iloc[0]
    assert (first["kind"], first["layer"], first["head"]) == ("encoder", 1, 2)
    assert first["spread"] == pytest.approx(0.1)  # over the other sentences
    assert set(table["kind"]) == {"encoder", "cross"}


def test_a_model_of_single_heads_has_no_yardstick():
    single = heads(chance=dict.fromkeys(KINDS, float("nan")))
    assert tables_of(head_scatter(single, KINDS))["levels"].empty

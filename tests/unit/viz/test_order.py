"""Order and position in tables."""

import numpy as np
import pytest
from unit.core.test_tables import TOKENS

from viz.figure import tables_of
from viz.order import layer_panels


@pytest.mark.parametrize(("measure", "inks"), [("distance", "bw"), ("cosine", "wb")])
def test_far_apart_is_strong(measure, inks):
    """White stands on strong colours: on a large distance, on a small cosine."""
    panels = {"a": np.array([[0.0, 0.0]]), "b": np.array([[0.0, 1.0]])}
    cells = tables_of(layer_panels(panels, TOKENS[:2], measure=measure))["cells"]
    names = {"#000000": "b", "#ffffff": "w"}
    assert "".join(names[ink] for ink in cells["ink"][2:]) == inks

"""Sentences on when a head formed."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from ui.pages.training.forming import _formed_words

FILM = SimpleNamespace(formation=SimpleNamespace(steps=(0, 100)))


@pytest.mark.parametrize("curve", [(0.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
def test_facts_on_a_head_begin_without_a_space(curve):
    curves = {"encoder": np.reshape(curve, (2, 1, 1))}
    text = _formed_words(FILM, curves, ("encoder", 0, 0), "previous")
    assert ":small[" in text
    assert ":small[ " not in text

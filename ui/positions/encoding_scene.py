"""What every part of the view of the encoding is given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from records import PositionTable
from ui.state import Run
from ui.words import say


@dataclass(frozen=True, eq=False)
class Scene:
    """What every part of the view is given.

    Attributes
    ----------
    own : what the loaded model adds to its embeddings.
    from_model : `values` are the model's, not worked out by the formula.
    values : (length, d_model), shown.
    tokens : the sentence's, from position 0 on; none where it is not to be marked.
    n_tokens, max_len : length of the sentence, and the longest the model takes.
    position, dimension : the chosen value.
    """

    run: Run
    own: PositionTable
    from_model: bool
    values: np.ndarray
    base: float
    tokens: tuple[str, ...]
    n_tokens: int
    max_len: int
    position: int
    dimension: int

    @property
    def length(self) -> int:
        return self.values.shape[0]

    @property
    def d_model(self) -> int:
        return self.values.shape[1]

    @property
    def name(self) -> str:
        source = "model" if self.from_model else "formula"
        sizes = {"d_model": self.d_model, "base": f"{self.base:g}", "length": self.length}
        return say(f"positions-encoding-what-{source}", **sizes)

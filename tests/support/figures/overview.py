import numpy as np

from support.figures import map_of
from viz.overview import head_film, head_grid

LOOK = {"badge_title": "Weight", "selected": ("cross", 0, 1), "marked": [("encoder", 1, 2)]}


def frame_of(tokens):
    """Two sites, of which one has no numbers."""
    maps = [map_of(tokens, "encoder"), map_of(tokens, "cross", layers=1, heads=2)]
    return maps, {"encoder": np.arange(6.0).reshape(2, 3) / 8, "cross": np.full((1, 2), np.nan)}


FIGURES = {
    "overview-grid": lambda tokens: head_grid(*frame_of(tokens), **LOOK),
    "overview-film": lambda tokens: head_film(
        [frame_of(tokens), frame_of(tokens[::-1])], signal="moment", at=1, click=4, **LOOK
    ),
}

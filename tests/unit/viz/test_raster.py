"""Mosaics, read back with an independent PNG decoder."""

import numpy as np
import pytest

from support.figures import pixels_of
from viz.raster import data_url, mosaic_png
from viz.style import Look
from viz.theme import palette_of, rgb_of

RAMP = palette_of("encoder").ramp


def pixels(weights: np.ndarray, ramp=RAMP, **options) -> np.ndarray:
    """Red, green, blue and opacity of a mosaic of tiles (L, H, T_q, T_k), or of one (T_q, T_k)."""
    tiles = weights if weights.ndim == 4 else weights[None, None]
    return pixels_of(mosaic_png(tiles, ramp, **options), "RGBA")


def strong_corners(found: np.ndarray) -> list[list[int]]:
    """The first and the last pixel in the strongest colour."""
    strong = np.argwhere((found[..., :3] == rgb_of(RAMP[-1])).all(axis=-1))
    return [strong.min(axis=0).tolist(), strong.max(axis=0).tolist()]


@pytest.mark.parametrize("dark", [False, True])
def test_zero_and_one_take_the_ends_of_the_ramp(dark):
    ramp = Look(dark=dark)(palette_of, "encoder").ramp
    found = pixels(np.array([[0.0, 1.0]]), ramp, size=2)
    assert tuple(found[0, 0]) == (*rgb_of(ramp[0]), 255)
    assert tuple(found[0, -1]) == (*rgb_of(ramp[-1]), 255)


def test_masked_cells_are_transparent_and_zero_is_not():
    mask = np.array([[True, False], [True, True]])
    found = pixels(np.array([[1.0, 0.0], [0.0, 1.0]]), mask=mask, size=2)
    assert found[..., 3].tolist() == [[255, 0], [255, 255]]


def test_rows_and_columns_stay_in_their_places():
    weights = np.zeros((3, 5))
    weights[2, 1] = 1.0
    found = pixels(weights, size=15)
    assert found.shape[:2] == (15, 15)
    assert strong_corners(found) == [[10, 3], [14, 5]]


def test_a_thumbnail_of_a_long_sentence_stays_small():
    weights = np.random.default_rng(0).dirichlet(np.ones(160), size=160)
    assert len(data_url(mosaic_png(weights[None, None], RAMP))) < 40_000


def test_tiles_stand_by_layer_and_head_with_transparent_gaps():
    weights = np.zeros((2, 3, 2, 2))
    weights[1, 2, 0, 1] = 1.0
    found = pixels(weights, size=8, gap=0.5, gap_below=0.25)
    assert found.shape[:2] == (2 * 10, 3 * 12)
    assert strong_corners(found) == [[10, 2 * 12 + 4], [13, 2 * 12 + 7]]
    assert (found[:, 8:12, 3] == 0).all()
    assert (found[8:10, :, 3] == 0).all()
    assert (found[:8, :8, 3] == 255).all()

"""Mosaics, read back with an independent PNG decoder."""

import numpy as np
import pytest

from support.figures import pixels_of
from viz.look import Look
from viz.raster import data_url, mosaic_png
from viz.theme import palette_of, rgb_of


def matrix_png(weights: np.ndarray, ramp, *, mask=None, size=96) -> bytes:
    """A mosaic of one tile."""
    return mosaic_png(weights[None, None], ramp, mask=mask, size=size)


@pytest.mark.parametrize("dark", [False, True])
def test_zero_and_one_take_the_ends_of_the_ramp(dark):
    ramp = Look(dark=dark)(palette_of, "encoder").ramp
    pixels = pixels_of(matrix_png(np.array([[0.0, 1.0]]), ramp, size=2), "RGBA")
    assert tuple(pixels[0, 0]) == (*rgb_of(ramp[0]), 255)
    assert tuple(pixels[0, -1]) == (*rgb_of(ramp[-1]), 255)


def test_masked_cells_are_transparent_and_zero_is_not():
    mask = np.array([[True, False], [True, True]])
    ramp = palette_of("decoder").ramp
    pixels = pixels_of(
        matrix_png(np.array([[1.0, 0.0], [0.0, 1.0]]), ramp, mask=mask, size=2), "RGBA"
    )
    assert pixels[..., 3].tolist() == [[255, 0], [255, 255]]


def test_rows_and_columns_stay_in_their_places():
    weights = np.zeros((3, 5))
    weights[2, 1] = 1.0
    ramp = palette_of("cross").ramp
    pixels = pixels_of(matrix_png(weights, ramp, size=15), "RGBA")
    assert pixels.shape[:2] == (15, 15)
    strong = np.argwhere((pixels[..., :3] == rgb_of(ramp[-1])).all(axis=-1))
    assert strong.min(axis=0).tolist() == [10, 3]
    assert strong.max(axis=0).tolist() == [14, 5]


def test_a_thumbnail_of_a_long_sentence_stays_small():
    weights = np.random.default_rng(0).dirichlet(np.ones(160), size=160)
    assert len(data_url(matrix_png(weights, palette_of("encoder").ramp))) < 40_000


def test_tiles_stand_by_layer_and_head_with_transparent_gaps():
    weights = np.zeros((2, 3, 2, 2))
    weights[1, 2, 0, 1] = 1.0
    ramp = palette_of("encoder").ramp
    pixels = pixels_of(mosaic_png(weights, ramp, size=8, gap=0.5, gap_below=0.25), "RGBA")
    assert pixels.shape[:2] == (2 * 10, 3 * 12)
    strong = np.argwhere((pixels[..., :3] == rgb_of(ramp[-1])).all(axis=-1))
    assert strong.min(axis=0).tolist() == [10, 2 * 12 + 4]
    assert strong.max(axis=0).tolist() == [13, 2 * 12 + 7]
    assert (pixels[:, 8:12, 3] == 0).all()
    assert (pixels[8:10, :, 3] == 0).all()
    assert (pixels[:8, :8, 3] == 255).all()

"""Sinusoidal positions against the formula of the paper, its known values and its property."""

import math

import pytest
import torch

from model.block import PositionalEncoding, sinusoidal_encoding
from model.config import TransformerConfig


def by_the_formula(n_positions, d_model, base):
    """Vaswani et al. 2017, section 3.5, one number at a time."""
    table = [[0.0] * d_model for _ in range(n_positions)]
    for pos in range(n_positions):
        for i in range(d_model // 2):
            table[pos][2 * i] = math.sin(pos / base ** (2 * i / d_model))
            table[pos][2 * i + 1] = math.cos(pos / base ** (2 * i / d_model))
    return torch.tensor(table)


@pytest.mark.parametrize(
    ("n_positions", "d_model", "base"), [(1, 2, 1e4), (7, 6, 1e4), (200, 16, 1e4), (9, 4, 50.0)]
)
def test_table_matches_the_formula(n_positions, d_model, base):
    expected = by_the_formula(n_positions, d_model, base)
    found = sinusoidal_encoding(n_positions, d_model, base)
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-7)
    assert d_model != 4 or not torch.equal(found, sinusoidal_encoding(n_positions, d_model))


def test_positions_are_added_from_start_on_and_not_written_to_a_checkpoint():
    encoding = PositionalEncoding(TransformerConfig(9, 4, 2, max_len=10))
    x = torch.ones(2, 3, 4)
    torch.testing.assert_close(encoding(x, 5), x + sinusoidal_encoding(10, 4)[5:8])
    assert encoding.state_dict() == {}
    with pytest.raises(ValueError, match="position 10 is beyond the model's 10"):
        encoding(torch.ones(1, 2, 4), 9)
    with pytest.raises(ValueError, match="even, found 5"):
        sinusoidal_encoding(3, 5)

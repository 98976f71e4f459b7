"""Masks: True always means "may look"."""

import torch

from model.masks import attention_mask, causal_mask, key_padding_mask


def test_causal_mask_shows_the_present_and_the_past():
    assert causal_mask(3).tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]


def test_key_padding_mask_is_true_at_padding():
    assert key_padding_mask(torch.tensor([[5, 0], [7, 8]]), pad_id=0).tolist() == [
        [False, True],
        [False, False],
    ]


def test_without_padding_and_future_everything_may_be_seen():
    assert attention_mask(None) is None


def test_padding_turns_into_keys_that_may_not_be_seen():
    mask = attention_mask(torch.tensor([[False, True], [False, False]]))
    assert mask.shape == (2, 1, 1, 2)
    assert mask[:, 0, 0].tolist() == [[True, False], [True, True]]


def test_padding_and_future_are_both_hidden():
    mask = attention_mask(torch.tensor([[False, False, True]]), causal_mask(3))
    assert mask[0, 0].tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, False],
    ]

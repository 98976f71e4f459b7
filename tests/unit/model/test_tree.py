"""Attention of every node of a search tree, at once and step by step.

That it is what the path of a node alone gives, the claims "search" and "tree-attention" say.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import torch

from core.records.search import Decoding, Sampling
from model.experiments.tree import gather_tree, walk_tree
from model.search.beam import beam_search
from model.search.sampling import sample_search
from support.models import make_model

SRC = torch.tensor([[5, 4, 7, 8, 3]])
MODEL = make_model(3, n_decoder_layers=3)


def search(prefix=(), stop=None, **options):
    defaults = {"beam_size": 3, "alpha": 0.6, "max_len": 9, "n_runners_up": 4}
    return beam_search(MODEL, SRC, Decoding(**(defaults | options)), prefix=prefix, stop=stop)


TREES = {
    "pruning": partial(search, penalise="pruning"),
    "forced": partial(search, prefix=(9, 10)),
    "one step": partial(search, max_len=1),
    "samples": lambda: sample_search(MODEL, SRC, Sampling(9, max_len=7)),
    "only a root": partial(search, stop=lambda: True),
}


@pytest.mark.parametrize("name", TREES)
def test_a_tree_at_once_in_chunks_is_the_tree_step_by_step(name):
    tree = TREES[name]()
    cross, decoder, lengths = walk_tree(MODEL, SRC, tree)
    deepest = max(node.step for node in tree.nodes) or 1
    assert cross.shape == (len(tree.nodes), 3, 4, 5)
    assert decoder.shape == (len(tree.nodes), 3, 4, deepest)
    assert (cross.dtype, decoder.dtype) == (np.float32, np.float32)
    assert lengths.tolist() == [node.step for node in tree.nodes]
    assert not cross[0].any()  # the root is produced by nothing
    beyond = np.arange(deepest) >= lengths[:, None]
    assert not decoder.transpose(0, 3, 1, 2)[beyond].any()
    for made in (gather_tree(MODEL, SRC, tree), gather_tree(MODEL, SRC, tree, chunk_size=2)):
        for one, other in zip(made, (cross, decoder, lengths), strict=True):
            np.testing.assert_allclose(one, other, rtol=0, atol=1e-5)

"""Attention of every node against reading its path alone, without caches."""

from functools import partial

import numpy as np
import pytest
import torch

from core.search import Decoding, Sampling
from model import capture_attention
from model.experiments.tree import gather_tree, walk_tree
from model.sampling import sample_search
from model.search import beam_search
from support.models import make_model

SRC = torch.tensor([[5, 4, 7, 8, 3]])


@pytest.fixture(scope="module")
def model():
    return make_model(3, n_decoder_layers=3)


def search(model, prefix=(), stop=None, **options):
    defaults = {"beam_size": 3, "alpha": 0.6, "max_len": 9, "n_runners_up": 4}
    return beam_search(model, SRC, Decoding(**(defaults | options)), prefix=prefix, stop=stop)


@torch.inference_mode()
def read_alone(model, tree, node_id):
    """Cross-attention (L, H, T_src) and self-attention (L, H, step) when the token was produced."""
    ids = [node.token_id for node in tree.path(node_id)[:-1]]
    with capture_attention(model) as captured:
        model(SRC, torch.tensor([ids]))
    return captured.weights("cross")[0, :, :, -1], captured.weights("decoder")[0, :, :, -1]


TREES = {
    "beam": search,
    "pruning": partial(search, penalise="pruning"),
    "forced": partial(search, prefix=(9, 10)),
    "greedy": partial(search, beam_size=1, n_runners_up=0),
    "one step": partial(search, max_len=1),
    "samples": lambda model: sample_search(model, SRC, Sampling(9, max_len=7)),
}


@pytest.mark.parametrize("attend", [gather_tree, walk_tree])
@pytest.mark.parametrize("name", TREES)
def test_every_node_sees_what_its_path_alone_would_see(model, name, attend):
    tree = TREES[name](model)
    cross, decoder, lengths = attend(model, SRC, tree)
    deepest = max(node.step for node in tree.nodes)
    assert cross.shape == (len(tree.nodes), 3, 4, 5)
    assert decoder.shape == (len(tree.nodes), 3, 4, deepest)
    assert (cross.dtype, decoder.dtype) == (np.float32, np.float32)
    assert lengths.tolist() == [node.step for node in tree.nodes]
    assert not cross[0].any()  # the root is produced by nothing
    for node in tree.nodes:
        own, padding = np.split(decoder[node.id], [lengths[node.id]], axis=-1)
        assert not padding.any()
        if node.id:
            alone_cross, alone_decoder = read_alone(model, tree, node.id)
            np.testing.assert_allclose(cross[node.id], alone_cross, rtol=0, atol=1e-5)
            np.testing.assert_allclose(own, alone_decoder, rtol=0, atol=1e-5)


@pytest.mark.parametrize("chunk_size", [1, 2, 7])
def test_chunks_change_nothing(model, chunk_size):
    tree = search(model)
    parts = gather_tree(model, SRC, tree, chunk_size=chunk_size)
    for expected, found in zip(gather_tree(model, SRC, tree), parts, strict=True):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6)


def test_a_tree_that_is_only_a_root_has_no_rows(model):
    tree = search(model, stop=lambda: True)
    cross, decoder, lengths = walk_tree(model, SRC, tree)
    for quick, walked in zip(gather_tree(model, SRC, tree), (cross, decoder, lengths), strict=True):
        np.testing.assert_array_equal(quick, walked)
    assert lengths.tolist() == [0]
    assert not cross.any()
    assert not decoder.any()

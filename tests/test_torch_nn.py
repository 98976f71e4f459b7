"""State dicts of `torch.nn.Transformer`: torch's own logits, and facts that are never guessed."""

import json

import pytest
import torch
from formats.torch_nn import READ, WORDS, make

from model.errors import CheckpointError
from model.formats.torch_nn import FORMAT
from model.transformer import Transformer


def logits_of(converted, src, tgt):
    model = Transformer(converted.config).eval()
    missing = model.load_state_dict(converted.tensors, strict=False)
    assert not missing.unexpected_keys
    with torch.inference_mode():
        return model(torch.tensor([src]), torch.tensor([tgt]))[0, :, : len(WORDS)]


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize("positions", ["learned", "sines", "halves unsaved"])
@pytest.mark.parametrize("own", [{}, {"sides": True, "scale": True}, {"tied": True}, {"bias": False}])
@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
def test_logits_are_those_of_torch_and_the_pair_tells_the_facts(
    tmp_path, norm_first, activation, positions, own
):
    told = {"positions": positions, "norm_first": norm_first, "activation": activation}
    model = make(tmp_path, **told, **own)
    assert FORMAT.recognises(tmp_path)
    converted = FORMAT.read(tmp_path, {})
    for src, tgt in READ:
        with torch.inference_mode():
            theirs = model(torch.tensor([src]), torch.tensor([tgt]))[0]
        torch.testing.assert_close(logits_of(converted, src, tgt), theirs, rtol=1e-5, atol=1e-5)
    config = converted.config
    found = (config.n_heads, config.norm, config.activation, config.positions)
    norm = "before" if norm_first else "after"
    assert found == (3, norm, activation, positions.split()[0])

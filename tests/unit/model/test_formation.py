"""Recordings of a training: written as the model sees it, read again or refused."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace

import numpy as np
import pytest
import torch

from core.records.attention import CROSS, ENCODER
from model import CheckpointError
from model.io.formation import observe, read_formation, read_metrics
from support.models import make_model

SRC, TGT, OTHER = [5, 6, 7, 3], [8, 9, 3], [10, 11, 3]


@pytest.fixture
def model():
    return make_model(vocab_size=20).eval()


def test_log_p_and_the_likeliest_are_those_of_the_logits(model):
    seen = observe(model, SRC, TGT)
    logits = model(torch.tensor([SRC]), torch.tensor([[2, 8, 9]]))[0]
    expected = torch.log(torch.softmax(logits.double(), -1))[range(3), TGT]
    np.testing.assert_allclose(seen.log_probs, expected.detach(), atol=1e-5)
    assert seen.likeliest.tolist() == logits.argmax(-1).tolist()
    assert seen.word_gain is None


def test_the_gain_of_words_is_that_of_uniform_attention(model):
    """The same by averaging the values oneself, in a model of the same weights."""
    same = make_model(vocab_size=20).eval()
    for layer in same.decoder_layers:
        # Queries of zero look everywhere alike.
        layer.cross_attention.query_proj.weight.data.zero_()
        layer.cross_attention.query_proj.bias.data.zero_()
    read = torch.tensor([[2, 8, 9]])
    own, other = (
        same(torch.tensor([ids]), read)[0].log_softmax(-1)[range(3), TGT] for ids in (SRC, OTHER)
    )
    seen = observe(model, SRC, TGT, OTHER)
    np.testing.assert_allclose(seen.word_gain, (own - other).detach(), atol=1e-5)


SITES = (replace(ENCODER, n_layers=1, n_heads=2), replace(CROSS, n_layers=1, n_heads=2))


def arrays(**changes) -> dict[str, np.ndarray]:
    found = {
        "steps": np.array([0, 5, 9]),
        "sources": np.array(["a b"]),
        "targets": np.array(["x"]),
        "source_tokens_0": np.array(["▁a", "▁b", "</s>"]),
        "target_tokens_0": np.array(["▁x", "</s>"]),
        "encoder_0": np.full((3, 1, 2, 3, 3), 1 / 3, np.float16),
        "cross_0": np.full((3, 1, 2, 2, 3), 1 / 3, np.float16),
        "log_probs_0": np.zeros((3, 2), np.float16),
    } | changes
    return {name: value for name, value in found.items() if value is not None}


def stored(path, **changes):
    np.savez_compressed(path, **arrays(**changes))
    return path


def test_a_formation_is_read_with_the_maps_of_each_step_that_were_recorded(tmp_path):
    found = read_formation(stored(tmp_path / "formation.npz"), SITES)
    assert found.steps.tolist() == [0, 5, 9]
    encoder, cross = found.maps(0, 2)
    assert encoder.weights.shape == (1, 2, 3, 3)
    assert cross.query_tokens == ("<s>", "▁x")
    assert cross.output_tokens == ("▁x", "</s>")
    assert found.sentences[0].likeliest is None
    assert read_formation(tmp_path / "missing.npz", SITES) is None
    path = stored(tmp_path / "formation.npz", encoder_0=None)
    assert [site.name for site in read_formation(path, SITES).sites] == ["cross"]


DAMAGES = [
    {"steps": np.array([0, 9, 5])},
    {"steps": np.array([0.0, 1.0, 2.0])},
    {"encoder_0": np.zeros((3, 1, 4, 3, 3), np.float16)},
    {"cross_0": np.zeros((2, 1, 2, 2, 3), np.float16)},
    {"log_probs_0": np.full((3, 2), np.nan, np.float16)},
    {"source_tokens_0": np.array([1, 2, 3])},
    {"encoder_0": None, "cross_0": None},
    {"sources": None},
    {"likeliest_0": np.array([["▁x", "</s>"]])},
]


def test_arrays_that_do_not_fit_together_are_refused(tmp_path):
    for changes in DAMAGES:
        path = stored(tmp_path / "formation.npz", **changes)
        with pytest.raises(CheckpointError) as raised:
            read_formation(path, SITES)
        assert raised.value.message.id == "model-formation-damaged", changes


def cut_short(path):
    path.write_bytes(path.read_bytes()[:-200])


def damaged(path):
    raw = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as packed:
        start = packed.getinfo("encoder_0.npy").header_offset + 60
    raw[start : start + 30] = b"\xff" * 30
    path.write_bytes(raw)


def pickled(path):
    np.savez(path, **arrays(steps=np.array([Mark()], dtype=object)))


class Mark:
    """An object that leaves a trace if it is unpickled."""

    def __reduce__(self):
        return (pytest.fail, ("a pickle was opened",))


@pytest.mark.parametrize("harm", [cut_short, damaged, pickled])
def test_a_file_that_is_damaged_is_refused_and_no_pickle_opened(tmp_path, harm):
    path = stored(tmp_path / "formation.npz")
    harm(path)
    with pytest.raises(CheckpointError):
        read_formation(path, SITES)


def test_lines_that_cannot_be_read_are_counted_and_passed_over(tmp_path):
    path = tmp_path / "metrics.jsonl"
    lines = [
        json.dumps({"step": 1, "loss": 2.5, "note": "text", "on": True}),
        '{"step": 2, "loss": NaN, "lr": 0.1}',
        "[1, 2]",
        '{"loss": 1.0}',
        '{"step": 3, "lo',
    ]
    path.write_text("\n".join(lines))
    found = read_metrics(path)
    assert found.n_unread == 3
    assert found.lines == ({"step": 1, "loss": 2.5}, {"step": 2, "lr": 0.1})
    steps, values = found.of("loss")
    assert (steps.tolist(), values.tolist()) == ([1], [2.5])
    assert read_metrics(tmp_path / "other.jsonl") is None

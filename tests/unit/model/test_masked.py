"""The model of masked words against torch's own encoder, and its reader."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from model import CheckpointError, InputError, MaskedReader, load_model, save_checkpoint
from model.families.masked import FAMILY, SPECIAL, MaskedConfig
from model.io.config_files import config_from_dict
from model.tokenizer import TextTokenizer, build_tokenizer
from support.twins import copy_layer

SENTENCES = ["The dog runs through the snow.", "The dogs near the house are brown.", "It is old."]
TEXT = SENTENCES[1]
SIZES = {"d_model": 16, "n_heads": 2, "n_encoder_layers": 2, "d_ff": 24, "max_len": 20}
IDS = torch.tensor([[2, 9, 14, 7, 11, 3]])


def make(**entries):
    torch.manual_seed(3)
    model = FAMILY.build(MaskedConfig(**({"vocab_size": 30} | SIZES | entries))).eval()
    for parameter in model.parameters():  # biases of zero would hide a bias that is not used
        if parameter.dim() == 1:
            nn.init.uniform_(parameter, -0.5, 0.5)
    return model


@pytest.fixture(scope="module")
def tokenizer() -> TextTokenizer:
    return build_tokenizer(SENTENCES * 3, 90, tuple(SPECIAL.values()))


@pytest.fixture(scope="module")
def reader(tokenizer, tmp_path_factory) -> MaskedReader:
    folder = tmp_path_factory.mktemp("masked") / "bert"
    model = make(vocab_size=tokenizer.vocab_size)
    save_checkpoint(folder, model, tokenizer, architecture=FAMILY.name)
    found = load_model(folder)
    assert isinstance(found, MaskedReader)
    return found


def torch_encoder(model) -> nn.TransformerEncoder:
    """torch's layers with the weights of ours."""
    config = model.config
    sizes = {"dim_feedforward": config.d_ff, "dropout": 0.0, "batch_first": True}
    layer = nn.TransformerEncoderLayer(config.d_model, config.n_heads, **sizes)
    encoder = nn.TransformerEncoder(layer, config.n_encoder_layers, enable_nested_tensor=False)
    for theirs, ours in zip(encoder.layers, model.encoder_layers, strict=True):
        copy_layer(theirs, ours)
    return encoder.eval()


@pytest.mark.parametrize("left_only", [False, True])
def test_logits_are_those_of_torchs_encoder_with_the_same_weights(left_only):
    model = make()
    n, d = IDS.shape[1], model.config.d_model
    places = torch.arange(n)[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
    sines = torch.stack([places.sin(), places.cos()], dim=-1).flatten(1)
    x = model.embedding.weight[IDS] * math.sqrt(d) + sines
    mask = torch.ones(n, n, dtype=torch.bool).triu(1) if left_only else None
    hidden = torch_encoder(model)(x, mask=mask)
    head = F.gelu(hidden @ model.transform.weight.T + model.transform.bias)
    head = F.layer_norm(head, (d,), model.transform_norm.weight, model.transform_norm.bias)
    expected = head @ model.embedding.weight.T + model.output_bias
    torch.testing.assert_close(model(IDS, left_only=left_only), expected, rtol=0, atol=1e-5)


def test_sizes_that_cannot_be_are_refused():
    for entry, value in (
        *(("mask_id", 3), ("mask_id", 30), ("n_heads", 3), ("d_ff", 0), ("max_len", 0)),
    ):
        with pytest.raises(CheckpointError, match=entry):
            config_from_dict(MaskedConfig, {"vocab_size": 30} | SIZES | {entry: value})


def test_a_mask_may_be_typed_and_what_stands_around_a_text_may_not(tokenizer):
    plain = tokenizer.encode("The dog runs.")
    assert (plain.tokens[0], plain.tokens[-1]) == ("[CLS]", "[SEP]")
    assert plain.special == (True, *[False] * (len(plain) - 2), True)
    assert tokenizer.encode_batch(["The dog runs."]) == [list(plain.ids)]
    assert tokenizer.decode(plain.ids).text == "The dog runs."
    found = tokenizer.encode("The [MASK] is [MASK].")
    plain = tokenizer.encode("The dog is dog.")
    mask = tokenizer.id_of("[MASK]")
    assert [found.text[slice(*found.offsets[i])] for i in (2, 4)] == ["[MASK]", "[MASK]"]
    # A full stop right after a mask is the piece it is after a word.
    dog = tokenizer.encode("dog").ids[1]
    assert found.ids == tuple(mask if i == dog else i for i in plain.ids)
    typed = tokenizer.encode("[CLS] a [SEP]")
    assert typed.ids.count(tokenizer.id_of("[CLS]")) == 1
    assert typed.ids.count(tokenizer.id_of("[SEP]")) == 1


def log_probs(reader: MaskedReader, ids, *, left_only: bool = False) -> np.ndarray:
    with torch.inference_mode():
        logits = reader.model(torch.tensor([list(ids)]), left_only=left_only)[0]
    return logits.log_softmax(dim=-1).numpy()


def masking(reader, src, *places):
    """The ids of a text with `[MASK]` at places."""
    return [reader.model.config.mask_id if i in places else id for i, id in enumerate(src.ids)]


@pytest.mark.parametrize("left_only", [False, True])
def test_guesses_are_those_of_the_network_at_every_mask(reader, left_only):
    src = reader.sentence(TEXT)
    expected = log_probs(reader, masking(reader, src, 2, 4), left_only=left_only)
    guesses = reader.guess(src, (2, 4), left_only=left_only, k=5)
    assert [each.position for each in guesses] == [2, 4]
    for each in guesses:
        row = expected[each.position]
        best = np.argsort(-row)[:5]
        assert each.ids == tuple(best)
        np.testing.assert_allclose(each.log_probs, row[best], atol=1e-5)
        assert each.masked_id == src.ids[each.position]
        assert each.own_log_prob == pytest.approx(row[each.masked_id], abs=1e-5)
        assert each.own_rank == int((row > row[each.masked_id]).sum()) + 1
        assert each.entropy == pytest.approx(-(np.exp(row) * row).sum(), abs=1e-4)


def test_a_typed_mask_is_guessed_and_nothing_was_there(reader):
    (guess,) = reader.guess(reader.sentence("The [MASK] runs."))
    assert (guess.position, guess.masked_id, guess.own_rank) == (2, None, 0)
    assert math.isnan(guess.own_log_prob)
    src = reader.sentence(TEXT)
    assert reader.guess(src) == ()
    for place in (0, len(src) - 1, 99):
        with pytest.raises(ValueError, match="expected positions among"):
            reader.guess(src, [place])
    for text in ("", "   ", "\u200b", "a " * 30):
        with pytest.raises(InputError):
            reader.sentence(text)


def test_pseudo_log_likelihood_masks_each_piece_alone(reader):
    src = reader.sentence(TEXT)
    found = reader.both_sides(src)
    assert found.places == tuple(range(1, len(src) - 1))
    for values, left_only in ((found.both, False), (found.left, True)):
        for place, value in zip(found.places, values, strict=True):
            alone = log_probs(reader, masking(reader, src, place), left_only=left_only)
            assert value == pytest.approx(alone[place, src.ids[place]], abs=1e-5)
    assert not np.allclose(found.both, found.left)


def test_a_choice_is_between_single_pieces(reader, tokenizer):
    src = reader.sentence(TEXT)
    place = src.pieces_of("are")[0]
    right, long = reader.choose(src, place, ["are", "unheard"])
    expected = log_probs(reader, masking(reader, src, place))[place, tokenizer.id_of("▁are")]
    assert right == pytest.approx(expected, abs=1e-5)
    assert math.isnan(long)


def test_attention_from_the_left_has_nothing_to_the_right(reader):
    src = reader.sentence(TEXT)
    both = reader.attend_to(src, [2]).of("encoder")
    left = reader.attend_to(src, [2], left_only=True).of("encoder")
    assert both.key_tokens[2] == "[MASK]"
    assert (np.triu(left.weights, 1) == 0).all()
    assert (np.triu(both.weights, 1).sum(axis=(-2, -1)) > 0).all()
    np.testing.assert_allclose(left.weights.sum(axis=-1), 1, atol=1e-5)


def test_leaving_one_out_masks_one_piece_more(reader):
    src = reader.sentence(TEXT)
    found = reader.leave_one_out(src, (2, 4), 4)
    pieces = [place for place, special in enumerate(src.special) if not special]
    assert found.others == tuple(place for place in pieces if place not in (2, 4))
    alone = [((), found.log_prob)]
    more = [((i,), value) for i, value in zip(found.others, found.without, strict=True)]
    for others, value in alone + more:
        expected = log_probs(reader, masking(reader, src, 2, 4, *others))[4, src.ids[4]]
        assert value == pytest.approx(expected, rel=1e-4)
    assert len(reader.leave_one_out(src, pieces, pieces[0]).without) == 0
    src = reader.sentence("The [MASK] is old.")
    (typed,) = reader.typed_masks(src)
    assert typed not in reader.leave_one_out(src, (3,), 3).others
    with pytest.raises(ValueError, match="expected a position among"):
        reader.leave_one_out(src, (3,), 1)

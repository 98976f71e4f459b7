"""The model of masked words against torch's own encoder, its vocabulary, and its reader."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from model import CheckpointError, InputError, MaskedReader, load_reader, save_checkpoint
from model.config import config_from_dict
from model.families.masked import FAMILY, SPECIAL, MaskedConfig
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
    found = load_reader(folder)
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


@pytest.mark.parametrize(
    "entries", [{"mask_id": 3}, {"mask_id": 30}, {"n_heads": 3}, {"d_ff": 0}, {"max_len": 0}]
)
def test_sizes_that_cannot_be_are_refused(entries):
    with pytest.raises(CheckpointError, match=next(iter(entries))):
        config_from_dict(MaskedConfig, {"vocab_size": 30} | SIZES | entries)


def test_a_text_stands_between_its_two_signs(tokenizer):
    found = tokenizer.encode("The dog runs.")
    assert (found.tokens[0], found.tokens[-1]) == ("[CLS]", "[SEP]")
    assert found.special == (True, *[False] * (len(found) - 2), True)
    assert tokenizer.encode_batch(["The dog runs."]) == [list(found.ids)]
    assert tokenizer.decode(found.ids).text == "The dog runs."


def test_a_mask_may_be_typed_and_what_stands_around_a_text_may_not(tokenizer):
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


@pytest.mark.parametrize("left_only", [False, True])
def test_guesses_are_what_the_network_says_at_every_mask(reader, left_only):
    src = reader.sentence(TEXT)
    mask = reader.model.config.mask_id
    ids = [mask if place in (2, 4) else i for place, i in enumerate(src.ids)]
    expected = log_probs(reader, ids, left_only=left_only)
    guesses = reader.guess(src, (2, 4), left_only=left_only, k=5)
    assert [each.place for each in guesses] == [2, 4]
    for each in guesses:
        row = expected[each.place]
        best = np.argsort(-row)[:5]
        assert each.ids == tuple(best)
        np.testing.assert_allclose(each.log_probs, row[best], atol=1e-5)
        assert each.own == src.ids[each.place]
        assert each.own_log_prob == pytest.approx(row[each.own], abs=1e-5)
        assert each.own_rank == int((row > row[each.own]).sum()) + 1
        assert each.entropy == pytest.approx(-(np.exp(row) * row).sum(), abs=1e-4)


def test_a_typed_mask_is_guessed_and_nothing_was_there(reader):
    (guess,) = reader.guess(reader.sentence("The [MASK] runs."))
    assert (guess.place, guess.own, guess.own_rank) == (2, None, 0)
    assert math.isnan(guess.own_log_prob)
    assert reader.guess(reader.sentence(TEXT)) == ()


@pytest.mark.parametrize("place", [0, -1, 99])
def test_what_is_no_piece_is_not_masked(reader, place):
    src = reader.sentence(TEXT)
    with pytest.raises(ValueError, match="no places"):
        reader.guess(src, [place % len(src) if place < 0 else place])


def test_pseudo_log_likelihood_masks_each_piece_alone(reader):
    src = reader.sentence(TEXT)
    found = reader.both_sides(src)
    assert found.places == tuple(range(1, len(src) - 1))
    mask = reader.model.config.mask_id
    for values, left_only in ((found.both, False), (found.left, True)):
        for place, value in zip(found.places, values, strict=True):
            ids = [mask if i == place else id for i, id in enumerate(src.ids)]
            alone = log_probs(reader, ids, left_only=left_only)[place, src.ids[place]]
            assert value == pytest.approx(alone, abs=1e-5)
    assert not np.allclose(found.both, found.left)


def test_a_choice_is_between_single_pieces(reader, tokenizer):
    src = reader.sentence(TEXT)
    place = src.pieces_of("are")[0]
    right, long = reader.choose(src, place, ["are", "unheard"])
    mask = reader.model.config.mask_id
    ids = [mask if i == place else id for i, id in enumerate(src.ids)]
    expected = log_probs(reader, ids)[place, tokenizer.id_of("▁are")]
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


@pytest.mark.parametrize("text", ["", "   ", "\u200b", "a " * 30])
def test_what_cannot_be_read_is_refused(reader, text):
    with pytest.raises(InputError):
        reader.sentence(text)


def test_leaving_one_out_masks_one_piece_more(reader):
    src = reader.sentence(TEXT)
    found = reader.leave_one_out(src, (2, 4), 4)
    mask = reader.model.config.mask_id
    pieces = [place for place, special in enumerate(src.special) if not special]
    assert found.others == tuple(place for place in pieces if place not in (2, 4))
    ids = [mask if place in (2, 4) else i for place, i in enumerate(src.ids)]
    assert math.isclose(found.log_prob, log_probs(reader, ids)[4, src.ids[4]], rel_tol=1e-4)
    for other, said in zip(found.others, found.without, strict=True):
        more = [mask if place == other else i for place, i in enumerate(ids)]
        assert math.isclose(said, log_probs(reader, more)[4, src.ids[4]], rel_tol=1e-4)


def test_leaving_one_out_passes_over_typed_masks_and_wants_a_masked_place(reader):
    src = reader.sentence("The [MASK] is old.")
    (typed,) = reader.typed_masks(src)
    assert typed not in reader.leave_one_out(src, (3,), 3).others
    with pytest.raises(ValueError, match="none of the masked places"):
        reader.leave_one_out(src, (3,), 1)
    pieces = [place for place, special in enumerate(src.special) if not special]
    assert len(reader.leave_one_out(src, pieces, pieces[0]).without) == 0

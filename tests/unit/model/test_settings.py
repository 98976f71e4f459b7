"""Every setting of the Transformer: what is worked out from it, held against slower ways."""

from __future__ import annotations

import random
from functools import cache, partial

import numpy as np
import pytest
import torch

from core.architecture import boxes_of
from core.arithmetic import staged
from core.attention import AttentionRecord
from core.block import left_of, recurrence_map
from core.card import CheckpointCard
from core.changes import Positions
from core.intervention import Intervention
from model import Translator
from model.capture import listening
from model.check import check, claims_of
from model.checkpoint import LoadedCheckpoint
from model.config import TransformerConfig
from model.errors import InterventionError
from model.experiments import order
from model.experiments.arithmetic import vectors_of
from model.experiments.block import gates_of, streams_of
from model.experiments.contributions import contributions_of
from model.experiments.explain import gradient_times_input
from model.experiments.why import why_of
from model.experiments.zeroing import value_zeroing
from model.families.transformer import FAMILY
from model.read import read_ids, tensor_of
from model.tokenizer import TextTokenizer, build_tokenizer
from support.models import SENTENCES
from ui.architecture import _leaving

BEFORE = {"norm": "before", "final_norm": True}
BART = {"activation": "gelu", "positions": "learned", "embedding_norm": True, "output_bias": True}
T5 = {"norm_kind": "rms", "positions": "relative", "scale_embedding": False, "d_head": 3, **BEFORE}
MARIAN = {"positions": "tensor2tensor", "shared_embedding": False, "output_bias": True}
SETTINGS = {
    "ours": {},
    "bart": BART,
    "mbart": BART | BEFORE,
    "m2m100": {"positions": "tensor2tensor", "position_offset": 2, **BEFORE},
    "t5": T5,
    "gated-t5": T5 | {"activation": "gelu-tanh", "gated": True, "tied_output": False},
    "opus-mt": MARIAN | {"positions": "halves", "activation": "silu"},
    "student": MARIAN | {"decoder": "ssru"},
    "torch": {"final_norm": True, "tied_output": False, "output_bias": True},
}
EVERY = {
    "norm": ["after", "before"],
    "norm_kind": ["layer", "rms"],
    "activation": ["relu", "gelu", "gelu-tanh", "gelu-sigmoid", "silu"],
    "gated": [False, True],
    "positions": ["sines", "halves", "tensor2tensor", "learned", "relative"],
    "scale_embedding": [True, False],
    "embedding_norm": [False, True],
    "final_norm": [False, True],
    "tied_output": [True, False],
    "output_bias": [False, True],
    "decoder": ["attention", "ssru"],
    "shared_embedding": [True, False],
    "d_head": [0, 3],
    "relative_distance": [128, 10],
}
TEXT = SENTENCES[4]


@cache
def tokenizer(vocab_size: int) -> TextTokenizer:
    return build_tokenizer(SENTENCES * 3, vocab_size)


def made(**settings) -> Translator:
    """A reader with random weights, none of them at the value that layers begin with."""
    shared = settings.get("shared_embedding", True)
    source = tokenizer(90 if shared else 75)
    vocabulary = {} if shared else {"source_vocab_size": source.vocab_size}
    sizes = {"d_model": 8, "n_heads": 2, "n_encoder_layers": 2, "n_decoder_layers": 2, "d_ff": 16}
    config = TransformerConfig(90, max_len=60, **sizes, **vocabulary, **settings)
    assert not config.faults()
    torch.manual_seed(5)
    model = FAMILY.build(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += 0.3 * torch.randn(parameter.shape)
    card = CheckpointCard("made", FAMILY.name, ("en", "de"), 0, {}, "made")
    vocabularies = {"source": source, "target": tokenizer(90)}
    return Translator(LoadedCheckpoint(model, vocabularies, card, FAMILY))


def drawn(seed: int) -> dict[str, object]:
    generator = random.Random(seed)
    return {name: generator.choice(values) for name, values in EVERY.items()}


def pair(reader: Translator):
    tgt = reader.tokenizer.encode(SENTENCES[5], written=True)
    return reader.tokenize(TEXT), reader.tokenizer.decode(tgt.ids[:7])


def log_probs(reader: Translator, src, tgt, *changes) -> np.ndarray:
    return reader.read_again(src, tgt, Intervention(*changes))[1]


def no_claim_is_false(settings: dict[str, object]) -> None:
    reader = made(**settings)
    results = check(reader, claims_of(reader))
    assert {
        each.capability: (each.difference, each.error) for each in results if not each.holds
    } == {}
    assert {"tree-attention", "order", "positions"} <= {each.capability for each in results}


@pytest.mark.parametrize("settings", [*SETTINGS.values(), *map(drawn, range(8))])
def test_no_claim_is_false_of_settings_that_others_use_and_of_any(settings):
    no_claim_is_false(settings)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8, 56))
def test_no_claim_is_false_of_many_settings(seed):
    no_claim_is_false(drawn(seed))


# -- what is no claim of its own -------------------------------------------------------------


@pytest.mark.parametrize("name", SETTINGS)
def test_the_parts_of_scores_rows_and_outputs_are_those_of_the_run(name):
    reader = made(**SETTINGS[name])
    src, tgt = pair(reader)
    record: AttentionRecord = reader.read_again(src, tgt, scores=True)[0]
    for layer in range(2):
        split = why_of(reader, src, tgt, layer)
        assert max(split.error(head) for head in range(2)) < 1e-4
    assert all(each.error < 1e-4 for each in contributions_of(reader, record))
    for vectors in vectors_of(reader, record):
        stages = staged(vectors, record.of(vectors.kind), 1, 1, 3)
        assert stages.largest_difference < 1e-5
        assert stages.relative.any() == (vectors.relative is not None)


@pytest.mark.parametrize("name", SETTINGS)
def test_a_token_without_values_turns_a_layer_as_in_the_whole_encoder(name):
    reader = made(**SETTINGS[name])
    src, tgt = pair(reader)
    layer, outputs = reader.model.encoder_layers[0], []

    def silence(_module, _inputs, values):
        return values.index_fill(1, torch.tensor([2]), 0.0)

    for hooks in ({}, {layer.self_attention.value_proj: silence}):
        hear = {layer: lambda _, __, output: outputs.append(output[0].double())}
        with torch.inference_mode(), listening(hooks | hear):
            reader.model.encode(reader.input_of(src))
    apart = 1 - torch.cosine_similarity(*outputs, dim=-1)
    np.testing.assert_allclose(value_zeroing(reader, src, tgt, 0)[:, 2], apart, atol=1e-6)


# -- positions --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", EVERY["positions"])
def test_source_positions_in_another_order_are_the_words_in_that_order(kind):
    reader = made(positions=kind)
    src, tgt = pair(reader)
    places = Positions("permuted", seed=3).order(len(src))
    moved = reader.tokenizers["source"].decode([src.ids[i] for i in np.argsort(places)])
    expected = log_probs(reader, moved, tgt)
    assert not np.allclose(expected, log_probs(reader, src, tgt), atol=1e-3)
    found = log_probs(reader, src, tgt, Positions("permuted", seed=3))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize("kind", ["sines", "halves", "tensor2tensor"])
def test_a_shift_of_both_sides_is_another_number_of_the_first_position(kind):
    one, other = made(positions=kind), made(positions=kind, position_offset=4)
    shifts = [Positions("shifted", offset=4, side=side) for side in ("source", "target")]
    found = log_probs(one, *pair(one), *shifts)
    np.testing.assert_allclose(found, log_probs(other, *pair(other)), rtol=0, atol=1e-5)


def test_a_shift_changes_no_distance_and_leaves_a_learned_table():
    relative, learned = made(positions="relative"), made(positions="learned")
    plain = log_probs(relative, *pair(relative))
    shift = Positions("shifted", offset=50)
    np.testing.assert_array_equal(log_probs(relative, *pair(relative), shift), plain)
    with pytest.raises(InterventionError, match="60"):
        log_probs(learned, *pair(learned), shift)


def test_sines_before_cosines_are_shown_by_turns_with_the_formula_that_has_their_frequencies():
    table = order.position_table(made(positions="tensor2tensor", position_offset=2))
    i = np.arange(4)
    angles = (5 + 2) / 10_000.0 ** (i / 3)
    np.testing.assert_allclose(table.values[5, 0::2], np.sin(angles), atol=1e-6)
    np.testing.assert_allclose(table.values[5, 1::2], np.cos(angles), atol=1e-6)
    np.testing.assert_allclose(table.base ** (i / 4), 10_000.0 ** (i / 3), rtol=1e-9)


# -- a recurrence in the place of self-attention ----------------------------------------------


def test_what_is_left_of_each_token_sums_to_the_cells_of_the_recurrence():
    reader = made(**SETTINGS["student"])
    src, tgt = pair(reader)
    heard = {}
    recurrence = reader.model.decoder_layers[1].recurrence
    hooks = {
        recurrence: lambda _, __, output: heard.update(outputs=output[0][0]),
        recurrence.input_proj: lambda _, __, output: heard.update(inputs=output[0].numpy()),
    }
    with torch.inference_mode(), listening(hooks):
        reader.read_again(src, tgt)
    _, kept = gates_of(reader, src, tgt)
    for unit in range(8):
        cells = left_of(kept[:, [unit]]) @ heard["inputs"][:, unit]
        np.testing.assert_allclose(cells.clip(min=0), heard["outputs"][:, unit], atol=1e-5)
    left = recurrence_map(kept, tgt.tokens).weights[0, 0]
    np.testing.assert_allclose(left.sum(-1), 1 - np.cumprod(kept, 0).mean(-1), atol=1e-6)
    assert gates_of(made(), src, tgt) == ()


def test_the_gradient_of_a_token_is_that_of_its_row_of_the_sources_embeddings():
    reader = made(shared_embedding=False)
    src, tgt = reader.tokenizers["source"].encode("The dog runs."), pair(reader)[1]
    weight, read = reader.model.source_embedding.weight, read_ids(reader.model.config, tgt.ids)
    logits = reader.model(reader.input_of(src), tensor_of(reader.model, read))[0]
    (slope,) = torch.autograd.grad(logits.log_softmax(-1)[1, tgt.ids[1]], weight)
    found = gradient_times_input(reader.model, src.ids, tgt.ids)[1]
    for token in set(src.ids):
        of_token = sum(found[at] for at, each in enumerate(src.ids) if each == token)
        expected = (slope[token] * weight[token]).sum().item()
        np.testing.assert_allclose(of_token, expected, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("name", ["t5", "student", "torch"])
def test_the_map_of_a_model_tells_what_leaves_each_of_its_parts(name):
    reader = made(**SETTINGS[name])
    src, tgt = pair(reader)
    boxes, _ = boxes_of(FAMILY.drawing(reader.model.config))
    layer, heard = reader.model.encoder_layers[1], {}
    residual = layer.feed_forward_residual

    def hear(at, _module, _inputs, output):
        heard[at] = output[0].numpy()

    hooks = {residual.norm: partial(hear, "norm"), residual: partial(hear, "sum")}
    hooks |= {layer.feed_forward: partial(hear, "added")}
    with torch.inference_mode(), listening(hooks):
        reader.read_again(src, tgt)
    stream, before = streams_of(reader, src, tgt)[0], reader.model.config.norm == "before"
    last = max(i for i, box in enumerate(boxes) if (box.part, box.lane) == ("feed-forward", 0))
    at_norm, at_sublayer = (last - 1, last) if before else (last + 1, last)
    expected = "sum" if before else "added"
    np.testing.assert_allclose(_leaving(stream, boxes, at_norm), heard["norm"], atol=1e-5)
    np.testing.assert_allclose(_leaving(stream, boxes, at_sublayer), heard[expected], atol=1e-5)

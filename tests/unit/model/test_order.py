"""Order and position: permuted tokens, equivariance, positions in every setting."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from core.interventions.intervention import Intervention
from core.interventions.kinds import Positions
from core.records.sources import TokenSequence
from model import InputError, InterventionError
from model.experiments.word_order import encoder_outputs, equivariance, reorder
from model.hooks.capture import listening
from support.models import SENTENCES
from support.variants import EVERY, transformer_reader

IDS = torch.tensor([[5, 6, 7, 6, 3]])


def log_probs(reader, src, *changes):
    tgt = reader.tokenizer.encode(SENTENCES[5], written=True)
    tgt = reader.tokenizer.decode(tgt.ids[:7])
    return reader.teacher_force(src, tgt, Intervention(*changes))[1]


@pytest.mark.parametrize("kind", EVERY["positions"])
def test_source_positions_in_another_order_are_the_words_in_that_order(kind):
    reader = transformer_reader(positions=kind)
    src = reader.tokenize(SENTENCES[4])
    places = Positions("permuted", seed=3).order(len(src))
    moved = reader.tokenizers["source"].decode([src.ids[i] for i in np.argsort(places)])
    expected = log_probs(reader, moved)
    assert not np.allclose(expected, log_probs(reader, src), atol=1e-3)
    found = log_probs(reader, src, Positions("permuted", seed=3))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize("kind", ["sines", "halves", "tensor2tensor"])
def test_a_shift_of_both_sides_is_another_number_of_the_first_position(kind):
    one, other = (transformer_reader(positions=kind, position_offset=n) for n in (0, 4))
    shifts = [Positions("shifted", offset=4, side=side) for side in ("source", "target")]
    src = one.tokenize(SENTENCES[4])
    found = log_probs(one, src, *shifts)
    np.testing.assert_allclose(found, log_probs(other, src), rtol=0, atol=1e-5)


def test_a_shift_changes_no_distance_and_does_not_leave_a_learned_table():
    relative, learned = (transformer_reader(positions=kind) for kind in ("relative", "learned"))
    src, shift = relative.tokenize(SENTENCES[4]), Positions("shifted", offset=50)
    plain = log_probs(relative, src)
    np.testing.assert_array_equal(log_probs(relative, src, shift), plain)
    with pytest.raises(InterventionError, match="60"):
        log_probs(learned, src, shift)


def test_float64_works_on_a_copy_that_inherits_no_hooks(tiny_model):
    single, double = (encoder_outputs(tiny_model, IDS, double=double) for double in (False, True))
    torch.testing.assert_close(single.double(), double, rtol=1e-4, atol=1e-5)
    assert {p.dtype for p in tiny_model.parameters()} == {torch.float32}
    spoil = dict.fromkeys(tiny_model.encoder_layers, lambda _module, _inputs, output: output * 0)
    with listening(spoil):
        hooked = encoder_outputs(tiny_model, IDS, double=True)
    torch.testing.assert_close(hooked, double, rtol=0, atol=0)


def test_only_positions_tell_orders_apart(tiny_translator):
    src = tiny_translator.tokenize(SENTENCES[0])
    order = (*range(1, len(src) - 1), 0, len(src) - 1)  # not its own inverse
    without, found = (reorder(tiny_translator, src, order, positions=p) for p in (False, True))
    assert not without.distances[0].any()  # the embeddings, bit for bit
    assert without.distances.max() < 1e-5
    record = tiny_translator.attend(SENTENCES[0], SENTENCES[1])
    np.testing.assert_allclose(found.attention[0], record.encoder.weights, atol=1e-6)
    assert found.distances[0, -1] == 0.0  # the embedding of the one that stays
    assert found.distances[1:, 0].min() > 0.1
    first, second = (found.vectors[side, 2, 1].astype(float) for side in (0, 1))
    assert found.distances[2, 1] == pytest.approx(math.dist(first, second))
    cosine = first @ second / math.sqrt(first @ first) / math.sqrt(second @ second)
    assert found.cosines[2, 1] == pytest.approx(cosine)


def test_what_is_no_permutation_or_too_long_is_refused(tiny_translator):
    four = TokenSequence("", (5, 6, 7, 3), ("a", "b", "c", "</s>"), ((0, 0),) * 4)
    for order in [(0, 1), (0, 0, 1, 2)]:
        with pytest.raises(ValueError, match="each of 0 to 3 once"):
            reorder(tiny_translator, four, order, positions=True)
    long = tiny_translator.tokenize("a " * 200)
    with pytest.raises(InputError, match="takes at most 160"):
        reorder(tiny_translator, long, range(len(long)), positions=False)


def test_equivariance_holds_to_machine_precision_without_positions(tiny_translator):
    src = tiny_translator.tokenize(SENTENCES[0])
    entries = equivariance(tiny_translator, src, n_orders=3, seed=5)
    found = {(e.positions, e.bits): e for e in entries}
    assert found[False, 32].differences.max() < 1e-5
    assert found[False, 64].differences.max() < 1e-13
    assert found[True, 32].differences.min() > 0.1
    assert found[True, 64].differences.min() > 0.1
    assert len({entry.orders for entry in entries}) == 1
    assert any(order[-1] != len(src) - 1 for order in entries[0].orders)  # the end sign moves too
    assert entries[0].orders != equivariance(tiny_translator, src, n_orders=3, seed=6)[0].orders

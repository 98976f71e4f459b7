"""Every head switched off in one batch, held against one run at a time."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.interventions.intervention import Intervention
from core.interventions.kinds import AblatedHead
from core.records.search import Decoding
from model.errors import InputError, InterventionError
from model.experiments import ablation
from model.experiments.ablation import ablate_each_head
from support.models import make_model, reader_of
from words import english

GREEDY = Decoding(beam_size=1, alpha=0.0)


def pair(reader):
    return reader.tokenize("A dog runs."), reader.tokenize("Ein Hund läuft.")


@pytest.fixture(scope="module")
def lively(tiny_tokenizer):
    """A translator with mean outputs, whose own outputs differ in length from head to head."""
    model = make_model(5, vocab_size=tiny_tokenizer.vocab_size, max_len=20, n_encoder_layers=1)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith(("value_proj.weight", "out_proj.weight", "inner.weight")):
                parameter *= 3
            if name.endswith(("query_proj.weight", "outer.weight")):
                parameter *= 4 if "query" in name else 3
        # What it likes to write ends its outputs: </s> takes the place of that token.
        model.embedding.weight[[3, 28]] = model.embedding.weight[[28, 3]]
    reader, generator = reader_of(model, tiny_tokenizer), torch.Generator().manual_seed(0)
    reader.means = {
        kind: torch.randn(n_layers, 4, 4, generator=generator)
        for kind, n_layers in (("encoder", 1), ("decoder", 2), ("cross", 2))
    }
    return reader


@pytest.mark.parametrize("how", ["zero", "mean", "uniform"])
def test_log_probs_outputs_and_choices_are_those_of_one_run_at_a_time(lively, how):
    src, tgt = pair(lively)
    chosen = [tgt.ids[2], 7]
    found = ablate_each_head(lively, src, tgt, how, position=2, choice_ids=chosen)
    assert found.heads == tuple(
        (kind, layer, head)
        for kind, n_layers in (("encoder", 1), ("decoder", 2), ("cross", 2))
        for layer, head in np.ndindex(n_layers, 4)
    )
    changes = [Intervention(), *(Intervention(AblatedHead(*at, how)) for at in found.heads)]
    plain, *expected = (lively.teacher_force(src, tgt, change)[1] for change in changes)
    np.testing.assert_allclose(found.log_probs, np.stack(expected), rtol=0, atol=1e-5)
    np.testing.assert_allclose(found.plain_log_probs, plain, rtol=0, atol=1e-5)
    trees = [lively.search(src.text, GREEDY, intervention=change) for change in changes]
    plain, *outputs = (tree.hypothesis(tree.best).ids for tree in trees)
    assert [output.ids for output in found.outputs] == outputs
    assert found.plain_output.ids == plain
    assert len({len(ids) for ids in outputs}) > 3
    assert found.choices == (tgt.tokens[2], lively.tokenizer.token_of(7))
    np.testing.assert_allclose(found.choice_probs[:, 0], np.exp(found.log_probs[:, 2]), rtol=1e-6)
    given = {"k": 200, "intervention": changes[1]}
    by_id = {c.token_id: c.log_prob for c in lively.candidates(src.text, tgt.ids[:2], **given)}
    expected = np.exp([by_id[i] for i in chosen])
    np.testing.assert_allclose(found.choice_probs[0], expected, rtol=1e-4)


def test_small_batches_give_what_one_batch_gives_and_tell_how_far_they_are(
    tiny_tokenizer, monkeypatch
):
    model = make_model(vocab_size=tiny_tokenizer.vocab_size, max_len=9)
    with torch.no_grad():
        model.embedding.weight[model.config.eos_id] = 0  # so that it is never the likeliest
    reader, told = reader_of(model, tiny_tokenizer), []
    one = ablate_each_head(reader, *pair(reader), position=1, choice_ids=[5])
    assert {len(output) for output in one.outputs} == {9}
    monkeypatch.setattr(ablation, "RUNS_AT_ONCE", 6)
    options = {"position": 1, "choice_ids": [5], "progress": told.append}
    many = ablate_each_head(reader, *pair(reader), **options)
    assert (told, len(told), told[-1]) == (sorted(told), 10, 1.0)
    np.testing.assert_allclose(one.log_probs, many.log_probs, rtol=0, atol=1e-5)
    np.testing.assert_allclose(one.choice_probs, many.choice_probs, rtol=0, atol=1e-6)
    assert [o.ids for o in one.outputs] == [o.ids for o in many.outputs]
    without = ablate_each_head(reader, *pair(reader))
    assert without.position is None
    assert (without.choice_probs.shape, without.plain_choice_probs.shape) == ((24, 0), (0,))


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"position": 99}, "position 100 is given, but"),
        ({"position": -1}, "position 0 is given, but"),
        ({"choice_ids": [5]}, english("model-knockout-choices")),
        ({"position": 0, "choice_ids": [99_999]}, "a choice has the id 99999"),
    ],
)
def test_choices_and_means_that_are_not_there_are_refused(tiny_translator, choices, words):
    with pytest.raises(InputError, match=words):
        ablate_each_head(tiny_translator, *pair(tiny_translator), **choices)
    with pytest.raises(InterventionError, match=english("model-change-no-means")):
        ablate_each_head(tiny_translator, *pair(tiny_translator), "mean")

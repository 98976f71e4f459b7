"""Every head switched off in one batch, held against one run at a time."""

import numpy as np
import pytest
import torch

from core.changes import AblatedHead
from core.intervention import Intervention
from core.search import Decoding
from model import load_translator, save_checkpoint
from model.errors import InputError, InterventionError
from model.experiments.knockout import knock_out
from support.models import make_model, reader_of
from words import english

GREEDY = Decoding(beam_size=1, alpha=0.0)


def without(place, how):
    return Intervention(AblatedHead(*place, how))


def pair(translator, text="A dog runs.", wanted="Ein Hund läuft."):
    return translator.tokenize(text), translator.tokenize(wanted)


def greedy_ids(translator, text, intervention=None):
    tree = translator.search(text, GREEDY, intervention=intervention)
    return tree.hypothesis(tree.best).ids


@pytest.fixture(scope="module")
def lively(tmp_path_factory, tiny_tokenizer):
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
    generator = np.random.default_rng(0)
    means = {
        kind: generator.normal(size=(n_layers, 4, 4)).tolist()
        for kind, n_layers in (("encoder", 1), ("decoder", 2), ("cross", 2))
    }
    path = tmp_path_factory.mktemp("lively") / "en-de"
    save_checkpoint(path, model, tiny_tokenizer, card={"languages": ["en", "de"]})
    translator = load_translator(path)
    translator.means = {kind: torch.tensor(values) for kind, values in means.items()}
    return translator


def test_heads_come_encoder_first_layer_by_layer_and_without_choices_there_are_none(
    tiny_translator,
):
    found = knock_out(tiny_translator, *pair(tiny_translator))
    assert found.position is None
    assert found.choice_probs.shape == (24, 0)
    assert found.plain_choice_probs.shape == (0,)
    heads = found.heads
    assert heads[:5] == (*(("encoder", 0, head) for head in range(4)), ("encoder", 1, 0))
    assert heads[8] == ("decoder", 0, 0)
    assert heads[-1] == ("cross", 1, 3)
    assert len(heads) == 24


@pytest.mark.parametrize("how", ["zero", "mean", "uniform"])
def test_log_probs_and_outputs_are_those_of_one_run_at_a_time(lively, how):
    src, tgt = pair(lively)
    found = knock_out(lively, src, tgt, how)
    changes = [without(place, how) for place in found.heads]
    expected = [lively.read_again(src, tgt, change)[1] for change in changes]
    np.testing.assert_allclose(found.log_probs, np.stack(expected), rtol=0, atol=1e-5)
    plain = lively.read_again(src, tgt)[1]
    np.testing.assert_allclose(found.plain_log_probs, plain, rtol=0, atol=1e-5)
    outputs = [greedy_ids(lively, src.text, change) for change in changes]
    assert [output.ids for output in found.outputs] == outputs
    assert len({len(ids) for ids in outputs}) > 3
    assert found.plain_output.ids == greedy_ids(lively, src.text)


def test_choices_are_probabilities_at_that_row(lively):
    src, tgt = pair(lively)
    chosen = [tgt.ids[2], 7]
    found = knock_out(lively, src, tgt, position=2, choice_ids=chosen)
    assert found.choices == (tgt.tokens[2], lively.tokenizer.token_of(7))
    np.testing.assert_allclose(found.choice_probs[:, 0], np.exp(found.log_probs[:, 2]), rtol=1e-6)
    for place, probs in zip(found.heads, found.choice_probs, strict=True):
        candidates = lively.candidates(
            src.text, tgt.ids[:2], k=200, intervention=without(place, "zero")
        )
        by_id = {c.token_id: np.exp(c.log_prob) for c in candidates}
        np.testing.assert_allclose(probs, [by_id[i] for i in chosen], rtol=1e-4)


def test_small_batches_give_what_one_batch_gives(tiny_tokenizer):
    reader = reader_of(make_model(vocab_size=tiny_tokenizer.vocab_size), tiny_tokenizer)
    one = knock_out(reader, *pair(reader), position=1, choice_ids=[5])
    told = []
    options = {"position": 1, "choice_ids": [5], "chunk_size": 6, "progress": told.append}
    many = knock_out(reader, *pair(reader), **options)
    assert (told, len(told), told[-1]) == (sorted(told), 10, 1.0)
    np.testing.assert_allclose(one.log_probs, many.log_probs, rtol=0, atol=1e-5)
    np.testing.assert_allclose(one.choice_probs, many.choice_probs, rtol=0, atol=1e-6)
    assert [o.ids for o in one.outputs] == [o.ids for o in many.outputs]


def test_outputs_stop_at_the_longest_length(tiny_tokenizer):
    model = make_model(vocab_size=tiny_tokenizer.vocab_size, max_len=9)
    with torch.no_grad():
        model.embedding.weight[model.config.eos_id] = 0  # so that it is never the likeliest
    reader = reader_of(model, tiny_tokenizer)
    found = knock_out(reader, *pair(reader))
    assert {len(output) for output in found.outputs} == {9}


def test_mean_without_stored_means_is_refused(tiny_translator):
    with pytest.raises(InterventionError, match=english("model-change-no-means")):
        knock_out(tiny_translator, *pair(tiny_translator), "mean")


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"position": 99}, "position 100 is given, but"),
        ({"position": -1}, "position 0 is given, but"),
        ({"choice_ids": [5]}, english("model-knockout-choices")),
        ({"position": 0, "choice_ids": [99_999]}, "a choice has the id 99999"),
    ],
)
def test_choices_that_do_not_fit_are_refused(tiny_translator, choices, words):
    with pytest.raises(InputError, match=words):
        knock_out(tiny_translator, *pair(tiny_translator), **choices)

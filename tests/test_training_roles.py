"""Roles of heads over many sentences, against sums over single ones."""

import numpy as np
import pytest
from conftest import SENTENCES

from core.changes import AblatedHead
from core.intervention import Intervention
from core.measures import pair_weights
from core.roles import row_values
from model import load_translator
from training import roles as module
from training.coreference import generate_held_out
from training.evaluate import HELD_OUT_SEED
from training.roles import Roles


@pytest.fixture(scope="module")
def found(tiny_checkpoint, measured_data):
    measurement = Roles(Roles.load(str(tiny_checkpoint)), measured_data, 2)
    return load_translator(str(tiny_checkpoint)), measurement.measure()


PAIRS = [(SENTENCES[i], SENTENCES[i + 1]) for i in (0, 2)]  # of either set the first two


def test_a_value_is_the_mean_over_all_rows(found):
    translator, result = found
    assert result["sentences"] == 4
    for kind, role in (("encoder", "next"), ("decoder", "end"), ("cross", "column")):
        rows = [row_values(translator.attend(*pair).of(kind), role) for pair in PAIRS]
        wanted = np.concatenate(rows, axis=-1)
        told = result["sites"][kind][role]
        assert told["n"] == 2 * wanted.shape[-1]
        np.testing.assert_allclose(told["measured"]["value"], wanted.mean(-1), atol=1e-4)


def test_the_noun_is_held_against_the_other_noun_and_a_fixed_offset(found):
    translator, result = found
    to_noun, to_other, away = [], [], []
    for pair in generate_held_out(2, seed=HELD_OUT_SEED):
        record = translator.attend(pair.source, pair.target)
        it, noun, other = (
            record.src.pieces_at(*span) for span in (pair.pronoun, pair.antecedent, pair.distractor)
        )
        to_noun.append(pair_weights(record.encoder, it, noun))
        to_other.append(pair_weights(record.encoder, it, other))
        away.append({(k - i) for i in it for k in noun} if len(it) == 1 else set())
    told = result["sites"]["encoder"]["noun"]
    assert told["n"] == result["links"] == len(to_noun) == 4
    np.testing.assert_allclose(told["measured"]["value"], np.mean(to_noun, axis=0), atol=1e-4)
    other, offset = told["controls"]["other"], told["controls"]["offset"]
    np.testing.assert_allclose(other["value"], np.mean(to_other, axis=0), atol=1e-4)
    if all(away):
        best = max(sum(step in each for each in away) for step in set().union(*away))
        assert offset["value"][0][0] == best / 4


@pytest.mark.parametrize("how", ["zero", "mean"])
def test_what_a_head_is_worth_is_the_change_of_log_p_without_it(found, how, monkeypatch):
    translator, result = found
    means = module.head_means(
        translator.model, [tuple(translator.tokenizer.encode(t).ids for t in p) for p in PAIRS]
    )
    translator.means = {
        site.name: module.torch.tensor(means[site.name]) for site in translator.sites
    }
    off = Intervention(AblatedHead("cross", 1, 2, how))
    plain, without = (
        [translator.read_pair(*pair, intervention=each)[1] for pair in PAIRS]
        for each in (None, off)
    )
    change = (np.concatenate(without) - np.concatenate(plain)).mean()
    told = result["off"][how]["cross"]
    assert told["value"][1][2] == pytest.approx(change, abs=2e-4)
    assert told["low"][1][2] <= told["value"][1][2] <= told["high"][1][2]


def test_a_model_without_text_is_refused():
    with pytest.raises(module.ModelError):
        Roles.load("documents-han")

"""Systems of the lineage: costs and curves by hand, exported runs, gains and the papers'."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from evaluation import lineage as lineage_module
from evaluation import lineage_systems as measures
from evaluation.attention_links import LinkedPair
from evaluation.lineage import averaged, finished, is_finished, lineage, report
from evaluation.lineage_gains import GAINS, differences, peak_rate, sign, traits
from evaluation.lineage_systems import (
    by_length,
    by_position,
    drops_of,
    generated_links,
    log_probs_of,
)
from evaluation.measured_sets import BLEU_SETS
from model import load_translator
from model.experiments.explain import leave_one_out
from model.teacher_forcing import read_ids, tensor_of, token_log_probs
from support.models import SENTENCES, read_json
from support.runs import write_pairs, write_run
from training.card import CONFIGS, trained_on
from training.corpora.coreference import canonical_pairs
from training.corpora.text_pairs import CorpusError, TextPair
from training.cost import operations, training_facts
from training.export import export_run, unpack_checkpoint
from training.files import read
from training.objectives.families import model_for
from training.settings import variant_of

CONFIG = CONFIGS / "lineage.json"


SIZES = {
    "transformer": {
        "d_model": 16, "n_heads": 2, "n_encoder_layers": 2, "n_decoder_layers": 2, "d_ff": 32,
    },
    "cho": {"d_model": 16, "hidden_size": 12},
    "bahdanau": {"d_model": 16, "hidden_size": 12},
}  # fmt: skip


STEPS = {"transformer": 6000, "cho": 2000, "bahdanau": 1000}


MAPS = {"transformer": (2, 2), "cho": (), "bahdanau": (1, 1)}


PAIRS = [TextPair(SENTENCES[i], SENTENCES[i + 1]) for i in range(len(SENTENCES) - 1)]


def system(variant: str, tokenizer: Any) -> tuple[dict[str, Any], torch.nn.Module]:
    settings = variant_of(read(CONFIG), variant)
    settings["model"] = SIZES[variant] | {"max_len": 160}
    torch.manual_seed(3)
    return settings, model_for(settings, tokenizer).eval()


@pytest.fixture(scope="module")
def runs(tmp_path_factory, tiny_tokenizer) -> Path:
    """Folders as training leaves them, with random weights; one run has half of its steps."""
    root = tmp_path_factory.mktemp("runs")
    for variant, step in STEPS.items():
        settings, model = system(variant, tiny_tokenizer)
        write_run(root / variant, settings, model, tiny_tokenizer, step)
    return root


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    root, pairs = tmp_path_factory.mktemp("data"), [(each.source, each.target) for each in PAIRS]
    for name in ("multi30k_test_2016_flickr", "tatoeba_val"):
        write_pairs(root / BLEU_SETS[name], pairs * 3)
    return root


@pytest.fixture(scope="module")
def small() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("GENERATED", 4), ("CHOOSING", 4), ("JOINED", 2), ("MOST", 3)):
            patch.setattr(measures, name, value)
        for name, value in (("EVERYDAY", 3), ("FEWEST_TEXTS", 1), ("STRETCH", 4)):
            patch.setattr(measures, name, value)
        patch.setattr(lineage_module, "SPEED_TEXTS", 2)
        yield


@pytest.fixture(scope="module")
def result(runs, data, small) -> dict[str, Any]:
    return lineage(runs, data, limit=4, tell=lambda _: None)


def test_operations_of_a_recurrent_network_and_facts_of_a_training_by_hand(tiny_tokenizer):
    _, model = system("cho", tiny_tokenizer)
    d, h, v, n = 16, 12, tiny_tokenizer.vocab_size, 5
    reading = 3 * h * (d + h)
    writing = 3 * h * (d + h) + 3 * h * h + (2 * h + d) * 2 * d + d * v
    assert operations(model, n) == round(2 * (n * (reading + writing) + 2 * h * h) / n)
    speeds = [(20, 10.2, 100.0), (40, 19.8, 300.0), (60, 31.6, 110.0)]
    lines = [{"step": s, "seconds": t, "tokens_per_second": each} for s, t, each in speeds]
    told = {"steps": 60, "seconds": 32, "tokens_per_second": 110}
    assert training_facts([*lines[:2], {"step": 40, "val_loss": 2.0}, lines[2]]) == told


def test_texts_read_together_are_read_as_alone(runs):
    for variant in ("transformer", "bahdanau"):
        checkpoint = averaged(runs / variant)
        together = log_probs_of(checkpoint.model, checkpoint.tokenizer, PAIRS)
        for found, pair in zip(together, PAIRS, strict=True):
            encode = checkpoint.tokenizer.encode
            expected = log_p(checkpoint.model, encode(pair.source).ids, encode(pair.target).ids)
            np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_log_p_by_position_and_bleu_by_length_by_hand(small):
    found = by_position([np.array([-1.0] * 4 + [-3.0] * 4), np.array([-2.0] * 4 + [-9.0])])
    assert [(each["from"], each["to"], each["texts"]) for each in found] == [(1, 4, 2), (5, 8, 1)]
    assert [each["value"] for each in found] == [-1.5, -3.0]
    right, wrong = [4, 3, 2, 1, 4, 3, 2, 1, 4, 4], [0, 0, 0, 0, 4, 3, 2, 1, 4, 4]
    found = by_length([1, 0, 1], [9, 4, 12], [right, wrong, right])
    rows = [(each["group"], each["words"], each["sentences"], each["value"]) for each in found]
    assert rows == [(0, 4.0, 1, 0.0), (1, 10.5, 2, 100.0)]


def log_p(model, src_ids, tgt_ids):
    with torch.inference_mode():
        read = tensor_of(model, read_ids(model.config, tgt_ids))
        return token_log_probs(model(tensor_of(model, src_ids), read)[0], tgt_ids).numpy()


def test_a_word_left_out_is_a_shorter_sentence_or_hidden_from_a_transformer(runs):
    checkpoint = averaged(runs / "bahdanau")
    model, pair = checkpoint.model, generated_links(canonical_pairs()[0], checkpoint.tokenizer)
    drops, plain = drops_of(model, pair), log_p(model, pair.src.ids, pair.tgt.ids)
    for place, word in enumerate(pair.words[:-1]):
        kept = [each for i, each in enumerate(pair.src.ids) if i not in word]
        expected = plain - log_p(model, kept, pair.tgt.ids)
        np.testing.assert_allclose(drops[:, place], expected, atol=1e-5)
    np.testing.assert_allclose(drops[:, -1], 0, atol=1e-5)  # </s> is always read
    checkpoint = averaged(runs / "transformer")
    model = checkpoint.model
    src, tgt = (checkpoint.tokenizer.encode(text) for text in ("A dog runs.", "Ein Hund."))
    pair = LinkedPair(src, tgt, tuple((i,) for i in range(len(src))), ())
    expected = log_p(model, src.ids, tgt.ids)[:, None] - leave_one_out(model, src.ids, tgt.ids)
    np.testing.assert_allclose(drops_of(model, pair)[:, :-1], expected[:, :-1], atol=1e-5)


def test_every_system_is_measured_whole_and_an_unfinished_one_left_out(result, runs):
    assert list(result["systems"]) == ["cho", "bahdanau", "transformer"]
    for name, each in result["systems"].items():
        assert each["perplexity"].keys() == each["bleu"].keys() == set(measures.SETS)
        assert each["speed"]["greedy"] > 0 < each["speed"]["beam"]
        assert each["command"].endswith(f"lineage.json --variant {name}")
        assert (each["pointing"]["map"] is None) == (name == "cho")
        assert np.shape(each["pointing"]["maps"]) == MAPS[name]
        assert each["perplexity"]["captions"]["value"] > 1
    assert "bahdanau: perplexity" in report(result)
    assert {gain["id"] for gain in result["gains"]} == {"additive", "self-longer"}
    assert not is_finished(runs / "bahdanau")
    kept = finished(result)
    assert (list(kept["systems"]), kept["gains"]) == (["cho", "transformer"], [])


def test_a_run_is_measured_as_it_is_exported_and_unpacked(runs, tmp_path):
    """A system that was trained elsewhere keeps the name of its machine."""
    settings = read_json(runs / "cho" / "config.json")
    shipped, elsewhere = tmp_path / "shipped", tmp_path / "elsewhere"
    shutil.copytree(runs / "cho", elsewhere)
    (elsewhere / "config.json").write_text(json.dumps(settings | {"hardware": "An abacus"}))
    export_run(elsewhere, shipped)
    unpacked = tmp_path / "runs" / "cho"
    unpack_checkpoint(shipped, settings, unpacked)
    card = load_translator(shipped).card
    for run in (runs / "cho", unpacked):
        assert averaged(run).card.fingerprint == card.fingerprint
    assert card.lineage == {"year": 2014, "paper": "Cho et al. 2014"}
    assert is_finished(unpacked)
    assert (unpacked / "metrics.jsonl").read_text() == (runs / "cho" / "metrics.jsonl").read_text()
    assert trained_on(read_json(unpacked / "config.json")) == "An abacus"
    for name, run, message in (
        ("bahdanau", tmp_path / "run", "no checkpoint of lineage-bahdanau"),
        ("cho", runs / "cho", "there already"),
    ):
        with pytest.raises(CorpusError, match=message):
            unpack_checkpoint(shipped, read_json(runs / name / "config.json"), run)


def test_seven_gains_are_between_systems_that_differ_in_one_thing():
    found = {gain.id: differences(traits(gain.ours), traits(gain.others)) for gain in GAINS}
    alone = {id: set(each) for id, each in found.items() if len(each) == 1}
    assert alone == {
        "reversed": {"order"}, "feeding": {"feeding"}, "local": {"attention"},
        "score-local-m-general": {"attention"},
        **{f"score-global-{name}": {"score"} for name in ("location", "dot", "concat")},
    }  # fmt: skip
    assert found["additive"]["hidden"] == [256, 352]
    assert found["self-longer"]["steps"] == [6000, 2000]


def test_the_peak_of_a_flat_start_is_its_rate_from_the_first_step_on():
    short = {"warmup": 100, "factor": 1.0, "max_steps": 50}
    at_the_end_of_warmup = 64**-0.5 * 100**-0.5
    assert peak_rate(short | {"flat_start": True}, 64) == pytest.approx(at_the_end_of_warmup, 0.05)
    assert peak_rate(short, 64) == pytest.approx(at_the_end_of_warmup / 2, 0.05)
    # The rate points are those of a training with a warm-up: a flat start has its own.
    both = {"warmup": 100, "factor": 1.0, "max_steps": 200, "rate_points": [[0, 3.0]]}
    assert peak_rate(both, 64) == pytest.approx(3 * at_the_end_of_warmup, 0.05)
    assert peak_rate(both | {"flat_start": True}, 64) == pytest.approx(at_the_end_of_warmup, 0.05)


def test_a_published_figure_has_a_sign_only_where_the_paper_varied_the_same():
    """The rows of Luong et al.'s Table 1 with attention have the location score, ours general; a
    system of one direction and 352 units is none of Bahdanau et al.'s; their concat is another.
    """
    near = {
        (gain.id, each.source)
        for gain in GAINS
        for each in gain.published
        if each.is_near(traits(gain.ours), traits(gain.others))
    }
    table_1, note = "Luong et al. 2015, Table 1", "Luong et al. 2015, Table 4 and note 15"
    assert near == {
        ("additive", "Bahdanau et al. 2015, Table 1"),
        ("global", table_1),
        ("feeding", table_1),
        ("local", table_1),
        *((id, "Vaswani et al. 2017, Table 2") for id in ("convolution", "convolution-self")),
        *((f"score-{name}-concat", note) for name in ("global", "local-m", "local-p")),
    }


@pytest.mark.parametrize(
    ("published", "low", "high", "nothing", "found"),
    [
        pytest.param((25.9, 30.6), 0.2, 1.1, 0.0, "same", id="same"),
        pytest.param((25.9, 30.6), -0.2, 1.1, 0.0, "open", id="open"),
        pytest.param((25.9, 30.6), -2.0, -0.3, 0.0, "opposite", id="opposite"),
        pytest.param((6.1, 6.1), 1.0, 2.0, 0.0, None, id="the paper has none"),
        pytest.param(None, 1.0, 2.0, 0.0, None, id="the paper says nothing"),
        pytest.param((5.8, 4.7), 0.8, 0.9, 1.0, "same", id="a ratio"),
    ],
)
def test_the_sign_of_a_gain(published, low, high, nothing, found):
    assert sign(published, {"low": low, "high": high}, nothing) == found

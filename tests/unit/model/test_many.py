"""Many sentences at once: as one by one, in order, with errors in their place."""

from __future__ import annotations

import csv
import io
import json
from itertools import count, islice

import numpy as np
import pytest
import torch

from core.records.search import Decoding
from model import ModelError, load_translator
from model.__main__ import main
from model.many import translate_many
from model.search.batched import batched_beam_search
from model.search.beam import beam_search
from support.models import ROOT, SENTENCES, make_model
from support.variants import SETTINGS, STEPWISE, reader_with

ROUNDING = 5e-5
"""Sums of a batch are added in another order, over up to 40 tokens of float32."""
TEXTS = (*SENTENCES[::2], "The dog sleeps.", "A cat runs.", "A dog.")
SOURCES = torch.tensor([[5, 6, 7, 8, 3], [9, 10, 5, 5, 3], [20, 4, 11, 7, 3], [6, 6, 6, 6, 3]])
DECODINGS = {
    "greedy": Decoding(beam_size=1, alpha=0.0, max_len=12),
    "beam": Decoding(beam_size=4, max_len=12),
    "pruning": Decoding(beam_size=3, max_len=12, penalise="pruning", penalty="length"),
    "minimum": Decoding(beam_size=3, min_len=9, max_len=12, n_runners_up=2),
    "wide": Decoding(beam_size=30, max_len=5),
    "one-step": Decoding(beam_size=3, max_len=1),
}


@pytest.mark.parametrize("prefix", [(), (7, 9), (7, 3)], ids=["free", "begun", "ended"])
@pytest.mark.parametrize("name", DECODINGS)
def test_a_batch_grows_the_tree_of_each_source_alone(name, prefix):
    decoding = DECODINGS[name]
    if len(prefix) > decoding.max_len:
        pytest.skip("the prefix does not fit")
    model = make_model()
    trees = batched_beam_search(model, SOURCES, decoding, prefix=prefix)
    for source, tree in zip(SOURCES, trees, strict=True):
        alone = beam_search(model, source[None], decoding, prefix=prefix)
        assert tree.best == alone.best
        assert len(tree.nodes) == len(alone.nodes)
        for node, other in zip(tree.nodes, alone.nodes, strict=True):
            assert (node.token_id, node.parent, node.status, node.reason) == (
                (other.token_id, other.parent, other.status, other.reason)
            )
            assert node.cum_log_prob == pytest.approx(other.cum_log_prob, abs=ROUNDING)


def assert_as_one_by_one(translator, texts):
    """The same tokens, with the same log-probabilities up to rounding."""
    for decoding in (Decoding(beam_size=3), Decoding(beam_size=1, alpha=0.0)):
        lines = list(translate_many(translator, texts, decoding))
        assert [line.source for line in lines] == list(texts) != []
        for line in lines:
            alone = translator.translate(line.source, decoding)
            assert (line.output, line.tokens) == (alone.text, alone.tgt.tokens)
            np.testing.assert_allclose(line.log_probs, alone.log_probs, atol=ROUNDING)
            for number, other in (
                (line.score, alone.score),
                (line.log_prob, alone.log_probs.sum()),
            ):
                assert number == pytest.approx(other, rel=2e-6, abs=ROUNDING)


@pytest.mark.parametrize("name", [*SETTINGS, *STEPWISE])
def test_every_family_translates_a_batch_as_one_by_one(name):
    translator = reader_with(name)
    assert_as_one_by_one(translator, (*TEXTS, translator.least))


@pytest.mark.parametrize("name", ["en-de", "captions-soft"])
def test_shipped_models_translate_a_batch_as_one_by_one(name):
    translator = load_translator(ROOT / "checkpoints" / name)
    scenes = ("large red circle at 1 1; small blue square at 2 3", translator.example)
    assert_as_one_by_one(translator, TEXTS if name == "en-de" else scenes)


def test_the_share_of_the_end_is_the_mean_weight_on_it(tiny_translator):
    for line in translate_many(tiny_translator, TEXTS):
        weights = tiny_translator.translate(line.source).attention.cross.weights
        assert line.end_share == pytest.approx(weights[..., -1].mean(), abs=1e-6)


def test_lines_come_in_order_and_an_error_stands_in_its_own(tiny_translator):
    texts = ["A dog.", "", "word " * 200, "The dog sleeps.", "\u200b"]
    lines = list(translate_many(tiny_translator, texts))
    assert [line.line for line in lines] == [1, 2, 3, 4, 5]
    assert [line.source for line in lines] == texts
    assert [line.error is None for line in lines] == [True, False, False, True, False]
    assert "empty" in str(lines[1].error)
    assert lines[1].output is None
    assert lines[0].output == tiny_translator.translate("A dog.").text


def test_an_endless_iterable_is_read_no_further_than_a_window(tiny_translator):
    numbers = count()
    texts = (f"A dog {next(numbers)}." for _ in iter(int, 1))
    lines = list(islice(translate_many(tiny_translator, texts, window=4), 3))
    assert [line.line for line in lines] == [1, 2, 3]
    assert next(numbers) == 4


def test_what_is_no_text_is_a_mistake_of_the_caller(tiny_translator):
    with pytest.raises(TypeError, match="expected the text as str"):
        list(translate_many(tiny_translator, ["A dog.", None]))


def test_a_model_that_cannot_search_is_refused():
    with pytest.raises(ModelError):
        next(translate_many(reader_with("masked"), ["A dog."]))


# -- the command -------------------------------------------------------------------------------


@pytest.fixture
def sentences(tmp_path):
    path = tmp_path / "sentences"
    path.write_text('The dog sleeps.\n\nA "man"\tplays.\n', encoding="utf-8")
    return path


def test_the_command_writes_a_table(tiny_checkpoint, tiny_translator, sentences, capsys):
    assert main(["translate", str(tiny_checkpoint), "--input", str(sentences)]) == 1
    out, err = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    alone = tiny_translator.translate("The dog sleeps.")
    assert rows[0]["output"] == alone.text
    assert rows[0]["source"] == "The dog sleeps."
    assert rows[2]["source"] == 'A "man"\tplays.'
    assert rows[0]["tokens"].split(" ") == list(alone.tgt.tokens)
    probabilities = [float(number) for number in rows[0]["probabilities"].split(" ")]
    np.testing.assert_allclose(probabilities, np.exp(alone.log_probs), atol=1e-4)
    assert float(rows[0]["log_prob"]) == pytest.approx(alone.log_probs.sum(), abs=1e-4)
    assert (rows[1]["output"], rows[1]["error"]) == ("", "The sentence is empty.")
    assert "One line has no result." in err


def test_the_command_writes_an_object_a_line(tiny_checkpoint, sentences, tmp_path, capsys):
    path = tmp_path / "out"
    options = ["--input", str(sentences), "--json", "--output", str(path), "--beam-size", "1"]
    assert main(["translate", str(tiny_checkpoint), *options]) == 1
    assert capsys.readouterr().out == ""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [row["line"] for row in rows] == [1, 2, 3]
    assert len(rows[0]["tokens"]) == len(rows[0]["probabilities"])
    assert 0 <= rows[0]["end_share"] <= 1
    assert rows[1]["error"] == "The sentence is empty."
    assert "error" not in rows[0]


def test_a_model_that_writes_nothing_is_refused(sentences, capsys):
    assert main(["translate", "masked-lm", "--input", str(sentences)]) == 1
    assert "masked-lm" in capsys.readouterr().err

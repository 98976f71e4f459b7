"""Judges of documents: generated reviews, the bag of words, a run, and what is measured of it."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch

from core.documents import Importance, Judgement
from model import DocumentReader, load_reader, save_checkpoint
from model.checkpoint import FOLDER_VARIABLE
from model.families.hierarchical import FAMILY, HierarchicalConfig
from model.tokenizer import build_word_tokenizer
from support.models import ROOT, read_json
from support.runs import write_pairs
from training.__main__ import main
from training.bag_of_words import fit, folded
from training.batching import plan_batches
from training.corpus import BETWEEN, Pair, review_pair, reviews_of
from training.document_measures import (
    Document,
    Documents,
    _chance,
    _correlations,
    _points,
    texts_for,
    truth_of,
)
from training.documents import Judging, encode_documents, logits_of
from training.export import export_run
from training.loop import Trainer
from training.objective import Objective
from training.reviews import generate
from training.settings import variant_of

CONFIG = ROOT / "training" / "configs" / "documents.json"
SIZES = {"d_model": 6, "hidden_size": 4}


# -- the bag of words -----------------------------------------------------------------------


def test_a_bag_of_words_learns_words_and_no_order():
    train = [Pair(f"a good film {n}", "pos") for n in "abcd"]
    train += [Pair(f"a bad film {n}", "neg") for n in "abcd"]
    bag = fit(train)
    new = [Pair("film good a", "pos"), Pair("bad bad bad", "neg"), Pair("good", "neg")]
    assert bag.right(new).tolist() == [True, True, False]
    assert bag.weights[bag.columns["good"]] > 0 > bag.weights[bag.columns["bad"]]


def test_the_bag_is_at_the_least_loss():
    """The gradient by hand at what was found: sum of (p - y) x / n + decay w / n is nothing."""
    train = [
        Pair("good fun", "pos"),
        Pair("good", "pos"),
        Pair("bad fun", "neg"),
        Pair("bad", "neg"),
    ]
    bag = fit(train)
    rows = np.zeros((4, len(bag.columns)))
    for line, each in enumerate(train):
        for word in each.source.split():
            rows[line, bag.columns[word]] = 1 / math.sqrt(len(each.source.split()))
    p = 1 / (1 + np.exp(-(rows @ bag.weights + bag.bias)))
    slope = rows.T @ (p - np.array([1, 1, 0, 0])) / 4 + 0.01 * bag.weights / 4
    np.testing.assert_allclose(slope, 0, atol=1e-3)


def test_every_document_is_judged_by_what_was_learnt_without_it():
    """Words that are in one document alone say nothing of it."""
    pairs = [Pair(f"only{n} word{n}", "pos" if n % 2 else "neg") for n in range(20)]
    assert fit(pairs * 2).right(pairs).all()
    assert folded(pairs, 5).mean() < 0.8


# -- examples and batches -------------------------------------------------------------------


def test_of_a_long_document_the_last_sentences_are_kept():
    tokenizer = build_word_tokenizer(["a b c d e f"], 50)
    long = Pair(BETWEEN.join(["a b c", "d e", "f"]), "pos")
    (example,) = encode_documents([long], tokenizer, 4)
    assert example.lengths == (2, 1)
    assert [tokenizer.token_of(i) for i in example.src] == ["▁d", "▁e", "▁f"]
    (cut,) = encode_documents([Pair("a b c d", "pos")], tokenizer, 3)
    assert len(cut.src) == 3


def test_a_batch_is_what_its_documents_are_alone():
    tokenizer = build_word_tokenizer(["a b c d e f"], 50)
    texts = [("a b" + BETWEEN + "c", "neg"), ("d e f a" + BETWEEN + "b" + BETWEEN + "c c", "pos")]
    examples = encode_documents([Pair(*each) for each in texts], tokenizer, 50)
    torch.manual_seed(1)
    model = FAMILY.build(HierarchicalConfig(tokenizer.vocab_size, **SIZES)).eval()
    hook = Judging()
    batch = hook.batch(examples, model.config)
    assert batch.classes.tolist() == [0, 1]
    loss, nll, n = hook.losses(model, batch, Objective(), bf16=False)
    alone = 0.0
    for example, place in zip(examples, batch.classes, strict=True):
        rows = torch.tensor(example.src).split(list(example.lengths))
        logits = model(tuple(row[None] for row in rows)).detach()
        alone -= float(logits.log_softmax(-1)[0, place])
    assert n == 2
    assert math.isclose(float(loss), alone, abs_tol=1e-4)
    assert math.isclose(float(nll), alone, abs_tol=1e-4)
    assert plan_batches(examples, 100, seed=0)
    assert logits_of(model, batch.ids, batch.lengths, batch.counts).shape == (2, 2)


# -- a run ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("data")
    for name, seed, count in (("train", 5, 24), ("val", 6, 8)):
        pairs = map(review_pair, reviews_of({"reviews": count, "held_out": count, "seed": seed}))
        lines = ((each.target, each.source) for each in pairs)
        write_pairs(root / "cls-polarity2" / f"{name}.tsv.gz", lines)
    return root


def settings_of(name: str) -> dict:
    settings = variant_of(read_json(CONFIG), name)
    settings["data"]["reviews"] = {"reviews": 16, "held_out": 6, "seed": 41}
    settings["tokenizer"] = {"vocab_size": 300, "min_frequency": 1}
    settings["model"] |= SIZES
    settings["training"] |= {
        "max_steps": 6, "batch_tokens": 800, "validate_every": 3, "log_every": 1, "average": 2,
    }  # fmt: skip
    return settings


VARIANTS = ("han", "no-mixing", "uniform")


@pytest.fixture(scope="module")
def shelf(on_the_cpu, data, tmp_path_factory) -> Path:
    """A checkpoint of a short run of every variant."""
    root = tmp_path_factory.mktemp("runs")
    for variant in VARIANTS:
        trainer = Trainer(settings_of(variant), data, root / variant)
        trainer.train()
        assert trainer.progress.step == 6
        export_run(root / variant, root / "checkpoints" / f"documents-{variant}")
    return root / "checkpoints"


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_trains_and_becomes_a_checkpoint(shelf, variant):
    reader = load_reader(shelf / f"documents-{variant}")
    assert isinstance(reader, DocumentReader)
    assert reader.classes == ("neg", "pos")
    judged = reader.judge(reader.document("I loved every minute of it. It runs for two hours."))
    assert np.allclose(judged.sentences, 0.5) == (variant == "uniform")


def test_the_command_measures_what_is_installed_and_stores_it(
    shelf, data, tmp_path, monkeypatch, capsys
):
    config, page = tmp_path / "documents.json", tmp_path / "documents.md"
    source = read_json(CONFIG) | {"data": settings_of("han")["data"]}
    config.write_text(json.dumps(source))
    page.write_text("before\n<!-- measured -->\n<!-- end -->\nafter\n")
    monkeypatch.setenv(FOLDER_VARIABLE, str(shelf))
    monkeypatch.setattr("training.document_measures.DOCS", page)
    monkeypatch.setattr("training.document_measures.FOLDS", 2)
    monkeypatch.setattr("model.documents.STEPS", 3)
    arguments = ["documents", "--config", str(config), "--data", str(data), "--write"]
    assert main(arguments) == 0
    stored = read_json(shelf / "documents.json")
    assert set(stored["systems"]) == {"bag", *VARIANTS}
    assert stored["systems"]["bag"]["alone"]["documents"] == 8
    idle = stored["systems"]["uniform"]["pointing"]
    assert idle["attention"]["sentence"]["value"] == idle["chance"]["sentence"]["value"]
    assert "correlation" not in stored["systems"]["uniform"]["polarity"]
    assert {"han-uniform", "han-bag"} <= set(stored["differences"])
    card = read_json(shelf / "documents-han" / "card.json")
    accuracy = stored["systems"]["han"]["polarity"]["accuracy"]["value"]
    assert card["scores"]["polarity"]["accuracy"] == accuracy
    assert Documents.report(stored) in page.read_text()
    # A second time nothing is measured again.
    monkeypatch.setattr("training.document_measures.measure", None)
    assert main(arguments) == 0
    assert Documents.report(stored) in capsys.readouterr().out


# -- what is measured -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def judge(tmp_path_factory) -> DocumentReader:
    texts = [sentence for each in generate(200, seed=9) for sentence in each.sentences]
    tokenizer = build_word_tokenizer(texts, 500)
    torch.manual_seed(2)
    model = FAMILY.build(HierarchicalConfig(tokenizer.vocab_size, **SIZES))
    folder = tmp_path_factory.mktemp("judge") / "han"
    save_checkpoint(folder, model, tokenizer, architecture=FAMILY.name)
    return load_reader(folder)


def test_places_of_the_truth_are_counted_over_the_document(judge):
    for review in generate(30, seed=12):
        document = Document(Pair(BETWEEN.join(review.sentences), review.label), review)
        src = document.source(judge)
        truth = truth_of(src, review)
        words = [src.sentences[truth.sentence].tokens[word] for word in truth.words]
        assert [src.tokens[word] for word in truth.in_document] == words
        sentence = review.sentences[review.deciding]
        spelt = " ".join(sentence[slice(*span)] for span in review.words).split()
        assert words == [f"▁{word}" for word in spelt]


def test_a_map_on_the_truth_scores_one_and_chance_is_its_share(judge):
    review = next(each for each in generate(30, seed=12) if len(each.words) == 2)
    src = Document(Pair(BETWEEN.join(review.sentences), review.label), review).source(judge)
    truth = truth_of(src, review)
    sentences, words = np.zeros(len(src.sentences)), np.zeros(len(src))
    there = np.zeros(len(src.sentences[truth.sentence]))
    sentences[truth.sentence] = words[truth.in_document[0]] = there[truth.words[1]] = 1
    assert _points((sentences, words, there), truth) == [1, 1, 1]
    even = tuple(np.ones_like(each) / len(each) for each in (sentences, words, there))
    np.testing.assert_allclose(_points(even, truth), _chance(src, truth))


def test_correlations_are_kendalls(judge):
    from scipy.stats import kendalltau

    src = judge.of_sentences(["one two three", "four"])
    words = (np.array([0.5, 0.3, 0.2]), np.array([1.0]))
    judged = Judgement(src, ("neg", "pos"), np.log([0.4, 0.6]), words, np.array([0.7, 0.3]))
    drops = (np.array([-0.2, 0.1, 0.0]), np.array([0.05]))
    slopes = (np.array([0.3, 0.2, 0.1]), np.array([-0.4]))
    found = Importance(drops, np.array([0.1, 0.2]), slopes, np.array([0.2, 0.1]))
    result = _correlations([(judged, found)])
    weights = [0.35, 0.21, 0.14, 0.3]
    expected = kendalltau(weights, [0.2, 0.1, 0.0, 0.05]).statistic
    assert math.isclose(result["words"]["drops"]["value"], expected, abs_tol=1e-3)
    assert result["sentences"]["drops"]["value"] == -1
    assert result["sentences"]["gradient"]["value"] == 1


def test_the_fixed_split_and_the_reviews_are_apart(data):
    sources = settings_of("han")["data"]
    texts = texts_for(data, sources)
    assert len(texts.polarity) == 8
    assert len(texts.reviews) == 6
    generated = {pair.source for pair in map(review_pair, reviews_of(sources["reviews"]))}
    assert texts.train[: len(texts.written)] == texts.written
    assert not generated & {each.source for each in texts.written}
    learnt = {each.source for each in texts.train}
    assert not learnt & {each.pair.source for each in texts.reviews}

"""Judges of documents and captioners: their runs, and what is measured of them."""

from __future__ import annotations

import json
import math
import random
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy.stats import kendalltau

from core.captions import captions_of, read_caption
from core.documents import Importance, Judgement
from core.measurements import GAZE
from core.records.scenes import random_scene, read_scene
from evaluation.__main__ import main
from evaluation.bag_of_words import fit
from evaluation.captions import (
    REFERENCES,
    SCENES,
    CaptionsMeasurement,
    exactness,
    references_of,
    scenes_of,
    trained_scenes,
)
from evaluation.documents import (
    Document,
    DocumentsMeasurement,
    _chance,
    _correlations,
    _points,
    deciding_positions,
)
from model import DocumentReader, load_model, load_translator, save_checkpoint
from model.families import captioner, hierarchical
from model.families.hierarchical import HierarchicalConfig
from model.io.checkpoint import FOLDER_VARIABLE
from model.tokenizer import build_tokenizer, build_word_tokenizer
from support.models import ROOT, read_json
from support.runs import write_pairs
from training.card import CONFIGS, stored_card
from training.corpora.reviews import generate, review_pair, reviews_of
from training.corpora.text_pairs import BETWEEN, TextPair
from training.export import export_run
from training.loop import Trainer
from training.objectives.captioning import scene_pairs
from training.objectives.documents import Judging, encode_documents
from training.objectives.objective import Objective
from training.settings import variant_of

SIZES = {"d_model": 6, "hidden_size": 4}

# -- the bag of words -------------------------------------------------------------------------


def test_the_bag_of_words_is_at_the_least_loss_and_knows_no_order():
    """The gradient by hand at the solution: sum of (p - y) x / n + decay w / n is nothing."""
    texts = {"good fun": 1, "good": 1, "bad fun": 0, "bad": 0}
    bag = fit([TextPair(text, ("neg", "pos")[label]) for text, label in texts.items()])
    new = [TextPair("fun good", "pos"), TextPair("bad bad", "neg"), TextPair("good", "neg")]
    assert bag.right(new).tolist() == [True, True, False]
    rows = np.zeros((4, len(bag.columns)))
    for line, text in enumerate(texts):
        for word in text.split():
            rows[line, bag.columns[word]] = 1 / math.sqrt(len(text.split()))
    p = 1 / (1 + np.exp(-(rows @ bag.weights + bag.bias)))
    slope = rows.T @ (p - np.array([*texts.values()])) / 4 + 0.01 * bag.weights / 4
    np.testing.assert_allclose(slope, 0, atol=1e-3)


# -- examples, batches and runs ---------------------------------------------------------------


def test_a_batch_of_documents_has_the_losses_of_its_documents_alone():
    tokenizer = build_word_tokenizer(["a b c d e f"], 50)
    long = TextPair(BETWEEN.join(["a b c", "d e", "f"]), "pos")
    (example,) = encode_documents([long], tokenizer, 4)  # the last sentences are kept
    assert example.lengths == (2, 1)
    assert [tokenizer.token_of(i) for i in example.src] == ["▁d", "▁e", "▁f"]
    (cut,) = encode_documents([TextPair("a b c d", "pos")], tokenizer, 3)
    assert len(cut.src) == 3
    texts = [("a b" + BETWEEN + "c", "neg"), ("d e f a" + BETWEEN + "b" + BETWEEN + "c c", "pos")]
    examples = encode_documents([TextPair(*each) for each in texts], tokenizer, 50)
    torch.manual_seed(1)
    model = hierarchical.FAMILY.build(HierarchicalConfig(tokenizer.vocab_size, **SIZES)).eval()
    model.requires_grad_(False)
    batch = Judging().batch(examples, model.config)
    loss, nll, n = Judging().losses(model, batch, Objective(), bf16=False)
    expected = 0.0
    for label, example in enumerate(examples):
        rows = torch.tensor(example.src).split(list(example.lengths))
        expected -= float(model(tuple(row[None] for row in rows)).log_softmax(-1)[0, label])
    assert n == 2
    assert [float(loss), float(nll)] == pytest.approx([expected] * 2, abs=1e-4)


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("data")
    for name, seed, count in (("train", 5, 24), ("val", 6, 8)):
        pairs = map(review_pair, reviews_of({"reviews": count, "held_out": count, "seed": seed}))
        lines = ((each.target, each.source) for each in pairs)
        write_pairs(root / "cls-polarity2" / f"{name}.tsv.gz", lines)
    return root


VARIANTS = ("han", "no-mixing", "uniform")


def settings_of(name: str) -> dict:
    settings = variant_of(read_json(CONFIGS / "documents.json"), name)
    settings["data"]["reviews"] = {"reviews": 16, "held_out": 6, "seed": 41}
    settings["tokenizer"] = {"vocab_size": 300, "min_frequency": 1}
    settings["model"] |= SIZES
    settings["training"] |= {
        "max_steps": 6, "batch_tokens": 800, "validate_every": 3, "log_every": 1, "average": 2,
    }  # fmt: skip
    return settings


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


def test_every_variant_is_trained_measured_and_stored(shelf, data, tmp_path, monkeypatch, capsys):
    for variant in VARIANTS:
        reader = load_model(shelf / f"documents-{variant}")
        assert isinstance(reader, DocumentReader)
        assert reader.classes == ("neg", "pos")
        judged = reader.judge(reader.document("I loved every minute of it. It is two hours long."))
        assert np.allclose(judged.sentences, 0.5) == (variant == "uniform")
    config, page = tmp_path / "documents.json", tmp_path / "documents.md"
    source = read_json(CONFIGS / "documents.json") | {"data": settings_of("han")["data"]}
    config.write_text(json.dumps(source))
    page.write_text("before\n<!-- measured -->\n<!-- end -->\nafter\n")
    monkeypatch.setenv(FOLDER_VARIABLE, str(shelf))
    monkeypatch.setattr("evaluation.documents.DOCS", page)
    monkeypatch.setattr("evaluation.documents.FOLDS", 2)
    monkeypatch.setattr("model.readers.documents.STEPS", 3)
    arguments = ["documents", "--config", str(config), "--data", str(data), "--write"]
    assert main(arguments) == 0
    stored = read_json(shelf / "documents.json")
    systems = stored["systems"]
    assert set(systems) == {"bag", *VARIANTS}
    assert systems["bag"]["alone"]["documents"] == 8
    idle = systems["uniform"]["pointing"]
    assert idle["attention"]["sentence"]["value"] == idle["chance"]["sentence"]["value"]
    assert "correlation" not in systems["uniform"]["polarity"]
    assert {"han-uniform", "han-bag"} <= set(stored["differences"])
    accuracy = read_json(shelf / "documents-han" / "card.json")["scores"]["polarity"]["accuracy"]
    assert accuracy == systems["han"]["polarity"]["accuracy"]["value"]
    assert DocumentsMeasurement.report(stored) in page.read_text()
    # A second time nothing is measured again.
    monkeypatch.setattr("evaluation.documents.measure", None)
    assert main(arguments) == 0
    assert DocumentsMeasurement.report(stored) in capsys.readouterr().out


# -- what is measured of judges ---------------------------------------------------------------


@pytest.fixture(scope="module")
def judge(tmp_path_factory) -> DocumentReader:
    texts = [sentence for each in generate(200, seed=9) for sentence in each.sentences]
    tokenizer = build_word_tokenizer(texts, 500)
    torch.manual_seed(2)
    model = hierarchical.FAMILY.build(HierarchicalConfig(tokenizer.vocab_size, **SIZES))
    folder = tmp_path_factory.mktemp("judge") / "han"
    save_checkpoint(folder, model, tokenizer, architecture=hierarchical.FAMILY.name)
    return load_model(folder)


def test_a_map_on_the_deciding_words_scores_one_and_chance_is_their_share(judge):
    for review in generate(30, seed=12):
        src = Document(TextPair(BETWEEN.join(review.sentences), review.label), review).source(judge)
        truth = deciding_positions(src, review)
        words = [src.sentences[truth.sentence].tokens[word] for word in truth.words]
        assert [src.tokens[word] for word in truth.in_document] == words
        sentence = review.sentences[review.deciding]
        spelt = " ".join(sentence[slice(*span)] for span in review.words).split()
        assert words == [f"▁{word}" for word in spelt]
        lengths = (len(src.sentences), len(src), len(src.sentences[truth.sentence]))
        maps = [np.zeros(n) for n in lengths]
        for weights, place in zip(
            maps, (truth.sentence, truth.in_document[0], truth.words[-1]), strict=True
        ):
            weights[place] = 1
        assert _points(maps, truth) == [1, 1, 1]
        even = tuple(np.full(n, 1 / n) for n in lengths)
        np.testing.assert_allclose(_points(even, truth), _chance(src, truth))


def test_correlations_are_kendalls(judge):
    src = judge.of_sentences(["one two three", "four"])
    words = (np.array([0.5, 0.3, 0.2]), np.array([1.0]))
    judged = Judgement(src, ("neg", "pos"), np.log([0.4, 0.6]), words, np.array([0.7, 0.3]))
    drops = (np.array([-0.2, 0.1, 0.0]), np.array([0.05]))
    slopes = (np.array([0.3, 0.2, 0.1]), np.array([-0.4]))
    found = Importance(drops, np.array([0.1, 0.2]), slopes, np.array([0.2, 0.1]))
    result = _correlations([(judged, found)])
    expected = kendalltau([0.35, 0.21, 0.14, 0.3], [0.2, 0.1, 0.0, 0.05]).statistic
    assert math.isclose(result["words"]["drops"]["value"], expected, abs_tol=1e-3)
    assert result["sentences"]["drops"]["value"] == -1
    assert result["sentences"]["gradient"]["value"] == 1


# -- captioners on generated scenes -----------------------------------------------------------

SCENE = read_scene("small red circle at 2 1; large striped blue star at 2 3")


def test_scenes_and_references_are_true_and_of_their_language_and_kind():
    english, korean = (scenes_of("seen", 50, language) for language in ("en", "ko"))
    assert [scene for scene, _ in english] == [scene for scene, _ in korean]
    for language in ("en", "ko"):
        for kind in ("seen", "held_out"):
            for scene, caption in scenes_of(kind, 30, language):
                assert read_caption(caption.text, scene, language).exact
                assert bool(re.search("[가-힣]", caption.text)) == (language == "ko")
        references = references_of(SCENE, language)
        assert len({*references}) == len(references) == REFERENCES
        assert all(read_caption(text, SCENE, language).exact for text in references)
    for kind in ("seen", "held_out"):
        new = [any(thing.held_out for thing in scene.things) for scene, _ in scenes_of(kind)]
        assert new == [kind == "held_out"] * SCENES
    spec = {"pairs": 200, "held_out_pairs": 2, "seed": 31, "language": "ko"}
    trained = trained_scenes({"scenes": spec})
    assert trained == {pair.source for pair in scene_pairs(200, 31, "ko")}
    assert not any(thing.held_out for text in trained for thing in read_scene(text).things)
    # Scenes of the training are not measured.
    (first, _), *others = scenes_of("seen", 3)
    assert scenes_of("seen", 3, "en", {str(first)}) == tuple(others)


def test_a_captioner_is_measured_on_scenes_of_each_kind(tmp_path):
    rng = random.Random(1)
    texts = [caption.text for _ in range(30) for caption in captions_of(random_scene(rng), "ko")]
    tokenizer = build_tokenizer(texts, 200)
    sizes = {"d_model": 8, "hidden_size": 8, "annotation_size": 8, "attention_size": 4}
    model = captioner.FAMILY.build(captioner.CaptionerConfig(tokenizer.vocab_size, **sizes))
    card = {"languages": ["scene", "ko"]}
    save_checkpoint(tmp_path, model, tokenizer, architecture=captioner.FAMILY.name, card=card)
    found = CaptionsMeasurement(load_translator(tmp_path), limit=2).measure()
    for kind in ("seen", "held_out"):
        assert found[kind]["scenes"] == found[kind]["exact"]["caption"]["n"] == 2
        assert found[kind]["read"]["colour"]["n"] == found[kind]["read"]["noun"]["n"] >= 4


@pytest.mark.slow
@pytest.mark.parametrize("name", ["captions-soft", "captions-soft-ko"])
def test_stored_captions_are_of_scenes_that_training_did_not_have(name):
    folder = ROOT / "checkpoints" / name
    trained = trained_scenes(stored_card(folder)["data"])
    stored = read_json(folder / GAZE.file)
    for kind in ("seen", "held_out"):
        assert stored[kind]["scenes"] == len(scenes_of(kind, without=trained))


def test_shares_of_what_is_true_by_hand():
    texts = (
        "빨간 원이 파란 줄무늬 별 왼쪽에 있습니다.",
        "초록색 원이 파란 줄무늬 별 위에 있습니다.",
        "도형 세 개 중에 빨간 원과 파란 줄무늬 별이 있습니다.",
        "빨간 원가 왼쪽에 있습니다.",
    )
    found = exactness([(read_caption(text, SCENE, "ko"), SCENE) for text in texts])
    assert {part: (row["n"], row["share"]) for part, row in found.items()} == {
        "caption": (4, 0.25),
        "grammar": (4, 0.75),
        "thing": (7, pytest.approx(6 / 7, abs=1e-4)),
        "noun": (7, 1.0),
        "colour": (7, pytest.approx(6 / 7, abs=1e-4)),
        "size": (0, None),
        "pattern": (3, 1.0),
        "relation": (2, 0.5),
        "count": (1, 0.0),
    }

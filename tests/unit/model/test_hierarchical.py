"""The hierarchical network against the equations of its paper, and its reader."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from core.documents import DocumentChange
from model import DocumentReader, InputError, load_model, save_checkpoint
from model.families.hierarchical import FAMILY, Hierarchical, HierarchicalConfig
from model.readers.documents import EPSILON
from model.special_tokens import PAD, UNK
from model.tokenizer import build_word_tokenizer
from words import english

TEXT = "The film is good. I saw it with two friends! It was a treat, and it was short. Good?"
KINDS = [
    {},
    {"attention": "uniform"},
    {"mixing": "none"},
    {"mixing": "none", "attention": "uniform"},
]


def sharpened(model: Hierarchical) -> Hierarchical:
    """Weights large enough that attention is far from even and the classes from each other."""
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3)
    return model.eval()


def make(**entries) -> Hierarchical:
    torch.manual_seed(5)
    sizes = {"vocab_size": 30, "d_model": 6, "hidden_size": 4, "max_len": 60}
    return sharpened(FAMILY.build(HierarchicalConfig(**(sizes | entries))))


@pytest.fixture(scope="module")
def reader(tmp_path_factory) -> DocumentReader:
    tokenizer = build_word_tokenizer([TEXT] * 2, 100)
    folder = tmp_path_factory.mktemp("documents") / "han"
    model = make(vocab_size=tokenizer.vocab_size)
    save_checkpoint(folder, model, tokenizer, architecture=FAMILY.name)
    found = load_model(folder)
    assert isinstance(found, DocumentReader)
    return found


PARTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def level_by_hand(level: torch.nn.Module, xs: Tensor) -> tuple[Tensor, Tensor]:
    """Equations 1 to 7: the weights of a row and its summary."""
    encoder, forth, back = level.encoder, [], []
    if level.mixing == "none":
        states = torch.tanh(xs @ encoder.weight.T + encoder.bias)
    else:
        for end, given, made in (("_l0", xs, forth), ("_l0_reverse", xs.flip(0), back)):
            parts = [getattr(encoder, part + end) for part in PARTS]
            h = torch.zeros(1, encoder.hidden_size, dtype=xs.dtype)
            for x in given:
                h = torch.gru_cell(x[None], h, *parts)
                made.append(h[0])
        states = torch.cat((torch.stack(forth), torch.stack(back[::-1])), 1)
    scores = torch.zeros(len(xs), dtype=xs.dtype)
    if level.learns:
        scores = torch.tanh(states @ level.project.weight.T + level.project.bias) @ level.question
    weights = scores.exp() / scores.exp().sum()
    return weights, weights @ states


@torch.no_grad()
@pytest.mark.parametrize("entries", KINDS)
def test_it_computes_what_the_paper_says(entries):
    model = make(**entries)
    document = ([3, 4, 5, 6], [7], [8, 9, 3])
    found = model(tuple(torch.tensor([ids]) for ids in document))[0]
    model = model.double()
    vectors = [level_by_hand(model.words, model.embedding.weight[ids])[1] for ids in document]
    _, summary = level_by_hand(model.sentences, torch.stack(vectors))
    by_hand = model.output.weight @ summary + model.output.bias
    torch.testing.assert_close(found.double(), by_hand, rtol=0, atol=1e-4)


def close(found, expected, atol=1e-6):
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


def test_the_judgement_holds_the_weights_of_reading(reader):
    judged, read = reader.judge(reader.document(TEXT)), reader.read(TEXT).attention
    assert math.isclose(judged.probs.sum(), 1, abs_tol=1e-6)
    close(judged.sentences, read.of("sentences").weights.ravel())
    for item, row in enumerate(judged.words):
        close(row, read.of("words", item).weights.ravel())


def test_an_unread_part_is_as_if_it_did_not_stand_there(reader):
    src = reader.document(TEXT)
    change = DocumentChange(sentences=frozenset({1}), words=frozenset({(0, 3), (3, 0), (3, 1)}))
    changed = reader.judge(src, change)
    shorter = reader.judge(reader.document("The film is. It was a treat, and it was short."))
    # Of "The film is good ." the fourth word is gone, and of "Good ?" everything.
    close(changed.log_probs, shorter.log_probs)
    assert np.isnan(changed.sentences).tolist() == [False, True, False, True]
    assert np.isnan(changed.words[0]).tolist() == [False, False, False, True, False]


def test_an_unseen_part_is_read_but_has_no_weight(reader):
    src, plain = reader.document(TEXT), reader.judge(reader.document(TEXT))
    hidden = DocumentChange(frozenset({1}), frozenset({(0, 3)}), "unseen")
    changed = reader.judge(src, hidden)
    assert changed.sentences[1] == changed.words[0][3] == 0
    rest = np.delete(plain.words[0], 3)
    close(np.delete(changed.words[0], 3), rest / rest.sum())
    assert math.isclose(changed.sentences.sum(), 1, abs_tol=1e-6)
    unread = reader.judge(src, replace(hidden, removal="unread"))
    assert abs(unread.log_probs - changed.log_probs).max() > 1e-4
    everything = frozenset(range(len(src.sentences)))
    for how in ("unread", "unseen"):
        with pytest.raises(InputError, match=english("model-document-nothing")):
            reader.judge(src, DocumentChange(everything, removal=how))


def test_uniform_weights_are_uniform_and_shuffled_ones_the_same_in_another_order(reader):
    src = reader.document(TEXT)
    plain = reader.judge(src)
    uniform = reader.judge(src, DocumentChange(word_weights="uniform", sentence_weights="uniform"))
    for row in (*uniform.words, uniform.sentences):
        close(row, 1 / len(row))
    shuffled = reader.judge(src, DocumentChange(word_weights="shuffled", seed=3))
    for ours, theirs in zip(plain.words, shuffled.words, strict=True):
        close(sorted(ours), sorted(theirs))
    assert any(not np.allclose(a, b) for a, b in zip(plain.words, shuffled.words, strict=True))


def test_drops_are_those_of_judging_without_one_thing(reader):
    src = reader.document(TEXT)
    plain, found = reader.judge(src).probs, reader.importance(src)
    decided = plain.argmax()
    for place, row in enumerate(found.word_drops):
        for word, drop in enumerate(row):
            change = DocumentChange(words=frozenset({(place, word)}))
            close(drop, plain[decided] - reader.judge(src, change).probs[decided], 1e-5)
        without = reader.judge(src, DocumentChange(frozenset({place}))).probs[decided]
        close(found.sentence_drops[place], plain[decided] - without, 1e-5)


def test_gradients_are_slopes(reader):
    src = reader.document(TEXT)
    plain, found = reader.judge(src), reader.importance(src)
    model, step = reader.model, 1e-3
    rows = [torch.tensor([s.ids]) for s in src.sentences]

    def longer(factor: float) -> float:
        """p of the class with the fourth word's embedding a little longer."""
        vectors = []
        for place, ids in enumerate(rows):
            x = model.embedding(ids)
            if place == 0:
                x[0, 3] *= factor
            vectors.append(model.words.summary(x, [ids.shape[1]]))
        logits = model.judge_many(torch.stack(vectors, 1), [len(rows)])
        return float(logits.softmax(-1)[0, plain.decided])

    slope = (longer(1 + step) - longer(1 - step)) / (2 * step)
    assert math.isclose(found.word_gradients[0][3], slope, rel_tol=0.02, abs_tol=1e-4)


@pytest.mark.parametrize("level", ["words", "sentences"])
def test_another_map_leaves_the_judgement_and_differs(reader, level):
    src = reader.document(TEXT)
    plain, other = reader.judge(src), reader.other_map(src, level)
    assert other.distance <= EPSILON + 1e-4
    assert abs(other.judgement.probs - plain.probs).sum() / 2 <= EPSILON + 1e-4
    assert 0.01 < other.divergence <= math.log(2)
    rows = (*other.judgement.words, other.judgement.sentences)
    assert all(math.isclose(row.sum(), 1, abs_tol=1e-4) for row in rows)


def test_a_single_sentence_has_no_other_map(reader):
    with pytest.raises(InputError, match=english("model-document-one-sentences")):
        reader.other_map(reader.document("The film is good."), "sentences")
    with pytest.raises(InputError, match=english("model-document-one-words")):
        reader.other_map(reader.document("Good\nGood"), "words")


def test_words_are_lower_case_and_new_or_rare_ones_unknown(reader):
    tokenizer = build_word_tokenizer(["It's a well-made film. A film!"], 50)
    read = tokenizer.encode("A FILM, it’s well-made…")
    assert [read.text[a:b] for a, b in read.offsets] == ["A", "FILM", ",", "it’s", "well-made", "…"]
    assert read.tokens == ("▁a", "▁film", "▁,", "▁it's", "▁well-made", "▁…")
    assert read.unknown == (False, False, True, False, False, True)
    assert [tokenizer.id_of(token) for token in (PAD, UNK)] == [0, 1]
    rare = build_word_tokenizer(["one one two"], 50, min_frequency=2)
    assert rare.encode("one two").unknown == (False, True)
    for text in ("", "  \n ", "\u200b"):
        with pytest.raises(InputError):
            reader.document(text)

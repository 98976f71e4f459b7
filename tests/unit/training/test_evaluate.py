"""Scores: BLEU against sacreBLEU's own call, pronouns and links by hand."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import sacrebleu

from core.bootstrap import bleu
from core.changes import AblatedHead
from core.intervention import Intervention
from support.runs import write_pairs
from training.card import readme_of, stored_card, write_card
from training.coreference import canonical_pairs, generate_held_out, has_sibling, situation_of
from training.corpus import Pair
from training.evaluate import (
    BLEU_SETS,
    Evaluate,
    bleu_row,
    bleu_scores,
    contrastive_scores,
    contrastive_summary,
    domain_scores,
    domain_texts,
    pronoun_scores,
)
from training.heads import deciding_span, head_links, property_links, served_by, use_of
from training.measuring import Part
from training.pronoun import forced_choice_is_right, likeliest_form, pronoun_is_right

TIRED, WIDE = canonical_pairs()


def test_bleu_is_that_of_sacrebleu_with_its_signature():
    pairs = [Pair("a", "Ein Hund läuft im Schnee."), Pair("b", "Zwei Kinder spielen im Garten.")]
    outputs = {"a": "Ein Hund läuft durch den Schnee.", "b": "Zwei Kinder spielen im Garten."}
    expected = sacrebleu.corpus_bleu([outputs["a"], outputs["b"]], [[p.target for p in pairs]])
    scores = bleu_scores(pairs, outputs)
    assert scores["bleu"] == round(expected.score, 2)
    assert "case:mixed" in scores["signature"]
    assert "tok:13a" in scores["signature"]


def test_repeated_sources_are_also_scored_against_all_their_references():
    pairs = [Pair("a", "Geh jetzt nach Hause."), Pair("a", "Gehen Sie jetzt bitte heim.")]
    outputs = {"a": "Gehen Sie jetzt bitte heim."}
    scores = bleu_scores(pairs, outputs)
    assert scores["bleu_all_references"] == pytest.approx(100.0)
    assert scores["bleu"] < 100.0


@pytest.mark.parametrize(
    ("translation", "right"),
    [
        ("Das Tier überquerte die Straße nicht, weil es zu müde war.", True),
        ("Das Tier hat die Straße nicht überquert, da es so müde war.", True),
        ("Das Tier überquerte die Straße nicht, weil sie zu müde war.", False),
        ("Das Tier überquerte die Straße nicht, weil das Tier zu müde war.", False),
        ("Es überquerte die Straße nicht, weil es zu müde war.", False),
    ],
)
def test_a_pronoun_is_right_when_its_forms_are_those_of_the_reference(translation, right):
    assert pronoun_is_right(TIRED, translation) is right


def test_perfect_translations_have_every_pronoun_right(tiny_translator):
    items = generate_held_out(3, seed=1)
    scores = pronoun_scores(tiny_translator, items, {p.source: p.target for p in items})
    assert scores["accuracy"] == 1.0
    assert scores["first"] == scores["second"] == 1.0
    assert scores["sentences"] == 6


class Preferring:
    """Prefers whichever target holds its favourite word."""

    def __init__(self, favourite):
        self.favourite = favourite

    def score(self, _source, target, *, intervention=None):
        return np.array([0.0 if re.search(rf"\b{self.favourite}\b", target) else -1.0])


@pytest.mark.parametrize("form", ["er", "sie", "es"])
def test_forced_choice_takes_the_likelier_pronoun_of_each_gender(form):
    reader = Preferring(form)
    assert likeliest_form(reader, TIRED) == form
    assert forced_choice_is_right(reader, TIRED) == (form == "es")
    assert forced_choice_is_right(reader, WIDE) == (form == "sie")


def test_links_of_a_pair_are_what_its_two_sentences_say(tiny_translator):
    links = head_links(tiny_translator, [TIRED, WIDE])
    best = links["encoder"]
    halves = {}
    for pair in (TIRED, WIDE):
        record = tiny_translator.attend(pair.source, pair.target)
        row = record.encoder.weights[best["layer"], best["head"], record.src.pieces_of("it")[0]]
        nouns = {n: row[list(record.src.pieces_of(n))].sum() for n in ("animal", "street")}
        sign = 1 if pair is TIRED else -1
        halves[pair.half] = sign * (nouns["animal"] - nouns["street"])
    assert best["first"] == pytest.approx(halves["first"], abs=1e-4)
    assert best["second"] == pytest.approx(halves["second"], abs=1e-4)
    assert best["margin"] == pytest.approx(sum(halves.values()) / 2, abs=1e-4)
    assert links["cross"]["n_pairs"] == 1
    assert all(math.isfinite(x) for row in links["cross"]["all_heads"] for x in row)


def test_contrastive_scores_count_by_the_pronoun_of_the_reference():
    scores = contrastive_scores(Preferring("es"), [TIRED, WIDE, WIDE])
    assert (scores["right"], scores["sentences"]) == (1, 3)
    assert scores["pronouns"] == {
        "es": {"right": 1, "sentences": 1},
        "sie": {"right": 0, "sentences": 2},
    }
    assert scores["low"] < scores["accuracy"] < scores["high"]
    assert scores["majority"] == {"answer": "sie", "value": pytest.approx(2 / 3, abs=5e-7)}


def test_bounds_by_group_are_wider_where_a_group_is_right_or_wrong_together():
    items, right = [TIRED] * 40, [True] * 20 + [False] * 20
    alone = contrastive_summary(items, right, [str(i) for i in range(40)])
    together = contrastive_summary(items, right, [str(i // 10) for i in range(40)])
    assert together["accuracy"] == alone["accuracy"] == 0.5
    assert together["high"] - together["low"] > 1.5 * (alone["high"] - alone["low"])
    assert alone["high"] - alone["low"] == pytest.approx(2 * 1.96 * math.sqrt(0.25 / 40), abs=0.05)


def test_the_noun_s_head_is_tried_without_it_and_alone_in_its_layer(tiny_translator):
    items, head = [TIRED, WIDE], (1, 2)
    n_heads = tiny_translator.card.config["n_heads"]
    off = {
        "plain": (),
        "without": (AblatedHead("encoder", 1, 2),),
        "alone": tuple(AblatedHead("encoder", 1, h) for h in range(n_heads) if h != 2),
    }
    found = use_of(tiny_translator, items, head)
    for name, changes in off.items():
        right = [forced_choice_is_right(tiny_translator, p, Intervention(*changes)) for p in items]
        assert found[name]["value"] == np.mean(right)
        assert found[name]["low"] <= found[name]["value"] <= found[name]["high"]
    assert len(off["alone"]) == n_heads - 1


def test_a_held_out_reason_that_trains_in_a_like_situation_is_told_apart(tiny_translator):
    items = generate_held_out(60, seed=7)
    related = [p for p in items if p.held_out != "nouns" and situation_of(p) in ("chase", "fit")]
    others = [p for p in items if p.held_out != "nouns" and not has_sibling(p)]
    assert related
    assert others
    assert all(map(has_sibling, related))
    translations = {p.source: p.target if has_sibling(p) else "x" for p in items}
    scores = pronoun_scores(tiny_translator, [*related, *others], translations)
    assert scores["new_property_sibling"] == 1.0
    assert scores["sentences_new_property_sibling"] == len(related)
    assert scores["new_property"] == pytest.approx(len(related) / len(related + others), abs=1e-4)


@pytest.mark.parametrize("n", range(12))
def test_the_deciding_span_is_what_two_readings_do_not_share(n):
    first, second = generate_held_out(12, seed=3)[2 * n : 2 * n + 2]
    for own, other in ((first, second), (second, first)):
        start, end = deciding_span(own, other)
        o_start, o_end = deciding_span(other, own)
        assert own.source[:start] == other.source[:o_start]
        assert own.source[end:] == other.source[o_end:]
        assert own.source[start:end] != other.source[o_start:o_end]


def test_the_deciding_words_of_the_classic_sentences():
    assert TIRED.source[slice(*deciding_span(TIRED, WIDE))] == "tired"
    assert WIDE.source[slice(*deciding_span(WIDE, TIRED))] == "wide"


def test_the_head_of_the_property_is_that_of_the_weights_themselves(tiny_translator):
    items = [replace(p, pair_id="0") for p in (TIRED, WIDE)]
    found = property_links(tiny_translator, items, noun_head=(0, 0))
    rows = []
    for pair, word in ((TIRED, "tired"), (WIDE, "wide")):
        record = tiny_translator.attend(pair.source, pair.target)
        it, decides = record.src.pieces_of("it"), record.src.pieces_of(word)
        weights = record.encoder.weights[:, :, list(it)][..., list(decides)]
        rows.append(weights.sum(axis=-1).mean(axis=-1))
    means = np.mean(rows, axis=0)
    assert (found["layer"], found["head"]) != (0, 0)
    place = found["layer"], found["head"]
    assert found["weight"] == pytest.approx(means[place], abs=1e-4)
    means[0, 0] = -1
    assert place == np.unravel_index(means.argmax(), means.shape)


def test_a_head_is_served_by_what_comes_before_it(tiny_translator):
    items = [TIRED, WIDE]
    layers = tiny_translator.card.config["n_encoder_layers"]
    last = (layers - 1, 0)
    found = served_by(tiny_translator, items, last, (0, 1))

    def margin(off):
        values = []
        for pair in items:
            record = tiny_translator.attend(pair.source, pair.target, intervention=off)
            row = record.encoder.weights[(*last, record.src.pieces_of("it")[0])]
            noun, other = (
                list(record.src.pieces_at(*s)) for s in (pair.antecedent, pair.distractor)
            )
            values.append(row[noun].sum() - row[other].sum())
        return np.mean(values)

    assert found["margin"] == pytest.approx(margin(None), abs=1e-4)
    off = Intervention(AblatedHead("encoder", 0, 1))
    assert found["without"] == pytest.approx(margin(off), abs=1e-4)
    assert found["sentences"] == 2
    assert 0 <= found["right_without"] <= 1
    server = found["server"]["layer"], found["server"]["head"]
    off = Intervention(AblatedHead("encoder", *server))
    assert found["without_server"] == pytest.approx(margin(off), abs=1e-4)
    assert found["without_server"] <= found["without"] + 1e-4


def test_every_domain_but_the_named_sets_is_scored(tiny_translator, tmp_path):
    for name in ("chat-en-de", "tatoeba-en-de"):
        pairs = (("A dog.", "Ein Hund."), ("A cat.", "Eine Katze."))
        write_pairs(tmp_path / name / "val.tsv.gz", pairs)
    sets = [{"folder": "tatoeba-en-de"}, {"folder": "chat-en-de", "reversed": True}]
    texts = domain_texts(tiny_translator, tmp_path, {"sets": sets})
    assert texts["chat-en-de"][1].keys() == {"Ein Hund.", "Eine Katze."}
    scores = domain_scores(texts)
    assert list(scores) == ["chat-en-de"]
    assert scores["chat-en-de"]["sentences"] == 2
    assert set(scores["chat-en-de"]) == {"bleu", "low", "high", "chrf", "sentences"}


def test_the_interval_of_a_set_is_that_of_its_bleu():
    pairs = [Pair(f"{i}", f"a dog runs over a field of {i} stones") for i in range(30)]
    some = {p.source: p.target if int(p.source) % 3 else "a dog runs over it" for p in pairs}
    found = domain_scores(
        {"set": (pairs, some), "same": (pairs, {p.source: p.target for p in pairs})}
    )
    assert found["set"]["low"] < found["set"]["bleu"] < found["set"]["high"]
    assert found["same"] == found["same"] | {"bleu": 100.0, "low": 100.0, "high": 100.0}
    counts = np.array([bleu_row(some[pair.source], pair.target) for pair in pairs]).sum(axis=0)
    assert float(bleu(counts)) == pytest.approx(found["set"]["bleu"], abs=0.01)


def test_an_evaluation_is_kept_in_the_card_and_goes_on(mine, tmp_path, monkeypatch):
    folder, worked = mine, []

    def work(name):
        worked.append(name)
        return {"bleu": 1.0, "signature": "s"}

    parts = [Part(("scores", name), partial(work, name)) for name in BLEU_SETS]
    monkeypatch.setattr(Evaluate, "parts", lambda self: parts[:2])
    before = stored_card(folder)
    Evaluate.of_checkpoint(str(folder), tmp_path, None, write=True)
    monkeypatch.setattr(Evaluate, "parts", lambda self: parts)
    Evaluate.of_checkpoint(str(folder), tmp_path, None, write=True)
    assert worked == list(BLEU_SETS)
    card = stored_card(folder)
    assert list(card["scores"]) == list(BLEU_SETS)
    assert before.items() <= card.items()
    assert "| Multi30k test 2016 Flickr | 1.0 | `s` |" in (folder / "README.md").read_text()
    write_card(folder, {"fingerprint": "of other weights"})
    Evaluate.of_checkpoint(str(folder), tmp_path, None, write=True)
    assert worked == [*BLEU_SETS] * 2


def test_the_readme_names_a_guided_head_as_trained_to_attend():
    head = {"layer": 3, "head": 1, "margin": 0.5, "first": 0.6, "second": 0.4}
    text = readme_of({"name": "x", "heads": {"encoder": head}, "guided": {"layer": 3, "head": 1}})
    assert "Encoder layer 4, head 2 was trained to attend" in text
    assert "trained to attend" not in readme_of({"name": "x", "heads": {"encoder": head}})

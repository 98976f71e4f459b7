"""Scores: BLEU against sacreBLEU's own call, pronouns and links by hand."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import sacrebleu

from training.card import readme_of, write_card
from training.coreference import canonical_pairs, generate_held_out
from training.corpus import Pair
from training.evaluate import (
    bleu_scores,
    forced_choice_is_right,
    head_links,
    pronoun_is_right,
    pronoun_scores,
)

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


def test_forced_choice_takes_the_likelier_pronoun():
    class Stub:
        """Prefers whichever target holds its favourite word."""

        def __init__(self, favourite):
            self.favourite = favourite

        def score(self, _source, target):
            return np.array([0.0 if f" {self.favourite} " in target else -1.0])

    assert forced_choice_is_right(Stub("es"), TIRED)
    assert not forced_choice_is_right(Stub("sie"), TIRED)
    assert forced_choice_is_right(Stub("sie"), WIDE)


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


def test_the_card_keeps_what_it_knew_and_gains_the_scores(tmp_path):
    (tmp_path / "card.json").write_text(json.dumps({"title": "kept", "scores": {"old": 1}}))
    write_card(
        tmp_path, {"scores": {"multi30k_test_2016_flickr": {"bleu": 36.5, "signature": "s"}}}
    )
    card = json.loads((tmp_path / "card.json").read_text())
    assert card["title"] == "kept"
    assert list(card["scores"]) == ["multi30k_test_2016_flickr"]
    assert "| Multi30k test 2016 Flickr | 36.5 | `s` |" in (tmp_path / "README.md").read_text()


def test_the_readme_names_a_guided_head_as_trained_to_look():
    head = {"layer": 3, "head": 1, "margin": 0.5, "first": 0.6, "second": 0.4}
    text = readme_of({"name": "x", "heads": {"encoder": head}, "guided": {"layer": 3, "head": 1}})
    assert "Encoder layer 4, head 2 was trained to look" in text
    assert "trained to look" not in readme_of({"name": "x", "heads": {"encoder": head}})

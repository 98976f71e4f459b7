"""Scores, heads and roles of a checkpoint: by sacreBLEU, by sums over single sentences, by hand."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import product

import msgspec
import numpy as np
import pytest
import sacrebleu
import torch

from core.bootstrap import bleu
from core.interventions.intervention import Intervention
from core.interventions.kinds import AblatedHead, MaskedCell
from core.pruning import PrunedSite, pruning_facts, pruning_table
from core.roles import row_values
from core.weights.measures import pair_weights
from evaluation.antecedent_heads import (
    chosen_head,
    deciding_span,
    head_links,
    property_links,
    served_by,
    use_of,
)
from evaluation.bleu import bleu_row, bleu_scores
from evaluation.interventions import head_means
from evaluation.measured_sets import BLEU_SETS, HELD_OUT_SEED
from evaluation.measurement import ResultPart
from evaluation.probe import probe, report
from evaluation.pronoun import forced_choice_is_right, likeliest_form, noun_phrase
from evaluation.pruning import PruningMeasurement
from evaluation.roles import RolesMeasurement
from evaluation.scores import EvaluateMeasurement, contrastive_scores, domain_scores
from model import load_translator
from support.models import SENTENCES
from training.card import stored_card, write_card
from training.corpora.coreference import canonical_pairs, generate_held_out
from training.corpora.text_pairs import TextPair

TIRED, WIDE = canonical_pairs()

# -- BLEU and pronouns ------------------------------------------------------------------------


def test_bleu_is_that_of_sacrebleu_with_its_signature_and_of_all_references():
    pairs = [
        TextPair("a", "Ein Hund läuft im Schnee."),
        TextPair("b", "Geh jetzt nach Hause."),
        TextPair("b", "Gehen Sie jetzt bitte heim."),
    ]
    outputs = {"a": "Ein Hund läuft durch den Schnee.", "b": "Gehen Sie jetzt bitte heim."}
    texts = [outputs[pair.source] for pair in pairs]
    expected = sacrebleu.corpus_bleu(texts, [[pair.target for pair in pairs]])
    scores = bleu_scores(pairs, outputs)
    assert scores["bleu"] == round(expected.score, 2)
    assert "case:mixed" in scores["signature"]
    assert "tok:13a" in scores["signature"]
    alone = bleu_scores(pairs[1:], outputs)
    assert alone["bleu_all_references"] == pytest.approx(100.0)
    assert alone["bleu"] < 100.0


def test_the_interval_of_a_set_is_that_of_its_bleu():
    pairs = [TextPair(f"{i}", f"a dog runs over a field of {i} stones") for i in range(30)]
    some = {p.source: p.target if int(p.source) % 3 else "a dog runs over it" for p in pairs}
    every = {pair.source: pair.target for pair in pairs}
    found = domain_scores({"set": (pairs, some), "same": (pairs, every)})
    assert found["set"]["low"] < found["set"]["bleu"] < found["set"]["high"]
    assert found["same"] == found["same"] | {"bleu": 100.0, "low": 100.0, "high": 100.0}
    counts = np.array([bleu_row(some[pair.source], pair.target) for pair in pairs]).sum(axis=0)
    assert float(bleu(counts)) == pytest.approx(found["set"]["bleu"], abs=0.01)


class Preferring:
    """Prefers whichever target holds its favourite word."""

    def __init__(self, favourite):
        self.favourite = favourite

    def score(self, _source, target, *, intervention=None):
        return np.array([0.0 if re.search(rf"\b{self.favourite}\b", target) else -1.0])


def test_forced_choice_takes_the_likelier_pronoun_and_is_counted_by_the_reference():
    for form in ("er", "sie", "es"):
        reader = Preferring(form)
        assert likeliest_form(reader, TIRED) == form
        assert forced_choice_is_right(reader, TIRED) == (form == "es")
        assert forced_choice_is_right(reader, WIDE) == (form == "sie")
    scores = contrastive_scores(Preferring("es"), [TIRED, WIDE, WIDE])
    assert (scores["right"], scores["sentences"]) == (1, 3)
    assert scores["pronouns"] == {
        "es": {"right": 1, "sentences": 1},
        "sie": {"right": 0, "sentences": 2},
    }
    assert scores["low"] < scores["accuracy"] < scores["high"]
    assert scores["majority"] == {"answer": "sie", "value": pytest.approx(2 / 3, abs=5e-7)}


# -- heads ------------------------------------------------------------------------------------


def test_links_of_a_pair_are_what_its_two_sentences_say(tiny_translator):
    links = head_links(tiny_translator, [TIRED, WIDE])
    best, halves = links["encoder"], {}
    for pair, sign in ((TIRED, 1), (WIDE, -1)):
        record = tiny_translator.attend(pair.source, pair.target)
        row = record.encoder.weights[best["layer"], best["head"], record.src.pieces_of("it")[0]]
        animal, street = (row[list(record.src.pieces_of(n))].sum() for n in ("animal", "street"))
        halves[pair.half] = sign * (animal - street)
    assert {half: best[half] for half in halves} == pytest.approx(halves, abs=1e-4)
    assert best["margin"] == pytest.approx(sum(halves.values()) / 2, abs=1e-4)
    assert links["cross"]["n_pairs"] == 1
    assert np.isfinite(links["cross"]["all_heads"]).all()
    # A head that follows one half is not chosen.
    first, second = np.array([[0.9, 0.2], [0.1, 0.0]]), np.array([[-0.9, 0.1], [0.15, 0.0]])
    assert chosen_head(first, second) == (0, 1)


def test_the_nouns_head_is_tried_without_it_and_alone_in_its_layer(tiny_translator):
    found, others = use_of(tiny_translator, [TIRED, WIDE], (1, 2)), {0, 1, 3}
    for name, off in (("plain", ()), ("without", (2,)), ("alone", others)):
        change = Intervention(*(AblatedHead("encoder", 1, head) for head in off))
        right = [forced_choice_is_right(tiny_translator, pair, change) for pair in (TIRED, WIDE)]
        assert found[name]["value"] == np.mean(right)
        assert found[name]["low"] <= found[name]["value"] <= found[name]["high"]


def test_the_head_of_the_property_is_that_of_the_weights_themselves(tiny_translator):
    items = [replace(pair, pair_id="0") for pair in (TIRED, WIDE)]
    found = property_links(tiny_translator, items, noun_head=(0, 0))
    rows = []
    for pair, word in ((TIRED, "tired"), (WIDE, "wide")):
        record = tiny_translator.attend(pair.source, pair.target)
        it, decides = record.src.pieces_of("it"), record.src.pieces_of(word)
        other = WIDE if pair.half == "first" else TIRED
        assert pair.source[slice(*deciding_span(pair, other))] == word
        weights = record.encoder.weights[:, :, list(it)][..., list(decides)]
        rows.append(weights.sum(axis=-1).mean(axis=-1))
    means, place = np.mean(rows, axis=0), (found["layer"], found["head"])
    assert found["weight"] == pytest.approx(means[place], abs=1e-4)
    means[0, 0] = -1
    assert place == np.unravel_index(means.argmax(), means.shape)


def test_a_head_is_served_by_what_comes_before_it(tiny_translator):
    last = (tiny_translator.card.config["n_encoder_layers"] - 1, 0)
    found = served_by(tiny_translator, [TIRED, WIDE], last, (0, 1))

    def margin(*off):
        values = []
        for pair in (TIRED, WIDE):
            change = Intervention(*(AblatedHead("encoder", *head) for head in off))
            record = tiny_translator.attend(pair.source, pair.target, intervention=change)
            row = record.encoder.weights[(*last, record.src.pieces_of("it")[0])]
            nouns = (record.src.pieces_at(*span) for span in (pair.antecedent, pair.distractor))
            noun, other = (row[list(pieces)].sum() for pieces in nouns)
            values.append(noun - other)
        return pytest.approx(np.mean(values), abs=1e-4)

    assert found["margin"] == margin()
    assert found["without"] == margin((0, 1))
    assert found["without_server"] == margin((found["server"]["layer"], found["server"]["head"]))
    assert found["without_server"] <= found["without"] + 1e-4
    assert found["sentences"] == 2
    assert 0 <= found["right_without"] <= 1


def test_the_quick_look_counts_what_the_measurements_count(tiny_translator):
    items = generate_held_out(3, seed=HELD_OUT_SEED)
    found, right, flips = probe(tiny_translator, 3), 0, 0
    for pair in items:
        src = tiny_translator.tokenize(pair.source)
        cells = product(src.pieces_at(*pair.pronoun), noun_phrase(src, pair.antecedent))
        change = Intervention(*(MaskedCell("encoder", None, None, q, k) for q, k in cells))
        right += forced_choice_is_right(tiny_translator, pair)
        flips += likeliest_form(tiny_translator, pair, change) != likeliest_form(
            tiny_translator, pair
        )
    assert found["right"] == pytest.approx(right / 6, abs=1e-4)
    assert found["flips"] == pytest.approx(flips / 6, abs=1e-4)
    noun, other = found["noun"], found["property"]
    assert noun["margin"] == head_links(tiny_translator, items)["encoder"]["margin"]
    assert (other["layer"], other["head"]) != (noun["layer"], noun["head"])
    text = report(found)
    assert f"coreference head: layer {noun['layer'] + 1}, head {noun['head'] + 1}, margin" in text
    assert f"\npronoun accuracy (forced choice): {found['right']}\n" in text
    assert text.endswith("\nsentences: 6")


# -- roles ------------------------------------------------------------------------------------

PAIRS = [(SENTENCES[i], SENTENCES[i + 1]) for i in (0, 2)]  # of either set the first two


@pytest.fixture(scope="module")
def roles(tiny_checkpoint, measured_data):
    return RolesMeasurement(RolesMeasurement.load(str(tiny_checkpoint)), measured_data, 2).measure()


@pytest.mark.parametrize(
    ("kind", "role"), [("encoder", "next"), ("decoder", "end"), ("cross", "column")]
)
def test_a_role_is_the_mean_over_all_rows(tiny_translator, roles, kind, role):
    rows = [row_values(tiny_translator.attend(*pair).of(kind), role) for pair in PAIRS]
    expected, stored = np.concatenate(rows, axis=-1), roles["sites"][kind][role]
    assert (roles["sentences"], stored["n"]) == (4, 2 * expected.shape[-1])
    np.testing.assert_allclose(stored["measured"]["value"], expected.mean(-1), atol=1e-4)


def test_the_noun_is_held_against_the_other_noun_and_a_fixed_offset(tiny_translator, roles):
    weights, away = {"measured": [], "other": []}, Counter()
    for pair in generate_held_out(2, seed=HELD_OUT_SEED):
        record = tiny_translator.attend(pair.source, pair.target)
        spans = (pair.pronoun, pair.antecedent, pair.distractor)
        it, noun, other = (record.src.pieces_at(*span) for span in spans)
        for name, columns in (("measured", noun), ("other", other)):
            weights[name].append(pair_weights(record.encoder, it, columns))
        for i, k in product(it, noun):
            away[k - i] += 1 / len(it)
    stored = roles["sites"]["encoder"]["noun"]
    assert stored["n"] == roles["links"] == 4
    for name, expected in weights.items():
        values = (stored["controls"] | stored)[name]["value"]
        np.testing.assert_allclose(values, np.mean(expected, axis=0), atol=1e-4)
    best = max(away.values()) / 4
    np.testing.assert_allclose(stored["controls"]["offset"]["value"], best, atol=1e-4)


@pytest.mark.parametrize("how", ["zero", "mean"])
def test_a_head_is_worth_the_change_of_log_p_without_it(tiny_checkpoint, roles, how):
    translator = load_translator(str(tiny_checkpoint))
    ids = [tuple(translator.tokenizer.encode(text).ids for text in pair) for pair in PAIRS]
    means = head_means(translator.model, ids)
    translator.means = {site.name: torch.tensor(means[site.name]) for site in translator.sites}
    plain, without = (
        np.concatenate([translator.read_pair(*pair, intervention=each)[1] for pair in PAIRS])
        for each in (None, Intervention(AblatedHead("cross", 1, 2, how)))
    )
    stored = roles["off"][how]["cross"]
    value, low, high = (stored[name][1][2] for name in ("value", "low", "high"))
    assert low <= value <= high
    assert value == pytest.approx((without - plain).mean(), abs=2e-4)


# -- pruning ----------------------------------------------------------------------------------


def pruned(**curves) -> PrunedSite:
    run = {"bleu": [40, 39, 10], **curves}
    order = [(0, at) for at in range(4)]
    values = {"removed": [0, 2, 4], "order": order, "ranked": run}
    return msgspec.convert(values | {"random": [run, {"bleu": [40, 20, 10]}]}, PrunedSite)


def test_facts_of_a_pruning_by_hand():
    facts = pruning_facts(pruned(pronoun=[1, 0.5, 0.5], aer=[0.3, 0.3, None]))
    assert (facts["first"], facts["removed"], facts["n"]) == ("pronoun", 2, 4)
    assert pruning_facts(pruned(aer=[0.3, 0.5, 0.6]))["first"] == "aer"
    rows = pruning_table(pruned()).query("order == 'random' and left == 2").iloc[0]
    assert (rows["value"], rows["low"], rows["high"]) == (29.5, 20, 39)


def test_pruned_outputs_in_a_batch_are_those_of_one_change_alone(en_de):
    offs = [Intervention(), Intervention(AblatedHead("encoder", 3, 7), AblatedHead("cross", 0, 7))]
    text, outputs = "The dog sleeps because it is tired.", PruningMeasurement(en_de)._outputs
    assert outputs(text, offs) == [output for change in offs for output in outputs(text, [change])]


# -- the card ---------------------------------------------------------------------------------


def test_an_evaluation_is_kept_in_the_card_and_goes_on(mine, tmp_path, monkeypatch):
    worked = []

    def work(name):
        worked.append(name)
        return {"bleu": 1.0, "signature": "s"}

    parts = [ResultPart(("scores", name), partial(work, name)) for name in BLEU_SETS]
    before = stored_card(mine)
    for n_parts in (2, len(parts)):
        monkeypatch.setattr(EvaluateMeasurement, "parts", lambda self, n=n_parts: parts[:n])
        EvaluateMeasurement.of_checkpoint(str(mine), tmp_path, None, write=True)
    assert worked == list(BLEU_SETS)
    card = stored_card(mine)
    assert list(card["scores"]) == list(BLEU_SETS)
    assert before.items() <= card.items()
    assert "| Multi30k test 2016 Flickr | 1.0 | `s` |" in (mine / "README.md").read_text()
    write_card(mine, {"fingerprint": "of other weights"})
    EvaluateMeasurement.of_checkpoint(str(mine), tmp_path, None, write=True)
    assert worked == [*BLEU_SETS] * 2

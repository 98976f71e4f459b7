"""Measured interventions: head means, pronouns under hidden words, correlations, kept steps."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
import safetensors.torch
import scipy.stats
import torch

from core.bootstrap import wilson
from core.interventions.intervention import Intervention, hide
from core.interventions.kinds import MaskedCell
from core.pronoun import control_word, word_at, words_of
from core.records.search import Decoding
from evaluation import ablation_steps
from evaluation import interventions as intervene_module
from evaluation.ablation_steps import KnockOutStepsMeasurement, held_out_pronouns
from evaluation.interventions import (
    METHODS,
    InterveneMeasurement,
    _spread,
    correlations,
    head_means,
)
from evaluation.pronoun import (
    WHERES,
    WORDS,
    PronounOutcome,
    changes_of,
    control_positions,
    follow,
    force,
    form_log_probs,
    greedy_outputs,
    judge_output,
    noun_phrase,
    rows_of,
    summary,
)
from model import load_translator, save_checkpoint
from model.experiments.explain import explain
from model.hooks.activations import hook_points, recording
from model.hooks.capture import capture_attention
from model.io.assembly import stored_tensors
from model.io.checkpoint import load_checkpoint
from model.teacher_forcing import read_ids
from model.tokenizer import build_tokenizer
from support.models import SENTENCES, make_model
from support.runs import TINY_RUN, TRAINING
from training.build_tokenizer import tokenizer_for
from training.corpora.coreference import canonical_pairs, generate_held_out, generate_training
from training.corpora.text_pairs import TextPair
from training.objectives.families import model_for
from training.workers import Workers
from words.packs import pack_of

TIRED, WIDE = canonical_pairs()
HELD_OUT = generate_held_out(12, seed=7)
PAIRS = [TextPair(SENTENCES[i], SENTENCES[i + 1]) for i in (0, 2, 4)]
HEADS = {"encoder": (1, 2), "cross": (0, 3), "guided": (1, 0)}
NO_HEADS = dict.fromkeys(HEADS)
CARD = {
    "languages": ["en", "de"],
    "heads": {
        site: {"layer": layer, "head": head, "margin": 0.0, "first": 0.0, "second": 0.0}
        for site, (layer, head) in HEADS.items()
        if site != "guided"
    },
    "guided": {"layer": 1, "head": 0, "weight": 2.0},
}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A checkpoint that spells every pronoun and noun as one piece.

    Its weights are random; those of attention are large, so that what is hidden matters.
    """
    texts = [text for pair in HELD_OUT for text in (pair.source, pair.target)]
    texts += ["er sie es ihn ihm ihr Er Sie Es"] * 20
    tokenizer = build_tokenizer([*SENTENCES, *texts] * 3, vocab_size=700)
    model = make_model(vocab_size=tokenizer.vocab_size, max_len=160)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "attention" in name and "proj" in name:
                parameter *= 4
    path = tmp_path_factory.mktemp("home") / "en-de"
    save_checkpoint(path, model, tokenizer, card=CARD)
    return path


@pytest.fixture(scope="module")
def checkpoint(home):
    return load_checkpoint(home)


@pytest.fixture(scope="module")
def translator(home):
    return load_translator(home)


@pytest.fixture(scope="module")
def ids(checkpoint):
    """Source and target of each of `PAIRS`."""
    encode = checkpoint.tokenizer.encode
    return [(encode(pair.source).ids, encode(pair.target).ids) for pair in PAIRS]


def followed(checkpoint, pair=TIRED, text=None):
    tokenizer = checkpoint.tokenizer
    text = pair.target if text is None else text
    return follow(tokenizer, pair, tokenizer.encode(pair.source), tokenizer.encode(text))


# -- mean outputs of heads --------------------------------------------------------------------


def test_head_means_are_those_of_weights_times_values(checkpoint, ids):
    model, heads = checkpoint.model, {}
    for src_ids, tgt_ids in ids:
        with capture_attention(model) as captured, recording(hook_points(model), "*.v") as cache:
            model(torch.tensor([src_ids]), torch.tensor([[2, *tgt_ids[:-1]]]))
        for kind in captured.site_ids:
            weights = captured.weights(kind)[0]
            layers = range(len(weights))
            values = np.stack([cache[f"{kind}.{layer}.v"][0].detach() for layer in layers])
            heads.setdefault(kind, []).append(weights @ values)  # (L, H, T_q, d_k)
    found = head_means(model, ids)
    for kind, each in heads.items():
        expected = np.concatenate(each, axis=2).mean(axis=2)
        np.testing.assert_allclose(found[kind], expected, rtol=1e-4, atol=1e-6)
    n_src, n_tgt = (sum(map(len, side)) for side in zip(*ids, strict=True))
    assert found["sentences"] == 3
    assert found["positions"] == {"source": n_src, "target": n_tgt}


# -- which pronouns are followed, and what is hidden from them --------------------------------


@pytest.mark.parametrize(
    ("text", "written", "forms"),
    [
        pytest.param(TIRED.target, "es", "▁er ▁sie ▁es", id="right"),
        pytest.param(TIRED.target.replace(" es ", " sie "), "sie", "▁er ▁sie ▁es", id="wrong"),
        pytest.param("Das Tier war müde. Es ging.", "es", "▁Er ▁Sie ▁Es", id="spelled alike"),
        pytest.param("Das Tier ging.", None, None, id="none"),
        pytest.param("Es ging nicht, weil es müde war.", None, None, id="two"),
    ],
)
def test_a_pronoun_is_followed_where_it_is_written_once(checkpoint, text, written, forms):
    item = followed(checkpoint, text=text)
    if written is None:
        assert item is None
        return
    assert (item.written, item.right) == (written, "es")
    assert item.tgt.tokens[item.row].lower() == f"▁{written}"
    spelled = [checkpoint.tokenizer.token_of(item.form_ids[form]) for form in ("er", "sie", "es")]
    assert spelled == forms.split()
    assert item.it == item.src.pieces_of("it")
    assert item.hidden["antecedent"] == item.src.pieces_of("animal")
    other = item.src.pieces_of("street")
    assert item.hidden["other"] == other
    assert item.hidden["other_phrase"] == (*item.src.pieces_of("the", 1), *other)


def test_a_noun_phrase_begins_with_its_determiner(checkpoint):
    for source, noun, phrase in (
        ("The dog saw this old cat.", "dog", "The dog"),
        ("The dog saw this old cat.", "cat", "this old cat"),
        ("Because an owl slept, my mouse ran.", "owl", "an owl"),
        ("Because an owl slept, my mouse ran.", "mouse", "my mouse"),
        ("Tom ate bread.", "bread", "bread"),
    ):
        src, start = checkpoint.tokenizer.encode(source), source.index(noun)
        first, *_, last = 2 * noun_phrase(src, (start, start + len(noun)))
        assert source[src.offsets[first][0] : src.offsets[last][1]] == phrase


def test_the_control_is_the_nearest_other_word_of_as_many_pieces(en_de):
    """The page finds words by their text, the table by their spans."""
    n_controls = 0
    for pair in (TIRED, WIDE, *HELD_OUT):
        src = en_de.tokenize(pair.source)
        spans, words = (pair.pronoun, pair.antecedent, pair.distractor), words_of(src)
        it, noun, other = (word_at(words, pair.source[slice(*span)]) for span in spans)
        control = control_word(words, it, noun, other, pack_of(("en", "de")).determiners)
        taken = {*noun_phrase(src, pair.antecedent), *noun_phrase(src, pair.distractor)}
        fitting = [
            word.positions
            for word in words
            if len(word.positions) == len(src.pieces_at(*pair.antecedent))
            and word.positions[-1] < src.pieces_at(*pair.pronoun)[0]
            and not {*word.positions} & taken
            and word.text.replace("'", "").isalpha()
        ]
        assert control_positions(pair, src) == (fitting[-1] if fitting else ())
        assert control_positions(pair, src) == (control.positions if control else ())
        n_controls += bool(fitting)
    assert n_controls > len(HELD_OUT) / 2


def test_every_place_is_hidden_as_its_name_says(checkpoint):
    item = followed(checkpoint)
    (it,) = item.it
    from_it = Intervention(MaskedCell("encoder", query=it, key=1))
    from_pronoun = Intervention(MaskedCell("cross", query=item.row, key=1))
    changes = changes_of(item, (1,), HEADS, 4)
    assert tuple(changes) == WHERES
    assert changes == {
        "encoder_from_it": from_it,
        "encoder_from_it_best": Intervention(MaskedCell("encoder", 1, 2, it, 1)),
        "encoder_from_it_others": Intervention(
            *(MaskedCell("encoder", 1, head, it, 1) for head in (0, 1, 3))
        ),
        "encoder_from_it_guided": Intervention(MaskedCell("encoder", 1, 0, it, 1)),
        "cross_from_pronoun": from_pronoun,
        "cross_from_pronoun_best": Intervention(MaskedCell("cross", 0, 3, item.row, 1)),
        "it_and_pronoun": from_it | from_pronoun,
        "cross": hide(1, where="cross"),
        "encoder": hide(1, where="encoder"),
        "both": hide(1),
    }  # fmt: skip
    changes = changes_of(replace(item, it=(8, 9)), (1, 2), NO_HEADS, 4)
    headless = {where for where in WHERES if not where.endswith(("_best", "_others", "_guided"))}
    assert set(changes) == headless
    cells = {(cell.query, cell.key) for cell in changes["encoder_from_it"].masked}
    assert cells == {(8, 1), (8, 2), (9, 1), (9, 2)}


# -- what becomes of the pronoun --------------------------------------------------------------


def test_form_log_probs_are_those_of_teacher_forcing_each_form(checkpoint, translator):
    item = followed(checkpoint)
    changes = (hide(1), hide(7, where="cross"))
    found = form_log_probs(checkpoint.model, item, changes)
    assert found.shape == (3, 3)
    for number, change in enumerate((None, *changes)):
        for place, token_id in enumerate(item.form_ids.values()):
            ids = (*item.tgt.ids[: item.row], token_id, *item.tgt.ids[item.row + 1 :])
            changed = replace(item.tgt, ids=ids)
            expected = translator.teacher_force(item.src, changed, change)[1][item.row]
            assert found[number, place] == pytest.approx(expected, abs=1e-5)


def test_forced_outcomes_follow_from_the_log_probs_of_the_forms(checkpoint):
    items = [item for pair in HELD_OUT if (item := followed(checkpoint, pair))]
    found, flips = force(checkpoint.model, items, HEADS), 0
    assert set(found) == {(where, word) for where in WHERES for word in WORDS}
    for number, item in enumerate(items):
        forms = list(item.form_ids)
        right = forms.index(item.right)
        for word in WORDS:
            change = changes_of(item, item.hidden[word], HEADS, 4)["both"]
            plain, hidden = form_log_probs(checkpoint.model, item, (change,))
            odds = [row[right] - max(np.delete(row, right)) for row in (plain, hidden)]
            outcome = found["both", word][number]
            assert outcome.half == item.pair.half
            assert outcome.flipped == (hidden.argmax() != plain.argmax())
            assert outcome.right == (forms[hidden.argmax()] == item.right)
            assert outcome.change == pytest.approx(odds[1] - odds[0], abs=1e-5)
            flips += outcome.flipped
    assert flips


@pytest.mark.parametrize(
    ("plain", "text", "verdict"),
    [
        ("es", "Das Pony ging nicht, da es müde war.", "right"),
        ("es", "Das Tier überquerte die Straße nicht, weil sie zu müde war.", "flipped other"),
        ("es", "Er überquerte die Straße nicht.", "flipped other"),
        ("es", "Das Tier überquerte die Straße nicht, weil das Tier zu müde war.", "flipped"),
        ("es", "Es überquerte die Straße nicht, weil es zu müde war.", "flipped"),
        ("sie", TIRED.target, "flipped right other"),
    ],
)
def test_a_new_output_is_judged_by_the_forms_it_holds(checkpoint, plain, text, verdict):
    item = followed(checkpoint, text=TIRED.target.replace(" es ", f" {plain} "))
    found = judge_output(item, text)
    flags = {"flipped": found.flipped, "right": found.right, "other": found.other_gender}
    assert [name for name, holds in flags.items() if holds] == verdict.split()


def test_a_batch_of_searches_is_one_search_after_the_other(checkpoint, translator):
    item, decoding = followed(checkpoint), Decoding(beam_size=1, max_len=12)
    changes = [Intervention(), *changes_of(item, item.hidden["antecedent"], HEADS, 4).values()]
    found = greedy_outputs(checkpoint.model, item.src.ids, changes, 12)
    for change, ids in zip(changes, found, strict=True):
        tree = translator.search(TIRED.source, decoding, intervention=change)
        assert ids == tree.hypothesis(tree.best).ids
    assert len(set(found)) > 1


def outcomes(flipped, right, half="first", **rest):
    return [PronounOutcome(half, f, r, **rest) for f, r in zip(flipped, right, strict=True)]


def test_outcomes_are_counted_by_halves_too_and_shares_of_nothing_are_none():
    low, high = wilson(2, 4)
    assert summary(outcomes([1, 1, 0, 0], [0, 1, 1, 1], change=-0.5)) == {
        "n": 4, "flips": 2, "share": 0.5, "low": round(low, 6), "high": round(high, 6),
        "right": 3, "share_right": 0.75, "log_odds_change": -0.5,
    }  # fmt: skip
    searched = summary(outcomes([1], [0], other_gender=True) + outcomes([1, 0], [0, 1]))
    assert searched["other_gender"] == 1
    assert "log_odds_change" not in searched
    empty = summary([])
    assert [empty[name] for name in ("n", "share", "low", "share_right")] == [0, None, None, None]
    both = outcomes([1, 1], [0, 0], change=-1.0) + outcomes([0], [1], "second", change=0.0)
    (row,) = rows_of({("both", "antecedent"): both})
    assert (row["where"], row["word"]) == ("both", "antecedent")
    counts = [(row[part]["flips"], row[part]["n"]) for part in ("all", "first", "second")]
    assert counts == [(2, 3), (2, 2), (0, 1)]


def test_bounds_of_a_share_are_those_of_wilson():
    for k, n in ((0, 10), (3, 10), (10, 10), (397, 800)):
        # The share lies 1.96 standard errors of the bound away from it (Wilson 1927, eq. 3).
        for bound in wilson(k, n):
            error = 1.959964**2 * bound * (1 - bound) / n
            assert (k / n - bound) ** 2 == pytest.approx(error, abs=1e-6)
    assert all(map(math.isnan, wilson(0, 0)))


# -- rank correlations ------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_correlations_are_means_over_the_rows_of_an_explanation(translator, ids, method):
    model = translator.model
    found = [correlations(model, *pair, seed) for pair in ids for seed in range(2)]
    src, tgt = (translator.tokenize(sentence) for sentence in SENTENCES[:2])
    weights = translator.teacher_force(src, tgt)[0].cross.weights
    for where in ("both", "cross"):
        explained = explain(translator, src, tgt, hidden_from=where, method=method)
        entry = found[0][where, method]
        np.testing.assert_allclose(entry["heads"], np.nanmean(explained.to_drops, -1), atol=1e-5)
        expected = np.nanmean(explained.gradient_to_drops)
        assert entry["gradient"] == pytest.approx(expected, abs=1e-5)
    entry = found[0]["gradient", method]
    np.testing.assert_allclose(entry["heads"], np.nanmean(explained.to_gradient, -1), atol=1e-5)
    if method == "spearman":
        rows = zip(weights.mean((0, 1)), explain(translator, src, tgt).drops, strict=True)
        rho = np.mean([scipy.stats.spearmanr(*row).statistic for row in rows])
        assert found[0]["both", method]["average"] == pytest.approx(rho, abs=1e-4)
    # Shuffled rows correlate with nothing: the rho of n ranks has variance 1 / (n - 1).
    shuffled = [each["both", method]["permuted_heads"] for each in found]
    n_rows = 2 * 8 * sum(len(target) for _, target in ids)
    error = 1 / np.sqrt((min(len(source) for source, _ in ids) - 1) * n_rows)
    assert abs(np.mean(shuffled)) < 5 * error
    assert shuffled[0] != shuffled[1]  # another seed


def test_means_and_deviations_are_over_sentences_with_a_number():
    found = _spread([np.array([0.5, np.nan]), np.array([0.7, np.nan])])
    assert found == {"mean": [0.6, None], "std": [0.1, None], "n": [2, 0]}


# -- all of it, as it is stored ---------------------------------------------------------------


@pytest.fixture(scope="module")
def saved(checkpoint, measured_data):
    """All that a whole run of one pair of sentences saves, as text; the last is the result.

    Its plain outputs are the references: random weights never write a pronoun.
    """

    def give_references(translator, tokenizer, pairs):
        items = [item for pair in pairs if (item := followed(checkpoint, pair))]
        counts = {"sentences": len(pairs), "right": len(pairs), "share_right": 1.0}
        return items, counts | {"followed": len(items)}

    texts = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intervene_module, "translate_plainly", give_references)
        measurement = InterveneMeasurement(checkpoint, measured_data, limit=1)
        result = measurement.measure(save=lambda found: texts.append(json.dumps(found)))
    assert json.loads(texts[-1]) == result
    return texts


def test_the_result_has_every_place_word_and_correlation(saved):
    result = json.loads(saved[-1])
    for name in ("forced", "searched"):
        rows = result["pronoun"][name]
        places = [(row["where"], row["word"]) for row in rows]
        assert places == [(where, word) for where in WHERES for word in WORDS]
        assert {row["all"]["n"] for row in rows} == {2}
    assert result["explain"]["sets"] == {"multi30k_val": 1, "tatoeba_val": 1}
    assert result["head_means"]["sentences"] == 2


# -- heads switched off at the steps that a run has kept --------------------------------------

KEPT = TINY_RUN | {
    "name": "kept",
    "data": {"sets": [], "coreference": {"pairs": 40, "held_out_pairs": 8, "seed": 1}},
    "tokenizer": {"vocab_size": 400},
    "model": TINY_RUN["model"] | {"n_decoder_layers": 1},
    "training": TRAINING | {"formation_sentences": [["The dog sleeps.", "Der Hund schläft."]]},
}  # fmt: skip
STEPS = (10, 20)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The folder of a run with the weights of two steps, and its tokenizer."""
    folder = tmp_path_factory.mktemp("kept")
    pairs = [TextPair(p.source, p.target) for p in generate_training(400, seed=1)]
    tokenizer = tokenizer_for(KEPT, pairs, folder, Workers.join())
    (folder / "config.json").write_text(json.dumps(KEPT))
    for step in STEPS:
        tensors = {n: t.contiguous() for n, t in stored_tensors(at_step(step, tokenizer)).items()}
        safetensors.torch.save_file(tensors, folder / f"weights-{step:07d}.safetensors")
    return folder, tokenizer


def at_step(step, tokenizer):
    torch.manual_seed(step)
    return model_for(KEPT, tokenizer).eval()


def test_every_step_has_the_pronouns_log_p_and_a_change_for_every_head(kept, monkeypatch):
    folder, tokenizer = kept
    monkeypatch.setattr(ablation_steps, "PRONOUNS", 2)
    found = KnockOutStepsMeasurement(folder).measure()
    assert found["steps"] == list(STEPS)
    for changes in (found["changes"], found["pronoun"]["changes"]):
        shapes = {name: np.shape(values) for name, values in changes.items()}
        assert shapes == {"encoder": (2, 2, 2), "decoder": (2, 1, 2), "cross": (2, 1, 2)}
    assert KnockOutStepsMeasurement.report(found).count("step ") == len(STEPS)
    for at, step in enumerate(STEPS):
        model, log_probs = at_step(step, tokenizer), []
        for pair in generate_held_out(2, seed=ablation_steps.HELD_OUT_SEED):
            src, tgt = (tokenizer.encode(text) for text in (pair.source, pair.target))
            place = tgt.pieces_at(*pair.target_pronoun)[0]
            read = torch.tensor([list(read_ids(model.config, tgt.ids))])
            with torch.inference_mode():
                logits = model(torch.tensor([list(src.ids)]), read)
            log_probs.append(float(logits[0, place].log_softmax(dim=-1)[tgt.ids[place]]))
        assert found["pronoun"]["log_prob"][at] == pytest.approx(np.mean(log_probs), abs=1e-4)
    assert found["pronoun"]["sentences"] == len(log_probs)
    assert held_out_pronouns({"data": {"sets": []}}, tokenizer) == []
    (folder / "weights-0000010.safetensors").rename(folder / "one")
    (folder / "weights-0000020.safetensors").rename(folder / "two")
    with pytest.raises(FileNotFoundError, match="holds no weights"):
        KnockOutStepsMeasurement(folder).measure()

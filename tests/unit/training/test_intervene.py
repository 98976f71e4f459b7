"""What is stored of a checkpoint's interventions: counts by hand, one run at a time, resumed."""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
import torch

from core.changes import AblatedHead, MaskedCell
from core.intervention import Intervention, hide
from core.measurements import INTERVENTIONS
from core.pronoun import control_word, word_at, words_of
from core.search import Decoding
from model import load_translator, save_checkpoint
from model.capture import capture_attention
from model.checkpoint import load_checkpoint
from model.errors import InterventionError
from model.experiments.arithmetic import capture_vectors
from model.tokenizer import build_tokenizer
from support.models import ROOT, SENTENCES, make_model, write_measured
from training import intervene as intervene_module
from training import pronoun as pronoun_module
from training.card import readme_of, write_readme
from training.coreference import canonical_pairs, generate_held_out
from training.corpus import Pair
from training.evaluate import MEASURED, MeasuredSets, measured_sets
from training.intervene import Intervene, head_means
from training.pronoun import (
    WHERES,
    WORDS,
    Outcome,
    changes_of,
    control_positions,
    follow,
    followed_heads,
    force,
    form_log_probs,
    greedy_outputs,
    judge_output,
    noun_phrase,
    rows_of,
    search_anew,
    summary,
)
from training.storing import wilson
from words.packs import pack_of

TIRED, WIDE = canonical_pairs()
HELD_OUT = generate_held_out(12, seed=7)
PAIRS = [Pair(SENTENCES[i], SENTENCES[i + 1]) for i in (0, 2, 4)]
CARD = {
    "languages": ["en", "de"],
    "heads": {
        "encoder": {"layer": 1, "head": 2, "margin": 0.0, "first": 0.0, "second": 0.0},
        "cross": {"layer": 0, "head": 3, "margin": 0.0, "first": 0.0, "second": 0.0},
    },
    "guided": {"layer": 1, "head": 0, "weight": 2.0},
}
HEADS = {"encoder": (1, 2), "cross": (0, 3), "guided": (1, 0)}
NO_HEADS = {"encoder": None, "cross": None, "guided": None}


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


@pytest.fixture
def folder(home, tmp_path):
    return shutil.copytree(home, tmp_path / "en-de")


@pytest.fixture(scope="module")
def quick():
    """Plain outputs that hold a pronoun, which random weights never write."""

    def give_references(translator, tokenizer, pairs):
        read = [(translator.tokenize(p.source), tokenizer.encode(p.target)) for p in pairs]
        found = [follow(tokenizer, p, *each) for p, each in zip(pairs, read, strict=True)]
        items = [item for item in found if item]
        counts = {"sentences": len(pairs), "right": len(pairs), "share_right": 1.0}
        return items, counts | {"followed": len(items)}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intervene_module, "translate_plainly", give_references)
        yield


@pytest.fixture(scope="module")
def saved(checkpoint, measured_data, quick):
    """All that a whole run of one pair of sentences saves, as text; the last is the result."""
    texts = []
    measurement = Intervene(checkpoint, measured_data, limit=1)
    result = measurement.measure(save=lambda found: texts.append(json.dumps(found)))
    assert json.loads(texts[-1]) == result
    return texts


@pytest.fixture
def result(saved):
    return json.loads(saved[-1])


def followed(checkpoint, pair=TIRED, text=None):
    tokenizer = checkpoint.tokenizer
    text = pair.target if text is None else text
    return follow(tokenizer, pair, tokenizer.encode(pair.source), tokenizer.encode(text))


def ids_of(checkpoint):
    encode = checkpoint.tokenizer.encode
    return [(encode(pair.source).ids, encode(pair.target).ids) for pair in PAIRS]


def outcomes(flipped, right, half="first", **rest):
    return [Outcome(half, f, r, **rest) for f, r in zip(flipped, right, strict=True)]


# -- mean outputs of heads -----------------------------------------------------------------


def test_head_means_are_those_of_weights_times_values(checkpoint):
    model, heads = checkpoint.model, {}
    for src_ids, tgt_ids in ids_of(checkpoint):
        with capture_attention(model) as captured, capture_vectors(model) as vectors:
            model(torch.tensor([src_ids]), torch.tensor([[2, *tgt_ids[:-1]]]))
        for kind in captured.kinds:
            output = captured.weights(kind)[0] @ vectors.of(kind).values  # (L, H, T_q, d_k)
            heads.setdefault(kind, []).append(output)
    found = head_means(model, ids_of(checkpoint))
    for kind, each in heads.items():
        expected = np.concatenate(each, axis=2).mean(axis=2)
        np.testing.assert_allclose(found[kind], expected, rtol=1e-4, atol=1e-6)
    n_src, n_tgt = (sum(map(len, side)) for side in zip(*ids_of(checkpoint), strict=True))
    assert found["sentences"] == 3
    assert found["positions"] == {"source": n_src, "target": n_tgt}


def test_stored_means_stand_in_for_a_head(checkpoint, folder):
    mean = Intervention(AblatedHead("cross", how="mean"))
    src, tgt = (checkpoint.tokenizer.encode(sentence) for sentence in SENTENCES[:2])
    with pytest.raises(InterventionError):
        load_translator(folder).read_again(src, tgt, mean)
    means = head_means(checkpoint.model, ids_of(checkpoint))
    write_measured(folder, INTERVENTIONS, head_means=means)
    log_probs = load_translator(folder).read_again(src, tgt, mean)[1]
    assert np.abs(log_probs - load_translator(folder).read_again(src, tgt)[1]).max() > 1e-4


# -- which sentences are followed ----------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "written", "spelled"),
    [
        pytest.param(TIRED.target, "es", "▁er ▁sie ▁es", id="right"),
        pytest.param(TIRED.target.replace(" es ", " sie "), "sie", "▁er ▁sie ▁es", id="wrong"),
        pytest.param("Das Tier war müde. Es ging.", "es", "▁Er ▁Sie ▁Es", id="spelled alike"),
    ],
)
def test_a_pronoun_is_followed_where_it_is_written(checkpoint, text, written, spelled):
    item = followed(checkpoint, text=text)
    assert (item.written, item.right) == (written, "es")
    assert item.tgt.tokens[item.row].lower() == f"▁{written}"
    forms = {form: checkpoint.tokenizer.token_of(i) for form, i in item.form_ids.items()}
    assert forms == dict(zip(("er", "sie", "es"), spelled.split(), strict=True))


@pytest.mark.parametrize("text", ["Das Tier ging.", "Es ging nicht, weil es müde war."])
def test_outputs_without_just_one_form_are_not_followed(checkpoint, text):
    assert followed(checkpoint, text=text) is None


@pytest.mark.parametrize(
    ("source", "noun", "phrase"),
    [
        ("The dog saw this old cat.", "dog", "The dog"),
        ("The dog saw this old cat.", "cat", "this old cat"),
        ("Because an owl slept, my mouse ran.", "owl", "an owl"),
        ("Because an owl slept, my mouse ran.", "mouse", "my mouse"),
        ("Tom ate bread.", "bread", "bread"),
    ],
)
def test_a_noun_phrase_begins_with_its_determiner(checkpoint, source, noun, phrase):
    start = source.index(noun)
    src = checkpoint.tokenizer.encode(source)
    first, *_, last = 2 * noun_phrase(src, (start, start + len(noun)))
    assert source[src.offsets[first][0] : src.offsets[last][1]] == phrase


def test_source_positions_are_those_of_the_words(checkpoint):
    item = followed(checkpoint)
    assert item.it == item.src.pieces_of("it")
    assert item.hidden["antecedent"] == item.src.pieces_of("animal")
    assert item.hidden["other"] == item.src.pieces_of("street")
    assert item.hidden["other_phrase"] == (
        *item.src.pieces_of("the", 1), *item.src.pieces_of("street"),
    )  # fmt: skip


@pytest.mark.parametrize("pair", HELD_OUT, ids=lambda pair: pair.frame)
def test_the_control_is_another_word_with_as_many_pieces(checkpoint, pair):
    src = checkpoint.tokenizer.encode(pair.source)
    positions = control_positions(pair, src)
    if not positions:
        pytest.skip("no other word has as many pieces")
    start, end = src.offsets[positions[0]][0], src.offsets[positions[-1]][1]
    word = pair.source[start:end]
    assert word.replace("'", "").isalpha()
    for noun in (pair.antecedent, pair.distractor):
        assert not {*positions} & {*noun_phrase(src, noun)}
    assert end <= pair.pronoun[0]
    assert len(positions) == len(src.pieces_at(*pair.antecedent))


@pytest.mark.parametrize("pair", [TIRED, WIDE, *HELD_OUT], ids=lambda pair: pair.source)
def test_the_table_has_the_control_of_the_page(en_de, pair):
    """The page finds words by their text, the table by their spans."""
    src = en_de.tokenize(pair.source)
    words = words_of(src)
    names = [pair.source[slice(*s)] for s in (pair.pronoun, pair.antecedent, pair.distractor)]
    it, noun, other = (word_at(words, name) for name in names)
    control = control_word(words, it, noun, other, pack_of(("en", "de")).determiners)
    assert control_positions(pair, src) == control.positions


# -- what is hidden ------------------------------------------------------------------------


def test_every_place_is_tried_with_what_it_says(checkpoint):
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


def test_every_piece_of_a_word_is_hidden_and_places_without_a_head_are_left_out(checkpoint):
    changes = changes_of(replace(followed(checkpoint), it=(8, 9)), (1, 2), NO_HEADS, 4)
    headless = {where for where in WHERES if not where.endswith(("_best", "_others", "_guided"))}
    assert set(changes) == headless
    cells = changes["encoder_from_it"].masked
    assert {(cell.query, cell.key) for cell in cells} == {(8, 1), (8, 2), (9, 1), (9, 2)}


def test_the_guided_head_is_tried_only_when_it_is_not_the_best(checkpoint):
    assert followed_heads(checkpoint.card) == HEADS
    same = replace(checkpoint.card, guided={"layer": 1, "head": 2})
    assert followed_heads(same)["guided"] is None
    assert followed_heads(replace(checkpoint.card, guided=None, heads={})) == NO_HEADS


# -- what becomes of the pronoun -----------------------------------------------------------


def test_form_log_probs_are_those_of_teacher_forcing_each_form(checkpoint, translator):
    item = followed(checkpoint)
    changes = (hide(1), hide(7, where="cross"))
    found = form_log_probs(checkpoint.model, item, changes)
    assert found.shape == (3, 3)
    for number, change in enumerate((None, *changes)):
        for place, token_id in enumerate(item.form_ids.values()):
            ids = (*item.tgt.ids[: item.row], token_id, *item.tgt.ids[item.row + 1 :])
            changed = replace(item.tgt, ids=ids)
            expected = translator.read_again(item.src, changed, change)[1][item.row]
            assert found[number, place] == pytest.approx(expected, abs=1e-5)


def test_forced_outcomes_follow_from_the_log_probs_of_the_forms(checkpoint):
    items = [item for pair in HELD_OUT if (item := followed(checkpoint, pair))]
    found = force(checkpoint.model, items, HEADS)
    assert set(found) == {(where, word) for where in WHERES for word in WORDS}
    flips = 0
    for number, item in enumerate(items):
        for word in WORDS:
            change = changes_of(item, item.hidden[word], HEADS, 4)["both"]
            plain, hidden = form_log_probs(checkpoint.model, item, (change,))
            forms = list(item.form_ids)
            right = forms.index(item.right)
            others = [i for i in range(len(forms)) if i != right]
            outcome = found["both", word][number]
            assert outcome.half == item.pair.half
            assert outcome.flipped == (hidden.argmax() != plain.argmax())
            assert outcome.right == (forms[hidden.argmax()] == item.right)
            odds = [row[right] - max(row[i] for i in others) for row in (plain, hidden)]
            assert outcome.change == pytest.approx(odds[1] - odds[0], abs=1e-5)
            flips += outcome.flipped
    assert flips


@pytest.mark.parametrize(
    ("plain", "text", "told"),
    [
        ("es", "Das Tier überquerte die Straße nicht, weil es zu müde war.", "right"),
        ("es", "Das Pony ging nicht, da es müde war.", "right"),
        ("es", "Das Tier überquerte die Straße nicht, weil sie zu müde war.", "flipped other"),
        ("es", "Er überquerte die Straße nicht.", "flipped other"),
        ("es", "Das Tier überquerte die Straße nicht, weil das Tier zu müde war.", "flipped"),
        ("es", "Es überquerte die Straße nicht, weil es zu müde war.", "flipped"),
        ("es", "Es überquerte die Straße nicht, weil sie zu müde war.", "flipped"),
        ("sie", TIRED.target, "flipped right other"),
    ],
)
def test_a_new_output_is_judged_by_the_forms_it_holds(checkpoint, plain, text, told):
    item = followed(checkpoint, text=TIRED.target.replace(" es ", f" {plain} "))
    found = judge_output(item, text)
    said = {"flipped": found.flipped, "right": found.right, "other": found.other_gender}
    assert [name for name, holds in said.items() if holds] == told.split()


def test_a_batch_of_searches_is_one_search_after_the_other(checkpoint, translator):
    item = followed(checkpoint)
    changes = [Intervention(), *changes_of(item, item.hidden["antecedent"], HEADS, 4).values()]
    found = greedy_outputs(checkpoint.model, item.src.ids, changes, 12)
    decoding = Decoding(beam_size=1, max_len=12)
    for change, ids in zip(changes, found, strict=True):
        tree = translator.search(TIRED.source, decoding, intervention=change)
        assert ids == tree.hypothesis(tree.best).ids
    assert len(set(found)) > 1


def test_a_search_that_ends_is_cut_at_its_end():
    class Ending:
        """Two hypotheses that write 7 until they end, at steps 2 and 4."""

        config = make_model().config

        def start(self, _src):
            return 0

        def step(self, state, _prev):
            log_probs = torch.full((2, 9), -9.0)
            for row, end in enumerate((1, 3)):
                log_probs[row, 3 if state == end else 7] = 0
            return log_probs, state + 1

    @contextmanager
    def ending(*_arguments, **_sizes):
        yield Ending()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pronoun_module, "intervening", ending)
        found = greedy_outputs(make_model(), (5, 3), [Intervention()] * 2, 9)
        short = greedy_outputs(make_model(), (5, 3), [Intervention()] * 2, 3)
    assert found == [(7, 3), (7, 7, 7, 3)]
    assert short == [(7, 3), (7, 7, 7)]


def test_new_outputs_are_judged_one_by_one(checkpoint, translator):
    item = followed(checkpoint)
    found = search_anew(checkpoint.model, checkpoint.tokenizer, [item], HEADS)
    assert set(found) == {(where, word) for where in WHERES for word in WORDS}
    for word in WORDS:
        change = hide(*item.hidden[word])
        output = translator.translate(TIRED.source, Decoding(beam_size=1), intervention=change)
        assert found["both", word] == pytest.approx([judge_output(item, output.text)], nan_ok=True)


def test_outcomes_are_counted_by_halves_too_and_shares_of_nothing_are_none():
    found = summary(outcomes([1, 1, 0, 0], [0, 1, 1, 1], change=-0.5))
    low, high = wilson(2, 4)
    assert found == {
        "n": 4, "flips": 2, "share": 0.5, "low": round(low, 6), "high": round(high, 6),
        "right": 3, "share_right": 0.75, "log_odds_change": -0.5,
    }  # fmt: skip
    searched = summary(outcomes([1], [0], other_gender=True) + outcomes([1, 0], [0, 1]))
    assert searched["other_gender"] == 1
    assert "log_odds_change" not in searched
    found = summary([])
    assert (found["n"], found["share"], found["low"], found["share_right"]) == (0, None, None, None)
    both = outcomes([1, 1], [0, 0], change=-1.0) + outcomes([0], [1], "second", change=0.0)
    (row,) = rows_of({("both", "antecedent"): both})
    assert (row["where"], row["word"]) == ("both", "antecedent")
    assert [(row[k]["flips"], row[k]["n"]) for k in ("all", "first", "second")] == [
        (2, 3), (2, 2), (0, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(("k", "n"), [(0, 10), (3, 10), (10, 10), (397, 800)])
def test_bounds_are_those_of_wilson(k, n):
    # Where the share lies z standard errors of the bound away from the bound (Wilson 1927, eq. 3).
    for bound in wilson(k, n):
        assert (k / n - bound) ** 2 == pytest.approx(
            1.959964**2 * bound * (1 - bound) / n, abs=1e-6
        )


# -- all of it, stored and resumed ---------------------------------------------------------


def test_the_result_has_every_place_word_and_correlation(result):
    pronoun = result["pronoun"]
    for how in ("forced", "searched"):
        assert [(row["where"], row["word"]) for row in pronoun[how]] == [
            (where, word) for where in WHERES for word in WORDS
        ]
        assert {row["all"]["n"] for row in pronoun[how]} == {2}
    assert result["explain"]["sets"] == {"multi30k_val": 1, "tatoeba_val": 1}
    assert result["head_means"]["sentences"] == 2


def test_pronouns_of_other_languages_are_not_asked_for(checkpoint, measured_data, monkeypatch):
    files = measured_sets(("en", "de")).files
    monkeypatch.setitem(MEASURED, ("ko", "en"), MeasuredSets(files, ("", "")))
    card = replace(checkpoint.card, languages=("ko", "en"))
    found = Intervene(replace(checkpoint, card=card), measured_data, limit=1).measure()
    assert found["head_means"]
    assert found["explain"]
    assert not any(found["pronoun"].values())
    assert "original output" not in Intervene.report(found)


# -- the card ------------------------------------------------------------------------------


def test_the_readme_says_nothing_of_interventions_of_none_or_other_weights(result, folder):
    for _ in range(2):
        write_readme(folder)
        assert "hidden" not in (folder / "README.md").read_text()
        Intervene.write(folder, result | {"fingerprint": "other"})


def test_half_measured_interventions_make_a_readme(saved):
    first, *_, forced, _, _ = (readme_of({"name": "x"}, json.loads(text)) for text in saved)
    assert "## Interventions" not in first
    assert "the pronoun changes when words are hidden" in forced
    assert "**Forced prefix.**" in forced
    assert "**New search.**" not in forced
    assert "Rank correlation" not in forced


# -- what is shipped -----------------------------------------------------------------------


INTERVENED = sorted(path.parent.name for path in ROOT.glob("checkpoints/*/interventions.json"))


@pytest.fixture(params=INTERVENED)
def shipped(request):
    return ROOT / "checkpoints" / request.param


def test_the_shipped_interventions_agree_with_the_shipped_scores(shipped):
    """Two commands translated the same sentences, one of them with a beam."""
    card = load_checkpoint(shipped).card
    plain = card.lies(INTERVENTIONS).values["pronoun"]["plain"]
    if not measured_sets(card.languages).pronouns:
        assert not plain  # no generated sentences are of its languages
        return
    assert plain["sentences"] == card.scores["coreference"]["sentences"]
    assert plain["share_right"] == pytest.approx(card.scores["coreference"]["accuracy"], abs=0.01)

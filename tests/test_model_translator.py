"""Text in, records out."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import SENTENCES
from hypothesis import given, settings
from hypothesis import strategies as st

from model import InputError, ModelError
from records import Decoding, Translation

QUICK = Decoding(beam_size=2, max_len=6)


@pytest.fixture(scope="module")
def translation(tiny_translator):
    return tiny_translator.translate(SENTENCES[0], Decoding(beam_size=3, alpha=0.6, max_len=12))


# -- a translation agrees with itself ------------------------------------------------------


def test_the_source_is_what_was_typed(translation):
    assert translation.src.text == SENTENCES[0]


def test_the_text_is_what_the_produced_ids_spell(translation, tiny_tokenizer):
    assert translation.text == tiny_tokenizer.decode(translation.tgt.ids).text


def test_the_produced_ids_are_the_best_path_of_the_tree(translation):
    assert translation.tgt.ids == translation.tree.hypotheses()[0].ids


def test_the_score_is_the_sum_of_log_probs_over_the_penalty(translation):
    penalty = ((5 + len(translation.tgt)) / 6) ** 0.6
    assert translation.score == pytest.approx(
        float(translation.log_probs.sum()) / penalty, abs=1e-4
    )


def test_every_produced_token_has_a_log_probability(translation):
    assert translation.log_probs.shape == (len(translation.tgt),)
    assert (translation.log_probs <= 0).all()


def test_log_probs_of_the_search_equal_teacher_forcing(tiny_translator, translation):
    with_ids = tiny_translator._teacher_force(translation.src, translation.tgt)[1]
    np.testing.assert_allclose(translation.log_probs, with_ids, rtol=0, atol=1e-4)


def test_attention_has_a_row_and_a_column_for_every_token(translation):
    n_src, n_tgt = len(translation.src), len(translation.tgt)
    shapes = [attention.weights.shape for attention in translation.attention.maps]
    assert shapes == [(2, 4, n_src, n_src), (2, 4, n_tgt, n_tgt), (2, 4, n_tgt, n_src)]


def test_attention_is_float32_and_its_rows_sum_to_one(translation):
    for attention in translation.attention.maps:
        assert attention.weights.dtype == np.float32
        np.testing.assert_allclose(attention.weights.sum(axis=-1), 1.0, rtol=0, atol=1e-5)


@pytest.mark.parametrize("kind", ["decoder", "cross"])
def test_a_row_reads_one_token_and_produces_the_next(translation, kind):
    rows = translation.attention.of(kind)
    assert rows.query_tokens == ("<s>", *translation.tgt.tokens[:-1])
    assert rows.output_tokens == translation.tgt.tokens


def test_cross_attention_looks_at_the_source(translation):
    assert translation.attention.cross.key_tokens == translation.src.tokens


def test_encoder_rows_produce_nothing(translation):
    assert translation.attention.encoder.output_tokens is None


def test_only_the_decoder_has_a_mask(translation):
    n_tgt = len(translation.tgt)
    np.testing.assert_array_equal(
        translation.attention.decoder.mask, np.tri(n_tgt, dtype=bool), strict=True
    )
    assert translation.attention.encoder.mask is None
    assert translation.attention.cross.mask is None


def test_masked_weights_are_exactly_zero(translation):
    attention = translation.attention.decoder
    assert (attention.weights[..., ~attention.mask] == 0).all()


def test_an_unfinished_translation_says_so(tiny_translator):
    short = tiny_translator.translate(SENTENCES[0], Decoding(beam_size=1, max_len=1))
    assert short.finished == (short.tgt.tokens[-1] == "</s>")
    assert len(short.tgt) == 1


def test_the_wall_clock_includes_the_search(translation):
    assert 0 < translation.search_seconds <= translation.seconds


def test_the_tree_spells_its_tokens(translation, tiny_tokenizer):
    assert translation.tree.nodes[0].token == "<s>"
    assert all(n.token == tiny_tokenizer.token_of(n.token_id) for n in translation.tree.nodes)


def test_the_choices_of_the_user_reach_the_search(translation):
    tree = translation.tree
    assert (tree.beam_size, tree.alpha, tree.max_len) == (3, 0.6, 12)


def test_the_same_text_gives_the_same_translation(tiny_translator, translation):
    again = tiny_translator.translate(SENTENCES[0], Decoding(beam_size=3, alpha=0.6, max_len=12))
    assert again.tgt == translation.tgt
    np.testing.assert_array_equal(again.log_probs, translation.log_probs)


# -- any pair ------------------------------------------------------------------------------


def test_attend_takes_any_pair(tiny_translator):
    record = tiny_translator.attend("A dog runs.", "Der Pokal ist müde.")
    assert record.cross.key_tokens == tiny_translator.tokenize("A dog runs.").tokens
    assert record.cross.output_tokens == tiny_translator.tokenize("Der Pokal ist müde.").tokens


def test_attend_to_a_translation_equals_its_attention(tiny_translator):
    source, target = SENTENCES[:2]
    record = tiny_translator.attend(source, target)
    pieces = tiny_translator.tokenize(target)
    expected, _ = tiny_translator._teacher_force(tiny_translator.tokenize(source), pieces)
    np.testing.assert_array_equal(record.cross.weights, expected.cross.weights)


def test_attend_keeps_scores_only_when_asked_to(tiny_translator):
    assert tiny_translator.attend("A dog", "Ein Hund").cross.scores is None
    asked = tiny_translator.attend("A dog", "Ein Hund", scores=True).cross
    assert asked.scores.shape == asked.weights.shape


def test_score_gives_each_token_a_log_probability(tiny_translator):
    log_probs = tiny_translator.score("A dog", "Ein Hund")
    assert log_probs.shape == (len(tiny_translator.tokenize("Ein Hund")),)


def test_scores_of_a_first_token_sum_to_one_over_the_vocabulary(tiny_translator, tiny_tokenizer):
    src = tiny_translator.tokenize("A dog")
    total = sum(
        math.exp(tiny_translator._teacher_force(src, tiny_tokenizer.decode([i]))[1][0])
        for i in range(tiny_tokenizer.vocab_size)
    )
    assert total == pytest.approx(1.0, abs=1e-4)


# -- bad input -----------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", " ", " \n\t ", "\x00\x07", "\u200b", "\u200b \ufeff"])
def test_a_text_without_visible_characters_is_refused_with_a_hint(tiny_translator, text):
    with pytest.raises(InputError, match=r"is empty|holds no visible characters") as raised:
        tiny_translator.translate(text)
    assert raised.value.hint


def test_a_text_that_is_too_long_is_refused_with_both_lengths(tiny_translator):
    with pytest.raises(InputError, match=r"tokens long; the model takes 160") as raised:
        tiny_translator.translate("dog " * 1250)
    assert raised.value.hint


def test_a_text_of_the_greatest_length_is_taken(tiny_translator):
    text = ","
    while len(tiny_translator.tokenize(text)) < tiny_translator.max_source_len:
        text += ","
    assert len(tiny_translator.tokenize(text)) == 160
    assert isinstance(tiny_translator.translate(text, QUICK), Translation)


@pytest.mark.parametrize("bad", ["", "dog " * 1250])
def test_attend_says_which_of_the_two_texts_is_bad(tiny_translator, bad):
    with pytest.raises(InputError, match="The given translation"):
        tiny_translator.attend("A dog", bad)
    with pytest.raises(InputError, match="The sentence"):
        tiny_translator.attend(bad, "Ein Hund")


@pytest.mark.parametrize(
    "text",
    ["😀", "שלום עולם", "مرحبا", "犬が走る", "<script>alert(1)</script>", "</s><s>", "\ud83d", "▁"],
)
def test_strange_text_is_translated(tiny_translator, text):
    assert isinstance(tiny_translator.translate(text, QUICK), Translation)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80) | st.text(st.characters(categories=["Cs", "So", "Zs"]), max_size=20))
def test_any_text_ends_in_a_translation_or_an_error_with_a_hint(tiny_translator, text):
    try:
        answer = tiny_translator.translate(text, QUICK)
    except ModelError as error:
        answer = error
    assert isinstance(answer, Translation) or (str(answer) and answer.hint)


@settings(max_examples=20, deadline=None)
@given(text=st.sampled_from(SENTENCES), beam_size=st.integers(1, 50), max_len=st.integers(1, 8))
def test_any_decoding_ends_within_its_length(tiny_translator, text, beam_size, max_len):
    result = tiny_translator.translate(text, Decoding(beam_size=beam_size, max_len=max_len))
    assert 1 <= len(result.tgt) <= max_len


def test_a_wish_for_more_than_the_model_takes_is_cut(tiny_translator):
    tree = tiny_translator.translate("A dog", Decoding(beam_size=1, max_len=512)).tree
    assert tree.max_len == 160


# -- threads -------------------------------------------------------------------------------


def test_threads_get_what_calls_in_turn_get(tiny_translator):
    in_turn = [tiny_translator.translate(text, QUICK) for text in SENTENCES]

    def work(number):
        got = tiny_translator.translate(SENTENCES[number % 6], QUICK)
        expected = in_turn[number % 6]
        maps = zip(got.attention.maps, expected.attention.maps, strict=True)
        return (got.tgt, got.tree) == (expected.tgt, expected.tree) and all(
            np.array_equal(a.weights, b.weights) for a, b in maps
        )

    with ThreadPoolExecutor(16) as threads:
        assert list(threads.map(work, range(48))) == [True] * 48

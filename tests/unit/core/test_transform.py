"""Merged words and hidden special tokens, against sums by hand and properties."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from core.records.attention import CROSS, DECODER, ENCODER, AttentionMap
from core.records.sources import TokenSequence
from core.weights.groups import is_special, read_groups, single_groups, word_groups
from core.weights.transform import groups_for, regroup
from support.models import spell


def joined(sequence: TokenSequence) -> list[str]:
    """The tokens of each word, glued together."""
    return ["".join(sequence.tokens[i] for i in group) for group in word_groups(sequence)]


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ("▁did n ' t ▁go", "▁didn't ▁go"),
        ("▁well - known ▁ - ▁a", "▁well-known ▁- ▁a"),
        ("▁dog s ' . . ▁why ?", "▁dogs ' . . ▁why ?"),
        ("▁no ▁no", "▁no ▁no"),
        ("▁e \u0301 te\u0301", "▁e\u0301te\u0301"),
        ("▁a ▁ 日 本 ▁ ( b ▁", "▁a ▁日本 ▁( b ▁"),
    ],
    ids=["apostrophe", "hyphen", "punctuation", "equal words", "accent of its own", "bare space"],
)
def test_the_words_of_pieces(pieces, words):
    assert joined(spell(*pieces.split())) == [*words.split(), "</s>"]


@given(text=some.text(max_size=30), ids=some.lists(some.integers(0, 99), max_size=20))
@settings(max_examples=50)
def test_groups_hold_every_position_once_in_order(tiny_tokenizer, text, ids):
    for sequence in (tiny_tokenizer.encode(text), tiny_tokenizer.decode(ids)):
        flat = [i for group in word_groups(sequence) for i in group]
        assert flat == list(range(len(sequence)))


def test_tokens_read_lag_one_behind_those_produced():
    # produced: mü de . </s>      read: <s> mü de .
    assert read_groups(((0, 1), (2,), (3,)), 4) == ((0,), (1, 2), (3,))
    # produced: a mü de           read: <s> a mü, of a word that is cut what was read
    assert read_groups(((0,), (1, 2)), 3) == ((0,), (1,), (2,))


def test_rows_and_columns_go_by_their_own_words_and_are_named_by_them(tiny_translator):
    record = tiny_translator.attend("The dog runs.", "Der Hund läuft.")
    written = word_groups(record.tgt)
    read, source = read_groups(written, len(record.tgt)), word_groups(record.src)
    words = ["▁Der", "▁Hund", "▁läuft", "."]
    assert groups_for(record, "encoder", produced=True) == (source, source)
    for kind, keys in (("decoder", read), ("cross", source)):
        for produced, rows in ((True, written), (False, read)):
            assert groups_for(record, kind, produced=produced) == (rows, keys)
            shown = regroup(record.of(kind), query_groups=rows, key_groups=keys).attention
            named = shown.output_tokens if produced else shown.query_tokens
            assert list(named) == ([*words, "</s>"] if produced else ["<s>", *words])


def test_tokens_that_stand_for_no_text_are_special(tiny_tokenizer):
    text = ["<unk>", "<mask>", "[UNK]", "[MASK]", "<", "▁<s>", "[cls]", "s"]
    none = ["<s>", "</s>", "<pad>", "[CLS]", "[SEP]"]
    assert is_special([*text, *none]) == (False,) * len(text) + (True,) * len(none)
    typed = tiny_tokenizer.encode("<s> </s> <pad>")
    assert is_special(typed.tokens) == (*(False,) * (len(typed) - 1), True)


@pytest.fixture
def small() -> AttentionMap:
    """One head over a word of two pieces, a word of one and the end sign."""
    rows = [[0.1, 0.2, 0.3, 0.4], [0.3, 0.1, 0.4, 0.2], [0.5, 0.5, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
    weights = np.array([[rows]], dtype=np.float32)
    tokens = ("▁ti", "red", "▁dog", "</s>")
    return AttentionMap(ENCODER, weights, tokens, tokens, scores=np.log(weights + 1))


def test_merging_sums_over_keys_and_averages_over_queries(small):
    words = ((0, 1), (2,), (3,))
    shown = regroup(small, query_groups=words, key_groups=words)
    expected = [[0.35, 0.35, 0.3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    np.testing.assert_allclose(shown.attention.weights[0, 0], expected, atol=1e-7)
    assert shown.attention.query_tokens == ("▁tired", "▁dog", "</s>")
    assert shown.query_groups == shown.key_groups == words
    assert regroup(small, key_groups=words).attention.scores is None  # which would mean nothing
    same = regroup(small)
    np.testing.assert_array_equal(same.attention.weights, small.weights)
    np.testing.assert_array_equal(same.attention.scores, small.scores)
    assert same.attention.query_tokens == small.query_tokens
    assert (same.query_groups, same.hidden_mass) == (single_groups(4), 0.0)


def test_hiding_leaves_the_other_weights_and_renormalising_divides_by_what_is_left(small):
    shown = regroup(small, special="hide")
    np.testing.assert_array_equal(shown.attention.weights, small.weights[:, :, :3, :3])
    assert shown.attention.key_tokens == ("▁ti", "red", "▁dog")
    np.testing.assert_array_equal(shown.attention.scores, small.scores[:, :, :3, :3])
    assert shown.hidden_mass == pytest.approx((0.4 + 0.2 + 0.0) / 3, abs=1e-7)
    shown = regroup(small, special="renormalise")
    expected = [[0.1 / 0.6, 0.2 / 0.6, 0.3 / 0.6], [0.3 / 0.8, 0.1 / 0.8, 0.4 / 0.8], [0.5, 0.5, 0]]
    np.testing.assert_allclose(shown.attention.weights[0, 0], expected, rtol=1e-6)
    assert shown.hidden_mass == pytest.approx(0.2, abs=1e-7)
    assert shown.empty_rows == ()


def test_a_row_with_nothing_left_becomes_zero_and_is_named():
    weights = np.array([[[[1.0, 0.0], [0.4, 0.6]]]], dtype=np.float32)
    tokens, mask = ("<s>", "▁a"), np.tri(2, dtype=bool)
    attention = AttentionMap(DECODER, weights, tokens, tokens, ("▁a", "</s>"), mask=mask)
    shown = regroup(attention, special="renormalise", produced=True)
    assert shown.attention.weights.tolist() == [[[[0.0]]]]
    assert shown.empty_rows == (0,)
    # Where nothing would remain nothing is hidden.
    end = AttentionMap(ENCODER, np.ones((1, 1, 1, 1), np.float32), ("</s>",), ("</s>",))
    shown = regroup(end, special="renormalise")
    assert (shown.attention.weights.tolist(), shown.hidden_mass) == ([[[[1.0]]]], 0.0)


def test_a_row_is_special_by_its_name_and_a_group_may_look_where_any_of_its_queries_may():
    weights, reads = np.full((1, 1, 3, 1), 1.0, np.float32), ("<s>", "▁a", "▁b")
    attention = AttentionMap(CROSS, weights, reads, ("▁x",), ("▁a", "▁b", "</s>"))
    for produced, rows in ((True, (0, 1)), (False, (1, 2)), (None, (0, 1, 2))):
        shown = regroup(attention, special="hide", produced=produced)
        assert shown.query_groups == tuple((row,) for row in rows)
    mask = np.tri(3, dtype=bool)
    weights = (mask / mask.sum(1, keepdims=True)).astype(np.float32)[None, None]
    attention = AttentionMap(DECODER, weights, reads, reads, reads, mask=mask)
    shown = regroup(attention, query_groups=((0,), (1, 2)), key_groups=single_groups(3)).attention
    assert shown.mask.tolist() == [[True, False, False], [True, True, True]]


@some.composite
def grouped_maps(draw):
    """A map of random rows that sum to one, and groups of neighbours for both axes."""
    n_rows, n_columns = draw(some.integers(1, 7)), draw(some.integers(1, 7))
    rng = np.random.default_rng(draw(some.integers(0, 2**32 - 1)))
    weights = rng.dirichlet(np.full(n_columns, 0.3), size=(2, 3, n_rows)).astype(np.float32)
    token = some.sampled_from(["▁a", "b", "<s>", "</s>"])
    keys = draw(some.lists(token, min_size=n_columns, max_size=n_columns))
    attention = AttentionMap(CROSS, weights, ("▁q",) * n_rows, tuple(keys))
    return attention, draw(groupings(n_rows)), draw(groupings(n_columns))


@some.composite
def groupings(draw, length=None):
    cuts = sorted(draw(some.sets(some.integers(1, max(1, length - 1))))) if length > 1 else []
    return tuple(tuple(range(a, b)) for a, b in pairwise([0, *cuts, length]))


@given(grouped_maps())
@settings(max_examples=60, deadline=None)
def test_all_weight_is_shown_hidden_or_in_rows_that_are_named_as_empty(case):
    attention, queries, keys = case

    def shown(special):
        found = regroup(attention, query_groups=queries, key_groups=keys, special=special)
        return found, found.attention.weights.sum(axis=-1)

    np.testing.assert_allclose(shown("show")[1], 1.0, atol=1e-5)
    found, sums = shown("hide")
    assert sums.mean() + found.hidden_mass == pytest.approx(1.0, abs=1e-5)
    found, sums = shown("renormalise")
    np.testing.assert_allclose(np.delete(sums, found.empty_rows, axis=-1), 1.0, atol=1e-5)

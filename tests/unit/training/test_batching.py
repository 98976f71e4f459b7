"""Batches: the budget, the plan, padding and the shifted target."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from training.batching import Example, encode_pairs, make_batch, plan_batches
from training.coreference import canonical_pairs, generate_training
from training.corpus import Pair

few = settings(max_examples=60, deadline=None)
LENGTHS = st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=1, max_size=60)


def examples_of(lengths):
    return [Example([7] * n_src, [8] * n_tgt) for n_src, n_tgt in lengths]


@few
@given(lengths=LENGTHS, budget=st.integers(12, 80), seed=st.integers(0, 99))
def test_every_example_is_in_one_batch_within_the_budget(lengths, budget, seed):
    plan = plan_batches(examples_of(lengths), budget, seed)
    assert sorted(i for batch in plan for i in batch) == list(range(len(lengths)))
    for batch in plan:
        assert len(batch) * max(max(lengths[i]) for i in batch) <= budget


def test_a_sentence_beyond_the_budget_gets_a_batch_of_its_own():
    assert sorted(plan_batches(examples_of([(9, 9), (2, 2)]), 5, 0)) == [[0], [1]]


def test_the_seed_alone_decides_the_plan():
    examples = examples_of([(n % 7 + 1, n % 5 + 1) for n in range(40)])
    first, again, other = (plan_batches(examples, 20, seed) for seed in (5, 5, 6))
    assert first == again != other


def test_sentences_of_like_length_go_together():
    examples = examples_of([(2, 2), (9, 9)] * 10)
    for batch in plan_batches(examples, 20, 0):
        assert len({len(examples[i].src) for i in batch}) == 1


def test_batches_do_not_come_in_order_of_length():
    examples = examples_of([(n, n) for n in range(1, 30)])
    firsts = [batch[0] for batch in plan_batches(examples, 30, 0)]
    assert firsts != sorted(firsts)


def test_rows_are_filled_at_the_end_and_the_target_is_read_one_token_late():
    batch = make_batch([Example([5, 3], [6, 7, 3]), Example([5, 8, 3], [9, 3])], 0, 2)
    assert batch.src.tolist() == [[5, 3, 0], [5, 8, 3]]
    assert batch.tgt_in.tolist() == [[2, 6, 7], [2, 9, 0]]
    assert batch.tgt_out.tolist() == [[6, 7, 3], [9, 3, 0]]
    assert batch.n_tokens == 5  # padding does not count
    linked = make_batch([Example([5], [3]), Example([5, 6], [3], query=(1,), keys=(0,))], 0, 2)
    assert linked.links == ((1, (1,), (0,)),)


@pytest.mark.parametrize(
    ("pair", "max_len", "kept"),
    [
        (Pair("The animal", "Das Tier"), 50, 1),
        (Pair("The animal " * 20, "Das Tier " * 20), 50, 0),  # too long
        (Pair("a", "Das Tier überquerte die Straße " * 3), 500, 0),  # wildly unequal
    ],
)
def test_pairs_that_are_too_long_or_unequal_are_left_out(tiny_tokenizer, pair, max_len, kept):
    found = encode_pairs([pair], tiny_tokenizer, max_len)
    assert len(found) == kept
    for example in found:
        sides = (tiny_tokenizer.encode(text).ids for text in (pair.source, pair.target))
        assert [example.src, example.tgt] == [list(ids) for ids in sides]


def test_the_pieces_of_the_pronoun_and_of_both_nouns_are_found_and_what_is_decided(tiny_tokenizer):
    link = canonical_pairs()[0]
    example = encode_pairs([Pair(link.source, link.target, link)], tiny_tokenizer, 200)[0]
    tokens = tiny_tokenizer.encode(link.source).tokens
    assert "".join(tokens[i] for i in example.query) == "▁it"
    assert "".join(tokens[i] for i in example.keys) == "▁animal"
    batch = make_batch([Example([5, 3], [6, 3]), example], pad_id=0, bos_id=2)
    decided = batch.tgt_out[batch.decisions].tolist()
    assert decided == [example.tgt[i] for i in example.decision]
    spelled = "".join(tiny_tokenizer.token_of(i) for i in decided)
    assert spelled.replace("▁", "") == "es"
    assert not batch.decisions[0].any()
    ((row, pieces),) = batch.nouns
    assert (row, "".join(tokens[i] for i in sorted(pieces))) == (1, "▁animal▁street")


def test_a_single_noun_leaves_nothing_to_decide(tiny_tokenizer):
    link = next(p for p in generate_training(20, seed=0) if p.n_nouns == 1)
    example = encode_pairs([Pair(link.source, link.target, link)], tiny_tokenizer, 200)[0]
    assert example.keys
    assert example.decision == ()
    assert example.nouns == ()

"""Text in, records out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.runs import Translation
from core.search import Decoding, Sampling
from model import InputError, ModelError, load_translator, save_checkpoint
from model.config import TransformerConfig
from model.experiments.tree import attend_tree
from model.read import likeliest_outputs, tensor_of, token_log_probs
from model.search import BEYOND_BEAM, FORCED, STOPPED
from support.models import SENTENCES, make_model
from words import english

QUICK = Decoding(beam_size=2, max_len=6)
QUICK_START = Decoding(beam_size=2, max_len=20)


@pytest.fixture(scope="module")
def translation(tiny_translator):
    return tiny_translator.translate(SENTENCES[0], Decoding(beam_size=3, alpha=0.6, max_len=12))


# -- a translation agrees with itself ------------------------------------------------------


def test_a_translation_is_the_best_path_of_its_tree(translation, tiny_tokenizer):
    tree = translation.tree
    assert translation.src.text == SENTENCES[0]
    assert translation.tgt.ids == tree.hypotheses()[0].ids
    assert translation.text == tiny_tokenizer.decode(translation.tgt.ids).text
    assert (tree.beam_size, tree.alpha, tree.max_len) == (3, 0.6, 12)
    assert tree.nodes[0].token == "<s>"
    assert all(n.token == tiny_tokenizer.token_of(n.token_id) for n in tree.nodes)
    assert 0 < translation.search_seconds <= translation.seconds


def test_the_score_is_the_sum_of_log_probs_over_the_penalty(tiny_translator, translation):
    log_probs = translation.log_probs
    assert log_probs.shape == (len(translation.tgt),)
    penalty = ((5 + len(translation.tgt)) / 6) ** 0.6
    assert translation.score == pytest.approx(float(log_probs.sum()) / penalty, abs=1e-4)
    forced = tiny_translator.read_again(translation.src, translation.tgt)[1]
    np.testing.assert_allclose(log_probs, forced, rtol=0, atol=1e-4)


def test_attention_has_a_row_and_a_column_for_every_token(translation):
    """A row of a decoder reads one token and produces the next, and sees none that comes later."""
    src, tgt, record = translation.src, translation.tgt, translation.attention
    n_src, n_tgt = len(src), len(tgt)
    assert [each.weights.shape for each in record.maps] == [
        (2, 4, n_src, n_src), (2, 4, n_tgt, n_tgt), (2, 4, n_tgt, n_src),
    ]  # fmt: skip
    assert {each.weights.dtype for each in record.maps} == {np.dtype("float32")}
    assert record.cross.key_tokens == src.tokens
    for rows in (record.decoder, record.cross):
        assert rows.query_tokens == ("<s>", *tgt.tokens[:-1])
        assert rows.output_tokens == tgt.tokens
    causal = np.tri(n_tgt, dtype=bool)
    np.testing.assert_array_equal(record.decoder.mask, causal, strict=True)
    assert not record.decoder.weights[..., ~causal].any()
    assert (record.encoder.output_tokens, record.encoder.mask, record.cross.mask) == (None,) * 3


# -- any pair ------------------------------------------------------------------------------


def test_attend_takes_any_pair_and_reads_it_as_it_stands(tiny_translator):
    source, target = (tiny_translator.tokenize(text) for text in SENTENCES[:2])
    cross = tiny_translator.attend(*SENTENCES[:2]).cross
    assert (cross.key_tokens, cross.output_tokens) == (source.tokens, target.tokens)
    expected, _ = tiny_translator.read_again(source, target)
    np.testing.assert_allclose(cross.weights, expected.cross.weights, rtol=0, atol=1e-6)
    assert cross.scores is None
    asked = tiny_translator.attend(*SENTENCES[:2], scores=True).cross
    assert asked.scores.shape == cross.weights.shape


# -- searches that are steered -------------------------------------------------------------


@pytest.mark.parametrize("prefix", ["", " "])
def test_a_search_gives_the_tree_of_translate(tiny_translator, translation, prefix):
    decoding, tree = Decoding(beam_size=3, alpha=0.6, max_len=12), translation.tree
    assert tiny_translator.search(SENTENCES[0], decoding, prefix=prefix) == tree


@pytest.mark.parametrize(
    ("wish", "found"),
    [
        (
            {"alpha": 0.3, "max_len": 9, "penalty": "length", "penalise": "pruning", "min_len": 4},
            (0.3, "length", "pruning", 4, 9),
        ),
        ({"min_len": 60}, (0.6, "wu", "final", 60, 60)),  # more than the model would choose
        ({"min_len": 512}, (0.6, "wu", "final", 160, 160)),  # more than it can
        ({"max_len": 512}, (0.6, "wu", "final", 0, 160)),
    ],
)
def test_every_choice_of_decoding_reaches_the_search(tiny_translator, wish, found):
    tree = tiny_translator.search("A dog", Decoding(beam_size=2, **wish))
    assert (tree.alpha, tree.penalty, tree.penalise, tree.min_len, tree.max_len) == found
    assert len(tree.hypothesis(tree.best).ids) >= tree.min_len


@pytest.mark.parametrize("prefix", ["Das Tier üb", "Der Poka", "Ein Hund ", "Das Tier,", "m"])
def test_a_translation_begins_as_typed(tiny_translator, prefix):
    translation = tiny_translator.translate(SENTENCES[0], QUICK_START, prefix=prefix)
    assert translation.text.startswith(prefix.strip())


def test_a_whole_word_is_not_gone_on_with(tiny_translator):
    tree = tiny_translator.search(SENTENCES[0], QUICK_START, prefix="Ein Hund ")
    after = tree.at_step(len(tree.prefix) + 1)
    assert all(node.token.startswith("▁") or node.token == "</s>" for node in after)


def test_prefix_ids_are_all_forced_and_leave_room_for_more(tiny_translator):
    tree = tiny_translator.search(SENTENCES[0], QUICK, prefix_ids=(9, 8, 7))
    assert tree.prefix == (9, 8, 7)
    assert [(n.token_id, n.reason) for n in tree.nodes[1:4]] == [(i, FORCED) for i in (9, 8, 7)]
    chosen = tiny_translator.search("A", Decoding(beam_size=1), prefix_ids=(9,) * 60)
    assert chosen.max_len == 70


def test_a_prefix_of_both_kinds_is_refused(tiny_translator):
    with pytest.raises(ValueError, match="found both"):
        tiny_translator.search("A dog", QUICK, prefix="Ein", prefix_ids=(9,))


@pytest.mark.parametrize(
    ("prefix", "found"),
    [
        ("Das Tier überquerte die Straße nicht, ", "takes at most 6"),
        ("Ein 犬", "contains 犬, which"),
    ],
)
def test_a_prefix_that_cannot_be_written_is_refused_with_a_hint(tiny_translator, prefix, found):
    with pytest.raises(InputError, match=found) as raised:
        tiny_translator.translate("A dog", QUICK, prefix=prefix)
    assert raised.value.hint


def test_a_search_can_be_stopped(tiny_translator):
    tree = tiny_translator.search(SENTENCES[0], stop=lambda: True)
    assert [node.reason for node in tree.nodes] == [STOPPED]


def test_a_forced_end_ends_the_hypothesis_and_nothing_follows_it(tiny_translator):
    ended = tiny_translator.search("A dog", QUICK, prefix_ids=(3,))
    assert [h.finished for h in ended.hypotheses()] == [True]
    with pytest.raises(InputError, match=english("model-prefix-ended")) as raised:
        tiny_translator.next_log_probs("A dog", (3,))
    assert raised.value.hint


# -- candidates ----------------------------------------------------------------------------


def test_candidates_are_the_likeliest_next_tokens(tiny_translator, tiny_tokenizer):
    found = tiny_translator.candidates(SENTENCES[0], (9, 8), k=5)
    tree = tiny_translator.search(
        SENTENCES[0], Decoding(beam_size=5, max_len=3, n_runners_up=5), prefix_ids=(9, 8)
    )
    nodes = sorted(tree.at_step(3), key=lambda node: node.rank)[:5]
    assert [c.token_id for c in found] == [n.token_id for n in nodes]
    assert [c.log_prob for c in found] == pytest.approx([n.log_prob for n in nodes], abs=1e-5)
    assert [c.rank for c in found] == [0, 1, 2, 3, 4]
    assert all(c.token == tiny_tokenizer.token_of(c.token_id) for c in found)


@pytest.mark.parametrize("ids", [(3,), (9,) * 160])
def test_where_nothing_can_follow_or_nothing_is_asked_for_there_are_no_candidates(
    tiny_translator, ids
):
    with pytest.raises(InputError) as raised:
        tiny_translator.candidates("A dog", ids)
    assert raised.value.hint
    with pytest.raises(ValueError, match="k of 1 or more"):
        tiny_translator.candidates("A dog", k=0)


# -- samples and exact search --------------------------------------------------------------


def test_every_choice_of_sampling_reaches_the_samples(tiny_translator):
    sampling = Sampling(7, 2.0, seed=3, max_len=9, min_len=5)
    tree = tiny_translator.sample(SENTENCES[0], sampling)
    assert (len(tree.samples), tree.max_len, tree.min_len) == (7, 9, 5)
    assert tree == tiny_translator.sample(SENTENCES[0], sampling)


def test_exact_search_beats_the_beam(tiny_translator):
    decoding = Decoding(beam_size=2, alpha=0.6, max_len=3, penalty="length", min_len=2)
    tree = tiny_translator.search("A dog", decoding)
    found = tiny_translator.exact_search("A dog", decoding, time_limit=None)
    assert found.proven
    assert (found.alpha, found.penalty, found.min_len, found.max_len) == (0.6, "length", 2, 3)
    assert all(found.best.score >= h.score - 1e-5 for h in tree.hypotheses() if h.finished)
    assert tiny_translator.exact_search("A dog", decoding, max_expansions=1).proven is False


# -- attention of a tree -------------------------------------------------------------------


def test_attention_of_a_tree_holds_that_of_the_translation(tiny_translator, translation):
    attention, record = (
        attend_tree(tiny_translator, SENTENCES[0], translation.tree),
        translation.attention,
    )
    assert attention.src == translation.src
    for row, node in enumerate(translation.tree.path(translation.tree.best)[1:]):
        cross, own = record.cross.weights[:, :, row], record.decoder.weights[:, :, row, : row + 1]
        np.testing.assert_allclose(attention.cross[node.id], cross, atol=1e-5)
        np.testing.assert_allclose(attention.self_attention(node.id), own, atol=1e-5)


# -- whose fault ---------------------------------------------------------------------------


def test_a_reference_that_was_found_is_no_error_and_one_that_was_not_fell_out_somewhere(
    tiny_translator,
):
    ids = tiny_translator.tokenize("Ein Hund läuft.").ids
    tree = tiny_translator.search(SENTENCES[0], prefix_ids=ids)
    found = tiny_translator.compare(SENTENCES[0], " Ein  Hund läuft.", tree=tree)
    assert (found.verdict, found.plain_verdict, found.finished) == ("same", "same", True)
    assert found.fell_out_at is None
    assert found.tree is tree
    void = tiny_translator.compare(SENTENCES[0], "Ein 犬", QUICK)
    assert (void.verdict, void.plain_verdict, void.unknown) == ("void", "void", ("犬",))
    lost = tiny_translator.compare(*SENTENCES[:2], Decoding(beam_size=1))
    kept = [n for n in lost.tree.follow(lost.reference.ids) if n.status != "pruned"]
    assert (lost.fell_out_at, lost.fell_out) == (len(kept), BEYOND_BEAM)


def test_numbers_of_a_comparison_are_those_of_score_and_of_the_search(tiny_translator):
    decoding = Decoding(beam_size=2, max_len=6, alpha=1.0, penalty="length")
    found = tiny_translator.compare(SENTENCES[0], SENTENCES[1], decoding)
    expected = tiny_translator.score(SENTENCES[0], SENTENCES[1])
    np.testing.assert_allclose(found.reference_log_probs, expected, rtol=0, atol=1e-5)
    searched = found.tree.hypothesis(found.tree.best).log_probs
    np.testing.assert_allclose(found.output_log_probs, searched, atol=1e-4)
    assert found.reference_score == pytest.approx(found.reference_log_probs.mean(), abs=1e-5)
    assert found.output_score == pytest.approx(found.output_log_probs.mean(), abs=1e-5)


# -- bad input -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        *((text, "is empty|has no visible characters") for text in ("", " ", " \n\t ", "\x00\x07")),
        *((text, "has no visible characters") for text in ("\u200b", "\u200b \ufeff")),
        ("dog " * 1250, "takes at most 160"),
    ],
)
def test_a_text_that_cannot_be_read_is_refused_with_a_hint(tiny_translator, text, found):
    with pytest.raises(InputError, match=found) as raised:
        tiny_translator.translate(text)
    assert raised.value.hint


def test_a_text_of_the_greatest_length_is_taken(tiny_translator):
    text = ","
    while len(tiny_translator.tokenize(text)) < tiny_translator.max_source_len:
        text += ","
    assert len(tiny_translator.tokenize(text)) == 160
    assert isinstance(tiny_translator.translate(text, QUICK), Translation)


@pytest.mark.parametrize("bad", ["", "dog " * 1250])
@pytest.mark.parametrize(
    ("call", "found"),
    [
        (lambda t, bad: t.attend("A dog", bad), "The given translation"),
        (lambda t, bad: t.attend(bad, "Ein Hund"), "The sentence"),
        (lambda t, bad: t.compare("A dog", bad), "The reference"),
    ],
)
def test_which_of_several_texts_is_bad_is_said(tiny_translator, call, found, bad):
    with pytest.raises(InputError, match=found) as raised:
        call(tiny_translator, bad)
    assert raised.value.hint


@pytest.mark.parametrize(
    "text",
    ["😀", "שלום עולם", "مرحبا", "犬が走る", "<script>alert(1)</script>", "</s><s>", "\ud83d", "▁"],
)
def test_strange_text_is_translated(tiny_translator, text):
    assert isinstance(tiny_translator.translate(text, QUICK), Translation)


HARD = st.text(max_size=80) | st.text(st.characters(categories=["Cs", "So", "Zs"]), max_size=20)


@settings(max_examples=100, deadline=None)
@given(HARD | st.just("A dog"), st.just("") | st.text(max_size=20) | st.sampled_from(SENTENCES))
def test_any_input_ends_in_a_translation_or_an_error_with_a_hint(tiny_translator, text, prefix):
    try:
        answer = tiny_translator.translate(text, QUICK, prefix=prefix)
    except ModelError as error:
        answer = error
    assert isinstance(answer, Translation) or (str(answer) and answer.hint)


@settings(max_examples=20, deadline=None)
@given(text=st.sampled_from(SENTENCES), beam_size=st.integers(1, 50), max_len=st.integers(1, 8))
def test_any_decoding_ends_within_its_length(tiny_translator, text, beam_size, max_len):
    result = tiny_translator.translate(text, Decoding(beam_size=beam_size, max_len=max_len))
    assert 1 <= len(result.tgt) <= max_len


@pytest.fixture
def begun(tmp_path, tiny_tokenizer):
    """A model whose targets all begin with two pieces of its vocabulary."""
    forced = tuple(tiny_tokenizer.encode("der Hund", written=True).ids[:2])
    model = make_model(vocab_size=tiny_tokenizer.vocab_size, forced_ids=forced)
    save_checkpoint(tmp_path / "begun", model, tiny_tokenizer)
    return load_translator(tmp_path / "begun"), forced


def test_whatever_is_written_begins_with_the_forced_ids(begun):
    translator, forced = begun
    text, short = SENTENCES[0], Decoding(beam_size=3, max_len=6)
    tree = translator.search(text, short)
    sampled = translator.sample(text, Sampling(n_samples=5, max_len=6))
    typed = translator.search(text, short, prefix="die ")
    for each in (tree, sampled, typed):
        assert {hypothesis.ids[:2] for hypothesis in each.hypotheses()} == {forced}
        assert [n.reason for n in each.nodes if n.step in (1, 2)] == [FORCED, FORCED]
    source = tensor_of(translator.model, translator.tokenize(text).ids)
    assert likeliest_outputs(translator.model, source, [5])[0][:2] == forced


def test_exact_search_finds_the_best_of_all_that_begin_with_the_forced_ids(begun):
    translator, forced = begun
    eos, vocabulary = translator.eos_id, range(translator.vocab_size)
    every = [(*forced, eos), *((*forced, i, eos) for i in vocabulary if i != eos)]
    src = translator.tokenize(SENTENCES[0])
    totals = [
        float(translator.read_again(src, translator.tokenizer.decode(ids))[1].sum())
        for ids in every
    ]
    found = translator.exact_search(SENTENCES[0], Decoding(alpha=0.0, max_len=4))
    assert (found.best.ids, found.proven) == (every[int(np.argmax(totals))], True)
    assert found.best.score == pytest.approx(max(totals), abs=1e-4)


def test_forced_ids_are_read_before_a_typed_target_and_are_no_part_of_its_text(begun):
    translator, forced = begun
    found = translator.translate(SENTENCES[0], Decoding(max_len=6))
    again, log_probs = translator.read_pair(SENTENCES[0], "die Katze.")
    assert again.tgt.ids[:2] == forced
    assert again.tgt.text == "die Katze."
    assert found.tgt.special[:2] == again.tgt.special[:2] == (True, True)
    source = tensor_of(translator.model, again.src.ids)
    read = tensor_of(translator.model, (translator.model.config.bos_id, *again.tgt.ids[:-1]))
    expected = token_log_probs(translator.model(source, read)[0], again.tgt.ids)
    np.testing.assert_allclose(log_probs, expected.detach(), atol=1e-5)


def test_a_forced_id_outside_the_vocabulary_is_a_fault_of_the_config():
    faults = TransformerConfig(vocab_size=20, forced_ids=(5, 20)).faults()
    assert [str(each) for each in faults] == ["forced_ids is 20, outside the vocabulary of 20"]

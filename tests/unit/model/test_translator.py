"""Translators: text in, records out."""

import threading

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.records.runs import Translation
from core.records.search import UNLIMITED, Budget, Decoding, Sampling
from model import InputError, ModelError, load_translator, save_checkpoint
from model.config import TransformerConfig
from model.hooks.capture import capture_attention
from model.search.beam import BEYOND_BEAM, FORCED, STOPPED
from model.teacher_forcing import likeliest_outputs, tensor_of, token_log_probs
from support.models import SENTENCES, make_model
from support.variants import SETTINGS, transformer_reader
from words import english

QUICK = Decoding(beam_size=2, max_len=6)
TEXT = SENTENCES[0]


@pytest.fixture(scope="module")
def translation(tiny_translator):
    return tiny_translator.translate(TEXT, Decoding(beam_size=3, alpha=0.6, max_len=12))


def refused(match, call, *given, **options):
    with pytest.raises(InputError, match=match) as raised:
        call(*given, **options)
    assert raised.value.hint


# -- a translation agrees with itself ------------------------------------------------------


def test_a_translation_is_the_best_path_of_its_tree(translation, tiny_translator, tiny_tokenizer):
    tree = translation.tree
    assert translation.src.text == TEXT
    assert translation.tgt.ids == tree.hypotheses()[0].ids
    assert translation.text == tiny_tokenizer.decode(translation.tgt.ids).text
    assert tree.nodes[0].token == "<s>"
    assert all(n.token == tiny_tokenizer.token_of(n.token_id) for n in tree.nodes)
    assert 0 < translation.search_seconds <= translation.seconds
    for prefix in ("", " "):
        decoding = Decoding(beam_size=3, alpha=0.6, max_len=12)
        assert tiny_translator.search(TEXT, decoding, prefix=prefix) == tree


def test_the_score_is_the_sum_of_log_probs_over_the_penalty(tiny_translator, translation):
    penalty = ((5 + len(translation.tgt)) / 6) ** 0.6
    expected = float(translation.log_probs.sum()) / penalty
    assert translation.score == pytest.approx(expected, abs=1e-4)
    forced = tiny_translator.teacher_force(translation.src, translation.tgt)[1]
    np.testing.assert_allclose(translation.log_probs, forced, rtol=0, atol=1e-4)


@pytest.mark.parametrize("name", SETTINGS)
def test_the_encoder_runs_once_for_search_and_attention(name):
    """The record is that of a whole pass, bit for bit, with labels, masks and scores."""
    translator = transformer_reader(**SETTINGS[name])
    translator.model.requires_grad_(False)
    encode = translator.model.encode
    calls = []
    translator.model.encode = lambda *args, **named: calls.append(1) or encode(*args, **named)
    translation = translator.translate(TEXT, QUICK)
    # A recurrent decoder has no plain steps and is read in a whole pass.
    assert len(calls) == (2 if name == "student" else 1)
    expected, _ = translator.teacher_force(translation.src, translation.tgt, scores=True)
    assert len(translation.attention.maps) == len(expected.maps)
    for ours, theirs in zip(translation.attention.maps, expected.maps, strict=True):
        assert ours.site == theirs.site
        np.testing.assert_array_equal(ours.weights, theirs.weights)
        np.testing.assert_array_equal(ours.scores, theirs.scores)
        np.testing.assert_array_equal(ours.mask, theirs.mask)
        assert ours.query_tokens == theirs.query_tokens
        assert ours.key_tokens == theirs.key_tokens
        assert ours.output_tokens == theirs.output_tokens


@pytest.mark.parametrize("of", ["", "decoder_layers.1.cross_attention"])
def test_a_hook_on_a_module_makes_translate_run_a_whole_pass(of):
    translator = transformer_reader()
    translator.model.requires_grad_(False)
    shapes = []
    handle = translator.model.get_submodule(of).register_forward_hook(
        lambda _module, _inputs, output: shapes.append(output.shape[1])
    )
    translation = translator.translate(TEXT, QUICK)
    assert shapes == [len(translation.tgt)]
    handle.remove()
    translator.translate(TEXT, QUICK)
    assert len(shapes) == 1


def test_a_capture_in_another_thread_costs_no_second_run_of_the_encoder():
    translator = transformer_reader()
    translator.model.requires_grad_(False)
    begun, over = threading.Event(), threading.Event()

    def capture():
        with capture_attention(translator.model):
            begun.set()
            over.wait(60)

    other = threading.Thread(target=capture)
    other.start()
    try:
        assert begun.wait(60)
        with torch.inference_mode():
            assert translator.model.can_reread()
            with capture_attention(translator.model):
                assert not translator.model.can_reread()
    finally:
        over.set()
        other.join()


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


def test_attend_reads_any_pair_as_it_stands(tiny_translator):
    source, target = (tiny_translator.tokenize(text) for text in SENTENCES[:2])
    cross = tiny_translator.attend(*SENTENCES[:2]).cross
    assert (cross.key_tokens, cross.output_tokens) == (source.tokens, target.tokens)
    assert cross.scores is None
    assert tiny_translator.attend(*SENTENCES[:2], scores=True).cross.scores is not None


# -- searches ------------------------------------------------------------------------------


def test_every_choice_of_decoding_reaches_the_search(tiny_translator):
    others = {"alpha": 0.3, "max_len": 9, "penalty": "length", "penalise": "pruning", "min_len": 4}
    for choices, expected in (
        (others, (0.3, "length", "pruning", 4, 9)),
        ({"min_len": 60}, (0.6, "wu", "final", 60, 60)),  # more than the model would choose
        ({"min_len": 512}, (0.6, "wu", "final", 160, 160)),  # more than it can
        ({"max_len": 512}, (0.6, "wu", "final", 0, 160)),
    ):
        tree = tiny_translator.search("A dog", Decoding(beam_size=2, **choices))
        found = (tree.alpha, tree.penalty, tree.penalise, tree.min_len, tree.max_len)
        assert found == expected
        assert len(tree.hypothesis(tree.best).ids) >= tree.min_len


def test_a_translation_begins_as_typed(tiny_translator):
    decoding = Decoding(beam_size=2, max_len=20)
    for prefix in ("Das Tier üb", "Ein Hund ", "Das Tier,", "m"):
        found = tiny_translator.translate(TEXT, decoding, prefix=prefix)
        assert found.text.startswith(prefix.strip())
    tree = tiny_translator.search(TEXT, decoding, prefix="Ein Hund ")
    after = tree.at_step(len(tree.prefix) + 1)
    assert all(node.token.startswith("▁") or node.token == "</s>" for node in after)


def test_prefix_ids_are_all_forced_and_leave_room_for_more(tiny_translator):
    tree = tiny_translator.search(TEXT, QUICK, prefix_ids=(9, 8, 7))
    assert tree.prefix == (9, 8, 7)
    assert [(n.token_id, n.reason) for n in tree.nodes[1:4]] == [(i, FORCED) for i in (9, 8, 7)]
    longer = tiny_translator.search("A", Decoding(beam_size=1), prefix_ids=(9,) * 60)
    assert longer.max_len == 70
    ended = tiny_translator.search("A dog", QUICK, prefix_ids=(3,))
    assert [h.finished for h in ended.hypotheses()] == [True]
    stopped = tiny_translator.search(TEXT, stop=lambda: True)
    assert [node.reason for node in stopped.nodes] == [STOPPED]


def test_a_prefix_that_cannot_be_written_is_refused(tiny_translator):
    with pytest.raises(ValueError, match="found both"):
        tiny_translator.search("A dog", QUICK, prefix="Ein", prefix_ids=(9,))
    for prefix, fault in (
        ("Das Tier überquerte die Straße nicht, ", "takes at most 6"),
        ("Ein 犬", "contains 犬, which"),
    ):
        refused(fault, tiny_translator.translate, "A dog", QUICK, prefix=prefix)
    ended = english("model-prefix-ended")
    refused(ended, tiny_translator.next_log_probs, "A dog", (3,))
    refused(ended, tiny_translator.candidates, "A dog", (3,))
    refused("takes at most 160", tiny_translator.candidates, "A dog", (9,) * 160)
    with pytest.raises(ValueError, match="k of 1 or more"):
        tiny_translator.candidates("A dog", k=0)


def test_candidates_are_the_likeliest_next_tokens(tiny_translator, tiny_tokenizer):
    found = tiny_translator.candidates(TEXT, (9, 8), k=5)
    decoding = Decoding(beam_size=5, max_len=3, n_runners_up=5)
    tree = tiny_translator.search(TEXT, decoding, prefix_ids=(9, 8))
    nodes = sorted(tree.at_step(3), key=lambda node: node.rank)[:5]
    assert [c.token_id for c in found] == [n.token_id for n in nodes]
    assert [c.log_prob for c in found] == pytest.approx([n.log_prob for n in nodes], abs=1e-5)
    assert [c.rank for c in found] == [0, 1, 2, 3, 4]
    assert all(c.token == tiny_tokenizer.token_of(c.token_id) for c in found)


def test_every_choice_reaches_samples_and_the_exact_search(tiny_translator):
    sampling = Sampling(7, 2.0, seed=3, max_len=9, min_len=5)
    tree = tiny_translator.sample(TEXT, sampling)
    assert (len(tree.samples), tree.max_len, tree.min_len) == (7, 9, 5)
    assert tree == tiny_translator.sample(TEXT, sampling)
    decoding = Decoding(beam_size=2, alpha=0.6, max_len=2, penalty="length", min_len=1)
    tree = tiny_translator.search("A dog", decoding)
    found = tiny_translator.exact_search("A dog", decoding, budget=UNLIMITED)
    assert found.proven
    assert (found.alpha, found.penalty, found.min_len, found.max_len) == (0.6, "length", 1, 2)
    assert all(found.best.score >= h.score - 1e-5 for h in tree.hypotheses() if h.finished)
    assert not tiny_translator.exact_search("A dog", decoding, budget=Budget(expansions=1)).proven


# -- references ----------------------------------------------------------------------------


def test_a_found_reference_is_no_error_and_a_lost_one_fell_out(tiny_translator):
    ids = tiny_translator.tokenize("Ein Hund läuft.").ids
    tree = tiny_translator.search(TEXT, prefix_ids=ids)
    found = tiny_translator.diagnose_search(TEXT, " Ein  Hund läuft.", tree=tree)
    assert (found.verdict, found.plain_verdict, found.finished) == ("same", "same", True)
    assert found.fell_out_at is None
    assert found.tree is tree
    void = tiny_translator.diagnose_search(TEXT, "Ein 犬", QUICK)
    assert (void.verdict, void.plain_verdict, void.unknown) == ("void", "void", ("犬",))
    lost = tiny_translator.diagnose_search(*SENTENCES[:2], Decoding(beam_size=1))
    kept = [n for n in lost.tree.follow(lost.reference.ids) if n.status != "pruned"]
    assert (lost.fell_out_at, lost.fell_out) == (len(kept), BEYOND_BEAM)


def test_numbers_of_a_comparison_are_those_of_score_and_of_the_search(tiny_translator):
    decoding = Decoding(beam_size=2, max_len=6, alpha=1.0, penalty="length")
    found = tiny_translator.diagnose_search(*SENTENCES[:2], decoding)
    expected = tiny_translator.score(*SENTENCES[:2])
    np.testing.assert_allclose(found.reference_log_probs, expected, rtol=0, atol=1e-5)
    searched = found.tree.hypothesis(found.tree.best).log_probs
    np.testing.assert_allclose(found.output_log_probs, searched, atol=1e-4)
    assert found.reference_score == pytest.approx(found.reference_log_probs.mean(), abs=1e-5)
    assert found.output_score == pytest.approx(found.output_log_probs.mean(), abs=1e-5)


# -- input ---------------------------------------------------------------------------------


def test_a_text_that_cannot_be_read_is_refused_with_a_hint(tiny_translator):
    unseen, long = "is empty|has no visible characters", "dog " * 1250
    for text in ("", " \n\t ", "\x00\x07", "\u200b \ufeff"):
        refused(unseen, tiny_translator.translate, text)
    refused("takes at most 160", tiny_translator.translate, long)
    for bad in ("", long):
        refused("The given translation", tiny_translator.attend, "A dog", bad)
        refused("The sentence", tiny_translator.attend, bad, "Ein Hund")
        refused("The reference", tiny_translator.diagnose_search, "A dog", bad)


def test_a_text_of_the_greatest_length_is_taken(tiny_translator):
    text = ","
    while len(tiny_translator.tokenize(text)) < tiny_translator.max_source_len:
        text += ","
    assert len(tiny_translator.tokenize(text)) == 160
    assert isinstance(tiny_translator.translate(text, QUICK), Translation)


HARD = st.text(max_size=80) | st.text(st.characters(categories=["Cs", "So", "Zs"]), max_size=20)


@settings(max_examples=20, deadline=None)
@given(HARD | st.just("A dog"), st.just("") | st.text(max_size=20) | st.sampled_from(SENTENCES))
@example("שלום عولם", "")
@example("</s><s>", "")
@example("\ud83d", "▁")
def test_any_input_ends_in_a_translation_or_an_error_with_a_hint(tiny_translator, text, prefix):
    try:
        answer = tiny_translator.translate(text, QUICK, prefix=prefix)
    except ModelError as error:
        answer = error
    assert isinstance(answer, Translation) or (str(answer) and answer.hint)


# -- targets that begin with ids of the model ----------------------------------------------


@pytest.fixture(scope="module")
def begun(tmp_path_factory, tiny_tokenizer):
    """A model whose targets all begin with two pieces of its vocabulary."""
    forced = tuple(tiny_tokenizer.encode("der Hund", written=True).ids[:2])
    model = make_model(vocab_size=tiny_tokenizer.vocab_size, forced_ids=forced)
    folder = tmp_path_factory.mktemp("begun") / "begun"
    save_checkpoint(folder, model, tiny_tokenizer)
    return load_translator(folder), forced


def test_every_output_begins_with_the_forced_ids(begun):
    translator, forced = begun
    short = Decoding(beam_size=3, max_len=6)
    for tree in (
        translator.search(TEXT, short),
        translator.sample(TEXT, Sampling(n_samples=5, max_len=6)),
        translator.search(TEXT, short, prefix="die "),
    ):
        assert {hypothesis.ids[:2] for hypothesis in tree.hypotheses()} == {forced}
        assert [n.reason for n in tree.nodes if n.step in (1, 2)] == [FORCED, FORCED]
    source = tensor_of(translator.model, translator.tokenize(TEXT).ids)
    assert likeliest_outputs(translator.model, source, [5])[0][:2] == forced
    faults = TransformerConfig(vocab_size=20, forced_ids=(5, 20)).faults()
    assert [str(each) for each in faults] == ["forced_ids is 20, outside the vocabulary of 20"]


def test_exact_search_finds_the_best_of_all_that_begin_with_the_forced_ids(begun):
    translator, forced = begun
    eos, vocabulary = translator.eos_id, range(translator.vocab_size)
    every = [(*forced, eos), *((*forced, i, eos) for i in vocabulary if i != eos)]
    src = translator.tokenize(TEXT)
    read = (translator.teacher_force(src, translator.tokenizer.decode(ids))[1] for ids in every)
    totals = [float(log_probs.sum()) for log_probs in read]
    found = translator.exact_search(TEXT, Decoding(alpha=0.0, max_len=4))
    assert (found.best.ids, found.proven) == (every[int(np.argmax(totals))], True)
    assert found.best.score == pytest.approx(max(totals), abs=1e-4)


def test_forced_ids_are_read_before_a_typed_target_and_are_no_part_of_its_text(begun):
    translator, forced = begun
    found = translator.translate(TEXT, Decoding(max_len=6))
    again, log_probs = translator.read_pair(TEXT, "die Katze.")
    assert again.tgt.ids[:2] == forced
    assert again.tgt.text == "die Katze."
    assert found.tgt.special[:2] == again.tgt.special[:2] == (True, True)
    source = tensor_of(translator.model, again.src.ids)
    read = tensor_of(translator.model, (translator.model.config.bos_id, *again.tgt.ids[:-1]))
    expected = token_log_probs(translator.model(source, read)[0], again.tgt.ids)
    np.testing.assert_allclose(log_probs, expected.detach(), atol=1e-5)


# -- arguments of another type -------------------------------------------------------------


def test_an_argument_of_another_type_is_refused_by_its_name(tiny_translator):
    t, text, texts = tiny_translator, "a dog", ["a dog"]
    nothing = t.tokenizer.decode(())
    one = (t.translate, t.search, t.sample, t.exact_search, t.candidates, t.tokenize, t.read)
    for call, *arguments, match in (
        *((method, texts, "the text as str, found list") for method in one),
        (t.translate, None, "the text as str, found NoneType"),
        (t.translate, text, "beam", "decoding as Decoding"),
        (t.sample, text, Decoding(), "sampling as Sampling"),
        (t.diagnose_search, text, texts, "the text as str, found list"),
        (t.attend, texts, text, "the text as str, found list"),
        (t.read_pair, text, texts, "the text as str, found list"),
        (t.score, text, 3, "the text as str, found int"),
        (t.teacher_force, text, nothing, "src as TokenSequence"),
        (t.teacher_force, nothing, text, "tgt as TokenSequence"),
    ):
        with pytest.raises(TypeError, match=match):
            call(*arguments)
    with pytest.raises(TypeError, match="prefix as str"):
        t.translate(text, prefix=texts)
    with pytest.raises(TypeError, match="intervention as Intervention"):
        t.translate(text, intervention="hide")

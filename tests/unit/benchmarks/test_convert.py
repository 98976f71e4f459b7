"""Our weights in other libraries give our answers."""

import pytest
import torch
import torch.nn.functional as F

from benchmarks.cases import WithoutEnd, same_answers
from benchmarks.convert import to_ctranslate2, to_marian, until_end
from core.search import Decoding
from model import capture_attention
from model.checkpoint import load_checkpoint
from model.search import beam_search
from support.models import ROOT, make_model

VOCAB = 23
TOKENS = ["<pad>", "<unk>", "<s>", "</s>", *(f"t{i}" for i in range(4, VOCAB))]
SHIPPED = ROOT / "checkpoints" / "en-de"


def sources(n_words, n=1, seed=0):
    """Random words and ``</s>``: ids (n, n_words + 1)."""
    generator = torch.Generator().manual_seed(seed)
    words = torch.randint(4, VOCAB, (n, n_words), generator=generator)
    return torch.cat((words, torch.full((n, 1), 3)), dim=1)


def shaken(epsilon=1e-5):
    """Every bias and norm differs from its initial zero or one, so none can be left out."""
    model = make_model(0, n_encoder_layers=3, n_decoder_layers=2, layer_norm_eps=epsilon)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model.requires_grad_(False)


@pytest.fixture(scope="module")
def reverser():
    """Trained for a second to reverse its source: unsure, so that beams have real choices."""
    model = make_model(0, dropout=0.0).train()
    adam = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(200):
        src = sources(2 + step % 7, n=48, seed=step)
        tgt = torch.cat((src[:, :-1].flip(1), src[:, -1:]), dim=1)
        read = torch.cat((torch.full((48, 1), 2), tgt[:, :-1]), dim=1)
        loss = F.cross_entropy(model(src, read).flatten(0, 1), tgt.flatten())
        adam.zero_grad()
        loss.backward()
        adam.step()
    return model.eval().requires_grad_(False)


@pytest.fixture(scope="module")
def translator(reverser, tmp_path_factory):
    return to_ctranslate2(reverser, TOKENS, tmp_path_factory.mktemp("ctranslate2"))


@pytest.fixture(scope="module")
def marian(reverser):
    return to_marian(reverser)


def search(model, src, beam_size, max_len=20, alpha=0.0, prefix=(), **options):
    return beam_search(model, src, Decoding(beam_size, alpha, max_len, **options), prefix=prefix)


def ctranslate2_hypotheses(translator, src, beam_size, **options):
    """(ids, score) of each hypothesis; without length penalty unless asked for."""
    defaults = {"length_penalty": 0, "min_decoding_length": 0, "max_decoding_length": 20}
    result = translator.translate_batch(
        [[TOKENS[i] for i in src[0]]], beam_size=beam_size, num_hypotheses=beam_size,
        return_scores=True, return_end_token=True, **(defaults | options),
    )[0]  # fmt: skip
    ids = [tuple(TOKENS.index(token) for token in tokens) for tokens in result.hypotheses]
    return list(zip(ids, result.scores, strict=True))


def marian_hypotheses(marian, src, beam_size, **options):
    """(ids, score) of each hypothesis of a beam of two or more."""
    defaults = {"length_penalty": 0.0, "max_new_tokens": 20}
    found = marian.generate(
        src, num_beams=beam_size, num_return_sequences=beam_size, do_sample=False,
        output_scores=True, return_dict_in_generate=True, **(defaults | options),
    )  # fmt: skip
    ids = [until_end(row[1:], 3) for row in found.sequences.tolist()]
    return list(zip(ids, found.sequences_scores.tolist(), strict=True))


@pytest.mark.parametrize(("attention", "epsilon"), [("eager", 1e-5), ("sdpa", 1e-5), ("sdpa", 0.1)])
def test_marian_logits_equal_ours(attention, epsilon):
    model, src, tgt = shaken(epsilon), sources(8, n=3), sources(6, n=3, seed=1)
    theirs = to_marian(model, attention=attention)(input_ids=src, decoder_input_ids=tgt)
    torch.testing.assert_close(theirs.logits, model(src, tgt), atol=1e-4, rtol=0)


def test_marian_attention_equals_ours():
    model, src, tgt = shaken(), sources(8), sources(6, seed=1)
    with capture_attention(model) as captured:
        model(src, tgt)
    theirs = to_marian(model)(input_ids=src, decoder_input_ids=tgt, output_attentions=True)
    for kind, layers in {
        "encoder": theirs.encoder_attentions,
        "decoder": theirs.decoder_attentions,
        "cross": theirs.cross_attentions,
    }.items():
        ours = torch.from_numpy(captured.weights(kind))
        torch.testing.assert_close(torch.stack(layers, dim=1), ours, atol=1e-5, rtol=0)


@pytest.mark.parametrize("epsilon", [1e-5, 0.1])
def test_ctranslate2_log_probs_equal_ours(epsilon, tmp_path):
    model, src, words = shaken(epsilon), sources(8), sources(6, seed=1)
    translator = to_ctranslate2(model, TOKENS, tmp_path)
    theirs = translator.score_batch(
        [[TOKENS[i] for i in src[0]]], [[TOKENS[i] for i in words[0, :-1]]]
    )[0].log_probs
    read = torch.cat((torch.tensor([[2]]), words[:, :-1]), dim=1)
    ours = model(src, read)[0].log_softmax(dim=-1)[torch.arange(7), words[0]]
    torch.testing.assert_close(torch.tensor(theirs), ours.detach(), atol=1e-4, rtol=0)


@pytest.mark.parametrize("beam_size", [1, 5])
@pytest.mark.parametrize("n_words", range(2, 9))
def test_the_same_best_is_found_in_all_three(reverser, marian, translator, n_words, beam_size):
    src = sources(n_words, seed=100 + n_words)
    tree = search(reverser, src, beam_size)
    ours = tree.hypothesis(tree.best)
    found = [ctranslate2_hypotheses(translator, src, beam_size)[0]]
    if beam_size == 1:
        theirs = marian.generate(src, num_beams=1, do_sample=False, max_new_tokens=20)
        assert tuple(theirs[0, 1:].tolist()) == ours.ids
    else:
        found.append(marian_hypotheses(marian, src, beam_size)[0])
    assert {ids for ids, _ in found} == {ours.ids}
    assert [score for _, score in found] == pytest.approx([ours.score] * len(found), abs=1e-4)


def test_the_reverser_gives_a_beam_something_to_choose(reverser):
    """Otherwise the tests above would say little: greedy and beam differ, lengths differ."""
    trees = [(search(reverser, s, 1), search(reverser, s, 5))
             for s in (sources(n, seed=100 + n) for n in range(2, 9))]  # fmt: skip
    assert any(g.hypothesis(g.best).ids != b.hypothesis(b.best).ids for g, b in trees)
    assert len({len(b.hypothesis(b.best).ids) for _, b in trees}) > 3
    assert all(b.hypothesis(b.best).finished for _, b in trees)


def test_without_end_all_hypotheses_equal_those_of_marian_and_are_as_long_as_asked(
    reverser, marian, translator
):
    src = sources(6, seed=7)
    ours = search(WithoutEnd(reverser), src, 5, max_len=12).hypotheses()
    theirs = marian_hypotheses(marian, src, 5, min_new_tokens=12, max_new_tokens=12)
    assert [h.ids for h in ours] == [ids for ids, _ in theirs]
    assert [h.score for h in ours] == pytest.approx([score for _, score in theirs], abs=1e-4)
    lengths = {"min_decoding_length": 12, "max_decoding_length": 12}
    theirs = ctranslate2_hypotheses(translator, src, 5, **lengths)
    assert {len(h.ids) for h in ours} == {len(ids) for ids, _ in theirs} == {12}


def test_length_penalties_differ_as_documented(reverser, marian, translator):
    src = sources(6, seed=106)
    best = search(reverser, src, 5).hypotheses()[0]
    n = len(best.ids)
    ours = {h.ids: h.score for h in search(reverser, src, 5, alpha=0.6).hypotheses()}
    assert ours[best.ids] == pytest.approx(best.cum_log_prob / ((5 + n) / 6) ** 0.6, abs=1e-4)
    theirs = dict(ctranslate2_hypotheses(translator, src, 5, length_penalty=0.6))
    assert theirs[best.ids] == pytest.approx(best.cum_log_prob / n**0.6, abs=1e-4)
    theirs = dict(marian_hypotheses(marian, src, 5, length_penalty=0.6))
    assert theirs[best.ids] == pytest.approx(best.cum_log_prob / n**0.6, abs=1e-4)


def agree_where_shared(ours, theirs):
    """The searches stop by different rules, so only hypotheses that both have are compared."""
    shared = ours.keys() & theirs.keys()
    assert shared
    assert {i: ours[i] for i in shared} == pytest.approx({i: theirs[i] for i in shared}, abs=1e-4)


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("n_words", range(2, 9))
def test_our_length_penalty_by_length_is_theirs(reverser, marian, translator, n_words, alpha):
    src = sources(n_words, seed=100 + n_words)
    ours = search(reverser, src, 5, alpha=alpha, penalty="length").hypotheses()
    scores = {hypothesis.ids: hypothesis.score for hypothesis in ours}
    for theirs in (
        ctranslate2_hypotheses(translator, src, 5, length_penalty=alpha),
        marian_hypotheses(marian, src, 5, length_penalty=alpha),
    ):
        agree_where_shared(scores, dict(theirs))


@pytest.mark.parametrize("n_words", range(2, 9))
def test_a_minimum_length_finds_the_same_best_as_marian(reverser, marian, n_words):
    """Theirs counts the tokens before the end, ours the end too."""
    src = sources(n_words, seed=100 + n_words)
    ours = search(reverser, src, 5, min_len=n_words + 4).hypotheses()[0]
    ids, score = marian_hypotheses(marian, src, 5, min_new_tokens=n_words + 3)[0]
    assert len(ours.ids) >= n_words + 4
    assert ours.ids == ids
    assert ours.score == pytest.approx(score, abs=1e-4)


@pytest.mark.parametrize("n_words", range(2, 9))
def test_a_forced_beginning_goes_on_as_in_marian(reverser, marian, n_words):
    """Theirs leaves the beginning out of the score."""
    src = sources(n_words, seed=100 + n_words)
    ours = search(reverser, src, 5, prefix=(9, 12)).hypotheses()[0]
    begun = torch.tensor([[2, 9, 12]])
    ids, score = marian_hypotheses(marian, src, 5, decoder_input_ids=begun, max_new_tokens=18)[0]
    assert ids == ours.ids
    assert score == pytest.approx(sum(ours.log_probs[2:]), abs=1e-4)


def test_a_vocabulary_of_the_wrong_size_is_refused(reverser, tmp_path):
    with pytest.raises(ValueError, match="23 different tokens expected, found 22"):
        to_ctranslate2(reverser, TOKENS[:-1], tmp_path)


@pytest.mark.skipif(not SHIPPED.is_dir(), reason="no checkpoint is shipped here")
def test_shipped_checkpoint_translates_the_same_in_all_three(tmp_path):
    assert same_answers(load_checkpoint(SHIPPED), tmp_path)


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    """A function that runs beam 5 with the shipped weights in all three libraries."""
    if not SHIPPED.is_dir():
        pytest.skip("no checkpoint is shipped here")
    checkpoint = load_checkpoint(SHIPPED)
    model = checkpoint.model
    marian = to_marian(model)
    spellings = [checkpoint.tokenizer.token_of(i) for i in range(model.config.vocab_size)]
    fast = to_ctranslate2(model, spellings, tmp_path_factory.mktemp("shipped"))

    def hypotheses(sentence, alpha):
        """Ours, CTranslate2's and Marian's: (ids, score) of each, best first."""
        ids = checkpoint.tokenizer.encode(sentence).ids
        src = torch.tensor([ids])
        ours = search(model, src, 5, 60, alpha, penalty="length").hypotheses()
        (found,) = fast.translate_batch(
            [[spellings[i] for i in ids]], beam_size=5, num_hypotheses=5, return_scores=True,
            return_end_token=True, length_penalty=alpha, min_decoding_length=0,
            max_decoding_length=60,
        )  # fmt: skip
        theirs = [tuple(map(spellings.index, tokens)) for tokens in found.hypotheses]
        return (
            [(h.ids, h.score) for h in ours],
            list(zip(theirs, found.scores, strict=True)),
            marian_hypotheses(marian, src, 5, length_penalty=alpha, max_new_tokens=60),
        )

    return hypotheses


SHIPPED_SENTENCES = (
    "A dog runs through the snow and a man plays the guitar.",
    "The trophy doesn't fit in the suitcase because it is too big.",
    "Where is the nearest station?",
)


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("sentence", SHIPPED_SENTENCES)
def test_the_shipped_checkpoint_finds_the_same_with_the_same_scores(shipped, sentence, alpha):
    ours, *others = shipped(sentence, alpha)
    for theirs in others:
        assert alpha or theirs[0][0] == ours[0][0]
        agree_where_shared(dict(ours), dict(theirs))

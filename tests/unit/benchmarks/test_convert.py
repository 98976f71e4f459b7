"""Our weights in other libraries give our answers."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from benchmarks.cases import same_answers
from benchmarks.convert import to_ctranslate2, to_marian, until_end
from core.records.search import Decoding
from model import capture_attention
from model.io.checkpoint import load_checkpoint
from model.search.beam import beam_search
from support.models import ROOT, make_model

VOCAB = 23
TOKENS = ["<pad>", "<unk>", "<s>", "</s>", *(f"t{i}" for i in range(4, VOCAB))]
SHIPPED = ROOT / "checkpoints" / "en-de"
pytestmark = pytest.mark.slow


def sources(n_words, n=1, seed=0):
    """Random words and ``</s>``: ids (n, n_words + 1)."""
    generator = torch.Generator().manual_seed(seed)
    words = torch.randint(4, VOCAB, (n, n_words), generator=generator)
    return torch.cat((words, torch.full((n, 1), 3)), dim=1)


# -- one pass ---------------------------------------------------------------------------------


def shaken(epsilon=1e-5):
    """Every bias and norm differs from its initial zero or one, so none can be left out."""
    model = make_model(0, n_encoder_layers=3, n_decoder_layers=2, layer_norm_eps=epsilon)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model.requires_grad_(False)


@pytest.mark.parametrize(("attention", "epsilon"), [("eager", 1e-5), ("sdpa", 0.1)])
def test_logits_and_attention_of_marian_equal_ours(attention, epsilon):
    model, src, tgt = shaken(epsilon), sources(8, n=3), sources(6, n=3, seed=1)
    with capture_attention(model) as captured:
        logits = model(src, tgt)
    shown = {"output_attentions": True} if attention == "eager" else {}
    theirs = to_marian(model, attention=attention)(input_ids=src, decoder_input_ids=tgt, **shown)
    torch.testing.assert_close(theirs.logits, logits, atol=1e-4, rtol=0)
    if shown:
        for kind, layers in {
            "encoder": theirs.encoder_attentions,
            "decoder": theirs.decoder_attentions,
            "cross": theirs.cross_attentions,
        }.items():
            ours = torch.from_numpy(captured.weights(kind))
            torch.testing.assert_close(torch.stack(layers, dim=1), ours, atol=1e-5, rtol=0)


@pytest.mark.parametrize("epsilon", [1e-5, 0.1])
def test_log_probs_of_ctranslate2_equal_ours(epsilon, tmp_path):
    model, src, words = shaken(epsilon), sources(8), sources(6, seed=1)
    translator = to_ctranslate2(model, TOKENS, tmp_path)
    source, target = ([TOKENS[i] for i in ids] for ids in (src[0], words[0, :-1]))
    theirs = translator.score_batch([source], [target])[0].log_probs
    read = torch.cat((torch.tensor([[2]]), words[:, :-1]), dim=1)
    ours = model(src, read)[0].log_softmax(dim=-1)[torch.arange(7), words[0]]
    torch.testing.assert_close(torch.tensor(theirs), ours, atol=1e-4, rtol=0)


def test_a_vocabulary_of_the_wrong_size_is_refused(tmp_path):
    with pytest.raises(ValueError, match="23 different tokens expected, found 22"):
        to_ctranslate2(make_model(), TOKENS[:-1], tmp_path)


# -- search -----------------------------------------------------------------------------------

LENGTHS = range(2, 9)


def source_of(n_words):
    return sources(n_words, seed=100 + n_words)


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


def ctranslate2_hypotheses(translator, src, beam_size, spellings=TOKENS, **options):
    """(ids, score) of each hypothesis; without length penalty unless asked for."""
    defaults = {"length_penalty": 0, "min_decoding_length": 0, "max_decoding_length": 20}
    result = translator.translate_batch(
        [[spellings[i] for i in src[0]]], beam_size=beam_size, num_hypotheses=beam_size,
        return_scores=True, return_end_token=True, **(defaults | options),
    )[0]  # fmt: skip
    ids = [tuple(map(spellings.index, tokens)) for tokens in result.hypotheses]
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


def test_greedy_and_beam_search_find_the_same_best_in_all_three(reverser, marian, translator):
    greedy, beam = [], []
    for src in map(source_of, LENGTHS):
        for width, best in ((1, greedy), (5, beam)):
            tree = search(reverser, src, width)
            ours = tree.hypothesis(tree.best)
            best.append(ours)
            found = [ctranslate2_hypotheses(translator, src, width)[0]]
            if width > 1:
                found.append(marian_hypotheses(marian, src, width)[0])
            else:
                theirs = marian.generate(src, num_beams=1, do_sample=False, max_new_tokens=20)
                assert tuple(theirs[0, 1:].tolist()) == ours.ids
            assert {ids for ids, _ in found} == {ours.ids}
            scores = [score for _, score in found]
            assert scores == pytest.approx([ours.score] * len(found), abs=1e-4)
    # The beam has something to choose: it differs from greedy search, and lengths differ.
    assert any(one.ids != other.ids for one, other in zip(greedy, beam, strict=True))
    assert len({len(each.ids) for each in beam}) > 3
    assert all(each.finished for each in beam)


def agree_where_shared(ours, theirs):
    """The searches stop by different rules, so only hypotheses that both have are compared."""
    shared = ours.keys() & theirs.keys()
    assert shared
    assert {i: ours[i] for i in shared} == pytest.approx({i: theirs[i] for i in shared}, abs=1e-4)


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0])
def test_our_length_penalty_by_length_is_theirs(reverser, marian, translator, alpha):
    for src in map(source_of, LENGTHS):
        ours = search(reverser, src, 5, alpha=alpha, penalty="length").hypotheses()
        for theirs in (
            ctranslate2_hypotheses(translator, src, 5, length_penalty=alpha),
            marian_hypotheses(marian, src, 5, length_penalty=alpha),
        ):
            agree_where_shared({each.ids: each.score for each in ours}, dict(theirs))


def test_minimum_lengths_and_forced_beginnings_give_the_same_best_as_in_marian(reverser, marian):
    """Theirs counts the tokens before the end, ours the end too; theirs leaves the beginning out
    of the score.
    """
    for n_words, src in zip(LENGTHS, map(source_of, LENGTHS), strict=True):
        ours = search(reverser, src, 5, min_len=n_words + 4).hypotheses()[0]
        ids, score = marian_hypotheses(marian, src, 5, min_new_tokens=n_words + 3)[0]
        assert len(ours.ids) >= n_words + 4
        assert (ids, score) == (ours.ids, pytest.approx(ours.score, abs=1e-4))
        ours = search(reverser, src, 5, prefix=(9, 12)).hypotheses()[0]
        begun = {"decoder_input_ids": torch.tensor([[2, 9, 12]]), "max_new_tokens": 18}
        ids, score = marian_hypotheses(marian, src, 5, **begun)[0]
        assert (ids, score) == (ours.ids, pytest.approx(sum(ours.log_probs[2:]), abs=1e-4))


@pytest.mark.skipif(not SHIPPED.is_dir(), reason="no checkpoint is shipped here")
def test_the_shipped_checkpoint_finds_the_same_with_the_same_scores(tmp_path):
    checkpoint = load_checkpoint(SHIPPED)
    assert same_answers(checkpoint, tmp_path / "same")
    model, marian = checkpoint.model, to_marian(checkpoint.model)
    spellings = [checkpoint.tokenizer.token_of(i) for i in range(model.config.vocab_size)]
    fast = to_ctranslate2(model, spellings, tmp_path / "fast")
    for sentence in (
        "The trophy doesn't fit in the suitcase because it is too big.",
        "Where is the nearest station?",
    ):
        src = torch.tensor([checkpoint.tokenizer.encode(sentence).ids])
        for alpha in (0.0, 0.6, 1.0):
            ours = search(model, src, 5, 60, alpha, penalty="length").hypotheses()
            options = {"length_penalty": alpha, "max_decoding_length": 60}
            for theirs in (
                ctranslate2_hypotheses(fast, src, 5, spellings, **options),
                marian_hypotheses(marian, src, 5, length_penalty=alpha, max_new_tokens=60),
            ):
                assert alpha or theirs[0][0] == ours[0].ids
                agree_where_shared({each.ids: each.score for each in ours}, dict(theirs))

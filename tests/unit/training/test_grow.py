"""Growing a checkpoint: the same translations in more pieces and more units."""

import pytest
import torch
from tokenizers import Tokenizer

from model.tokenizer import build_tokenizer
from support.models import make_model
from training.grow import extend_tokenizer, further_merges, grow

OLD_TEXT = ["the dog runs in the snow", "der Hund läuft im Schnee"] * 20
NEW_TEXT = ["the dogs are sleeping in houses", "die Hunde schlafen in Häusern"] * 20


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    path = tmp_path_factory.mktemp("old") / "tokenizer.json"
    build_tokenizer(OLD_TEXT, 60).save(path)
    return Tokenizer.from_file(str(path))


@pytest.fixture(scope="module")
def larger(tokenizer):
    return extend_tokenizer(tokenizer, OLD_TEXT + NEW_TEXT, 90, rare=5)


def test_merging_goes_on_by_frequency_and_makes_no_known_piece():
    words = {("ab", "c"): 5, ("ab", "c", "d"): 3, ("x", "y"): 4, ("q", "r"): 1}
    assert further_merges(words, set(), 10) == [("ab", "c"), ("x", "y"), ("abc", "d")]
    assert further_merges({("a", "b"): 5, ("x", "y"): 4}, {"ab"}, 10) == [("x", "y")]


def test_old_pieces_keep_their_ids(tokenizer, larger):
    old, new = tokenizer.get_vocab(), larger.get_vocab()
    assert {piece: new[piece] for piece in old} == old
    assert larger.get_vocab_size() == 90


def test_new_text_is_cut_into_fewer_pieces(tokenizer, larger):
    for text in NEW_TEXT[:2]:
        assert len(larger.encode(text).ids) < len(tokenizer.encode(text).ids)


def test_a_new_character_joins_the_alphabet(tokenizer, larger):
    assert tokenizer.token_to_id("g") is None or "g" in OLD_TEXT[0]
    assert 1 in tokenizer.encode("ph").ids
    assert 1 not in larger.encode("ph").ids


def small(tokenizer):
    return make_model(vocab_size=tokenizer.get_vocab_size(), n_heads=2, dropout=0.0)


@pytest.fixture(scope="module")
def models(tokenizer, larger):
    torch.manual_seed(0)
    model = small(tokenizer).eval()
    return model, grow(model, tokenizer, larger, 64).eval()


def test_a_grown_model_says_the_same_of_old_pieces(models):
    model, grown = models
    src, tgt = torch.tensor([[5, 9, 12, 3]]), torch.tensor([[2, 7, 20]])
    same = grown(src, tgt)[..., : model.config.vocab_size]
    torch.testing.assert_close(same, model(src, tgt))


def test_a_new_piece_starts_at_the_mean_of_its_old_pieces(models, tokenizer, larger):
    model, grown = models
    piece_id = larger.get_vocab_size() - 1
    old = [t.id for t in tokenizer.model.tokenize(larger.id_to_token(piece_id))]
    old = [piece for piece in old if piece != model.config.unk_id]
    expected = model.embedding.weight[old].mean(dim=0)
    torch.testing.assert_close(grown.embedding.weight[piece_id], expected)


KOREAN = ["개가 눈 속에서 달린다", "개들이 집에서 잔다"] * 20


def test_another_script_and_tags_begin_at_random_as_widely_spread_as_the_old(tokenizer):
    torch.manual_seed(0)
    larger = extend_tokenizer(tokenizer, OLD_TEXT + KOREAN, 90, ("<back>",), rare=5)
    assert larger.encode("<back> 개가").tokens[0] == "<back>"
    assert 1 not in larger.encode("개가 달린다").ids
    model = small(tokenizer)
    weights = grow(model, tokenizer, larger, 64).embedding.weight.detach()
    fresh = weights[[larger.token_to_id(piece) for piece in ("<back>", "개", "속", "잔")]]
    assert torch.isfinite(weights).all()
    assert len(fresh.unique(dim=0)) == len(fresh)  # none is the unknown piece's
    assert 0.5 < fresh.std() / model.embedding.weight.std() < 2

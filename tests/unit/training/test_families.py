"""Runs of models that are no Transformer, and checkpoints that grow."""

from __future__ import annotations

import pytest
import torch
from tokenizers import Tokenizer

from model import CheckpointError, load_translator, registered
from model.io.assembly import set_weights, stored_tensors
from model.tokenizer import build_tokenizer
from support.families import masked, recurrent
from support.models import make_model
from support.runs import TINY_RUN, write_pairs
from training.export import export_run
from training.grow import extend_tokenizer, further_merges, grow
from training.loop import Trainer
from training.objectives.families import model_for
from training.objectives.objective import Objective

NOUNS = {"dog": "Hund", "bird": "Vogel", "man": "Mann", "boy": "Junge", "king": "König"}
VERBS = {"runs": "läuft", "sleeps": "schläft", "plays": "spielt", "sings": "singt"}
PAIRS = [(f"the {a} {b}.", f"der {x} {y}.") for a, x in NOUNS.items() for b, y in VERBS.items()]
SETTINGS = TINY_RUN | {
    "architecture": recurrent.FAMILY.name,
    "model": {"d_model": 16},
    "training": TINY_RUN["training"] | {
        "max_len": 40, "warmup": 10, "factor": 0.5, "max_steps": 30,
        "validate_every": 15, "save_every": 50, "average": 2,
    },
}  # fmt: skip


# -- the recurrent toy, which is trained like any model that gives logits ---------------------


@pytest.fixture(scope="module", autouse=True)
def recurrent_family(on_the_cpu):
    with registered(recurrent.FAMILY):
        yield


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    root = tmp_path_factory.mktemp("data")
    for name, pairs in (("val", PAIRS[::6]), ("train", PAIRS)):
        write_pairs(root / "tiny" / f"{name}.tsv.gz", pairs)
    return root


@pytest.fixture(scope="module")
def run(data, tmp_path_factory):
    """A trained recurrent pair and the folder of its run."""
    trainer = Trainer(SETTINGS, data, tmp_path_factory.mktemp("runs") / "tiny")
    trainer.initial = trainer.evaluate()["val_loss"]
    trainer.train()
    return trainer


def test_a_run_learns_is_resumed_with_its_weights_and_becomes_a_checkpoint(run, data, tmp_path):
    assert isinstance(run.model, recurrent.RecurrentPair)
    assert run.progress.best_val_loss < 0.8 * run.initial
    again = Trainer(SETTINGS, data, run.run)
    assert again.progress.step == 30
    weights = stored_tensors(again.model), stored_tensors(run.model)
    torch.testing.assert_close(*weights, rtol=0, atol=0)
    export_run(run.run, tmp_path / "mine")
    translator = load_translator(tmp_path / "mine")
    assert translator.card.architecture == recurrent.FAMILY.name
    assert translator.translate("the dog runs.").text


def test_smoothed_labels_by_hand_and_no_other_objective(run):
    batch = next(run._batches())
    loss, nll, n_tokens = run._losses(batch, Objective(0.1))
    log_probs = run.model(batch.src, batch.tgt_in).log_softmax(dim=-1)
    real = batch.tgt_out != 0
    picked = log_probs.gather(2, batch.tgt_out[..., None])[..., 0][real].sum()
    everything = log_probs[real].mean(dim=-1).sum()
    assert n_tokens == batch.n_tokens
    torch.testing.assert_close(nll, -picked)
    torch.testing.assert_close(loss, -(0.9 * picked + 0.1 * everything))
    with pytest.raises(ValueError, match="decision_weight"):
        run._losses(batch, Objective(0.1, decision_weight=8.0))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"architecture": "transfomer"}, "'transformer'"),
        # It does not say how it is trained.
        ({"architecture": masked.FAMILY.name}, r"'toy-masked' \(known: (?!.*toy-masked)"),
        ({"model": {"d_modle": 16, "cell": "lstm"}}, r"(?s)d_modle.*cell"),
    ],
)
def test_an_unknown_family_and_unknown_sizes_are_named(run, changes, message):
    with registered(masked.FAMILY), pytest.raises(CheckpointError, match=message):
        model_for(SETTINGS | changes, run.sets.tokenizer)


def test_shared_weights_are_set_once_and_others_are_refused():
    old, new, larger = (masked.FAMILY.build(masked.config(n)) for n in (20, 20, 21))
    set_weights(new, stored_tensors(old))
    torch.testing.assert_close(new.output.weight, old.embedding.weight, rtol=0, atol=0)
    with pytest.raises(RuntimeError, match="size mismatch"):
        set_weights(larger, stored_tensors(old))
    with pytest.raises(RuntimeError, match="Missing key"):
        set_weights(new, dict(list(stored_tensors(new).items())[1:]))


# -- growing: the same translations in more pieces and more units ------------------------------

OLD_TEXT = ["the dog runs in the snow", "der Hund läuft im Schnee"] * 20
NEW_TEXT = ["the dogs are sleeping in houses", "die Hunde schlafen in Häusern"] * 20
KOREAN = ["개가 눈 속에서 달린다", "개들이 집에서 잔다"] * 20


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    path = tmp_path_factory.mktemp("old") / "tokenizer.json"
    build_tokenizer(OLD_TEXT, 60).save(path)
    return Tokenizer.from_file(str(path))


@pytest.fixture(scope="module")
def small(tokenizer):
    torch.manual_seed(0)
    return make_model(vocab_size=tokenizer.get_vocab_size(), n_heads=2, dropout=0.0)


def test_merging_goes_on_by_frequency_and_makes_no_known_piece():
    words = {("ab", "c"): 5, ("ab", "c", "d"): 3, ("x", "y"): 4, ("q", "r"): 1}
    assert further_merges(words, set(), 10) == [("ab", "c"), ("x", "y"), ("abc", "d")]
    assert further_merges({("a", "b"): 5, ("x", "y"): 4}, {"ab"}, 10) == [("x", "y")]


def test_old_pieces_keep_ids_and_answers_and_a_new_one_is_the_mean_of_its_parts(tokenizer, small):
    larger = extend_tokenizer(tokenizer, OLD_TEXT + NEW_TEXT, 90, rare=5)
    old, new = tokenizer.get_vocab(), larger.get_vocab()
    assert {piece: new[piece] for piece in old} == old
    assert len(new) == 90
    for text in NEW_TEXT[:2]:
        assert len(larger.encode(text).ids) < len(tokenizer.encode(text).ids)
    assert 1 in tokenizer.encode("ph").ids
    assert 1 not in larger.encode("ph").ids
    grown = grow(small, tokenizer, larger, 64).eval()
    src, tgt = torch.tensor([[5, 9, 12, 3]]), torch.tensor([[2, 7, 20]])
    torch.testing.assert_close(grown(src, tgt)[..., : len(old)], small(src, tgt))
    parts = [token.id for token in tokenizer.model.tokenize(larger.id_to_token(89))]
    parts = [piece for piece in parts if piece != small.config.unk_id]
    expected = small.embedding.weight[parts].mean(dim=0)
    torch.testing.assert_close(grown.embedding.weight[89], expected)


def test_with_other_pieces_a_common_one_keeps_its_embedding_and_a_text_its_translation(
    tokenizer, small, tmp_path
):
    build_tokenizer(OLD_TEXT + NEW_TEXT, 70).save(tmp_path / "tokenizer.json")
    other = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    grown = grow(small, tokenizer, other, 64).eval()
    common = sorted(set(tokenizer.get_vocab()) & set(other.get_vocab()))
    old, new = ([t.token_to_id(piece) for piece in common] for t in (tokenizer, other))
    assert old != new, "else nothing had to be moved"
    torch.testing.assert_close(grown.embedding.weight[new], small.embedding.weight[old])
    # Pieces that both have: the same function, its logits in another order.
    src, tgt = common[5:9], common[9:12]
    answers = [
        model(*(torch.tensor([[t.token_to_id(piece) for piece in side]]) for side in (src, tgt)))
        for model, t in ((small, tokenizer), (grown, other))
    ]
    torch.testing.assert_close(answers[1][..., new], answers[0][..., old])


def test_another_script_and_tags_begin_at_random_as_widely_spread_as_the_old(tokenizer, small):
    larger = extend_tokenizer(tokenizer, OLD_TEXT + KOREAN, 90, ("<back>",), rare=5)
    assert larger.encode("<back> 개가").tokens[0] == "<back>"
    assert 1 not in larger.encode("개가 달린다").ids
    weights = grow(small, tokenizer, larger, 64).embedding.weight.detach()
    fresh = weights[[larger.token_to_id(piece) for piece in ("<back>", "개", "속", "잔")]]
    assert torch.isfinite(weights).all()
    assert len(fresh.unique(dim=0)) == len(fresh)  # none is the unknown piece's
    assert 0.5 < fresh.std() / small.embedding.weight.std() < 2

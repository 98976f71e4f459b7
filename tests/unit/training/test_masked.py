"""Training on masked words: what is hidden, a run that goes on, and what is measured of it."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import torch

from core import measurements
from model import MaskedReader, load_reader
from model.checkpoint import stored_tensors
from model.families.masked import FAMILY, SPECIAL, MaskedConfig
from model.tokenizer import build_tokenizer
from support.models import read_json
from support.runs import TINY_RUN, write_pairs
from training.__main__ import main
from training.agreement import KINDS, UNTRAINED, generate
from training.batching import Example, pad
from training.card import stored_card
from training.coreference import generate_held_out
from training.corpus import Pair
from training.export import export_run
from training.families import hook_of
from training.heads import chosen_head
from training.loop import Trainer
from training.masked_measures import (
    Masked,
    agreeing,
    guessed,
    it_head,
    verbs,
)
from training.masking import CHOSEN, MASKED, REPLACED, MaskedWords, mask_pieces
from training.objective import Objective

TEXTS = [
    f"The {adjective} {noun} {verb} here."
    for noun in ("dog", "cat", "bird", "horse")
    for adjective in ("old", "little", "brown")
    for verb in ("is", "was")
]
SIZES = {"d_model": 16, "n_heads": 2, "n_encoder_layers": 1, "d_ff": 16, "max_len": 60}
SPECIAL_IDS = range(len(SPECIAL))


def config(vocab_size: int = 200) -> MaskedConfig:
    return MaskedConfig(vocab_size, **SIZES)


# -- what is hidden -------------------------------------------------------------------------


def test_pieces_are_chosen_and_changed_in_the_shares_of_the_paper():
    ids = torch.randint(5, 200, (400, 60), generator=torch.Generator().manual_seed(1))
    ids[:, 0], ids[:, -2], ids[:, -1] = 2, 3, 0
    shown, chosen = mask_pieces(ids, config(), torch.Generator().manual_seed(2))
    n = 400 * 57
    assert not chosen[:, [0, -2, -1]].any()

    def near(count: int, share: float, of: int) -> bool:
        return abs(count / of - share) < 4 * math.sqrt(share * (1 - share) / of)

    picked = int(chosen.sum())
    assert near(picked, CHOSEN, n)
    assert (shown[~chosen] == ids[~chosen]).all()
    assert near(int((shown[chosen] == 4).sum()), MASKED, picked)
    changed = (shown[chosen] != ids[chosen]) & (shown[chosen] != 4)
    # One replacement in two hundred is the piece that was there, or the mask.
    assert near(int(changed.sum()), REPLACED * (1 - 2 / 200), picked)
    assert len(shown[chosen][changed].unique()) > 100
    bare = torch.tensor([[2, 3, 0], [2, 3, 0]])
    shown, chosen = mask_pieces(bare, config(), torch.Generator().manual_seed(2))
    assert (shown == bare).all()
    assert not chosen.any()


def test_held_back_masks_stay_and_those_of_the_training_do_not():
    torch.manual_seed(4)
    model, hook = FAMILY.build(config()), MaskedWords()
    examples = [Example([2, *range(10 + i, 30 + i), 3], []) for i in range(8)]
    batch = hook.batch(examples, model.config)

    def loss() -> tuple[float, int]:
        found, nll, n = hook.losses(model, batch, Objective(), bf16=False)
        torch.testing.assert_close(found.detach(), nll)
        return float(nll), n

    assert len({loss() for _ in range(3)}) == 3
    model.eval()
    assert len({loss() for _ in range(3)}) == 1


def test_the_loss_is_of_the_chosen_places_alone():
    torch.manual_seed(4)
    model, hook = FAMILY.build(config()).eval(), MaskedWords()
    batch = hook.batch([Example([2, *range(10, 40), 3], [])], model.config)
    loss, _, n = hook.losses(model, batch, Objective(), bf16=False)
    seed = torch.Generator().manual_seed(int(batch.ids.sum()))
    shown, chosen = mask_pieces(batch.ids, model.config, seed)
    log_probs = model(shown).detach().log_softmax(dim=-1)
    by_hand = -sum(
        float(log_probs[0, place, batch.ids[0, place]]) for place in chosen[0].nonzero().flatten()
    )
    assert n == int(chosen.sum()) > 0
    assert float(loss) == pytest.approx(by_hand, rel=1e-5)


def test_sources_alone_are_read_and_long_ones_left_out():
    tokenizer = build_tokenizer(TEXTS, 90, tuple(SPECIAL.values()))
    pairs = [Pair(TEXTS[0], "Nobody reads this."), Pair(" ".join(TEXTS), "")]
    (kept,) = hook_of(FAMILY).encode(pairs, tokenizer, 20)
    assert kept.src == list(tokenizer.encode(TEXTS[0]).ids)
    assert kept.tgt == []


# -- a run ----------------------------------------------------------------------------------


SETTINGS = TINY_RUN | {
    "name": "tiny-masked", "languages": ["en", "en"], "architecture": FAMILY.name,
    "data": {
        "sets": [{"folder": "tiny", "source_only": True}],
        "agreement": {"sentences": 60, "held_out": 12, "seed": 3},
        "riddles": {"sentences": 40, "held_out": 8, "seed": 3},
    },
    "tokenizer": {"vocab_size": 400}, "model": SIZES,
    "training": TINY_RUN["training"] | {
        "dropout": 0.0, "label_smoothing": 0.0, "batch_tokens": 600, "warmup": 10, "factor": 0.5,
        "max_steps": 24, "validate_every": 12, "save_every": 6, "average": 2,
    },
}  # fmt: skip
pytestmark = pytest.mark.usefixtures("on_the_cpu")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    root = tmp_path_factory.mktemp("data")
    for name, texts in (("val", TEXTS[::5]), ("train", TEXTS)):
        pairs = ((text, "Nobody reads this.") for text in texts)
        write_pairs(root / "tiny" / f"{name}.tsv.gz", pairs)
    return root


@pytest.fixture(scope="module")
def run(data, tmp_path_factory):
    trainer = Trainer(SETTINGS, data, tmp_path_factory.mktemp("runs") / "tiny")
    trainer.initial = trainer.evaluate()["val_loss"]
    trainer.train()
    return trainer


@pytest.fixture(scope="module")
def checkpoint(run, tmp_path_factory):
    folder = tmp_path_factory.mktemp("checkpoints") / "tiny-masked"
    export_run(run.run, folder)
    return folder


def test_it_learns(run):
    assert run.progress.best_val_loss < 0.9 * run.initial
    assert {"tiny", "agreement", "riddles"} == run.sets.validation.keys()


def test_a_run_that_was_killed_goes_on_as_if_it_had_not_been(run, data, tmp_path):
    Trainer(SETTINGS, data, tmp_path / "again").train(max_steps=12)
    resumed = Trainer(SETTINGS, data, tmp_path / "again")
    assert resumed.progress.step == 12
    resumed.train()
    kept, whole = stored_tensors(resumed.model), stored_tensors(run.model)
    torch.testing.assert_close(kept, whole, rtol=0, atol=0)


def test_its_vocabulary_has_what_the_family_needs_and_none_of_the_other_side(run):
    assert [run.sets.tokenizer.token_of(i) for i in SPECIAL_IDS] == list(SPECIAL.values())
    assert run.sets.tokenizer.id_of("▁Nobody") is None


# -- what is measured -----------------------------------------------------------------------


class Told:
    """A model that says what it is told: for a position, from the ids that it is shown."""

    def __init__(self, says):
        self.config, self.says = config(), says

    def hidden(self, shown, *, left_only=False):
        n = shown.shape[1]
        return torch.stack([self.says(shown, left_only), torch.arange(n).expand_as(shown)], -1)

    def logits(self, hidden):
        logits = torch.zeros(len(hidden), 200)
        logits[torch.arange(len(hidden)), hidden[:, 0]] = math.log(199)  # p = 1/2
        return logits


class Rows:
    def __init__(self, rows):
        self.rows = rows

    def encode_batch(self, _texts):
        return self.rows


def test_guesses_are_counted_at_the_masks_by_a_model_whose_answers_are_known():
    """From both sides it is always right, from the left never."""
    rows = [[2, *[17] * n, 3] for n in (9, 30, 21)]
    model = Told(lambda shown, left: torch.full_like(shown, 18 if left else 17))
    found = guessed(model, Rows(rows), ["a"] * 3)
    _, chosen = mask_pieces(
        pad(sorted(rows, key=len), 0), model.config, torch.Generator().manual_seed(7)
    )
    assert found["pieces"] == int(chosen.sum())
    assert [found["both"][name] for name in ("value", "low", "high")] == [1, 1, 1]
    assert found["both"]["perplexity"] == pytest.approx(2)
    assert found["left"]["value"] == 0
    assert found["left"]["perplexity"] == pytest.approx(398)
    assert found["gain"] == {"value": 1, "low": 1, "high": 1}
    # Every chosen piece is replaced by the mask: none is left to be copied.
    copying = guessed(Told(lambda shown, left: shown), Rows(rows), ["a"] * 3)
    assert copying["both"]["value"] == 0


def test_the_head_of_it_is_chosen_on_pairs_that_are_not_measured(checkpoint, monkeypatch):
    reader = load_reader(checkpoint)
    items = generate_held_out(6, seed=2)
    ids = sorted({item.pair_id for item in items})
    place_of = {item.source: ids.index(item.pair_id) for item in items}

    def weights(attention, rows, columns):
        """Head 0 finds the antecedent in the first, third, ... pair, head 1 in the others, and is
        right by more and wrong by less: of all pairs, and of those that are measured, the best."""
        text = attention.text
        item = next(item for item in items if item.source == text)
        noun = columns == attention.src.pieces_at(*item.antecedent)
        margins = ([[0.5, -0.1]], [[-0.5, 0.8]])[place_of[text] % 2]
        return np.array(margins) * noun

    class Read:
        def __init__(self, src):
            self.src, self.tgt, self.text = src, None, src.text
            self.attention = self

        def of(self, site):
            return self

    class Reader:
        def read(self, text):
            return Read(reader.tokenize(text))

    monkeypatch.setattr("training.heads.pair_weights", weights)
    found = it_head(Reader(), items)
    # Chosen where it is right, measured where it is wrong.
    assert (found["layer"], found["head"], found["sentences"]) == (0, 0, 6)
    assert found["margin"] == pytest.approx(-0.5)
    assert (found["first"], found["second"]) == (pytest.approx(-0.5), pytest.approx(-0.5))
    assert found["right"]["value"] == 0


def test_a_head_that_follows_one_half_is_not_chosen():
    first, second = np.array([[0.9, 0.2], [0.1, 0.0]]), np.array([[-0.9, 0.1], [0.15, 0.0]])
    assert chosen_head(first, second) == (0, 1)


def stubborn(checkpoint, liked: set[str]):
    """A reader for which the forms in `liked` are always the likelier ones."""

    class Stubborn(MaskedReader):
        def choose(self, src, place, words, *, left_only=False):
            self.asked.append((src.tokens[place], left_only))
            return np.array([0.0 if (word in liked) != left_only else -1.0 for word in words])

    reader = load_reader(checkpoint)
    reader.__class__, reader.asked = Stubborn, []
    return reader


def test_agreement_counts_the_form_that_agrees(checkpoint):
    sentences = [each for each in generate(90, seed=5) if each.right in ("is", "are")]
    n_singular = sum(not each.plural for each in sentences)
    found = agreeing(stubborn(checkpoint, {"is"}), sentences)
    assert found["both"]["sentences"] == len(sentences)
    assert found["both"]["value"] == pytest.approx(n_singular / len(sentences), abs=1e-4)
    assert found["left"]["value"] == pytest.approx(1 - n_singular / len(sentences), abs=1e-4)
    assert found["both"]["low"] < found["both"]["value"] < found["both"]["high"]
    assert found["singular"]["both"]["sentences"] == n_singular
    assert [found[number]["both"]["value"] for number in ("singular", "plural")] == [1, 0]
    assert [found[number]["left"]["value"] for number in ("singular", "plural")] == [0, 1]


def test_verbs_of_written_sentences_are_found_as_words(checkpoint):
    reader = stubborn(checkpoint, {"is", "was"})
    found = verbs(reader, ["The dog is here.", "This was old.", "Is it?", "The isle."], None)
    assert found["both"]["sentences"] == 2
    assert [token for token, left in reader.asked if not left] == ["▁is", "▁was"]
    assert (found["both"]["value"], found["left"]["value"]) == (1, 0)


@pytest.fixture(scope="module")
def measured(checkpoint, data):
    return Masked(Masked.load(checkpoint), data, 12, stored_card(checkpoint)).measure()


def test_a_checkpoint_is_measured_in_all_its_sets(measured, checkpoint):
    assert measured["sets"].keys() == {"tiny"}
    assert measured["agreement"].keys() == {*KINDS, *UNTRAINED}
    assert sum(each["both"]["sentences"] for each in measured["agreement"].values()) == 24
    assert measured["fingerprint"] == load_reader(checkpoint).card.fingerprint
    for each in (*measured["agreement"].values(), measured["verbs"]):
        for side in ("both", "left"):
            assert 0 <= each[side]["low"] <= each[side]["value"] <= each[side]["high"] <= 1


def test_what_is_stored_is_what_is_told(measured, checkpoint):
    Masked.write(checkpoint, measured)
    Masked(Masked.load(checkpoint)).publish(checkpoint, measured)
    stored = read_json(checkpoint / measurements.MASKED.file)
    assert stored == json.loads(json.dumps(measured))
    readme = (checkpoint / "README.md").read_text()
    assert f"| tiny | {measured['sets']['tiny']['pieces']} |" in readme


def test_the_command_refuses_what_guesses_nothing(capsys):
    assert main(["masked", "--checkpoint", "documents-han", "--data", "nowhere"]) == 1
    assert "masked-words" in capsys.readouterr().err

"""Training on masked words: what is hidden, a run that goes on, and what is measured of it."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import torch

from core import measurements
from evaluation.masked_lm import MaskedMeasurement, agreeing, guessed, verbs
from model import MaskedReader, load_model
from model.families.masked import FAMILY, SPECIAL, MaskedConfig
from model.io.assembly import stored_tensors
from model.tokenizer import build_tokenizer
from support.models import read_json
from support.runs import TINY_RUN, write_pairs
from training.card import stored_card
from training.corpora.agreement import CONSTRUCTIONS, UNTRAINED, generate
from training.corpora.text_pairs import TextPair
from training.export import export_run
from training.loop import Trainer
from training.objectives.batching import TrainingExample, pad
from training.objectives.families import hook_of
from training.objectives.masking import CHOSEN, MASKED, REPLACED, MaskedWords, mask_pieces
from training.objectives.objective import Objective

TEXTS = [
    f"The {adjective} {noun} {verb} here."
    for noun in ("dog", "cat", "bird", "horse")
    for adjective in ("old", "little", "brown")
    for verb in ("is", "was")
]
SIZES = {"d_model": 16, "n_heads": 2, "n_encoder_layers": 1, "d_ff": 16, "max_len": 60}
CONFIG = MaskedConfig(200, **SIZES)

# -- what is hidden ---------------------------------------------------------------------------


def seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_pieces_are_chosen_and_changed_in_the_shares_of_the_paper():
    ids = torch.randint(5, 200, (400, 60), generator=seeded(1))
    ids[:, 0], ids[:, -2], ids[:, -1] = 2, 3, 0
    shown, chosen = mask_pieces(ids, CONFIG, seeded(2))
    assert not chosen[:, [0, -2, -1]].any()

    def near(count: int, share: float, of: int) -> bool:
        return abs(count / of - share) < 4 * math.sqrt(share * (1 - share) / of)

    picked = int(chosen.sum())
    assert near(picked, CHOSEN, 400 * 57)
    assert (shown[~chosen] == ids[~chosen]).all()
    assert near(int((shown[chosen] == 4).sum()), MASKED, picked)
    changed = (shown[chosen] != ids[chosen]) & (shown[chosen] != 4)
    # One replacement in two hundred is the piece that was there, or the mask.
    assert near(int(changed.sum()), REPLACED * (1 - 2 / 200), picked)
    assert len(shown[chosen][changed].unique()) > 100
    bare = torch.tensor([[2, 3, 0], [2, 3, 0]])
    shown, chosen = mask_pieces(bare, CONFIG, seeded(2))
    assert (shown == bare).all()
    assert not chosen.any()


def test_the_loss_is_of_the_chosen_places_which_stay_in_evaluation_alone():
    torch.manual_seed(4)
    model, hook = FAMILY.build(CONFIG), MaskedWords()
    batch = hook.batch([TrainingExample([2, *range(10, 40), 3], [])], model.config)

    def losses() -> tuple[float, int]:
        loss, nll, n = hook.losses(model, batch, Objective(), bf16=False)
        torch.testing.assert_close(loss.detach(), nll)
        return float(nll), n

    assert len({losses() for _ in range(3)}) == 3
    model.eval()
    shown, chosen = mask_pieces(batch.ids, model.config, seeded(int(batch.ids.sum())))
    log_probs = model(shown).detach().log_softmax(dim=-1)[0]
    places = chosen[0].nonzero().flatten()
    expected = -sum(float(log_probs[place, batch.ids[0, place]]) for place in places)
    for _ in range(2):
        assert losses() == (pytest.approx(expected, rel=1e-5), len(places))
    assert len(places)


def test_sources_alone_are_read_and_long_ones_left_out():
    tokenizer = build_tokenizer(TEXTS, 90, tuple(SPECIAL.values()))
    pairs = [TextPair(TEXTS[0], "Nobody reads this."), TextPair(" ".join(TEXTS), "")]
    (kept,) = hook_of(FAMILY).encode(pairs, tokenizer, 20)
    assert (kept.src, kept.tgt) == (list(tokenizer.encode(TEXTS[0]).ids), [])


# -- a run ------------------------------------------------------------------------------------

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


def test_a_run_learns_and_goes_on_after_a_stop_as_if_it_had_not_stopped(run, data, tmp_path):
    assert run.progress.best_val_loss < 0.9 * run.initial
    assert {"tiny", "agreement", "riddles"} == run.sets.validation.keys()
    special = [run.sets.tokenizer.token_of(i) for i in range(len(SPECIAL))]
    assert special == list(SPECIAL.values())
    assert run.sets.tokenizer.id_of("▁Nobody") is None
    Trainer(SETTINGS, data, tmp_path).train(max_steps=12)
    resumed = Trainer(SETTINGS, data, tmp_path)
    assert resumed.progress.step == 12
    resumed.train()
    weights = stored_tensors(resumed.model), stored_tensors(run.model)
    torch.testing.assert_close(*weights, rtol=0, atol=0)


# -- what is measured -------------------------------------------------------------------------


class Scripted:
    """A model whose answer, a function of the ids that it is shown, has p = 1/2."""

    def __init__(self, answer):
        self.config, self.answer = CONFIG, answer

    def hidden(self, shown, *, left_only=False):
        n = shown.shape[1]
        return torch.stack([self.answer(shown, left_only), torch.arange(n).expand_as(shown)], -1)

    def logits(self, hidden):
        logits = torch.zeros(len(hidden), 200)
        logits[torch.arange(len(hidden)), hidden[:, 0]] = math.log(199)
        return logits


class Rows:
    def __init__(self, rows):
        self.rows = rows

    def encode_batch(self, _texts):
        return self.rows


def test_guesses_are_counted_at_the_masks_by_a_model_whose_answers_are_known():
    """From both sides it is always right, from the left never."""
    rows = [[2, *[17] * n, 3] for n in (9, 30, 21)]
    model = Scripted(lambda shown, left: torch.full_like(shown, 18 if left else 17))
    found = guessed(model, Rows(rows), ["a"] * 3)
    _, chosen = mask_pieces(pad(sorted(rows, key=len), 0), CONFIG, seeded(7))
    assert found["pieces"] == int(chosen.sum())
    assert [found["both"][name] for name in ("value", "low", "high")] == [1, 1, 1]
    assert found["both"]["perplexity"] == pytest.approx(2)
    assert found["left"]["value"] == 0
    assert found["left"]["perplexity"] == pytest.approx(398)
    assert found["gain"] == {"value": 1, "low": 1, "high": 1}
    # Every chosen piece is replaced by the mask: none is left to be copied.
    copying = guessed(Scripted(lambda shown, left: shown), Rows(rows), ["a"] * 3)
    assert copying["both"]["value"] == 0


def stubborn(checkpoint, liked: set[str]):
    """A reader for which the forms in `liked` are always the likelier ones."""

    class Stubborn(MaskedReader):
        def choose(self, src, place, words, *, left_only=False):
            self.asked.append((src.tokens[place], left_only))
            return np.array([0.0 if (word in liked) != left_only else -1.0 for word in words])

    reader = load_model(checkpoint)
    reader.__class__, reader.asked = Stubborn, []
    return reader


def test_agreement_and_verbs_count_the_form_that_agrees(checkpoint):
    sentences = [each for each in generate(90, seed=5) if each.right in ("is", "are")]
    n_singular = sum(not each.plural for each in sentences)
    found = agreeing(stubborn(checkpoint, {"is"}), sentences)
    assert found["both"]["sentences"] == len(sentences)
    assert found["both"]["value"] == pytest.approx(n_singular / len(sentences), abs=1e-4)
    assert found["left"]["value"] == pytest.approx(1 - n_singular / len(sentences), abs=1e-4)
    assert found["both"]["low"] < found["both"]["value"] < found["both"]["high"]
    assert found["singular"]["both"]["sentences"] == n_singular
    for side, values in (("both", [1, 0]), ("left", [0, 1])):
        assert [found[number][side]["value"] for number in ("singular", "plural")] == values
    reader = stubborn(checkpoint, {"is", "was"})
    found = verbs(reader, ["The dog is here.", "This was old.", "Is it?", "The isle."], None)
    assert [token for token, left in reader.asked if not left] == ["▁is", "▁was"]
    assert (found["both"]["sentences"], found["both"]["value"], found["left"]["value"]) == (2, 1, 0)


def test_a_checkpoint_is_measured_stored_and_described(checkpoint, data):
    measured = MaskedMeasurement(
        MaskedMeasurement.load(checkpoint), data, 12, stored_card(checkpoint)
    ).measure()
    assert measured["sets"].keys() == {"tiny"}
    assert measured["agreement"].keys() == {*CONSTRUCTIONS, *UNTRAINED}
    assert sum(each["both"]["sentences"] for each in measured["agreement"].values()) == 24
    assert measured["fingerprint"] == load_model(checkpoint).card.fingerprint
    MaskedMeasurement.write(checkpoint, measured)
    MaskedMeasurement(MaskedMeasurement.load(checkpoint)).publish(checkpoint, measured)
    stored = read_json(checkpoint / measurements.MASKED.file)
    assert stored == json.loads(json.dumps(measured))
    readme = (checkpoint / "README.md").read_text()
    assert f"| tiny | {measured['sets']['tiny']['pieces']} |" in readme

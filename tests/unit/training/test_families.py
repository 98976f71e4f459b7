"""Runs of models that are no Transformer: what the loop asks of a family."""

import re
from types import SimpleNamespace

import pytest
import torch

from model import CheckpointError, load_translator, registered
from model.checkpoint import stored_tensors
from support.families import masked, recurrent
from support.models import ROOT, read_json
from support.runs import TINY_RUN, write_pairs
from training.export import export_run
from training.families import model_for
from training.loop import Trainer, set_weights
from training.objective import Objective, objective_at
from training.settings import variant_of

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


@pytest.fixture(scope="module", autouse=True)
def a_family(on_the_cpu):
    """The recurrent toy is trained like any model that gives logits."""
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


def test_a_family_that_says_how_it_is_trained_learns(run):
    assert isinstance(run.model, recurrent.RecurrentPair)
    assert run.progress.best_val_loss < 0.8 * run.initial


def test_its_run_becomes_a_checkpoint_of_that_family(run, tmp_path):
    export_run(run.run, tmp_path / "mine")
    translator = load_translator(tmp_path / "mine")
    assert translator.card.architecture == recurrent.FAMILY.name
    assert translator.translate("the dog runs.").text


def test_a_run_that_is_resumed_has_the_same_weights(run, data):
    again = Trainer(SETTINGS, data, run.run)
    assert again.progress.step == 30
    kept, trained = stored_tensors(again.model), stored_tensors(run.model)
    torch.testing.assert_close(kept, trained, rtol=0, atol=0)


def test_smoothed_labels_by_hand(run):
    batch = next(run._batches())
    loss, nll, n_tokens = run._losses(batch, Objective(0.1))
    log_probs = run.model(batch.src, batch.tgt_in).log_softmax(dim=-1)
    real = batch.tgt_out != 0
    picked = log_probs.gather(2, batch.tgt_out[..., None])[..., 0][real].sum()
    everything = log_probs[real].mean(dim=-1).sum()
    assert n_tokens == batch.n_tokens
    torch.testing.assert_close(nll, -picked)
    torch.testing.assert_close(loss, -(0.9 * picked + 0.1 * everything))


def test_what_only_the_transformer_learns_by_is_refused(run):
    with pytest.raises(ValueError, match="decision_weight"):
        run._losses(next(run._batches()), Objective(0.1, decision_weight=8.0))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("transfomer", "'transformer'"),
        # It does not say how it is trained.
        (masked.FAMILY.name, r"'toy-masked' \(known: (?!.*toy-masked)"),
    ],
)
def test_a_family_that_cannot_be_trained_is_named_with_those_that_can(data, tmp_path, name, told):
    with registered(masked.FAMILY), pytest.raises(CheckpointError, match=told):
        Trainer(SETTINGS | {"architecture": name}, data, tmp_path)


def test_sizes_that_the_family_does_not_have_are_all_named(run):
    settings = SETTINGS | {"model": {"d_modle": 16, "cell": "lstm"}}
    with pytest.raises(CheckpointError, match=r"(?s)d_modle.*cell"):
        model_for(settings, run.sets.tokenizer)


def test_weights_that_are_shared_are_set_once():
    old, new = (masked.FAMILY.build(masked.config(20)) for _ in range(2))
    set_weights(new, stored_tensors(old))
    torch.testing.assert_close(new.output.weight, old.embedding.weight, rtol=0, atol=0)


def test_weights_of_another_size_are_refused():
    old, new = (masked.FAMILY.build(masked.config(n)) for n in (20, 21))
    with pytest.raises(RuntimeError, match="size mismatch"):
        set_weights(new, stored_tensors(old))
    missing = dict(list(stored_tensors(new).items())[1:])
    with pytest.raises(RuntimeError, match="Missing key"):
        set_weights(new, missing)


def shipped_configs() -> list[tuple[str, str | None]]:
    """Every config by its name, with each of its variants."""
    found = []
    for path in sorted((ROOT / "training" / "configs").glob("*.json")):
        settings = read_json(path)
        alone = [None] if settings["model"] else []
        found += [(path.stem, variant) for variant in (*alone, *settings.get("variants", ()))]
    return found


@pytest.mark.parametrize(("name", "variant"), shipped_configs())
def test_a_shipped_config_fits_its_family(name, variant):
    settings = read_json(ROOT / "training" / "configs" / f"{name}.json")
    assert settings["name"] == name
    settings = variant_of(settings, variant)
    pieces = SimpleNamespace(vocab_size=settings["tokenizer"]["vocab_size"])
    with torch.device("meta"):
        model = model_for(settings, pieces)
    assert model.embedding.weight.shape == (pieces.vocab_size, settings["model"]["d_model"])
    objective_at(settings["training"]["max_steps"], settings["training"])


SHIPPED = sorted(path.parent for path in (ROOT / "checkpoints").glob("*/card.json"))


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_the_command_of_a_card_is_the_one_that_made_the_weights(folder):
    """The config that it names has the settings that the training kept."""
    card, sizes = (read_json(folder / name) for name in ("card.json", "config.json"))
    made = card["training"]
    named = re.fullmatch(r"python -m training --config (\S+)(?: --variant (\S+))?", made["command"])
    settings = variant_of(read_json(ROOT / named[1]), named[2])
    assert made["settings"] == settings["training"]
    assert made["steps"] == settings["training"]["max_steps"]
    assert card["data"] == settings["data"]
    assert {name: sizes[name] for name in settings["model"]} == settings["model"]

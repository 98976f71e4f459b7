"""Ablate every head at every step whose weights a run has kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.torch
import torch
from torch import Tensor

from core.interventions.intervention import Intervention
from core.interventions.kinds import AblatedHead
from core.measurements import KNOCK_OUTS
from core.weights.measures import strongest_head
from model.errors import ModelError
from model.experiments.ablation import heads_of
from model.families.base import Family, sites_of
from model.hooks.interventions import intervening
from model.io.assembly import set_weights
from model.teacher_forcing import read_ids, tensor_of, token_log_probs
from model.tokenizer import TextTokenizer
from training.card import hardware
from training.corpora.coreference import generate_held_out
from training.files import number
from training.formation import sentences_of
from training.objectives.families import model_for
from training.runs import settings_of_run
from training.settings import family_of
from words import Message

from .measured_sets import HELD_OUT_SEED
from .measurement import Measurement
from .pronoun import cells, noun_phrase
from .templating import rendered

PRONOUNS = 20
"""Number of held-out minimal pairs."""


class KnockOutStepsMeasurement(Measurement):
    """Mean change of log p per token without a head, by step, site, layer and head.

    Below 0 the head is missed. `of` is the folder of a run. Heads are ablated one at a time, zeros
    in place of their output, on the sentences that the run records. ``pronoun`` is measured if the
    run trained on such sentences: log p of the right pronoun in held-out sentences with two nouns,
    and its change without each head, and with the phrase of the antecedent or of the other noun
    hidden from "it".
    """

    name = "knock_out_steps"
    file_kind = KNOCK_OUTS
    goes_on = False
    indent = None

    def provenance(self) -> dict[str, Any]:
        command = f"python -m evaluation knock-out-steps --run {self.of.name}"
        return {"command": command, "hardware": hardware()}

    def frame(self) -> dict[str, Any]:
        """Measure all steps at once; the parts of this measurement are never stored singly.

        Raises FileNotFoundError if the run kept no weights, ModelError if no head can be ablated in
        models of this family.
        """
        run = self.of
        settings = settings_of_run(run)
        tokenizer = TextTokenizer.from_file(run / "tokenizer.json")
        files = _weight_files(run)
        _need_ablation(run.name, family_of(settings))
        model = model_for(settings, tokenizer).eval()
        recorded = recorded_sentences(settings, tokenizer)
        heads = heads_of(sites_of(model))
        tokens = _Changes()
        pronouns = _Changes()
        items = held_out_pronouns(settings, tokenizer)
        # One model takes the weights of one step after another.
        for file in files:
            set_weights(model, safetensors.torch.load_file(file))
            tokens.add(_changes(model, recorded, heads), heads)
            if items:
                pronouns.add(_changes(model, items, heads), heads)
        result = {
            **self.provenance(),
            "run": run.name,
            "sentences": len(recorded),
            "steps": [int(file.stem.split("-")[1]) for file in files],
            "changes": tokens.changes,
        }
        if items:
            noun_hidden, other_hidden = zip(*pronouns.more, strict=True)
            result["pronoun"] = {
                "sentences": len(items),
                "log_prob": pronouns.plain,
                "noun_hidden": noun_hidden,
                "other_hidden": other_hidden,
                "changes": pronouns.changes,
            }
        return result

    @classmethod
    def report(cls, result: Mapping[str, Any]) -> str:
        """Return for each step the head with the largest drop of log p."""
        largest = []
        for at in range(len(result["steps"])):
            changes = {site: np.array(steps[at]) for site, steps in result["changes"].items()}
            site = min(changes, key=lambda name: changes[name].min())
            # `strongest_head` takes the maximum, and the largest drop is the smallest change.
            layer, head = strongest_head(-changes[site])
            change = changes[site].min()
            largest.append({"site": site, "layer": layer, "head": head, "change": change})
        return rendered(f"{cls.name}.txt.j2", between="\n", result=result, largest=largest)


def _weight_files(run: Path) -> list[Path]:
    """Return the saved weights of a run by step; FileNotFoundError if it kept none."""
    # Steps are padded with zeros, so that names sort by step.
    files = sorted(run.glob("weights-*.safetensors"))
    if not files:
        raise FileNotFoundError(f"{run} holds no weights-*.safetensors")
    return files


def _need_ablation(name: str, family: Family) -> None:
    """Raise ModelError if no head can be ablated in models of a family; `name` is the run's."""
    if "change-ablate" not in family.capabilities:
        raise ModelError(
            Message.of(
                "model-lacks", capability="change-ablate", name=name, architecture=family.name
            )
        )


Head = tuple[str, int, int]
Item = tuple[Sequence[int], Sequence[int], int | None, Sequence[Intervention]]
"""Source and target ids, the target piece that counts (None for all), and further changes."""


def recorded_sentences(settings: dict[str, Any], tokenizer: TextTokenizer) -> list[Item]:
    """Return the sentences that a run records, of which all target pieces count."""
    return [
        (tokenizer.encode(source).ids, tokenizer.encode(target).ids, None, ())
        for source, target in sentences_of(settings)
    ]


def held_out_pronouns(settings: dict[str, Any], tokenizer: TextTokenizer) -> list[Item]:
    """Return held-out two-noun sentences, with changes that hide each noun's phrase from "it".

    Only the first piece of the right pronoun counts. Empty for a run that never trained on such
    sentences.
    """
    if "coreference" not in settings["data"]:
        return []
    items: list[Item] = []
    for pair in generate_held_out(PRONOUNS, seed=HELD_OUT_SEED):
        src = tokenizer.encode(pair.source)
        tgt = tokenizer.encode(pair.target)
        it = src.pieces_at(*pair.pronoun)
        hidden = [
            cells("encoder", it, noun_phrase(src, noun))
            for noun in (pair.antecedent, pair.distractor)
        ]
        items.append((src.ids, tgt.ids, tgt.pieces_at(*pair.target_pronoun)[0], hidden))
    return items


class _Changes:
    """Changes step by step, nested as they are stored."""

    def __init__(self) -> None:
        self.changes: dict[str, list] = {}
        self.plain: list[float | None] = []
        self.more: list[list[float | None]] = []

    def add(self, means: np.ndarray, heads: Sequence[Head]) -> None:
        self.plain.append(number(means[0]))
        self.more.append([number(mean - means[0]) for mean in means[1 + len(heads) :]])
        at: dict[str, dict[int, list]] = {}
        # Order of `means`: unchanged, each head, further changes; hence the slices and no strict
        # zip.
        for (site, layer, _), mean in zip(heads, means[1:], strict=False):
            at.setdefault(site, {}).setdefault(layer, []).append(number(mean - means[0]))
        for site, layers in at.items():
            self.changes.setdefault(site, []).append(list(layers.values()))


@torch.inference_mode()
def _changes(model: Any, items: list[Item], heads: Sequence[Head]) -> np.ndarray:
    """Return mean log p over `items`: unchanged, without each head, under each further change."""
    rows = []
    for src, tgt, at, more in items:
        # All changes run as one batch, a row each.
        offs = [Intervention(), *(Intervention(AblatedHead(*head)) for head in heads), *more]
        log_probs = log_probs_under(model, src, tgt, offs)
        means = log_probs.mean(dim=-1) if at is None else log_probs[:, at]
        rows.append(means.double().numpy())
    return np.mean(rows, axis=0)


@torch.inference_mode()
def log_probs_under(
    model: Any,
    src: Sequence[int],
    tgt: Sequence[int],
    changes: Sequence[Intervention],
    means: Mapping[str, Tensor] | None = None,
) -> Tensor:
    """Return log p of every target token under each of `changes`, (changes, T_tgt).

    `means` holds the outputs that a "mean" ablation puts in place of a head's.
    """
    n = len(changes)
    read = tensor_of(model, read_ids(model.config, tgt))
    with intervening(model, changes, n_src=len(src), n_tgt=len(tgt), means=means) as changed:
        logits = changed(tensor_of(model, src).expand(n, -1), read.expand(n, -1))
        return token_log_probs(logits, tgt)

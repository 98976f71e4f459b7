"""The training loop: resumable at any moment, one process or several."""

from __future__ import annotations

import itertools
import json
import math
import os
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from safetensors import safe_open
from tqdm import tqdm

from core.schedule import flat_start, rate_multiplier, warmup_learning_rate
from model.checkpoint import stored_tensors
from model.family import config_of
from model.tokenizer import TextTokenizer

from .batching import Batch, Example, plan_batches, repeated
from .build_tokenizer import tokenizer_for
from .chains import chained_pairs
from .corpus import (
    CorpusError,
    coreference_choices,
    coreference_pairs,
    repeats_of,
    training_pairs,
    validation_pairs,
)
from .dropout import use_pooled_dropout
from .families import BatchLosses, family_of, hook_of, model_for
from .formation import FREQUENCIES, record_formation, record_frequencies, sentences_of
from .loss import guided_attention_loss, listen_to_guided_head
from .made import MADE, joined_pairs
from .natural import with_natural
from .objective import Objective, objective_at
from .workers import Workers, pick_device


@dataclass
class Progress:
    """Where a run stands; saved with every state file."""

    step: int = 0
    epoch: int = 0
    batch: int = 0
    best_val_loss: float = math.inf
    evaluations_without_gain: int = 0
    seconds: float = 0.0
    history: dict[str, Any] = field(default_factory=dict)


class Trainer:
    """One training run in a folder of its own (``runs/<name>``).

    The folder holds ``config.json``, ``tokenizer.json``, ``metrics.jsonl``, ``state.safetensors``
    (model, optimiser moments and progress in one file, replaced atomically) and
    ``weights-<step>.safetensors``, the latest of which are averaged at export.
    """

    def __init__(self, settings: dict[str, Any], data: Path, run: Path) -> None:
        self.settings = settings
        self.train_settings = settings["training"]
        self.hook = hook_of(family_of(settings))
        self.run = run
        self.workers = Workers.join()
        self.device = pick_device()
        run.mkdir(parents=True, exist_ok=True)

        sets = training_pairs(data, settings["data"])
        if "natural" in settings["data"]:
            sets = with_natural(sets)
        if "chains" in settings["data"]:
            sets["chains"] = chained_pairs(sets, settings["data"]["chains"])
        if "joined" in settings["data"]:
            sets["joined"] = joined_pairs(sets, settings["data"]["joined"])
        held_back = validation_pairs(data, settings["data"])
        for name, make in MADE.items():
            if name in settings["data"]:
                sets[name], held_back[name] = make(settings["data"][name])
        generated = coreference_pairs(settings["data"], 0)
        everything = [*itertools.chain(*sets.values()), *generated]
        self.tokenizer: TextTokenizer = tokenizer_for(settings, everything, run, self.workers)
        max_len = self.train_settings["max_len"]
        self._set_examples = {
            name: self.hook.encode(pairs, self.tokenizer, max_len) for name, pairs in sets.items()
        }
        # With sub-word dropout every epoch cuts the words anew; which way is not kept, so that a
        # run that goes on draws its own.
        self._cut_anew = sets if self.train_settings.get("bpe_dropout") else {}
        self._cut_epoch = 0
        self._generated_examples = self.hook.encode(generated, self.tokenizer, max_len)
        self._generated_epoch = 0
        self.validation = {
            name: self.hook.encode(pairs, self.tokenizer, max_len)
            for name, pairs in held_back.items()
        }

        torch.manual_seed(self.train_settings["seed"])
        self.model = model_for(settings, self.tokenizer).to(self.device)
        self.config = config_of(self.model)
        start_from = self.train_settings.get("start_from")
        if start_from:
            load_weights(self.model, Path(start_from))
        use_bf16 = self.train_settings.get("bf16", True)
        use_pooled_dropout(
            self.model,
            self.train_settings.get("dropout", 0.0),
            torch.bfloat16 if use_bf16 else torch.float32,
            seed=self.train_settings["seed"] + self.workers.rank,
            device=self.device,
        )
        self._rate_points = (
            flat_start(self.train_settings["warmup"])
            if self.train_settings.get("flat_start")
            else self.train_settings.get("rate_points", ())
        )
        self._losses = BatchLosses(self.model, self.hook, bf16=use_bf16)
        self._shared_losses = self.workers.share(self._losses)
        self.optimizer = torch.optim.Adam(
            self.model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9, fused=True
        )
        self.progress = Progress()
        self.metrics_path = run / "metrics.jsonl"
        if (run / "state.safetensors").exists():
            self._resume()
        elif self.workers.leads:
            # Lines of a run that was killed before its first state.
            self.metrics_path.unlink(missing_ok=True)
        if self.workers.leads:
            (run / "config.json").write_text(json.dumps(settings, indent=2) + "\n")

    # -- resuming ---------------------------------------------------------------------------

    def _weights(self) -> dict[str, torch.Tensor]:
        return {name: t.detach().cpu() for name, t in stored_tensors(self.model).items()}

    def _save_state(self) -> None:
        if not self.workers.leads:
            return
        names = {id(p): n for n, p in self.model.named_parameters()}
        tensors = {f"model.{n}": t for n, t in self._weights().items()}
        for parameter, moments in self.optimizer.state.items():
            for key in ("exp_avg", "exp_avg_sq"):
                tensors[f"{key}.{names[id(parameter)]}"] = moments[key].cpu()
        tensors["rng"] = torch.get_rng_state()
        target = self.run / "state.safetensors"
        temporary = target.with_suffix(".tmp")
        metadata = {"progress": json.dumps(self.progress.__dict__)}
        safetensors.torch.save_file(tensors, temporary, metadata=metadata)
        os.replace(temporary, target)

    def _resume(self) -> None:
        with safe_open(self.run / "state.safetensors", framework="pt") as state:
            self.progress = Progress(**json.loads(state.metadata()["progress"]))
            names = stored_tensors(self.model)
            set_weights(self.model, {n: state.get_tensor(f"model.{n}") for n in names})
            keys = set(state.keys())
            for name, parameter in self.model.named_parameters():
                if f"exp_avg.{name}" in keys:
                    self.optimizer.state[parameter] = {
                        "step": torch.tensor(float(self.progress.step), device=self.device),
                        "exp_avg": state.get_tensor(f"exp_avg.{name}").to(self.device),
                        "exp_avg_sq": state.get_tensor(f"exp_avg_sq.{name}").to(self.device),
                    }
            torch.set_rng_state(state.get_tensor("rng"))
        if self.workers.leads and self.metrics_path.exists():
            # Lines written after the state was saved belong to steps that are run again.
            lines = self.metrics_path.read_text().splitlines()
            kept = [x for x in lines if x and _step_of(x) <= self.progress.step]
            temporary = self.metrics_path.with_suffix(".tmp")
            temporary.write_text("".join(f"{x}\n" for x in kept))
            os.replace(temporary, self.metrics_path)

    # -- steps ------------------------------------------------------------------------------

    def examples(self, epoch: int) -> list[Example]:
        """What an epoch trains on: the files, and the pairs generated for it."""
        sources = self.settings["data"]
        if "coreference" in sources and coreference_choices(sources, epoch) != coreference_choices(
            sources, self._generated_epoch
        ):
            self._generated_examples = self.hook.encode(
                coreference_pairs(sources, epoch), self.tokenizer, self.train_settings["max_len"]
            )
            self._generated_epoch = epoch
        if self._cut_anew and self._cut_epoch != epoch:
            cutter = self.tokenizer.with_dropout(self.train_settings["bpe_dropout"])
            self._set_examples = {
                name: self.hook.encode(pairs, cutter, self.train_settings["max_len"])
                for name, pairs in self._cut_anew.items()
            }
            self._cut_epoch = epoch
        times = repeats_of(sources, epoch)
        sets = [
            repeated(examples, times[name], f"{name} {epoch}")
            for name, examples in self._set_examples.items()
        ]
        return [*itertools.chain(*sets), *self._generated_examples]

    def _batches(self) -> Iterator[Batch]:
        """Endless batches from where the run stands; every process sees its own share."""
        settings = self.train_settings
        while True:
            examples = self.examples(self.progress.epoch)
            plan = plan_batches(
                examples, settings["batch_tokens"], settings["seed"] + self.progress.epoch
            )
            plan = plan[: len(plan) // self.workers.world * self.workers.world]
            if not plan:
                raise CorpusError(
                    f"{len(examples)} usable pairs make fewer batches than there are "
                    f"processes ({self.workers.world}); add data or raise max_len"
                )
            while self.progress.batch < len(plan):
                mine = plan[self.progress.batch + self.workers.rank]
                self.progress.batch += self.workers.world
                yield self._batch([examples[i] for i in mine])
            self.progress.epoch += 1
            self.progress.batch = 0

    def _batch(self, examples: list[Example]) -> Batch:
        return self.hook.batch(examples, self.config).to(self.device)

    def _step(self, batch: Batch) -> dict[str, float]:
        settings = self.train_settings
        self.model.train()
        guide = settings.get("guided")
        with listen_to_guided_head(self.model, guide) as heard:
            objective = objective_at(self.progress.step, settings)
            loss, nll, n_tokens = self._shared_losses(batch, objective)
        totals = torch.tensor([float(nll), n_tokens], dtype=torch.float64, device=self.device)
        totals = self.workers.sum(totals)
        metrics = {}
        if guide and batch.links:
            guided_loss, mass = guided_attention_loss(heard[0], guide["head"], batch.links)
            loss = loss + guide["weight"] * guided_loss
            metrics["guided_mass"] = mass
        # The mean over processes of what is multiplied by their number is the sum.
        (loss * self.workers.world / totals[1].float()).backward()
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), settings["clip_norm"])
        self.progress.step += 1
        rate = warmup_learning_rate(
            self.progress.step,
            self.config.d_model,
            settings["warmup"],
            settings["factor"],
        ) * rate_multiplier(self.progress.step, self._rate_points)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        metrics |= {
            "nll": float(totals[0]),
            "tokens": int(totals[1]),
            "norm": float(norm),
            "lr": rate,
        }
        return metrics

    @torch.no_grad()
    def evaluate(self) -> dict[str, float]:
        """Negative log-likelihood per token on each validation set, and their mean."""
        self.model.eval()
        losses = {}
        for name, examples in self.validation.items():
            totals = torch.zeros(2, dtype=torch.float64, device=self.device)
            plan = plan_batches(examples, self.train_settings["batch_tokens"], seed=0)
            for indices in plan[self.workers.rank :: self.workers.world]:
                batch = self._batch([examples[i] for i in indices])
                _, nll, n_tokens = self._losses(batch, Objective())
                totals += torch.tensor(
                    [float(nll), n_tokens], dtype=torch.float64, device=self.device
                )
            totals = self.workers.sum(totals)
            if totals[1]:
                losses[f"val_{name}"] = float(totals[0] / totals[1])
        if not losses:
            raise CorpusError("no validation pair is short enough; raise max_len")
        losses["val_loss"] = sum(losses.values()) / len(losses)
        return losses

    # -- the run ----------------------------------------------------------------------------

    def train(self, max_steps: int | None = None) -> Progress:
        """Train until `max_steps`, or until the validation loss stops falling."""
        settings = self.train_settings
        last_step = max_steps or settings["max_steps"]
        formation = set(settings.get("formation_steps", ()))
        progress = self.progress
        bar = tqdm(
            total=last_step, initial=progress.step, unit="step", disable=not self.workers.leads
        )
        window: deque[tuple[float, dict[str, float]]] = deque(maxlen=settings["log_every"])
        if progress.step == 0 and 0 in formation:
            self._formation()
        last_time = time.monotonic()
        for batch in self._batches():
            stalled = progress.evaluations_without_gain >= settings["patience"]
            if progress.step >= last_step or stalled:
                break
            metrics = self._step(batch)
            now = time.monotonic()
            progress.seconds += now - last_time
            window.append((now - last_time, metrics))
            last_time = now
            bar.update()
            if progress.step % settings["log_every"] == 0:
                self._log(self._summary(window), bar)
            if progress.step in formation:
                self._formation()
            if progress.step % settings["validate_every"] == 0 or progress.step == last_step:
                losses = self.evaluate()
                self._log(losses, bar)
                self._save_weights()
                if losses["val_loss"] < progress.best_val_loss - 1e-4:
                    progress.best_val_loss = losses["val_loss"]
                    progress.evaluations_without_gain = 0
                else:
                    progress.evaluations_without_gain += 1
                self._save_state()
                if progress.evaluations_without_gain >= settings["patience"]:
                    bar.write(f"validation loss has not fallen for {settings['patience']} checks")
                    break
            elif progress.step % settings["save_every"] == 0:
                self._save_state()
            last_time = time.monotonic()  # checks and files do not count as training
        if progress.step not in formation and formation:
            self._formation()
        bar.close()
        return progress

    def _summary(self, window: deque) -> dict[str, float]:
        seconds = sum(s for s, _ in window)
        tokens = sum(m["tokens"] for _, m in window)
        summary = {
            "loss": sum(m["nll"] for _, m in window) / tokens,
            "lr": window[-1][1]["lr"],
            "gradient_norm": sum(m["norm"] for _, m in window) / len(window),
            "tokens_per_second": tokens / seconds,
            "epoch": self.progress.epoch,
            "seconds": round(self.progress.seconds, 1),
        }
        guided = [m["guided_mass"] for _, m in window if "guided_mass" in m]
        if guided:
            summary["guided_mass"] = sum(guided) / len(guided)
        return summary

    def _log(self, values: dict[str, float], bar: tqdm) -> None:
        if not self.workers.leads:
            return
        line = {"step": self.progress.step} | {
            k: round(v, 6) if isinstance(v, float) else v for k, v in values.items()
        }
        with self.metrics_path.open("a") as file:
            file.write(json.dumps(line) + "\n")
        if "tokens_per_second" in values:
            bar.set_postfix_str(
                f"{values['tokens_per_second']:.0f} tok/s, loss {values['loss']:.3f}"
            )
        else:
            bar.write(
                f"step {self.progress.step}: "
                + ", ".join(f"{k} {v:.3f}" for k, v in values.items())
            )

    def _save_weights(self) -> None:
        if not self.workers.leads:
            return
        target = self.run / f"weights-{self.progress.step:07d}.safetensors"
        temporary = target.with_suffix(".tmp")
        safetensors.torch.save_file(self._weights(), temporary)
        os.replace(temporary, target)
        for old in sorted(self.run.glob("weights-*.safetensors"))[
            : -self.train_settings["average"]
        ]:
            old.unlink()

    def _formation(self) -> None:
        if self.workers.leads:
            if not (self.run / "formation" / FREQUENCIES).is_file():
                sources = [example.src for example in self.examples(self.progress.epoch)]
                record_frequencies(sources, self.tokenizer.vocab_size, self.run)
            record_formation(
                self.model,
                self.tokenizer,
                self.run,
                self.progress.step,
                sentences_of(self.settings),
            )


def _step_of(line: str) -> int:
    try:
        return int(json.loads(line)["step"])
    except (ValueError, KeyError, TypeError):
        return 2**62  # a line cut short by the kill: drop it


def load_weights(model: torch.nn.Module, path: Path) -> None:
    """Copy weights of the same shape into a model that is about to be trained on."""
    set_weights(model, safetensors.torch.load_file(path))


def set_weights(model: torch.nn.Module, tensors: dict[str, torch.Tensor]) -> None:
    """Copy tensors into a model that has the very same ones.

    Raises RuntimeError where names or shapes differ.
    """
    # What shares its weights with another is stored once, and nothing else may be missing.
    model.load_state_dict(tensors, strict=tensors.keys() != stored_tensors(model).keys())

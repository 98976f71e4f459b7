"""Training loop: resumable at any moment, in one process or several."""

from __future__ import annotations

import json
import math
import time
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from safetensors import safe_open
from torch import nn
from tqdm import tqdm

from core.replacement import replacement, write_whole
from core.schedule import flat_start, rate_multiplier, warmup_learning_rate
from core.storage import Count, NotNegative, typed
from model.families.base import config_of
from model.io.assembly import set_weights, stored_tensors
from model.io.formation import METRICS

from .corpora.text_pairs import CorpusError
from .dropout import use_pooled_dropout
from .files import sound
from .formation import FREQUENCIES, record_formation, record_frequencies, sentences_of
from .objectives.batching import Batch, TrainingExample, plan_batches
from .objectives.families import BatchLosses, hook_of, model_for
from .objectives.loss import guided_attention_loss, listen_to_guided_head
from .objectives.objective import Objective, objective_at
from .runs import Line
from .sets import assemble
from .settings import family_of
from .workers import Workers, pick_device

STATE = "state.safetensors"
# Names of Adam's moments in its state; its step count is restored from the progress.
MOMENTS = ("exp_avg", "exp_avg_sq")


@dataclass
class RunProgress:
    """Position of a run; saved with every state file."""

    step: Count = 0
    epoch: Count = 0
    batch: Count = 0
    best_val_loss: float = math.inf
    evaluations_without_gain: Count = 0
    seconds: NotNegative = 0.0
    history: dict[str, Any] = field(default_factory=dict)


def compile_losses(losses: nn.Module, settings: Mapping[str, Any], device: torch.device) -> None:
    """Compile the forward pass of `losses` by torch.compile, for batches of any shape.

    Raises CorpusError without a GPU, where compiling takes longer than it saves, and for a guided
    head: its hook is another one in each step, and the compiled pass would call the first again.
    """
    if device.type != "cuda":
        raise CorpusError("`compile` in the config needs a GPU, and there is none; set it to false")
    if settings.get("guided"):
        raise CorpusError("`compile` and `guided` in the config exclude each other; remove one")
    losses.compile(dynamic=True)


class Trainer:
    """One training run in a folder of its own (``runs/<name>``).

    The folder holds ``config.json``, ``tokenizer.json``, ``metrics.jsonl``, ``state.safetensors``
    (model, optimiser moments and progress in one file, replaced atomically) and
    ``weights-<step>.safetensors``, the latest of which are averaged at export.
    """

    def __init__(self, settings: dict[str, Any], data: Path, run: Path) -> None:
        self.settings = settings
        self.train_settings = settings["training"]
        self.run = run
        self.workers = Workers.join()
        self.device = pick_device()
        run.mkdir(parents=True, exist_ok=True)
        hook = hook_of(family_of(settings))
        self.sets = assemble(settings, hook, data, run, self.workers)
        self.model = self._new_model()
        self.config = config_of(self.model)
        bf16 = self.train_settings.get("bf16", True)
        self._losses = BatchLosses(self.model, self.sets.hook, bf16=bf16)
        if self.train_settings.get("compile", False):
            compile_losses(self._losses, self.train_settings, self.device)
        self._shared_losses = self.workers.share(self._losses)
        # Vaswani et al. 2017, section 5.3; the rate is set anew before every step.
        self.optimizer = torch.optim.Adam(
            self.model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9, fused=True
        )
        self.progress = RunProgress()
        self.metrics_path = run / METRICS
        if (run / STATE).exists():
            self._resume()
        if self.workers.leads:
            self._drop_metrics_beyond(self.progress.step)
            (run / "config.json").write_text(json.dumps(settings, indent=2) + "\n")

    def _new_model(self) -> nn.Module:
        """Return the model with the run's own dropout and its starting weights."""
        settings = self.train_settings
        torch.manual_seed(settings["seed"])
        model = model_for(self.settings, self.sets.tokenizer).to(self.device)
        if settings.get("start_from"):
            set_weights(model, safetensors.torch.load_file(settings["start_from"]))
        use_pooled_dropout(
            model,
            settings.get("dropout", 0.0),
            torch.bfloat16 if settings.get("bf16", True) else torch.float32,
            # Each process draws other masks, else a batch would be dropped in the same places.
            seed=settings["seed"] + self.workers.rank,
            device=self.device,
        )
        return model

    # -- resuming ---------------------------------------------------------------------------

    def _save_state(self) -> None:
        """Write model, moments, progress and the random states of all processes in one file."""
        random_states = self.workers.gather(torch.get_rng_state())
        if not self.workers.leads:
            return
        names = {id(p): n for n, p in self.model.named_parameters()}
        tensors = {f"model.{n}": t for n, t in self._weights().items()}
        for parameter, moments in self.optimizer.state.items():
            for key in MOMENTS:
                tensors[f"{key}.{names[id(parameter)]}"] = moments[key].cpu()
        tensors["rng"] = random_states
        save_whole(self.run / STATE, tensors, {"progress": json.dumps(vars(self.progress))})

    def _save_weights(self) -> None:
        """Write the weights of this step, and delete all but the last ones to average."""
        if not self.workers.leads:
            return
        # Zero-padded, so that file names sort by step.
        save_whole(self.run / f"weights-{self.progress.step:07d}.safetensors", self._weights())
        kept = self.train_settings["average"]
        for old in sorted(self.run.glob("weights-*.safetensors"))[:-kept]:
            old.unlink()

    def _weights(self) -> dict[str, torch.Tensor]:
        return {name: t.detach().cpu() for name, t in stored_tensors(self.model).items()}

    def _resume(self) -> None:
        """Load model, moments, progress and the random state of this process."""
        with safe_open(self.run / STATE, framework="pt") as state:
            progress = state.metadata()["progress"].encode()
            values = sound(progress, self.run / STATE, RunProgress, finite=False)
            self.progress = typed(values, RunProgress)
            names = stored_tensors(self.model)
            set_weights(self.model, {n: state.get_tensor(f"model.{n}") for n in names})
            keys = set(state.keys())
            for name, parameter in self.model.named_parameters():
                # A run saved before its first step has no moments yet.
                if f"{MOMENTS[0]}.{name}" in keys:
                    moments = {key: state.get_tensor(f"{key}.{name}") for key in MOMENTS}
                    self.optimizer.state[parameter] = {
                        "step": torch.tensor(float(self.progress.step), device=self.device),
                        **{key: moment.to(self.device) for key, moment in moments.items()},
                    }
            # A run of fewer processes, or an older one, has no state for each of them.
            random_states = torch.atleast_2d(state.get_tensor("rng"))
            mine = random_states[self.workers.rank % len(random_states)]
            # A copy, since torch crashes on a state that does not begin its storage.
            torch.set_rng_state(mine.clone())

    def _drop_metrics_beyond(self, step: int) -> None:
        """Drop lines written after the state was saved: their steps are run again."""
        if not self.metrics_path.exists():
            return
        lines = self.metrics_path.read_text().splitlines()
        kept = [line for line in lines if line and _step_of(line) <= step]
        write_whole(self.metrics_path, "".join(f"{line}\n" for line in kept))

    # -- steps ------------------------------------------------------------------------------

    def _batches(self) -> Iterator[Batch]:
        """Yield batches endlessly from the run's position; every process sees its own share."""
        settings = self.train_settings
        while True:
            examples = self.sets.examples(self.progress.epoch)
            plan = plan_batches(
                examples, settings["batch_tokens"], settings["seed"] + self.progress.epoch
            )
            # Every process needs the same number of batches, or the last ones would wait for ever.
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

    def _batch(self, examples: list[TrainingExample]) -> Batch:
        return self.sets.hook.batch(examples, self.config).to(self.device)

    def _step(self, batch: Batch) -> dict[str, float]:
        """Train on one batch and return the numbers to log."""
        settings = self.train_settings
        self.model.train()
        guide = settings.get("guided")
        with listen_to_guided_head(self.model, guide) as guided_weights:
            objective = objective_at(self.progress.step, settings)
            loss, nll, n_tokens = self._shared_losses(batch, objective)
        # float64, so that token counts and losses keep all their digits when processes are summed.
        totals = torch.tensor([float(nll), n_tokens], dtype=torch.float64, device=self.device)
        totals = self.workers.sum(totals)
        metrics = {}
        if guide and batch.links:
            guided_loss, mass = guided_attention_loss(guided_weights[0], guide["head"], batch.links)
            loss = loss + guide["weight"] * guided_loss
            metrics["guided_mass"] = mass
        # DistributedDataParallel averages gradients over processes; times their number this is the
        # sum.
        (loss * self.workers.world / totals[1].float()).backward()
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), settings["clip_norm"])
        self.progress.step += 1
        rate = learning_rate(self.progress.step, self.config.d_model, settings)
        # Adam has no schedule of its own: the rate is that of the step about to be taken.
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
        """Return negative log-likelihood per token on each validation set, and their mean."""
        self.model.eval()
        losses = {}
        for name, examples in self.sets.validation.items():
            totals = torch.zeros(2, dtype=torch.float64, device=self.device)
            plan = plan_batches(examples, self.train_settings["batch_tokens"], seed=0)
            for indices in plan[self.workers.rank :: self.workers.world]:
                batch = self._batch([examples[i] for i in indices])
                # The plain objective, without smoothing or weights, so that runs can be compared.
                # The wrapper for several processes is left out, since nothing is differentiated.
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

    def train(self, max_steps: int | None = None) -> RunProgress:
        """Train until `max_steps`, or until the validation loss stops falling."""
        settings = self.train_settings
        progress = self.progress
        last_step = max_steps or settings["max_steps"]
        recorded = set(settings.get("formation_steps", ()))
        bar = tqdm(
            total=last_step, initial=progress.step, unit="step", disable=not self.workers.leads
        )
        # Sums over the last steps; a resumed run starts with an empty window.
        window: deque[tuple[float, dict[str, float]]] = deque(maxlen=settings["log_every"])
        if progress.step == 0 and 0 in recorded:
            self._formation()
        last_time = time.monotonic()
        for batch in self._batches():
            if progress.step >= last_step or self._stalled:
                break
            metrics = self._step(batch)
            now = time.monotonic()
            progress.seconds += now - last_time
            window.append((now - last_time, metrics))
            bar.update()
            if progress.step % settings["log_every"] == 0:
                self._log(self._summary(window), bar)
            if progress.step in recorded:
                self._formation()
            if progress.step % settings["validate_every"] == 0 or progress.step == last_step:
                self._check(bar)
            elif progress.step % settings["save_every"] == 0:
                self._save_state()
            last_time = time.monotonic()  # checks and files do not count as training
        if self._stalled and self.workers.leads:
            bar.write(f"validation loss has not fallen for {settings['patience']} checks")
        # The end is always recorded, wherever patience or `max_steps` put it.
        if recorded and progress.step not in recorded:
            self._formation()
        bar.close()
        return progress

    @property
    def _stalled(self) -> bool:
        """True if the validation loss has not fallen for `patience` checks."""
        return self.progress.evaluations_without_gain >= self.train_settings["patience"]

    def _check(self, bar: tqdm) -> None:
        """Measure the validation loss, and save weights and state."""
        progress = self.progress
        losses = self.evaluate()
        self._log(losses, bar)
        self._save_weights()
        # Smaller gains are noise, and must not keep a finished run going.
        if losses["val_loss"] < progress.best_val_loss - 1e-4:
            progress.best_val_loss = losses["val_loss"]
            progress.evaluations_without_gain = 0
        else:
            progress.evaluations_without_gain += 1
        self._save_state()

    def _summary(self, window: deque[tuple[float, dict[str, Any]]]) -> dict[str, float]:
        """Return means over the steps since the last log line."""
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
        """Append a line to the log, and show it beside the progress bar."""
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

    def _formation(self) -> None:
        """Record attention on the run's sentences at this step."""
        if not self.workers.leads:
            return
        tokenizer = self.sets.tokenizer
        progress = self.progress
        # Frequencies need the training text, which only a run has at hand: counted once.
        if not (self.run / "formation" / FREQUENCIES).is_file():
            sources = [example.src for example in self.sets.examples(progress.epoch)]
            record_frequencies(sources, tokenizer.vocab_size, self.run)
        sentences = sentences_of(self.settings)
        record_formation(self.model, tokenizer, self.run, progress.step, sentences)


def learning_rate(step: int, d_model: int, settings: Mapping[str, Any]) -> float:
    """Return the learning rate that a training config asks for at `step`."""
    points = settings.get("rate_points", ())
    if settings.get("flat_start"):
        points = flat_start(settings["warmup"])
    rate = warmup_learning_rate(step, d_model, settings["warmup"], settings["factor"])
    return rate * rate_multiplier(step, points)


def _step_of(line: str) -> int:
    try:
        # `finite=False`: a diverged run logs NaN, and must still be resumable.
        return sound(line.encode(), METRICS, Line, finite=False)["step"]
    except CorpusError:
        return 2**62  # a line cut short by the kill: drop it


def save_whole(
    path: Path, tensors: dict[str, torch.Tensor], metadata: dict[str, str] | None = None
) -> None:
    """Write tensors whole or not at all."""
    with replacement(path) as part:
        safetensors.torch.save_file(tensors, part, metadata)

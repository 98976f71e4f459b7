"""Tasks with a known answer, and the smallest Transformers that learn them in seconds.

A target is its source copied, reversed or sorted letter by letter, so the source position that
answers each target position is known. Letters occur once in a word, so that the answer is unique.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from core.formation import Formation
from core.records.tokens import SPACE
from core.schedule import warmup_learning_rate

from .config import TransformerConfig
from .families.transformer import Transformer
from .hooks.capture import capture_attention
from .io.formation import formed_sentence, observe
from .special_tokens import SPECIAL_TOKENS

TASKS = ("copy", "reverse", "sort")
LETTERS = "αβγδεζηθικλμ"
TOKENS = (*SPECIAL_TOKENS, *(SPACE + letter for letter in LETTERS))
CONFIG = TransformerConfig(
    vocab_size=len(TOKENS),
    d_model=32,
    n_heads=2,
    n_encoder_layers=1,
    n_decoder_layers=1,
    d_ff=64,
    dropout=0.0,
    max_len=16,
)
LENGTHS = (4, 5, 6, 7, 8)
BATCH = 64
WARMUP = 100
FACTOR = 0.6
LAST_STEP = 800
RECORDED = (
    *(0, 10, 20, 30, 40, 50, 60, 80, 100, 120, 140, 160, 180, 200, 225, 250, 275, 300, 350, 400),
    *(450, 500, 600, 700, 800),
)
SHOWN_WORDS = 3
_FIRST = len(SPECIAL_TOKENS)  # id of the first letter
_SHOWN_LENGTH = 7
_HELD_OUT = 128
SITES = Transformer(CONFIG).sites


def answer(task: str, letters: Sequence[int]) -> tuple[int, ...]:
    """Return for each target position the source position whose letter stands there.

    >>> answer("reverse", (3, 1, 2)), answer("sort", (3, 1, 2))
    ((2, 1, 0), (1, 2, 0))
    """
    positions = range(len(letters))
    if task == "reverse":
        return tuple(reversed(positions))
    return tuple(sorted(positions, key=letters.__getitem__)) if task == "sort" else tuple(positions)


@dataclass(frozen=True)
class ToyState:
    """State of a training after one step."""

    step: int
    loss: float  # loss of the last step, nats a token; NaN before the first
    formation: Formation  # of a few held-out words
    # Over many held-out words at each recorded step: share of positions whose letter was likeliest,
    # (S,), and mean weight of each cross-attention head on the right letter, (S, L, H).
    accuracy: np.ndarray
    aligned: np.ndarray


def train_toy(task: str, seed: int = 0, last_step: int = LAST_STEP) -> Iterator[ToyState]:
    """Train from random weights, yielding the state before the first step and after every step.

    A caller that stops iterating ends the training. Raises ValueError if there is no such `task`.
    """
    if task not in TASKS:
        raise ValueError(f"task is {task!r}, expected one of {', '.join(TASKS)}")
    # Generators of this training: several may run in the threads of one process.
    drawn = np.random.default_rng((seed, TASKS.index(task)))
    model = Transformer(CONFIG)
    _reset(model, torch.Generator().manual_seed(seed))
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9)
    held_out = _batch(task, drawn, _HELD_OUT, _SHOWN_LENGTH)
    record = _Record(task, *(part[: SHOWN_WORDS + 1] for part in held_out))
    record.take(model, 0, held_out)
    yield record.state(0, float("nan"))
    for step in range(1, last_step + 1):
        loss = _step(model, optimizer, step, _batch(task, drawn, BATCH, int(drawn.choice(LENGTHS))))
        if step in RECORDED or step == last_step:
            record.take(model, step, held_out)
        yield record.state(step, loss)


def _reset(model: Transformer, generator: torch.Generator) -> None:
    """Draw weights as `Transformer.reset_parameters` does, from a generator of this training.

    The global generator belongs to all threads of the process. Every bias begins at 0.
    """
    for name, parameter in model.named_parameters():
        if name.startswith("embedding"):
            torch.nn.init.normal_(parameter, std=CONFIG.d_model**-0.5, generator=generator)
        elif parameter.dim() > 1:
            torch.nn.init.xavier_uniform_(parameter, generator=generator)
        elif name.endswith("bias"):
            torch.nn.init.zeros_(parameter)


def _batch(
    task: str, drawn: np.random.Generator, n: int, length: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Draw `n` words; return src and tgt (n, length + 1) and the answers (n, length).

    The ids end in ``</s>``.
    """
    # The order of random numbers is a permutation, so no letter occurs twice.
    letters = drawn.random((n, len(LETTERS))).argsort(axis=1)[:, :length]
    answers = np.array([answer(task, word) for word in letters.tolist()])
    ends = np.full((n, 1), CONFIG.eos_id)
    src = np.hstack([letters + _FIRST, ends])
    tgt = np.hstack([np.take_along_axis(letters, answers, axis=1) + _FIRST, ends])
    return torch.from_numpy(src), torch.from_numpy(tgt), torch.from_numpy(answers)


def _step(
    model: Transformer,
    optimizer: torch.optim.Optimizer,
    step: int,
    batch: tuple[Tensor, Tensor, Tensor],
) -> float:
    """Take one optimiser step and return the loss in nats a token."""
    src, tgt, _ = batch
    for group in optimizer.param_groups:
        group["lr"] = warmup_learning_rate(step, CONFIG.d_model, WARMUP, FACTOR)
    model.train()
    loss = F.cross_entropy(model(src, _read(tgt)).flatten(0, 1), tgt.flatten())
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return float(loss.detach())


def _read(tgt: Tensor) -> Tensor:
    """Return the decoder input that produces `tgt` (B, T)."""
    begin = torch.full((len(tgt), 1), CONFIG.bos_id)
    return torch.cat((begin, tgt[:, :-1]), dim=1)


class _Record:
    """Observations of the words to be shown, step by step."""

    def __init__(self, task: str, src: Tensor, tgt: Tensor, answers: Tensor) -> None:
        self._pairs = list(zip(src.tolist(), tgt.tolist(), answers.tolist(), strict=True))
        self._steps: list[int] = []
        self._observed: list[list[Any]] = [[] for _ in range(SHOWN_WORDS)]
        self._measured: list[tuple[float, np.ndarray]] = []

    def take(self, model: Transformer, step: int, held_out: tuple[Tensor, Tensor, Tensor]) -> None:
        """Observe the model at `step` and measure it on `held_out`."""
        model.eval()
        self._steps.append(step)
        for i, store in enumerate(self._observed):
            src, tgt, _ = self._pairs[i]
            # The next word serves as the other source of `word_gain`.
            store.append(observe(model, src, tgt, self._pairs[i + 1][0]))
        self._measured.append(_measured(model, held_out))
        accuracy, aligned = zip(*self._measured, strict=True)
        self._known = self._formation(), np.array(accuracy), np.array(aligned)

    def state(self, step: int, loss: float) -> ToyState:
        """Return everything recorded so far."""
        return ToyState(step, loss, *self._known)

    def _formation(self) -> Formation:
        """Build the formation of the shown words."""
        sentences = tuple(
            formed_sentence(
                _tokens(src),
                _tokens(tgt),
                observed,
                likeliest=tuple(_tokens(observation.likeliest) for observation in observed),
                # ``</s>`` answers to no letter.
                alignment=(*positions, -1),
            )
            for (src, tgt, positions), observed in zip(self._pairs, self._observed, strict=False)
        )
        return Formation(np.array(self._steps), SITES, sentences)


def _tokens(ids: Sequence[int]) -> tuple[str, ...]:
    """Return the tokens of `ids`."""
    return tuple(TOKENS[i] for i in ids)


@torch.no_grad()
def _measured(
    model: Transformer, held_out: tuple[Tensor, Tensor, Tensor]
) -> tuple[float, np.ndarray]:
    """Return the share of right letters, and each head's mean weight on the answer, (L, H)."""
    src, tgt, answers = held_out
    with capture_attention(model) as captured:
        likeliest = model(src, _read(tgt)).argmax(dim=-1)
    # Letters only: ``</s>`` is easy to get right.
    right = (likeliest == tgt)[:, :-1].double().mean()
    weights = captured.weights("cross")[:, :, :, :-1]  # (B, L, H, T, T_src)
    on_answer = np.take_along_axis(weights, answers.numpy()[:, None, None, :, None], axis=-1)
    return float(right), on_answer[..., 0].mean(axis=(0, 3))

"""Train captioners on generated scenes: their pairs, and the losses of their gaze."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.captions import caption_of
from core.records.scenes import picture, random_scene, read_scene, scene_numbers, scene_of_numbers
from model.tokenizer import TextTokenizer

from ..corpora.text_pairs import TextPair
from .batching import Batch, TrainingExample, make_batch
from .objective import Objective

DECAY = 0.9  # of the moving average of the baseline, per batch (Xu et al. 2015, section 4.1)


def scene_pairs(n: int, seed: int | str, language: str = "en") -> list[TextPair]:
    """Return `n` scenes with a caption each; the same seed gives the same pairs."""
    rng = random.Random(f"scenes {seed}")
    scenes = (random_scene(rng) for _ in range(n))
    return [TextPair(str(scene), caption_of(scene, rng, language).text) for scene in scenes]


def scene_sets(spec: dict[str, Any]) -> tuple[list[TextPair], list[TextPair]]:
    """Return training and held-out pairs for the "scenes" section of a config.

    ``pairs`` and ``held_out_pairs`` give their numbers, ``language`` that of the captions.
    """
    seed = spec["seed"]
    language = spec.get("language", "en")
    train = scene_pairs(spec["pairs"], seed, language)
    # A text as seed, which no number in a config can equal.
    return train, scene_pairs(spec["held_out_pairs"], f"{seed} val", language)


def encode_scenes(
    pairs: Sequence[TextPair], tokenizer: TextTokenizer, max_len: int
) -> list[TrainingExample]:
    """Return examples like `batching.encode_pairs`, a scene's numbers in place of source ids."""
    targets = tokenizer.encode_batch([pair.target for pair in pairs])
    return [
        TrainingExample(scene_numbers(read_scene(pair.source)), tgt)
        for pair, tgt in zip(pairs, targets, strict=True)
        if len(tgt) <= max_len
    ]


class Captioning:
    """Smoothed cross-entropy, the doubly stochastic penalty, and REINFORCE if gazes are drawn.

    Per caption, eq. 14 of Xu et al. 2015: -log p(y | a) + penalty * sum_i (1 - sum_t alpha_ti)^2.
    For hard attention, eq. 12: the gradient of log p(y | s, a) + reinforce (log p(y | s, a) - b)
    log p(s | a) + entropy H(s), where b is a moving average of log p. A gaze is rewarded only for
    the words from its step on, which it can still influence (`gaze_loss`).
    """

    encode = staticmethod(encode_scenes)

    def batch(self, examples: Sequence[TrainingExample], config: Any) -> Batch:
        batch = make_batch(examples, config.pad_id, config.bos_id)
        # Pictures are drawn here and not stored: a scene is a few numbers, a picture 112 x 112
        # pixels.
        pixels = np.stack([picture(scene_of_numbers(example.src)) for example in examples])
        return replace(batch, src=torch.from_numpy(pixels))

    def losses(
        self, model: nn.Module, batch: Batch, objective: Objective, *, bf16: bool
    ) -> tuple[Tensor, Tensor, int]:
        """Return loss, negative log-likelihood and number of words, as `TrainingHook.losses`."""
        with torch.autocast(batch.src.device.type, dtype=torch.bfloat16, enabled=bf16):
            outputs, weights, chosen, drawn = model.training_outputs(
                batch.src, batch.tgt_in, objective.drawn
            )
            logits = model.logits(outputs)
        written = batch.tgt_out != model.config.pad_id
        # Any valid id will do at padding: it is multiplied by zero below.
        targets = batch.tgt_out.masked_fill(~written, 0)
        # In float32: a log-softmax in bfloat16 has two to three digits.
        log_probs = logits.float().log_softmax(dim=-1)
        log_p = log_probs.gather(-1, targets[..., None])[..., 0] * written
        # Label smoothing spreads its share evenly over the vocabulary (Szegedy et al. 2016).
        flat = log_probs.mean(dim=-1) * written
        smoothing = objective.smoothing
        loss = -((1 - smoothing) * log_p + smoothing * flat).sum()
        loss = loss + model.config.penalty * coverage_penalty(weights, written).sum()
        if drawn is not None:
            loss = loss + gaze_loss(model, log_p, weights, chosen, drawn, written)
        return loss, -log_p.detach().sum(), int(written.sum())


def coverage_penalty(weights: Tensor, written: Tensor) -> Tensor:
    """Return sum_i (1 - sum_t alpha_ti)^2 of every caption, (B,).

    `weights`: (B, T, 196). `written`: bool (B, T), False at padding.
    """
    return (1 - (weights * written[..., None]).sum(dim=1)).square().sum(dim=-1)


def gaze_loss(
    model: nn.Module,
    log_p: Tensor,
    weights: Tensor,
    chosen: Tensor,
    drawn: Tensor,
    written: Tensor,
) -> Tensor:
    """Return the terms that eq. 12 adds for hard attention, summed over captions, to be minimised.

    A gaze changes no word before it, so it is rewarded with log p of the words from it on (Sutton
    and Barto 2018, section 13.3): the same expected gradient with less variance. The baseline is b
    for each of these words; each batch moves it by the mean log p of the words whose gaze was
    drawn, or of all words if none was.

    `log_p`: (B, T), of the words. `weights`, `chosen`: (B, T, 196), alpha and the cells taken of
    it. `drawn`: bool (B, 1), True for captions whose cells were drawn. `written`: bool (B, T),
    False at padding.
    """
    # Clamped away from 0, whose logarithm would make the gradient NaN.
    log_alpha = weights.clamp_min(1e-8).log()
    entropy = -(weights * log_alpha).sum(dim=-1) * written
    log_s = (chosen * log_alpha).sum(dim=-1) * written
    beyond = (log_p.detach() - model.baseline) * written
    # A cumulative sum from the end: at t the reward of words t, t + 1, ...
    advantage = beyond.flip(1).cumsum(1).flip(1) * drawn  # (B, T)
    # Validation must not move the baseline.
    if model.training:
        counted = written & drawn if drawn.any() else written
        model.baseline.mul_(DECAY).add_((1 - DECAY) * log_p.detach()[counted].mean())
    config = model.config
    return -(config.reinforce * advantage * log_s).sum() - config.entropy * entropy.sum()

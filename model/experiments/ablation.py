"""Ablation of every head in turn, all in one batch, and its effect on one translation."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from core.ablation import HeadAblation
from core.interventions.intervention import Intervention
from core.interventions.kinds import AblatedHead, Ablation
from core.records.attention import AttentionSite
from core.records.sources import TokenSequence
from words import Message

from ..errors import InputError
from ..hooks.interventions import intervening
from ..readers.experiment import experiment
from ..teacher_forcing import (
    likeliest_outputs,
    output_limits,
    read_ids,
    tensor_of,
    token_log_probs,
)
from .protocol import LoadedTranslator

RUNS_AT_ONCE = 128
"""Heads ablated side by side in one batch; bounds the memory."""


@experiment("teacher-forcing", "change-ablate", slow=True)
@torch.inference_mode()
def ablate_each_head(
    reader: LoadedTranslator,
    src: TokenSequence,
    tgt: TokenSequence,
    ablation: Ablation = "zero",
    *,
    position: int | None = None,
    choice_ids: Sequence[int] = (),
    progress: Callable[[float], None] | None = None,
) -> HeadAblation:
    """Read `tgt` and decode greedily without each head in turn.

    Follows the probabilities of `choice_ids` at the decoder row `position`. `progress` receives the
    fraction that is done. Raises InterventionError for "mean" without stored mean outputs.
    """
    began = time.perf_counter()
    _check(reader.model.config, src, tgt, position, choice_ids)
    heads = heads_of(reader.model.sites)
    # The plain run is part of the batch, so that a head without any effect changes exactly nothing.
    runs = [Intervention(), *(Intervention(AblatedHead(*at, ablation)) for at in heads)]
    log_probs, choice_probs, outputs = _run_all(
        reader, runs, src, tgt, position, choice_ids, progress or (lambda _: None)
    )
    # Most heads leave the output unchanged, so few outputs are decoded.
    spelled = {ids: reader.tokenizer.decode(ids) for ids in dict.fromkeys(outputs)}
    return HeadAblation(
        src=src,
        tgt=tgt,
        ablation=ablation,
        heads=heads,
        log_probs=log_probs[1:],
        plain_log_probs=log_probs[0],
        outputs=tuple(spelled[ids] for ids in outputs[1:]),
        plain_output=spelled[outputs[0]],
        position=position,
        choices=tuple(map(reader.tokenizer.token_of, choice_ids)),
        choice_probs=choice_probs[1:],
        plain_choice_probs=choice_probs[0],
        seconds=time.perf_counter() - began,
    )


def _run_all(
    reader: LoadedTranslator,
    runs: Sequence[Intervention],
    src: TokenSequence,
    tgt: TokenSequence,
    position: int | None,
    choice_ids: Sequence[int],
    progress: Callable[[float], None],
) -> tuple[np.ndarray, np.ndarray, list[tuple[int, ...]]]:
    """Read `tgt` and decode greedily in each of N runs.

    Returns the log-probabilities of `tgt` (N, T_tgt), the probabilities of the choices (N, C), and
    the ids of the N outputs.
    """
    model = reader.model
    max_len = output_limits(model.config.max_len, len(src))[1]
    src_ids = tensor_of(model, src.ids)
    read = tensor_of(model, read_ids(model.config, tgt.ids))
    choices = torch.tensor(list(choice_ids), dtype=torch.long, device=read.device)
    log_probs = []
    choice_probs = []
    outputs: list[tuple[int, ...]] = []
    # One run serves reading and decoding, so it must reach the longer of both.
    n_tgt = max(len(tgt), max_len)
    for start in range(0, len(runs), RUNS_AT_ONCE):
        chunk = runs[start : start + RUNS_AT_ONCE]
        with intervening(model, chunk, n_src=len(src), n_tgt=n_tgt, means=reader.means) as changed:
            # One run at a time: logits of all would need B T_tgt V numbers.
            for hidden in changed.hidden(src_ids, read):
                logits = model.logits(hidden)
                log_probs.append(token_log_probs(logits, tgt.ids))
                # Without a position there is no choice either, so any row does.
                choice_probs.append(logits[position or 0].log_softmax(dim=-1)[choices].exp())
            # Reading takes about 40 % of the time of a chunk, decoding the rest.
            progress((start + 0.4 * len(chunk)) / len(runs))
            outputs += likeliest_outputs(changed, src_ids, [max_len] * len(chunk))
        progress((start + len(chunk)) / len(runs))
    return torch.stack(log_probs).cpu().numpy(), torch.stack(choice_probs).cpu().numpy(), outputs


def heads_of(sites: Sequence[AttentionSite]) -> tuple[tuple[str, int, int], ...]:
    """Return (site, layer, head) of every head, site by site."""
    return tuple(
        (site.name, layer, head)
        for site in sites
        for layer in range(site.n_layers)
        for head in range(site.n_heads)
    )


def check_pair(config: Any, src: TokenSequence, tgt: TokenSequence) -> list[Message]:
    """Return the reasons for which the model cannot read this pair, one clause each."""
    faults = []
    for text, pieces in (("sentence", src), ("translation", tgt)):
        if not 1 <= len(pieces) <= config.max_len:
            faults.append(
                Message.of("model-pair-length", text=text, n=len(pieces), most=config.max_len)
            )
        faults += unknown_ids(config, text, pieces.ids)
    return faults


def unknown_ids(config: Any, what: str, ids: Sequence[int]) -> list[Message]:
    """Return a clause for each id outside the vocabulary; `what` as in ``model-pair-id``."""
    entry = "source_vocab_size" if what == "sentence" else "vocab_size"
    size = getattr(config, entry, config.vocab_size)
    return [
        Message.of("model-pair-id", what=what, id=token_id, most=size - 1)
        for token_id in dict.fromkeys(ids)
        if not 0 <= token_id < size
    ]


def _check(
    config: Any,
    src: TokenSequence,
    tgt: TokenSequence,
    position: int | None,
    choice_ids: Sequence[int],
) -> None:
    """Raise InputError that lists all faults of the arguments of `ablate_each_head`."""
    faults = check_pair(config, src, tgt) + unknown_ids(config, "choice", choice_ids)
    if choice_ids and position is None:
        faults.append(Message("model-knockout-choices"))
    if position is not None and not 0 <= position < len(tgt):
        faults.append(Message.of("model-knockout-position", position=position + 1, n=len(tgt)))
    if faults:
        raise InputError(
            Message.of("model-knockout-unfit", faults=tuple(faults)),
            hint=Message("model-choose-token"),
        )

"""One step of a decoder in numbers: what the equations of its paper come to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence

from core.search import Candidate
from core.steps import SourceStates, StepValues
from core.tokens import TokenSequence

from ..capture import capture_attention
from ..read import MOST_LOGITS, in_batches, read_ids, tensor_of, token_log_probs
from ..values import capture_values, value_probes_of

NEEDS = ("teacher-forcing", "values")
ANNOTATIONS, CENTRE, GAUSSIAN = "annotations", "centre", "gaussian"
MOST_CANDIDATES = 8


@torch.inference_mode()
def step_values(
    model: Any,
    src: TokenSequence,
    tgt: TokenSequence,
    position: int,
    token_of: Callable[[int], str],
) -> StepValues:
    """Everything that the step writing ``tgt.tokens[position]`` works out, the pair read as its ids
    stand; ValueError where the target has no such position."""
    if not 0 <= position < len(tgt):
        raise ValueError(f"position is {position}, expected 0 to {len(tgt) - 1}")
    read = read_ids(model.config, tgt.ids[: position + 1])
    with capture_values(model) as heard, capture_attention(model, scores=True) as seen:
        logits = model(tensor_of(model, src.ids), tensor_of(model, read))[0, -1]
    of_pass = {probe.name for probe in value_probes_of(model) if probe.one_call == "pass"}
    values = {
        name: value if name in of_pass else value[-1] for name, value in heard.arrays().items()
    }
    return StepValues(
        src,
        tgt,
        position,
        read=token_of(read[-1]),
        equations=tuple(model.equations),
        values=values,
        logits=logits.float().cpu().numpy(),
        candidates=_candidates(logits, tgt.ids[position], token_of),
        terms=_terms(model, values),
        **(_attention(model, seen, values) if model.sites else {}),
    )


def _attention(model: Any, captured: Any, values: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    (site,) = model.sites
    scores, weights = (
        found(site.name)[0, -1, 0, -1] for found in (captured.scores, captured.weights)
    )
    seen = np.ones(len(scores), dtype=bool)
    if site.window is not None:
        seen = np.abs(np.arange(len(scores)) - values[CENTRE]) <= site.window
    gaussian = {GAUSSIAN: values[GAUSSIAN]} if GAUSSIAN in values else {}
    return {"scores": scores, "weights": weights, "seen": seen, **gaussian}


def _terms(model: Any, values: dict[str, np.ndarray]) -> np.ndarray | None:
    """What each score is the sum of, where the model can say it."""
    score_terms = getattr(model, "score_terms", None)
    if score_terms is None:
        return None
    device = next(model.parameters()).device
    given = {name: torch.tensor(value, device=device) for name, value in values.items()}
    return score_terms(given).float().cpu().numpy()


def _candidates(
    logits: torch.Tensor, produced: int, token_of: Callable[[int], str]
) -> tuple[Candidate, ...]:
    log_probs = logits.log_softmax(dim=-1)
    ids = log_probs.topk(min(MOST_CANDIDATES, len(log_probs))).indices.tolist()
    if produced not in ids:
        ids.append(produced)
    ranks = [int((log_probs > log_probs[i]).sum()) for i in ids]
    return tuple(
        Candidate(i, token_of(i), float(log_probs[i]), rank)
        for i, rank in zip(ids, ranks, strict=True)
    )


@torch.inference_mode()
def source_states(model: Any, src: TokenSequence) -> SourceStates:
    """What the encoder holds at each token of `src`."""
    with capture_values(model) as heard:
        model.start(tensor_of(model, src.ids))
    probe = next(probe for probe in value_probes_of(model) if probe.name == ANNOTATIONS)
    states = heard.arrays()[ANNOTATIONS]
    width = states.shape[1] // len(probe.parts)
    return SourceStates(src, states, tuple((part, width) for part in probe.parts))


@torch.inference_mode()
def window_centres(model: Any, src_ids: Sequence[int], tgt_ids: Sequence[int]) -> np.ndarray:
    """p_t of every step, counted from 0: float32 (T_tgt,); ValueError where the model has no window
    that moves."""
    with capture_values(model) as heard:
        model(tensor_of(model, src_ids), tensor_of(model, read_ids(model.config, tgt_ids)))
    found = heard.arrays()
    if CENTRE not in found:
        raise ValueError("the model has no window with a centre")
    return found[CENTRE][:, 0]


@torch.inference_mode()
def score_each(
    model: Any, sources: Sequence[TokenSequence], tgt_ids: Sequence[int], n_vocabulary: int
) -> np.ndarray:
    """Natural log-probabilities of one target, or the beginning of one, after each of several
    sources, among `n_vocabulary` tokens: float32 (n sources, T_tgt)."""
    device = next(model.parameters()).device
    read = tensor_of(model, read_ids(model.config, tgt_ids))
    rows = []
    for items in in_batches(len(sources), len(tgt_ids) * n_vocabulary, MOST_LOGITS):
        batch = [torch.tensor(sources[item].ids) for item in items]
        src = pad_sequence(batch, batch_first=True, padding_value=model.config.pad_id).to(device)
        rows.append(token_log_probs(model(src, read.expand(len(batch), -1)), tgt_ids))
    return torch.cat(rows).float().cpu().numpy()

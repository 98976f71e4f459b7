"""Inside a block: additions of every sub-layer, the states between them, gradients."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from core.interventions.intervention import Intervention
from core.interventions.kinds import NoNorm, NoResidual
from core.records.sources import TokenSequence
from core.records.sublayers import Gradients, Lens, Stream

from ..hooks.capture import ForwardHook, listening, stacked
from ..hooks.interventions import intervening
from ..nets.copies import in_double, untrained
from ..nets.sublayers import SSRU, Residual, bias_of, residuals_of
from ..readers.experiment import experiment
from ..teacher_forcing import read_ids, tensor_of, token_log_probs
from .protocol import LoadedTranslator, StackedModel

RUNS = (
    Intervention(),
    Intervention(NoResidual()),
    Intervention(NoNorm()),
    Intervention(NoResidual(), NoNorm()),
)
"""Runs of `Gradients.RUNS`, in the same order."""
MOST_TURNED = 0.1
"""Largest turn of a gradient, as a share of its length, when the states' last bits are shaken."""
_MOST_LOGITS = 2**22  # most elements of one batch of the output layer


@experiment("teacher-forcing", "block")
@torch.inference_mode()
def streams_of(
    reader: LoadedTranslator,
    src: TokenSequence,
    tgt: TokenSequence,
    intervention: Intervention | None = None,
) -> tuple[Stream, ...]:
    """Return the residual streams while a pair is read: the encoder's, then the decoder's."""
    model = reader.model
    states: dict[Residual, dict[str, Tensor]] = {residual: {} for residual in residuals_of(model)}

    # Registered before the change, these hooks see the input before it is removed.
    def before(module: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        states[module]["before"] = inputs[0][0]

    def after(module: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        states[module] |= {"added": inputs[1][0], "after": output[0]}

    with (
        listening(dict.fromkeys(states, after), dict.fromkeys(states, before)),
        reader.running(intervention, len(src), len(tgt)) as running,
    ):
        running(*_inputs(model, src, tgt))
        left_out = getattr(running, "leaves_out", lambda residual: (False, False))
        flags = {residual: left_out(residual) for residual in states}
    by_stack: dict[str, list[Residual]] = {}
    for residual in states:
        by_stack.setdefault(residual.sublayer.stack, []).append(residual)
    return tuple(_stream(residuals, states, flags) for residuals in by_stack.values())


def _inputs(model: StackedModel, src: TokenSequence, tgt: TokenSequence) -> tuple[Tensor, Tensor]:
    """Return the source and the decoder input of a pair."""
    return tensor_of(model, src.ids), tensor_of(model, read_ids(model.config, tgt.ids))


def _stream(
    residuals: Sequence[Residual],
    states: dict[Residual, dict[str, Tensor]],
    flags: dict[Residual, tuple[bool, bool]],
) -> Stream:
    """Build the record of one stack."""
    norms = [residual.norm for residual in residuals]

    def of_sublayers(name: str) -> np.ndarray:
        return stacked(states[residual][name] for residual in residuals)

    return Stream(
        places=tuple(residual.sublayer for residual in residuals),
        before=of_sublayers("before"),
        added=of_sublayers("added"),
        after=of_sublayers("after"),
        gains=stacked(norm.weight for norm in norms),
        biases=stacked(bias_of(norm) for norm in norms),
        eps=norms[0].eps,
        pre_norm=residuals[0].pre_norm,
        has_residual=np.array([not flags[residual][0] for residual in residuals]),
        has_norm=np.array([not flags[residual][1] for residual in residuals]),
        rms=isinstance(norms[0], nn.RMSNorm),
    )


@experiment("teacher-forcing", "block")
@torch.inference_mode()
def gates_of(
    reader: LoadedTranslator, src: TokenSequence, tgt: TokenSequence
) -> tuple[np.ndarray, ...]:
    """Return the forget gates of each decoder recurrence while a pair is read, (T_tgt, d_model).

    0 keeps nothing, 1 everything. Empty for a decoder with self-attention.
    """
    model = reader.model
    gates = []
    recurrences = [part for part in model.modules() if isinstance(part, SSRU)]

    def keep(_: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        # The hook sees the projection; the sigmoid is applied after it.
        gates.append(output[0].sigmoid().float().cpu().numpy())

    with listening({recurrence.forget_proj: keep for recurrence in recurrences}):
        model(*_inputs(model, src, tgt))
    return tuple(gates)


@experiment("teacher-forcing", "block")
@torch.inference_mode()
def lens_of(
    reader: LoadedTranslator, stream: Stream, wanted_ids: Sequence[int], *, k: int = 5
) -> Lens:
    """Project every state of a stack through the output layer ("logit lens", nostalgebraist 2020).

    Returns the `k` likeliest tokens of each position, and probability and rank of the wanted one.
    If the norms come before the sub-layers, states have no norm of their own and get the final norm
    of the stack.
    """
    model = reader.model
    token_of = reader.tokenizer.token_of
    states = stream.states
    n_states, n_tokens, _ = states.shape
    rows = torch.from_numpy(states).to(model.embedding.weight.device).flatten(0, 1)
    final = getattr(model, f"{stream.places[0].stack}_norm", None)
    wanted = torch.tensor(list(wanted_ids), device=rows.device).repeat(n_states)
    k = min(k, model.config.vocab_size)
    batches: list[tuple[Tensor, ...]] = []
    size = max(1, _MOST_LOGITS // model.config.vocab_size)
    for part, ids in zip(rows.split(size), wanted.split(size), strict=True):
        logits = model.logits(part if final is None else final(part))
        batches.append(_ranked(logits, ids, k))
    ids, probs, wanted_probs, ranks = (
        torch.cat(parts).cpu().numpy() for parts in zip(*batches, strict=True)
    )
    tokens = [tuple(token_of(int(i)) for i in row) for row in ids]
    return Lens(
        places=stream.places,
        tokens=tuple(
            tuple(tokens[state * n_tokens : (state + 1) * n_tokens]) for state in range(n_states)
        ),
        probs=probs.reshape(n_states, n_tokens, k).astype(np.float32),
        wanted_probs=wanted_probs.reshape(n_states, n_tokens).astype(np.float32),
        wanted_ranks=ranks.reshape(n_states, n_tokens),
    )


def _ranked(logits: Tensor, wanted: Tensor, k: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return ids and probabilities (n, k) of the likeliest tokens of logits (n, V).

    Then the probability and the rank (n,) of the ids `wanted` (n,), the likeliest being 1.
    """
    of_wanted = logits.gather(-1, wanted[:, None])
    # Only k + 1 probabilities a row are needed, so the softmax over the vocabulary is not built.
    normaliser = logits.logsumexp(-1, keepdim=True)
    best = logits.topk(k)
    return (
        best.indices,
        (best.values - normaliser).exp(),
        (of_wanted - normaliser).exp()[:, 0],
        1 + (logits > of_wanted).sum(-1),
    )


@experiment("teacher-forcing", "block")
def gradients_of(
    reader: LoadedTranslator, src: TokenSequence, tgt: TokenSequence, *, seed: int | None = None
) -> Gradients:
    """Return gradients of a pair's loss at the output of every sub-layer, in the four `RUNS`.

    `seed` takes random weights instead of the trained ones, as before training.

    Computed in float64 on a copy of the model: without residual connections the positions become
    alike, and their differences drown in the rounding of float32. The trust in float64 itself is
    measured: every run is repeated with the last bit of every state shaken, and a gradient that
    turns by more than `MOST_TURNED` of its length is NaN.
    """
    model = _in_double(reader, seed)
    runs = RUNS * 2
    n_runs = len(RUNS)
    outputs: dict[Residual, Tensor] = {}
    generator = torch.Generator().manual_seed(0)

    def follow(module: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> Tensor:
        outputs[module] = output
        return _shaken(output, n_runs, generator)

    residuals = residuals_of(model)
    hooks: dict[nn.Module, ForwardHook] = dict.fromkeys(residuals, follow)
    # Gradients begin at the embeddings, since parameters need none.
    hooks |= dict.fromkeys(map(model.embedding_of, ("source", "target")), _begin_gradients)
    with (
        torch.enable_grad(),
        listening(hooks),
        intervening(model, runs, n_src=len(src), n_tgt=len(tgt)) as running,
    ):
        losses = -token_log_probs(running(*_inputs(model, src, tgt)), tgt.ids).mean(-1)
        slopes = torch.autograd.grad(losses.sum(), list(outputs.values()))
    return Gradients(
        places=tuple(residual.sublayer for residual in outputs),
        sizes=np.stack([_lengths(slope[:n_runs], slope[n_runs:]) for slope in slopes], axis=1),
        alike=stacked(_alike(output.detach()[:n_runs]) for output in outputs.values()).T,
        losses=losses.detach().float().numpy()[:n_runs],
        pre_norm=residuals[0].pre_norm,
    )


def _in_double(reader: LoadedTranslator, seed: int | None) -> StackedModel:
    """Return a float64 copy of the model or, with a `seed`, of an untrained one of its sizes."""
    model = reader.model
    if seed is not None:
        model = untrained(lambda: reader.family.build(reader.model.config), seed)
    return in_double(model)


def _begin_gradients(module: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> Tensor:
    return output.detach().requires_grad_()


def _shaken(states: Tensor, n_still: int, generator: torch.Generator) -> Tensor:
    """Move the last bit of states (B, T, d_model) at random, but in the first `n_still` items."""
    # One unit in the last place, up or down or not at all.
    bits = torch.randint(-1, 2, states[n_still:].shape, generator=generator)
    factors = torch.ones_like(states)
    factors[n_still:] += bits * torch.finfo(states.dtype).eps
    # The first items are multiplied by exactly 1 and stay as they are.
    return states * factors


def _lengths(slopes: Tensor, again: Tensor) -> np.ndarray:
    """Return mean lengths (B,) of slopes (B, T, d_model); NaN where `again` is another vector."""
    sizes, turned = (vectors.norm(dim=-1).mean(-1) for vectors in (slopes, slopes - again))
    return np.asarray(sizes.masked_fill(turned > MOST_TURNED * sizes, torch.nan))


def _alike(states: Tensor) -> Tensor:
    """Return the mean cosine of two positions, (B, T, d_model) -> (B,); NaN for one position."""
    n = states.shape[1]
    unit = nn.functional.normalize(states, dim=-1)
    # The squared length of the sum is the sum of all cosines, so T^2 pairs need not be built.
    total = unit.sum(1).square().sum(-1)
    return (total - unit.square().sum((1, 2))) / (n * (n - 1)) if n > 1 else total * torch.nan

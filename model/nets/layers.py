"""Layers from n vectors to n vectors, to be timed (Vaswani et al. 2017, table 1)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.cost import LAYERS, SCORES, LayerCost
from core.records.attention import ENCODER

from .additive import additive_scores
from .attention import attention_scores
from .multi_head import MultiHeadAttention

WIDTH = 3
WINDOW = 32
"""Kernel width k of the convolutions, and window r of restricted attention."""
DILATION = WIDTH  # of the second layer in a stack of dilated convolutions
D_HEAD = 64  # as in the base model of the paper
MOST_NUMBERS = 2**26
"""Most elements of a layer's largest tensor; larger layers are not measured."""
MOST_CALLS = 200
MOST_SHORT = 0.02  # seconds that a measurement gets at least
LENGTHS = tuple(2**power for power in range(3, 12))
WIDTHS = (64, 128, 256, 512)

Stop = Callable[[], bool]


class SelfAttention(nn.Module):
    """Multi-head self-attention over one sentence, with heads of `D_HEAD`."""

    def __init__(self, d: int) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(d, max(1, d // D_HEAD), site=ENCODER, layer=0)

    def forward(self, x: Tensor) -> Tensor:
        return self.attention(x, x, x)


class RestrictedAttention(nn.Module):
    """Self-attention in which each position attends only to the `window` around it.

    Keys and values are strided views of one memory, so n r scores are computed instead of n^2.
    """

    def __init__(self, d: int, window: int = WINDOW) -> None:
        super().__init__()
        self.window = window
        self.attention = MultiHeadAttention(d, max(1, d // D_HEAD), site=ENCODER, layer=0)

    def forward(self, x: Tensor) -> Tensor:
        attention = self.attention
        n = x.shape[1]
        q = attention.split_heads(attention.query_proj(x))  # (B, H, n, d_k)
        keys, values = (self._windows(memory) for memory in attention.project_memory(x, x))
        at = torch.arange(n, device=x.device)[:, None] + torch.arange(self.window, device=x.device)
        at = at - (self.window - 1) // 2
        scores = attention_scores(q[..., None, :], keys)[..., 0, :]  # (B, H, n, r)
        # The zeros beyond the ends are no tokens.
        weights = scores.masked_fill((at < 0) | (at >= n), -math.inf).softmax(dim=-1)
        return attention.merge_heads((weights[..., None, :] @ values)[..., 0, :])

    def _windows(self, x: Tensor) -> Tensor:
        """Return windows (B, H, n, r, d_k) of `x` (B, H, n, d_k), zeros beyond the ends."""
        before = (self.window - 1) // 2
        padded = F.pad(x, (0, 0, before, self.window - 1 - before))
        # `unfold` returns a view: nothing is copied r times.
        return padded.unfold(2, self.window, 1).transpose(-2, -1)


class Recurrent(nn.Module):
    """GRU or LSTM of torch, without its last state."""

    def __init__(self, cell: type[nn.GRU] | type[nn.LSTM], d: int) -> None:
        super().__init__()
        self.cell = cell(d, d, batch_first=True)

    def forward(self, x: Tensor) -> Tensor:
        return self.cell(x)[0]


class Convolution(nn.Module):
    """Convolution over positions whose output is as long as its input."""

    def __init__(self, d: int, dilation: int = 1) -> None:
        super().__init__()
        padding = dilation * (WIDTH - 1) // 2
        self.convolution = nn.Conv1d(d, d, WIDTH, padding=padding, dilation=dilation)

    def forward(self, x: Tensor) -> Tensor:
        return self.convolution(x.transpose(1, 2)).transpose(1, 2)


class Scores(nn.Module):
    """Weights of all pairs (B, n, n), by dot products or additive scores (Bahdanau et al. 2015)."""

    def __init__(self, score: str, d: int) -> None:
        super().__init__()
        self.additive = score == "additive"
        if self.additive:
            self.w_query, self.w_key = (
                nn.Parameter(nn.init.xavier_uniform_(torch.empty(d, d))) for _ in range(2)
            )
            self.v = nn.Parameter(torch.randn(d) / math.sqrt(d))

    def forward(self, x: Tensor) -> Tensor:
        if self.additive:
            return additive_scores(x, x, self.w_query, self.w_key, self.v).softmax(dim=-1)
        return attention_scores(x, x).softmax(dim=-1)


def build_layer(name: str, d: int) -> nn.Module:
    """Build a layer of `LAYERS` or `SCORES` with random weights, for inputs (B, n, d)."""
    makers: dict[str, Callable[[], nn.Module]] = {
        "attention": lambda: SelfAttention(d),
        "gru": lambda: Recurrent(nn.GRU, d),
        "lstm": lambda: Recurrent(nn.LSTM, d),
        "convolution": lambda: Convolution(d),
        "dilated": lambda: Convolution(d, DILATION),
        "restricted": lambda: RestrictedAttention(d),
        "dot": lambda: Scores(name, d),
        "additive": lambda: Scores(name, d),
    }
    return makers[name]()


def fits(name: str, n: int, d: int) -> bool:
    """Return True if the layer may be measured: the pairs of additive scores must fit in memory."""
    return name != "additive" or n * n * d <= MOST_NUMBERS


def kept_bytes(layer: nn.Module, x: Tensor) -> int:
    """Return the bytes that a forward pass keeps for the backward pass, without parameters.

    The input `x` counts. Each stretch of memory counts once, at the size of its storage. A
    convolution keeps nothing but its input, from which the gradient of its weights is computed.
    """
    # Views share a storage, so addresses of storages are compared, not tensors.
    of_parameters = {p.untyped_storage().data_ptr() for p in layer.parameters()}
    kept: dict[int, int] = {}

    def pack(tensor: Tensor) -> Tensor:
        memory = tensor.untyped_storage()
        if memory.data_ptr() not in of_parameters:
            kept[memory.data_ptr()] = memory.nbytes()
        return tensor

    with torch.enable_grad(), torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        output = layer(x)
    # The graph, and with it the saved tensors, lives as long as the output.
    del output
    return sum(kept.values())


def clock() -> float:
    """Return seconds: CPU time of this thread if torch uses one thread, else wall-clock time.

    CPU time is free of whatever else the machine does.
    """
    return time.thread_time() if torch.get_num_threads() == 1 else time.perf_counter()


def measured_layers(
    lengths: Sequence[int] = LENGTHS,
    widths: Sequence[int] = WIDTHS,
    names: Sequence[str] = (*LAYERS, *SCORES),
    *,
    seconds: float = 240.0,
    stop: Stop = lambda: False,
) -> Iterator[LayerCost]:
    """Time every layer at every length and width, in seconds of `clock`.

    Parameters
    ----------
    lengths, widths : sequences of int
    names : sequence of str
        Layers of `LAYERS` and `SCORES`.
    seconds : float
        Budget of all measurements. Each gets a share of what is left, and at least one timed
        pass; when nothing is left the rest is skipped.
    stop : callable
        Polled before every measurement; True ends them.

    Yields
    ------
    LayerCost
    """
    cases = [(name, n, d) for n in lengths for d in widths for name in names if fits(name, n, d)]
    end = clock() + seconds
    for left, (name, n, d) in zip(range(len(cases), 0, -1), cases, strict=True):
        remaining = end - clock()
        if stop() or remaining <= 0:
            return
        yield measured_layer(name, n, d, seconds=max(MOST_SHORT, min(0.5, remaining / left)))


def measured_layer(name: str, n: int, d: int, *, seconds: float) -> LayerCost:
    """Time one layer for about `seconds`, 40 % of it for forward passes alone."""
    # The global generator belongs to all threads; its state is restored.
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        layer = build_layer(name, d)
        x = torch.randn(1, n, d)

    def forward() -> None:
        with torch.no_grad():
            layer(x)

    def both() -> None:
        inputs = x.detach().requires_grad_()
        with torch.enable_grad():
            output = layer(inputs)
            # The parameters are listed: `grad` computes only what is asked for, and training needs
            # both.
            torch.autograd.grad(output.sum(), [inputs, *layer.parameters()])

    kept = kept_bytes(layer, x.clone().requires_grad_())
    forward_time = _median(forward, 0.4 * seconds)
    both_time = _median(both, 0.6 * seconds)
    return LayerCost(name, n, d, forward_time, both_time, kept)


def _median(work: Callable[[], None], seconds: float) -> float:
    """Return the median seconds of one call of `work`.

    The first call counts only if it used up the time; it includes set-up work of torch.
    """
    began = clock()
    work()
    first = clock() - began
    if first > seconds:
        return first
    times: list[float] = []
    # At least one timed call, even if the first one took long.
    while len(times) < MOST_CALLS and (not times or clock() - began < seconds):
        start = clock()
        work()
        times.append(clock() - start)
    return median(times)

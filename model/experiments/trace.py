"""Which links carry a decision: every single one knocked out alone, exactly and in batches."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.changes import AblatedHead
from core.intervention import Intervention
from core.knockout import Decision
from core.tokens import TokenSequence
from core.trace import Trace
from words import Message

from ..attention import MultiHeadAttention, attention_scores, attention_weights, causal_mask
from ..block import FeedForward, Residual
from ..capture import capture_attention
from ..errors import InputError
from ..intervene import intervening
from ..read import read_ids, tensor_of
from ..transformer import DecoderLayer, EncoderLayer, Transformer
from ..writer import Writer
from . import experiment
from .knockout import check_pair, heads_of, unknown_ids

# How far rounding may move a hidden unit, relative to the vectors behind it; float32 keeps 1e-7.
ROUNDING = 1e-5


@experiment("trace", slow=True)
@torch.inference_mode()
def trace_decision(
    reader: Writer,
    src: TokenSequence,
    tgt: TokenSequence,
    decision: Decision,
    *,
    chunk_rows: int = 8192,
    progress: Callable[[float], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Trace:
    """Mask every link alone, before the softmax, and follow the log-odds of `decision`.

    What a run of the whole model would give for each link, up to float32 rounding, from much less
    work, as tests hold. A masked link changes one row of one layer, so all before it is worked out
    once. In the layer after it the keys, values and queries of one row are new. Decoder rows after
    the decision cannot matter, and of the last decoder layer only its own row does. Of a
    feed-forward layer with ReLU most hidden units are off; those that the change is too small to
    turn on (by Cauchy-Schwarz) are left out.

    `chunk_rows`, positions of all links of a batch together, bounds the memory. After every batch
    `progress` is told the fraction done and `stop` is asked; True ends the trace with what there
    is. InputError where `src`, `tgt` or `decision` does not fit the model."""
    began, model = time.perf_counter(), reader.model
    _check(model, src, tgt, decision)
    src_ids = tensor_of(model, src.ids)
    read = tensor_of(model, read_ids(model.config, tgt.ids))
    row = decision.position
    with capture_attention(model) as captured:
        logits = model(src_ids, read)[0, row]
    weights = {site.name: captured.weights(site.name)[0] for site in model.sites}
    pair = [decision.token_id, decision.rival_id]
    log_odds = float(logits[pair[0]] - logits[pair[1]])

    heads = _head_changes(model, src_ids, read[:, : row + 1], pair, chunk_rows)
    plain = _Plain(model, src_ids, read[:, : row + 1], pair)
    changes, n_links = _no_changes(weights)
    batches = list(_batches(plain, chunk_rows))
    whole, done, n_run = sum(batch.cost for batch in batches), 0.0, 0
    for number, (batch, changed) in enumerate(_in_order(plain.without, batches)):
        if stop is not None and stop():
            for left in batches[number:]:
                changes[left.site][left.layer, left.heads, left.query, left.keys] = np.nan
            break
        changes[batch.site][batch.layer, batch.heads, batch.query, batch.keys] = changed.cpu()
        n_run += len(batch.keys)
        done += batch.cost
        if progress is not None:
            progress(min(1.0, done / whole))
    return Trace(
        src=src,
        tgt=tgt,
        decision=decision,
        log_odds=log_odds,
        changes=changes,
        head_changes=heads,
        weights=weights,
        n_links=n_links,
        n_run=n_run,
        seconds=time.perf_counter() - began,
    )


def _in_order(
    work: Callable[[_Batch], Tensor], batches: Sequence[_Batch]
) -> Iterator[tuple[_Batch, Tensor]]:
    """Each batch with what `work` makes of it, in their order, on as many threads as there are
    cores for."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    pool = ThreadPoolExecutor(max(1, (cores or 1) // torch.get_num_threads()))
    try:
        yield from zip(batches, pool.map(work, batches), strict=True)
    finally:
        pool.shutdown(cancel_futures=True)


def _check(model: Transformer, src: TokenSequence, tgt: TokenSequence, decision: Decision) -> None:
    faults = check_pair(model.config, src, tgt)
    if not 0 <= decision.position < len(tgt):
        position = decision.position + 1
        faults.append(Message.of("model-trace-position", position=position, n=len(tgt)))
    faults += unknown_ids(model.config, "token", [decision.token_id])
    faults += unknown_ids(model.config, "rival", [decision.rival_id])
    if faults:
        raise InputError(
            Message.of("model-trace-unfit", faults=tuple(faults)),
            hint=Message("model-choose-token"),
        )


def _no_changes(weights: dict[str, np.ndarray]) -> tuple[dict[str, np.ndarray], int]:
    """NaN where there is no link, else 0; and how many links there are."""
    changes, n_links = {}, 0
    for site, heads in weights.items():
        n_queries, n_keys = heads.shape[-2:]
        may_look = np.ones((n_queries, n_keys), dtype=bool)
        if site == "decoder":
            may_look = causal_mask(n_queries).numpy()
        links = may_look & (may_look.sum(-1, keepdims=True) > 1)
        changes[site] = np.broadcast_to(
            np.where(links, 0.0, np.nan).astype(np.float32), heads.shape
        ).copy()
        n_links += int(links.sum()) * heads.shape[0] * heads.shape[1]
    return changes, n_links


def _head_changes(
    model: Transformer, src: Tensor, read: Tensor, pair: list[int], chunk_rows: int
) -> dict[str, np.ndarray]:
    """Change of the log-odds in the last row of `read` with the output of each head zero."""
    heads = heads_of(model.sites)
    n_src, n_tgt = src.shape[1], read.shape[1]
    size = max(1, chunk_rows // max(n_src, n_tgt))
    changes = []
    for start in range(0, len(heads), size):
        chunk = heads[start : start + size]
        # The plain run is one of the batch, so that both are rounded alike.
        runs = [Intervention(), *(Intervention(AblatedHead(*p)) for p in chunk)]
        with intervening(model, runs, n_src=n_src, n_tgt=n_tgt) as intervened:
            hidden = intervened.hidden(src, read)[:, -1]
        odds = F.linear(hidden - hidden[:1], model.output_weight[pair])
        changes.append((odds[1:, 0] - odds[1:, 1]).cpu().numpy())
    flat = np.concatenate(changes)
    sites = np.array([site for site, _, _ in heads])
    return {site.name: flat[sites == site.name].reshape(-1, site.n_heads) for site in model.sites}


@dataclass(frozen=True)
class _Batch:
    """Links of one query row of one layer, N of them; `cost` in rows of later layers."""

    site: str
    layer: int
    query: int
    heads: np.ndarray
    keys: np.ndarray
    cost: float


def _batches(plain: _Plain, chunk_rows: int) -> Iterator[_Batch]:
    """Every link on which the decision may depend."""
    config = plain.model.config
    n_src, n_tgt = plain.n_src, plain.n_rows
    n_encoder, n_decoder = config.n_encoder_layers, config.n_decoder_layers
    size = max(1, chunk_rows // max(n_src, n_tgt))
    for site in (site.name for site in plain.model.sites):
        for layer in range(n_encoder if site == "encoder" else n_decoder):
            n_queries = n_src if site == "encoder" else n_tgt
            last = site != "encoder" and layer == n_decoder - 1
            for query in range(n_queries - 1 if last else 0, n_queries):
                n_keys = query + 1 if site == "decoder" else n_src
                if n_keys == 1:
                    continue
                heads, keys = np.divmod(np.arange(config.n_heads * n_keys), n_keys)
                later = 1 + n_tgt * (n_decoder - 1 - layer)
                if site == "encoder":
                    later = 1 + n_src * (n_encoder - 1 - layer) + n_tgt * n_decoder
                for at in range(0, len(keys), size):
                    chunk = slice(at, at + size)
                    cost = later * len(keys[chunk])
                    yield _Batch(site, layer, query, heads[chunk], keys[chunk], cost)


# The runs below are N at a time with positions first, (T, N, d_model), so that what is done to one
# position of all runs is done to one block of memory. What is as in the plain run has N = 1.


@dataclass(frozen=True)
class _PlainAttention:
    x: Tensor  # (T_q, 1, d_model) before the sub-layer and its norm
    q: Tensor  # (T_q, 1, H d_k)
    k: Tensor  # (T_k, 1, H d_k), as v
    v: Tensor
    scores: Tensor  # (H, T_q, T_k), minus infinity where masked
    context: Tensor  # (T_q, 1, H d_k)


@dataclass(frozen=True)
class _PlainFeedForward:
    x: Tensor  # (T, 1, d_model) that it reads
    inner: Tensor  # (T, d_ff) before the ReLU
    norms: Tensor  # (d_ff,) of the weights that lead to each hidden unit
    outer: Tensor  # (d_ff, d_model), those that leave it


class _Plain:
    """The run with nothing knocked out, up to the row of the decision, and runs that leave it."""

    def __init__(self, model: Transformer, src: Tensor, read: Tensor, pair: list[int]) -> None:
        self.model = model
        self.n_src, self.n_rows = src.shape[1], read.shape[1]
        self._causal = causal_mask(self.n_rows, device=read.device)
        token, rival = model.output_weight[pair]
        self._direction = token - rival
        self._biases = {
            "encoder": model.encoder_bias(self.n_src),
            "decoder": model.decoder_bias(self.n_rows, self.n_rows),
        }
        self._inputs: dict[tuple[str, int], Tensor] = {}  # of each layer, and what the last gives
        self._attentions: dict[tuple[str, int], _PlainAttention] = {}
        self._feed_forwards: dict[FeedForward, _PlainFeedForward] = {}

        x = model.embed(src).transpose(0, 1)
        for number, layer in enumerate(model.encoder_layers):
            self._inputs["encoder", number] = x
            x = self._read_attention(layer.self_attention, layer.self_attention_residual, x)
            x = self._read_feed_forward(layer, x)
        self._inputs["encoder", len(model.encoder_layers)] = x
        memory = _normed(model.encoder_norm, x)
        x = model.embed_target(read).transpose(0, 1)
        for number, layer in enumerate(model.decoder_layers):
            self._inputs["decoder", number] = x
            if layer.self_attention is None:
                x = _recur(layer, x)
            else:
                residual = layer.self_attention_residual
                x = self._read_attention(layer.self_attention, residual, x, mask=self._causal)
            x = self._read_attention(
                layer.cross_attention, layer.cross_attention_residual, x, memory
            )
            x = self._read_feed_forward(layer, x)
        self._last = _normed(model.decoder_norm, x[-1])

    def _read_attention(
        self,
        attention: MultiHeadAttention,
        residual: Residual,
        x: Tensor,
        memory: Tensor | None = None,
        mask: Tensor | None = None,
    ) -> Tensor:
        read = residual.entering(x)
        memory = read if memory is None else memory
        q = attention.query_proj(read)
        k, v = attention.key_proj(memory), attention.value_proj(memory)
        bias = self._biases.get(attention.probe.kind)
        scores = _scores(attention, q, k, bias)[0]
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        context = _attend(attention, q, k, v, mask, bias)
        key = (attention.probe.kind, attention.probe.layer)
        self._attentions[key] = _PlainAttention(x, q, k, v, scores, context)
        return residual(x, attention.out_proj(context))

    def _read_feed_forward(self, layer: EncoderLayer | DecoderLayer, x: Tensor) -> Tensor:
        feed_forward, residual = layer.feed_forward, layer.feed_forward_residual
        read = residual.entering(x)
        if feed_forward.activation is F.relu and feed_forward.gate is None:
            inner, outer = feed_forward.inner, feed_forward.outer
            self._feed_forwards[feed_forward] = _PlainFeedForward(
                read, inner(read)[:, 0], inner.weight.norm(dim=1), outer.weight.T.contiguous()
            )
        return residual(x, feed_forward(read))

    @torch.inference_mode()  # holds for one thread only
    def without(self, batch: _Batch) -> Tensor:
        """Change of the log-odds without each link of the batch, one at a time: (N,)."""
        model, site, number, query = self.model, batch.site, batch.layer, batch.query
        row = slice(query, query + 1)
        stack = "encoder" if site == "encoder" else "decoder"
        layers = model.encoder_layers if stack == "encoder" else model.decoder_layers
        layer = layers[number]

        plain = self._attentions[site, number]
        context = _cut(plain, batch)
        if site == "cross":
            attention, residual = layer.cross_attention, layer.cross_attention_residual
        else:
            attention, residual = layer.self_attention, layer.self_attention_residual
        x = residual(plain.x[row], attention.out_proj(context))  # (1, N, d_model)
        if site == "decoder":
            attention, plain = layer.cross_attention, self._attentions["cross", number]
            residual = layer.cross_attention_residual
            q = attention.query_proj(residual.entering(x))
            x = residual(x, attention.out_proj(_attend(attention, q, plain.k, plain.v)))
        x = self._feed_forward(layer, x, row)

        following = self._inputs.get((stack, number + 1))
        changed: int | None = query
        if following is not None:
            x = _with_row(following, x, query)
        if stack == "encoder":
            for later in layers[number + 1 :]:
                x, changed = self._encode(later, x, changed), None
            x = self._decode(0, None, None, _normed(model.encoder_norm, x), changed)
        elif following is not None:
            x = self._decode(number + 1, x, changed, None, None)
        return (_normed(model.decoder_norm, x[-1]) - self._last) @ self._direction

    def _encode(self, layer: EncoderLayer, x: Tensor, changed: int | None) -> Tensor:
        """x (S, N, d_model) -> the same; only row `changed` differs from the plain, unless None."""
        attention, residual = layer.self_attention, layer.self_attention_residual
        q, k, v = self._projected(attention, residual, x, changed)
        context = _attend(attention, q, k, v, bias=self._biases["encoder"])
        x = residual(x, attention.out_proj(context))
        return self._feed_forward(layer, x, slice(None))

    def _projected(
        self, attention: MultiHeadAttention, residual: Residual, x: Tensor, changed: int | None
    ) -> list[Tensor]:
        """Queries, keys and values (T, N, H d_k) of a sub-layer that reads `x`."""
        plain = self._attentions[attention.probe.kind, attention.probe.layer]
        projections = attention.query_proj, attention.key_proj, attention.value_proj
        read = residual.entering(x if changed is None else x[changed : changed + 1])
        made = [projection(read) for projection in projections]
        if changed is None:
            return made
        pairs = zip((plain.q, plain.k, plain.v), made, strict=True)
        return [_with_row(each, row, changed) for each, row in pairs]

    def _decode(
        self,
        first: int,
        x: Tensor | None,
        changed: int | None,
        memory: Tensor | None,
        memory_changed: int | None,
    ) -> Tensor:
        """Decoder layers from `first` on -> (1, N, d_model), the row of the decision. `x` (T, N,
        d_model) and `memory` (S, N, d_model) are None where they are as in the plain run; of the
        others only one row differs from it where `changed` is not None."""
        n_layers = len(self.model.decoder_layers)
        for number in range(first, n_layers):
            layer = self.model.decoder_layers[number]
            rows = slice(-1, None) if number == n_layers - 1 else slice(None)

            plain = self._attentions["cross", number]
            cross, residual = layer.cross_attention, layer.cross_attention_residual
            if x is None:
                x, q = plain.x[rows], plain.q[rows]
            else:
                x = self._mix(layer, x, changed, rows)
                q = cross.query_proj(residual.entering(x))
            k, v = plain.k, plain.v
            if memory is not None:
                k = _project(cross.key_proj, memory, k, memory_changed)
                v = _project(cross.value_proj, memory, v, memory_changed)
            x = residual(x, cross.out_proj(_attend(cross, q, k, v)))
            x, changed = self._feed_forward(layer, x, rows), None
        return x

    def _mix(self, layer: DecoderLayer, x: Tensor, changed: int | None, rows: slice) -> Tensor:
        """What mixes the positions of the decoder, (T, N, d_model) -> (rows, N, d_model)."""
        if layer.self_attention is None:
            return _recur(layer, x)[rows]
        attention, residual = layer.self_attention, layer.self_attention_residual
        q, k, v = self._projected(attention, residual, x, changed)
        bias = self._biases["decoder"]
        bias = None if bias is None else bias[:, :, rows]
        context = _attend(attention, q[rows], k, v, self._causal[rows], bias)
        return residual(x[rows], attention.out_proj(context))

    def _feed_forward(self, layer: EncoderLayer | DecoderLayer, x: Tensor, rows: slice) -> Tensor:
        """The feed-forward sub-layer at `rows`, x (T, N, d_model) -> the same. A hidden unit moves
        by no more than the norm of its weights times the distance that x has moved. Those that this
        leaves below 0 in all N runs are 0 after the ReLU."""
        residual, inner = layer.feed_forward_residual, layer.feed_forward.inner
        plain, read = self._feed_forwards.get(layer.feed_forward), residual.entering(x)
        if plain is None:
            return residual(x, layer.feed_forward(read))
        before = plain.x[rows]
        reach = (read - before).norm(dim=-1).amax(dim=1) + ROUNDING * before.norm(dim=-1)[:, 0]
        reach = reach[:, None] * plain.norms + ROUNDING * plain.inner[rows].abs()
        may_fire = plain.inner[rows] + reach > 0  # (T, d_ff)
        outputs = torch.empty_like(x)
        for output, position, fires in zip(outputs, read, may_fire, strict=True):
            units = fires.nonzero()[:, 0]
            weight, bias = inner.weight.index_select(0, units), inner.bias.index_select(0, units)
            hidden = F.relu_(F.linear(position, weight, bias))
            outer = plain.outer.index_select(0, units)
            torch.addmm(layer.feed_forward.outer.bias, hidden, outer, out=output)
        return residual(x, outputs)


def _recur(layer: DecoderLayer, x: Tensor) -> Tensor:
    """The recurrence of a layer, x (T, N, d_model) -> the same."""
    return layer.recur(x.transpose(0, 1))[0].transpose(0, 1)


def _normed(norm: nn.Module | None, x: Tensor) -> Tensor:
    return x if norm is None else norm(x)


def _split(x: Tensor, attention: MultiHeadAttention) -> Tensor:
    """(T, N, H d_k) -> (N, H, T, d_k)."""
    return x.unflatten(-1, (attention.n_heads, -1)).permute(1, 2, 0, 3)


def _attend(
    attention: MultiHeadAttention,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    bias: Tensor | None = None,
) -> Tensor:
    """q (T_q, N, H d_k), k and v (T_k, N, H d_k) -> context (T_q, N, H d_k)."""
    weights = attention_weights(_scores(attention, q, k, bias), mask)
    return (weights @ _split(v, attention)).permute(2, 0, 1, 3).flatten(2)


def _scores(attention: MultiHeadAttention, q: Tensor, k: Tensor, bias: Tensor | None) -> Tensor:
    """(N, H, T_q, T_k), before any mask."""
    scores = attention_scores(_split(q, attention), _split(k, attention))
    return scores if bias is None else scores + bias


def _project(linear: nn.Linear, x: Tensor, plain: Tensor, changed: int | None) -> Tensor:
    """linear(x) (T, N, H d_k), of which all rows but `changed`, unless None, are `plain`'s."""
    if changed is None:
        return linear(x)
    return _with_row(plain, linear(x[changed : changed + 1]), changed)


def _with_row(plain: Tensor, row: Tensor, position: int) -> Tensor:
    """`plain` (T, 1, d_model) for N runs with a row of each, (1, N, d_model), put in its place."""
    made = plain.repeat(1, row.shape[1], 1)
    made[position] = row[0]
    return made


def _cut(plain: _PlainAttention, batch: _Batch) -> Tensor:
    """The context of the query row without each link, (1, N, d_model)."""
    device = plain.v.device
    heads, keys = (torch.from_numpy(x).to(device) for x in (batch.heads, batch.keys))
    every = torch.arange(len(keys), device=device)
    scores = plain.scores[heads, batch.query]  # (N, T_k), a copy
    scores[every, keys] = -math.inf
    n_heads = len(plain.scores)
    values = plain.v[:, 0].unflatten(-1, (n_heads, -1)).transpose(0, 1)  # (H, T_k, d_k)
    context = plain.context[batch.query].unflatten(-1, (n_heads, -1)).repeat(len(keys), 1, 1)
    context[every, heads] = (scores.softmax(dim=-1)[:, None] @ values[heads])[:, 0]
    return context.flatten(1)[None]

"""Decoder step of a search as plain calls over tensors, in place of that over modules.

A step of a small model is a hundred short operations, and calls of modules take longer than many of
them. `PlainDecoder.step` computes what `Transformer.step` does: the same sums of the same weights
in float32, so both agree within rounding. It differs in five things: queries, keys and values of
self-attention come from one product; every product has the form that is fastest on this processor
(`model.nets.products`); softmax and mixing of the values are one call of torch's fused attention;
a source that all hypotheses share is multiplied once by the weights around it (`_Folded`); and
nothing passes through modules. So no hook would be called, and weights are read once:
`PlainDecoders` offers the plain step only while no hook listens and no weight has changed.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from ..hooks.snapshot import Snapshot
from ..nets.products import Product, Weights, fastest_products
from ..nets.sublayers import LayerCache, Residual, TransformerState

MOST_BYTES = 96 * 2**20
"""Bytes of the decoder's weights. Their copies in faster layouts take up to twice as much again;
the step of a larger decoder is slow because of its weights, not because of its modules."""

MOST_FOLDED = 2
"""Most tokens of a source that is folded, in numbers of a head. Folded weights are larger than
those that they replace by the ratio of the two, and a step waits for the weights that it reads."""

Norm = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class _Connection:
    """Residual connection around a sub-layer, with its norm before or after (see `Residual`)."""

    norm: Norm
    is_before: bool

    def entering(self, x: Tensor) -> Tensor:
        """Return the input of the sub-layer."""
        return self.norm(x) if self.is_before else x

    def leaving(self, x: Tensor, output: Tensor) -> Tensor:
        """Return the sum of input and output of the sub-layer, normalised if the norm follows."""
        return x + output if self.is_before else self.norm(x + output)


@dataclass(frozen=True, kw_only=True)
class _Folded(LayerCache):
    """Cache of a source that is folded into the weights of cross-attention.

    A score is (x W_q + b_q) k, and the sub-layer's output is the weighted sum of v W_o. W_q k and
    v W_o are the same at every step, so two products of a step do what four did.
    """

    score_weight: Tensor  # (d_model, H T_src): W_q k / sqrt(d_k) of every head and source token
    score_bias: Tensor  # (H T_src,)
    value_weight: Tensor  # (H T_src, d_model): v W_o of every head and source token

    @classmethod
    def of(cls, cache: LayerCache, query: Weights, output: Weights) -> _Folded:
        """Fold one shared source, with `query` and `output` the weights of the two projections."""
        keys = cache.memory_keys[0]  # (H, T_src, d_k)
        values = cache.memory_values[0]
        n_heads, n_source, d_head = keys.shape
        query_weight, query_bias = query
        assert query_bias is not None  # attention here has one
        keys = keys.transpose(1, 2) / math.sqrt(d_head)
        scores = query_weight.view(n_heads, d_head, -1).transpose(1, 2) @ keys
        outputs = values @ output[0].t().view(n_heads, d_head, -1)
        return cls(
            memory_keys=cache.memory_keys,
            memory_values=cache.memory_values,
            past=cache.past,
            score_weight=scores.transpose(0, 1).reshape(-1, n_heads * n_source),
            score_bias=(query_bias.view(n_heads, 1, d_head) @ keys).flatten(),
            value_weight=outputs.view(n_heads * n_source, -1),
        )

    def across(self, x: Tensor, bias: Tensor | None) -> Tensor:
        """Attend from x (K, d_model); return the output of the sub-layer, (K, d_model)."""
        scores = torch.addmm(self.score_bias, x, self.score_weight)
        n_source = self.memory_keys.shape[2]
        weights = scores.view(x.shape[0], -1, n_source).softmax(dim=-1).view(scores.shape)
        if bias is None:
            return weights @ self.value_weight
        return torch.addmm(bias, weights, self.value_weight)


@dataclass(frozen=True)
class _Layer:
    """Tensors of one decoder layer."""

    n_heads: int
    self_input: Product  # queries, keys and values, side by side
    self_output: Product
    self_connection: _Connection
    cross_query: Product
    cross_output: Product
    cross_weights: tuple[Weights, Weights]  # of query and output, to be folded with a source
    cross_connection: _Connection
    activation: Callable[[Tensor], Tensor]
    inner: Product
    gate: Product | None
    outer: Product
    feed_connection: _Connection

    def step(self, x: Tensor, cache: LayerCache, bias: Tensor | None) -> tuple[Tensor, LayerCache]:
        """Transform one new position a hypothesis, x (K, d_model), as `DecoderLayer.step` does."""
        n_rows = x.shape[0]
        projected = self.self_input(self.self_connection.entering(x))
        width = projected.shape[1] // 3
        query = projected[:, :width].view(n_rows, self.n_heads, 1, -1)
        cache = cache.extended(projected[:, None, width:].view(n_rows, 1, 2, self.n_heads, -1))
        context = F.scaled_dot_product_attention(query, cache.keys, cache.values, bias)
        x = self.self_connection.leaving(x, self.self_output(context.reshape(n_rows, width)))

        read = self.cross_connection.entering(x)
        if self._can_fold(cache):
            cache = _Folded.of(cache, *self.cross_weights)
        if isinstance(cache, _Folded):
            output = cache.across(read, self.cross_weights[1][1])
        else:
            output = self.cross_output(_across(self.cross_query(read), cache, self.n_heads))
        x = self.cross_connection.leaving(x, output)

        read = self.feed_connection.entering(x)
        if self.gate is None:
            inner = self.activation(self.inner(read))
        else:
            inner = self.activation(self.gate(read)) * self.inner(read)
        return self.feed_connection.leaving(x, self.outer(inner)), cache

    def _can_fold(self, cache: LayerCache) -> bool:
        """Return True if the source of `cache` is worth folding and is not folded yet."""
        n_sources, _, n_source, d_head = cache.memory_keys.shape
        return (
            not isinstance(cache, _Folded) and n_sources == 1 and n_source <= MOST_FOLDED * d_head
        )


def _across(query: Tensor, cache: LayerCache, n_heads: int) -> Tensor:
    """Attend from the queries (K, d_model) to the memory; return the context (K, d_model)."""
    keys = cache.memory_keys
    values = cache.memory_values
    if keys.shape[0] == 1:
        # All hypotheses share one memory, so they take the place of query positions.
        heads = query.view(1, query.shape[0], n_heads, -1).transpose(1, 2)
        context = F.scaled_dot_product_attention(heads, keys, values)
        return context.transpose(1, 2).reshape(query.shape)
    heads = query.view(query.shape[0], n_heads, 1, -1)
    return F.scaled_dot_product_attention(heads, keys, values).reshape(query.shape)


class PlainDecoder:
    """Embedding, decoder layers and output of a Transformer, taken out of its modules.

    `model` is a `Transformer` that `is_plain_model` accepts.
    """

    def __init__(self, model: Any) -> None:
        # Parts of the model and not the model, which holds this decoder: a model that is dropped
        # should be freed at once.
        self._embedding = model.embedding
        self._scale = model.scale
        self._positions = model.target_positions
        self._relative = model.decoder_relative
        self.snapshot = Snapshot(model, _modules_of(model))
        layers = [_weights_of(layer) for layer in model.decoder_layers]
        output = [(model.output_weight, model.output_bias)]
        flat = [weights for layer in layers for weights in layer.values()]
        products = iter(fastest_products([*flat, *output]))
        self._layers = [
            _layer_of(layer, {name: next(products) for name in weights})
            for layer, weights in zip(model.decoder_layers, layers, strict=True)
        ]
        self._output = next(products)
        self._embedding_norm = _norm_of(model.target_embedding_norm)
        self._norm = _norm_of(model.decoder_norm)
        self._transform = model.output_transform

    def step(self, state: TransformerState, prev: Tensor) -> tuple[Tensor, TransformerState]:
        """Read one token a hypothesis, `prev` (K,); return log-probabilities (K, V) and state."""
        position = self._positions.table[state.length]
        embedded = F.embedding(prev, self._embedding.weight)
        x = torch.add(position, embedded, alpha=self._scale)
        x = self._embedding_norm(x)
        relative = self._relative
        bias = None if relative is None else relative(1, state.length + 1, state.length)
        caches = []
        for layer, cache in zip(self._layers, state.layers, strict=True):
            x, cache = layer.step(x, cache, bias)
            caches.append(cache)
        hidden = self._norm(x)
        if self._transform is not None:
            hidden = self._transform(hidden)
        log_probs = self._output(hidden).log_softmax(dim=-1)
        return log_probs, TransformerState(state.length + 1, tuple(caches))


class PlainDecoders:
    """Plain decoder of one model, taken out at its first search.

    Once a weight has changed, the ordinary step runs from then on: whoever changes weights changes
    them again, and taking them out costs more than one search wins. Threads share it; a copy of the
    model takes out its own.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._decoder: PlainDecoder | None = None
        self._is_settled = False  # True once it is known if there is a plain decoder

    def __deepcopy__(self, memo: dict[int, Any]) -> PlainDecoders:
        return PlainDecoders()

    def __reduce__(self) -> tuple[type[PlainDecoders], tuple[()]]:
        # Locks and packed weights cannot be pickled, and need not be.
        return PlainDecoders, ()

    def of(self, model: Any) -> PlainDecoder | None:
        """Return the decoder whose step may replace that of `model` now, in this thread."""
        if torch.is_grad_enabled() or torch.is_autocast_enabled("cpu"):
            return None
        if not self._is_settled:
            with self._lock:
                if not self._is_settled:
                    self._decoder = PlainDecoder(model) if is_plain_model(model) else None
                    self._is_settled = True
        decoder = self._decoder
        if decoder is None or not decoder.snapshot.is_plain():
            return None
        if not decoder.snapshot.holds():
            self._decoder = None
            return None
        return decoder


def is_plain_model(model: Any) -> bool:
    """Return True if `PlainDecoder` takes `model`: float32 on the CPU, frozen, of known classes.

    Weights that may still be trained are left to the ordinary step, and so are a recurrent decoder
    and one whose weights would take too much memory a second time.
    """
    if any(layer.self_attention is None for layer in model.decoder_layers):
        return False
    modules = _modules_of(model)
    weights = [*model.parameters(recurse=False)]
    weights += [weight for module in modules for weight in module.parameters(recurse=False)]
    if sum(weight.nbytes for weight in weights) > MOST_BYTES:
        return False
    return all(type(module).__module__ in _KNOWN for module in (model, *modules)) and all(
        weight.dtype == torch.float32
        and weight.device.type == "cpu"
        and not weight.requires_grad
        and not weight.is_inference()
        for weight in weights
    )


_KNOWN = frozenset(
    {
        *(f"torch.nn.modules.{name}" for name in ("activation", "container", "dropout", "linear")),
        *(f"torch.nn.modules.{name}" for name in ("normalization", "sparse")),
        *(f"model.nets.{name}" for name in ("attention", "multi_head", "products", "sublayers")),
        "model.families.transformer",
    }
)
"""Files whose classes this module understands; a subclass in another file may compute otherwise."""


def _modules_of(model: Any) -> list[nn.Module]:
    """Return the modules through which a step of `model` passes."""
    parts = (
        *(model.embedding, model.target_positions, model.target_embedding_norm, model.dropout),
        *(model.decoder_relative, model.decoder_layers, model.decoder_norm, model.output),
        model.output_transform,
    )
    inner = [module for part in parts if part is not None for module in part.modules()]
    return list(dict.fromkeys(inner))


def _joined(*layers: nn.Linear) -> Weights:
    """Return weight and bias of linear layers side by side."""
    weight = torch.cat([layer.weight for layer in layers])
    return weight, torch.cat([layer.bias for layer in layers])


def _weights_of(layer: Any) -> dict[str, Weights]:
    """Return the linear layers of a decoder layer in the order of a step, by fields of `_Layer`."""
    itself = layer.self_attention
    cross_query, cross_output = _cross_weights(layer.cross_attention)
    feed = layer.feed_forward
    weights = {
        "self_input": _joined(itself.query_proj, itself.key_proj, itself.value_proj),
        "self_output": (itself.out_proj.weight, itself.out_proj.bias),
        "cross_query": cross_query,
        "cross_output": cross_output,
        "inner": (feed.inner.weight, feed.inner.bias),
        "outer": (feed.outer.weight, feed.outer.bias),
    }
    if feed.gate is not None:
        weights["gate"] = (feed.gate.weight, feed.gate.bias)
    return weights


def _cross_weights(attention: Any) -> tuple[Weights, Weights]:
    """Return weight and bias of the projections of queries and of the context."""
    query = attention.query_proj
    output = attention.out_proj
    return (query.weight, query.bias), (output.weight, output.bias)


def _layer_of(layer: Any, products: dict[str, Product]) -> _Layer:
    """Return the tensors of a decoder layer with its `products`, by fields of `_Layer`."""
    return _Layer(
        n_heads=layer.self_attention.n_heads,
        self_input=products["self_input"],
        self_output=products["self_output"],
        self_connection=_connection_of(layer.self_attention_residual),
        cross_query=products["cross_query"],
        cross_output=products["cross_output"],
        cross_weights=_cross_weights(layer.cross_attention),
        cross_connection=_connection_of(layer.cross_attention_residual),
        activation=_in_place(layer.feed_forward.activation),
        inner=products["inner"],
        gate=products.get("gate"),
        outer=products["outer"],
        feed_connection=_connection_of(layer.feed_forward_residual),
    )


def _connection_of(residual: Residual) -> _Connection:
    return _Connection(_norm_of(residual.norm), residual.pre_norm)


def _in_place(activation: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """Return `activation` so that it may overwrite its input, a product of the step itself."""
    return torch.relu_ if activation is F.relu else activation


def _norm_of(norm: Any) -> Norm:
    """Return a norm module as a function of x (K, d_model); the identity for None."""
    if norm is None:
        return lambda x: x
    shape = norm.normalized_shape
    if isinstance(norm, nn.RMSNorm):
        return lambda x: F.rms_norm(x, shape, norm.weight, norm.eps)
    return lambda x: torch.layer_norm(x, shape, norm.weight, norm.bias, norm.eps)

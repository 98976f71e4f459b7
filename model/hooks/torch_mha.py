"""Open torch's multi-head attention for capture, for models in a script or notebook."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.records.attention import CROSS, DECODER, ENCODER, AttentionSite
from words import Message

from ..errors import ModelError
from ..nets.attention import AttentionProbe, attention_scores, attention_weights


class OpenAttention(nn.MultiheadAttention):
    """torch's multi-head attention, computed explicitly so that its weights pass through `probe`.

    Parameters, arguments and results are the same. A float mask is part of the scores. A row
    without any key has zero weights, as with torch's fused kernel.
    """

    probe: AttentionProbe

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        if is_causal and attn_mask is None:
            raise ValueError("is_causal is a hint about attn_mask, and needs one")
        batched = query.dim() == 3
        # Unbatched inputs have no axis of the batch that could come second.
        length_first = batched and not self.batch_first
        inputs = [x.transpose(0, 1) if length_first else x for x in (query, key, value)]
        q, k, v = self._heads(inputs, batched)
        scores, may_look = self._masked(attention_scores(q, k), key_padding_mask, attn_mask)
        weights = self.probe(_weights(scores, may_look), scores, may_look, v)
        weights = F.dropout(weights, self.dropout, self.training)
        output = self.out_proj((weights @ v).transpose(1, 2).flatten(2))
        if length_first:
            output = output.transpose(0, 1)
        elif not batched:
            output = output[0]
        if not need_weights:
            return output, None
        if average_attn_weights:
            weights = weights.mean(1)
        return output, weights if batched else weights[0]

    def _heads(self, inputs: Sequence[Tensor], batched: bool) -> tuple[Tensor, ...]:
        """Project queries, keys and values (B, T, d_model) to heads, (B, H, T, d_k) each."""
        biases = (None,) * 3 if self.in_proj_bias is None else self.in_proj_bias.chunk(3)
        projected = map(F.linear, inputs, self.in_proj_weight.chunk(3), biases)
        items = (x if batched else x[None] for x in projected)
        return tuple(x.reshape(*x.shape[:2], self.num_heads, -1).transpose(1, 2) for x in items)

    def _masked(
        self, scores: Tensor, key_padding_mask: Tensor | None, attn_mask: Tensor | None
    ) -> tuple[Tensor, Tensor | None]:
        """Apply torch's masks to scores (B, H, T_q, T_k).

        Returns the scores with what a float mask adds, and a bool Tensor that is True where a query
        may attend, or None for everywhere.
        """
        masks = []
        if attn_mask is not None:
            n_heads = self.num_heads if attn_mask.dim() == 3 else 1
            masks.append(attn_mask.view(-1, n_heads, *scores.shape[2:]))
        if key_padding_mask is not None:
            masks.append(key_padding_mask.view(-1, 1, 1, scores.shape[3]))
        may_look: Tensor | None = None
        for mask in masks:
            # torch's bool masks are True where a query may NOT attend; `may_look` is the opposite.
            if mask.dtype == torch.bool:
                seen = ~mask
            else:
                seen = mask > -math.inf
                # Minus infinity stays out of the scores: a capture shows them before the mask.
                scores = scores + mask.masked_fill(~seen, 0.0)
            may_look = seen if may_look is None else may_look & seen
        return scores, may_look


def _weights(scores: Tensor, may_look: Tensor | None) -> Tensor:
    """Return the softmax of `scores` under the mask `may_look`; a row without any key is zero."""
    if may_look is None:
        return attention_weights(scores, None)
    nowhere = ~may_look.any(-1, keepdim=True)
    # Empty rows attend everywhere for a moment, since their softmax would be NaN.
    return attention_weights(scores, may_look | nowhere).masked_fill(nowhere, 0.0)


def open_attention(
    model: nn.Module, sites: Mapping[str, AttentionSite] | None = None
) -> tuple[AttentionSite, ...]:
    """Open every `nn.MultiheadAttention` of a model in place for `capture_attention`.

    Parameters, state dict and results stay the same; only torch's fused paths are left. Returns the
    sites; those of torch's layers are called "encoder", "decoder" and "cross".

    Parameters
    ----------
    sites : mapping from path to AttentionSite, optional
        Declarations of attentions outside torch's Transformer layers; a path is the module's name
        without numbers, such as "blocks.attn". Without one, the site is called by its path.

    Raises
    ------
    ModelError
        If there is no such module, or one was made with ``add_bias_kv``, ``add_zero_attn``,
        ``kdim`` or ``vdim``, or is a subclass with a `forward` of its own.
    """
    modules: dict[str, Any] = dict(model.named_modules())
    names_of = _attentions_by_path(modules)
    _refuse_unsupported(modules, names_of)
    for module in modules.values():
        if isinstance(module, nn.TransformerEncoder):
            # Nested tensors drop padded positions, and explicit attention needs all of them.
            module.use_nested_tensor = False
    declared: dict[str, AttentionSite] = {}
    for path, names in names_of.items():
        site = (sites or {}).get(path) or _site_at(path, names[0], modules)
        site_name = path if site.name in declared else site.name
        n_heads = modules[names[0]].num_heads
        site = replace(site, name=site_name, n_layers=len(names), n_heads=n_heads, has_values=True)
        declared[site_name] = site
        for layer, name in enumerate(names):
            _open(modules[name], AttentionProbe(site, layer))
    return tuple(declared.values())


def _refuse_unsupported(modules: Mapping[str, Any], names_of: Mapping[str, Sequence[str]]) -> None:
    """Raise ModelError that lists every attention that cannot be opened, or says there is none."""
    faults = [
        Message.of("open-attention-unknown", name=name or path, what=", ".join(unsupported))
        for path, names in names_of.items()
        for name in names
        if (unsupported := _unsupported(modules[name]))
    ]
    if faults or not names_of:
        faults = faults or [Message("open-attention-none")]
        hint = Message("open-attention-hint")
        raise ModelError(Message.of("open-attention", faults=tuple(faults)), hint=hint)


def _open(attention: Any, probe: AttentionProbe) -> None:
    """Turn a module of torch into an `OpenAttention` in place."""
    # Changing the class keeps the parameters, their names and every reference to the module.
    attention.__class__ = OpenAttention
    attention.probe = probe
    # A private attribute of torch that its encoder layer reads: False disables the fused path,
    # which would bypass `forward` in evaluation.
    attention._qkv_same_embed_dim = False


def _attentions_by_path(modules: Mapping[str, nn.Module]) -> dict[str, list[str]]:
    """Return the names of every `nn.MultiheadAttention`, by their name without numbers."""
    names_of: dict[str, list[str]] = {}
    for name, module in modules.items():
        if isinstance(module, nn.MultiheadAttention):
            path = ".".join(part for part in name.split(".") if not part.isdigit())
            names_of.setdefault(path or "attention", []).append(name)
    return names_of


def _site_at(path: str, name: str, modules: Mapping[str, nn.Module]) -> AttentionSite:
    """Return the site of an attention: that of a torch layer, or else one called by its path."""
    parent, _, last = name.rpartition(".")
    if last == "multihead_attn":
        return CROSS
    if last == "self_attn":
        return DECODER if hasattr(modules[parent], "multihead_attn") else ENCODER
    return AttentionSite(path, "source", "source")


def _unsupported(attention: Any) -> list[str]:
    """Return the names of the settings of `attention` that `OpenAttention` does not support."""
    unsupported = {
        type(attention).__name__: type(attention) not in (nn.MultiheadAttention, OpenAttention),
        "add_bias_kv": attention.bias_k is not None,
        "add_zero_attn": attention.add_zero_attn,
        "kdim": attention.kdim != attention.embed_dim,
        "vdim": attention.vdim != attention.embed_dim,
    }
    return [name for name, is_set in unsupported.items() if is_set]

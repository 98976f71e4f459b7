"""Open torch's multi-head attention for capture, for models in a script or notebook."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.attention import CROSS, DECODER, ENCODER, AttentionSite
from words import Message

from .attention import AttentionProbe, attention_scores, attention_weights
from .errors import ModelError


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
        turned = query.dim() == 3 and not self.batch_first
        given = (x.transpose(0, 1) if turned else x for x in (query, key, value))
        biases = (None,) * 3 if self.in_proj_bias is None else self.in_proj_bias.chunk(3)
        projected = map(F.linear, given, self.in_proj_weight.chunk(3), biases)
        items = (x if batched else x[None] for x in projected)
        q, k, v = (x.reshape(*x.shape[:2], self.num_heads, -1).transpose(1, 2) for x in items)
        # torch's bool masks are True where a query may NOT attend; `may_look` is the opposite.
        scores = attention_scores(q, k)
        may_look = torch.ones((), dtype=torch.bool, device=q.device)
        masks = []
        if attn_mask is not None:
            n_heads = self.num_heads if attn_mask.dim() == 3 else 1
            masks.append(attn_mask.view(-1, n_heads, *scores.shape[2:]))
        if key_padding_mask is not None:
            masks.append(key_padding_mask.view(-1, 1, 1, scores.shape[3]))
        for mask in masks:
            seen = ~mask if mask.dtype == torch.bool else mask > -math.inf
            # Minus infinity stays out of the scores: a capture shows them before the mask.
            scores = scores if mask.dtype == torch.bool else scores + mask.masked_fill(~seen, 0.0)
            may_look = may_look & seen
        nowhere = ~may_look.any(-1, keepdim=True) if masks else ~may_look
        # Empty rows attend everywhere for a moment, since their softmax would be NaN.
        weights = attention_weights(scores, may_look | nowhere).masked_fill(nowhere, 0.0)
        weights = self.probe(weights, scores, may_look if masks else None, v)
        weights = F.dropout(weights, self.dropout, self.training)
        output = self.out_proj((weights @ v).transpose(1, 2).flatten(2))
        output = output.transpose(0, 1) if turned else output if batched else output[0]
        weights = weights.mean(1) if average_attn_weights else weights
        return output, (weights if batched else weights[0]) if need_weights else None


def open_attention(
    model: nn.Module, sites: Mapping[str, AttentionSite] | None = None
) -> tuple[AttentionSite, ...]:
    """Open every `nn.MultiheadAttention` of a model in place for `capture_attention`.

    Parameters, state dict and results stay the same; only torch's fused paths are left.

    Parameters
    ----------
    model : nn.Module
    sites : mapping from path to AttentionSite, optional
        Declarations of attentions outside torch's Transformer layers; a path is the module's name
        without numbers, such as "blocks.attn". Without one, the site is called by its path.

    Returns
    -------
    tuple of AttentionSite
        Those of torch's layers are called "encoder", "decoder" and "cross".

    Raises
    ------
    ModelError
        If there is no such module, or one was made with ``add_bias_kv``, ``add_zero_attn``,
        ``kdim`` or ``vdim``, or is a subclass with a `forward` of its own.
    """
    modules: dict[str, Any] = dict(model.named_modules())
    places: dict[str, list[str]] = {}
    for name, module in modules.items():
        if isinstance(module, nn.MultiheadAttention):
            path = ".".join(part for part in name.split(".") if not part.isdigit())
            places.setdefault(path or "attention", []).append(name)
        elif isinstance(module, nn.TransformerEncoder):
            # Nested tensors drop padded positions, and explicit attention needs all of them.
            module.use_nested_tensor = False
    faults = [
        Message.of("open-attention-unknown", name=name or path, what=", ".join(what))
        for path, names in places.items()
        for name in names
        if (what := _not_opened(modules[name]))
    ]
    if faults or not places:
        said = tuple(faults) or (Message("open-attention-none"),)
        hint = Message("open-attention-hint")
        raise ModelError(Message.of("open-attention", faults=said), hint=hint)
    declared: dict[str, AttentionSite] = {}
    for path, names in places.items():
        parent, _, last = names[0].rpartition(".")
        both = DECODER if hasattr(modules[parent], "multihead_attn") else ENCODER
        known = {"self_attn": both, "multihead_attn": CROSS}
        site = (sites or {}).get(path) or known.get(last, AttentionSite(path, "source", "source"))
        name = path if site.name in declared else site.name
        n_heads = modules[names[0]].num_heads
        site = replace(site, name=name, n_layers=len(names), n_heads=n_heads, has_values=True)
        declared[name] = site
        for layer, place in enumerate(names):
            # Changing the class keeps the parameters, their names and every reference to the
            # module.
            modules[place].__class__ = OpenAttention
            modules[place].probe = AttentionProbe(site, layer)
            # A private attribute of torch that its encoder layer reads: False disables the fused
            # path, which would bypass `forward` in evaluation.
            modules[place]._qkv_same_embed_dim = False
    return tuple(declared.values())


def _not_opened(attention: Any) -> list[str]:
    """Return the names of the settings of `attention` that `OpenAttention` does not support."""
    told = {
        type(attention).__name__: type(attention) not in (nn.MultiheadAttention, OpenAttention),
        "add_bias_kv": attention.bias_k is not None,
        "add_zero_attn": attention.add_zero_attn,
        "kdim": attention.kdim != attention.embed_dim,
        "vdim": attention.vdim != attention.embed_dim,
    }
    return [name for name, is_told in told.items() if is_told]

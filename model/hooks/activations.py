"""Named activations of a model: read them all, or change some.

    points = hook_points(model)
    with recording(points, ["encoder.*.pattern"]) as cache:
        model(src, tgt)
    with changing(points, {"encoder.3.pattern": uniform}):
        model(src, tgt)

Names are ``<stack>.<layer>.<activation>``, layers from 0:

- ``pattern``: weights (B, H, T_q, T_k) of an attention site; ``scores`` before the mask;
- ``q``, ``k``, ``v``: (B, H, T, d_k); ``z``: the weighted values of each head, (B, H, T_q, d_k);
  in other families than the Transformer, ``v`` can be read but not replaced, and there is no ``q``;
- ``attn_out``: output of W_O, (B, T, d_model);
- ``resid_pre``, ``resid_mid``, ``resid_post``: (B, T, d_model) before a layer, after its first
  sub-layer, and after its last; ``resid_cross`` after the cross-attention of a decoder layer;
- ``mlp_out``: output of the feed-forward network.

Cross-attention has the stack ``cross``. A relative bias of the scores, (1, H, T_q, T_k), is
``<stack>.position_bias`` for all layers. Values of a paper's equations (`ValueProbe`) are
``decoder.step.<value>``, one row a step, or ``encoder.<value>``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any, Literal

import torch
from torch import Tensor, nn

from ..errors import expect
from ..nets.attention import AttentionProbe, reweighted
from ..nets.multi_head import MultiHeadAttention
from ..nets.sublayers import Residual
from .capture import ForwardHook, ForwardPreHook, listening
from .value_probes import ValueProbe

Activation = Tensor | tuple[Tensor, ...]
"""A tensor; a tuple for a site with several maps, such as the words of each sentence."""
Change = Callable[[Tensor, str], Tensor | None]
"""Called with an activation and its name; a result other than None replaces the activation."""
Passage = Literal["output", "heads", "context", "scores", "values", "input", "input heads"]
"""Part of a module's call that is the activation: its output, its output split into heads, or as
the only head; scores or values beside the weights of a probe; the first input, or that input split
into heads."""
_INPUTS = ("input", "input heads")


@dataclass(frozen=True)
class HookPoint:
    """Place in a model that an activation passes."""

    name: str
    module: Any
    passage: Passage = "output"
    n_heads: int = 1  # of "heads" and "input heads"
    joined: str = "pass"  # "step" if each call is one step of a decoder, "item" if one of many maps


def hook_points(model: nn.Module) -> dict[str, HookPoint]:
    """Return the points of a model by name, in the order of its modules."""
    points: list[HookPoint] = []
    for module in model.modules():
        if isinstance(module, AttentionProbe):
            points += _of_probe(module)
        if has_probe(module):
            points += head_points(module)
        if any(isinstance(child, Residual) for child in module.children()):
            points += _of_layer(module)
    points += _of_positions(model)
    return {point.name: point for point in points} | value_points(model)


def _of_positions(model: nn.Module) -> Iterator[HookPoint]:
    for stack in ("encoder", "decoder"):
        if (relative := getattr(model, f"{stack}_relative", None)) is not None:
            yield HookPoint(f"{stack}.position_bias", relative)


def _of_probe(probe: AttentionProbe) -> Iterator[HookPoint]:
    at = f"{probe.site_id}.{probe.layer}"
    yield HookPoint(f"{at}.scores", probe, "scores", joined=probe.one_call)
    yield HookPoint(f"{at}.pattern", probe, joined=probe.one_call)


def has_probe(module: nn.Module) -> bool:
    """Return True for an attention, a module whose weights pass through its `probe`."""
    # `getattr` would look for it three times and then raise an error in most modules of a model.
    return isinstance(module._modules.get("probe"), AttentionProbe)


def head_points(attention: Any) -> Iterator[HookPoint]:
    """Yield the points of the vectors of an attention, a module with a `probe`.

    It ends in `out_proj`, which mixes its heads, or else passes its context through
    `context_value`.
    """
    probe: AttentionProbe = attention.probe
    at = f"{probe.site_id}.{probe.layer}"
    if isinstance(attention, MultiHeadAttention):
        for name in ("query", "key", "value"):
            projection = getattr(attention, f"{name}_proj")
            yield HookPoint(f"{at}.{name[0]}", projection, "heads", attention.n_heads)
    else:
        # All steps of a decoder have the same values.
        joined = "item" if probe.one_call == "item" else "pass"
        yield HookPoint(f"{at}.v", probe, "values", joined=joined)
    if (out_proj := getattr(attention, "out_proj", None)) is not None:
        n_heads = getattr(attention, "n_heads", probe.site.n_heads)
        yield HookPoint(f"{at}.z", out_proj, "input heads", n_heads)
        yield HookPoint(f"{at}.attn_out", out_proj)
    elif (context := getattr(attention, "context_value", None)) is not None:
        yield HookPoint(f"{at}.z", context, "context", joined=probe.one_call)


def _of_layer(layer: nn.Module) -> Iterator[HookPoint]:
    residuals = [child for child in layer.children() if isinstance(child, Residual)]
    first = residuals[0].sublayer
    at = f"{first.stack}.{first.layer}"
    yield HookPoint(f"{at}.resid_pre", layer, "input")
    for residual in residuals:
        name = residual.sublayer.name
        if name == "feed_forward":
            yield HookPoint(f"{at}.mlp_out", layer.get_submodule("feed_forward"))
        # The default is for the first sub-layer, be it self-attention or a recurrence.
        after = {"feed_forward": "resid_post", "cross": "resid_cross"}.get(name, "resid_mid")
        yield HookPoint(f"{at}.{after}", residual)


def value_points(model: nn.Module) -> dict[str, HookPoint]:
    """Return the points of a model's value probes by name, in the order of its modules."""
    points = {}
    probes = [module for module in model.modules() if isinstance(module, ValueProbe)]
    stacks = {"step": "decoder.step", "queries": "decoder", "pass": "encoder"}
    names = [f"{stacks[probe.one_call]}.{probe.name}" for probe in probes]
    repeated = {name for name, n in Counter(names).items() if n > 1}
    layers: dict[str, int] = defaultdict(int)
    for name, probe in zip(names, probes, strict=True):
        numbered = name
        # Only layers that share a value need a number; a single layer keeps the plain name.
        if name in repeated:
            stack, _, value = name.rpartition(".")
            numbered = f"{stack}.{layers[name]}.{value}"
            layers[name] += 1
        joined = "step" if probe.one_call == "step" else "pass"
        points[numbered] = HookPoint(numbered, probe, joined=joined)
    return points


def matching(
    points: Mapping[str, HookPoint], names: str | Collection[str] | None
) -> list[HookPoint]:
    """Return the points that `names` choose: names, or patterns such as ``encoder.*.pattern``.

    None chooses all. Raises ValueError if one of them matches nothing, TypeError if it is no text.
    """
    if names is None:
        return list(points.values())
    expect("names", names, str, Collection)
    patterns = [names] if isinstance(names, str) else list(names)
    chosen = {name for pattern in patterns for name in _fitting(points, pattern)}
    return [point for name, point in points.items() if name in chosen]


def _fitting(points: Collection[str], pattern: str) -> list[str]:
    """Return the names of `points` that fit a name or pattern; ValueError if none does."""
    expect("a name", pattern, str)
    # A cache of everything passes hundreds of names, each of which would be compared with all.
    if pattern in points:
        return [pattern]
    names = [name for name in points if fnmatchcase(name, pattern)]
    if not names:
        raise ValueError(_unknown(pattern, points))
    return names


def _unknown(pattern: str, points: Collection[str]) -> str:
    """Return the message about a pattern that matches no name of `points`."""
    close = get_close_matches(pattern, points, n=3) or [*points][:3]
    some = f"similar names are {', '.join(close)}" if close else "the model has none"
    return f"no activation is named {pattern!r}; {some} ({len(points)} in all)"


@contextmanager
def recording(
    points: Mapping[str, HookPoint], names: str | Collection[str] | None = None
) -> Iterator[dict[str, Activation]]:
    """Record activations of this thread's passes inside the ``with``; yields them by name.

    The dictionary is filled when the ``with`` closes. Tensors are detached and stay on the model's
    device. The steps of a decoder are joined along the queries; of other points the last pass
    counts. An activation that did not occur is missing.
    """
    chosen = matching(points, names)
    calls: dict[str, list[Tensor]] = defaultdict(list)

    def keep(value: Tensor, name: str) -> None:
        # Only the last pass counts, while steps and items add up.
        if points[name].joined == "pass":
            calls[name].clear()
        calls[name].append(value.detach())

    cache: dict[str, Activation] = {}
    with changing(points, dict.fromkeys((point.name for point in chosen), keep)):
        yield cache
    # In the order of the points, whatever the order of the calls.
    for point in chosen:
        if parts := calls[point.name]:
            cache[point.name] = _joined(point, parts)


def _joined(point: HookPoint, parts: list[Tensor]) -> Activation:
    if point.joined == "item":
        return tuple(parts)
    if point.joined == "pass":
        return parts[0]
    if isinstance(point.module, AttentionProbe) or point.passage == "context":
        return torch.cat(parts, dim=-2)
    return torch.stack(parts, dim=1)


@contextmanager
def changing(points: Mapping[str, HookPoint], changes: Mapping[str, Change]) -> Iterator[None]:
    """Call functions with activations of this thread's passes, and use what they return instead.

    Keys of `changes` are names or patterns, of which the last one that fits a name counts. In a
    search each call holds one step, (K, H, 1, T_k) of a pattern; ``resid_pre`` passes only where a
    whole target is read.

    Raises
    ------
    ValueError
        If a key fits no name; in a run, if a result has another shape than the activation.
    TypeError
        If a change is no function; in a run, if a result is neither a tensor nor None.
    """
    for key, change in changes.items():
        if not callable(change):
            raise TypeError(f"expected a function for {key!r}, found {change!r}")
    change_of = {name: change for key, change in changes.items() for name in _fitting(points, key)}
    by_module: dict[nn.Module, list[tuple[HookPoint, Change]]] = defaultdict(list)
    # In the order of the points: scores come before the pattern that they lead to.
    for name, point in points.items():
        if name in change_of:
            by_module[point.module].append((point, change_of[name]))
    before: dict[nn.Module, ForwardPreHook] = {}
    after: dict[nn.Module, ForwardHook] = {}
    for module, here in by_module.items():
        inputs = [(point, change) for point, change in here if point.passage in _INPUTS]
        outputs = [(point, change) for point, change in here if point.passage not in _INPUTS]
        if inputs:
            # A module has one input to change, so there is at most one such point.
            before[module] = _pre_hook(*inputs[0])
        if outputs:
            after[module] = _hook(outputs)
    with listening(after, before):
        yield


def _pre_hook(point: HookPoint, change: Change) -> ForwardPreHook:
    def hook(_module: nn.Module, inputs: tuple[Any, ...]) -> tuple[Any, ...] | None:
        new = _passed(point, change, inputs, inputs[0])
        return None if new is inputs[0] else (new, *inputs[1:])

    return hook


def _hook(changes: list[tuple[HookPoint, Change]]) -> ForwardHook:
    def hook(_module: nn.Module, inputs: tuple[Any, ...], output: Tensor) -> Tensor | None:
        changed = output
        for point, change in changes:
            changed = _passed(point, change, inputs, changed)
        return None if changed is output else changed

    return hook


def _passed(point: HookPoint, change: Change, inputs: tuple[Any, ...], passing: Tensor) -> Tensor:
    """Return the input or output of a call, `passing`, after `change` saw the activation in it."""
    activation = _activation_in(point, inputs, passing)
    # Attention by position alone, as in Luong's local-m, has no scores.
    new = None if activation is None else _replacement(change, activation, point.name)
    return passing if new is None else _passing_with(point, inputs, passing, new)


def _replacement(change: Change, activation: Tensor, name: str) -> Tensor | None:
    """Return what `change` makes of an activation, in its type and on its device."""
    try:
        new: Any = change(activation, name)
    except Exception as error:
        error.add_note(f"raised by the hook of {name}, called with the activation and its name")
        raise
    if new is None:
        return None
    if not isinstance(new, Tensor):
        raise TypeError(f"the hook of {name} returned {new!r}, expected a tensor or None")
    # Torch would repeat many another shape until it fits, without a word.
    if new.shape != activation.shape:
        shapes = f"{tuple(new.shape)}, expected {tuple(activation.shape)}"
        raise ValueError(f"the hook of {name} returned a tensor of shape {shapes}")
    return new.to(activation)


def _activation_in(point: HookPoint, inputs: tuple[Any, ...], passing: Tensor) -> Tensor | None:
    """Return the activation of `point` in a call of its module."""
    if point.passage == "scores":
        return inputs[1]
    if point.passage == "values":
        # Families may omit the fourth argument of a probe.
        return inputs[3] if len(inputs) > 3 else None
    if point.passage == "context":
        # A step has (B, d), a pass (B, T_q, d).
        return passing.reshape(len(passing), 1, -1, passing.shape[-1])
    if point.passage in ("heads", "input heads"):
        return passing.unflatten(-1, (point.n_heads, -1)).transpose(1, 2)
    return passing


def _passing_with(
    point: HookPoint, inputs: tuple[Any, ...], passing: Tensor, activation: Tensor
) -> Tensor:
    """Return `passing`, the input or output of a call, with its activation replaced."""
    if point.passage == "scores":
        scores, mask = inputs[1:3]
        return reweighted(point.module.site, passing, (scores, mask), (activation, mask))
    if point.passage == "values":
        raise ValueError(f"{point.name} can be read but not replaced in this model")
    if point.passage == "context":
        return activation.reshape(passing.shape)
    if point.passage in ("heads", "input heads"):
        return activation.transpose(1, 2).flatten(2)
    return activation

"""Proofs that a model has none of something, by running it: nothing here asks for names."""

from __future__ import annotations

import inspect
import math
from collections import Counter

import numpy as np
import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

from core.records.attention import AttentionRecord
from core.records.scenes import SceneSource
from model import InputError, Reader, Translator
from model.hooks.capture import probes_of


class Operations(TorchDispatchMode):
    """Counts what torch is asked to compute."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()

    def __torch_dispatch__(self, function, types, arguments=(), named=None):
        self.counts[function.overloadpacket.__name__] += 1
        return function(*arguments, **(named or {}))


def record_of(reader: Reader, text: str) -> AttentionRecord:
    made = reader.translate(text) if isinstance(reader, Translator) else reader.read(text)
    return made.attention


def _run(reader: Reader, text: str) -> tuple[Counter[str], int]:
    """The operations of one pass, and how often a probe was called in it."""
    model, calls = reader.model, []
    inputs = [reader.input_of(reader.tokenize(text))]
    if reader.writes:
        inputs.append(torch.tensor([[model.config.bos_id]]))
    handles = [
        probe.register_forward_hook(lambda *_: calls.append(1)) for probe in probes_of(model)
    ]
    try:
        with torch.no_grad(), Operations() as operations:
            model(*inputs)
    finally:
        for handle in handles:
            handle.remove()
    return operations.counts, len(calls)


def _weighings(counts: Counter[str]) -> int:
    """How often weights that sum to one were worked out of scores."""
    return sum(n for name, n in counts.items() if "softmax" in name or "dot_product" in name)


def no_attention(reader: Reader, text: str) -> bool:
    return _weighings(_run(reader, text)[0]) == 0


def _all_seen(reader: Reader, text: str) -> bool:
    counts, probed = _run(reader, text)
    return _weighings(counts) == probed


def no_self_attention(reader: Reader, text: str) -> bool:
    maps = record_of(reader, text).maps
    return _all_seen(reader, text) and all(m.query_tokens != m.key_tokens for m in maps)


def nothing_causal(reader: Reader, text: str) -> bool:
    """Where a side looks at itself, every head looks ahead somewhere."""
    return _all_seen(reader, text) and all(
        np.triu(m.weights, k=1).sum(axis=(-2, -1)).all()
        for m in record_of(reader, text).maps
        if m.query_tokens == m.key_tokens
    )


def nothing_across(reader: Reader, text: str) -> bool:
    """No row that looks writes a token."""
    maps = record_of(reader, text).maps
    return _all_seen(reader, text) and all(m.output_tokens is None for m in maps)


def one_head(reader: Reader, text: str) -> bool:
    shapes = {m.site.name: m.weights.shape[:2] for m in record_of(reader, text).maps}
    return _all_seen(reader, text) and sum(map(math.prod, shapes.values())) <= 1


def reads_in_order(reader: Reader, text: str) -> bool:
    """A word comes to the network that reads it the same wherever it stands."""
    model, seen = reader.model, []
    networks = [part for part in model.modules() if isinstance(part, nn.RNNBase)]
    source = reader.tokenize("a a a a a a")

    def listen(_part, inputs, _output):
        rows = getattr(inputs[0], "data", inputs[0])
        seen.append(rows.reshape(-1, rows.shape[-1]))

    handles = [networks[0].register_forward_hook(listen)]
    try:
        with torch.no_grad():
            inputs = [reader.input_of(source)]
            if reader.writes:
                inputs.append(torch.tensor([[model.config.bos_id]]))
            model(*inputs)
    finally:
        handles[0].remove()
    rows = seen[0]
    ids = torch.tensor(source.ids)
    common = int((ids == ids.mode().values).sum())
    same = (rows[:, None] - rows[None]).abs().amax(dim=-1) == 0
    return bool(common > 2 and int(same.sum(dim=1).max()) >= common)


def no_layer_norm(reader: Reader, text: str) -> bool:
    return not any("layer_norm" in name for name in _run(reader, text)[0])


def writes_nothing(reader: Reader, text: str) -> bool:
    needed = [
        each
        for each in inspect.signature(reader.model.forward).parameters.values()
        if each.default is inspect.Parameter.empty
    ]
    return len(needed) == 1 and not isinstance(reader, Translator)


def reads_no_text(reader: Reader, text: str) -> bool:
    try:
        reader.tokenize("A dog runs.")
    except InputError:
        return True
    return False


def reads_no_scene(reader: Reader, text: str) -> bool:
    try:
        source = reader.tokenize("large red circle at 1 1")
    except InputError:
        return True
    return not isinstance(source, SceneSource)


PROOFS = {
    "writing": writes_nothing,
    "text": reads_no_text,
    "scene": reads_no_scene,
    "attention": no_attention,
    "self-attention": no_self_attention,
    "recurrence": nothing_causal,
    "causal-attention": nothing_causal,
    "source-attention": nothing_across,
    "several-heads": one_head,
    "positions": reads_in_order,
    "layer-norm": no_layer_norm,
}
"""By the facts of `model.readers.absent`."""

"""Probes for the quantities of a paper's equations, beside the weights of attention."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch
from torch import Tensor, nn

from .capture import listening


class ValueProbe(nn.Module):
    """Passes a tensor through unchanged, so that hooks can hear one quantity of an equation,
    `name`, said as ``value-<name>``. Like `AttentionProbe` it owns no parameters. `one_call` is
    "step" where a decoder calls it once for each target token, (B, ...); "queries" where one call
    holds all of these, (B, T_tgt, ...); "pass" where it holds the source, (B, T_src, ...), or
    something of all of it, (B, ...). Of several layers with a probe of that name the last is heard.
    `parts` name the equal parts of its channels (``value-part-<name>``)."""

    def __init__(self, name: str, *, one_call: str = "step", parts: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.name = name
        self.one_call = one_call
        self.parts = parts

    def forward(self, value: Tensor) -> Tensor:
        return value

    def extra_repr(self) -> str:
        return f"name={self.name!r}"


def value_probes_of(model: nn.Module) -> list[ValueProbe]:
    """All of a model's, in the order of its modules."""
    return [module for module in model.modules() if isinstance(module, ValueProbe)]


class CapturedValues:
    """What value probes heard inside the `with`."""

    def __init__(self) -> None:
        self._heard: dict[ValueProbe, list[Tensor]] = {}

    def arrays(self) -> dict[str, np.ndarray]:
        """float32 arrays by name, (T, ...) of the first sequence of the batch: a row for each step
        of a decoder, or the sequence of the last pass."""
        return {
            probe.name: (
                torch.stack([value[0] for value in heard])
                if probe.one_call == "step"
                else heard[-1][0]
            )
            .float()
            .cpu()
            .numpy()
            for probe, heard in self._heard.items()
        }


@contextmanager
def capture_values(model: nn.Module) -> Iterator[CapturedValues]:
    """Record what this thread's passes give to the value probes inside the `with`."""
    captured = CapturedValues()

    def listen(probe: nn.Module, _inputs: tuple[Tensor, ...], value: Tensor) -> None:
        if isinstance(probe, ValueProbe):
            captured._heard.setdefault(probe, []).append(value.detach())

    with listening(dict.fromkeys(value_probes_of(model), listen)):
        yield captured

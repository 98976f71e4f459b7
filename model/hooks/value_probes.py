"""Probes for quantities of a paper's equations, beside the weights of attention."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch
from torch import Tensor, nn

from .capture import listening


class ValueProbe(nn.Module):
    """Identity module for one quantity `name` of an equation, labelled ``value-<name>``.

    Like `AttentionProbe` it has no parameters. Of several layers with a probe of the same name, the
    last one counts.

    Parameters
    ----------
    name : str
    one_call : str
        "step" if a decoder calls it once a target token, (B, ...); "queries" if one call holds all
        target tokens, (B, T_tgt, ...); "pass" if it holds the source, (B, T_src, ...), or a summary
        of it, (B, ...).
    parts : tuple of str
        Names of equal parts of the channels, labelled ``value-part-<name>``.
    """

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
    """Return all value probes of a model in the order of its modules."""
    return [module for module in model.modules() if isinstance(module, ValueProbe)]


class CapturedValues:
    """Tensors that passed through value probes inside the ``with``."""

    def __init__(self) -> None:
        self._tensors: dict[ValueProbe, list[Tensor]] = {}

    def arrays(self) -> dict[str, np.ndarray]:
        """Return float32 arrays (T, ...) by name, of the first sequence of the batch.

        Steps are stacked into rows; of other probes the last pass counts.
        """
        return {
            probe.name: (
                torch.stack([tensor[0] for tensor in tensors])
                if probe.one_call == "step"
                else tensors[-1][0]
            )
            .float()
            .cpu()
            .numpy()
            for probe, tensors in self._tensors.items()
        }


@contextmanager
def capture_values(model: nn.Module) -> Iterator[CapturedValues]:
    """Record the inputs of value probes in this thread's passes inside the ``with``."""
    captured = CapturedValues()

    def listen(probe: nn.Module, _inputs: tuple[Tensor, ...], value: Tensor) -> None:
        if isinstance(probe, ValueProbe):
            # Detached, so that a capture does not keep graphs alive.
            captured._tensors.setdefault(probe, []).append(value.detach())

    with listening(dict.fromkeys(value_probes_of(model), listen)):
        yield captured

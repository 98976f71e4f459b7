"""Probes for quantities of a paper's equations, beside the weights of attention."""

from __future__ import annotations

from torch import Tensor, nn


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

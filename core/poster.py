"""What is worth showing of a model on one sheet: a few heads, and why these."""

from __future__ import annotations

from dataclasses import dataclass

from .attention import AttentionMap, AttentionRecord
from .measurements import HeadRoles
from .measures import largest_weight, strongest_head
from .roles import LEAST, Tested, roles_of


@dataclass(frozen=True, eq=False)
class KeyHead:
    """A head, and the role that was measured of it over many texts; None where none was."""

    attention: AttentionMap
    layer: int
    head: int
    tested: Tested | None = None

    @property
    def largest(self) -> float:
        """The largest weight of a row of this map, averaged over the rows."""
        return float(largest_weight(self.attention)[self.layer, self.head])


def key_heads(record: AttentionRecord, measured: HeadRoles | None = None) -> tuple[KeyHead, ...]:
    """For each role that heads of the model have, in the order of `core.roles.LEAST`, the head with
    the highest value; where no roles were measured, the sharpest head of each map."""
    by_role: dict[str, tuple[float, KeyHead]] = {}
    for attention in record.maps:
        found = roles_of(measured, attention.kind) if measured else {}
        for (layer, head), role in found.items():
            if layer >= attention.n_layers or head >= attention.n_heads or role.name is None:
                continue
            value = role.best.value.value
            if role.name not in by_role or by_role[role.name][0] < value:
                by_role[role.name] = value, KeyHead(attention, layer, head, role.best)
    if by_role:
        return tuple(by_role[role][1] for role in LEAST if role in by_role)
    return tuple(KeyHead(each, *strongest_head(largest_weight(each))) for each in record.maps)

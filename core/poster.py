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
    best: dict[str, tuple[float, KeyHead]] = {}
    for attention in record.maps:
        roles = roles_of(measured, attention.kind) if measured else {}
        for (layer, head), role in roles.items():
            if layer >= attention.n_layers or head >= attention.n_heads or role.name is None:
                continue
            value = role.best.value.value
            if role.name not in best or best[role.name][0] < value:
                best[role.name] = value, KeyHead(attention, layer, head, role.best)
    if best:
        return tuple(best[role][1] for role in LEAST if role in best)
    return tuple(
        KeyHead(attention, *strongest_head(largest_weight(attention))) for attention in record.maps
    )

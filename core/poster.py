"""What is worth showing of a model on one sheet: a few heads, and why these."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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
    best: dict[str, KeyHead] = {}
    for attention in record.maps:
        roles = roles_of(measured, attention.kind) if measured else {}
        for head, role in roles.items():
            if role.name and np.less(head, attention.weights.shape[:2]).all():
                found = KeyHead(attention, *head, role.best)
                best[role.name] = max(best.get(role.name, found), found, key=_value)
    return tuple(best[role] for role in LEAST if role in best) or tuple(
        KeyHead(attention, *strongest_head(largest_weight(attention))) for attention in record.maps
    )


def _value(head: KeyHead) -> float:
    return head.tested.value.value if head.tested else 0.0

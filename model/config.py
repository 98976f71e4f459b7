"""The sizes of a Transformer, and a reader of `config.json` that names every fault at once."""

from __future__ import annotations

import dataclasses
import difflib
import math
from dataclasses import dataclass
from typing import Any

from words import Message

from .errors import CheckpointError

MAX_LEN = 10_000


@dataclass(frozen=True)
class TransformerConfig:
    """Sizes and special ids of a Transformer (names as in Vaswani et al. 2017, table 3).

    `max_len` is the longest source or target in tokens, special tokens included.
    """

    vocab_size: int
    d_model: int = 256
    n_heads: int = 8
    n_encoder_layers: int = 4
    n_decoder_layers: int = 2
    d_ff: int = 1024
    dropout: float = 0.1
    max_len: int = 160
    position_base: float = 10_000.0
    layer_norm_eps: float = 1e-5
    pad_id: int = 0
    unk_id: int = 1
    bos_id: int = 2
    eos_id: int = 3

    def faults(self) -> list[Message]:
        """Everything that is wrong with these sizes, one sentence each."""
        faults = []
        sizes = ("vocab_size", "d_model", "n_heads", "n_encoder_layers", "n_decoder_layers")
        for name in (*sizes, "d_ff", "max_len"):
            if getattr(self, name) < 1:
                faults.append(_fault("least", name, getattr(self, name), least=1))
        if self.max_len > MAX_LEN:
            faults.append(_fault("most", "max_len", self.max_len, most=MAX_LEN))
        if self.n_heads >= 1 and self.d_model % self.n_heads:
            sizes = {"d_model": self.d_model, "n_heads": self.n_heads}
            faults.append(Message.of("model-config-heads", **sizes))
        if self.d_model % 2:
            faults.append(Message.of("model-config-odd", d_model=self.d_model))
        if not 0.0 <= self.dropout < 1.0:
            faults.append(_fault("share", "dropout", self.dropout))
        if not 0 < self.layer_norm_eps < math.inf:
            faults.append(_fault("above", "layer_norm_eps", self.layer_norm_eps, least=0))
        if not 1 < self.position_base < math.inf:
            faults.append(_fault("above", "position_base", self.position_base, least=1))
        ids = {n: getattr(self, n) for n in ("pad_id", "unk_id", "bos_id", "eos_id")}
        for name, value in ids.items():
            if not 0 <= value < max(self.vocab_size, 1):
                faults.append(_fault("vocabulary", name, value, n=self.vocab_size))
        if len(set(ids.values())) < len(ids):
            faults.append(Message.of("model-config-special", ids=str(ids)))
        return faults

    @property
    def d_k(self) -> int:
        """Width of one head."""
        return self.d_model // self.n_heads


def config_from_dict(config_class: type, values: dict[str, Any], *, name: str = "config") -> Any:
    """Build a config from the entries of a JSON file.

    Raises
    ------
    CheckpointError : entries are unknown, missing, of the wrong type or out of range; the message
        lists every fault, and unknown entries near a known name suggest it.
    """
    fields = {f.name: f for f in dataclasses.fields(config_class)}
    faults = []
    for key in values:
        if key not in fields:
            near = difflib.get_close_matches(key, fields, n=1)
            faults.append(
                Message.of("model-config-unknown-near", entry=repr(key), near=repr(near[0]))
                if near
                else Message.of("model-config-unknown", entry=repr(key))
            )
    accepted = {}
    for key, f in fields.items():
        if key not in values:
            if f.default is dataclasses.MISSING:
                faults.append(Message.of("model-config-missing", entry=repr(key)))
            continue
        value = values[key]
        wanted = int if f.type in ("int", int) else float
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or (wanted is int and not isinstance(value, int)):
            faults.append(_fault("whole" if wanted is int else "number", repr(key), value))
        else:
            accepted[key] = wanted(value)
    if not faults:
        config = config_class(**accepted)
        faults = config.faults()
        if not faults:
            return config
    raise CheckpointError(
        Message.of("model-config-unfit", name=name, faults=tuple(faults)),
        hint=Message("model-checkpoint-same-run"),
    )


def _fault(expected: str, entry: str, value: Any, **values: int) -> Message:
    return Message.of(f"model-config-{expected}", entry=entry, value=repr(value), **values)

"""The sizes of a Transformer, and a reader of `config.json` that names every fault at once."""

from __future__ import annotations

import dataclasses
import difflib
import math
from dataclasses import dataclass
from typing import Any

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

    def faults(self) -> list[str]:
        """Everything that is wrong with these sizes, one sentence each."""
        faults = []
        sizes = ("vocab_size", "d_model", "n_heads", "n_encoder_layers", "n_decoder_layers")
        for name in (*sizes, "d_ff", "max_len"):
            if getattr(self, name) < 1:
                faults.append(f"{name} is {getattr(self, name)}, expected 1 or more")
        if self.max_len > MAX_LEN:
            faults.append(f"max_len is {self.max_len}, expected at most {MAX_LEN}")
        if self.n_heads >= 1 and self.d_model % self.n_heads:
            faults.append(f"d_model {self.d_model} is not a multiple of n_heads {self.n_heads}")
        if self.d_model % 2:
            faults.append(f"d_model {self.d_model} is odd; sine and cosine come in pairs")
        if not 0.0 <= self.dropout < 1.0:
            faults.append(f"dropout is {self.dropout}, expected 0 up to but not including 1")
        if not 0 < self.layer_norm_eps < math.inf:
            faults.append(f"layer_norm_eps is {self.layer_norm_eps}, expected more than 0")
        if not 1 < self.position_base < math.inf:
            faults.append(f"position_base is {self.position_base}, expected more than 1")
        ids = {n: getattr(self, n) for n in ("pad_id", "unk_id", "bos_id", "eos_id")}
        for name, value in ids.items():
            if not 0 <= value < max(self.vocab_size, 1):
                faults.append(f"{name} is {value}, outside the vocabulary of {self.vocab_size}")
        if len(set(ids.values())) < len(ids):
            faults.append(f"special ids must differ, found {ids}")
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
            suggestion = f" (did you mean {near[0]!r}?)" if near else ""
            faults.append(f"unknown entry {key!r}{suggestion}")
    accepted = {}
    for key, f in fields.items():
        if key not in values:
            if f.default is dataclasses.MISSING:
                faults.append(f"{key!r} is missing")
            continue
        value = values[key]
        wanted = int if f.type in ("int", int) else float
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or (wanted is int and not isinstance(value, int)):
            noun = "a whole number" if wanted is int else "a number"
            faults.append(f"{key!r} is {value!r}, expected {noun}")
        else:
            accepted[key] = wanted(value)
    if not faults:
        config = config_class(**accepted)
        faults = config.faults()
        if not faults:
            return config
    raise CheckpointError(
        f"{name} does not describe a model: " + "; ".join(faults),
        hint="Export config.json, model.safetensors and tokenizer.json from the same run.",
    )

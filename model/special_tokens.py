"""Spelling of the special tokens of vocabularies."""

from __future__ import annotations

from collections.abc import Mapping

PAD = "<pad>"
UNK = "<unk>"
BOS = "<s>"
EOS = "</s>"
SPECIAL: Mapping[str, str] = {"pad_id": PAD, "unk_id": UNK, "bos_id": BOS, "eos_id": EOS}
"""Special tokens of most families, by the entries of a config that hold their ids."""
SPECIAL_TOKENS = tuple(SPECIAL.values())
CLS = "[CLS]"
SEP = "[SEP]"
MASK = "[MASK]"
"""Tokens before and after a sentence of an encoder, and of a masked word (Devlin et al. 2019)."""

"""Recorded attention: tokens and weights from a file, in place of a model.

A file is NPZ (never unpickled) or a JSON object with the names of `NAMES`: those of this app, of
transformers, of BertViz and of `core.files.attention_npz`. Weights have the shape (layers, heads,
queries, keys), or (layers, 1, heads, queries, keys) as a batch of one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from core.card import CheckpointCard, fingerprint_of
from core.recorded import map_of_weights
from core.records.attention import AttentionMap, AttentionRecord
from core.records.head_weights import HeadWeights, StoredWeights
from core.records.runs import Reading
from core.records.sources import TokenSequence
from core.spelling import TokenSpelling

from ..families.base import Family
from .reader import Reader
from .recording_files import (
    ALONE,
    MOST_MB,
    NAMES,
    OUTPUT,
    SITES,
    SOURCE,
    TARGET,
    Entries,
    entries_of,
    opened,
    sites_of,
)
from .recording_sizes import refused


@dataclass(frozen=True)
class _NoConfig:
    """Empty config: a recording has no model."""


@dataclass(frozen=True)
class Precision:
    """Rounding of a site's weights by their storage."""

    site_id: str
    storage: str  # "float16" or "uint8"
    error: float  # largest difference to the weights that were rounded
    # "file" names the error, "opened" has measured it while reading, "bound" follows by arithmetic
    source: Literal["file", "opened", "bound"]


class Recording(Reader):
    """Recorded attention as a `Reader`: it can be looked at but not queried."""

    def __init__(
        self,
        name: str,
        fingerprint: str,
        record: AttentionRecord,
        parted: str = "",
        target_read: TokenSequence | None = None,
        precisions: Sequence[Precision] = (),
        digest: bytes = b"",
    ) -> None:
        self.record = record
        # SHA-256 of the file; the fingerprint is too short to tell files of strangers apart.
        self.digest = digest
        self.precisions = tuple(precisions)
        # Tokens that the decoder read, spelt as a text; None if the file names none.
        self.target_read = target_read
        self.sites = record.sites
        self.parted = parted  # label of the first token that is a part of a character
        # `Reader.__init__` needs a checkpoint, so its attributes are set here.
        self.model = None
        self.tokenizers = {}
        self.withdrawn = {}
        self.proofs = None
        self.family = Family("recording", _NoConfig, _NoConfig, vocabularies={}, special_tokens={})
        text = (record.src.text,)
        languages = ("", "")
        self.card = CheckpointCard(name, "recording", languages, 0, {}, fingerprint, examples=text)
        self.has_none = {"model": "model", "several-heads": "several-heads"}

    @property
    def capabilities(self) -> frozenset[str]:
        """Rollout, if every side attends to itself; anything else needs a model."""
        with_self_attention = {site.query for site in self.sites if site.is_self}
        sides = {side for site in self.sites for side in (site.query, site.key)}
        return frozenset({"rollout"} if sides <= with_self_attention else ())

    @property
    def n_bytes(self) -> int:
        """Bytes of the recorded weights, and of the results that large ones keep."""
        return sum(
            weights.nbytes + (weights.kept_bytes if isinstance(weights, HeadWeights) else 0)
            for weights in self._weights
        )

    @property
    def _weights(self) -> list[Any]:
        return [attention.weights for attention in self.record.maps]

    def drop_kept(self) -> None:
        """Drop the results that large weights keep; they are computed again when needed."""
        for weights in self._weights:
            if isinstance(weights, HeadWeights):
                weights.drop_kept()

    def renamed(self, name: str) -> Recording:
        """Return the same recording under another name; both share the weights."""
        return Recording(
            name,
            self.card.fingerprint,
            self.record,
            self.parted,
            self.target_read,
            self.precisions,
            self.digest,
        )

    @property
    def target(self) -> TokenSequence | None:
        """Tokens that the decoder wrote, or else those that it read; None if the file has none."""
        return self.record.tgt or self.target_read

    def tokenize(self, text: str) -> Any:
        """Return the recorded source, whatever `text` is."""
        return self.record.src

    def read(self, text: str) -> Reading:
        """Return the recorded attention, whatever `text` is."""
        return Reading(self.record.src, self.record, 0.0)


def read_recording(name: str, data: bytes) -> Recording:
    """Parse the content `data` of a file called `name`.

    Rows may sum to anything; their site is then not `normalised`. Up to `MOST_WHOLE` weights are
    kept as float32, more of them as `StoredWeights`, as are those in 8 or 16 bits. Raises
    InputError, naming the field, if the file is neither NPZ nor JSON, or damaged; if something is
    missing, larger than `MOST`, `MOST_WEIGHTS` or `MOST_MB`, of another shape than its tokens, or
    outside of 0 to 1. Declared sizes are verified before anything of that size is allocated.
    """
    if len(data) > MOST_MB * 2**20:
        raise refused("large", name, most=MOST_MB)
    entries = entries_of(name, data)
    sites = sites_of(entries)
    if not entries.keys() & sites:
        raise refused("nothing", name, names=", ".join((*SITES, ALONE)))
    if sites in ([ALONE], ["decoder"]):
        first = SITES.get(sites[0], (SOURCE, TARGET))
        read = src = next((id for id in (*first, SOURCE) if id in entries), SOURCE)
        maps = [_map(entries, sites[0], (read, read), {read: "source"})]
    else:
        src = SOURCE
        # Without output tokens the rows are no positions of a text that could be drawn.
        sides = {SOURCE: "source", TARGET: "target" if OUTPUT in entries else "read"}
        maps = [_map(entries, site, SITES[site], sides) for site in sites]
    names_outputs = any(site.output_tokens for site in maps)
    tgt = entries[OUTPUT][1].sequence if names_outputs else None
    record = AttentionRecord(entries[src][1].sequence, tgt, tuple(maps))
    spellings = [held for _, held in entries.values() if isinstance(held, TokenSpelling)]
    parted = next(filter(None, (spelling.parted for spelling in spellings)), "")
    read_tokens = entries[TARGET][1].sequence if TARGET in entries else None
    rounded = (
        _precision(built.site_id, entries[id][1]) for id, built in zip(sites, maps, strict=True)
    )
    precisions = [precision for precision in rounded if precision is not None]
    digest = hashlib.sha256(data).digest()
    return Recording(name, fingerprint_of(data), record, parted, read_tokens, precisions, digest)


def _precision(site_id: str, weights: Any) -> Precision | None:
    """Return the rounding of weights as they were read, None for float32."""
    if not isinstance(weights, StoredWeights):
        return None
    if weights.error is None:
        return Precision(site_id, weights.storage, weights.error_bound, "bound")
    source: Literal["file", "opened"] = "opened" if weights.rounded_here else "file"
    return Precision(site_id, weights.storage, weights.error, source)


def is_recording(path: Path) -> bool:
    """Return True if the file at `path` has attention weights by one of the names of `NAMES`.

    The weights of a model may lie in a file with the same ending.
    """
    names = {name for site in (*SITES, ALONE) for name in NAMES[site]}
    try:
        data = path.read_bytes() if path.stat().st_size <= MOST_MB * 2**20 else b""
        return not names.isdisjoint(opened("", data)[1])
    except Exception:  # readers of files raise anything on damaged ones
        return False


def _map(entries: Entries, id: str, ids: Sequence[str], sides: Mapping[str, str]) -> AttentionMap:
    """Build the map of entry `id` with the token lists `ids` of queries and keys."""
    field, weights = entries[id]
    tokens: list[Any] = []
    query, key = (sides[side] for side in ids)
    outputs = [OUTPUT] if query == "target" else []
    for side, n in zip((*ids, *outputs), (*weights.shape[2:], weights.shape[2]), strict=False):
        if side not in entries:
            raise refused("no-tokens", field, tokens=side)
        called, spelling = entries[side]
        labels = spelling.labels
        if len(labels) != n:
            raise refused("unlike", field, tokens=called, n=len(labels), expected=n)
        tokens.append(labels)
    name = None if id == ALONE else id
    return map_of_weights(name, weights, (query, key), *tokens)

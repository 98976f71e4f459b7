"""Word alignments from a head, a layer or a whole site, of a model or of a recording."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from core.alignment import (
    Links,
    MapMeasure,
    MapName,
    Row,
    Symmetrization,
    backward_links,
    forward_links,
    reversed_links,
    symmetrised,
)
from core.gold import rows_of, word_pieces, word_spans, word_weights
from core.records.attention import AttentionRecord, AttentionSite
from core.weights.groups import is_special
from words import Message

from ..errors import InputError
from ..readers.reader import Reader
from ..readers.recordings import Recording
from .contributions import contributions_of

HINT = Message("align-hint")


@dataclass(frozen=True)
class Aligner:
    """Reader with the map that links its words; checked when it is built.

    Parameters
    ----------
    reader : Translator or Recording
    name : MapName
        A head, or the mean of a layer or site.
    measure : {"weight", "norm", "alti"}
        Attention weights, norms of the weighted vectors (Kobayashi et al. 2020; those of a layer
        are of the sum over its heads), or shares of a layer's output (Ferrando et al. 2022).
    row : {"reads", "writes"}
        Row of a target word: the one that reads it, or the one that predicts it.

    Raises
    ------
    InputError
        If there is no such map, or the measure does not fit it.
    """

    reader: Reader
    name: MapName
    measure: MapMeasure = "weight"
    row: Row = "reads"

    def __post_init__(self) -> None:
        site = site_of(self.reader, self.name)
        for part, n in (("layer", site.n_layers), ("head", site.n_heads)):
            number = getattr(self.name, part)
            if number is not None and number >= n:
                values = {"name": str(self.name), "site": site.name, "n": n, "last": n - 1}
                raise InputError(Message.of(f"align-{part}", **values), hint=HINT)
        if self.measure == "weight":
            return
        if isinstance(self.reader, Recording):
            raise InputError(Message("recording-no-values"))
        whole_layer = self.name.layer is not None and self.name.head is None
        if self.measure == "alti" and not whole_layer:
            raise InputError(Message.of("align-alti", name=str(self.name), site=site.name))
        if self.name.layer is None:
            raise InputError(Message.of("align-norm", name=str(self.name), site=site.name))

    def word_map(self, source: str = "", target: str = "") -> np.ndarray:
        """Return the map by words, float64 (target words, source words + 1); the last is ``</s>``.

        Words are separated by spaces. A recording has its own pair.
        """
        if isinstance(self.reader, Recording):
            record = self.reader.record
            written = self.reader.target
        else:
            reader: Any = self.reader
            reader.need("teacher-forcing")
            record = reader.attend(source, target)
            written = record.tgt
        if written is None:
            raise InputError(Message("align-no-target"))
        src: Any = record.src
        words = word_pieces(written, word_spans(written.text))
        rows = rows_of(words, self.row)
        if record.tgt is None:
            # These tokens were read: the row of one is its own, and the row before predicts it.
            rows = tuple(
                tuple(piece - (self.row == "writes") for piece in word if piece) for word in words
            )
        columns = word_pieces(src, word_spans(src.text))
        special = np.flatnonzero(is_special(src.tokens)).tolist()
        return word_weights(self._weights(record), rows, columns, special)

    def _weights(self, record: AttentionRecord) -> np.ndarray:
        """Return the numbers of the chosen map, float64 (T_tgt, T_src)."""
        attention = record.of(self.name.site)
        layer = self.name.layer
        if self.measure == "weight":
            weights = attention.weights.astype(np.float64)
            chosen = weights if layer is None else weights[layer : layer + 1]
            if self.name.head is not None:
                chosen = chosen[:, self.name.head : self.name.head + 1]
            return chosen.mean(axis=(0, 1))
        contributions = next(
            of_site
            for of_site in contributions_of(self.reader, record)
            if of_site.site_id == self.name.site
        )
        if self.measure == "alti":
            # The column behind the source is the share of the residual stream.
            return contributions.shares[layer, :, : attention.weights.shape[-1]]
        if self.name.head is None:
            return contributions.summed_norms[layer]
        return contributions.norms[layer, self.name.head]


def align(
    aligner: Aligner,
    source: str = "",
    target: str = "",
    *,
    symmetrize: Symmetrization = "forward",
    reverse: Aligner | None = None,
) -> Links:
    """Link the words of a pair, which are separated by spaces and counted from 0.

    Parameters
    ----------
    aligner : Aligner
    source, target : str
        Not needed for a recording.
    symmetrize : Symmetrization
    reverse : Aligner, optional
        Model of the other direction, which links each source word; by default the columns of the
        same map do.

    Raises
    ------
    InputError
        If a text is empty or longer than a model takes.
    """
    by_words = aligner.word_map(source, target)
    if reverse is None:
        backward = backward_links(by_words)
    elif symmetrize == "forward":
        backward = frozenset()
    else:
        backward = reversed_links(forward_links(reverse.word_map(target, source)))
    return symmetrised(forward_links(by_words), backward, symmetrize)


def site_of(reader: Reader, name: MapName) -> AttentionSite:
    """Return the site that `name` names; raises InputError unless it links target to source."""
    sites = {site.name: site for site in reader.sites if not site.is_self and site.key == "source"}
    if name.site not in sites:
        message = Message.of(
            "align-site", name=str(name), site=name.site, known=", ".join(sites), n=len(sites)
        )
        raise InputError(message, hint=HINT)
    return sites[name.site]


def read_map_name(text: str) -> MapName:
    """Read the name of a map; raises InputError if it is none."""
    try:
        return MapName.read(text)
    except ValueError as error:
        raise InputError(Message.of("align-name", name=text[:40]), hint=HINT) from error

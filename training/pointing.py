"""Where attention points: the share of linked words whose largest weight lies on the right one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from analysis.pointing import chance, pointed_at, words_at
from analysis.transform import Groups, word_groups
from model.capture import capture_attention
from model.read import read_ids, tensor_of
from model.tokenizer import TextTokenizer
from records import CROSS, TokenSequence

from .rounding import number, wilson
from .word_links import WordLink


@dataclass(frozen=True)
class Linked:
    """A pair in pieces: for each link the rows that write its target word, and which of
    the source's words are right."""

    src: TokenSequence
    tgt: TokenSequence
    words: Groups
    links: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]


def linked(source: str, target: str, links: Iterable[WordLink], tokenizer: TextTokenizer) -> Linked:
    """A pair cut into pieces, with the links between words of its two texts."""
    src, tgt = tokenizer.encode(source), tokenizer.encode(target)
    words = word_groups(src)
    found = tuple(
        (tgt.pieces_at(*link.target), words_at(src.pieces_at(*link.source), words))
        for link in links
    )
    return Linked(src, tgt, words, found)


def uniform_shares(pair: Linked) -> list[float]:
    """What uniform attention would give the right word of each link."""
    return [
        chance([piece for word in right for piece in pair.words[word]], len(pair.src))
        for _, right in pair.links
    ]


@torch.inference_mode()
def maps_of(model: nn.Module, pair: Linked) -> np.ndarray:
    """Cross-attention (L, H, T_tgt, T_src) while the target is read."""
    with capture_attention(model) as captured:
        model(
            tensor_of(model, pair.src.ids), tensor_of(model, read_ids(model.config, pair.tgt.ids))
        )
    return captured.weights(CROSS.name)[0]


def right_maps(model: nn.Module, pair: Linked) -> np.ndarray:
    """For each link whether each map points at the right word: bool (links, L, H)."""
    weights = maps_of(model, pair)
    found = [np.isin(pointed_at(weights, rows, pair.words), right) for rows, right in pair.links]
    return np.array(found, dtype=bool).reshape(-1, *weights.shape[:2])


def of_maps(right: Sequence[np.ndarray], choosing: Sequence[np.ndarray]) -> dict[str, Any]:
    """Shares right by map, and that of the map which is right most often on other pairs.

    `right`, `choosing`: of each pair, bool (links, L, H) as `right_maps` gives them.
    """
    every = np.concatenate(right)
    chosen = np.concatenate(choosing).mean(axis=0)
    layer, head = map(int, np.unravel_index(chosen.argmax(), chosen.shape))
    best = share(int(every[:, layer, head].sum()), len(every))
    return {
        "map": {"layer": layer, "head": head} | best,
        "maps": np.round(every.mean(axis=0), 3).tolist(),
    }


def majority(answers: Sequence[str]) -> dict[str, Any]:
    """The answer that is right most often, and the share of whoever always gives it."""
    answer, k = Counter(answers).most_common(1)[0] if answers else ("", float("nan"))
    return {"answer": answer, "value": number(k / max(len(answers), 1))}


def share(k: int, n: int) -> dict[str, Any]:
    """A share with its Wilson interval."""
    low, high = wilson(k, n)
    return {"value": number(k / n), "low": number(low), "high": number(high)}

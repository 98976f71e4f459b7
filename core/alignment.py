"""Word alignments read from attention maps, joined over two directions, in the Pharaoh format.

A map links each target word to the source word with the largest weight (`forward_links`) and each
source word to the target word with the largest weight (`backward_links`). `symmetrised` joins two
sets of links by the heuristics of Och and Ney (2003) and Koehn et al. (2003).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pandas as pd

from .gold import Gold, Link, linked_words
from .weights.tables import array_table

Links = frozenset[Link]
"""Pairs of source word and target word, from 0."""
Symmetrization = Literal[
    "forward",
    "backward",
    "intersect",
    "union",
    "grow-diag",
    "grow-diag-final",
    "grow-diag-final-and",
]
SYMMETRIZATIONS: tuple[Symmetrization, ...] = get_args(Symmetrization)
"""Ways of joining two directions; the first two take one of them alone."""
MapMeasure = Literal["weight", "norm", "alti"]
"""Numbers of a map: attention weights, norms of the weighted vectors, or shares of ALTI."""
Row = Literal["reads", "writes"]
"""Row of a target word: the one that reads it (AWI), or the one that predicts it (AWO)."""
_MAP_NAME = re.compile(r"([a-z][a-z-]*)(?:\.(\d{1,4})(?:\.(\d{1,4}))?)?", re.ASCII)
# In the order of Koehn et al. 2003, which decides between neighbours that compete for a word.
_NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


@dataclass(frozen=True)
class MapName:
    """Name of a map: one head, or the mean of a layer or of a whole site; numbers from 0."""

    site: str
    layer: int | None = None
    head: int | None = None

    @classmethod
    def read(cls, text: str) -> MapName:
        """Read "cross", "cross.1" or "cross.1.8"; raises ValueError for anything else.

        >>> MapName.read("cross.1.8")
        MapName(site='cross', layer=1, head=8)
        """
        match = _MAP_NAME.fullmatch(text)
        if match is None:
            raise ValueError(f"expected a name such as cross.1.8, found {text!r}")
        site, *numbers = match.groups()
        return cls(site, *(None if number is None else int(number) for number in numbers))

    def __str__(self) -> str:
        numbers = (self.layer, self.head)
        return ".".join([self.site, *(str(number) for number in numbers if number is not None)])


def forward_links(by_words: np.ndarray) -> Links:
    """Return the link of each target word, by the largest weight of its row.

    `by_words` (target words, source words + 1) comes from `core.gold.word_weights`. A word whose
    largest weight is on ``</s>`` has no link.
    """
    linked = linked_words(by_words)
    return frozenset((int(source), target) for target, source in enumerate(linked) if source >= 0)


def backward_links(by_words: np.ndarray) -> Links:
    """Return the link of each source word, by the largest weight of its column.

    A word without any weight has no link. `by_words`: as for `forward_links`.
    """
    # The last column is ``</s>``, which is no word.
    columns = by_words[:, :-1]
    # `argmax` refuses an axis of length 0.
    if not columns.size:
        return frozenset()
    best = columns.argmax(axis=0)
    return frozenset(
        (source, int(best[source])) for source in np.flatnonzero(columns.max(axis=0) > 0).tolist()
    )


def symmetrised(forward: Set[Link], backward: Set[Link], method: Symmetrization) -> Links:
    """Join the links of two directions.

    ``intersect``, ``union``
        Links of both directions, or of either.
    ``grow-diag``
        The intersection, grown by links of the union that touch one of its links, also diagonally,
        while their source word or their target word has no link.
    ``grow-diag-final``
        After that, every link of either direction whose source word or target word has none.
    ``grow-diag-final-and``
        After growing, every link of either direction whose words both have none.

    Raises ValueError for another `method`.
    """
    both = frozenset(forward & backward)
    either = frozenset(forward | backward)
    simple = {
        "forward": frozenset(forward),
        "backward": frozenset(backward),
        "intersect": both,
        "union": either,
    }
    if method in simple:
        return simple[method]
    if method not in SYMMETRIZATIONS:
        raise ValueError(f"method is {method!r}, expected one of {', '.join(SYMMETRIZATIONS)}")
    grown = _Grown(both)
    grown.grow(either)
    if method != "grow-diag":
        needed = all if method == "grow-diag-final-and" else any
        # One after the other: the second direction finds the words that the first has linked.
        for direction in (forward, backward):
            grown.add_free(sorted(direction), needed)
    return frozenset(grown.links)


class _Grown:
    """Links as they grow, with the source words and target words that have one."""

    def __init__(self, links: Iterable[Link]) -> None:
        self.links = set(links)
        self.sources = {source for source, _ in self.links}
        self.targets = {target for _, target in self.links}

    def grow(self, either: Set[Link]) -> None:
        """Add neighbours of links while they are in `either` and link a word without a link."""
        # Until nothing is added any more, because each new link has neighbours as well.
        n_before = -1
        while n_before < len(self.links):
            n_before = len(self.links)
            # A set has no order, and of two links that compete for a word the first one wins.
            for link in sorted(self.links):
                self.add_free((near for near in _near(link) if near in either), any)

    def add_free(self, links: Iterable[Link], needed: Callable[[Iterable[bool]], bool]) -> None:
        """Add the links with `needed` (any or all) of their words without a link so far."""
        for source, target in links:
            if needed((source not in self.sources, target not in self.targets)):
                self.links.add((source, target))
                self.sources.add(source)
                self.targets.add(target)


def _near(link: Link) -> Iterator[Link]:
    """Yield the eight neighbours of a link."""
    for down, across in _NEIGHBOURS:
        yield link[0] + down, link[1] + across


def reversed_links(links: Iterable[Link]) -> Links:
    """Return the links with source and target exchanged."""
    return frozenset((target, source) for source, target in links)


def pharaoh(links: Iterable[Link]) -> str:
    """Write links as "0-0 2-1": source word and target word from 0, in the order of the source.

    >>> pharaoh({(2, 1), (0, 0)})
    '0-0 2-1'
    """
    return " ".join(f"{source}-{target}" for source, target in sorted(links))


def link_counts(links: Set[Link], gold: Gold) -> np.ndarray:
    """Count |A and S|, |A and P|, |A| and |S| of links A, int (4,); they add up over pairs.

    `core.gold.error_rate`, `precision` and `recall` take the sums.
    """
    return np.array(
        [len(links & gold.sure), len(links & gold.possible), len(links), len(gold.sure)]
    )


def link_cells(
    links: Set[Link], gold: Gold | None, target: Sequence[str], source: Sequence[str]
) -> pd.DataFrame:
    """Return one row for each pair of words, by the labels of `target` and `source`.

    Columns q, k (from 0), query and key (their labels), linked (1 if the links join the words,
    else 0) and gold ("sure", "possible" or "").
    """
    shape = len(target), len(source)
    linked = Gold.of(links).matrices(*shape)[0]
    cells = array_table(linked.astype(int), "q", "k").rename(columns={"value": "linked"})
    sure, possible = (Gold.of(()) if gold is None else gold).matrices(*shape)
    return cells.assign(
        query=np.array(target, object)[cells["q"]],
        key=np.array(source, object)[cells["k"]],
        gold=np.where(sure, "sure", np.where(possible, "possible", "")).ravel(),
    )

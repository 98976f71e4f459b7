"""Documents judged by which words are in them: what a network of attention must be held against."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from .corpus import BETWEEN, Pair

FEWEST = 2
"""Documents that a word must be in to count."""
POSITIVE = "pos"
DECAY = 0.01
"""How much large weights cost (L2), as a share of a document's loss."""
_WORD = re.compile(r"\w+(?:['-]\w+)*|[^\w\s]")


@dataclass(frozen=True)
class BagOfWords:
    """Logistic regression over the presence of words (Pang, Lee and Vaithyanathan 2002), each
    document's row brought to length one."""

    columns: dict[str, int]
    weights: np.ndarray
    bias: float

    def right(self, pairs: Sequence[Pair]) -> np.ndarray:
        """Whether each document is judged rightly, bool (n,)."""
        scores = _rows(pairs, self.columns) @ self.weights + self.bias
        return (scores > 0) == np.array([pair.target == POSITIVE for pair in pairs])


def words_of(pair: Pair) -> list[str]:
    return _WORD.findall(pair.source.replace(BETWEEN, " ").lower())


def fit(pairs: Sequence[Pair]) -> BagOfWords:
    """The weights with the least loss on these documents."""
    counts = Counter(word for pair in pairs for word in set(words_of(pair)))
    kept = [word for word, count in counts.items() if count >= FEWEST]
    columns = {word: column for column, word in enumerate(kept)}
    rows = _rows(pairs, columns)
    signs = np.where([pair.target == POSITIVE for pair in pairs], 1.0, -1.0)

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        weights, bias = theta[:-1], theta[-1]
        margins = signs * (rows @ weights + bias)
        # log(1 + exp(-margin)) and its slope, sound for large margins on either side.
        slopes = -signs * np.exp(-np.logaddexp(0, margins)) / len(signs)
        total = np.logaddexp(0, -margins).mean() + DECAY * weights @ weights / (2 * len(signs))
        gradient = rows.T @ slopes + DECAY * weights / len(signs)
        return total, np.append(gradient, slopes.sum())

    theta = minimize(loss, np.zeros(len(kept) + 1), jac=True, method="L-BFGS-B").x
    return BagOfWords(columns, theta[:-1], float(theta[-1]))


def folded(pairs: Sequence[Pair], folds: int) -> np.ndarray:
    """Whether each document is judged rightly by what was learnt from the other folds."""
    order = np.random.default_rng(0).permutation(len(pairs))
    right = np.zeros(len(pairs), bool)
    for fold in range(folds):
        held = order[fold::folds]
        model = fit([pairs[i] for i in np.setdiff1d(order, held)])
        right[held] = model.right([pairs[i] for i in held])
    return right


def _rows(pairs: Sequence[Pair], columns: dict[str, int]) -> csr_matrix:
    """Presence of words, (documents, words), each row of length one."""
    indices, starts = [], [0]
    for pair in pairs:
        indices += sorted({columns[word] for word in words_of(pair) if word in columns})
        starts.append(len(indices))
    sizes = np.diff(starts)
    values = np.repeat(1 / np.sqrt(np.maximum(sizes, 1)), sizes)
    return csr_matrix((values, indices, starts), shape=(len(pairs), len(columns)))

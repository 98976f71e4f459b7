"""Bag-of-words document classifier: the baseline that an attention network has to beat."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from training.corpora.text_pairs import BETWEEN, TextPair

FEWEST = 2
"""Least number of documents that must contain a word."""
POSITIVE = "pos"
DECAY = 0.01
"""Weight of the L2 penalty, relative to the loss of one document."""
_WORD = re.compile(r"\w+(?:['-]\w+)*|[^\w\s]")


@dataclass(frozen=True)
class BagOfWords:
    """Logistic regression over the presence of words (Pang, Lee and Vaithyanathan 2002).

    The row of each document is scaled to length one.
    """

    columns: dict[str, int]
    weights: np.ndarray
    bias: float

    def right(self, pairs: Sequence[TextPair]) -> np.ndarray:
        """Return for each document whether it is classified correctly, bool (n,)."""
        scores = _rows(pairs, self.columns) @ self.weights + self.bias
        return (scores > 0) == np.array([pair.target == POSITIVE for pair in pairs])


def words_of(pair: TextPair) -> list[str]:
    return _WORD.findall(pair.source.replace(BETWEEN, " ").lower())


def fit(pairs: Sequence[TextPair]) -> BagOfWords:
    """Return the classifier with the least penalised loss on `pairs`."""
    counts = Counter(word for pair in pairs for word in set(words_of(pair)))
    kept = [word for word, count in counts.items() if count >= FEWEST]
    columns = {word: column for column, word in enumerate(kept)}
    rows = _rows(pairs, columns)
    signs = np.where([pair.target == POSITIVE for pair in pairs], 1.0, -1.0)

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        weights = theta[:-1]
        bias = theta[-1]
        margins = signs * (rows @ weights + bias)
        # log(1 + exp(-margin)) and its slope by logaddexp, which does not overflow for large
        # margins of either sign.
        slopes = -signs * np.exp(-np.logaddexp(0, margins)) / len(signs)
        total = np.logaddexp(0, -margins).mean() + DECAY * weights @ weights / (2 * len(signs))
        gradient = rows.T @ slopes + DECAY * weights / len(signs)
        return total, np.append(gradient, slopes.sum())

    # The loss is convex: from any start there is one minimum to find.
    theta = minimize(loss, np.zeros(len(kept) + 1), jac=True, method="L-BFGS-B").x
    return BagOfWords(columns, theta[:-1], float(theta[-1]))


def folded(pairs: Sequence[TextPair], folds: int) -> np.ndarray:
    """Return by cross-validation whether each document is classified correctly, bool (n,)."""
    # A fixed seed: the same folds for every system that is compared.
    order = np.random.default_rng(0).permutation(len(pairs))
    right = np.zeros(len(pairs), bool)
    for fold in range(folds):
        held = order[fold::folds]
        model = fit([pairs[i] for i in np.setdiff1d(order, held)])
        right[held] = model.right([pairs[i] for i in held])
    return right


def _rows(pairs: Sequence[TextPair], columns: dict[str, int]) -> csr_matrix:
    """Return the presence of words, sparse (documents, words), each row of length one."""
    indices: list[int] = []
    starts = [0]
    for pair in pairs:
        indices += sorted({columns[word] for word in words_of(pair) if word in columns})
        starts.append(len(indices))
    sizes = np.diff(starts)
    # 1 / sqrt(number of words); documents without a known word have an empty row.
    values = np.repeat(1 / np.sqrt(np.maximum(sizes, 1)), sizes)
    return csr_matrix((values, indices, starts), shape=(len(pairs), len(columns)))

"""Hypotheses of a search as a table, and their order under length penalties."""

from __future__ import annotations

import math
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import combinations, takewhile

import numpy as np
import pandas as pd

from .search import PENALTIES, BeamNode, BeamTree, Hypothesis, PenaltyKind
from .tokens import SPACE, visible


def outputs_table(hypotheses: Sequence[Hypothesis]) -> pd.DataFrame:
    """Return hypotheses with their numbers, one row each, in the order given.

    Columns text, tokens (as the vocabulary spells them), log_prob (natural, summed), length
    (tokens, ``</s>`` included), penalty (divisor of log_prob), score, finished.
    """
    sums, scores = (
        np.array([getattr(hypothesis, name) for hypothesis in hypotheses], dtype=np.float64)
        for name in ("cum_log_prob", "score")
    )
    return pd.DataFrame(
        {
            "text": [hypothesis_text(hypothesis) for hypothesis in hypotheses],
            "tokens": [hypothesis.tokens for hypothesis in hypotheses],
            "log_prob": sums,
            "length": [len(hypothesis.ids) for hypothesis in hypotheses],
            "penalty": penalties_of(sums, scores),
            "score": scores,
            "finished": [hypothesis.finished for hypothesis in hypotheses],
        }
    )


def hypotheses_table(tree: BeamTree) -> pd.DataFrame:
    """Return the `outputs_table` of `BeamTree.hypotheses`, best first, as the search scored them.

    It begins with the columns rank (from 1) and node (id of the last token).
    """
    hypotheses = tree.hypotheses()
    lines = outputs_table(hypotheses)
    lines.insert(0, "node", [hypothesis.node for hypothesis in hypotheses])
    lines.insert(0, "rank", np.arange(1, len(hypotheses) + 1))
    return lines


def hypothesis_text(hypothesis: Hypothesis) -> str:
    """Join the pieces to one text, without the ``</s>`` that ends a finished hypothesis."""
    return spelt(hypothesis.tokens[:-1] if hypothesis.finished else hypothesis.tokens)


def spelt(tokens: Sequence[str]) -> str:
    """Join pieces to text."""
    return "".join(tokens).replace(SPACE, " ").strip()


def rerank(tree: BeamTree, alpha: float, penalty: PenaltyKind) -> pd.DataFrame:
    """Return `hypotheses_table` with the scores of another penalty, best first.

    Nothing is searched again: another search might finish other hypotheses. The column was holds
    the former rank.

    Raises
    ------
    ValueError : `penalty` is unknown.
    """
    frame = hypotheses_table(tree)
    frame["was"] = frame["rank"]
    frame["penalty"] = [length_penalty(length, alpha, penalty) for length in frame["length"]]
    frame["score"] = frame["log_prob"] / frame["penalty"]
    # Of equal scores the older node wins, as in the search.
    frame = frame.sort_values(["score", "node"], ascending=[False, True], ignore_index=True)
    frame["rank"] = np.arange(1, len(frame) + 1)
    return frame


def score_crossings(
    frame: pd.DataFrame, lowest: float, highest: float, penalty: PenaltyKind
) -> pd.DataFrame:
    """Return the crossings of scores as alpha grows from `lowest` to `highest`.

    Two scores P / b ** alpha are equal at alpha = log(P_1 / P_2) / log(b_1 / b_2), with b the
    length or (5 + length) / 6. `frame`: from `hypotheses_table` or `rerank`. Columns alpha, score,
    winner and loser (ids of their nodes: the winner is ahead beyond this alpha), leads (True if the
    best score of all changes hands), in order of alpha.
    """
    bases = [penalty_base(length, penalty) for length in frame["length"]]
    lines = list(zip(frame["node"], frame["log_prob"], bases, strict=True))
    crossings = []
    pairs = combinations(lines, 2)
    for (first, first_sum, first_base), (second, second_sum, second_base) in pairs:
        # Equal lengths never cross; a score of minus infinity stays last.
        if first_base == second_base or not -math.inf < min(first_sum, second_sum):
            continue
        # A log-probability of 0 has no logarithm, and dividing it changes nothing.
        if max(first_sum, second_sum) >= 0:
            continue
        alpha = math.log(first_sum / second_sum) / math.log(first_base / second_base)
        if lowest <= alpha <= highest:
            # The larger the base, the faster its negative score rises to 0.
            winner, loser = (first, second) if first_base > second_base else (second, first)
            score = first_sum / first_base**alpha
            best = max(total / base**alpha for _, total, base in lines)
            crossings.append((alpha, score, winner, loser, math.isclose(score, best)))
    return pd.DataFrame(sorted(crossings), columns=["alpha", "score", "winner", "loser", "leads"])


def score_table(
    ranked: pd.DataFrame, crossings: pd.DataFrame, alphas: Sequence[float], penalty: PenaltyKind
) -> pd.DataFrame:
    """Return the finite scores of hypotheses at rising alphas, in reverse order of `rerank`.

    Columns node, log_prob, length, base (score is log_prob / base ** alpha), alpha, score, leads
    (True for a hypothesis that is the best at some alpha).
    """
    # The best hypothesis comes last, so that its line is drawn over the others.
    lines = ranked.loc[::-1, ["node", "log_prob", "length"]]
    lines["base"] = [penalty_base(length, penalty) for length in lines["length"]]
    lines = lines.merge(pd.DataFrame({"alpha": alphas}), how="cross")
    lines["score"] = lines["log_prob"] / lines["base"] ** lines["alpha"]
    lowest = lines[lines["alpha"] == alphas[0]]
    # The leader at the lowest alpha has won no crossing and would be missing.
    first = lowest.sort_values(["score", "node"], ascending=[False, True])["node"].iloc[0]
    lines["leads"] = lines["node"].isin([first, *crossings.loc[crossings["leads"], "winner"]])
    return lines[np.isfinite(lines["score"])]


def differing(text: str, first: str) -> str:
    """Return `text` from the first word that differs from `first`."""
    words = text.split(" ")
    pairs = zip(words, first.split(" "), strict=False)
    same = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    rest = visible(" ".join(words[same:]))
    return f"… {rest}" if same and rest else visible(text)


def changed_words(text: str, reference: str) -> list[tuple[str, bool]]:
    """Return the words of `text`, each with True if it is not that of `reference` in their order.

    An empty word, with True, stands where `text` only lacks words of `reference`.

    >>> changed_words("a dog runs", "a cat runs")
    [('a', False), ('dog', True), ('runs', False)]
    >>> changed_words("a dog", "a big dog")
    [('a', False), ('', True), ('dog', False)]
    """
    words = text.split()
    # Without autojunk, which would ignore frequent words of long outputs.
    matcher = SequenceMatcher(None, reference.split(), words, autojunk=False)
    changed = []
    for operation, _, _, start, end in matcher.get_opcodes():
        part = [""] if operation == "delete" else words[start:end]
        changed += [(word, operation != "equal") for word in part]
    return changed


def penalties_of(sums: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Return the divisor of each sum that gives its score; 1 if either is zero or not finite."""
    divisible = (scores != 0) & np.isfinite(scores) & np.isfinite(sums)
    return np.where(divisible, sums / np.where(divisible, scores, 1.0), 1.0)


def is_forced(tree: BeamTree, node: BeamNode) -> bool:
    """Return True if the reader, not the search, chose this token."""
    # Forced tokens are the first nodes after the root, one a step.
    return 1 <= node.id <= len(tree.prefix)


def only_here(tree: BeamTree, other: BeamTree | None) -> np.ndarray:
    """Return True for nodes whose path of tokens the other tree lacks; bool (n_nodes,)."""
    if other is None:
        return np.zeros(len(tree.nodes), bool)
    there = set(_paths(other))
    return np.array([path not in there for path in _paths(tree)])


def _paths(tree: BeamTree) -> list[tuple[int, ...]]:
    """Return the token ids from the root to each node."""
    paths: list[tuple[int, ...]] = []
    for node in tree.nodes:  # parents come first
        before = () if node.parent is None else paths[node.parent]
        paths.append((*before, node.token_id))
    return paths


def length_penalty(length: int, alpha: float, penalty: PenaltyKind = "wu") -> float:
    """Return the length penalty: the divisor of the log-probability of `length` tokens.

    Parameters
    ----------
    length : int
        Produced tokens, ``</s>`` included.
    alpha : float
        Exponent; 0 switches the penalty off.
    penalty : {"wu", "length", "none"}
        ((5 + length) / 6) ** alpha (Wu et al. 2016, eq. 14), length ** alpha (alpha 1 gives the
        mean per token), or 1.

    Raises
    ------
    ValueError : `penalty` is unknown.
    """
    return penalty_base(length, penalty) ** alpha


def penalty_base(length: int, penalty: PenaltyKind) -> float:
    """Return the base of the penalty, whose power alpha it is.

    Raises
    ------
    ValueError : `penalty` is unknown.
    """
    if penalty == "wu":
        return (5.0 + length) / 6.0
    if penalty == "length":
        return float(length)
    if penalty == "none":
        return 1.0
    raise ValueError(f"no length penalty {penalty!r}, expected one of {', '.join(PENALTIES)}")

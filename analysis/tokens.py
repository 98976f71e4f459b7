"""Tokens with their probabilities, a line each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from .labels import token_label, token_labels


def candidate_lines(
    tokens: Sequence[str], log_probs: Sequence[float], token_ids: Sequence[int]
) -> pd.DataFrame:
    """One line a token that could come next, in the order given.

    Columns place (from 0), label, token (a longer label), token_id, probability, log_prob (natural)
    and rank (from 1). Raises ValueError: the three sequences differ in length or are empty.
    """
    if not len(tokens) == len(log_probs) == len(token_ids) or not len(tokens):
        raise ValueError(
            f"expected as many log_probs and token_ids as tokens, and one at least; found "
            f"{len(tokens)}, {len(log_probs)} and {len(token_ids)}"
        )
    lines, logs = _lines(tokens), np.asarray(log_probs, dtype=np.float64)
    ids = np.asarray(token_ids, np.int32)
    numbers = {"probability": np.exp(logs), "log_prob": logs, "rank": lines.index + 1}
    return lines.assign(token_id=ids, **numbers)


def log_prob_lines(tokens: Sequence[str], log_probs: Sequence[float]) -> pd.DataFrame:
    """One line a token: place (from 0), label, token, log_prob and sum (of all so far).

    Raises ValueError: the two differ in length.
    """
    if len(tokens) != len(log_probs):
        raise ValueError(f"{len(log_probs)} log-probabilities for {len(tokens)} tokens")
    logs = np.asarray(log_probs, dtype=np.float64)
    return _lines(tokens).assign(log_prob=logs, sum=np.cumsum(logs))


def _lines(tokens: Sequence[str]) -> pd.DataFrame:
    place = np.arange(len(tokens), dtype=np.int32)
    whole = [token_label(token, max_length=48) for token in tokens]
    return pd.DataFrame({"place": place, "label": token_labels(tokens), "token": whole})

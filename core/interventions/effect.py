"""Effect of an intervention: the attention weight it moved, and the tokens it made less likely."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..records.attention import AttentionRecord, Head
from ..records.search import Candidate
from ..records.tokens import distinct_labels, token_label, token_lines
from ..weights.measures import moved, moved_rows, strongest_head


def most_moved_head(
    before: AttentionRecord, after: AttentionRecord, site: str | None = None
) -> tuple[Head, float]:
    """Return the head in which most weight `moved`, and how much, at one site or at all.

    Both records are of the same tokens. If nothing moved it is the first head of the last site.

    Raises
    ------
    ValueError : the record has no map of `site`.
    """
    best: tuple[Head, float] | None = None
    # Reversed, so that ties go to the last site: the cross-attention of a Transformer.
    for attention in reversed(before.maps):
        if site not in (None, attention.site_id):
            continue
        per_head = moved(after.of(attention.site_id).weights - attention.weights)
        head = strongest_head(per_head)
        amount = float(per_head[head])
        if best is None or amount > best[1]:
            best = (attention.site_id, *head), amount
    if best is None:
        raise ValueError(f"no attention at {site!r}")
    return best


def telling_position(
    ids: Sequence[int], other_ids: Sequence[int], change: np.ndarray
) -> tuple[int, str]:
    """Return the position of an output to look at after a change, and why.

    `ids`, `other_ids`: the output without the change and with it. `change`: (T_tgt,) change of the
    log-probability of each token of the first. Returns the first position where the outputs differ,
    and "difference"; if the second only continues the first, the position that lost most, and
    "drop".
    """
    for position, token_id in enumerate(ids):
        if position >= len(other_ids) or other_ids[position] != token_id:
            return position, "difference"
    return int(np.argmin(change)), "drop"


def log_prob_changes(
    tokens: Sequence[str], before: Sequence[float] | np.ndarray, after: Sequence[float] | np.ndarray
) -> pd.DataFrame:
    """Return one row a token: place (from 0), label, token, before, after (natural log p), change.

    Raises
    ------
    ValueError : the three arguments differ in length.
    """
    if not len(tokens) == len(before) == len(after):
        lengths = f"{len(before)} log-probabilities before and {len(after)} after"
        raise ValueError(f"{len(tokens)} tokens, but {lengths}")
    frame = token_lines(tokens).assign(label=distinct_labels(tokens))
    frame["before"], frame["after"] = (np.asarray(side, np.float64) for side in (before, after))
    return frame.assign(change=frame["after"] - frame["before"])


def next_tokens(
    before: Sequence[Candidate], after: Sequence[Candidate], count: int = 8
) -> pd.DataFrame:
    """Return the `count` likeliest tokens of either side, by the better of their probabilities.

    Columns place (from 0), token_id, token, label, and of the candidates before and after, which
    come likeliest first: before, after (probabilities), log_before, log_after, rank_before,
    rank_after (from 1).

    Raises
    ------
    KeyError : a token of one side is missing on the other.
    """
    sides = [{candidate.token_id: candidate for candidate in side} for side in (before, after)]
    every = dict.fromkeys(c.token_id for side in (before, after) for c in side[:count])
    ids = sorted(every, key=lambda token: -max(side[token].log_prob for side in sides))
    first, second = ([side[token] for token in ids] for side in sides)
    log_before, log_after = ([c.log_prob for c in side] for side in (first, second))
    lines = token_lines([candidate.token for candidate in first])
    return lines.assign(
        token_id=ids,
        before=np.exp(log_before),
        after=np.exp(log_after),
        log_before=log_before,
        log_after=log_after,
        rank_before=[candidate.rank + 1 for candidate in first],
        rank_after=[candidate.rank + 1 for candidate in second],
    )


def moved_facts(before: np.ndarray, after: np.ndarray, rows: Sequence[str]) -> dict[str, Any]:
    """Return how much of a row's weight moved, on average and at most, and in which row.

    `before`, `after`: weights (T_q, T_k) of one head. `rows`: its query tokens. The row counts from
    1, and is 0 if nothing moved.
    """
    per_row = moved_rows(after - before)
    most = int(per_row.argmax())
    facts = {"mean": per_row.mean(), "most": per_row[most], "token": token_label(rows[most])}
    return {**facts, "row": most + 1 if per_row[most] > 0 else 0}

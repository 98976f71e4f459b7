"""What a change of the model's run moved: weight, and the tokens it made less likely."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from .attention import AttentionRecord, Head
from .measures import strongest_head
from .pairs import moved, moved_rows
from .search import Candidate
from .tokens import distinct_labels, token_label, token_lines


def most_moved_head(
    before: AttentionRecord, after: AttentionRecord, site: str | None = None
) -> tuple[Head, float]:
    """The head in which most weight `moved`, of one site or of all, and how much.

    Both records are of the same tokens. Where nothing moved it is the first head of the last site.
    """
    best: tuple[Head, float] | None = None
    for attention in reversed(before.maps):
        if site not in (None, attention.kind):
            continue
        per_head = moved(after.of(attention.kind).weights - attention.weights)
        head = strongest_head(per_head)
        amount = float(per_head[head])
        if best is None or amount > best[1]:
            best = (attention.kind, *head), amount
    if best is None:
        raise ValueError(f"no attention at {site!r}")
    return best


def telling_position(
    ids: Sequence[int], other_ids: Sequence[int], change: np.ndarray
) -> tuple[int, str]:
    """Where to look in an output after a change.

    `ids`, `other_ids`: the output without the change and with it. `change`: (T_tgt,) how the
    log-probability of each token of the first changed. Returns the first position where the two
    part, and "difference"; where the second only goes on, the position that lost most, and "drop".
    """
    for position, token_id in enumerate(ids):
        if position >= len(other_ids) or other_ids[position] != token_id:
            return position, "difference"
    return int(np.argmin(change)), "drop"


def log_prob_changes(
    tokens: Sequence[str], before: Sequence[float], after: Sequence[float]
) -> pd.DataFrame:
    """One line a token: place (from 0), label, token, before, after (natural log p), change.

    Raises ValueError where the three differ in length.
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
    """The `count` likeliest tokens of either side, likeliest on any side first.

    Columns place (from 0), token_id, token, label, and of the candidates before and after, which
    come likeliest first: before, after (probabilities), log_before, log_after, rank_before,
    rank_after (from 1). Raises KeyError where a token of one side is missing on the other.
    """
    sides = [{candidate.token_id: candidate for candidate in side} for side in (before, after)]
    every = dict.fromkeys(c.token_id for side in (before, after) for c in side[:count])
    ids = sorted(every, key=lambda token: -max(side[token].log_prob for side in sides))
    first, second = ([side[token] for token in ids] for side in sides)
    logs, ranks = (
        [[getattr(candidate, name) for candidate in side] for side in (first, second)]
        for name in ("log_prob", "rank")
    )
    numbers = (*np.exp(logs), *logs, *np.add(ranks, 1))
    names = ("before", "after", "log_before", "log_after", "rank_before", "rank_after")
    lines = token_lines([candidate.token for candidate in first])
    return lines.assign(token_id=ids, **dict(zip(names, numbers, strict=True)))


def moved_facts(before: np.ndarray, after: np.ndarray, rows: Sequence[str]) -> dict[str, Any]:
    """How much of a row's weight moved, on average and at most; in which row, from 1, and 0 where
    in none. Weights (T_q, T_k) of one head, whose rows are these tokens."""
    per_row = moved_rows(after - before)
    most = int(per_row.argmax())
    facts = {"mean": per_row.mean(), "most": per_row[most], "token": token_label(rows[most])}
    return {**facts, "row": most + 1 if per_row[most] > 0 else 0}

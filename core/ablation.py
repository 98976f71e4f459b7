"""Leave-one-out ablation of heads: the effect of each on a translation, token by token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .interventions.kinds import Ablation
from .records.attention import HEAD
from .records.sources import TokenSequence
from .records.tokens import head_title, token_label, token_labels


@dataclass(frozen=True, eq=False)
class HeadAblation:
    """Effect on one translation of switching off every head in turn.

    N heads, those of the encoder first, then decoder, then cross, layer by layer.
    """

    src: TokenSequence  # src, tgt: the sentence and the translation whose probability is followed
    tgt: TokenSequence
    ablation: Ablation
    heads: tuple[tuple[str, int, int], ...]  # N heads as (site, layer, head), from 0
    log_probs: np.ndarray  # float32 (N, T_tgt), natural, of the tokens of `tgt` without that head
    plain_log_probs: np.ndarray  # float32 (T_tgt,), with all heads
    outputs: tuple[TokenSequence, ...]  # N greedy translations without that head
    plain_output: TokenSequence  # the greedy translation with all heads
    position: int | None  # row whose choice is followed, or None
    choices: tuple[str, ...]  # C tokens that could stand there, such as "▁es", "▁sie", "▁er"
    choice_probs: np.ndarray  # float32 (N, C), their probabilities without that head
    plain_choice_probs: np.ndarray  # float32 (C,), with all heads
    seconds: float  # wall-clock time

    @property
    def changes(self) -> np.ndarray:
        """Change in log P of the whole of `tgt`, (N,); below 0 for a head that helped it."""
        return self.log_probs.sum(1) - self.plain_log_probs.sum()


def hardest_hit(
    log_probs: np.ndarray, plain_log_probs: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the token whose log p fell most in each run, and its change.

    Parameters
    ----------
    log_probs : ndarray of shape (N, T_tgt)
        Natural log-probabilities of one translation in N runs.
    plain_log_probs : ndarray of shape (T_tgt,)
        The same with nothing changed.

    Returns
    -------
    positions : int array of shape (N,), from 0
    changes : float64 array of shape (N,)
    """
    changes = log_probs - plain_log_probs
    worst = changes.argmin(axis=1)
    return worst, changes[np.arange(len(worst)), worst].astype(np.float64)


def ablation_table(effects: HeadAblation) -> pd.DataFrame:
    """Return one row a head, in the order of `effects`.

    Columns kind, layer, head (from 0), name (from 1), change (of log P of the whole translation,
    natural), token and token_change (the token whose log p fell most, and its change), text (the
    greedy output without the head), changed (True if its pieces differ from those with all heads),
    and ``P(...)`` for each choice.
    """
    worst, drops = hardest_hit(effects.log_probs, effects.plain_log_probs)
    lines = pd.DataFrame(effects.heads, columns=HEAD).assign(
        name=[head_title(*head) for head in effects.heads],
        change=effects.changes.astype(np.float64),
        token=[token_label(effects.tgt.tokens[i]) for i in worst],
        token_change=drops,
        text=[output.text for output in effects.outputs],
        changed=[output.ids != effects.plain_output.ids for output in effects.outputs],
    )
    # Without a followed position no token was a choice.
    choices = effects.choices if effects.position is not None else ()
    shares = zip(choices, effects.choice_probs.T.astype(np.float64), strict=False)
    for choice, share in shares:
        lines[f"P({token_label(choice)})"] = share
    return lines


def ablation_facts(lines: pd.DataFrame) -> dict[str, Any]:
    """Return the facts of an `ablation_table`: outputs changed, and the head missed most."""
    worst = lines.loc[lines["change"].idxmin()]
    return {
        "changed": int(lines["changed"].sum()),
        "n": len(lines),
        "head": tuple(worst[HEAD]),
        "change": worst["change"],
        "token": worst["token"],
    }


def choice_facts(effects: HeadAblation) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return facts of the written choice, and of each head without which a rival is likelier.

    Facts of the choice: ``plain``, its probability with all heads; ``share``, the lowest without
    one; ``head``, the one that is then missing.
    """
    labels = token_labels(effects.choices)
    shares = effects.choice_probs
    # The first choice is the written one.
    least = int(shares[:, 0].argmin())
    lowest = {
        "written": labels[0],
        "plain": effects.plain_choice_probs[0],
        "share": shares[least, 0],
        "head": effects.heads[least],
    }
    overtaken = [
        {"head": head, "rival": labels[int(row.argmax())], "share": row.max()}
        for head, row in zip(effects.heads, shares, strict=True)
        if row.argmax() != 0
    ]
    return lowest, overtaken

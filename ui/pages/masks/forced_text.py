"""Probabilities of the tokens of one text in several runs, as strips."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from core.arithmetic import Strip
from core.records.attention import AttentionSite
from core.records.tokens import distinct_labels
from ui.frame.messages import say
from ui.kit.blocks import key_of, picture
from ui.kit.layout import wide
from viz.arithmetic import strips_figure

FEW_CELLS = 10


def strips_room(key: str, n: int) -> AbstractContextManager[Any]:
    """Return the room of strips of `n` cells; few cells would grow too large in a wide one."""
    return wide(key) if n >= FEW_CELLS else nullcontext()


@dataclass(frozen=True, eq=False)
class ForcedText:
    """A text and the log-probabilities of its tokens in several runs, (T_tgt,) each by name."""

    tokens: tuple[str, ...]
    runs: dict[str, np.ndarray]


def show_forced(id: str, forced: ForcedText, *, site: AttentionSite | str) -> None:
    """Draw the probability of each token of a text in several runs, a row for each run."""
    names = {name: say(f"masks-seen-run-{name}") for name in forced.runs}
    shares = {names[name]: np.exp(logs.astype(float)) for name, logs in forced.runs.items()}
    strips = [Strip(name, share, "share") for name, share in shares.items()]
    table = pd.DataFrame(
        {"position": range(1, len(forced.tokens) + 1), "token": distinct_labels(forced.tokens)}
        | {names[name]: logs for name, logs in forced.runs.items()}
    )
    with strips_room(key_of(id), len(forced.tokens)):
        picture(id, strips_figure(strips, forced.tokens, site=site), numbers=table)

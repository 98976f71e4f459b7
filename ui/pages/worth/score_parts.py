"""Sources of a score: the parts of the vectors on both sides, and their products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.records.attention import AttentionSite
from core.records.tokens import numbered_labels
from core.score_parts import ScoreSplit, pair_table, part_title, score_cells, why_facts
from model.experiments.block import streams_of
from model.experiments.score_parts import split_scores
from ui.frame.choices import choose
from ui.frame.messages import head_code, say, token_text
from ui.frame.model_cache import ask
from ui.frame.run import Run
from ui.kit.blocks import picture
from ui.kit.clicks import click_count, clicked
from ui.kit.controls import choice, place_menu
from ui.kit.focus import link_of
from ui.kit.layout import bar, controls, finding, settings
from viz.score_parts import SELECTION_NAME, why_figure

EVERY = -1  # menu entry for the sum of all parts
OPENING = (0, 3)
"""Head of the first layer that positions decide."""


def show(run: Run) -> None:
    """Draw the parts of one score, and of all heads of its layer."""
    attention = run.record.of(run.record.between("source", "source"))
    tokens = run.src.tokens
    labels = numbered_labels(tokens)
    link = link_of(run, attention)
    with controls():
        layer, head = _head_menu(attention.site)
    split = _split_of(run, layer)
    # The chart is below the menus, but its click must be in the session before they are drawn.
    cell = clicked("why", SELECTION_NAME)
    choose({f"why_{side}": cell[name] for side, name in SIDES if name in cell})
    row = link.rows[0] if link and link.rows else len(tokens) // 2
    column = int(attention.head(layer, head)[row].argmax())
    with bar("why"):
        query, key = (
            place_menu(f"why_{side}", labels, words=f"why-{side}", default=at, width=130)
            for side, at in (("query", row), ("key", column))
        )
    with settings():
        query_parts = _parts_menu("asks", split)
        key_parts = _parts_menu("answers", split)
    cells = score_cells(split, head, tokens, query_parts, key_parts)
    pairs = pair_table(split, head, query, key)
    # The finding and the texts of the figure state the same facts.
    facts = {
        "row": token_text(tokens[query]),
        "column": token_text(tokens[key]),
        "n": len(split.parts) ** 2,
        "layer": layer + 1,
        "head": head + 1,
        **why_facts(split, head, query, key),
        **_largest(split, pairs),
    }
    finding(f"{say('why-cell', **facts)}  \n:gray[:small[{say('why-found', **facts)}]]")
    chosen = (head, query, key)
    figure = why_figure(split, cells, pairs, tokens, chosen, click=click_count("why"))
    picture("why", figure, clicks=True, numbers="bars", text=run.src.text, **facts)


def _split_of(run: Run, layer: int) -> ScoreSplit:
    stream = ask(run.translator, streams_of, run.src, run.tgt)[0]
    key = run.identity, layer
    return ask(run.translator, split_scores, stream, run.src, run.tgt, layer, key=key)


def _largest(split: ScoreSplit, pairs: pd.DataFrame) -> dict[str, Any]:
    """Return the pair of parts that contributes most to a score, its amount, and its ids.

    Ids are joined to one, "content-position"; "other" for a split into more than two parts.
    """
    parts = pairs[pairs["segment"] >= 0]
    largest = parts.loc[parts["value"].abs().idxmax()]
    n_parts = len(split.parts)
    ids = [str(split.parts[at]) for at in divmod(int(largest["segment"]), n_parts)]
    pair = "-".join(ids) if n_parts == 2 else "other"
    return {"part": largest["title"], "amount": float(largest["value"]), "pair": pair}


def _head_menu(site: AttentionSite) -> tuple[int, int]:
    return choice(
        "why_head",
        list(np.ndindex(site.n_layers, site.n_heads)),
        words="why-place",
        style="select",
        title=False,
        default=OPENING if site.n_heads > OPENING[1] else (0, 0),
        text=lambda head: head_code(*head),
        spell=lambda head: f"{head[0] + 1}.{head[1] + 1}",
        width=104,
    )


def _parts_menu(side: str, split: ScoreSplit) -> Sequence[int]:
    """Draw the menu of a vector's parts, and return the indices of the chosen one or of all."""
    indices = range(len(split.parts))
    part = choice(
        f"why_{side}",
        # A negative index means the sum of all parts.
        (EVERY, *indices),
        words=f"why-{side}",
        style="select",
        text=lambda part: say(part_title(split.parts[part]) if part >= 0 else "every"),
        spell=lambda part: str(part + 1),
    )
    return indices if part == EVERY else [part]


SIDES = (("query", "q"), ("key", "k"))

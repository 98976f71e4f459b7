"""Does attention explain? A head's row beside leave-one-out and gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from core.explain import Comparison, Explanation, measures_table
from core.measurements import INTERVENTIONS
from core.records.attention import AttentionMap
from core.records.tokens import token_label
from core.weights.measures import strongest_head
from ui.frame.messages import head_code, say, stated
from ui.frame.run import Run
from ui.kit.blocks import picture
from ui.kit.clicks import click_count, take_click
from ui.kit.controls import choice
from ui.kit.decisions import (
    MOST_AT_ONCE,
    Method,
    command_box,
    explained,
    go_ahead,
    hiding_menu,
    needing_pronoun_or_word,
    telling_position,
    token_menu,
)
from ui.kit.export import counted_from_one
from ui.kit.layout import bar, finding, folded, note, settings, subtitle, wide
from ui.kit.measurements import tell_source
from viz.explain import SELECTION_NAME, correlation_grid, measure_bars
from viz.figure import Figure, tables_of
from words import Message

# Stored baselines for the correlations of the heads.
COMPARED = ("average", "gradient", "permuted_heads")


def show(run: Run) -> None:
    cross = run.record.across
    against = "drops"
    with settings():
        method: Method = choice("explain_method", ("spearman", "kendall"))
        if cross:
            against = choice("explain_against", ("drops", "gradient"))
    source = len(run.src)
    target = len(run.tgt)
    long = source * target > MOST_AT_ONCE
    line = bar("explain")
    with line:
        hidden_from = hiding_menu(run, "explain_hidden", style="select", width=240)
    # A long sentence waits for a button, so its first token cannot depend on the drops.
    first = (
        telling_position(run)
        if long
        else needing_pronoun_or_word(run, explained(run, hidden_from, method))
    )
    with line:
        position = token_menu(run, "explain_token", default=first)
        head = _head_menu(cross, position) if cross else (0, 0)
    question = (run.identity, hidden_from, method)
    if not go_ahead("explain", question, long, source=source, target=target):
        return
    explanation = explained(run, hidden_from, method)
    comparison = Comparison(explanation, against, position, head)
    _token(run, comparison, cross)
    if cross is None:
        note("masks-explain-no-attention", "visibility_off")
    elif cross.n_layers * cross.n_heads > 1:  # a grid of one head repeats the finding
        here, stored = st.columns(2, gap="medium")
        with here:
            subtitle("masks-explain-here")
            figure = _grid(comparison, comparison.means, click=click_count("explain_heads"))
            _draw_grid("explain-heads", figure, comparison, clicks=True)
        with stored:
            subtitle("masks-explain-stored")
            _stored(run, comparison)


def _head_menu(cross: AttentionMap, position: int) -> tuple[int, int]:
    # Initially the head whose row is the most peaked.
    sharpest = strongest_head(cross.weights[:, :, position].max(axis=-1))
    if cross.n_layers * cross.n_heads == 1:
        return sharpest

    def spell(head: tuple[int, int]) -> str:
        return f"{head[0] + 1}.{head[1] + 1}"

    heads = list(np.ndindex(cross.weights.shape[:2]))
    take_click("explain_head", heads, "explain_heads", SELECTION_NAME, ("layer", "head"))
    return choice(
        "explain_head",
        heads,
        style="select",
        default=sharpest,
        text=lambda head: head_code(*head),
        spell=spell,
        width=180,
    )


def _token(run: Run, comparison: Comparison, cross: AttentionMap | None) -> None:
    explanation = comparison.explanation
    position = comparison.position
    row = None if cross is None else cross.head(*comparison.head)[position]
    token = token_label(run.tgt.tokens[position])
    table = measures_table(
        explanation.src.tokens,
        row,
        explanation.drops[position],
        explanation.gradient[position],
    )
    largest = {
        name: table.loc[table[name].idxmax(), "token"] if name in table else "none"
        for name in ("attention", "drop", "gradient")
    }
    rank = 0
    if row is not None and "drop" in table:
        # Ranks from 1; the token whose hiding costs most, by the weights of the head.
        needed = int(table["drop"].fillna(-np.inf).idxmax())
        rank = int((row > row[needed]).sum()) + 1
    sentences = correlation_words(comparison, token if cross else "")
    finding(telling_words(run, comparison, largest, rank))
    with folded("table"):
        st.markdown(" ".join(sentences))
    with wide("explain"):
        picture(
            "explain-bars",
            measure_bars(table, log_prob=float(explanation.log_probs[position])),
            numbers=table,
            n=len(table),
            token=token,
            text=run.translation.text,
            **largest,
        )


def telling_words(run: Run, comparison: Comparison, largest: dict[str, str], rank: int) -> str:
    """Return the headline: the word whose hiding hurts the token most, and the head's own.

    `largest`: label of the source token with the largest attention, drop and gradient. `rank`: that
    of the needed word by the weights of the head, from 1.
    """
    explanation = comparison.explanation
    token = run.spoken("target", token_label(run.tgt.tokens[comparison.position]))
    log_prob = float(explanation.log_probs[comparison.position])
    drop = float(np.nanmax(explanation.drops[comparison.position]))
    needed = run.spoken("source", largest["drop"])
    hidden = say(
        "masks-explain-needed",
        token=token,
        needed=needed,
        before=np.exp(log_prob),
        after=np.exp(log_prob - drop),
    )
    if largest["attention"] == "none":
        return hidden
    layer, head = comparison.head
    agrees = "same" if rank == 1 else "instead"
    looks = say(
        f"masks-explain-{agrees}",
        layer=layer + 1,
        head=head + 1,
        attended=run.spoken("source", largest["attention"]),
        needed=needed,
        rank=rank,
        of=len(run.src),
    )
    return f"{hidden} {looks}"


def correlation_words(comparison: Comparison, token: str) -> list[str]:
    """Return sentences on the correlation of the chosen head and token, and on its sample size.

    `token` is the one written there, "" without cross-attention.
    """
    explanation = comparison.explanation
    sentences = []
    if token:
        method = method_name(explanation)
        sentences.append(
            stated("masks-explain-number", token=token, method=method, **comparison.facts())
        )
    # NaN if all gradients or drops are equal.
    gradient = float(explanation.gradient_to_drops[comparison.position])
    if not np.isnan(gradient):
        sentences.append(say("masks-explain-gradient", number=gradient))
    return [*sentences, say("masks-explain-rests", **comparison.rests())]


def method_name(explanation: Explanation) -> Message:
    return Message(f"explain_method-{explanation.method}")


def _grid(comparison: Comparison, means: np.ndarray, **options: Any) -> Figure:
    """Return the grid of mean correlations; `options` are those of `correlation_grid`."""
    title = say(
        "masks-explain-of", method=method_name(comparison.explanation), against=comparison.against
    )
    return correlation_grid(means, title=title, selected=comparison.head, **options)


def _draw_grid(id: str, figure: Figure, comparison: Comparison, **options: Any) -> None:
    """Draw a grid of `_grid`; `options` are those of `picture` and the values of its messages."""
    cells = tables_of(figure)["cells"][["layer", "head", "name", "correlation"]]
    best = cells.dropna().nlargest(1, "correlation")
    picture(
        id,
        figure,
        numbers=lambda: counted_from_one(cells),
        n=len(cells),
        largest=best["name"].iloc[0] if len(best) else "none",
        method=comparison.explanation.method,
        **options,
    )


def _stored(run: Run, comparison: Comparison) -> None:
    stored = run.card.measured(INTERVENTIONS)
    method = comparison.explanation.method
    against = comparison.explanation.hidden_from if comparison.against == "drops" else "gradient"
    # Other places of hiding were not measured.
    if against not in ("both", "cross", "gradient"):
        note("masks-explain-not-stored", "straighten")
        return
    measured = stored.values.get("explain", {})
    rows = measured.get("rows", [])
    matching = (row for row in rows if (row["against"], row["method"]) == (against, method))
    row = next(matching, {})
    means = _stored_grid(row, "mean", comparison)
    if means is None:
        command_box(run)
        return
    _draw_grid(
        "explain-stored",
        _grid(comparison, means, clickable=False),
        comparison,
        below=stored_words(row, comparison, measured["sentences"]),
        text=run.card.name,
    )
    with folded("reading"):
        tell_source(stored)


def _stored_grid(row: dict[str, Any], name: str, comparison: Comparison) -> np.ndarray | None:
    """Return a stored (L, H) array if it fits the model, else None."""
    grid = np.array(row["heads"][name], dtype=float) if row else np.empty(0)
    return grid if grid.shape == comparison.per_token.shape[:2] else None


def stored_words(row: dict[str, Any], comparison: Comparison, sentences: int) -> str:
    """Return a sentence on the head's stored correlation beside this one's and the baselines."""
    head = comparison.head
    means, spreads = (_stored_grid(row, name, comparison) for name in ("mean", "std"))
    here = float(comparison.means[head])
    over = say(
        "masks-explain-over",
        layer=head[0] + 1,
        head=head[1] + 1,
        mean=means[head],
        spread="none" if spreads is None else spreads[head],
        n=sentences,
        here="none" if np.isnan(here) else here,
    )
    compared = [
        say(f"masks-explain-over-{name}", mean=row[name]["mean"])
        for name in COMPARED
        if row[name] is not None and row[name]["mean"] is not None
    ]
    return " ".join((over, *compared))

"""Does attention explain? One head's row beside what hiding tokens does, and gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.explain import mean_correlations
from model import ModelError
from records import AttentionMap, CheckpointCard, Explanation
from ui.export import export_menu
from ui.focus import click_count, clicked
from ui.masks.choices import renew, telling_position
from ui.masks.knockout import signed
from ui.masks.results import HiddenFrom, Method, explained
from ui.masks.stored import command_box, source_line
from ui.panels import show_figure, show_picture
from ui.state import Run, is_dark, show_problem
from ui.words import head_name, plain
from viz.explain import (
    SELECTION_NAME,
    correlation_grid,
    correlation_table,
    measure_bars,
    measures_table,
)
from viz.labels import numbered_labels, token_label

METHOD_NAMES: dict[Method, str] = {"spearman": "Spearman ρ", "kendall": "Kendall τ-b"}
HIDDEN_NAMES: dict[HiddenFrom, str] = {
    "both": "everything",
    "cross": "cross-attention",
    "encoder": "the encoder",
}
AGAINST_NAMES = {"drops": "hiding", "gradient": "gradient × input"}
# Beyond this many cells of source by target the hiding is asked for by a button.
MOST_AT_ONCE = 2500


def show(run: Run) -> None:
    hidden_from, method, against = controls()
    if not _go_ahead(run, hidden_from, method):
        return
    try:
        found = explained(run, hidden_from, method)
    except ModelError as error:
        show_problem(error)
        return
    st.session_state.setdefault("explained", set()).add((run.identity, hidden_from, method))
    cross = run.translation.attention.cross
    position, layer, head = choose(run, cross)
    _token(run, found, cross, position, layer, head)
    per_token = found.to_drops if against == "drops" else found.to_gradient
    st.markdown(correlation_words(found, per_token, against, position, layer, head))
    here, stored = st.columns(2, gap="medium")
    with here:
        _heads(run, found, per_token, against, layer, head)
    with stored:
        _stored(run, found, per_token, against, layer, head)


def controls() -> tuple[HiddenFrom, Method, str]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        hidden_from = _switch("Source tokens hidden from", "explain_hidden", HIDDEN_NAMES)
        method = _switch("Rank correlation", "explain_method", METHOD_NAMES)
        against = _switch("of attention with", "explain_against", AGAINST_NAMES)
    return hidden_from, method, against


def _switch(label: str, key: str, names: dict[str, str]) -> Any:
    first = next(iter(names))
    chosen = st.segmented_control(
        label,
        list(names),
        key=key,
        default=first,
        required=True,
        format_func=names.get,
        bind="query-params",
    )
    return chosen or first


def _go_ahead(run: Run, hidden_from: HiddenFrom, method: Method) -> bool:
    """Short sentences are worked out at once, long ones when the button is pressed."""
    n_cells = len(run.translation.src) * len(run.translation.tgt)
    done = (run.identity, hidden_from, method) in st.session_state.get("explained", ())
    if n_cells <= MOST_AT_ONCE or done:
        return True
    pressed = st.button("Hide every source token", key="explain_start", icon=":material/science:")
    if not pressed:
        st.info(
            f"The sentence and its translation have {len(run.translation.src)} and "
            f"{len(run.translation.tgt)} tokens, so this takes a while. The button starts it.",
            icon=":material/hourglass_empty:",
        )
    return pressed


def choose(run: Run, cross: AttentionMap) -> tuple[int, int, int]:
    """The produced token and the cross-attention head to look at."""
    labels = numbered_labels(run.translation.tgt.tokens)
    first = labels[telling_position(run)]
    renew("explain_for", run.identity, {"explain_token": first})
    n_layers, n_heads = cross.n_layers, cross.n_heads
    heads = [f"{i + 1}.{j + 1}" for i in range(n_layers) for j in range(n_heads)]
    cell = clicked("explain_heads", SELECTION_NAME) or {}
    if cell.get("layer") in range(n_layers) and cell.get("head") in range(n_heads):
        st.session_state["explain_head"] = f"{cell['layer'] + 1}.{cell['head'] + 1}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Produced token",
            labels,
            index=labels.index(first),
            key="explain_token",
            bind="query-params",
            width=220,
        )
        position = labels.index(chosen) if chosen in labels else telling_position(run)
        if st.session_state.get("explain_head") not in (None, *heads):
            del st.session_state["explain_head"]
        name = st.selectbox(
            "Cross-attention head",
            heads,
            index=heads.index(_sharpest(run, cross, position)),
            key="explain_head",
            bind="query-params",
            width=180,
            help="Layer and head, from 1. A click on the grid below chooses one too.",
        )
    place = heads.index(name) if name in heads else 0
    return position, *divmod(place, n_heads)


def _sharpest(run: Run, cross: AttentionMap, position: int) -> str:
    """The head with the largest weight in this row."""
    weights = cross.weights[:, :, position].max(axis=-1)
    layer, head = np.unravel_index(int(weights.argmax()), weights.shape)
    return f"{layer + 1}.{head + 1}"


def _token(
    run: Run, found: Explanation, cross: AttentionMap, position: int, layer: int, head: int
) -> None:
    label = token_label(run.translation.tgt.tokens[position])
    st.markdown(
        f"##### What “{plain(label)}” depends on, by {head_name(layer, head)}, by hiding from "
        f"{HIDDEN_NAMES[found.hidden_from]} and by gradient"
    )
    measures = (
        found.src.tokens,
        cross.head(layer, head)[position],
        found.drops[position],
        found.gradient[position],
    )
    figure = measure_bars(*measures, dark=is_dark())
    table = measures_table(*measures)
    tops = ", ".join(
        f"{name}: {table.loc[table[column].idxmax(), 'token']}"
        for name, column in (
            ("attention", "attention"),
            ("drop", "drop"),
            ("gradient", "gradient"),
        )
    )
    show_picture(
        figure,
        key="explain_bars",
        alt=f"Three measures of each of {len(table)} source tokens. Largest by {tops}.",
    )
    export_menu(
        figure,
        key="explain_bars_export",
        name=f"importance for {label} {run.translation.text}",
        numbers=lambda: table.assign(place=table["place"] + 1),
    )


def correlation_words(
    found: Explanation,
    per_token: np.ndarray,
    against: str,
    position: int,
    layer: int,
    head: int,
) -> str:
    """The number of the chosen head and token, with how little it rests on."""
    number = float(per_token[layer, head, position])
    mean = float(mean_correlations(per_token)[layer, head])
    name = METHOD_NAMES[found.method]
    other = "the drops" if against == "drops" else "gradient × input"
    gradient = float(found.gradient_to_drops[position])
    ties = len(found.src) - len(np.unique(found.drops[position]))
    here = "not defined, one side is even" if np.isnan(number) else f"**{signed(number)}**"
    average = "not defined" if np.isnan(mean) else f"**{signed(mean)}**"
    text = (
        f"{name} of the attention of {head_name(layer, head)} with {other}: {here} for this token, "
        f"{average} averaged over the {len(found.tgt)} tokens of the translation."
    )
    if not np.isnan(gradient):
        text += f" Gradient × input with the drops, for this token: {signed(gradient)}."
    text += (
        f" It rests on {len(found.src)} source tokens"
        + (f", {ties} of them tied," if ties else "")
        + " so a single number says little; and a drop is itself only one notion of importance "
        "(Jain and Wallace 2019; Wiegreffe and Pinter 2019)."
    )
    return text


def _heads(
    run: Run, found: Explanation, per_token: np.ndarray, against: str, layer: int, head: int
) -> None:
    st.markdown("##### This sentence, mean over its tokens")
    means = mean_correlations(per_token)
    figure = correlation_grid(
        means,
        title=f"{METHOD_NAMES[found.method]} of attention with {AGAINST_NAMES[against]}",
        selected=(layer, head),
        click=click_count("explain_heads"),
        dark=is_dark(),
    )
    best = correlation_table(means).dropna().nlargest(1, "correlation")
    most = f"Largest: {best['name'].iloc[0]}." if len(best) else "None is defined."
    show_figure(
        figure,
        key="explain_heads",
        alt=f"Rank correlation of {means.size} cross-attention heads. {most}",
    )
    export_menu(
        figure,
        key="explain_heads_export",
        name=f"rank correlation {found.method} {run.translation.src.text}",
        numbers=lambda: counted_from_one(correlation_table(means)),
    )


def counted_from_one(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(layer=table["layer"] + 1, head=table["head"] + 1)


def _stored(
    run: Run, found: Explanation, per_token: np.ndarray, against: str, layer: int, head: int
) -> None:
    card = run.translator.card
    st.markdown("##### Validation sentences, mean over them")
    if against == "drops" and found.hidden_from == "encoder":
        st.info(
            "Averages are stored for hiding from everything and from cross-attention.",
            icon=":material/straighten:",
        )
        return
    row = stored_row(card, found.hidden_from if against == "drops" else "gradient", found.method)
    means = _grid_of(row, "mean", per_token.shape[:2])
    if means is None:
        command_box(card)
        return
    figure = correlation_grid(
        means,
        title=f"{METHOD_NAMES[found.method]} of attention with {AGAINST_NAMES[against]}",
        selected=(layer, head),
        clickable=False,
        dark=is_dark(),
    )
    show_picture(
        figure,
        key="explain_stored",
        alt=f"Rank correlation of {means.size} heads over validation sentences.",
    )
    st.markdown(stored_words(card, row, per_token, layer, head))
    export_menu(
        figure,
        key="explain_stored_export",
        name=f"rank correlation {found.method} {card.name}",
        numbers=lambda: counted_from_one(correlation_table(means)),
    )
    st.caption(source_line(card))


def stored_row(card: CheckpointCard, against: str, method: Method) -> dict[str, Any]:
    """What the card holds for this comparison; empty when nothing."""
    part = card.interventions.get("explain")
    rows = part.get("rows", []) if isinstance(part, dict) else []
    return next(
        (
            row
            for row in rows
            if isinstance(row, dict)
            and row.get("against") == against
            and row.get("method") == method
        ),
        {},
    )


def _grid_of(row: dict[str, Any], name: str, shape: tuple[int, ...]) -> np.ndarray | None:
    """The (L, H) numbers under a name, where they fit the model."""
    part = row.get("heads")
    try:
        grid = np.array(part[name], dtype=float)
    except (KeyError, TypeError, ValueError):
        return None
    return grid if grid.shape == tuple(shape) else None


def stored_words(
    card: CheckpointCard, row: dict[str, Any], per_token: np.ndarray, layer: int, head: int
) -> str:
    """The stored number of the chosen head beside this sentence's, and what chance gives."""
    shape = per_token.shape[:2]
    means, spreads = _grid_of(row, "mean", shape), _grid_of(row, "std", shape)
    here = float(mean_correlations(per_token)[layer, head])
    sentences = card.interventions["explain"].get("sentences")
    over = f"{sentences} validation sentences" if isinstance(sentences, int) else "many sentences"
    text = f"{head_name(layer, head).capitalize()}: **{signed(float(means[layer, head]))}**"
    if spreads is not None:
        text += f" (standard deviation {spreads[layer, head]:.2f})"
    text += f" over {over}"
    text += f", {signed(here)} here." if not np.isnan(here) else "."
    others = (
        ("average", "All heads averaged"),
        ("gradient", "Gradient × input with the drops"),
        ("permuted_heads", "The same rows shuffled"),
    )
    found = [
        f"{words}: {signed(float(part['mean']))}"
        for name, words in others
        if isinstance(part := row.get(name), dict)
        and isinstance(part.get("mean"), int | float)
        and np.isfinite(part["mean"])
    ]
    return text + (" " + ". ".join(found) + "." if found else "")

"""Does attention explain? One head's row beside what hiding tokens does, and gradients."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.explain import mean_correlations, measures_table
from analysis.labels import numbered_labels, token_label
from model import ModelError
from records import AttentionMap, CheckpointCard, Explanation, hiding_places
from ui.blocks import figure_block
from ui.choice import choice
from ui.export import counted_from_one
from ui.focus import click_count, clicked
from ui.masks.choices import renew, site_between, telling_position
from ui.masks.results import Method, explained
from ui.masks.stored import command_box
from ui.state import Run, show_problem
from ui.stored import source_line
from ui.words import current_words, head_name, plain, say, site_name
from viz.explain import SELECTION_NAME, correlation_grid, measure_bars
from viz.figure import Figure, tables_of
from words import numbers

# Beyond this many cells of source by target the hiding is asked for by a button.
MOST_AT_ONCE = 2500
# What is stored beside the correlations of the heads, to compare them with.
COMPARED = ("average", "gradient", "permuted_heads")


@dataclass(frozen=True, eq=False)
class Comparison:
    """What is compared with attention, and the head and token that are looked at.

    Attributes
    ----------
    found : of the sentence.
    against : "drops" or "gradient".
    position : the produced token.
    weights : (L, H, T_tgt, T_src) of cross-attention, None where the model has none.
    layer, head : the head of it.
    """

    found: Explanation
    against: str
    position: int
    weights: np.ndarray | None
    layer: int = 0
    head: int = 0

    @property
    def row(self) -> np.ndarray | None:
        """What the head looks at while the token is written, (T_src,)."""
        return None if self.weights is None else self.weights[self.layer, self.head, self.position]

    @property
    def single(self) -> bool:
        """There is one head alone, which needs no name."""
        return self.weights is not None and self.weights.shape[:2] == (1, 1)

    @property
    def who(self) -> str:
        return head_name(self.layer, self.head)

    @property
    def per_token(self) -> np.ndarray:
        """Rank correlation of every head at every token, (L, H, T_tgt)."""
        return self.found.to_drops if self.against == "drops" else self.found.to_gradient

    @property
    def title(self) -> str:
        return say(
            "masks-explain-of",
            method=say(f"masks-explain-method-{self.found.method}"),
            against=self.against,
        )


def show(run: Run) -> None:
    hidden_from, method, against = controls(run)
    if not _go_ahead(run, hidden_from, method):
        return
    try:
        found = explained(run, hidden_from, method)
    except ModelError as error:
        show_problem(error)
        return
    st.session_state.setdefault("explained", set()).add((run.identity, hidden_from, method))
    across = site_between(run, "target", "source")
    cross = run.record.of(across) if across else None
    weights = None if cross is None else cross.weights
    with st.container(horizontal=True, vertical_alignment="bottom"):
        comparison = Comparison(found, against, choose_token(run), weights)
        if cross is not None:
            layer, head = choose_head(cross, comparison.position)
            comparison = replace(comparison, layer=layer, head=head)
    _token(run, comparison)
    if cross is None:
        st.info(say("masks-explain-no-attention"), icon=":material/visibility_off:")
    st.markdown(correlation_words(comparison))
    if cross is None or comparison.single:
        return  # a grid of one head says what the sentence above it says
    here, stored = st.columns(2, gap="medium")
    with here:
        _heads(run, comparison)
    with stored:
        _stored(run, comparison)


def controls(run: Run) -> tuple[str, Method, str]:
    """Where tokens are hidden, how ranks are compared and with what."""
    places = hiding_places(run.record.sites, run.capabilities)
    across = site_between(run, "target", "source")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        return (
            choice("explain_hidden", places, words="masks-explain-hidden", text=_place_name)
            if len(places) > 1
            else places[0],
            choice("explain_method", ("spearman", "kendall"), words="masks-explain-method"),
            choice("explain_against", ("drops", "gradient"), words="masks-explain-against")
            if across
            else "drops",
        )


def _place_name(where: str) -> str:
    id = f"masks-explain-hidden-{where}"
    return say(id) if current_words().has(id) else site_name(where, "attention")


def _go_ahead(run: Run, hidden_from: str, method: Method) -> bool:
    """Short sentences are worked out at once, long ones when the button is pressed."""
    n_src, n_tgt = len(run.translation.src), len(run.translation.tgt)
    done = (run.identity, hidden_from, method) in st.session_state.get("explained", ())
    if n_src * n_tgt <= MOST_AT_ONCE or done:
        return True
    pressed = st.button(say("masks-explain-start"), key="explain_start", icon=":material/science:")
    if not pressed:
        said = say("masks-explain-long", source=n_src, target=n_tgt)
        st.info(said, icon=":material/hourglass_empty:")
    return pressed


def choose_token(run: Run) -> int:
    """The produced token to look at."""
    labels = numbered_labels(run.translation.tgt.tokens)
    first = labels[telling_position(run)]
    renew("explain_for", run.identity, {"explain_token": first})
    token = choice(
        "explain_token",
        labels,
        words="masks-explain-token",
        style="select",
        default=first,
        text=str,
        filter_mode="fuzzy",
        width=220,
    )
    return labels.index(token)


def choose_head(cross: AttentionMap, position: int) -> tuple[int, int]:
    """The cross-attention head to look at; there is no menu of one alone."""
    heads = {_spelt(*place): place for place in np.ndindex(cross.n_layers, cross.n_heads)}
    if len(heads) == 1:
        return 0, 0
    cell = clicked("explain_heads", SELECTION_NAME) or {}
    place = cell.get("layer"), cell.get("head")
    if place in heads.values():
        st.session_state["explain_head"] = _spelt(*place)
    name = choice(
        "explain_head",
        list(heads),
        words="masks-explain-head",
        style="select",
        default=_spelt(*_sharpest(cross, position)),
        text=str,
        filter_mode="fuzzy",
        width=180,
    )
    return heads[name]


def _spelt(layer: int, head: int) -> str:
    return f"{layer + 1}.{head + 1}"


def _sharpest(cross: AttentionMap, position: int) -> tuple[int, int]:
    """The head with the largest weight in this row."""
    weights = cross.weights[:, :, position].max(axis=-1)
    layer, head = np.unravel_index(int(weights.argmax()), weights.shape)
    return int(layer), int(head)


def _token(run: Run, comparison: Comparison) -> None:
    found, position = comparison.found, comparison.position
    label = token_label(run.translation.tgt.tokens[position])
    title = say(
        "masks-explain-depends",
        token=plain(label),
        head="none" if comparison.row is None else comparison.who,
    )
    st.markdown(f"## {title}")
    measures = found.src.tokens, comparison.row, found.drops[position], found.gradient[position]
    table = measures_table(*measures)
    largest = {
        name: table.loc[table[name].idxmax(), "token"] if name in table else "none"
        for name in ("attention", "drop", "gradient")
    }
    figure_block(
        measure_bars(*measures),
        key="explain_bars",
        alt=say("masks-explain-bars-alt", n=len(table), **largest),
        name=say("masks-explain-bars-file", token=label, text=run.translation.text),
        numbers=lambda: table,
    )


def correlation_words(comparison: Comparison) -> str:
    """The number of the chosen head and token, with how little it rests on."""
    found, position = comparison.found, comparison.position
    gradient = float(found.gradient_to_drops[position])
    sentences = [] if comparison.weights is None else [_number_words(comparison)]
    if not np.isnan(gradient):
        sentences.append(say("masks-explain-gradient", number=numbers.signed(gradient)))
    drops = found.drops[position]
    drops = drops[~np.isnan(drops)]
    ties = len(drops) - len(np.unique(drops))
    sentences.append(say("masks-explain-rests", n=len(drops), ties=ties))
    return " ".join(sentences)


def _number_words(comparison: Comparison) -> str:
    """How well the chosen head's row agrees with what it is compared with."""
    found, place = comparison.found, (comparison.layer, comparison.head)
    number = float(comparison.per_token[(*place, comparison.position)])
    mean = float(mean_correlations(comparison.per_token)[place])
    return say(
        f"masks-explain-number-{comparison.against}",
        method=say(f"masks-explain-method-{found.method}"),
        head=comparison.who,
        here=say("masks-explain-even") if np.isnan(number) else _bold(number),
        mean=say("masks-explain-undefined") if np.isnan(mean) else _bold(mean),
        n=len(found.tgt),
    )


def _bold(number: float) -> str:
    return f"**{numbers.signed(number)}**"


def _heads(run: Run, comparison: Comparison) -> None:
    st.markdown(f"## {say('masks-explain-here')}")
    means = mean_correlations(comparison.per_token)
    figure = correlation_grid(
        means,
        title=comparison.title,
        selected=(comparison.layer, comparison.head),
        click=click_count("explain_heads"),
    )
    best = correlations(figure).dropna().nlargest(1, "correlation")
    largest = best["name"].iloc[0] if len(best) else "none"
    method, text = comparison.found.method, run.translation.src.text
    figure_block(
        figure,
        key="explain_heads",
        alt=say("masks-explain-heads-alt", n=int(means.size), largest=largest),
        name=say("masks-explain-heads-file", method=method, text=text),
        clicks=True,
        numbers=lambda: counted_from_one(correlations(figure)),
    )


def correlations(figure: Figure) -> pd.DataFrame:
    """One line a head of `correlation_grid`."""
    return tables_of(figure)["cells"][["layer", "head", "name", "correlation"]]


def _stored(run: Run, comparison: Comparison) -> None:
    card, found, against = run.translator.card, comparison.found, comparison.against
    st.markdown(f"## {say('masks-explain-stored')}")
    if against == "drops" and found.hidden_from not in ("both", "cross"):
        st.info(say("masks-explain-not-stored"), icon=":material/straighten:")
        return
    row = stored_row(card, found.hidden_from if against == "drops" else "gradient", found.method)
    means = _grid_of(row, "mean", comparison.per_token.shape[:2])
    if means is None:
        command_box(run)
        return
    figure = correlation_grid(
        means,
        title=comparison.title,
        selected=(comparison.layer, comparison.head),
        clickable=False,
    )
    figure_block(
        figure,
        key="explain_stored",
        alt=say("masks-explain-stored-alt", n=int(means.size)),
        name=say("masks-explain-heads-file", method=found.method, text=card.name),
        below=stored_words(card, row, comparison),
        numbers=lambda: counted_from_one(correlations(figure)),
    )
    st.caption(source_line(card.interventions))


def stored_row(card: CheckpointCard, against: str, method: Method) -> dict[str, Any]:
    """What the card holds for this comparison; empty when nothing."""
    rows = card.interventions.get("explain", {}).get("rows", [])
    return next((row for row in rows if (row["against"], row["method"]) == (against, method)), {})


def _grid_of(row: dict[str, Any], name: str, shape: tuple[int, ...]) -> np.ndarray | None:
    """The (L, H) numbers under a name, where they fit the model."""
    grid = np.array(row["heads"][name], dtype=float) if row else None
    return grid if grid is not None and grid.shape == tuple(shape) else None


def stored_words(card: CheckpointCard, row: dict[str, Any], comparison: Comparison) -> str:
    """The stored number of the chosen head beside this sentence's, and what chance gives."""
    place, shape = (comparison.layer, comparison.head), comparison.per_token.shape[:2]
    means, spreads = _grid_of(row, "mean", shape), _grid_of(row, "std", shape)
    here = float(mean_correlations(comparison.per_token)[place])
    sentences = card.interventions["explain"]["sentences"]
    said = [
        say(
            "masks-explain-over",
            layer=place[0] + 1,
            head=place[1] + 1,
            mean=numbers.signed(float(means[place])),
            spread="none" if spreads is None else numbers.fixed(spreads[place]),
            n=sentences,
            here="none" if np.isnan(here) else numbers.signed(here),
        )
    ]
    for name in COMPARED:
        if row[name] is not None and (mean := row[name]["mean"]) is not None:
            said.append(say(f"masks-explain-over-{name}", mean=numbers.signed(mean)))
    return " ".join(said)

"""One step of a decoder in numbers, equation by equation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import streamlit as st

from analysis.labels import distinct_labels, numbered_labels, token_label
from analysis.lineage import adding_up, largest_terms, softmax_parts
from records import Equation, StepValues
from ui.blocks import figure_block
from ui.choice import choice
from ui.shared import cached
from ui.state import Run
from ui.waiting import interrupted
from ui.words import named, plain, say
from viz.figure import tables_of
from viz.lineage import unit_bars
from words.numbers import fixed, signed

DIGITS = 4
MOST_TERMS = 6
MOST_LINES = 45  # of a table, before it scrolls


def show(run: Run) -> None:
    position = _position_menu(run)
    found = values_of(run, position)
    st.markdown(
        say(
            "lineage-step",
            read=_quoted(found.read),
            written=_quoted(found.tgt.tokens[position]),
            n=position + 1,
        )
    )
    for place, equation in enumerate(found.equations):
        with st.container(border=True, key=f"equation_{place}"):
            left, right = st.columns([2, 3], gap="medium")
            with left:
                st.latex(equation.latex)
                st.caption(named(f"equation-{equation.name}", equation.name))
            with right:
                PARTS[equation.part](run, found, equation)


@cached("identity", max_entries=128)
def values_of(run: Run, position: int) -> StepValues:
    """Every quantity of the step that writes this token of the translation on screen."""
    interrupted()
    return run.translator.step_values(run.translation.src, run.translation.tgt, position)


def _quoted(token: str) -> str:
    return say("quoted", text=plain(token_label(token)))


def _position_menu(run: Run) -> int:
    labels = numbered_labels(run.translation.tgt.tokens)
    chosen = choice(
        "step_token",
        range(len(labels)),
        words="step-token",
        style="select",
        default=min(1, len(labels) - 1),
        text=lambda place: labels[place],
        spell=lambda place: str(place + 1),
        width=220,
    )
    return int(chosen)


# What each part of a step is shown as


def _sources(run: Run, found: StepValues, equation: Equation) -> None:
    states = found.values[equation.value]
    st.markdown(say("lineage-sources", n=states.shape[0], units=states.shape[1]))


def _vector(run: Run, found: StepValues, equation: Equation) -> None:
    values = found.values[equation.value]
    figure = unit_bars(values)
    name = named(f"value-{equation.value}", equation.value)
    figure_block(
        figure,
        key=f"step_{equation.value}",
        alt=say("lineage-vector-alt", name=name, n=len(values)),
        name=say("lineage-vector-file", name=name, text=run.translation.src.text),
        caption=say(
            "lineage-vector",
            name=name,
            n=len(values),
            least=signed(values.min(), 3),
            most=signed(values.max(), 3),
        ),
        numbers=lambda: tables_of(figure)["units"][["unit", "value"]],
    )


def _number(run: Run, found: StepValues, equation: Equation) -> None:
    """The middle of a window, with the tokens that lie in it."""
    centre = float(found.values[equation.value][0])
    inside = np.nonzero(found.seen)[0]
    labels = distinct_labels(found.src.tokens)
    first, last = (plain(labels[place]) for place in (inside[0], inside[-1]))
    st.markdown(
        say(
            "lineage-centre",
            place=fixed(centre + 1),
            token=plain(labels[int(np.clip(round(centre), 0, len(labels) - 1))]),
            first=first,
            last=last,
            n=len(inside),
            of=len(labels),
        )
    )


def _terms(run: Run, found: StepValues, equation: Equation) -> None:
    """One score as the sum that it is: its largest terms, the others together, and their sum."""
    if found.terms is None:
        return
    token = source_menu(found)
    table = terms_table(found.terms[token], say("lineage-terms-rest"), say("lineage-sum"))
    st.markdown(say("lineage-terms", token=_quoted(found.src.tokens[token])))
    _table(table, "step_terms", unit="lineage-unit", term="lineage-term")


def source_menu(found: StepValues) -> int:
    """The token of the source whose score is taken apart; the one with the largest weight."""
    labels = numbered_labels(found.src.tokens)
    return choice(
        "step_source",
        range(len(labels)),
        words="step-source",
        style="select",
        default=int(found.weights.argmax()),
        text=lambda place: labels[place],
        spell=lambda place: str(place + 1),
        width=220,
    )


def terms_table(terms: np.ndarray, rest: str, total: str) -> pd.DataFrame:
    """The largest terms of a sum, the others together, and the sum: the column `term` adds up."""
    largest = largest_terms(terms, MOST_TERMS)
    others = float(np.delete(terms.astype(np.float64), largest).sum())
    shown = adding_up([*terms[largest].astype(np.float64), others], DIGITS)
    return pd.DataFrame(
        {
            "unit": [*(str(place + 1) for place in largest), rest, total],
            "term": [*shown, round(shown.sum(), DIGITS)],
        }
    )


def _softmax(run: Run, found: StepValues, equation: Equation) -> None:
    table = softmax_table(found, say("lineage-sum"))
    names = {"share": "lineage-share", "score": "lineage-score", "below": "lineage-below"}
    names |= {"exponential": "lineage-exponential", "gaussian": "lineage-gaussian"}
    names |= {"weight": "lineage-weight"}
    _table(table, "step_softmax", token="lineage-token", **names)
    if found.gaussian is not None:
        st.caption(say("lineage-softmax-gaussian", sum=fixed(table["weight"].iloc[-1], DIGITS)))


def softmax_table(found: StepValues, total: str) -> pd.DataFrame:
    """From score to weight, a line each token of the source and one for the sums.

    What is not seen has no number. `exponential` and `share` add up to their sums as they are
    shown, `weight` too.
    """
    below, exponentials, shares = softmax_parts(found.scores, found.seen)
    inside = np.nonzero(found.seen)[0]

    def column(values: np.ndarray) -> list[float]:
        shown = np.full(len(values), np.nan)
        shown[inside] = adding_up(np.asarray(values, dtype=np.float64)[inside], DIGITS)
        return [*shown, round(float(np.nansum(shown)), DIGITS)]

    nothing = np.nan
    table = {
        "token": [*distinct_labels(found.src.tokens), total],
        "score": [*np.round(found.scores.astype(np.float64), DIGITS), nothing],
        "below": [*np.round(below, DIGITS), nothing],
        "exponential": column(exponentials),
        "share": column(shares),
    }
    if found.gaussian is not None:
        gaussian = np.where(found.seen, found.gaussian.astype(np.float64), np.nan)
        table["gaussian"] = [*np.round(gaussian, DIGITS), nothing]
        table["weight"] = column(shares * np.nan_to_num(gaussian))
    return pd.DataFrame(table)


def _context(run: Run, found: StepValues, equation: Equation) -> None:
    """The weighted sum, worked out for one unit, below all of them as bars."""
    _vector(run, found, equation)
    context = found.values[equation.value]
    unit = choice(
        "step_unit",
        range(len(context)),
        words="step-unit",
        style="select",
        default=int(np.abs(context).argmax()),
        text=lambda place: str(place + 1),
        spell=lambda place: str(place + 1),
        width=160,
        filter_mode="prefix",
    )
    table = context_table(found, unit, say("lineage-sum"))
    names = {"weight": "lineage-weight", "state": "lineage-state", "product": "lineage-product"}
    _table(table, "step_context", token="lineage-token", **names)
    exact = float(context[unit])
    st.caption(say("lineage-context", unit=unit + 1, value=signed(exact, DIGITS)))


def context_table(found: StepValues, unit: int, total: str) -> pd.DataFrame:
    """One unit of the context as the weighted sum that it is; `product` adds up as shown."""
    states = found.values["annotations"][:, unit].astype(np.float64)
    weights = found.weights.astype(np.float64)
    products = adding_up(weights * states, DIGITS)
    shown = adding_up(weights, DIGITS)
    return pd.DataFrame(
        {
            "token": [*distinct_labels(found.src.tokens), total],
            "weight": [*shown, round(float(shown.sum()), DIGITS)],
            "state": [*np.round(states, DIGITS), np.nan],
            "product": [*products, round(float(products.sum()), DIGITS) + 0.0],
        }
    )


def _output(run: Run, found: StepValues, equation: Equation) -> None:
    others = say("lineage-others", n=len(found.logits) - len(found.candidates))
    table = output_table(found, others, say("lineage-sum"))
    names = {"logit": "lineage-logit", "below": "lineage-below"}
    names |= {"exponential": "lineage-exponential", "probability": "lineage-probability"}
    _table(table, "step_output", token="lineage-token", **names)


def output_table(found: StepValues, others: str, total: str) -> pd.DataFrame:
    """From logit to probability: the likeliest tokens, all others together, and the sums."""
    logits = found.logits.astype(np.float64)
    below, exponentials, shares = softmax_parts(logits, np.ones(len(logits), dtype=bool))
    ids = [each.token_id for each in found.candidates]
    written = found.tgt.ids[found.position]
    labels = [
        ("▸ " if i == written else "") + token_label(each.token)
        for i, each in zip(ids, found.candidates, strict=True)
    ]

    def column(values: np.ndarray) -> list[float]:
        shown = adding_up([*values[ids], np.delete(values, ids).sum()], DIGITS)
        return [*shown, round(float(shown.sum()), DIGITS)]

    return pd.DataFrame(
        {
            "token": [*labels, others, total],
            "logit": [*np.round(logits[ids], DIGITS), np.nan, np.nan],
            "below": [*np.round(below[ids], DIGITS), np.nan, np.nan],
            "exponential": column(exponentials),
            "probability": column(shares),
        }
    )


def _table(table: pd.DataFrame, key: str, **titles: str) -> None:
    """A table whose last line is a sum; numbers with as many decimals as they were rounded to."""
    numbers = {
        name: st.column_config.NumberColumn(say(titles[name]), format=f"%.{DIGITS}f")
        for name in table.columns[1:]
    }
    first = table.columns[0]
    # The sum below must be seen.
    height = "content" if len(table) <= MOST_LINES else 36 * MOST_LINES
    st.dataframe(
        table,
        key=key,
        hide_index=True,
        width="content",
        height=height,
        column_config={
            first: st.column_config.TextColumn(say(titles[first]), width=150),
            **numbers,
        },
        alt=say("lineage-table-alt", n=len(table)),
    )


PARTS: dict[str, Callable[[Run, StepValues, Equation], None]] = {
    "sources": _sources,
    "vector": _vector,
    "number": _number,
    "terms": _terms,
    "softmax": _softmax,
    "context": _context,
    "output": _output,
}

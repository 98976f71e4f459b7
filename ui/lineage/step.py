"""One step of a decoder in numbers, equation by equation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import streamlit as st

from analysis.labels import distinct_labels, numbered_labels, token_label
from analysis.lineage import adding_up, largest_terms, softmax_parts
from records import Equation, StepValues
from ui.kit.blocks import picture, table
from ui.kit.controls import place_menu
from ui.kit.layout import controls, finding
from ui.state import Run
from ui.words import named, plain, say
from viz.figure import tables_of
from viz.lineage import share_bars, unit_bars
from words.numbers import fixed, signed

from .chosen import answer

DIGITS = 4
MOST_TERMS = 6
MOST_LINES = 45  # of a table, before it scrolls


def show(run: Run) -> None:
    labels = numbered_labels(run.translation.tgt.tokens)
    with controls():
        position = _menu("step-token", labels, min(1, len(labels) - 1), width=320)
    pair = run.translation.src, run.translation.tgt
    found: StepValues = answer(run.translator, "step_values", *pair, position)
    written = found.tgt.ids[position]
    log_prob = next(each.log_prob for each in found.candidates if each.token_id == written)
    told = {"read": _quoted(found.read), "written": _quoted(found.tgt.tokens[position])}
    said = [say("lineage-step", n=position + 1, p=fixed(np.exp(log_prob)), **told)]
    panels = {}
    if found.weights is not None:
        tokens = distinct_labels(found.src.tokens)
        panels["lineage-weight"] = pd.DataFrame({"label": tokens, "value": found.weights})
        most = int(found.weights.argmax())
        token, weight = _quoted(found.src.tokens[most]), fixed(found.weights[most])
        said.append(say("lineage-step-weight", token=token, weight=weight))
    finding(" ".join(said))
    likely = np.exp([each.log_prob for each in found.candidates])
    panels["lineage-probability"] = pd.DataFrame({"label": _candidates(found), "value": likely})
    step = {"n": position + 1, "token": plain(labels[position])}
    picture("lineage-step", share_bars(panels), key="step_shares", text=found.src.text, **step)
    for place, equation in enumerate(found.equations):
        with st.container(border=True, key=f"equation_{place}"):
            left, right = st.columns([2, 3], gap="medium")
            with left:
                st.latex(equation.latex)
                st.caption(named(f"equation-{equation.name}", equation.name))
            with right:
                PARTS[equation.part](found, equation)


def _quoted(token: str) -> str:
    return say("quoted", text=plain(token_label(token)))


def _candidates(found: StepValues) -> list[str]:
    written = found.tgt.ids[found.position]
    marks = ("▸ " if each.token_id == written else "" for each in found.candidates)
    return [m + token_label(each.token) for m, each in zip(marks, found.candidates, strict=True)]


def _menu(words: str, labels: list[str], first: int, *, width: int = 220) -> int:
    how = {"words": words, "default": first, "width": width, "filter_mode": "prefix"}
    return place_menu(words.replace("-", "_"), labels, **how)


# What each part of a step is shown as


def _sources(found: StepValues, equation: Equation) -> None:
    states = found.values[equation.value]
    st.markdown(say("lineage-sources", n=states.shape[0], units=states.shape[1]))


def _vector(found: StepValues, equation: Equation) -> None:
    values = found.values[equation.value]
    figure = unit_bars(values)
    picture(
        "lineage-vector",
        figure,
        key=f"step_{equation.value}",
        numbers=lambda: tables_of(figure)["units"][["unit", "value"]],
        name=named(f"value-{equation.value}", equation.value),
        n=len(values),
        least=signed(values.min(), 3),
        most=signed(values.max(), 3),
        text=found.src.text,
    )


def _number(found: StepValues, equation: Equation) -> None:
    centre = float(found.values[equation.value][0])
    inside = np.nonzero(found.seen)[0]
    labels = [plain(label) for label in distinct_labels(found.src.tokens)]
    nearest = labels[int(np.clip(round(centre), 0, len(labels) - 1))]
    ends = {"first": labels[inside[0]], "last": labels[inside[-1]]}
    size = {"n": len(inside), "of": len(labels)}
    st.markdown(say("lineage-centre", place=fixed(centre + 1), token=nearest, **ends, **size))


def _terms(found: StepValues, equation: Equation) -> None:
    if found.terms is None:
        return
    token = _menu("step-source", numbered_labels(found.src.tokens), int(found.weights.argmax()))
    st.markdown(say("lineage-terms", token=_quoted(found.src.tokens[token])))
    _sum("step_terms", terms_table(found.terms[token], say("lineage-terms-rest"), _total()))


def _total() -> str:
    return say("lineage-sum")


def terms_table(terms: np.ndarray, rest: str, total: str) -> pd.DataFrame:
    """The largest terms of a sum, the others together, and the sum: the column `term` adds up."""
    largest = largest_terms(terms, MOST_TERMS)
    others = float(np.delete(terms.astype(np.float64), largest).sum())
    shown = adding_up([*terms[largest].astype(np.float64), others], DIGITS)
    units = [*(str(place + 1) for place in largest), rest, total]
    return pd.DataFrame({"unit": units, "term": _with_sum(shown)})


def _softmax(found: StepValues, equation: Equation) -> None:
    rows = softmax_table(found, _total())
    _sum("step_softmax", rows)
    if found.gaussian is not None:
        st.caption(say("lineage-softmax-gaussian", sum=fixed(rows["weight"].iloc[-1], DIGITS)))


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
        return _with_sum(shown)

    rows = {
        "token": [*distinct_labels(found.src.tokens), total],
        "score": _without_sum(found.scores),
        "below": _without_sum(below),
        "exponential": column(exponentials),
        "share": column(shares),
    }
    if found.gaussian is not None:
        gaussian = np.where(found.seen, found.gaussian.astype(np.float64), np.nan)
        rows["gaussian"] = _without_sum(gaussian)
        rows["weight"] = column(shares * np.nan_to_num(gaussian))
    return pd.DataFrame(rows)


def _context(found: StepValues, equation: Equation) -> None:
    _vector(found, equation)
    context = found.values[equation.value]
    units = [str(place + 1) for place in range(len(context))]
    unit = _menu("step-unit", units, int(np.abs(context).argmax()), width=160)
    _sum("step_context", context_table(found, unit, _total()))
    exact = signed(context[unit], DIGITS)
    st.caption(say("lineage-context", unit=unit + 1, value=exact))


def context_table(found: StepValues, unit: int, total: str) -> pd.DataFrame:
    """One unit of the context as the weighted sum that it is; `product` adds up as shown."""
    states = found.values["annotations"][:, unit].astype(np.float64)
    weights = found.weights.astype(np.float64)
    return pd.DataFrame(
        {
            "token": [*distinct_labels(found.src.tokens), total],
            "weight": _with_sum(adding_up(weights, DIGITS)),
            "state": _without_sum(states),
            "product": _with_sum(adding_up(weights * states, DIGITS)),
        }
    )


def _output(found: StepValues, equation: Equation) -> None:
    others = say("lineage-others", n=len(found.logits) - len(found.candidates))
    _sum("step_output", output_table(found, others, _total()))


def output_table(found: StepValues, others: str, total: str) -> pd.DataFrame:
    """From logit to probability: the likeliest tokens, all others together, and the sums."""
    logits = found.logits.astype(np.float64)
    below, exponentials, shares = softmax_parts(logits, np.ones(len(logits), dtype=bool))
    ids = [each.token_id for each in found.candidates]

    def column(values: np.ndarray) -> list[float]:
        return _with_sum(adding_up([*values[ids], np.delete(values, ids).sum()], DIGITS))

    return pd.DataFrame(
        {
            "token": [*_candidates(found), others, total],
            "logit": _without_sum([*logits[ids], np.nan]),
            "below": _without_sum([*below[ids], np.nan]),
            "exponential": column(exponentials),
            "probability": column(shares),
        }
    )


def _with_sum(shown: np.ndarray) -> list[float]:
    return [*shown, round(float(np.nansum(shown)), DIGITS) + 0.0]


def _without_sum(values: np.ndarray | list[float]) -> list[float]:
    return [*np.round(np.asarray(values, dtype=np.float64), DIGITS), np.nan]


def _sum(key: str, rows: pd.DataFrame) -> None:
    """A table whose last line is a sum, which must be seen; numbers as they were rounded."""
    first, *numbers = rows.columns
    table(
        "lineage-table",
        rows,
        key=key,
        words="lineage",
        widths={first: 150},
        formats=dict.fromkeys(numbers, f"%.{DIGITS}f"),
        height="content" if len(rows) <= MOST_LINES else 36 * MOST_LINES,
        n=len(rows),
    )


PARTS: dict[str, Callable[[StepValues, Equation], None]] = {
    "sources": _sources,
    "vector": _vector,
    "number": _number,
    "terms": _terms,
    "softmax": _softmax,
    "context": _context,
    "output": _output,
}

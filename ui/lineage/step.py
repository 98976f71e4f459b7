"""One decoder step in numbers, equation by equation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.lineage import adding_up, softmax_parts
from core.measures import top_keys
from core.step import Equation, StepValues
from core.tokens import distinct_labels, numbered_labels, token_label
from model.experiments.step import step_values
from ui.kit.blocks import ROW, picture, table
from ui.kit.controls import place_menu
from ui.kit.layout import caption, controls, finding, paragraph
from ui.state import Run
from ui.words import named, plain, quoted, say
from viz.figure import tables_of
from viz.lineage import share_bars, unit_bars

DIGITS = 4
# Columns of a table whose sum is meaningful.
ADDING = ("term", "exponential", "share", "weight", "product", "probability")
# Terms of a score that are listed; the rest is summed.
MOST_TERMS = 6
MOST_LINES = 45  # of a table before it scrolls


def show(run: Run) -> None:
    labels = numbered_labels(run.tgt.tokens)
    with controls():
        # The second position: at the first the decoder has only read the start symbol.
        position = place_menu("step_token", labels, default=min(1, len(labels) - 1), width=320)
    found = run.ask_pair(step_values, position)
    written = found.tgt.ids[position]
    log_prob = next(each.log_prob for each in found.candidates if each.token_id == written)
    told = {
        "read": quoted(run.spoken("target", token_label(found.read))),
        "written": quoted(run.spoken("target", token_label(found.tgt.tokens[position]))),
    }
    said = [say("lineage-step", n=position + 1, p=np.exp(log_prob), **told)]
    panels = {}
    if found.weights is not None:
        tokens = distinct_labels(found.src.tokens)
        panels["lineage-table-weight"] = pd.DataFrame({"label": tokens, "value": found.weights})
        most = int(found.weights.argmax())
        token = quoted(token_label(found.src.tokens[most]))
        weight = found.weights[most]
        said.append(say("lineage-step-weight", token=token, weight=weight))
    finding(" ".join(said))
    likely = np.exp([each.log_prob for each in found.candidates])
    panels["lineage-table-probability"] = pd.DataFrame(
        {"label": _candidates(found), "value": likely}
    )
    step = {"n": position + 1, "token": plain(labels[position])}
    picture("lineage-step", share_bars(panels), **step)
    for place, equation in enumerate(found.equations):
        with st.container(border=True, key=f"equation_{place}"):
            left, right = st.columns([2, 3], gap="medium")
            with left:
                st.latex(equation.latex)
                st.caption(named(f"equation-{equation.name}", equation.name))
            with right:
                PARTS[equation.part](found, equation)


def _candidates(found: StepValues) -> list[str]:
    written = found.tgt.ids[found.position]
    marks = ("▸ " if each.token_id == written else "" for each in found.candidates)
    return [m + token_label(each.token) for m, each in zip(marks, found.candidates, strict=True)]


# Panels by the part of a step.


def _sources(found: StepValues, equation: Equation) -> None:
    states = found.values[equation.value]
    paragraph("lineage-sources", n=states.shape[0], units=states.shape[1])


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
        least=values.min(),
        most=values.max(),
    )


def _number(found: StepValues, equation: Equation) -> None:
    centre = float(found.values[equation.value][0])
    inside = np.nonzero(found.seen)[0]
    labels = [plain(label) for label in distinct_labels(found.src.tokens)]
    nearest = labels[int(np.clip(round(centre), 0, len(labels) - 1))]
    ends = {"first": labels[inside[0]], "last": labels[inside[-1]]}
    size = {"n": len(inside), "of": len(labels)}
    paragraph("lineage-centre", place=centre + 1, token=nearest, **ends, **size)


def _terms(found: StepValues, equation: Equation) -> None:
    if found.terms is None:
        return
    how = {"default": int(found.weights.argmax()), "width": 220}
    token = place_menu("step_source", numbered_labels(found.src.tokens), **how)
    paragraph("lineage-terms", token=quoted(token_label(found.src.tokens[token])))
    # float64, because the terms are added again in the table.
    terms = found.terms[token].astype(np.float64)
    largest = top_keys(np.abs(terms), MOST_TERMS)
    units = [*(str(place + 1) for place in largest), say("lineage-terms-rest")]
    _sum("step_terms", "unit", units, term=[*terms[largest], np.delete(terms, largest).sum()])


def _softmax(found: StepValues, equation: Equation) -> None:
    tokens = distinct_labels(found.src.tokens)
    rows = _sum("step_softmax", "token", tokens, **softmax_columns(found))
    if found.gaussian is not None:
        caption("lineage-softmax-gaussian", sum=rows["weight"].iloc[-1])


def softmax_columns(found: StepValues) -> dict[str, np.ndarray]:
    """Return the columns from score to weight for each source token; NaN where it is masked."""
    below, exponentials, shares = softmax_parts(found.scores, found.seen)
    columns = {"score": found.scores, "below": below}
    seen = {"exponential": exponentials, "share": shares}
    if found.gaussian is not None:
        # Local attention multiplies by a Gaussian after the softmax (Luong et al. 2015, eq. 10).
        seen |= {"gaussian": found.gaussian, "weight": shares * found.gaussian}
    return columns | {name: np.where(found.seen, each, np.nan) for name, each in seen.items()}


def _context(found: StepValues, equation: Equation) -> None:
    _vector(found, equation)
    context = found.values[equation.value]
    units = [str(place + 1) for place in range(len(context))]
    unit = place_menu("step_unit", units, default=int(np.abs(context).argmax()), width=160)
    state = found.values["annotations"][:, unit].astype(np.float64)
    weight = found.weights.astype(np.float64)
    columns = {"weight": weight, "state": state, "product": weight * state}
    _sum("step_context", "token", distinct_labels(found.src.tokens), **columns)
    caption("lineage-context", unit=unit + 1, value=context[unit])


def _output(found: StepValues, equation: Equation) -> None:
    logits = found.logits.astype(np.float64)
    ids = [each.token_id for each in found.candidates]
    below, *parts = softmax_parts(logits, np.ones(len(logits), dtype=bool))
    columns = {"logit": [*logits[ids], np.nan], "below": [*below[ids], np.nan]}
    for name, part in zip(("exponential", "probability"), parts, strict=True):
        # Logits of tokens that are not listed are summed in one line.
        columns[name] = [*part[ids], np.delete(part, ids).sum()]
    tokens = [*_candidates(found), say("lineage-others", n=len(logits) - len(ids))]
    _sum("step_output", "token", tokens, **columns)


def _sum(key: str, first: str, labels: Sequence[str], **columns: Any) -> pd.DataFrame:
    """Draw a table whose last line is the sum of the additive columns, as rounded."""
    rows: dict[str, list] = {first: [*labels, say("lineage-sum")]}
    for name, values in columns.items():
        shown = np.round(np.asarray(values, dtype=np.float64), DIGITS)
        total = np.nan
        if name in ADDING:
            there = ~np.isnan(shown)
            # Rounded so that the shown numbers add up to the shown sum.
            shown[there] = adding_up(np.asarray(values, dtype=np.float64)[there], DIGITS)
            # + 0.0 turns -0.0 into 0.0.
            total = round(float(np.nansum(shown)), DIGITS) + 0.0
        rows[name] = [*shown, total]
    table(
        "lineage-table",
        pd.DataFrame(rows),
        key=key,
        widths={first: 150},
        formats=dict.fromkeys(columns, f"%.{DIGITS}f"),
        # The sum in the last line must be visible.
        height=ROW * MOST_LINES,
    )
    return pd.DataFrame(rows)


PARTS: dict[str, Callable[[StepValues, Equation], None]] = {
    "sources": _sources,
    "vector": _vector,
    "number": _number,
    "terms": _terms,
    "softmax": _softmax,
    "context": _context,
    "output": _output,
}

"""One decoder step in numbers, equation by equation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import ArrayLike

from core.lineage import adding_up
from core.records.step import Equation, StepValues
from core.records.tokens import distinct_labels, numbered_labels, token_label
from core.softmax import softmax_parts
from core.weights.measures import top_keys
from model.experiments.step import step_values
from ui.frame.messages import named, plain, quoted, say
from ui.frame.model_cache import ask
from ui.frame.run import Run
from ui.kit.blocks import ROW, picture, table
from ui.kit.controls import place_menu
from ui.kit.layout import caption, controls, finding, paragraph
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
    step = ask(run.translator, step_values, run.src, run.tgt, position)
    written = step.tgt.ids[position]
    log_prob = next(
        candidate.log_prob for candidate in step.candidates if candidate.token_id == written
    )
    sentences = [
        say(
            "lineage-step",
            n=position + 1,
            p=np.exp(log_prob),
            read=quoted(run.spoken("target", token_label(step.read))),
            written=quoted(run.spoken("target", token_label(step.tgt.tokens[position]))),
        )
    ]
    panels = {}
    if step.weights is not None:
        tokens = distinct_labels(step.src.tokens)
        panels["lineage-table-weight"] = pd.DataFrame({"label": tokens, "value": step.weights})
        most = int(step.weights.argmax())
        token = quoted(token_label(step.src.tokens[most]))
        weight = step.weights[most]
        sentences.append(say("lineage-step-weight", token=token, weight=weight))
    finding(" ".join(sentences))
    panels["lineage-table-probability"] = pd.DataFrame(
        {
            "label": _candidate_labels(step),
            "value": np.exp([candidate.log_prob for candidate in step.candidates]),
        }
    )
    picture("lineage-step", share_bars(panels), n=position + 1, token=plain(labels[position]))
    _equations(step)


def _equations(step: StepValues) -> None:
    for n, equation in enumerate(step.equations):
        with st.container(border=True, key=f"equation_{n}"):
            left, right = st.columns([2, 3], gap="medium")
            with left:
                st.latex(equation.latex)
                st.caption(named(f"equation-{equation.name}", equation.name))
            with right:
                PARTS[equation.part](step, equation)


def _candidate_labels(step: StepValues) -> list[str]:
    """Return the labels of the likeliest tokens; a mark stands before the written one."""
    written = step.tgt.ids[step.position]
    return [
        ("▸ " if candidate.token_id == written else "") + token_label(candidate.token)
        for candidate in step.candidates
    ]


# Panels by the part of a step.


def _sources(step: StepValues, equation: Equation) -> None:
    states = step.values[equation.value]
    paragraph("lineage-sources", n=states.shape[0], units=states.shape[1])


def _vector(step: StepValues, equation: Equation) -> None:
    values = step.values[equation.value]
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


def _number(step: StepValues, equation: Equation) -> None:
    centre = float(step.values[equation.value][0])
    inside = np.nonzero(step.seen)[0]
    labels = [plain(label) for label in distinct_labels(step.src.tokens)]
    nearest = labels[int(np.clip(round(centre), 0, len(labels) - 1))]
    paragraph(
        "lineage-centre",
        place=centre + 1,
        token=nearest,
        first=labels[inside[0]],
        last=labels[inside[-1]],
        n=len(inside),
        of=len(labels),
    )


def _terms(step: StepValues, equation: Equation) -> None:
    if step.terms is None:
        return
    token = place_menu(
        "step_source",
        numbered_labels(step.src.tokens),
        default=int(step.weights.argmax()),
        width=220,
    )
    paragraph("lineage-terms", token=quoted(token_label(step.src.tokens[token])))
    # float64, because the terms are added again in the table.
    terms = step.terms[token].astype(np.float64)
    largest = top_keys(np.abs(terms), MOST_TERMS)
    units = [*(str(unit + 1) for unit in largest), say("lineage-terms-rest")]
    column = [*terms[largest], np.delete(terms, largest).sum()]
    _sum("step_terms", "unit", units, {"term": column})


def _softmax(step: StepValues, equation: Equation) -> None:
    tokens = distinct_labels(step.src.tokens)
    rows = _sum("step_softmax", "token", tokens, softmax_columns(step))
    if step.gaussian is not None:
        caption("lineage-softmax-gaussian", sum=rows["weight"].iloc[-1])


def softmax_columns(step: StepValues) -> dict[str, np.ndarray]:
    """Return the columns from score to weight for each source token; NaN where it is masked."""
    below, exponentials, shares = softmax_parts(step.scores, step.seen)
    columns = {"score": step.scores, "below": below}
    seen = {"exponential": exponentials, "share": shares}
    if step.gaussian is not None:
        # Local attention multiplies by a Gaussian after the softmax (Luong et al. 2015, eq. 10).
        seen |= {"gaussian": step.gaussian, "weight": shares * step.gaussian}
    return columns | {name: np.where(step.seen, column, np.nan) for name, column in seen.items()}


def _context(step: StepValues, equation: Equation) -> None:
    _vector(step, equation)
    context = step.values[equation.value]
    units = [str(unit + 1) for unit in range(len(context))]
    unit = place_menu("step_unit", units, default=int(np.abs(context).argmax()), width=160)
    state = step.values["annotations"][:, unit].astype(np.float64)
    weight = step.weights.astype(np.float64)
    columns = {"weight": weight, "state": state, "product": weight * state}
    _sum("step_context", "token", distinct_labels(step.src.tokens), columns)
    caption("lineage-context", unit=unit + 1, value=context[unit])


def _output(step: StepValues, equation: Equation) -> None:
    logits = step.logits.astype(np.float64)
    ids = [candidate.token_id for candidate in step.candidates]
    below, exponentials, probabilities = softmax_parts(logits, np.ones(len(logits), dtype=bool))
    columns = {
        "logit": [*logits[ids], np.nan],
        "below": [*below[ids], np.nan],
        # Tokens that are not listed are summed in one line.
        "exponential": [*exponentials[ids], np.delete(exponentials, ids).sum()],
        "probability": [*probabilities[ids], np.delete(probabilities, ids).sum()],
    }
    tokens = [*_candidate_labels(step), say("lineage-others", n=len(logits) - len(ids))]
    _sum("step_output", "token", tokens, columns)


def _sum(
    key: str, first: str, labels: Sequence[str], columns: Mapping[str, ArrayLike]
) -> pd.DataFrame:
    """Draw a table whose last line is the sum of the additive columns, as rounded."""
    rows: dict[str, list] = {first: [*labels, say("lineage-sum")]}
    for name, column in columns.items():
        values = np.asarray(column, dtype=np.float64)
        rounded = np.round(values, DIGITS)
        total = np.nan
        if name in ADDING:
            numbers = ~np.isnan(rounded)
            # Rounded so that the shown numbers add up to the shown sum.
            rounded[numbers] = adding_up(values[numbers], DIGITS)
            # + 0.0 turns -0.0 into 0.0.
            total = round(float(np.nansum(rounded)), DIGITS) + 0.0
        rows[name] = [*rounded, total]
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

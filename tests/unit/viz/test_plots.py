"""What holds for every figure of Plotly: it is valid, keeps to the look, and any tokens do."""

from __future__ import annotations

import html
import json
import re

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from unit.viz.test_figures import HOSTILE, MANY, MOST_VALUES, hold_to, short

from core.cost import LAYERS
from core.positions import encoding_table
from core.principal import principal
from core.tokens import token_labels
from support.figures import PLAIN
from support.figures.cost import measured
from viz.cost import measured_lines
from viz.encoding_space import encoding_curve, encoding_surface
from viz.look import Look
from viz.plots import path, points
from viz.sweep import sweep_chart
from viz.theme import ground, ink
from viz.training import run_curves
from words import Words

MARKUP = ("▁<i>x</i>", "▁&lt;", "▁%{x}", "a<br>b", "▁<sup>", *HOSTILE[2:])
KOREAN = Look(dark=True, words=Words("ko"))


def encoding(tokens):
    values = encoding_table(max(12, len(tokens)), 8)
    values[3, 2] = np.nan
    return values


def runs(tokens):
    lines = [(run, "loss", step, step or np.nan) for run in tokens[:6] for step in range(3)]
    table = pd.DataFrame(lines, columns=["run", "measure", "step", "value"])
    return run_curves(table, list(dict.fromkeys(tokens[:6])), {"loss": "Loss"})


def layers(tokens):
    powers = pd.DataFrame({"kind": ["gru"], "at": 256, "exponent": 1.0, "low": 0.9, "high": 1.1})
    return measured_lines(measured(), LAYERS, "forward", 256, powers, here=measured()[:1])


WIDTHS = [{"beam_size": 1, "bleu": 30.0}, {"beam_size": 5, "bleu": None}]
TOLD = {
    "surface": lambda tokens: encoding_surface(encoding(tokens), tokens=tokens, chosen=(3, 2)),
    "curve": lambda tokens: encoding_curve(principal(encoding(tokens)), tokens=tokens, chosen=0),
}
PLOTS = {**TOLD, "runs": runs, "layers": layers, "sweep": lambda tokens: sweep_chart(WIDTHS)}


def strings(part):
    """All strings of a figure, those of columns one by one."""
    if isinstance(part, str):
        return [part]
    below = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return [text for each in below for text in strings(each)]


def written(figure):
    return json.loads(figure.to_json())


@pytest.mark.parametrize("tokens", [PLAIN, PLAIN[:1], MARKUP, MANY])
@pytest.mark.parametrize("name", PLOTS)
def test_it_is_a_valid_figure_of_any_tokens_without_what_is_no_number(name, tokens):
    figure = PLOTS[name](tokens)
    go.Figure(written(figure), skip_invalid=False)
    json.dumps(written(figure), allow_nan=False)
    assert figure.layout.height
    assert figure.layout.uirevision


@pytest.mark.parametrize("name", PLOTS)
def test_its_traces_are_those_that_were_read(name, request):
    """The first numbers and words of each, and all of its style; a line a property."""
    layout, data = (PLOTS[name](PLAIN).to_dict()[part] for part in ("layout", "data"))
    layout.pop("template")
    parts = {"layout": layout} | {f"trace {n}": trace for n, trace in enumerate(data)}
    lines = (f"{at}{key}: {text}" for at in parts for key, text in told(parts[at]))
    hold_to(request, f"plot-{name}", "\n".join(lines) + "\n")


def told(part, key=""):
    if isinstance(part, dict):
        for name in sorted(part):
            yield from told(part[name], f"{key}.{name}")
    elif isinstance(part, np.ndarray | list | tuple):
        values = np.asarray(part).ravel()
        yield key, f"{', '.join(map(short, values[:MOST_VALUES]))} ({len(values)})"
    else:
        yield key, short(part)


@pytest.mark.parametrize("name", PLOTS)
def test_a_token_is_no_markup_and_no_template(name):
    shown = written(PLOTS[name](MARKUP))
    tags = {tag for text in strings(shown) for tag in re.findall(r"</?\w+[^>]*>", text)}
    assert tags <= {"<b>", "</b>", "<br>", "<extra>", "</extra>"}
    plain = written(PLOTS[name](PLAIN[: len(MARKUP)]))
    templates = [{t.get("hovertemplate") for t in each["data"]} for each in (shown, plain)]
    assert templates[0] == templates[1]


@pytest.mark.parametrize("tokens", [PLAIN, MARKUP, MANY])
@pytest.mark.parametrize("name", TOLD)
def test_every_token_is_told_as_it_is_typed(name, tokens):
    told = html.unescape("\n".join(strings(written(TOLD[name](tokens))["data"])))
    assert all(label in told for label in token_labels(tokens))


@pytest.mark.parametrize("name", PLOTS)
def test_ink_and_words_are_those_of_the_look(name):
    light, dark = (look(PLOTS[name], PLAIN) for look in (Look(), KOREAN))
    for figure, look in ((light, Look()), (dark, KOREAN)):
        assert figure.layout.template.layout.font.color == look(ink)
        assert figure.layout.template.layout.hoverlabel.bgcolor == look(ground)
    assert re.search("[가-힣]", json.dumps(written(dark), ensure_ascii=False))


def test_points_tell_their_lines_and_a_heading_and_paths_tell_nothing():
    told = [("", ["<a>\n&", "b"]), ("figures-token", ["c", "d"]), ("x", "%{x}")]
    trace = points([[0, 1], [2, 3]], told)
    assert list(map(tuple, trace.customdata)) == [("&lt;a&gt;<br>&amp;", "c"), ("b", "d")]
    lines = "<b>%{customdata[0]}</b><br>Token: %{customdata[1]}<br>x: %{x}<extra></extra>"
    assert trace.hovertemplate == lines
    assert path([[0], [0], [0]], "red", 2).hoverinfo == "skip"
    # What WebGL writes knows no entities.
    flat, deep = (points([[0]] * n, text=["<b>&"]).text[0] for n in (2, 3))
    assert (flat, deep) == ("&lt;b&gt;&amp;", "<\u200bb>&")

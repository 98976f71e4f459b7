import numpy as np
import pandas as pd

from core.explain import measures_table
from viz.agreement import token_readings, two_readings
from viz.explain import correlation_grid, measure_bars
from viz.token_bars import candidates_chart, token_log_probs

from . import rng


def _measures(tokens, looked):
    weights, drops, gradient = rng().normal(size=(3, len(tokens)))
    drops[0] = np.nan
    lines = measures_table(tokens, abs(weights) / 9 if looked else None, drops, gradient)
    return measure_bars(lines)


def _logs(tokens):
    logs = -rng().exponential(size=len(tokens))
    fell = len(tokens) - 1
    return token_log_probs(tokens, logs, tokens, np.append(logs[1:], -np.inf), fell_out=fell)


def _candidates(tokens):
    logs = np.log(rng().dirichlet(np.ones(len(tokens) + 1))[1:])
    return candidates_chart(tokens, logs, range(len(tokens)), taken=[0])


def _readings(tokens):
    shares = rng().uniform(size=2 * len(tokens))
    lines = pd.DataFrame({"label": [*tokens] * 2, "share": shares})
    lines = lines.assign(side=["both", "left"] * len(tokens), low=shares / 2, high=np.nan)
    ids = (f"masked-agreement-{name}" for name in ("axis", "examples", "edge"))
    return two_readings(lines, *ids)


def _token_readings(tokens):
    logs = -rng().exponential(size=(2, len(tokens)))
    return token_readings(tokens, *logs)


CORRELATIONS = np.array([[0.9, -0.5, 0.0], [np.nan, 0.25, -1.0]])
FIGURES = {
    "explain-measures": lambda tokens: _measures(tokens, True),
    "explain-measures-without-attention": lambda tokens: _measures(tokens, False),
    "explain-heads": lambda _: correlation_grid(CORRELATIONS, title="ρ", selected=(1, 1)),
    "agreement": _readings,
    "agreement-tokens": _token_readings,
    "candidates": _candidates,
    "token-log-probs": _logs,
}

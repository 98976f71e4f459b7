import numpy as np
import pandas as pd

from core.cost import LAYERS
from viz import cost, sweep, training

BINS = {"confidence": [0.3, 0.9], "accuracy": [0.2, 0.8], "count": [3, 40]}
SEARCHES = [
    {"length": length, "beam_size": width, "seconds": length * width / 1000}
    for length in (8, 16)
    for width in (1, 5)
]


WIDTHS = [{"beam_size": 1, "bleu": 30.0}, {"beam_size": 5, "bleu": None}]


def measured():
    kinds = np.repeat(LAYERS, 2)
    places = {"kind": kinds, "n": [64, 128] * len(LAYERS), "d": 256}
    seconds = {"forward": np.arange(1.0, 1 + len(kinds)) / 1000}
    return pd.DataFrame({**places, **seconds, "both": 0.1, "kept": 1000})


FIGURES = {
    "counted": lambda tokens: cost.counted_table(measured()),
    "uncounted": lambda tokens: cost.counted_table(None),
    "path-strips": lambda tokens: cost.path_strips(),
    "rates": lambda tokens: training.rate_curves(
        [(1, 0.1), (2, 0.2)], [(1, 0.1)], warmup=2, name="run"
    ),
    "targets": lambda tokens: training.target_bars(
        tokens[0], probability=0.5, on_label=0.9, n_others=11, epsilon=0.1
    ),
    "calibration": lambda tokens: training.calibration_chart(dict.fromkeys(tokens[:6], BINS)),
    "sweep": lambda tokens: sweep.sweep_chart(WIDTHS, chosen=5),
    "search-cost": lambda tokens: sweep.cost_chart(SEARCHES),
}

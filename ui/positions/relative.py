"""Relative positions (Raffel et al. 2020): what the distance of two tokens adds to their score."""

from __future__ import annotations

import numpy as np
import pandas as pd

from model.experiments.order import relative_positions
from ui.kit.blocks import picture
from ui.kit.controls import choice, slider
from ui.kit.layout import controls, finding
from ui.state import Run
from ui.words import say, site_name
from viz.encoding_relations import relative_biases

REACH, MOST_REACH = 20, 128


def show(run: Run) -> None:
    sites = tuple(run.ask(relative_positions, 1))
    most = min(MOST_REACH, run.translator.max_source_len - 1)
    site = sites[0]
    with controls():
        if len(sites) > 1:
            site = choice("relative_site", sites, text=lambda name: site_name(name, "name"))
        reach = slider("relative_reach", 1, most, min(REACH, most))
    offsets, biases = run.ask(relative_positions, reach)[site]
    head = int(np.ptp(biases, axis=1).argmax())
    ends = {"high": int(biases[head].argmax()), "low": int(biases[head].argmin())}
    told = {f"{end}_at": offsets[at] for end, at in ends.items()}
    told |= {end: biases[head, at] for end, at in ends.items()}
    finding("positions-relative-finding", head=head + 1, **told)
    names = [say("positions-head-n", n=head + 1) for head in range(len(biases))]
    picture(
        "positions-relative",
        relative_biases(offsets, biases, names),
        numbers=lambda: pd.DataFrame(biases.T, columns=names).assign(offset=offsets),
        site=site_name(site, "name"),
        n=len(biases),
        reach=reach,
    )

"""Positions of a trained model: learned embeddings and relative biases."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.positions import cosine_matrix, values_table
from model.experiments.word_order import learned_positions, relative_positions
from ui.frame.messages import say, site_name
from ui.frame.model_cache import ask
from ui.frame.run import Run
from ui.kit.blocks import picture
from ui.kit.controls import choice, slider
from ui.kit.layout import controls, finding
from viz.encoding_relations import relative_biases, similarity_heatmap

N_DRAWN = 40  # positions drawn initially: training has few longer sentences
# Distances drawn initially and at most.
REACH = 20
MOST_REACH = 128


def learned(run: Run) -> None:
    """Draw a table of learned vectors (Gehring et al. 2017) and the similarity of its positions."""
    tables = ask(run.translator, learned_positions)
    with controls():
        side = choice("learned_side", tuple(tables))
        n_positions = len(tables[side])
        length = slider("learned_length", 2, n_positions, min(N_DRAWN, n_positions))
    values = tables[side][:length]
    cosines = cosine_matrix(values)
    apart = length // 2
    across = run.record.across
    tokens = across.key_tokens if side == "source" else across.query_tokens
    lengths = np.linalg.norm(values, axis=1)
    finding(
        "positions-learned-finding",
        near=float(cosines.diagonal(1).mean()),
        far=float(cosines.diagonal(apart).mean()),
        n=length,
        apart=apart,
        columns=values.shape[1],
    )
    picture(
        "positions-learned",
        similarity_heatmap(cosines, tokens=tokens[:length]),
        numbers=values_table(values),
        side=side,
        shortest=lengths.min(),
        longest=lengths.max(),
        n=length,
        apart=apart,
        columns=values.shape[1],
    )


def relative(run: Run) -> None:
    """Draw relative position biases (Raffel et al. 2020): their addition to a score by distance."""
    sites = tuple(ask(run.translator, relative_positions, 1))
    most = min(MOST_REACH, run.translator.max_source_len - 1)
    site = sites[0]
    with controls():
        if len(sites) > 1:
            site = choice("relative_site", sites, text=lambda name: site_name(name, "name"))
        reach = slider("relative_reach", 1, most, min(REACH, most))
    offsets, biases = ask(run.translator, relative_positions, reach)[site]
    # The head whose bias varies most is the one to read first.
    head = int(np.ptp(biases, axis=1).argmax())
    highest = int(biases[head].argmax())
    lowest = int(biases[head].argmin())
    finding(
        "positions-relative-finding",
        head=head + 1,
        high=biases[head, highest],
        high_at=offsets[highest],
        low=biases[head, lowest],
        low_at=offsets[lowest],
    )
    names = [say("positions-head-n", n=head + 1) for head in range(len(biases))]
    picture(
        "positions-relative",
        relative_biases(offsets, biases, names),
        numbers=lambda: pd.DataFrame(biases.T, columns=names).assign(offset=offsets),
        site=site_name(site, "name"),
        n=len(biases),
        reach=reach,
    )

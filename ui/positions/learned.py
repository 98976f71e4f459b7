"""Learned position embeddings (Gehring et al. 2017): how alike the vectors of two positions are."""

from __future__ import annotations

import numpy as np

from core.positions import cosine_matrix, values_table
from model.experiments.order import learned_positions
from ui.kit.blocks import picture
from ui.kit.controls import choice, slider
from ui.kit.layout import controls, finding
from ui.state import Run
from viz.encoding_relations import similarity_heatmap

SHOWN = 40  # positions at first: training has few longer sentences


def show(run: Run) -> None:
    tables = run.ask(learned_positions)
    with controls():
        side = choice("learned_side", tuple(tables))
        n_positions = len(tables[side])
        length = slider("learned_length", 2, n_positions, min(SHOWN, n_positions))
    values = tables[side][:length]
    cosines, apart = cosine_matrix(values), length // 2
    across = run.record.of(run.record.between("target", "source"))
    tokens = across.key_tokens if side == "source" else across.query_tokens
    lengths = np.linalg.norm(values, axis=1)
    told = {"n": length, "apart": apart, "columns": values.shape[1]}
    near, far = (float(cosines.diagonal(k).mean()) for k in (1, apart))
    finding("positions-learned-finding", near=near, far=far, **told)
    picture(
        "positions-learned",
        similarity_heatmap(cosines, tokens=tokens[:length]),
        numbers=values_table(values),
        side=side,
        shortest=lengths.min(),
        longest=lengths.max(),
        **told,
    )

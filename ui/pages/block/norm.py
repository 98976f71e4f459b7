"""One position before and after its norm, beside a batch norm."""

from __future__ import annotations

from typing import Any

import pandas as pd

from core.block import moments_table, moved_by_others, norm_stages
from core.records.sublayers import Stream
from ui.frame.messages import plain, say
from ui.frame.run import Run
from ui.kit.blocks import picture, table
from ui.kit.layout import caption, finding, folded, paragraph, subtitle
from viz.block import norm_matrices, norm_strips, sublayer_name

from .scene import BlockScene, chosen_sublayer, chosen_token, make_scene, show_formulas, stream_of

NORMS = {
    False: r"\mathrm{LayerNorm}(z)_i = g_i\,\frac{z_i-\mu}{\sqrt{\sigma^2+\epsilon}} + b_i,\quad "
    r"\mu = \frac1d\sum_i z_i,\quad \sigma^2 = \frac1d\sum_i (z_i-\mu)^2",
    True: r"\mathrm{RMSNorm}(z)_i = g_i\,\frac{z_i}{\sqrt{\frac1d\sum_j z_j^2+\epsilon}}",
}
MOST_ROWS = 40  # rows of the batch in the picture


def show(run: Run) -> None:
    """Draw one position before and after its layer norm, beside a batch norm of it."""
    scene = make_scene(run)
    stream = stream_of(run, scene.stack)
    _, index = chosen_sublayer(scene, stream)
    stages = norm_stages(stream, index, scene.position)
    moments = moments_table(stages)
    norm = _norm_name(stream)
    # An RMSNorm divides by the root of variance + mean²; a LayerNorm centres first. The roots are
    # told, as the band of the picture is that of the standard deviation.
    squared = moments["variance"] + stream.rms * moments["mean"] ** 2
    finding(
        "block-norm-found",
        sublayer=sublayer_name(stream.places[index]),
        token=chosen_token(run, scene),
        given=squared[0] ** 0.5,
        scaled=squared[2] ** 0.5,
        kind=norm,
    )
    picture(
        "block-norm",
        norm_strips(stages),
        key="block_norm_strips",
        wide=True,
        numbers=lambda: pd.DataFrame(stages),
        token=scene.label,
        kind=norm,
    )
    moments["stage"] = [say(f"block-stage-{stage}") for stage in stages]
    formats = dict.fromkeys(moments.columns[1:], "%.2f")
    gains = stream.gains[index]
    eps = f"{stream.eps:g}"
    # The picture shows the same as the table, without its digits.
    with folded("reading"):
        table("block-moments", moments, formats=formats)
        paragraph("block-norm-told", low=gains.min(), high=gains.max(), eps=eps, kind=norm)
    _beside_batch_norm(scene, stream.norm_inputs[index], stream)
    show_formulas(stream, NORMS[stream.rms])


def _norm_name(stream: Stream) -> str:
    return "rms" if stream.rms else "layer"


def _beside_batch_norm(scene: BlockScene, vectors: Any, stream: Stream) -> None:
    """Draw `vectors` (T, d_model) normalised over features, and over tokens as in a batch norm."""
    n = len(vectors)
    norm = _norm_name(stream)
    # The window of rows keeps the chosen token in its middle where it can.
    first = max(0, min(scene.position - MOST_ROWS // 2, n - MOST_ROWS))
    subtitle("block-batch", kind=norm)
    if n > MOST_ROWS:
        caption("block-batch-cut", n=MOST_ROWS, of=n)
    layer, batch = moved_by_others(vectors, stream.eps, scene.position, rms=stream.rms)
    picture(
        "block-batch",
        norm_matrices(
            vectors,
            scene.tokens,
            stream.eps,
            rows=slice(first, first + MOST_ROWS),
            chosen=scene.position - first,
            rms=stream.rms,
        ),
        key="block_norm_matrices",
        numbers="cells",
        leave_out=["shade"],
        token=plain(scene.label),
        n=n,
        layer=layer,
        batch=batch,
        kind=norm,
    )

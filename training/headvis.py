"""The atlas in the format of HeadVis (Luger, Kamath et al. 2026), as Neuronpedia writes it.

    <folder>/<checkpoint>-<site>/headvis/attention-lab/

holds ``config.json``, ``scatter_data.json`` with a row a head, and ``heads/L0H0.json`` with the
sentences of each. It knows decoders alone: what has no counterpart here is null.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from core.atlas import ATLAS, DECILES, LEAST_WEIGHT, MOST_KEYS, Atlas, sparse_sequence, strengths
from model.checkpoint import checkpoint_path
from model.experiments.atlas import map_of

from .atlas import Atlas as Measured
from .storing import read_as

METRICS = {
    "self_attention_score": "same",
    "prev_token_score": "previous",
    "pattern_entropy": "entropy",
    "qk_distance": "distance",
    "qk_distance_variance": "",
    "induction_score": "",
}
"""Theirs, and the numbers of ours that are the same."""


def headvis(reader: Any, atlas: Atlas, kind: str) -> dict[str, Any]:
    """The files of a site, by their paths."""
    site, maps = atlas.sites[kind], [map_of(reader, text, kind) for text in atlas.texts]
    strong = np.array([strengths(each) for each in maps])
    files: dict[str, Any] = {"server_config.json": {}, "attributions/manifest.json": {}}
    rows = []
    for layer, head in np.ndindex(strong.shape[1:]):
        of = strong[:, layer, head]
        sequences = [
            {"sequence_id": at, "interval": decile, **sparse_sequence(maps[at], layer, head)}
            for decile, places in enumerate(site.heads[layer][head].examples, start=1)
            for at in places
        ]
        counts, edges = np.histogram(of, bins=50, range=(0, 1))
        files[f"heads/L{layer}H{head}.json"] = {
            "sequences": sequences,
            "histogram": {"bin_edges": edges.round(4).tolist(), "bin_values": counts.tolist()},
            "statistics": {"n_samples": len(sequences), "mean_max_activation": float(of.mean())},
        }
        numbers = {name: each[layer][head] for name, each in site.numbers.items()}
        if "entropy" in numbers:  # theirs is in nats
            numbers["entropy"] = round(numbers["entropy"] * math.log(2), 4)
        row = {theirs: numbers.get(ours) for theirs, ours in METRICS.items()}
        rows.append({"layer": layer, "head": head, **row})
    made = {"n_sequences": atlas.sentences, "seq_len": max(len(each.key_tokens) for each in maps)}
    made |= {"sparse_topk_per_row": MOST_KEYS, "sparse_threshold": LEAST_WEIGHT}
    made |= {"dtype": "float32", "attn_implementation": "eager"}
    name = {"model_name": reader.card.name, "np_model_id": f"{reader.card.name}-{kind}"}
    shape = {"n_layers": strong.shape[1], "n_heads": strong.shape[2], "n_intervals": DECILES}
    heads = [[row["layer"], row["head"]] for row in rows]
    shown = {"heads": heads, "metrics": [*METRICS], "head_data_pattern": "L{layer}H{head}.json"}
    shown |= {"has_umap": False, "umap_heads": [], "dataset_name": "attention-lab"}
    config = {**name, **shape, **shown, "pipeline_config": made}
    return {**files, "scatter_data.json": rows, "config.json": config}


def write_headvis(checkpoint: str, folder: Path) -> None:
    """Write the files of every site. Raises CorpusError where no atlas was measured."""
    reader = Measured.load(checkpoint)
    atlas = read_as(checkpoint_path(checkpoint) / ATLAS.file, Atlas)
    for kind in atlas.sites:
        root = folder / f"{reader.card.name}-{kind}" / "headvis" / "attention-lab"
        for path, values in headvis(reader, atlas, kind).items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(json.dumps(values, ensure_ascii=False) + "\n", "utf-8")
        print(root)

"""Tiny models as CTranslate2 writes them, with random weights and vocabularies of letters."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
from ctranslate2.specs import TransformerSpec
from ctranslate2.specs.model_spec import OPTIONAL, index_spec, visit_spec

SPECIAL = ["<blank>", "<s>", "</s>"]
SIDES = {"source": [*SPECIAL, *"abcdefgh", "<unk>"], "target": [*SPECIAL, *"vwxyz", "<unk>"]}
SHARED = {"source": ["<unk>", "<s>", "</s>", *"abcdef"], "target": []}


def make(folder: Path, **told) -> Path:
    """Write a folder: `told` as for `TransformerSpec.from_config`, and what `spec_of` takes."""
    folder.mkdir(parents=True, exist_ok=True)
    quantization, config = told.pop("quantization", None), told.pop("config", {})
    spec = spec_of(**told)
    for entry, value in config.items():
        setattr(spec.config, entry, value)
    spec.validate()
    spec.optimize(quantization)
    spec.save(str(folder))
    return folder


def spec_of(sides=SIDES, width=8, inner=12, layers=(2, 3), heads=2, scalars=(), bias=True, tied=False, positions=None, **told):
    """A `TransformerSpec` with random weights; `scalars` by their names."""
    random, spec = np.random.default_rng(3), TransformerSpec.from_config(layers, heads, **told)
    target = sides["target"] or sides["source"]

    def fill(part, name, value) -> None:
        scope, _, end = name.rpartition("/")
        last = scope.rpartition("/")[2]
        rows = {
            "embeddings_0": len(sides["source"]),
            **dict.fromkeys(("embeddings", "projection"), len(target)),
            "linear_0_noact": inner,
        }.get(last, width)
        columns = width
        if "ffn" in scope and last == "linear_0":
            rows = inner
        elif "ffn" in scope and last == "linear_1":
            columns = inner
        elif last == "linear_0" and "self" in scope:
            rows = 3 * width
        elif last == "linear_1" and "self" not in scope:
            rows = 2 * width
        if value is None or (end == "bias" and bias):
            shape = (rows, columns) if end == "weight" else (rows,)
            setattr(part, end, (random.normal(size=shape) * 0.6 + (end == "gamma")).astype("f4"))
        elif end == "encodings" and positions is not None:
            setattr(part, end, positions.astype("f4"))

    visit_spec(spec, fill)
    if not sides["target"]:
        spec.encoder.embeddings[0].weight = spec.decoder.embeddings.weight
    if tied:
        spec.decoder.projection.weight = spec.decoder.embeddings.weight
    for name, value in dict(scalars).items():
        stack, _, end = name.rpartition("/")
        setattr(index_spec(spec, stack), end, value)
    spec.register_source_vocabulary(sides["source"])
    spec.register_target_vocabulary(target)
    return spec


_OLD = {
    "embeddings_0/weight": "w_embs", "embeddings/weight": "w_embs", "projection": "dense",
    "linear_0": "conv1d", "linear_1": "conv1d_1", "linear_2": "conv1d_2", "layer_norm": "LayerNorm",
    "weight": "kernel",
}  # fmt: skip


def make_old(folder: Path, version: int, **told) -> Path:
    """Write a folder as the library did when that version was new: without the attributes that say
    what is the default, with types by their width and, in version 1, names of OpenNMT-tf."""
    folder.mkdir(parents=True, exist_ok=True)
    spec = spec_of(width=16, heads=8, **told)
    spec.validate()
    spec.optimize(None)
    found = {n: v.numpy() for n, v in spec.variables(ordered=True) if v.shape and v != OPTIONAL}
    text = lambda word: struct.pack("<H", len(word) + 1) + word.encode() + b"\0"  # noqa: E731
    with (folder / "model.bin").open("wb") as file:
        file.write(struct.pack("<I", version))
        if version > 1:
            file.write(text("TransformerBase") + struct.pack("<I", 2))
        file.write(struct.pack("<I", len(found)))
        for name, value in found.items():
            if version == 1:
                name = f"transformer/{name}:0"
                for new, old in _OLD.items():
                    name = name.replace(new, old)
                own = "multi_head" if "encoder" in name else "masked_multi_head"
                name = name.replace("self_attention", own).replace("/attention", "/multi_head")
            size = struct.pack("<BI", 0, value.nbytes) if version > 3 else struct.pack("<BI", 4, value.size)
            shape = struct.pack(f"<B{value.ndim}I", value.ndim, *value.shape)
            file.write(text(name) + shape + size + value.tobytes())
        if version > 2:
            file.write(struct.pack("<I", 0))
    for side, words in SIDES.items():
        (folder / f"{side}_vocabulary.txt").write_text("\n".join(words) + "\n")
    return folder

"""Tiny models as CTranslate2 writes them, with random weights and vocabularies of letters."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
from ctranslate2.specs import TransformerSpec
from ctranslate2.specs.model_spec import index_spec, visit_spec

SPECIAL = ("<blank>", "<s>", "</s>")
SIDES = {"source": [*SPECIAL, *"abcdefgh", "<unk>"], "target": [*SPECIAL, *"vwxyz", "<unk>"]}
SHARED = {"source": ["<unk>", "<s>", "</s>", *"abcdef"]}
_OLD_NAMES = {
    "embeddings_0/weight": "w_embs",
    "embeddings/weight": "w_embs",
    "projection": "dense",
    "linear_0": "conv1d",
    "linear_1": "conv1d_1",
    "linear_2": "conv1d_2",
    "layer_norm": "LayerNorm",
    "weight": "kernel",
}


def make(folder: Path, quantization=None, config=(), **told) -> Path:
    """Write a folder by the library: `told` as for `spec_of`, `config` entries of config.json."""
    folder.mkdir(parents=True, exist_ok=True)
    spec = spec_of(**told)
    for entry, value in dict(config).items():
        setattr(spec.config, entry, value)
    spec.validate()
    spec.optimize(quantization)
    spec.save(str(folder))
    return folder


def spec_of(
    sides=SIDES,
    *,
    width=8,
    inner=12,
    layers=(2, 3),
    heads=2,
    bias=True,
    tied=False,
    table=None,
    scalars=(),
    **told,
) -> TransformerSpec:
    """With random weights and a `table` of positions, or none; `scalars` by their names, and what
    `TransformerSpec.from_config` takes.
    """
    random, spec = np.random.default_rng(3), TransformerSpec.from_config(layers, heads, **told)
    source, target = sides["source"], sides.get("target", sides["source"])
    rows = {"embeddings_0": len(source), "linear_0_noact": inner}
    rows |= dict.fromkeys(("embeddings", "projection"), len(target))

    def fill(part, name: str, value) -> None:
        scope, _, end = name.rpartition("/")
        _, _, last = scope.rpartition("/")
        own = {"ffn/linear_0": inner, "self_attention/linear_0": 3 * width}
        own |= {"/attention/linear_1": 2 * width}
        n = next((n for at, n in own.items() if scope.endswith(at)), rows.get(last, width))
        columns = inner if scope.endswith("ffn/linear_1") else width
        if value is None or (end == "bias" and bias):
            made = random.normal(size=(n, columns) if end == "weight" else n) * 0.6
            setattr(part, end, (made + (end == "gamma")).astype("f4"))
        elif end == "encodings" and table is not None:
            setattr(part, end, table.astype("f4"))

    visit_spec(spec, fill)
    if "target" not in sides:
        spec.encoder.embeddings[0].weight = spec.decoder.embeddings.weight
    if tied:
        spec.decoder.projection.weight = spec.decoder.embeddings.weight
    for name, value in dict(scalars).items():
        scope, _, end = name.rpartition("/")
        setattr(index_spec(spec, scope), end, value)
    spec.register_source_vocabulary(source)
    spec.register_target_vocabulary(target)
    return spec


def make_old(folder: Path, version: int, *, int16: bool = False, **told) -> Path:
    """Write a folder as the library did when a version below 6 was new: without attributes, the
    types by their widths, names those of OpenNMT-tf in version 1; `int16` without scales.
    """
    folder.mkdir(parents=True, exist_ok=True)
    spec = spec_of(width=16, heads=8, **told)
    spec.validate()
    found = {n: v.numpy() for n, v in spec.variables(ordered=True) if v.shape}
    with (folder / "model.bin").open("wb") as file:
        file.write(struct.pack("<I", version))
        if version > 1:
            file.write(_text("TransformerBase") + struct.pack("<I", 2))
        file.write(struct.pack("<I", len(found)))
        for name, value in found.items():
            if int16 and name.endswith("weight"):
                value = np.rint(value * 1000).astype("i2")
            own = name
            for new, old in _OLD_NAMES.items() if version == 1 else ():
                own = own.replace(new, old)
            if version == 1:
                own = own.replace("/attention", "/multi_head")
                masked = "masked_" * own.startswith("decoder")
                own = f"transformer/{own.replace('self_attention', f'{masked}multi_head')}:0"
            file.write(_text(own) + struct.pack(f"<B{value.ndim}I", value.ndim, *value.shape))
            size = (0, value.nbytes) if version > 3 else (value.itemsize, value.size)
            file.write(struct.pack("<BI", *size) + value.tobytes())
        file.write(struct.pack("<I", 0) * (version > 2))
    for side, words in SIDES.items():
        (folder / f"{side}_vocabulary.txt").write_text("\n".join(words) + "\n")
    return folder


def _text(word: str) -> bytes:
    return struct.pack("<H", len(word) + 1) + word.encode() + b"\0"

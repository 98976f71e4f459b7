"""Marian's own files (Junczys-Dowmunt et al. 2018), ``.bin`` or ``.npz``, with the options inside
and the vocabulary beside them (``.spm``). Equations: `src/models/transformer.h` of marian-dev."""

from __future__ import annotations

import math
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from words import Message, Words, languages

from ..config import TransformerConfig
from ..errors import CheckpointError
from . import Converted, Format, Options
from .parts import with_rows
from .reading import MOST_BYTES, Bytes, damaged, not_read
from .sentencepiece import read_sentencepiece
from .vocabulary import named

_VERSION = (1).to_bytes(8, "little")
_YAML, _OUTPUT = "special:model.yml", "decoder_ff_logit_out"
# By the numbers of `src/common/types.h`; the last two are quantised (intgemm).
_TYPES = {0x404: "f4", 0x402: "f2", 0x101: "i1", 0x4101: "i1", 0x4102: "i2"}
_QUANTISED = 0x4000
_NPY = re.compile(
    r"\{'descr': '[<|](f[248]|[iu]1)', 'fortran_order': False, 'shape': \(([\d, ]*)\), ?\}\s*"
)
_ACTIVATIONS = {"relu": "relu", "swish": "silu", "gelu": "gelu-sigmoid"}
# What is done before, after and above the sub-layers: norm, add; dropout is left out. Without a
# norm above, versions before 1.10 read keys and values past the norm (marian-dev, pull 719).
_ORDER = ("transformer-preprocess", "transformer-postprocess", "transformer-postprocess-top")
_NORMS = {("", "an", ""): "after", ("n", "a", "n"): "before"}
_NO = (None, "false")
_READ = {
    "type": ("transformer",),
    "transformer-ffn-activation": tuple(_ACTIVATIONS),
    "transformer-decoder-autoreg": (None, "self-attention", "rnn"),
    "transformer-ffn-depth": (None, "2"),
    "transformer-decoder-ffn-depth": (None, "0", "2"),
    "transformer-tied-layers": (None, "[]"),
    "lemma-dim-emb": (None, "0"),
    **dict.fromkeys(("layer-normalization", "right-left", "ulr"), _NO),
    **{f"transformer-{what}": _NO for what in ("no-projection", "rnn-projection", "pool")},
}
_WEIGHT_BIAS = (("W", "weight"), ("b", "bias"))
_NORM = (("scale", "weight"), ("bias", "bias"))
_PARTS = {"q": "query_proj", "k": "key_proj", "v": "value_proj", "o": "out_proj"}
_ATTENTIONS = {"self": "self_attention", "context": "cross_attention"}
_NAMES = {
    "Wemb": "embedding.weight",
    "decoder_Wemb": "embedding.weight",
    "encoder_Wemb": "source_embedding.weight",
    "Wpos": "positions.table",
    f"{_OUTPUT}_W": "output.weight",
    f"{_OUTPUT}_Wt": "output.weight",
    f"{_OUTPUT}_b": "output_bias",
    **{
        f"{theirs}_ln_{what}": f"{ours}.{kind}"
        for theirs, ours in (
            ("encoder_emb", "embedding_norm"),
            ("decoder_emb", "target_embedding_norm"),
            ("encoder_top", "encoder_norm"),
            ("decoder_top", "decoder_norm"),
        )
        for what, kind in _NORM
    },
}
_IN_LAYER = {
    "rnn_W": "recurrence.input_proj.weight",
    "rnn_Wf": "recurrence.forget_proj.weight",
    "rnn_bf": "recurrence.forget_proj.bias",
    **{
        f"{theirs}_{what}{letter}": f"{ours}.{part}.{kind}"
        for theirs, ours in _ATTENTIONS.items()
        for letter, part in _PARTS.items()
        for what, kind in _WEIGHT_BIAS
    },
    **{
        f"ffn_{what}{number}": f"feed_forward.{part}.{kind}"
        for number, part in ((1, "inner"), (2, "outer"))
        for what, kind in _WEIGHT_BIAS
    },
    **{
        f"{theirs}_ln_{what}": f"{ours}_residual.norm.{kind}"
        for theirs, ours in (
            ("rnn", "recurrence"),
            ("rnn_ffn", "recurrence"),
            ("ffn_ffn", "feed_forward"),
            *((f"{theirs}_Wo", ours) for theirs, ours in _ATTENTIONS.items()),
        )
        for what, kind in _NORM
    },
}


def _models(path: Path) -> list[Path]:
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return [file for file in files if file.is_file() and _is_model(file)]


def _is_model(file: Path) -> bool:
    try:
        if file.suffix == ".npz":
            with zipfile.ZipFile(file) as archive:
                return f"{_YAML}.npy" in archive.namelist()
        with file.open("rb") as stream:
            return file.suffix == ".bin" and stream.read(8) == _VERSION
    except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile):
        return False


def _read(path: Path, options: Options) -> Converted:
    models = _models(path)
    if len(models) != 1:
        names = ", ".join(file.name for file in models)
        raise CheckpointError(Message.of("format-marian-several", files=names))
    (file,) = models
    if file.stat().st_size > MOST_BYTES:
        raise not_read(file.name, "bytes", file.stat().st_size)
    try:
        arrays = dict((_npz if file.suffix == ".npz" else _binary)(file))
    except (OSError, EOFError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise damaged(file.name, type(error).__name__) from error
    settings = _settings(file.name, arrays.pop(_YAML, np.empty(0)))
    config, tensors = _renamed(file.name, settings, arrays)
    files = _vocabularies(file)
    read = {own: read_sentencepiece(own) for own in dict.fromkeys(files.values())}
    ids = read[files["target"]][1]
    if "eos_id" not in ids or any(each != ids for _, each in read.values()):
        raise not_read(files["target"].name, "ids", ids)
    # It begins with a vector of zeros, and knows no padding.
    own = {name: ids[name] for name in ("unk_id", "eos_id")}
    config, tensors = with_rows(replace(config, **own), tensors, None)
    own |= {"bos_id": config.bos_id, "pad_id": config.pad_id}
    made = {}
    for spm, (tokenizer, _) in read.items():
        if tokenizer.get_vocab_size() > config.bos_id:
            raise not_read(spm.name, "pieces", tokenizer.get_vocab_size())
        made[spm] = named(tokenizer, own, config.vocab_size)
    tokenizers = {side: made[spm] for side, spm in files.items()}
    return Converted(config, tensors, tokenizers, _card(file, settings, config, options))


def _binary(file: Path) -> Iterator[tuple[str, np.ndarray]]:
    """Counts, names, shapes, data (`src/common/binary.cpp`); quantised matrices lie transposed."""
    data = Bytes(file.read_bytes(), file.name)
    data.take(8, "version")
    n_items = data.count("Q", "items", each=32)
    heads = [[data.number("Q", f"items[{n}]") for _ in range(4)] for n in range(n_items)]
    names = [data.text(head[0], f"items[{n}].name") for n, head in enumerate(heads)]
    shapes = [
        data.array("i4", (head[2],), f"{name}.shape").tolist()
        for name, head in zip(names, heads, strict=True)
    ]
    data.take(data.count("Q", "offset"), "offset")
    for name, (_, kind, _, n_bytes), shape in zip(names, heads, shapes, strict=True):
        item = Bytes(data.take(n_bytes, name), file.name)
        if name.endswith("_QuantMultA"):
            continue
        quantised = bool(kind & _QUANTISED)
        if kind not in _TYPES or (quantised and (len(shape) != 2 or name.endswith("_Wt"))):
            raise not_read(file.name, f"{name}.type", hex(kind))
        values = item.array(_TYPES[kind], shape, name)
        if quantised:
            scale = item.array("f4", (1,), name)
            if not 0 < scale[0] < math.inf:
                raise item.fault(name)
            values = values / scale
            if not name.endswith("Wemb"):
                values = values.reshape(shape[::-1]).T
        yield name, values


def _npz(file: Path) -> Iterator[tuple[str, np.ndarray]]:
    """What `numpy.load` reads of an archive, of which nothing is compressed or pickled."""
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > file.stat().st_size:
            raise not_read(file.name, "zip", "compressed")
        for member in members:
            name = member.filename.removesuffix(".npy")
            data = Bytes(archive.read(member), file.name)
            magic = bytes(data.take(8, name))
            header = _NPY.fullmatch(data.text(data.number("H", name), name))
            if magic != b"\x93NUMPY\x01\x00" or header is None:
                raise not_read(file.name, name, "npy")
            shape = [int(size) for size in re.findall(r"\d+", header[2])]
            yield name, data.array(header[1], shape, name)


def _settings(file: str, yaml: np.ndarray) -> dict[str, str]:
    """The lines ``key: value``; what is indented belongs to a list that nobody needs."""
    text = yaml.tobytes().partition(b"\0")[0].decode(errors="replace")
    lines = (line.partition(":") for line in text.splitlines() if line[:1].isalpha())
    settings = {key: value.strip().strip("\"'") for key, _, value in lines}
    for key, values in _READ.items():
        if settings.get(key) not in values:
            raise not_read(file, key, settings.get(key))
    for key in ("transformer-heads", "enc-depth", "dec-depth"):
        if not re.fullmatch("[0-9]{1,4}", settings.get(key, "")):
            raise damaged(file, key)
    if _recurrent(settings) and settings.get("dec-cell") != "ssru":
        raise not_read(file, "dec-cell", settings.get("dec-cell"))
    if _steps(settings, *_ORDER) not in _NORMS:
        raise not_read(file, ", ".join(_ORDER), [settings.get(key) for key in _ORDER])
    return settings


def _recurrent(settings: Mapping[str, str]) -> bool:
    return settings.get("transformer-decoder-autoreg") == "rnn"


def _steps(settings: Mapping[str, str], *keys: str) -> tuple[str, ...]:
    return tuple(settings.get(key, "").replace("d", "") for key in keys)


def _renamed(
    file: str, settings: Mapping[str, str], arrays: Mapping[str, np.ndarray]
) -> tuple[TransformerConfig, dict[str, Tensor]]:
    """Config and tensors by the names of this project; there is a place for each array."""
    tensors: dict[str, Tensor] = {}
    for theirs, values in arrays.items():
        plain = theirs.removesuffix("_pre")
        layer = re.fullmatch(r"(encoder|decoder)_l(\d{1,4})_(\w+)", plain)
        ours = _IN_LAYER.get(layer[3]) if layer else _NAMES.get(plain)
        if layer and ours:
            ours = f"{layer[1]}_layers.{int(layer[2]) - 1}.{ours}"
        if ours is None or ours in tensors:
            raise not_read(file, "tensor", theirs)
        tensor = torch.from_numpy(np.array(values, "f4", order="C"))
        if "norm." in ours or ours.endswith("bias"):
            tensor = tensor.flatten()
        elif tensor.dim() != 2:
            raise damaged(file, theirs)
        elif not theirs.endswith(("Wemb", "Wpos", "_Wt")):
            tensor = tensor.T.contiguous()
        tensors[ours] = tensor
    if "embedding.weight" not in tensors:
        raise damaged(file, "Wemb")
    table, positions = tensors["embedding.weight"], tensors.get("positions.table")
    for name in {"output.weight", "output_bias"} & tensors.keys():
        if len(tensors[name]) != len(table):
            raise damaged(file, _OUTPUT)
    if positions is not None:
        tensors["target_positions.table"] = positions.clone()
    source = tensors.get("source_embedding.weight")
    inner = tensors.get("encoder_layers.0.feed_forward.inner.weight", table[:0])
    order = _NORMS[_steps(settings, *_ORDER)]
    config: dict[str, Any] = dict(
        vocab_size=len(table),
        source_vocab_size=0 if source is None else len(source),
        shared_embedding=source is None,
        d_model=table.shape[1],
        n_heads=int(settings["transformer-heads"]),
        n_encoder_layers=int(settings["enc-depth"]),
        n_decoder_layers=int(settings["dec-depth"]),
        d_ff=len(inner),
        dropout=0.0,
        max_len=512 if positions is None else len(positions),
        layer_norm_eps=1e-6,
        scale_embedding=positions is None,
        embedding_norm=_steps(settings, "transformer-postprocess-emb") == ("n",),
        positions="tensor2tensor" if positions is None else "learned",
        norm=order,
        final_norm=order == "before",
        activation=_ACTIVATIONS[settings["transformer-ffn-activation"]],
        decoder="ssru" if _recurrent(settings) else "attention",
        tied_output="output.weight" not in tensors,
        output_bias="output_bias" in tensors,
    )
    return TransformerConfig(**config), tensors


def _vocabularies(file: Path) -> dict[str, Path]:
    """One ``.spm`` for both sides, or one for each, told by their names."""
    found = sorted(file.parent.glob("*.spm"))
    sides = {"source": r"src|source", "target": r"trg|tgt|target"}
    named_for = {
        side: [spm for spm in found if len(found) == 1 or re.search(names, spm.name.lower())]
        for side, names in sides.items()
    }
    if any(len(files) != 1 for files in named_for.values()):
        names = ", ".join(spm.name for spm in found) or "none"
        raise CheckpointError(Message.of("format-marian-vocabulary", file=file.name, found=names))
    return {side: files[0] for side, files in named_for.items()}


def _card(
    file: Path, settings: Mapping[str, str], config: TransformerConfig, options: Options
) -> dict[str, Any]:
    """Languages by the name of a file of Firefox, ``model.enpt.…``; head 1 of which layer Marian
    trains to align words, where it was asked to: that is not in the file."""
    layer = settings.get("transformer-guided-alignment-layer", "last")
    aligned = int(layer) if re.fullmatch("[0-9]{1,4}", layer) else config.n_decoder_layers
    told = Message.of("format-marian-card", file=file.name, layer=aligned)
    texts = {language: {"description": Words(language).of(told)} for language in languages()}
    card: dict[str, Any] = {**texts.pop("en"), "words": texts}
    if pair := re.search(r"\.([a-z]{2})([a-z]{2})\.", file.name):
        card["languages"] = list(pair.groups())
    if options.get("guided") == "yes":
        card["guided"] = {"kind": "cross", "layer": aligned - 1, "head": 0}
    return card


FORMAT = Format("Marian", lambda path: bool(_models(path)), _read, ("guided",))

"""Marian's own files, ``.bin`` or ``.npz`` (Junczys-Dowmunt et al. 2018).

The options are inside; the vocabulary lies beside them: ``.spm``, and in OPUS-MT ``.vocab.yml``
with ids of its own. Equations: `src/models/transformer.h` of marian-dev; vocabularies: `src/data`
there.
"""

from __future__ import annotations

import math
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from words import Message
from words.names import said_by

from ...config import Activation, NormOrder, TransformerConfig
from ...errors import CheckpointError
from . import Converted, Format, Options
from .parts import described, n_layers, with_rows
from .reading import MOST_BYTES, Bytes, contradicts, damaged, not_read
from .sentencepiece import read_sentencepiece
from .vocabulary import named_sides, read_ids, refuse_size, spoken, typed_codes

_VERSION = (1).to_bytes(8, "little")
_SIDES = {"source": r"src|source", "target": r"trg|tgt|target"}
_LONGEST_OPTIONS = 2**20  # bytes
_YAML = "special:model.yml"
# Types by the numbers of `src/common/types.h`; the last two are quantised (intgemm).
_TYPES = {0x404: "f4", 0x402: "f2", 0x101: "i1", 0x4101: "i1", 0x4102: "i2"}
_QUANTISED = 0x4000
_NPY = re.compile(
    r"\{'descr': '[<|](f[248]|[iu]1)', 'fortran_order': False, 'shape': \(([\d, ]*)\), ?\}\s*"
)
_ACTIVATIONS: dict[str, Activation] = {"relu": "relu", "swish": "silu", "gelu": "gelu-sigmoid"}
# Operations before, after and above the sub-layers: n is a norm, a an addition; dropout is left
# out. Without a norm above, versions before 1.10 read keys and values past the norm (marian-dev,
# pull 719).
_ORDER = ("transformer-preprocess", "transformer-postprocess", "transformer-postprocess-top")
_NORMS: dict[tuple[str, ...], NormOrder] = {("", "an", ""): "after", ("n", "a", "n"): "before"}
_NAMES = {
    r"(?:decoder_)?Wemb": "embedding.weight",
    r"encoder_Wemb": "source_embedding.weight",
    r"Wpos": "positions.table",
    r"decoder_ff_logit_out_Wt?": "output.weight",
    r"decoder_ff_logit_out_b": "output_bias",
    r"encoder_emb_ln_(scale|bias)": "embedding_norm.{}",
    r"decoder_emb_ln_(scale|bias)": "target_embedding_norm.{}",
    r"(encoder|decoder)_top_ln_(scale|bias)": "{}_norm.{}",
    r"(self|context)_([Wb])([qkvo])": "{0}.{2}_proj.{1}",
    r"(self|context)_Wo_ln_(scale|bias)": "{}_residual.norm.{}",
    r"rnn_(W)": "recurrence.input_proj.{}",
    r"rnn_([Wb])f": "recurrence.forget_proj.{}",
    r"rnn(?:_ffn)?_ln_(scale|bias)": "recurrence_residual.norm.{}",
    r"ffn_([Wb])([12])": "feed_forward.{1}.{0}",
    r"ffn_ffn_ln_(scale|bias)": "feed_forward_residual.norm.{}",
}
_WORDS = {"W": "weight", "b": "bias", "scale": "weight", "1": "inner", "2": "outer"}
_WORDS |= {"q": "query", "k": "key", "v": "value", "o": "out"}
_WORDS |= {"self": "self_attention", "context": "cross_attention"}


def _models(path: Path) -> list[Path]:
    """Return the files at `path` that are models."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return [file for file in files if file.is_file() and _is_model(file)]


def _is_model(file: Path) -> bool:
    """Return True for an archive with Marian's options, or a binary of version 1."""
    try:
        if file.suffix == ".npz":
            with zipfile.ZipFile(file) as archive:
                return f"{_YAML}.npy" in archive.namelist()
        with file.open("rb") as stream:
            return file.suffix == ".bin" and stream.read(8) == _VERSION
    except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile):
        return False


def _read(path: Path, options: Options) -> Converted:
    """Convert a model and its vocabularies."""
    models = _models(path)
    if len(models) != 1:
        names = ", ".join(file.name for file in models)
        raise CheckpointError(Message.of("format-marian-several", files=names))
    (file,) = models
    if file.stat().st_size > MOST_BYTES:
        raise not_read(file.name, "bytes", file.stat().st_size)
    try:
        arrays = (_npz if file.suffix == ".npz" else _binary)(file)
        yaml, tensors = _renamed(file.name, arrays)
    except (OSError, EOFError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise damaged(file.name, said_by(error)) from error
    settings = _settings(file.name, yaml)
    config = _config(file.name, settings, tensors)
    files = _vocabularies(file)
    read = {pair: _read_vocabulary(*pair) for pair in dict.fromkeys(files.values())}
    source, source_ids = read[files["source"]]
    target, target_ids = read[files["target"]]
    if source_ids != target_ids:
        fault = Message.of("format-contradicts-ids", ids=str(source_ids), others=str(target_ids))
        source_file = _ids_from(*files["source"]).name
        target_file = _ids_from(*files["target"]).name
        raise contradicts(source_file, target_file, fault)
    rows = {"source": config.source_vocab_size, "target": config.vocab_size}
    for side, pair in files.items():
        refuse_size(_ids_from(*pair).name, read[pair][0], file.name, rows[side])
    # A target begins with a vector of zeros, and there is no padding token.
    config = replace(config, unk_id=source_ids["unk_id"], eos_id=source_ids["eos_id"])
    config, tensors = with_rows(config, tensors, None)
    tokenizers = named_sides(config, source, target)
    return Converted(config, tensors, tokenizers, _card(file, settings, config, options))


def _binary(file: Path) -> Iterator[tuple[str, np.ndarray]]:
    """Yield names and arrays of a ``.bin``: counts, names, shapes, data (`src/common/binary.cpp`).

    Quantised matrices are stored transposed.
    """
    data = Bytes(file.read_bytes(), file.name)
    data.take(8, "version")
    n_items = data.count("Q", "items", item_bytes=32)
    heads = [[data.number("Q", f"items[{n}]") for _ in range(4)] for n in range(n_items)]
    names = [data.text(head[0], f"items[{n}].name") for n, head in enumerate(heads)]
    shapes = [
        data.array("i4", (head[2],), f"{name}.shape").tolist()
        for name, head in zip(names, heads, strict=True)
    ]
    data.take(data.count("Q", "offset"), "offset")
    for name, (_, type_number, _, n_bytes), shape in zip(names, heads, shapes, strict=True):
        item = Bytes(data.take(n_bytes, name), file.name)
        # Scales of activations, which only integer arithmetic uses.
        if name.endswith("_QuantMultA"):
            continue
        quantised = bool(type_number & _QUANTISED)
        if type_number not in _TYPES or (quantised and (len(shape) != 2 or name.endswith("_Wt"))):
            raise not_read(file.name, f"{name}.type", hex(type_number))
        values = item.array(_TYPES[type_number], shape, name)
        if quantised:
            scale = item.array("f4", (1,), name)
            if not 0 < scale[0] < math.inf:
                raise item.fault(name)
            with np.errstate(over="ignore"):  # infinite weights are refused later, by name
                values = values / scale
            if not name.endswith("Wemb"):
                values = values.reshape(shape[::-1]).T
        yield name, values


def _npz(file: Path) -> Iterator[tuple[str, np.ndarray]]:
    """Yield names and arrays of an ``.npz`` without compressed or pickled members."""
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > file.stat().st_size:
            raise not_read(file.name, "zip", "compressed")
        for member in members:
            name = member.filename.removesuffix(".npy")
            data = Bytes(archive.read(member), file.name)
            magic = bytes(data.take(8, name))
            header = _NPY.fullmatch(data.text(data.number("H", name), name))
            # A header is a Python literal; matching it by a pattern evaluates nothing.
            if magic != b"\x93NUMPY\x01\x00" or header is None:
                raise not_read(file.name, name, "npy")
            shape = [int(size) for size in re.findall(r"\d+", header[2])]
            yield name, data.array(header[1], shape, name)


def _settings(file: str, yaml: bytes) -> dict[str, str]:
    """Parse the lines ``key: value``, refusing settings that this project does not implement.

    Indented lines belong to lists that nobody needs. Settings that add tensors are not examined
    here: unknown names of tensors are refused.
    """
    text = yaml.partition(b"\0")[0].decode(errors="replace")
    lines = (line.partition(":") for line in text.splitlines() if line[:1].isalpha())
    settings = {key: value.strip().strip("\"'") for key, _, value in lines}
    for key, values in (
        ("type", ["transformer"]),
        ("transformer-ffn-activation", _ACTIVATIONS),
        ("right-left", [None, "false"]),
        ("transformer-heads", map(str, range(1, 1000))),
    ):
        if settings.get(key) not in values:
            raise not_read(file, key, settings.get(key))
    if _steps(settings) not in _NORMS:
        raise not_read(file, ", ".join(_ORDER), [settings.get(key) for key in _ORDER])
    return settings


def _steps(settings: Mapping[str, str]) -> tuple[str, ...]:
    """Return the operations around sub-layers, without dropout."""
    return tuple(settings.get(key, "").replace("d", "") for key in _ORDER)


def _ours(theirs: str) -> str | None:
    """Return our name of a tensor, or None if it has none."""
    layer = ""
    plain = theirs.removesuffix("_pre")
    if match := re.fullmatch(r"(encoder|decoder)_l(\d{1,4})_(\w+)", plain):
        # Marian counts layers from 1.
        layer = f"{match[1]}_layers.{int(match[2]) - 1}."
        plain = match[3]
    for pattern, name in _NAMES.items():
        if match := re.fullmatch(pattern, plain):
            return layer + name.format(*(_WORDS.get(part, part) for part in match.groups()))
    return None


def _renamed(
    file: str, arrays: Iterable[tuple[str, np.ndarray]]
) -> tuple[bytes, dict[str, Tensor]]:
    """Return the options, and the tensors by our names; every array must have one."""
    yaml = b""
    tensors = {}
    for theirs, values in arrays:
        if theirs == _YAML:
            yaml = values.tobytes()
            continue
        ours = _ours(theirs)
        if ours is None or ours in tensors:
            raise not_read(file, "tensor", theirs)
        tensor = torch.from_numpy(np.array(values, "f4", order="C"))
        if "norm." in ours or ours.endswith("bias"):
            tensor = tensor.flatten()
        elif tensor.dim() != 2:
            raise damaged(file, theirs)
        # Marian stores x W, torch x W^T.
        elif not theirs.endswith(("Wemb", "Wpos", "_Wt")):
            tensor = tensor.T.contiguous()
        tensors[ours] = tensor
    return yaml, tensors


def _config(
    file: str, settings: Mapping[str, str], tensors: dict[str, Tensor]
) -> TransformerConfig:
    """Build the config from sizes and settings; learned positions serve both sides."""
    if "embedding.weight" not in tensors:
        raise damaged(file, "Wemb")
    table = tensors["embedding.weight"]
    positions = tensors.get("positions.table")
    if {len(tensors.get(name, table)) for name in ("output.weight", "output_bias")} != {len(table)}:
        raise damaged(file, "decoder_ff_logit_out")
    if positions is not None:
        tensors["target_positions.table"] = positions.clone()
    source = tensors.get("source_embedding.weight")
    order = _NORMS[_steps(settings)]
    return TransformerConfig(
        vocab_size=len(table),
        source_vocab_size=0 if source is None else len(source),
        shared_embedding=source is None,
        d_model=table.shape[1],
        n_heads=int(settings["transformer-heads"]),
        n_encoder_layers=n_layers(tensors, "encoder"),
        n_decoder_layers=n_layers(tensors, "decoder"),
        d_ff=len(tensors.get("encoder_layers.0.feed_forward.inner.weight", ())),
        dropout=0.0,
        max_len=512 if positions is None else len(positions),
        layer_norm_eps=1e-6,
        scale_embedding=positions is None,
        embedding_norm="n" in settings.get("transformer-postprocess-emb", ""),
        positions="tensor2tensor" if positions is None else "learned",
        norm=order,
        final_norm=order == "before",
        activation=_ACTIVATIONS[settings["transformer-ffn-activation"]],
        decoder="ssru" if any("recurrence" in name for name in tensors) else "attention",
        tied_output="output.weight" not in tensors,
        output_bias="output_bias" in tensors,
    )


def _vocabularies(file: Path) -> dict[str, tuple[Path, Path | None]]:
    """Return for each side its ``.spm``, and the file of ids if they are not its own."""
    inside = sorted(path for path in file.parent.iterdir() if path.is_file())
    of_ids = [path for path in inside if re.search(r"vocab.*\.(ya?ml|json)$", path.name.lower())]
    listed = _listed(path for path in inside if path not in of_ids)
    of_pieces = [path for path in inside if path.suffix == ".spm"]
    pieces = _of_sides(file, ".spm", of_pieces, listed)
    ids = _of_sides(file, "vocab.yml", of_ids, listed) if of_ids else {}
    return {side: (spm, ids.get(side)) for side, spm in pieces.items()}


def _listed(files: Iterable[Path]) -> tuple[str, ...]:
    """Return the names under ``vocabs`` in search options such as `decoder.yml`, source first."""
    for file in files:
        if file.suffix in (".yml", ".yaml"):
            text = file.read_bytes()[:_LONGEST_OPTIONS].decode(errors="replace")
            if match := re.search(r"^vocabs:[ \t]*\r?\n((?:\s*-[ \t]+.+\n?)+)", text, re.M):
                names = re.findall(r"-[ \t]+(.+)", match[1])
                return tuple(Path(name.strip().strip("\"'")).name for name in names)
    return ()


def _of_sides(
    file: Path, ending: str, candidates: Sequence[Path], listed: Sequence[str]
) -> dict[str, Path]:
    """Return one file for both sides or one for each, as `listed` or by their names."""
    by_name = {path.name: path for path in candidates}
    if len(listed) == len(_SIDES) and by_name.keys() >= {*listed}:
        return {side: by_name[name] for side, name in zip(_SIDES, listed, strict=True)}
    named_for = {
        side: [
            path
            for path in candidates
            if len(candidates) == 1 or re.search(pattern, path.name.lower())
        ]
        for side, pattern in _SIDES.items()
    }
    if any(len(files) != 1 for files in named_for.values()):
        names = ", ".join(by_name) or "none"
        fault = Message.of("format-marian-vocabulary", file=file.name, kind=ending, found=names)
        raise CheckpointError(fault)
    return {side: files[0] for side, files in named_for.items()}


def _read_vocabulary(spm: Path, ids: Path | None) -> tuple[Tokenizer, dict[str, int]]:
    """Return the tokenizer of a side, with the ids of ``</s>`` and the unknown token."""
    words = None if ids is None else read_ids(ids)
    tokenizer, special_ids = read_sentencepiece(spm, words, "" if ids is None else ids.name)
    if "eos_id" not in special_ids:
        raise damaged(_ids_from(spm, ids).name, "</s>")
    ends = {name: special_ids[name] for name in ("unk_id", "eos_id")}
    return tokenizer if words is None else typed_codes(tokenizer), ends


def _ids_from(spm: Path, ids: Path | None) -> Path:
    """Return the file that defines the ids."""
    return spm if ids is None else ids


def _described(file: Path) -> dict[str, str]:
    """Return the languages that a README states as ``* source language(s): eng``, if one a side."""
    if not file.is_file():
        return {}
    text = file.read_bytes()[:_LONGEST_OPTIONS].decode(errors="replace")
    lines = {
        f"{side}_lang": re.findall(rf"(?im)^\W*{side} language(?:s|\(s\))?: *(\w+) *\r?$", text)
        for side in _SIDES
    }
    return {entry: codes[0] for entry, codes in lines.items() if len({*codes}) == 1}


def _card(
    file: Path, settings: Mapping[str, str], config: TransformerConfig, options: Options
) -> dict[str, Any]:
    """Return languages and description of the model.

    Languages come from the name of a Firefox file, ``model.enpt.…``, or from the README of OPUS-MT.
    Head 1 of one layer may be trained to align words; whether it was is not in the file.
    """
    layer = settings.get("transformer-guided-alignment-layer", "last")
    aligned = int(layer) if re.fullmatch("[0-9]{1,4}", layer) else config.n_decoder_layers
    card = described(Message.of("format-marian-card", file=file.name, layer=aligned))
    if pair := re.search(r"\.([a-z]{2})([a-z]{2})\.", file.name):
        card["languages"] = list(pair.groups())
    else:
        card["languages"] = spoken(_described(file.with_name("README.md")))
    if options.get("guided") == "yes":
        card["guided"] = {"kind": "cross", "layer": aligned - 1, "head": 0}
    return card


FORMAT = Format("Marian", lambda path: bool(_models(path)), _read, ("guided",))

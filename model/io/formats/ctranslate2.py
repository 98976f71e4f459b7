"""CTranslate2: `model.bin` of versions 1 to 6 with its vocabularies.

They lie in a folder or in a package of Argos Translate. ``specs/model_spec.py`` of
OpenNMT/CTranslate2 writes the file; ``src/layers/transformer.cc`` and ``src/models/model.cc`` there
define the meaning of a missing variable.
"""

from __future__ import annotations

import math
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from torch import Tensor

from core.records.tokens import SPACE
from core.storage import DamageError, checked, typed
from words import Message

from ...config import Activation, PositionKind, TransformerConfig
from ...errors import CheckpointError
from ...tokenizer import proven, reading_vocabulary
from . import Converted, Format, Options
from .parts import n_layers, sines_of, with_rows, zero_biases
from .reading import MOST_BYTES, Bytes, contradicts, damaged, not_read
from .sentencepiece import read_sentencepiece
from .vocabulary import language_of, named_sides, of_words, refuse_order, refuse_size, spoken

FILE = "model.bin"
LONGEST = 512  # tokens; computed positions have no limit of their own
_WIDEST = 2**14
_SPARE = 128  # rows that the converter adds for tokens that only a config counts
# First bytes: a version of 2 to 15 with the length and name of the spec, or version 1 with its
# number of variables.
_HEAD = re.compile(rb"[\x02-\x0f]\0{3}[\x01-\x40]\0\w*\0|\x01\0{3}(?!\0{4})")
_PIECES = ("sentencepiece.model", "sentencepiece.bpe.model", "spiece.model", "source.spm")
_LISTS = tuple(
    f"{side}_vocabulary.{end}" for side in ("shared", "target") for end in ("json", "txt")
)
_UNREADABLE = (OSError, EOFError, RuntimeError, ValueError, zipfile.BadZipFile, zlib.error)
# Types by width of an element before version 4, by number since then.
_TYPES = {4: "f4", 2: "i2", 1: "i1"}, dict(enumerate(("f4", "i1", "i2", "i4", "f2", "u2")))
_HEADS = {"": 8, "TransformerBase": 8, "TransformerBig": 16, "TransformerSpec": 8}
_ACTIVATIONS: dict[int, Activation] = dict(
    enumerate(("relu", "gelu-tanh", "silu", "gelu", "gelu-sigmoid"))
)
_PADS = ("<blank>", "<pad>", "[PAD]")
_PART_OF_WORD = re.compile(f"^[{SPACE}Ġ￭]|(￭|@@)$")
_OLD_NAMES = (  # names of OpenNMT-tf, used by version 1
    *(("transformer/", ""), (":0", ""), ("w_embs", "embeddings/weight"), ("kernel", "weight")),
    *(("LayerNorm", "layer_norm"), ("dense", "projection"), ("conv1d_", "linear_")),
    *(("conv1d", "linear_0"), ("masked_multi_head", "self_attention")),
)
_ENDS = {"gamma": "weight", "beta": "bias", "encodings": "table"}
_PARTS = {  # parts of a layer; tensors that are stored as one have several names
    "self_attention/linear_0": "self_attention.query_proj self_attention.key_proj "
    "self_attention.value_proj",
    "self_attention/linear_1": "self_attention.out_proj",
    "self_attention/layer_norm": "self_attention_residual.norm",
    "attention/linear_0": "cross_attention.query_proj",
    "attention/linear_1": "cross_attention.key_proj cross_attention.value_proj",
    "attention/linear_2": "cross_attention.out_proj",
    "attention/layer_norm": "cross_attention_residual.norm",
    "ffn/linear_0": "feed_forward.inner",
    "ffn/linear_1": "feed_forward.outer",
    "ffn/layer_norm": "feed_forward_residual.norm",
}
_GATED = {"ffn/linear_0": "feed_forward.gate", "ffn/linear_0_noact": "feed_forward.inner"}
_OTHERS = {
    "encoder/embeddings": "source_embedding",
    "encoder/embeddings_0": "source_embedding",
    "encoder/layernorm_embedding": "embedding_norm",
    "encoder/layer_norm": "encoder_norm",
    "encoder/position_encodings": "positions",
    "decoder/embeddings": "embedding",
    "decoder/layernorm_embedding": "target_embedding_norm",
    "decoder/layer_norm": "decoder_norm",
    "decoder/position_encodings": "target_positions",
    "decoder/projection": "output",
}


@dataclass(frozen=True)
class _Settings:
    """Content of `config.json`, which exists from version 6 on."""

    unk_token: str = "<unk>"
    bos_token: str = "<s>"
    eos_token: str = "</s>"
    decoder_start_token: str | None = "<s>"
    add_source_bos: bool = False
    add_source_eos: bool = False
    layer_norm_epsilon: float | None = None


class _Tensors(dict[str, Tensor]):
    """Tensors by our names; a missing one is a fault of the file."""

    def __missing__(self, name: str) -> Tensor:
        raise damaged(FILE, name)


def _model_folder(path: Path) -> Traversable | None:
    """Return the folder, or the one inside a package, that holds `model.bin` or ``model/``."""
    if path.is_dir() or path.name == FILE:
        return path if path.is_dir() else path.parent
    if not (path.is_file() and zipfile.is_zipfile(path)):
        return None
    archive = zipfile.ZipFile(path)
    entries = archive.infolist()
    inside = re.compile(rf"((?:[^/]+/){{0,2}}?)(?:model/)?{FILE}")
    match = next((m for entry in entries if (m := inside.fullmatch(entry.filename))), None)
    if match is None:
        return None
    # Weights hardly compress: an archive that unpacks to much more is a bomb.
    size = sum(entry.file_size for entry in entries)
    most = 4 * path.stat().st_size + 2**24
    if size > min(most, MOST_BYTES):
        raise not_read(path.name, "size", size)
    for entry in entries:
        if entry.compress_type > zipfile.ZIP_DEFLATED or entry.filename.count("/") > 8:
            raise not_read(path.name, "entry", entry.filename)
    return zipfile.Path(archive, match[1])


def _file(folder: Traversable, *names: str) -> Traversable | None:
    """Return the first file of `names` that exists in `folder` or its ``model/``."""
    files = (parent / name for name in names for parent in (folder, folder / "model"))
    return next((file for file in files if file.is_file()), None)


def _bytes(file: Traversable) -> bytes:
    """Read a file of acceptable size; raises CheckpointError if that fails."""
    if isinstance(file, Path) and file.stat().st_size > MOST_BYTES:
        raise not_read(file.name, "size", file.stat().st_size)
    try:
        return file.read_bytes()
    except _UNREADABLE as error:
        raise damaged(file.name, str(error)) from error


def _json(folder: Traversable, name: str, expected: Any) -> Any:
    """Read a JSON file of the type `expected`, or None if there is none."""
    file = _file(folder, name)
    try:
        return None if file is None else checked(_bytes(file), expected, finite=False)
    except DamageError as error:
        fault = Message.of("model-checkpoint-no-json", file=name, error=error.fault)
        raise CheckpointError(fault) from error


def recognises(path: Path) -> bool:
    """Return True for a folder or package with a `model.bin` of this format.

    Its first bytes tell, or vocabularies beside it.
    """
    try:
        folder = _model_folder(path)
        if folder is None or (file := _file(folder, FILE)) is None:
            return False
        with file.open("rb") as stream:
            return bool(_HEAD.match(stream.read(80)) or _file(folder, *_LISTS))
    except (*_UNREADABLE, CheckpointError):
        return path.name != FILE  # a package; `read` reports what is wrong


def _variables(data: bytes) -> dict[str, np.ndarray]:
    """Return the variables by name, dequantised."""
    file = Bytes(data, FILE)
    version = file.number("I", "version")
    if not 1 <= version <= 6:
        raise not_read(FILE, "version", version)
    # Version 1 names no spec and has the names of revision 1.
    spec = ""
    revision = 1
    if version > 1:
        spec = _string(file, "spec")
        revision = file.number("I", "revision")
    if spec not in _HEADS:
        raise not_read(FILE, "spec", spec)
    variables = {"num_heads": np.array(_HEADS[spec])}
    for _ in range(file.count("I", "variables", item_bytes=7)):
        name, value = _variable(file, version)
        variables[_new_name(name) if revision == 1 else name] = value
    variables = {name: _dequantised(variables, name) for name in variables}
    for _ in range(file.count("I", "aliases", item_bytes=4) if version > 2 else 0):
        alias = _string(file, "aliases")
        name = _string(file, "aliases")
        if name in variables:
            variables[alias] = variables[name]
    # A tied embedding of int8 may appear three times at four times its size.
    if (size := sum(value.nbytes for value in variables.values())) > 16 * len(data):
        raise not_read(FILE, "aliases", size)
    for name in ("num_heads", "pre_norm", "activation", "alignment_layer", "alignment_heads"):
        if name in variables:  # before revision 5, one value for both stacks
            both = variables.pop(name)
            variables = {f"{stack}/{name}": both for stack in ("encoder", "decoder")} | variables
    return {name: value for name, value in variables.items() if not name.endswith("weight_scale")}


def _string(file: Bytes, field: str) -> str:
    """Read a string after its length."""
    return file.text(file.number("H", field), field)


def _variable(file: Bytes, version: int) -> tuple[str, np.ndarray]:
    """Read the name and the value of one variable."""
    types = _TYPES[version > 3]
    name = _string(file, "variables")
    shape = [file.number("I", name) for _ in range(file.number("B", name))]
    # Before version 4, the type is the width of an element and the size counts elements; since
    # then the type is a number and the size counts bytes.
    type_id = file.number("B", name)
    size = file.number("I", name)
    if type_id not in types:
        raise not_read(FILE, f"{name}: type", type_id)
    value = file.array(types[type_id], shape, name)
    if value.nbytes != size * (1 if version > 3 else type_id):
        raise damaged(FILE, name)
    if types[type_id] == "u2":  # bfloat16, the upper half of a float32
        value = (value.astype("u4") << 16).view("f4")
    return name, value


def _new_name(name: str) -> str:
    """Return the present name of a variable of revision 1."""
    for old, new in _OLD_NAMES:
        name = name.replace(old, new, 1)
    return name.replace("multi_head", "self_" * ("encoder" in name) + "attention", 1)


def _dequantised(variables: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    """Return a variable as it is, or weights of whole numbers divided by their scale."""
    value = variables[name]
    if not (name.endswith("weight") and value.ndim and value.dtype.kind == "i"):
        return value
    # int16 without a scale uses the constant 1000 of early versions.
    scale = variables.get(f"{name}_scale", np.array(1000.0) if value.itemsize == 2 else None)
    if scale is None or scale.size not in (1, len(value)):
        raise damaged(FILE, f"{name}_scale")
    with np.errstate(all="ignore"):  # non-finite weights are refused later
        return value / scale.astype("f4").reshape(-1, *[1] * (value.ndim - 1))


def _tensors(variables: dict[str, np.ndarray]) -> _Tensors:
    """Take the tensors that have a name here out of `variables`."""
    tensors = _Tensors()
    parts = _PARTS | (_GATED if any("/linear_0_noact/" in name for name in variables) else {})
    for name in list(variables):
        scope, _, end = name.rpartition("/")
        layer = re.fullmatch(r"(encoder|decoder)/layer_(0|[1-9]\d{0,2})/(.+)", scope)
        ours = (parts.get(layer[3], "") if layer else _OTHERS.get(scope, "")).split()
        if not ours or end not in (*_ENDS, *_ENDS.values()):
            continue
        value = torch.from_numpy(variables.pop(name).astype("f4"))
        if not value.ndim or not value.isfinite().all():
            raise damaged(FILE, name)
        prefix = f"{layer[1]}_layers.{layer[2]}." if layer else ""
        for part, rows in zip(ours, value.chunk(len(ours)), strict=False):
            tensors[f"{prefix}{part}.{_ENDS.get(end, end)}"] = rows
    linear = (re.fullmatch(r"(.+(?:_proj|feed_forward\.\w+))\.weight", name) for name in tensors)
    return _Tensors(zero_biases(tensors, [match[1] for match in linear if match]))


def _number(variables: dict[str, np.ndarray], name: str, default: Any) -> Any:
    """Take the scalar `name` out of `variables`."""
    value = variables.pop(name, None)
    if value is not None and value.size != 1:
        raise damaged(FILE, name)
    return default if value is None else value.item()


@dataclass(frozen=True)
class _Stack:
    """Facts of encoder or decoder, by the entries of a config; both have to agree on them."""

    d_model: int
    n_heads: int
    d_ff: int
    scale_embedding: bool
    embedding_norm: bool
    norm: Literal["after", "before"]
    norm_kind: Literal["layer", "rms"]
    final_norm: bool
    activation: Activation
    gated: bool
    positions: PositionKind
    position_offset: int
    max_len: int


def _stack(variables: dict[str, np.ndarray], tensors: _Tensors, stack: str) -> _Stack:
    """Take the facts of "encoder" or "decoder" out of `variables`, and their tables apart."""
    side = "target_" * (stack == "decoder")
    layer = f"{stack}_layers.0.feed_forward"
    embedding = "embedding.weight" if side else "source_embedding.weight"
    width = tensors[embedding].shape[-1]
    if width > _WIDEST or tensors[embedding].ndim != 2:
        raise not_read(FILE, f"{stack}/embeddings", tuple(tensors[embedding].shape))
    scale = _number(variables, f"{stack}/embeddings/multiply_by_sqrt_depth", 1)
    scale = _number(variables, f"{stack}/scale_embeddings", scale)  # a flag, or the factor itself
    scaled = bool(scale) if isinstance(scale, int) else math.isclose(scale**2, width, rel_tol=1e-6)
    # Any other factor is multiplied into the table once.
    if not scaled and isinstance(scale, float):
        tensors[embedding] = tensors[embedding] * scale
    activation = _number(variables, f"{stack}/activation", 0)
    if activation not in _ACTIVATIONS:
        raise not_read(FILE, f"{stack}/activation", activation)
    n_heads = _number(variables, f"{stack}/num_heads", 8)
    d_ff = len(tensors[f"{layer}.inner.weight"])
    norm_first = bool(_number(variables, f"{stack}/pre_norm", 1))
    positions, position_offset, max_len = _positions(tensors, f"{side}positions.table", width)
    return _Stack(
        d_model=width,
        n_heads=n_heads,
        d_ff=d_ff,
        scale_embedding=scaled,
        embedding_norm=f"{side}embedding_norm.weight" in tensors,
        norm="before" if norm_first else "after",
        norm_kind="layer" if f"{layer}_residual.norm.bias" in tensors else "rms",
        final_norm=f"{stack}_norm.weight" in tensors,
        activation=_ACTIVATIONS[activation],
        gated=f"{layer}.gate.weight" in tensors,
        positions=positions,
        position_offset=position_offset,
        max_len=max_len,
    )


def _positions(tensors: _Tensors, name: str, width: int) -> tuple[PositionKind, int, int]:
    """Return layout, offset and number of positions; a learned table stays among the tensors."""
    table = tensors.pop(name, None)
    if table is None:
        return "tensor2tensor", 1, LONGEST
    table = table[:LONGEST]
    if table.ndim == 2 and table.shape[1] == width:
        # Stored sines were computed in float32, hence the tolerance.
        sines = sines_of([table], 1e-4, range(3))
        if sines is not None:
            return sines.layout, sines.offset, len(table)
    tensors[name] = table
    return "learned", 0, len(table)


def _shared_facts(variables: dict[str, np.ndarray], tensors: _Tensors) -> _Stack:
    """Return the facts of both stacks; raises CheckpointError if the decoder differs."""
    encoder, decoder = (_stack(variables, tensors, stack) for stack in ("encoder", "decoder"))
    for entry, value in asdict(decoder).items():
        if getattr(encoder, entry) != value:
            raise not_read(FILE, f"decoder: {entry}", value)
    return encoder


def _settings(variables: dict[str, np.ndarray], folder: Traversable) -> _Settings:
    """Return the special tokens and flags.

    Before version 6 they are variables; `config.json` takes precedence.
    """
    settings: dict[str, Any] = {}
    for name in {"unk_token", "bos_token", "eos_token"} & variables.keys():
        settings[name] = variables.pop(name).tobytes().decode(errors="replace")
    for end in ("bos", "eos"):
        settings[f"add_source_{end}"] = bool(_number(variables, f"with_source_{end}", 0))
    start = "bos_token" if _number(variables, "with_target_bos", 1) else "eos_token"
    settings["decoder_start_token"] = settings.get(start, getattr(_Settings, start))
    if _number(variables, "user_decoder_start_tokens", 0):
        settings["decoder_start_token"] = None
    return typed(settings | (_json(folder, "config.json", _Settings) or {}), _Settings)


def _words(folder: Traversable, side: str, unknown: str, n_rows: int) -> tuple[str, list[str]]:
    """Return the tokens of a side by their ids, and the file that lists them."""
    lists = list(_lists(folder, side))
    if not lists:
        raise CheckpointError(Message.of("model-checkpoint-missing", file=f"{side}_vocabulary.txt"))
    name, words = lists[0]
    for other, other_words in lists[1:]:
        refuse_order(name, _ids_of(words), other, _ids_of(other_words))
    words += [unknown] * (unknown not in words)
    if len(words) != n_rows:
        fault = Message.of("format-contradicts-size", file=name, n=len(words), rows=n_rows)
        raise contradicts(name, FILE, fault)
    first = _ids_of(words)
    # A token listed twice keeps its first id; the other rows get names that nobody can type.
    return name, [word if first[word] == n else f"<unused-{n}>" for n, word in enumerate(words)]


def _ids_of(words: Sequence[str]) -> dict[str, int]:
    """Return the first index of each word."""
    return {word: n for n, word in reversed(list(enumerate(words)))}


def _lists(folder: Traversable, side: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each vocabulary file of a side with its words."""
    for name in ("shared_vocabulary", f"{side}_vocabulary"):
        if (words := _json(folder, f"{name}.json", list[str])) is not None:
            yield f"{name}.json", words
        if (file := _file(folder, f"{name}.txt")) is not None:
            data = _bytes(file)
            text = Bytes(data, file.name).text(len(data), "words")
            yield file.name, text.removesuffix("\n").split("\n")


def _tokenizer(
    folder: Traversable, side: str, name: str, words: list[str], unknown: str
) -> Tokenizer:
    """Return the tokenizer that splits text into the words of the list in the file `name`.

    It is a SentencePiece file beside it, a tokenizer.json with the same ids or, without them, the
    list itself if it consists of characters or whole words.
    """
    ids = {word: number for number, word in enumerate(words)}
    if (file := _file(folder, f"{side}.spm", *_PIECES)) is not None:
        return read_sentencepiece(file, ids, name)[0]
    if (file := _file(folder, "tokenizer.json")) is not None:
        with reading_vocabulary(file.name):
            tokenizer = proven(Tokenizer.from_str(_bytes(file).decode()))
        refuse_size(file.name, tokenizer, name, len(words), spare=_SPARE)
        refuse_order(file.name, tokenizer.get_vocab(), name, ids)
        return tokenizer
    plain = [word for word in words if not re.fullmatch("<.+>", word)]
    if all(len(word) == 1 for word in plain):
        tokenizer = Tokenizer(models.BPE(ids, [], unk_token=unknown))
        if SPACE in ids:
            tokenizer.normalizer = normalizers.Replace(" ", SPACE)
        tokenizer.decoder = decoders.Metaspace(SPACE, "never")
        return tokenizer
    # Pieces without the rules that made them: any segmentation would be a guess.
    if piece := next(filter(_PART_OF_WORD.search, plain), None):
        fault = Message.of("format-ctranslate2-pieces", side=side, piece=repr(piece))
        raise CheckpointError(fault, hint=Message("format-ctranslate2-pieces-hint"))
    tokenizer = of_words(words, ids[unknown])
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return tokenizer


def _aligned(words: list[str], table: Tensor, ids: Mapping[str, int]) -> tuple[list[str], Tensor]:
    """Give special tokens of the source the `ids` of the target: a config has one id for both."""
    words = words + [token for token in ids if token not in words]
    most = max(len(table), 1 + max(ids.values()))
    words += [f"<unused-{n}>" for n in range(len(words), most)]
    rows = {word: row for row, word in enumerate(words)}
    for token, token_id in ids.items():
        at = words.index(token)
        words[at], words[token_id] = words[token_id], words[at]
    more = table.new_zeros(len(words) - len(table), table.shape[1])
    return words, torch.cat((table, more))[[rows[word] for word in words]]


@dataclass(frozen=True)
class _Vocabulary:
    """Tokens of both sides by their ids, and the special ones among them."""

    files: Mapping[str, str]  # name of the list of each side
    words: Mapping[str, list[str]]
    special: Mapping[str, str]  # by the entry of a config; "pad_id" may be absent

    @property
    def ids(self) -> dict[str, int]:
        """Ids of the special tokens in the target, by the entry of a config."""
        return {entry: self.words["target"].index(token) for entry, token in self.special.items()}

    @property
    def is_shared(self) -> bool:
        """True if both sides have the same list."""
        return self.words["source"] == self.words["target"]


def _vocabulary(
    folder: Traversable, settings: _Settings, options: Options, tensors: _Tensors
) -> _Vocabulary:
    """Read the lists of tokens, and verify that they have the special ones."""
    n_rows = {
        "source": len(tensors["source_embedding.weight"]),
        "target": len(tensors["embedding.weight"]),
    }
    lists = {side: _words(folder, side, settings.unk_token, n) for side, n in n_rows.items()}
    files = {side: file for side, (file, _) in lists.items()}
    words = {side: of_side for side, (_, of_side) in lists.items()}
    start = settings.decoder_start_token or options.get("start")
    if start is None:
        hint = Message("format-ctranslate2-start-hint")
        raise CheckpointError(Message("format-ctranslate2-start"), hint=hint)
    special = {"unk_id": settings.unk_token, "eos_id": settings.eos_token, "bos_id": start}
    pad = next((pad for pad in _PADS if all(pad in of_side for of_side in words.values())), None)
    if pad is not None:
        special["pad_id"] = pad
    for entry, token in special.items():
        if token not in words["target"]:
            if entry == "bos_id" and settings.decoder_start_token is None:
                raise not_read(files["target"], "--start", token)
            fault = Message.of("format-contradicts-token", entry=entry, token=repr(token))
            other = FILE if _file(folder, "config.json") is None else "config.json"
            raise contradicts(files["target"], other, fault)
    return _Vocabulary(files, words, special)


def _config(
    stack: _Stack, settings: _Settings, vocabulary: _Vocabulary, tensors: _Tensors
) -> TransformerConfig:
    """Build the config, and drop tensors that are stored twice."""
    source = tensors["source_embedding.weight"]
    target = tensors["embedding.weight"]
    shared = vocabulary.is_shared and torch.equal(source, target)
    tied = torch.equal(tensors["output.weight"], target)
    if shared:
        del tensors["source_embedding.weight"]
    if tied:
        del tensors["output.weight"]
    ids = vocabulary.ids
    config = TransformerConfig(
        d_model=stack.d_model,
        n_heads=stack.n_heads,
        d_ff=stack.d_ff,
        scale_embedding=stack.scale_embedding,
        embedding_norm=stack.embedding_norm,
        norm=stack.norm,
        norm_kind=stack.norm_kind,
        final_norm=stack.final_norm,
        activation=stack.activation,
        gated=stack.gated,
        positions=stack.positions,
        position_offset=stack.position_offset,
        max_len=stack.max_len,
        n_encoder_layers=n_layers(tensors, "encoder"),
        n_decoder_layers=n_layers(tensors, "decoder"),
        vocab_size=len(target),
        source_vocab_size=len(source),
        shared_embedding=shared,
        tied_output=tied,
        output_bias="output_bias" in tensors,
        layer_norm_eps=settings.layer_norm_epsilon or (1e-6 if stack.norm_kind == "rms" else 1e-5),
        unk_id=ids["unk_id"],
        eos_id=ids["eos_id"],
        bos_id=ids["bos_id"],
    )
    return replace(config, pad_id=ids["pad_id"]) if "pad_id" in ids else config


def read(path: Path, options: Options) -> Converted:
    """Convert the files at `path`, as `Format.read`."""
    folder = _model_folder(path)
    if folder is None or (file := _file(folder, FILE)) is None:
        raise CheckpointError(Message.of("model-checkpoint-missing", file=FILE))
    variables = _variables(_bytes(file))
    tensors = _tensors(variables)
    stack = _shared_facts(variables, tensors)
    settings = _settings(variables, folder)
    vocabulary = _vocabulary(folder, settings, options, tensors)
    if "output.bias" in tensors:
        tensors["output_bias"] = tensors.pop("output.bias")
    config = _config(stack, settings, vocabulary, tensors)
    weights: Mapping[str, Tensor] = tensors
    ids = vocabulary.ids
    start = vocabulary.special["bos_id"]
    zero = bool(_number(variables, "decoder/start_from_zero_embedding", 0))
    # The start token may be ``</s>`` or the vector of zeros; this project needs a token with a row
    # of its own.
    own_start = not zero and start == settings.bos_token and len(set(ids.values())) == len(ids)
    lacks_pad = "pad_id" not in ids
    if not own_start or lacks_pad:
        start_row = None if zero else ids["bos_id"]
        config, weights = with_rows(config, weights, start_row, pad=lacks_pad)
    words = dict(vocabulary.words)
    if not vocabulary.is_shared:
        table = weights["source_embedding.weight"]
        words["source"], table = _aligned(words["source"], table, _kept_ids(vocabulary, config))
        config = replace(config, source_vocab_size=len(table))
        weights = {**weights, "source_embedding.weight": table}
    # Models with another start token were trained on sources that end in ``</s>``, which some other
    # tool adds.
    settings = replace(settings, add_source_eos=settings.add_source_eos or not own_start)
    source, target = _tokenizers(folder, settings, vocabulary, words)
    tokenizers = named_sides(config, source, target)
    head = _guided(variables, options, config.n_decoder_layers)
    card: dict[str, Any] = {} if head is None else {"guided": head}
    card["languages"] = _languages(folder, language_of(target, target.token_to_id(start)))
    _refuse_rest(variables)
    return Converted(config, weights, tokenizers, card)


def _kept_ids(vocabulary: _Vocabulary, config: TransformerConfig) -> dict[str, int]:
    """Return the special tokens whose id in the target is still that of the config."""
    return {
        vocabulary.special[entry]: token_id
        for entry, token_id in vocabulary.ids.items()
        if getattr(config, entry) == token_id
    }


def _tokenizers(
    folder: Traversable,
    settings: _Settings,
    vocabulary: _Vocabulary,
    words: Mapping[str, list[str]],
) -> tuple[Tokenizer, Tokenizer]:
    """Return the tokenizers of source and target, one object if both share it.

    `words` are the lists of `vocabulary` with the rows that were added to their tables.
    """
    source = _tokenizer(
        folder, "source", vocabulary.files["source"], words["source"], settings.unk_token
    )
    target = source
    if not vocabulary.is_shared or _file(folder, "target.spm") is not None:
        target = _tokenizer(
            folder, "target", vocabulary.files["target"], words["target"], settings.unk_token
        )
    begin = [settings.bos_token] if settings.add_source_bos else []
    end = [settings.eos_token] if settings.add_source_eos else []
    around = [(token, words["source"].index(token)) for token in (*begin, *end)]
    template = processors.TemplateProcessing([*begin, "$A", *end], special_tokens=around)
    source.post_processor = template
    return source, target


def _guided(
    variables: dict[str, np.ndarray], options: Options, n_decoder_layers: int
) -> dict[str, Any] | None:
    """Return the head that was trained to align words, if the options say that there is one."""
    layer = _number(variables, "decoder/alignment_layer", -1) % n_decoder_layers
    if options.get("guided") == "yes" and _number(variables, "decoder/alignment_heads", 1) == 1:
        return {"kind": "cross", "layer": layer, "head": 0}
    return None


def _languages(folder: Traversable, begins: str) -> list[str]:
    """Return the languages of source and target; `begins` is one that every target names."""
    files = ("metadata.json", "config.json", "tokenizer_config.json")  # packages have the first
    facts = [_json(folder, name, dict[str, Any]) or {} for name in files]
    return spoken(*facts, target=begins)


def _refuse_rest(variables: Mapping[str, np.ndarray]) -> None:
    """Raise CheckpointError for a variable that nobody took out of `variables`.

    It may change the computation, so the model is refused rather than run wrongly.
    """
    for name, rest in variables.items():
        if rest.any() and "/alignment_" not in name:  # a flag that is off has no effect
            raise not_read(FILE, name, rest.item() if rest.size == 1 else rest.shape)


FORMAT = Format("CTranslate2", recognises, read, ("start", "guided"))

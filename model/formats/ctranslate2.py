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
from dataclasses import dataclass, replace
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from torch import Tensor

from core.stored import DamageError, checked, typed
from words import Message

from ..config import TransformerConfig
from ..errors import CheckpointError
from ..tokenizer import SPACE, proven, reading_vocabulary
from . import Converted, Format, Options
from .parts import sines_of, with_rows, zero_biases
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
_ACTIVATIONS = dict(enumerate(("relu", "gelu-tanh", "silu", "gelu", "gelu-sigmoid")))
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
class _Said:
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


def _place(path: Path) -> Traversable | None:
    """Return the folder, or the one inside a package, that holds `model.bin` or ``model/``."""
    if path.is_dir() or path.name == FILE:
        return path if path.is_dir() else path.parent
    if not (path.is_file() and zipfile.is_zipfile(path)):
        return None
    archive = zipfile.ZipFile(path)
    entries = archive.infolist()
    inside = re.compile(rf"((?:[^/]+/){{0,2}}?)(?:model/)?{FILE}")
    found = next((m for entry in entries if (m := inside.fullmatch(entry.filename))), None)
    if found is None:
        return None
    # Weights hardly compress: an archive that unpacks to much more is a bomb.
    size = sum(entry.file_size for entry in entries)
    most = 4 * path.stat().st_size + 2**24
    if size > min(most, MOST_BYTES):
        raise not_read(path.name, "size", size)
    for entry in entries:
        if entry.compress_type > zipfile.ZIP_DEFLATED or entry.filename.count("/") > 8:
            raise not_read(path.name, "entry", entry.filename)
    return zipfile.Path(archive, found[1])


def _file(place: Traversable, *names: str) -> Traversable | None:
    """Return the first file of `names` that exists in `place` or its ``model/``."""
    files = (folder / name for name in names for folder in (place, place / "model"))
    return next((file for file in files if file.is_file()), None)


def _bytes(file: Traversable) -> bytes:
    """Read a file of acceptable size; raises CheckpointError if that fails."""
    if isinstance(file, Path) and file.stat().st_size > MOST_BYTES:
        raise not_read(file.name, "size", file.stat().st_size)
    try:
        return file.read_bytes()
    except _UNREADABLE as error:
        raise damaged(file.name, str(error)) from error


def _json(place: Traversable, name: str, kind: Any) -> Any:
    """Read a JSON file as `kind`, or None if there is none."""
    file = _file(place, name)
    try:
        return None if file is None else checked(_bytes(file), kind, finite=False)
    except DamageError as error:
        fault = Message.of("model-checkpoint-no-json", file=name, error=error.fault)
        raise CheckpointError(fault) from error


def recognises(path: Path) -> bool:
    """Return True for a folder or package with a `model.bin` of this format.

    Its first bytes tell, or vocabularies beside it.
    """
    try:
        place = _place(path)
        if place is None or (file := _file(place, FILE)) is None:
            return False
        with file.open("rb") as opened:
            return bool(_HEAD.match(opened.read(80)) or _file(place, *_LISTS))
    except (*_UNREADABLE, CheckpointError):
        return path.name != FILE  # a package; `read` reports what is wrong


def _variables(data: bytes) -> dict[str, np.ndarray]:
    """Return the variables by name, dequantised."""
    file = Bytes(data, FILE)

    def text(field: str) -> str:
        return file.text(file.number("H", field), field)

    version = file.number("I", "version")
    if not 1 <= version <= 6:
        raise not_read(FILE, "version", version)
    # Version 1 names no spec and has the names of revision 1.
    spec, revision = (text("spec"), file.number("I", "revision")) if version > 1 else ("", 1)
    if spec not in _HEADS:
        raise not_read(FILE, "spec", spec)
    found = {"num_heads": np.array(_HEADS[spec])}
    types = _TYPES[version > 3]
    for _ in range(file.count("I", "variables", each=7)):
        name = text("variables")
        shape = [file.number("I", name) for _ in range(file.number("B", name))]
        kind = file.number("B", name)
        size = file.number("I", name)
        if kind not in types:
            raise not_read(FILE, f"{name}: type", kind)
        value = file.array(types[kind], shape, name)
        # Before version 4, `kind` is the width and `size` counts elements; since then it counts
        # bytes.
        if value.nbytes != size * (1 if version > 3 else kind):
            raise damaged(FILE, name)
        if types[kind] == "u2":  # bfloat16, the upper half of a float32
            value = (value.astype("u4") << 16).view("f4")
        if revision == 1:
            for theirs, ours in _OLD_NAMES:
                name = name.replace(theirs, ours, 1)
            name = name.replace("multi_head", "self_" * ("encoder" in name) + "attention", 1)
        found[name] = value
    for name, value in found.items():
        if name.endswith("weight") and value.ndim and value.dtype.kind == "i":
            # int16 without a scale uses the constant 1000 of early versions.
            scale = found.get(f"{name}_scale", np.array(1000.0) if value.itemsize == 2 else None)
            if scale is None or scale.size not in (1, len(value)):
                raise damaged(FILE, f"{name}_scale")
            with np.errstate(all="ignore"):  # non-finite weights are refused later
                found[name] = value / scale.astype("f4").reshape(-1, *[1] * (value.ndim - 1))
    for _ in range(file.count("I", "aliases", each=4) if version > 2 else 0):
        alias = text("aliases")
        name = text("aliases")
        found |= {alias: found[name]} if name in found else {}
    # A tied embedding of int8 may appear three times at four times its size.
    if (size := sum(value.nbytes for value in found.values())) > 16 * len(data):
        raise not_read(FILE, "aliases", size)
    for name in ("num_heads", "pre_norm", "activation", "alignment_layer", "alignment_heads"):
        if name in found:  # before revision 5, one value for both stacks
            both = found.pop(name)
            found = {f"{stack}/{name}": both for stack in ("encoder", "decoder")} | found
    return {name: value for name, value in found.items() if not name.endswith("weight_scale")}


def _tensors(found: dict[str, np.ndarray]) -> _Tensors:
    """Take the tensors that have a name here out of `found`."""
    tensors = _Tensors()
    parts = _PARTS | (_GATED if any("/linear_0_noact/" in name for name in found) else {})
    for name in list(found):
        scope, _, end = name.rpartition("/")
        layer = re.fullmatch(r"(encoder|decoder)/layer_(0|[1-9]\d{0,2})/(.+)", scope)
        ours = (parts.get(layer[3], "") if layer else _OTHERS.get(scope, "")).split()
        if not ours or end not in (*_ENDS, *_ENDS.values()):
            continue
        value = torch.from_numpy(found.pop(name).astype("f4"))
        if not value.ndim or not value.isfinite().all():
            raise damaged(FILE, name)
        prefix = f"{layer[1]}_layers.{layer[2]}." if layer else ""
        for part, rows in zip(ours, value.chunk(len(ours)), strict=False):
            tensors[f"{prefix}{part}.{_ENDS.get(end, end)}"] = rows
    linear = (re.fullmatch(r"(.+(?:_proj|feed_forward\.\w+))\.weight", name) for name in tensors)
    return _Tensors(zero_biases(tensors, [match[1] for match in linear if match]))


def _number(found: dict[str, np.ndarray], name: str, default: Any) -> Any:
    """Take the scalar `name` out of `found`."""
    value = found.pop(name, None)
    if value is not None and value.size != 1:
        raise damaged(FILE, name)
    return default if value is None else value.item()


def _facts(found: dict[str, np.ndarray], tensors: _Tensors, stack: str) -> dict[str, Any]:
    """Return the entries of the config that one stack implies; the other stack has to agree."""
    side = "target_" * (stack == "decoder")
    layer = f"{stack}_layers.0.feed_forward"
    embedding = "embedding.weight" if side else "source_embedding.weight"
    width = tensors[embedding].shape[-1]
    if width > _WIDEST or tensors[embedding].ndim != 2:
        raise not_read(FILE, f"{stack}/embeddings", tuple(tensors[embedding].shape))
    scale = _number(found, f"{stack}/embeddings/multiply_by_sqrt_depth", 1)
    scale = _number(found, f"{stack}/scale_embeddings", scale)  # a flag, or the factor itself
    scaled = bool(scale) if isinstance(scale, int) else math.isclose(scale**2, width, rel_tol=1e-6)
    # Any other factor is multiplied into the table once.
    if not scaled and isinstance(scale, float):
        tensors[embedding] = tensors[embedding] * scale
    activation = _number(found, f"{stack}/activation", 0)
    if activation not in _ACTIVATIONS:
        raise not_read(FILE, f"{stack}/activation", activation)
    facts = {
        "d_model": width,
        "n_heads": _number(found, f"{stack}/num_heads", 8),
        "d_ff": len(tensors[f"{layer}.inner.weight"]),
        "scale_embedding": scaled,
        "embedding_norm": f"{side}embedding_norm.weight" in tensors,
        "norm": "before" if _number(found, f"{stack}/pre_norm", 1) else "after",
        "norm_kind": "layer" if f"{layer}_residual.norm.bias" in tensors else "rms",
        "final_norm": f"{stack}_norm.weight" in tensors,
        "activation": _ACTIVATIONS[activation],
        "gated": f"{layer}.gate.weight" in tensors,
        f"n_{stack}_layers": len({n.split(".")[1] for n in tensors if f"{stack}_layers." in n}),
        **{"positions": "tensor2tensor", "position_offset": 1, "max_len": LONGEST},
    }
    if (table := tensors.pop(f"{side}positions.table", None)) is not None:
        facts |= {"positions": "learned", "position_offset": 0, "max_len": len(table[:LONGEST])}
        # Stored sines were computed in float32, hence the tolerance.
        if (
            table.ndim == 2
            and table.shape[1] == width
            and (sines := sines_of([table[:LONGEST]], 1e-4, range(3)))
        ):
            facts |= sines
        else:
            tensors[f"{side}positions.table"] = table[:LONGEST]
    return facts


def _said(found: dict[str, np.ndarray], place: Traversable) -> _Said:
    """Return the special tokens and flags.

    Before version 6 they are variables; `config.json` takes precedence.
    """
    said: dict[str, Any] = {}
    for name in {"unk_token", "bos_token", "eos_token"} & found.keys():
        said[name] = found.pop(name).tobytes().decode(errors="replace")
    for end in ("bos", "eos"):
        said[f"add_source_{end}"] = bool(_number(found, f"with_source_{end}", 0))
    start = "bos_token" if _number(found, "with_target_bos", 1) else "eos_token"
    said["decoder_start_token"] = said.get(start, getattr(_Said, start))
    if _number(found, "user_decoder_start_tokens", 0):
        said["decoder_start_token"] = None
    return typed(said | (_json(place, "config.json", _Said) or {}), _Said)


def _words(place: Traversable, side: str, unknown: str, n_rows: int) -> tuple[str, list[str]]:
    """Return the tokens of a side by their ids, and the file that lists them."""
    lists = list(_lists(place, side))
    if not lists:
        raise CheckpointError(Message.of("model-checkpoint-missing", file=f"{side}_vocabulary.txt"))
    name, words = lists[0]
    for other, its in lists[1:]:
        refuse_order(name, _ids_of(words), other, _ids_of(its))
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


def _lists(place: Traversable, side: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each vocabulary file of a side with its words."""
    for name in ("shared_vocabulary", f"{side}_vocabulary"):
        if (words := _json(place, f"{name}.json", list[str])) is not None:
            yield f"{name}.json", words
        if (file := _file(place, f"{name}.txt")) is not None:
            data = _bytes(file)
            text = Bytes(data, file.name).text(len(data), "words")
            yield file.name, text.removesuffix("\n").split("\n")


def _tokenizer(
    place: Traversable, side: str, name: str, words: list[str], unknown: str
) -> Tokenizer:
    """Return the tokenizer that splits text into the words of the list in the file `name`.

    It is a SentencePiece file beside it, a tokenizer.json with the same ids or, without them, the
    list itself if it consists of characters or whole words.
    """
    ids = {word: number for number, word in enumerate(words)}
    if (file := _file(place, f"{side}.spm", *_PIECES)) is not None:
        return read_sentencepiece(file, ids, name)[0]
    if (file := _file(place, "tokenizer.json")) is not None:
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


def _aligned(
    words: list[str], table: Tensor, places: Mapping[str, int]
) -> tuple[list[str], Tensor]:
    """Give special tokens of the source the ids of the target: a config has one id for both."""
    words = words + [token for token in places if token not in words]
    most = max(len(table), 1 + max(places.values()))
    words += [f"<unused-{n}>" for n in range(len(words), most)]
    rows = {word: row for row, word in enumerate(words)}
    for token, place in places.items():
        at = words.index(token)
        words[at], words[place] = words[place], words[at]
    more = table.new_zeros(len(words) - len(table), table.shape[1])
    return words, torch.cat((table, more))[[rows[word] for word in words]]


def read(path: Path, options: Options) -> Converted:
    """Convert the files at `path`, as `Format.read`."""
    place = _place(path)
    file = None if place is None else _file(place, FILE)
    if place is None or file is None:
        raise CheckpointError(Message.of("model-checkpoint-missing", file=FILE))
    found = _variables(_bytes(file))
    tensors = _tensors(found)
    facts, of_decoder = (_facts(found, tensors, stack) for stack in ("encoder", "decoder"))
    # One config serves both stacks.
    for entry, value in of_decoder.items():
        if facts.setdefault(entry, value) != value:
            raise not_read(FILE, f"decoder: {entry}", value)
    said = _said(found, place)
    tables = {"source": tensors["source_embedding.weight"], "target": tensors["embedding.weight"]}
    lists = {side: _words(place, side, said.unk_token, len(t)) for side, t in tables.items()}
    words = {side: own for side, (_, own) in lists.items()}
    start = said.decoder_start_token or options.get("start")
    if start is None:
        hint = Message("format-ctranslate2-start-hint")
        raise CheckpointError(Message("format-ctranslate2-start"), hint=hint)
    tokens = {"unk_id": said.unk_token, "eos_id": said.eos_token, "bos_id": start}
    pad = next((pad for pad in _PADS if all(pad in of_side for of_side in words.values())), None)
    tokens |= {} if pad is None else {"pad_id": pad}
    for entry, token in tokens.items():
        if token not in words["target"]:
            if entry == "bos_id" and said.decoder_start_token is None:
                raise not_read(lists["target"][0], "--start", token)
            fault = Message.of("format-contradicts-token", entry=entry, token=repr(token))
            other = FILE if _file(place, "config.json") is None else "config.json"
            raise contradicts(lists["target"][0], other, fault)
    ids = {entry: words["target"].index(token) for entry, token in tokens.items()}
    one_list = words["source"] == words["target"]
    shared = one_list and torch.equal(*tables.values())
    tied = torch.equal(tensors["output.weight"], tables["target"])
    for name, same in (("source_embedding.weight", shared), ("output.weight", tied)):
        if same:
            del tensors[name]
    if "output.bias" in tensors:
        tensors["output_bias"] = tensors.pop("output.bias")
    config = TransformerConfig(
        **(facts | ids),
        vocab_size=len(tables["target"]),
        source_vocab_size=len(tables["source"]),
        shared_embedding=shared,
        tied_output=tied,
        output_bias="output_bias" in tensors,
        layer_norm_eps=said.layer_norm_epsilon or (1e-6 if facts["norm_kind"] == "rms" else 1e-5),
    )
    zero = bool(_number(found, "decoder/start_from_zero_embedding", 0))
    # The start token may be ``</s>`` or the vector of zeros; this project needs a token with a row
    # of its own.
    own_start = not zero and start == said.bos_token and len(set(ids.values())) == len(ids)
    made: Mapping[str, Tensor] = tensors
    if not own_start or pad is None:
        config, made = with_rows(config, made, None if zero else ids["bos_id"], pad=pad is None)
    if not one_list:
        places = {tokens[e]: place for e, place in ids.items() if getattr(config, e) == place}
        words["source"], table = _aligned(words["source"], made["source_embedding.weight"], places)
        config = replace(config, source_vocab_size=len(table))
        made = {**made, "source_embedding.weight": table}
    # Models with another start token were trained on sources that end in ``</s>``, which some other
    # tool adds.
    ends = (said.add_source_bos, said.add_source_eos or not own_start)
    begin, end = ([t] * put for t, put in zip((said.bos_token, said.eos_token), ends, strict=True))
    one = one_list and _file(place, "target.spm") is None
    own = [
        _tokenizer(place, side, lists[side][0], words[side], said.unk_token)
        for side in [*words][: 2 - one]
    ]
    around = [(token, words["source"].index(token)) for token in (*begin, *end)]
    template = processors.TemplateProcessing([*begin, "$A", *end], special_tokens=around)
    own[0].post_processor = template
    tokenizers = named_sides(config, own[0], own[-1])
    card: dict[str, Any] = {}
    layer = _number(found, "decoder/alignment_layer", -1) % config.n_decoder_layers
    if options.get("guided") == "yes" and _number(found, "decoder/alignment_heads", 1) == 1:
        card["guided"] = {"kind": "cross", "layer": layer, "head": 0}
    files = ("metadata.json", "config.json", "tokenizer_config.json")  # packages have the first
    facts = [_json(place, file, dict[str, Any]) or {} for file in files]
    begins = language_of(own[-1], own[-1].token_to_id(start))
    card["languages"] = spoken(*facts, target=begins)
    # Whatever is left may change the computation, so the model is refused rather than run wrongly.
    for name, rest in found.items():
        if rest.any() and "/alignment_" not in name:  # a flag that is off has no effect
            raise not_read(FILE, name, rest.item() if rest.size == 1 else rest.shape)
    return Converted(config, made, tokenizers, card)


FORMAT = Format("CTranslate2", recognises, read, ("start", "guided"))

"""Hugging Face: folders written by transformers for BART, mBART, M2M100, NLLB, Marian, T5 and mT5.

Names of entries and tensors are in ``huggingface.toml``.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from tokenizers import AddedToken, Tokenizer, processors
from torch import Tensor

from core.storage import DamageError, checked
from words import Message

from ...config import TransformerConfig, config_from_dict
from ...errors import CheckpointError
from ...families.transformer import Transformer
from ...tokenizer import EOS, UNK, proven, reading_vocabulary
from ..assembly import stored_tensors
from . import Converted, Format, Options
from .parts import NEVER, described, sines_of, with_rows
from .reading import damaged, not_read, unpickled
from .sentencepiece import piece_ids, read_sentencepiece
from .vocabulary import (
    language_id,
    language_of,
    named_languages,
    named_sides,
    refuse_order,
    refuse_size,
    refuse_special,
    spoken,
    token_at,
    typed_codes,
)

CONFIG = "config.json"
WEIGHTS = "model.safetensors"
PICKLE = "pytorch_model.bin"
INDEX = f"{WEIGHTS}.index.json"
TOKENIZER = "tokenizer.json"
WORDS = "vocab.json"
MOST_PARAMETERS = 350_000_000
"""Most parameters; above, the app takes more than seconds without an accelerator."""
MOST_TEXT = 2**25  # bytes of a file, enough for the 256,000 pieces of NLLB
_MOST = 10**6  # largest size in a config
_SPARE = 128  # rows that the library leaves without a token: the 8 "madeup words" of M2M100
_TYPES = {"layer_norm_eps": float, "scale_embedding": bool, "activation": str}  # default int
_PROJECTIONS = ("query", "key", "value", "out")
_IN_TWO = ("mbart", "m2m_100")  # a target begins with the end token, then its language
_IGNORED = (
    r".*\.version|.*\.embed_positions\..*|model\.shared\.weight"
    r"|decoder\.block\.0\.layer\.1\.EncDecAttention\.relative_attention_bias\.weight"
)
_Parts = tuple[TransformerConfig, dict[str, Tensor]]
_NAMES: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def _text(path: Path) -> bytes:
    """Read a file of acceptable size."""
    if not path.is_file():
        raise CheckpointError(Message.of("model-checkpoint-missing", file=path.name))
    if (size := path.stat().st_size) > MOST_TEXT:
        raise not_read(path.name, "size", size)
    return path.read_bytes()


def _json(path: Path, expected: Any = dict[str, Any], *, needed: bool = True) -> dict[str, Any]:
    """Read a JSON file of the type `expected`; empty if it is missing and not `needed`."""
    try:
        return checked(_text(path), expected, finite=False) if needed or path.exists() else {}
    except (OSError, DamageError) as error:
        raise damaged(path.name, str(error)) from error


def _recognises(path: Path) -> bool:
    """Return True if config.json has a ``model_type``."""
    try:
        return "model_type" in _json(path / CONFIG)
    except CheckpointError:
        return False


def _read(folder: Path, options: Options) -> Converted:
    """Convert a folder."""
    entries = {name: value for name, value in _json(folder / CONFIG).items() if value is not None}
    entries = _json(folder / "generation_config.json", needed=False) | entries
    facts = _json(folder / "tokenizer_config.json", needed=False)
    parts = _renamed(_config(entries), entries, *_weights(folder))
    card: dict[str, Any] = {}
    with reading_vocabulary(TOKENIZER):
        files = _vocabularies(folder, facts)
        sides = tuple(tokenizer for _, tokenizer in files)
        config, tensors = _special(parts, entries, files, _names(facts))
        forced = entries.get("forced_bos_token_id")
        if language := options.get("language", ""):
            forced = language_id(sides[1], language)
        if forced is not None:
            if type(forced) is not int or not 0 <= forced < entries["vocab_size"]:
                raise not_read(CONFIG, "forced_bos_token_id", forced)
            config = replace(config, forced_ids=(forced,))
            token = repr(token_at(sides[1], forced))
            card = described(Message.of("format-begins", token=token))
        elif entries["model_type"] in _IN_TWO:
            card = described(Message("format-start-in-two"))
        tokenizers = named_sides(config, *sides)
        # Language tokens around a source and at the beginning of a target.
        around = [language_of(sides[0], i) for i in sides[0].encode("").ids]
        begins = (forced, entries.get("decoder_start_token_id"))
        written = next(filter(None, (language_of(sides[1], i) for i in begins)), "")
    read = next(filter(None, around), "")
    named = named_languages(str(entries.get("_name_or_path", "")).rpartition("/")[2])
    of_name = {"source_lang": named.get("source"), "target_lang": named.get("target")}
    card["languages"] = spoken(facts, entries, of_name, source=read, target=written)
    return Converted(config, tensors, tokenizers, card)


FORMAT = Format("Hugging Face", _recognises, _read, ("language",))


def _config(entries: dict[str, Any]) -> TransformerConfig:
    """Build the config without special ids and without facts that only tensors show."""
    model_type = entries.get("model_type")
    description = _NAMES["kinds"].get(str(model_type))
    if description is None:
        fault = Message.of(
            "format-model-type", value=repr(model_type), known=", ".join(_NAMES["kinds"])
        )
        raise CheckpointError(fault, hint=Message("format-model-type-hint"))
    layout = _NAMES[description["names"]]
    values = {**layout["settings"], **description.get("settings", {})}
    entries.setdefault("num_decoder_layers", entries.get("num_layers"))
    for ours, theirs in layout["config"].items():
        names = [n for n in theirs.rstrip("?").split() if n in entries or theirs[-1] != "?"]
        for name in names:
            value = entries.get(name)
            fits = type(value) is _TYPES.get(ours, int) and value == entries[names[0]]
            if not fits or (type(value) is int and not 0 < value <= _MOST):
                raise not_read(CONFIG, name, value)
            values[ours] = value
    activation = values["activation"]
    values["activation"] = _NAMES["activations"].get(activation)
    values["gated"] = activation.startswith("gated-")
    if values["activation"] is None or (values["gated"] and "gated" not in layout):
        raise not_read(CONFIG, layout["config"]["activation"].rstrip("?"), activation)
    # Settings that this project does not implement must have their default.
    defaults = description.get("granted", {}) | {"is_encoder_decoder": True}
    for name, value in {**defaults, "decoder_vocab_size": values["vocab_size"]}.items():
        if entries.get(name) not in (None, value):
            raise not_read(CONFIG, name, entries[name])
    return config_from_dict(TransformerConfig, values, name=CONFIG)


def _weights(folder: Path) -> tuple[str, dict[str, Tensor]]:
    """Return the tensors, and the file to name in messages about them."""
    file = next((file for file in (INDEX, WEIGHTS, PICKLE) if (folder / file).is_file()), None)
    if file is None:
        raise CheckpointError(Message.of("model-checkpoint-missing", file=WEIGHTS))
    parts = _json(folder / INDEX).get("weight_map") if file == INDEX else {"": file}
    files = {str(part) for part in parts.values()} if isinstance(parts, dict) else {""}
    # A part must not lie outside the folder.
    if any(Path(part).name != part for part in files):
        raise damaged(INDEX, "weight_map")
    read = _unpickled if file == PICKLE else safetensors.torch.load_file
    theirs: dict[str, Tensor] = {}
    for part in sorted(files):
        try:  # both libraries map the file, so nothing is read here
            theirs |= read(folder / part)
        except CheckpointError:
            raise
        except Exception as error:  # each library has its own classes
            raise damaged(part or file, str(error).partition("\n")[0]) from error
    # Copies of the embedding are not counted: they become one table.
    n = sum(t.numel() for name, t in theirs.items() if not name.endswith("embed_tokens.weight"))
    if n > MOST_PARAMETERS:
        message = Message.of("format-large", n=n, most=MOST_PARAMETERS)
        raise CheckpointError(message, hint=Message("format-large-hint"))
    return file, theirs


def _unpickled(path: Path) -> dict[str, Tensor]:
    """Load a state dict without running code of the pickle.

    A mapped storage claims no more memory than the file has.
    """
    theirs = unpickled(path, "format-pickle-hint")
    if not isinstance(theirs, dict) or not all(type(t) is Tensor for t in theirs.values()):
        raise not_read(path.name, "state dict", type(theirs).__name__)
    if sum(t.nbytes for t in theirs.values()) > 4 * path.stat().st_size:  # few share a storage
        raise damaged(path.name, "storage")
    return {str(name): tensor for name, tensor in theirs.items()}


def _named(config: TransformerConfig, layout: Mapping[str, Any]) -> dict[str, str]:
    """Return their names of tensors by ours, without a common ``.weight`` or ``.bias``."""
    names = dict(layout["tensors"])
    if not config.shared_embedding:
        names["embedding"] = "model.decoder.embed_tokens"
    parts = {**layout["layer"], **(layout["gated"] if config.gated else {})}
    begin = parts.pop("begin")
    projections = zip(_PROJECTIONS, layout["projections"], strict=True)
    for projection, letter in projections:
        for side, last in (("encoder", 1), ("decoder", 2)):
            for n in range(getattr(config, f"n_{side}_layers")):
                for ours, theirs in parts.items():
                    name = (begin + theirs).format(side=side, n=n, last=last).replace("*", letter)
                    names[f"{side}_layers.{n}.{ours}".replace("*", projection)] = name
    return names


def _renamed(
    config: TransformerConfig, entries: Mapping[str, Any], file: str, theirs: dict[str, Tensor]
) -> _Parts:
    """Return the config completed by the tensors, and the tensors by our names."""
    if (n_layers := config.n_encoder_layers + config.n_decoder_layers) > len(theirs):
        raise not_read(CONFIG, "layers", n_layers)
    source, target = (f"model.{side}coder.embed_tokens.weight" for side in ("en", "de"))
    apart = {source, target} <= theirs.keys() and not _same(theirs[source], theirs[target])
    config = replace(config, shared_embedding=not apart)
    layout = _NAMES[_NAMES["kinds"][entries["model_type"]]["names"]]
    names = _named(config, layout)
    of_t5 = layout is _NAMES["t5"]
    table = f"{names['embedding']}.weight"
    if config.shared_embedding:  # stored under one of its names or several
        again = (n for n in theirs if n.endswith(("embed_tokens.weight", "lm_head.weight")))
        theirs = {table: theirs.get(next(again, table), torch.empty(0)), **theirs}
    embedding = theirs.get(table, torch.empty(0))
    if embedding.shape != (config.vocab_size, config.d_model):
        raise _misshapen(table, embedding, (config.vocab_size, config.d_model))
    head = theirs.get("lm_head.weight")
    tied = of_t5 or entries.get("tie_word_embeddings") is not False
    config = replace(
        config,
        tied_output=tied if head is None else _same(head, embedding),
        output_bias=names.get("output_bias") in theirs,
    )
    if config.positions == "halves" and not _has_halves(config, names, theirs):
        config = replace(config, positions="learned")
    tensors, rest = _taken(config, entries, file, names, theirs)
    for name, tensor in rest.items():
        if not (re.fullmatch(_IGNORED, name) or _same(tensor, embedding)):
            raise not_read(file, name, tuple(tensor.shape))
    if of_t5:
        tensors |= _scaled_for_t5(config, entries, tensors)
    return config, tensors


def _has_halves(
    config: TransformerConfig, names: Mapping[str, str], theirs: Mapping[str, Tensor]
) -> bool:
    """Return True unless the folder has tables of positions other than sines in halves."""
    # Older folders contain the table.
    both = (names["positions.table"], names["target_positions.table"])
    tables = [theirs[name].float() for name in both if name in theirs]
    if not tables:
        return True
    if any(table.shape != (config.max_len, config.d_model) for table in tables):
        return False
    sines = sines_of(tables, 1e-5)
    return sines is not None and sines.layout == "halves"


def _taken(
    config: TransformerConfig,
    entries: Mapping[str, Any],
    file: str,
    names: Mapping[str, str],
    theirs: Mapping[str, Tensor],
) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Return the tensors of a config by our names, and those that are left over by theirs."""
    with torch.device("meta"):
        expected = stored_tensors(Transformer(config))
    of_t5 = _NAMES["kinds"][entries["model_type"]]["names"] == "t5"
    rest = dict(theirs)
    tensors = {}
    for ours, wanted in expected.items():
        stem, _, end = ours.rpartition(".")
        name = names.get(ours) or f"{names[stem]}.{end}"
        # T5 has no biases in its linear layers.
        tensor = rest.pop(name, torch.zeros(wanted.shape) if of_t5 and end == "bias" else None)
        if tensor is None:
            raise CheckpointError(Message.of("model-checkpoint-lacks", file=file, names=name))
        if ours == "output_bias":
            tensor = tensor.flatten()
        elif end == "table" and entries["model_type"] != "marian" and tensor.dim():
            # The library reserves the first two rows of a learned table for padding (an offset
            # inherited from fairseq).
            tensor = tensor[2:]
        if tensor.shape != wanted.shape:
            raise _misshapen(name, tensor, wanted.shape)
        if not tensor.is_floating_point():
            raise not_read(file, name, str(tensor.dtype))
        tensors[ours] = tensor
    return tensors, rest


def _scaled_for_t5(
    config: TransformerConfig, entries: Mapping[str, Any], tensors: Mapping[str, Tensor]
) -> dict[str, Tensor]:
    """Return the weights that take up the factors in which T5 computes differently.

    T5 does not divide scores by sqrt(d_k), and the tied first version divides its hidden states by
    sqrt(d_model). Multiplied into the weights, neither needs a setting of the model.
    """
    factors = {name: math.sqrt(config.d_k) for name in tensors if "query_proj.weight" in name}
    scaled = entries.get("scale_decoder_outputs", entries.get("tie_word_embeddings", True))
    if scaled and entries["model_type"] == "t5":
        factors["decoder_norm.weight"] = config.d_model**-0.5
    return {name: tensors[name].float() * factor for name, factor in factors.items()}


def _same(one: Tensor, other: Tensor) -> bool:
    """Return True if two tensors have the same shape and values."""
    return one.shape == other.shape and torch.equal(one.float(), other.float())


def _misshapen(name: str, tensor: Tensor, expected: tuple[int, ...]) -> CheckpointError:
    """Build the error about a tensor of another shape."""
    return CheckpointError(
        Message.of(
            "model-checkpoint-shape",
            name=name,
            found=str(tuple(tensor.shape)),
            expected=str(tuple(expected)),
        )
    )


def _names(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return the special tokens that `tokenizer_config.json` names, by the entry of our config."""
    tokens = {entry: facts.get(f"{entry[:3]}_token") for entry in ("pad_id", "unk_id", "eos_id")}
    names = {e: t.get("content") if isinstance(t, dict) else t for e, t in tokens.items()}
    return {entry: name for entry, name in names.items() if isinstance(name, str)}


def _vocabularies(folder: Path, facts: Mapping[str, Any]) -> list[tuple[str, Tokenizer]]:
    """Return the tokenizers of source and target, each with the file that has its ids.

    It is one object if both share it.
    """
    if (folder / "source.spm").is_file():
        return _opus_vocabularies(folder)
    joint = folder / "sentencepiece.bpe.model"
    t5_pieces = folder / "spiece.model"
    if joint.is_file() and (folder / WORDS).is_file():
        name = WORDS
        shared = _m2m100_vocabulary(joint, _json(folder / WORDS, dict[str, int]), facts)
    elif t5_pieces.is_file() and not (folder / TOKENIZER).is_file():
        name = t5_pieces.name
        shared, _ = read_sentencepiece(t5_pieces)
    else:
        name = TOKENIZER
        shared = proven(Tokenizer.from_str(_text(folder / TOKENIZER).decode()))
        ids = shared.get_vocab()
        for spm in filter(Path.is_file, (joint, t5_pieces)):
            refuse_order(TOKENIZER, ids, spm.name, piece_ids(spm), shifted=True)
        if words := _json(folder / WORDS, dict[str, int], needed=False):
            refuse_order(TOKENIZER, ids, WORDS, words)
    return [(name, shared)] * 2


def _opus_vocabularies(folder: Path) -> list[tuple[str, Tokenizer]]:
    """Return the tokenizers of a Marian model, whose sides have pieces of their own."""
    sides = []
    for side in ("source", "target"):
        of_side = folder / f"target_{WORDS}"
        file = of_side if side == "target" and of_side.is_file() else folder / WORDS
        words = _json(file, dict[str, int])
        spm = folder / f"{side}.spm"
        sides.append((file.name, read_sentencepiece(spm, words, file.name)[0]))
    (source_file, source), target = sides
    return [(source_file, typed_codes(source)), target]


def _m2m100_vocabulary(spm: Path, words: Mapping[str, int], facts: Mapping[str, Any]) -> Tokenizer:
    """Return the tokenizer of M2M100, which adds language tokens in code, not in a file."""
    tokenizer, _ = read_sentencepiece(spm, words, WORDS)
    codes = [f"__{code}__" for code in _NAMES["languages"].split()]
    tokenizer.add_special_tokens([AddedToken(code, normalized=False) for code in codes])
    first = f"__{facts.get('src_lang') or 'en'}__"
    if first not in codes or facts.get("language_codes", "m2m100") != "m2m100":
        raise not_read("tokenizer_config.json", "src_lang", first)
    around = [(token, tokenizer.token_to_id(token)) for token in (first, EOS)]
    tokenizer.post_processor = processors.TemplateProcessing(f"{first} $A {EOS}", None, around)
    return tokenizer


def _special(
    parts: _Parts,
    entries: Mapping[str, Any],
    files: Sequence[tuple[str, Tokenizer]],
    names: Mapping[str, str],
) -> _Parts:
    """Set special ids, and give the start of a target a row of its own."""
    config, tensors = parts
    size = config.vocab_size
    for file, tokenizer in files:
        refuse_size(file, tokenizer, CONFIG, size, _SPARE)
    eos, start, unk = _special_ids(entries, files, size)
    pad: Any = entries.get("pad_token_id")
    has_pad = type(pad) is int and 0 <= pad < size and pad not in (eos, unk)
    stated = {"eos_id": eos, "unk_id": entries.get("unk_token_id", unk)}
    if has_pad:
        stated["pad_id"] = pad
    for file, tokenizer in files:
        refuse_special(file, tokenizer, CONFIG, stated, names)
    config = replace(config, eos_id=eos, unk_id=unk, pad_id=pad if has_pad else config.pad_id)
    config, tensors = with_rows(config, tensors, start, pad=not has_pad)
    for token_id in _forbidden_ids(entries, size):
        tensors["output_bias"][token_id] = NEVER
    return config_from_dict(TransformerConfig, asdict(config), name=CONFIG), tensors


def _special_ids(
    entries: Mapping[str, Any], files: Sequence[tuple[str, Tokenizer]], size: int
) -> tuple[int, int, int]:
    """Return the ids of the end, of the start of a target, and of the unknown token."""
    begin = "decoder_start_token_id"
    unknown = {tokenizer.token_to_id(UNK) for _, tokenizer in files}
    ids: dict[str, Any] = {
        "eos_token_id": entries.get("eos_token_id"),
        begin: entries.get(begin),
        "unk_token_id": unknown.pop() if len(unknown) == 1 else None,
    }
    if ids[begin] is None:
        ids[begin] = entries.get("bos_token_id")
    for name, value in ids.items():
        if type(value) is not int or not 0 <= value < size:
            raise not_read(CONFIG, name, value)
    return ids["eos_token_id"], ids[begin], ids["unk_token_id"]


def _forbidden_ids(entries: Mapping[str, Any], size: int) -> Iterator[int]:
    """Yield the tokens that the library's search never takes, such as padding in OPUS-MT."""
    for ids in entries.get("bad_words_ids") or ():
        # A longer list forbids a sequence of tokens, not one of them.
        if type(ids) is list and len(ids) == 1 and type(ids[0]) is int and 0 <= ids[0] < size:
            yield ids[0]

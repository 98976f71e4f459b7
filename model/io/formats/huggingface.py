"""Hugging Face: folders written by transformers for its encoder-decoders.

BART, mBART, M2M100, NLLB, Marian, Pegasus, FSMT, two BERTs, T5 and mT5; names of their entries and
tensors are in ``huggingface.toml``.
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
from torch import Tensor

from core.positions import SINES
from words import Message

from ...config import TransformerConfig
from ...errors import CheckpointError
from ...families.transformer import Transformer
from ...tokenizer import reading_vocabulary
from ..assembly import shapes_alone, stored_tensors
from ..config_files import config_from_dict
from . import Converted, Format, Options
from .huggingface_vocabularies import TOKENIZER, Vocabulary, vocabularies
from .parts import NEVER, Sines, described, sines_of, with_rows, with_unread_rows
from .reading import damaged, not_read, read_json, unpickled
from .vocabulary import (
    language_id,
    language_of,
    named_languages,
    named_sides,
    refuse_size,
    refuse_special,
    special_id,
    spoken,
    token_at,
)

CONFIG = "config.json"
WEIGHTS = "model.safetensors"
PICKLE = "pytorch_model.bin"
INDEX = f"{WEIGHTS}.index.json"
MOST_PARAMETERS = 350_000_000
"""Most parameters; above, the app takes more than seconds without an accelerator."""
RECORD_ALONE = "rec = record(model(**inputs, output_attentions=True), tokens)"
RECORD_BOTH = (
    "rec = record(model(**inputs, decoder_input_ids=target, output_attentions=True), "
    "source_tokens, target_tokens)"
)
_MOST = 10**6  # largest size in a config
_SPARE = 128  # rows that the library leaves without a token: the 8 "madeup words" of M2M100
_TYPES = {"layer_norm_eps": float, "scale_embedding": bool, "activation": str}  # default int
_PROJECTIONS = ("query", "key", "value", "out")
_TABLES = ("source_embedding", "target_embedding", "embedding", "output")
"""Tables with a row for each token, by their entry among the tensors of a layout."""
_TABLES_OF_BOTH = ("settings", "config", "tensors")
_ROUNDED = 1e-3  # sines of the 1,000th position, of angles in float32
_IN_TWO = ("mbart", "m2m_100")  # a target begins with the end token, then its language
_IGNORED = (
    r".*\.version|.*\.embed_positions\..*|model\.shared\.weight"
    r"|decoder\.block\.0\.layer\.1\.EncDecAttention\.relative_attention_bias\.weight"
    r"|.*\.embeddings\.position_ids|encoder\.pooler\.dense\.(weight|bias)"
)
_Parts = tuple[TransformerConfig, dict[str, Tensor]]
_NAMES: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def _recognises(path: Path) -> bool:
    """Return True if config.json has a ``model_type``."""
    try:
        return "model_type" in read_json(path / CONFIG)
    except CheckpointError:
        return False


def _read(folder: Path, options: Options) -> Converted:
    """Convert a folder; a model with an unsupported setting can be recorded, as the error says."""
    try:
        return _converted(folder, options)
    except CheckpointError as error:
        if error.hint is None or error.hint.id != "format-not-read-hint":
            raise
        raise CheckpointError(error.message, hint=_recording_hint("both")) from error


def _converted(folder: Path, options: Options) -> Converted:
    """Convert a folder."""
    stated = read_json(folder / CONFIG)
    entries = read_json(folder / "generation_config.json", needed=False)
    entries |= {name: value for name, value in stated.items() if value is not None}
    facts = read_json(folder / "tokenizer_config.json", needed=False)
    layout = _layout_of(entries)
    entries = _with_sides(entries, layout)
    parts = _renamed(_config(entries, layout), entries, layout, *_weights(folder))
    card: dict[str, Any] = {}
    with reading_vocabulary(TOKENIZER):
        files = vocabularies(folder, facts, _NAMES["languages"].split(), _n_masks(layout, facts))
        sides = tuple(vocabulary.tokenizer for vocabulary in files)
        target_size = parts[0].vocab_size
        config, tensors = _special(parts, entries, files, _names(facts))
        forced = entries.get("forced_bos_token_id")
        if language := options.get("language", ""):
            forced = language_id(sides[1], language)
        if forced is not None:
            if type(forced) is not int or not 0 <= forced < target_size:
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
    pair = facts.get("langs")
    of_pair = dict(zip(of_name, pair, strict=False)) if isinstance(pair, list) else {}
    card["languages"] = spoken(facts, entries, of_pair, of_name, source=read, target=written)
    return Converted(config, tensors, tokenizers, card)


FORMAT = Format("Hugging Face", _recognises, _read, ("language",))


def _layout_of(entries: Mapping[str, Any]) -> dict[str, Any]:
    """Return what ``huggingface.toml`` says of a ``model_type`` and of the names that it uses."""
    model_type = entries.get("model_type")
    description = _NAMES["kinds"].get(str(model_type))
    if description is None:
        part = _part_of(entries)
        types = ", ".join(_NAMES["kinds"])
        fault = Message.of("format-model-type", value=repr(model_type), part=part, known=types)
        raise CheckpointError(fault, hint=_recording_hint(part))
    names = _NAMES[description["names"]]
    of_both = {table: {**names[table], **description.get(table, {})} for table in _TABLES_OF_BOTH}
    return {**names, **description, **of_both}


def _part_of(entries: Mapping[str, Any]) -> str:
    """Return "encoder", "decoder", "both" or "one", the parts that an unsupported model has.

    "one" is an encoder or a decoder, which neither the config nor its classes tell apart. The
    library writes ``is_encoder_decoder`` into the config of every encoder-decoder.
    """
    classes = str(entries.get("architectures"))
    if entries.get("is_encoder_decoder") is True or re.search(r"Conditional|Seq2Seq", classes):
        return "both"
    if entries.get("is_decoder") is True or re.search(r"CausalLM|LMHead|GPT", classes):
        return "decoder"
    return "encoder" if re.search("MaskedLM|PreTraining|Bert|Roberta", classes) else "one"


def _recording_hint(part: str) -> Message:
    """Return the advice to record the attention of a model that cannot be opened."""
    return Message.of(
        "format-record-hint",
        eager='attn_implementation="eager"',
        record=RECORD_BOTH if part == "both" else RECORD_ALONE,
        save='Path("recording.npz").write_bytes(attention_npz(rec))',
    )


def _with_sides(entries: Mapping[str, Any], layout: Mapping[str, Any]) -> dict[str, Any]:
    """Return entries with those of the configs of encoder and decoder, as ``encoder.name``.

    A missing entry takes the value of the one that stands for it.
    """
    entries = dict(entries)
    for side in layout.get("stacks", ()):
        of_side = entries.get(side)
        if not isinstance(of_side, dict):
            raise not_read(CONFIG, side, of_side)
        entries |= {f"{side}.{name}": v for name, v in of_side.items() if v is not None}
    for name, other in layout.get("defaults", {}).items():
        entries.setdefault(name, entries.get(other))
    return entries


def _config(entries: Mapping[str, Any], layout: Mapping[str, Any]) -> TransformerConfig:
    """Build the config without special ids and without facts that only tensors show."""
    values = dict(layout["settings"])
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
    size = values["vocab_size"]
    values["shared_embedding"] = values.get("source_vocab_size", size) == size
    if values["activation"] is None or (values["gated"] and "gated" not in layout):
        raise not_read(CONFIG, layout["config"]["activation"].rstrip("?"), activation)
    # Settings that this project does not implement must have their default.
    granted = layout.get("granted", {}) | {"is_encoder_decoder": True}
    # One table of embeddings has one size.
    if entries.get("share_encoder_decoder_embeddings") is not False:
        granted["decoder_vocab_size"] = entries.get("vocab_size")
    for name, value in granted.items():
        if entries.get(name) not in (None, value):
            raise not_read(CONFIG, name, entries[name])
    return config_from_dict(TransformerConfig, values, name=CONFIG)


def _weights(folder: Path) -> tuple[str, dict[str, Tensor]]:
    """Return the tensors, and the file to name in messages about them."""
    file = next((file for file in (INDEX, WEIGHTS, PICKLE) if (folder / file).is_file()), None)
    if file is None:
        raise CheckpointError(Message.of("model-checkpoint-missing", file=WEIGHTS))
    parts = read_json(folder / INDEX).get("weight_map") if file == INDEX else {"": file}
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
        names["embedding"] = names["target_embedding"]
    parts = {**layout["layer"], **(layout["gated"] if config.gated else {})}
    begin = parts.pop("begin")
    projections = zip(_PROJECTIONS, layout["projections"], strict=True)
    for projection, letter in projections:
        for side, last in (("encoder", 1), ("decoder", 2)):
            stack = layout.get("stacks", {}).get(side, side)
            for n in range(getattr(config, f"n_{side}_layers")):
                for ours, theirs in parts.items():
                    name = (begin + theirs).format(side=stack, n=n, last=last).replace("*", letter)
                    names[f"{side}_layers.{n}.{ours}".replace("*", projection)] = name
    return names


def _renamed(
    config: TransformerConfig,
    entries: Mapping[str, Any],
    layout: Mapping[str, Any],
    file: str,
    theirs: dict[str, Tensor],
) -> _Parts:
    """Return the config completed by the tensors, and the tensors by our names."""
    if (n_layers := config.n_encoder_layers + config.n_decoder_layers) > len(theirs):
        raise not_read(CONFIG, "layers", n_layers)
    of_t5 = layout["names"] == "t5"
    tables = [f"{layout['tensors'][name]}.weight" for name in _TABLES]
    source, target = tables[:2]
    apart = {source, target} <= theirs.keys() and not of_t5
    if apart and config.shared_embedding:
        config = replace(config, shared_embedding=_same(theirs[source], theirs[target]))
    names = _named(config, layout)
    table = f"{names['embedding']}.weight"
    if config.shared_embedding:  # stored under one of its names or several
        again = (name for name in tables if name in theirs)
        theirs = {table: _present(theirs, next(again, table), file), **theirs}
    theirs = _with_token_types(layout, file, theirs)
    embedding = _present(theirs, table, file)
    if embedding.shape != (config.vocab_size, config.d_model):
        raise _misshapen(table, embedding, (config.vocab_size, config.d_model))
    head = theirs.get(f"{names['output']}.weight")
    tied = layout.get("always_tied") or entries.get("tie_word_embeddings") is not False
    config = replace(
        config,
        tied_output=bool(tied) if head is None else _same(head, embedding),
        output_bias=names.get("output_bias") in theirs,
    )
    reserved = layout.get("reserved_positions", 0)
    if config.positions in SINES and not _has_sines(config, reserved, names, theirs):
        config = replace(config, positions="learned", position_offset=0)
    tensors, rest = _taken(config, layout, file, names, theirs)
    copied = [embedding, *(tensors[name] for name in ("output_bias",) if name in tensors)]
    for name, tensor in rest.items():
        is_copy = any(_same(tensor, other) for other in copied)
        if not (re.fullmatch(_IGNORED, name) or is_copy):
            raise not_read(file, name, tuple(tensor.shape))
    if of_t5:
        tensors |= _scaled_for_t5(config, entries, tensors)
    return config, tensors


def _present(theirs: Mapping[str, Tensor], name: str, file: str) -> Tensor:
    """Return the tensor called `name`; raises CheckpointError if `file` lacks it."""
    if name not in theirs:
        raise CheckpointError(Message.of("model-checkpoint-lacks", file=file, names=name))
    return theirs[name]


def _with_token_types(
    layout: Mapping[str, Any], file: str, theirs: Mapping[str, Tensor]
) -> dict[str, Tensor]:
    """Return tensors in which positions contain the first token type, which every token has.

    BERT adds one vector for the first of two texts to all its tokens; others read one text only.
    """
    theirs = dict(theirs)
    for positions, types in layout.get("token_types", {}).items():
        table, of_types = (_present(theirs, name, file) for name in (positions, types))
        del theirs[types]
        if table.dim() != 2 or of_types.shape[1:] != table.shape[1:] or not len(of_types):
            raise _misshapen(types, of_types, (1, *table.shape[1:]))
        theirs[positions] = table.float() + of_types[:1].float()
    return theirs


def _has_sines(
    config: TransformerConfig,
    reserved: int,
    names: Mapping[str, str],
    theirs: Mapping[str, Tensor],
) -> bool:
    """Return True unless the folder has tables of positions other than the sines of `config`."""
    # Older folders contain the table.
    both = (names["positions.table"], names["target_positions.table"])
    tables = [theirs[name].float()[reserved:] for name in both if name in theirs]
    if not tables:
        return True
    if any(table.shape != (config.max_len, config.d_model) for table in tables):
        return False
    offset = config.position_offset
    return sines_of(tables, _ROUNDED, (offset,)) == Sines(config.positions, offset)


def _taken(
    config: TransformerConfig,
    layout: Mapping[str, Any],
    file: str,
    names: Mapping[str, str],
    theirs: Mapping[str, Tensor],
) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Return the tensors of a config by our names, and those that are left over by theirs."""
    of_t5 = layout["names"] == "t5"
    with shapes_alone():
        expected = stored_tensors(Transformer(config))
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
        elif end == "table" and tensor.dim():
            tensor = tensor[layout.get("reserved_positions", 0) :]
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


def _n_masks(layout: Mapping[str, Any], facts: Mapping[str, Any]) -> int:
    """Return how many tokens stand before the pieces of a SentencePiece file in Pegasus, or 0."""
    n_masks = layout.get("n_masks", 0)
    stated = facts.get("offset", n_masks) if n_masks else 0
    if type(stated) is not int or not 0 <= stated <= _MOST:
        raise not_read("tokenizer_config.json", "offset", stated)
    return stated


def _names(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return the special tokens that `tokenizer_config.json` names, by the entry of our config."""
    tokens = {entry: facts.get(f"{entry[:3]}_token") for entry in ("pad_id", "unk_id", "eos_id")}
    names = {e: t.get("content") if isinstance(t, dict) else t for e, t in tokens.items()}
    return {entry: name for entry, name in names.items() if isinstance(name, str)}


def _special(
    parts: _Parts,
    entries: Mapping[str, Any],
    files: Sequence[Vocabulary],
    names: Mapping[str, str],
) -> _Parts:
    """Set special ids, and give the start of a target a row of its own."""
    config, tensors = parts
    size = config.vocab_size
    sizes = (config.source_vocab_size, size)
    for (file, tokenizer, n_unread), n_rows in zip(files, sizes, strict=True):
        refuse_size(file, tokenizer, CONFIG, n_rows + n_unread, 0 if n_unread else _SPARE)
    eos, start, unk = _special_ids(entries, files, size)
    pad: Any = entries.get("pad_token_id")
    has_pad = type(pad) is int and 0 <= pad < size and pad not in (eos, unk)
    # Marian pads each of two vocabularies by its last token.
    if has_pad:
        has_pad = len({token_at(vocabulary.tokenizer, pad) for vocabulary in files}) == 1
    stated = {"eos_id": eos, "unk_id": entries.get("unk_token_id", unk)}
    if has_pad:
        stated["pad_id"] = pad
    for file, tokenizer, _ in files:
        refuse_special(file, tokenizer, CONFIG, stated, names)
    config = replace(config, eos_id=eos, unk_id=unk, pad_id=pad if has_pad else config.pad_id)
    n_source, n_target = (vocabulary.n_unread for vocabulary in files)
    if n_source or n_target:
        config, tensors = with_unread_rows(config, tensors, n_source, n_target)
    config, tensors = with_rows(config, tensors, start, pad=not has_pad)
    for token_id in _forbidden_ids(entries, size):
        tensors["output_bias"][token_id] = NEVER
    return config_from_dict(TransformerConfig, asdict(config), name=CONFIG), tensors


def _special_ids(
    entries: Mapping[str, Any], files: Sequence[Vocabulary], size: int
) -> tuple[int, int, int]:
    """Return the ids of the end, of the start of a target, and of the unknown token."""
    begin = "decoder_start_token_id"
    unknown = {special_id(vocabulary.tokenizer, "unk_id") for vocabulary in files}
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

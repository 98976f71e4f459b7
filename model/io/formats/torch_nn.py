"""State dicts of models around `torch.nn.Transformer`, or its encoder and decoder.

They state names and sizes, not how layers are computed: such facts are asked for, and tested
against pairs of inputs and outputs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import safetensors.torch
import torch
from tokenizers import Regex, Tokenizer, decoders, normalizers, pre_tokenizers, processors
from torch import Tensor

from core.positions import SINES
from core.storage import Count, DamageError, Part, checked, typed
from words import Message
from words.names import said_by

from ...config import MAX_LEN, PositionKind, TransformerConfig
from ...errors import CheckpointError
from ...families.transformer import Transformer
from ...nets.multi_head import MultiHeadAttention
from ...nets.sublayers import ACTIVATIONS, FeedForward, PositionalEncoding, Residual
from ...tokenizer import TextTokenizer, read_vocabulary, reading_vocabulary
from ..assembly import shapes_alone, stored_tensors
from . import Converted, Format, Options
from .parts import described, n_layers, sines_of, with_rows
from .reading import MOST_BYTES, damaged, not_read, unpickled
from .vocabulary import SPELLED, named_sides, of_words, refuse_order, refuse_size

PAIRS = "pairs.json"
_VOCABULARIES = ("tokenizer.json", "vocab.txt")
SAME = 1e-4
"""Largest error of a reproduced logit, as a share of the largest or of one."""
FACTS = ("heads", "norm", "activation", "scale", "positions")
_FILES = (".safetensors", ".pt", ".pth", ".ckpt", ".bin")
_MOST_PAIRS = 3
_NARROWEST = 4  # width of a head that is tried
_LENGTH = 512  # tokens, if no table of positions sets a limit
_LAYER = re.compile(r"(.*?)layers\.(\d+)\.(\w+)\.(.+)")
_SOURCE = re.compile(r"src|source|enc|input", re.I)
_TARGET = re.compile(r"tgt|trg|target|dec", re.I)
_POSITION = re.compile(r"pos|(^|\.)pe(\.|$)", re.I)
_EMBEDDING = re.compile(r"(?<!un)emb|tok", re.I)
_OUTPUT = re.compile(r"out|gen|head|logit|proj|fc|linear|classif|readout|unembed", re.I)
_NORMS = {"norm1": "self_attention", "norm2": "cross_attention", "norm3": "feed_forward"}
_PARTS = {part: f"{of}_residual.norm" for part, of in _NORMS.items()}
_PARTS |= {"self_attn": "self_attention", "multihead_attn": "cross_attention"}
_PARTS |= {"linear1": "feed_forward.inner", "linear2": "feed_forward.outer"}
_Choices = dict[str, dict[str, Any]]


class ReferencePair(Part):
    """Ids of source and target that a model reads, and its logits (T_tgt, V) or the best ids."""

    input_ids: list[Count]
    target_ids: list[Count]
    logits: list[list[float]] | None = None
    output_ids: list[Count] | None = None


def _refused(message: str, **values: Any) -> CheckpointError:
    """Build the error ``format-torch-<message>`` with its hint."""
    fault = Message(f"format-torch-{message}", values)
    return CheckpointError(fault, hint=Message(f"format-torch-{message}-hint", values))


def _files(path: Path) -> list[Path]:
    """Return the files at `path` that contain torch's attention."""

    def is_of_torch(file: Path) -> bool:
        with file.open("rb") as opened:
            # Names stand at the beginning of both formats, so 4 MiB are enough.
            return b"in_proj_weight" in opened.read(1 << 22)

    inside = sorted(path.iterdir()) if path.is_dir() else [path]
    return [f for f in inside if f.suffix in _FILES and f.is_file() and is_of_torch(f)]


def _state(path: Path) -> dict[str, Tensor]:
    """Return the float tensors of a file by name, in float32."""
    if (size := path.stat().st_size) > MOST_BYTES:
        raise not_read(path.name, "size", size)
    try:
        if path.suffix == ".safetensors":
            states: list[Mapping[str, Any]] = [safetensors.torch.load_file(path)]
        else:
            states = list(_states(unpickled(path, "format-torch-pickle-hint")))
        if len(states) != 1:
            raise not_read(path.name, "state dict", len(states))
        held = {name: t for name, t in states[0].items() if t.is_floating_point()}
        # A strided view can claim far more elements than its storage has.
        if any(t.numel() * t.element_size() > t.untyped_storage().nbytes() for t in held.values()):
            raise damaged(path.name, "size")
        # Causal masks are often saved as buffers; they follow from the length.
        return {name: t.detach().float() for name, t in held.items() if "mask" not in name}
    except CheckpointError:
        raise
    except Exception as error:  # these libraries raise anything on a damaged file
        raise damaged(path.name, said_by(error)) from error


def _states(loaded: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the state dicts with attention, at any depth."""
    if not isinstance(loaded, Mapping):
        return
    if any(str(name).endswith("in_proj_weight") for name in loaded):
        yield {str(name): value for name, value in loaded.items() if torch.is_tensor(value)}
    else:
        for value in loaded.values():
            yield from _states(value)


def _renamed(file: str, state: Mapping[str, Tensor]) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Return the tensors of both stacks by our names, and those beside them."""
    layers = {name: match for name in state if (match := _LAYER.fullmatch(name))}
    stacks = {match[1] for match in layers.values() if match[3] == "self_attn"}
    decoders = {match[1] for match in layers.values() if match[3] == "multihead_attn"}
    if len(stacks) != 2 or len(decoders & stacks) != 1:
        raise not_read(file, "layers", sorted(stacks))
    sides = {stack: "decoder" if stack in decoders else "encoder" for stack in stacks}
    renamed: dict[str, Tensor] = {}
    rest: dict[str, Tensor] = {}
    for name, tensor in state.items():
        stack, _, last = name.rpartition("norm.")
        if name in layers and layers[name][1] in sides:
            stack, layer, part, last = layers[name].groups()
            renamed |= _of_layer(sides[stack], layer, part, last, tensor)
        elif stack in sides:
            renamed[f"{sides[stack]}_norm.{last}"] = tensor
        else:
            rest[name] = tensor
    return renamed, rest


def _of_layer(side: str, layer: str, part: str, last: str, tensor: Tensor) -> dict[str, Tensor]:
    """Return one tensor of a layer by our names; queries, keys and values are stored as one."""
    # The second norm of an encoder layer follows feed-forward, as the third of a decoder layer
    # does.
    if (side, part) == ("encoder", "norm2"):
        part = "norm3"
    prefix = f"{side}_layers.{layer}.{_PARTS.get(part, part)}."
    if not last.startswith("in_proj_"):
        return {prefix + last: tensor}
    thirds = tensor.reshape(3, -1, *tensor.shape[1:])
    end = last[3:].replace("_", ".")
    return {
        f"{prefix}{projection}_{end}": third
        for projection, third in zip(("query", "key", "value"), thirds, strict=True)
    }


def _of_sides(file: str, field: str, tables: Mapping[str, Tensor]) -> list[Tensor]:
    """Return the tables of source and target, told apart by their names; one table serves both."""

    def side(name: str) -> int:
        return bool(_TARGET.search(name)) - bool(_SOURCE.search(name))

    names = sorted(tables, key=side)
    if len(names) not in (1, 2) or (len(names) == 2 and side(names[0]) == side(names[1])):
        raise not_read(file, field, names)
    return [tables[names[0]], tables[names[-1]]]


def _layout(file: str, state: Mapping[str, Tensor]) -> tuple[TransformerConfig, dict[str, Tensor]]:
    """Return what names and sizes tell; unknown positions are "relative" for now."""
    tensors, rest = _renamed(file, state)
    inner = tensors.get("encoder_layers.0.feed_forward.inner.weight")
    if inner is None or inner.dim() != 2 or inner.shape[1] % 2:
        raise damaged(file, "linear1.weight")
    tables = _tables(file, rest, width=inner.shape[1])
    source, target = _of_sides(file, "embedding", tables.embeddings)
    tensors["embedding.weight"] = target
    shared = torch.equal(source, target)
    if not shared:
        tensors["source_embedding.weight"] = source
    tied = all(torch.equal(output, target) for output in tables.outputs.values())
    if not tied:
        (tensors["output.weight"],) = tables.outputs.values()
    if tables.biases:
        (tensors["output_bias"],) = tables.biases.values()
    positions, length, learned = _positions(file, tables.positions)
    tensors |= learned
    config = TransformerConfig(
        vocab_size=len(target),
        d_model=inner.shape[1],
        n_heads=1,
        n_encoder_layers=n_layers(tensors, "encoder"),
        n_decoder_layers=n_layers(tensors, "decoder"),
        d_ff=len(inner),
        max_len=length,
        source_vocab_size=len(source),
        shared_embedding=shared,
        tied_output=tied,
        output_bias=bool(tables.biases),
        positions=positions,
        final_norm="encoder_norm.weight" in tensors,
    )
    return config, tensors


def _positions(
    file: str, tables: Mapping[str, Tensor]
) -> tuple[PositionKind, int, dict[str, Tensor]]:
    """Return layout and number of positions, and their tables by our names if they are learned."""
    if not tables:
        return "relative", _LENGTH, {}
    both = _of_sides(file, "positions", tables)
    length = min(MAX_LEN, *map(len, both))
    both = [table[:length] for table in both]
    sines = sines_of(both, 1e-3)
    if sines is not None:
        return sines.layout, length, {}
    names = ("positions.table", "target_positions.table")
    return "learned", length, dict(zip(names, both, strict=True))


class _Tables(NamedTuple):
    """Tensors beside the layers by their names in the file."""

    embeddings: dict[str, Tensor]
    positions: dict[str, Tensor]
    outputs: dict[str, Tensor]
    biases: dict[str, Tensor]  # of the output


def _tables(file: str, rest: Mapping[str, Tensor], width: int) -> _Tables:
    """Tell tables of embeddings, positions and output apart by their names."""
    flat = {name: tensor.squeeze() for name, tensor in rest.items()}
    tables = {name: t for name, t in flat.items() if t.dim() == 2 and t.shape[1] == width}
    biases = {name: t for name, t in flat.items() if t.dim() == 1 and name.endswith("bias")}
    if left := sorted(rest.keys() - {*tables, *biases}):
        raise not_read(file, left[0], tuple(rest[left[0]].shape))
    positions = {name: tables.pop(name) for name in [*tables] if _POSITION.search(name)}
    outputs = {
        name: tables.pop(name)
        for name in [*tables]
        if name.removesuffix("weight") + "bias" in biases
        or (_OUTPUT.search(name) and not _EMBEDDING.search(name))
    }
    if len(outputs) > 1 or len(biases) > 1:
        raise not_read(file, "output", sorted({**outputs, **biases}))
    return _Tables(tables, positions, outputs, biases)


def _tokenizer(path: Path) -> Tokenizer:
    """Read `tokenizer.json`, or a list with one word a line."""
    if path.suffix == ".json":
        TextTokenizer.from_file(path, {})
        return read_vocabulary(path)
    words = path.read_text(encoding="utf-8", errors="replace").splitlines()
    if twice := next((word for n, word in enumerate(words) if word in words[:n]), None):
        raise not_read(path.name, "word", twice)
    plain = set(words).difference(*SPELLED.values())
    unknown = next((n for n, word in enumerate(words) if word in SPELLED["unk_id"]), 0)
    tokenizer = of_words(words, unknown)
    # A list has no rules, so they are guessed from its words: characters, and lower case.
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    if all(len(word) == 1 for word in plain):
        tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex("(?s)."), "isolated")
        tokenizer.decoder = decoders.Fuse()
    if plain == {word.lower() for word in plain}:
        tokenizer.normalizer = normalizers.Lowercase()
    return tokenizer


def _vocabularies(folder: Path) -> dict[str, tuple[str, Tokenizer]]:
    """Return the tokenizers of source and target with their files, one object for one file.

    Raises CheckpointError if a tokenizer.json and a list beside it number the tokens differently.
    """
    files: dict[str, Path] = {}
    for side in ("source", "target"):
        names = (*(f"{side}_{name}" for name in _VOCABULARIES), *_VOCABULARIES)
        there = [folder / name for name in names if (folder / name).is_file()]
        if not there:
            raise _refused("vocabulary", files=", ".join(_VOCABULARIES))
        files[side] = there[0]
    read = {file: _tokenizer(file) for file in dict.fromkeys(files.values())}
    for file, tokenizer in read.items():
        words = file.with_name(file.name.replace(*_VOCABULARIES))
        if file != words and words.is_file():
            ids = _tokenizer(words).get_vocab()
            refuse_order(file.name, tokenizer.get_vocab(), words.name, ids)
    return {side: (file.name, read[file]) for side, file in files.items()}


def _special(tokenizers: Sequence[Tokenizer]) -> dict[str, int]:
    """Return the ids of the special tokens, the same on both sides, -1 for missing ones."""
    sides = []
    for tokenizer in tokenizers:
        ids_of = {e: map(tokenizer.token_to_id, names) for e, names in SPELLED.items()}
        sides.append({e: next((i for i in ids if i is not None), -1) for e, ids in ids_of.items()})
    source, target = sides
    if source != target or -1 in (target["bos_id"], target["eos_id"]):
        raise _refused(
            "special",
            source=str(source),
            target=str(target),
            pad_id=", ".join(SPELLED["pad_id"]),
            unk_id=", ".join(SPELLED["unk_id"]),
            bos_id=", ".join(SPELLED["bos_id"]),
            eos_id=", ".join(SPELLED["eos_id"]),
        )
    return target


def _ends(
    tokenizer: Tokenizer, ids: Mapping[str, int], pairs: Sequence[ReferencePair]
) -> list[str]:
    """Return the possible surroundings of a source, by the pairs or else both.

    Nothing if the file itself defines them.
    """
    if len(tokenizer.encode("a")) > len(tokenizer.encode("a", add_special_tokens=False)):
        return []
    if any(pair.input_ids[-1] != ids["eos_id"] for pair in pairs):
        raise not_read(PAIRS, "input_ids", pairs[0].input_ids[-1])
    # Without pairs both are possible.
    begun = {pair.input_ids[0] == ids["bos_id"] for pair in pairs} or {False, True}
    return ["both" if begins else "end" for begins in sorted(begun)]


def _pairs(path: Path, config: TransformerConfig) -> list[ReferencePair]:
    """Read and verify the pairs; empty if there is no file."""
    if not path.is_file():
        return []
    try:
        pairs = typed(checked(path.read_bytes(), list[ReferencePair]), list[ReferencePair])
    except DamageError as error:
        raise damaged(path.name, str(error.fault)) from error
    for pair in pairs:
        fits = {
            "pairs": len(pairs) <= _MOST_PAIRS,
            "input_ids": max(pair.input_ids, default=math.inf) < config.source_vocab_size,
            "target_ids": max(pair.target_ids, default=math.inf) < config.vocab_size,
            "length": max(len(pair.input_ids), len(pair.target_ids)) <= config.max_len,
            "logits": len({len(row) for row in pair.logits or ()}) < 2,
            "logits, output_ids": bool(pair.logits or pair.output_ids),
        }
        if wrong := [name for name, is_right in fits.items() if not is_right]:
            raise damaged(path.name, ", ".join(wrong))
    return pairs


def _choices(config: TransformerConfig, ends: Sequence[str], options: Options) -> _Choices:
    """Return the possible values of each fact, a single one if it is known or given."""
    width = config.d_model
    # A given number is accepted as it is; guesses stop at heads of 4 columns.
    most = width if "heads" in options else width // _NARROWEST
    heads = [h for h in range(1, most + 1) if width % h == 0]
    choices: _Choices = {
        # Of equal candidates the first is suggested, so the common 8 comes first.
        "heads": {str(h): h for h in sorted(heads, key=lambda h: abs(h - 8))},
        "norm": {"after": "after", "before": "before"},
        "activation": {"relu": "relu", "gelu": "gelu", "silu": "silu"},
        "scale": {"yes": True, "no": False},
        "positions": {**{layout: layout for layout in SINES}, "none": "learned"},
    }
    if ends:
        choices["ends"] = {end: end for end in ends}
    if config.positions != "relative":
        choices["positions"] = {config.positions: config.positions}
    for name in choices.keys() & options.keys():
        value = options[name]
        accepted = choices[name]
        if value not in accepted:
            raise _refused("option", name=name, value=value, known=", ".join(accepted))
        choices[name] = {value: accepted[value]}
    return choices


def _built(file: str, config: TransformerConfig, tensors: Mapping[str, Tensor]) -> Transformer:
    """Build the model with these weights, and zeros for biases and positions that a file lacks."""
    with shapes_alone():
        model = Transformer(config)
    wanted = {name: t.shape for name, t in stored_tensors(model).items()}
    zeros = {n: torch.zeros(s) for n, s in wanted.items() if n.endswith(("bias", "table"))}
    tensors = {**zeros, **tensors}
    wrong = {name for name, _ in wanted.items() ^ {n: t.shape for n, t in tensors.items()}.items()}
    if wrong:
        raise damaged(file, ", ".join(sorted(wrong)[:4]))
    model.load_state_dict(tensors, strict=False, assign=True)
    return _set(model.eval(), config)


def _set(model: Transformer, config: TransformerConfig) -> Transformer:
    """Change the facts of a model in place.

    Building one for each of hundreds of combinations would take a minute.
    """
    for module in model.modules():
        if isinstance(module, MultiHeadAttention):
            module.n_heads = config.n_heads
        elif isinstance(module, Residual):
            module.pre_norm = config.norm == "before"
        elif isinstance(module, FeedForward):
            module.activation = ACTIVATIONS[config.activation]
    model.scale = math.sqrt(config.d_model) if config.scale_embedding else 1.0
    if model.config.positions in SINES:
        model.positions = model.target_positions = PositionalEncoding(config)
    return model


@torch.inference_mode()
def _off(model: Transformer, pairs: Sequence[ReferencePair]) -> float:
    """Return the error of the first pair that is not reproduced, or the largest error.

    It is a share of the largest logit, or of the ids.
    """
    off = 0.0
    for pair in pairs:
        logits = model(torch.tensor([pair.input_ids]), torch.tensor([pair.target_ids]))[0].numpy()
        expected = np.array(pair.logits or pair.output_ids)
        actual = logits if pair.logits else logits.argmax(-1)
        if expected.shape != actual.shape:
            raise damaged(PAIRS, "logits" if pair.logits else "output_ids")
        if pair.logits:
            largest = np.nan_to_num(abs(actual - expected), nan=math.inf).max()
            far = largest / max(1.0, abs(expected).max())
        else:
            far = (actual != expected).mean()
        off = max(off, float(far))
        if off > SAME:
            break
    return off


def _settled(
    path: Path,
    choices: _Choices,
    pairs: Sequence[ReferencePair],
    off: Callable[[dict[str, str]], float],
) -> tuple[float, dict[str, str]]:
    """Return the only facts that reproduce the pairs, and their error.

    Raises CheckpointError if none do or several, with the command that settles it.
    """
    all_facts = [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]
    # Without pairs every combination counts as right, and the error lists what has to be given.
    tried = [off(facts) if pairs else 0.0 for facts in all_facts]
    nearest, best = min(zip(tried, all_facts, strict=True), key=itemgetter(0))
    same = [facts for far, facts in zip(tried, all_facts, strict=True) if far <= SAME]
    if len(same) == 1:
        return nearest, best
    if not same:
        raise _refused(
            "none",
            n=len(tried),
            facts=_as_options(best),
            off=nearest,
            kind="logits" if pairs[0].logits else "ids",
        )
    left = {n: v for n in choices if len(v := list(dict.fromkeys(f[n] for f in same))) > 1}
    open_facts = tuple(
        Message.of("format-torch-fact", option=name, what=what, values=", ".join(values))
        for name, values in left.items()
        if (what := Message(f"format-option-{name}"))
    )
    command = f"python -m model open {path} {_as_options({n: v[0] for n, v in left.items()})}"
    raise _refused("open", n=len(pairs), facts=open_facts, command=command)


def _as_options(facts: Mapping[str, str]) -> str:
    """Return facts as options of the command line."""
    return " ".join(f"--{name} {value}" for name, value in facts.items())


def _read(path: Path, options: Options) -> Converted:
    """Convert a state dict and the vocabularies beside it."""
    files = _files(path)
    if len(files) != 1:
        raise not_read(path.name, "weights", [file.name for file in files])
    file = files[0]
    folder = files[0].parent
    config, tensors = _layout(file.name, _state(file))
    of_sides = _vocabularies(folder)
    rows = (config.source_vocab_size, config.vocab_size)
    for (name, tokenizer), n_rows in zip(of_sides.values(), rows, strict=True):
        refuse_size(name, tokenizer, file.name, n_rows)
    source, target = (tokenizer for _, tokenizer in of_sides.values())
    ids = _special((source, target))
    pairs = _pairs(folder / PAIRS, config)
    config = replace(
        config,
        pad_id=ids["pad_id"],
        unk_id=ids["unk_id"],
        bos_id=ids["bos_id"],
        eos_id=ids["eos_id"],
    )
    choices = _choices(config, _ends(source, ids, pairs), options)
    config = replace(config, positions="sines") if config.positions == "relative" else config
    # Built once before any question, so that unfit tensors are reported first.
    model = _built(file.name, config, tensors)

    def off_with(facts: Mapping[str, str]) -> float:
        return _off(_set(model, _with_facts(config, choices, facts)), pairs)

    off, facts = _settled(path, choices, pairs, off_with)
    config = _with_facts(config, choices, facts)
    tensors = {n: t.detach() for n, t in stored_tensors(_built(file.name, config, tensors)).items()}
    config, tensors = _with_special_rows(config, tensors, ids)
    if facts.get("ends") == "both":
        _put_between_ends(source, ids)
    with reading_vocabulary(_VOCABULARIES[0]):
        tokenizers = named_sides(config, source, target)
    report = Message.of("format-torch-found", facts=_as_options(facts), n=len(pairs), off=off)
    return Converted(config, tensors, tokenizers, described(report))


def _put_between_ends(tokenizer: Tokenizer, ids: Mapping[str, int]) -> None:
    """Let `tokenizer` write ``<s>`` before a text and ``</s>`` after it."""
    begin, end = (tokenizer.id_to_token(ids[entry]) for entry in ("bos_id", "eos_id"))
    tokenizer.post_processor = processors.TemplateProcessing(
        f"{begin} $A {end}", special_tokens=[(begin, ids["bos_id"]), (end, ids["eos_id"])]
    )


def _with_special_rows(
    config: TransformerConfig, tensors: dict[str, Tensor], ids: Mapping[str, int]
) -> tuple[TransformerConfig, dict[str, Tensor]]:
    """Append rows for the special tokens that the vocabulary lacks, or has one of for two."""
    # A vocabulary without ``<unk>`` gets a row of zeros for it; `with_rows` appends one as
    # `bos_id`.
    if ids["unk_id"] < 0:
        config, tensors = with_rows(config, tensors, None, pad=False)
        config = replace(config, unk_id=config.bos_id, bos_id=ids["bos_id"])
    no_pad = ids["pad_id"] in (-1, ids["unk_id"], ids["bos_id"], ids["eos_id"])
    if no_pad or ids["bos_id"] == ids["eos_id"]:
        config, tensors = with_rows(config, tensors, config.bos_id, pad=no_pad)
    return config, tensors


def _with_facts(
    config: TransformerConfig, choices: _Choices, facts: Mapping[str, str]
) -> TransformerConfig:
    """Return the config with one of the `choices` for each of `FACTS`."""
    values = {name: choices[name][facts[name]] for name in FACTS}
    return replace(
        config,
        n_heads=values["heads"],
        norm=values["norm"],
        activation=values["activation"],
        scale_embedding=values["scale"],
        positions=values["positions"],
    )


FORMAT = Format("torch.nn.Transformer", lambda path: bool(_files(path)), _read, (*FACTS, "ends"))

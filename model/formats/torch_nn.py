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
from pathlib import Path
from typing import Any, cast

import numpy as np
import safetensors.torch
import torch
from tokenizers import Regex, Tokenizer, decoders, normalizers, pre_tokenizers, processors
from torch import Tensor

from core.positions import SINES
from core.stored import Count, DamageError, Part, checked, typed
from words import Message
from words.names import said_by

from ..attention import MultiHeadAttention
from ..block import ACTIVATIONS, FeedForward, PositionalEncoding, Residual
from ..checkpoint import stored_tensors
from ..config import MAX_LEN, PositionKind, TransformerConfig
from ..errors import CheckpointError
from ..tokenizer import TextTokenizer, read_vocabulary, reading_vocabulary
from ..transformer import Transformer
from . import Converted, Format, Options
from .parts import described, sines_of, with_rows
from .reading import MOST_BYTES, damaged, not_read, unpickled
from .vocabulary import SPELLED, named_sides, of_words, refuse_order, refuse_size

PAIRS = "pairs.json"
_VOCABULARIES = ("tokenizer.json", "vocab.txt")
SAME = 1e-4
"""Largest error of a reproduced logit, as a share of the largest or of one."""
FACTS = ("heads", "norm", "activation", "scale", "positions")
_ENTRIES = {"heads": "n_heads", "scale": "scale_embedding"}  # entries of another name
_FILES = (".safetensors", ".pt", ".pth", ".bin")
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


class Pair(Part):
    """Ids of source and target that a model reads, and its logits (T_tgt, V) or the best ids."""

    input_ids: list[Count]
    target_ids: list[Count]
    logits: list[list[float]] | None = None
    output_ids: list[Count] | None = None


def _refused(message: str, **what: Any) -> CheckpointError:
    """Build the error ``format-torch-<message>`` with its hint."""
    said, hint = (Message.of(f"format-torch-{message}{part}", **what) for part in ("", "-hint"))
    return CheckpointError(said, hint=hint)


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
    found = {name: match for name in state if (match := _LAYER.fullmatch(name))}
    stacks = {match[1] for match in found.values() if match[3] == "self_attn"}
    decoders = {match[1] for match in found.values() if match[3] == "multihead_attn"}
    if len(stacks) != 2 or len(decoders & stacks) != 1:
        raise not_read(file, "layers", sorted(stacks))
    sides = {stack: "decoder" if stack in decoders else "encoder" for stack in stacks}
    made = {}
    rest = {}
    for name, tensor in state.items():
        stack, _, last = name.rpartition("norm.")
        if name in found and found[name][1] in sides:
            stack, layer, part, last = found[name].groups()
            # The second norm of an encoder layer follows feed-forward, as the third of a decoder
            # layer does.
            part = "norm3" if (sides[stack], part) == ("encoder", "norm2") else part
            place = f"{sides[stack]}_layers.{layer}.{_PARTS.get(part, part)}."
            if last.startswith("in_proj_"):
                for number, kind in enumerate(("query", "key", "value")):
                    third = tensor.reshape(3, -1, *tensor.shape[1:])[number]
                    made[f"{place}{kind}_{last[3:].replace('_', '.')}"] = third
            else:
                made[place + last] = tensor
        elif stack in sides:
            made[f"{sides[stack]}_norm.{last}"] = tensor
        else:
            rest[name] = tensor
    return made, rest


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
    made, rest = _renamed(file, state)
    inner = made.get("encoder_layers.0.feed_forward.inner.weight")
    if inner is None or inner.dim() != 2 or inner.shape[1] % 2:
        raise damaged(file, "linear1.weight")
    width = inner.shape[1]
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
    source, target = _of_sides(file, "embedding", tables)
    made["embedding.weight"] = target
    if not (shared := torch.equal(source, target)):
        made["source_embedding.weight"] = source
    if not (tied := all(torch.equal(output, target) for output in outputs.values())):
        (made["output.weight"],) = outputs.values()
    if biases:
        (made["output_bias"],) = biases.values()
    kind = "relative"
    length = _LENGTH
    if positions:
        both = _of_sides(file, "positions", positions)
        length = min(MAX_LEN, *map(len, both))
        names = ("positions.table", "target_positions.table")
        own = {name: table[:length] for name, table in zip(names, both, strict=True)}
        kind = (sines_of([*own.values()], 1e-3) or {"positions": "learned"})["positions"]
        made |= own if kind == "learned" else {}
    layers = {name.split(".")[1] for name in made if name.startswith("encoder_layers.")}
    upper = {name.split(".")[1] for name in made if name.startswith("decoder_layers.")}
    config = TransformerConfig(
        vocab_size=len(target),
        d_model=width,
        n_heads=1,
        n_encoder_layers=len(layers),
        n_decoder_layers=len(upper),
        d_ff=len(inner),
        max_len=length,
        source_vocab_size=len(source),
        shared_embedding=shared,
        tied_output=tied,
        output_bias=bool(biases),
        positions=cast(PositionKind, kind),
        final_norm="encoder_norm.weight" in made,
    )
    return config, made


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
        found = {e: map(tokenizer.token_to_id, names) for e, names in SPELLED.items()}
        sides.append({e: next((i for i in ids if i is not None), -1) for e, ids in found.items()})
    source, target = sides
    if source != target or -1 in (target["bos_id"], target["eos_id"]):
        known = {entry: ", ".join(names) for entry, names in SPELLED.items()}
        raise _refused("special", source=str(source), target=str(target), **known)
    return target


def _ends(tokenizer: Tokenizer, ids: Mapping[str, int], pairs: Sequence[Pair]) -> list[str]:
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


def _pairs(path: Path, config: TransformerConfig) -> list[Pair]:
    """Read and verify the pairs; empty if there is no file."""
    if not path.is_file():
        return []
    try:
        pairs = typed(checked(path.read_bytes(), list[Pair]), list[Pair])
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
    kinds = {kind: kind for kind in SINES} | {"none": "learned"}
    # A given number is accepted as it is; guesses stop at heads of 4 columns.
    most = width if "heads" in options else width // _NARROWEST
    heads = [h for h in range(1, most + 1) if width % h == 0]
    choices: _Choices = {
        # Of equal candidates the first is suggested, so the common 8 comes first.
        "heads": {str(h): h for h in sorted(heads, key=lambda h: abs(h - 8))},
        "norm": {"after": "after", "before": "before"},
        "activation": {"relu": "relu", "gelu": "gelu", "silu": "silu"},
        "scale": {"yes": True, "no": False},
        "positions": kinds,
    }
    if ends:
        choices["ends"] = {end: end for end in ends}
    if config.positions != "relative":
        choices["positions"] = {config.positions: config.positions}
    for name in choices.keys() & options.keys():
        value = options[name]
        known = choices[name]
        if value not in known:
            raise _refused("option", name=name, value=value, known=", ".join(known))
        choices[name] = {value: known[value]}
    return choices


def _built(file: str, config: TransformerConfig, tensors: Mapping[str, Tensor]) -> Transformer:
    """Build the model with these weights, and zeros for biases and positions that a file lacks."""
    with torch.device("meta"):
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
def _off(model: Transformer, pairs: Sequence[Pair]) -> float:
    """Return the error of the first pair that is not reproduced, or the largest error.

    It is a share of the largest logit, or of the ids.
    """
    off = 0.0
    for pair in pairs:
        logits = model(torch.tensor([pair.input_ids]), torch.tensor([pair.target_ids]))[0].numpy()
        told = np.array(pair.logits or pair.output_ids)
        made = logits if pair.logits else logits.argmax(-1)
        if told.shape != made.shape:
            raise damaged(PAIRS, "logits" if pair.logits else "output_ids")
        if pair.logits:
            far = np.nan_to_num(abs(made - told), nan=math.inf).max() / max(1.0, abs(told).max())
        else:
            far = (made != told).mean()
        off = max(off, float(far))
        if off > SAME:
            break
    return off


def _settled(
    path: Path, choices: _Choices, pairs: Sequence[Pair], off: Callable[[dict[str, str]], float]
) -> tuple[float, dict[str, str]]:
    """Return the only facts that reproduce the pairs, and their error.

    Raises CheckpointError if none do or several, with the command that settles it.
    """
    all_facts = [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]
    # Without pairs every combination counts as right, and the error lists what has to be given.
    tried = [off(facts) if pairs else 0.0 for facts in all_facts]
    nearest, best = min(zip(tried, all_facts, strict=True), key=lambda each: each[0])
    same = [facts for far, facts in zip(tried, all_facts, strict=True) if far <= SAME]
    if len(same) == 1:
        return nearest, best
    if not same:
        kind = "logits" if pairs[0].logits else "ids"
        told = _as_options(best)
        raise _refused("none", n=len(tried), facts=told, off=nearest, kind=kind)
    left = {n: v for n in choices if len(v := list(dict.fromkeys(f[n] for f in same))) > 1}
    asked = tuple(
        Message.of("format-torch-fact", option=name, what=what, values=", ".join(values))
        for name, values in left.items()
        if (what := Message(f"format-option-{name}"))
    )
    command = f"python -m model open {path} {_as_options({n: v[0] for n, v in left.items()})}"
    raise _refused("open", n=len(pairs), facts=asked, command=command)


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
    config = replace(config, **cast(dict[str, Any], ids))
    choices = _choices(config, _ends(source, ids, pairs), options)
    config = replace(config, positions="sines") if config.positions == "relative" else config
    # Built once before any question, so that unfit tensors are reported first.
    model = _built(file.name, config, tensors)

    def told(facts: Mapping[str, str]) -> TransformerConfig:
        values = {_ENTRIES.get(name, name): choices[name][facts[name]] for name in FACTS}
        return replace(config, **values)

    off, facts = _settled(path, choices, pairs, lambda facts: _off(_set(model, told(facts)), pairs))
    config = told(facts)
    tensors = {n: t.detach() for n, t in stored_tensors(_built(file.name, config, tensors)).items()}
    # A vocabulary without ``<unk>`` gets a row of zeros for it; `with_rows` appends one as
    # `bos_id`.
    if ids["unk_id"] < 0:
        config, tensors = with_rows(config, tensors, None, pad=False)
        config = replace(config, unk_id=config.bos_id, bos_id=ids["bos_id"])
    no_pad = ids["pad_id"] in (-1, ids["unk_id"], ids["bos_id"], ids["eos_id"])
    if no_pad or ids["bos_id"] == ids["eos_id"]:
        config, tensors = with_rows(config, tensors, config.bos_id, pad=no_pad)
    if facts.get("ends") == "both":
        begin, end = ((source.id_to_token(ids[e]), ids[e]) for e in ("bos_id", "eos_id"))
        single = f"{begin[0]} $A {end[0]}"
        special = [begin, end]
        source.post_processor = processors.TemplateProcessing(single, special_tokens=special)
    with reading_vocabulary(_VOCABULARIES[0]):
        tokenizers = named_sides(config, source, target)
    said = Message.of("format-torch-found", facts=_as_options(facts), n=len(pairs), off=off)
    return Converted(config, tensors, tokenizers, described(said))


FORMAT = Format("torch.nn.Transformer", lambda path: bool(_files(path)), _read, (*FACTS, "ends"))

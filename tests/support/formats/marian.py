"""Tiny files of Marian with random weights, written from their layout, and what they compute."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np

PIECES = ["</s>", "<unk>", "▁", "▁a", "▁b", *"abcdefgh", "ab"]
OPUS_TARGET = "ab"
OPUS = ["</s>", "h", "ab", "<unk>", *"gfedcba", "▁b", "▁a", "▁"]
WIDTH, INNER, OUT = 8, 12, "decoder_ff_logit_out"
_FORWARD, _ACTIVATION = "transformer-decoder-autoreg", "transformer-ffn-activation"
_BEFORE, _AFTER = "transformer-preprocess", "transformer-postprocess"
STUDENT = {
    **{"type": "transformer", "transformer-heads": "2", "dim-vocabs": "\n  - 14\n  - 14"},
    **{_ACTIVATION: "relu", _FORWARD: "rnn", "dec-cell": "ssru", "right-left": "false"},
    **{_BEFORE: '""', _AFTER: "dan", "transformer-guided-alignment-layer": "last"},
}
BASE = STUDENT | {_FORWARD: "self-attention", _ACTIVATION: "swish", "tied": "target"}
TOP = {"transformer-postprocess-top": "n", "transformer-postprocess-emb": "nd"}
NORM = {_BEFORE: "n", _AFTER: "da", **TOP, _ACTIVATION: "gelu"}
KINDS = {
    "student": STUDENT,
    "base": BASE,
    "before": BASE | NORM | {"tied": "source"},
    "learned": STUDENT | NORM | {"positions": "learned", "tied": "legacy"},
}


def make(folder: Path, kind: str = "student", suffix: str = ".bin", *, quantised: bool = False):
    """Write a folder of one of `KINDS`; the model's path, and its weights by their names."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.enpt.spm").write_bytes(spm(PIECES))
    path, settings = folder / f"model.enpt.x{suffix}", KINDS[kind]
    weights = _weights(settings, np.random.default_rng(3))
    yaml = "".join(f"{key}: {value}\n" for key, value in settings.items()).encode() + b"\0"
    options = {"special:model.yml": np.frombuffer(yaml, "i1")}
    if suffix == ".npz":
        np.savez(path, **weights, **options)
    else:
        path.write_bytes(_binary(weights, options, quantised))
    return path, weights


def make_opus(folder: Path):
    """Write a folder as OPUS-MT packs it: ids are those of ``vocab.yml``, in which one piece is of
    the target alone, and `decoder.yml` tells a search which vocabularies to take.
    """
    path, weights = make(folder, "base", ".npz")
    (folder / "vocab.enpt.spm").unlink()
    source = [piece for piece in PIECES if piece != OPUS_TARGET]
    (folder / "source.spm").write_bytes(spm(source))
    (folder / "target.spm").write_bytes(spm([*source, OPUS_TARGET]))
    lines = (f"{json.dumps(piece)}: {n}\n" for n, piece in enumerate(OPUS))
    (folder / "opus.vocab.yml").write_text("".join(lines))
    told = f"models:\n- {path.name}\nvocabs:\n- opus.vocab.yml\n- opus.vocab.yml\nbeam-size: 6\n"
    (folder / "decoder.yml").write_text(told)
    return path, weights


def spm(pieces) -> bytes:
    """A message of protobuf: the end, the unknown, pieces; the longer, the likelier."""
    made = b""
    for kind, piece in zip((3, 2, *(1,) * len(pieces)), pieces, strict=False):
        text, score = piece.encode(), struct.pack("<f", len(piece) - 9.0)
        entry = bytes([10, len(text)]) + text + b"\x15" + score + bytes([24, kind])
        made += bytes([10, len(entry)]) + entry
    return made


def _weights(settings, random):
    made, before = {}, settings[_BEFORE] == "n"

    def add(name, *shape):
        made[name] = (random.normal(size=shape) * 0.4).astype("f4")

    def norm(name, suffix):
        add(f"{name}_ln_scale{suffix}", 1, WIDTH)
        add(f"{name}_ln_bias{suffix}", 1, WIDTH)

    def linear(name, which, width=WIDTH, inner=WIDTH):
        add(f"{name}_W{which}", width, inner)
        add(f"{name}_b{which}", 1, inner)

    tied, suffix = settings.get("tied", "all"), "_pre" * before
    for name in ("encoder_Wemb", "decoder_Wemb") if tied == "target" else ("Wemb",):
        add(name, len(PIECES), WIDTH)
    if tied == "source":
        add(f"{OUT}_Wt", len(PIECES), WIDTH)
    elif tied == "legacy":
        linear(OUT, "", WIDTH, len(PIECES))
    else:
        add(f"{OUT}_b", 1, len(PIECES))
    if "positions" in settings:
        add("Wpos", 30, WIDTH)
    for side in ("encoder", "decoder") if before else ():
        norm(f"{side}_emb", "_pre")
        norm(f"{side}_top", "")
    for name in ("encoder_l1", "encoder_l2", "decoder_l1"):
        parts = ["self"] if name[0] == "e" else ["self", "context"]
        if name[0] == "d" and settings[_FORWARD] == "rnn":
            parts = ["context"]
            add(f"{name}_rnn_W", WIDTH, WIDTH)
            linear(f"{name}_rnn", "f")
            norm(f"{name}_rnn" if before else f"{name}_rnn_ffn", suffix)
        for part in parts:
            for which in "qkvo":
                linear(f"{name}_{part}", which)
            norm(f"{name}_{part}_Wo", suffix)
        linear(f"{name}_ffn", "1", WIDTH, INNER)
        linear(f"{name}_ffn", "2", INNER, WIDTH)
        norm(f"{name}_ffn_ffn", suffix)
    return made


def _binary(weights, options, quantised) -> bytes:
    """As `saveItems` of marian-dev; quantised weights become what their whole numbers stand for."""
    items = [(b"none_QuantMultA\0", 0x404, (1, 1), bytes(256))] * quantised
    for name, values in {**weights, **options}.items():
        kind, data = (0x404 if name in weights else 0x101), values.tobytes()
        if quantised and len(values) > 1 and name in weights:
            whole = np.clip(np.round(values * 64), -127, 127).astype("i1")
            weights[name] = whole / np.float32(64)
            data = (whole if name == "Wemb" else whole.T).tobytes() + struct.pack("<f", 64.0)
            kind = 0x4101
        items.append((name.encode() + b"\0", kind, values.shape, data + bytes(-len(data) % 256)))
    made = struct.pack("<QQ", 1, len(items))
    made += b"".join(struct.pack("<4Q", len(n), k, len(s), len(d)) for n, k, s, d in items)
    made += b"".join(n for n, *_ in items)
    made += b"".join(struct.pack(f"<{len(s)}i", *s) for _, _, s, _ in items)
    offset = -(len(made) + 8) % 256
    return made + struct.pack("<Q", offset) + bytes(offset) + b"".join(d for *_, d in items)


def logits(kind: str, w, src, tgt) -> np.ndarray:
    """The equations of `transformer.h` for one sentence: (T + 1, V), the first reads zeros."""
    settings = KINDS[kind]
    before, heads = settings[_BEFORE] == "n", int(settings["transformer-heads"])

    def norm(x, name, suffix=""):
        x = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-6)
        return x * w[f"{name}_ln_scale{suffix}"] + w[f"{name}_ln_bias{suffix}"]

    def linear(x, name, which):
        return x @ w[f"{name}_W{which}"] + w[f"{name}_b{which}"]

    def embedded(side, ids):
        table = w.get("Wemb", w.get(f"{side}_Wemb")).astype(float)
        x = np.array([np.zeros(WIDTH) if i is None else table[i] for i in ids])
        steps = 10_000 ** (-np.arange(WIDTH // 2) / (WIDTH / 2 - 1))
        angles = np.arange(len(ids))[:, None] * steps
        sines = np.sqrt(WIDTH) * x + np.hstack([np.sin(angles), np.cos(angles)])
        x = x + w["Wpos"][: len(ids)] if "Wpos" in w else sines
        return norm(x, f"{side}_emb", "_pre") if before else x

    def sub_layer(x, name, made):
        return x + made(norm(x, name, "_pre")) if before else norm(x + made(x), name)

    def attention(name, queries, keys, seen):
        q, k, v = (
            linear(x, name, which).reshape(len(x), heads, -1).swapaxes(0, 1)
            for which, x in (("q", queries), ("k", keys), ("v", keys))
        )
        weights = np.exp(q @ k.swapaxes(1, 2) / np.sqrt(WIDTH / heads)) * seen
        x = (weights / weights.sum(-1, keepdims=True) @ v).swapaxes(0, 1).reshape(-1, WIDTH)
        return linear(x, name, "o")

    def sigmoid(x):
        return 1 / (1 + np.exp(-x))

    def feed_forward(name, x):
        x, by = linear(x, name, "1"), settings[_ACTIVATION]
        gates = {"relu": x > 0, "swish": sigmoid(x), "gelu": sigmoid(1.702 * x)}
        return linear(x * gates[by], name, "2")

    def recurrence(name, x):
        cell, rows = np.zeros(WIDTH), []
        for row, forget in zip(x @ w[f"{name}_W"], sigmoid(linear(x, name, "f")), strict=True):
            cell = forget * cell + (1 - forget) * row
            rows.append(np.maximum(cell, 0))
        return np.array(rows)

    def layer(x, n, first, memory=None):
        x = first(x)
        if memory is not None:
            x = sub_layer(x, f"{n}_context_Wo", lambda y: attention(f"{n}_context", y, memory, 1))
        return sub_layer(x, f"{n}_ffn_ffn", lambda y: feed_forward(f"{n}_ffn", y))

    def itself(n, seen):
        return lambda x: sub_layer(x, f"{n}_self_Wo", lambda y: attention(f"{n}_self", y, y, seen))

    def recurring(x):
        name = "decoder_l1_rnn"
        return sub_layer(x, name + "_ffn" * (not before), lambda y: recurrence(name, y))

    memory = embedded("encoder", src)
    for n in ("encoder_l1", "encoder_l2"):
        memory = layer(memory, n, itself(n, 1))
    memory = norm(memory, "encoder_top") if before else memory
    looked = itself("decoder_l1", np.tri(len(tgt) + 1))
    first = recurring if settings[_FORWARD] == "rnn" else looked
    x = layer(embedded("decoder", [None, *tgt]), "decoder_l1", first, memory)
    x = norm(x, "decoder_top") if before else x
    table = w.get(f"{OUT}_Wt", w.get("Wemb", w.get("decoder_Wemb")))
    return x @ w.get(f"{OUT}_W", table.T) + w.get(f"{OUT}_b", 0)

"""What the shipped checkpoints gave when it was recorded is what they give today.

`tests/recorded/values.json` holds numbers and ids, no sentences: of the model through the
`Translator`, of every view of the four pages opened by an address, and of the exported files.
``python tests/recorded/record.py`` records anew; do that only when a number is meant to change.
Whatever is renamed, mend the first section here and leave the values alone.
"""

from __future__ import annotations

import base64
import io
import json
import math
import re
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import harness
import numpy as np
import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.intervention import read_change
from core.knockout import Decision
from core.search import Decoding, Sampling
from model import Translator, load_translator
from model.experiments.arithmetic import vectors_of
from model.experiments.explain import explain
from model.experiments.knockout import knock_out
from model.experiments.order import (
    embeddings,
    equivariance,
    position_heads,
    position_table,
    reorder,
)
from model.experiments.padding import padded_pair, padding_effect
from model.experiments.trace import trace_decision
from model.experiments.tree import attend_tree

ROOT = Path(__file__).resolve().parent.parent
RECORDED = Path(__file__).parent / "recorded"

# The project's inside, as far as these tests know it


@cache
def translator(name: str = "en-de") -> Translator:
    return load_translator(ROOT / "checkpoints" / name)


def change_of(text: str) -> Any:
    """An intervention in the words of an address."""
    change = read_change(text)
    assert change, f"{text} changes nothing"
    return change


def maps_of(record: Any) -> dict[str, Any]:
    """The attention maps of a record by kind: (weights, scores, mask) of each."""
    return {m.kind: m for m in record.maps}


def open_page(address: str) -> AppTest:
    """One of the four pages, opened by an address like ``masks?mask_look=Tokens``."""
    page, _, query = address.partition("?")
    asked: dict[str, list[str]] = {}
    for part in filter(None, query.split("&")):
        name, _, value = part.partition("=")
        asked.setdefault(name, []).append(value)
    return harness.open_page(page, **asked)


# What has another name today than when it was recorded: {name today: name then}.
TABLES: dict[str, str] = {}
COLUMNS: dict[str, str] = {}
IN_THE_ADDRESS: dict[str, str] = {}

# Of a table of a figure: where things are drawn, and what differs from run to run.
UNRECORDED = {
    *("x", "y", "x2", "y2", "px", "py", "text_px", "left", "right", "start", "end", "place"),
    *("size", "font", "link_width", "opacity", "stroke", "click", "pre", "last", "seconds", "ms"),
}

# What stands around every page and shows nothing of a model.
FURNITURE = {"attention_lab_history", "attention_lab_plan"}

# What is written down of a value


def number(value: float) -> float | str:
    """Seven digits; JSON knows no infinity."""
    return float(f"{value:.7g}") if math.isfinite(value) else str(float(value))


def numbers(values: Any, n: int = 5) -> dict[str, Any]:
    """The shape, what it sums to and `n` values at even distances; those not finite are counted."""
    values = np.asarray(values)
    if values.dtype.kind not in "fc":
        values = values.astype(np.int64)
    flat = values.ravel()
    finite = flat[np.isfinite(flat)].astype(np.float64)
    places = np.linspace(0, len(finite) - 1, min(n, len(finite))).astype(int)
    found = {
        "shape": list(values.shape),
        "sum": number(finite.sum()),
        "abs": number(np.abs(finite).sum()),
        "at": [number(v) for v in finite[places].tolist()],
    }
    if len(finite) < len(flat):
        found["odd"] = len(flat) - len(finite)
    return found


def ranked(values: Any) -> dict[str, Any]:
    """Of correlations of ranks the means: two nearly equal numbers may change places anywhere."""
    values = np.asarray(values, dtype=np.float64)
    finite = values[np.isfinite(values)]
    return {
        "shape": list(values.shape),
        "about": [number(finite.mean()), number(np.abs(finite).mean())],
    }


def exactly(values: Any) -> list:
    return [number(v) for v in np.asarray(values, dtype=np.float64).tolist()]


def crc(*values: Any) -> int:
    return zlib.crc32(repr(values).encode())


def maps(record: Any) -> dict[str, Any]:
    found = {}
    for kind, attention in maps_of(record).items():
        middle = attention.weights.shape[2] // 2
        found[kind] = {
            "weights": [numbers(w) for w in attention.weights],
            "row": exactly(attention.weights[-1, 0, middle]),
            "last": exactly(attention.weights[0, -1, -1]),
        }
        if attention.scores is not None:
            found[kind]["scores"] = numbers(attention.scores, 12)
        if attention.mask is not None:
            found[kind]["may look"] = int(attention.mask.sum())
    return found


def tree(search: Any) -> dict[str, Any]:
    """Sizes, what became of the nodes, and the outcomes."""
    nodes = search.nodes
    return {
        "nodes": len(nodes),
        "best": search.best,
        "fates": crc(*((n.parent, n.step, n.token_id, n.status) for n in nodes)),
        "status": {s: sum(n.status == s for n in nodes) for s in ("kept", "finished", "pruned")},
        "ranks": crc(*(n.rank for n in nodes)),
        "log_probs": numbers([n.log_prob for n in nodes]),
        "scores": numbers([n.score for n in nodes]),
        "outcomes": [[list(h.ids), number(h.score), h.finished] for h in search.hypotheses()],
    }


# The model

TIRED = "The animal didn't cross the street because it was too tired."
WIDE = "The animal didn't cross the street because it was too wide."
SNOW = "A dog runs through the snow."
SENTENCES = {
    "tired": TIRED,
    "wide": WIDE,
    "bicycle": "A man in a red shirt is riding a bicycle down the street.",
    "snow": SNOW,
    "long": "Two dogs are playing with a ball in the snow, and a woman who had been waiting for "
    "the bus since early in the morning told the children near the swimming pool that she did not "
    "know where her keys were because she had left them at home.",
    "odd": "Xylophönïst 🎉 ☃ 中文 quizzes\u200b it?",
}
CHANGES = {
    "hidden": "hide-both-2",
    "hidden from the encoder": "hide-encoder-2.5",
    "hidden from cross-attention": "hide-cross-3",
    "cells": "mask-encoder-2.1-3.2_4.1~mask-cross-all.all-2.2~mask-decoder-1.3-4.1",
    "zero": "zero-encoder-1.3_2.all~zero-cross-1.1",
    "mean": "mean-decoder-1.2~mean-cross-all.all",
    "uniform": "uniform-cross-2.all~uniform-encoder-3.4",
    "row": "row-cross-2.1-2-0.2_0.8~row-encoder-1.all-3-0_0_1",
    "no positions": "source-absent~target-absent",
    "shuffled": "source-permuted-3~target-permuted-7-4",
    "shifted": "source-shifted-3~target-shifted-20",
    "reversed": "source-reversed~target-reversed-3",
    "peeking": "peek",
    "many": "peek~hide-both-1~zero-cross-1.2~source-shifted-2",
}
DECODINGS = {
    "beam 1": {"beam_size": 1},
    "beam 10": {"beam_size": 10, "n_runners_up": 2},
    "length": {"beam_size": 5, "penalty": "length", "alpha": 1.0},
    "none": {"beam_size": 5, "penalty": "none"},
    "pruning": {"beam_size": 5, "penalise": "pruning", "alpha": 1.0, "n_runners_up": 3},
    "short": {"beam_size": 5, "max_len": 4},
    "not short": {"beam_size": 5, "min_len": 14},
}
MODEL: dict[str, Callable[[], Any]] = {}


def of_the_model(name: str) -> Callable:
    def keep(measure: Callable[[], Any]) -> Callable[[], Any]:
        MODEL[name] = measure
        return measure

    return keep


@cache
def translated(name: str, checkpoint: str = "en-de") -> Any:
    return translator(checkpoint).translate(SENTENCES[name], Decoding(n_runners_up=3))


def translation(found: Any) -> dict[str, Any]:
    return {
        "src": list(found.src.ids),
        "unknown": sum(found.src.unknown),
        "offsets": crc(found.src.offsets),
        "tgt": list(found.tgt.ids),
        "text": found.text,
        "log_probs": exactly(found.log_probs),
        "score": number(found.score),
        "maps": maps(found.attention),
        "tree": tree(found.tree),
    }


for _name in SENTENCES:
    of_the_model(f"translate {_name}")(lambda name=_name: translation(translated(name)))
for _name, _decoding in DECODINGS.items():
    of_the_model(f"search {_name}")(
        lambda given=_decoding: tree(translator().search(TIRED, Decoding(**given)))
    )
for _name, _change in CHANGES.items():
    of_the_model(f"change {_name}")(lambda text=_change: under(text))


def under(text: str) -> dict[str, Any]:
    """What a change makes of the search, and of the plain output when it is forced."""
    change, plain = change_of(text), translated("snow")
    changed = translator().translate(SNOW, Decoding(beam_size=2), intervention=change)
    record, log_probs = translator().read_again(plain.src, plain.tgt, change, scores=True)
    return {
        "tgt": list(changed.tgt.ids),
        "score": number(changed.score),
        "log_probs": exactly(log_probs),
        "maps": maps(record),
        "head masks": {k: m.head_masks is not None for k, m in maps_of(record).items()},
    }


@of_the_model("search with a beginning")
def _() -> Any:
    typed = translator().search(SNOW, Decoding(), prefix="Eine Hun")
    ids = typed.hypothesis(typed.best).ids[:2]
    forced = translator().search(SNOW, Decoding(beam_size=3), prefix_ids=ids)
    node = next(n for n in forced.nodes if n.status == "pruned" or n.id == 1)
    regrown = translator().regrow(SNOW, forced, node.id, None, Decoding(beam_size=3))
    return [tree(typed), tree(forced), tree(regrown)]


@of_the_model("sample")
def _() -> Any:
    ways = ({"seed": 3}, {"seed": 5, "temperature": 0.7, "top_k": 20, "top_p": 0.9, "n_samples": 3})
    return [tree(translator().sample(SNOW, Sampling(**way), alpha=0.6)) for way in ways]


@of_the_model("exact search")
def _() -> Any:
    start = translated("tired").tree
    for_good = translator().exact_search(SNOW, Decoding(alpha=0.0), time_limit=None)
    cut = translator().exact_search(
        TIRED,
        Decoding(),
        start=start.hypothesis(start.best).ids,
        max_expansions=20,
        time_limit=None,
    )
    return [
        {
            "ids": list(found.best.ids),
            "score": number(found.best.score),
            "proven": found.proven,
            "expansions": found.expansions,
        }
        for found in (for_good, cut)
    ]


@of_the_model("candidates")
def _() -> Any:
    ids = translated("tired").tgt.ids
    return [
        [[c.token_id, number(c.log_prob)] for c in translator().candidates(TIRED, ids[:n], 6)]
        for n in (0, 8)
    ]


@of_the_model("score and attend")
def _() -> Any:
    wanted = "Das Tier ging nicht über die Straße, weil es zu müde war."
    change = change_of("hide-both-2")
    return {
        "score": exactly(translator().score(TIRED, wanted)),
        "changed": exactly(translator().score(TIRED, wanted, intervention=change)),
        "maps": maps(translator().attend(TIRED, wanted, scores=True)),
    }


@of_the_model("compare")
def _() -> Any:
    found = [
        translator().compare(TIRED, "Das Tier ging nicht über die Straße.", Decoding()),
        translator().compare(SNOW, translated("snow").text, Decoding(beam_size=1)),
    ]
    return [
        {
            "verdict": each.verdict,
            "plain": each.plain_verdict,
            "reference": exactly(each.reference_log_probs),
            "output": exactly(each.output_log_probs),
            "scores": exactly([each.reference_score, each.output_score]),
            "fell out": each.fell_out_at,
        }
        for each in found
    ]


@of_the_model("attend the tree")
def _() -> Any:
    found = attend_tree(translator(), SNOW, translated("snow").tree)
    return {
        "cross": numbers(found.cross, 12),
        "decoder": numbers(np.nan_to_num(found.decoder), 12),
        "lengths": numbers(found.lengths),
        "row": exactly(found.cross[-1, -1, 0]),
    }


@of_the_model("knock out")
def _() -> Any:
    plain, result = translated("snow"), {}
    for how in ("zero", "mean", "uniform"):
        found = knock_out(
            translator(), plain.src, plain.tgt, how, position=1, choice_ids=(228, 319)
        )
        result[how] = {
            "heads": crc(found.heads),
            "log_probs": numbers(found.log_probs, 16),
            "plain": exactly(found.plain_log_probs),
            "changes": numbers(found.changes, 16),
            "outputs": crc(*(output.ids for output in found.outputs)),
            "choices": numbers(found.choice_probs, 8),
        }
    return result


@of_the_model("trace")
def _() -> Any:
    plain = translated("snow")
    position = 1
    first, second = translator().candidates(SNOW, plain.tgt.ids[:position], 2)
    decision = Decision(position, first.token_id, first.token, second.token_id, second.token)
    found = trace_decision(translator(), plain.src, plain.tgt, decision)
    return {
        "ids": [first.token_id, second.token_id],
        "log_odds": number(found.log_odds),
        "changes": {k: numbers(v, 8) for k, v in found.changes.items()},
        "heads": {k: numbers(v, 8) for k, v in found.head_changes.items()},
        "links": [found.n_links, found.n_run],
        "strongest": [
            [link.kind, link.layer, link.head, link.query, link.key, number(link.change)]
            for link in found.strongest(5)
        ],
    }


@of_the_model("explain")
def _() -> Any:
    plain, result = translated("snow"), {}
    for hidden, method in (("both", "spearman"), ("cross", "kendall"), ("encoder", "spearman")):
        found = explain(translator(), plain.src, plain.tgt, hidden_from=hidden, method=method)
        result[hidden] = {
            name: numbers(getattr(found, name), 8) for name in ("log_probs", "drops", "gradient")
        } | {name: ranked(getattr(found, name)) for name in ("to_drops", "to_gradient")}
    return result


@of_the_model("order")
def _() -> Any:
    src = translator().tokenize("I go home")
    return {
        **{
            f"positions {positions}": {
                "vectors": numbers(found.vectors, 8),
                "attention": numbers(found.attention, 8),
                "distances": numbers(found.distances, 8),
                "cosines": numbers(found.cosines, 8),
            }
            for positions in (False, True)
            for found in [reorder(translator(), src, (2, 1, 0, 3), positions=positions)]
        },
        "equivariance": [
            # Without positions only rounding is left, which is another on every processor.
            [e.positions, e.bits, crc(e.orders), numbers(e.differences) if e.positions else None]
            for e in equivariance(translator(), src, n_orders=3, seed=1)
        ],
    }


@of_the_model("heads that follow position")
def _() -> Any:
    plain = translated("snow")
    found = position_heads(translator(), plain.src, plain.tgt, n_others=3, seed=2)
    return {
        "others": crc(*((src.ids, tgt.ids) for src, tgt in found.others)),
        "absent": maps(found.absent),
        **{
            name: {k: numbers(v, 8) for k, v in getattr(found, name).items()}
            for name in ("other_words", "without_positions", "sharpness", "chance")
        },
    }


@of_the_model("vectors")
def _() -> Any:
    found = vectors_of(translator(), translated("tired").attention)
    return {
        each.kind: {
            name: numbers(getattr(each, name), 12)
            for name in ("queries", "keys", "values", "out_weight", "out_bias")
        }
        for each in found
    }


@of_the_model("embeddings and positions")
def _() -> Any:
    table = position_table(translator())
    return {
        "embeddings": numbers(embeddings(translator(), translated("snow").src), 12),
        "table": numbers(table.values, 12),
        "base": table.base,
        "scale": table.embedding_scale,
    }


@of_the_model("padding")
def _() -> Any:
    effect = padding_effect(translator(), translated("snow").attention)
    pair = padded_pair(translator(), translated("tired").src, SNOW)
    runs = {"alone": pair.alone, "masked": pair.masked, "unmasked": pair.unmasked}
    return {
        "tokens": [effect.n_source, effect.n_target],
        "weight": number(effect.largest_weight),
        "change is small": effect.largest_change < 1e-4,
        "shorter": pair.shorter,
        **{
            name: [
                {
                    "padding": [run.n_padding, run.n_target_padding],
                    "ids": list(run.output.ids),
                    "log_probs": exactly(run.log_probs),
                    "on padding": numbers(run.on_padding("cross"), 8),
                }
                for run in both
            ]
            for name, both in runs.items()
        },
    }


@of_the_model("card")
def _() -> Any:
    card = translator().card
    return [card.fingerprint, card.n_params, list(card.languages), crc(sorted(card.config.items()))]


# The pages


def addresses() -> list[str]:
    lines = (RECORDED / "addresses.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def elements(block: Any) -> Iterator[Any]:
    for child in block.children.values():
        yield child
        if hasattr(child, "children"):
            yield from elements(child)


def chosen(page: AppTest) -> dict[str, Any]:
    """What every widget of the address has chosen, by the name in the address.

    Of options the number of the chosen one from 0, with its id where the option has one besides
    what it is called on the page.
    """
    found, kept = {}, harness.kept_names(page) - {"lang", "projector"}
    for element in (*elements(page.main), *elements(page.sidebar)):
        proto = getattr(element, "proto", None)
        name = getattr(element, "key", None)
        if name not in kept:
            continue
        name, value = IN_THE_ADDRESS.get(name, name), element.value
        labels = [getattr(o, "content", o) for o in getattr(proto, "options", ())]
        if not labels or isinstance(value, float):
            found[name] = number(value) if isinstance(value, float) else value
            continue
        several = isinstance(value, list | tuple)
        places = [int(i) for i in _places(element)]
        ids = [v for v in (value if several else [value]) if v is not None]
        found[name] = {"at": places} | ({} if {*map(str, ids)} <= {*labels} else {"id": ids})
    return found


def _places(element: Any) -> list[int]:
    if hasattr(element, "indices"):
        return list(element.indices)
    return [] if element.index is None else [element.index]


def tables(page: AppTest) -> list[dict[str, Any]]:
    """The tables behind every figure of a page, in the order of the page."""
    return [
        {TABLES.get(name, name): table for name, table in harness.tables(chart).items()}
        for chart in harness.charts(page)
    ]


def columns(table: pd.DataFrame) -> dict[str, Any]:
    """The numbers of a table, truth values counted."""
    return {
        COLUMNS.get(str(name), str(name)): (ranked if name == "correlation" else numbers)(column)
        for name, column in table.items()
        if COLUMNS.get(str(name), str(name)) not in UNRECORDED and column.dtype.kind in "biuf"
    }


PASSED_OVER = ("weights", "links", "labels", "projector")


def component(proto: Any) -> dict[str, Any]:
    """What a component of our own is given, without what is packed for its script."""
    packed = json.dumps(harness.given(proto), default=lambda raw: base64.b64encode(raw).decode())
    given = json.loads(packed)
    found: dict[str, Any] = {"name": proto.component_name}
    for name, value in given.items():
        if isinstance(value, list) and value and isinstance(value[0], bool | int | float):
            found[name] = exactly(value)
        elif isinstance(value, int | float | dict) and name not in PASSED_OVER:
            found[name] = value
    return found


def seen_on(page: AppTest, address: str) -> dict[str, Any]:
    asked = {part.partition("=")[0] for part in address.partition("?")[2].split("&")}
    widgets = chosen(page)
    return {
        "chosen": widgets,
        # What the page writes into the address: the open head, rows, node, step, change.
        "written": {
            IN_THE_ADDRESS.get(name, name): value
            for name, value in page.query_params.items()
            if IN_THE_ADDRESS.get(name, name) not in widgets
        },
        "asked": sorted(asked - {""}),
        "figures": [
            {name: columns(table) for name, table in figure.items() if columns(table)}
            for figure in tables(page)
        ],
        "tables": [columns(table.value) for table in page.dataframe],
        "components": [
            found
            for found in (component(c.proto) for c in page.get("bidi_component"))
            if found["name"] not in FURNITURE
        ],
        "problems": [len(page.error), len(page.warning), len(page.info)],
    }


# The files

EXPORTED = {
    "attention?kind=Cross": ("CSV", "NPZ", "BertViz", "SVG", "HTML"),
    "attention?look=Ribbons&words=true&text=A dog runs through the snow.": ("CSV", "NPZ", "SVG"),
    "beam?text=A dog runs through the snow.&beam=2": ("CSV", "NPZ", "SVG"),
    "masks?text=A dog runs through the snow.": ("CSV", "NPZ"),
    "masks?mask_look=Change something&change=zero-cross-2.1&text=A dog runs through the snow.": (
        "CSV",
        "NPZ",
    ),
    "positions?encoding_d_model=16&encoding_length=12": ("CSV", "NPZ", "SVG"),
}


def exported(address: str, labels: tuple[str, ...], monkeypatch: Any) -> list[Any]:
    """What the export buttons of a page hand out, in the order of the page."""
    offered = []
    button = st.download_button

    def listen(label: str, data: Any, *args: Any, **options: Any) -> bool:
        offered.append((label, data, options.get("file_name", "")))
        return button(label, data, *args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(st, "download_button", listen)
        open_page(address)
    files = []
    for label, make, file_name in offered:
        content = make() if label in labels else None
        files.append([label, Path(file_name).suffix, content and contents(label, content)])
    return files


def contents(label: str, content: str | bytes) -> Any:
    if label == "CSV":
        return columns(pd.read_csv(io.StringIO(content)))
    if label == "NPZ":
        with np.load(io.BytesIO(content)) as arrays:
            return {
                name: numbers(arrays[name], 8) if arrays[name].dtype.kind in "biuf" else None
                for name in arrays.files
            }
    if label == "BertViz":
        given = json.loads(content)
        return {name: _depth(value) for name, value in sorted(given.items())}
    assert re.search(r"<svg|<!DOCTYPE html>", content)
    return {"size": len(content)}


def _depth(value: Any) -> Any:
    try:
        return numbers(np.asarray(value, dtype=np.float64), 12)
    except (TypeError, ValueError):
        return len(value) if isinstance(value, list | dict | str) else value


# Comparing


def differences(now: Any, then: Any, where: str = "") -> Iterator[str]:
    """Where two values differ: numbers with a comma by more than another processor explains."""
    if isinstance(now, dict) and isinstance(then, dict):
        if {"sum", "abs", "shape"} <= then.keys() <= now.keys() | {"odd"}:
            yield from _differing_numbers(now, then, where)
            return
        for name in sorted({*now, *then}):
            if name == "id" and name not in then and where.startswith("/chosen/"):
                continue  # options that were their own words then have ids now
            if name not in then and where == "/chosen":
                continue  # a control that was not there yet
            if name not in now or name not in then:
                yield f"{where}/{name} is {'new' if name in now else 'gone'}"
            else:
                yield from differences(now[name], then[name], f"{where}/{name}")
    elif isinstance(now, list) and isinstance(then, list):
        if len(now) != len(then):
            yield f"{where} has {len(now)} entries, had {len(then)}"
        for place, pair in enumerate(zip(now, then, strict=False)):
            yield from differences(*pair, f"{where}/{place}")
    elif where.endswith("/packed"):
        pair = [np.frombuffer(base64.b64decode(each), "<f4") for each in (now, then)]
        if pair[0].shape != pair[1].shape or not np.allclose(*pair, equal_nan=True, **NEAR):
            yield f"{where} holds other numbers"
    elif where.endswith("/size"):
        if not 0.7 < now / then < 1.4:
            yield f"{where} is {now}, was {then}"
    elif isinstance(now, float) or isinstance(then, float):
        close = {"abs_tol": 0.01} if "/about/" in where else CLOSE
        if not (_is_number(now) and _is_number(then) and math.isclose(now, then, **close)):
            yield f"{where} is {now}, was {then}"
    elif now != then:
        yield f"{where} is {now!r}, was {then!r}"


CLOSE = {"rel_tol": 1e-3, "abs_tol": 1e-4}
NEAR = {"rtol": CLOSE["rel_tol"], "atol": CLOSE["abs_tol"]}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)


def _differing_numbers(now: dict, then: dict, where: str) -> Iterator[str]:
    for name in ("shape", "at"):
        yield from differences(now[name], then[name], f"{where}/{name}")
    if now.get("odd") != then.get("odd"):
        yield f"{where} has {now.get('odd')} odd values, had {then.get('odd')}"
    room = CLOSE["abs_tol"] + CLOSE["rel_tol"] * then["abs"]
    for name in ("sum", "abs"):
        if abs(now[name] - then[name]) > room:
            yield f"{where}/{name} is {now[name]}, was {then[name]}"


@cache
def recorded() -> dict[str, Any]:
    return json.loads((RECORDED / "values.json").read_text(encoding="utf-8"))


def check(now: Any, then: Any) -> None:
    # Through JSON, as what was recorded went.
    found = list(differences(json.loads(json.dumps(now)), then))
    assert not found, f"{len(found)} differ: " + "\n".join(found[:20])


@pytest.mark.parametrize("name", MODEL)
def test_the_model_gives_what_it_gave(name):
    check(MODEL[name](), recorded()["model"][name])


@pytest.mark.parametrize("address", addresses())
def test_an_address_opens_what_it_opened(address):
    page = open_page(address)
    check(seen_on(page, address), recorded()["pages"][address])


@pytest.mark.parametrize("address", EXPORTED)
def test_files_hold_what_they_held(address, monkeypatch):
    found = exported(address, EXPORTED[address], monkeypatch)
    check(found, recorded()["exports"][address])


def test_everything_recorded_is_compared():
    names = {"model": MODEL, "pages": addresses(), "exports": EXPORTED}
    assert {part: {*values} for part, values in recorded().items()} == {
        part: {*values} for part, values in names.items()
    }

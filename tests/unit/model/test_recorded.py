"""What the shipped checkpoints gave when it was recorded is what they give today.

`tests/support/recorded/values.json` holds numbers and ids of what the model gives through the
`Translator`; what the pages make of it is in `said.json` (`tests/pages/test_contract.py`).
After a change that is meant:
``python -m pytest tests/unit/model/test_recorded.py -k NAME --rewrite``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from core.intervention import read_change
from core.search import Decoding, Sampling
from model import Translator, load_translator
from model.experiments.arithmetic import vectors_of
from model.experiments.explain import explain
from model.experiments.knockout import knock_out
from model.experiments.order import (
    embeddings,
    equivariance,
    position_table,
    reorder,
)
from model.experiments.padding import padded_pair, padding_effect
from model.experiments.tree import attend_tree
from support.models import ROOT
from support.recorded.summary import check, crc, exactly, number, numbers, ranked

VALUES = ROOT / "tests/support/recorded" / "values.json"


@cache
def translator() -> Translator:
    return load_translator(ROOT / "checkpoints" / "en-de")


def fields(found: Any, *names: str, n: int = 8) -> dict[str, Any]:
    return {name: numbers(getattr(found, name), n) for name in names}


def maps(record: Any) -> dict[str, Any]:
    found = {}
    for each in record.maps:
        middle = each.weights.shape[2] // 2
        found[each.kind] = {
            "weights": [numbers(w) for w in each.weights],
            "row": exactly(each.weights[-1, 0, middle]),
            "last": exactly(each.weights[0, -1, -1]),
            **({} if each.scores is None else {"scores": numbers(each.scores, 12)}),
            **({} if each.mask is None else {"may look": int(each.mask.sum())}),
        }
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
SNOW = "A dog runs through the snow."
SENTENCES = {
    "tired": TIRED,
    "wide": TIRED.replace("tired", "wide"),
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
def translated(name: str) -> Any:
    return translator().translate(SENTENCES[name], Decoding(n_runners_up=3))


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
    change, plain = read_change(text), translated("snow")
    changed = translator().translate(SNOW, Decoding(beam_size=2), intervention=change)
    record, log_probs = translator().read_again(plain.src, plain.tgt, change, scores=True)
    return {
        "tgt": list(changed.tgt.ids),
        "score": number(changed.score),
        "log_probs": exactly(log_probs),
        "maps": maps(record),
        "head masks": {m.kind: m.head_masks is not None for m in record.maps},
    }


@of_the_model("search with a beginning")
def _() -> Any:
    typed = translator().search(SNOW, Decoding(), prefix="Eine Hun")
    ids = typed.hypothesis(typed.best).ids[:2]
    forced = translator().search(SNOW, Decoding(beam_size=3), prefix_ids=ids)
    node = next(n for n in forced.nodes if n.status == "pruned" or n.id == 1)
    path = [each.token_id for each in forced.path(node.id)[1:]]
    regrown = translator().search(SNOW, Decoding(beam_size=3), prefix_ids=path)
    return [tree(typed), tree(forced), tree(regrown)]


@of_the_model("sample")
def _() -> Any:
    ways = ({"seed": 3}, {"seed": 5, "temperature": 0.7, "top_k": 20, "top_p": 0.9, "n_samples": 3})
    return [tree(translator().sample(SNOW, Sampling(**way), alpha=0.6)) for way in ways]


@of_the_model("exact search")
def _() -> Any:
    start, limits = translated("tired").tree, {"time_limit": None}
    cut = {"start": start.hypothesis(start.best).ids, "max_expansions": 20}
    found = [
        translator().exact_search(SNOW, Decoding(alpha=0.0), **limits),
        translator().exact_search(TIRED, Decoding(), **cut, **limits),
    ]
    return [
        {"ids": list(each.best.ids), "score": number(each.best.score)}
        | {"proven": each.proven, "expansions": each.expansions}
        for each in found
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
    change = read_change("hide-both-2")
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
    return fields(found, "cross", n=12) | {
        "decoder": numbers(np.nan_to_num(found.decoder), 12),
        "lengths": numbers(found.lengths),
        "row": exactly(found.cross[-1, -1, 0]),
    }


@of_the_model("knock out")
def _() -> Any:
    plain, result = translated("snow"), {}
    asked = {"position": 1, "choice_ids": (228, 319)}
    for how in ("zero", "mean", "uniform"):
        found = knock_out(translator(), plain.src, plain.tgt, how, **asked)
        result[how] = fields(found, "log_probs", "changes", n=16) | {
            "heads": crc(found.heads),
            "plain": exactly(found.plain_log_probs),
            "outputs": crc(*(output.ids for output in found.outputs)),
            "choices": numbers(found.choice_probs, 8),
        }
    return result


@of_the_model("explain")
def _() -> Any:
    plain, result = translated("snow"), {}
    for hidden, method in (("both", "spearman"), ("cross", "kendall"), ("encoder", "spearman")):
        found = explain(translator(), plain.src, plain.tgt, hidden_from=hidden, method=method)
        result[hidden] = fields(found, "log_probs", "drops", "gradient") | {
            name: ranked(getattr(found, name)) for name in ("to_drops", "to_gradient")
        }
    return result


@of_the_model("order")
def _() -> Any:
    src = translator().tokenize("I go home")
    return {
        **{
            f"positions {positions}": fields(
                reorder(translator(), src, (2, 1, 0, 3), positions=positions),
                *("vectors", "attention", "distances", "cosines"),
            )
            for positions in (False, True)
        },
        "equivariance": [
            # Without positions only rounding is left, which is another on every processor.
            [e.positions, e.bits, crc(e.orders), numbers(e.differences) if e.positions else None]
            for e in equivariance(translator(), src, n_orders=3, seed=1)
        ],
    }


@of_the_model("vectors")
def _() -> Any:
    found = vectors_of(translator(), translated("tired").attention)
    names = ("queries", "keys", "values", "out_weight", "out_bias")
    return {each.kind: fields(each, *names, n=12) for each in found}


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
                for run in getattr(pair, name)
            ]
            for name in ("alone", "masked", "unmasked")
        },
    }


@of_the_model("card")
def _() -> Any:
    card = translator().card
    return [card.fingerprint, card.n_params, list(card.languages), crc(sorted(card.config.items()))]


# What was recorded


@cache
def recorded() -> dict[str, Any]:
    return json.loads(VALUES.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", MODEL)
def test_the_model_gives_what_it_gave(name, request):
    now = MODEL[name]()
    if request.config.getoption("--rewrite"):
        recorded()[name] = json.loads(json.dumps(now))
        lines = (
            f"{json.dumps(name)}: {json.dumps(each, ensure_ascii=False)}"
            for name, each in recorded().items()
        )
        VALUES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    check(now, recorded()[name])


def test_everything_recorded_is_compared():
    assert recorded().keys() == MODEL.keys()

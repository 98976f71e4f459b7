"""Outputs of the shipped translator as they were recorded.

`tests/support/recorded/values.json` holds ids, log-probabilities and a few rows of attention.
After a change that is meant:
``python -m pytest tests/unit/model/test_recorded.py --rewrite``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from core.interventions.intervention import read_change
from core.records.search import Decoding, Sampling
from support.models import ROOT, read_json

VALUES = ROOT / "tests/support/recorded" / "values.json"
TIRED = "The animal didn't cross the street because it was too tired."
SNOW = "A dog runs through the snow."
SENTENCES = {
    "tired": TIRED,
    "wide": TIRED.replace("tired", "wide"),
    "bicycle": "A man in a red shirt is riding a bicycle down the street.",
    "snow": SNOW,
    "odd": "Xylophönïst 🎉 ☃ 中文 quizzes\u200b it?",
}
CHANGES = {
    "hidden": "hide-encoder-2.5~hide-cross-3",
    "cells": "mask-encoder-2.1-3.2_4.1~mask-cross-all.all-2.2~mask-decoder-1.3-4.1",
    "ablated": "zero-encoder-1.3_2.all~mean-decoder-1.2~uniform-cross-2.all",
    "mean": "mean-cross-all.all",
    "row": "row-cross-2.1-2-0.2_0.8~row-encoder-1.all-3-0_0_1",
    "shuffled": "source-permuted-3~target-permuted-7-4",
    "shifted": "source-shifted-3~target-shifted-20",
    "many": "peek~hide-both-1~zero-cross-1.2~source-shifted-2",
}
DECODINGS = {
    "beam 10": {"beam_size": 10, "n_runners_up": 2},
    "length": {"penalty": "length", "alpha": 1.0},
    "none": {"penalty": "none"},
    "pruning": {"penalise": "pruning", "alpha": 1.0, "n_runners_up": 3},
    "short": {"max_len": 4},
    "not short": {"min_len": 14},
}


def numbers(values: Any) -> list[float]:
    return [float(f"{value:.6g}") for value in np.asarray(values, dtype=np.float64).ravel()]


def tree(search: Any) -> dict[str, Any]:
    statuses = [node.status for node in search.nodes]
    return {
        "status": {each: statuses.count(each) for each in sorted(set(statuses))},
        "ids": [list(each.ids) for each in search.hypotheses()],
        "scores": numbers([each.score for each in search.hypotheses()]),
    }


def translation(reader: Any, text: str) -> dict[str, Any]:
    found = reader.translate(text, Decoding())
    return {
        "src": list(found.src.ids),
        "offsets": [list(each) for each in found.src.offsets],
        "text": found.text,
        "log_probs": numbers(found.log_probs),
        "rows": {m.site_id: numbers(m.weights[-1, 0, -1]) for m in found.attention.maps},
        "tree": tree(found.tree),
    }


def under(reader: Any, text: str) -> dict[str, Any]:
    """The search under a change, and the plain output forced under it."""
    change, plain = read_change(text), reader.translate(SNOW)
    changed = reader.translate(SNOW, Decoding(beam_size=2), intervention=change)
    _, log_probs = reader.teacher_force(plain.src, plain.tgt, change)
    return {"ids": list(changed.tgt.ids), "log_probs": numbers(log_probs)}


def samples(reader: Any) -> list[dict[str, Any]]:
    ways = ({"seed": 3}, {"seed": 5, "temperature": 0.7, "top_k": 20, "top_p": 0.9, "n_samples": 3})
    return [tree(reader.sample(SNOW, Sampling(**way, alpha=0.6))) for way in ways]


CASES: dict[str, Callable[[Any], Any]] = {
    **{f"translate {n}": lambda r, s=s: translation(r, s) for n, s in SENTENCES.items()},
    **{f"change {n}": lambda r, c=c: under(r, c) for n, c in CHANGES.items()},
    **{
        f"search {n}": lambda r, d=d: tree(r.search(TIRED, Decoding(**({"beam_size": 5} | d))))
        for n, d in DECODINGS.items()
    },
    "sample": samples,
    "card": lambda r: [r.card.fingerprint, r.card.n_params, list(r.card.languages)],
}


def same(now: Any, then: Any, where: str) -> None:
    """Numbers are those of float32 sums over some hundred terms and six digits in the file."""
    if isinstance(then, dict):
        assert now.keys() == then.keys(), where
        for name, value in then.items():
            same(now[name], value, f"{where}/{name}")
    elif isinstance(then, list) and any(isinstance(each, float) for each in then):
        np.testing.assert_allclose(now, then, rtol=1e-3, atol=1e-4, err_msg=where)
    elif isinstance(then, list) and then and isinstance(then[0], dict):
        assert len(now) == len(then), where
        for place, pair in enumerate(zip(now, then, strict=True)):
            same(*pair, f"{where}/{place}")
    else:
        assert now == then, where


def test_the_translator_gives_what_was_recorded(en_de, request):
    now = {name: case(en_de) for name, case in CASES.items()}
    if request.config.getoption("--rewrite"):
        lines = (f"{json.dumps(n)}: {json.dumps(v, ensure_ascii=False)}" for n, v in now.items())
        VALUES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    same(now, read_json(VALUES), "")

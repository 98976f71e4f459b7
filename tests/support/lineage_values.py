"""Made-up results of a lineage, as `checkpoints/lineage.json` holds them."""

from __future__ import annotations

from typing import Any

SETS = ("captions", "everyday", "generated", "joined")
SYSTEMS = {
    "cho": ("rnn-encoder-decoder", 2014, 20.0),
    "sutskever": ("lstm-seq2seq", 2014, 22.0),
    "sutskever-forward": ("lstm-seq2seq", 2014, 21.5),
    "bahdanau": ("additive-attention", 2015, 33.0),
    "transformer": ("transformer", 2017, 34.0),
}


def around(value: float, by: float, **more: Any) -> dict[str, Any]:
    return {"value": value, "low": value - by, "high": value + by, **more}


def system(name: str) -> dict[str, Any]:
    family, year, bleu = SYSTEMS[name]
    fixed = bleu < 30
    fall = 4.0 if fixed else 0.8
    right = {"layer": 0, "head": 0} | around(0.97, 0.01)
    return {
        "title": f"Made up: {name}",
        "checkpoint": f"lineage-{name}",
        "family": family,
        "year": year,
        "paper": f"{name} {year}",
        "command": f"python -m training --config training/configs/lineage.json --variant {name}",
        "fingerprint": "0" * 12,
        "finished": True,
        "parameters": 3_600_000,
        "operations": 7_200_000,
        "training": {
            "steps": 2000, "seconds": 1500, "tokens_per_second": 4000, "hardware": "one core",
        },
        "perplexity": {each: around(100 / bleu, 0.3) for each in SETS},
        "bleu": {each: around(bleu, 1.2, sentences=400, signature="x") for each in SETS},
        "lengths": {
            "captions": [
                around(bleu - 0.5 * n, 1.5, group=n, words=6.0 + 3 * n, sentences=150)
                for n in range(6)
            ],
            "joined": [
                around(bleu - fall * n, 2.0, group=n, words=12.0 * n, sentences=40)
                for n in range(2, 7)
            ],
        },
        "places": [
            around(-2.0 - 0.01 * n * fall, 0.1, to=n + 10, texts=60) | {"from": n + 1}
            for n in range(0, 70, 10)
        ],
        "pointing": {
            "pairs": 400,
            "links": 1353,
            "uniform": 0.07,
            "left_out": around(0.4 if fixed else 0.9, 0.03),
            "map": None if fixed else right,
            "maps": None if fixed else [[0.97]],
        },
        "speed": {"greedy": 39.4, "beam": 24.3},
    }  # fmt: skip


def gain(id: str, ours: str, others: str, sign: str | None, **differs: list[Any]) -> dict[str, Any]:
    sets = {"bleu": around(13.0, 1.4), "perplexity": around(0.9, 0.05)}
    published = {
        "source": f"{ours}, Table 1",
        "rows": ["without", "with it"],
        "bleu": [25.9, 30.6],
        "perplexity": [5.8, 4.7],
        "more": sign is None,
        "near": sign is None,
        "sign": {"bleu": sign, "perplexity": sign},
    }
    systems = {"id": id, "ours": ours, "others": others, "differs": differs}
    return systems | {"sets": dict.fromkeys(("captions", "joined"), sets), "published": [published]}


def values() -> dict[str, Any]:
    order = ["backwards", "forwards"]
    return {
        "command": "python -m evaluation lineage --runs runs/lineage --data data --write",
        "hardware": "one core",
        "settings": {"joined": {"texts": 40, "fewest": 2, "most": 6, "seen": 4}},
        "systems": {name: system(name) for name in SYSTEMS},
        "seed": 1.7,
        "gains": [
            gain("reversed", "sutskever", "sutskever-forward", "open", order=order),
            gain("additive", "bahdanau", "cho", None, attention=["additive", "none"]),
        ],
    }

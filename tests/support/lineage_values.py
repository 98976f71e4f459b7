"""Made-up results of a lineage, as `checkpoints/lineage.json` holds them."""

from __future__ import annotations

from typing import Any

SETS = ("captions", "everyday", "generated", "joined")
SYSTEMS = {
    "cho": ("rnn-encoder-decoder", 2014, "Cho et al. 2014", 20.0),
    "sutskever": ("lstm-seq2seq", 2014, "Sutskever et al. 2014", 22.0),
    "sutskever-forward": ("lstm-seq2seq", 2014, "Sutskever et al. 2014", 21.5),
    "bahdanau": ("additive-attention", 2015, "Bahdanau et al. 2015", 33.0),
    "luong-global-general": ("luong-attention", 2015, "Luong et al. 2015", 32.0),
    "transformer": ("transformer", 2017, "Vaswani et al. 2017", 34.0),
}


def around(value: float, by: float) -> dict[str, float]:
    return {"value": value, "low": value - by, "high": value + by}


def system(name: str) -> dict[str, Any]:
    family, year, paper, bleu = SYSTEMS[name]
    fixed = bleu < 30
    fall = 4.0 if fixed else 0.8
    return {
        "title": f"Made up: {name}",
        "checkpoint": f"lineage-{name}",
        "family": family,
        "year": year,
        "paper": paper,
        "command": "python -m training --config training/configs/lineage.json "
        f"--variant {name}",
        "fingerprint": "0" * 12,
        "finished": True,
        "parameters": 3_600_000,
        "operations": 7_200_000,
        "training": {
            "steps": 2000, "seconds": 1500, "tokens_per_second": 4000, "hardware": "one core",
        },
        "perplexity": {each: around(100 / bleu, 0.3) for each in SETS},
        "bleu": {each: around(bleu, 1.2) | {"sentences": 400, "signature": "x"} for each in SETS},
        "lengths": {
            "captions": [
                {"group": n, "words": 6.0 + 3 * n, "sentences": 150} | around(bleu - 0.5 * n, 1.5)
                for n in range(6)
            ],
            "joined": [
                {"group": n, "words": 12.0 * n, "sentences": 40} | around(bleu - fall * n, 2.0)
                for n in range(2, 7)
            ],
        },
        "places": [
            {"from": n + 1, "to": n + 10, "texts": 60} | around(-2.0 - 0.01 * n * fall, 0.1)
            for n in range(0, 70, 10)
        ],
        "pointing": {
            "pairs": 400,
            "links": 1353,
            "uniform": 0.07,
            "left_out": around(0.4 if fixed else 0.9, 0.03),
            "map": None if fixed else {"layer": 0, "head": 0} | around(0.97, 0.01),
            "maps": None if fixed else [[0.97]],
        },
        "speed": {"greedy": 39.4, "beam": 24.3},
    }  # fmt: skip


def gain(
    id: str,
    ours: str,
    others: str,
    bleu: dict[str, float],
    published: list[dict[str, Any]],
    differs: dict[str, list[Any]],
) -> dict[str, Any]:
    sets = {
        each: {"bleu": bleu, "perplexity": around(0.9, 0.05)} for each in ("captions", "joined")
    }
    systems = {"id": id, "ours": ours, "others": others, "differs": differs}
    return systems | {"sets": sets, "published": published}


def published(source: str, sign: str, *, near: bool = False) -> dict[str, Any]:
    signs = {"bleu": None, "perplexity": None} if near else {"bleu": sign, "perplexity": "same"}
    return {
        "source": source,
        "rows": ["without", "with it"],
        "bleu": [25.9, 30.6],
        "perplexity": [5.8, 4.7],
        "more": near,
        "near": near,
        "sign": signs,
    }


def values() -> dict[str, Any]:
    return {
        "command": "python -m training lineage --runs runs/lineage --data data --write",
        "hardware": "one core",
        "settings": {"joined": {"texts": 40, "fewest": 2, "most": 6, "seen": 4}},
        "systems": {name: system(name) for name in SYSTEMS},
        "seed": 1.7,
        "gains": [
            gain(
                "reversed",
                "sutskever",
                "sutskever-forward",
                around(0.5, 0.9),
                [published("Sutskever et al. 2014, section 3.3", "open")],
                {"order": ["backwards", "forwards"]},
            ),
            gain(
                "additive",
                "bahdanau",
                "cho",
                around(13.0, 1.4),
                [published("Bahdanau et al. 2015, Table 1", "same", near=True)],
                {"attention": ["additive", "none"], "hidden": [256, 352], "directions": [2, 1]},
            ),
        ],
    }

"""What each step of the lineage buys: two systems that differ in it, beside what its paper says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.bootstrap import bleu, compared, perplexity

from .lineage_measures import told

SETS = ("captions", "joined")


@dataclass(frozen=True)
class Published:
    """BLEU and perplexity without and with what a step adds, as a paper prints them.

    `checked` : read in the paper; else from somebody's notes of it.
    """

    source: str
    bleu: tuple[float, float] | None = None
    perplexity: tuple[float, float] | None = None
    checked: bool = True


@dataclass(frozen=True)
class Gain:
    """`ours` is `others` with one thing more; `id` names it in the words of the page."""

    id: str
    ours: str
    others: str
    published: tuple[Published, ...] = ()


_LUONG, _TABLE_4 = "Luong et al. 2015, Table 1", "Luong et al. 2015, Table 4"
_ATTENTION = (Published(_LUONG, (14.0, 16.8), (8.1, 7.3)),)
_SEARCH_50 = (Published("Bahdanau et al. 2015, Table 1, up to 50 words", (17.82, 26.75)),)
GAINS = (
    Gain(
        "reversed",
        "sutskever",
        "sutskever-forward",
        (
            Published("Sutskever et al. 2014, section 3.3", (25.9, 30.6), (5.8, 4.7)),
            Published(_LUONG, (11.3, 12.6), (10.6, 9.9)),
        ),
    ),
    Gain("additive", "bahdanau", "cho", _SEARCH_50),
    Gain("additive-lstm", "bahdanau", "sutskever"),
    Gain("global-gru", "luong-global-general", "cho"),
    Gain("global", "luong-global-general", "sutskever", _ATTENTION),
    Gain(
        "feeding",
        "luong-global-general",
        "luong-global-general-unfed",
        (Published(_LUONG, (16.8, 18.1), (7.3, 6.4)),),
    ),
    Gain(
        "local",
        "luong-local-p-general",
        "luong-global-general",
        (
            Published(_TABLE_4, (17.3, 19.0), (6.1, 5.9)),
            Published(_LUONG, (18.1, 19.0), (6.4, 5.9)),
        ),
    ),
    Gain("self", "transformer-2000", "bahdanau"),
    Gain("self-longer", "transformer", "bahdanau"),
    *(
        Gain(f"score-{name}", f"luong-{name}", "luong-global-general", (Published(_TABLE_4, b, p),))
        for name, b, p in (
            ("global-location", (17.3, 18.1), (6.1, 6.4)),
            ("global-dot", (17.3, 18.6), (6.1, 6.1)),
            ("global-concat", None, (6.1, 6.7)),
            ("local-m-general", (17.3, 18.6), (6.1, 6.2)),
            ("local-m-dot", None, (6.1, 7.0)),
            ("local-m-concat", None, (6.1, 7.1)),
            ("local-p-dot", (17.3, 18.0), (6.1, 6.6)),
            ("local-p-concat", None, (6.1, 7.1)),
        )
    ),
)


def gains(measured: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One entry for each step both of whose systems are `measured`, in the order of `GAINS`.

    Parameters
    ----------
    measured : by system its stored parts

    Returns
    -------
    For each set ``bleu``, ours minus the others', and ``perplexity``, ours divided by theirs, with
    paired bootstrap intervals; ``published`` figures beside them, each with the ``sign`` of ours:
    "same", "opposite", "open" where the interval holds no difference too, or None where the paper
    has none.
    """
    return [
        _entry(gain, measured[gain.ours], measured[gain.others])
        for gain in GAINS
        if gain.ours in measured and gain.others in measured
    ]


def _entry(gain: Gain, ours: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
    sets = {}
    for name in SETS:
        counts = (np.array(each[f"bleu {name}"]["rows"]) for each in (ours, others))
        log_probs = (np.array(each["probabilities"]["rows"][name]) for each in (ours, others))
        sets[name] = {
            "bleu": told(compared(*counts, bleu), 2),
            "perplexity": told(compared(*log_probs, perplexity, np.divide)),
        }
    return {
        "id": gain.id,
        "ours": gain.ours,
        "others": gain.others,
        "sets": sets,
        "published": [
            {
                "source": each.source,
                "bleu": each.bleu,
                "perplexity": each.perplexity,
                "checked": each.checked,
                "sign": {
                    "bleu": sign(each.bleu, sets["captions"]["bleu"], 0.0),
                    "perplexity": sign(each.perplexity, sets["captions"]["perplexity"], 1.0),
                },
            }
            for each in gain.published
        ],
    }


def sign(
    published: tuple[float, float] | None, ours: Mapping[str, float], nothing: float
) -> str | None:
    """Whether ours lies on the paper's side of `nothing`; None where there is none to compare.

    >>> sign((25.9, 30.6), {"low": 0.4, "high": 2.1}, 0.0)
    'same'
    """
    if published is None or published[0] == published[1]:
        return None
    if ours["low"] <= nothing <= ours["high"]:
        return "open"
    rises = published[1] > published[0]
    return "same" if rises == (ours["low"] > nothing) else "opposite"

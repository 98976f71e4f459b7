"""What each step of the lineage buys: two systems, what they differ in, and what its paper says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from analysis.bootstrap import bleu, compared, perplexity

from .card import CONFIGS
from .lineage_measures import told
from .lineage_traits import Traits, differences, traits_of
from .storing import read
from .variants import variant_of

SETS = ("captions", "joined")
CONFIG = CONFIGS / "lineage.json"
OTHER_SEED = 1.7
"""BLEU by which the sets of the one training that was done with two seeds differ at most: "all of
it" and "again" among the practices of docs/ko-en.md. Every system here was trained once."""


@dataclass(frozen=True)
class Published:
    """What a paper prints of two of its systems, without and with a step.

    `rows`: what the paper calls the two systems, without and with it. `others`, `ours`: their
    traits, as far as the design is concerned (`training.lineage_traits`). `more`: the second
    perplexity is printed as more than this.
    """

    source: str
    rows: tuple[str, str]
    others: Traits
    ours: Traits
    bleu: tuple[float, float] | None = None
    perplexity: tuple[float, float] | None = None
    more: bool = False

    def is_near(self, ours: Traits, others: Traits) -> bool:
        """Whether it only comes near the comparison of our two systems: it varies something else,
        or the same in other systems."""
        pairs = ((self.ours, ours), (self.others, others))
        alike = all(of[name] == value for known, of in pairs for name, value in known.items())
        return not alike or differences(self.ours, self.others) != differences(ours, others)


@dataclass(frozen=True)
class Gain:
    """`ours` less `others`; `id` names the step in the words of the page."""

    id: str
    ours: str
    others: str
    published: tuple[Published, ...] = ()


_LUONG, _TABLE_4 = "Luong et al. 2015, Table 1", "Luong et al. 2015, Table 4"
_FOOTNOTE = "Luong et al. 2015, Table 4 and note 15"
_FORWARDS = {"attention": "none", "order": "forwards"}
_BACKWARDS = {"attention": "none", "order": "backwards"}
_NONE = {"attention": "none", "feeding": False}


def _luong(attention: str, score: str, *, feeding: bool = True) -> Traits:
    return {"attention": attention, "score": score, "feeding": feeding}


def _in_table_4(attention: str, score: str, **printed: Any) -> Published:
    """A row of Luong et al.'s choices of architecture against global attention, general score."""
    rows = "global (general)", f"{attention} ({score})"
    general = _luong("global", "general")
    return Published(_TABLE_4, rows, general, _luong(attention, score), **printed)


def _of_concat(attention: str, perplexity: float) -> Published:
    """Told in a note, beside Table 4; half of the matrix was held at the identity."""
    rows = "global (general)", f"{attention} (concat)"
    with_it = _luong(attention, "concat, half of it the identity")
    general = _luong("global", "general")
    return Published(_FOOTNOTE, rows, general, with_it, perplexity=(6.1, perplexity))


GAINS = (
    Gain(
        "reversed",
        "sutskever",
        "sutskever-forward",
        (
            Published(
                "Sutskever et al. 2014, section 3.3",
                ("source as it stands", "source reversed"),
                _FORWARDS,
                _BACKWARDS,
                (25.9, 30.6),
                (5.8, 4.7),
            ),
            Published(
                _LUONG,
                ("Base", "Base + reverse"),
                _FORWARDS,
                _BACKWARDS,
                (11.3, 12.6),
                (10.6, 9.9),
            ),
        ),
    ),
    Gain(
        "additive",
        "bahdanau",
        "cho",
        (
            Published(
                "Bahdanau et al. 2015, Table 1",
                ("RNNencdec-50", "RNNsearch-50"),
                {"attention": "none", "directions": 1},
                {"attention": "additive", "directions": 2},
                (17.82, 26.75),
            ),
        ),
    ),
    Gain("additive-lstm", "bahdanau", "sutskever"),
    Gain("global-gru", "luong-global-general", "cho"),
    Gain(
        "global",
        "luong-global-general",
        "sutskever",
        (
            Published(
                _LUONG,
                ("Base + reverse + dropout", "+ global attention (location)"),
                _NONE,
                _luong("global", "location", feeding=False),
                (14.0, 16.8),
                (8.1, 7.3),
            ),
        ),
    ),
    Gain(
        "feeding",
        "luong-global-general",
        "luong-global-general-unfed",
        (
            Published(
                _LUONG,
                ("global attention (location)", "+ feed input"),
                _luong("global", "location", feeding=False),
                _luong("global", "location"),
                (16.8, 18.1),
                (7.3, 6.4),
            ),
        ),
    ),
    Gain(
        "local",
        "luong-local-p-general",
        "luong-global-general",
        (
            _in_table_4("local-p", "general", bleu=(17.3, 19.0), perplexity=(6.1, 5.9)),
            Published(
                _LUONG,
                ("global attention (location) + feed input", "local-p (general) + feed input"),
                _luong("global", "location"),
                _luong("local-p", "general"),
                (18.1, 19.0),
                (6.4, 5.9),
            ),
        ),
    ),
    Gain("self", "transformer-2000", "bahdanau"),
    Gain("self-longer", "transformer", "bahdanau"),
    *(
        Gain(f"score-{name}", f"luong-{name}", "luong-global-general", (printed,))
        for name, printed in (
            (
                "global-location",
                _in_table_4("global", "location", bleu=(17.3, 18.1), perplexity=(6.1, 6.4)),
            ),
            ("global-dot", _in_table_4("global", "dot", bleu=(17.3, 18.6), perplexity=(6.1, 6.1))),
            ("global-concat", _of_concat("global", 6.7)),
            (
                "local-m-general",
                _in_table_4("local-m", "general", bleu=(17.3, 18.6), perplexity=(6.1, 6.2)),
            ),
            ("local-m-dot", _in_table_4("local-m", "dot", perplexity=(6.1, 7.0), more=True)),
            ("local-m-concat", _of_concat("local-m", 7.1)),
            (
                "local-p-dot",
                _in_table_4("local-p", "dot", bleu=(17.3, 18.0), perplexity=(6.1, 6.6)),
            ),
            ("local-p-concat", _of_concat("local-p", 7.1)),
        )
    ),
)


@cache
def traits(variant: str) -> Traits:
    """What a variant of the lineage's config is made of."""
    return traits_of(variant_of(read(CONFIG), variant))


def gains(measured: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One entry for each step both of whose systems are `measured`, in the order of `GAINS`.

    `measured`: by system its stored parts. Of each set ``bleu``, ours minus the others', and
    ``perplexity``, ours divided by theirs, with paired bootstrap intervals, and what
    `described` says of the two.
    """
    return [
        described(gain, _sets(measured[gain.ours], measured[gain.others]))
        for gain in GAINS
        if gain.ours in measured and gain.others in measured
    ]


def described_again(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Stored entries of `gains` as they are told now; what was measured stays."""
    sets = {entry["id"]: entry["sets"] for entry in entries}
    return [described(gain, sets[gain.id]) for gain in GAINS if gain.id in sets]


def _sets(ours: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
    sets = {}
    for name in SETS:
        counts = (np.array(each[f"bleu {name}"]["rows"]) for each in (ours, others))
        log_probs = (np.array(each["probabilities"]["rows"][name]) for each in (ours, others))
        sets[name] = {
            "bleu": told(compared(*counts, bleu), 2),
            "perplexity": told(compared(*log_probs, perplexity, np.divide)),
        }
    return sets


def described(gain: Gain, sets: dict[str, Any]) -> dict[str, Any]:
    """A gain with what is to be known of it.

    ``differs``: by trait what it is in ours and in the other system. ``published`` figures,
    each with the ``sign`` of ours: "same", "opposite", "open" where the interval holds no
    difference too, or None where the paper has none or is ``near`` alone.
    """
    ours, others = traits(gain.ours), traits(gain.others)
    published = []
    for each in gain.published:
        near = each.is_near(ours, others)
        signs = {
            name: None if near else sign(getattr(each, name), sets["captions"][name], nothing)
            for name, nothing in (("bleu", 0.0), ("perplexity", 1.0))
        }
        printed = {name: getattr(each, name) for name in ("bleu", "perplexity", "more")}
        published.append(
            {"source": each.source, "rows": each.rows, **printed, "near": near, "sign": signs}
        )
    return {
        "id": gain.id,
        "ours": gain.ours,
        "others": gain.others,
        "differs": differences(ours, others),
        "sets": sets,
        "published": published,
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

"""Heads forming: what they did, and what the model expected, at steps of its training."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from .attention import AttentionMap, AttentionSite
from .bootstrap import draws, interval_of
from .measures import (
    largest_weight,
    next_mass,
    pair_weights,
    previous_mass,
    row_entropy,
    same_mass,
    same_sentence,
)
from .stored import Interval
from .tables import labelled
from .tokens import token_labels
from .transform import is_special


@dataclass(frozen=True, eq=False)
class Observation:
    """One sentence, teacher-forced at one step of a training."""

    weights: Mapping[str, np.ndarray]  # by site the float32 weights (L, H, T_q, T_k)
    log_probs: np.ndarray  # (T_tgt,), log p of each token of the target, in nats
    likeliest: np.ndarray  # (T_tgt,), the id that was likeliest in its place
    # (T_tgt,), by how much the source raises log p while every head that looks at another side is
    # made to look everywhere alike: against the same with another sentence's source. What is known
    # word by word, attention left out (Snell et al. 2021). None where there was no other source, or
    # nothing that looks at another side
    word_gain: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class FormedSentence:
    """One sentence over all recorded steps; S is their number."""

    source_tokens: tuple[str, ...]  # source_tokens, target_tokens: the pieces, ``</s>`` included
    target_tokens: tuple[str, ...]
    weights: Mapping[str, np.ndarray]  # by site float (S, L, H, T_q, T_k)
    log_probs: np.ndarray  # (S, T_tgt), log p of each token of the target, in nats
    # for each step the likeliest piece in each place; None where that was not recorded
    likeliest: tuple[tuple[str, ...], ...] | None = None
    # (S, T_tgt), as in `Observation`; None where that was not recorded
    word_gain: np.ndarray | None = None
    # (T_src,), how often each piece of the source stands in a source of the training, on average;
    # None where that was not recorded
    frequency: np.ndarray | None = None
    # for each place of the target the place of the source that holds the answer; -1 where there is
    # none, None where nothing is known
    alignment: tuple[int, ...] | None = None

    def tokens_of(self, side: str, start: str) -> tuple[str, ...]:
        """The names of a side's positions: of the target what is read, from `start` on."""
        return (start, *self.target_tokens[:-1]) if side == "target" else self.source_tokens


@dataclass(frozen=True, eq=False)
class Formation:
    """What was recorded of a training."""

    steps: np.ndarray  # (S,), the steps at which something was recorded, rising
    sites: tuple[AttentionSite, ...]  # where the model attends, as far as that was recorded
    sentences: tuple[FormedSentence, ...]
    start: str = "<s>"  # the piece that begins every target

    def maps(self, sentence: int, step: int) -> tuple[AttentionMap, ...]:
        """What every head saw of a sentence at the step of that place in `steps`."""
        return tuple(self.map_at(sentence, site, step) for site in self.sites)

    def map_at(self, sentence: int, site: AttentionSite, step: int) -> AttentionMap:
        """The one of a site."""
        formed = self.sentences[sentence]
        queries, keys = (formed.tokens_of(side, self.start) for side in (site.query, site.key))
        return AttentionMap(
            site=site,
            weights=formed.weights[site.name][step].astype(np.float32),
            query_tokens=queries,
            key_tokens=keys,
            output_tokens=formed.target_tokens if site.query == "target" else None,
            mask=np.tri(len(queries), dtype=bool) if site.causal else None,
        )


@dataclass(frozen=True)
class Metrics:
    """What a run wrote down on its way."""

    lines: tuple[Mapping[str, float], ...]  # for each line its numbers by name, "step" among them
    n_unread: int = 0  # lines that could not be read, such as one that was cut short

    def of(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """The steps at which a number was noted, and the number there."""
        pairs = [(line["step"], line[name]) for line in self.lines if name in line]
        steps, values = zip(*pairs, strict=True) if pairs else ((), ())
        return np.array(steps, dtype=int), np.array(values, dtype=float)

    @property
    def names(self) -> tuple[str, ...]:
        """Every number that was noted at some step."""
        return tuple(dict.fromkeys(name for line in self.lines for name in line if name != "step"))


MEASURES = ("sharpness", "largest", "previous", "same", "next", "final", "pair", "answer")
LEAST = 0.3  # of a measure at the end, for a head to count as doing it
UNIFORM = 0.15  # sharpness below which attention is still uniform
OFTEN = 0.5  # times in a source, for a piece to be frequent
FEWEST = 8  # recorded sources from which frequency is told where it was not recorded
CHANGE = 0.1  # of a ratio, below which it counts as steady
Pair = tuple[Sequence[int], Sequence[int]]
"""Rows and columns of a map: who looks, and at what."""


def sharpness(attention: AttentionMap) -> np.ndarray:
    """How far each head is from looking everywhere alike; (L, H), from 0 to 1.

    One minus the entropy of a row divided by that of a uniform row, averaged over the rows that
    may look at more than one key. 0 is uniform, 1 all weight on one key.
    """
    weights = attention.weights.astype(np.float64)
    seen = attention.allowed.sum(axis=1)
    choice = seen > 1
    if not choice.any():
        return np.zeros(weights.shape[:2])
    entropy = row_entropy(weights)[..., choice]
    return np.asarray(1 - (entropy / np.log2(seen[choice])).mean(axis=-1))


def overlap(attention: AttentionMap, last: AttentionMap) -> np.ndarray:
    """How much of a row of the last map is there already, averaged over the rows; (L, H)."""
    return np.asarray(np.minimum(attention.weights, last.weights).sum(axis=-1).mean(axis=-1))


def measures_of(
    formation: Formation, sentence: int, site: AttentionSite, pair: Pair | None = None
) -> tuple[str, ...]:
    """Which of `MEASURES` say something about a site."""
    formed = formation.sentences[sentence]
    attention = formation.map_at(sentence, site, 0)
    left_out = set()
    if not site.normalised:
        left_out.add("sharpness")  # rows that sum to less than one have no entropy
    if not same_sentence(attention):
        left_out |= {"previous", "same", "next"}
    elif site.causal:
        left_out.add("next")
    if pair is None or site.query != "source" or not site.is_self:
        left_out.add("pair")
    if formed.alignment is None or site.query != "target" or site.key != "source":
        left_out.add("answer")
    return tuple(name for name in MEASURES if name not in left_out)


def head_curve(
    formation: Formation, sentence: int, site: AttentionSite, measure: str, pair: Pair | None = None
) -> np.ndarray:
    """A measure of each head over the recorded steps; (S, L, H), from 0 to 1.

    `pair`: for "pair": the rows that look, and the columns looked at. Raises ValueError: the
    measure says nothing about the site (`measures_of`).
    """
    if measure not in measures_of(formation, sentence, site, pair):
        raise ValueError(f"{measure!r} says nothing about {site.name}")
    maps = [formation.map_at(sentence, site, at) for at in range(len(formation.steps))]
    known = formation.sentences[sentence].alignment or ()
    rows = [row for row, column in enumerate(known) if column >= 0]
    columns = [known[row] for row in rows]
    measured: dict[str, Callable[[AttentionMap], np.ndarray]] = {
        "final": lambda attention: overlap(attention, maps[-1]),
        "pair": lambda attention: pair_weights(attention, *(pair or ((), ()))),
        "answer": lambda attention: attention.weights[:, :, rows, columns].mean(axis=-1),
        "sharpness": sharpness,
        "largest": largest_weight,
        "previous": previous_mass,
        "same": same_mass,
        "next": next_mass,
    }
    return np.stack([measured[measure](attention) for attention in maps])


def formed_at(values: np.ndarray) -> int | None:
    """From which place on a head does what it does at the end: half of it, and no less later.

    None where it does not reach `LEAST` at the end. Place 0: it did so when the record began.
    """
    return None if values[-1] < LEAST else holds_from(values, float(values[-1]) / 2)


def holds_from(values: np.ndarray, least: float) -> int | None:
    """From which place on numbers are at least so large to the end; None where the last is not."""
    below = np.flatnonzero(values < least)
    start = int(below[-1]) + 1 if len(below) else 0
    return start if start < len(values) else None


# -- tables: `time` is the place of a step among those recorded ----------------------------


def cells_over_time(maps: Sequence[AttentionMap], layer: int, head: int) -> pd.DataFrame:
    """One head in the maps of one site, one a step: q, k, time, weight of every cell it may see."""
    seen = maps[0].allowed
    weights = np.stack([attention.head(layer, head)[seen] for attention in maps])
    cells = pd.DataFrame(np.tile(np.argwhere(seen), (len(maps), 1)), columns=["q", "k"], dtype="i2")
    time = np.indices(weights.shape, "i2")[0].ravel()
    return cells.assign(time=time, weight=weights.ravel().astype(np.float32))


def known_cells(alignment: Sequence[int]) -> pd.DataFrame:
    """The cells q, k of an alignment: for each row its column, or -1."""
    known = [(row, column) for row, column in enumerate(alignment) if column >= 0]
    return pd.DataFrame(known, columns=["q", "k"], dtype=np.int16)


def steps_table(steps: np.ndarray) -> pd.DataFrame:
    """The recorded steps: time, and label, how each is written."""
    return labelled([f"{step:,}" for step in steps], "time")


def tokens_over_time(sentence: FormedSentence) -> pd.DataFrame:
    """The target at every step: probability, log_prob, time, place; where that was recorded also
    likeliest (the label of the token that was) and right (whether it is the expected one)."""
    time, place = (axis.ravel() for axis in np.indices(sentence.log_probs.shape, np.int16))
    log_probs = sentence.log_probs.ravel().astype(np.float64)
    numbers = {"probability": np.exp(log_probs), "log_prob": log_probs}
    table = pd.DataFrame(numbers, dtype=np.float32).assign(time=time, place=place)
    if sentence.likeliest is None:
        return table
    likeliest = [token for line in sentence.likeliest for token in line]
    right = np.array(likeliest) == np.tile(sentence.target_tokens, len(sentence.likeliest))
    return table.assign(likeliest=pd.Categorical(token_labels(likeliest)), right=right)


def heads_over_time(curves: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Every head of curves by site (S, L, H): kind, layer, head, time, value, formed (it is the
    step of `formed_at`)."""
    lines = []
    for site, values in curves.items():
        for layer, head in np.ndindex(*values.shape[1:]):
            time, value = np.arange(len(values)), values[:, layer, head]
            formed = time == formed_at(value)
            of_head = {"kind": site, "layer": layer, "head": head, "time": time}
            lines.append(pd.DataFrame({**of_head, "value": value, "formed": formed}))
    return pd.concat(lines, ignore_index=True)


# -- what was published, put to this run ---------------------------------------------------


@dataclass(frozen=True, eq=False)
class WordsFirst:
    """Is attention uniform until words are known (Snell et al. 2021)?"""

    # those of which the sharpness is told: from the target at another side, rows that sum to one
    sites: tuple[AttentionSite, ...]
    n: int  # how many sentences
    focus: np.ndarray  # (S,), mean sharpness of their heads
    # (S,), mean gain of log p by the source's words with uniform attention, in nats a token; None
    # where that was not recorded
    knowledge: np.ndarray | None
    # focus_at, knowledge_at: the places at which each had come half of its way
    focus_at: int | None
    knowledge_at: int | None
    # "words-first", "together", "attention-first", "not-uniform" where attention was sharp when the
    # record began, or "unknown" where the words' gain is not known
    verdict: str
    same: float  # the share of corpora, drawn anew from the sentences, with the same verdict


def words_first(formation: Formation) -> WordsFirst | None:
    """The claim on all recorded sentences; None where nothing looks at another side with rows that
    sum to one, without which there is no entropy."""
    sites = tuple(site for site in formation.sites if not site.is_self and site.normalised)
    n = len(formation.sentences)
    if not sites:
        return None
    curves = [[head_curve(formation, i, site, "sharpness") for site in sites] for i in range(n)]
    sharp = np.mean([[c.mean((1, 2)) for c in by_site] for by_site in curves], axis=1)  # (n, S)
    gains = [sentence.word_gain for sentence in formation.sentences]
    known = [gain.astype(np.float64) for gain in gains if gain is not None]

    def averages(times: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """Sharpness and gain of a corpus that has each sentence so often."""
        focus = times @ sharp / times.sum()
        if len(known) < n:
            return focus, None
        lengths = np.array([gain.shape[1] for gain in known])
        return focus, times @ np.stack([gain.sum(axis=1) for gain in known]) / (times @ lengths)

    focus, knowledge = averages(np.ones(n))
    verdict, same = _steady(n, lambda times: _order(*averages(times)))
    return WordsFirst(
        sites,
        n,
        focus,
        knowledge,
        half_way(focus),
        None if knowledge is None else half_way(knowledge),
        verdict,
        same,
    )


def _steady(n: int, verdict_of: Callable[[np.ndarray], str]) -> tuple[str, float]:
    """The verdict on `n` sentences, and how often it is that of `n` drawn anew from them."""
    verdict = verdict_of(np.ones(n))
    return verdict, float(np.mean([verdict_of(times) == verdict for times in draws(n)]))


def _order(focus: np.ndarray, knowledge: np.ndarray | None) -> str:
    if focus[0] > UNIFORM:
        return "not-uniform"
    focus_at = half_way(focus)
    knowledge_at = None if knowledge is None else half_way(knowledge)
    if knowledge_at is None or focus_at is None:
        return "unknown"
    if knowledge_at == focus_at:
        return "together"
    return "words-first" if knowledge_at < focus_at else "attention-first"


def half_way(values: np.ndarray) -> int | None:
    """The first place half of the way from the first number to the largest; None if it fell."""
    rise = float(values.max() - values[0])
    if rise <= 0:
        return None
    return int(np.argmax(values >= values[0] + rise / 2))


@dataclass(frozen=True, eq=False)
class OnFrequent:
    """Does attention first gather on frequent tokens and then spread?"""

    # those whose heads are taken together: every one that looks at the source, rows that sum to one
    sites: tuple[AttentionSite, ...]
    n: int  # how many sentences have a frequent piece
    # those that stand in every second source of the training, or more; where that was not recorded,
    # in at least half of the recorded sources. No special tokens
    pieces: tuple[str, ...]
    recorded: bool  # whether it was
    # for each place, with its interval over sentences, weight on them divided by what uniform
    # attention would give them, special tokens left out of both
    ratio: tuple[Interval, ...]
    highest: int  # the place of the largest ratio
    # "gathers-spreads", "gathers", "spreads" or "steady": it rose by a tenth, ended a tenth below
    # its highest, both or neither
    verdict: str
    same: float  # the share of corpora, drawn anew from the sentences, with the same verdict


def on_frequent(formation: Formation) -> OnFrequent | None:
    """The claim on every head that looks at the source; None where there is nothing to say."""
    sites = tuple(
        site
        for site in formation.sites
        if site.key == "source" and not site.causal and site.normalised
    )
    pieces, recorded = _frequent(formation)
    by_sentence = [_on_them(sentence, sites, pieces) for sentence in formation.sentences]
    ratios = np.array([ratio for ratio in by_sentence if ratio is not None])  # (n, S)
    if not len(ratios) or not sites:
        return None
    n = len(ratios)
    ratio, drawn = ratios.mean(axis=0), draws(n) @ ratios / n
    verdict, same = _steady(n, lambda times: _course(times @ ratios / n))
    return OnFrequent(
        sites,
        n,
        pieces,
        recorded,
        tuple(interval_of(*pair) for pair in zip(ratio, drawn.T, strict=True)),
        int(ratio.argmax()),
        verdict,
        same,
    )


def _on_them(
    sentence: FormedSentence, sites: Sequence[AttentionSite], pieces: Sequence[str]
) -> np.ndarray | None:
    """Weight on the pieces against uniform attention, (S,); None where all or none are such."""
    ordinary = ~np.array(is_special(sentence.source_tokens))
    frequent = ordinary & np.isin(sentence.source_tokens, pieces)
    if not frequent.any() or not sites or (frequent == ordinary).all():
        return None
    of = [sentence.weights[site.name].astype(np.float64) for site in sites]
    on, all_ = (
        np.stack([weights[..., keys].sum(axis=(1, 2, 3, 4)) for weights in of])
        for keys in (frequent, ordinary)
    )
    return np.asarray((on / all_).mean(axis=0) * ordinary.sum() / frequent.sum())


def _course(ratio: np.ndarray) -> str:
    highest = ratio.max()
    rises, falls = highest > (1 + CHANGE) * ratio[0], ratio[-1] < (1 - CHANGE) * highest
    verdict = {(1, 1): "gathers-spreads", (1, 0): "gathers", (0, 1): "spreads", (0, 0): "steady"}
    return verdict[int(rises), int(falls)]


def _frequent(formation: Formation) -> tuple[tuple[str, ...], bool]:
    often = {
        piece: float(rate)
        for sentence in formation.sentences
        if sentence.frequency is not None
        for piece, rate in zip(sentence.source_tokens, sentence.frequency, strict=True)
    }
    recorded, least = bool(often), OFTEN
    if not recorded:
        sources = [sentence.source_tokens for sentence in formation.sentences]
        often = {p: sum(p in tokens for tokens in sources) for tokens in sources for p in tokens}
        least = OFTEN * len(sources) if len(sources) >= FEWEST else np.inf
    pieces = [piece for piece, rate in often.items() if rate >= least]
    return tuple(p for p, out in zip(pieces, is_special(pieces), strict=True) if not out), recorded

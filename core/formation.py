"""Formation of heads: attention and predictions at recorded steps of a training."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from .bootstrap import draws, interval_of
from .records.attention import AttentionMap, AttentionSite
from .records.tokens import token_labels
from .storage import Interval
from .weights.groups import is_special
from .weights.measures import (
    largest_weight,
    next_mass,
    pair_weights,
    previous_mass,
    row_entropy,
    same_mass,
    same_sentence,
)
from .weights.tables import labelled


@dataclass(frozen=True, eq=False)
class Observation:
    """One sentence, teacher-forced at one step of a training."""

    weights: Mapping[str, np.ndarray]  # by site the float32 weights (L, H, T_q, T_k)
    log_probs: np.ndarray  # (T_tgt,), log p of each target token, in nats
    likeliest: np.ndarray  # (T_tgt,), id of the likeliest token at each position
    # (T_tgt,), gain of log p by the source while every head of cross-attention is made uniform:
    # against another sentence's source under the same condition. It measures what is known
    # word by word, without attention (Snell et al. 2021). None if there was no other source, or
    # no cross-attention
    word_gain: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class FormedSentence:
    """One sentence over all recorded steps; S is their number."""

    source_tokens: tuple[str, ...]  # source_tokens, target_tokens: the pieces, ``</s>`` included
    target_tokens: tuple[str, ...]
    weights: Mapping[str, np.ndarray]  # by site float (S, L, H, T_q, T_k)
    log_probs: np.ndarray  # (S, T_tgt), log p of each token of the target, in nats
    # for each step the likeliest piece at each position; None if not recorded
    likeliest: tuple[tuple[str, ...], ...] | None = None
    # (S, T_tgt), as in `Observation`; None if not recorded
    word_gain: np.ndarray | None = None
    # (T_src,), mean occurrences of each source piece in a source of the training;
    # None where that was not recorded
    frequency: np.ndarray | None = None
    # for each target position the source position that holds the answer; -1 if there is
    # none, None where nothing is known
    alignment: tuple[int, ...] | None = None

    def tokens_of(self, side: str, start: str) -> tuple[str, ...]:
        """Return the tokens of a side's positions; for the target those read, from `start` on."""
        return (start, *self.target_tokens[:-1]) if side == "target" else self.source_tokens


@dataclass(frozen=True, eq=False)
class Formation:
    """Recording of a training: sites, steps and sentences."""

    steps: np.ndarray  # (S,), recorded steps, rising
    sites: tuple[AttentionSite, ...]  # recorded attention sites
    sentences: tuple[FormedSentence, ...]
    start: str = "<s>"  # the piece that begins every target

    def maps(self, sentence: int, step: int) -> tuple[AttentionMap, ...]:
        """Return the maps of a sentence at the recorded step of index `step`."""
        return tuple(self.map_at(sentence, site, step) for site in self.sites)

    def map_at(self, sentence: int, site: AttentionSite, step: int) -> AttentionMap:
        """Return the map of one site at the recorded step of index `step`."""
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
    """Numbers that a training wrote to its log."""

    lines: tuple[Mapping[str, float], ...]  # for each line its numbers by name, "step" among them
    n_unread: int = 0  # unreadable lines, such as one that was cut short

    def of(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the steps at which a number was logged, and its values."""
        pairs = [(line["step"], line[name]) for line in self.lines if name in line]
        steps, values = zip(*pairs, strict=True) if pairs else ((), ())
        return np.array(steps, dtype=int), np.array(values, dtype=float)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all numbers that were logged at some step."""
        return tuple(dict.fromkeys(name for line in self.lines for name in line if name != "step"))


MEASURES = ("sharpness", "largest", "previous", "same", "next", "final", "pair", "answer")
LEAST = 0.3  # final value of a measure from which a head counts as doing it
UNIFORM = 0.15  # sharpness below which attention is still uniform
OFTEN = 0.5  # occurrences in a source from which a piece is frequent
FEWEST = 8  # sources needed to estimate frequencies that were not recorded
CHANGE = 0.1  # relative change of a ratio below which it is steady
Pair = tuple[Sequence[int], Sequence[int]]
"""Rows and columns of a map: positions that attend, and positions attended to."""


def sharpness(attention: AttentionMap) -> np.ndarray:
    """Return one minus the normalised entropy of each head's rows; (L, H), from 0 to 1.

    Entropy is divided by that of a uniform row and averaged over the rows that may attend to more
    than one key. 0 is uniform, 1 all weight on one key.
    """
    weights = attention.weights.astype(np.float64)
    seen = attention.allowed.sum(axis=1)
    choice = seen > 1
    if not choice.any():
        return np.zeros(weights.shape[:2])
    # A row with a single key has no uniform alternative; log2(1) would divide by 0.
    entropy = row_entropy(weights)[..., choice]
    return np.asarray(1 - (entropy / np.log2(seen[choice])).mean(axis=-1))


def overlap(attention: AttentionMap, last: AttentionMap) -> np.ndarray:
    """Return the overlap of each row with that of the last map, averaged over the rows; (L, H)."""
    return np.asarray(np.minimum(attention.weights, last.weights).sum(axis=-1).mean(axis=-1))


def measures_of(
    formation: Formation, sentence: int, site: AttentionSite, pair: Pair | None = None
) -> tuple[str, ...]:
    """Return those of `MEASURES` that apply to a site."""
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
    """Return a measure of each head over the recorded steps; (S, L, H), from 0 to 1.

    `pair`: rows and columns of the measure "pair".

    Raises
    ------
    ValueError : the measure does not apply to the site (`measures_of`).
    """
    if measure not in measures_of(formation, sentence, site, pair):
        raise ValueError(f"{measure!r} is not defined for {site.name}")
    maps = [formation.map_at(sentence, site, at) for at in range(len(formation.steps))]
    alignment = formation.sentences[sentence].alignment or ()
    rows = [row for row, column in enumerate(alignment) if column >= 0]
    columns = [alignment[row] for row in rows]
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
    """Return the index from which on a head keeps at least half of its final value.

    None if the final value is below `LEAST`. Index 0: it did so when the recording began.
    """
    return None if values[-1] < LEAST else holds_from(values, float(values[-1]) / 2)


def holds_from(values: np.ndarray, least: float) -> int | None:
    """Return the index from which on all numbers are at least `least`; None if the last is not."""
    below = np.flatnonzero(values < least)
    start = int(below[-1]) + 1 if len(below) else 0
    return start if start < len(values) else None


# -- tables: `time` is the place of a step among those recorded ----------------------------


def cells_over_time(maps: Sequence[AttentionMap], layer: int, head: int) -> pd.DataFrame:
    """Return q, k, time and weight of every visible cell of one head, from one map a step."""
    seen = maps[0].allowed
    weights = np.stack([attention.head(layer, head)[seen] for attention in maps])
    # 16-bit integers and float32 halve what is sent to the browser for a long training.
    cells = pd.DataFrame(np.tile(np.argwhere(seen), (len(maps), 1)), columns=["q", "k"], dtype="i2")
    time = np.indices(weights.shape, "i2")[0].ravel()
    return cells.assign(time=time, weight=weights.ravel().astype(np.float32))


def known_cells(alignment: Sequence[int]) -> pd.DataFrame:
    """Return the cells q, k of an alignment, which holds a column for each row, or -1."""
    cells = [(row, column) for row, column in enumerate(alignment) if column >= 0]
    return pd.DataFrame(cells, columns=["q", "k"], dtype=np.int16)


def steps_table(steps: np.ndarray) -> pd.DataFrame:
    """Return the recorded steps: time, and label, the step as text."""
    return labelled([f"{step:,}" for step in steps], "time")


def tokens_over_time(sentence: FormedSentence) -> pd.DataFrame:
    """Return the target at every step: probability, log_prob, time, place.

    If recorded, also likeliest (label of the likeliest token) and right (True if it is the
    reference).
    """
    time, position = (axis.ravel() for axis in np.indices(sentence.log_probs.shape, np.int16))
    log_probs = sentence.log_probs.ravel().astype(np.float64)
    numbers = {"probability": np.exp(log_probs), "log_prob": log_probs}
    table = pd.DataFrame(numbers, dtype=np.float32).assign(time=time, place=position)
    if sentence.likeliest is None:
        return table
    likeliest = [token for line in sentence.likeliest for token in line]
    right = np.array(likeliest) == np.tile(sentence.target_tokens, len(sentence.likeliest))
    return table.assign(likeliest=pd.Categorical(token_labels(likeliest)), right=right)


def heads_over_time(curves: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Return every head of curves by site (S, L, H): kind, layer, head, time, value, formed.

    formed is True at the step of `formed_at`.
    """
    columns: dict[str, list[np.ndarray]] = defaultdict(list)
    for site, values in curves.items():
        by_head = np.moveaxis(values, 0, -1)
        layer, head, time = np.indices(by_head.shape).reshape(3, -1)
        columns["kind"].append(np.repeat(site, len(time)))
        columns["layer"].append(layer)
        columns["head"].append(head)
        columns["time"].append(time)
        columns["value"].append(by_head.ravel())
        first = np.apply_along_axis(_formed_or_never, -1, by_head)
        columns["formed"].append((np.arange(len(values)) == first[..., None]).ravel())
    return pd.DataFrame({name: np.concatenate(parts) for name, parts in columns.items()})


def _formed_or_never(values: np.ndarray) -> int:
    """Return `formed_at` of a head's values, -1 for never."""
    at = formed_at(values)
    return -1 if at is None else at


# -- what was published, put to this run ---------------------------------------------------


@dataclass(frozen=True, eq=False)
class WordsFirst:
    """Test of the claim that attention is uniform until words are known (Snell et al. 2021)."""

    # sites whose sharpness counts: cross-attention whose rows sum to one
    sites: tuple[AttentionSite, ...]
    n: int  # how many sentences
    focus: np.ndarray  # (S,), mean sharpness of their heads
    # (S,), mean gain of log p by the source with uniform attention, in nats a token; None
    # where that was not recorded
    knowledge: np.ndarray | None
    # focus_at, knowledge_at: indices at which each had made half of its rise
    focus_at: int | None
    knowledge_at: int | None
    # "words-first", "together", "attention-first", "not-uniform" where attention was sharp when the
    # record began, or "unknown" where the words' gain is not known
    verdict: str
    same: float  # the share of corpora, drawn anew from the sentences, with the same verdict


def words_first(formation: Formation) -> WordsFirst | None:
    """Test the claim on all recorded sentences; None without cross-attention whose rows sum to one.

    Rows that sum to less have no entropy.
    """
    sites = tuple(site for site in formation.sites if not site.is_self and site.normalised)
    n = len(formation.sentences)
    if not sites:
        return None
    curves = [[head_curve(formation, i, site, "sharpness") for site in sites] for i in range(n)]
    sharp = np.mean([[c.mean((1, 2)) for c in by_site] for by_site in curves], axis=1)  # (n, S)
    gains = [sentence.word_gain for sentence in formation.sentences]
    recorded_gains = [gain.astype(np.float64) for gain in gains if gain is not None]

    def averages(times: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """Average sharpness and gain over a corpus with each sentence so many `times`."""
        focus = times @ sharp / times.sum()
        # A mean over only some of the sentences would not be comparable with the sharpness.
        if len(recorded_gains) < n:
            return focus, None
        lengths = np.array([gain.shape[1] for gain in recorded_gains])
        totals = np.stack([gain.sum(axis=1) for gain in recorded_gains])
        return focus, times @ totals / (times @ lengths)

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
    """Return the verdict on `n` sentences, and its share among bootstrap samples of them."""
    verdict = verdict_of(np.ones(n))
    return verdict, float(np.mean([verdict_of(times) == verdict for times in draws(n)]))


def _order(focus: np.ndarray, knowledge: np.ndarray | None) -> str:
    """Compare the order of rises and return the verdict of `WordsFirst`."""
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
    """Return the first index half of the way from the first number to the largest, or None.

    None if no number is above the first.
    """
    rise = float(values.max() - values[0])
    if rise <= 0:
        return None
    return int(np.argmax(values >= values[0] + rise / 2))


def half_of_largest(changes: np.ndarray) -> int:
    """Return the first index at which half of the largest change of either sign is reached."""
    largest = changes[np.abs(changes).argmax()]
    # Multiplied by its sign, the largest change is positive.
    return int(np.argmax(changes * np.sign(largest) >= abs(largest) / 2))


@dataclass(frozen=True, eq=False)
class OnFrequent:
    """Test of the claim that attention first gathers on frequent tokens and then spreads."""

    # sites whose heads are pooled: all with keys in the source and rows that sum to one
    sites: tuple[AttentionSite, ...]
    n: int  # how many sentences have a frequent piece
    # pieces that stand in at least half of the training's sources; if that was not recorded,
    # in at least half of the recorded sources. No special tokens
    pieces: tuple[str, ...]
    recorded: bool  # True if frequencies were recorded
    # for each step, with its interval over sentences, weight on them divided by that of uniform
    # attention, special tokens left out of both
    ratio: tuple[Interval, ...]
    highest: int  # index of the largest ratio
    # "gathers-spreads", "gathers", "spreads" or "steady": it rose by a tenth, ended a tenth below
    # its highest, both or neither
    verdict: str
    same: float  # the share of corpora, drawn anew from the sentences, with the same verdict


def on_frequent(formation: Formation) -> OnFrequent | None:
    """Test the claim on every head that attends to the source; None if it does not apply."""
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
    ratio = ratios.mean(axis=0)
    drawn = draws(n) @ ratios / n
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
    """Return the weight on the pieces relative to uniform attention, (S,).

    None if all ordinary tokens of the sentence are frequent, or none.
    """
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
    """Return the verdict of `OnFrequent` on a curve of ratios."""
    highest = ratio.max()
    rises = highest > (1 + CHANGE) * ratio[0]
    falls = ratio[-1] < (1 - CHANGE) * highest
    verdict = {(1, 1): "gathers-spreads", (1, 0): "gathers", (0, 1): "spreads", (0, 0): "steady"}
    return verdict[int(rises), int(falls)]


def _frequent(formation: Formation) -> tuple[tuple[str, ...], bool]:
    """Return the frequent pieces without special tokens, and True if frequencies were recorded."""
    often = {
        piece: float(rate)
        for sentence in formation.sentences
        if sentence.frequency is not None
        for piece, rate in zip(sentence.source_tokens, sentence.frequency, strict=True)
    }
    recorded = bool(often)
    least = OFTEN
    if not recorded:
        sources = [sentence.source_tokens for sentence in formation.sentences]
        # Without recorded counts, sentences of the recording stand for the corpus.
        often = {p: sum(p in tokens for tokens in sources) for tokens in sources for p in tokens}
        least = OFTEN * len(sources) if len(sources) >= FEWEST else np.inf
    pieces = [piece for piece, rate in often.items() if rate >= least]
    return tuple(p for p, out in zip(pieces, is_special(pieces), strict=True) if not out), recorded

"""Measure the effect of the beam width: quality, cost and search errors of a checkpoint.

Stored as ``search.json`` beside the weights. Every part is saved when it is done, and the same
command continues from there:

``sweep``
    One row a beam width over the sentences of one test set: ``bleu`` (cased, detokenised, by
    sacreBLEU, with its ``signature``), ``mean_log_prob`` (natural log P of the output, mean over
    sentences), ``length_ratio`` (tokens of all outputs divided by those of all references, as
    sacreBLEU counts them), ``seconds`` (wall-clock time of a search, mean over sentences),
    ``unfinished`` (outputs that reached the length limit) and ``sentences``.
``errors.tally``
    One row a set and width: the shares of references that the search found ("same"), lost though
    they score more ("search error"), ranked lower only by the length penalty ("length penalty"), or
    that the model likes less than the output ("model error").
    See `core.records.search.SearchVerdict`.
    ``normalised`` judges by score, ``plain`` by log-probability.
``errors.exact``
    One row a set and alpha: the number of outputs of each width that are certainly ``not_best``,
    because exact search found a better one, certainly ``best``, or ``undecided`` (Stahlberg and
    Byrne 2019). The limit of the exact search counts prefixes and not seconds, so every machine
    gets the same counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from statistics import mean
from typing import Any

from tqdm import tqdm

from core.measurements import SEARCH
from core.records.search import VERDICTS, Budget, Decoding, ExactSearch, Hypothesis
from model import InputError, Translator
from model.search.diagnosis import ROUNDING
from training.corpora.pairs import spread_out
from training.corpora.text_pairs import TextPair

from .bleu import corpus_bleu
from .measured_sets import measured_sets
from .measurement import Measurement, ResultPart

WIDTHS = (1, 2, 3, 5, 10, 20)
ERROR_WIDTHS = (1, 5, 20)
DECODING = Decoding(alpha=0.6)
TALLY_PAIRS = 400
EXACT_PAIRS = 100
EXACT_ALPHAS = (0.6, 0.0)
# Exact search grows exponentially with the length: longer sources would stay undecided.
EXACT_SOURCE_TOKENS = 12
EXACT_EXPANSIONS = 3000
EXACT_VERDICTS = ("not_best", "best", "undecided")


def sweep_width(
    translator: Translator, pairs: Sequence[TextPair], decoding: Decoding
) -> dict[str, Any]:
    """Return one row of ``sweep``: `pairs` translated with one beam width."""
    name = f"B = {decoding.beam_size}"
    translations = [
        translator.translate(pair.source, decoding)
        for pair in tqdm(pairs, desc=name, unit="sentence")
    ]
    bleu, signature = corpus_bleu([t.text for t in translations], [pair.target for pair in pairs])
    return {
        "beam_size": decoding.beam_size,
        "bleu": round(bleu.score, 2),
        "mean_log_prob": round(
            mean(t.tree.nodes[t.tree.best].cum_log_prob for t in translations), 4
        ),
        "length_ratio": round(bleu.sys_len / bleu.ref_len, 4),
        # Without tokenization and attention, which do not depend on the width.
        "seconds": round(mean(t.search_seconds for t in translations), 5),
        "unfinished": sum(not t.finished for t in translations),
        "sentences": len(pairs),
        "signature": signature,
    }


def tally(translator: Translator, pairs: Sequence[TextPair], decoding: Decoding) -> dict[str, Any]:
    """Return the shares of verdicts on the references of `pairs`; pairs too long count as void.

    ``normalised`` and ``plain`` each hold a share for every one of
    `core.records.search.VERDICTS`; shares of all ``sentences``, void ones included.
    """
    counts: dict[str, Counter[str]] = {"normalised": Counter(), "plain": Counter()}
    for pair in tqdm(pairs, desc=f"errors, B = {decoding.beam_size}", unit="sentence"):
        try:
            comparison = translator.diagnose_search(pair.source, pair.target, decoding)
            verdicts = comparison.verdict, comparison.plain_verdict
        # A reference that is longer than the model takes cannot be scored.
        except InputError:
            verdicts = ("void", "void")
        for score, verdict in zip(counts, verdicts, strict=True):
            counts[score][verdict] += 1
    shares = {
        score: {verdict: round(count[verdict] / len(pairs), 4) for verdict in VERDICTS}
        for score, count in counts.items()
    }
    return {"beam_size": decoding.beam_size, "sentences": len(pairs), **shares}


def short_pairs(translator: Translator, pairs: Sequence[TextPair], most: int) -> list[TextPair]:
    """Return the pairs whose source has at most `most` tokens, ``</s>`` included."""
    return [pair for pair in pairs if len(translator.tokenize(pair.source)) <= most]


def judge_widths(outputs: dict[int, Hypothesis], exact: ExactSearch) -> dict[int, str]:
    """Return "best", "not_best" or "undecided" for the output of each width, given exact search.

    A hypothesis that scores more is proof enough against an output, even if the exact search did
    not finish. An unfinished output is no hypothesis that exact search ranks.
    """
    best = exact.best
    verdicts = {}
    for width, output in outputs.items():
        if not output.finished:
            verdicts[width] = "undecided"
        # Scores of the same hypothesis differ in their last digits between the two searches.
        elif best is not None and best.score > output.score + ROUNDING:
            verdicts[width] = "not_best"
        else:
            verdicts[width] = "best" if exact.proven else "undecided"
    return verdicts


def exact_errors(
    translator: Translator,
    pairs: Sequence[TextPair],
    decoding: Decoding,
    *,
    widths: Sequence[int],
    max_expansions: int,
) -> dict[str, Any]:
    """Count how often each width certainly misses the best translation; no references needed.

    The exact search has to beat the best output of all widths, which saves most of its work.
    """
    # Not in seconds, which would make the counts depend on the machine.
    budget = Budget(expansions=max_expansions)
    counts: dict[int, Counter[str]] = {width: Counter() for width in widths}
    proven = 0
    for pair in tqdm(pairs, desc=f"exact, alpha {decoding.alpha}", unit="sentence"):
        outputs = {}
        for width in widths:
            tree = translator.search(pair.source, replace(decoding, beam_size=width))
            outputs[width] = tree.hypothesis(tree.best)
        finished = [output for output in outputs.values() if output.finished]
        # A good start lets exact search drop every prefix that scores less already.
        start = max(finished, key=lambda output: output.score).ids if finished else None
        exact = translator.exact_search(pair.source, decoding, start=start, budget=budget)
        proven += exact.proven
        for width, verdict in judge_widths(outputs, exact).items():
            counts[width][verdict] += 1
    return {
        "alpha": decoding.alpha,
        "sentences": len(pairs),
        "proven": proven,
        "widths": [
            {
                "beam_size": width,
                **{name: count[name] for name in EXACT_VERDICTS},
            }
            for width, count in counts.items()
        ],
    }


class SweepMeasurement(Measurement):
    name = "sweep"
    file_kind = SEARCH

    def frame(self) -> dict[str, Any]:
        self.measured = measured_sets(self.of.card.languages)
        self.test = self.measured.to_sweep(self.data)[: self.limit]
        self.sets = self.measured.read(self.data)
        decoding = ("alpha", "penalty", "penalise", "max_len", "min_len")
        return {
            **self.provenance(),
            "settings": {
                "decoding": {name: getattr(DECODING, name) for name in decoding},
                "limit": self.limit,
                "sweep": {"set": self.measured.swept[0], "sentences": len(self.test)},
                "tally": {"sets": list(self.sets), "pairs_per_set": TALLY_PAIRS},
                "exact": {
                    "sets": list(self.sets),
                    "sentences_per_set": EXACT_PAIRS,
                    "most_source_tokens": EXACT_SOURCE_TOKENS,
                    "most_expansions": EXACT_EXPANSIONS,
                },
            },
            "sweep": [],
            "errors": {"tally": [], "exact": []},
        }

    def parts(self) -> Iterator[ResultPart]:
        for width in WIDTHS:
            decoding = replace(DECODING, beam_size=width)
            work = partial(sweep_width, self.of, self.test, decoding)
            yield ResultPart(("sweep",), work, {"beam_size": width})
        for name, pairs in self.sets.items():
            chosen = spread_out(pairs, TALLY_PAIRS)[: self.limit]
            for width in ERROR_WIDTHS:
                work = partial(tally, self.of, chosen, replace(DECODING, beam_size=width))
                yield ResultPart(("errors", "tally"), work, {"set": name, "beam_size": width})
        for name, pairs in self.sets.items():
            short = short_pairs(self.of, pairs, EXACT_SOURCE_TOKENS)
            chosen = spread_out(short, EXACT_PAIRS)[: self.limit]
            for alpha in EXACT_ALPHAS:
                work = partial(
                    exact_errors,
                    self.of,
                    chosen,
                    replace(DECODING, alpha=alpha),
                    widths=ERROR_WIDTHS,
                    max_expansions=EXACT_EXPANSIONS,
                )
                yield ResultPart(("errors", "exact"), work, {"set": name, "alpha": alpha})

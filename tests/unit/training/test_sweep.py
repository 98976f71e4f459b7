"""What is stored of a checkpoint's searches: sacreBLEU's own numbers, shares by hand, resumed."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
import sacrebleu

from core.measurements import SEARCH
from core.search import VERDICTS, Decoding, ExactSearch, Hypothesis
from model import InputError
from model.checkpoint import load_checkpoint
from support.models import ROOT, SENTENCES
from training import sweep as sweep_module
from training.corpus import CorpusError, Pair, spread_out
from training.evaluate import measured_sets
from training.sweep import (
    ERROR_WIDTHS,
    EXACT_ALPHAS,
    EXACT_VERDICTS,
    WIDTHS,
    Sweep,
    exact_errors,
    judge_widths,
    short_pairs,
    sweep_width,
    tally,
)
from viz.sweep import MEASURES, sweep_chart
from words import Message

MEASURED = measured_sets(("en", "de"))
PAIRS = [Pair(SENTENCES[i], SENTENCES[i + 1]) for i in (0, 2, 4)]
SHORT = Decoding(beam_size=2, alpha=0.6, max_len=12)


@pytest.fixture(scope="module")
def swept(tiny_translator, measured_data):
    """The whole sweep at sizes that random weights, which never end, can do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep_module, "DECODING", Decoding(alpha=0.6, max_len=8))
        patch.setattr(sweep_module, "EXACT_EXPANSIONS", 5)
        patch.setattr(sweep_module, "EXACT_SOURCE_TOKENS", 100)
        return Sweep(tiny_translator, measured_data).measure()


def hypothesis(score, *, finished=True):
    return Hypothesis(0, (3,), ("</s>",), (score,), score, score, finished)


def exact_search(score, *, proven=True):
    best = None if score is None else hypothesis(score)
    return ExactSearch(best, proven, 1, 0.0, "" if proven else "limit", 0.6, "wu", 0, 9)


# -- the sweep over a test set -------------------------------------------------------------


def test_a_width_has_the_numbers_of_sacrebleu_and_of_its_outputs(tiny_translator):
    outputs = [tiny_translator.translate(pair.source, SHORT) for pair in PAIRS]
    texts = [output.text for output in outputs]
    expected = sacrebleu.corpus_bleu(texts, [[pair.target for pair in PAIRS]])
    row = sweep_width(tiny_translator, PAIRS, SHORT)
    assert row["bleu"] == round(expected.score, 2)
    assert row["length_ratio"] == pytest.approx(expected.sys_len / expected.ref_len, abs=1e-4)
    assert "case:mixed" in row["signature"]
    sums = [float(output.log_probs.sum()) for output in outputs]
    assert row["mean_log_prob"] == pytest.approx(sum(sums) / 3, abs=1e-3)
    assert row["unfinished"] == [output.finished for output in outputs].count(False)
    cut = sweep_width(tiny_translator, PAIRS, Decoding(beam_size=1, max_len=1))
    assert cut["unfinished"] == 3


# -- the tally of errors -------------------------------------------------------------------


class Judge:
    """A translator whose verdicts are written down."""

    def __init__(self, *verdicts):
        self.verdicts = iter(verdicts)

    def compare(self, _source, _reference, _decoding):
        verdict = next(self.verdicts)
        if isinstance(verdict, Exception):
            raise verdict
        return SimpleNamespace(verdict=verdict[0], plain_verdict=verdict[1])


def test_shares_of_verdicts_are_counted_with_and_without_normalisation():
    judge = Judge(
        ("same", "same"),
        ("search error", "search error"),
        ("model error", "length penalty"),
        ("model error", "search error"),
    )
    row = tally(judge, PAIRS[:1] * 4, SHORT)
    assert row["normalised"] == {
        "same": 0.25, "search error": 0.25, "model error": 0.5, "length penalty": 0.0, "void": 0.0,
    }  # fmt: skip
    assert row["plain"] == {
        "same": 0.25, "search error": 0.5, "model error": 0.0, "length penalty": 0.25, "void": 0.0,
    }  # fmt: skip
    assert (row["beam_size"], row["sentences"]) == (2, 4)


def test_a_pair_too_long_to_judge_is_void_and_pairs_are_taken_by_a_fixed_stride():
    too_long = InputError(Message("model-text-long-hint"))
    row = tally(Judge(too_long, ("same", "same")), PAIRS[:2], SHORT)
    assert (row["normalised"]["void"], row["normalised"]["same"]) == (0.5, 0.5)
    for n, taken in ((10, [0, 3, 6]), (2, [0, 1]), (0, [])):
        assert spread_out(list(range(n)), 3) == taken


# -- certain errors ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "exact", "verdict"),
    [
        (-2.0, exact_search(-1.0), "not_best"),
        (-2.0, exact_search(-1.0, proven=False), "not_best"),
        (-1.0, exact_search(-1.0), "best"),
        (-1.0, exact_search(-1.0, proven=False), "undecided"),
        (-1.00001, exact_search(-1.0), "best"),
        (-1.0, exact_search(None, proven=False), "undecided"),
    ],
)
def test_only_a_better_hypothesis_proves_an_output_wrong(output, exact, verdict):
    assert judge_widths({5: hypothesis(output)}, exact) == {5: verdict}


def test_an_output_that_has_not_ended_is_undecided():
    outputs = {1: hypothesis(-9.0, finished=False), 5: hypothesis(-1.0)}
    assert judge_widths(outputs, exact_search(-1.0)) == {1: "undecided", 5: "best"}


class Searcher:
    """Greedy search misses the best hypothesis, beam 2 finds it."""

    def __init__(self):
        self.starts = []

    def search(self, _source, decoding):
        found = hypothesis(-1.0 if decoding.beam_size > 1 else -2.0)
        return SimpleNamespace(best=0, hypothesis=lambda _: found)

    def exact_search(self, _source, _decoding, *, start, max_expansions, time_limit):
        self.starts.append((start, max_expansions, time_limit))
        return exact_search(-1.0)


def test_certain_errors_are_counted_for_each_width_within_a_limit_of_prefixes():
    searcher = Searcher()
    row = exact_errors(searcher, PAIRS, SHORT, widths=(1, 2), max_expansions=7)
    assert searcher.starts == [((3,), 7, None)] * len(PAIRS)  # by prefixes and not by time
    assert row["widths"] == [
        {"beam_size": 1, "not_best": 3, "best": 0, "undecided": 0},
        {"beam_size": 2, "not_best": 0, "best": 3, "undecided": 0},
    ]
    assert (row["proven"], row["sentences"], row["alpha"]) == (3, 3, 0.6)


def test_short_sentences_are_those_of_few_tokens(tiny_translator):
    lengths = [len(tiny_translator.tokenize(pair.source)) for pair in PAIRS]
    assert short_pairs(tiny_translator, PAIRS, min(lengths)) == [PAIRS[lengths.index(min(lengths))]]


# -- all of it, stored and resumed ---------------------------------------------------------


def test_the_sweep_has_every_width_set_and_alpha_and_judges_every_output(swept):
    assert [row["beam_size"] for row in swept["sweep"]] == list(WIDTHS)
    assert len(sweep_chart(swept["sweep"]).data) == len(MEASURES)
    tallied, exact = swept["errors"]["tally"], swept["errors"]["exact"]
    assert [(row["set"], row["beam_size"]) for row in tallied] == [
        (name, width) for name in MEASURED.files for width in ERROR_WIDTHS
    ]
    for shares in (row[kind] for row in tallied for kind in ("normalised", "plain")):
        assert tuple(shares) == VERDICTS
        assert sum(shares.values()) == pytest.approx(1, abs=1e-3)
    assert [(row["set"], row["alpha"]) for row in exact] == [
        (name, alpha) for name in MEASURED.files for alpha in EXACT_ALPHAS
    ]
    for width in (width for row in exact for width in row["widths"]):
        assert sum(width[verdict] for verdict in EXACT_VERDICTS) == 3


# -- what is shipped -----------------------------------------------------------------------


SEARCHED = sorted(path.parent.name for path in ROOT.glob("checkpoints/*/search.json"))


@pytest.mark.parametrize("name", SEARCHED)
def test_the_shipped_sweep_agrees_with_the_shipped_scores(name):
    """Two commands measured the same search of the same weights."""
    card = load_checkpoint(ROOT / "checkpoints" / name).card
    (bleu,) = (row["bleu"] for row in card.lies(SEARCH).values["sweep"] if row["beam_size"] == 5)
    swept, _ = measured_sets(card.languages).swept
    scores = card.scores | card.scores["domains"]
    assert bleu == pytest.approx(scores[swept]["bleu"], abs=0.01)


def test_models_of_other_languages_are_measured_on_sets_of_their_own(
    tiny_translator, measured_data
):
    korean = measured_sets(("ko", "en"))
    assert {file.split("-")[0] for file in (*korean.files.values(), korean.swept[1])} == {"ko"}
    pairs = (measured_sets(each).to_sweep(measured_data) for each in (("en", "de"), ("de", "en")))
    assert [(p.source, p.target) for p in next(pairs)] == [
        (p.target, p.source) for p in next(pairs)
    ]
    card = replace(tiny_translator.card, languages=("fr", "en"))
    with pytest.raises(CorpusError, match="from fr to en"):
        Sweep(SimpleNamespace(card=card)).measure()

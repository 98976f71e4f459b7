"""Measured searches, practices of a training and the language check: by sacreBLEU and by hand."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import sacrebleu
import torch

from core.records.search import VERDICTS, Budget, Decoding, ExactSearch, Hypothesis
from core.text_language import TextLanguage
from evaluation import practices as practices_module
from evaluation import sweep as sweep_module
from evaluation.language import LanguageMeasurement
from evaluation.measured_sets import measured_sets
from evaluation.practices import PLAIN, PracticesMeasurement
from evaluation.sweep import (
    ERROR_WIDTHS,
    EXACT_ALPHAS,
    EXACT_VERDICTS,
    WIDTHS,
    SweepMeasurement,
    exact_errors,
    judge_widths,
    short_pairs,
    sweep_width,
    tally,
)
from model import InputError
from support.models import SENTENCES
from support.runs import TINY_RUN, TRAINING, write_pairs, write_run
from training.corpora.pairs import spread_out
from training.corpora.text_pairs import TextPair
from training.objectives.families import model_for
from viz.figure import spec_of
from viz.sweep import MEASURES, sweep_chart
from words import Message

MEASURED = measured_sets(("en", "de"))
PAIRS = [TextPair(SENTENCES[i], SENTENCES[i + 1]) for i in (0, 2, 4)]
SHORT = Decoding(beam_size=2, alpha=0.6, max_len=12)


def hypothesis(score, *, finished=True):
    return Hypothesis(0, (3,), ("</s>",), (score,), score, score, finished)


def exact_search(score, *, proven=True):
    best = None if score is None else hypothesis(score)
    return ExactSearch(best, proven, 1, 0.0, "" if proven else "limit", 0.6, "wu", 0, 9)


# -- the sweep over widths --------------------------------------------------------------------


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


class Judge:
    """A translator whose verdicts are written down."""

    def __init__(self, *verdicts):
        self.verdicts = iter(verdicts)

    def diagnose_search(self, _source, _reference, _decoding):
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
        InputError(Message("model-text-long-hint")),  # too long to judge
    )
    row = tally(judge, PAIRS[:1] * 5, SHORT)
    assert row["normalised"] == {
        "same": 0.2, "search error": 0.2, "model error": 0.4, "length penalty": 0.0, "void": 0.2,
    }  # fmt: skip
    assert row["plain"] == {
        "same": 0.2, "search error": 0.4, "model error": 0.0, "length penalty": 0.2, "void": 0.2,
    }  # fmt: skip
    assert (row["beam_size"], row["sentences"]) == (2, 5)
    for n, taken in ((10, [0, 3, 6]), (2, [0, 1]), (0, [])):
        assert spread_out(list(range(n)), 3) == taken


@pytest.mark.parametrize(
    ("output", "exact", "verdict"),
    [
        (hypothesis(-2.0), exact_search(-1.0), "not_best"),
        (hypothesis(-2.0), exact_search(-1.0, proven=False), "not_best"),
        (hypothesis(-1.00001), exact_search(-1.0), "best"),
        (hypothesis(-1.0), exact_search(-1.0, proven=False), "undecided"),
        (hypothesis(-1.0), exact_search(None, proven=False), "undecided"),
        (hypothesis(-9.0, finished=False), exact_search(-1.0), "undecided"),
    ],
)
def test_only_a_better_hypothesis_proves_a_finished_output_wrong(output, exact, verdict):
    assert judge_widths({5: output}, exact) == {5: verdict}


class Searcher:
    """Greedy search misses the best hypothesis, beam 2 finds it."""

    def __init__(self):
        self.starts = []

    def search(self, _source, decoding):
        found = hypothesis(-1.0 if decoding.beam_size > 1 else -2.0)
        return SimpleNamespace(best=0, hypothesis=lambda _: found)

    def exact_search(self, _source, _decoding, *, start, budget):
        self.starts.append((start, budget))
        return exact_search(-1.0)


def test_certain_errors_are_counted_for_each_width_within_a_limit_of_prefixes(tiny_translator):
    searcher = Searcher()
    row = exact_errors(searcher, PAIRS, SHORT, widths=(1, 2), max_expansions=7)
    # By prefixes and not by time.
    assert searcher.starts == [((3,), Budget(expansions=7))] * len(
        PAIRS
    )  # by prefixes and not by time
    assert row["widths"] == [
        {"beam_size": 1, "not_best": 3, "best": 0, "undecided": 0},
        {"beam_size": 2, "not_best": 0, "best": 3, "undecided": 0},
    ]
    assert (row["proven"], row["sentences"], row["alpha"]) == (3, 3, 0.6)
    lengths = [len(tiny_translator.tokenize(pair.source)) for pair in PAIRS]
    assert short_pairs(tiny_translator, PAIRS, min(lengths)) == [PAIRS[np.argmin(lengths)]]


def test_the_sweep_has_every_width_set_and_alpha_and_judges_every_output(
    tiny_translator, measured_data, monkeypatch
):
    """At sizes that random weights, which never end, can do."""
    monkeypatch.setattr(sweep_module, "DECODING", Decoding(alpha=0.6, max_len=8))
    monkeypatch.setattr(sweep_module, "EXACT_EXPANSIONS", 5)
    monkeypatch.setattr(sweep_module, "EXACT_SOURCE_TOKENS", 100)
    swept = SweepMeasurement(tiny_translator, measured_data).measure()
    assert [row["beam_size"] for row in swept["sweep"]] == list(WIDTHS)
    assert len(spec_of(sweep_chart(swept["sweep"]))["hconcat"]) == len(MEASURES)
    tallied, exact = swept["errors"]["tally"], swept["errors"]["exact"]
    rows = [(row["set"], row["beam_size"]) for row in tallied]
    assert rows == list(product(MEASURED.files, ERROR_WIDTHS))
    for shares in (row[kind] for row in tallied for kind in ("normalised", "plain")):
        assert tuple(shares) == VERDICTS
        assert sum(shares.values()) == pytest.approx(1, abs=1e-3)
    rows = [(row["set"], row["alpha"]) for row in exact]
    assert rows == list(product(MEASURED.files, EXACT_ALPHAS))
    for width in (width for row in exact for width in row["widths"]):
        assert sum(width[verdict] for verdict in EXACT_VERDICTS) == 3


# -- what each practice of a training brings --------------------------------------------------

LINES = [(text, SENTENCES[i - 1]) for i, text in enumerate(SENTENCES)]
SETS = {"books": LINES[:3], "talks": LINES[3:5], "manuals": LINES[5:]}
SETTINGS = TINY_RUN | {
    "name": "pair-short", "description": "", "licence": "", "tokenizer": {},
    "data": {
        "sets": [
            *({"folder": "books"}, {"folder": "talks"}),
            {"folder": "manuals", "tag": "<manual>"},
            {"folder": "other-way", "reversed": True, "validate": False},
        ]
    },
    "model": TINY_RUN["model"] | {"max_len": 160},
    "training": TRAINING | {"max_steps": 10},
}  # fmt: skip


@pytest.fixture(scope="module")
def practised(tmp_path_factory, tiny_tokenizer) -> tuple[Path, Path]:
    """Folders of runs and of data."""
    runs, data = (tmp_path_factory.mktemp(name) for name in ("runs", "data"))
    for seed, variant in enumerate((None, "no-parent", "no-tags")):
        settings = SETTINGS | ({"variant": variant, "name": f"pair-{variant}"} if variant else {})
        torch.manual_seed(seed)
        model = model_for(settings, tiny_tokenizer).eval()
        write_run(runs / (variant or settings["name"]), settings, model, tiny_tokenizer, 10)
    for folder, lines in SETS.items():
        write_pairs(data / folder / "val.tsv.gz", lines)
    return runs, data


def test_practices_are_scored_and_compared_as_sacrebleu_does(practised, monkeypatch):
    outputs = {
        "pair-short": lambda pair: pair.target,
        "no-parent": lambda pair: "?",
        "no-tags": lambda pair: pair.target[: len(pair.target) // 2],
    }

    def translations(run, sets, *, write):
        return {p.source: outputs[run.name](p) for pairs in sets.values() for p in pairs}

    monkeypatch.setattr(practices_module, "translations", translations)
    result = PracticesMeasurement(*practised).measure()
    assert list(result) == [PLAIN, "no-parent", "no-tags"]
    assert list(result[PLAIN]["sets"]) == ["books", "talks"], "a person types no tag"
    assert result[PLAIN]["sets"]["books"] == {"bleu": 100.0, "chrf": 100.0, "sentences": 3}
    assert result[PLAIN]["chrf"].value == pytest.approx(100)
    assert result[PLAIN]["brings"] is None
    pairs = [TextPair(*line) for line in LINES[:5]]
    halves = [sacrebleu.sentence_chrf(outputs["no-tags"](p), [p.target]).score for p in pairs]
    assert result["no-tags"]["chrf"].value == pytest.approx(np.mean(halves))
    assert result["no-tags"]["brings"].value == pytest.approx(np.mean(halves) - 100)
    assert result["no-parent"]["brings"].high < result["no-tags"]["brings"].low < 0


# -- the language check -----------------------------------------------------------------------


def test_each_source_of_the_language_check_counts_once(tiny_translator, tmp_path):
    pairs = [(SENTENCES[i], SENTENCES[i + 1]) for i in (0, 2, 4, 4)]
    for place in product(("first", "second"), ("train.tsv.gz", "val.tsv.gz")):
        write_pairs(tmp_path.joinpath(*place), pairs)
    card = {"data": {"sets": [{"folder": "first"}, {"folder": "second"}]}}
    result = LanguageMeasurement(tiny_translator, tmp_path, card=card).measure()
    check = TextLanguage.from_values(result).check
    assert [profile.code for profile in check.profiles] == ["en", "de"]
    # Three sources in each of two sets; every other one sets the limits.
    tested = result["check"]["tested"]
    assert tested["en, validation"]["sentences"] == 3
    assert tested["de, validation"]["sentences"] == 6

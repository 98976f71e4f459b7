"""Every view has a claim, and explanations compute what they say by hand."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from scipy import special, stats

from support.messages import pages as explanations
from support.messages import texts
from ui.pages import pages
from viz.labels import line_width
from words import languages

VIEWS = [f"{page.id}-{view.id}" for page in pages() for view in page.views]
# Explanations of the attention page are those of its figures.
NAMED_OTHERWISE = {
    "attention-matrix": ("reading", "reading_single"),
    "attention-ribbons": ("ribbons",),
    "attention-arithmetic": ("arithmetic_reading",),
    "attention-together": (
        "together_mean",
        "together_max",
        "together_spread",
        "together_flow",
        "together_rollout_self",
    ),
    "attention-pair": ("pair",),
}
# One line of the page at 1280 pixels.
MOST = {"en": (15, 100), "ko": (15, 45)}  # words and characters
CLAIM, PAGE = 13, 985  # pixels of its letters and of the page, with the error of the estimate


def explained_by(view: str) -> tuple[str, ...]:
    return NAMED_OTHERWISE.get(view, (view.replace("-", "_"),))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("view", VIEWS)
def test_every_view_has_a_claim_of_one_line(view, language):
    claim = texts(language)[f"claim-{view}"]
    words, characters = MOST[language]
    assert len(claim.split()) <= words
    assert len(claim) <= characters
    assert claim.endswith(".")


def test_no_claim_is_without_a_view():
    ids = {id for id in texts("en") if id.startswith("claim-")}
    assert ids == {f"claim-{view}" for view in VIEWS}


@pytest.mark.parametrize("language", languages())
def test_legends_are_those_of_views_and_fit_into_the_line_of_the_claim(language):
    said = texts(language)
    legends = {id.removeprefix("legend-") for id in said if id.startswith("legend-")}
    assert legends <= set(VIEWS)
    for view in legends:
        line = f"{said[f'claim-{view}']} · {said[f'legend-{view}']}"
        assert line_width(line, CLAIM) <= PAGE, view


def sentences(text: str) -> set[str]:
    plain = re.sub(r"[*_]", "", " ".join(text.split()))
    return {sentence.strip(" .") for sentence in re.split(r"(?<=[.!?])\s", plain)}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("view", VIEWS)
def test_an_explanation_does_not_repeat_the_claim(view, language):
    claim = sentences(texts(language)[f"claim-{view}"])
    for name in explained_by(view):
        assert not claim & sentences(explanations(language)[f"{name}.md"]), name


# -- what is computed by hand ---------------------------------------------------------------------


def layer_norm(values: list[float]) -> list[float]:
    return list((np.array(values) - np.mean(values)) / np.std(values))


def length_penalty(length: int, alpha: float) -> float:
    return ((5 + length) / 6) ** alpha


def sharpened(probabilities: list[float], temperature: float) -> np.ndarray:
    return special.softmax(np.log(probabilities) / temperature)


def smoothed(epsilon: float, n: int) -> tuple[float, float]:
    target = np.full(n, epsilon / n)
    target[0] += 1 - epsilon
    return target[0], target[1]


def shares(parts: list[list[float]]) -> list[float]:
    """The covariance of each part with the sum, as a share of the variance of the sum."""
    whole = np.var(np.sum(parts, axis=0))
    return [np.cov(part, np.sum(parts, axis=0), bias=True)[0, 1] / whole for part in parts]


STREAM = np.array([3, 4]), np.array([0, -4])
COSINE = STREAM[0] @ STREAM[1] / math.prod(map(np.linalg.norm, STREAM))
SPEARMAN = stats.spearmanr([1, 2, 3], [1, 3, 2]).statistic
ROWS = np.array([[0.6, 0.4], [0.2, 0.8]])
WEIGHTS = special.softmax([16, 8]), special.softmax([2, 1])
# Name of the explanation, its example as computed here, and decimals.
EXAMPLES = [
    ("arithmetic_reading", [*np.exp([2, 1, 0]), sum(np.exp([2, 1, 0]))], 2),
    ("arithmetic_reading", special.softmax([2, 1, 0]), 2),
    ("arithmetic_additive", [math.tanh(0.5 + 0.5), 0.5 * 0.5], 2),
    ("arithmetic_scaling", WEIGHTS[0], 4),
    ("arithmetic_scaling", WEIGHTS[1], 2),
    ("beam_many", [100 * (1 - (1 + 2) / (3 + 1))], 0),
    ("beam_methods", [0.6**2, 0.4**2], 2),
    ("beam_methods", sharpened([0.6, 0.4], 0.5), 2),
    ("beam_tree", [length_penalty(7, alpha=1), -5 / length_penalty(7, alpha=1)], 1),
    ("beam_width", [8 / 10], 1),
    ("beam_width", [math.exp(1 - 10 / 8)], 2),
    ("block_gradients", [1.1**6], 1),
    ("block_norm", [np.std([1, 2, 3])], 2),
    ("block_norm", layer_norm([1, 2, 3]), 2),
    ("block_stream", [COSINE, *(np.linalg.norm(v) for v in (STREAM[0], sum(STREAM)))], 1),
    ("captions_gaze", [1 / 14**2], 3),
    ("cost_counted", [10**2 * 100, 10 * 100**2], 0),
    ("cost_measured", [math.log(4) / math.log(2)], 0),
    ("documents_agree", [0.5 * 0.4], 1),
    ("documents_read", [math.sqrt(0.25) * 0.4], 1),
    ("lineage_step", [*np.exp([0, -1]), *special.softmax([2, 1])], 2),
    ("masked_guess", [math.log(0.5), -math.log(0.25), math.log(0.5 * 0.25)], 2),
    ("masks_change", [math.exp(-2.3)], 1),
    ("masks_explain", [SPEARMAN], 1),
    ("masks_knockout", [math.exp(-0.69)], 1),
    ("pair", [np.abs(np.array([0.7, 0.3]) - [0.2, 0.8]).sum() / 2], 1),
    ("positions_encoding", [math.sin(1), math.cos(1)], 2),
    ("positions_encoding", [math.sin(2), math.cos(2)], 2),
    ("positions_order", [0.3 * 2 + 0.7 * 4], 1),
    ("ribbons", np.mean(ROWS, axis=0), 1),
    ("ribbons", np.sum(ROWS, axis=0), 1),
    ("together_flow", [min(0.3, 0.2)], 1),
    ("together_max", [max(0.1, 0.9)], 1),
    ("together_mean", [np.mean([0.1, 0.9])], 1),
    ("together_spread", [np.std([0.1, 0.9]), np.std([0, 1])], 1),
    ("training_forming", [0.8 / 2], 1),
    ("training_smoothing", [1 - 0.1, *smoothed(0.1, 4)], 3),
    ("worth_atlas", [0.35 - 0.20], 2),
    ("worth_gold", [1 - (3 + 3) / (4 + 4)], 2),
    ("worth_share", [0.5 * 0.6], 1),
    ("worth_why", [100 * share for share in shares([[1, -1], [0.5, -0.5]])], 0),
    ("zeroing", [100 * 0.03 / 0.04, 100 * 0.01 / 0.04], 0),
]


def written(value: float, decimals: int) -> str:
    """A number as texts write it: a true minus, commas, no zeros at the end."""
    text = f"{value:,.{decimals}f}".replace("-", "−")
    return text.rstrip("0").rstrip(".") if "." in text else text


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(("name", "values", "decimals"), EXAMPLES)
def test_what_is_computed_by_hand_is_right(name, values, decimals, language):
    text = explanations(language)[f"{name}.md"]
    numbers = {number.rstrip(".,") for number in re.findall(r"−?\d[\d.,]*", text)}
    numbers |= {number.rstrip("0").rstrip(".") for number in numbers if "." in number}
    assert {written(value, decimals) for value in values} <= numbers


# A third each, a tenth, a letter, a verdict, a half, a sum of two vectors: no decimals to compare.
BY_READING = {
    *("arithmetic_output", "beam_errors", "masks_seen", "roles", "training_here"),
    "training_warmup",
}


def test_every_example_by_hand_is_in_the_table():
    by_hand = {
        name.removesuffix(".md") for name, text in explanations().items() if "y hand" in text
    }
    computed = {name for name, _, _ in EXAMPLES}
    assert by_hand - BY_READING <= computed


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [(-2.5, 1, "−2.5"), (100000, 0, "100,000"), (2.0, 1, "2"), (0.30000000000000004, 1, "0.3")],
)
def test_numbers_are_written_as_in_texts(value, decimals, text):
    assert written(value, decimals) == text

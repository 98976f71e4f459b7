"""Shares told as their counts round them, not as what was stored of them rounds again."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import pytest

from support.models import ROOT, read_json

HALF = 5e-7  # of the last digit stored
COUNTED = [
    ("right", "sentences", "accuracy"),
    ("flips", "n", "share"),
    ("right", "n", "share_right"),
]
"""Keys of a count, of how many it is, and of the share."""


def wilson(k: int, n: int) -> tuple[float, float]:
    """Bounds of a share (Wilson 1927, eq. 1), 95 %."""
    z = 1.959963984540054
    centre = k + z * z / 2
    spread = z * math.sqrt(k * (n - k) / n + z * z / 4)
    return (centre - spread) / (n + z * z), (centre + spread) / (n + z * z)


def entries(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, dict | list):
            yield from entries(each)


def stored(pattern: str) -> Iterator[dict[str, Any]]:
    for file in sorted((ROOT / "checkpoints").glob(pattern)):
        yield from entries(read_json(file))


@pytest.mark.parametrize("file", ["card.json", "interventions.json"])
def test_a_stored_share_is_that_of_its_counts(file):
    rows = [
        (entry[share], entry[count] / entry[of])
        for entry in stored(f"*/{file}")
        for count, of, share in COUNTED
        if {count, of, share} <= entry.keys() and entry[of]
    ]
    assert [row for row in rows if abs(row[0] - row[1]) > HALF] == []
    assert len(rows) >= 6


def test_stored_bounds_are_those_of_wilson():
    """Without a stored count, the share and its total give it."""
    n_found = 0
    for entry in stored("*/gaze.json"):
        if {"n", "share", "low", "high"} <= entry.keys() and entry["n"]:
            k = round(entry["share"] * entry["n"])
            found = entry["share"], entry["low"], entry["high"]
            assert found == pytest.approx((k / entry["n"], *wilson(k, entry["n"])), abs=HALF)
            n_found += 1
    assert n_found >= 4 * 2 * 15


TOLD = {
    "docs/results.md": [
        ("Correct pronoun, 800 held-out two-noun sentences | {}% ({}–{})", 787, 800),
        ('a development set (always "sie": 58.1%) | {}% ({}–{})', 123, 148),
    ],
    "docs/results.ko.md": [("학습에 쓰지 않은 명사 두 개짜리 문장 800개 | {}% ({}–{})", 787, 800)],
    "docs/it.md": [
        ("most likely one in {}% of the 800 sentences ({} to {})", 788, 800),
        ("ablated, it is in {}% ({} to {})", 764, 800),
        ("changes {}% of the pronouns ({} to {})", 375, 800),
        ("62.8% (54.8 to 70.2) | {}% ({} to {})", 123, 148),
        ("without a near-duplicate in any training text | 103 | {}%", 60, 103),
    ],
    "docs/masked.md": [
        ("| no noun | 200 | 92.5 (88.0 to 95.4) | 100.0 (96.1 to 100.0) | {} ({} to {})", 91, 106),
    ],
    "checkpoints/en-de/README.md": [
        ("is the most likely one in {}% ({}% to {}%) of 800 held-out sentences", 787, 800),
        ("sie 50 of 60; always *sie*: {}%", 60, 103),
    ],
    "checkpoints/ko-en/README.md": [("pronoun in {}% ({}% to {}%) of 538 sentences", 323, 538)],
}


@pytest.mark.parametrize("page", TOLD)
def test_a_page_tells_a_share_as_its_counts_round_it(page):
    text = " ".join((ROOT / page).read_text(encoding="utf-8").replace(" %", "%").split())
    for sentence, k, n in TOLD[page]:
        told = [f"{100 * share:.1f}" for share in (k / n, *wilson(k, n))]
        assert sentence.format(*told) in text


def test_korean_pairs_and_the_mean_chrf_are_told_of_all_sets():
    data, told = ((ROOT / f"docs/{name}.md").read_text("utf-8") for name in ("data", "ko-en"))
    rows = re.findall(r"^\| `(ko-en-[\w-]+)` \| ([\d,]+) \|", data, re.MULTILINE)
    pairs = {name: int(count.replace(",", "")) for name, count in rows}
    assert len(pairs) == 15
    every, manuals = (round(n, -3) for n in (sum(pairs.values()), pairs["ko-en-softdocs"]))
    assert f"{every:,} training pairs, {manuals:,} of them from computer manuals" in told
    domains = [*read_json(ROOT / "checkpoints/ko-en/card.json")["scores"]["domains"].values()]
    for page in ("results.md", "results.ko.md"):
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        shown = [each for each in domains if re.search(rf"[ (]{each['sentences']:,}\)", text)]
        means = [sum(each["chrf"] for each in sets) / len(sets) for sets in (shown, domains)]
        assert (len(shown), len(domains)) == (9, 15)
        assert all(f"{mean:.1f}" in text for mean in means)

"""What was measured of all judges of documents alike, beside what others published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from model.checkpoint import checkpoints_folder
from records.lineage import Measured
from records.measurements import DOCUMENTS
from ui.kit.blocks import table
from ui.kit.layout import finding, subtitle
from ui.state import Run
from ui.stored import source_line, values_of
from ui.words import named, say, with_interval
from words.numbers import fixed, grouped, percent, signed

SETS = ("polarity", "reviews")
POINTING = ("attention", "drops", "gradient", "chance")
ASKED = ("sentence", "word", "word_there")
PUBLISHED = 88.1
"""Per cent of all 2,000 reviews that a bag of words is reported to judge rightly, ten folds."""


def measured_documents() -> dict[str, Any]:
    """What lies under ``checkpoints/``; where that is nothing, or damaged, the page says so."""
    return values_of(DOCUMENTS, checkpoints_folder())


def show(_run: Run) -> None:
    found = measured_documents()
    if not found:
        return
    told = list(verdicts(found))
    if told:
        finding(told[0])
    for name, rows in TABLES.items():
        if name != "accuracy":
            subtitle(f"documents-{name}")
        frame = pd.DataFrame(list(rows(found["systems"])))
        widths = dict.fromkeys(frame, 150) | {"system": 250}
        about = {"key": f"documents_{name}", "words": "documents-column", "widths": widths}
        table(f"documents-{name}", frame, published=fixed(PUBLISHED, 1), **about)
        if name == "accuracy":
            st.markdown("\n".join(f"- {line}" for line in told[1:]))
    if line := source_line(found):
        st.caption(line)


def verdicts(found: Mapping[str, Any]) -> Iterator[str]:
    """Which of two systems is better on each set, or that the interval leaves it open."""
    for pair, rows in found.get("differences", {}).items():
        first, _, second = pair.partition("-")
        for part in SETS:
            found = Measured.from_values(rows[part])
            outcome = "better" if found.low > 0 else "worse" if found.high < 0 else "open"
            yield say(
                f"documents-{outcome}",
                first=system_title(first),
                second=system_title(second),
                set=say(f"documents-set-{part}"),
                difference=with_interval(found, lambda share: signed(100 * share, 1)),
            )


def system_title(name: str) -> str:
    return named(f"documents-system-{name}", name)


def accuracy_rows(systems: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    for name, each in systems.items():
        yield {
            "system": system_title(name),
            **{part: in_percent(each[part]["accuracy"]) for part in SETS},
        }
    if folds := systems.get("bag", {}).get("folds"):
        accuracy = in_percent(folds["accuracy"])
        title = say("documents-folds", n=folds["folds"], documents=grouped(folds["documents"]))
        yield {"system": title, "polarity": accuracy, "reviews": "–"}


def pointing_rows(systems: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    for name, each in systems.items():
        for kind in POINTING if "pointing" in each else ():
            row = each["pointing"][kind]
            yield {
                "system": system_title(name),
                "by": say(f"documents-by-{kind}"),
                **{asked: in_percent(row[asked]) for asked in ASKED},
            }


def weight_rows(systems: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    for name, each in systems.items():
        for part in SETS:
            for how, row in each[part].get("weights", {}).items():
                yield {
                    "system": system_title(name),
                    "set": say(f"documents-set-{part}"),
                    "with": say(f"documents-weights-{how}"),
                    "same": in_percent(row["same"]),
                    "distance": in_number(row["distance"]),
                    "accuracy": in_percent(row["accuracy"]),
                }


def map_rows(systems: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Rank correlations and other maps, a line for each system, set and level."""
    for name, each in systems.items():
        for part in SETS:
            other = each[part].get("other", {})
            for level, row in each[part].get("correlation", {}).items():
                yield {
                    "system": system_title(name),
                    "set": say(f"documents-set-{part}"),
                    "level": say(f"documents-level-{level}"),
                    "drops": in_number(row["drops"]),
                    "gradient": in_number(row["gradient"]),
                    "both": in_number(row["each_other"]),
                    "divergence": in_number(other[level]["divergence"]),
                }


TABLES = {
    "accuracy": accuracy_rows,
    "pointing": pointing_rows,
    "outlives": weight_rows,
    "explains": map_rows,
}


def in_percent(values: Mapping[str, float] | None) -> str:
    """A share and its interval: "81.0% (75.2% to 86.4%)"."""
    return "–" if values is None else with_interval(Measured.from_values(values), percent)


def in_number(values: Mapping[str, float] | None) -> str:
    """A number that is no share, and its interval, with two decimals."""
    return "–" if values is None else with_interval(Measured.from_values(values))

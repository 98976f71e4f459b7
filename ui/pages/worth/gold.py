"""Heads against gold alignments: error rates over a set, and the links of one pair."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from core.gold import (
    END,
    PUBLISHED,
    READINGS,
    Gold,
    GoldPair,
    GoldSet,
    LinksError,
    Span,
    error_rate,
    error_table,
    gold_cells,
    linked_words,
    precision,
    read_links,
    recall,
    rows_of,
    tally,
    word_pieces,
    word_spans,
    word_weights,
)
from core.gold_sets import gold_pairs, gold_sets
from core.measurements import GOLD
from core.records.attention import AttentionRecord
from core.records.tokens import visible
from core.storage import Interval
from model import ModelError, Reader
from model.experiments.contributions import contributions_of
from ui.frame import address, choices
from ui.frame.choices import LONG
from ui.frame.messages import has_single_head, plain, say, site_name, with_interval
from ui.frame.model_cache import ask
from ui.frame.problems import show_problem
from ui.frame.run import Run
from ui.kit.blocks import picture
from ui.kit.clicks import click_count, clicked
from ui.kit.controls import choice, text_box
from ui.kit.head_menus import head_picker
from ui.kit.layout import bar, caption, controls, finding, settings
from ui.kit.measurements import stored_box, tell_source
from viz.gold import SELECTION_NAME, error_dots, gold_matrices
from viz.labels import full_head_name
from words.numbers import percent

DATA = "ATTENTION_LAB_DATA"
"""Environment variable of the folder of data sets; gold pairs are offered from it."""
OWN = -1  # index of the reader's own pair
# Links in the format of the gold files: source-target, p for possible instead of sure.
OURS = {
    ("en", "de"): (
        "The animal didn't cross the street because it was too tired.",
        "Das Tier überquerte die Straße nicht, weil es zu müde war.",
        "0-0 1-1 2p2 2-5 3-2 4-3 5-4 6-6 7-7 8-10 9-8 10-9 10p10",
    ),
    ("ko", "en"): (
        "나는 어제 친구와 함께 영화를 보았다.",
        "I saw a movie with a friend yesterday.",
        "0-0 1-7 2-6 2p4 2p5 3-4 4-3 4p2 5-1",
    ),
}
"""Pairs aligned by hand for this app."""


def show(run: Run) -> None:
    """Draw the links of one pair, or the error rates of all maps."""
    sets = gold_sets(run.card.languages)
    parts = ("pair", "heads")
    with controls():
        part = choice("gold_part", parts, title=False) if sets else "pair"
    measure = "weight"
    with settings():
        reading = choice("gold_reading", READINGS)
        if all(site.has_values for site in run.record.sites):
            measure = choice("gold_measure", ("weight", "length"), words="attention-measure")
    stored = run.card.measured(GOLD)
    measured_sets = stored.part.sets if stored.part else {}
    if part == "pair":
        _pair(run, measured_sets, reading, measure)
    elif measured_sets:
        _heads(run, measured_sets, reading, measure)
        tell_source(stored)
    else:
        stored_box(stored)


def _heads(run: Run, measured_sets: dict[str, GoldSet], reading: str, measure: str) -> None:
    with settings():
        name = choice("gold_set", tuple(measured_sets), style="select")
    errors = error_table(measured_sets[name], reading, measure)
    published = PUBLISHED.get(name, {})
    # A click on a head opens it on the first page.
    if head := clicked("gold", SELECTION_NAME):
        query = {
            "layer": str(head["layer"] + 1),
            "head": str(head["head"] + 1),
            "kind": _site(run.record),
            "measure": measure,
        }
        address.go("attention", choices.of_frame() | query)
        st.rerun()
    best = errors.iloc[0]
    diagonal = errors[errors["map"] == "diagonal"].iloc[0]
    # The finding and the texts of the figure state the same facts.
    facts = {
        "best": say(f"gold-map-{best['map']}", layer=best["layer"] + 1, head=best["head"] + 1),
        "rate": float(best["error"]),
        "error": with_interval(Interval(*best[["error", "low", "high"]]), percent),
        "diagonal": float(diagonal["error"]),
        "n": measured_sets[name].pairs,
        "set": say(f"gold_set-{name}"),
        "published": len(published),
    }
    name = facts["best"] if best["head"] < 0 else _full_name(run, best["layer"], best["head"])
    headline = say("gold-found", head=name, rate=facts["rate"])
    finding(f"{headline}  \n:gray[:small[{say('gold-measured', **facts)}]]")
    figure = error_dots(errors, published, click=click_count("gold"))
    picture("gold-rates", figure, key="gold", clicks=True, numbers=errors, **facts)


def _full_name(run: Run, layer: int, head: int) -> str:
    """Return the name of a head with its site, as it begins a sentence; a single head has none."""
    site = _site(run.record)
    if has_single_head():
        name = site_name(site, "attention")
    else:
        name = full_head_name(site, int(layer), int(head))
    return name[:1].upper() + name[1:]


def _pair(run: Run, measured_sets: dict[str, GoldSet], reading: str, measure: str) -> None:
    """Draw the links of a head on one pair beside those of the mean over all heads."""
    site = next(site for site in run.record.sites if site.name == _site(run.record))
    drawn = st.container()
    with drawn, bar("gold"):
        default = _best_head(measured_sets, reading, measure)
        layer, head = head_picker("gold", site.n_layers, site.n_heads, default=default)
    chosen = _chosen_pair(run)
    if chosen is None:
        return
    record, pair = chosen
    maps = {"head": _by_words(run, record, pair, (layer, head), reading, measure)}
    if site.n_layers * site.n_heads > 1:
        maps["mean"] = _by_words(run, record, pair, None, reading, measure)
    sums = {name: tally(linked_words(by_words), pair) for name, by_words in maps.items()}
    of_head = sums["head"]
    # The finding and the texts of the figure state the same facts.
    facts = {
        "head": _full_name(run, layer, head),
        "n": int(of_head[2]),
        "right": int(of_head[1]),
        "sure": int(of_head[3]),
        "met": int(of_head[0]),
        "mean": int(sums["mean"][0]) if "mean" in sums else "none",
        "shifted": _shifted(run, record, pair, reading, measure) if "mean" in maps else "none",
        "reading": reading,
        # nan_to_num: without links a rate is 0 / 0.
        "error": float(np.nan_to_num(error_rate(of_head))),
        "precision": float(np.nan_to_num(precision(of_head))),
        "recall": float(np.nan_to_num(recall(of_head))),
    }
    lines = [say("gold-pair-other", source=plain(pair.source))] if _stands_in(run, pair) else []
    if pair.gold.possible:
        lines.append(say("gold-pair-found", **facts))
        lines.append(f":gray[:small[{say('gold-pair-numbers', **facts)}]]")
    else:
        lines.append(say("gold-pair-none", **facts))
    finding("  \n".join(lines))
    with drawn:
        _draw_maps(pair, maps, facts)


def _shifted(run: Run, record: AttentionRecord, pair: GoldPair, reading: str, measure: str) -> int:
    """Return the number of sure links that the mean over all heads finds in the other row."""
    # Most heads align in one of both rows of a word, so that the mean may be right one row off.
    other = next(name for name in READINGS if name != reading)
    by_words = _by_words(run, record, pair, None, other, measure)
    return int(tally(linked_words(by_words), pair)[0])


def _stands_in(run: Run, pair: GoldPair) -> bool:
    """Return True if the app's pair is drawn although the reader's sentence is another one."""
    ours = OURS.get(run.card.languages)
    return ours is not None and pair.source == ours[0] != run.src.text


def _draw_maps(pair: GoldPair, maps: dict[str, np.ndarray], facts: dict[str, Any]) -> None:
    """Draw maps by words with the gold links of their pair; `facts` are those of the messages."""
    target = _words(pair.target, pair.target_words)
    # END stands for words that are linked to </s>.
    source = [*_words(pair.source, pair.source_words), END]
    # Only tooltips number the words: links name them by indices from 0.
    named = _numbered(target), _numbered(source)
    titles = {"head": facts["head"], "mean": say("gold-mean")}
    if pair.gold.possible:
        met = {"head": facts["met"], "mean": facts["mean"]}
        titles = {
            name: say("gold-panel", map=title, met=met[name], sure=facts["sure"])
            for name, title in titles.items()
        }
    panels = {
        titles[name]: gold_cells(by_words, pair.gold, *named) for name, by_words in maps.items()
    }
    figure = gold_matrices(panels, target, source)
    picture("gold-pair", figure, numbers="cells", text=pair.source, **facts)


def _words(text: str, spans: Sequence[Span]) -> list[str]:
    """Return the words of a text."""
    return [visible(text[start:end]) for start, end in spans]


def _numbered(words: Sequence[str]) -> list[str]:
    """Return words with the indices by which links name them."""
    return [f"{at} {word}" if word != END else word for at, word in enumerate(words)]


def _site(record: AttentionRecord) -> str:
    return record.between("target", "source") or ""


def _best_head(
    measured_sets: dict[str, GoldSet], reading: str, measure: str
) -> tuple[int, int] | None:
    """Return the head that aligns best over the first set; None without a measurement."""
    for measured in measured_sets.values():
        errors = error_table(measured, reading, measure)
        # Rows without a head are means and baselines.
        best = errors[errors["head"] >= 0].iloc[0]
        return int(best["layer"]), int(best["head"])
    return None


def _chosen_pair(run: Run) -> tuple[AttentionRecord, GoldPair] | None:
    """Draw the menu of pairs or the boxes of an own one, and return the pair with its attention.

    None, with the reason, if the model cannot read it.
    """
    pairs = _pairs_there(run)
    at = OWN
    if pairs:
        at = choice(
            "gold_pair",
            (OWN, *range(len(pairs))),
            style="select",
            of=run.card.languages,
            text=lambda at: say("gold-own") if at == OWN else f"{at + 1} · {pairs[at].source}",
        )
    if at == OWN:
        return _typed_pair(run)
    pair = pairs[at]
    st.markdown(f"{plain(pair.source)}\n\n{plain(pair.target)}")
    record = _read(run, pair.source, pair.target)
    return None if record is None else (record, pair)


def _typed_pair(run: Run) -> tuple[AttentionRecord, GoldPair] | None:
    """Draw the boxes of an own pair, and return it with its attention."""
    initial = _first_pair(run)
    names = ("gold_source", "gold_target", "gold_links")
    texts = []
    for column, name, default in zip(st.columns(3), names, initial, strict=True):
        with column:
            texts.append(text_box(name, default, form=LONG, height=68, of=run.card.languages))
    source, target, links = texts
    if (source, target, links) == OURS.get(run.card.languages):
        caption("gold-ours")
    record = _read(run, source, target)
    if record is None:
        return None
    # The texts as the model has them: normalisation may have moved their words.
    source = record.src.text
    target = record.tgt.text
    source_words = word_spans(source)
    target_words = word_spans(target)
    gold = Gold.of(())
    try:
        gold = read_links(links, len(source_words), len(target_words))
    except LinksError as error:
        st.warning(plain(say(error.message)), icon=":material/link_off:")
    return record, GoldPair(source, target, source_words, target_words, gold)


def _read(run: Run, source: str, target: str) -> AttentionRecord | None:
    """Return the attention of a pair; None, with the reason, if the model cannot read it."""
    try:
        return run.translator.attend(source, target)
    except ModelError as error:
        show_problem(error)
        return None


def _first_pair(run: Run) -> tuple[str, str, str]:
    """Return the initial pair: that of the app if the model takes it, else input and output.

    As a last resort the input alone, twice: a model that does not end may write more than it can
    read.
    """
    source = run.src.text
    written = run.tgt.text if run.tgt else ""
    ours = OURS.get(run.card.languages, (source, written, ""))
    pairs = (ours, (source, written, ""))
    taken = (pair for pair in pairs if _takes(run.translator, *pair[:2]))
    return next(taken, (source, source, ""))


def _takes(reader: Reader, source: str, target: str) -> bool:
    """Return True if the model can read a pair, neither empty nor too long."""
    try:
        reader.source_of(source, "sentence")
        reader.target_of(target, "translation")
    except ModelError:
        return False
    return True


def _pairs_there(run: Run) -> Sequence[GoldPair]:
    """Return the pairs of the first installed set in the model's languages; empty without one."""
    for name in gold_sets(run.card.languages):
        try:
            return gold_pairs(Path(os.environ.get(DATA) or "data"), name, run.card.languages)
        except (OSError, ValueError):
            continue
    return ()


def _by_words(
    run: Run,
    record: AttentionRecord,
    pair: GoldPair,
    head: tuple[int, int] | None,
    reading: str,
    measure: str,
) -> np.ndarray:
    """Return the map of a head by words, as shares of its rows; None means the mean over heads."""
    weights = record.of(_site(record)).weights
    if measure == "length":
        contributions = ask(
            run.translator, contributions_of, record, key=(record.src.ids, record.tgt.ids)
        )
        weights = next(site.norms for site in contributions if site.site_id == _site(record))
    # float64, because pieces are summed.
    weights = weights.astype(np.float64)
    target_pieces = word_pieces(record.tgt, pair.target_words)
    source_pieces = word_pieces(record.src, pair.source_words)
    by_words = word_weights(
        weights.mean(axis=(0, 1)) if head is None else weights[head],
        rows_of(target_pieces, reading),
        source_pieces,
    )
    # tiny keeps rows without weight at 0.
    return by_words / np.maximum(by_words.sum(axis=-1, keepdims=True), np.finfo(np.float32).tiny)

"""Heads against gold alignments: error rates over a set, and the links of one pair."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import streamlit as st

from core.attention import AttentionRecord
from core.gold import (
    END,
    PUBLISHED,
    READINGS,
    Gold,
    GoldPair,
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
from core.measurements import GOLD, GoldSet
from core.stored import Interval
from core.tokens import visible
from model import ModelError, Reader
from model.experiments.contributions import contributions_of
from ui import address
from ui.address import LONG
from ui.kit.blocks import head_picker, picture
from ui.kit.controls import choice, click_count, clicked, text_box
from ui.kit.layout import caption, controls, finding, settings
from ui.state import Run, show_problem
from ui.stored import stored_box, tell_source
from ui.words import head_name, plain, say, with_interval
from viz.gold import SELECTION_NAME, error_dots, gold_matrix
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
    """Draw the error rates of all maps, or the links of one pair."""
    sets = gold_sets(run.card.languages)
    parts = ("heads", "pair")
    with controls():
        part = choice("gold_part", parts, title=False) if sets else "pair"
    measure = "weight"
    with settings():
        reading = choice("gold_reading", READINGS)
        if all(site.has_values for site in run.record.sites):
            measure = choice("gold_measure", ("weight", "length"), words="attention-measure")
    stored = run.card.lies(GOLD)
    of = stored.part.sets if stored.part else {}
    if part == "pair":
        _pair(run, of, reading, measure)
    elif of:
        _heads(run, of, reading, measure)
        tell_source(stored.values)
    else:
        stored_box(stored)


def _heads(run: Run, of: dict[str, GoldSet], reading: str, measure: str) -> None:
    with settings():
        name = choice("gold_set", tuple(of), style="select")
    errors = error_table(of[name], reading, measure)
    published = PUBLISHED.get(name, {})
    # A click on a head opens it on the first page.
    if at := clicked("gold", SELECTION_NAME):
        where = {"layer": str(at["layer"] + 1), "head": str(at["head"] + 1)}
        kind = run.record.between("target", "source") or ""
        address.go("attention", address.of_frame() | where | {"kind": kind, "measure": measure})
        st.rerun()
    best = errors.iloc[0]
    along = errors[errors["map"] == "diagonal"].iloc[0]
    told = {
        "best": say(f"gold-map-{best['map']}", layer=best["layer"] + 1, head=best["head"] + 1),
        "error": with_interval(Interval(*best[["error", "low", "high"]]), percent),
        "diagonal": float(along["error"]),
        "n": of[name].pairs,
        "set": say(f"gold_set-{name}"),
        "published": len(published),
    }
    finding(say("gold-found", **told))
    figure = error_dots(errors, published, click=click_count("gold"))
    picture("gold-rates", figure, key="gold", clicks=True, numbers=errors, **told)


def _pair(run: Run, of: dict[str, GoldSet], reading: str, measure: str) -> None:
    site = next(site for site in run.record.sites if site.name == _site(run.record))
    with settings():
        default = _best_head(of, reading, measure)
        layer, head = head_picker(
            "gold", site.n_layers, site.n_heads, default=default, address=True
        )
    drawn, typing = st.columns((5, 3), gap="medium")
    with typing:
        found = _chosen_pair(run)
    if found is None:
        return
    record, pair = found
    by_words = _by_words(run, record, pair, (layer, head), reading, measure)
    sums = tally(linked_words(by_words), pair)
    rates = {"error": error_rate, "precision": precision, "recall": recall}
    told = {
        "head": head_name(layer, head, title=True),
        "n": int(sums[2]),
        "right": int(sums[1]),
        "sure": int(sums[3]),
        "met": int(sums[0]),
        # nan_to_num: without links a rate is 0 / 0.
        **{name: float(np.nan_to_num(rate(sums))) for name, rate in rates.items()},
    }
    finding(say("gold-pair-found" if pair.gold.possible else "gold-pair-none", **told))
    target = _words(pair.target, pair.target_words)
    source = _words(pair.source, pair.source_words)
    with drawn:
        cells = gold_cells(by_words, pair.gold, target, [*source, END])
        # END stands for words that are linked to </s>.
        figure = gold_matrix(cells, target, [*source, END])
        picture("gold-pair", figure, numbers="cells", text=pair.source, **told)


def _words(text: str, spans: Sequence[Span]) -> list[str]:
    """Return words with the indices by which links name them."""
    return [f"{at} {visible(text[start:end])}" for at, (start, end) in enumerate(spans)]


def _site(record: AttentionRecord) -> str:
    return record.between("target", "source") or ""


def _best_head(of: dict[str, GoldSet], reading: str, measure: str) -> tuple[int, int] | None:
    """Return the head that aligns best over the first set; None without a measurement."""
    for measured in of.values():
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
        ours = _first_pair(run)
        names = ("gold_source", "gold_target", "gold_links")
        source, target, links = (
            text_box(name, default, form=LONG, height=68, of=run.card.languages)
            for name, default in zip(names, ours, strict=True)
        )
        if (source, target, links) == OURS.get(run.card.languages):
            caption("gold-ours")
    else:
        source = pairs[at].source
        target = pairs[at].target
        st.markdown(f"{plain(source)}\n\n{plain(target)}")
    try:
        record = run.translator.attend(source, target)
    except ModelError as error:
        show_problem(error)
        return None
    if at != OWN:
        return record, pairs[at]
    # The texts as the model has them: normalisation may have moved their words.
    texts = record.src.text, record.tgt.text
    spans = tuple(map(word_spans, texts))
    gold = Gold.of(())
    try:
        gold = read_links(links, *map(len, spans))
    except LinksError as error:
        st.warning(plain(say(error.message)), icon=":material/link_off:")
    return record, GoldPair(*texts, *spans, gold)


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
    at: tuple[int, int],
    reading: str,
    measure: str,
) -> np.ndarray:
    """Return a head's map by words, as shares of its rows."""
    weights = record.of(_site(record)).weights
    if measure == "length":
        key = record.src.ids, record.tgt.ids
        made = run.ask(contributions_of, record, key=key)
        weights = next(each.norms for each in made if each.kind == _site(record))
    words, columns = (
        word_pieces(tokens, spans)
        for tokens, spans in ((record.tgt, pair.target_words), (record.src, pair.source_words))
    )
    # float64, because pieces are summed; tiny keeps rows without weight at 0.
    found = word_weights(weights[at].astype(np.float64), rows_of(words, reading), columns)
    return found / np.maximum(found.sum(axis=-1, keepdims=True), np.finfo(np.float32).tiny)

"""Source and target share of every output token, by ALTI+ (Ferrando et al. 2022)."""

from __future__ import annotations

import pandas as pd

from core.explain import mean_correlations
from core.measurements import SHARES
from core.records.sources import TokenSequence
from core.records.tokens import SPACE, numbered_labels
from core.source_share import (
    Shares,
    agreement_facts,
    share_cells,
    share_facts,
    share_lines,
    token_facts,
)
from model.experiments.explain import rank_correlation
from model.experiments.source_share import share_of
from ui.frame.messages import stated
from ui.frame.model_cache import ask
from ui.frame.run import Run
from ui.kit.blocks import picture
from ui.kit.controls import place_menu
from ui.kit.decisions import MOST_AT_ONCE, explained
from ui.kit.layout import controls, finding, folded, paragraph, subtitle
from ui.kit.measurements import stored_box, tell_source
from viz.source_share import share_curve, share_map


def show(run: Run) -> None:
    """Draw the source share along the output, all shares, and the agreement with leave-one-out."""
    shares = ask(run.translator, share_of, run.record, key=(run.src.ids, run.tgt.ids))
    stored = run.card.measured(SHARES)
    lines = share_lines(run.tgt.tokens, run.src.tokens, shares, stored.values.get("tenths", ()))
    facts = share_facts(run.tgt.tokens, shares)
    with controls():
        at = _token_menu(run)
    chosen = token_facts(run.tgt.tokens, run.src.tokens, shares, at)
    headline = stated("share-token-found", **chosen)
    finding(f"{headline}  \n:gray[:small[{stated('share-tokens-found', **facts)}]]")
    picture(
        "share-curve",
        share_curve(lines, chosen=at),
        below=stated("share-found", **facts),
        numbers=lines,
        n=len(lines),
        text=run.src.text,
        whole=facts["whole"],
        usual=_usual(lines),
    )
    if stored.state != "found":
        stored_box(stored)
    cells = share_cells(run.record, shares)
    subtitle("share-tokens")
    picture(
        "share-map",
        share_map(run.record, cells, chosen=at),
        numbers=cells,
        n=len(lines),
        text=run.src.text,
        whole=facts["whole"],
    )
    with folded("table"):
        # Leave-one-out costs a pass for each token.
        if len(run.src) * len(run.tgt) <= MOST_AT_ONCE:
            _agreement(run, shares)
        if stored.values:
            paragraph("share-agreement-stored", **agreement_facts(stored.values))
            tell_source(stored)


def _token_menu(run: Run) -> int:
    """Draw the menu of produced tokens; return the place of the chosen one, first the longest."""
    return place_menu(
        "share_token",
        numbered_labels(run.tgt.tokens),
        default=longest_token(run.output),
        width=250,
    )


def _usual(lines: pd.DataFrame) -> float | str:
    """Return the mean share of the source in the test set at the same places, if it is stored."""
    return float(lines["mean"].mean()) if "mean" in lines else "none"


def longest_token(output: TokenSequence) -> int:
    """Return the place of the longest token, which is rarely a function word; special ones last."""
    lengths = [
        0 if special else len(token.removeprefix(SPACE))
        for token, special in zip(output.tokens, output.special, strict=True)
    ]
    return lengths.index(max(lengths))


def _agreement(run: Run, shares: Shares) -> None:
    """Draw a sentence on how shares and mean weights correlate with leave-one-out."""
    drops = explained(run, None).drops
    across = run.record.between("target", "source")
    weights = run.record.of(across).weights.mean(axis=(0, 1))
    source_shares = shares.source.astype("float32")
    paragraph(
        "share-agreement",
        alti=float(mean_correlations(rank_correlation(source_shares, drops))),
        weights=float(mean_correlations(rank_correlation(weights, drops))),
    )

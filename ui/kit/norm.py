"""Norms in place of weights: the menu of measures, maps in a measure, and their captions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.contributions import measured
from core.records.attention import MEASURES, AttentionMap, AttentionRecord, Measure
from core.weights.checks import Check, vectors_check
from core.weights.groups import is_special
from core.weights.measures import row_shares, special_mass
from model import Reader
from model.experiments.contributions import contributions_of
from model.experiments.value_zeroing import value_zeroing
from ui.frame.messages import plain, quoted, say, site_name
from ui.frame.model_cache import ask, cached
from ui.frame.run import RECORDING, Run
from ui.kit.controls import choice
from ui.kit.layout import caption


def measure_choice(
    reader: Reader,
    container: Callable[[], DeltaGenerator],
    *,
    title: bool = True,
    more: tuple[Measure, ...] = (),
) -> Measure:
    """Draw the menu of measures in a container and return the choice; "weight" without values.

    `more` are offered behind the measures of every page.
    """
    if not tells_values(reader):
        return "weight"
    # The later measures need the vectors after residual and norm.
    measures = MEASURES if "vectors" in reader.capabilities else MEASURES[:2]
    with container():
        return choice(
            "measure",
            (*measures, *more),
            words="attention-measure",
            style="select",
            title=title,
            width=128,
        )


def tells_values(reader: Reader) -> bool:
    """Return True if the values behind every attention site can be recorded."""
    return bool(reader.sites) and all(site.has_values for site in reader.sites)


def name_lacking(reader: Reader, why: str = "") -> None:
    """Explain why there is no menu of measures: the message `why`, or what the model lacks."""
    if not why and reader.sites and not tells_values(reader):
        recorded = reader.card.architecture == RECORDING
        why = "recording-no-values" if recorded else "model-no-values"
    if why:
        reason = say(why, name=plain(reader.card.name))
        caption("view-unfit", views=say("attention-measure-length"), why=reason)


@dataclass(frozen=True, eq=False)
class _Pass:
    """Cache key and arguments of `_measured`: one pass of a model."""

    reader: Reader
    record: AttentionRecord
    change: Any

    @property
    def identity(self) -> tuple[Any, ...]:
        tgt = self.record.tgt
        return (
            self.reader.card.fingerprint,
            self.record.src.ids,
            tgt.ids if tgt else (),
            self.change,
        )


def in_measure(
    reader: Reader, record: AttentionRecord, measure: Measure, change: Any = None
) -> tuple[AttentionRecord, float | None]:
    """Return the maps of a run in `measure`, and the largest error of their vector sums.

    The error is None for weights, also if the model has no values. `change` is the intervention of
    the run (see `Reader.replay`).
    """
    if measure == "weight" or not tells_values(reader):
        return record, None
    return _measured(_Pass(reader, record, change or None), measure)


@cached("identity")
def _measured(of: _Pass, measure: Measure) -> tuple[AttentionRecord, float]:
    contributions = ask(of.reader, contributions_of, of.record, of.change, key=of.identity)
    # The page prints one number, so the worst site speaks for all.
    error = max(site.error for site in contributions)
    return measured(of.record, contributions, measure), error


def as_measured(run: Run, measure: Measure) -> tuple[Run, float | None]:
    """Return the run with its maps in `measure`, and the error of `in_measure`.

    Value zeroing has a map of encoder self-attention only.
    """
    if measure == "zeroing":
        record = replace(run.record, maps=(zeroing_map(run),))
        return replace(run, translation=replace(run.translation, attention=record)), None
    record, error = in_measure(run.translator, run.record, measure, run.change)
    if error is None:
        return run, None
    return replace(run, translation=replace(run.translation, attention=record)), error


def can_zero(run: Run) -> bool:
    """Return True if one token's values can be zeroed in the pass on screen."""
    # Zeroing runs the plain model, so it would not match an intervention on screen.
    fits = {*vars(value_zeroing)["needs"]} <= run.capabilities and not run.change
    return fits and run.record.between("source", "source") is not None


def zeroing_map(run: Run) -> AttentionMap:
    """Return value zeroing of every encoder layer as row shares, one head per layer.

    The values of all heads of a layer are zeroed together (Mohebbi et al. 2023).
    """
    site = run.record.between("source", "source")
    assert site is not None  # `can_zero`
    attention = run.record.of(site)
    shares = [
        row_shares(ask(run.translator, value_zeroing, run.src, run.tgt, layer))
        for layer in range(attention.n_layers)
    ]
    return replace(
        attention,
        # float32 as all maps; the new axis is that of the single head.
        weights=np.stack(shares)[:, None].astype(np.float32),
        site=replace(attention.site, n_heads=1, normalised=True),
        scores=None,
        head_masks=None,
        measure="zeroing",
    )


def tell_measure(attention: AttentionMap, *errors: float | None) -> None:
    """Draw a caption of the measure, with the check that its vectors sum to the output.

    Nothing is drawn for weights. `errors` are those of `in_measure`.
    """
    if attention.measure == "weight":
        return
    residual = "own" if attention.site.is_self else "other"
    sentences = [say(f"attention-measure-{attention.measure}-told", residual=residual)]
    checked = [error for error in errors if error is not None]
    if checked:
        sentences.append(ticked(vectors_check(max(checked))))
    st.caption(" ".join(sentences))


def ticked(check: Check, around: str = "") -> str:
    """Return a check as Markdown behind its tick or cross; `around` is a mark such as ``**``."""
    mark = ":green[✓]" if check.passed else ":red[✗]"
    return f"{mark} {around}{say(check.title)}{around}"


def sink(weights: AttentionMap, norms: AttentionMap, layer: int) -> str:
    """Return the share of special tokens in weight and in norm by layer, `layer` in bold.

    Empty if the map has no special tokens or no norms (compare Kobayashi et al. 2020, section 4).
    """
    keys = weights.key_tokens
    # Each special token once, in order of appearance, which a set would lose.
    special = dict.fromkeys(t for t, s in zip(keys, is_special(keys), strict=True) if s)
    if not special or norms.measure == "weight":
        return ""
    in_weight = special_mass(weights).mean(-1)
    in_norm = special_mass(norms).mean(-1)
    shares = [
        say(
            "attention-sink-layer",
            layer=at + 1,
            open=int(at == layer),
            weight=float(in_weight[at]),
            norm=float(in_norm[at]),
        )
        for at in range(len(in_weight))
    ]
    return say(
        "attention-sink",
        tokens=quoted(*special),
        site=site_name(weights.site_id, "attention"),
        layers=", ".join(shares),
    )

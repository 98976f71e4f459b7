"""Norms in the place of weights: the switch, a run whose maps are drawn so, and what they show."""

from __future__ import annotations

from dataclasses import replace

from core.attention import MEASURES, AttentionMap, AttentionRecord, Measure
from core.contributions import measured
from core.measures import special_mass
from core.transform import is_special
from model.experiments.contributions import contributions_of
from ui.kit.controls import choice
from ui.kit.layout import caption, controls, settings
from ui.shared import cached
from ui.state import RECORDING, Run
from ui.views import View
from ui.words import plain, quoted, say, site_name


def measure_choice(run: Run, view: View) -> Measure:
    """What the numbers of the maps are: the switch, where the model tells its values and the view
    does not show how weights are made."""
    if "vectors" in view.needs or not tells_values(run):
        return "weight"
    offered = MEASURES if "vectors" in run.capabilities else MEASURES[:2]
    how = {"words": "attention-measure", "style": "select", "width": 128}
    with controls() if view.id == "matrix" else settings():
        return choice("measure", offered, title=view.id != "matrix", **how)


def name_lacking(run: Run) -> None:
    """Why there is no switch."""
    if not tells_values(run):
        recorded = run.choices.checkpoint == RECORDING
        why = "recording-no-values" if recorded else "model-no-values"
        why = say(why, name=plain(run.card.name))
        caption("view-unfit", views=say("attention-measure-length"), why=why)


def tells_values(run: Run) -> bool:
    return all(site.has_values for site in run.record.sites)


def as_measured(run: Run, measure: Measure) -> Run:
    """The same run with maps of norms."""
    if measure == "weight":
        return run
    record = _measured(run, measure)[0]
    return replace(run, translation=replace(run.translation, attention=record))


def error_of(run: Run, measure: Measure) -> float | None:
    """How far the vectors are from what they add up to; None where weights are drawn."""
    return None if measure == "weight" else _measured(run, measure)[1]


@cached("identity")
def _measured(run: Run, measure: Measure) -> tuple[AttentionRecord, float]:
    made = run.ask(contributions_of, run.record, run.change, key=run.identity)
    return measured(run.record, made, measure), max(each.error for each in made)


def sink(weights: AttentionMap, norms: AttentionMap, layer: int) -> str:
    """What special tokens get of the weight and of the norm in every layer, the open one in bold;
    empty where the map has none."""
    keys = weights.key_tokens
    special = dict.fromkeys(t for t, s in zip(keys, is_special(keys), strict=True) if s)
    if not special or norms.measure == "weight":
        return ""
    shares = []
    for at, both in enumerate(
        zip(*(special_mass(m).mean(-1) for m in (weights, norms)), strict=True)
    ):
        told = dict(zip(("weight", "norm"), map(float, both), strict=True))
        shares.append(say("attention-sink-layer", layer=at + 1, open=int(at == layer), **told))
    where = site_name(weights.kind, "attention")
    tokens = quoted(*special)
    return say("attention-sink", tokens=tokens, site=where, layers=", ".join(shares))

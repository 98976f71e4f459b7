"""A whole stack: its states read early and as paths, with a part left out, and its gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.block import lengths_table
from analysis.labels import token_label
from analysis.trajectories import Trajectories, trajectories, trajectory_table
from records import Gradients, Intervention, LeftOut, Lens, NoNorm, NoResidual
from ui.effect import effect_of, show_effect
from ui.kit.blocks import note, picture, table
from ui.kit.controls import asked, choice
from ui.kit.layout import controls, finding, folded, settings, subtitle
from ui.shared import cached
from ui.state import Run
from ui.words import named, plain, say
from viz.block import gradient_lines, length_lines, lens_grid, state_names
from viz.trajectories import token_paths
from words.numbers import fixed, percent

from .scene import FULL, IN_LINE, STACKS, Scene, make_scene, stream_of, streams

SHOWN = ("all", "one")  # of the paths
KINDS: dict[str, type[LeftOut]] = {"residual": NoResidual, "norm": NoNorm}
ALL = "all"
MOST_TEXT = 90  # characters of an output that stand above the picture
SEED = 0  # of the random weights
VANISHED = 1e-3  # of a gradient with residual connections, below which it is gone without


# -- the logit lens ------------------------------------------------------------------------


def show_lens(run: Run) -> None:
    """What the model would say after every sub-layer."""
    scene = make_scene(run, stacks=STACKS[::-1], width=187)
    lens, here = lens_of(run, scene.stack), scene.position
    figure, places = lens_grid(lens, scene.tokens, chosen=here), state_names(lens.places)
    later = np.flatnonzero(lens.wanted_ranks[:, here] != 1)
    first = int(later[-1]) + 1 if len(later) else 0  # from there on the token stays first
    told: dict[str, Any] = {"token": plain(token_label(scene.tokens[here])), "stack": scene.stack}
    if first == len(places):
        finding(say("block-lens-never", rank=int(lens.wanted_ranks[-1, here]), **told))
    else:
        finding(say("block-lens-from", place=places[first], **told))
    picture(
        "block-lens",
        figure,
        key="block_lens",
        numbers="cells",
        leave_out=["ink", "text"],
        stack=scene.stack,
        text=run.record.src.text,
    )
    lines = [
        map("{} {:.2f}".format, map(token_label, tokens[here]), probs[here])
        for tokens, probs in zip(lens.tokens, lens.probs, strict=True)
    ]
    rows = pd.DataFrame(lines).rename(columns=lambda rank: str(rank + 1))
    rows.insert(0, "after", places)
    rows = rows.assign(wanted=lens.wanted_probs[:, here], rank=lens.wanted_ranks[:, here])
    subtitle("block-lens-position", token=plain(scene.label))
    how = {"words": "block-lens", "formats": {"wanted": "%.4f", "rank": "%d"}}
    table("block-lens-table", rows, key="block_lens_table", stack=scene.stack, **how)


@cached("identity")
def lens_of(run: Run, stack: str) -> Lens:
    """The states of a stack, asked for what is written, or of the encoder for what was read."""
    side = run.translation.src if stack == "encoder" else run.translation.tgt
    return run.translator.lens(stream_of(run, stack), side.ids)


# -- paths ---------------------------------------------------------------------------------


def show_paths(run: Run) -> None:
    """The states of all tokens as paths in three dimensions."""
    scene = make_scene(run, token=asked("block_path_shown", SHOWN, SHOWN[0]) == "one")
    with settings():
        states = choice("block_path_states", ("raw", "unit"), words="block-path-states")
        one = choice("block_path_shown", SHOWN, words="block-path-shown") == "one"
    found = paths_of(run, scene.stack, states)
    if not found.shares.any():
        note("block-path-none", "timeline")
        return
    if np.isfinite(found.cosines[-1]).all():
        finding(_turned(found, scene, one))
    decoding = scene.stack == "decoder"
    written, chosen = scene.tokens if decoding else (), scene.position if one else None
    picture(
        "block-path",
        token_paths(found, scene.read, written=written, chosen=chosen),
        key="block_paths",
        numbers=lambda: trajectory_table(found).assign(
            token=lambda rows: [scene.labels[token - 1] for token in rows["token"]]
        ),
        n=len(scene.tokens),
        stack=scene.stack,
        states=states,
        places=len(found.places),
        share=percent(float(found.shares.sum())),
        text=run.record.src.text,
    )


@cached("identity")
def paths_of(run: Run, stack: str, states: str) -> Trajectories:
    return trajectories(stream_of(run, stack), unit=states == "unit")


def _turned(found: Trajectories, scene: Scene, one: bool) -> str:
    cosines, place = found.cosines[-1], scene.position
    if one:
        before, norm, cosine = map(fixed, (*found.norms[[0, -1], place], cosines[place]))
        told = {"before": before, "norm": norm, "cosine": cosine}
        return say("block-path-told", token=plain(scene.label), **told)
    ends = {"most": int(cosines.argmin()), "least": int(cosines.argmax())}
    tokens = {name: plain(scene.labels[at]) for name, at in ends.items()}
    values = {f"{name}_cosine": fixed(cosines[at]) for name, at in ends.items()}
    return say("block-path-found", n=len(cosines), stack=scene.stack, **tokens, **values)


# -- without a part ------------------------------------------------------------------------


def show_without(run: Run) -> None:
    """A residual connection or a layer norm left out, and the translation that results."""
    with controls():
        kind = choice("block_cut", tuple(KINDS), words="block-cut", width=180, **IN_LINE)
    with settings():
        stack = _part("stack", STACKS, lambda name: say(f"block-stack-{name}"))
        both = streams(run, FULL)
        places = [at for each in both for at in each.places if stack in (ALL, at.stack)]
        layer = _part("layer", [str(at + 1) for at in sorted({at.layer for at in places})])
        names = {at.name: named(f"block-sublayer-{at.name}", at.name) for at in places}
        name = _part("name", list(names), names.__getitem__)
    at_layer = None if layer == ALL else int(layer) - 1
    left = KINDS[kind](None if stack == ALL else stack, at_layer, None if name == ALL else name)
    change, seen = Intervention(left), "encoder" if stack == ALL else stack
    sides = [stream_of(run, seen, each) for each in (FULL, change)]
    tables = [lengths_table(side) for side in sides]
    figure = length_lines(*tables, sides[0].places)
    ends = zip(("plain", "changed"), (each.iloc[-1] for each in tables), strict=True)
    picture(
        "block-without",
        figure,
        key="block_lengths",
        numbers="lines",
        kind=kind,
        stack=seen,
        text=run.record.src.text,
        **{f"{of}_{it}": fixed(end[it]) for of, end in ends for it in ("length", "alike")},
    )
    effect = effect_of(run, change)
    after = effect.translation.text
    log_probs = {"before": fixed(effect.plain_total), "after": fixed(effect.total)}
    told = {
        "same": "yes" if after == run.translation.text else "no",
        "text": plain(after, MOST_TEXT),
    }
    place = {"stack": stack, "layer": layer, "name": names.get(name, ALL)}
    finding(say("block-without-found", kind=kind, **place, **told, **log_probs))
    show_effect(run, change, key="block_effect")


def _part(part: str, options: Sequence[str], text: Callable[[str], str] = str) -> str:
    words = f"block-cut-{part}"
    return choice(
        f"block_cut_{part}",
        (ALL, *options),
        words=words,
        style="select",
        default=options[0],
        text=lambda each: say(f"{words}-all") if each == ALL else text(each),
    )


# -- gradients -----------------------------------------------------------------------------


def show_gradients(run: Run) -> None:
    """How large the gradients are at every sub-layer, with residual connections and without."""
    kinds = ("random", "trained")
    with controls():
        weights = choice("block_weights", kinds, words="block-weights", width=180, **IN_LINE)
    found = gradients_of(run, SEED if weights == "random" else None)
    figure = gradient_lines(found)
    loss, cut_loss = (fixed(found.losses[Gradients.RUNS.index(r)]) for r in ("plain", "residual"))
    finding(vanished(found, weights))
    picture(
        "block-gradients",
        figure,
        key="block_gradients",
        numbers="lines",
        text=run.record.src.text,
        n=len(run.translation.tgt),
        loss=loss,
        cut_loss=cut_loss,
    )
    with folded("reading"):
        st.markdown(say("block-gradients-way", order="pre" if found.pre_norm else "post"))


def vanished(found: Gradients, weights: str) -> str:
    """How many sub-layers lose their gradient without residual connections."""
    plain, cut = (found.sizes[Gradients.RUNS.index(run)] for run in ("plain", "residual"))
    gone = ~(cut >= VANISHED * plain)  # NaN is less than can be told from rounding
    inside = {name: np.array([at.stack == name for at in found.places]) for name in STACKS}
    counts = {name: int((gone & there).sum()) for name, there in inside.items()}
    counts |= {f"n_{name}": int(there.sum()) for name, there in inside.items()}
    return say("block-gradients-found", weights=weights, vanished=fixed(VANISHED, 3), **counts)


@cached("identity", spinner="block-gradients-working")
def gradients_of(run: Run, seed: int | None) -> Gradients:
    """For the sentence on screen and its translation; random weights where a seed is given."""
    return run.translator.gradients(run.translation.src, run.translation.tgt, seed=seed)

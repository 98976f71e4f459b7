"""States inside the stack, read by the output layer (the logit lens)."""

from __future__ import annotations

from collections.abc import Sequence

from core.block import lens_facts, lens_rows
from core.records.sublayers import Lens
from model.experiments.block import lens_of
from ui.frame.messages import plain
from ui.frame.model_cache import ask
from ui.frame.run import Run
from ui.kit.blocks import picture, table
from ui.kit.layout import finding, subtitle
from viz.block import lens_grid, state_names

from .scene import STACKS, chosen_token, make_scene, stream_of


def show(run: Run) -> None:
    # The output layer has no word for a source that is read with another vocabulary.
    one = run.translator.tokenizers["source"] is run.translator.tokenizer
    scene = make_scene(run, stacks=STACKS[::-1] if one else STACKS[1:], width=187)
    position = scene.position
    side = run.src if scene.stack == "encoder" else run.tgt
    stream = stream_of(run, scene.stack)
    lens = ask(run.translator, lens_of, stream, side.ids, key=(run.identity, scene.stack))
    states = state_names(lens.places)
    _finding(lens, position, states, token=chosen_token(run, scene), stack=scene.stack)
    picture(
        "block-lens",
        lens_grid(lens, scene.tokens, chosen=position),
        key="block_lens",
        numbers="cells",
        leave_out=["ink", "text", "two", "percent"],
        stack=scene.stack,
        text=run.record.src.text,
    )
    rows = lens_rows(lens, position)
    rows.insert(0, "after", states)
    subtitle("block-lens-position", token=plain(scene.label))
    table(
        "block-lens-table",
        rows,
        key="block_lens_table",
        words="block-lens",
        formats={"wanted": "%.4f", "rank": "%d"},
        stack=scene.stack,
    )


def _finding(lens: Lens, position: int, states: Sequence[str], *, token: str, stack: str) -> None:
    """Say from which state on the chosen token is the likeliest one, and its probability there."""
    first, rank = lens_facts(lens, position)
    probs = lens.wanted_probs[:, position]
    last = len(states) - 1
    finding(
        "block-lens-found",
        place=states[first] if first <= last else "none",
        once="yes" if first == last else "no",
        first=float(probs[min(first, last)]),
        last=float(probs[last]),
        rank=rank,
        token=token,
        stack=stack,
    )

"""What the views of a block share: the stack, the token, and what goes through it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from analysis.labels import numbered_labels, token_labels
from records import Intervention, Stream
from ui.kit.controls import choice, place_menu
from ui.kit.layout import controls
from ui.shared import cached
from ui.state import Run

STACKS = ("encoder", "decoder")
FULL = Intervention()  # of the model as it is
IN_LINE: dict[str, Any] = {"style": "select", "title": False}
"""Of a menu in the line of the views, which has little room."""


@dataclass(frozen=True, eq=False)
class Scene:
    """One token of one stack."""

    stack: str
    tokens: tuple[str, ...]  # what the encoder reads, what the decoder writes
    read: tuple[str, ...]  # what goes in at these positions
    labels: tuple[str, ...]  # for a menu, of the decoder what it reads and what it writes
    position: int

    @property
    def label(self) -> str:
        return self.labels[self.position]


def make_scene(
    run: Run, *, token: bool = True, stacks: tuple[str, ...] = STACKS, width: int = 112
) -> Scene:
    """The menus for stack and token, and what they choose."""
    with controls():
        stack = choice("block_stack", stacks, words="block-stack", width=104, **IN_LINE)
        if stack == "encoder":
            side = run.translation.src
            read, labels = side.tokens, numbered_labels(side.tokens)
        else:
            side = run.translation.tgt
            read = next(a.query_tokens for a in run.record.maps if a.site.query == "target")
            pairs = zip(token_labels(read), token_labels(side.tokens), strict=True)
            labels = [f"{i} · {first} → {second}" for i, (first, second) in enumerate(pairs, 1)]
        position = 0
        if token:
            pronoun = run.example.pronoun if run.example and stack == "encoder" else ""
            lengths = [len(token) for token in side.tokens]
            first = side.pieces_of(pronoun) if pronoun else ()
            position = place_menu(
                f"block_{stack}_token",
                labels,
                words="block-token",
                default=first[0] if first else lengths.index(max(lengths)),
                width=width,
                **IN_LINE,
            )
    return Scene(stack, side.tokens, read, tuple(labels), position)


@cached("identity")
def streams(run: Run, change: Intervention) -> tuple[Stream, ...]:
    """What goes through encoder and decoder under a change."""
    return run.translator.streams(run.translation.src, run.translation.tgt, change or None)


def stream_of(run: Run, stack: str, change: Intervention = FULL) -> Stream:
    """What goes through one of the stacks."""
    return streams(run, change)[STACKS.index(stack)]

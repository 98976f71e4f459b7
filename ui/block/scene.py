"""What the views of a block share: the stack, the token, and what goes through it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from analysis.labels import numbered_labels, token_labels
from records import Intervention, Stream
from ui.choice import choice
from ui.shared import cached
from ui.state import Run

STACKS = ("encoder", "decoder")


@dataclass(frozen=True, eq=False)
class Scene:
    """One token of one stack.

    Attributes
    ----------
    stack : "encoder" or "decoder".
    stream : what goes through the stack.
    tokens : T names of its positions: what the encoder reads, what the decoder writes.
    ids : T ids of these.
    labels : T names for a menu, of the decoder what it reads and what it writes.
    position : of the chosen one, from 0.
    """

    run: Run
    stack: str
    stream: Stream
    tokens: tuple[str, ...]
    ids: tuple[int, ...]
    labels: tuple[str, ...]
    position: int

    @property
    def label(self) -> str:
        return self.labels[self.position]


def make_scene(run: Run, *, token: bool = True, stacks: tuple[str, ...] = STACKS) -> Scene:
    """The menus for stack and token, and what they choose.

    Parameters
    ----------
    token : offer the menu of tokens.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        stack = choice("block_stack", stacks, words="block-stack")
        side = run.translation.src if stack == "encoder" else run.translation.tgt
        labels = position_labels(run, stack)
        position = 0
        if token:
            position = token_menu(run, stack, labels)
    stream = streams(run, Intervention())[STACKS.index(stack)]
    return Scene(run, stack, stream, side.tokens, side.ids, labels, position)


def token_menu(run: Run, stack: str, labels: tuple[str, ...]) -> int:
    """The token that is chosen among those of a stack, by its position from 0."""
    return choice(
        f"block_{stack}_token",
        range(len(labels)),
        words="block-token",
        style="select",
        default=first_token(run, stack),
        text=lambda place: labels[place],
        spell=lambda place: str(place + 1),
        width=230,
    )


@cached("identity")
def streams(run: Run, change: Intervention) -> tuple[Stream, ...]:
    """What goes through encoder and decoder under a change.

    Raises
    ------
    InterventionError : the change fits neither the model nor the sentence.
    """
    return run.translator.streams(run.translation.src, run.translation.tgt, change or None)


def position_labels(run: Run, stack: str) -> tuple[str, ...]:
    """Names of the positions for a menu; of the decoder what each reads and what it writes."""
    if stack == "encoder":
        return tuple(numbered_labels(run.translation.src.tokens))
    written = run.translation.tgt.tokens
    pairs = zip(token_labels(read_tokens(run)), token_labels(written), strict=True)
    return tuple(f"{i} · {first} → {second}" for i, (first, second) in enumerate(pairs, start=1))


def read_tokens(run: Run) -> tuple[str, ...]:
    """What the decoder reads at each of its positions."""
    return next(a.query_tokens for a in run.record.maps if a.site.query == "target")


def first_token(run: Run, stack: str) -> int:
    """The pronoun of an example, the longest piece of any other sentence."""
    side = run.translation.src if stack == "encoder" else run.translation.tgt
    pronoun = run.example.pronoun if run.example and stack == "encoder" else ""
    found = side.pieces_of(pronoun) if pronoun else ()
    lengths = [len(token) for token in side.tokens]
    return found[0] if found else lengths.index(max(lengths))

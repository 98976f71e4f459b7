"""What is changed in a run of the model, all together, and how it stands in an address.

Parts stand between ``~`` and count from 1 as on the page, with ``all`` for every layer, head, row
or key. Only letters, digits and ``. - _ ~`` occur, which an address needs not escape:

    peek                            no causal mask
    hide-both-2.5                   tokens 2 and 5, from encoder, cross or both
    unread-2.5                      tokens 2 and 5 are not read at all
    mask-cross-2.1-8.2_9.2          layer 2 head 1: row 8 may not look at key 2, row 9 neither
    zero-encoder-1.3_2.all          heads off; also mean and uniform
    row-cross-2.1-8-0.2_0.8         the weights of row 8 of layer 2 head 1, from key 1 on
    source-shifted-3                positions: absent, permuted-<seed>, shifted-<by>, reversed
    target-permuted-7-12            the last number is how many positions are rearranged
    residual-encoder-2-self         no residual connection around that sub-layer; norm likewise
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from words import Message

from .attention import AttentionSite
from .change import Change, ChangeError, Room
from .changes import (
    BOTH,
    KINDS,
    AblatedHead,
    HiddenToken,
    LiftedMask,
    MaskedCell,
    OverriddenRow,
    Positions,
    UnreadToken,
)

MOST_ADDRESS = 6000  # characters of a change in an address
MOST_QUOTED = 60
UNREAD = "unread"
"""Where a token is hidden that is not read at all."""
_Kind = TypeVar("_Kind", bound=Change)


@dataclass(frozen=True, init=False)
class Intervention:
    """Changes of a run; the same ones in any order are equal.

    Masks act before the softmax, which makes the row sum to one again; then uniform heads, then
    overridden rows, then zero and mean outputs. Of two entries for the same head or row the one
    with fewer None counts; of two for the very same place the later one.
    """

    changes: tuple[Change, ...]  # kind by kind in the order of `KINDS`, each sorted

    def __init__(self, *changes: Change) -> None:
        by_place = {(type(change), change.place): change for change in changes}
        found = (change for change in by_place.values() if change.changes_something)
        object.__setattr__(self, "changes", tuple(sorted(found, key=_order)))

    def __bool__(self) -> bool:
        """False when nothing is changed."""
        return bool(self.changes)

    def __iter__(self) -> Iterator[Change]:
        return iter(self.changes)

    def __or__(self, other: Intervention) -> Intervention:
        """Both sets of changes; where they contradict each other, `other` counts."""
        return Intervention(*self.changes, *other.changes)

    def without(self, *changes: Change) -> Intervention:
        return Intervention(*(change for change in self.changes if change not in changes))

    def of(self, kind: type[_Kind]) -> tuple[_Kind, ...]:
        """The changes of one kind."""
        return tuple(change for change in self.changes if isinstance(change, kind))

    def replaced(self, kind: type[Change], *changes: Change) -> Intervention:
        """The same with these in the place of all changes of a kind."""
        return self.without(*self.of(kind)) | Intervention(*changes)

    @property
    def causal(self) -> bool:
        """Whether every causal mask is as it was."""
        return not self.of(LiftedMask)

    @property
    def masked(self) -> tuple[MaskedCell, ...]:
        return self.of(MaskedCell)

    @property
    def ablated(self) -> tuple[AblatedHead, ...]:
        return self.of(AblatedHead)

    @property
    def overridden(self) -> tuple[OverriddenRow, ...]:
        return self.of(OverriddenRow)

    def hidden_from(self, place: str) -> tuple[int, ...]:
        """The positions hidden from a site, from each of `BOTH` or by being `UNREAD`."""
        if place == UNREAD:
            return tuple(each.position for each in self.of(UnreadToken))
        if place == "both":
            found = (self.hidden_from(kind) for kind in BOTH)
            return tuple(sorted(set.intersection(*map(set, found))))
        return tuple(each.position for each in self.of(HiddenToken) if each.kind == place)

    def hiding(self, *positions: int, where: str) -> Intervention:
        """The same with these positions hidden there in place of those that were."""
        return self.without(*hide(*self.hidden_from(where), where=where)) | hide(
            *positions, where=where
        )

    def unseen_at(self, site: AttentionSite) -> tuple[int, ...]:
        """The keys that no head of the site may look at."""
        unread = self.hidden_from(UNREAD) if site.key == "source" else ()
        return (*self.hidden_from(site.name), *unread)

    def positions(self, side: str) -> Positions:
        """The positional encodings of "source" or "target"."""
        found = (each for each in self.of(Positions) if each.side == side)
        return next(found, Positions(side=side))

    def faults(self, room: Room) -> tuple[Message, ...]:
        """What a run lacks for these changes, each clause once; empty when all fit."""
        faults = [fault for each in self.changes for fault in each.faults(room)]
        unread = set(self.hidden_from(UNREAD))
        if unread and unread >= {*range(room.length("source") - 1)}:
            faults.append(Message("model-change-unread-all"))
        return tuple(dict.fromkeys(faults))

    @property
    def needs(self) -> frozenset[str]:
        """The capabilities that a family must have for it."""
        return frozenset(each.needs for each in self.changes)


def hiding_places(sites: Sequence[AttentionSite], capabilities: Collection[str]) -> tuple[str, ...]:
    """Where `hide` can hide a token of the source from a model, the most thorough way first."""
    places = []
    if UnreadToken.needs in capabilities:
        places.append(UNREAD)
    if HiddenToken.needs in capabilities:
        looking = [site.name for site in sites if site.key == "source"]
        places += ["both"] * (set(BOTH) <= set(looking)) + looking
    return tuple(places)


def hide(*positions: int, where: str = "both") -> Intervention:
    """The intervention that hides positions of the source: one of `hiding_places`."""
    if where == UNREAD:
        return Intervention(*map(UnreadToken, positions))
    kinds = BOTH if where == "both" else (where,)
    return Intervention(*(HiddenToken(kind, position) for kind in kinds for position in positions))


def _order(change: Change) -> Any:
    """Kind by kind; within one None stands before numbers."""
    values = (change.side,) if isinstance(change, Positions) else vars(change).values()
    return KINDS.index(type(change)), [(value is not None, value) for value in values]


def change_text(change: Intervention) -> str:
    """`change` as text; empty when nothing is changed. `read_change` gives it back."""
    return "~".join(part for kind in KINDS for part in kind.parts(change.of(kind)))


def read_change(text: str) -> Intervention:
    """The change that a text names, as far as it can be read."""
    return read_parts(text)[0]


def read_parts(text: str) -> tuple[Intervention, tuple[Message, ...]]:
    """The change that a text names, and a sentence for each part that cannot be read."""
    if len(text) > MOST_ADDRESS:
        found = {"n": len(text), "most": MOST_ADDRESS}
        return Intervention(), (Message.of("model-address-long", **found),)
    changes: list[Change] = []
    faults: list[Message] = []
    for part in filter(None, text.split("~")):
        try:
            changes += _read_part(part)
        except ChangeError as error:
            faults.append(left_out(part, error.message))
    return Intervention(*changes), tuple(faults)


def left_out(part: str, why: Message) -> Message:
    """The sentence that a part of an address was left out, and why."""
    short = part if len(part) <= MOST_QUOTED else part[: MOST_QUOTED - 1] + "…"
    return Message.of("model-address-left-out", part=short, why=why)


def _read_part(part: str) -> tuple[Change, ...]:
    start, _, rest = part.partition("-")
    for kind in KINDS:
        if start in kind.starts:
            return kind.read(start, rest)
    *known, last = (start for kind in KINDS for start in kind.starts)
    raise ChangeError(Message.of("model-address-start", known=", ".join(known), last=last))

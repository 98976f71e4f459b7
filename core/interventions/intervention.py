"""Interventions: all changes of a run together, and their spelling in an address.

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

from ..records.attention import AttentionSite
from .base import Change, ChangeError, Room
from .kinds import (
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
"""Site name of a token that is removed before the model reads it."""
_Change = TypeVar("_Change", bound=Change)


@dataclass(frozen=True, init=False)
class Intervention:
    """Set of changes of a run; the order in which they are given does not matter.

    Masks act before the softmax, which makes the row sum to one again; then uniform heads, then
    overridden rows, then zero and mean outputs. Of two entries for the same head or row the one
    with fewer None counts; of two for the very same place the later one.
    """

    changes: tuple[Change, ...]  # kind by kind in the order of `KINDS`, each sorted

    def __init__(self, *changes: Change) -> None:
        # A dict keeps the last of equal keys.
        latest = {(type(change), change.place): change for change in changes}
        changing = (change for change in latest.values() if change.changes_something)
        # Sorted, so that equal sets compare equal and have one address; frozen, hence the detour.
        object.__setattr__(self, "changes", tuple(sorted(changing, key=_order)))

    def __bool__(self) -> bool:
        """Return False if nothing is changed."""
        return bool(self.changes)

    def __iter__(self) -> Iterator[Change]:
        return iter(self.changes)

    def __or__(self, other: Intervention) -> Intervention:
        """Unite both sets of changes; `other` wins where they contradict each other."""
        return Intervention(*self.changes, *other.changes)

    def without(self, *changes: Change) -> Intervention:
        """Return the intervention without these changes."""
        return Intervention(*(change for change in self.changes if change not in changes))

    def of(self, change_class: type[_Change]) -> tuple[_Change, ...]:
        """Return the changes of one kind."""
        return tuple(change for change in self.changes if isinstance(change, change_class))

    def replaced(self, change_class: type[Change], *changes: Change) -> Intervention:
        """Return the intervention with these changes in the place of all of a kind."""
        return self.without(*self.of(change_class)) | Intervention(*changes)

    @property
    def causal(self) -> bool:
        """True if every causal mask is in place."""
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

    def hidden_from(self, where: str) -> tuple[int, ...]:
        """Return the positions hidden from a site, from each of `BOTH`, or by being `UNREAD`."""
        if where == UNREAD:
            return tuple(token.position for token in self.of(UnreadToken))
        if where == "both":
            hidden = (self.hidden_from(site) for site in BOTH)
            return tuple(sorted(set.intersection(*map(set, hidden))))
        return tuple(token.position for token in self.of(HiddenToken) if token.site == where)

    def hiding(self, *positions: int, where: str) -> Intervention:
        """Return the intervention with these positions hidden there, and no others."""
        return self.without(*hide(*self.hidden_from(where), where=where)) | hide(
            *positions, where=where
        )

    def unseen_at(self, site: AttentionSite) -> tuple[int, ...]:
        """Return the keys that no head of the site may attend to."""
        unread = self.hidden_from(UNREAD) if site.key == "source" else ()
        return (*self.hidden_from(site.name), *unread)

    def positions(self, side: str) -> Positions:
        """Return the positional encodings of "source" or "target"."""
        return next((p for p in self.of(Positions) if p.side == side), Positions(side=side))

    def faults(self, room: Room) -> tuple[Message, ...]:
        """Return the reasons why the changes do not fit a run, each once; empty if all fit."""
        faults = [fault for change in self.changes for fault in change.faults(room)]
        unread = set(self.hidden_from(UNREAD))
        # The last token, </s>, does not count as a word.
        if unread and unread >= {*range(room.length("source") - 1)}:
            faults.append(Message("model-change-unread-all"))
        return tuple(dict.fromkeys(faults))

    @property
    def needs(self) -> frozenset[str]:
        """Capabilities that a family must offer."""
        return frozenset(change.needs for change in self.changes)


def hiding_places(sites: Sequence[AttentionSite], capabilities: Collection[str]) -> tuple[str, ...]:
    """Return the ways to hide a token of the source from a model, the most thorough first."""
    ways = []
    if UnreadToken.needs in capabilities:
        ways.append(UNREAD)
    if HiddenToken.needs in capabilities:
        looking = [site.name for site in sites if site.key == "source"]
        # Both sites must be there; a list times False is empty.
        ways += ["both"] * (set(BOTH) <= set(looking)) + looking
    return tuple(ways)


def hide(*positions: int, where: str = "both") -> Intervention:
    """Return the intervention that hides positions of the source.

    `where`: one of `hiding_places`.
    """
    if where == UNREAD:
        return Intervention(*map(UnreadToken, positions))
    sites = BOTH if where == "both" else (where,)
    return Intervention(*(HiddenToken(site, position) for site in sites for position in positions))


def _order(change: Change) -> Any:
    """Sort by kind; within one, None stands before numbers."""
    # None and numbers cannot be compared; False sorts before True.
    values = (change.side,) if isinstance(change, Positions) else vars(change).values()
    return KINDS.index(type(change)), [(value is not None, value) for value in values]


def change_text(change: Intervention) -> str:
    """Write an intervention as text, the inverse of `read_change`; empty if nothing is changed."""
    return "~".join(part for cls in KINDS for part in cls.parts(change.of(cls)))


def read_change(text: str) -> Intervention:
    """Read the intervention that a text names, as far as it can be read."""
    return read_parts(text)[0]


def read_parts(text: str) -> tuple[Intervention, tuple[Message, ...]]:
    """Read the intervention that a text names, with a message for each part that cannot be read."""
    if len(text) > MOST_ADDRESS:
        return Intervention(), (Message.of("model-address-long", n=len(text), most=MOST_ADDRESS),)
    changes: list[Change] = []
    faults: list[Message] = []
    # A part that cannot be read must not take the rest of a shared link with it.
    for part in filter(None, text.split("~")):
        try:
            changes += _read_part(part)
        except ChangeError as error:
            faults.append(left_out(part, error.message))
    return Intervention(*changes), tuple(faults)


def left_out(part: str, why: Message) -> Message:
    """Return the message that a part of an address was left out, and why."""
    short = part if len(part) <= MOST_QUOTED else part[: MOST_QUOTED - 1] + "…"
    return Message.of("model-address-left-out", part=short, why=why)


def _read_part(part: str) -> tuple[Change, ...]:
    """Read one part of an address, by its first word."""
    start, _, rest = part.partition("-")
    for cls in KINDS:
        if start in cls.starts:
            return cls.read(start, rest)
    *others, last = (start for cls in KINDS for start in cls.starts)
    raise ChangeError(Message.of("model-address-start", known=", ".join(others), last=last))

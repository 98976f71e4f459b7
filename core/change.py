"""What every kind of change knows of itself, and how places are written in an address."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from words import Message, site_title

from .attention import TRANSFORMER_SITES, AttentionSite
from .block import SubLayer

MOST_NUMBER = 10**18
_ALL = "all"


class ChangeError(ValueError):
    """A change that cannot be, or a text that names none: `str(error)` says why in English."""

    def __init__(self, *faults: Message) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.message = faults[0] if len(faults) == 1 else Message.of("model-faults", all=faults)


@dataclass(frozen=True)
class Room:
    """What a run has room for."""

    sites: tuple[AttentionSite, ...]  # where the model attends
    # how many positions each side has; a side without a number has room for any
    lengths: Mapping[str, int]
    most: int  # positions the model takes at most
    means: bool = True  # whether mean outputs of heads are stored with the checkpoint
    sublayers: tuple[SubLayer, ...] = ()  # those of its blocks

    def site(self, name: str) -> AttentionSite | None:
        return next((site for site in self.sites if site.name == name), None)

    def length(self, side: str) -> int:
        return self.lengths.get(side, self.most)


@dataclass(frozen=True)
class Names:
    """Names of the positions of every site and of the source, for the words of a change.

    `single` are the sites that have one head alone, which needs no number.
    """

    rows: Mapping[str, Sequence[str]]
    keys: Mapping[str, Sequence[str]]
    source: Sequence[str] = ()
    single: Collection[str] = ()

    def row(self, kind: str, position: int) -> str:
        return _name(self.rows.get(kind, ()), position)

    def key(self, kind: str, position: int) -> str:
        return _name(self.keys.get(kind, ()), position)

    def source_token(self, position: int) -> str:
        return _name(self.source, position)

    def heads(self, kind: str, layer: int | None, head: int | None) -> Message:
        """A head, or several: "cross-attention layer 2 head 1"."""
        return heads_words(kind, layer, head, single=kind in self.single)


class Change:
    """A kind of change."""

    needs: ClassVar[str]  # the capability of a family that allows it
    starts: ClassVar[tuple[str, ...]]  # what its parts of an address begin with

    @property
    def place(self) -> tuple[Any, ...]:
        """Of two changes of one kind with the same place the later counts."""
        return tuple(vars(self).values())

    @property
    def changes_something(self) -> bool:
        return True

    def faults(self, room: Room) -> list[Message]:
        """What a run lacks for it, one clause each; empty when it fits."""
        raise NotImplementedError

    def sides(self, sites: Mapping[str, AttentionSite]) -> set[str]:
        """The sides whose positions it names, so that it means nothing for another sentence; none
        where the model has no such site."""
        return set()

    def words(self, names: Names) -> Message:
        """What it does, for a list of changes."""
        raise NotImplementedError

    @classmethod
    def parts(cls, changes: Sequence[Self]) -> Iterator[str]:
        """Sorted changes of this kind as parts of an address."""
        raise NotImplementedError

    @classmethod
    def read(cls, start: str, rest: str) -> tuple[Self, ...]:
        """The changes that the part ``<start>-<rest>`` names.

        Raises ChangeError: what is wrong with it.
        """
        raise NotImplementedError


class Placed(Change):
    """A change of some layers and heads of a site; None stands for all."""

    kind: str
    layer: int | None
    head: int | None

    @property
    def n_open(self) -> int:
        """How general it is: the number of places that stand for all."""
        return sum(value is None for value in vars(self).values())

    def layers(self, site: AttentionSite) -> range:
        return range(site.n_layers) if self.layer is None else range(self.layer, self.layer + 1)

    def faults(self, room: Room) -> list[Message]:
        site = room.site(self.kind)
        if site is None:
            return [Message.of("model-change-no-site", site=self.kind)]
        limits = {
            "layer": site.n_layers,
            "head": site.n_heads,
            "query": room.length(site.query),
            "key": room.length(site.key),
        }
        return [
            Message.of(
                "model-change-place",
                part=name,
                number=value + 1,
                site=site_title(site.name),
                n=limit,
            )
            for name, limit in limits.items()
            if (value := getattr(self, name, None)) is not None and value >= limit
        ]

    def sides(self, sites: Mapping[str, AttentionSite]) -> set[str]:
        site = sites.get(self.kind)
        named = {} if site is None else {"query": site.query, "key": site.key}
        return {side for name, side in named.items() if getattr(self, name, None) is not None}


# What places are called


def heads_words(kind: str, layer: int | None, head: int | None, *, single: bool = False) -> Message:
    """A head, or several: "cross-attention layer 2 head 1"; of a site with a `single` one that."""
    site = site_title(kind, "attention")
    if single:
        return Message.of("model-heads-single", site=site)
    if layer is None:
        if head is None:
            return Message.of("model-heads-all", site=site)
        return Message.of("model-heads-of-layers", site=site, head=head + 1)
    if head is None:
        return Message.of("model-heads-of-layer", site=site, layer=layer + 1)
    return Message.of("model-heads-one", site=site, layer=layer + 1, head=head + 1)


def _name(names: Sequence[str], position: int) -> str:
    return names[position] if position < len(names) else str(position + 1)


# What cannot be


def refuse(faults: Sequence[Message]) -> None:
    """Raise a `ChangeError` with all `faults`, if there are any."""
    if faults:
        raise ChangeError(*faults)


def unknown(name: str, value: str, known: Sequence[str]) -> Message:
    known = ", ".join(known)
    return Message.of("model-change-unknown", name=name, value=repr(value), known=known)


def place_faults(change: Change, *names: str) -> list[Message]:
    """What is wrong with the site and the places of these names, which count from 0."""
    faults = []
    kind = getattr(change, "kind", "a")
    if not (kind.isascii() and kind.replace("_", "a").isalnum()):
        faults.append(Message.of("model-change-site-name", site=repr(kind)))
    for name in names:
        value = getattr(change, name)
        if value is not None and value < 0:
            faults.append(Message.of("model-change-negative", name=name, value=value))
    return faults


# Parts of an address


def kinds_of(changes: Sequence[Any]) -> list[str]:
    """The sites that are named, those of a Transformer in their own order before all others."""
    first = list(TRANSFORMER_SITES)
    named = {change.kind for change in changes}
    return [kind for kind in first if kind in named] + sorted(named.difference(first))


def heads_text(kind: str, layer: int | None, head: int | None) -> str:
    return f"{kind}-{number_text(layer)}.{number_text(head)}"


def number_text(position: int | None) -> str:
    return _ALL if position is None else str(position + 1)


def split_part(text: str, count: int, example: str) -> list[str]:
    found = text.split("-", count - 1)
    if len(found) != count or not all(found):
        raise ChangeError(Message.of("model-address-incomplete", example=example))
    return found


def read_pair(text: str) -> tuple[int | None, int | None]:
    found = text.split(".")
    if len(found) != 2:
        raise ChangeError(Message.of("model-address-pair", text=repr(text)))
    first, second = (None if part == _ALL else read_whole(part) for part in found)
    return first, second


def read_whole(text: str) -> int:
    """A position from 0 for one that counts from 1."""
    number = read_digits(text)
    if number < 1:
        raise ChangeError(Message("model-address-zero"))
    return number - 1


def read_digits(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= MOST_NUMBER):
        raise ChangeError(Message.of("model-address-digits", text=repr(text)))
    return int(text)


def read_decimal(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ChangeError(Message.of("model-address-number", text=repr(text))) from None

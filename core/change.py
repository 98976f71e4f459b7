"""What every kind of change knows of itself, and how its fields are written in an address."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import groupby
from typing import Any, ClassVar, NamedTuple, Self

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

    def row(self, site: str, position: int) -> str:
        return _name(self.rows.get(site, ()), position)

    def key(self, site: str, position: int) -> str:
        return _name(self.keys.get(site, ()), position)

    def source_token(self, position: int) -> str:
        return _name(self.source, position)

    def heads(self, site: str, layer: int | None, head: int | None) -> Message:
        """A head, or several: "cross-attention layer 2 head 1"."""
        return heads_words(site, layer, head, single=site in self.single)


class Change:
    """A kind of change; all but those whose parts of an address are their own declare `spelt`."""

    needs: ClassVar[str]  # the capability of a family that allows it
    starts: ClassVar[tuple[str, ...]]  # what its parts of an address begin with
    begins: ClassVar[str] = ""  # the field that the start tells, where there are several
    # what follows the start: names of fields, the last ones once a change of those with equal first
    # ones, with `joint` between; "" for a part a change
    spelt: ClassVar[tuple[str, ...]] = ()
    joint: ClassVar[str] = ""
    example: ClassVar[str] = ""  # what follows the start, for who wrote too little

    def __post_init__(self) -> None:
        """Raises ChangeError: no run could have such a change."""
        if faults := self.unfit():
            raise ChangeError(*faults)

    def unfit(self) -> list[Message]:
        """What cannot be in any run: the name of a site that is none, a place below 0."""
        return place_faults(self, *(name for group in self.spelt for name in group.split(".")))

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
        """Changes of this kind as parts of an address, those of a Transformer's sites first."""
        for before, several in groupby(sorted(changes, key=cls._order), key=cls._before):
            lasts = [change._written(cls.spelt[-1]) for change in several]
            for last in [cls.joint.join(lasts)] if cls.joint else lasts:
                yield "-".join((*before, last))

    @classmethod
    def read(cls, start: str, rest: str) -> tuple[Self, ...]:
        """The changes that the part ``<start>-<rest>`` names.

        Raises ChangeError: what is wrong with it.
        """
        *first, last = cls.spelt
        texts = rest.split("-", len(first))
        if len(texts) <= len(first) or not all(texts):
            raise ChangeError(
                Message.of("model-address-incomplete", example=f"{start}-{cls.example}")
            )
        values = {cls.begins: start} if cls.begins else {}
        for group, text in zip(first, texts, strict=False):
            values |= cls._read(group, text)
        lasts = texts[-1].split(cls.joint) if cls.joint else texts[-1:]
        return tuple(cls(**values, **cls._read(last, text)) for text in lasts)

    def _order(self) -> tuple[int, int, str]:
        site = getattr(self, "kind", "")
        order = ("both", *TRANSFORMER_SITES)
        rank = order.index(site) if site in order else len(order)
        return self.starts.index(self._start), rank, site

    @property
    def _start(self) -> str:
        return getattr(self, self.begins) if self.begins else self.starts[0]

    def _before(self) -> tuple[str, ...]:
        return self._start, *map(self._written, self.spelt[:-1])

    def _written(self, group: str) -> str:
        """The values of fields whose names stand between points."""
        forms = _forms_of(type(self))
        return ".".join(forms[name].written(getattr(self, name)) for name in group.split("."))

    @classmethod
    def _read(cls, group: str, text: str) -> dict[str, Any]:
        names, forms = group.split("."), _forms_of(cls)
        texts = text.split(".") if len(names) > 1 else [text]
        if len(texts) != len(names):
            raise ChangeError(Message.of("model-address-pair", text=repr(text)))
        return {name: forms[name].read(part) for name, part in zip(names, texts, strict=True)}


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


def heads_words(site: str, layer: int | None, head: int | None, *, single: bool = False) -> Message:
    """A head, or several: "cross-attention layer 2 head 1"; of a site with a `single` one that."""
    title = site_title(site, "attention")
    if single:
        return Message.of("model-heads-single", site=title)
    if layer is None:
        if head is None:
            return Message.of("model-heads-all", site=title)
        return Message.of("model-heads-of-layers", site=title, head=head + 1)
    if head is None:
        return Message.of("model-heads-of-layer", site=title, layer=layer + 1)
    return Message.of("model-heads-one", site=title, layer=layer + 1, head=head + 1)


def _name(names: Sequence[str], position: int) -> str:
    return names[position] if position < len(names) else str(position + 1)


# What cannot be


def unknown(name: str, value: str, known: Sequence[str]) -> Message:
    known = ", ".join(known)
    return Message.of("model-change-unknown", name=name, value=repr(value), known=known)


def place_faults(change: Change, *names: str) -> list[Message]:
    """What is wrong with the site and the whole numbers of these names, which count from 0."""
    faults = []
    site = getattr(change, "kind", "a")
    if not (site.isascii() and site.replace("_", "a").isalnum()):
        faults.append(Message.of("model-change-site-name", site=repr(site)))
    for name in names:
        value = getattr(change, name)
        if isinstance(value, int) and value < 0:
            faults.append(Message.of("model-change-negative", name=name, value=value))
    return faults


# Values in an address


class Form(NamedTuple):
    """How the values of a type are spelt."""

    written: Callable[[Any], str]
    read: Callable[[str], Any]


def _forms_of(change: type[Any]) -> dict[str, Form]:
    return {field.name: FORMS[field.type] for field in fields(change) if field.type in FORMS}


def kinds_of(changes: Sequence[Any]) -> list[str]:
    """The sites that are named, those of a Transformer in their own order before all others."""
    return list(dict.fromkeys(change.kind for change in sorted(changes, key=Change._order)))


def _or_all(form: Form) -> Form:
    return Form(
        lambda value: _ALL if value is None else form.written(value),
        lambda text: None if text == _ALL else form.read(text),
    )


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


def _read_decimal(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ChangeError(Message.of("model-address-number", text=repr(text))) from None


_TEXT, _POSITION = Form(str, str), Form(lambda position: str(position + 1), read_whole)
FORMS = {
    "str": _TEXT,
    "str | None": _or_all(_TEXT),
    "int": _POSITION,
    "int | None": _or_all(_POSITION),
    "tuple[float, ...]": Form(
        lambda row: "_".join(repr(float(weight)).removesuffix(".0") for weight in row),
        lambda text: tuple(map(_read_decimal, text.split("_"))),
    ),
}
"""By the type of a field as it is declared; positions count from 1."""

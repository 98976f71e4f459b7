"""Base class of interventions on a run, and the spelling of their fields in an address."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import groupby
from typing import Any, ClassVar, NamedTuple, Self

from words import Message, site_title

from ..records.attention import TRANSFORMER_SITES, AttentionSite
from ..records.sublayers import SubLayer

MOST_NUMBER = 10**18
"""Largest number in an address; it still fits an int64."""
_ALL = "all"


class ChangeError(ValueError):
    """Impossible change, or a text that names none; ``str(error)`` gives the reason in English."""

    def __init__(self, *faults: Message) -> None:
        super().__init__("; ".join(map(str, faults)))
        # Several faults become one message that lists them.
        self.message = faults[0] if len(faults) == 1 else Message.of("model-faults", all=faults)


@dataclass(frozen=True)
class Room:
    """Limits of a run that an intervention must fit."""

    sites: tuple[AttentionSite, ...]  # attention sites of the model
    # number of positions of each side; a missing side is limited by `most`
    lengths: Mapping[str, int]
    most: int  # maximum number of positions of the model
    means: bool = True  # True if mean outputs of heads are stored with the checkpoint
    sublayers: tuple[SubLayer, ...] = ()  # sub-layers of its blocks

    def site(self, name: str) -> AttentionSite | None:
        """Return the site of that name, or None."""
        return next((site for site in self.sites if site.name == name), None)

    def length(self, side: str) -> int:
        """Return the number of positions of a side, `most` if it is not known."""
        return self.lengths.get(side, self.most)


@dataclass(frozen=True)
class Names:
    """Names of positions at every site and in the source, for descriptions of changes.

    `single` are the sites with a single head, which needs no number.
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
        """Describe one or several heads: "cross-attention layer 2 head 1"."""
        return heads_words(site, layer, head, single=site in self.single)


class Change:
    """Base class of all kinds of change.

    Subclasses declare `spelt`, or override `parts` and `read` if their spelling in an address is
    their own.
    """

    needs: ClassVar[str]  # capability that a family must offer
    starts: ClassVar[tuple[str, ...]]  # first words of its parts in an address
    begins: ClassVar[str] = ""  # field whose value is the first word, if there are several
    # fields encoded after the first word; changes equal in all but the last group are merged,
    # joined by `joint` ("" to keep every change a part of its own)
    spelt: ClassVar[tuple[str, ...]] = ()
    joint: ClassVar[str] = ""
    example: ClassVar[str] = ""  # rest of a complete part, quoted in the error of an incomplete one

    def __post_init__(self) -> None:
        """Validate the fields; raise ChangeError if no run could have such a change."""
        if faults := self.unfit():
            raise ChangeError(*faults)

    def unfit(self) -> list[Message]:
        """Return faults in any run, such as an invalid site name or a negative position."""
        return place_faults(self, *(name for group in self.spelt for name in group.split(".")))

    @property
    def place(self) -> tuple[Any, ...]:
        """De-duplication key: a later change of the class with this key replaces an earlier one."""
        return tuple(vars(self).values())

    @property
    def changes_something(self) -> bool:
        """False for a change that leaves every run as it is."""
        return True

    def faults(self, room: Room) -> list[Message]:
        """Return the reasons against the change in a run, one clause each; empty if it fits."""
        raise NotImplementedError

    def sides(self, sites: Mapping[str, AttentionSite]) -> set[str]:
        """Return the sides whose positions the change names, which tie it to one sentence.

        Empty if the model has no such site.
        """
        return set()

    def words(self, names: Names) -> Message:
        """Describe the change for a list of changes."""
        raise NotImplementedError

    @classmethod
    def parts(cls, changes: Sequence[Self]) -> Iterator[str]:
        """Yield changes of this kind as parts of an address, a Transformer's sites first."""
        # `groupby` joins only neighbours, so the sort must come first.
        for before, several in groupby(sorted(changes, key=cls._order), key=cls._before):
            lasts = [change._written(cls.spelt[-1]) for change in several]
            for last in [cls.joint.join(lasts)] if cls.joint else lasts:
                yield "-".join((*before, last))

    @classmethod
    def read(cls, start: str, rest: str) -> tuple[Self, ...]:
        """Read the changes that the part ``<start>-<rest>`` of an address names.

        Raises
        ------
        ChangeError : the part is incomplete, or a value cannot be read.
        """
        *first, last = cls.spelt
        # At most as many cuts as fields: the last group may hold a minus sign, as in 1e-05.
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
        """Return the sort key: first word, then Transformer sites before others."""
        site = getattr(self, "site", "")
        order = ("both", *TRANSFORMER_SITES)
        rank = order.index(site) if site in order else len(order)
        return self.starts.index(self._start), rank, site

    @property
    def _start(self) -> str:
        return getattr(self, self.begins) if self.begins else self.starts[0]

    def _before(self) -> tuple[str, ...]:
        """Return the first word and all fields but the last group, as text."""
        return self._start, *map(self._written, self.spelt[:-1])

    def _written(self, group: str) -> str:
        """Write the values of a group of fields, joined by points as their names are."""
        spellings = _spellings_of(type(self))
        return ".".join(spellings[name].written(getattr(self, name)) for name in group.split("."))

    @classmethod
    def _read(cls, group: str, text: str) -> dict[str, Any]:
        """Read the values of a group of fields, the inverse of `_written`."""
        names = group.split(".")
        spellings = _spellings_of(cls)
        # A single field may hold a point of its own, such as the weight 0.2.
        texts = text.split(".") if len(names) > 1 else [text]
        if len(texts) != len(names):
            raise ChangeError(Message.of("model-address-pair", text=repr(text)))
        return {name: spellings[name].read(part) for name, part in zip(names, texts, strict=True)}


class Placed(Change):
    """Change of some layers and heads of a site; None stands for all."""

    site: str
    layer: int | None
    head: int | None

    @property
    def n_open(self) -> int:
        """Generality: the number of fields that stand for all."""
        return sum(value is None for value in vars(self).values())

    def layers(self, site: AttentionSite) -> range:
        """Return the layers that the change covers."""
        return range(site.n_layers) if self.layer is None else range(self.layer, self.layer + 1)

    def faults(self, room: Room) -> list[Message]:
        site = room.site(self.site)
        if site is None:
            return [Message.of("model-change-no-site", site=self.site)]
        # Kinds without one of these fields skip its limit below, so one table serves all.
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
        site = sites.get(self.site)
        named = {} if site is None else {"query": site.query, "key": site.key}
        return {side for name, side in named.items() if getattr(self, name, None) is not None}


# What places are called


def heads_words(site: str, layer: int | None, head: int | None, *, single: bool = False) -> Message:
    """Describe one or several heads: "cross-attention layer 2 head 1".

    At a site with a `single` head the site alone is named.
    """
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
    """Return the name of a position, or its number from 1 if it has none."""
    return names[position] if position < len(names) else str(position + 1)


# What cannot be


def unknown(name: str, value: str, valid: Sequence[str]) -> Message:
    """Return the fault of a value that is none of `valid`."""
    return Message.of("model-change-unknown", name=name, value=repr(value), known=", ".join(valid))


def place_faults(change: Change, *names: str) -> list[Message]:
    """Return the faults of a change's site name and of these numbers, which count from 0."""
    faults = []
    site = getattr(change, "site", "a")
    # Hyphens, points and tildes would end the name in an address.
    if not (site.isascii() and site.replace("_", "a").isalnum()):
        faults.append(Message.of("model-change-site-name", site=repr(site)))
    for name in names:
        value = getattr(change, name)
        if isinstance(value, int) and value < 0:
            faults.append(Message.of("model-change-negative", name=name, value=value))
    return faults


# Values in an address


class Spelling(NamedTuple):
    """Spelling of the values of one type: writer and reader."""

    written: Callable[[Any], str]
    read: Callable[[str], Any]


def _spellings_of(change: type[Any]) -> dict[str, Spelling]:
    """Return the spelling of each field that has one, by its name."""
    # `from __future__ import annotations` makes types strings, which are the keys of `SPELLINGS`.
    return {
        field.name: SPELLINGS[field.type] for field in fields(change) if field.type in SPELLINGS
    }


def sites_of(changes: Sequence[Any]) -> list[str]:
    """Return the sites that the changes name, those of a Transformer first in their own order."""
    return list(dict.fromkeys(change.site for change in sorted(changes, key=Change._order)))


def _or_all(spelling: Spelling) -> Spelling:
    """Extend a spelling by "all" for None."""
    return Spelling(
        lambda value: _ALL if value is None else spelling.written(value),
        lambda text: None if text == _ALL else spelling.read(text),
    )


def read_whole(text: str) -> int:
    """Return a position from 0, written from 1."""
    number = read_digits(text)
    if number < 1:
        raise ChangeError(Message("model-address-zero"))
    return number - 1


def read_digits(text: str) -> int:
    """Return a non-negative number; raise ChangeError if `text` is none or too large."""
    # `isdigit` alone accepts digits of other scripts; the length guards `int` against huge texts.
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= MOST_NUMBER):
        raise ChangeError(Message.of("model-address-digits", text=repr(text)))
    return int(text)


def _read_decimal(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ChangeError(Message.of("model-address-number", text=repr(text))) from None


_TEXT = Spelling(str, str)
_POSITION = Spelling(lambda position: str(position + 1), read_whole)
SPELLINGS = {
    "str": _TEXT,
    "str | None": _or_all(_TEXT),
    "int": _POSITION,
    "int | None": _or_all(_POSITION),
    "tuple[float, ...]": Spelling(
        # `repr` round-trips a float exactly; ".0" is dropped to keep addresses short.
        lambda row: "_".join(repr(float(weight)).removesuffix(".0") for weight in row),
        lambda text: tuple(map(_read_decimal, text.split("_"))),
    ),
}
"""Spellings by the declared type of a field; positions count from 1."""

"""Kinds of intervention on a run, one class each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self, cast, get_args

import numpy as np

from words import Message, site_title

from ..records.attention import CROSS, DECODER, ENCODER, ROW_SUM_TOLERANCE, AttentionSite
from ..records.sublayers import STACKS, SubLayer, sublayer_title
from .base import (
    Change,
    ChangeError,
    Names,
    Placed,
    Room,
    place_faults,
    read_digits,
    sites_of,
    unknown,
)

Ablation = Literal["zero", "mean", "uniform"]
ABLATIONS: tuple[Ablation, ...] = get_args(Ablation)
PositionMode = Literal["normal", "absent", "permuted", "shifted", "reversed"]
POSITION_MODES: tuple[PositionMode, ...] = get_args(PositionMode)
MOST_WEIGHTS_NAMED = 3
"""Largest weights of an overridden row that its description names."""
BOTH = (ENCODER.name, CROSS.name)
"""Sites that "both" stands for in an address: all that read the source of a Transformer."""


@dataclass(frozen=True)
class LiftedMask(Change):
    """Lifted causal mask: queries of the site may attend to later positions too."""

    site: str = DECODER.name

    needs = "change-causal"
    starts = ("peek",)

    def faults(self, room: Room) -> list[Message]:
        site = room.site(self.site)
        if site is not None and site.causal:
            return []
        return [Message.of("model-change-not-causal", site=self.site)]

    def words(self, names: Names) -> Message:
        return Message.of("model-change-words-lifted", site=site_title(self.site))

    @classmethod
    def parts(cls, changes: Sequence[Self]) -> Iterator[str]:
        for change in changes:
            # The decoder is the usual site and goes without saying.
            yield "peek" if change == cls() else f"peek-{change.site}"

    @classmethod
    def read(cls, start: str, rest: str) -> tuple[Self, ...]:
        return (cls(rest) if rest else cls(),)


@dataclass(frozen=True)
class HiddenToken(Change):
    """Position, from 0, that no query of the site may attend to, in any layer and head."""

    site: str
    position: int

    needs = "change-hide"
    starts = ("hide",)
    spelt = ("site", "position")
    joint = "."
    example = "both-2.5"

    def faults(self, room: Room) -> list[Message]:
        site = room.site(self.site)
        if site is None:
            return [Message.of("model-change-no-site", site=self.site)]
        n = room.length(site.key)
        hidden = Message.of("model-change-hidden", position=self.position + 1, n=n)
        return [hidden] if self.position >= n else []

    def sides(self, sites: Mapping[str, AttentionSite]) -> set[str]:
        return {sites[self.site].key} if self.site in sites else set()

    def words(self, names: Names) -> Message:
        token = names.key(self.site, self.position)
        return Message.of("model-change-words-hidden", token=token, site=site_title(self.site))

    @staticmethod
    def words_of_all(tokens: Sequence[HiddenToken], names: Names) -> Message:
        """Describe a position that is hidden from several sites, in one sentence."""
        message = tokens[0].words(names)
        if len(tokens) == 1:
            return message
        # Languages put a word such as "and" before the last one.
        *others, last = (site_title(site) for site in sites_of(tokens))
        sites = Message.of("model-sites", others=tuple(others), last=last)
        return Message(message.id, {**message.values, "site": sites})

    @classmethod
    def parts(cls, changes: Sequence[Self]) -> Iterator[str]:
        """Yield the parts of an address."""
        # Positions hidden from encoder and decoder alike are written once, as "both".
        by_site = [{c.position for c in changes if c.site == site} for site in BOTH]
        both = set.intersection(*by_site)
        rest = [c for c in changes if c.site not in BOTH or c.position not in both]
        yield from super().parts([cls("both", position) for position in sorted(both)] + rest)

    @classmethod
    def read(cls, start: str, rest: str) -> tuple[Self, ...]:
        tokens = super().read(start, rest)
        # All tokens of a part share its site, so the first one speaks for all.
        sites = BOTH if tokens[0].site == "both" else (tokens[0].site,)
        return tuple(cls(site, token.position) for site in sites for token in tokens)


@dataclass(frozen=True)
class UnreadToken(Change):
    """Token of the source, from 0, that is removed before the model reads it.

    For a network that reads in order, this is the counterpart of hiding a token from every site.
    """

    position: int

    needs = "change-unread"
    starts = ("unread",)
    spelt = ("position",)
    joint = "."
    example = "2.5"

    def faults(self, room: Room) -> list[Message]:
        n = room.length("source")
        if self.position >= n:
            return [Message.of("model-change-unread", position=self.position + 1, n=n)]
        # The last source token is </s>, which tells a recurrent encoder that the sentence is over.
        return [Message("model-change-unread-end")] if self.position == n - 1 else []

    def sides(self, sites: Mapping[str, AttentionSite]) -> set[str]:
        return {"source"}

    def words(self, names: Names) -> Message:
        return Message.of("model-change-words-unread", token=names.source_token(self.position))


@dataclass(frozen=True)
class MaskedCell(Placed):
    """Masked cell; None stands for every layer, head, query or key.

    Layers, heads and positions count from 0. A query of the target is the position in what the
    decoder reads, ``<s>`` being 0; it produces the token of the same number.
    """

    site: str
    layer: int | None = None
    head: int | None = None
    query: int | None = None
    key: int | None = None

    needs = "change-mask"
    starts = ("mask",)
    spelt = ("site", "layer.head", "query.key")
    joint = "_"
    example = "cross-2.1-8.2"

    def words(self, names: Names) -> Message:
        sides = "-".join(name for name in ("query", "key") if getattr(self, name) is not None)
        values: dict[str, Any] = {"heads": names.heads(self.site, self.layer, self.head)}
        if self.query is not None:
            values |= {"row": self.query + 1, "query": names.row(self.site, self.query)}
        if self.key is not None:
            values["key"] = names.key(self.site, self.key)
        return Message(f"model-change-words-cell-{sides or 'any'}", values)


@dataclass(frozen=True)
class AblatedHead(Placed):
    """Ablated head; None stands for every layer or head.

    `ablation`: "zero" and "mean" replace the head's output by zeros, or by its mean over validation
    sentences, and leave its weights as they are; "uniform" gives every key that may be attended to
    the same weight.
    """

    site: str
    layer: int | None = None
    head: int | None = None
    ablation: Ablation = "zero"

    needs = "change-ablate"
    starts = ABLATIONS
    begins = "ablation"
    spelt = ("site", "layer.head")
    joint = "_"
    example = "cross-2.1"

    def unfit(self) -> list[Message]:
        faults = super().unfit()
        if self.ablation not in ABLATIONS:
            faults.append(unknown("how", self.ablation, ABLATIONS))
        return faults

    @property
    def place(self) -> tuple[Any, ...]:
        return self.site, self.layer, self.head

    def faults(self, room: Room) -> list[Message]:
        faults = super().faults(room)
        if self.ablation == "mean" and not room.means:
            faults.append(Message("model-change-no-means"))
        return faults

    def words(self, names: Names) -> Message:
        heads = names.heads(self.site, self.layer, self.head)
        return Message.of("model-change-words-off", heads=heads, how=self.ablation)


@dataclass(frozen=True)
class OverriddenRow(Placed):
    """Row of weights given by hand; None stands for every layer or head.

    `weights` are those of the keys from 0 on; keys beyond them get none.
    """

    site: str
    layer: int | None
    head: int | None
    query: int
    weights: tuple[float, ...]

    needs = "change-row"
    starts = ("row",)
    spelt = ("site", "layer.head", "query", "weights")
    example = "cross-2.1-8-0.2_0.8"

    def unfit(self) -> list[Message]:
        faults = super().unfit()
        if self.query is None:
            faults.append(Message("model-change-row-everywhere"))
        if not self.weights or not all(math.isfinite(w) for w in self.weights):
            faults.append(Message("model-change-row-not-finite"))
        elif min(self.weights) < 0:
            faults.append(Message.of("model-change-row-holds", weight=f"{min(self.weights):g}"))
        elif abs(_total(self.weights) - 1) > ROW_SUM_TOLERANCE:
            faults.append(Message.of("model-change-row-sum", sum=f"{_total(self.weights):g}"))
        return faults

    @property
    def place(self) -> tuple[Any, ...]:
        return self.site, self.layer, self.head, self.query

    def faults(self, room: Room) -> list[Message]:
        faults = super().faults(room)
        site = room.site(self.site)
        if site is not None and any(self.weights[room.length(site.key) :]):
            fault = Message.of(
                "model-change-weight-on-key",
                site=site_title(self.site),
                key=len(self.weights),
                n=room.length(site.key),
            )
            faults.append(fault)
        return faults

    def words(self, names: Names) -> Message:
        order = sorted(range(len(self.weights)), key=lambda key: -self.weights[key])
        weighted = [key for key in order if self.weights[key] > 0]
        named = [
            f"“{names.key(self.site, key)}” {self.weights[key]:.2f}"
            for key in weighted[:MOST_WEIGHTS_NAMED]
        ]
        return Message.of(
            "model-change-words-row",
            row=self.query + 1,
            query=names.row(self.site, self.query),
            heads=names.heads(self.site, self.layer, self.head),
            weights=", ".join(named),
            more=len(weighted) > len(named),
        )


def _total(weights: Sequence[float]) -> float:
    """Return the sum of finite non-negative `weights`; infinity beyond the largest float."""
    try:
        # Exact summation: a long row of decimals typed by hand must not miss one by rounding.
        return math.fsum(weights)
    except OverflowError:
        return math.inf


@dataclass(frozen=True)
class Positions(Change):
    """Positional encodings that the tokens of one side get."""

    # "normal"; "absent": none is added; "permuted": shuffled by `seed`; "shifted": `offset` above
    # the true position; "reversed": the last one first
    mode: PositionMode = "normal"
    offset: int = 0  # of "shifted", 0 or more
    seed: int = 0  # of "permuted"
    # number of positions from 0 that are permuted or reversed; later ones keep theirs. None means
    # the whole source; the target, whose length a search does not know, needs a number
    span: int | None = None
    side: str = "source"  # "source" or "target"

    needs = "change-positions"
    starts = ("source", "target")

    def unfit(self) -> list[Message]:
        faults = place_faults(self, "offset", "seed")
        if self.mode not in POSITION_MODES:
            faults.append(unknown("mode", self.mode, POSITION_MODES))
        if self.side not in self.starts:
            faults.append(unknown("side", self.side, self.starts))
        if self.span is not None and self.span < 1:
            faults.append(Message.of("model-change-span", span=self.span))
        # Reset settings that the mode ignores, so that equal changes compare equal.
        if self.mode != "shifted":
            object.__setattr__(self, "offset", 0)
        if self.mode != "permuted":
            object.__setattr__(self, "seed", 0)
        if self.mode not in ("permuted", "reversed"):
            object.__setattr__(self, "span", None)
        elif self.side == "target" and self.span is None:
            faults.append(Message.of("model-change-needs-span", mode=self.mode))
        return faults

    @property
    def place(self) -> tuple[Any, ...]:
        return (self.side,)

    @property
    def changes_something(self) -> bool:
        return self.mode != "normal"

    def order(self, length: int) -> np.ndarray:
        """Return the position that each of `length` tokens gets, int array (length,).

        The mode "absent" gives the same as "normal".

        Raises
        ------
        ValueError : "permuted" or "reversed" for a length below `span`.
        """
        order = np.arange(length)
        if self.mode == "shifted":
            return order + self.offset
        if self.mode in ("permuted", "reversed"):
            span = length if self.span is None else self.span
            if span > length:
                raise ValueError(f"span is {span}, more than the {length} tokens")
            # A generator for each call: every step of a search must get the same order.
            order[:span] = (
                np.random.default_rng(self.seed).permutation(span)
                if self.mode == "permuted"
                else order[:span][::-1].copy()
            )
        return order

    def most(self, room: Room) -> int:
        """Return how many positions can be rearranged: the source's, or the model's maximum."""
        return room.length("source") if self.side == "source" else room.most

    def faults(self, room: Room) -> list[Message]:
        if self.span is None or self.span <= self.most(room):
            return []
        return [Message.of(f"model-change-span-{self.side}", span=self.span, n=self.most(room))]

    def words(self, names: Names) -> Message:
        return Message.of(
            "model-change-words-positions",
            side=self.side,
            mode=self.mode,
            offset=self.offset,
            seed=self.seed,
        )

    @classmethod
    def parts(cls, changes: Sequence[Self]) -> Iterator[str]:
        for change in changes:
            settings = (str(getattr(change, name)) for name in _SETTINGS[change.mode])
            yield "-".join((change.side, change.mode, *(s for s in settings if s != "None")))

    @classmethod
    def read(cls, start: str, rest: str) -> tuple[Self, ...]:
        mode, *settings = rest.split("-")
        if mode not in _SETTINGS:
            modes = ", ".join(_SETTINGS)
            raise ChangeError(Message.of("model-address-mode", mode=repr(mode), known=modes))
        takes = _SETTINGS[mode]
        if len(settings) > len(takes):
            raise ChangeError(Message.of("model-address-settings", mode=mode, n=len(takes)))
        if start == "target" and "span" in takes and len(settings) < len(takes):
            raise ChangeError(Message("model-address-span"))
        # An address may leave out the last settings, which then keep their defaults.
        values = {name: read_digits(value) for name, value in zip(takes, settings, strict=False)}
        return (cls(cast(PositionMode, mode), side=start, **values),)


_SETTINGS = {
    "absent": (),
    "shifted": ("offset",),
    "permuted": ("seed", "span"),
    "reversed": ("span",),
}
"""Numbers that follow a mode in an address."""


@dataclass(frozen=True)
class LeftOut(Change):
    """Removal of what surrounds a sub-layer, its residual or its norm; None stands for all."""

    stack: str | None = None  # "encoder" or "decoder"
    layer: int | None = None  # from 0
    name: str | None = None  # of a sub-layer

    spelt = ("stack", "layer", "name")
    example = "encoder-2-self"

    def unfit(self) -> list[Message]:
        faults = super().unfit()
        if self.stack not in (None, *STACKS):
            faults.append(unknown("stack", str(self.stack), STACKS))
        return faults

    def covers(self, sublayer: SubLayer) -> bool:
        """Return True if the change is about this sub-layer."""
        return all(
            # Position by position: both classes list stack, layer and name in this order.
            wanted is None or wanted == value
            for wanted, value in zip(vars(self).values(), vars(sublayer).values(), strict=True)
        )

    def faults(self, room: Room) -> list[Message]:
        # Without the layer, to tell a layer too many from a sub-layer that no layer has.
        anywhere = replace(self, layer=None)
        layers = [sublayer.layer for sublayer in room.sublayers if anywhere.covers(sublayer)]
        if not layers:
            spelt = "-".join(map(self._written, self.spelt))
            return [Message.of("model-change-no-sublayer", place=spelt)]
        if self.layer is not None and self.layer not in layers:
            return [Message.of("model-change-no-layer", layer=self.layer + 1, n=max(layers) + 1)]
        return []

    def words(self, names: Names) -> Message:
        return Message.of(
            f"model-change-words-no-{self.starts[0]}",
            stack=self.stack or "all",
            name="all" if self.name is None else sublayer_title(self.name),
            layer="all" if self.layer is None else str(self.layer + 1),
        )


@dataclass(frozen=True)
class NoResidual(LeftOut):
    """Sub-layers without their residual connection."""

    needs = "change-residual"
    starts = ("residual",)


@dataclass(frozen=True)
class NoNorm(LeftOut):
    """Sub-layers whose layer norm is replaced by the identity."""

    needs = "change-norm"
    starts = ("norm",)


KINDS: tuple[type[Change], ...] = (
    LiftedMask, HiddenToken, UnreadToken, MaskedCell, AblatedHead, OverriddenRow, Positions,
    NoResidual, NoNorm,
)  # fmt: skip
"""All kinds, in the order in which an address and a list name them."""

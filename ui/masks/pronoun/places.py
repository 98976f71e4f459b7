"""The places from which a word can be hidden, from the narrowest to the widest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.measures import pair_weights, strongest_head
from records import UNREAD, Intervention, MaskedCell, hide, hiding_places
from ui.masks.choices import Word, site_between
from ui.panels import guided_heads
from ui.state import Run
from ui.words import head_at, say

from .setting import Setting

PLACES = (
    "encoder_from_it_best",
    "encoder_from_it_others",
    "encoder_from_it_guided",
    "encoder_from_it",
    "cross_from_pronoun_best",
    "cross_from_pronoun",
    "it_and_pronoun",
    "cross",
    "encoder",
    "both",
    UNREAD,
)
# Words other than the noun and its phrase are hidden from these alone: a run costs a search.
COMPARED = ("encoder_from_it", "cross_from_pronoun", "cross", "encoder", "both", UNREAD)
Cell = tuple[str, int | None, int | None, int]
"""A site's name, layer, head (None for all) and query."""


@dataclass(frozen=True)
class Place:
    """A place from which a word can be hidden: one of `PLACES`, in words, and its cells.

    `where` hides the word from all queries of a side instead.
    """

    name: str
    label: str
    cells: tuple[Cell, ...] = ()
    where: str = ""

    def change(self, word: Word) -> Intervention:
        """The intervention that hides `word` from here."""
        if self.where:
            return hide(*word.positions, where=self.where)
        return Intervention(
            *(
                MaskedCell(kind, layer, head, query, key)
                for kind, layer, head, query in self.cells
                for key in word.positions
            )
        )


@dataclass(frozen=True)
class Hiding:
    """A word hidden from a place, and what the word is in the riddle."""

    role: str
    word: Word
    place: Place

    @property
    def key(self) -> tuple[str, str]:
        return self.role, self.place.name


def places_for(run: Run, setting: Setting) -> tuple[Place, ...]:
    """Every place of this sentence that the model has, in the order of `PLACES`."""
    source, across = site_between(run, "source", "source"), site_between(run, "target", "source")
    if "change-mask" not in run.capabilities:
        source = across = None
    noun = setting.hidden.get("antecedent", next(iter(setting.hidden.values())))
    row, its = setting.choice.position, setting.pronoun.positions

    def named(name: str, cells: Sequence[Cell] = (), *, words: str = "", head: str = "") -> Place:
        label = say(
            f"masks-pronoun-place-{words or name}",
            pronoun=setting.pronoun.text,
            written=setting.choice.labels[0],
            head=head,
        )
        return Place(name, label, tuple(cells), "" if cells else name)

    def from_pronoun(head: Sequence[int | None] = (None, None)) -> list[Cell]:
        return [(source, *head, query) for query in its]

    def from_row(head: Sequence[int | None] = (None, None)) -> list[Cell]:
        return [(across, *head, row)]

    places = []
    if source:
        best, guided = _best_head(run, source, its, noun), _guided_head(run, source)
        heads = {"encoder_from_it_best": [best]}
        others = [(best[0], head) for head in range(run.record.of(source).n_heads)]
        others.remove(best)
        if others:
            heads["encoder_from_it_others"] = others
        if guided not in (None, best):
            heads["encoder_from_it_guided"] = [guided]
        for name, tried in heads.items():
            words = "encoder_from_it_guided" if tried == [guided] else name
            cells = [cell for head in tried for cell in from_pronoun(head)]
            told = best if name == "encoder_from_it_others" else tried[0]
            places.append(named(name, cells, words=words, head=head_at(source, *told)))
        places.append(named("encoder_from_it", from_pronoun()))
    if across:
        best = _best_head(run, across, (row,), noun)
        if run.record.of(across).weights[:, :, 0, 0].size > 1:
            title = head_at(across, *best)
            places.append(named("cross_from_pronoun_best", from_row(best), head=title))
        places.append(named("cross_from_pronoun", from_row()))
    if source and across:
        places.append(named("it_and_pronoun", [*from_pronoun(), *from_row()]))
    there = hiding_places(run.record.sites, run.capabilities)
    wide = ("cross", "encoder", "both", UNREAD)
    return (*places, *(named(name) for name in wide if name in there))


def _best_head(run: Run, site: str, rows: tuple[int, ...], noun: Word) -> tuple[int, int]:
    return strongest_head(pair_weights(run.record.of(site), rows, noun.positions))


def _guided_head(run: Run, site: str) -> tuple[int, int] | None:
    guided = guided_heads(run.translator.card, run.record.sites[0].name).get(site)
    attention = run.record.of(site)
    if guided is None or guided[0] >= attention.n_layers or guided[1] >= attention.n_heads:
        return None
    return guided


def hidings_for(setting: Setting, places: Sequence[Place]) -> list[Hiding]:
    """What is hidden from where: the noun and its phrase from each place, the rest from fewer."""
    fully = [role for role in setting.hidden if role.startswith("antecedent")]
    return [
        Hiding(role, word, place)
        for role, word in setting.hidden.items()
        for place in places
        if not fully or role in fully or place.name in COMPARED
    ]

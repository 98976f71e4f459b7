"""Scene of a site, the argument of all views of the attention page; files and tables of heads."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import pandas as pd

from core.records.attention import OF_LAYERS, AttentionMap
from core.records.head_weights import HeadWeights
from core.records.tokens import SPACE, distinct_labels
from core.roles import LEAST, LINKED, HeadRole, text_values
from core.weights.groups import sentence_groups, single_groups
from core.weights.measures import (
    badge_numbers,
    largest_of_rows,
    largest_weight,
    pair_weights,
    row_facts,
    strongest_head,
)
from core.weights.pooling import thumbnails
from core.weights.transform import (
    Regrouped,
    SpecialTokens,
    cut_out,
    groups_for,
    regroup,
    window_around,
)
from ui.frame.messages import head_name, page_text, quoted, say, site_name, token_text
from ui.frame.run import Run
from ui.kit.blocks import table
from ui.kit.export import ExportData, counted_from_one, export_menu
from ui.kit.focus import Head, HeadSelection, Link, focus_of, head_menu, open_head, shown_at
from ui.kit.head_roles import guided_heads, roles_in
from viz.figure import Figure, tables_of
from viz.heatmap import HeatmapOptions, attention_heatmap
from viz.overview import head_grid
from words.numbers import fixed

MOST_NAMED = 6  # tokens that a sentence names before "and n more"
MOST_ROWS = 4  # chosen queries that the readout names
MOST_KEYS = 5  # keys that it names, those with the largest weights
MOST_LETTERS = 28  # of a sentence as a label
MOST_DRAWN = 160  # rows or columns of a matrix in a file
MOST_COLUMNS_BESIDE = 33  # a wider view stands above all heads instead of beside them

RoleState = Literal["shown", "faint", "absent", "untested"]
"""Result of a role in the text on screen."""


@dataclass(frozen=True)
class Display:
    """Display options of attention; the numbers behind it stay the same."""

    produced: bool  # rows are named by the output token instead of the input token
    contrast: bool  # colours are scaled by the largest weight of the row
    words: bool  # subword pieces are merged into words
    special: SpecialTokens
    sentences: bool = False  # tokens are merged into sentences
    sums: bool = False  # sums of rows and columns stand beside a matrix


@dataclass(frozen=True, eq=False)
class Window:
    """Part of a long text that is drawn, and the map that it was cut from."""

    whole: Regrouped
    rows: range  # positions of `whole`
    columns: range


@dataclass(frozen=True, eq=False)
class AttentionScene:
    """One site with everything that its views draw."""

    run: Run
    site_id: str
    raw: AttentionMap  # as computed, in the chosen measure
    weighed: AttentionMap  # the weights behind `raw`
    regrouped: Regrouped  # words merged and special tokens removed, as the reader chose
    focus: HeadSelection
    link: Link | None
    display: Display
    # measured roles of the site's heads, empty if none were measured
    roles: Mapping[Head, HeadRole] = field(default_factory=dict)
    # values of all heads in this text by role, as far as they were computed
    role_values: dict[str, np.ndarray | None] = field(default_factory=dict)
    window: Window | None = None  # None if `regrouped` is the map of the whole text

    @property
    def produced(self) -> bool:
        return self.display.produced

    @property
    def attention(self) -> AttentionMap:
        return self.regrouped.attention

    @property
    def row_tokens(self) -> tuple[str, ...]:
        return _row_tokens(self.attention, produced=self.produced)

    @property
    def whole(self) -> Regrouped:
        """The map of the whole text, of which a window shows a part."""
        return self.regrouped if self.window is None else self.window.whole

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """Chosen rows as positions of `attention`."""
        return shown_at(self.focus.rows, self.regrouped.query_groups)

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """Chosen columns as positions of `attention`."""
        return shown_at(self.focus.columns, self.regrouped.key_groups)

    @cached_property
    def selection(self) -> HeadSelection:
        """The focus as positions of `attention`."""
        return replace(self.focus, rows=self.rows, columns=self.columns)

    @property
    def d_k(self) -> int | None:
        """Width of one head's vectors, if the checkpoint's config has it."""
        config = self.run.card.config
        d_model = config.get("d_model")
        n_heads = config.get("n_heads")
        width = d_model // n_heads if d_model and n_heads else None
        # `d_head` wins: some models do not divide d_model by the number of heads.
        return config.get("d_head") or width

    @property
    def export_data(self) -> ExportData:
        """Data of the open head for its files, with its lines of the signature.

        The numbers are those of the whole text, also where the figure shows a part.
        """
        drawn = self.whole.attention
        pieces = "pieces merged into words" if self.display.words else "pieces"
        if self.display.sentences:
            pieces = "pieces merged into sentences"
        choices = {
            "rows": f"token {'produced' if self.produced else 'read'}",
            "tokens": f"{pieces}, special tokens: {self.display.special}",
        }
        weights = self.raw.measure == "weight"
        if max(drawn.weights.shape[2:]) > MOST_DRAWN:
            rows, columns = drawn_part(self)
            queries = f"queries {rows.start + 1} to {rows.stop}"
            choices["figure"] = f"{queries}, keys {columns.start + 1} to {columns.stop}"
        if not weights:
            choices = {"numbers": say(f"figures-{self.raw.measure}")} | choices
        return ExportData(
            numbers=lambda: drawn,
            # A record of weights beside a figure of norms would contradict it.
            # The whole record of a large recording is the file that was opened.
            record=None
            if not weights or isinstance(self.raw.weights, HeadWeights)
            else self.run.record,
            row_tokens=_row_tokens(drawn, produced=self.produced),
            layer=self.focus.layer,
            head=self.focus.head,
            choices=choices,
        )

    @property
    def guided(self) -> dict[str, Head]:
        """Head trained to attend from the pronoun to its noun, by site."""
        if self.raw.measure in OF_LAYERS:
            return {}
        return guided_heads(self.run.card, self.run.record.sites[0].name)

    @property
    def readout(self) -> str:
        """The chosen query of the open head in words, as Markdown."""
        if not self.rows:
            return page_text("no_row")
        attention = self.attention
        tokens = self.attention.key_tokens
        rows = list(self.rows)
        named = self.row_tokens
        # Several chosen rows are read as their mean.
        row = attention.head(*self.focus.place)[rows].mean(axis=0)
        mask = attention.mask
        seen = np.ones(len(row), bool) if mask is None else mask[rows].any(axis=0)
        largest, chosen = row_facts(row, seen, self.columns, MOST_KEYS)
        keys = ", ".join(f"{_token_at(tokens, k)} **{fixed(row[k])}**" for k in largest)
        who = ", ".join(_token_at(named, i) for i in rows[:MOST_ROWS])
        if len(rows) > MOST_ROWS:
            who = say("row-more", who=who, n=len(rows) - MOST_ROWS)
        words = {"weight": "row", "zeroing": "row-zeroing"}.get(self.raw.measure, "row-norm")
        sentence = say(words, who=who, n=len(rows), keys=keys)
        if chosen["n"] > 1:
            return f"{sentence} {say('row-chosen-together', **chosen)}"
        if chosen["n"]:
            chosen["key"] = _token_at(tokens, chosen["key"])
            return f"{sentence} {say('row-chosen', **chosen)}"
        return sentence

    @property
    def headline(self) -> str:
        """Sentence on the chosen query of the open head, or on its largest weight; Markdown."""
        attention = self.attention
        weights = attention.head(*self.focus.place)
        keys = attention.key_tokens
        if not self.rows:
            row, key = np.unravel_index(int(weights.argmax()), weights.shape)
            return say(
                "attention-headline-largest",
                query=_token_at(self.row_tokens, int(row)),
                key=_token_at(keys, int(key)),
                weight=weights[row, key],
            )
        row = weights[list(self.rows)].mean(axis=0)
        largest = int(row.argmax())
        query = {"query": _word_of(self.row_tokens, self.rows), "n": self._n_queries}
        chosen = self.columns or (largest,)
        weight = row[list(chosen)].sum()
        key = _word_of(keys, chosen)
        if largest in chosen or weight > row[largest]:
            only = "yes" if weight > 0.5 else "no"
            return say("attention-headline", **query, key=key, weight=weight, only=only)
        return say(
            "attention-headline-other",
            **query,
            key=key,
            weight=weight,
            largest=_token_at(keys, largest),
            most=row[largest],
        )

    @property
    def _n_queries(self) -> int:
        """Number of chosen queries; the pieces of one word count as one."""
        return 1 if _is_word(self.row_tokens, self.rows) else len(self.rows)

    def strongest(self, badge: str) -> str:
        """Return a sentence on the head with the most weight between the chosen tokens.

        Empty if `badge` is not the weight, or if nothing is chosen.
        """
        attention = self.attention
        n = attention.n_layers * attention.n_heads
        if badge != "weight" or not self.rows or not self.columns or n == 1:
            return ""
        weights = pair_weights(attention, self.rows, self.columns)
        best = strongest_head(weights)
        here = weights[self.focus.place]
        sentence = say(
            "attention-strongest",
            queries=named_tokens(self.row_tokens, self.rows),
            keys=named_tokens(attention.key_tokens, self.columns),
            best=self.head_name(best, title=True),
            n=n,
            measure=self.raw.measure,
            weight=weights[best],
            rank=int((weights > here).sum()) + 1,
            open=self.head_name(),
            here=here,
        )
        if len(self.rows) > 1 or len(self.columns) > 1:
            sentence += " " + say("attention-strongest-summed", measure=self.raw.measure)
        return sentence

    def value_of(self, role: str, head: Head | None = None) -> float | None:
        """Return a role's value of a head in this text, or None if the text has none.

        By default that of the open head. The first call computes those of all heads.
        """
        if role not in self.role_values:
            link = self.link if role == "noun" else None
            places = (link.rows, link.columns) if link else ()
            self.role_values[role] = text_values(self.weighed, role, *places)
        values = self.role_values[role]
        return None if values is None else float(values[head or self.focus.place])

    def role_state(self, role: str, value: float | None) -> RoleState:
        """Return the state of a role for its value.

        ``shown`` or ``faint`` as the value reaches the threshold or not; without a value ``absent``
        if the text has no place for the role, else ``untested``.
        """
        if value is not None:
            return "shown" if value >= LEAST[role] else "faint"
        # A linked role may occur in a text unnoticed, because links are known for examples only.
        unknown = role in LINKED and (role != "noun" or self.link is not None)
        return "untested" if unknown else "absent"

    def head_name(self, head: Head | None = None, *, title: bool = False) -> str:
        """Return the name of a head of the site, by default the open one."""
        return head_name(*(head or self.focus.place), title=title, measure=self.raw.measure)

    @property
    def title(self) -> str:
        """Name of the open head, with a badge if it was trained with guidance; Markdown."""
        title = f"**{self.head_name(title=True)}**"
        guided = self.guided.get(self.site_id) == self.focus.place
        return f"{title} :orange-badge[{say('guided')}]" if guided else title

    @property
    def file_name(self) -> str:
        return say(
            "attention-head-name",
            site=site_name(self.site_id, "short"),
            head=self.head_name(),
            measure=self.raw.measure,
            text=self.run.record.src.text,
        )

    def refreshed(self) -> AttentionScene:
        """Return the scene with the current focus."""
        return replace(self, focus=focus_of(self.site_id))


def _row_tokens(attention: AttentionMap, *, produced: bool) -> tuple[str, ...]:
    """Return the names of the rows of a map: tokens produced, if it has them, or read."""
    named = attention.output_tokens if produced else None
    return named or attention.query_tokens


def make_scene(
    run: Run,
    site_id: str,
    raw: AttentionMap,
    link: Link | None,
    display: Display,
    weighed: AttentionMap | None = None,
) -> AttentionScene:
    """Return the scene of site `site_id`, regrouped as `display` asks."""
    return AttentionScene(
        run,
        site_id,
        raw,
        weighed or raw,
        _regrouped(run, site_id, raw, display),
        focus_of(site_id),
        link,
        display,
        roles_in(run).get(site_id, {}),
    )


def _regrouped(run: Run, site_id: str, raw: AttentionMap, display: Display) -> Regrouped:
    """Return the map with tokens merged and special tokens treated as `display` asks."""
    queries = None
    keys = None
    merges = display.words or display.sentences
    if not merges and display.special == "show":
        return Regrouped(raw, *map(single_groups, raw.weights.shape[2:]))
    if merges:
        queries, keys = groups_for(
            run.record,
            site_id,
            produced=display.produced,
            item=raw.item,
            grouped=sentence_groups if display.sentences else None,
        )
    return regroup(
        raw,
        query_groups=queries,
        key_groups=keys,
        special=display.special,
        produced=display.produced,
        longest=MOST_LETTERS if display.sentences else None,
    )


def _token_at(tokens: Sequence[str], position: int) -> str:
    token = token_text(tokens[position])
    if tokens.count(tokens[position]) > 1:
        return say("token-at", token=token, position=position + 1)
    return say("quoted", text=token)


def _is_word(tokens: Sequence[str], positions: Sequence[int]) -> bool:
    """Return True if the positions are pieces of one word, one after the other."""
    follows = all(b == a + 1 for a, b in pairwise(positions))
    return follows and not any(tokens[i].startswith(SPACE) for i in positions[1:])


def _word_of(tokens: Sequence[str], positions: Sequence[int]) -> str:
    """Return the name of a token, of the word that the positions spell, or of several tokens."""
    if len(positions) == 1:
        return _token_at(tokens, positions[0])
    if _is_word(tokens, positions):
        return quoted("".join(tokens[i].removeprefix(SPACE) for i in positions))
    return named_tokens(tokens, positions)


def named_tokens(tokens: Sequence[str], positions: Sequence[int]) -> str:
    """Return the names of tokens, joined; of many only the first."""
    labels = distinct_labels(tokens)
    return quoted(*(labels[i] for i in positions), most=MOST_NAMED, joint=" + ")


def matrix_figure(
    scene: AttentionScene,
    rows: Sequence[int],
    columns: Sequence[int],
    *,
    highest: int = 0,
    broad: int = 0,
    legend: bool = True,
    numbered: Sequence[int] = (),
) -> Figure:
    """Draw the open head with these rows and columns marked; see `HeatmapOptions` for the rest.

    The bars of the columns `numbered` have their numbers however small they are.
    """
    attention = scene.attention
    row_tokens = scene.row_tokens
    if max(attention.weights.shape[2:]) > MOST_DRAWN:
        drawn_rows, drawn_columns = drawn_part(scene)
        attention = cut_out(attention, drawn_rows, drawn_columns)
        row_tokens = row_tokens[drawn_rows.start : drawn_rows.stop]
        rows = _positions_in(drawn_rows, rows)
        columns = _positions_in(drawn_columns, columns)
        numbered = _positions_in(drawn_columns, numbered)
    return attention_heatmap(
        attention,
        *scene.focus.place,
        row_tokens=row_tokens,
        locked_rows=rows,
        locked_columns=columns,
        options=HeatmapOptions(
            numbered=tuple(numbered),
            contrast=scene.display.contrast,
            sums=scene.display.sums,
            d_k=scene.d_k,
            highest=highest,
            broad=broad,
            legend=legend,
        ),
    )


def _positions_in(part: range, positions: Sequence[int]) -> list[int]:
    """Return the positions that lie in a part of an axis, counted from its start."""
    return [position - part.start for position in positions if position in part]


def drawn_part(scene: AttentionScene) -> tuple[range, range]:
    """Return the rows and columns of a matrix in a file.

    Those of the window if there is one. Else, of a large matrix, those around the chosen tokens;
    without a chosen key, the columns are around the largest weight of the row.
    """
    if scene.window is not None:
        return scene.window.rows, scene.window.columns
    n_rows, n_columns = scene.attention.weights.shape[2:]
    row = scene.rows[0] if scene.rows else 0
    rows = window_around(row, n_rows, MOST_DRAWN)
    largest = int(scene.attention.head(*scene.focus.place)[row].argmax())
    column = scene.columns[0] if scene.columns else largest
    if scene.raw.site.is_self and not scene.columns:
        column = row
    return rows, window_around(column, n_columns, MOST_DRAWN)


def badge_values(name: str, attention: AttentionMap, focus: HeadSelection) -> np.ndarray:
    """Return the (L, H) numbers under the heads; NaN if the badge is undefined."""
    if name == "weight":
        return largest_weight(attention)
    if name == "weight-pair" and focus.rows and focus.columns:
        return pair_weights(attention, focus.rows, focus.columns)
    if name == "weight-row" and focus.rows:
        return largest_of_rows(attention, focus.rows)
    return badge_numbers(attention).get(name, np.full(attention.weights.shape[:2], np.nan))


def overview_export(scenes: Mapping[str, AttentionScene], site_id: str, badge: str) -> None:
    """Draw the menu of files of all heads, with the numbers of a badge.

    "weight" is the weight of the chosen pair, or the largest of the chosen queries.
    """
    scene = scenes[site_id]
    badge = "weight" if badge == "role" else badge
    if badge == "weight" and scene.focus.rows:
        badge = "weight-pair" if scene.focus.columns else "weight-row"
    title = say(f"badge-{badge}", measure=scene.raw.measure)

    def grid() -> Figure:
        return head_grid(
            [thumbnails(of_site.raw, MOST_DRAWN) for of_site in scenes.values()],
            {
                name: badge_values(badge, of_site.raw, of_site.focus)
                for name, of_site in scenes.items()
            },
            badge_title=title,
            selected=(site_id, *scene.focus.place),
            marked=[(name, *head) for name, head in scene.guided.items() if name in scenes],
        )

    def numbers() -> pd.DataFrame:
        heads = counted_from_one(tables_of(grid())["heads"])
        return heads[["kind", "layer", "head", "number"]].rename(columns={"number": title})

    name = say("attention-overview-name", badge=title)
    export_menu(grid, key="grid_export", words="export-heads", name=name, numbers=numbers)


def heads_to_open(
    id: str,
    scene: AttentionScene,
    heads: pd.DataFrame,
    places: Sequence[Head],
    *,
    key: str,
    **options: Any,
) -> None:
    """Draw a table of heads, those at `places`; a click on a line opens its head.

    The widget key depends on the order of the heads, so that a line selected earlier does not open
    another head.
    """
    table(
        id,
        heads,
        key=f"{key}_{zlib.crc32(repr(places).encode())}",
        on_pick=lambda line: open_head(scene.site_id, *places[line]),
        head=scene.head_name(),
        line=places.index(scene.focus.place) + 1,
        of=len(heads),
        **options,
    )


def head_menu_of(scene: AttentionScene) -> None:
    """Draw the menu of the scene's heads with the names of their roles."""
    words = {head: say(f"role-{role.name}") for head, role in scene.roles.items() if role.name}
    head_menu(scene.site_id, scene.raw, words)

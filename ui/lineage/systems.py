"""One sentence through every system: what each writes, and where it looks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from analysis.lineage import (
    drop_limit,
    grouped_drops,
    grouped_places,
    mean_map,
    sharpest_head,
)
from analysis.transform import Groups, groups_for, regroup, single_groups, word_groups
from model import ModelError
from records import AttentionMap, AttentionSite
from ui.blocks import figure_block
from ui.choice import choice
from ui.components.frame import foreign
from ui.state import Run, show_problem
from ui.words import current_words, head_name, plain, say
from viz.figure import Figure, tables_of, width_of
from viz.lineage import system_map
from viz.recipes import symmetric_limit
from words import Message
from words.numbers import fixed, percent

from .chosen import Heard, System, chosen_systems, heard_by

MOST_CELLS = 6400  # of source by target that are drawn
CARD = 304  # pixels of a system, three beside each other


@dataclass(frozen=True, eq=False)
class Picture:
    """What is drawn of a system.

    Attributes
    ----------
    values : (rows, columns), weights or drops of log p.
    row_tokens, key_tokens : names of rows and columns.
    site : where the weights come from; None for drops.
    of : what the weights are the mean or the head of; empty where there is one head.
    centres : place of each row's window, from 0; None without a window.
    free : least and largest sum of a row, where rows need not sum to one.
    """

    values: np.ndarray
    row_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    site: AttentionSite | None = None
    of: str = ""
    centres: np.ndarray | None = None
    free: tuple[float, float] | None = None


def show(run: Run) -> None:
    systems = chosen_systems(run)
    target, shown, heads = _controls(run)
    found = {each.outline.name: _heard(each, run, target, shown) for each in systems}
    heard = {name: each for name, each in found.items() if isinstance(each, Heard)}
    words = _by_words(tuple(heard.values()))
    drawn = {name: picture_of(each, shown, heads, words=words) for name, each in heard.items()}
    pictures = {name: each for name, each in drawn.items() if each is not None}
    limit = drop_limit([each.values for each in pictures.values() if each.site is None])
    if words:
        st.caption(say("lineage-words"))
    figures = {name: map_figure(each, limit) for name, each in pictures.items()}
    width = round(max([CARD, *(width_of(each) + 36 for each in figures.values())]))
    with st.container(horizontal=True, wrap=True, gap="small"):
        for system in systems:
            name = system.outline.name
            with st.container(width=width, border=True, gap="xsmall", key=f"system_{_key(name)}"):
                _card(run, system, found[name], pictures.get(name), figures.get(name))
    _difference(run, [each for each in systems if each.outline.name in pictures], pictures, limit)


def _key(name: str) -> str:
    """A folder's name as part of a key of widgets."""
    return "".join(c if c.isalnum() else "_" for c in name)


def _controls(run: Run) -> tuple[str, str, str]:
    """What every system is made to read, what is drawn, and of which heads."""
    with st.container(horizontal=True, vertical_alignment="bottom", wrap=True):
        target = choice(
            "lineage_target", ("open", "reference", "own"), words="lineage-target", wrap=True
        )
        shown = choice("lineage_shown", ("attention", "left_out"), words="lineage-shown", wrap=True)
        heads = choice("lineage_heads", ("mean", "sharpest"), words="lineage-heads")
    reference = ""
    if target == "reference":
        reference = st.text_input(
            say("lineage-reference"),
            key="lineage_reference",
            bind="query-params",
            live="500ms",
            placeholder=say("lineage-reference-none"),
        ).strip()
        if not reference:
            st.caption(say("lineage-reference-empty"))
    if target == "own":
        return "", shown, heads
    return reference or run.translation.text.strip(), shown, heads


def _heard(system: System, run: Run, target: str, shown: str) -> Heard | ModelError:
    """What the system makes of the sentence, or why it cannot."""
    if system.reader is None:
        return system.problem
    attends = any(site.key == "source" and site.query == "target" for site in system.reader.sites)
    try:
        return heard_by(system, run, target, left_out=shown == "left_out" or not attends)
    except ModelError as error:
        return error


def _by_words(heard: tuple[Heard, ...]) -> bool:
    """Whether the systems cut the texts into different pieces, so that axes are words."""
    return len({each.record.src.tokens for each in heard}) > 1


def picture_of(heard: Heard, shown: str, heads: str, *, words: bool) -> Picture | None:
    """The map of a system, or what leaving out each token does where it has none; None where the
    sentences are too long for it.

    Parameters
    ----------
    shown : "attention" or "left_out".
    heads : "mean" or "sharpest", of a system with several.
    words : pieces are merged into words.
    """
    record = heard.record
    site = next((s for s in record.sites if (s.query, s.key) == ("target", "source")), None)
    rows, keys = _groups(heard, words)
    named = _joined(record.tgt.tokens, rows), _joined(record.src.tokens, keys)
    if len(record.src) * len(record.tgt) > MOST_CELLS:
        return None
    if shown == "left_out" or site is None:
        return (
            None if heard.drops is None else Picture(grouped_drops(heard.drops, rows, keys), *named)
        )
    attention = record.of(site.name)
    if words:
        pair = groups_for(record, site.name, produced=True)
        attention = regroup(attention, query_groups=pair[0], key_groups=pair[1]).attention
    weights, of = _one_map(attention, heads)
    sums = weights.sum(axis=1)
    centres = None
    if heard.centres is not None:
        centres = grouped_places(heard.centres, rows, keys)
    return Picture(
        weights,
        *named,
        site,
        of,
        centres,
        free=None if site.normalised else (float(sums.min()), float(sums.max())),
    )


def _groups(heard: Heard, words: bool) -> tuple[Groups, Groups]:
    src, tgt = heard.record.src, heard.record.tgt
    if words:
        return word_groups(tgt), word_groups(src)
    return single_groups(len(tgt)), single_groups(len(src))


def _joined(tokens: tuple[str, ...], groups: Groups) -> tuple[str, ...]:
    return tuple("".join(tokens[i] for i in group) for group in groups)


def _one_map(attention: AttentionMap, heads: str) -> tuple[np.ndarray, str]:
    """One map of all heads, and which it is in words."""
    n = attention.n_layers * attention.n_heads
    if n == 1:
        return attention.head(0, 0), ""
    if heads == "mean":
        return mean_map(attention.weights), say("lineage-of-mean", n=n)
    layer, head = sharpest_head(attention.weights)
    return attention.head(layer, head), say("lineage-of-head", head=head_name(layer, head), n=n)


def _card(
    run: Run,
    system: System,
    found: Heard | ModelError,
    picture: Picture | None,
    figure: Figure | None,
) -> None:
    """One system: its name, its translation, its numbers and its map."""
    name, opened = system.outline.name, system.outline.name == run.choices.checkpoint
    title = f"**{system.said()}**"
    st.markdown(say("lineage-opened", title=title) if opened else title)
    if isinstance(found, ModelError):
        show_problem(found)
        return
    own = found.translation
    with foreign(run.translator.card.languages[1], key=f"lineage_{_key(name)}"):
        st.markdown(plain(own.text, 300) or say("run-nothing"))
    n = len(found.record.tgt)
    st.caption(
        say(
            "lineage-numbers",
            log_p=fixed(found.total),
            mean=fixed(found.total / n),
            n=n,
        )
    )
    if picture is None:
        too_long = Message.of("lineage-too-long", n=n, source=len(found.record.src))
        st.caption(plain(current_words().of(found.problem or too_long)))
        return
    st.caption(_map_words(picture))
    figure_block(
        figure,
        key=f"lineage_map_{_key(name)}",
        alt=_alt(system, picture),
        name=say("lineage-map-file", system=system.title, text=run.translation.src.text),
        numbers=lambda: cells_of(figure, picture),
    )


def _map_words(picture: Picture) -> str:
    """What the picture is: attention or drops, of which head, with its window, its rows."""
    if picture.site is None:
        return say("lineage-is-drops")
    said = [picture.of or say("lineage-is-weights")]
    if picture.centres is not None:
        said.append(say("lineage-window", d=picture.site.window))
    if picture.free is not None:
        low, high = map(fixed, picture.free)
        said.append(say("lineage-rows-free", least=low, most=high))
    return " ".join(said)


def map_figure(picture: Picture, limit: float) -> Figure:
    """The drawing of a system; drops are coloured from -limit to limit."""
    names = picture.row_tokens, picture.key_tokens
    if picture.site is None:
        title = say("lineage-drop")
        return system_map(picture.values, *names, limit=limit, title=title)
    return system_map(
        picture.values,
        *names,
        site=picture.site,
        centres=picture.centres,
        window=picture.site.window or 0,
    )


def cells_of(figure: Figure, picture: Picture) -> pd.DataFrame:
    """The numbers of a picture, one line a cell."""
    table = tables_of(figure)["cells"]
    value = "drop" if picture.site is None else "weight"
    return table[["query", "key", "value"]].rename(columns={"value": value})


def _alt(system: System, picture: Picture) -> str:
    kind = "drops" if picture.site is None else "weights"
    size = {"rows": len(picture.row_tokens), "columns": len(picture.key_tokens)}
    return say("lineage-map-alt", system=system.title, kind=kind, **size)


def _difference(
    run: Run, systems: list[System], pictures: dict[str, Picture], limit: float
) -> None:
    """Two systems and how far their maps differ, where they show the same of the same pair."""
    st.markdown(f"## {say('lineage-difference')}")
    names = [each.outline.name for each in systems]
    if len(names) < 2:
        st.caption(say("lineage-difference-one"))
        return
    titles = {each.outline.name: each.title for each in systems}
    first, second = default_pair(pictures, run.choices.checkpoint)
    with st.container(horizontal=True, vertical_alignment="bottom", wrap=True):
        menus = [
            choice(
                key,
                names,
                words=words,
                style="select",
                default=default,
                text=titles.get,
                width=330,
            )
            for key, words, default in (
                ("lineage_first", "lineage-first", first),
                ("lineage_second", "lineage-second", second),
            )
        ]
    a, b = (pictures[name] for name in menus)
    if (a.site is None) != (b.site is None):
        st.info(say("lineage-difference-kinds"), icon=":material/compare:")
        return
    if a.values.shape != b.values.shape or a.row_tokens != b.row_tokens:
        st.info(say("lineage-difference-sizes"), icon=":material/compare:")
        return
    _difference_map(run, a, b, *(titles[name] for name in menus), limit)


def default_pair(pictures: dict[str, Picture], opened: str) -> tuple[str, str]:
    """The open system and the first other that shows the same kind of map."""
    names = list(pictures)
    second = opened if opened in pictures else names[-1]
    kind = pictures[second].site is None
    alike = [n for n in names if n != second and (pictures[n].site is None) == kind]
    others = [n for n in names if n != second]
    return (alike or others)[0], second


def _difference_map(
    run: Run, a: Picture, b: Picture, first: str, second: str, limit: float
) -> None:
    difference = b.values - a.values
    drops = a.site is None
    end = 2 * limit if drops else symmetric_limit(difference.ravel())
    title = say("lineage-difference-drop" if drops else "lineage-difference-weight")
    figure = system_map(
        difference,
        a.row_tokens,
        a.key_tokens,
        limit=end,
        title=title,
    )
    below = ""
    if not drops:
        moved = np.abs(difference).sum(axis=1) / 2
        most = int(moved.argmax())
        below = say(
            "lineage-difference-words",
            mean=percent(moved.mean()),
            most=percent(moved[most]),
            token=plain(a.row_tokens[most].replace("▁", "")),
        )
    pair = {"first": first, "second": second}
    figure_block(
        figure,
        key="lineage_difference",
        alt=say("lineage-difference-alt", rows=len(a.row_tokens), **pair),
        name=say("lineage-difference-file", text=run.translation.src.text, **pair),
        below=below,
        numbers=lambda: tables_of(figure)["cells"][["query", "key", "value"]],
    )

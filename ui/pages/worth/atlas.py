"""All heads as points over their measurements, with a card of the open one."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from core.atlas import ATLAS, DECILES, NUMBERS, Atlas, HeadCard, HeadExample, head_rows
from core.measurements import GOLD
from core.records.attention import Head
from core.records.tokens import SPACE, visible
from core.roles import HeadRole, Tested
from model.experiments.atlas import examples
from ui.components import template
from ui.components.document import show_rows
from ui.frame import address, choices
from ui.frame.messages import head_at, say, site_name, token_text, with_interval
from ui.frame.model_cache import ask
from ui.frame.run import Run
from ui.kit.blocks import ROW, picture, table, text_table
from ui.kit.controls import button, choice, slider
from ui.kit.export import counted_from_one
from ui.kit.head_menus import full_head_menu
from ui.kit.head_roles import off_words, relation_words, roles_in
from ui.kit.layout import bar, caption, controls, finding, folded, subtitle
from ui.kit.measurements import stored_of, tell_source
from viz.atlas import head_points
from viz.labels import full_head_name
from viz.plots import harmless
from viz.root_scale import is_squeezed
from viz.theme import palette_of
from words.numbers import fixed

MENU = "atlas_head"
MATTERS = -0.05  # change of log p a token by which a head is said to matter
MOST_NEXT = 3  # heads offered as buttons
LEAST_NAMED = 3  # points with a label
MOST_NAMED = 9
MOST_SIMILAR = 3  # in one line of the card


def show(run: Run) -> None:
    stored = stored_of(ATLAS, run.card)
    if stored.part is None:
        return
    atlas = stored.part
    rows = head_rows(atlas, run.card.roles, run.card.measured(GOLD).part)
    heads = list(zip(rows["kind"], rows["layer"], rows["head"], strict=True))
    rows.insert(3, "name", [full_head_name(*head) for head in heads])
    numbers = [name for name in NUMBERS if name in rows]
    default = heads[int(rows["off"].argmin()) if "off" in rows else 0]
    ranked = _ranked(rows, heads)
    with controls():
        head = full_head_menu(MENU, heads, default=default, width=240, title=False)
    with bar("atlas"):
        # What matters first: the loss without the head, over the depth of its layer.
        x = _axis_menu("x", numbers, "off" if ranked else "entropy", width=190)
        y = _axis_menu("y", numbers, "depth" if ranked else numbers[0], width=190)
        colour = _axis_menu("colour", ["kind", "role", *numbers], width=130)
    _next_heads(rows, ranked)
    site_id, layer, head_index = head
    card = atlas.sites[site_id].heads[layer][head_index]
    role = roles_in(run).get(site_id, {}).get((layer, head_index))
    _tell(rows, atlas, head, role, ranked)
    points, beside = st.columns([3, 2])
    with points:
        _points(rows, heads, head, (x, y, colour), _named(rows, ranked))
    with beside:
        _card(head, card, role)
    _examples(run, atlas, head, card)
    with folded("roles"):
        _table(rows, heads)
        tell_source(stored)


def _ranked(rows: pd.DataFrame, heads: list[Head]) -> list[Head]:
    """Return the heads by their loss without them, the largest first; empty if not measured."""
    if "off" not in rows:
        return []
    order = rows["off"].dropna().sort_values(kind="stable").index
    return [heads[at] for at in order]


def _named(rows: pd.DataFrame, ranked: list[Head]) -> list[Head]:
    """Return the heads that are named beside their points: those that matter, and at least a few.

    `ranked` comes from `_ranked`.
    """
    if not ranked:
        return []
    n = _n_that_matter(rows)
    return ranked[: min(MOST_NAMED, max(LEAST_NAMED, n))]


def _n_that_matter(rows: pd.DataFrame) -> int:
    return int((rows["off"] <= MATTERS).sum())


def _tell(
    rows: pd.DataFrame, atlas: Atlas, head: Head, role: HeadRole | None, ranked: list[Head]
) -> None:
    """Draw a sentence on the open head, and below it, in small print, one on all heads."""
    headline = say("atlas-open-none", head=_title(head))
    if role and role.name:
        headline = say("atlas-open", head=_title(head), does=say(f"role-does-{role.name}"))
    if head in ranked:
        name = full_head_name(*head)
        off = float(rows.loc[rows["name"] == name, "off"].iloc[0])
        headline = f"{headline} {say('atlas-open-off', off=off)}"
    n_roles = int((rows["role"] != "").sum())
    whole = [say("atlas-found", n=len(rows), sentences=atlas.sentences, roles=n_roles)]
    if ranked:
        whole.insert(0, say("atlas-few", n=_n_that_matter(rows), of=len(ranked), loss=-MATTERS))
    finding(f"{headline}  \n:gray[:small[{' '.join(whole)}]]")


def _next_heads(rows: pd.DataFrame, ranked: list[Head]) -> None:
    """Draw a button to each of the heads that matter most."""
    if not ranked:
        return
    lines = rows.set_index(["kind", "layer", "head"])[["role", "off"]]
    with bar("atlas_next"):
        st.markdown(f"**{say('atlas-next')}**")
        for n, head in enumerate(ranked[:MOST_NEXT]):
            values = {
                "head": head_at(*head),
                "role": _role_title(lines.loc[head, "role"]),
                "off": float(lines.loc[head, "off"]),
            }
            button(f"atlas_next_{n}", _open, head, words="atlas-next-head", values=values)


def _role_title(role: str) -> str:
    return say(f"role-title-{role}" if role else "role-none")


def _title(head: Head) -> str:
    """Return the full name of a head as it begins a sentence."""
    name = full_head_name(*head)
    return name[:1].upper() + name[1:]


def _points(
    rows: pd.DataFrame,
    heads: list[Head],
    opened: Head,
    axes: tuple[str, str, str],
    named: list[Head],
) -> None:
    """Draw the heads as points over two measurements; a click on one opens it.

    `named`: heads whose points have a label.
    """
    x, y, colour = axes
    # Plotly returns a point's label as it was sent, with markup made harmless.
    by_name = {harmless(name): head for name, head in zip(rows["name"], heads, strict=True)}
    picture(
        "atlas-points",
        head_points(
            rows,
            x,
            y,
            colour,
            selected=full_head_name(*opened),
            labels={full_head_name(*head): head_at(*head) for head in named},
            limits={"off": MATTERS},
        ),
        on_point=lambda name: _open(by_name[name]) if name in by_name else None,
        below="  \n".join(notes_on(rows, heads, x, y)),
        numbers=counted_from_one(rows.drop(columns="name")),
        x=_axis(x),
        y=_axis(y),
        n=len(rows.dropna(subset=[x, y])),
    )


def notes_on(rows: pd.DataFrame, heads: list[Head], x: str, y: str) -> list[str]:
    """Return sentences on the points: how many lack a number, and how their scales are made."""
    notes = []
    # A point needs both numbers.
    drawn = rows.reset_index(drop=True).dropna(subset=[x, y])
    if len(drawn) < len(rows):
        notes.append(say("atlas-both", n=len(drawn)))
    if "depth" in (x, y):
        notes.append(say("atlas-depth"))
    for name in dict.fromkeys((x, y)):
        if is_squeezed(drawn[name]):
            farthest = drawn[name].abs().idxmax()
            head = head_at(*heads[farthest])
            value = float(drawn.loc[farthest, name])
            notes.append(say("atlas-root", axis=_axis(name), head=head, value=value))
    return notes


def _axis_menu(axis: str, options: list[str], default: str | None = None, *, width: int) -> str:
    return choice(
        f"atlas_{axis}",
        options,
        words=f"atlas-{axis}",
        style="select",
        text=_axis,
        default=default,
        width=width,
    )


def _axis(name: str) -> str:
    return say(f"atlas-axis-{name}")


def _table(rows: pd.DataFrame, heads: list[Head]) -> None:
    """Draw the heads as lines of a table; a click on one opens it."""
    table(
        "atlas-table",
        rows.drop(columns=["name", "depth"]).assign(
            kind=[site_name(site_id, "short") for site_id in rows["kind"]],
            layer=rows["layer"] + 1,
            head=rows["head"] + 1,
            role=[say(f"role-{role or 'none'}") for role in rows["role"]],
        ),
        words="atlas-axis",
        formats={name: "%.2f" for name in NUMBERS if name in rows},
        height=8 * ROW,
        on_pick=lambda line: _open(heads[line]),
    )


def _open(head: Head) -> None:
    st.session_state[MENU] = head


def _card(head: Head, card: HeadCard, role: HeadRole | None) -> None:
    """Draw role and control of a head, the cost of its ablation, and similar heads."""
    site_id, layer, head_index = head
    with st.container(border=True, key="atlas_card", gap="xsmall"):
        st.markdown(f"**{_title(head)}**")
        if role:
            # Without a role, the candidate that came closest is shown.
            passed = [tested for tested in role.tested if tested.passed] or [role.best]
            st.markdown("\n".join(map(_tested, passed)))
            for ablation, change in list(role.off.items())[:1]:
                st.markdown(off_words(ablation, change))
        if relation := relation_words(card):
            st.markdown(relation)
        if card.similar:
            _similar_heads(site_id, card)
        query = {"kind": site_id, "layer": str(layer + 1), "head": str(head_index + 1)}
        query |= choices.of_frame()
        if button(
            "atlas_matrix",
            address.go,
            "attention",
            query,
            words="atlas-matrix",
            icon="grid_on",
            type="tertiary",
        ):
            # The button is in a fragment, which cannot leave the page by itself.
            address.leave()


def _similar_heads(site_id: str, card: HeadCard) -> None:
    """Draw a button to each of the most similar heads of the site."""
    caption("atlas-similar")
    with st.container(horizontal=True, gap="xsmall"):
        for n, (layer, head, distance) in enumerate(card.similar[:MOST_SIMILAR]):
            similar = (site_id, layer, head)
            button(
                f"atlas_near_{n}",
                _open,
                similar,
                words="atlas-near",
                values={"head": head_at(*similar), "apart": distance},
                type="tertiary",
            )


def _tested(tested: Tested) -> str:
    return say(
        "atlas-tested",
        role=say(f"role-title-{tested.name}"),
        value=with_interval(tested.value),
        control=say(f"role-control-{tested.control}"),
        against=with_interval(tested.against),
    )


def _examples(run: Run, atlas: Atlas, head: Head, card: HeadCard) -> None:
    subtitle("atlas-examples")
    decile = slider("atlas_decile", 1, DECILES, DECILES, width=300)
    texts = tuple(tuple(atlas.texts[at]) for at in card.examples[decile - 1])
    rows = ask(run.translator, examples, texts, *head, words="atlas-reading") if texts else ()
    show_rows(
        list(map(_example, rows)),
        key="atlas_texts",
        identity=f"{run.card.fingerprint} {head} {decile}",
        colour=palette_of(head[0]).accent,
        words={
            "document": say("atlas-told-text"),
            "point": say("atlas-told-point"),
            "sentence": template("atlas-told-sentence", "n", "weight"),
            "word": template("atlas-told-word", "word", "weight"),
        },
    )
    caption("atlas-examples-how", n=len(atlas.texts))
    columns = st.columns(2)
    # One list of pairs or two, each in a column of the same width.
    for column, (id, pairs) in zip(columns, _pairs(card).items(), strict=False):
        with column:
            subtitle(id)
            titles = [say(f"atlas-pair-{name}") for name in ("query", "key", id.split("-")[-1])]
            st.markdown(text_table(titles, pairs))


def _example(row: HeadExample) -> dict[str, Any]:
    """Return a row of weights with its query, as `show_rows` takes it."""
    written = _spelt(row.written) if row.written else "none"
    query = say("atlas-query", read=_spelt(row.read), written=written)
    words = []
    for token, weight in zip(row.keys, row.weights, strict=True):
        rounded = round(float(weight), 4)
        words.append(
            {
                "before": " " * token.startswith(SPACE),
                "text": _spelt(token),
                "unknown": False,
                "weight": rounded,
                "shown": rounded,
            }
        )
    # The query stands before the first key, where no text of the component is.
    words[0]["before"] = f"{query} "
    return {"weight": round(row.strength, 4), "words": words}


def _pairs(card: HeadCard) -> dict[str, list[list[str]]]:
    """Return the pairs that occur in texts and, if there are any, those from weights alone."""
    occurring = [
        [
            say("atlas-pair-written", token=_token(query)) if written else _token(query),
            _token(key),
            say("atlas-pair-value", value=value, n=n),
        ]
        for query, key, value, n, written in card.occurring
    ]
    possible = [[_token(q), _token(k), fixed(v, 1)] for q, k, v in card.possible]
    return {"atlas-occurring": occurring} | ({"atlas-possible": possible} if possible else {})


def _token(token: str) -> str:
    return say("quoted", text=token_text(token))


def _spelt(token: str) -> str:
    return visible(token.removeprefix(SPACE)) or "␣"

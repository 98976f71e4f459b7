"""What the heads were found to do: words on them, a card for the open one, a table of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from core.measurements import ROLES
from core.roles import LEAST, LINKED, MARGIN, HeadRole, Tested, candidates_of, roles_of, row_values
from core.stored import Interval
from ui.components.heads import ALL
from ui.focus import Head, Link, open_head
from ui.kit.blocks import table, text_table
from ui.kit.controls import kept_choice
from ui.kit.layout import folded, paragraph
from ui.state import Run
from ui.stored import source_line, stored_box
from ui.words import head_name, say, site_name, with_interval
from words.numbers import fixed

if TYPE_CHECKING:
    from core.attention import AttentionMap

    from .scene import Scene

OfSites = Mapping[str, Mapping[Head, HeadRole]]
"""By site what was found of each head; empty where nothing was measured."""


def roles_in(run: Run) -> OfSites:
    if run.card.roles is None:
        return {}
    found = {site: roles_of(run.card.roles, site.name) for site in run.record.sites}
    return {
        site.name: heads
        for site, heads in found.items()
        if len(heads) == site.n_layers * site.n_heads
    }


def names_in(roles: OfSites) -> tuple[str, ...]:
    """The roles that any head has."""
    there = {head.name for heads in roles.values() for head in heads.values()}
    return tuple(name for name in LEAST if name in there)


def kept_role(roles: OfSites) -> str:
    """The role whose heads alone are bright."""
    return kept_choice("role", (ALL, *names_in(roles)))


def here(attention: AttentionMap, role: str, link: Link | None, head: Head) -> float | None:
    """What a role gives the rows of the text on screen; None where no partner of a word is known
    here."""
    known = link is not None and bool(link.columns)
    if role not in candidates_of(attention, ("noun",) if known else ()):
        return None
    at = (link.rows, link.columns) if known and role in LINKED else ()
    values = row_values(attention, role, *at)[head]
    return float(values.mean()) if len(values) else None


def finding_of(scene: Scene, role: HeadRole) -> str:
    """In a sentence what the open head does."""
    best, head = role.best, head_name(*scene.focus.place, title=True)
    told: dict[str, Any] = {"head": head, "value": best.value.value, "against": best.against.value}
    told["control"] = say(f"role-control-{best.control}")
    if role.name is None:
        told |= {"word": say(f"role-title-{best.name}"), "least": LEAST[best.name]}
        why = "little" if best.above >= MARGIN else "control"
        return say("role-finding-none", why=why, over=_over(best, scene.run), **told)
    value = here(scene.raw, best.name, scene.link, scene.focus.place)
    words, link = "", scene.link
    if best.name == "noun" and link is not None and value is not None:
        words = say("role-words", row=link.row_word, column=link.column_word)
    return say(
        "role-finding",
        does=say(f"role-does-{best.name}"),
        words=words,
        known="no" if value is None else "yes",
        here=0.0 if value is None else value,
        over=_over(best, scene.run),
        **told,
    )


def _over(tested: Tested, run: Run) -> str:
    measured = run.card.roles
    n = tested.n if tested.name in LINKED or measured is None else measured.sentences
    return say("role-over", n=n, of=tested.name if tested.name in LINKED else "rows")


def card(scene: Scene, role: HeadRole) -> None:
    """All that was measured of the open head, beside the same of the text on screen."""
    with st.container(border=True, key="role_card", gap="xsmall"):
        name = say(f"role-does-{role.name}") if role.name else say("role-none")
        st.markdown(f"**{head_name(*scene.focus.place, title=True)}** · {name}")
        titles = [say(f"role-column-{each}") for each in ("role", "here", "many", "control")]
        st.markdown(text_table(titles, (_line(scene, each) for each in role.tested)))
        st.markdown(" ".join(_off(how, change) for how, change in role.off.items()))
        query = {"text": scene.run.record.src.text, "kind": scene.kind}
        query |= {"checkpoint": scene.run.card.name}
        query |= dict(zip(("layer", "head"), (each + 1 for each in scene.focus.place), strict=True))
        st.markdown(f"[{say('role-link')}](?{urlencode(query)})")


def _line(scene: Scene, tested: Tested) -> list[str]:
    value = here(scene.raw, tested.name, scene.link, scene.focus.place)
    title = say(f"role-title-{tested.name}")
    return [
        f"**{title}**" if tested.passed else title,
        "–" if value is None else fixed(value),
        with_interval(tested.value),
        f"{say(f'role-control-{tested.control}')}: {with_interval(tested.against)}",
    ]


def _off(how: str, change: Interval) -> str:
    matters = "no" if change.low <= 0 <= change.high else "yes"
    return say(
        "role-off", how=say(f"role-off-{how}"), change=change.value, low=change.low,
        high=change.high, matters=matters,
    )  # fmt: skip


def all_heads(run: Run, roles: OfSites) -> None:
    """A fold with a line a head; a click on one opens it."""
    stored = run.card.lies(ROLES)
    if stored.state in ("damaged", "foreign"):
        stored_box(stored)
    if not roles:
        return
    heads = [(kind, *place) for kind, of in roles.items() for place in of]
    rows = [_row(kind, place, role) for kind, of in roles.items() for place, role in of.items()]

    with folded("roles"):
        table(
            "role-table",
            pd.DataFrame(rows),
            words="role-column",
            widths=dict.fromkeys(("layer", "head"), 48),
            formats=dict.fromkeys(("many", "low", "high", "against"), "%.2f") | {"off": "%.3f"},
            height=8 * 36,
            on_pick=partial(_open, heads),
        )
        paragraph("roles")
        if line := source_line(stored.values):
            st.caption(line)


def _open(heads: Sequence[tuple[str, int, int]], line: int) -> None:
    kind, *place = heads[line]
    st.session_state["kind"] = kind
    open_head(kind, *place)


def _row(kind: str, place: Head, role: HeadRole) -> dict[str, object]:
    best, off = role.best, role.off.get("zero")
    return {
        "site": site_name(kind, "short"),
        "layer": place[0] + 1,
        "head": place[1] + 1,
        "role": say(f"role-{role.name or 'none'}"),
        "candidate": say(f"role-title-{best.name}"),
        "many": best.value.value,
        "low": best.value.low,
        "high": best.value.high,
        "control": say(f"role-control-{best.control}"),
        "against": best.against.value,
        "off": None if off is None else round(off.value, 3) + 0.0,
    }

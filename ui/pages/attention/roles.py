"""Roles of heads: labels on the tiles, a card for the open head, a table of all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from core.measurements import ROLES
from core.records.tokens import SPACE, distinct_labels
from core.roles import LEAST, MARGIN, HeadRole, Tested
from model import Reader
from ui.frame.choices import choose
from ui.frame.messages import current_words, head_at, plain, quoted, say, with_interval
from ui.frame.model_cache import once_a_model
from ui.frame.run import Run
from ui.kit.blocks import ROW, table, text_table
from ui.kit.focus import Head, is_unmarked, open_head
from ui.kit.head_roles import atlas_sites, off_words, relation_words, roles_at
from ui.kit.layout import folded, paragraph
from ui.kit.measurements import stored_box, tell_source
from ui.pages.attention.scene import AttentionScene
from words.numbers import fixed

# Of the table of all roles, in pixels: together no more than a page of 1280 pixels leaves.
WIDTHS = {"head": 110, "role": 78, "candidate": 126, "many": 140, "low": 88, "high": 90}
WIDTHS |= {"control": 130, "against": 100, "off": 68}


def headline_of(scene: AttentionScene) -> str:
    """Return the headline of the open head as Markdown: in this sentence, and below over many."""
    role = scene.roles.get(scene.focus.place)
    if scene.raw.measure != "weight":
        return f"{scene.title}: {scene.readout}"
    if role is None:
        return f"**{scene.headline}** :small[{scene.title}]"
    headline = scene.headline
    value = scene.value_of(role.best.name)
    if role.name and not scene.rows and value is not None and value >= LEAST[role.name]:
        does = say(f"role-does-{role.name}")
        headline = say("attention-headline-role", does=does, value=value)
    finding = f"{finding_of(scene, role)} {_unmarked(scene, role)}".rstrip()
    return f"**{headline}** :small[{finding}]"


def _unmarked(scene: AttentionScene, role: HeadRole) -> str:
    """Return what a coreference head does at a pronoun of one translation, or an empty text."""
    raw = scene.raw
    rows = scene.focus.rows
    of_pronoun = role.name == "noun" and raw.site.query == "source" and len(rows) == 1
    if not of_pronoun or not is_unmarked(scene.run.pack, raw.query_tokens[rows[0]]):
        return ""
    word = plain(raw.query_tokens[rows[0]].removeprefix(SPACE))
    earlier = raw.head(*scene.focus.place)[rows[0], : rows[0]]
    if not len(earlier):
        return say("role-unmarked", word=word)
    most = int(earlier.argmax())
    key = quoted(distinct_labels(raw.key_tokens)[most])
    return f"{say('role-unmarked', word=word)} {say('role-earlier', key=key, most=earlier[most])}"


def finding_of(scene: AttentionScene, role: HeadRole) -> str:
    """Return a sentence on the role of the open head over many sentences."""
    best = role.best
    head = scene.head_name(title=True)
    pronoun = plain(scene.run.pack.pronoun) or "none"
    over = say("role-over", n=best.n, of=best.of, pronoun=pronoun)
    title = say(f"role-title-{best.name}")
    if role.name is None:
        return say(
            "role-finding-none",
            # No role passed: the value is too small, or it lies too close to the control.
            why="little" if best.above >= MARGIN else "control",
            value=best.value.value,
            control=say(f"role-control-{best.control}"),
            against=best.against.value,
            head=head,
            over=over,
            word=title,
            least=LEAST[best.name],
        )
    value = scene.value_of(best.name)
    return say(
        "role-many",
        state=scene.role_state(best.name, value),
        here=value or 0.0,
        value=best.value.value,
        head=head,
        over=over,
        title=title,
    )


@dataclass(frozen=True)
class MeasuredTexts:
    """Texts of a role card that are the same for every sentence."""

    does: str  # what the head does
    lines: Mapping[str, tuple[str, str, str]]  # by candidate: title, over many, control
    off: str  # changes when the head is ablated
    relation: str  # syntactic relation over gold trees, and a link to the atlas


def card(scene: AttentionScene, role: HeadRole) -> None:
    """Draw all measurements of the open head beside its values in the text on screen."""
    titles = [say(f"role-column-{column}") for column in ("role", "here", "many", "control")]
    layer, head = (count + 1 for count in scene.focus.place)
    query = {"text": scene.run.record.src.text, "kind": scene.site_id, "layer": layer}
    query |= {"head": head, "checkpoint": scene.run.card.at}
    language = current_words().language
    texts = _measured_texts(scene.run.translator, language, scene.site_id, scene.focus.place)
    values = {tested.name: scene.value_of(tested.name) for tested in role.tested}
    lines = (
        (title, "–" if values[name] is None else fixed(values[name]), many, control)
        for name, (title, many, control) in texts.lines.items()
    )
    parts = (
        f"**{scene.head_name(title=True)}** · {texts.does}",
        text_table(titles, lines),
        texts.off,
        f"[{say('role-link')}](?{urlencode(query)})",
        texts.relation,
    )
    with st.container(border=True, key="role_card"):
        st.markdown("\n\n".join(parts))  # one element, because it is sent again at every click


@once_a_model
def _measured_texts(reader: Reader, language: str, site_id: str, head: Head) -> MeasuredTexts:
    """Return the texts of a measured head in the page's language, which is `language`."""
    role = roles_at(reader, site_id)[head]
    return MeasuredTexts(
        say(f"role-does-{role.name}" if role.name else "role-none"),
        {tested.name: _line(tested) for tested in role.tested},
        " ".join(off_words(ablation, change) for ablation, change in role.off.items()),
        _relation(reader, site_id, head),
    )


def _relation(reader: Reader, site_id: str, head: Head) -> str:
    """Return the syntactic relation of a head, over gold trees, and a link to the atlas."""
    if site_id not in (sites := atlas_sites(reader)):
        return ""
    layer, number = head
    at = {"worth_look": "atlas", "atlas_head": f"{site_id}-{layer + 1}-{number + 1}"}
    link = f"[{say('role-atlas')}](worth?{urlencode({**at, 'checkpoint': reader.card.at})})"
    return f"{relation_words(sites[site_id].heads[layer][number])} {link}".strip()


def _line(tested: Tested) -> tuple[str, str, str]:
    """Return a line of the role card without its value in this text."""
    title = say(f"role-title-{tested.name}")
    return (
        f"**{title}**" if tested.passed else title,
        with_interval(tested.value),
        f"{say(f'role-control-{tested.control}')}: {with_interval(tested.against)}",
    )


def all_heads(run: Run, scenes: Iterable[AttentionScene]) -> None:
    """Draw a fold with a table of all heads; a click on a line opens its head."""
    stored = run.card.measured(ROLES)
    if stored.state in ("damaged", "foreign"):
        stored_box(stored)
    heads = {(scene.site_id, *head): role for scene in scenes for head, role in scene.roles.items()}
    if not heads:
        return
    fold = folded("roles", late=True)
    if not fold.open:
        return
    with fold:
        table(
            "role-table",
            pd.DataFrame([_row(*head, role) for head, role in heads.items()]),
            words="role-column",
            widths=WIDTHS,
            formats=dict.fromkeys(("many", "low", "high", "against"), "%.2f") | {"off": "%.3f"},
            height=8 * ROW,
            on_pick=partial(_open, [*heads]),
        )
        paragraph("roles")
        tell_source(stored)


def _open(heads: Sequence[tuple[str, int, int]], line: int) -> None:
    choose({"kind": heads[line][0]})
    open_head(*heads[line])


def _row(site_id: str, layer: int, head: int, role: HeadRole) -> dict[str, object]:
    best = role.best
    off = role.off.get("zero")
    return {
        "head": head_at(site_id, layer, head),
        "role": say(f"role-{role.name or 'none'}"),
        "candidate": say(f"role-title-{best.name}"),
        **dict(zip(("many", "low", "high"), best.value.to_values().values(), strict=True)),
        "control": say(f"role-control-{best.control}"),
        "against": best.against.value,
        # + 0.0 turns a rounded -0.0 into 0.0.
        "off": None if off is None else round(off.value, 3) + 0.0,
    }

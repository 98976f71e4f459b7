"""Data of the heads in the browser, and its choices: maps, labels, messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from core.card import fingerprint_of
from core.pronoun import Word
from core.records.attention import OF_LAYERS, AttentionMap, Measure
from core.records.head_weights import HeadWeights
from core.records.sources import TokenSequence
from core.records.tokens import token_label, token_labels
from core.roles import LEAST, HeadRole
from core.weights.groups import Groups
from core.weights.measures import BADGES, badge_numbers, largest_of_rows, pair_weights
from core.weights.pooling import thumbnails
from ui.components import packed, steps_of, template
from ui.components.heads import (
    ALL,
    HeadsChoice,
    Sizes,
    read_chosen,
    send_head,
    sent_choice,
    show_heads,
    tell_heads,
)
from ui.frame.choices import choose
from ui.frame.messages import current_words, has_single_head, language_name, say, site_name
from ui.frame.run import RECORDING, Run
from ui.kit.controls import kept_choice
from ui.kit.focus import Head, choose_in_map
from ui.kit.hidden_words import hidden_positions, hide_words, words_to_hide
from viz.labels import site_title
from viz.style import Look
from viz.theme import palette_of

from .scene import AttentionScene

KEY = "heads"
HEADS_WORDS = ("guided", "masked", "enlarge", "leave", "closer", "farther", "point")
THUMBNAIL = {True: 20, False: 40}
"""Pixels of the small pictures of a large site, by whether it has very many heads."""
MANY_HEADS = 256
BADGE_WORDS = ("badge", "badge-weight", "badge-weight-row", "badge-weight-pair")
BADGE_NAMES = ("weight", *(badge.name for badge in BADGES if badge.name != "largest"))


def names_for(scenes: Mapping[str, AttentionScene]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the badges that may stand under each head, and the role filters; defaults first."""
    there = {role.name for scene in scenes.values() for role in scene.roles.values()}
    names = [name for name in LEAST if name in there]
    return ("role", *BADGE_NAMES) if names else BADGE_NAMES, (ALL, *names)


def kept_badge(scenes: Mapping[str, AttentionScene]) -> tuple[str, str]:
    """Return the chosen badge, and the role whose heads alone are bright."""
    badges, roles = names_for(scenes)
    return kept_choice("badge", badges), kept_choice("role", roles)


@dataclass(frozen=True)
class DrawnHeads:
    """Context in which a choice of the browser is read."""

    identity: str  # fingerprint of sentence and grouping of tokens
    groups: Mapping[str, tuple[Groups, Groups]]  # of rows and columns, by site
    sizes: Mapping[str, Sizes]  # by site
    badges: tuple[str, ...]  # that may stand under each head
    roles: tuple[str, ...]  # filters
    words: tuple[Word, ...]  # source words that can be hidden here

    @classmethod
    def of(cls, scenes: Mapping[str, AttentionScene], *, hides: bool) -> DrawnHeads:
        groups = {
            name: (s.regrouped.query_groups, s.regrouped.key_groups) for name, s in scenes.items()
        }
        sizes = {
            name: Sizes(s.attention.n_layers, s.attention.n_heads, *s.attention.weights.shape[2:])
            for name, s in scenes.items()
        }
        first = next(iter(scenes.values()))
        items = {name: (s.raw.item, s.raw.measure) for name, s in scenes.items()}
        # Choices of the browser are positions of this grouping, so it is part of their identity.
        identity = fingerprint_of({"run": repr(first.run.identity), "of": [items, groups]})
        words = words_to_hide(first.run) if hides else ()
        return cls(identity, groups, sizes, *names_for(scenes), words)


def draw_heads(scenes: Mapping[str, AttentionScene], drawn: DrawnHeads, *, panel: bool) -> None:
    """Mount the token lines, all heads, and with `panel` the open head as a matrix.

    The same for every choice of the reader, which `tell_open_head` sends and receives.
    """
    # The container reserves the height, so that the page does not move while maps are loaded.
    with st.container(key=f"reserved_{KEY}"):
        show_heads(_data_once(scenes, drawn, panel=panel), key=KEY)


def tell_open_head(
    scenes: Mapping[str, AttentionScene],
    drawn: DrawnHeads,
    site_id: str,
    badge: str,
    role: str = ALL,
    *,
    panel: bool,
    on_kind: Callable[[str], None] | None = None,
) -> None:
    """Send the open head to the mounted heads, and receive the reader's next choice.

    Parameters
    ----------
    site_id : the open site.
    badge : quantity under each head.
    role : filter; only heads of this role are bright.
    panel : the open head is drawn as a matrix.
    on_kind : called with the open site after each choice of the reader.
    """
    selections = {name: scene.selection for name, scene in scenes.items()}
    tell_heads(
        HeadsChoice(site_id, badge, selections, st.session_state.get("heads_answered", 0), role),
        of=KEY,
        identity=drawn.identity,
        scores=_scores(scenes[site_id]) if panel else None,
        numbers={
            name: numbers
            for name, scene in scenes.items()
            if (numbers := _numbers_at_tokens(scene)) is not None
        },
        on_choice=partial(take_choice, drawn, on_kind),
    )
    open_scene = scenes[site_id]
    if panel and is_large(open_scene.attention):
        drawing, _ = st.session_state["heads_data"]
        send_head(KEY, fingerprint_of({"drawing": drawing}), _open_head_of(open_scene))


def is_large(attention: AttentionMap) -> bool:
    """Return True for a map of very many weights, whose heads are sent when they are opened."""
    return isinstance(attention.weights, HeadWeights)


def _open_head_of(scene: AttentionScene) -> dict[str, Any]:
    attention = scene.attention
    layer, head = scene.focus.place
    return {
        "kind": scene.site_id,
        "layer": layer,
        "head": head,
        "weights": steps_of(attention.head(layer, head), attention.mask),
    }


def _numbers_at_tokens(scene: AttentionScene) -> dict[str, Any] | None:
    """Return the number of each head at the chosen tokens of a large site, None without a row."""
    attention = scene.attention
    rows = scene.rows
    columns = scene.columns
    if not rows or not is_large(attention):
        return None
    values = pair_weights(attention, rows, columns) if columns else largest_of_rows(attention, rows)
    return {"rows": rows, "columns": columns, "values": np.round(values.ravel(), 4).tolist()}


def take_choice(drawn: DrawnHeads, on_kind: Callable[[str], None] | None = None) -> None:
    """Take over the browser's choice before the page is redrawn (callback)."""
    chosen = read_chosen(sent_choice(KEY), drawn.identity, drawn.sizes, drawn.badges, drawn.roles)
    if chosen is None:
        return
    for site, selection in chosen.selections.items():
        choose_in_map(site, drawn.groups[site], selection)
    choose(
        {
            "heads_answered": chosen.number,
            "kind": chosen.site,
            "badge": chosen.badge,
            "role": chosen.role,
        }
    )
    if drawn.words and chosen.hidden is not None:
        hide_words(drawn.words, chosen.hidden)
    if on_kind is not None:
        on_kind(chosen.site)


def _data_once(scenes: Mapping[str, AttentionScene], drawn: DrawnHeads, *, panel: bool) -> bytes:
    """Return the packed data of the component, rebuilt only when something in it changes.

    The packed maps may be large, and a click must not pack them again.
    """
    displays = sorted((name, repr(scene.display)) for name, scene in scenes.items())
    drawing = repr((drawn.identity, displays, current_words().language, panel, drawn.words))
    kept, data = st.session_state.get("heads_data", ("", b""))
    if kept == drawing:
        return data
    data = packed(
        {"drawing": fingerprint_of({"drawing": drawing}), **_data_of(scenes, drawn, panel=panel)}
    )
    st.session_state["heads_data"] = drawing, data
    return data


def _data_of(
    scenes: Mapping[str, AttentionScene], drawn: DrawnHeads, *, panel: bool
) -> dict[str, Any]:
    """Return the data of the component: tokens, maps, labels and colours of all sites."""
    first = next(iter(scenes.values()))
    measure = first.raw.measure
    recorded = first.run.choices.checkpoint == RECORDING
    sides = _sides(first.run)
    return {
        "key": KEY,
        "identity": drawn.identity,
        "model": first.run.card.fingerprint,
        "panel": panel,
        "contrast": first.display.contrast,
        "sums": first.display.sums,
        "lines": [
            _line(
                say(f"recording-{side}") if recorded else language_name(code or side),
                sequence,
                code,
            )
            for side, (sequence, code) in sides.items()
        ],
        "hiding": [{"text": word.text, "places": word.positions} for word in drawn.words],
        "hidden": list(hidden_positions()) if drawn.words else [],
        "sites": [_site(scene, sides) for scene in scenes.values()],
        "colours": {name: _ramps(scene) for name, scene in scenes.items()},
        "badges": [
            {"name": name, "title": say(f"badge-{name}", measure=measure)} for name in drawn.badges
        ],
        "filters": [{"name": name, "title": _role_title(name)} for name in drawn.roles],
        "roles": {name: {"word": say(f"role-{name}")} for name in drawn.roles[1:]},
        "words": _words(measure, recorded=recorded),
    }


def _role_title(name: str) -> str:
    """Return the full name of a role with the short word that stands below heads of it."""
    title = say(f"role-title-{name}")
    if name == ALL:
        return title
    word = say(f"role-{name}")
    return title if word.lower() == title.lower() else say("role-spelled", word=word, title=title)


def _sides(run: Run) -> dict[str, tuple[TokenSequence, str]]:
    """Return the sides whose tokens stand above the heads, with their languages."""
    # A card may name one language, or none.
    codes = (*run.card.languages, "", "")
    texts = {"source": (run.record.src, codes[0]), "target": (run.record.tgt, codes[1])}
    return {side: text for side, text in texts.items() if isinstance(text[0], TokenSequence)}


def _ramps(scene: AttentionScene) -> dict[str, list[str]]:
    """Return the colours of a site for both themes, so that a change of theme needs no new data."""
    return {
        theme: list(Look(dark=theme == "dark")(palette_of, scene.raw.site).ramp)
        for theme in ("light", "dark")
    }


def _line(title: str, sequence: TokenSequence, code: str) -> dict[str, Any]:
    return {
        "title": title,
        "lang": code,
        "tokens": [
            {
                "label": token_label(token, special=special),
                "id": id_,
                "special": special,
                "unknown": unknown,
            }
            for token, id_, special, unknown in zip(
                sequence.tokens, sequence.ids, sequence.special, sequence.unknown, strict=True
            )
        ],
    }


def _site(scene: AttentionScene, sides: Mapping[str, tuple[TokenSequence, str]]) -> dict[str, Any]:
    attention = scene.attention
    site = scene.raw.site
    marked = [scene.guided[scene.site_id]] if scene.site_id in scene.guided else []
    # Heads of one site may see different positions; then the mask has a head axis.
    seen = attention.mask if attention.head_masks is None else attention.head_masks
    langs = {side: code for side, (_, code) in sides.items()}
    n_rows, n_columns = attention.weights.shape[2:]
    return {
        "name": scene.site_id,
        "title": site_title(scene.site_id),
        "short": site_name(scene.site_id, "short"),
        "alt": say(
            "matrix-alt",
            site=site_name(scene.site_id, "attention"),
            measure=scene.raw.measure,
            n_rows=n_rows,
            n_columns=n_columns,
        ),
        "layers": attention.n_layers,
        "heads": attention.n_heads,
        "rows": token_labels(scene.row_tokens),
        "columns": token_labels(attention.key_tokens),
        "langs": {"rows": langs.get(site.query, ""), "columns": langs.get(site.key, "")},
        "lines": [_places_of(scene, side, len(sequence)) for side, (sequence, _) in sides.items()],
        **_maps(attention, seen),
        "badges": {
            name: np.round(numbers.ravel().astype(float), 4).tolist()
            for name, numbers in badge_numbers(attention).items()
            # The browser computes the largest weights itself where it has the maps.
            if name in BADGE_NAMES or (name == "largest" and is_large(attention))
        },
        "roles": tiles_of(scene) or None,
        "marked": list(map(list, marked)),
        "colours": scene.site_id,
    }


def _maps(attention: AttentionMap, seen: np.ndarray | None) -> dict[str, Any]:
    """Return the weights of all heads, or of a large site small pictures of them."""
    if not is_large(attention):
        # 16 bits are enough for a colour and four digits.
        return {"weights": steps_of(attention.weights, seen)}
    many = attention.n_layers * attention.n_heads > MANY_HEADS
    small = thumbnails(attention, THUMBNAIL[many])
    rows, columns = small.weights.shape[2:]
    return {
        "small": {"rows": rows, "columns": columns, "weights": steps_of(small.weights, small.mask)}
    }


def _places_of(scene: AttentionScene, side: str, length: int) -> dict[str, list[int] | None]:
    """Return the row and column of each token of a line at a site; -1 if it has none.

    A target token belongs to the row that produces it, or, if rows are named by input token, to the
    row that reads it. As a key it is the input token.
    """
    site = scene.raw.site
    regrouped = scene.regrouped
    # Inputs are shifted right by one against outputs, so the row that reads token i is i + 1.
    reads = site.query == "target" and site.is_self and not scene.produced
    return {
        name: _places(groups, length, int(shift)) if end == side else None
        for name, end, groups, shift in (
            ("rows", site.query, regrouped.query_groups, reads),
            ("columns", site.key, regrouped.key_groups, site.key == "target"),
        )
    }


def _places(groups: Groups, length: int, shift: int) -> list[int]:
    group_of = {position: index for index, group in enumerate(groups) for position in group}
    return [group_of.get(position + shift, -1) for position in range(length)]


def _scores(scene: AttentionScene) -> dict[str, Any] | None:
    raw = scene.raw
    focus = scene.focus
    # Scores belong to single positions, so merged or filtered maps have none.
    if raw.scores is None or scene.attention is not raw:
        return None
    return {
        "kind": scene.site_id,
        "layer": focus.layer,
        "head": focus.head,
        # float32, not 16-bit steps: scores have no fixed range.
        "packed": raw.scores[focus.layer, focus.head].astype("<f4"),
        # Scores are products divided by sqrt(d_k); the browser shows both.
        "root": float(np.sqrt(scene.d_k)) if scene.d_k else None,
    }


def _words(measure: Measure, *, recorded: bool) -> dict[str, str]:
    head = ("site", "layer", "head")
    token = ("place", "token", "id")
    if measure in OF_LAYERS:
        titles = {name: template("heads-open-layer", *head[:2]) for name in ("open", "tile")}
    elif has_single_head():
        titles = {name: template("heads-open-single", *head) for name in ("open", "tile")}
    else:
        titles = {"open": template("heads-open", *head), "tile": template("figures-head-of", *head)}
    return {
        **titles,
        "hide": template("heads-hide", "word"),
        "unhide": template("heads-unhide", "word"),
        "token": template("heads-token", *token),
        "unknown": template("heads-unknown", *token),
        **{name: say(f"heads-{name}", measure=measure) for name in HEADS_WORDS},
        **{name: say(name, measure=measure) for name in BADGE_WORDS},
        **{name: say(f"figures-{name}") for name in ("query", "key")},
        "weight": say(f"figures-{measure}"),
        **{name: say(f"figures-heatmap-{name}") for name in ("rank", "product", "score")},
        "kinds": say("kind"),
        "role": say("role"),
        "none": say("role-none-tile"),
        "attends": say("figures-matrix-query-attends"),
        **{name: say(f"heads-{name}") for name in ("framed", "most")},
        **({"token": template("heads-token-recorded", *token)} if recorded else {}),
    }


def tiles_of(scene: AttentionScene) -> list[dict[str, Any] | None]:
    """Return for every head of the site the role on its tile, or None.

    Each is a dictionary: ``role`` is its name, ``faint`` is True if the text does not show it,
    ``told`` is the sentence on it.
    """

    names = {role.name for role in scene.roles.values()}
    titles = {name: say(f"role-title-{name}") for name in names if name}
    does = {name: say(f"role-does-{name}") for name in titles}

    def tile(head: Head, role: HeadRole) -> dict[str, Any] | None:
        if role.name is None:
            return None
        value = scene.value_of(role.name, head)
        state = scene.role_state(role.name, value)
        many = role.best.value.value
        sentence = say(
            "role-tile",
            title=titles[role.name],
            does=does[role.name],
            many=many,
            state=state,
            here=value or 0.0,
        )
        return {"role": role.name, "faint": state in ("faint", "absent"), "told": sentence}

    return [tile(head, role) for head, role in scene.roles.items()]

"""All heads as points over their measurements, with a card of the open one."""

from __future__ import annotations

import streamlit as st

from core.atlas import ATLAS, DECILES, NUMBERS, Atlas, HeadCard, head_rows
from core.attention import Head
from core.measurements import GOLD
from core.roles import HeadRole, Tested
from core.tokens import SPACE, visible
from model.experiments.atlas import examples
from model.io.checkpoint import checkpoint_path
from ui import address
from ui.attention.roles import off_words, relation_words, roles_in
from ui.components import template
from ui.components.document import show_rows
from ui.export import counted_from_one
from ui.kit.blocks import ROW, full_head_menu, picture, table, text_table
from ui.kit.controls import button, choice, slider
from ui.kit.layout import caption, control_row, finding, folded, subtitle
from ui.state import Run
from ui.stored import stored_of, tell_source
from ui.words import head_at, say, site_name, token_text, with_interval
from viz.atlas import head_points
from viz.labels import full_head_name
from viz.plots import harmless
from viz.theme import palette_of
from words.numbers import fixed

MENU = "atlas_head"


def show(run: Run) -> None:
    stored = stored_of(ATLAS, checkpoint_path(run.card.at), run.card.fingerprint)
    if stored.part is None:
        return
    atlas, roles = stored.part, roles_in(run)
    heads = head_rows(atlas, run.card.roles, run.card.lies(GOLD).part)
    places = list(zip(heads["kind"], heads["layer"], heads["head"], strict=True))
    heads.insert(3, "name", [full_head_name(*place) for place in places])
    found = [name for name in NUMBERS if name in heads]
    told = {"sentences": atlas.sentences, "roles": int((heads["role"] != "").sum())}
    finding(say("atlas-found", n=len(heads), **told))
    left, beside = st.columns([3, 2])
    with beside:
        first = places[int(heads["off"].argmin()) if "off" in heads else 0]
        place = full_head_menu(MENU, places, default=first)
        card = atlas.sites[place[0]].heads[place[1]][place[2]]
        _card(place, card, roles.get(place[0], {}).get(place[1:]))
    above = left.container()
    with left, control_row():
        x, y, colour = (
            choice(f"atlas_{name}", each, words=f"atlas-{name}", style="select", text=_axis, **how)
            for name, each, how in (
                ("x", found, {"default": "entropy"}),
                ("y", found, {"default": "special" if "special" in heads else found[0]}),
                ("colour", ["kind", "role", *found], {}),
            )
        )
    with above:
        # Plotly returns a point's label as it was sent, with markup made harmless.
        by_name = {harmless(name): place for name, place in zip(heads["name"], places, strict=True)}
        # A head needs both numbers to have a point.
        both = int(heads[[x, y]].notna().all(axis=1).sum())
        picture(
            "atlas-points",
            head_points(heads, x, y, colour, selected=full_head_name(*place)),
            on_point=lambda name: _open(by_name[name]) if name in by_name else None,
            below="" if both == len(heads) else say("atlas-both", n=both),
            numbers=counted_from_one(heads.drop(columns="name")),
            x=_axis(x),
            y=_axis(y),
            n=both,
        )
    _examples(run, atlas, place, card)
    with folded("roles"):
        table(
            "atlas-table",
            heads.drop(columns=["name", "depth"]).assign(
                kind=[site_name(kind, "short") for kind in heads["kind"]],
                layer=heads["layer"] + 1,
                head=heads["head"] + 1,
                role=[say(f"role-{role or 'none'}") for role in heads["role"]],
            ),
            words="atlas-axis",
            formats=dict.fromkeys(found, "%.3f"),
            height=8 * ROW,
            on_pick=lambda line: _open(places[line]),
        )
        tell_source(stored.values)


def _axis(name: str) -> str:
    return say(f"atlas-axis-{name}")


def _open(place: Head) -> None:
    st.session_state[MENU] = place


def _card(place: Head, card: HeadCard, role: HeadRole | None) -> None:
    """Draw role and control of a head, the cost of its ablation, and similar heads."""
    kind, layer, head = place
    with st.container(border=True, key="atlas_card", gap="xsmall"):
        does = say(f"role-does-{role.name}" if role and role.name else "role-none")
        st.markdown(f"**{head_at(*place)}** · {does}")
        if role:
            told = [each for each in role.tested if each.passed] or [role.best]
            st.markdown("\n".join(map(_tested, told)))
            for how, change in list(role.off.items())[:1]:
                st.markdown(off_words(how, change))
        if relation := relation_words(card):
            st.markdown(relation)
        if card.similar:
            caption("atlas-similar")
            with st.container(horizontal=True, gap="xsmall"):
                for number, (*at, apart) in enumerate(card.similar):
                    near = kind, *at
                    told = {"head": head_at(*near), "apart": apart}
                    how = {"words": "atlas-near", "values": told, "type": "tertiary"}
                    button(f"atlas_near_{number}", _open, near, **how)
        query = {"kind": kind, "layer": str(layer + 1), "head": str(head + 1)}
        query |= address.of_frame()
        how = {"words": "atlas-matrix", "icon": "grid_on", "type": "tertiary"}
        if button("atlas_matrix", address.go, "attention", query, **how):
            # The button is in a fragment, which cannot leave the page by itself.
            address.leave()


def _tested(tested: Tested) -> str:
    told = {"role": say(f"role-title-{tested.name}"), "value": with_interval(tested.value)}
    control = say(f"role-control-{tested.control}")
    return say("atlas-tested", **told, control=control, against=with_interval(tested.against))


def _examples(run: Run, atlas: Atlas, place: Head, card: HeadCard) -> None:
    subtitle("atlas-examples")
    decile = slider("atlas_decile", 1, DECILES, DECILES, width=300)
    texts = tuple(tuple(atlas.texts[at]) for at in card.examples[decile - 1])
    found = run.ask(examples, texts, *place, words="atlas-reading") if texts else ()
    rows = []
    for each in found:
        written = _spelt(each.written) if each.written else "none"
        query = say("atlas-query", read=_spelt(each.read), written=written)
        words = [
            {"before": " " * token.startswith(SPACE), "text": _spelt(token), "unknown": False}
            | {"weight": round(float(weight), 4), "shown": round(float(weight), 4)}
            for token, weight in zip(each.keys, each.weights, strict=True)
        ]
        # The query stands before the first key, where no text of the component is.
        words[0]["before"] = f"{query} "
        rows.append({"weight": round(each.strength, 4), "words": words})
    identity = f"{run.card.fingerprint} {place} {decile}"
    colour = palette_of(place[0]).accent
    told = {"document": say("atlas-told-text"), "point": say("atlas-told-point")}
    told |= {"sentence": template("atlas-told-sentence", "n", "weight")}
    told |= {"word": template("atlas-told-word", "word", "weight")}
    show_rows(rows, key="atlas_texts", identity=identity, colour=colour, words=told)
    caption("atlas-examples-how", n=len(atlas.texts))
    columns = st.columns(2)
    for column, (id, pairs) in zip(columns, _pairs(card).items(), strict=False):
        with column:
            subtitle(id)
            titles = [say(f"atlas-pair-{name}") for name in ("query", "key", id.split("-")[-1])]
            st.markdown(text_table(titles, pairs))


def _pairs(card: HeadCard) -> dict[str, list[list[str]]]:
    """Return both lists of pairs; the one from weights alone only if it has any."""
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

"""Why positions are needed: without them the encoder cannot tell one order from another."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from analysis.transform import word_groups
from model import InputError, Translator
from records import Equivariance, Reordered, TokenSequence
from ui.export import export_menu
from ui.panels import show_picture
from ui.state import Run, is_dark, show_problem
from ui.words import plain
from viz.labels import distinct_labels, numbered_labels
from viz.order import (
    MEASURE_TITLES,
    NamedMap,
    equivariance_plot,
    equivariance_table,
    layer_panels,
    layer_table,
    map_cells,
    map_row,
    vector_strips,
)
from words import Message

DEFAULT_WORDS = "I go home"
HOW = {"reversed": "Reversed", "shuffled": "Shuffled", "typed": "Typed"}
MOST_TOKENS = 40
MOST_NUMBERS = 32
N_ORDERS = 8
MAX_SEED = 9999
WITHOUT, WITH = "Without positions", "With positions"


class OrderError(InputError):
    """The words typed are not the same words in another order."""


@dataclass(frozen=True, eq=False)
class Both:
    """The tokens in two orders, read without positions and with them."""

    without: Reordered
    with_positions: Reordered

    @property
    def src(self) -> TokenSequence:
        return self.without.src

    @property
    def second_tokens(self) -> tuple[str, ...]:
        return tuple(self.src.tokens[i] for i in self.without.order)

    @property
    def cases(self) -> dict[str, Reordered]:
        return {WITHOUT: self.without, WITH: self.with_positions}


def show(run: Run) -> None:
    st.markdown("##### The same words in another order")
    both = _chosen_orders(run.translator)
    if both is not None:
        _say_orders(both)
        _layers(both)
        _strips(both)
        st.markdown("##### The maps of one head in both orders")
        _maps(run.translator, both)
    st.markdown("##### Exactly: on the sentence on screen")
    _exactly(run)


# Choosing the words and their order


def _chosen_orders(translator: Translator) -> Both | None:
    """What came of the person's words and order; None after saying what is wrong with them."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.text_input(
            "A few English words",
            DEFAULT_WORDS,
            key="order_text",
            bind="query-params",
            placeholder=DEFAULT_WORDS,
            width=300,
        )
        how = st.segmented_control(
            "The other order",
            list(HOW),
            key="order_how",
            default="reversed",
            required=True,
            format_func=HOW.get,
            bind="query-params",
        )
        seed, typed = 0, ""
        if how == "shuffled":
            seed = st.number_input(
                "Seed", 0, MAX_SEED, 0, key="order_seed", bind="query-params", width=130
            )
            st.button(
                "Shuffle again", key="order_shuffle", icon=":material/shuffle:", on_click=_next_seed
            )
        if how == "typed":
            typed = st.text_input(
                "The same words in your order",
                key="order_typed",
                bind="query-params",
                placeholder="home go I",
                width=300,
            )
    try:
        src = _read(translator, text)
        order = order_of(translator, src, how or "reversed", seed, typed)
        return _both(translator.card.fingerprint, src.ids, src.tokens, order, src, translator)
    except InputError as error:
        show_problem(error)
        return None


def _next_seed() -> None:
    st.session_state["order_seed"] = (st.session_state.get("order_seed", 0) + 1) % (MAX_SEED + 1)


def _read(translator: Translator, text: str) -> TokenSequence:
    src = translator.tokenize(text)
    if len(src) == 1:
        raise InputError(
            Message("positions-order-no-words"), hint=Message("positions-order-no-words-hint")
        )
    if len(src) > MOST_TOKENS:
        raise InputError(
            Message.of("positions-order-long", n=len(src), most=MOST_TOKENS),
            hint=Message("positions-order-long-hint"),
        )
    unknown = list(dict.fromkeys(t for t, u in zip(src.tokens, src.unknown, strict=True) if u))
    if unknown:
        st.warning(
            f"The vocabulary lacks {plain(' '.join(unknown), 60)}; the model sees all of that as "
            "the same unknown token.",
            icon=":material/help:",
        )
    if len(word_groups(src)) == 2:
        raise InputError(
            Message("positions-order-one-word"), hint=Message("positions-order-one-word-hint")
        )
    return src


def order_of(
    translator: Translator, src: TokenSequence, how: str, seed: int = 0, typed: str = ""
) -> tuple[int, ...]:
    """The other order of the tokens: place i holds token ``order[i]``.

    Words move as wholes, their pieces stay together, and ``</s>`` stays last: the model has never
    seen it elsewhere, and moving it too would be a second change.

    Raises
    ------
    OrderError : `typed` does not hold the same words.
    """
    groups = [group for group in word_groups(src) if not all(src.special[i] for i in group)]
    if how == "typed" and typed.strip():
        places = _typed_places(translator, src, groups, typed)
    elif how == "shuffled":
        places = _shuffled(len(groups), seed)
    else:
        places = list(range(len(groups)))[::-1]
    moved = [i for place in places for i in groups[place]]
    return (*moved, *(i for i in range(len(src)) if i not in set(moved)))


def _shuffled(n: int, seed: int) -> list[int]:
    """A random order that is not the one there is."""
    generator = np.random.default_rng(seed)
    places = list(range(n))
    while n > 1 and places == list(range(n)):
        places = [int(place) for place in generator.permutation(n)]
    return places


def _words_of(src: TokenSequence, groups: list[tuple[int, ...]]) -> list[str]:
    return [src.text[src.offsets[g[0]][0] : src.offsets[g[-1]][1]].strip() for g in groups]


def _typed_places(
    translator: Translator, src: TokenSequence, groups: list[tuple[int, ...]], typed: str
) -> list[int]:
    second = translator.tokenize(typed)
    second_groups = [g for g in word_groups(second) if not all(second.special[i] for i in g)]
    words, wanted = _words_of(src, groups), _words_of(second, second_groups)
    missing, extra = Counter(words) - Counter(wanted), Counter(wanted) - Counter(words)
    if missing or extra:
        parts = {
            name: " ".join(f"“{word}”" for word in counted.elements())
            for name, counted in (("missing", missing), ("extra", extra))
            if counted
        }
        what = "-and-".join(name for name, part in (("lacks", missing), ("adds", extra)) if part)
        raise OrderError(
            Message.of(f"positions-order-{what}", **parts),
            hint=Message("positions-order-words-hint"),
        )
    free: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        free.setdefault(word, []).append(place)
    return [free[word].pop(0) for word in wanted]


@st.cache_resource(show_spinner=False, max_entries=64)
def _both(
    fingerprint: str,
    ids: tuple[int, ...],
    tokens: tuple[str, ...],
    order: tuple[int, ...],
    _src: TokenSequence,
    _translator: Translator,
) -> Both:
    both = Both(*(_translator.reorder(_src, order, positions=p) for p in (False, True)))
    for found in both.cases.values():
        found.vectors.flags.writeable = found.attention.flags.writeable = False
    return both


# What comes of it


def _say_orders(both: Both) -> None:
    labels = distinct_labels(both.src.tokens)
    second = [labels[i] for i in both.without.order]
    with st.container(gap="xsmall"):
        for name, words in (("first", labels), ("second", second)):
            chips = " ".join(f":gray-badge[{plain(word)}]" for word in words)
            st.markdown(f"**{name} order** {chips}")
    if list(both.second_tokens) == list(both.src.tokens):
        st.info("Both orders spell the same tokens, so there is nothing to tell apart.")
    st.caption(
        "Words move as wholes and the end sign stays last. Each token is compared with itself in "
        "the other order."
    )


def _layers(both: Both) -> None:
    measure = st.segmented_control(
        "Compared by",
        list(MEASURE_TITLES),
        key="order_measure",
        default="distance",
        required=True,
        format_func=MEASURE_TITLES.get,
        bind="query-params",
    )
    measure = measure or "distance"
    panels = {
        name: found.distances if measure == "distance" else found.cosines
        for name, found in both.cases.items()
    }
    tokens = both.src.tokens
    figure = layer_panels(panels, tokens, measure=measure, dark=is_dark())
    show_picture(
        figure,
        key="order_layers",
        alt=f"{MEASURE_TITLES[measure]} between the two vectors of each token, by layer.",
    )
    last = {name: found.distances[-1] for name, found in both.cases.items()}
    worst = int(last[WITH].argmax())
    word = plain(distinct_labels(tokens)[worst])
    st.markdown(
        f"After the last layer, without positions no token's two vectors are further apart than "
        f"**{last[WITHOUT].max():.1e}**: rounding of float32, the vectors are the same. With "
        f"positions “{word}” moves by **{last[WITH][worst]:.2f}** (cosine "
        f"{both.with_positions.cosines[-1][worst]:.3f}); its vector is "
        f"{np.linalg.norm(both.with_positions.vectors[0, -1, worst]):.2f} long."
    )
    names = list(panels)

    def numbers() -> pd.DataFrame:
        table = layer_table(panels, tokens, measure).drop(columns=["text", "t"])
        table["panel"] = [names[place] for place in table["panel"]]
        return table.rename(columns={"value": measure})

    export_menu(
        figure,
        key="order_layers_export",
        name=f"two orders by layer: {both.src.text}",
        numbers=numbers,
    )


def _strips(both: Both) -> None:
    tokens = both.src.tokens
    labels = numbered_labels(tokens)
    if st.session_state.get("order_token", labels[0]) not in labels:
        del st.session_state["order_token"]
    chosen = st.selectbox(
        "Vectors after the last layer of", labels, key="order_token", filter_mode=None, width=200
    )
    place = labels.index(chosen)
    rows = {
        f"{name.lower()}, {which} order": found.vectors[side, -1, place, :MOST_NUMBERS]
        for name, found in both.cases.items()
        for side, which in enumerate(("first", "second"))
    }
    figure = vector_strips(rows, dark=is_dark())
    show_picture(
        figure,
        key="order_strips",
        alt="The first numbers of one token's vector in both orders, without and with positions.",
    )
    export_menu(
        figure,
        key="order_strips_export",
        name=f"vectors of {tokens[place]}: {both.src.text}",
        numbers=lambda: pd.DataFrame(rows),
    )


def _maps(translator: Translator, both: Both) -> None:
    n_layers, n_heads = both.without.attention.shape[1:3]
    for key, count in (("order_layer", n_layers), ("order_head", n_heads)):
        if st.session_state.get(key, 1) not in range(1, count + 1):
            del st.session_state[key]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        layer, head = (
            st.selectbox(
                title,
                range(1, count + 1),
                key=key,
                bind="query-params",
                filter_mode=None,
                width=90,
            )
            - 1
            for title, key, count in (
                ("Layer", "order_layer", n_layers),
                ("Head", "order_head", n_heads),
            )
        )
        case = st.segmented_control(
            "Encoder",
            [WITHOUT, WITH],
            key="order_case",
            default=WITHOUT,
            required=True,
            bind="query-params",
        )
    found = both.cases[case or WITHOUT]
    tokens, second = both.src.tokens, both.second_tokens
    maps = [
        NamedMap("First order", found.attention[0, layer, head], tokens, tokens),
        NamedMap("Second order", found.attention[1, layer, head], second, second),
    ]
    figure = map_row(maps, "encoder", dark=is_dark())
    show_picture(
        figure, key="order_maps", alt=f"Layer {layer + 1}, head {head + 1} in both orders."
    )
    back = np.argsort(found.order)
    moved = found.attention[1, layer, head][np.ix_(back, back)]
    difference = float(np.abs(moved - found.attention[0, layer, head]).max())
    st.markdown(
        f"With the rows and columns of the second map put back into the first order, the largest "
        f"difference between the two maps is **{difference:.1e}**."
        if difference
        else "With the rows and columns of the second map put back into the first order, the two "
        "maps are **equal bit for bit**."
    )
    export_menu(
        figure,
        key="order_maps_export",
        name=f"layer {layer + 1} head {head + 1} in two orders: {both.src.text}",
        numbers=lambda: map_cells(maps).drop(columns=["panel", "q", "k"]),
    )


# The exact statement


def _exactly(run: Run) -> None:
    src = run.translation.src
    found = _equivariance(run.source_identity, src, run.translator)
    figure = equivariance_plot(found, dark=is_dark())
    without, _ = (entry for entry in found if not entry.positions)
    st.markdown(
        f"{N_ORDERS} random permutations of all {len(src)} tokens, the end sign among them:"
    )
    show_picture(
        figure,
        key="order_exact",
        alt="Largest difference between encode(P x) and P encode(x) for each permutation.",
    )
    st.markdown(_exact_words(found))
    st.caption(
        f"A red tick is one step between neighbouring floating-point numbers at "
        f"{without.largest_value:.2f}, the largest number in the output. What is left of the "
        "differences comes from sums that are added up in another order."
    )
    export_menu(
        figure,
        key="order_exact_export",
        name=f"permutation equivariance: {src.text}",
        numbers=lambda: equivariance_table(found),
    )


def _exact_words(found: tuple[Equivariance, ...]) -> str:
    largest = {(e.positions, e.bits): float(e.differences.max()) for e in found}
    return (
        f"Without positions encode(P x) = P encode(x) up to **{largest[False, 32]:.1e}** in "
        f"float32 and **{largest[False, 64]:.1e}** in float64; with positions they differ by up to "
        f"**{largest[True, 64]:.2f}**, whatever the precision."
    )


@st.cache_resource(show_spinner="Permuting the sentence…", max_entries=64)
def _equivariance(
    source_identity: tuple, _src: TokenSequence, _translator: Translator
) -> tuple[Equivariance, ...]:
    return _translator.equivariance(_src, n_orders=N_ORDERS)

"""Why positions are needed: without them the encoder cannot tell one order from another."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from analysis.labels import distinct_labels, numbered_labels
from analysis.maps import NamedMap, map_cells
from analysis.order import layer_table
from analysis.transform import word_groups
from model import InputError, Translator
from records import Equivariance, Reordered, TokenSequence
from ui.choice import choice
from ui.export import export_menu
from ui.kit.blocks import draw, figure_block, head_picker, next_seed, seed_box
from ui.shared import cached
from ui.state import Run, show_problem
from ui.waiting import long_reading
from ui.words import plain, say
from viz.figure import tables_of
from viz.maps import map_row
from viz.order import MEASURES, equivariance_plot, layer_panels, vector_strips
from words import Message
from words.numbers import fixed, scientific

HOW = ("reversed", "shuffled", "typed")
MOST_TOKENS = 40
MOST_NUMBERS = 32
N_ORDERS = 8
MAX_SEED = 9999
FEW = 3  # words to begin with, where the pair of languages has none
WITHOUT, WITH = "without", "with"


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
    st.markdown("## " + say("positions-order-title"))
    both = _chosen_orders(run)
    if both is not None:
        _say_orders(both)
        _layers(both)
        _strips(both)
        st.markdown("## " + say("positions-order-maps-title"))
        _maps(run.translator, both)
    st.markdown("## " + say("positions-exact-title"))
    _exactly(run)


# Choosing the words and their order


def _chosen_orders(run: Run) -> Both | None:
    """What came of the person's words and order; None after saying what is wrong with them."""
    translator = run.translator
    few = run.pack.few_words or " ".join(run.record.src.text.split()[:FEW])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.text_input(
            say("order_text-label"),
            few,
            key="order_text",
            bind="query-params",
            placeholder=few,
            width=300,
        )
        how = choice("order_how", HOW, words="order_how")
        seed, typed = 0, ""
        if how == "shuffled":
            seed = seed_box("order_seed", say("order_seed-label"), MAX_SEED)
            st.button(
                say("order_shuffle-label"),
                key="order_shuffle",
                icon=":material/shuffle:",
                on_click=next_seed,
                args=("order_seed", MAX_SEED),
            )
        if how == "typed":
            typed = st.text_input(
                say("order_typed-label"),
                key="order_typed",
                bind="query-params",
                placeholder=" ".join(reversed(few.split())),
                width=300,
            )
    try:
        src = _read(translator, text)
        order = order_of(translator, src, how, seed, typed)
        return both_orders(translator, src, order)
    except InputError as error:
        show_problem(error)
        return None


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
            say("positions-order-unknown", pieces=plain(" ".join(unknown), 60)),
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


@cached("card.fingerprint")
def both_orders(translator: Translator, src: TokenSequence, order: tuple[int, ...]) -> Both:
    return Both(*(translator.reorder(src, order, positions=p) for p in (False, True)))


# What comes of it


def _say_orders(both: Both) -> None:
    labels = distinct_labels(both.src.tokens)
    second = [labels[i] for i in both.without.order]
    with st.container(gap="xsmall"):
        for name, words in (("first", labels), ("second", second)):
            chips = " ".join(f":gray-badge[{plain(word)}]" for word in words)
            st.markdown(say(f"positions-order-{name}-chips", chips=chips))
    if list(both.second_tokens) == list(both.src.tokens):
        st.info(say("positions-order-same"))
    st.caption(say("positions-order-caption"))


def _layers(both: Both) -> None:
    measure = choice("order_measure", MEASURES, words="order_measure")
    panels = {
        say(f"order_case-{name}"): found.distances if measure == "distance" else found.cosines
        for name, found in both.cases.items()
    }
    tokens = both.src.tokens
    figure = layer_panels(panels, tokens, measure=measure)
    draw(
        figure,
        key="order_layers",
        alt=say("positions-layers-alt", measure=say(f"order_measure-{measure}")),
    )
    last = {name: found.distances[-1] for name, found in both.cases.items()}
    worst = int(last[WITH].argmax())
    word = plain(distinct_labels(tokens)[worst])
    st.markdown(
        say(
            "positions-layers",
            without=scientific(last[WITHOUT].max()),
            word=word,
            moved=fixed(last[WITH][worst]),
            length=fixed(np.linalg.norm(both.with_positions.vectors[0, -1, worst])),
        )
    )
    names = list(panels)

    def numbers() -> pd.DataFrame:
        table = layer_table(panels, tokens, measure).drop(columns=["text", "t"])
        table["panel"] = [names[place] for place in table["panel"]]
        return table.rename(columns={"value": measure})

    export_menu(
        figure,
        key="order_layers_export",
        name=say("positions-layers-name", text=both.src.text),
        numbers=numbers,
    )


def _strips(both: Both) -> None:
    tokens = both.src.tokens
    labels = numbered_labels(tokens)
    if st.session_state.get("order_token", labels[0]) not in labels:
        del st.session_state["order_token"]
    chosen = st.selectbox(
        say("order_token-label"), labels, key="order_token", filter_mode=None, width=200
    )
    place = labels.index(chosen)
    rows = {
        say(f"positions-strip-{name}-{which}"): found.vectors[side, -1, place, :MOST_NUMBERS]
        for name, found in both.cases.items()
        for side, which in enumerate(("first", "second"))
    }
    figure = vector_strips(rows)
    figure_block(
        figure,
        key="order_strips",
        alt=say("positions-strips-alt"),
        name=say("positions-strips-name", token=tokens[place], text=both.src.text),
        numbers=lambda: pd.DataFrame(rows),
    )


def _maps(translator: Translator, both: Both) -> None:
    n_layers, n_heads = both.without.attention.shape[1:3]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        layer, head = head_picker("order", n_layers, n_heads, address=True)
        case = choice("order_case", (WITHOUT, WITH), words="order_case")
    found = both.cases[case]
    tokens, second = both.src.tokens, both.second_tokens
    maps = [
        NamedMap(say("positions-first-order"), found.attention[0, layer, head], tokens, tokens),
        NamedMap(say("positions-second-order"), found.attention[1, layer, head], second, second),
    ]
    figure = map_row(maps, "encoder")
    draw(
        figure,
        key="order_maps",
        alt=say("positions-order-maps-alt", layer=layer + 1, head=head + 1),
    )
    back = np.argsort(found.order)
    moved = found.attention[1, layer, head][np.ix_(back, back)]
    difference = float(np.abs(moved - found.attention[0, layer, head]).max())
    st.markdown(
        say("positions-order-maps-differ", difference=scientific(difference))
        if difference
        else say("positions-order-maps-equal")
    )
    export_menu(
        figure,
        key="order_maps_export",
        name=say("positions-order-maps-name", layer=layer + 1, head=head + 1, text=both.src.text),
        numbers=lambda: map_cells(maps).drop(columns=["panel", "q", "k"]),
    )


# The exact statement


def _exactly(run: Run) -> None:
    src = run.translation.src
    found = _equivariance(run)
    figure = equivariance_plot(found)
    without, _ = (entry for entry in found if not entry.positions)
    st.markdown(say("positions-exact-what", orders=N_ORDERS, n=len(src)))
    draw(
        figure,
        key="order_exact",
        alt=say("positions-exact-alt"),
    )
    st.markdown(_exact_words(found))
    st.caption(say("positions-exact-caption", largest=fixed(without.largest_value)))
    export_menu(
        figure,
        key="order_exact_export",
        name=say("positions-exact-name", text=src.text),
        numbers=lambda: tables_of(figure)["lines"].drop(columns="shown"),
    )


def _exact_words(found: tuple[Equivariance, ...]) -> str:
    largest = {(e.positions, e.bits): float(e.differences.max()) for e in found}
    return say(
        "positions-exact",
        double=scientific(largest[False, 64]),
        positions=fixed(largest[True, 64]),
    )


@cached("source_identity", spinner="positions-permuting")
def _equivariance(run: Run) -> tuple[Equivariance, ...]:
    with long_reading(run.translator):
        return run.translator.equivariance(run.translation.src, n_orders=N_ORDERS)

"""Need for positions: without them the encoder cannot tell two orders of words apart."""

from __future__ import annotations

from collections import Counter
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import streamlit as st

from core.records.sources import TokenSequence
from core.records.tokens import distinct_labels
from core.weights.groups import word_groups
from core.weights.maps import NamedMap, map_cells
from core.word_order import (
    Both,
    layer_table,
    moved_words,
    shuffled,
    taken_in_turn,
    whole_words,
    word_texts,
)
from model import InputError, Translator
from model.experiments.word_order import equivariance, reorder
from ui.frame.messages import plain, say
from ui.frame.model_cache import ask
from ui.frame.run import Run
from ui.kit.blocks import picture
from ui.kit.controls import button, choice, menu, next_seed, seed_box, text_box
from ui.kit.guard import guarded
from ui.kit.head_menus import head_picker
from ui.kit.layout import (
    control_row,
    controls,
    finding,
    paragraph,
    settings,
    subtitle,
    warning,
)
from viz.maps import map_row
from viz.word_order import (
    MEASURES,
    equivariance_plot,
    layer_panels,
    word_strips,
)
from words import Message

PERMUTATIONS = ("reversed", "shuffled", "typed")
# Tokens; longer texts would not fit their panels.
MOST_TOKENS = 40
N_ORDERS = 8
MAX_SEED = 9999
FEW = 3  # initial words if the language pair has none


def show(run: Run) -> None:
    with guarded("order"):
        both = _chosen_orders(run)
        _words(both)
        _output_link(run)
        _maps(both)
        _layers(both)
    # Runs the encoder on several orders in float32 and float64.
    checks = ask(run.translator, equivariance, run.src, n_orders=N_ORDERS)
    subtitle("positions-exact-title")
    paragraph("positions-exact-what", orders=N_ORDERS, n=len(run.src))
    largest = {(e.positions, e.bits): float(e.differences.max()) for e in checks}
    picture(
        "order-exact",
        equivariance_plot(checks),
        below=say("positions-exact", double=largest[False, 64], positions=largest[True, 64]),
        numbers="lines",
        leave_out=["shown"],
        largest=next(e.largest_value for e in checks if not e.positions),
    )


def _output_link(run: Run) -> None:
    """Draw a link to the translation of the sentence without positional encoding."""
    if "change-positions" not in run.capabilities:
        return
    query = {"mask_look": "change", "change": "source-absent", "change_tool": "positions"}
    query |= {"text": run.src.text, "checkpoint": run.card.at}
    st.markdown(f"[{say('positions-order-output')}](masks?{urlencode(query)})")


# Choosing the words and their order


def _chosen_orders(run: Run) -> Both:
    # The pack has a few words that fit the panels better than a sentence.
    few = run.pack.few_words or " ".join(run.record.src.text.split()[:FEW])
    seed = 0
    typed = ""
    with controls():
        text = text_box("order_text", few, placeholder=few, width=190)
        permutation = menu("order_how", PERMUTATIONS, width=120)
        if permutation == "typed":
            hint = " ".join(reversed(few.split()))
            typed = text_box("order_typed", placeholder=hint, width=300)
        if permutation == "shuffled":
            button("order_shuffle", next_seed, "order_seed", MAX_SEED, icon="shuffle")
    if permutation == "shuffled":
        with settings():
            seed = seed_box("order_seed", MAX_SEED)
    return both_orders(run, _read(run.translator, text), permutation, seed, typed)


def _read(translator: Translator, text: str) -> TokenSequence:
    src = translator.tokenize(text)
    wrong = None
    # </s> counts as a token, so 1 is an empty text and 2 groups are one word.
    if len(src) == 1:
        wrong = "no-words"
    elif len(src) > MOST_TOKENS:
        wrong = "long"
    elif len(word_groups(src)) == 2:
        wrong = "one-word"
    unknown = dict.fromkeys(t for t, u in zip(src.tokens, src.unknown, strict=True) if u)
    if unknown and wrong != "long":
        warning("positions-order-unknown", "help", pieces=plain(" ".join(unknown), 60))
    if wrong:
        raise InputError(
            Message.of(f"positions-order-{wrong}", n=len(src), most=MOST_TOKENS),
            hint=Message(f"positions-order-{wrong}-hint"),
        )
    return src


def order_of(
    translator: Translator,
    src: TokenSequence,
    permutation: str,
    seed: int = 0,
    typed: str = "",
) -> tuple[int, ...]:
    """Return the other order of the tokens: position i holds token ``order[i]``.

    Words move as a whole, with their tokens together. ``</s>`` stays last: the model has never seen
    it elsewhere, and moving it would be a second change.
    """
    n_words = len(whole_words(src))
    if permutation == "typed" and typed.strip():
        order = _typed_order(word_texts(src), word_texts(translator.tokenize(typed)))
    elif permutation == "shuffled":
        order = shuffled(n_words, seed)
    else:
        order = list(range(n_words))[::-1]
    return moved_words(src, order)


def _typed_order(words: list[str], typed: list[str]) -> list[int]:
    missing = Counter(words) - Counter(typed)
    extra = Counter(typed) - Counter(words)
    if missing or extra:
        raise InputError(
            Message.of(
                "positions-order-words",
                what="both" if missing and extra else "lacks" if missing else "adds",
                missing=" ".join(f"“{word}”" for word in missing.elements()),
                extra=" ".join(f"“{word}”" for word in extra.elements()),
            ),
            hint=Message("positions-order-words-hint"),
        )
    return taken_in_turn(words, typed)


def both_orders(
    run: Run, src: TokenSequence, permutation: str, seed: int = 0, typed: str = ""
) -> Both:
    """Return the encoder states of both orders, without and with positions.

    `permutation`, `seed` and `typed` are those of `order_of`.
    """
    order = order_of(run.translator, src, permutation, seed, typed)
    return Both(
        ask(run.translator, reorder, src, order, positions=False),
        ask(run.translator, reorder, src, order, positions=True),
    )


# Results.


def _words(both: Both) -> None:
    """Draw the output vector of each word in both orders, without positions and with them."""
    same = both.second_tokens == both.src.tokens
    with_positions = both.with_positions
    lengths = np.linalg.norm(with_positions.vectors[0, -1], axis=-1)
    shares = with_positions.distances[-1] / lengths
    most = int(shares.argmax())
    finding(
        "positions-order-same" if same else "positions-order",
        second=plain(" ".join(word_texts(both.src, both.without.order)), 40),
        word=plain(distinct_labels(both.src.tokens)[most]),
        share=shares[most],
    )
    cases = {say(f"order_case-{name}"): case.vectors[:, -1] for name, case in both.cases.items()}
    figure = word_strips(cases, both.src.tokens, both.without.order)
    picture(
        "order-words",
        figure,
        numbers="cells",
        leave_out=["x", "x2", "y", "y2"],
        text=both.src.text,
        without=both.without.distances[-1].max(),
    )


def _layers(both: Both) -> None:
    with settings():
        measure = choice("order_measure", MEASURES)
    subtitle("positions-order-layers-title")
    tokens = both.src.tokens
    panels = {
        say(f"order_case-{name}"): case.distances if measure == "distance" else case.cosines
        for name, case in both.cases.items()
    }
    # The last layer is the one that the decoder reads.
    apart = both.with_positions.distances[-1]
    worst = int(apart.argmax())
    facts = {
        "word": plain(distinct_labels(tokens)[worst]),
        "moved": apart[worst],
        "length": np.linalg.norm(both.with_positions.vectors[0, -1, worst]),
    }

    def numbers() -> pd.DataFrame:
        rows = layer_table(panels, tokens, measure).drop(columns=["text", "t"])
        names = rows["panel"].map(dict(enumerate(panels)))
        return rows.assign(panel=names).rename(columns={"value": measure})

    picture(
        "order-layers",
        layer_panels(panels, tokens, measure=measure),
        numbers=numbers,
        measure=say(f"order_measure-{measure}"),
        text=both.src.text,
        **facts,
    )


def _maps(both: Both) -> None:
    subtitle("positions-order-maps-title")
    with control_row():
        n_layers, n_heads = both.without.attention.shape[1:3]
        layer, head = head_picker("order", n_layers, n_heads)
        case = both.cases[choice("order_case", tuple(both.cases))]
    first, second = case.attention[:, layer, head]
    tokens = both.src.tokens
    second_tokens = both.second_tokens
    maps = [
        NamedMap(say("positions-first-order"), first, tokens, tokens),
        NamedMap(say("positions-second-order"), second, second_tokens, second_tokens),
    ]
    # The inverse permutation brings the second map back to the order of the first.
    back = np.argsort(case.order)
    difference = float(np.abs(second[np.ix_(back, back)] - first).max())
    differ = "positions-order-maps-differ" if difference else "positions-order-maps-equal"
    picture(
        "order-maps",
        map_row(maps, "encoder"),
        below=say(differ, difference=difference),
        numbers=lambda: map_cells(maps).drop(columns=["panel", "q", "k"]),
        layer=layer + 1,
        head=head + 1,
        text=both.src.text,
    )

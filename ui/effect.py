"""What a change of the model's run does to one translation, beside the plain run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
import pandas as pd
import streamlit as st

from model import Translator
from model.errors import InterventionError
from records import (
    ATTENTION_KINDS,
    AttentionKind,
    AttentionMap,
    AttentionRecord,
    Candidate,
    Decoding,
    Intervention,
    TokenSequence,
    Translation,
)
from viz.effect import (
    difference_matrix,
    log_prob_bars,
    log_prob_changes,
    moved_mass,
    next_token_bars,
    next_tokens,
    percent,
    seen_cells,
    side_by_side,
    weight_matrix,
)
from viz.labels import numbered_labels, token_label
from viz.overview import KIND_TITLES

from .controls import KIND_NAMES
from .export import export_menu
from .focus import PRONOUNS
from .panels import show_picture
from .state import Run, interrupted, is_dark, show_problem
from .words import head_name, plain

MOST_TEXT = 1000  # characters of a translation that are compared and shown
MOST_BARS = 8  # next tokens of either side
# Next tokens asked for at first, which nearly always hold the other side's likeliest; all of them
# take three times as long.
DEEP, EVERY = 512, 10**9
WHERE = -1  # what the menu calls "let the page choose"

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

HeadPlace = tuple[AttentionKind, int, int]


@dataclass(frozen=True, eq=False)
class Reading:
    """The original output of one sentence, read again under a change and without.

    Attributes
    ----------
    change : what was changed.
    record : attention while the original output is teacher-forced under the change.
    log_probs : float32 array (T_tgt,), natural, of the original output under the change.
    plain_record, plain_log_probs : the same without the change.
    """

    change: Intervention
    record: AttentionRecord
    log_probs: np.ndarray
    plain_record: AttentionRecord
    plain_log_probs: np.ndarray

    @property
    def total(self) -> float:
        """log P of the original output under the change."""
        return float(self.log_probs.sum(dtype=np.float64))

    @property
    def plain_total(self) -> float:
        """log P of the original output without the change."""
        return float(self.plain_log_probs.sum(dtype=np.float64))


@dataclass(frozen=True, eq=False)
class Effect(Reading):
    """A reading, and `translation`: the search under the change, with the attention behind its
    own output."""

    translation: Translation


def reading_of(run: Run, change: Intervention) -> Reading:
    """The part of `effect_of` that needs no search.

    Raises
    ------
    InterventionError : the change fits neither the model nor the sentence.
    """
    return Reading(change, *read_again(run, change), *read_again(run, Intervention()))


def effect_of(run: Run, change: Intervention) -> Effect:
    """What `change` does to the sentence on screen; nobody may write into its arrays.

    Raises
    ------
    InterventionError : the change fits neither the model nor the sentence.
    """
    reading = reading_of(run, change)
    translator = run.translator
    found = _changed(
        translator.card.fingerprint, run.choices.text, run.choices.decoding, change, translator
    )
    return Effect(**vars(reading), translation=found)


def read_again(run: Run, change: Intervention) -> tuple[AttentionRecord, np.ndarray]:
    """Attention and log-probabilities of the original output, teacher-forced under `change`.

    Raises
    ------
    InterventionError : the change fits neither the model nor the sentence.
    """
    src, tgt, translator = run.translation.src, run.translation.tgt, run.translator
    pair = src.ids, tgt.ids
    return _read_again(translator.card.fingerprint, pair, change, src, tgt, translator)


@st.cache_resource(show_spinner=False, max_entries=128)
def _changed(
    fingerprint: str,
    text: str,
    decoding: Decoding,
    change: Intervention,
    _translator: Translator,
) -> Translation:
    found = _translator.translate(text, decoding, intervention=change, stop=interrupted)
    _lock(found.attention)
    return found


@st.cache_resource(show_spinner=False, max_entries=128)
def _read_again(
    fingerprint: str,
    pair: tuple[tuple[int, ...], tuple[int, ...]],
    change: Intervention,
    _src: TokenSequence,
    _tgt: TokenSequence,
    _translator: Translator,
) -> tuple[AttentionRecord, np.ndarray]:
    record, log_probs = _translator.read_again(_src, _tgt, change)
    _lock(record)
    log_probs.flags.writeable = False
    return record, log_probs


def _lock(record: AttentionRecord) -> None:
    for attention in record.maps:
        for array in (attention.weights, attention.scores, attention.mask, attention.head_masks):
            if array is not None:
                array.flags.writeable = False


def show_fault(error: InterventionError) -> None:
    """Why a change cannot be made, and what to do."""
    show_problem(error)


def effect_or_fault(run: Run, change: Intervention) -> Effect | None:
    """The effect; None after saying why there is none."""
    try:
        return effect_of(run, change)
    except InterventionError as error:
        show_fault(error)
        return None


def show_effect(
    run: Run,
    change: Intervention,
    *,
    key: str,
    kind: AttentionKind | None = None,
    layer: int | None = None,
    head: int | None = None,
) -> None:
    """Draw what `change` does to the sentence on screen, in words, numbers and attention.

    Parameters
    ----------
    key : begins the keys of all widgets.
    kind, layer, head : the attention to show first; where one is None, the head, of the kind if
        that is given, where most weight moved.
    """
    if not change:
        show_nothing_changed()
        return
    try:
        reading = reading_of(run, change)
    except InterventionError as error:
        show_fault(error)
        return
    above = st.container()
    # Needs no search, so it is there while the search is still running.
    show_attention(run, reading, key=key, kind=kind, layer=layer, head=head)
    with above:
        effect = effect_or_fault(run, change)
        if effect is not None:
            show_words(run, effect)
            show_log_probs(run, effect, key=key)
            show_next_tokens(run, effect, key=key)


def show_nothing_changed() -> None:
    st.info(
        "Nothing is changed yet. Change something, and the effect on the translation, its "
        "probability and its attention stands here.",
        icon=":material/tune:",
    )


# The translation


def show_words(run: Run, effect: Effect) -> None:
    """Both translations, word by word."""
    before, after = run.translation.text, effect.translation.text
    if run.translation.tgt.ids == effect.translation.tgt.ids:
        st.markdown(f"**Unchanged:** {plain(after, MOST_TEXT)}")
        return
    first, second = word_changes(before, after)
    nothing = "*nothing: it ended at once*"
    with st.container(gap="xsmall"):
        st.markdown(f":violet-badge[before] {first or nothing}")
        st.markdown(f":green-badge[after] {second or nothing}")
        said = pronoun_changes(before, after)
        if before == after:
            st.caption("The words are the same, cut into other pieces.")
        elif said:
            st.markdown(said)
        if not effect.translation.finished:
            st.caption(
                "The search under the change reached its longest output before the sentence ended."
            )


def word_changes(before: str, after: str) -> tuple[str, str]:
    """Two texts as Markdown: words lost are struck through on purple, new ones bold on green."""
    sides = [text[:MOST_TEXT].split() for text in (before, after)]
    opcodes = SequenceMatcher(None, *sides, autojunk=False).get_opcodes()
    texts = []
    for words, at, mark in (
        (sides[0], 1, ":violet-background[~~{}~~]"),
        (sides[1], 3, ":green-background[**{}**]"),
    ):
        parts = []
        for opcode in opcodes:
            stretch = plain(" ".join(words[opcode[at] : opcode[at + 1]]), MOST_TEXT)
            if stretch:
                parts.append(stretch if opcode[0] == "equal" else mark.format(stretch))
        texts.append(" ".join(parts))
    return texts[0], texts[1]


def pronoun_changes(before: str, after: str) -> str:
    """In words which pronouns became others; empty when none did."""
    sides = [
        [word for raw in text.split() if (word := raw.strip(".,;:!?„“”\"'").lower()) in PRONOUNS]
        for text in (before[:MOST_TEXT], after[:MOST_TEXT])
    ]
    if sides[0] == sides[1]:
        return ""
    first, second = (
        ", ".join(f"“{plain(word)}”" for word in side) if side else "none" for side in sides
    )
    many = "Pronouns" if max(map(len, sides)) > 1 else "Pronoun"
    return f"{many}: {first} → **{second}**"


# Its probability


def show_log_probs(run: Run, effect: Effect, *, key: str) -> None:
    """The change in log P of the original output, in all and token by token."""
    before, after = effect.plain_total, effect.total
    st.markdown(
        f"log P of the original output: {_number(before)} → **{_number(after)}** "
        f"({_change_words(after - before)})"
    )
    if not effect.change.causal:
        st.caption(
            "The causal mask is off: re-reading the output, every position sees the tokens to come "
            "as well, which no search has. This log P is not that of writing it."
        )
    tokens = run.translation.tgt.tokens
    numbers = tokens, effect.plain_log_probs, effect.log_probs
    figure = log_prob_bars(*numbers, marked=_position(run, effect, key), dark=is_dark())
    show_picture(
        figure,
        key=f"{key}_log_probs",
        # The words for a chart stay the same: others would make the browser build it anew.
        alt="Change in log-probability of each token of the original output; the largest changes "
        "are written out as text.",
    )
    st.caption(_largest_changes(log_prob_changes(*numbers)))
    export_menu(
        figure,
        key=f"{key}_log_probs_export",
        name=f"change in log p {run.translation.text}",
        numbers=lambda: log_prob_changes(*numbers),
    )


def _largest_changes(changes: pd.DataFrame) -> str:
    most = changes.reindex(changes["change"].abs().sort_values(ascending=False).index)[:3]
    parts = [
        f"“{plain(token)}” {_signed(change)}"
        for token, change in zip(most["token"], most["change"], strict=True)
    ]
    return "Largest changes in log p: " + ", ".join(parts) + "."


def _number(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def _signed(value: float) -> str:
    """Two decimals, three where two would show nothing; no sign before a zero."""
    digits = 3 if abs(value) < 0.01 else 2
    text = f"{value:+.{digits}f}"
    return "0" if not float(text) else text.replace("-", "−")


def _change_words(change: float) -> str:
    if abs(change) < 0.0005:
        return "no change" if change == 0 else "changed by less than 0.001"
    return _signed(change) + _times(change)


def _times(change: float) -> str:
    """How many times likelier that is, where it is worth saying."""
    if abs(change) < math.log(1.1):
        return ""
    factor = math.exp(min(abs(change), 700.0))
    size = f"{factor:.1f}" if factor < 10 else f"{factor:,.0f}"
    if factor >= 1e6:
        size = "10" + f"{abs(change) / math.log(10):.0f}".translate(_RAISED)
    return f", {size} times {'less likely' if change < 0 else 'likelier'}"


# The next token


def show_next_tokens(run: Run, effect: Effect, *, key: str) -> None:
    """What could stand at one position of the original output, before and after."""
    tgt = run.translation.tgt
    position = position_menu(run, effect, key=key)
    ids = tgt.ids[:position]
    before, after = next_candidates(run, effect.change, ids)
    table = next_tokens(before, after, MOST_BARS)
    figure = next_token_bars(table, written=tgt.ids[position])
    show_picture(
        figure,
        key=f"{key}_next",
        alt="Probability of the likeliest next tokens at the chosen position, before and after the "
        "change. The largest are written out as text.",
    )
    first, second = table.sort_values("before").iloc[-1], table.sort_values("after").iloc[-1]
    st.caption(
        "Hollow purple, above: before. Solid green, below: after. ▸ stands in the original output. "
        f"Likeliest before: “{plain(first.token)}” {percent(first.before)} "
        f"(after {percent(first.after)}); after: “{plain(second.token)}” {percent(second.after)} "
        f"(before {percent(second.before)})."
    )
    export_menu(
        figure,
        key=f"{key}_next_export",
        name=f"next token at {position + 1} {run.translation.text}",
        numbers=lambda: table,
    )


def position_menu(run: Run, effect: Effect, *, key: str) -> int:
    """The position to look at: the page's choice, or the person's while the output stays."""
    tokens = run.translation.tgt.tokens
    labels = numbered_labels(tokens)
    own, why = telling_position(run.translation.tgt, effect)
    menu = f"{key}_position"
    place = _position(run, effect, key)
    st.session_state[menu] = WHERE if _chosen(menu, run.identity) is None else place
    st.selectbox(
        "Next-token probabilities at",
        range(WHERE, len(tokens)),
        key=menu,
        format_func=lambda i: f"{why}: {labels[own]}" if i == WHERE else labels[i],
        on_change=_choose,
        args=(menu, run.identity),
        width=340,
    )
    return place


def _position(run: Run, effect: Effect, key: str) -> int:
    chosen = _chosen(f"{key}_position", run.identity)
    return telling_position(run.translation.tgt, effect)[0] if chosen is None else chosen


def telling_position(tgt: TokenSequence, effect: Effect) -> tuple[int, str]:
    """The first token where the outputs part, else the one that lost most; and which it is."""
    other = effect.translation.tgt.ids
    for place, token_id in enumerate(tgt.ids):
        if place >= len(other) or other[place] != token_id:
            return place, "first difference"
    change = effect.log_probs - effect.plain_log_probs
    return int(np.argmin(change)), "largest drop"


def next_candidates(
    run: Run, change: Intervention, prefix_ids: Sequence[int]
) -> tuple[tuple[Candidate, ...], tuple[Candidate, ...]]:
    """The likeliest next tokens before and after, each side with the likeliest of the other."""

    def side(change: Intervention, count: int) -> dict[int, Candidate]:
        key = run.translator.card.fingerprint, run.choices.text, tuple(prefix_ids)
        found = _candidates(*key, change, count, run.translator)
        return {each.token_id: each for each in found}

    changes = Intervention(), change
    sides = [side(each, DEEP) for each in changes]
    wanted = {i for found in sides for i, each in found.items() if each.rank < MOST_BARS}
    for place, each in enumerate(changes):
        if not wanted <= sides[place].keys():
            sides[place] = side(each, EVERY)
    return tuple(tuple(each for i, each in found.items() if i in wanted) for found in sides)


@st.cache_resource(show_spinner=False, max_entries=128)
def _candidates(
    fingerprint: str,
    text: str,
    prefix_ids: tuple[int, ...],
    change: Intervention,
    count: int,
    _translator: Translator,
) -> tuple[Candidate, ...]:
    return _translator.candidates(text, prefix_ids, count, intervention=change)


# Its attention


def show_attention(
    run: Run,
    reading: Reading,
    *,
    key: str,
    kind: AttentionKind | None = None,
    layer: int | None = None,
    head: int | None = None,
) -> None:
    """One head before, after, and the difference, while the original output is read."""
    place = head_menu(run, reading, key=key, kind=kind, layer=layer, head=head)
    kind, layer, head = place
    before, after = reading.plain_record.of(kind), reading.record.of(kind)
    rows = row_names(before)
    sides = [attention.head(layer, head) for attention in (before, after)]
    seen = [seen_cells(attention, layer, head) for attention in (before, after)]
    forbidden = seen[0] & ~seen[1]
    dark, names = is_dark(), (rows, before.key_tokens)
    figures = {
        "before": weight_matrix(sides[0], *names, kind=kind, seen=seen[0], dark=dark),
        "after": weight_matrix(
            sides[1], *names, kind=kind, seen=seen[0] | seen[1], hatched=forbidden, dark=dark
        ),
        "difference": difference_matrix(
            *sides, *names, seen=seen[0] | seen[1], hatched=forbidden, dark=dark
        ),
    }
    who = f"{head_name(layer, head)} of {KIND_TITLES[kind]}"
    with st.container(horizontal=True, wrap=True, gap="small"):
        for name, figure in figures.items():
            with st.container(width="content", gap="xsmall"):
                st.markdown(f"**{name.capitalize()}**")
                show_picture(
                    figure,
                    key=f"{key}_{name}",
                    alt=f"{name.capitalize()}: the chosen head of {KIND_TITLES[kind]}, {len(rows)} "
                    f"query rows by {len(before.key_tokens)} key columns. How much moved is "
                    "written as text.",
                )
    per_row = np.abs(sides[1] - sides[0]).sum(axis=-1) / 2
    most = int(per_row.argmax())
    text = f"Weight that moved in {who}: **{per_row.mean():.1%}** of a row on average"
    if per_row[most] > 0:
        text += f", most in row {most + 1} “{plain(token_label(rows[most]))}”: {per_row[most]:.1%}"
    text += ". Half the summed absolute differences of a row; both sides read the original output."
    if forbidden.any():
        text += " Hatched: forbidden by the change."
    st.caption(text)
    export_menu(
        side_by_side(tuple(figures.values()), titles=[name.capitalize() for name in figures]),
        key=f"{key}_attention_export",
        name=f"{kind} {head_name(layer, head)} before and after: {run.translation.src.text}",
        numbers=lambda: _head_numbers(figures["difference"].tables["cells"]),
    )


def _head_numbers(cells: pd.DataFrame) -> pd.DataFrame:
    """The cells that either side may look at, with positions counted from 1."""
    shown = cells[cells["seen"]]
    return pd.DataFrame(
        {
            "query": shown["query"],
            "key": shown["key"],
            "before": shown["before"],
            "after": shown["after"],
            "difference": shown["value"],
            "forbidden": shown["hatched"],
        }
    )


def row_names(attention: AttentionMap) -> tuple[str, ...]:
    """Rows of cross-attention are named by the token they produce, others by the one they read."""
    named = attention.output_tokens if attention.kind == "cross" else None
    return named or attention.query_tokens


def most_moved_head(reading: Reading, kind: AttentionKind | None = None) -> tuple[HeadPlace, float]:
    """The head in which most weight moved and how much; the first one where nothing moved."""
    best: tuple[HeadPlace, float] | None = None
    for each in (kind,) if kind else reversed(ATTENTION_KINDS):
        per_head = moved_mass(reading.plain_record.of(each), reading.record.of(each))
        layer, head = np.unravel_index(int(per_head.argmax()), per_head.shape)
        amount = float(per_head[layer, head])
        if best is None or amount > best[1]:
            best = (each, int(layer), int(head)), amount
    return best


def head_menu(
    run: Run,
    reading: Reading,
    *,
    key: str,
    kind: AttentionKind | None = None,
    layer: int | None = None,
    head: int | None = None,
) -> HeadPlace:
    """Kind, layer and head to show: those of the page until the person chooses others."""
    menu, model = f"{key}_place", run.translator.card.fingerprint
    default, _ = most_moved_head(reading, kind)
    if None not in (kind, layer, head):
        default = kind, layer, head
    place = _chosen(menu, model) or default
    shape = reading.record.of(place[0]).weights.shape
    place = place[0], min(place[1], shape[0] - 1), min(place[2], shape[1] - 1)
    with st.container(horizontal=True, wrap=True, vertical_alignment="bottom"):
        st.session_state[f"{key}_kind"] = place[0]
        st.selectbox(
            "Attention",
            ATTENTION_KINDS,
            key=f"{key}_kind",
            format_func=KIND_NAMES.get,
            filter_mode=None,
            width=120,
            on_change=_choose_head,
            args=(key, menu, model, place),
        )
        for name, count, value in (("layer", shape[0], place[1]), ("head", shape[1], place[2])):
            st.session_state[f"{key}_{name}"] = value
            st.selectbox(
                name.capitalize(),
                range(count),
                key=f"{key}_{name}",
                filter_mode=None,
                width=84,
                format_func=lambda i: str(i + 1),
                on_change=_choose_head,
                args=(key, menu, model, place),
            )
        most, amount = most_moved_head(reading)
        if most != place and amount > 0:
            st.button(
                f"Most moved: {KIND_TITLES[most[0]]} {head_name(*most[1:])}, {amount:.0%}",
                key=f"{key}_most",
                icon=":material/open_in_full:",
                on_click=_keep,
                args=(menu, model, most),
            )
    return place


def _choose_head(key: str, menu: str, model: str, old: HeadPlace) -> None:
    state = st.session_state
    chosen = tuple(state[f"{key}_{name}"] for name in ("kind", "layer", "head"))
    _keep(menu, model, (chosen[0], *((0, 0) if chosen[0] != old[0] else chosen[1:])))


# What the person chose in a menu that otherwise follows the change


def _chosen(menu: str, identity: object) -> object | None:
    """The person's choice, while what it is about stays the same."""
    entry = st.session_state.get(f"{menu}_chosen")
    return entry[1] if entry is not None and entry[0] == identity else None


def _keep(menu: str, identity: object, value: object | None) -> None:
    st.session_state[f"{menu}_chosen"] = (identity, value)


def _choose(menu: str, identity: object) -> None:
    value = st.session_state[menu]
    _keep(menu, identity, None if value == WHERE else value)

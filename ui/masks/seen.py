"""The masks as what they are: what they take from a softmax, and what happens without them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.masking import HeadStages, head_stages, mean_share, share_outside
from model import ModelError, Translator
from model.experiments.padding import target_masks
from records import (
    AttentionMap,
    AttentionRecord,
    Intervention,
    PaddedPair,
    PaddedRun,
    TokenSequence,
)
from ui.effect import show_effect
from ui.examples import example_of
from ui.export import export_menu
from ui.focus import click_count, clicked, find_link
from ui.panels import show_figure, show_picture
from ui.state import Run, is_dark, show_problem
from ui.words import head_name, page_text, plain
from viz.figure import Figure
from viz.labels import distinct_labels, numbered_labels
from viz.masking import (
    MaskPanel,
    forced_figure,
    forced_table,
    masks_figure,
    masks_table,
    outside_figure,
    outside_table,
    ranking_figure,
    ranking_table,
    stages_figure,
    stages_table,
)
from viz.strips import Strip, strips_figure

PEEKING = Intervention(causal=False)
SECOND = "A dog runs."
RUN_NAMES = ("with the mask", "without it")
PART_NAMES = {"causal": "Causal mask", "padding": "Padding mask", "both": "Both together"}


@dataclass(frozen=True)
class Forced:
    """One text forced on the decoder: its pieces and their log-probabilities in two runs."""

    tokens: tuple[str, ...]
    first: np.ndarray
    second: np.ndarray


def show(run: Run) -> None:
    part = st.segmented_control(
        "Which mask",
        list(PART_NAMES),
        key="seen_part",
        default="causal",
        required=True,
        format_func=PART_NAMES.get,
        bind="query-params",
        label_visibility="collapsed",
    )
    {"causal": _causal, "padding": _padding, "both": _both}[part or "causal"](run)


# -- the causal mask -----------------------------------------------------------------------


def _causal(run: Run) -> None:
    attention = run.translation.attention.decoder
    moved = np.array(
        [
            [head_stages(scores, attention.mask).mean_moved for scores in layer]
            for layer in attention.scores
        ]
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        layer, head = _head_pickers("seen", attention)
        row = _row_picker(run, attention)
        _open_best("seen", moved, (layer, head), "most weight moved")
    stages = head_stages(attention.scores[layer, head], attention.mask)
    tokens = attention.query_tokens
    click = click_count("seen_stages")
    figure = stages_figure(stages, tokens, tokens, row=row, click=click, dark=is_dark())
    show_figure(
        figure,
        key="seen_stages",
        alt=f"{head_name(layer, head).capitalize()} of the decoder: the causal mask, scores with "
        "the mask added, exponentials and weights; below, the same without the mask and the share "
        "of each row that the mask moves.",
    )
    name = f"causal mask {head_name(layer, head)} {run.translation.src.text}"
    _export(figure, "seen_stages", name, lambda: stages_table(stages, tokens, tokens))
    st.markdown(moved_words(stages, tokens, row))
    _row_numbers(stages, tokens, row, attention.head(layer, head)[row], name)
    st.markdown("##### Without the causal mask")
    if st.toggle(
        "Causal mask off (peeking)",
        key="seen_peek",
        bind="query-params",
        help="The whole decoder runs again, and every position may look at all later ones.",
    ):
        _peek(run, attention, layer, head)


def moved_words(stages: HeadStages, tokens: tuple[str, ...], row: int) -> str:
    """The share that the mask moves, over all rows and in the chosen one."""
    n_rows = int((~stages.mask.all(axis=1)).sum())
    if not n_rows:
        return "There is only one position, so the causal mask hides nothing here."
    rows = f"the {n_rows} rows that have" if n_rows > 1 else "the one row that has"
    who = f"“{plain(distinct_labels(tokens)[row])}”"
    text = (
        "From the same scores, a softmax without the mask would give "
        f"**{stages.mean_moved:.2f}** of a row's weight to later positions (mean over {rows} any). "
    )
    if stages.mask[row].all():
        return text + f"The chosen row, {who}, has no later positions."
    return text + f"In the chosen row, {who}, it is **{stages.moved[row]:.2f}**."


def _row_numbers(
    stages: HeadStages, tokens: tuple[str, ...], row: int, used: np.ndarray, name: str
) -> None:
    """The chosen row as numbers, from its scores to its weights."""
    seen = stages.mask[row]
    strips = (
        Strip("score", stages.scores[row], "signed"),
        Strip("+ mask", stages.added[row], "mask", seen),
        Strip("exp(· − max)", stages.terms[row], "share", seen),
        Strip("÷ sum = weight", stages.weights[row], "share", seen),
        Strip("without the mask", stages.free_weights[row], "share"),
    )
    figure = strips_figure(strips, tokens, kind="decoder", dark=is_dark())
    show_picture(
        figure,
        key="seen_row_numbers",
        alt="The chosen row: score, mask, exponential and weight of every key, and the weight "
        "without the mask.",
    )
    cells = stages_table(stages, tokens, tokens)
    of_row = cells[cells["q"] == row].reset_index(drop=True)
    _export(figure, "seen_row_numbers", f"row {row + 1} {name}", lambda: of_row)
    difference = float(np.abs(stages.weights[row] - used).max())
    st.caption(
        "The row's largest score is taken off before the exponential; that leaves the weights as "
        "they are. Worked out from the scores, they differ from those the model used by at most "
        f"{difference:.0e}."
    )


def _peek(run: Run, attention: AttentionMap, layer: int, head: int) -> None:
    """What the decoder looks at without its mask, and what that does to a text it must write."""
    try:
        record, log_probs = _peeked(
            run.translator.card.fingerprint,
            run.translation.src.ids,
            run.translation.tgt.ids,
            run.translator,
            run.translation,
        )
    except ModelError as error:
        show_problem(error)
        return
    tokens, mask = attention.query_tokens, attention.mask
    peeking = record.decoder
    weights = peeking.head(layer, head)
    shares = mean_share(peeking.weights, mask)
    figure = outside_figure(
        weights,
        mask,
        tokens,
        tokens,
        kind="decoder",
        inside_title="weight",
        outside_title="weight on later positions",
        dark=is_dark(),
    )
    st.markdown(peek_words(weights, mask, tokens, layer, head))
    show_picture(
        figure,
        key="seen_peek_matrix",
        alt=f"{head_name(layer, head).capitalize()} of the decoder without the causal mask; later "
        "positions have a colour of their own, and bars show their share of every row.",
    )
    name = f"without causal mask {head_name(layer, head)} {run.translation.src.text}"
    _export(figure, "seen_peek_matrix", name, lambda: outside_table(weights, mask, tokens, tokens))
    own = Forced(run.translation.tgt.tokens, run.translation.log_probs, log_probs)
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.markdown("##### Heads that peek most")
        _ranking(shares, (layer, head), run)
    with right:
        st.markdown("##### Forced to write a text")
        _forced_texts(run, own)
    st.markdown(page_text("masks_seen_peek"))
    show_effect(run, PEEKING, key="peek", kind="decoder", layer=layer, head=head)


def peek_words(
    weights: np.ndarray, mask: np.ndarray, tokens: tuple[str, ...], layer: int, head: int
) -> str:
    """Where the head looks now, and its strongest look ahead."""
    if mask.all():
        return "There is only one position, so there is nothing later to look at."
    shares = mean_share(weights, mask)
    q, k = np.unravel_index(np.where(mask, -1.0, weights).argmax(), weights.shape)
    names = distinct_labels(tokens)
    return (
        f"In {head_name(layer, head)}, the decoder now puts **{shares:.2f}** of a row's weight on "
        f"later positions. Its strongest look ahead: “{plain(names[q])}” looks at “"
        f"{plain(names[k])}” with {weights[q, k]:.2f}."
    )


def _ranking(shares: np.ndarray, chosen: tuple[int, int], run: Run) -> None:
    figure = ranking_figure(shares, chosen=chosen, dark=is_dark())
    show_picture(
        figure,
        key="seen_peek_heads",
        alt="Heads of the decoder by the mean share of a row that lies on later positions.",
    )
    name = f"heads that peek {run.translation.src.text}"
    _export(figure, "seen_peek_heads", name, lambda: ranking_table(shares))


def _forced_texts(run: Run, own: Forced) -> None:
    """The model's own output, and a text of the person's, with the mask and without."""
    text = st.text_input(
        "Another text to force on the decoder",
        key="seen_target",
        bind="query-params",
        live="500ms",
        placeholder="Empty: the translation above",
    )
    forced, which = own, "its own output"
    if text.strip():
        try:
            forced = _forced(
                run.translator.card.fingerprint, run.choices.text, text, run.translator
            )
            which = "the text typed"
        except ModelError as error:
            show_problem(error)
            st.caption("The model's own output stays below.")
    st.markdown(forced_words(forced, which))
    parts = (forced.tokens, forced.first, forced.second, RUN_NAMES)
    figure = forced_figure(*parts, dark=is_dark())
    show_picture(
        figure,
        key="seen_forced",
        alt="Log-probability of every token with the causal mask and without it, with sums.",
    )
    name = f"forced with and without causal mask {run.translation.src.text}"
    _export(figure, "seen_forced", name, lambda: forced_table(*parts))


def forced_words(forced: Forced, which: str) -> str:
    """log P of the whole text with the mask and without."""
    before, after = (float(logs.sum(dtype=np.float64)) for logs in (forced.first, forced.second))
    moves = "falls" if after < before else "rises"
    n = len(forced.tokens)
    return (
        f"log P of {which} {moves} from **{_number(before)}** to **{_number(after)}** when the "
        f"mask goes: from {_number(before / n)} to {_number(after / n)} per token."
    )


@st.cache_resource(show_spinner=False, max_entries=32)
def _peeked(
    fingerprint: str,
    src_ids: tuple[int, ...],
    tgt_ids: tuple[int, ...],
    _translator: Translator,
    _translation: Any,
) -> tuple[AttentionRecord, np.ndarray]:
    return _translator.read_again(_translation.src, _translation.tgt, PEEKING)


@st.cache_resource(show_spinner=False, max_entries=64)
def _forced(fingerprint: str, src_text: str, tgt_text: str, _translator: Translator) -> Forced:
    first = _translator.score(src_text, tgt_text)
    second = _translator.score(src_text, tgt_text, intervention=PEEKING)
    return Forced(_translator.tokenize(tgt_text).tokens, first, second)


# -- the padding mask ----------------------------------------------------------------------


def _padding(run: Run) -> None:
    pair = _pair(run)
    if pair is None:
        return
    _encoder_masks(pair, run)
    item = pair.shorter
    if item is None:
        st.info(page_text("masks_seen_equal"), icon=":material/equal:")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        masked = st.toggle(
            "Padding mask on",
            True,
            key="seen_padding_mask",
            bind="query-params",
            help="Off: the encoder and cross-attention may look at padding as at any token.",
        )
        kind = (
            st.segmented_control(
                "Attention",
                ("encoder", "cross"),
                key="seen_pad_kind",
                default="encoder",
                required=True,
                format_func=str.capitalize,
                bind="query-params",
            )
            or "encoder"
        )
        free = pair.unmasked[item].on_padding(kind).mean(axis=-1)
        layer, head = _head_pickers("seen_pad", pair.alone[item].attention.of(kind))
        _open_best("seen_pad", free, (layer, head), "most weight on padding")
    padded = (pair.masked if masked else pair.unmasked)[item]
    attention = padded.attention.of(kind)
    real = np.arange(len(attention.key_tokens)) < len(attention.key_tokens) - padded.n_padding
    mask = np.tile(real, (len(attention.query_tokens), 1))
    weights = attention.head(layer, head)
    rows = attention.output_tokens or attention.query_tokens
    figure = outside_figure(
        weights,
        mask,
        rows,
        attention.key_tokens,
        kind=kind,
        inside_title="weight",
        outside_title="weight on padding",
        hatched=masked,
        dark=is_dark(),
    )
    share = float(share_outside(weights, mask).mean())
    st.markdown(
        f"{head_name(layer, head).capitalize()}, {_ordinal(item)} sentence"
        + (", rows named by the token produced" if kind == "cross" else "")
        + f": **{share:.2f}** of a row's weight lies on its "
        f"{_padding_words(padded.n_padding)}, on average."
    )
    show_picture(
        figure,
        key="seen_pad_matrix",
        alt=f"{head_name(layer, head).capitalize()} of the shorter sentence with its padding, and "
        "the share of every row that lies on padding.",
    )
    name = f"padding {kind} {head_name(layer, head)} mask {'on' if masked else 'off'}"
    _export(
        figure,
        "seen_pad_matrix",
        name,
        lambda: outside_table(weights, mask, rows, attention.key_tokens),
    )
    _damage(pair, item)


def _pair(run: Run) -> PaddedPair | None:
    """The sentence on screen with another one; None after saying why there is no other."""
    text = st.text_input(
        "Second sentence of the batch",
        SECOND,
        key="seen_second",
        bind="query-params",
        live="500ms",
        placeholder="Type a sentence of another length",
    )
    try:
        return _padded(
            run.translator.card.fingerprint,
            run.translation.src.ids,
            text,
            run.translator,
            run.translation.src,
        )
    except ModelError as error:
        show_problem(error)
        st.caption("The first sentence stays as it is.")
        return None


@st.cache_resource(show_spinner="Reading both sentences…", max_entries=32)
def _padded(
    fingerprint: str,
    ids: tuple[int, ...],
    second: str,
    _translator: Translator,
    _first: TokenSequence,
) -> PaddedPair:
    return _translator.padded_pair(_first, second)


def _encoder_masks(pair: PaddedPair, run: Run) -> None:
    """The mask of the encoder for both sentences, rows of padding included."""
    panels = []
    for item, padded in enumerate(pair.masked):
        keys = padded.attention.encoder.key_tokens
        real = np.arange(len(keys)) < len(keys) - padded.n_padding
        mask = np.tile(real, (len(keys), 1))
        padding = _padding_words(padded.n_padding)
        title = f"{_ordinal(item)} sentence, {padding}".capitalize()
        panels.append(MaskPanel(title, mask, keys, keys))
    figure = masks_figure(panels, dark=is_dark())
    show_picture(
        figure,
        key="seen_pad_masks",
        alt="The padding mask of the encoder for both sentences: no query may look at padding.",
    )
    name = f"padding masks {run.translation.src.text}"
    _export(figure, "seen_pad_masks", name, lambda: masks_table(panels))


def _damage(pair: PaddedPair, item: int) -> None:
    """The shorter sentence alone, in the batch with the mask, and without it."""
    alone, masked, unmasked = pair.alone[item], pair.masked[item], pair.unmasked[item]
    st.markdown("##### What becomes of its translation")
    st.markdown(damage_table(alone, masked, unmasked))
    runs = (("Alone", alone), ("Mask on", masked), ("Mask off", unmasked))
    st.markdown("\n".join(f"- {name}: {_output(padded.output)}" for name, padded in runs))
    left, right = st.columns([3, 2], gap="medium")
    parts = (
        alone.attention.tgt.tokens,
        masked.log_probs,
        unmasked.log_probs,
        ("padding mask on", "padding mask off"),
    )
    with left:
        figure = forced_figure(*parts, kind="encoder", dark=is_dark())
        show_picture(
            figure,
            key="seen_pad_forced",
            alt="Log-probability of every token with the padding mask and without it, with sums.",
        )
        _export(figure, "seen_pad_forced", "padding mask on and off", lambda: forced_table(*parts))
    with right:
        st.markdown(longer_words(pair, item))


def damage_table(alone: PaddedRun, masked: PaddedRun, unmasked: PaddedRun) -> str:
    """log P, the largest change of a token and the weight on padding, as a Markdown table."""
    lines = [
        "| | alone | batch, mask on | batch, mask off |",
        "|:--|--:|--:|--:|",
        f"| log P of the translation it has alone | {_number(alone.log_prob)} | "
        f"{_number(masked.log_prob)} | {_number(unmasked.log_prob)} |",
        "| largest change of a token's log p | | "
        + " | ".join(_small(_change(alone, padded)) for padded in (masked, unmasked))
        + " |",
        "| largest weight on padding, any row and head | | "
        + " | ".join(_largest(padded) for padded in (masked, unmasked))
        + " |",
    ]
    return "\n".join(lines)


def longer_words(pair: PaddedPair, item: int) -> str:
    """What the batch did to the sentence that was not padded."""
    other = 1 - item
    changes = [
        _small(_change(pair.alone[other], runs[other])) for runs in (pair.masked, pair.unmasked)
    ]
    return (
        f"The {_ordinal(other)} sentence is the longer one and has no padding. In the batch the "
        f"largest change of a token's log p is {changes[0]} with the mask and {changes[1]} "
        "without it: sentences of a batch do not see each other, only their own padding."
    )


def _change(alone: PaddedRun, padded: PaddedRun) -> float:
    return float(np.abs(padded.log_probs - alone.log_probs).max())


def _largest(padded: PaddedRun) -> str:
    largest = max(float(padded.on_padding(kind).max()) for kind in ("encoder", "cross"))
    return _small(largest)


def _small(value: float) -> str:
    """A size that may be nothing but rounding, such as 1.1e-06."""
    if value == 0:
        return "exactly 0"
    return f"{value:.1e}" if value < 0.005 else f"{value:.3f}"


def _output(output: TokenSequence) -> str:
    return plain(output.text, 300) or "*nothing: it ended at once*"


def _padding_words(count: int) -> str:
    return f"{count or 'no'} padding token{'' if count == 1 else 's'}"


def _ordinal(item: int) -> str:
    return ("first", "second")[item]


# -- both together -------------------------------------------------------------------------


def _both(run: Run) -> None:
    pair = _pair(run)
    if pair is None:
        return
    items = [item for item, padded in enumerate(pair.masked) if padded.n_target_padding]
    if not items:
        st.info(page_text("masks_seen_equal_targets"), icon=":material/equal:")
        return
    item = items[0]
    padded = pair.masked[item]
    tokens = padded.attention.decoder.key_tokens
    titles = ("Causal", "Padding", "Both joined")
    masks = target_masks(len(tokens) - padded.n_target_padding, padded.n_target_padding)
    panels = [MaskPanel(title, m, tokens, tokens) for title, m in zip(titles, masks, strict=True)]
    figure = masks_figure(panels, kind="decoder", dark=is_dark())
    st.markdown(
        f"The decoder reads the {_ordinal(item)} translation, “{_output(padded.attention.tgt)}”, "
        f"with {_padding_words(padded.n_target_padding)} at its end."
    )
    show_picture(
        figure,
        key="seen_both_masks",
        alt="The causal mask, the padding mask and both joined for the shorter translation.",
    )
    _export(figure, "seen_both_masks", "causal and padding mask", lambda: masks_table(panels))
    n_real = len(tokens) - padded.n_target_padding
    kept = int((masks[0] != masks[2])[:n_real].sum())
    largest = float(padded.on_padding("decoder").max())
    st.markdown(
        f"In the {n_real} rows of real tokens, the joined mask and the causal mask differ in "
        f"**{kept}** cells; in the {padded.n_target_padding} rows of padding, in "
        f"{int((masks[0] != masks[2])[n_real:].sum())}. Measured in this batch with the causal "
        f"mask alone, the largest weight of a real row on padding is "
        f"**{_small(largest)}**."
    )
    st.markdown(page_text("masks_seen_both"))


# -- choices -------------------------------------------------------------------------------


def _head_pickers(key: str, attention: AttentionMap) -> tuple[int, int]:
    """Menus for layer and head, from 1 on screen and in the address; returned from 0."""
    return tuple(
        _number_menu(f"{key}_{name}", name.capitalize(), count) - 1
        for name, count in (("layer", attention.n_layers), ("head", attention.n_heads))
    )


def _number_menu(key: str, title: str, count: int) -> int:
    options = [str(number) for number in range(1, count + 1)]
    if st.session_state.get(key, "1") not in options:  # of a model with more of them
        st.session_state[key] = "1"
    chosen = st.selectbox(title, options, key=key, bind="query-params", filter_mode=None, width=84)
    return int(chosen or 1)


def _row_picker(run: Run, attention: AttentionMap) -> int:
    """The query whose numbers stand below, by menu or by a click; kept in the address from 1."""
    labels = numbered_labels(attention.query_tokens)
    memory = st.session_state.get("seen_row_memory")
    if memory is None:
        asked = st.query_params.get("seen_row", "")[:4]
        row = int(asked) - 1 if asked.isascii() and asked.isdigit() else None
    else:
        # The widget forgets its value while another part is open.
        row = st.session_state.get("seen_row", memory["row"])
        row = row if memory["identity"] == run.identity else None
    cell = clicked("seen_stages", "cell")
    if cell and isinstance(cell.get("q"), int):
        row = cell["q"]
    if row not in range(len(labels)):
        row = _opening_row(run, len(labels))
    st.session_state["seen_row"] = row
    st.session_state["seen_row_memory"] = {"identity": run.identity, "row": row}
    st.selectbox(
        "Query (row)",
        range(len(labels)),
        key="seen_row",
        format_func=lambda place: labels[place],
        filter_mode=None,
        width=160,
    )
    if st.query_params.get("seen_row") != str(row + 1):
        st.query_params["seen_row"] = str(row + 1)
    return row


def _opening_row(run: Run, n_rows: int) -> int:
    """The row that reads the pronoun, where there is one; else the middle one."""
    link = find_link("decoder", run.translation, example_of(run.translation.src.text))
    return link.rows[0] if link else n_rows // 2


def _open_best(key: str, per_head: np.ndarray, shown: tuple[int, int], why: str) -> None:
    """A button to the head with the largest number, where another one is open."""
    best = np.unravel_index(per_head.argmax(), per_head.shape)
    layer, head = map(int, best)
    if (layer, head) != shown and per_head[best] > 0:
        st.button(
            f"Open {head_name(layer, head)}: {why} ({per_head[best]:.2f})",
            key=f"{key}_best",
            icon=":material/arrow_forward:",
            on_click=_open,
            args=(key, layer, head),
        )


def _open(key: str, layer: int, head: int) -> None:
    st.session_state[f"{key}_layer"] = str(layer + 1)
    st.session_state[f"{key}_head"] = str(head + 1)


def _export(figure: Figure, key: str, name: str, numbers: Callable[[], pd.DataFrame]) -> None:
    export_menu(figure, key=f"{key}_export", name=name, numbers=numbers)


def _number(value: float) -> str:
    return f"{value + 0.0:.2f}".replace("-", "−").replace("inf", "∞")

"""Effect of an intervention on one translation, beside the run without it."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.interventions.effect import (
    log_prob_changes,
    most_moved_head,
    moved_facts,
    next_tokens,
    telling_position,
)
from core.interventions.intervention import Intervention
from core.records.attention import AttentionMap, AttentionRecord, Head, Measure
from core.records.search import Candidate, candidates_of
from core.records.tokens import TokenSequence, numbered_labels
from model import Translator
from ui.frame.choices import choose
from ui.frame.messages import head_name, plain, quoted, say, site_name
from ui.frame.state import Run
from ui.kit.blocks import draw, head_picker, picture
from ui.kit.controls import Style, button, choice
from ui.kit.export import export_menu
from ui.kit.focus import pronoun_position
from ui.kit.guard import guarded
from ui.kit.layout import bar, caption, note, wide
from ui.kit.norm import in_measure, measure_choice, name_lacking, tell_measure
from viz.effect import difference_matrix, log_prob_bars, next_token_bars, weight_matrix
from viz.figure import Figure, side_by_side, tables_of
from words.numbers import signed

MOST_BARS = 8  # next tokens shown for each run
MOST_TEXT = 1000  # characters of a translation that are compared and drawn
LOST_AND_NEW = ":violet-background[~~{}~~]", ":green-background[**{}**]"
LEAST_FACTOR = math.log(1.1)  # a smaller change would be rounded to "1.0 times as likely"
FOLLOWED = -1  # menu entry that lets the page choose the position


# -- what is worked out -------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ForcedReading:
    """The original output of one sentence, teacher-forced with and without an intervention."""

    change: Intervention
    record: AttentionRecord  # of the original output, teacher-forced under the change
    log_probs: np.ndarray  # float32 (T_tgt,), natural logarithm, under the change
    plain_record: AttentionRecord
    plain_log_probs: np.ndarray

    @property
    def total(self) -> float:
        # float64: the sum of many float32 logarithms is shown with two decimals.
        return float(self.log_probs.sum(dtype=np.float64))

    @property
    def plain_total(self) -> float:
        return float(self.plain_log_probs.sum(dtype=np.float64))


@dataclass(frozen=True, eq=False)
class InterventionEffect(ForcedReading):
    """A reading, and the output of a new search under the change."""

    output: TokenSequence  # with ``</s>`` if finished
    finished: bool


def reading_of(run: Run, change: Intervention) -> ForcedReading:
    """Teacher-force the original output under `change` and without it; needs no search."""
    record, log_probs = teacher_force(run, change)
    plain_record, plain_log_probs = teacher_force(run, Intervention())
    return ForcedReading(change, record, log_probs, plain_record, plain_log_probs)


def teacher_force(run: Run, change: Intervention) -> tuple[AttentionRecord, np.ndarray]:
    """Return attention and log-probabilities of the output, teacher-forced under `change`."""
    return run.ask(Translator.teacher_force, run.src, run.tgt, change)


def effect_of(run: Run, change: Intervention) -> InterventionEffect:
    """Return the effect of `change` on the sentence on screen; its arrays are read-only."""
    reading = reading_of(run, change)
    output = searched_again(run, change)
    return InterventionEffect(
        reading.change,
        reading.record,
        reading.log_probs,
        reading.plain_record,
        reading.plain_log_probs,
        output=output,
        finished=run.writer.eos_id in output.ids,
    )


def searched_again(run: Run, change: Intervention) -> TokenSequence:
    """Return the best output of a search under `change`."""
    # Runners-up would cost memory in the cache and are not shown here.
    decoding = replace(run.choices.decoding, n_runners_up=0)
    tree = run.ask(Translator.search, run.choices.text, decoding, intervention=change)
    return run.writer.tokenizer.decode(tree.hypothesis(tree.best).ids)


def next_candidates(
    run: Run, change: Intervention, prefix_ids: Sequence[int]
) -> tuple[tuple[Candidate, ...], tuple[Candidate, ...]]:
    """Return the likeliest next tokens before and after, each with those of the other side."""
    before = next_log_probs(run, Intervention(), prefix_ids)
    after = next_log_probs(run, change, prefix_ids)
    token_of = run.writer.tokenizer.token_of
    likeliest = chain(*(candidates_of(side, token_of, MOST_BARS) for side in (before, after)))
    # The union, so that each bar has its counterpart on the other side.
    wanted = {candidate.token_id for candidate in likeliest}
    return candidates_of(before, token_of, also=wanted), candidates_of(after, token_of, also=wanted)


def next_log_probs(run: Run, change: Intervention, prefix_ids: Sequence[int]) -> np.ndarray:
    """Return the log-probabilities (V,) of the token after `prefix_ids` under `change`."""
    return run.ask(
        Translator.next_log_probs, run.choices.text, tuple(prefix_ids), intervention=change
    )


def show_effect(
    run: Run,
    change: Intervention,
    *,
    key: str,
    site: str | None = None,
    head: tuple[int, int] | None = None,
) -> None:
    """Draw the effect of `change` in words, numbers and attention.

    `site` and `head` (layer, head) are shown first.
    """
    if not change:
        note("masks-effect-none", "tune")
        return
    above = st.container()
    with guarded(key):
        # Needs no search, so it is there while the search is still running.
        show_attention(run, reading_of(run, change), key=key, site=site, head=head)
        with above:
            effect = effect_of(run, change)
            st.markdown(both_outputs(run, effect.output))
            show_probabilities(run, effect, key=key, beside=True)


# -- both translations, word by word --------------------------------------------------------


def outcome(run: Run, output: TokenSequence) -> str:
    """Return the translation under a change as one line that marks lost and new words."""
    after = output.text
    if run.output.ids == output.ids:
        return say("masks-effect-unchanged", text=plain(after, MOST_TEXT))
    text = in_one(run.translation.text, after)
    return say("masks-effect-after", text=text or say("masks-nothing-written"))


def in_one(before: str, after: str) -> str:
    """Return two texts as one line of Markdown that marks lost and new words."""
    # dict.fromkeys drops the second copy of words that are equal in both texts.
    words = (words for pair in _stretches(before, after) for words in dict.fromkeys(pair))
    return " ".join(filter(None, words))


def both_outputs(run: Run, output: TokenSequence) -> str:
    """Return both translations with differing words marked, or say that nothing changed."""
    if run.output.ids == output.ids:
        return outcome(run, output)
    return pair_words(
        "masks-effect-before",
        "masks-effect-after",
        run.translation.text,
        output.text,
    )


def show_notes(run: Run, effect: InterventionEffect) -> None:
    """Draw which pronouns changed, and differences that words do not show."""
    before = run.translation.text
    after = effect.output.text
    if before == after and run.output.ids != effect.output.ids:
        caption("masks-effect-same-words")
    elif changed := _pronoun_words(run, effect):
        st.markdown(changed)
    if not effect.finished:
        caption("masks-effect-unfinished")


def _pronoun_words(run: Run, effect: InterventionEffect) -> str:
    """Return a sentence on the pronouns that the new output replaces; empty without one."""
    return pronoun_changes(run.translation.text, effect.output.text, run.pack.forms)


def pair_words(first_name: str, second_name: str, before: str, after: str) -> str:
    """Return two outputs below each other, each introduced by the message of its name."""
    texts = zip((first_name, second_name), word_changes(before, after), strict=True)
    nothing = say("masks-nothing-written")
    return "  \n".join(say(name, text=text or nothing) for name, text in texts)


def word_changes(before: str, after: str, marks: tuple[str, str] = LOST_AND_NEW) -> tuple[str, str]:
    """Return two texts as Markdown: lost words struck through on purple, new ones bold on green.

    Other `marks` hold ``{}`` for the differing words of the first and of the second text.
    """
    stretches = _stretches(before, after, marks)
    lost = " ".join(filter(None, (first for first, _ in stretches)))
    new = " ".join(filter(None, (second for _, second in stretches)))
    return lost, new


def _stretches(
    before: str, after: str, marks: tuple[str, str] = LOST_AND_NEW
) -> list[tuple[str, str]]:
    """Return both texts cut where they begin or cease to differ, as pairs of marked Markdown."""
    first_words = before[:MOST_TEXT].split()
    second_words = after[:MOST_TEXT].split()
    stretches = []
    # autojunk would drop frequent words of texts beyond 200 words from the comparison.
    matcher = SequenceMatcher(None, first_words, second_words, autojunk=False)
    for change, i, i_end, j, j_end in matcher.get_opcodes():
        first = plain(" ".join(first_words[i:i_end]), MOST_TEXT)
        second = plain(" ".join(second_words[j:j_end]), MOST_TEXT)
        if change != "equal":
            lost, new = marks
            first = first and lost.format(first)
            second = second and new.format(second)
        stretches.append((first, second))
    return stretches


def pronoun_changes(before: str, after: str, pronouns: Collection[str]) -> str:
    """Return a sentence on which `pronouns` were replaced; empty if none was."""
    sides = [
        [word for raw in text.split() if (word := raw.strip(".,;:!?„“”\"'").lower()) in pronouns]
        for text in (before[:MOST_TEXT], after[:MOST_TEXT])
    ]
    if sides[0] == sides[1]:
        return ""
    first, second = (quoted(*side) or say("masks-effect-no-pronoun") for side in sides)
    return say("masks-effect-pronouns", n=max(map(len, sides)), before=first, after=second)


# -- the original output token by token -----------------------------------------------------


def show_probabilities(
    run: Run, effect: InterventionEffect, *, key: str, beside: bool = False
) -> None:
    """Draw the log-probabilities of the output, notes on the new one, and the next tokens.

    With `beside` the next tokens stand at the right of the rest, else below it.
    """
    if not effect.change.causal:
        caption("masks-effect-peeking")
    with bar(key):
        position = _position_menu(run, effect, key)
    first, second = st.columns([4, 3], gap="medium") if beside else (st.container(), st.container())
    with first:
        show_log_probs(run, effect, key=key, marked=position)
        show_notes(run, effect)
    with second:
        show_next_tokens(run, effect, key=key, position=position)


def show_log_probs(run: Run, effect: InterventionEffect, *, key: str, marked: int) -> None:
    changes = log_prob_changes(run.output.tokens, effect.plain_log_probs, effect.log_probs)
    total = say(
        "masks-effect-total",
        before=effect.plain_total,
        after=effect.total,
        change=change_words(effect.total - effect.plain_total),
    )
    # The words for a chart stay the same: others would make the browser build it anew.
    with wide(f"{key}_log_probs"):
        picture(
            "masks-effect-log-probs",
            log_prob_bars(changes, marked=marked),
            key=f"{key}_log_probs",
            below=total,
            numbers=changes,
            changes=_largest_changes(changes),
            text=run.translation.text,
        )


def change_words(change: float) -> str:
    """Return a change of log P in words: a factor, or nats if it is small."""
    # Half of the last digit shown.
    if abs(change) < 0.0005:
        return say("masks-effect-same" if change == 0 else "masks-effect-hardly")
    if abs(change) < LEAST_FACTOR:
        return _signed(change)
    likelier = "likelier" if change > 0 else "less-likely"
    return say(f"masks-effect-{likelier}", factor=abs(change))


def _largest_changes(changes: pd.DataFrame) -> str:
    most = changes.reindex(changes["change"].abs().sort_values(ascending=False).index)[:3]
    return ", ".join(
        say("masks-token-change", token=plain(token), change=_signed(change))
        for token, change in zip(most["token"], most["change"], strict=True)
    )


def _signed(change: float) -> str:
    """Format with two decimals, three if two would show nothing, and "0" for smaller values."""
    return signed(change, 3 if abs(change) < 0.01 else 2) if abs(change) >= 5e-4 else "0"


def show_next_tokens(run: Run, effect: InterventionEffect, *, key: str, position: int) -> None:
    ids = run.output.ids
    table = next_tokens(*next_candidates(run, effect.change, ids[:position]), MOST_BARS)
    # The likeliest token of either side.
    first, second = (table.loc[table[side].idxmax()] for side in ("before", "after"))
    label = numbered_labels(run.output.tokens)[position]
    st.markdown(say("masks-effect-next-title", token=plain(label)))
    picture(
        "masks-effect-next",
        next_token_bars(table, written=ids[position]),
        key=f"{key}_next",
        numbers=table,
        first=plain(first.token),
        first_before=first.before,
        second=plain(second.token),
        second_after=second.after,
        position=position + 1,
        text=run.translation.text,
    )


def _position_menu(run: Run, effect: InterventionEffect, key: str) -> int:
    """Draw the menu of output positions and return the position; at first the most telling one."""
    labels = numbered_labels(run.output.tokens)
    telling, reason = _telling(run, effect)
    followed = say(f"masks-effect-position-{reason}", token=labels[telling])
    menu = f"{key}_position"
    # The browser keeps the label of an option until its value is set again.
    label = f"{menu}_label"
    if st.session_state.get(label) != followed and menu in st.session_state:
        st.session_state[menu] = st.session_state[menu]
    st.session_state[label] = followed
    position = choice(
        # The choice is not in the address: a position means something for this output only.
        menu,
        range(FOLLOWED, len(labels)),
        words="masks-effect-position",
        style="select",
        address=False,
        text=lambda i: followed if i == FOLLOWED else labels[i],
        of=run.identity,
        width=340,
    )
    return telling if position == FOLLOWED else position


def _telling(run: Run, effect: InterventionEffect) -> tuple[int, str]:
    """Return the position to look at and why: the replaced pronoun, else `telling_position`."""
    pronoun = pronoun_position(run)
    if pronoun is not None and _pronoun_words(run, effect):
        return pronoun, "pronoun"
    change = effect.log_probs - effect.plain_log_probs
    return telling_position(run.output.ids, effect.output.ids, change)


# -- one head before and after ------------------------------------------------------------


def show_attention(
    run: Run,
    reading: ForcedReading,
    *,
    key: str,
    site: str | None = None,
    head: tuple[int, int] | None = None,
) -> None:
    """Draw one head before, after, and the difference, as weights or as vector norms.

    `site` and `head` (layer, head) are shown first.
    """
    menus = bar(f"{key}_head")
    measure = measure_choice(run.translator, lambda: menus)
    plain_record, plain_error = in_measure(run.translator, reading.plain_record, measure)
    record, error = in_measure(run.translator, reading.record, measure, reading.change)
    with menus:
        site, layer, head_index = _head_menu(
            run, reading.change, (plain_record, record), key, site, head
        )
    pair = HeadPair(plain_record.of(site), record.of(site), layer, head_index)
    figures = _draw_pair(pair, key, measure)
    if most_moved_head(plain_record, record)[1] == 0:
        caption("masks-effect-unmoved", measure=measure)
    else:
        _tell_moved(pair)
    tell_measure(pair.before, plain_error, error)
    name_lacking(run.translator)
    export_menu(
        lambda: side_by_side(figures),
        key=f"{key}_attention_export",
        name=say(
            "masks-effect-head-file",
            text=run.src.text,
            site=pair.site,
            head=pair.name,
            measure=measure,
        ),
        numbers=lambda: _cells(pair.figures()["difference"]),
    )


def _draw_pair(pair: HeadPair, key: str, measure: Measure) -> dict[str, Figure]:
    """Draw a head before and after and their difference, side by side; return them by title."""
    figures = pair.figures()
    by_title = {}
    for column, (side, figure) in zip(st.columns(len(figures)), figures.items(), strict=True):
        title = say(f"masks-effect-head-{side}", measure=measure)
        by_title[title] = figure
        with column, wide(f"{key}_{side}"):
            st.markdown(f"**{title}**")
            draw(figure, key=f"{key}_{side}", alt=pair.alt(title))
    return by_title


@dataclass(frozen=True, eq=False)
class HeadPair:
    """One head without and with an intervention."""

    before: AttentionMap
    after: AttentionMap
    layer: int
    head: int

    @property
    def site(self) -> str:
        """Name of the site on the page."""
        return site_name(self.before.site_id, "attention")

    @property
    def name(self) -> str:
        """Name of the head on the page."""
        return head_name(self.layer, self.head, measure=self.before.measure)

    @property
    def rows(self) -> tuple[str, ...]:
        return row_names(self.before)

    @property
    def columns(self) -> tuple[str, ...]:
        return self.before.key_tokens

    @property
    def weights_before(self) -> np.ndarray:
        return self.before.head(self.layer, self.head)

    @property
    def weights_after(self) -> np.ndarray:
        return self.after.head(self.layer, self.head)

    @property
    def forbidden(self) -> np.ndarray:
        """Cells that only the intervention masks, bool (T_q, T_k)."""
        seen_before = self.before.mask_of(self.layer, self.head)
        return seen_before & ~self.after.mask_of(self.layer, self.head)

    def figures(self) -> dict[str, Figure]:
        """Return the matrices of ``before``, ``after`` and ``difference``."""
        seen_before = self.before.mask_of(self.layer, self.head)
        seen = seen_before | self.after.mask_of(self.layer, self.head)
        title = f"figures-{self.before.measure}"
        return {
            "before": weight_matrix(
                self.weights_before,
                self.rows,
                self.columns,
                site=self.before.site,
                title=title,
                seen=seen_before,
            ),
            "after": weight_matrix(
                self.weights_after,
                self.rows,
                self.columns,
                site=self.before.site,
                title=title,
                seen=seen,
                hatched=self.forbidden,
            ),
            "difference": difference_matrix(
                self.weights_before,
                self.weights_after,
                self.rows,
                self.columns,
                measure=self.before.measure,
                seen=seen,
                hatched=self.forbidden,
            ),
        }

    def alt(self, side: str) -> str:
        """Return the alternative text of the figure titled `side`."""
        return say(
            "masks-effect-head-alt",
            side=side,
            site=self.site,
            head=self.name,
            measure=self.before.measure,
            rows=len(self.rows),
            columns=len(self.columns),
        )


def _tell_moved(pair: HeadPair) -> None:
    """Draw a caption of how much weight moved, and in which row most."""
    facts = moved_facts(pair.weights_before, pair.weights_after, pair.rows)
    caption(
        "masks-effect-moved",
        site=pair.site,
        head=pair.name,
        measure=pair.before.measure,
        mean=facts["mean"],
        most=facts["most"],
        token=plain(facts["token"]),
        row=facts["row"],
        forbidden=bool(pair.forbidden.any()),
    )


def _cells(difference: Figure) -> pd.DataFrame:
    # The chart's own table already has both values of every cell.
    cells = tables_of(difference)["cells"]
    columns = ["query", "key", "before", "after", "value", "hatched"]
    names = {"value": "difference", "hatched": "forbidden"}
    return cells[cells["seen"]][columns].rename(columns=names)


def row_names(attention: AttentionMap) -> tuple[str, ...]:
    """Return the row labels: output tokens for cross-attention, input tokens for self-attention."""
    named = None if attention.site.is_self else attention.output_tokens
    return named or attention.query_tokens


def _head_menu(
    run: Run,
    change: Intervention,
    records: tuple[AttentionRecord, AttentionRecord],
    key: str,
    first_site: str | None,
    first_head: tuple[int, int] | None,
) -> Head:
    """Draw the menus of site, layer and head; they follow the page until the reader chooses."""
    model = run.card.fingerprint
    default, moved = most_moved_head(*records, first_site)
    if first_site is not None and first_head is not None:
        default = first_site, *first_head
    elif moved == 0 and change.ablated:
        # An ablated head may move nothing else, and is still the one to look at.
        ablated = change.ablated[0]
        default = ablated.site, ablated.layer or 0, ablated.head or 0
    site = site_menu(key, records[0].site_ids, default=default[0], of=model)
    n_layers, n_heads = records[0].of(site).weights.shape[:2]
    layer, head_index = default[1:] if site == default[0] else (0, 0)
    # The model's sites may differ in their numbers of layers and heads.
    first = min(layer, n_layers - 1), min(head_index, n_heads - 1)
    chosen = site, *head_picker(key, n_layers, n_heads, default=first, of=model)
    most, amount = most_moved_head(*records)
    if most != chosen and amount > 0:
        _offer_most_moved(key, most, amount, records[0].maps[0].measure)
    return chosen


def _offer_most_moved(key: str, most: Head, amount: float, measure: Measure) -> None:
    """Draw a button that opens the head that moved most."""
    site, layer, head = most
    button(
        f"{key}_most",
        choose,
        {f"{key}_kind": site, f"{key}_layer": layer, f"{key}_head": head},
        words="masks-effect-most-moved",
        icon="open_in_full",
        values={
            "share": amount,
            "site": site_name(site, "attention"),
            "head": head_name(layer, head, measure=measure),
        },
    )


def site_menu(
    key: str,
    sites: Sequence[str],
    *,
    style: Style = "select",
    address: bool = False,
    width: int | str = 120,
    **choice_kwargs: Any,
) -> str:
    """Draw a menu of sites, ``<key>_kind``, if there are several; arguments as in `choice`."""
    if len(sites) == 1:
        return sites[0]
    return choice(
        f"{key}_kind",
        sites,
        words="kind",
        style=style,
        address=address,
        width=width,
        text=lambda name: site_name(name, "short"),
        **choice_kwargs,
    )

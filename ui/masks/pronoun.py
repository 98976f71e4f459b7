"""“It” put to the test: hide the noun, another noun and a control word, and see what is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from model import ModelError
from model.errors import InterventionError
from records import CheckpointCard, Intervention, MaskedCell, hide
from ui.export import export_menu
from ui.masks.choices import (
    Choice,
    Word,
    choice_at,
    example_on,
    renew,
    source_words,
    telling_position,
    word_at,
)
from ui.masks.results import LateBar, Outcome, outcome_of
from ui.masks.stored import command_box, is_count, is_share, source_line
from ui.panels import guided_head, show_picture
from ui.state import View, show_problem
from ui.words import plain
from viz.knockout import flip_rates, head_title, hiding_dots
from viz.labels import numbered_labels
from viz.measures import pair_weights, strongest_head

NONE = "none"
LARGE = 0.1  # a change of probability that counts as one
ROLES = {"antecedent": "its noun", "other": "the other noun", "control": "a control word"}
PLACE_NAMES = {
    "encoder_from_it": "“it”, all encoder heads",
    "encoder_from_it_best": "“it”, best encoder head",
    "encoder_from_it_guided": "“it”, guided encoder head",
    "cross_from_pronoun": "pronoun's row, all cross heads",
    "cross_from_pronoun_best": "pronoun's row, best cross head",
    "it_and_pronoun": "“it” and the pronoun's row",
    "cross": "all of cross-attention",
    "encoder": "all of the encoder",
    "both": "everything",
}
STORED_WORDS = {"antecedent": "its noun", "other": "other noun", "control": "control word"}


@dataclass(frozen=True)
class Setting:
    """What is put to the test.

    Attributes
    ----------
    pronoun : the word "it".
    hidden : by role ("antecedent", "other", "control") the words to hide, those that were chosen.
    choice : what could be written in the pronoun's place.
    """

    pronoun: Word
    hidden: dict[str, Word]
    choice: Choice


@dataclass(frozen=True)
class Place:
    """A place from which a word can be hidden: a name, and the (kind, layer, head, query) cells.

    `where` hides the word from all queries of a side instead.
    """

    name: str
    label: str
    cells: tuple[tuple[str, int | None, int | None, int], ...] = ()
    where: str = ""

    def change(self, word: Word) -> Intervention:
        """The intervention that hides `word` from here."""
        if self.where:
            return hide(*word.positions, where=self.where)
        return Intervention(
            masked=tuple(
                MaskedCell(kind, layer, head, query, key)
                for kind, layer, head, query in self.cells
                for key in word.positions
            )
        )


def show(view: View) -> None:
    st.markdown("##### This sentence")
    _this_sentence(view)
    st.markdown("##### Over the held-out sentences")
    _held_out(view.translator.card)


def _this_sentence(view: View) -> None:
    words = source_words(view)
    if not words:
        st.info("The sentence has no word that could be hidden.", icon=":material/search_off:")
        return
    try:
        setting = choose(view, words)
    except ModelError as error:
        show_problem(error)
        return
    if setting is None:
        return
    places = places_for(view, setting)
    results, faults = run(view, setting, places)
    nothing = outcome_of(view, Intervention(), setting.choice.position, setting.choice.ids)
    lines = result_lines(setting, places, results, nothing)
    if "antecedent" in setting.hidden:
        st.markdown(found_words(setting, results, nothing))
    if not lines.empty:
        _picture(view, setting, lines)
        _table(setting, places, results, view)
    for fault in dict.fromkeys(faults):
        st.warning(fault, icon=":material/visibility_off:")


def choose(view: View, words: Sequence[Word]) -> Setting | None:
    """The words to test, those of a known example at first; None after asking for one."""
    example = example_on(view)
    labels = {word.label: word for word in words}
    it = word_at(words, example.pronoun if example and example.pronoun else "it")
    noun = word_at(words, example.antecedent) if example else None
    other = word_at(words, example.other) if example else None
    control = control_word(words, it, noun, other)
    first = {
        "test_it": it,
        "test_noun": noun,
        "test_other": other,
        "test_control": control,
    }
    produced = numbered_labels(view.translation.tgt.tokens)
    followed = produced[telling_position(view)]
    defaults = {key: word.label if word else NONE for key, word in first.items()}
    renew("test_for", view.identity, defaults | {"test_row": followed})
    titles = ("Pronoun", "Its noun", "Other noun", "Control word")
    options = [NONE, *labels]
    found: dict[str, Word | None] = {}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for (key, start), title in zip(defaults.items(), titles, strict=True):
            value = st.selectbox(
                title,
                options,
                index=options.index(start),
                key=key,
                bind="query-params",
                width=150,
            )
            found[key] = labels.get(value)
        row = st.selectbox(
            "Written in its place",
            produced,
            index=produced.index(followed),
            key="test_row",
            bind="query-params",
            width=170,
        )
    if found["test_it"] is None or not any(list(found.values())[1:]):
        st.info(
            "Choose the pronoun and a word to hide from it. “It” and its noun are known for the "
            "examples under “Who is it?”.",
            icon=":material/touch_app:",
        )
        return None
    position = produced.index(row) if row in produced else telling_position(view)
    roles = zip(ROLES, list(found.values())[1:], strict=True)
    hidden = {role: word for role, word in roles if word is not None}
    return Setting(found["test_it"], hidden, choice_at(view, position))


def control_word(
    words: Sequence[Word], it: Word | None, noun: Word | None, other: Word | None
) -> Word | None:
    """The nearest word before the pronoun with as many pieces as the noun, neither noun itself."""
    if it is None or noun is None:
        return None
    taken = {word.positions for word in (it, noun, other) if word}
    before = [
        word
        for word in words
        if word.positions not in taken
        and len(word.positions) == len(noun.positions)
        and word.positions < it.positions
        and word.text[:1].isalnum()
    ]
    return before[-1] if before else None


def places_for(view: View, setting: Setting) -> tuple[Place, ...]:
    """From where the words are hidden, from the narrowest to the widest."""
    maps = view.translation.attention
    row = setting.choice.position
    its = setting.pronoun.positions
    target = setting.hidden.get("antecedent", next(iter(setting.hidden.values())))
    it_name = f"“{setting.pronoun.text}”"
    row_name = f"row of “{setting.choice.labels[0]}”"
    encoder_head = strongest_head(pair_weights(maps.encoder, its, target.positions))
    cross_head = strongest_head(pair_weights(maps.cross, (row,), target.positions))
    guided = guided_head(view.translator.card, "encoder")
    if guided is not None and (
        guided[0] >= maps.encoder.n_layers or guided[1] >= maps.encoder.n_heads
    ):
        guided = None

    def from_it(*head: int | None) -> tuple:
        return tuple(("encoder", *(head or (None, None)), query) for query in its)

    places = [
        Place(
            "encoder_from_it_best",
            f"{it_name}, {'guided ' if guided == encoder_head else ''}"
            f"{head_title('encoder', *encoder_head)}",
            from_it(*encoder_head),
        )
    ]
    if guided is not None and guided != encoder_head:
        label = f"{it_name}, guided {head_title('encoder', *guided)}"
        places.append(Place("encoder_from_it_guided", label, from_it(*guided)))
    across = (("cross", None, None, row),)
    return (
        *places,
        Place("encoder_from_it", f"{it_name}, all encoder heads", from_it()),
        Place(
            "cross_from_pronoun_best",
            f"{row_name}, {head_title('cross', *cross_head)}",
            (("cross", *cross_head, row),),
        ),
        Place("cross_from_pronoun", f"{row_name}, all cross heads", across),
        Place("it_and_pronoun", f"{it_name} and {row_name}", (*from_it(), *across)),
        Place("cross", PLACE_NAMES["cross"], where="cross"),
        Place("encoder", PLACE_NAMES["encoder"], where="encoder"),
        Place("both", PLACE_NAMES["both"], where="both"),
    )


def run(
    view: View, setting: Setting, places: Sequence[Place]
) -> tuple[dict[tuple[str, str], Outcome], list[str]]:
    """Each word hidden from each place, by (role, place); and why some could not be."""
    results, faults = {}, []
    total = len(setting.hidden) * len(places)
    choice = setting.choice
    with LateBar("Hiding each word from each place") as bar:
        for role, word in setting.hidden.items():
            for place in places:
                bar((len(results) + len(faults)) / total)
                try:
                    results[role, place.name] = outcome_of(
                        view, place.change(word), choice.position, choice.ids
                    )
                except InterventionError as error:
                    faults.append(
                        f"“{plain(word.text)}” cannot be hidden from {plain(place.label)}: "
                        f"{plain(str(error), 300)}"
                    )
    return results, faults


def result_lines(
    setting: Setting,
    places: Sequence[Place],
    results: dict[tuple[str, str], Outcome],
    nothing: Outcome,
) -> pd.DataFrame:
    """One line for each word, place and choice, as `viz.knockout.hiding_dots` takes them."""
    lines = [
        {
            "hidden": f"{word.text}, {ROLES[role]}",
            "place": place.label,
            "choice": label,
            "probability": probability,
            "plain": before,
        }
        for role, word in setting.hidden.items()
        for place in places
        if (result := results.get((role, place.name))) is not None
        for label, probability, before in zip(
            setting.choice.labels, result.probabilities, nothing.probabilities, strict=True
        )
    ]
    return pd.DataFrame(lines, columns=["hidden", "place", "choice", "probability", "plain"])


def found_words(
    setting: Setting,
    results: dict[tuple[str, str], Outcome],
    nothing: Outcome,
) -> str:
    """What was found for the noun, in numbers, and where that leaves the link; as Markdown."""
    noun, choice = setting.hidden["antecedent"], setting.choice
    written = plain(choice.labels[0])
    it = f"“{plain(setting.pronoun.text)}”"
    lines = []
    for name, where in (
        ("encoder_from_it", f"from {it} in all encoder heads"),
        ("cross_from_pronoun", f"from the row that writes “{written}”, in all cross heads"),
        ("encoder", "from the whole encoder"),
        ("both", "from everything"),
    ):
        result = results.get(("antecedent", name))
        if result is not None:
            lines.append(f"- {where}: {_outcome(result, nothing, written)}")
    if not lines:
        return ""
    found = [f"Hiding “{plain(noun.text)}”", "\n".join(lines)]
    found.append(_where_the_link_is(setting, results, nothing))
    others = [
        f"- “{plain(setting.hidden[role].text)}”, {ROLES[role]}: "
        + _outcome(results[role, "both"], nothing, written)
        for role in ("other", "control")
        if (role, "both") in results
    ]
    if others:
        found += ["Hiding from everything, to compare", "\n".join(others)]
    return "\n\n".join(found)


def _outcome(result: Outcome, nothing: Outcome, written: str) -> str:
    """The probability of the written token before and after, and what becomes of the output."""
    before, after = nothing.probabilities[0], result.probabilities[0]
    numbers = f"P({written}) {before:.2f} → **{after:.2f}**"
    if result.text != nothing.text:
        return f"{numbers}, and the search writes “{plain(result.text, 200) or '(nothing)'}”"
    if abs(after - before) < 0.005:
        return f"{numbers}, nothing changes"
    return f"{numbers}, and the search writes the same"


def _where_the_link_is(
    setting: Setting, results: dict[tuple[str, str], Outcome], nothing: Outcome
) -> str:
    """The narrowest place whose hiding takes the pronoun away."""
    it, noun = plain(setting.pronoun.text), plain(setting.hidden["antecedent"].text)

    def matters(name: str) -> bool:
        result = results.get(("antecedent", name))
        if result is None:
            return False
        return nothing.probabilities[0] - result.probabilities[0] >= LARGE

    if matters("encoder_from_it"):
        return f"So the encoder's “{it}” carries the link to “{noun}”, as the textbook has it."
    if matters("cross_from_pronoun"):
        return (
            f"So the link does not run through “{it}”: the decoder looks up “{noun}” itself when "
            "it writes the pronoun."
        )
    if matters("it_and_pronoun"):
        return "Either way alone is enough for the model; only both together matter."
    if matters("encoder"):
        return (
            f"So the link runs neither through “{it}” nor through the pronoun's own look at "
            f"“{noun}”: it needs other rows of the encoder that read “{noun}”."
        )
    if matters("cross"):
        return f"So the decoder needs “{noun}”, but at other positions than the pronoun's."
    if matters("both"):
        return (
            f"So encoder and cross-attention can each make up for the other: only when “{noun}” is "
            "hidden from both does the pronoun become unsure."
        )
    return f"So this choice hardly depends on “{noun}”, by any of these ways."


def _picture(view: View, setting: Setting, lines: pd.DataFrame) -> None:
    figure = hiding_dots(lines)
    show_picture(
        figure,
        key="pronoun_dots",
        alt=f"Probability of {', '.join(setting.choice.labels)} with each word hidden from each "
        "place; the table below holds the numbers.",
    )
    st.caption(
        "Each line runs from the probability with nothing hidden (the tick) to that with the word "
        "hidden (the sign). The beginning of the translation is kept as it was."
    )
    export_menu(
        figure,
        key="pronoun_dots_export",
        name=f"hidden from {setting.pronoun.text} {view.translation.src.text}",
        numbers=lambda: lines,
    )


def _table(
    setting: Setting,
    places: Sequence[Place],
    results: dict[tuple[str, str], Outcome],
    view: View,
) -> None:
    labels = setting.choice.labels
    rows = []
    for role, word in setting.hidden.items():
        for place in places:
            result = results.get((role, place.name))
            if result is None:
                continue
            probabilities = zip(labels, result.probabilities, strict=True)
            rows.append(
                {
                    "hidden": word.text,
                    "from": place.label,
                    **{f"P({label})": value for label, value in probabilities},
                    "likeliest": labels[int(np.argmax(result.probabilities))],
                    "output": result.text,
                }
            )
    st.dataframe(
        pd.DataFrame(rows),
        key="pronoun_table",
        hide_index=True,
        column_config={
            "hidden": st.column_config.TextColumn("hidden", width=90),
            "from": st.column_config.TextColumn("from", width=210),
            "likeliest": st.column_config.TextColumn("likeliest", width=80),
            "output": st.column_config.TextColumn("the search then writes", width=430),
            **{
                f"P({label})": st.column_config.NumberColumn(format="%.3f", width=80)
                for label in labels
            },
        },
        height=min(36 * (len(rows) + 1), 400),
        alt=f"{len(rows)} tests: what was hidden from where, and what became of the pronoun.",
    )


# Over the held-out sentences


def _held_out(card: CheckpointCard) -> None:
    forced, searched = stored_rows(card, "forced"), stored_rows(card, "searched")
    if forced.empty and searched.empty:
        command_box(card)
        return
    names = {
        name: title
        for name, title, rows in (
            ("forced", "in its place, the rest kept", forced),
            ("searched", "in a whole new search", searched),
        )
        if not rows.empty
    }
    if st.session_state.get("flips") not in (None, *names):
        del st.session_state["flips"]
    chosen = st.segmented_control(
        "The pronoun",
        list(names),
        key="flips",
        default=next(iter(names)),
        required=True,
        format_func=names.get,
        bind="query-params",
    )
    chosen = chosen or next(iter(names))
    rows = forced if chosen == "forced" else searched
    st.markdown(stored_words(rows))
    figure = flip_rates(rows)
    show_picture(
        figure,
        key="pronoun_flips",
        alt="How often the pronoun flips when a word is hidden, for each place, with 95 % "
        "intervals; the table holds the numbers.",
    )
    export_menu(
        figure,
        key="pronoun_flips_export",
        name=f"pronoun flips {card.name}",
        numbers=lambda: rows.drop(columns=["where", "word"]),
    )
    _stored_table(rows)
    st.caption(" ".join(filter(None, (_heads_used(card), source_line(card)))))


def stored_rows(card: CheckpointCard, name: str) -> pd.DataFrame:
    """One line for each place and word of the stored flips, places in the order of the page.

    Columns where, word, place, hidden, n, flips, share, low, high, right (the last four 0 to 1)
    and log_odds (mean change; NaN where it was not measured). What is not sound is left out.
    """
    part = card.interventions.get("pronoun")
    stored = part.get(name, []) if isinstance(part, dict) else []
    rows = []
    for entry in stored if isinstance(stored, list) else []:
        where, word = entry.get("where"), entry.get("word")
        found = entry.get("all")
        if where not in PLACE_NAMES or word not in STORED_WORDS or not isinstance(found, dict):
            continue
        sound = all(is_share(found.get(key)) for key in ("share", "low", "high"))
        if not sound or not is_count(found.get("n")) or not is_count(found.get("flips")):
            continue
        rows.append(
            {
                "where": where,
                "word": word,
                "place": PLACE_NAMES[where],
                "hidden": STORED_WORDS[word],
                **{key: found[key] for key in ("n", "flips", "share", "low", "high")},
                "right": _number(found.get("share_right")),
                "log_odds": _number(found.get("log_odds_change")),
            }
        )
    columns = ["where", "word", "place", "hidden", "n", "flips", "share", "low", "high"]
    table = pd.DataFrame(rows, columns=[*columns, "right", "log_odds"])
    orders = [list(PLACE_ORDER), list(STORED_WORDS)]
    ranks = [table[n].map(order.index) for n, order in zip(("where", "word"), orders, strict=True)]
    return table.iloc[np.lexsort((ranks[1], ranks[0]))].reset_index(drop=True)


PLACE_ORDER = (
    "encoder_from_it_best",
    "encoder_from_it_guided",
    "encoder_from_it",
    "cross_from_pronoun_best",
    "cross_from_pronoun",
    "it_and_pronoun",
    "cross",
    "encoder",
    "both",
)


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")


def stored_words(rows: pd.DataFrame) -> str:
    """How often hiding the noun flips the pronoun, against the control word."""

    def share(where: str, word: str) -> str:
        found = rows[(rows["where"] == where) & (rows["word"] == word)]
        return "" if found.empty else f"{found['share'].iloc[0]:.1%}"

    parts = []
    for where, name in (
        ("encoder_from_it", "from “it” in the encoder"),
        ("cross_from_pronoun", "from the pronoun's row"),
        ("both", "from everything"),
    ):
        noun, control = share(where, "antecedent"), share(where, "control")
        if noun:
            against = f" (a control word: {control})" if control else ""
            parts.append(f"{name} in **{noun}**{against}")
    if not parts:
        return ""
    n = int(rows["n"].max())
    return f"Over {n} sentences, hiding the noun flips the pronoun " + ", ".join(parts) + "."


def _stored_table(rows: pd.DataFrame) -> None:
    st.dataframe(
        rows.drop(columns=["where", "word"]),
        key="pronoun_flips_table",
        hide_index=True,
        column_config={
            "place": st.column_config.TextColumn("hidden from", width=210),
            "hidden": st.column_config.TextColumn("hidden", width=110),
            "n": st.column_config.NumberColumn("sentences", width=80),
            "flips": st.column_config.NumberColumn("flips", width=60),
            "share": st.column_config.NumberColumn("share", format="percent"),
            "low": st.column_config.NumberColumn("95 % from", format="percent"),
            "high": st.column_config.NumberColumn("to", format="percent"),
            "right": st.column_config.NumberColumn("still right", format="percent"),
            "log_odds": st.column_config.NumberColumn("change of log-odds", format="%.2f"),
        },
        height=min(36 * (len(rows) + 1), 330),
        alt="The same numbers as a table.",
    )


def _heads_used(card: CheckpointCard) -> str:
    """Which heads were the best ones when this was measured."""
    heads = card.interventions["pronoun"].get("heads")
    parts = []
    for kind in ("encoder", "cross"):
        place = heads.get(kind) if isinstance(heads, dict) else None
        if isinstance(place, dict) and is_count(place.get("layer")) and is_count(place.get("head")):
            parts.append(head_title(kind, place["layer"], place["head"]))
    return f"Best heads over the held-out sentences: {', '.join(parts)}." if parts else ""

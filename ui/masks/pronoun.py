"""“It” put to the test: hide its noun, the noun's phrase, other words, and see what is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.measures import pair_weights, strongest_head
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
from ui.state import Run, show_problem
from ui.words import head_name, plain
from viz.hiding import flip_rates, hiding_dots
from viz.labels import head_title, numbered_labels

NONE = "none"
LARGE = 0.1  # a change of probability that counts as one
ROLES = {
    "antecedent": "its noun",
    "antecedent_phrase": "its noun's phrase",
    "other": "other noun",
    "other_phrase": "other noun's phrase",
    "control": "control word",
}
DETERMINERS = frozenset(
    ("the", "a", "an", "this", "that", "these", "those", "my", "your", "his", "her", "its", "our",
     "their", "each", "every", "some", "any", "no", "another")
)  # fmt: skip
# The comparison is run for these places alone: a run costs a search.
COMPARED = ("encoder_from_it", "cross_from_pronoun", "cross", "encoder", "both")
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


@dataclass(frozen=True)
class Setting:
    """What is put to the test.

    Attributes
    ----------
    pronoun : the word "it".
    hidden : by role, as in `ROLES`, the words to hide, those that were chosen. A phrase is a noun
        with the words that belong to it, one `Word` of all their positions.
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


def show(run: Run) -> None:
    st.markdown("##### This sentence")
    _this_sentence(run)
    st.markdown("##### Over the held-out sentences")
    _held_out(run.translator.card)


def _this_sentence(run: Run) -> None:
    words = source_words(run)
    if not words:
        st.info("The sentence has no word that could be hidden.", icon=":material/search_off:")
        return
    try:
        setting = choose(run, words)
    except ModelError as error:
        show_problem(error)
        return
    if setting is None:
        return
    places = places_for(run, setting)
    results, faults = measured_runs(run, setting, runs_for(setting, places))
    nothing = outcome_of(run, Intervention(), setting.choice.position, setting.choice.ids)
    lines = result_lines(setting, places, results, nothing)
    if "antecedent" in setting.hidden:
        st.markdown(found_words(setting, results, nothing))
    if not lines.empty:
        _picture(run, setting, lines)
        _table(setting, places, results, run)
    for fault in dict.fromkeys(faults):
        st.warning(fault, icon=":material/visibility_off:")


def choose(run: Run, words: Sequence[Word]) -> Setting | None:
    """The words to test, those of a known example at first; None after asking for one."""
    example = example_on(run)
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
    produced = numbered_labels(run.translation.tgt.tokens)
    followed = produced[telling_position(run)]
    defaults = {key: word.label if word else NONE for key, word in first.items()}
    renew("test_for", run.identity, defaults | {"test_row": followed})
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
    with st.container(horizontal=True, vertical_alignment="bottom"):
        phrases = {
            role: _choose_phrase(run, words, found[noun_key], key, title)
            for role, noun_key, key, title in (
                ("antecedent_phrase", "test_noun", "test_phrase", "Its noun's phrase"),
                ("other_phrase", "test_other", "test_other_phrase", "Other noun's phrase"),
            )
        }
    position = produced.index(row) if row in produced else telling_position(run)
    chosen = {
        "antecedent": found["test_noun"],
        "other": found["test_other"],
        "control": found["test_control"],
        **phrases,
    }
    hidden = {role: chosen[role] for role in ROLES if chosen[role] is not None}
    return Setting(found["test_it"], hidden, choice_at(run, position))


def _choose_phrase(
    run: Run, words: Sequence[Word], noun: Word | None, key: str, title: str
) -> Word | None:
    """The words that belong to a noun; None without a noun, or where it stands alone."""
    start = [word.label for word in phrase_of(words, noun)]
    renew(f"{key}_for", (run.identity, noun), {key: start})
    if noun is None:
        return None
    chosen = st.multiselect(
        title,
        [word.label for word in words],
        start,
        key=key,
        bind="query-params",
        width=330,
        placeholder="none",
        help="The noun, its determiner and its adjectives. They are hidden together.",
    )
    phrase = joined([word for word in words if word.label in chosen])
    return None if phrase is None or phrase.positions == noun.positions else phrase


def phrase_of(words: Sequence[Word], noun: Word | None) -> tuple[Word, ...]:
    """The noun with the word before it if that is a determiner."""
    if noun is None:
        return ()
    place = list(words).index(noun)
    before = words[place - 1 : place] if place else ()
    return (*(word for word in before if word.text.lower() in DETERMINERS), noun)


def joined(words: Sequence[Word]) -> Word | None:
    """Words as one, in the order of the sentence, "…" where others stand between; None of none."""
    if not words:
        return None
    text, last = "", -1
    for word in words:
        between = "" if not text else " " if word.positions[0] == last + 1 else " … "
        text, last = text + between + word.text, word.positions[-1]
    positions = tuple(position for word in words for position in word.positions)
    return Word(positions, text, text)


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


def places_for(run: Run, setting: Setting) -> tuple[Place, ...]:
    """From where the words are hidden, from the narrowest to the widest."""
    maps = run.translation.attention
    row = setting.choice.position
    its = setting.pronoun.positions
    target = setting.hidden.get("antecedent", next(iter(setting.hidden.values())))
    it_name = f"“{setting.pronoun.text}”"
    row_name = f"row of “{setting.choice.labels[0]}”"
    encoder_head = strongest_head(pair_weights(maps.encoder, its, target.positions))
    cross_head = strongest_head(pair_weights(maps.cross, (row,), target.positions))
    guided = guided_head(run.translator.card, "encoder")
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


def runs_for(setting: Setting, places: Sequence[Place]) -> list[tuple[str, Word, Place]]:
    """What is hidden from where: the noun and its phrase from each place, the rest from fewer."""
    fully = [role for role in setting.hidden if role.startswith("antecedent")]
    return [
        (role, word, place)
        for role, word in setting.hidden.items()
        for place in places
        if not fully or role in fully or place.name in COMPARED
    ]


def measured_runs(
    run: Run, setting: Setting, runs: Sequence[tuple[str, Word, Place]]
) -> tuple[dict[tuple[str, str], Outcome], list[str]]:
    """What comes of each run, by (role, place); and why some could not be."""
    results, faults = {}, []
    choice = setting.choice
    with LateBar("Hiding the words from each place") as bar:
        for done, (role, word, place) in enumerate(runs):
            bar(done / len(runs))
            try:
                results[role, place.name] = outcome_of(
                    run, place.change(word), choice.position, choice.ids
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
    """One line for each word, place and choice, as `viz.hiding.hiding_dots` takes them."""
    lines = [
        {
            "hidden": word.text,
            "role": ROLES[role],
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
    return pd.DataFrame(
        lines, columns=["hidden", "role", "place", "choice", "probability", "plain"]
    )


def found_words(
    setting: Setting,
    results: dict[tuple[str, str], Outcome],
    nothing: Outcome,
) -> str:
    """What was found for the noun and its phrase, in three sentences at most; as Markdown."""
    written = plain(setting.choice.labels[0])
    numbers = [
        found
        for name, where in (
            ("cross_from_pronoun", f"from the row that writes “{written}”"),
            ("encoder_from_it", f"from “{plain(setting.pronoun.text)}” in the encoder"),
            ("both", "from everything"),
        )
        if (found := _numbers(setting, results, name, where))
    ]
    if not numbers:
        return ""
    before = f"P({written}) is {nothing.probabilities[0]:.2f} with nothing hidden. "
    return before + f"Hidden {'; '.join(numbers)}. " + _where_the_link_is(setting, results, nothing)


def _numbers(
    setting: Setting, results: dict[tuple[str, str], Outcome], name: str, where: str
) -> str:
    """The probability that each of the two leaves, and the choice that is likeliest then."""
    labels = setting.choice.labels
    parts = []
    for role in ("antecedent", "antecedent_phrase"):
        result = results.get((role, name))
        if result is None:
            continue
        best = int(np.argmax(result.probabilities))
        now = f" (now “{plain(labels[best])}”)" if best else ""
        text = plain(setting.hidden[role].text)
        parts.append(f"“{text}” leaves **{result.probabilities[0]:.2f}**{now}")
    return f"{where}, " + " and ".join(parts) if parts else ""


def _where_the_link_is(
    setting: Setting, results: dict[tuple[str, str], Outcome], nothing: Outcome
) -> str:
    """The narrowest place whose hiding takes the pronoun away, of the phrase if there is one."""
    role = "antecedent_phrase" if "antecedent_phrase" in setting.hidden else "antecedent"
    it, what = plain(setting.pronoun.text), plain(setting.hidden[role].text)

    def matters(name: str, role: str = role) -> bool:
        result = results.get((role, name))
        if result is None:
            return False
        return nothing.probabilities[0] - result.probabilities[0] >= LARGE

    def rest(name: str) -> str:
        if role == "antecedent" or ("antecedent", name) not in results:
            return "."
        if matters(name, "antecedent"):
            return "."
        noun = plain(setting.hidden["antecedent"].text)
        return f"; with “{noun}” alone hidden, the rest of its phrase is enough."

    if matters("encoder_from_it"):
        return (
            f"So the encoder's “{it}” carries the link to “{what}”, as the textbook has it"
            + rest("encoder_from_it")
        )
    if matters("cross_from_pronoun"):
        return (
            f"So the link does not run through “{it}”: the decoder looks up “{what}” itself when "
            "it writes the pronoun" + rest("cross_from_pronoun")
        )
    if matters("it_and_pronoun"):
        return "Either way alone is enough for the model; only both together matter."
    if matters("encoder"):
        return (
            f"So the link runs neither through “{it}” nor through the pronoun's own look at "
            f"“{what}”: it needs other rows of the encoder that read “{what}”" + rest("encoder")
        )
    if matters("cross"):
        return f"So the decoder needs “{what}”, but at other positions than the pronoun's" + rest(
            "cross"
        )
    if matters("both"):
        return (
            f"So encoder and cross-attention can each make up for the other: only when “{what}” is "
            "hidden from both does the pronoun become unsure" + rest("both")
        )
    return f"So this choice hardly depends on “{what}”, by any of these ways."


def _picture(run: Run, setting: Setting, lines: pd.DataFrame) -> None:
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
        name=f"hidden from {setting.pronoun.text} {run.translation.src.text}",
        numbers=lambda: lines,
    )


def _table(
    setting: Setting,
    places: Sequence[Place],
    results: dict[tuple[str, str], Outcome],
    run: Run,
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
                    "role": ROLES[role],
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
            "role": st.column_config.TextColumn("which is", width=130),
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
    st.markdown(" ".join(filter(None, (stored_words(rows), guided_words(card, rows)))))
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
    notes = (how_words(card), _heads_used(card), source_line(card))
    st.caption(" ".join(filter(None, notes)))


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
        if where not in PLACE_NAMES or word not in ROLES or not isinstance(found, dict):
            continue
        sound = all(is_share(found.get(key)) for key in ("share", "low", "high"))
        if not sound or not is_count(found.get("n")) or not is_count(found.get("flips")):
            continue
        rows.append(
            {
                "where": where,
                "word": word,
                "place": PLACE_NAMES[where],
                "hidden": ROLES[word],
                **{key: found[key] for key in ("n", "flips", "share", "low", "high")},
                "right": _number(found.get("share_right")),
                "log_odds": _number(found.get("log_odds_change")),
            }
        )
    columns = ["where", "word", "place", "hidden", "n", "flips", "share", "low", "high"]
    table = pd.DataFrame(rows, columns=[*columns, "right", "log_odds"])
    orders = [list(PLACE_ORDER), list(ROLES)]
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
    """How often hiding the noun's phrase flips the pronoun, against the noun and other words."""
    noun, phrase = "antecedent", "antecedent_phrase"
    sentences = []
    for where, name, roles in (
        ("cross_from_pronoun", "the pronoun's row of cross-attention", (noun, "other_phrase")),
        ("encoder_from_it", "“it” in the encoder", (noun,)),
        ("both", "everything", (noun, "other_phrase", "control")),
    ):
        found = rows[rows["where"] == where].set_index("word")
        first, *others = [role for role in (phrase, *roles) if role in found.index] or [""]
        if not first:
            continue
        sentence = f"Hiding {ROLES[first]} from {name} flips the pronoun in "
        sentence += f"**{found['share'][first]:.1%}** of {found['n'][first]} sentences"
        compared = [
            f"{ROLES[role]}{' alone' if role == noun else ''} in {found['share'][role]:.1%}"
            for role in others
        ]
        sentences.append("; ".join(filter(None, (sentence, ", ".join(compared)))) + ".")
    return " ".join(sentences)


def guided_words(card: CheckpointCard, rows: pd.DataFrame) -> str:
    """What the guided head's weight on the noun is worth, where both were measured."""
    guided = guided_head(card, "encoder")
    measured = card.heads.get("encoder")
    if guided is None or not isinstance(measured, dict):
        return ""
    weight = measured.get("antecedent")
    if guided != (measured.get("layer"), measured.get("head")) or not is_share(weight):
        return ""
    where = "encoder_from_it_guided"
    if guided == _stored_head(card, "encoder"):
        where = "encoder_from_it_best"
    found = rows[(rows["where"] == where) & rows["word"].str.startswith("antecedent")]
    if found.empty:
        return ""
    row = found.iloc[-1]
    small = weight >= 0.5 and row["share"] <= 0.05
    return (
        f"The guided head, encoder {head_name(*guided)}, puts **{weight:.2f}** of the weight of "
        f"“it” on its noun on average, {'yet' if small else 'and'} hiding {row['hidden']} from "
        f"“it” there flips the pronoun in **{row['flips']} of {row['n']}**"
        + (": a large weight is no proof of use." if small else ".")
    )


def how_words(card: CheckpointCard) -> str:
    """How the stored searches were made, and what the control word is."""
    settings = card.interventions.get("settings")
    settings = settings if isinstance(settings, dict) else {}
    decoding, pronoun = settings.get("decoding"), settings.get("pronoun")
    beam = decoding.get("beam_size") if isinstance(decoding, dict) else None
    control = pronoun.get("control") if isinstance(pronoun, dict) else None
    parts = []
    if is_count(beam):
        parts.append(
            "The searches are greedy." if beam == 1 else f"The searches have a beam of {beam}."
        )
    if isinstance(control, str):
        parts.append(
            f"Control word: {plain(control, 250)}; it may be the adjective that decides, "
            "such as “tired”."
        )
    return " ".join(parts)


def _stored_table(rows: pd.DataFrame) -> None:
    st.dataframe(
        rows.drop(columns=["where", "word"]),
        key="pronoun_flips_table",
        hide_index=True,
        column_config={
            "place": st.column_config.TextColumn("hidden from", width=210),
            "hidden": st.column_config.TextColumn("hidden", width=140),
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
    parts = []
    for kind in ("encoder", "cross"):
        head = _stored_head(card, kind)
        if head is not None:
            parts.append(head_title(kind, *head))
    return f"Best heads over the held-out sentences: {', '.join(parts)}." if parts else ""


def _stored_head(card: CheckpointCard, kind: str) -> tuple[int, int] | None:
    """The head that was best when the flips were measured."""
    heads = card.interventions["pronoun"].get("heads")
    place = heads.get(kind) if isinstance(heads, dict) else None
    if isinstance(place, dict) and is_count(place.get("layer")) and is_count(place.get("head")):
        return place["layer"], place["head"]
    return None

"""What came of hiding the words of this sentence: in words, as a picture and as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from model.errors import InterventionError
from records import UNREAD
from ui.blocks import figure_block
from ui.masks.results import LateBar, Outcome, outcome_of
from ui.state import Run
from ui.words import current_words, plain, say
from viz.hiding import hiding_dots
from words import Message, numbers

from .places import Hiding
from .setting import Setting

LARGE = 0.1  # a change of probability that counts as one
# In this order the widest place says the least; each has its verdict.
WAYS = (
    "encoder_from_it",
    "cross_from_pronoun",
    "it_and_pronoun",
    "encoder",
    "cross",
    "both",
    UNREAD,
)
REPORTED = (UNREAD, "cross_from_pronoun", "encoder_from_it", "both")
Results = Mapping[tuple[str, str], Outcome]
"""What came of each test, by the role of the word and the name of the place."""


def measured(
    run: Run, setting: Setting, tests: Sequence[Hiding]
) -> tuple[dict[tuple[str, str], Outcome], list[str]]:
    """What comes of each test; and why some could not be made."""
    results, faults = {}, []
    choice = setting.choice
    with LateBar("masks-pronoun-progress") as bar:
        for done, test in enumerate(tests):
            bar(done / len(tests))
            try:
                results[test.key] = outcome_of(
                    run, test.place.change(test.word), choice.position, choice.ids
                )
            except InterventionError as error:
                faults.append(
                    say(
                        "masks-pronoun-refused",
                        word=plain(test.word.text),
                        place=plain(test.place.label),
                        why=plain(current_words().of(error.message), 300),
                    )
                )
    return results, faults


def found_words(setting: Setting, results: Results, nothing: Outcome) -> str:
    """What was found for the noun and its phrase: the numbers at the place that the verdict names,
    or at the widest, and the verdict; as Markdown."""
    found = verdict(setting, results, nothing)
    way = found.id.rpartition("-")[2]
    places = [name for name in (way, "both", *REPORTED) if name in REPORTED]
    place = next((name for name in places if _leaves(setting, results, name)), "")
    if not place:
        return ""
    written = plain(setting.choice.labels[0])
    before = say(
        "masks-pronoun-plain", written=written, share=numbers.fixed(nothing.probabilities[0])
    )
    after = Message.of(
        f"masks-pronoun-hidden-{place}",
        written=written,
        pronoun=plain(setting.pronoun.text),
        leaves=_leaves(setting, results, place),
    )
    hidden = say("masks-pronoun-hidden", places=after)
    return " ".join((before, hidden, current_words().of(found)))


def _leaves(setting: Setting, results: Results, place: str) -> Message | None:
    """The probability that noun and phrase leave, and the choice that is likeliest then."""
    parts = []
    for role in ("antecedent", "antecedent_phrase"):
        if (result := results.get((role, place))) is None:
            continue
        best = int(np.argmax(result.probabilities))
        part = Message.of(
            "masks-pronoun-leaves-now" if best else "masks-pronoun-leaves",
            word=plain(setting.hidden[role].text),
            share=numbers.fixed(result.probabilities[0]),
            now=plain(setting.choice.labels[best]),
        )
        parts.append(part)
    if len(parts) < 2:
        return parts[0] if parts else None
    return Message.of("masks-pronoun-leaves-both", noun=parts[0], phrase=parts[1])


def verdict(setting: Setting, results: Results, nothing: Outcome) -> Message:
    """The narrowest place whose hiding takes the pronoun away, of the phrase if there is one.

    The message is ``masks-pronoun-verdict-`` and one of `WAYS`, or ``none``.
    """
    role = "antecedent_phrase" if "antecedent_phrase" in setting.hidden else "antecedent"

    def matters(role: str, place: str) -> bool:
        result = results.get((role, place))
        gone = nothing.probabilities[0] - result.probabilities[0] if result else 0.0
        return gone >= LARGE

    way = next((place for place in WAYS if matters(role, place)), "none")
    alone = ("antecedent", way)
    rest_is_enough = role != "antecedent" and alone in results and not matters(*alone)
    noun = setting.hidden.get("antecedent", setting.hidden[role])
    return Message.of(
        f"masks-pronoun-verdict-{way}",
        pronoun=plain(setting.pronoun.text),
        what=plain(setting.hidden[role].text),
        noun=plain(noun.text),
        rest="enough" if rest_is_enough else "unknown",
    )


def result_lines(
    setting: Setting, tests: Sequence[Hiding], results: Results, nothing: Outcome
) -> pd.DataFrame:
    """One line for each test and choice, as `viz.hiding.hiding_dots` takes them."""
    return pd.DataFrame(
        {
            "hidden": test.word.text,
            "role": say(f"masks-pronoun-role-{test.role}"),
            "place": test.place.label,
            "choice": label,
            "probability": probability,
            "plain": before,
        }
        for test in tests
        if test.key in results
        for label, probability, before in zip(
            setting.choice.labels,
            results[test.key].probabilities,
            nothing.probabilities,
            strict=True,
        )
    )


def show_picture(run: Run, setting: Setting, lines: pd.DataFrame) -> None:
    figure_block(
        hiding_dots(lines),
        key="pronoun_dots",
        alt=say("masks-pronoun-dots-alt", choices=", ".join(setting.choice.labels)),
        name=say(
            "masks-pronoun-dots-file",
            pronoun=setting.pronoun.text,
            text=run.translation.src.text,
        ),
        caption=say("masks-pronoun-dots-caption"),
        numbers=lambda: lines,
    )


def show_table(setting: Setting, tests: Sequence[Hiding], results: Results) -> None:
    labels = setting.choice.labels
    rows = [
        {
            "hidden": test.word.text,
            "role": say(f"masks-pronoun-role-{test.role}"),
            "from": test.place.label,
            **{f"P({label})": p for label, p in zip(labels, result.probabilities, strict=True)},
            "likeliest": labels[int(np.argmax(result.probabilities))],
            "output": result.text,
        }
        for test in tests
        if (result := results.get(test.key)) is not None
    ]
    widths = {"hidden": 90, "role": 130, "from": 210, "likeliest": 80, "output": 430}
    st.dataframe(
        pd.DataFrame(rows),
        key="pronoun_table",
        hide_index=True,
        column_config={
            name: st.column_config.TextColumn(say(f"masks-pronoun-column-{name}"), width=width)
            for name, width in widths.items()
        }
        | {
            f"P({label})": st.column_config.NumberColumn(format="%.3f", width=80)
            for label in labels
        },
        height=min(36 * (len(rows) + 1), 400),
        alt=say("masks-pronoun-table-alt", n=len(rows)),
    )

"""What came of hiding the words of this sentence: in words, as a picture and as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from model.errors import InterventionError
from records import UNREAD
from ui.kit.blocks import picture, table
from ui.kit.layout import finding
from ui.masks.results import Outcome, late_bar, outcome_of
from ui.state import Run
from ui.words import current_words, plain, say
from viz.hiding import hiding_dots
from words import numbers

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
WIDTHS = {"hidden": 90, "role": 130, "from": 210, "likeliest": 80, "output": 430}
Results = Mapping[tuple[str, str], Outcome]
"""What came of each test, by the role of the word and the name of the place."""


def measured(
    run: Run, setting: Setting, tests: Sequence[Hiding]
) -> tuple[dict[tuple[str, str], Outcome], list[str]]:
    """What comes of each test; and why some could not be made."""
    results, faults = {}, []
    asked = setting.choice.position, setting.choice.ids
    with late_bar("masks-pronoun-progress") as bar:
        for done, test in enumerate(tests):
            bar(done / len(tests))
            try:
                results[test.key] = outcome_of(run, test.place.change(test.word), *asked)
            except InterventionError as error:
                why = plain(current_words().of(error.message), 300)
                word, place = plain(test.word.text), plain(test.place.label)
                faults.append(say("masks-pronoun-refused", word=word, place=place, why=why))
    return results, faults


def show_found(
    run: Run, setting: Setting, tests: Sequence[Hiding], results: Results, nothing: Outcome
) -> None:
    """The verdict, then the picture and the table of all tests that have a result."""
    below = ""
    if "antecedent" in setting.hidden:
        said, below = found_words(setting, results, nothing)
        finding(said)
    lines = result_lines(setting, tests, results, nothing)
    picture(
        "masks-pronoun-dots",
        hiding_dots(lines),
        key="pronoun_dots",
        below=below,
        numbers=lines,
        choices=", ".join(setting.choice.labels),
        pronoun=setting.pronoun.text,
        text=run.translation.src.text,
    )
    labels = setting.choice.labels
    rows = pd.DataFrame(
        {
            "hidden": test.word.text,
            "role": say(f"masks-pronoun-role-{test.role}"),
            "from": test.place.label,
            **{f"P({label})": p for label, p in zip(labels, result.probabilities, strict=True)},
            "likeliest": labels[result.best],
            "output": result.text,
        }
        for test in tests
        for result in (results[test.key],)
    )
    shares = [f"P({label})" for label in labels]
    table(
        "masks-pronoun-table",
        rows,
        key="pronoun_table",
        words="masks-pronoun-column",
        widths=WIDTHS | dict.fromkeys(shares, 80),
        formats=dict.fromkeys(shares, "%.3f"),
        height=400,
    )


def found_words(setting: Setting, results: Results, nothing: Outcome) -> tuple[str, str]:
    """The verdict with the probability before and after, at its place or at the widest; and what
    hiding the noun without its phrase leaves there. As Markdown."""
    role = _role(setting)
    way = verdict(role, results, nothing)
    place = next((name for name in (way, *reversed(WAYS)) if (role, name) in results), "")
    if not place:
        return "", ""
    written, *_ = labels = [plain(label) for label in setting.choice.labels]
    what, now = plain(setting.hidden[role].text), labels[results[role, place].best]
    before, after = (
        numbers.fixed(each.probabilities[0]) for each in (nothing, results[role, place])
    )
    told = {"what": what, "written": written, "before": before, "after": after}
    found = say(f"masks-pronoun-verdict-{way}", pronoun=plain(setting.pronoun.text), what=what)
    said = f"{found} {say('masks-pronoun-instead', **told)}"
    more = [] if now == written else [say("masks-pronoun-overtaken", what=what, now=now)]
    alone = results.get(("antecedent", place))
    if role != "antecedent" and alone is not None:
        rest = "enough" if way != "none" and not _matters(alone, nothing) else "unknown"
        noun, share = setting.hidden["antecedent"].text, numbers.fixed(alone.probabilities[0])
        told = {"noun": plain(noun), "written": written, "share": share, "rest": rest}
        more.append(say("masks-pronoun-alone", **told))
    return said, " ".join(more)


def _role(setting: Setting) -> str:
    return "antecedent_phrase" if "antecedent_phrase" in setting.hidden else "antecedent"


def verdict(role: str, results: Results, nothing: Outcome) -> str:
    """The narrowest of the `WAYS` whose hiding takes the pronoun away, or "none"."""
    found = (place for place in WAYS if (role, place) in results)
    return next((place for place in found if _matters(results[role, place], nothing)), "none")


def _matters(result: Outcome, nothing: Outcome) -> bool:
    return nothing.probabilities[0] - result.probabilities[0] >= LARGE


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
        for label, probability, before in zip(
            setting.choice.labels,
            results[test.key].probabilities,
            nothing.probabilities,
            strict=True,
        )
    )

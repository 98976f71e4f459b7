"""Systems to compare, and the result of each for a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from core.attention import AttentionRecord
from core.card import Outline
from core.runs import Translation
from model import ModelError, Reader, Translator
from model.experiments.step import drops_without, window_centres
from ui.address import FOLDERS
from ui.controls import checkpoint_label
from ui.kit.blocks import command_line
from ui.kit.controls import several
from ui.kit.layout import finding, note, settings
from ui.shared import ask
from ui.state import Run, get_translator, opened, outlines, translated
from ui.waiting import give_way
from ui.words import current_words, plain, say, system_name
from words import Message
from words.numbers import fixed

MOST_LEFT_OUT = 3600  # cells of source by target; each source token costs a pass
CHOSEN = "lineage_systems"
NEEDED = frozenset({"search", "teacher-forcing"})
COMMAND = "python -m training --config training/configs/lineage.json --variant bahdanau"


@dataclass(frozen=True)
class System:
    """A system in the comparison."""

    outline: Outline
    title: str  # unique on a page
    reader: Reader | ModelError  # or the reason why it cannot be loaded


@dataclass(frozen=True, eq=False)
class Heard:
    """Result of a system for a sentence and a target."""

    translation: Translation  # its own output
    record: AttentionRecord  # of the target that it was teacher-forced on, as `log_probs`
    log_probs: np.ndarray
    drops: np.ndarray | Message | None = None  # (T_tgt, T_src) in log p, or why they are unknown
    centres: np.ndarray | None = None  # (T_tgt,), centre of each row's window

    @property
    def mean(self) -> float:
        # float64: the mean is compared between systems.
        return float(self.log_probs.mean(dtype=np.float64))


def rivals(run: Run) -> tuple[Outline, ...]:
    """Return the systems that can be compared, oldest paper first.

    They search and teacher-force, and translate the same languages or were opened by path: such
    files seldom state theirs.
    """
    own, asked = run.card.languages, {run.choices.checkpoint, *opened()}
    found = filter(None, outlines().values())
    able = (each for each in found if each.capabilities >= NEEDED)
    fitting = (each for each in able if each.languages == own or each.name in asked)
    return tuple(sorted(fitting, key=lambda each: (each.year or 9999, each.name)))


def titles_of(outlines: Sequence[Outline]) -> dict[str, str]:
    """Return titles by folder name; with that name if two would be equal."""
    language = current_words().language
    titles = {
        each.name: system_name(each.name, each.told(language))
        if each.of_lineage
        else checkpoint_label(each.name, each)
        for each in outlines
    }
    often = Counter(titles.values())
    return {
        name: say("lineage-named", title=title, name=name) if often[title] > 1 else title
        for name, title in titles.items()
    }


def chosen_systems(run: Run) -> tuple[System, ...]:
    found = {each.name: each for each in rivals(run)}
    titles = titles_of(tuple(found.values()))
    with settings():
        chosen = several(
            CHOSEN,
            list(found),
            first_systems(tuple(found.values()), run.choices.checkpoint),
            words="lineage-systems",
            form=FOLDERS,
            format_func=lambda name: titles.get(name, name),
            placeholder=say("lineage-systems-none"),
        )
    systems = []
    for name in chosen:
        # Loading takes long, so newer clicks may end this run before each model.
        give_way()
        reader: Reader | ModelError = run.translator
        if name != run.choices.checkpoint:
            try:
                reader = get_translator(name)
            except ModelError as error:
                reader = error
        systems.append(System(found[name], titles[name], reader))
    return tuple(systems)


def installed_systems() -> tuple[Outline, ...]:
    """Return the installed systems of the lineage, whatever languages they read."""
    found = (each for each in outlines().values() if each is not None and each.of_lineage)
    return tuple(
        each for each in found if each.capabilities >= NEEDED and "scene" not in each.capabilities
    )


def tell_others(run: Run) -> None:
    """Explain that no lineage system can be compared with the open one, or how to train one."""
    if any(each.of_lineage for each in rivals(run)):
        return
    if installed := installed_systems():
        names = plain(" · ".join(titles_of(installed).values()))
        note("lineage-other-languages", "translate", systems=names)
    else:
        note("lineage-not-installed", "terminal")
        command_line(COMMAND)


def first_systems(found: Sequence[Outline], opened: str) -> tuple[str, ...]:
    """Return the initial selection: the open system, and the oldest of each other kind.

    The kinds are: one vector, attention over recurrent states, and attention alone.
    """
    kinds: dict[tuple[bool, bool], str] = {}
    # False sorts first: the open system takes the place of its kind.
    for each in sorted(found, key=lambda each: each.name != opened):
        if each.of_lineage or each.name == opened:
            kind = "scores" in each.capabilities, "positions" in each.capabilities
            kinds.setdefault(kind, each.name)
    return tuple(each.name for each in found if each.name in kinds.values())


def heard_by(system: System, run: Run, target: str, *, left_out: bool) -> Heard | ModelError:
    """Return the result of a system for the sentence, or the error that explains its absence.

    An empty `target` means its own translation. With `left_out`, and always for a system without
    cross-attention, each source token is left out in turn.
    """
    give_way()
    if isinstance(system.reader, ModelError):
        return system.reader
    try:
        return _heard(system.reader, system.outline.name, run, target, left_out)
    except ModelError as error:
        return error


def _heard(reader: Reader, name: str, run: Run, target: str, left_out: bool) -> Heard:
    found, own = run.translation, reader is run.translator
    choices = replace(run.choices, checkpoint=name)
    translation = found if own else translated(choices, reader).translation
    if not target or (own and target == found.text.strip()):
        record, log_probs = translation.attention, translation.log_probs
    elif target == found.text.strip() and reader.spells(found.tgt):
        # The tokens of the search: its text alone may be split into others.
        record, log_probs = ask(reader, Translator.teacher_force, translation.src, found.tgt)
    else:
        record, log_probs = ask(reader, Translator.read_pair, translation.src.text, target)
    drops, centres, pair = None, None, (record.src, record.tgt)
    if left_out or not any(s.key == "source" and s.query == "target" for s in reader.sites):
        if len(record.src) * len(record.tgt) > MOST_LEFT_OUT:
            drops = too_long(record)
        else:
            try:
                drops = ask(reader, drops_without, *pair)
            except ModelError as error:
                drops = error.message
    if any(site.window for site in record.sites) and "values" in reader.capabilities:
        centres = ask(reader, window_centres, *pair)
    return Heard(translation, record, log_probs, drops, centres)


def too_long(record: AttentionRecord) -> Message:
    return Message.of("lineage-too-long", source=len(record.src), n=len(record.tgt))


def tell_ends(id: str, lines: pd.DataFrame, value: str, digits: int, **values: Any) -> None:
    """Draw the finding of curves: ends of the one that falls most and of the one that falls least.

    `lines` has the columns system and `value`, in the order of each curve.
    """
    ends = lines.groupby("system", sort=False)[value].agg(["first", "last"])
    change, told = ends["last"] - ends["first"], {}
    for who, name in (("most", change.idxmin()), ("least", change.idxmax())):
        first, last = (fixed(end, digits) for end in ends.loc[name])
        told |= {who: plain(name, 120), f"{who}_from": first, f"{who}_to": last}
    finding(say(id, n=len(ends), **told, **values))

"""Which systems are held against each other, and what each makes of a sentence."""

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

MOST_LEFT_OUT = 3600  # cells of source by target
CHOSEN = "lineage_systems"
NEEDED = frozenset({"search", "teacher-forcing"})
COMMAND = "python -m training --config training/configs/lineage.json --variant bahdanau"


@dataclass(frozen=True)
class System:
    outline: Outline
    title: str  # no two systems on a page have the same
    reader: Reader | ModelError  # or why it cannot be loaded


@dataclass(frozen=True, eq=False)
class Heard:
    translation: Translation  # its own
    record: AttentionRecord  # of the target that it was made to read, as `log_probs`
    log_probs: np.ndarray
    drops: np.ndarray | Message | None = None  # (T_tgt, T_src) of log p, or why not known
    centres: np.ndarray | None = None  # (T_tgt,), of the window of each row

    @property
    def mean(self) -> float:
        return float(self.log_probs.mean(dtype=np.float64))


def rivals(run: Run) -> tuple[Outline, ...]:
    """Every checkpoint that can search, of the same languages or opened by its path, whose files
    seldom say theirs; the oldest paper first."""
    own, asked = run.card.languages, {run.choices.checkpoint, *opened()}
    found = filter(None, outlines().values())
    able = (each for each in found if each.capabilities >= NEEDED)
    fitting = (each for each in able if each.languages == own or each.name in asked)
    return tuple(sorted(fitting, key=lambda each: (each.year or 9999, each.name)))


def titles_of(outlines: Sequence[Outline]) -> dict[str, str]:
    """By the name of its folder what each is called; with that name where two are called alike."""
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
    """The systems of the lineage that lie on the shelf, whatever is open and reads."""
    found = (each for each in outlines().values() if each is not None and each.of_lineage)
    return tuple(
        each for each in found if each.capabilities >= NEEDED and "scene" not in each.capabilities
    )


def tell_others(run: Run) -> None:
    """Where none of the lineage can be shown beside the open one: why, or how to train one."""
    if any(each.of_lineage for each in rivals(run)):
        return
    if installed := installed_systems():
        names = plain(" · ".join(titles_of(installed).values()))
        note("lineage-other-languages", "translate", systems=names)
    else:
        note("lineage-not-installed", "terminal")
        command_line(COMMAND)


def first_systems(found: Sequence[Outline], opened: str) -> tuple[str, ...]:
    """With which the page begins: the open one, and of each other kind the oldest of the lineage.

    The kinds are one vector, attention over the states of a recurrent network, and attention alone.
    """
    kinds: dict[tuple[bool, bool], str] = {}
    for each in sorted(found, key=lambda each: each.name != opened):
        if each.of_lineage or each.name == opened:
            kind = "scores" in each.capabilities, "positions" in each.capabilities
            kinds.setdefault(kind, each.name)
    return tuple(each.name for each in found if each.name in kinds.values())


def heard_by(system: System, run: Run, target: str, *, left_out: bool) -> Heard | ModelError:
    """A system on the sentence on screen, or why it cannot take that or the target.

    The `target` is its own translation where it is empty. With `left_out` each token of the source
    is left out in turn, as is done without attention.
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
        # As the search left it: the text alone may be cut into other pieces.
        record, log_probs = ask(reader, Translator.read_again, translation.src, found.tgt)
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
    """The finding of curves: the ends of the one that falls most, and of that which falls least.

    `lines` has the columns system and `value`, in the order of each curve.
    """
    ends = lines.groupby("system", sort=False)[value].agg(["first", "last"])
    change, told = ends["last"] - ends["first"], {}
    for who, name in (("most", change.idxmin()), ("least", change.idxmax())):
        first, last = (fixed(end, digits) for end in ends.loc[name])
        told |= {who: plain(name, 120), f"{who}_from": first, f"{who}_to": last}
    finding(say(id, n=len(ends), **told, **values))

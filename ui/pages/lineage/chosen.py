"""Systems to compare, and the result of each for a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from core.card import Outline
from core.records.attention import AttentionRecord
from core.records.runs import Translation
from model import ModelError, Reader, Translator
from model.experiments.explain import drops_without
from model.experiments.step import window_centres
from ui.frame.admission import give_way
from ui.frame.checkpoints import opened, outlines
from ui.frame.choices import FOLDERS
from ui.frame.messages import called, current_words, plain, say, system_name
from ui.frame.model_cache import ask
from ui.frame.run import Run
from ui.frame.state import get_translator, translated
from ui.kit.checkpoint_labels import checkpoint_label
from ui.kit.controls import several
from ui.kit.layout import command_line, finding, note, settings
from words import Message

MOST_LEFT_OUT = 3600  # cells of source by target; each source token costs a pass
CHOSEN = "lineage_systems"
NEEDED = frozenset({"search", "teacher-forcing"})
COMMAND = "python -m training --config training/configs/lineage.json --variant bahdanau"


@dataclass(frozen=True)
class ChosenSystem:
    """A system in the comparison."""

    outline: Outline
    title: str  # unique on a page
    reader: Reader | ModelError  # or the reason why it cannot be loaded

    @property
    def id(self) -> str:
        """Name of the system for its colour; a model outside the lineage has its family's."""
        return self.outline.name if self.outline.of_lineage else self.outline.architecture


@dataclass(frozen=True, eq=False)
class SystemResult:
    """Output of a system for a sentence, and its reading of a target."""

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
    languages = run.card.languages
    opened_by_path = {run.choices.checkpoint, *opened()}
    fitting = [
        outline
        for outline in filter(None, outlines().values())
        if outline.capabilities >= NEEDED
        and (outline.languages == languages or outline.name in opened_by_path)
    ]
    return tuple(sorted(fitting, key=lambda outline: (outline.year or 9999, outline.name)))


def titles_of(outlines: Sequence[Outline]) -> dict[str, str]:
    """Return titles by folder name; with that name if two would be equal."""
    language = current_words().language
    titles = {
        outline.name: system_name(outline.name, outline.title_in(language))
        if outline.of_lineage
        else called(
            f"lineage-family-{outline.architecture}", checkpoint_label(outline.name, outline)
        )
        for outline in outlines
    }
    often = Counter(titles.values())
    return {
        name: say("lineage-named", title=title, name=Path(name).name) if often[title] > 1 else title
        for name, title in titles.items()
    }


def chosen_systems(run: Run) -> tuple[ChosenSystem, ...]:
    comparable = {outline.name: outline for outline in rivals(run)}
    titles = titles_of(tuple(comparable.values()))
    with settings():
        chosen = several(
            CHOSEN,
            list(comparable),
            first_systems(tuple(comparable.values()), run.choices.checkpoint),
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
        systems.append(ChosenSystem(comparable[name], titles[name], reader))
    return tuple(systems)


def installed_systems() -> tuple[Outline, ...]:
    """Return the installed systems of the lineage, whatever languages they read."""
    return tuple(
        outline
        for outline in filter(None, outlines().values())
        if outline.of_lineage
        and outline.capabilities >= NEEDED
        and "scene" not in outline.capabilities
    )


def tell_others(run: Run) -> None:
    """Explain that no lineage system can be compared with the open one, or how to train one."""
    if any(outline.of_lineage for outline in rivals(run)):
        return
    if installed := installed_systems():
        names = plain(" · ".join(titles_of(installed).values()))
        note("lineage-other-languages", "translate", systems=names)
    else:
        note("lineage-not-installed", "terminal")
        command_line(COMMAND)


def first_systems(comparable: Sequence[Outline], opened: str) -> tuple[str, ...]:
    """Return the initial selection: the open system, and the oldest of each other kind.

    The kinds are: one vector, attention over recurrent states, and attention alone.
    """
    representatives: dict[tuple[bool, bool], str] = {}
    # False sorts first: the open system represents its kind.
    for outline in sorted(comparable, key=lambda outline: outline.name != opened):
        if outline.of_lineage or outline.name == opened:
            capabilities = outline.capabilities
            system_type = ("scores" in capabilities, "positions" in capabilities)
            representatives.setdefault(system_type, outline.name)
    return tuple(outline.name for outline in comparable if outline.name in representatives.values())


def result_of(
    system: ChosenSystem, run: Run, target: str, *, left_out: bool
) -> SystemResult | ModelError:
    """Return the result of a system for the sentence, or the error that explains its absence.

    An empty `target` means its own translation. With `left_out`, and always for a system without
    cross-attention, each source token is left out in turn.
    """
    give_way()
    if isinstance(system.reader, ModelError):
        return system.reader
    try:
        return _compute_result(system.reader, system.outline.name, run, target, left_out)
    except ModelError as error:
        return error


def _compute_result(
    reader: Reader, name: str, run: Run, target: str, left_out: bool
) -> SystemResult:
    translation = run.translation
    if reader is not run.translator:
        translation = translated(replace(run.choices, checkpoint=name), reader).translation
    record, log_probs = _read_target(reader, translation, run, target)
    drops = None
    has_cross = any(site.key == "source" and site.query == "target" for site in reader.sites)
    if left_out or not has_cross:
        drops = _drops(reader, record)
    centres = None
    if any(site.window for site in record.sites) and "values" in reader.capabilities:
        centres = ask(reader, window_centres, record.src, record.tgt)
    return SystemResult(translation, record, log_probs, drops, centres)


def _read_target(
    reader: Reader, translation: Translation, run: Run, target: str
) -> tuple[AttentionRecord, np.ndarray]:
    """Return attention and log p of the target in a system, by default of its own translation."""
    on_screen = run.translation
    is_output = target == on_screen.text.strip()
    if not target or (is_output and reader is run.translator):
        return translation.attention, translation.log_probs
    if is_output and reader.spells(on_screen.tgt):
        # The tokens of the search: its text alone may be split into others.
        return ask(reader, Translator.teacher_force, translation.src, on_screen.tgt)
    return ask(reader, Translator.read_pair, translation.src.text, target)


def _drops(reader: Reader, record: AttentionRecord) -> np.ndarray | Message:
    """Return the drop in log p without each source token, or the reason why it is unknown."""
    if len(record.src) * len(record.tgt) > MOST_LEFT_OUT:
        return too_long(record)
    try:
        return ask(reader, drops_without, record.src, record.tgt)
    except ModelError as error:
        return error.message


def too_long(record: AttentionRecord) -> Message:
    return Message.of("lineage-too-long", source=len(record.src), n=len(record.tgt))


def tell_ends(
    id: str, lines: pd.DataFrame, value: str, form: Callable[[float], str], **values: Any
) -> None:
    """Draw the finding of curves: ends of the one that falls most and of the one that falls least.

    `lines` has the columns system and `value`, in the order of each curve; `form` writes a value.
    """
    ends = lines.groupby("system", sort=False)[value].agg(["first", "last"])
    change = ends["last"] - ends["first"]
    most = change.idxmin()
    least = change.idxmax()
    sentence = say(
        id,
        # A loss is compared with those of others; a gain is not the largest loss.
        n=len(ends) if change[most] < 0 else 1,
        falls="yes" if change[most] < 0 else "no",
        most=plain(most, 120),
        most_from=form(ends.at[most, "first"]),
        most_to=form(ends.at[most, "last"]),
        least=plain(least, 120),
        least_from=form(ends.at[least, "first"]),
        least_to=form(ends.at[least, "last"]),
        **values,
    )
    finding(sentence)

"""Which systems are held against each other, and what each makes of a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from model import ModelError, Reader
from model.checkpoint import outline_of
from records import AttentionRecord, Outline, TokenSequence, Translation
from ui import address
from ui.blocks import command_line
from ui.shared import cached
from ui.state import Run, available_checkpoints, get_translator, outlines, translated
from ui.waiting import give_way, interrupted
from ui.words import current_words, plain, say, system_name
from words import Message

KEY = "lineage_systems"
MOST_AT_FIRST = 8
MOST_LEFT_OUT = 3600  # cells of source by target
NEEDED = frozenset({"search", "teacher-forcing"})
COMMAND = "python -m training --config training/configs/lineage.json --variant bahdanau"


@dataclass(frozen=True)
class System:
    """One of the systems that are held against each other.

    Attributes
    ----------
    title : for people; no two systems on a page have the same.
    reader : the loaded checkpoint; None where it cannot be loaded.
    problem : why not.
    """

    outline: Outline
    title: str
    reader: Reader | None = None
    problem: ModelError | None = None

    def said(self) -> str:
        """The title as Markdown."""
        return plain(self.title, 120)


@dataclass(frozen=True, eq=False)
class Heard:
    """What a system makes of one pair of sentences.

    Attributes
    ----------
    translation : its own.
    record, log_probs : of the target that it was made to read.
    drops : float32 (T_tgt, T_src), how far log p falls where a token is left out; None where that
        was not asked for, or cannot be worked out.
    problem : why not.
    centres : float32 (T_tgt,), the middle of the window of each row; None without a window.
    """

    translation: Translation
    record: AttentionRecord
    log_probs: np.ndarray
    drops: np.ndarray | None = None
    centres: np.ndarray | None = None
    problem: Message | None = None

    @property
    def total(self) -> float:
        """log P of the target."""
        return float(self.log_probs.sum(dtype=np.float64))


def rivals(run: Run) -> tuple[Outline, ...]:
    """Every installed checkpoint of the same languages that can search, the oldest paper first."""
    own = run.translator.card
    found = filter(None, map(outline_of, available_checkpoints()))
    fitting = [
        each
        for each in found
        if each.capabilities >= NEEDED
        and (each.languages == own.languages or each.name == run.choices.checkpoint)
    ]
    return tuple(sorted(fitting, key=lambda each: (each.year or 9999, each.name)))


def titles_of(outlines: Sequence[Outline]) -> dict[str, str]:
    """By the name of its folder what each is called; with that name where two are called alike."""
    language = current_words().language
    titles = {each.name: system_name(each.name, each.told(language)) for each in outlines}
    often = Counter(titles.values())
    return {
        name: say("lineage-named", title=title, name=name) if often[title] > 1 else title
        for name, title in titles.items()
    }


def chosen_systems(run: Run) -> tuple[System, ...]:
    """The menu of systems, and those that are chosen, loaded."""
    found = {each.name: each for each in rivals(run)}
    titles = titles_of(tuple(found.values()))
    first = first_systems(tuple(found.values()), run.choices.checkpoint)
    if KEY not in st.session_state or address.by_history():
        st.session_state[KEY] = list(address.read(KEY) or first)
    st.session_state[KEY] = [name for name in st.session_state[KEY] if name in found]
    chosen = st.multiselect(
        say("lineage-systems"),
        list(found),
        key=KEY,
        format_func=lambda name: titles.get(name, name),
        placeholder=say("lineage-systems-none"),
        help=say("lineage-systems-help"),
        persist_state="session",
    )
    in_order = [name for name in found if name in chosen]
    address.drawn(KEY)
    address.write(KEY, None if in_order == list(first) else tuple(in_order))
    if not any(each.of_lineage for each in found.values()):
        _say_where_the_others_are(installed_systems())
    return tuple(_loaded(run, found[name], titles[name]) for name in in_order)


def installed_systems() -> tuple[Outline, ...]:
    """The systems of the lineage that lie on the shelf, whatever is open and reads."""
    found = (each for each in outlines().values() if each is not None and each.of_lineage)
    return tuple(
        each for each in found if each.capabilities >= NEEDED and "scene" not in each.capabilities
    )


def _say_where_the_others_are(installed: Sequence[Outline]) -> None:
    """Beside the open checkpoint none of the lineage can be shown: why, or how to train one."""
    if installed:
        names = plain(" · ".join(titles_of(installed).values()))
        st.info(say("lineage-other-languages", systems=names), icon=":material/translate:")
        return
    st.info(say("lineage-not-installed"), icon=":material/terminal:")
    command_line(COMMAND)


def first_systems(found: Sequence[Outline], opened: str) -> tuple[str, ...]:
    """Those of the lineage, and the open one, with which the page begins; in their order."""
    lineage = [each.name for each in found if each.of_lineage and each.name != opened]
    kept = {opened, *lineage[: MOST_AT_FIRST - 1]}
    return tuple(each.name for each in found if each.name in kept)


def _loaded(run: Run, outline: Outline, title: str) -> System:
    give_way()
    if outline.name == run.choices.checkpoint:
        return System(outline, title, run.translator)
    try:
        return System(outline, title, get_translator(outline.name))
    except ModelError as error:
        return System(outline, title, problem=error)


def translation_by(system: System, run: Run) -> Translation:
    """What a system writes for the sentence on screen, by the search of the page.

    Raises
    ------
    InputError : it cannot take the sentence.
    """
    if system.reader is run.translator:
        return run.translation
    choices = replace(run.choices, checkpoint=system.outline.name)
    return translated(choices, system.reader).translation


def heard_by(system: System, run: Run, target: str, *, left_out: bool) -> Heard:
    """A system on the sentence on screen.

    Parameters
    ----------
    target : what it is made to read; its own translation where this is empty.
    left_out : also leave out each token of the source in turn.

    Raises
    ------
    InputError : it cannot take the sentence or the target.
    """
    give_way()
    translation = translation_by(system, run)
    found = run.translation
    if not target or (system.reader is run.translator and target == found.text.strip()):
        record, log_probs = translation.attention, translation.log_probs
    elif target == found.text.strip() and system.reader.spells(found.tgt):
        # As the search left it: the text alone may be cut into other pieces.
        record, log_probs = _read_ids(system.reader, translation.src, found.tgt)
    else:
        record, log_probs = _read(system.reader, translation.src.text, target)
    pair = system.reader, record.src, record.tgt
    drops, problem = _left_out(*pair) if left_out else (None, None)
    windows = any(site.window for site in record.sites) and "values" in system.reader.capabilities
    return Heard(
        translation,
        record,
        log_probs,
        drops=drops,
        centres=_centres(*pair) if windows else None,
        problem=problem,
    )


def _left_out(
    reader: Reader, src: TokenSequence, tgt: TokenSequence
) -> tuple[np.ndarray | None, Message | None]:
    """The drops, or why there are none."""
    if len(src) * len(tgt) > MOST_LEFT_OUT:
        return None, Message.of("lineage-too-long", source=len(src), n=len(tgt))
    try:
        return _drops(reader, src, tgt), None
    except ModelError as error:
        return None, error.message


@cached("card.fingerprint", max_entries=256)
def _read(reader: Reader, text: str, target: str) -> tuple[AttentionRecord, np.ndarray]:
    interrupted()  # what takes longer than a turn goes on among the long ones
    return reader.read_pair(text, target)


@cached("card.fingerprint", max_entries=256)
def _read_ids(
    reader: Reader, src: TokenSequence, tgt: TokenSequence
) -> tuple[AttentionRecord, np.ndarray]:
    interrupted()
    return reader.read_again(src, tgt)


@cached("card.fingerprint", max_entries=256)
def _drops(reader: Reader, src: TokenSequence, tgt: TokenSequence) -> np.ndarray:
    interrupted()
    return reader.drops_without(src, tgt)


@cached("card.fingerprint", max_entries=256)
def _centres(reader: Reader, src: TokenSequence, tgt: TokenSequence) -> np.ndarray:
    return reader.window_centres(src, tgt)

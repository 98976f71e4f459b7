"""What the pages share: loaded models, computed translations, the last view that worked."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import compress
from pathlib import Path
from stat import S_ISREG
from typing import Any, TypeVar

import streamlit as st

from core.attention import AttentionRecord
from core.card import CheckpointCard, Outline
from core.intervention import Intervention
from core.runs import Reading, Translation
from core.search import Decoding
from core.sources import Source
from core.text_language import other_language
from core.tokens import TokenSequence
from model import CheckpointError, ModelError, Reader, Translator, list_checkpoints, load_reader
from model.checkpoint import CARD, CONFIG, checkpoint_path, outline_of
from model.recording import Recording
from viz.look import Look, use_look
from viz.theme import css_colours
from words import Spoken
from words.packs import Example, Pack, examples_in, first_pack, pack_of

from .kit.layout import caption
from .shared import ask, cached
from .waiting import once_a_turn
from .words import as_sentence, current_words, plain, say, words_chosen

R = TypeVar("R")
SHOWN = "reader_shown"
"""In the session: the model that a page brings, where it is not that of the run."""
READS = "frame_reads"
"""In the session: whether the view that the frame was drawn for reads the sentence."""
OPENED = "opened_models"
"""In the session: what each model says of itself that was opened by its path, by that path."""
MOST_SPECIMENS = 4
RECORDING = "recording"
"""Where a checkpoint is named: what the reader recorded, which the session holds by this name."""
DRESSED = "x-attention-lab-dressed"
"""The header of a session whose page was sent with its look."""


UNCHANGED = Intervention()
NOTHING_RECORDED = Recording("", "", AttentionRecord(TokenSequence("", (), (), ()), None, ()))


@dataclass(frozen=True)
class Choices:
    """What the person asked for in the frame around the pages."""

    checkpoint: str
    text: str
    decoding: Decoding


@dataclass(frozen=True)
class Run:
    """What a page shows: the choices that worked and what came of them."""

    choices: Choices
    translator: Reader  # a `Translator` where it writes a text
    translation: Translation | Reading  # a `Reading` where it writes nothing
    change: Intervention = UNCHANGED  # under which it was computed

    @property
    def card(self) -> CheckpointCard:
        return self.translator.card

    @property
    def src(self) -> Source:
        return self.translation.src

    @property
    def tgt(self) -> TokenSequence | None:
        """What was written; None where the model writes nothing."""
        return self.translation.tgt

    @property
    def record(self) -> AttentionRecord:
        """The attention of the run."""
        return self.translation.attention

    @property
    def capabilities(self) -> frozenset[str]:
        """What can be done with the model, by the names that families declare."""
        return self.translator.capabilities

    @property
    def pack(self) -> Pack:
        """What is known about the two languages."""
        return pack_of(self.card.languages)

    def spoken(self, side: str, text: str) -> Spoken:
        """A text of the "source" or the "target", with the language in which it is read aloud."""
        source, target = (*self.card.languages, "", "")[:2]
        return Spoken(text, target if side == "target" else source)

    @property
    def example(self) -> Example | None:
        """What is known about the sentence, if it is one of the examples."""
        return self.pack.example_of(self.src.text)

    @property
    def source_identity(self) -> tuple:
        """Changes when the model or the source changes, whatever the search."""
        return self.card.fingerprint, self.src.ids

    @property
    def identity(self) -> tuple:
        """Changes when the pieces on either side change, or what was changed, and only then."""
        return *self.source_identity, self.tgt.ids if self.tgt else (), *self.change

    def ask(self, question: Callable[..., R], *args: Any, **named: Any) -> R:
        """What the model answers to an experiment or one of its methods (see `shared.ask`)."""
        return ask(self.translator, question, *args, **named)

    def ask_pair(self, question: Callable[..., R], *args: Any, **named: Any) -> R:
        """The same of what was read and written."""
        return self.ask(question, self.src, self.tgt, *args, **named)


def page_style() -> str:
    """How all pages look, and the first one while it comes, as elements of HTML."""
    css, coming = (
        Path(__file__).with_name(f"{name}.css").read_text(encoding="utf-8")
        for name in ("style", "coming")
    )
    return f'<style>{css_colours()}{css}</style><style id="coming">{coming}</style>'


def style_page() -> None:
    """Send the look with this drawing, unless the page came with it."""
    if DRESSED not in st.context.headers:
        st.html(page_style())


def look_as_page() -> None:
    """Draw the figures of this run for the page: light or dark, and in its language."""
    use_look(Look(st.context.theme.type == "dark", words_chosen()))


def opened() -> dict[str, Outline]:
    """The models that were opened by their paths in this session."""
    return st.session_state.get(OPENED, {})


def outlines() -> dict[str, Outline | None]:
    """What each model to choose from says of itself, None where it cannot be read; "en-de" when
    there is none, so that loading it says what is wrong."""
    return _installed() | opened()


@once_a_turn
def _installed() -> dict[str, Outline | None]:
    found: dict[str, Outline | None] = {}
    for name in list_checkpoints() or ["en-de"]:
        try:
            folder = checkpoint_path(name)
        except CheckpointError:
            found[name] = None
        else:
            told = stamp_of(folder / file for file in (CONFIG, CARD))
            # A folder of this name is told from what the session holds by the name.
            id = f"./{name}" if name == RECORDING else name
            found[id] = _outline(Folder(str(folder), told))
    return found


@lru_cache(maxsize=256)
def _outline(folder: Folder) -> Outline | None:
    return outline_of(folder.path)


def by_preference(found: Mapping[str, Outline | None] | None = None) -> tuple[str, ...]:
    """Return the names of `outlines`, those first that search and read the page's language."""
    outlined = outlines() if found is None else found
    language = current_words().language

    def is_other(name: str) -> bool:
        known = outlined[name]
        return known is None or not known.searches or known.languages[:1] != (language,)

    return tuple(sorted(outlined, key=is_other))


def reads(reader: Reader, text: str) -> bool | None:
    """Whether a text is in the language that a model reads, as far as that was measured.

    Where it was not, most of its pieces must be known. None where the text is no source of the
    model's kind at all.
    """
    try:
        src = reader.tokenize(text)
    except ModelError:
        return None
    check = reader.card.language_check
    if not isinstance(src, TokenSequence):
        return True
    if check is not None:
        return other_language(check, text) is None
    return 2 * sum(src.unknown) <= len(src) - sum(src.special)


def reader_of(text: str) -> str | None:
    """A checkpoint that was measured to read the language of a text: the first of each language
    is asked."""
    found, first = outlines(), {}
    for name in by_preference(found):
        outline = found[name]
        if outline is not None and outline.searches:
            first.setdefault(outline.languages[:1], name)
    for name in first.values():
        try:
            reader = get_translator(name)
        except ModelError:
            continue
        if reader.card.language_check is not None and reads(reader, text):
            return name
    return None


def get_translator(checkpoint: str) -> Reader:
    """The loaded checkpoint, read anew when its files change; or the session's recording."""
    if checkpoint == RECORDING:
        return st.session_state.get(RECORDING) or NOTHING_RECORDED
    return _installed_as(checkpoint)


@once_a_turn
def _installed_as(checkpoint: str) -> Reader:
    folder = checkpoint_path(checkpoint).absolute()
    files = sorted(folder.iterdir()) if folder.is_dir() else [folder]
    at = "" if checkpoint == folder.name else checkpoint
    return _load(Folder(str(folder), stamp_of(files), at))


def stamp_of(files: Iterable[Path]) -> str:
    """What tells files from others and from what they were; of those that are there."""
    found = []
    for file in files:
        with suppress(OSError):
            facts = file.stat()
            if S_ISREG(facts.st_mode):
                found.append(f"{file.name}/{facts.st_size}/{facts.st_mtime_ns}")
    return "\n".join(found)


@dataclass(frozen=True)
class Folder:
    """A checkpoint's folder and the stamp of its files."""

    path: str
    stamp: str
    at: str = ""  # the same path, where it was opened by that


@cached("path", "stamp", "at", spinner="loading")
def _load(folder: Folder) -> Reader:
    gc.collect()  # a model that left the shelf refers to itself, and would lie about for long
    reader = load_reader(folder.path)
    if folder.at:
        reader.card = replace(reader.card, at=folder.at)
    return reader


def open_checkpoint(name: str) -> None:
    """Open another checkpoint (for callbacks)."""
    st.session_state["checkpoint"] = name


def sentences_for(checkpoint: str) -> tuple[str, tuple[Example, ...]]:
    """The language a checkpoint reads, and texts to begin with; never none of them.

    Those of its pair of languages, its own, those of another pair that reads the same language, or
    words of its vocabulary; of the first pair where it cannot be read. A model that was converted
    opens with none that is too long for it, or of which it knows less than half.
    """
    try:
        reader = get_translator(checkpoint)
    except ModelError:
        return first_pack().languages[0], first_pack().examples
    language, own = reader.card.languages[0], reader.card.examples
    examples = pack_of(reader.card.languages).examples
    if reader.writes and "source" in reader.tokenizers:
        of_others, converted = not examples and not own, bool(reader.card.format)
        if of_others:  # what the sentence shows of a translation is of the other pair
            examples = tuple(replace(example, writes="") for example in examples_in(language))
        if of_others or converted:
            fits = (len(reader.tokenize(each.text)) <= reader.max_source_len for each in examples)
            examples = tuple(compress(examples, fits))
        if converted:  # such sentences, and "A.", may be unknown to it
            examples = tuple(each for each in examples if reads(reader, each.text))
            own = own or reader.tokenizers["source"].specimens(MOST_SPECIMENS)
    return language, examples or tuple(Example("own", text) for text in own or (reader.example,))


def translated(choices: Choices, translator: Reader, change: Intervention = UNCHANGED) -> Run:
    """What comes of these choices with a model that is loaded already; InterventionError where it
    cannot be changed so."""
    if isinstance(translator, Recording):  # nobody else's
        return Run(choices, translator, translator.read(choices.text))
    if not translator.writes:
        return Run(choices, translator, ask(translator, Reader.read, choices.text))
    changed = {"intervention": change} if change else {}
    read = ask(translator, Translator.translate, choices.text, choices.decoding, **changed)
    return Run(choices, translator, read, change)


def _compute(choices: Choices) -> Run:
    return translated(choices, get_translator(choices.checkpoint))


def current_run(choices: Choices) -> Run | None:
    """Run what was asked for; when that fails, say why and return the last that worked.

    None when nothing can be shown at all.
    """
    if choices.checkpoint == RECORDING and RECORDING not in st.session_state:
        return None
    try:
        run = _compute(choices)
    except ModelError as error:
        problem = error
    else:
        st.session_state["last_run"] = choices
        return run
    show_problem(problem)
    default = replace(choices, text=sentences_for(choices.checkpoint)[1][0].text)
    last = st.session_state.get("last_run")
    # Who asks for another model sees that one, with a text that it can read.
    changed = last is not None and last.checkpoint != choices.checkpoint
    for earlier in (default, last) if changed else (last, default):
        if earlier is None or earlier == choices:
            continue
        try:
            run = _compute(earlier)
        except ModelError:
            continue
        text, checkpoint = plain(earlier.text, 120), plain(earlier.checkpoint)
        caption("still-showing", text=text, checkpoint=checkpoint)
        return run
    return None


@contextmanager
def telling(instead: str = "") -> Iterator[None]:
    """Around what a model may refuse: why, and what stands `instead`, is told, and the page goes
    on."""
    try:
        yield
    except ModelError as error:
        show_problem(error)
        if instead:
            caption(instead)


def show_problem(error: ModelError) -> None:
    """What went wrong and what to try, in plain words."""
    message = plain(as_sentence(say(error.message)), 1200)
    hint = f"  \n{plain(say(error.hint))}" if error.hint else ""
    if isinstance(error, CheckpointError) and len(list_checkpoints()) > 1:
        hint += f"  \n{say('other-checkpoints')}"
    st.error(message + hint, icon=":material/error:")

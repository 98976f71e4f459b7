"""Scene of the documents page: the model, the document, and the removed parts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import streamlit as st

from core.documents import LEAVING_OUT, WEIGHING, DocumentChange, Judgement
from core.records.attention import Measure
from core.records.sources import DocumentSource
from model import DocumentReader, ModelError
from ui.components import browser_sent
from ui.components.document import DecisiveWords, TakenOut, read_removal
from ui.frame.choices import LONG, AddressForm, choose, kept
from ui.frame.messages import named, plain, say
from ui.frame.model_cache import ask
from ui.frame.problems import show_problem, telling
from ui.frame.run import Run
from ui.frame.state import get_translator
from ui.kit.checkpoint_labels import installed_with
from ui.kit.controls import button, choice, menu, next_seed, text_box
from ui.kit.layout import caption, command_line, controls, note, settings, warning
from ui.kit.norm import in_measure, measure_choice
from ui.shell.view import View
from viz.theme import palette_of

EXAMPLES = Path(__file__).with_name("examples.json")
COMMANDS = (
    "python -m training --config training/configs/documents.json --variant han --data DIR",
    "python -m training export --run runs/documents-han --checkpoint checkpoints/documents-han",
)
BEST = "documents-han"
TEXT = "document_text"
COMPONENT = "document_shown"
LEFT = "document_left"
ANSWERED = "document_answered"
MOST_IN_ADDRESS = 1500  # characters; a longer text stays out of the address
MOST_SEED = 999
# Share of unknown words above which the reader is warned.
LITTLE_KNOWN = 0.5
LEVELS = ("sentences", "words")
CHANGING = "read"
"""View in which parts of the document are removed."""
TESTS = ("importance", "adversarial")
"""Tests of the explanation view; the second one compares weights only."""


@dataclass(frozen=True)
class ExampleDocument:
    """A document to begin with.

    Of a generated one, its class and the sentence and words that decide it are known.
    """

    id: str
    sentences: tuple[str, ...]
    label: str = ""
    deciding: int = -1
    words: tuple[tuple[int, int], ...] = ()

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


@cache
def examples() -> dict[str, ExampleDocument]:
    rows = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    return {
        row["id"]: ExampleDocument(
            id=row["id"],
            sentences=tuple(row["sentences"]),
            label=row.get("label", ""),
            deciding=row.get("deciding", -1),
            words=tuple(map(tuple, row.get("words", ()))),
        )
        for row in rows
    }


@dataclass(frozen=True)
class DocumentScene:
    """A document with its judgement, before and after a change."""

    reader: DocumentReader
    src: DocumentSource
    plain: Judgement  # of the unchanged document
    judged: Judgement  # after the change
    taken: TakenOut
    truth: DecisiveWords | None  # what decides the document, if known
    label: str  # id of its class, if known
    level: str  # one of `LEVELS`
    test: str  # one of `TESTS`
    measure: Measure = "weight"  # quantity in `plain` and `judged`
    error: float | None = None  # of the vectors' sum, if norms are drawn


def identity_of(reader: DocumentReader, src: DocumentSource) -> str:
    """Return an id of a document as `reader` splits it."""
    return f"{reader.card.fingerprint} {hash((src.text, src.ids))}"


def colours(reader: DocumentReader) -> tuple[str, str]:
    """Return the colours of sentence and word weights."""
    words = next(site for site in reader.sites if site.name == "words")
    return palette_of("sentences").ramp[1], palette_of(words).ramp[1]


def class_name(id: str) -> str:
    return named(f"documents-class-{id}", id)


# -- what is asked ---------------------------------------------------------------------------


def make_scene(run: Run, view: View) -> DocumentScene | Run | None:
    """Draw the choices and return the scene; None if no document can be judged.

    A view that reads nothing gets the run.
    """
    if not view.reads:
        return run
    installed = installed_with("documents", (run.choices.checkpoint, BEST))
    if not installed:
        _tell_training()
        return None
    return _document_scene(view, installed)


def _document_scene(view: View, installed: Mapping[str, str]) -> DocumentScene | None:
    """Draw the choices of a view that reads a document by one of the `installed` models."""
    changing = view.id == CHANGING
    with controls():
        example, text = _text_popover()
        test = TESTS[0] if changing else menu("document_test", TESTS, width=215)
        level = LEVELS[0] if changing else menu("document_level", LEVELS, width=120)
    change = DocumentChange()
    with settings():
        name = choice("document_model", tuple(installed), style="select", text=installed.get)
        if changing:
            change = _weight_change()
    reader = get_translator(name)
    measure = "weight"
    assert isinstance(reader, DocumentReader)
    if test == TESTS[0]:
        # The measure stands above the text where nothing else needs the room.
        measure = measure_choice(reader, controls if changing else settings, title=not changing)
    src = _document(reader, text)
    if src is None:
        return None
    taken = taken_from(src) if changing else TakenOut()
    change = replace(change, sentences=taken.sentences, words=taken.words)
    before, after, error = _before_and_after(reader, src, change, measure)
    # Class and deciding words are known for the example only, not for an edited text.
    edited = example.text != src.text
    return DocumentScene(
        reader=reader,
        src=src,
        plain=before,
        judged=after,
        taken=taken,
        truth=None if edited else _truth(src, example),
        label="" if edited else example.label,
        level=level,
        test=test,
        measure=measure,
        error=error,
    )


def _tell_training() -> None:
    """Explain how to train a model of documents, if none is installed."""
    note("documents-none", "terminal")
    for line in COMMANDS:
        command_line(line)


def _text_popover() -> tuple[ExampleDocument, str]:
    """Draw the popover of the document; return the chosen example and the text in the box."""
    with st.popover(say("documents-review"), icon=":material/edit:"):
        documents = examples()
        id = choice("document", tuple(documents), style="select", on_change=_take_example)
        example = documents[id]
        # A long text stays in the session only; None keeps it out of the address.
        short = AddressForm(
            LONG.read, lambda text: text if len(text) <= MOST_IN_ADDRESS else None, LONG.most
        )
        return example, text_box(TEXT, example.text, form=short, height=200, width=480)


def _weight_change() -> DocumentChange:
    """Draw the controls of weights and removal, and return the change without removed parts."""
    weights = choice("document_weights", WEIGHING)
    seed = 0
    if weights == "shuffled":
        seed = st.session_state.setdefault("document_order", 0)
        button("document_another", next_seed, "document_order", MOST_SEED, icon="shuffle")
    removing = choice("document_how", LEAVING_OUT)
    return DocumentChange(
        removal=removing, word_weights=weights, sentence_weights=weights, seed=seed
    )


def _before_and_after(
    reader: DocumentReader, src: DocumentSource, change: DocumentChange, measure: Measure
) -> tuple[Judgement, Judgement, float | None]:
    """Return the judgement without and with the change, and the error of the vectors' sum."""
    before, error = _judged(reader, src, DocumentChange(), measure)
    after = before
    if change.sentences or change.words or change.changes_weights:
        with telling():  # a change that removes everything is refused
            after, error = _judged(reader, src, change, measure)
    return before, after, error


def _judged(
    reader: DocumentReader, src: DocumentSource, change: DocumentChange, measure: Measure
) -> tuple[Judgement, float | None]:
    judged = ask(reader, DocumentReader.judge, src, change)
    record, error = in_measure(reader, judged.attention, measure, change)
    return judged if error is None else judged.showing(record), error


def _take_example() -> None:
    st.session_state[TEXT] = examples()[st.session_state["document"]].text


def _document(reader: DocumentReader, text: str) -> DocumentSource | None:
    state = st.session_state
    try:
        src = reader.document(text)
    except ModelError as error:
        show_problem(error)
        # The last text that worked stays on screen.
        if (earlier := state.get("document_worked")) is None:
            return None
        try:
            src = reader.document(earlier)
        except ModelError:
            return None
        caption("documents-still", text=plain(earlier, 120))
        return src
    state["document_worked"] = text
    unknown = [is_unknown for sentence in src.sentences for is_unknown in sentence.unknown]
    n = sum(unknown)
    of = len(unknown)
    if n > LITTLE_KNOWN * of:
        warning("documents-unknown", "translate", n=n, of=of, share=n / of)
    elif len(src) < 4:
        note("documents-short", "short_text")
    return src


def _truth(src: DocumentSource, example: ExampleDocument) -> DecisiveWords | None:
    # A model that splits other sentences cannot be matched to the example.
    if example.deciding < 0 or len(src.sentences) != len(example.sentences):
        return None
    sentence = src.sentences[example.deciding]
    words = {position for span in example.words for position in sentence.pieces_at(*span)}
    return DecisiveWords(example.deciding, tuple(sorted(words)))


# -- what is changed -------------------------------------------------------------------------


def taken_from(src: DocumentSource) -> TakenOut:
    """Return the removed parts of this document from session and address."""

    def fits(taken: TakenOut) -> bool:  # another model may split the same text differently
        rows = range(len(src.sentences))
        words = ((row, word) for row, word in taken.words if row in rows)
        inside = [word in range(len(src.sentences[row])) for row, word in words]
        return taken.sentences <= set(rows) and sum(inside) == len(taken.words)

    return kept(LEFT, AddressForm(spelt_out, spelt, LONG.most), TakenOut(), of=src.text, sound=fits)


def take_answer(reader: DocumentReader, src: DocumentSource) -> None:
    value = browser_sent(COMPONENT, "taken")
    answer = read_removal(value, identity_of(reader, src), list(map(len, src.sentences)))
    if answer is not None:
        choose({LEFT: answer.taken, ANSWERED: answer.number})


def put_back() -> None:
    # A new number makes the component drop its own state.
    choose({LEFT: TakenOut(), ANSWERED: st.session_state.get(ANSWERED, 0) + 1})


def spelt(taken: TakenOut) -> str:
    """Return the address value, counted from 1: "3,5:2" is sentence 3, and word 2 of sentence 5."""
    parts = [str(sentence + 1) for sentence in sorted(taken.sentences)]
    parts += [f"{sentence + 1}:{word + 1}" for sentence, word in sorted(taken.words)]
    return ",".join(parts)


def spelt_out(text: str) -> TakenOut | None:
    """Return the parts of an address value from `spelt`; None if it is invalid."""
    parts = [part.split(":") for part in text.split(",") if part]
    # Indices are short; anything else is not worth the conversion.
    sound = (len(p) < 6 and p.isascii() and p.isdigit() for part in parts for p in part)
    if not all(sound) or any(len(part) > 2 for part in parts):
        return None
    indices = [tuple(int(p) - 1 for p in part) for part in parts]
    sentences = frozenset(index[0] for index in indices if len(index) == 1)
    words = frozenset(index for index in indices if len(index) == 2)
    return TakenOut(sentences, words)

"""Tasks over the rows of a corpus: values that name a model, and open it where they run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from core.alignment import MapMeasure, MapName, Symmetrization, pharaoh
from core.alignment import Row as DecoderRow
from core.records.search import Decoding
from words import english

from ..errors import InputError
from ..experiments.alignment import Aligner, align
from ..io.checkpoint import checkpoint_path, typed_path
from ..loading import load_model, load_translator
from ..many import translate_many
from ..readers.reader import Reader
from ..readers.recordings import is_recording, read_recording
from ..sentence_tables import values_of
from .protocol import Row, Values, Work


@dataclass(frozen=True)
class TranslationTask:
    """Translate each sentence, and measure what `model.many` measures."""

    model: str
    decoding: Decoding
    inputs: ClassVar[tuple[str, ...]] = ("source",)

    @property
    def models(self) -> tuple[str, ...]:
        return (self.model,)

    def anywhere(self) -> TranslationTask:
        return replace(self, model=absolute(self.model))

    def open(self) -> Work:
        translator = load_translator(self.model)
        translator.need("search", "teacher-forcing")

        def work(first: int, rows: Sequence[Row]) -> list[Values]:
            texts = [text for (text,) in rows]
            lines = translate_many(translator, texts, self.decoding, window=len(texts))
            return [values_of(replace(line, line=line.line + first - 1)) for line in lines]

        return work


@dataclass(frozen=True)
class AlignmentTask:
    """Link the words of each pair; `reverse` and `reverse_head` name the other direction."""

    model: str
    head: MapName
    measure: MapMeasure = "weight"
    row: DecoderRow = "reads"
    symmetrize: Symmetrization = "forward"
    reverse: str = ""
    reverse_head: MapName | None = None
    inputs: ClassVar[tuple[str, ...]] = ("source", "target")

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.model, self.reverse)))

    def anywhere(self) -> AlignmentTask:
        reverse = absolute(self.reverse) if self.reverse else ""
        return replace(self, model=absolute(self.model), reverse=reverse)

    def open(self) -> Work:
        aligner = Aligner(reader_at(self.model), self.head, self.measure, self.row)
        back = None
        if self.reverse:
            back_head = self.reverse_head or self.head
            back = Aligner(load_model(self.reverse), back_head, self.measure, self.row)

        def links(source: str, target: str) -> Values:
            try:
                of_pair = align(aligner, source, target, symmetrize=self.symmetrize, reverse=back)
            except InputError as error:
                return {"error": english.of(error.message)}
            return {"links": pharaoh(of_pair)}

        def work(first: int, rows: Sequence[Row]) -> list[Values]:
            return [
                {"line": line, "source": source, "target": target, **links(source, target)}
                for line, (source, target) in enumerate(rows, start=first)
            ]

        return work


def reader_at(path: str) -> Reader:
    """Return the recording at a path, or load the model there."""
    file = Path(path)
    return read_recording(file.name, file.read_bytes()) if is_recording(file) else load_model(path)


def absolute(name_or_path: str) -> str:
    """Return the path of a model from anywhere; raises CheckpointError if there is none."""
    return str(checkpoint_path(typed_path(name_or_path)).resolve())

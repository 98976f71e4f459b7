"""Measurements declare parts; working them out, going on, storing and reporting is done here."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from core.stored import Kind
from model import load_translator
from model.checkpoint import CARD, checkpoint_path

from .card import hardware, stored_card, write_readme
from .rendered import rendered
from .storing import read, store

Save = Callable[[dict[str, Any]], object]


def nowhere(result: dict[str, Any]) -> None:
    """Saves nothing."""


@dataclass(frozen=True)
class Part:
    """A piece of a result: the names that lead to it, and what works it out.

    `row` tells an entry of a list from the others; `fingerprint` is that of the weights that a
    stored piece must be of to be kept.
    """

    at: tuple[str, ...]
    work: Callable[[], Any]
    row: Mapping[str, Any] | None = None
    fingerprint: str | None = None

    def is_in(self, known: Any) -> bool:
        if self.row is not None:
            return any(self.row.items() <= row.items() for row in known)
        if self.fingerprint is not None:
            return (known or {}).get("fingerprint") == self.fingerprint
        return bool(known)


def fill(result: dict[str, Any], parts: Iterable[Part], save: Save = nowhere) -> dict[str, Any]:
    """Work out the parts that a result lacks; `save` is called with all there is after each."""
    for part in parts:
        *path, name = part.at
        holder = result
        for step in path:
            holder = holder.setdefault(step, {})
        if part.is_in(holder.get(name)):
            continue
        if part.row is None:
            holder[name] = part.work()
        else:
            holder[name].append({**part.row, **part.work()})
        save(result)
    return result


class Measurement:
    """What a command measures of one checkpoint, and stores in a file beside its weights.

    A subclass says what is known at once (`frame`) and the `parts`. What an earlier run stored is
    kept where the weights and settings are the same, unless it never `goes_on`.
    """

    name: ClassVar[str]
    kind: ClassVar[Kind]
    goes_on: ClassVar[bool] = True
    on_a_line: ClassVar[Sequence[str]] = ()
    indent: ClassVar[int | None] = 2
    load: ClassVar[Callable[[str], Any]] = staticmethod(load_translator)

    def __init__(
        self,
        of: Any,
        data: Path = Path("data"),
        limit: int | None = None,
        card: Mapping[str, Any] | None = None,
    ) -> None:
        """Measure `of`, what `load` gives; of each set at most `limit` sentences.

        `card` is what ``card.json`` of the checkpoint holds.
        """
        self.of, self.data, self.limit = of, data, limit
        self.sources: dict[str, Any] = dict((card or {}).get("data", {}))

    def frame(self) -> dict[str, Any]:
        """The result before its parts are worked out."""
        return self.made()

    def parts(self) -> Iterable[Part]:
        return ()

    def made(self) -> dict[str, Any]:
        """With what it is measured."""
        card = self.of.card
        return {
            "command": self.kind.command.format(name=card.name).replace("DIR", "data"),
            "fingerprint": card.fingerprint,
            "hardware": hardware(),
        }

    def measure(
        self, stored: Mapping[str, Any] | None = None, save: Save = nowhere
    ) -> dict[str, Any]:
        """All of the file; `save` is called after each part of what goes on, else at the end.

        Raises CorpusError where a set is missing or damaged.
        """
        result = self.frame()
        same = [key for key in ("fingerprint", "settings") if key in result]
        if stored and all(stored.get(key) == result[key] for key in same):
            kept = {*stored} - {"command", "hardware"}
            result |= copy.deepcopy({key: stored[key] for key in stored if key in kept})
        fill(result, self.parts(), save if self.goes_on else nowhere)
        if not self.goes_on:
            save(result)
        return result

    @classmethod
    def report(cls, result: Mapping[str, Any]) -> str:
        """The numbers as lines of text."""
        return rendered(f"{cls.name}.txt.j2", between="\n", result=result)

    @classmethod
    def write(cls, folder: Path, result: Mapping[str, Any]) -> None:
        """Store the result, at once or not at all."""
        store(folder / cls.kind.file, result, on_a_line=cls.on_a_line, indent=cls.indent)

    def publish(self, folder: Path, result: Mapping[str, Any]) -> None:
        """What else tells of the result: the README of a checkpoint, a page of the docs."""
        if (folder / CARD).exists():
            write_readme(folder)

    def carry_out(self, folder: Path, write: bool) -> None:
        """Measure and print; with `write` go on from what `folder` holds, and store it there.

        Raises ValueError where a part of the sets is to be stored.
        """
        if write and self.limit is not None:
            raise ValueError("only what is measured of whole sets is stored")
        stored = stored_in(folder / self.kind.file) if write and self.goes_on else None
        result = self.measure(stored, partial(self.write, folder) if write else nowhere)
        print(self.report(result))
        if write:
            self.publish(folder, result)

    @classmethod
    def of_checkpoint(cls, name: str, data: Path, limit: int | None, write: bool) -> None:
        of, folder = cls.load(name), checkpoint_path(name)
        cls(of, data, limit, stored_card(folder)).carry_out(folder, write)


def stored_in(path: Path) -> dict[str, Any]:
    """What an earlier run has stored; {} where none has."""
    return read(path) if path.exists() else {}

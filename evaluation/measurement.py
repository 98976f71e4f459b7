"""Measurements as lists of parts: computing, resuming, storing and reporting them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from core.storage import Kind
from model import load_translator
from model.io.checkpoint import CARD, checkpoint_path
from training.card import hardware, stored_card, write_readme
from training.files import read, store

from .templating import rendered

Save = Callable[[dict[str, Any]], object]


def nowhere(result: dict[str, Any]) -> None:
    """Save nothing."""


@dataclass(frozen=True)
class ResultPart:
    """A piece of a result: the names that lead to it, and the function that computes it.

    `row` identifies an entry of a list; a stored piece with a `fingerprint` is kept only if it
    belongs to weights with the same one.
    """

    at: tuple[str, ...]
    work: Callable[[], Any]
    row: Mapping[str, Any] | None = None
    fingerprint: str | None = None

    def is_in(self, stored: Any) -> bool:
        """Return True if the value `stored` in its place holds this part."""
        if self.row is not None:
            return any(self.row.items() <= row.items() for row in stored)
        if self.fingerprint is not None:
            return (stored or {}).get("fingerprint") == self.fingerprint
        return bool(stored)


def fill(
    result: dict[str, Any], parts: Iterable[ResultPart], save: Save = nowhere
) -> dict[str, Any]:
    """Compute the parts that a result lacks; `save` is called with the whole result after each."""
    for part in parts:
        *path, name = part.at
        holder = result
        for step in path:
            holder = holder.setdefault(step, {})
        # Stored by an earlier run, which this one continues.
        if part.is_in(holder.get(name)):
            continue
        if part.row is None:
            holder[name] = part.work()
        else:
            holder[name].append({**part.row, **part.work()})
        save(result)
    return result


class Measurement:
    """A measurement of one checkpoint, stored in a file beside its weights.

    Subclasses return what is known at once from `frame`, and yield the rest from `parts`. Stored
    parts are kept if weights and settings are the same, unless `goes_on` is False.
    """

    name: ClassVar[str]
    file_kind: ClassVar[Kind]
    goes_on: ClassVar[bool] = True
    on_a_line: ClassVar[Sequence[str]] = ()
    indent: ClassVar[int | None] = 2
    load: ClassVar[Callable[..., Any]] = staticmethod(load_translator)

    def __init__(
        self,
        of: Any,
        data: Path = Path("data"),
        limit: int | None = None,
        card: Mapping[str, Any] | None = None,
    ) -> None:
        """Measure `of`, the result of `load`, on at most `limit` sentences of each set.

        `card` holds the contents of ``card.json`` of the checkpoint.
        """
        self.of = of
        self.data = data
        self.limit = limit
        self.sources: dict[str, Any] = dict((card or {}).get("data", {}))

    def frame(self) -> dict[str, Any]:
        """Return the result before its parts are computed."""
        return self.provenance()

    def parts(self) -> Iterable[ResultPart]:
        """Return the parts, in the order in which they are measured."""
        return ()

    def provenance(self) -> dict[str, Any]:
        """Return the provenance: command, fingerprint of the weights, hardware."""
        card = self.of.card
        return {
            "command": self.file_kind.command.format(name=card.name).replace("DIR", "data"),
            "fingerprint": card.fingerprint,
            "hardware": hardware(),
        }

    def measure(
        self, stored: Mapping[str, Any] | None = None, save: Save = nowhere
    ) -> dict[str, Any]:
        """Return the whole result, continuing from `stored` if weights and settings are the same.

        `save` is called after each part, or at the end if the measurement never `goes_on`. Raises
        CorpusError if a set is missing or damaged.
        """
        result = self.frame()
        same = [key for key in ("fingerprint", "settings") if key in result]
        if stored and all(stored.get(key) == result[key] for key in same):
            # The machine that finishes the measurement is named, not the one that began it.
            kept = {*stored} - {"command", "hardware"}
            # A deep copy, since parts are filled into nested dictionaries of the caller.
            result |= copy.deepcopy({key: stored[key] for key in stored if key in kept})
        fill(result, self.parts(), save if self.goes_on else nowhere)
        if not self.goes_on:
            save(result)
        return result

    @classmethod
    def report(cls, result: Mapping[str, Any]) -> str:
        """Return the numbers as lines of text."""
        return rendered(f"{cls.name}.txt.j2", between="\n", result=result)

    @classmethod
    def write(cls, folder: Path, result: Mapping[str, Any]) -> None:
        """Store the result at once or not at all."""
        store(folder / cls.file_kind.file, result, on_a_line=cls.on_a_line, indent=cls.indent)

    def publish(self, folder: Path, result: Mapping[str, Any]) -> None:
        """Update whatever reports the result: README of a checkpoint, page of the docs."""
        if (folder / CARD).exists():
            write_readme(folder)

    def carry_out(self, folder: Path, write: bool) -> None:
        """Measure and print; with `write`, continue from what `folder` holds and store it there.

        Raises ValueError if a part of the sets is to be stored.
        """
        # The command line refuses this, too; here it guards calls from Python.
        if write and self.limit is not None:
            raise ValueError("results are stored only for whole sets: leave out the limit")
        stored = stored_in(folder / self.file_kind.file) if write and self.goes_on else None
        result = self.measure(stored, partial(self.write, folder) if write else nowhere)
        print(self.report(result))
        if write:
            self.publish(folder, result)

    @classmethod
    def of_checkpoint(cls, name: str, data: Path, limit: int | None, write: bool) -> None:
        """Load a checkpoint, measure it, and store the result beside its weights."""
        of = cls.load(name)
        folder = checkpoint_path(name)
        cls(of, data, limit, stored_card(folder)).carry_out(folder, write)


def stored_in(path: Path) -> dict[str, Any]:
    """Return the stored result of an earlier run; {} without one."""
    return read(path) if path.exists() else {}

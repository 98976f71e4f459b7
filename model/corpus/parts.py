"""Parts of a run over a corpus, stored as they end, so that interrupted work goes on."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from core.replacement import write_whole
from words import Message

from ..errors import InputError
from ..lines import WINDOW
from .engines import CorpusPart, Finished, run_here
from .protocol import Row, Task, Values
from .reading import Corpus, CorpusFacts

try:
    import fcntl
except ImportError:  # Windows, where commands are not kept apart
    fcntl = None  # type: ignore[assignment]

JOB = "job.json"
LOCK = "lock"
ENTRIES = 10  # tries to enter a folder that ending commands remove
Engine = Callable[[Task, Iterable[CorpusPart]], Iterator[Finished]]
Progress = Callable[[int], None]
"""Called with the number of rows that have become finished."""


@dataclass(frozen=True)
class CorpusRun:
    """Task over a file, with a folder for the parts that are finished.

    Texts of equal length are searched together within a part of `size` rows. Numbers depend on
    `size` and on the process in the last digit only, as sums of float32 in another order.
    """

    task: Task
    corpus: Corpus
    folder: Path
    size: int = WINDOW

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other commands out of the folder, which is created, until the block ends.

        Raises InputError if another command is at work there.
        """
        if fcntl is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            yield
            return
        file = _locked(self.folder)
        if file is None:
            message = Message.of("corpus-busy", folder=str(self.folder))
            raise InputError(message, hint=Message("corpus-busy-hint"))
        with file:
            yield

    def begin(self, facts: CorpusFacts) -> None:
        """Create the folder, or go on in it.

        Raises InputError if it has parts of another task, model, file or size.
        """
        models = [stamps_of(Path(model)) for model in self.task.models]
        job = {"task": repr(self.task), "models": models, "size": self.size, **asdict(facts)}
        file = self.folder / JOB
        if file.exists() and json.loads(file.read_text(encoding="utf-8")) != job:
            raise InputError(
                Message.of("corpus-other-job", folder=str(self.folder)),
                hint=Message("corpus-other-job-hint"),
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps(job))

    def finish(self, engine: Engine = run_here, progress: Progress = lambda n: None) -> None:
        """Compute and store every part that is not there.

        If this fails before there is a part, the folder is removed.
        """
        try:
            for index, results in engine(self.task, self._remaining(progress)):
                lines = (json.dumps(values, ensure_ascii=False) + "\n" for values in results)
                write_whole(self._path(index), "".join(lines))
                progress(len(results))
        except BaseException:
            # It would refuse the corrected command, though there is nothing to go on with.
            if not any(self.folder.glob("*.jsonl")):
                self.remove()
            raise

    def results(self) -> Iterator[Values]:
        """Yield the results of all rows in the order of the file, once all parts are there."""
        n_rows = json.loads((self.folder / JOB).read_text(encoding="utf-8"))["n_rows"]
        for index in range(-(-n_rows // self.size)):
            with self._path(index).open(encoding="utf-8") as lines:
                yield from map(json.loads, lines)

    def remove(self) -> None:
        """Remove the folder, or leave it to a command that begins in it meanwhile."""
        for path in self.folder.iterdir():
            if path.name != LOCK:
                path.unlink()
        # Last, since without it another command may enter the folder.
        (self.folder / LOCK).unlink(missing_ok=True)
        # On network drives the lock stays in the folder until it is closed.
        with suppress(OSError):
            self.folder.rmdir()

    def _remaining(self, progress: Progress) -> Iterator[CorpusPart]:
        """Yield the parts that are not there."""
        for part in parts_of(self.corpus.rows(), self.size):
            if self._path(part.index).exists():
                progress(len(part.rows))
            else:
                yield part

    def _path(self, index: int) -> Path:
        return self.folder / f"{index:06}.jsonl"


def parts_of(rows: Iterable[Row], size: int = WINDOW) -> Iterator[CorpusPart]:
    """Yield the rows in parts of `size`, the last one shorter."""
    remaining = iter(rows)
    index = 0
    while ahead := tuple(islice(remaining, size)):
        yield CorpusPart(index, index * size + 1, ahead)
        index += 1


def _locked(folder: Path) -> TextIO | None:
    """Create `folder` and return its lock, held until it is closed; None if another holds it."""
    for _ in range(ENTRIES):
        # A command that has just ended may remove the folder, or the lock, before each of these
        # steps. Nobody is at work there then, so the steps begin again.
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = (folder / LOCK).open("w")
        except (FileNotFoundError, FileExistsError):
            if folder.is_file():
                raise
            continue
        if not _locks(file):
            file.close()
            return None
        with suppress(FileNotFoundError):
            if os.path.samestat((folder / LOCK).stat(), os.fstat(file.fileno())):
                return file
        file.close()
    return None


def _locks(file: TextIO) -> bool:
    """Lock an open file; return False if another process has locked it."""
    try:
        # The system releases it when the process ends, even if it is killed.
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def stamps_of(model: Path) -> list[list[Any]]:
    """Return name, size and modification time (ns) of the files of a model, by name."""
    files = sorted(model.rglob("*")) if model.is_dir() else [model]
    facts = [(file, file.stat()) for file in files if file.is_file()]
    return [[str(file), stat.st_size, stat.st_mtime_ns] for file, stat in facts]

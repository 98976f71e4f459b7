"""Files that are replaced as a whole: a reader finds the old content or the new, never a part."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacement(path: Path) -> Iterator[Path]:
    """Yield a temporary path; the file written there replaces `path` when the block ends.

    If the block raises, `path` stays as it was.
    """
    # Beside the target, since a replacement is atomic only within a file system; by a name of its
    # own, since two processes may write the same file at the same time.
    temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        yield temporary
        # A file system may store the new name before the content.
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_whole(path: Path, text: str) -> None:
    """Write a text as UTF-8, completely or not at all."""
    with replacement(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")

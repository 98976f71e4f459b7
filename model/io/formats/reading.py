"""Bounded reading of binary files: declared sizes are compared with the bytes that are left."""

from __future__ import annotations

import math
import struct
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from core.storage import DamageError, checked
from words import Message

from ...errors import CheckpointError

MOST_BYTES = 2**31
"""Largest file; a page with every head of a larger model would be of no use."""
MOST_TEXT = 2**25
"""Largest text file in bytes, enough for the 256,000 pieces of NLLB."""
MOST_RANK = 8


class Bytes:
    """Reader of little-endian numbers, strings and arrays from a buffer.

    Raises CheckpointError, naming the field, if the buffer ends early or a value is impossible.
    """

    def __init__(self, data: bytes | memoryview, file: str) -> None:
        self._data = memoryview(data)
        self.file = file
        self.at = 0

    @property
    def left(self) -> int:
        """Number of unread bytes."""
        return len(self._data) - self.at

    def fault(self, field: str) -> CheckpointError:
        """Build the error for a damaged field."""
        return damaged(self.file, field)

    def take(self, n_bytes: int, field: str) -> memoryview:
        """Return the next `n_bytes` bytes as a view."""
        if not 0 <= n_bytes <= self.left:
            raise self.fault(field)
        self.at += n_bytes
        return self._data[self.at - n_bytes : self.at]

    def number(self, code: str, field: str) -> int:
        """Read one integer; `code` as in `struct`: B, H, I, Q."""
        return int(struct.unpack(f"<{code}", self.take(struct.calcsize(f"<{code}"), field))[0])

    def count(self, code: str, field: str, *, item_bytes: int = 1) -> int:
        """Read a number of items that take at least `item_bytes` apiece."""
        n = self.number(code, field)
        # A damaged count must not start a loop of billions.
        if n * item_bytes > self.left:
            raise self.fault(field)
        return n

    def text(self, n_bytes: int, field: str) -> str:
        """Read UTF-8 text without its closing NUL."""
        try:
            return bytes(self.take(n_bytes, field)).removesuffix(b"\0").decode()
        except UnicodeDecodeError as error:
            raise self.fault(field) from error

    def array(self, dtype: str, shape: Sequence[int], field: str) -> np.ndarray:
        """Read an array as a view of the buffer; impossible shapes are refused first."""
        if len(shape) > MOST_RANK or any(size < 0 for size in shape):
            raise self.fault(field)
        # Little-endian, whatever the processor.
        element = np.dtype(dtype).newbyteorder("<")
        data = self.take(math.prod(shape) * element.itemsize, field)
        return np.frombuffer(data, element).reshape(shape)


def unpickled(path: Path, hint: str) -> Any:
    """Load a file of ``torch.save`` on the CPU, memory-mapped and without running its code.

    Raises CheckpointError, with the message `hint`, if it asks for classes; also if it is
    compressed or older than torch 1.6.
    """
    if not zipfile.is_zipfile(path):
        raise not_read(path.name, "torch.save", "_use_new_zipfile_serialization=False")
    with zipfile.ZipFile(path) as archive:
        # Memory-mapping needs members that are stored as they are.
        if any(entry.compress_type for entry in archive.infolist()):
            raise damaged(path.name, "compress_type")
    if classes := torch.serialization.get_unsafe_globals_in_checkpoint(path):
        message = Message.of("format-pickle", file=path.name, classes=", ".join(sorted(classes)))
        raise CheckpointError(message, hint=Message(hint))
    return torch.load(path, map_location="cpu", weights_only=True, mmap=True)


def read_text(path: Path) -> bytes:
    """Read a text file; raises CheckpointError if it is missing or above `MOST_TEXT`."""
    if not path.is_file():
        raise CheckpointError(Message.of("model-checkpoint-missing", file=path.name))
    if (size := path.stat().st_size) > MOST_TEXT:
        raise not_read(path.name, "size", size)
    return path.read_bytes()


def read_json(path: Path, expected: Any = dict[str, Any], *, needed: bool = True) -> dict[str, Any]:
    """Read a JSON file of the type `expected`; empty if it is missing and not `needed`."""
    try:
        return checked(read_text(path), expected, finite=False) if needed or path.exists() else {}
    except (OSError, DamageError) as error:
        raise damaged(path.name, str(error)) from error


def damaged(file: str, field: Message | str) -> CheckpointError:
    """Build the error for a file that is damaged at a field."""
    return CheckpointError(Message.of("format-damaged", file=file, field=field))


def not_read(file: str, field: str, value: object) -> CheckpointError:
    """Build the error for an intact file with something that is not supported here."""
    return CheckpointError(
        Message.of("format-not-read", file=file, field=field, value=repr(value)),
        hint=Message("format-not-read-hint"),
    )


def contradicts(file: str, other: str, fault: Message) -> CheckpointError:
    """Build the error for two intact files of different models; `fault` says where they differ."""
    return CheckpointError(
        Message.of("format-contradicts", file=file, other=other, fault=fault),
        hint=Message.of("format-contradicts-hint", file=file, other=other),
    )

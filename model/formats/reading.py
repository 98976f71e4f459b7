"""Binary files read within bounds: what a file promises is held against what is left of it."""

from __future__ import annotations

import math
import struct
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from words import Message

from ..errors import CheckpointError

MOST_BYTES = 2**31
"""Of a file: above, a page that shows every head would not be of use."""
MOST_RANK = 8


class Bytes:
    """Little-endian numbers, texts and arrays from a buffer, one after another. CheckpointError
    with the name of the field where the buffer ends before it or the field cannot be."""

    def __init__(self, data: bytes | memoryview, file: str) -> None:
        self._data = memoryview(data)
        self.file = file
        self.at = 0

    @property
    def left(self) -> int:
        return len(self._data) - self.at

    def fault(self, field: str) -> CheckpointError:
        """That the file is damaged at a field."""
        return damaged(self.file, field)

    def take(self, n_bytes: int, field: str) -> memoryview:
        if not 0 <= n_bytes <= self.left:
            raise self.fault(field)
        self.at += n_bytes
        return self._data[self.at - n_bytes : self.at]

    def number(self, kind: str, field: str) -> int:
        """One whole number; `kind` as in `struct`: B, H, I, Q."""
        return int(struct.unpack(f"<{kind}", self.take(struct.calcsize(f"<{kind}"), field))[0])

    def count(self, kind: str, field: str, *, each: int = 1) -> int:
        """How many of something follow, which take at least `each` bytes."""
        n = self.number(kind, field)
        if n * each > self.left:
            raise self.fault(field)
        return n

    def text(self, n_bytes: int, field: str) -> str:
        """UTF-8, a closing NUL left out."""
        try:
            return bytes(self.take(n_bytes, field)).removesuffix(b"\0").decode()
        except UnicodeDecodeError as error:
            raise self.fault(field) from error

    def array(self, dtype: str, shape: Sequence[int], field: str) -> np.ndarray:
        """An array of that shape, a view of the buffer; what is no number of bytes left is
        refused before anything is made."""
        if len(shape) > MOST_RANK or any(size < 0 for size in shape):
            raise self.fault(field)
        kind = np.dtype(dtype).newbyteorder("<")
        data = self.take(math.prod(shape) * kind.itemsize, field)
        return np.frombuffer(data, kind).reshape(shape)


def unpickled(path: Path, hint: str) -> Any:
    """What ``torch.save`` wrote, on the CPU and mapped, none of its code run; CheckpointError, with
    the message `hint`, where it asks for classes, and where it is packed or of torch before 1.6."""
    if not zipfile.is_zipfile(path):
        raise not_read(path.name, "torch.save", "_use_new_zipfile_serialization=False")
    with zipfile.ZipFile(path) as archive:
        if any(entry.compress_type for entry in archive.infolist()):
            raise damaged(path.name, "compress_type")
    if classes := torch.serialization.get_unsafe_globals_in_checkpoint(path):
        message = Message.of("format-pickle", file=path.name, classes=", ".join(sorted(classes)))
        raise CheckpointError(message, hint=Message(hint))
    return torch.load(path, map_location="cpu", weights_only=True, mmap=True)


def damaged(file: str, field: Message | str) -> CheckpointError:
    """That a file is damaged at a field."""
    return CheckpointError(Message.of("format-damaged", file=file, field=field))


def not_read(file: str, field: str, value: object) -> CheckpointError:
    """That a file is whole, and holds something that is not read here."""
    return CheckpointError(
        Message.of("format-not-read", file=file, field=field, value=repr(value)),
        hint=Message("format-not-read-hint"),
    )


def contradicts(file: str, other: str, fault: Message) -> CheckpointError:
    """That two files are each whole, and not of one model: `fault` says where they differ."""
    return CheckpointError(
        Message.of("format-contradicts", file=file, other=other, fault=fault),
        hint=Message.of("format-contradicts-hint", file=file, other=other),
    )

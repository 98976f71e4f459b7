"""Memory in large pages, for weights that every step of a search reads from end to end.

A processor looks up the address of each page that it touches. With pages of 4 KiB, the 24 MB that a
step of a small model reads are 6,000 of them, more than its table of addresses holds, so it waits
for look-ups, in a virtual machine most of all. Pages of 2 MiB leave a dozen. Linux gives them where
a program asks for them; elsewhere, memory comes in ordinary pages.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Sequence
from contextlib import suppress

import torch
from torch import Tensor

PAGE = 2 * 2**20
"""Bytes of a large page, and of the least weights that are worth one."""
LINE = 64
"""Bytes of a line of the cache; each weight begins with one, as in memory of torch."""


def in_large_pages(tensors: Sequence[Tensor], *, transposed: bool = False) -> Iterator[Tensor]:
    """Yield copies of float32 `tensors` on the CPU, or of their transposes, in large pages.

    A copy is made when it is asked for, so a caller that replaces each tensor before the next never
    holds all of them twice. A copy is contiguous and has a storage of its own; the memory is freed
    with the last of them. Tensors of less than a page together, or on a system without large pages,
    are only made contiguous.
    """
    sizes = [-(-tensor.nbytes // LINE) * LINE for tensor in tensors]
    if sum(sizes) < PAGE or not hasattr(mmap, "MADV_HUGEPAGE"):
        yield from (_oriented(tensor, transposed).contiguous() for tensor in tensors)
        return
    # Private: shared memory has large pages on few systems. One page more, since the mapping may
    # begin within a page.
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    memory = mmap.mmap(-1, sum(sizes) + PAGE, flags=flags)
    # A kernel that was built without large pages refuses to be asked for them.
    with suppress(OSError):
        memory.madvise(mmap.MADV_HUGEPAGE)
    offset = -torch.frombuffer(memory, dtype=torch.uint8).data_ptr() % PAGE
    for tensor, size in zip(tensors, sizes, strict=True):
        original = _oriented(tensor, transposed)
        copy = torch.frombuffer(
            memory, dtype=original.dtype, count=original.numel(), offset=offset
        ).view(original.shape)
        copy.copy_(original)
        # Nothing here may hold the memory of a tensor that the caller replaces.
        del original
        yield copy
        offset += size


def _oriented(tensor: Tensor, transposed: bool) -> Tensor:
    return tensor.detach().t() if transposed else tensor

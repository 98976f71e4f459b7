"""Copies of weights in large pages: the same numbers, laid out as asked."""

import errno
import mmap
import weakref

import pytest
import torch

from model.nets.pages import LINE, PAGE, in_large_pages


def weights() -> list[torch.Tensor]:
    """Return two matrices of a large page together; the second one stands on its side."""
    generator = torch.Generator().manual_seed(0)
    return [
        torch.randn(700, 1001, generator=generator),
        torch.randn(3, 5, generator=generator).t(),
    ]


def test_copies_hold_the_same_numbers_in_order():
    originals = weights()
    copies = [*in_large_pages(originals)]
    assert all(map(torch.equal, copies, originals))
    assert all(copy.is_contiguous() for copy in copies)


@pytest.mark.skipif(not hasattr(mmap, "MADV_HUGEPAGE"), reason="no large pages on this system")
def test_copies_begin_with_a_page_and_a_line_of_the_cache():
    first, second = in_large_pages(weights())
    assert first.data_ptr() % PAGE == 0
    assert second.data_ptr() % LINE == 0


@pytest.mark.skipif(not hasattr(mmap, "MADV_HUGEPAGE"), reason="no large pages on this system")
def test_a_kernel_without_large_pages_stores_the_same_numbers(monkeypatch):
    class Refusing(mmap.mmap):
        def madvise(self, *_):
            raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(mmap, "mmap", Refusing)
    assert all(map(torch.equal, in_large_pages(weights()), weights()))


def test_a_copy_outlives_its_neighbours():
    originals = weights()
    second = [*in_large_pages(originals)][1]
    list(in_large_pages(originals))
    assert torch.equal(second, originals[1])


def test_copies_of_transposes_are_laid_out_as_transposes():
    copies = [*in_large_pages(weights(), transposed=True)]
    assert all(map(torch.equal, copies, [weight.t() for weight in weights()]))
    assert all(copy.is_contiguous() for copy in copies)


def test_a_tensor_that_is_replaced_is_freed_before_the_next_is_copied():
    tensors = [torch.nn.Parameter(weight, requires_grad=False) for weight in weights()]
    freed = []
    weakref.finalize(tensors[0].untyped_storage(), freed.append, True)
    for tensor, copy in zip(tensors, in_large_pages(tensors, transposed=True), strict=True):
        assert bool(freed) == (tensor is tensors[1])
        tensor.data = copy.t()


def test_copies_share_no_storage():
    first, second = in_large_pages(weights())
    second.fill_(7.0)
    assert torch.equal(first, weights()[0])
    assert first.untyped_storage().data_ptr() != second.untyped_storage().data_ptr()


def test_little_memory_is_left_where_it_is():
    small = torch.ones(2, 3)
    (only,) = in_large_pages([small])
    assert only is small

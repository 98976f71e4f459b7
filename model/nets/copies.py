"""Copies of a model: in float64, or untrained."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import torch
from torch import nn

Net = TypeVar("Net", bound=nn.Module)

_DRAWING = threading.Lock()
"""Guards the random generator that all threads share, from which torch draws initial weights."""


def in_double(model: Net) -> Net:
    """Return a float64 copy of a model, which has its `config`, on the CPU.

    Built anew, because the shared one may carry hooks of another thread.
    """
    made_of: Any = model
    with _DRAWING, torch.random.fork_rng(devices=[]):
        double = type(model)(made_of.config).double()
    double.load_state_dict(model.state_dict())
    return double.eval().requires_grad_(False)


def untrained(build: Callable[[], Net], seed: int) -> Net:
    """Return the model that `build` makes, with random weights drawn by `seed`."""
    with _DRAWING, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return build()

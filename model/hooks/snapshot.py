"""Snapshot of modules, to tell if tensors taken out of them still stand for them."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from typing import Any

from torch import nn
from torch.nn.modules import module as torch_module

from .capture import owner_of


class Snapshot:
    """Parts and weights of modules as they stood when the snapshot was taken.

    `root` is a module that holds some of them: its parts and weights count, and its hooks do not.

    A weight has changed if it was replaced, if it may be trained now and could not then, or if it
    was written to in a way that torch counts, as operations in place are, also under
    `torch.no_grad`. Two ways go unnoticed: writing through ``weight.data``, of which torch itself
    warns, and the steps of a fused optimizer between two questions.
    """

    def __init__(self, root: nn.Module, modules: Iterable[nn.Module]) -> None:
        modules = list(dict.fromkeys(modules))
        self._modules = modules
        entries: list[Mapping[str, Any]] = []
        # The dictionaries of `root` and not itself, which may hold this snapshot.
        for module in (root, *modules):
            entries += (module._modules, module._parameters)
        self._sizes = [(parts, len(parts)) for parts in entries]
        self._parts = [(parts, name, part) for parts in entries for name, part in parts.items()]
        weights = [*root.parameters(recurse=False)]
        weights += [weight for module in modules for weight in module.parameters(recurse=False)]
        self._versions = [
            (weight, weight._version, weight.data_ptr(), weight.requires_grad)
            for weight in dict.fromkeys(weights)
        ]
        self._hooks = [
            hooks
            for module in modules
            for hooks in (module._forward_hooks, module._forward_pre_hooks)
        ]

    def holds(self) -> bool:
        """Return True if no part and no weight has changed."""
        return (
            all(len(parts) == size for parts, size in self._sizes)
            and all(parts.get(name) is part for parts, name, part in self._parts)
            and all(
                weight._version == version
                and weight.data_ptr() == address
                and (could_train or not weight.requires_grad)
                for weight, version, address, could_train in self._versions
            )
        )

    def is_plain(self) -> bool:
        """Return True if calls of this thread meet no hook, and no module is in training mode."""
        if any(module.training for module in self._modules) or _global_hooks():
            return False
        return not _meet_hook(self._hooks)


def meets_hook(module: nn.Module) -> bool:
    """Return True if calls of `module` itself, not of its parts, meet a hook in this thread."""
    return _meet_hook((module._forward_hooks, module._forward_pre_hooks))


def _meet_hook(registered: Iterable[Mapping[int, Any]]) -> bool:
    """Return True if one of the `registered` hooks serves this thread."""
    here = threading.get_ident()
    # Copied before it is read, since other threads may register meanwhile.
    return any(
        owner_of(hook) in (None, here)
        for hooks in registered
        if hooks
        for hook in list(hooks.values())
    )


def _global_hooks() -> bool:
    """Return True if hooks of all modules are registered."""
    return bool(torch_module._global_forward_hooks or torch_module._global_forward_pre_hooks)

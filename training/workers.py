"""Processes of a run, and their communication."""

from __future__ import annotations

import os
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


@dataclass(frozen=True)
class Workers:
    """The processes of a run; one unless `torchrun` started more."""

    rank: int
    world: int

    @classmethod
    def join(cls) -> Workers:
        """Join the processes that `torchrun` started, by its environment variables."""
        world = int(os.environ.get("WORLD_SIZE", "1"))
        if world > 1 and not dist.is_initialized():
            dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
        return cls(int(os.environ.get("RANK", "0")), world)

    @property
    def leads(self) -> bool:
        """True for the one process that writes files and prints."""
        return self.rank == 0

    def sum(self, tensor: torch.Tensor) -> torch.Tensor:
        """Return the sum of a tensor over all processes, in place."""
        if self.world > 1:
            dist.all_reduce(tensor)
        return tensor

    def gather(self, tensor: torch.Tensor) -> torch.Tensor:
        """Return the tensors of all processes, stacked by rank; all have one shape."""
        if self.world == 1:
            return tensor[None]
        # NCCL passes on only what is on a GPU.
        mine = tensor.to(pick_device())
        stacked = mine.new_empty((self.world, *mine.shape))
        dist.all_gather(list(stacked), mine)
        return stacked.to(tensor.device)

    def share(self, module: nn.Module) -> nn.Module:
        """Return `module`, its gradients averaged over the processes during each backward pass."""
        if self.world == 1:
            return module
        # Gradients stay where they were summed, which saves copying all of them in every step.
        return DistributedDataParallel(module, gradient_as_bucket_view=True)


def pick_device() -> torch.device:
    """Return this process's GPU, or the CPU."""
    if torch.cuda.is_available():
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    return torch.device("cpu")

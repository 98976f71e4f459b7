"""The processes of a run, and what they tell each other."""

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
        world = int(os.environ.get("WORLD_SIZE", "1"))
        if world > 1 and not dist.is_initialized():
            dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
        return cls(int(os.environ.get("RANK", "0")), world)

    @property
    def leads(self) -> bool:
        return self.rank == 0

    def sum(self, tensor: torch.Tensor) -> torch.Tensor:
        if self.world > 1:
            dist.all_reduce(tensor)
        return tensor

    def share(self, module: nn.Module) -> nn.Module:
        """`module`, its gradients averaged over the processes during each backward pass."""
        if self.world == 1:
            return module
        # Gradients stay where they were summed, which saves a copy of all of them a step.
        return DistributedDataParallel(module, gradient_as_bucket_view=True)


def pick_device() -> torch.device:
    if torch.cuda.is_available():
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    return torch.device("cpu")

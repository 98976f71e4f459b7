"""The processes of a run, and what they tell each other."""

from __future__ import annotations

import os
from dataclasses import dataclass

import torch
import torch.distributed as dist


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

    def sum_gradients(self, model: torch.nn.Module) -> None:
        """Add up the gradients of all processes, in one message."""
        if self.world == 1:
            return
        gradients = [p.grad for p in model.parameters() if p.grad is not None]
        flat = self.sum(torch.cat([g.flatten() for g in gradients]))
        for gradient, part in zip(
            gradients, flat.split([g.numel() for g in gradients]), strict=True
        ):
            gradient.copy_(part.view_as(gradient))


def pick_device() -> torch.device:
    if torch.cuda.is_available():
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    return torch.device("cpu")

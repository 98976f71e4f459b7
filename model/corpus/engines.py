"""Ways to run a task over the parts of a corpus: in this process, or in many by Ray."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch

from words import Message

from ..errors import InputError
from .protocol import Row, Task, Values

EngineName = Literal["local", "ray"]
ROOT = Path(__file__).resolve().parent.parent.parent
SETTINGS = "ATTENTION_LAB_"
"""Beginning of the variables that workers inherit, such as the folders of checkpoints."""
INSTALL = "pip install '.[cluster]'"
"""Command that installs Ray; the quotes keep a shell from reading the brackets."""
TRIES = 4
"""Times that a part may end its worker before the run gives up; each time it gets a new one."""


@dataclass(frozen=True)
class CorpusPart:
    """Rows that are computed and stored together; `first` is the number of its first, from 1."""

    index: int
    first: int
    rows: tuple[Row, ...]


Finished = tuple[int, list[Values]]
"""Index of a part and its results."""


class Worker:
    """Process that loads a task's model once, and computes on one thread."""

    def __init__(self, task: Task) -> None:
        torch.set_num_threads(1)
        self._work = task.open()

    def finish(self, part: CorpusPart) -> Finished:
        return part.index, self._work(part.first, part.rows)


def run_here(task: Task, parts: Iterable[CorpusPart]) -> Iterator[Finished]:
    """Yield the results of each part in their order, from this process and its threads."""
    work = task.open()
    for part in parts:
        yield part.index, work(part.first, part.rows)


def run_on_ray(
    task: Task, parts: Iterable[CorpusPart], n_workers: int | None
) -> Iterator[Finished]:
    """Yield the results of each part as they come, from `n_workers` actors of Ray.

    Ray uses the cluster that ``RAY_ADDRESS`` names, else this machine's cores. A worker that dies
    is started anew and gets its part again. No more parts are read than there are workers.

    Raises InputError if Ray is not installed, or there are not as many cores.
    """
    ray = _ray()
    # Faults of the model are found here, not in the log of a worker.
    task.open()
    was_running = ray.is_initialized()
    ray.init(
        ignore_reinit_error=True,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="warning",
        runtime_env={"env_vars": _environment()},
    )
    try:
        n_cores = int(ray.cluster_resources().get("CPU", 0))
        if (n_workers or 1) > n_cores:
            raise InputError(Message.of("corpus-cores", n=n_workers, cores=n_cores))
        options = {"num_cpus": 1, "max_restarts": -1, "max_task_retries": TRIES - 1}
        actor = ray.remote(**options)(Worker)
        workers = [actor.remote(task) for _ in range(n_workers or n_cores)]
        pool = ray.util.ActorPool(workers)
        for part in parts:
            if not pool.has_free():
                yield pool.get_next_unordered()
            pool.submit(lambda worker, part: worker.finish.remote(part), part)
        while pool.has_next():
            yield pool.get_next_unordered()
    finally:
        if not was_running:
            ray.shutdown()


def engine_of(
    name: EngineName, n_workers: int | None
) -> Callable[[Task, Iterable[CorpusPart]], Iterator[Finished]]:
    """Return the function that runs a task.

    Raises InputError if a library is missing, or if workers are asked of this process alone.
    """
    if name == "local":
        if n_workers is not None:
            raise InputError(Message("corpus-workers-local"))
        return run_here
    _ray()
    return lambda task, parts: run_on_ray(task, parts, n_workers)


def _ray() -> Any:
    """Return Ray; raises InputError if it is not installed."""
    try:
        return importlib.import_module("ray")
    except ModuleNotFoundError as error:
        hint = Message.of("corpus-no-ray-hint", command=INSTALL)
        raise InputError(Message("corpus-no-ray"), hint=hint) from error


def _environment() -> dict[str, str]:
    """Return the variables of a worker, which finds the project as this process does."""
    settings = {name: value for name, value in os.environ.items() if name.startswith(SETTINGS)}
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    return settings | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}

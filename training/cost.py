"""Cost of a system: parameters, operations and time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from core.records.search import Decoding
from model import Translator

LENGTH = 16
"""Tokens of source and target for which operations are counted: about those of a caption."""
GREEDY = Decoding(beam_size=1, alpha=0.0)
BEAM = Decoding(beam_size=5, alpha=0.6)
# Turns that are not timed: the first calls fill caches.
WARM_UP = 2


def n_parameters(model: nn.Module) -> int:
    """Return the number of parameters; weights shared by two layers count once."""
    return sum(parameter.numel() for parameter in model.parameters())


def operations(model: nn.Module, length: int = LENGTH) -> int:
    """Count the operations per target token in one teacher-forced pass.

    The pass reads `length` source tokens and as many target tokens; its multiplications and
    additions, those of the encoder included, are divided by the target tokens. Only matrix products
    count: no softmax, for instance.
    """
    # Any ordinary token will do: the cost does not depend on it.
    config: Any = model.config
    ids = torch.full((1, length), config.eos_id + 1)
    # Without gradients torch takes a fused recurrent kernel, which the counter cannot look into.
    with FlopCounterMode(display=False) as counter, torch.enable_grad():
        model(ids, ids)
    return round(counter.get_total_flops() / length)


def training_facts(metrics: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return steps, seconds of training alone, and the median of target tokens a second."""
    timed = [entry for entry in metrics if "seconds" in entry]
    return {
        "steps": max((entry["step"] for entry in metrics), default=0),
        "seconds": round(timed[-1]["seconds"]) if timed else 0,
        # The median ignores pauses of the machine.
        "tokens_per_second": round(statistics.median(entry["tokens_per_second"] for entry in timed))
        if timed
        else 0,
    }


def speeds(translators: Mapping[str, Translator], texts: Sequence[str]) -> dict[str, Any]:
    """Return sentences per second of processor time, greedy and with a beam, on one thread.

    The systems take turns at every sentence, so that other programs on the machine slow all of them
    equally. Processor time is counted instead of wall-clock time for the same reason.
    """
    spent = {name: {"greedy": 0.0, "beam": 0.0} for name in translators}
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        for turn, text in enumerate([*texts[:WARM_UP], *texts]):
            for name, translator in translators.items():
                for search, decoding in (("greedy", GREEDY), ("beam", BEAM)):
                    began = time.process_time()
                    translator.search(text, decoding)
                    if turn >= WARM_UP:
                        spent[name][search] += time.process_time() - began
    finally:
        torch.set_num_threads(threads)
    return {
        name: {search: round(len(texts) / seconds, 2) for search, seconds in times.items()}
        for name, times in spent.items()
    }

"""What a system costs: parameters, operations and time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from core.search import Decoding
from model import Translator

LENGTH = 16
"""Tokens of source and target for which operations are counted: a caption's."""
GREEDY, BEAM = Decoding(beam_size=1, alpha=0.0), Decoding(beam_size=5, alpha=0.6)
WARM_UP = 2


def n_parameters(model: nn.Module) -> int:
    """Numbers that training sets; those two layers share count once."""
    return sum(parameter.numel() for parameter in model.parameters())


def operations(model: nn.Module, length: int = LENGTH) -> int:
    """Multiplications and additions of matrix products for a target token, teacher-forced.

    A pair of `length` tokens on either side is read, source included, and the sum is divided by the
    tokens of the target. What is no product of matrices, such as a softmax, is not counted.
    """
    ids = torch.full((1, length), model.config.eos_id + 1)
    # With gradients torch takes no fused recurrent kernel, which the counter could not look into.
    with FlopCounterMode(display=False) as counter, torch.enable_grad():
        model(ids, ids)
    return round(counter.get_total_flops() / length)


def training_facts(metrics: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Steps, seconds without checks and files, and the median of target tokens a second."""
    timed = [line for line in metrics if "seconds" in line]
    return {
        "steps": max((line["step"] for line in metrics), default=0),
        "seconds": round(timed[-1]["seconds"]) if timed else 0,
        "tokens_per_second": round(statistics.median(x["tokens_per_second"] for x in timed))
        if timed
        else 0,
    }


def speeds(translators: Mapping[str, Translator], texts: Sequence[str]) -> dict[str, Any]:
    """Sentences a second of processor time, greedy and with a beam, one thread.

    The systems take turns at every sentence, so that what else the machine does meets all of them.
    The time of the processor is counted and not that on the wall, for the same reason.
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

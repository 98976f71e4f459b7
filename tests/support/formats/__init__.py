"""Tiny models by layout: the name of the format, and what writes one into a folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from model.families.transformer import Transformer
from model.io.formats import format_of

from . import ctranslate2, huggingface, marian, torch_nn

SAMPLES: dict[str, tuple[str, Callable[[Path], object]]] = {
    "ctranslate2": ("CTranslate2", ctranslate2.make),
    "ctranslate2-int8": ("CTranslate2", partial(ctranslate2.make, quantization="int8")),
    "marian": ("Marian", marian.make),
    "marian-npz": ("Marian", partial(marian.make, suffix=".npz")),
    "opus-zip": ("Marian", marian.make_opus),
    "marian-int8": ("Marian", partial(marian.make, quantised=True)),
    **{
        kind: ("Hugging Face", partial(huggingface.make, kind))
        for kind in huggingface.KINDS
        if kind not in ("marian", "gated-t5")  # called opus-mt here, and like mt5
    },
    "opus-mt": ("Hugging Face", partial(huggingface.make, "marian")),
    "torch-nn": ("torch.nn.Transformer", torch_nn.make),
    "torch-nn-pt": ("torch.nn.Transformer", partial(torch_nn.make, file="weights.pt")),
}


@cache
def _shelf() -> TemporaryDirectory:
    return TemporaryDirectory(prefix="formats-")


@cache
def sample(layout: str) -> Path:
    """Folder of the tiny model of a layout, written once; a test that changes it takes a copy."""
    folder = Path(_shelf().name, layout)
    SAMPLES[layout][1](folder)
    return folder


def copied(layout: str, folder: Path) -> Path:
    """Copy the tiny model of a layout into a new folder."""
    return shutil.copytree(sample(layout), folder)


def opened(path: Path, **options: Any) -> tuple[Any, Transformer]:
    """What its format makes of a path, and the model with these weights."""
    made = format_of(path).read(path, options)
    model = Transformer(made.config).eval()
    model.load_state_dict(dict(made.tensors))
    assert not made.config.faults()
    return made, model

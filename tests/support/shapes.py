"""Families of every shape in tiny, with a checkpoint of each: the project's, toys, and what
`docs/adding-a-model.md` tells a person to write.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import torch

from model import registered, save_checkpoint
from model.families import (
    additive,
    captioner,
    convolutional,
    hierarchical,
    lstm,
    luong,
    masked,
    recurrent,
    transformer,
)
from model.families.base import Family
from model.special_tokens import SPECIAL_TOKENS
from model.tokenizer import build_tokenizer
from support.families import prenorm
from support.models import ROOT, SENTENCES

PAGE = ROOT / "docs" / "adding-a-model.md"
BLOCK = re.compile(r"^```python\n# (?P<file>\S+)\n(?P<code>.*?)^```$", re.M | re.S)
TOYS = ("recurrent", "captioner", "masked", "prenorm")
RECURRENT = {"d_model": 8, "max_len": 40, "hidden_size": 8}
ANCESTORS = {
    "cho": (recurrent.FAMILY, RECURRENT),
    "sutskever": (lstm.FAMILY, RECURRENT | {"reverse_source": True}),
    "bahdanau": (additive.FAMILY, RECURRENT),
    "convolutional": (
        convolutional.FAMILY,
        RECURRENT | {"n_encoder_layers": 2, "n_decoder_layers": 2},
    ),
    "local": (luong.FAMILY, RECURRENT | {"attention": "local-p", "window": 2}),
}
BERT = {"d_model": 8, "max_len": 40, "n_heads": 2, "n_encoder_layers": 2, "d_ff": 8}
READERS = {
    "han": (hierarchical.FAMILY, RECURRENT | {"max_len": 400}),
    "bert": (masked.FAMILY, BERT),
}
SCENES = {"d_model": 8, "hidden_size": 8, "annotation_size": 8, "attention_size": 4}
SCENE = "small red circle at 1 2; large blue star at 3 4"
OTHERS = ("additive", "opened", "scenes", "transformer", "other-names", "other-values")
TRANSLATE = ("recurrent", "captioner", "prenorm", *OTHERS, *ANCESTORS)
READ = ("masked", *READERS)
SHAPES = (*TRANSLATE, *READ)


def blocks(file: str) -> str:
    """The code on the page that belongs to a file, in its order."""
    return "\n\n".join(m["code"] for m in BLOCK.finditer(PAGE.read_text()) if m["file"] == file)


def family_of_the_page(folder: Path, file: str, config: str) -> ModuleType:
    """The module that a reader of the page has written when they come to its end."""
    path = folder / f"{Path(file).stem}_of_the_page.py"
    path.write_text(blocks(file), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    module.config, module.EXAMPLE = getattr(module, config), "The dog runs."
    return module


def toy(family: Family, sizes: dict, example: str = "The dog runs through the snow.") -> Any:
    """A family of the project in tiny, offered as the files of `tests/support/families/` are."""
    tokens = family.special_tokens.values() if family is masked.FAMILY else SPECIAL_TOKENS
    return SimpleNamespace(
        FAMILY=family,
        EXAMPLE=example,
        TOKENS=tuple(tokens),
        config=lambda vocab_size: family.config(vocab_size, **sizes),
    )


def with_other_values() -> Family:
    """A family of the project whose equations, values and directions nobody here has words for."""

    def build(config: Any) -> torch.nn.Module:
        model = additive.FAMILY.build(config)
        model.state_value.name = "state-of-mine"
        model.encoder.states.parts = ("inwards", "outwards")
        values = {"state": "state-of-mine"}
        model.equations = tuple(
            replace(each, name=f"{each.name}-of-mine", value=values.get(each.value, each.value))
            for each in model.equations
        )
        return model

    return replace(additive.FAMILY, name="toy-other-values", build=build)


@contextmanager
def every_shape(page: Path) -> Iterator[dict[str, Any]]:
    """The families by the names of their shapes, known to the registry within the block; what
    people write who follow the page lies in `page`.
    """
    found = {name: importlib.import_module(f"support.families.{name}") for name in TOYS}
    found["additive"] = family_of_the_page(page, "model/families/additive.py", "AdditiveConfig")
    found["opened"] = family_of_the_page(page, "my_model.py", "MyConfig")
    names = vars(found["prenorm"])
    found["other-names"] = SimpleNamespace(**names | {"FAMILY": names["OTHER_NAMES"]})
    found["other-values"] = toy(with_other_values(), RECURRENT)
    with registered(*(module.FAMILY for module in found.values())):
        found["transformer"] = SimpleNamespace(**names | {"FAMILY": transformer.FAMILY})
        found["scenes"] = toy(captioner.FAMILY, SCENES, SCENE)
        yield found | {name: toy(*each) for name, each in (ANCESTORS | READERS).items()}
    del sys.modules["additive_of_the_page"], sys.modules["my_model_of_the_page"]


def vocabulary(module: Any = None, size: int = 90) -> Any:
    tokens = getattr(module, "TOKENS", SPECIAL_TOKENS)
    return build_tokenizer([*SENTENCES] * 3, size, tokens)


def write_checkpoint(path: Path, module: Any) -> torch.nn.Module:
    """Random weights of a shape, and an example that it can read."""
    tokenizer = vocabulary(module)
    torch.manual_seed(7)
    model = module.FAMILY.build(module.config(tokenizer.vocab_size)).eval()
    if hasattr(module, "some_steps"):
        module.some_steps(model)
    sizes = module.FAMILY.vocabularies
    save_checkpoint(
        path,
        model,
        dict.fromkeys(sizes, tokenizer) if len(set(sizes.values())) == 2 else tokenizer,
        architecture=module.FAMILY.name,
        card={"title": path.name, "examples": [module.EXAMPLE]},
    )
    return model


def write_boasting(root: Path) -> Path:
    """A checkpoint "boasting" of a family that claims more than is true of its random weights."""
    tokenizer, family = vocabulary(), prenorm.BOASTING
    torch.manual_seed(7)
    model = family.build(prenorm.config(tokenizer.vocab_size)).eval()
    save_checkpoint(root / "boasting", model, tokenizer, architecture=family.name)
    return root / "boasting"

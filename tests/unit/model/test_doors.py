"""What a person may hand over by mistake, and what each door says of it."""

from __future__ import annotations

import pytest
import torch

from core.search import Decoding
from core.tokens import TokenSequence
from model import ModelError, load_reader, load_translator

NOTHING = TokenSequence("", (), (), ())
DOORS = {
    "translate, texts": (lambda t: t.translate(["a dog"]), "the text as str, found list"),
    "translate, nothing": (lambda t: t.translate(None), "the text as str, found NoneType"),
    "translate, decoding": (lambda t: t.translate("a dog", "beam"), "decoding as Decoding"),
    "translate, prefix": (lambda t: t.translate("a dog", prefix=["a"]), "prefix as str"),
    "translate, intervention": (
        lambda t: t.translate("a dog", intervention="hide"), "intervention as Intervention"),
    "search": (lambda t: t.search(["a dog"]), "the text as str"),
    "sample, texts": (lambda t: t.sample(["a dog"]), "the text as str"),
    "sample": (lambda t: t.sample("a dog", Decoding()), "sampling as Sampling"),
    "exact_search": (lambda t: t.exact_search(["a dog"]), "the text as str"),
    "candidates": (lambda t: t.candidates(["a dog"]), "the text as str"),
    "compare": (lambda t: t.compare("a dog", ["ein Hund"]), "the text as str, found list"),
    "attend": (lambda t: t.attend(["a dog"], "ein Hund"), "the text as str"),
    "read_pair": (lambda t: t.read_pair("a dog", ["ein Hund"]), "the text as str"),
    "read_again, source": (lambda t: t.read_again("a dog", NOTHING), "src as TokenSequence"),
    "read_again, target": (lambda t: t.read_again(NOTHING, "ein Hund"), "tgt as TokenSequence"),
    "score": (lambda t: t.score("a dog", 3), "the text as str, found int"),
    "tokenize": (lambda t: t.tokenize(["a dog"]), "the text as str"),
    "read": (lambda t: t.read(["a dog"]), "the text as str"),
}  # fmt: skip


@pytest.mark.parametrize("door", DOORS)
def test_another_type_is_told_at_the_door(door, tiny_translator):
    call, told = DOORS[door]
    with pytest.raises(TypeError, match=told):
        call(tiny_translator)


@pytest.mark.parametrize("load", [load_reader, load_translator])
@pytest.mark.parametrize(
    ("given", "how", "told"),
    [
        (["en-de"], {}, "name_or_path as str or PathLike, found list"),
        (None, {}, "name_or_path as str or PathLike, found NoneType"),
        ("en-de", {"options": ["heads"]}, "options as Mapping or None, found list"),
        ("en-de", {"device": None}, "device as str or device, found NoneType"),
    ],
)
def test_another_type_is_told_by_who_loads(load, given, how, told):
    with pytest.raises(TypeError, match=told):
        load(given, **how)


@pytest.mark.parametrize("load", [load_reader, load_translator])
@pytest.mark.parametrize("device", ["cuda:99", "gpu", "meta"])
def test_a_device_that_torch_cannot_use_is_told_with_those_that_it_can(load, device):
    with pytest.raises(ModelError, match=device) as raised:
        load("en-de", device)
    assert "cpu" in str(raised.value.hint)


def test_cuda_on_a_computer_without_it_is_told():
    if torch.cuda.is_available():
        pytest.skip("this computer has it")
    with pytest.raises(ModelError, match="'cuda' cannot be used") as raised:
        load_reader("en-de", "cuda")
    assert "NVIDIA" in str(raised.value.hint)

"""What must hold of every family that there is, in all its variants."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from unit.model.test_captioner import CHOICES, PIXELS, captioner
from unit.model.test_families import MODELS, SRC, TGT
from unit.model.test_hierarchical import KINDS
from unit.model.test_hierarchical import make as hierarchical
from unit.model.test_masked import IDS
from unit.model.test_masked import make as masked
from unit.model.test_transformer import make_model, randomised

from model import capture_attention
from model.family import structure_faults
from model.registry import families
from training.documents import logits_of

Item = tuple[Any, ...]  # what a model is called with
MAKERS: dict[str, Callable[[], nn.Module]] = {
    **MODELS,
    "transformer": lambda: randomised(make_model()),
    "transformer-uneven": lambda: randomised(make_model(n_encoder_layers=3, n_decoder_layers=1)),
    "masked": masked,
    **{f"captioner-{attention}": partial(captioner, attention) for attention in CHOICES},
    **{f"hierarchical-{'-'.join(e.values())}": partial(hierarchical, **e) for e in KINDS},
}
LONG, SHORT = (SRC, TGT), (torch.tensor([[6, 11, 3]]), TGT[:, :3])
DOCUMENTS = ([3, 4, 5, 6, 7, 8], [7]), ([8],), ([3], [9, 4], [5, 6, 7])


def read(document: tuple[list[int], ...]) -> Item:
    return (tuple(torch.tensor([sentence]) for sentence in document),)


def items_of(name: str) -> list[Item]:
    """Several of different lengths."""
    if name.startswith("hierarchical"):
        return list(map(read, DOCUMENTS))
    if name.startswith("captioner"):
        return [(PIXELS, LONG[1] % 12), (1 - PIXELS, SHORT[1] % 12)]
    if name == "masked":
        return [(IDS,), (torch.tensor([[2, 8, 8, 9, 10, 11, 12, 3]]),)]
    return [tuple(ids % 23 for ids in item) for item in (LONG, SHORT)]


def together(name: str, model: nn.Module, items: list[Item]) -> list[Tensor]:
    """Logits of items that are padded to one batch, each as long as it is alone."""
    if name.startswith("hierarchical"):
        rows = [row for document in DOCUMENTS for row in document]
        longest = max(map(len, rows)) + 2
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        logits = logits_of(model, ids, [len(row) for row in rows], [len(d) for d in DOCUMENTS])
        return [row[None] for row in logits]
    columns = zip(*items, strict=True)
    parts = (torch.cat([padded(column, part) for part in column]) for column in columns)
    logits = model(*parts)
    return [row[None, : item[-1].shape[1]] for row, item in zip(logits, items, strict=True)]


def padded(several: Item, part: Tensor) -> Tensor:
    """Ids with zeros to the length of the longest; pictures as they are."""
    longest = max(each.shape[1] for each in several)
    return F.pad(part, (0, longest - part.shape[1])) if part.dim() == 2 else part


def heard(model: nn.Module, item: Item) -> list[np.ndarray]:
    """Logits of an item, and all that is looked at for it."""
    with torch.inference_mode(), capture_attention(model) as captured:
        logits = model(*item)
    maps = [(site.name, i) for site in model.sites for i in range(captured.n_items(site.name))]
    return [logits.numpy(), *(captured.weights(*each) for each in maps)]


def left_on(model: nn.Module) -> list[tuple[str, dict[str, int]]]:
    """Everything that hangs on a model's modules, and how many hooks."""
    return [
        (name, {key: len(v) if key.endswith("hooks") else id(v) for key, v in vars(part).items()})
        for name, part in model.named_modules()
    ]


@pytest.fixture(params=MAKERS)
def name(request) -> str:
    return request.param


@pytest.fixture
def model(name) -> nn.Module:
    return MAKERS[name]()


def test_every_family_is_here_and_every_model_is_what_its_family_says():
    by_build = {family.build: family for family in families().values()}
    made = [make() for make in MAKERS.values()]
    assert {type(model) for model in made} == by_build.keys()
    for model in made:
        assert structure_faults(by_build[type(model)], model) == []


def test_every_head_is_heard_and_its_rows_sum_to_one(name, model):
    with torch.inference_mode(), capture_attention(model) as captured:
        model(*items_of(name)[0])
    assert captured.kinds == tuple(site.name for site in model.sites)
    for site in model.sites:
        weights = captured.weights(site.name)
        assert weights.shape[:3] == (1, site.n_layers, site.n_heads)
        sums = weights.sum(-1)
        np.testing.assert_allclose(sums, 1 if site.normalised else sums.clip(0, 1), atol=1e-5)
        assert (weights >= 0).all()


@torch.inference_mode()
def test_an_item_of_a_padded_batch_is_what_it_is_alone(name, model):
    items = items_of(name)
    for row, item in zip(together(name, model, items), items, strict=True):
        torch.testing.assert_close(row, model(*item), rtol=0, atol=1e-5)


@torch.inference_mode()
@pytest.mark.parametrize("name", [n for n in MAKERS if not n.startswith(("masked", "hierar"))])
def test_steps_say_what_the_whole_pass_says(name, model):
    src, tgt = items_of(name)[0]
    state, rows = model.start(src), []
    for token in tgt[0]:
        log_probs, state = model.step(state, token[None])
        rows.append(log_probs[0])
    expected = model(src, tgt)[0].log_softmax(dim=-1)
    torch.testing.assert_close(torch.stack(rows), expected, rtol=0, atol=1e-5)


def test_gradients_reach_every_parameter(name, model):
    model(*items_of(name)[0]).square().sum().backward()
    without = {n for n, parameter in model.named_parameters() if parameter.grad is None}
    # A gaze that is drawn, or ignored, has a loss of its own or none.
    gaze = {"query.weight", "query.bias", "key.weight", "energy.weight"}
    assert without == (gaze if name in ("captioner-hard", "captioner-mean") else set())


@torch.inference_mode()
def test_a_state_dict_holds_all_of_a_model(name, model):
    (item, *_), other = items_of(name), MAKERS[name]()
    for parameter in other.parameters():
        parameter.add_(1)
    assert not torch.allclose(other(*item), model(*item))
    other.load_state_dict(model.state_dict())
    assert torch.equal(other(*item), model(*item))


def test_threads_do_not_meet_and_leave_nothing_on_the_modules(name, model):
    items, before = items_of(name), left_on(model)
    in_turn = [heard(model, item) for item in items]
    jobs = list(range(len(items))) * 4
    with ThreadPoolExecutor(4) as pool:
        for job, arrays in zip(jobs, pool.map(lambda i: heard(model, items[i]), jobs), strict=True):
            assert all(map(np.array_equal, arrays, in_turn[job]))
    assert left_on(model) == before

"""Properties of every family, in all its variants."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model import capture_attention
from model.io.assembly import structure_faults
from model.io.registry import families
from support.variants import MODELS, PIXELS, SRC, TGT
from training.objectives.documents import logits_of

Item = tuple[Any, ...]  # what a model is called with
DOCUMENTS = ([3, 4, 5, 6, 7, 8], [7]), ([8],), ([3], [9, 4], [5, 6, 7])


def items_of(name: str) -> list[Item]:
    """Several of different lengths."""
    if name.startswith("hierarchical"):
        return [(tuple(torch.tensor([row]) for row in document),) for document in DOCUMENTS]
    if name.startswith("captioner"):
        return [(PIXELS, TGT % 12), (1 - PIXELS, TGT[:, :3] % 12)]
    if name == "masked":
        return [(SRC,), (torch.tensor([[2, 8, 8, 9, 10, 11, 12, 3]]),)]
    short = torch.tensor([[6, 11, 3]]), TGT[:, :3]
    return [tuple(ids % 23 for ids in item) for item in ((SRC, TGT), short)]


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
    assert captured.site_ids == tuple(site.name for site in model.sites)
    maps = []
    for site in model.sites:
        maps += [captured.weights(site.name, i) for i in range(captured.n_items(site.name))]
        assert maps[-1].shape[:3] == (1, site.n_layers, site.n_heads)
        sums = maps[-1].sum(-1)
        np.testing.assert_allclose(sums, 1 if site.normalised else sums.clip(0, 1), atol=1e-5)
    return [logits.numpy(), *maps]


def left_on(model: nn.Module) -> list[tuple[str, dict[str, int]]]:
    """Everything that hangs on a model's modules, and how many hooks."""
    return [
        (name, {key: len(v) if key.endswith("hooks") else id(v) for key, v in vars(part).items()})
        for name, part in model.named_modules()
    ]


@pytest.fixture(params=MODELS)
def name(request) -> str:
    return request.param


@pytest.fixture
def model(name) -> nn.Module:
    return MODELS[name]()


def test_every_family_is_here_and_every_model_is_what_its_family_says():
    by_build = {family.build: family for family in families().values()}
    made = [make() for make in MODELS.values()]
    assert {type(model) for model in made} == by_build.keys()
    for model in made:
        assert structure_faults(by_build[type(model)], model) == []


@torch.inference_mode()
def test_items_of_a_padded_batch_and_threads_give_what_one_run_alone_gives(name, model):
    items, before = items_of(name), left_on(model)
    in_turn = [heard(model, item) for item in items]
    for row, (logits, *_) in zip(together(name, model, items), in_turn, strict=True):
        torch.testing.assert_close(row, torch.from_numpy(logits), rtol=0, atol=1e-5)
    jobs = list(range(len(items))) * 3
    with ThreadPoolExecutor(4) as pool:
        for job, arrays in zip(jobs, pool.map(lambda i: heard(model, items[i]), jobs), strict=True):
            assert all(map(np.array_equal, arrays, in_turn[job]))
    assert left_on(model) == before


@torch.inference_mode()
@pytest.mark.parametrize("name", [n for n in MODELS if not n.startswith(("masked", "hierar"))])
@pytest.mark.parametrize("n", [1, 6])
def test_steps_say_what_the_whole_pass_says_of_short_sources_and_longest_targets(name, model, n):
    src, tgt = items_of(name)[0]
    src, tgt = src[:, -n:] if src.dim() == 2 else src, tgt.repeat(1, 4)
    state, rows = model.start(src), []
    for token in tgt[0]:
        log_probs, state = model.step(state, token[None])
        rows.append(log_probs[0])
    expected = model(src, tgt)[0].log_softmax(dim=-1)
    assert expected.isfinite().all()
    torch.testing.assert_close(torch.stack(rows), expected, rtol=0, atol=1e-5)


def test_gradients_reach_every_parameter_and_a_state_dict_holds_all(name, model):
    (item, *_), other = items_of(name), MODELS[name]()
    model(*item).square().sum().backward()
    without = {n for n, parameter in model.named_parameters() if parameter.grad is None}
    # A gaze that is drawn, or ignored, has a loss of its own or none.
    gaze = {"query.weight", "query.bias", "key.weight", "energy.weight"}
    assert without == (gaze if name in ("captioner-hard", "captioner-mean") else set())
    with torch.inference_mode():
        for parameter in other.parameters():
            parameter.add_(1)
        assert not torch.allclose(other(*item), model(*item))
        other.load_state_dict(model.state_dict())
        assert torch.equal(other(*item), model(*item))

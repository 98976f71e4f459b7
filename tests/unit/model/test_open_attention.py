"""torch's attention opened in place: its own results, and captured weights."""

import copy
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from core.records.attention import CROSS
from model import ModelError, capture_attention, open_attention
from words import english

B, T_Q, T_K, WIDTH, HEADS = 2, 3, 5, 8, 2


def mask_of(kind: str, *shape: int) -> torch.Tensor | None:
    """No mask, one of truth values, or of numbers with -inf; every row may look somewhere, but for
    "empty".
    """
    if kind == "none":
        return None
    closed = torch.rand(*shape) < 0.5
    closed[..., 0] = False
    if kind == "empty":
        closed[..., 0, :] = True
    if kind != "float":
        return closed
    return torch.randn(*shape).double().masked_fill(closed, -math.inf)


def both(first: bool = True, **told) -> tuple[nn.MultiheadAttention, nn.MultiheadAttention]:
    theirs = nn.MultiheadAttention(WIDTH, HEADS, batch_first=first, **told).double()
    for parameter in theirs.parameters():
        nn.init.normal_(parameter, std=0.5)
    ours = copy.deepcopy(theirs)
    open_attention(ours)
    return theirs, ours


@pytest.mark.filterwarnings("ignore:Support for mismatched")
@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 2**16),
    padding=st.sampled_from(["none", "bool", "float"]),
    looks=st.sampled_from(["none", "bool", "float"]),
    each_head=st.booleans(),
    batch=st.sampled_from(["first", "second", "none"]),
    bias=st.booleans(),
    returned=st.sampled_from(["nothing", "mean", "heads"]),
)
def test_results_and_gradients_are_those_of_torch(
    seed, padding, looks, each_head, batch, bias, returned
):
    torch.manual_seed(seed)
    n = 1 if batch == "none" else B
    theirs, ours = both(batch == "first", bias=bias)
    read = [torch.randn(n, length, WIDTH).double() for length in (T_Q, T_K, T_K)]
    if batch == "second":
        read = [x.transpose(0, 1) for x in read]
    masks = {
        "key_padding_mask": mask_of(padding, n, T_K),
        "attn_mask": mask_of(looks, *((n * HEADS,) if each_head else ()), T_Q, T_K),
    }
    if batch == "none":
        read = [x[0] for x in read]
        if padding != "none":
            masks["key_padding_mask"] = masks["key_padding_mask"][0]
    told = {"need_weights": returned != "nothing", "average_attn_weights": returned == "mean"}
    results = []
    for layer in (theirs, ours):
        inputs = [x.clone().requires_grad_() for x in read]
        output, weights = layer(*inputs, **masks, **told)
        output.square().sum().backward()
        results.append((output, weights, [x.grad for x in (*inputs, *layer.parameters())]))
    torch.testing.assert_close(results[1], results[0], rtol=1e-9, atol=1e-9)


def test_a_row_that_may_look_nowhere_gives_what_the_fused_kernel_gives():
    theirs, ours = both()
    x = torch.randn(B, T_Q, WIDTH).double().requires_grad_()
    told = {"attn_mask": mask_of("empty", T_Q, T_Q), "need_weights": False}
    torch.testing.assert_close(ours(x, x, x, **told), theirs(x, x, x, **told))
    ours(x, x, x, **told)[0].sum().backward()
    assert x.grad.isfinite().all()


@pytest.mark.parametrize(("norm_first", "batch_first"), [(False, True), (True, False)])
@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_a_whole_transformer_is_captured_and_computes_the_same(norm_first, batch_first):
    torch.manual_seed(3)
    orders = {"norm_first": norm_first, "batch_first": batch_first}
    theirs = nn.Transformer(WIDTH, HEADS, 2, 3, 16, **orders).eval()
    ours = copy.deepcopy(theirs)
    parameters = {name: id(parameter) for name, parameter in ours.named_parameters()}
    sites = open_attention(ours)
    assert {name: id(parameter) for name, parameter in ours.named_parameters()} == parameters
    assert [(site.name, site.n_layers, site.n_heads) for site in sites] == [
        ("encoder", 2, HEADS), ("decoder", 3, HEADS), ("cross", 3, HEADS),
    ]  # fmt: skip
    src, tgt = torch.randn(B, T_K, WIDTH), torch.randn(B, T_Q, WIDTH)
    if not batch_first:
        src, tgt = src.transpose(0, 1), tgt.transpose(0, 1)
    padding = torch.tensor([[False] * T_K, [False] * 3 + [True] * 2])
    masks = {
        "tgt_mask": theirs.generate_square_subsequent_mask(T_Q),
        "src_key_padding_mask": padding,
        "memory_key_padding_mask": padding,
    }
    # Torch's own fast path would be taken here, where no gradient is asked for.
    with torch.inference_mode(), capture_attention(ours, scores=True) as captured:
        output = ours(src, tgt, **masks)
    torch.testing.assert_close(output, theirs(src, tgt, **masks), rtol=1e-5, atol=2e-6)
    weights = captured.weights("decoder")
    assert weights.shape == (B, 3, HEADS, T_Q, T_Q)
    assert captured.weights("cross").shape == (B, 3, HEADS, T_Q, T_K)
    assert weights[..., 0, 1:].max() == 0
    assert captured.weights("encoder")[1, ..., 3:].max() == 0
    ours.load_state_dict(theirs.state_dict())


def test_scores_and_weights_tell_the_same():
    _, ours = both()
    x = torch.randn(B, T_Q, WIDTH).double()
    with capture_attention(ours, scores=True) as captured:
        _, told = ours(x, x, x, attn_mask=torch.randn(T_Q, T_Q), average_attn_weights=False)
    scores = torch.tensor(captured.scores("attention")[:, 0])
    torch.testing.assert_close(scores.softmax(-1), told.float())


class Blocks(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(
            nn.ModuleDict({name: nn.MultiheadAttention(WIDTH, HEADS) for name in ("look", "read")})
            for _ in range(2)
        )


def test_sites_are_named_by_their_paths_or_as_told():
    sites = open_attention(Blocks(), {"blocks.read": CROSS})
    assert [site.name for site in sites] == ["blocks.look", "cross"]
    assert (sites[1].key, sites[1].n_layers) == ("source", 2)
    layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 8, batch_first=True)
    stacks = nn.ModuleDict({n: nn.TransformerEncoder(layer, 2) for n in ("words", "pictures")})
    assert [s.name for s in open_attention(stacks)] == ["encoder", "pictures.layers.self_attn"]


def test_opened_twice_is_opened_once():
    model = Blocks()
    assert open_attention(model) == open_attention(model)
    x = torch.randn(T_Q, B, WIDTH)
    with capture_attention(model.blocks[1]["look"]) as captured:
        model.blocks[1]["look"](x, x, x)
    assert captured.weights("blocks.look").shape == (B, 1, HEADS, T_Q, T_Q)


class Mine(nn.MultiheadAttention):
    pass


@pytest.mark.parametrize(
    ("model", "named"),
    [
        (nn.MultiheadAttention(WIDTH, HEADS, add_bias_kv=True), "add_bias_kv"),
        (nn.MultiheadAttention(WIDTH, HEADS, add_zero_attn=True), "add_zero_attn"),
        (nn.Sequential(nn.MultiheadAttention(WIDTH, HEADS, kdim=4, vdim=6)), "0 uses kdim, vdim"),
        (Mine(WIDTH, HEADS), "Mine"),
        (nn.Linear(2, 2), "nn.MultiheadAttention"),
    ],
)
def test_what_is_not_opened_is_named_and_left_alone(model, named):
    kinds = [type(module) for module in model.modules()]
    with pytest.raises(ModelError, match=named) as raised:
        open_attention(model)
    assert "AttentionProbe" in english.of(raised.value.hint)
    assert [type(module) for module in model.modules()] == kinds


def test_a_hint_of_causality_without_a_mask_is_refused_as_by_torch():
    x = torch.randn(B, T_Q, WIDTH).double()
    for layer, error in zip(both(), (RuntimeError, ValueError), strict=True):
        with pytest.raises(error, match="attn_mask"):
            layer(x, x, x, is_causal=True, need_weights=False)

"""Products in every form against sums in float64."""

import pytest
import torch
import torch.nn.functional as F
from torch.autograd import forward_ad

from model.nets.products import FORMS, LAYOUTS, Linear, fastest_products, is_onednn_faster, linear

SIZES = ((48, 16), (16, 16), (7, 33), (1000, 24))


def layer(size, *, bias):
    generator = torch.Generator().manual_seed(sum(size))
    weight = torch.randn(size, generator=generator)
    return weight, torch.randn(size[0], generator=generator) if bias else None


def exact(x, weight, bias):
    product = x.double() @ weight.double().t()
    return (product if bias is None else product + bias).float()


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("n_rows", [1, 5, 20])
def test_each_form_is_the_product(name, bias, n_rows):
    form = FORMS[name]
    for size in SIZES:
        weight, added = layer(size, bias=bias)
        x = torch.randn(n_rows, size[1], generator=torch.Generator().manual_seed(1))
        product = form.multiply(x, LAYOUTS[form.layout](weight), added)
        # Sums of up to 34 terms of size 1.
        torch.testing.assert_close(product, exact(x, weight, added), rtol=1e-6, atol=1e-5)
        assert product.is_contiguous()


def test_the_fastest_products_are_those_of_their_layers():
    layers = [layer(size, bias=bias) for size in SIZES for bias in (True, False)]
    for product, (weight, bias) in zip(fastest_products(layers), layers, strict=True):
        for n_rows in (1, 2, 5, 17):
            x = torch.randn(n_rows, weight.shape[1], generator=torch.Generator().manual_seed(2))
            expected = exact(x, weight, bias)
            torch.testing.assert_close(product(x), expected, rtol=1e-6, atol=1e-5)


def test_weights_that_are_stored_transposed_are_not_copied():
    weight = torch.randn(16, 12).t()
    assert LAYOUTS["transposed"](weight).data_ptr() == weight.data_ptr()


def test_a_form_that_rounds_to_half_precision_is_not_chosen(monkeypatch):
    def rounded(x, stored, bias):
        product = (x.bfloat16() @ stored.bfloat16()).float()
        return product if bias is None else product + bias

    # First in the list, it would be chosen were it only as fast as the others.
    inexact = {"transposed": type(FORMS["linear"])("transposed", rounded)}
    monkeypatch.setattr("model.nets.products.FORMS", inexact | {"linear": FORMS["linear"]})
    monkeypatch.setattr("model.nets.products.GAIN", float("inf"))
    weight, bias = layer((1000, 24), bias=True)
    product = fastest_products([(weight, bias)])[0]
    x = torch.randn(5, 24)
    torch.testing.assert_close(product(x), exact(x, weight, bias), rtol=1e-6, atol=1e-5)


def test_a_build_without_packed_weights_has_the_other_forms(monkeypatch):
    def absent(weight):
        raise AttributeError("no such operator")

    monkeypatch.setitem(LAYOUTS, "packed", absent)
    weight, bias = layer((48, 16), bias=True)
    product = fastest_products([(weight, bias)])[0]
    x = torch.randn(5, 16)
    torch.testing.assert_close(product(x), exact(x, weight, bias), rtol=1e-6, atol=1e-5)


@pytest.fixture(params=[True, False], ids=["onednn", "torch"])
def onednn(request, monkeypatch):
    """Let `linear` find that oneDNN is faster, or that it is not."""
    monkeypatch.setattr("model.nets.products.is_onednn_faster", lambda _: request.param)
    return request.param


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize(
    "shape", [(5, 256), (2, 9, 256), (3, 1, 50, 256), (256,), (1, 256), (0, 256)]
)
@pytest.mark.usefixtures("onednn")
def test_a_linear_layer_is_the_product_in_both_layouts(shape, bias):
    weight, added = layer((520, 256), bias=bias)
    x = torch.randn(shape, generator=torch.Generator().manual_seed(3))
    with torch.inference_mode():
        for stored in (weight, weight.t().contiguous().t()):
            # Sums of 256 terms of size 1.
            torch.testing.assert_close(
                linear(x, stored, added), exact(x, weight, added), rtol=1e-6, atol=1e-4
            )


@pytest.mark.usefixtures("onednn")
def test_a_linear_layer_reads_every_second_row():
    weight, _ = layer((520, 256), bias=False)
    x = torch.randn(24, 256, generator=torch.Generator().manual_seed(4))[::2]
    with torch.inference_mode():
        torch.testing.assert_close(linear(x, weight), exact(x, weight, None), rtol=1e-6, atol=1e-4)


@pytest.mark.usefixtures("onednn")
def test_a_linear_layer_has_the_gradient_of_torchs_own():
    ours = Linear(256, 520)
    x = torch.randn(12, 256, generator=torch.Generator().manual_seed(5))
    ours(x).square().sum().backward()
    weight = ours.weight.detach().requires_grad_(True)
    F.linear(x, weight, ours.bias).square().sum().backward()
    torch.testing.assert_close(ours.weight.grad, weight.grad)


@pytest.mark.usefixtures("onednn")
def test_a_linear_layer_of_double_precision_stays_double():
    ours = Linear(256, 520).double()
    with torch.inference_mode():
        assert ours(torch.ones(12, 256).double()).dtype == torch.float64


def test_a_build_without_onednn_multiplies_as_torch_does(monkeypatch):
    def absent(*_):
        raise AttributeError("no such operator")

    monkeypatch.setattr("model.nets.products._packed", absent)
    is_onednn_faster.cache_clear()
    try:
        weight, bias = layer((520, 256), bias=True)
        x = torch.randn(12, 256)
        with torch.inference_mode():
            assert torch.equal(linear(x, weight, bias), F.linear(x, weight, bias))
    finally:
        is_onednn_faster.cache_clear()


@pytest.mark.usefixtures("onednn")
def test_a_linear_layer_reads_a_bias_that_is_spread_in_memory():
    weight, bias = layer((520, 256), bias=True)
    x = torch.randn(12, 256, generator=torch.Generator().manual_seed(6))
    with torch.inference_mode():
        for spread in (bias.repeat_interleave(2)[::2], bias[:1].expand(520)):
            torch.testing.assert_close(
                linear(x, weight, spread), exact(x, weight, spread), rtol=1e-6, atol=1e-4
            )


@pytest.mark.usefixtures("onednn")
def test_a_linear_layer_passes_on_a_tangent():
    weight, _ = layer((520, 256), bias=False)
    x = torch.randn(12, 256, generator=torch.Generator().manual_seed(7))
    with torch.no_grad(), forward_ad.dual_level():
        tangent = forward_ad.unpack_dual(linear(forward_ad.make_dual(x, x), weight)).tangent
    torch.testing.assert_close(tangent, exact(x, weight, None), rtol=1e-6, atol=1e-4)


@pytest.mark.usefixtures("onednn")
def test_rows_of_another_width_are_refused_as_torch_does():
    weight, bias = layer((520, 256), bias=True)
    with torch.inference_mode(), pytest.raises(RuntimeError, match="cannot be multiplied"):
        linear(torch.ones(16, 200), weight, bias)


def test_texts_of_all_lengths_reach_onednn_in_few_sizes(monkeypatch):
    sizes = set()

    def counted(x, weight, bias):
        sizes.add(x.shape)
        return F.linear(x, weight, bias)

    monkeypatch.setattr("model.nets.products.is_onednn_faster", lambda _: True)
    monkeypatch.setattr("model.nets.products._packed", counted)
    weight, bias = layer((520, 256), bias=True)
    with torch.inference_mode():
        for n_rows in range(1, 300):
            linear(torch.ones(n_rows, 256), weight, bias)
    # Each costs about a megabyte that is never freed.
    assert 0 < len(sizes) <= 8


def test_the_processor_is_measured_whatever_the_default_device():
    is_onednn_faster.cache_clear()
    try:
        with torch.device("meta"):
            assert is_onednn_faster(torch.get_num_threads()) in (True, False)
    finally:
        is_onednn_faster.cache_clear()

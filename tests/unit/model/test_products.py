"""Products in every form against sums in float64."""

import pytest
import torch

from model.nets.products import FORMS, LAYOUTS, fastest_products

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

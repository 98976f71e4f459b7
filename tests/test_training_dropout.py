"""Dropout from a pool: it must be dropout all the same."""

import torch
from conftest import make_model
from torch import nn

from training.dropout import PooledDropout, use_pooled_dropout


def pooled(p=0.25, pool_size=1 << 16, dtype=torch.float32):
    model = nn.Sequential(nn.Dropout(p))
    use_pooled_dropout(model, p, dtype, pool_size=pool_size)
    return model[0].train()


def test_evaluation_changes_nothing():
    x = torch.randn(3, 4)
    assert pooled().eval()(x) is x


def test_the_wanted_share_is_dropped():
    torch.manual_seed(0)
    dropped = (pooled(0.25)(torch.ones(100, 400)) == 0).float().mean()
    torch.testing.assert_close(dropped, torch.tensor(0.25), rtol=0, atol=0.01)


def test_the_mean_is_kept():
    torch.manual_seed(0)
    mean = pooled(0.25)(torch.ones(100, 400)).mean()
    torch.testing.assert_close(mean, torch.tensor(1.0), rtol=0, atol=0.015)


def test_what_is_not_dropped_grows():
    kept = pooled(0.2)(torch.ones(50))
    assert set(kept.tolist()) == {0.0, 1.25}


def test_two_calls_drop_different_numbers():
    torch.manual_seed(0)
    layer = pooled(0.5)
    assert not torch.equal(layer(torch.ones(200)), layer(torch.ones(200)))


def test_the_same_seed_drops_the_same_numbers():
    layer = pooled(0.5)
    results = []
    for _ in range(2):
        torch.manual_seed(3)
        results.append(layer(torch.ones(200)))
    torch.testing.assert_close(*results, rtol=0, atol=0)


def test_what_is_dropped_gets_no_gradient():
    x = torch.ones(200, requires_grad=True)
    kept = pooled(0.5)(x)
    kept.sum().backward()
    torch.testing.assert_close(x.grad, kept.detach())


def test_a_pool_smaller_than_the_input_is_repeated():
    torch.manual_seed(0)
    kept = pooled(0.5, pool_size=64)(torch.ones(10, 25))
    assert kept.shape == (10, 25)
    assert 0.3 < float((kept == 0).float().mean()) < 0.7


def test_the_pool_decides_the_precision():
    assert pooled(dtype=torch.bfloat16)(torch.ones(5)).dtype == torch.bfloat16


def test_every_dropout_of_a_model_shares_one_pool():
    model = make_model()
    n_dropouts = sum(isinstance(m, nn.Dropout) for m in model.modules())
    use_pooled_dropout(model, 0.1, torch.float32, pool_size=1 << 10)
    layers = [m for m in model.modules() if isinstance(m, PooledDropout)]
    assert len(layers) == n_dropouts
    assert len({id(layer.pool) for layer in layers}) == 1
    assert not any(isinstance(m, nn.Dropout) for m in model.modules())


def test_the_pool_is_not_written_to_a_checkpoint():
    model = make_model()
    names = set(model.state_dict())
    use_pooled_dropout(model, 0.1, torch.float32, pool_size=1 << 10)
    assert set(model.state_dict()) == names

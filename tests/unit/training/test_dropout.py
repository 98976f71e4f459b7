"""Dropout from a pool: it must be dropout all the same."""

import torch
from torch import nn

from support.models import make_model
from training.dropout import PooledDropout, use_pooled_dropout


def pooled(p=0.25, pool_size=1 << 16, dtype=torch.float32):
    model = nn.Sequential(nn.Dropout(p))
    use_pooled_dropout(model, p, dtype, pool_size=pool_size)
    return model[0].train()


def test_evaluation_changes_nothing():
    x = torch.randn(3, 4)
    assert pooled().eval()(x) is x


def test_the_wanted_share_is_dropped_the_rest_grows_and_the_mean_is_kept():
    torch.manual_seed(0)
    kept = pooled(0.2)(torch.ones(100, 400))
    assert set(kept.unique().tolist()) == {0.0, 1.25}
    dropped = (kept == 0).float().mean()
    torch.testing.assert_close(dropped, torch.tensor(0.2), rtol=0, atol=0.01)


def test_two_calls_drop_different_numbers_and_the_same_seed_the_same():
    layer, results = pooled(0.5), []
    for _ in range(2):
        torch.manual_seed(3)
        results.append([layer(torch.ones(200)) for _ in range(2)])
    torch.testing.assert_close(*results, rtol=0, atol=0)
    assert not torch.equal(*results[0])


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


def test_every_dropout_of_a_model_shares_one_pool_that_is_not_stored():
    model = make_model()
    n_dropouts, names = (
        sum(isinstance(m, nn.Dropout) for m in model.modules()),
        set(model.state_dict()),
    )
    use_pooled_dropout(model, 0.1, torch.float32, pool_size=1 << 10)
    layers = [m for m in model.modules() if isinstance(m, PooledDropout)]
    assert len(layers) == n_dropouts
    assert len({id(layer.pool) for layer in layers}) == 1
    assert not any(isinstance(m, nn.Dropout) for m in model.modules())
    assert set(model.state_dict()) == names

"""The decoder step over tensors against the step over modules, and when each of them runs."""

import copy
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from core.interventions.intervention import Intervention
from core.interventions.kinds import HiddenToken
from core.records.search import Decoding, Sampling
from model import capture_attention
from model.families.plain_decoder import MOST_FOLDED
from model.families.transformer import Transformer
from model.hooks.interventions import intervening
from model.io.checkpoint import load_checkpoint
from model.nets.multi_head import MultiHeadAttention
from model.search.batched import batched_beam_search
from model.search.beam import beam_search
from model.search.sampling import sample_search
from support.models import make_model
from support.variants import SETTINGS, drawn, shaken

SRC = torch.tensor([[5, 9, 4, 17, 11, 3]])
SHAPES = {name: settings for name, settings in SETTINGS.items() if "decoder" not in settings}
# Every setting of a config, so that one that is new must be understood or refused.
SHAPES |= {f"drawn {seed}": drawn(seed) | {"decoder": "attention"} for seed in range(12)}


def frozen(model):
    """The model as `load_checkpoint` leaves it, with nothing to train."""
    # Shaken, since all norms begin alike.
    return shaken(model, 0.2).requires_grad_(False)


def ordinary(model):
    """A copy whose weights may be trained, so that its steps pass through its modules."""
    return copy.deepcopy(model).requires_grad_(True)


def runs_plain(model):
    with torch.inference_mode():
        return model.plain.of(model) is not None


def assert_same_trees(ours, theirs, tolerance=5e-6):
    """Equal but for rounding: `tolerance` is relative to the largest number.

    Random weights need more than trained ones: some have logits of 40 for log-probabilities of 1.
    """
    assert [(n.parent, n.token_id, n.status, n.rank) for n in ours.nodes] == [
        (n.parent, n.token_id, n.status, n.rank) for n in theirs.nodes
    ]
    for name in ("log_prob", "cum_log_prob", "score"):
        numbers = np.array([getattr(node, name) for node in ours.nodes])
        expected = np.array([getattr(node, name) for node in theirs.nodes])
        limit = tolerance * np.abs(expected).max()
        np.testing.assert_allclose(numbers, expected, rtol=0, atol=limit)
    assert ours.best == theirs.best


def tree(model, src=SRC, beam_size=4, max_len=9, **options):
    return beam_search(model, src, Decoding(beam_size, 0.6, max_len, 5), **options)


# -- equality ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("beam_size", [1, 3, 10])
def test_both_steps_search_the_same_tree(name, beam_size):
    model = frozen(make_model(1, **SHAPES[name]))
    assert runs_plain(model)
    assert not runs_plain(ordinary(model))
    assert_same_trees(tree(model, beam_size=beam_size), tree(ordinary(model), beam_size=beam_size))


def is_folded(model, src):
    """Return True if a step folds the source into the weights of cross-attention."""
    with torch.inference_mode():
        _, state = model.step(model.start(src), torch.tensor([2]))
    return all(hasattr(layer, "score_weight") for layer in state.layers)


@pytest.mark.parametrize("factor", [1, 2, 3])
def test_both_steps_search_the_same_tree_from_a_short_and_a_long_source(factor):
    model = frozen(make_model(1, **SHAPES[next(iter(SHAPES))]))
    d_head = model.config.d_model // model.config.n_heads
    src = torch.tensor([[5 + i % 9 for i in range(factor * d_head - 1)] + [3]])
    assert is_folded(model, src) == (factor <= MOST_FOLDED)
    assert_same_trees(tree(model, src), tree(ordinary(model), src))


def test_a_folded_step_does_not_change_the_state_that_it_starts_from():
    model = frozen(make_model(1, **SHAPES[next(iter(SHAPES))]))
    with torch.inference_mode():
        state = model.start(SRC)
        first, after = model.step(state, torch.tensor([2]))
        again, _ = model.step(state, torch.tensor([2]))
    assert not any(hasattr(layer, "score_weight") for layer in state.layers)
    assert all(hasattr(layer, "score_weight") for layer in after.layers)
    assert torch.equal(first, again)


@pytest.mark.parametrize("name", SHAPES)
def test_both_steps_agree_from_either_state_and_leave_it_as_it_was(name):
    """A state of one step goes on in the other: listeners may come and go within a search."""
    model = frozen(make_model(2, **SHAPES[name]))
    twin = ordinary(model)
    with torch.inference_mode():
        states = [model.start(SRC), twin.start(SRC)]
        for ids in ([2], [7, 8, 9], [4, 5, 6], [6, 6, 1]):
            prev = torch.tensor(ids)
            rows = torch.tensor([0, 0, 0] if ids == [7, 8, 9] else range(len(ids)))
            states = [model.select(state, rows) if state.length else state for state in states]
            results = [way.step(state, prev) for way in (model, twin) for state in states]
            again, _ = model.step(states[0], prev)
            for log_probs, _ in results[1:]:
                assert_near(log_probs, results[0][0], 2e-6)
            assert torch.equal(again, results[0][0])
            # Each goes on from the other's state.
            states = [results[2][1], results[1][1]]


@pytest.mark.parametrize("name", SHAPES)
def test_the_plain_step_is_exact_to_float32(name):
    model = frozen(make_model(2, **SHAPES[name]))
    double = copy.deepcopy(model).double()
    with torch.inference_mode():
        states = [way.start(SRC) for way in (model, double)]
        for token in (2, 7, 15):
            prev = torch.tensor([token])
            ours, states[0] = model.step(states[0], prev)
            exact, states[1] = double.step(states[1], prev)
            assert_near(ours, exact, 1e-6)


def assert_near(log_probs, expected, tolerance):
    """Equal but for rounding, relative to the largest log-probability."""
    furthest = float((log_probs - expected).abs().max())
    assert furthest <= tolerance * float(expected.abs().max())


@pytest.mark.parametrize("checkpoint", ["en-de", "ko-en"])
@pytest.mark.parametrize("beam_size", [1, 5, 10])
def test_both_steps_search_the_same_tree_with_shipped_weights(checkpoint, beam_size):
    loaded = load_checkpoint(checkpoint)
    text = {"en-de": "A man plays the guitar.", "ko-en": "고양이가 매트 위에 앉았다."}[checkpoint]
    src = torch.tensor([loaded.tokenizers["source"].encode(text).ids])
    assert runs_plain(loaded.model)
    assert_same_trees(
        tree(loaded.model, src, beam_size, 16),
        tree(ordinary(loaded.model), src, beam_size, 16),
        # Both are rounded. Compared with float64 on ko-en, the ordinary step is off by up to 1.2e-5
        # and the plain one by up to 2.9e-5, on average (RMS) by 3e-6 each; numbers reach 9.
        8e-6,
    )


def test_batches_and_samples_equal_those_of_the_ordinary_step():
    model = frozen(make_model(3))
    twin = ordinary(model)
    src = torch.tensor([[5, 9, 4, 3], [7, 7, 12, 3], [20, 4, 4, 3]])
    decoding = Decoding(3, 0.6, 9, 2)
    for ours, theirs in zip(
        batched_beam_search(model, src, decoding),
        batched_beam_search(twin, src, decoding),
        strict=True,
    ):
        assert_same_trees(ours, theirs)
    sampling = Sampling(n_samples=6, max_len=8, seed=3)
    assert_same_trees(sample_search(model, SRC, sampling), sample_search(twin, SRC, sampling))


def test_a_prefix_and_a_position_beyond_the_table_are_those_of_the_ordinary_step():
    model = frozen(make_model(4, max_len=6))
    assert_same_trees(
        tree(model, max_len=6, prefix=(8, 4)), tree(ordinary(model), max_len=6, prefix=(8, 4))
    )
    with torch.inference_mode():
        state = model.start(SRC[:, -3:])
        for _ in range(6):
            _, state = model.step(state, torch.tensor([4]))
        with pytest.raises(ValueError, match="position 6"):
            model.step(state, torch.tensor([4]))


# -- what makes the ordinary step run ------------------------------------------------------


def test_a_recurrent_decoder_runs_the_ordinary_step():
    assert not runs_plain(frozen(make_model(**SETTINGS["student"])))


def test_a_decoder_of_many_weights_runs_the_ordinary_step(monkeypatch):
    model = frozen(make_model())
    assert runs_plain(copy.deepcopy(model))
    monkeypatch.setattr("model.families.plain_decoder.MOST_BYTES", 1000)
    assert not runs_plain(model)


@pytest.mark.parametrize("case", ["training", "gradient", "double", "subclass", "own logits"])
def test_the_ordinary_step_runs_where_the_plain_one_would_differ(case):
    model = frozen(make_model())
    if case == "training":
        model.decoder_layers.train()
    elif case == "double":
        model.double()
    elif case == "subclass":
        model.decoder_layers[0].cross_attention = OtherAttention.like(model).requires_grad_(False)
    elif case == "own logits":
        model.__class__ = OtherLogits
    if case == "gradient":
        assert model.plain.of(model) is None
    else:
        assert not runs_plain(model)


class OtherAttention(MultiHeadAttention):
    """Attention of another file, which may compute anything."""

    @classmethod
    def like(cls, model: Transformer):
        config = model.config
        site = model.sites[2]
        return cls(config.d_model, config.n_heads, site=site, layer=0).eval()


class OtherLogits(Transformer):
    """Transformer of another file that changes a part of the step."""

    def logits(self, hidden):
        return 2.0 * super().logits(hidden)


def scale(model):
    model.decoder_layers[1].feed_forward.outer.weight.mul_(3.0)


def replace_weight(model):
    other = torch.nn.Parameter(model.embedding.weight.flip(1), requires_grad=False)
    model.embedding.weight = other


def move_data(model):
    norm = model.decoder_layers[0].feed_forward_residual.norm
    norm.weight.data = norm.weight.data * 2.0


def replace_part(model):
    model.decoder_layers[0].feed_forward = copy.deepcopy(model.decoder_layers[1].feed_forward)


def replace_embedding(model):
    model.embedding = copy.deepcopy(make_model(78).embedding).requires_grad_(False)


def add_bias(model):
    model.output_bias = torch.nn.Parameter(torch.arange(23.0) / 10, requires_grad=False)


def load_weights(model):
    model.load_state_dict(make_model(77).state_dict())


def train_by_fused_steps(model):
    """Change weights as training does, in a way that torch does not count."""
    model.requires_grad_(True)
    for weight in model.parameters():
        weight.grad = torch.ones_like(weight)
    torch.optim.Adam(model.parameters(), lr=0.1, fused=True).step()


@pytest.mark.parametrize(
    "change",
    [
        *(scale, replace_weight, move_data, replace_part, replace_embedding, add_bias),
        *(load_weights, train_by_fused_steps),
    ],
)
def test_changed_weights_are_searched_as_they_are(change):
    model = frozen(make_model(5))
    before = tree(model)
    assert runs_plain(model)
    change(model)
    assert not runs_plain(model)
    after = tree(model)
    assert_same_trees(after, tree(ordinary(model)))
    assert [n.log_prob for n in after.nodes] != [n.log_prob for n in before.nodes]


def test_a_listener_of_this_thread_is_heard_and_one_of_another_is_not():
    model = frozen(make_model(6))
    assert runs_plain(model)
    expected = tree(model)
    captured_sites = []
    registered = threading.Event()
    done = threading.Event()

    def listen():
        with capture_attention(model) as captured:
            registered.set()
            done.wait(10)
        captured_sites.append(captured.site_ids)

    other = threading.Thread(target=listen)
    other.start()
    registered.wait(10)
    assert runs_plain(model)
    # To the last bit: what others do changes no number here.
    assert [n.log_prob for n in tree(model).nodes] == [n.log_prob for n in expected.nodes]
    done.set()
    other.join()
    assert captured_sites == [()]
    with capture_attention(model) as captured:
        assert not runs_plain(model)
        assert_same_trees(tree(model), expected)
    assert set(captured.site_ids) == {"encoder", "decoder", "cross"}
    assert runs_plain(model)


@pytest.mark.parametrize("of", ["embedding", "decoder_layers.1.feed_forward_residual.norm"])
def test_a_hook_of_torch_runs_the_ordinary_step(of):
    model = frozen(make_model(7))
    assert runs_plain(model)
    called = []
    handle = model.get_submodule(of).register_forward_hook(lambda *_: called.append(1))
    tree(model)
    assert called
    handle.remove()
    assert runs_plain(model)


def test_an_intervention_changes_the_search_as_before():
    model = frozen(make_model(8))
    assert runs_plain(model)
    hidden = Intervention(HiddenToken("cross", 1), HiddenToken("encoder", 1))
    trees = []
    for way in (model, ordinary(model)):
        with intervening(way, hidden, n_src=6, n_tgt=9) as intervened:
            trees.append(tree(intervened))
    assert_same_trees(*trees)


# -- threads and copies --------------------------------------------------------------------


def test_threads_share_one_plain_decoder():
    model = frozen(make_model(9))
    start = threading.Barrier(6)

    def run(_):
        start.wait(10)
        return [node.log_prob for node in tree(model).nodes], model.plain._decoder

    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(run, range(6)))
    # Without a plain decoder of its own, a thread would search with another's products.
    assert len({id(decoder) for _, decoder in results}) == 1
    assert all(numbers == results[0][0] for numbers, _ in results)


def test_copies_take_out_their_own_weights():
    model = frozen(make_model(10))
    expected = tree(model)
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert other.plain is not model.plain
        assert_same_trees(tree(other), expected)
        scale(other)
    assert runs_plain(model)
    assert_same_trees(tree(model), expected)

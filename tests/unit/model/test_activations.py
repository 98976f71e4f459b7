"""Named activations: equal to hooks written by hand, changed in place, in this thread only."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from core.interventions.intervention import Intervention
from core.interventions.kinds import AblatedHead
from model import InputError, load_model
from model.hooks.activations import changing, hook_points, recording
from model.hooks.interventions import intervening
from model.nets.attention import attention_weights
from support.models import hooks, make_model

SRC = torch.tensor([[5, 6, 7, 8, 3]])
TGT = torch.tensor([[2, 9, 10, 11]])


@pytest.fixture(scope="module")
def model():
    return make_model()


@pytest.fixture(scope="module")
def points(model):
    return hook_points(model)


@pytest.fixture(scope="module")
def translator():
    return load_model("en-de")


def by_hand(model, module, call):
    """Value that a forward hook of torch sees at `module` of a whole pass."""
    values = []
    handle = module.register_forward_hook(lambda *arguments: values.append(call(*arguments)))
    with torch.inference_mode():
        model(SRC, TGT)
    handle.remove()
    return values[-1]


def heads(x, n_heads):
    """Channels (B, T, H d_k) as (B, H, T, d_k), head by head."""
    return torch.stack(x.chunk(n_heads, dim=-1), dim=1)


# Each with the module of torch that holds it, and what a hook there has to return.
BY_HAND = {
    "encoder.1.pattern": (lambda m: m.encoder_layers[1].self_attention.probe, lambda _m, _i, o: o),
    "encoder.0.scores": (
        lambda m: m.encoder_layers[0].self_attention.probe,
        lambda _m, i, _o: i[1],
    ),
    "cross.1.q": (
        lambda m: m.decoder_layers[1].cross_attention.query_proj,
        lambda _m, _i, o: heads(o, 4),
    ),
    "cross.0.v": (
        lambda m: m.decoder_layers[0].cross_attention.value_proj,
        lambda _m, _i, o: heads(o, 4),
    ),
    "cross.1.z": (
        lambda m: m.decoder_layers[1].cross_attention.out_proj,
        lambda _m, i, _o: heads(i[0], 4),
    ),
    "decoder.0.attn_out": (
        lambda m: m.decoder_layers[0].self_attention.out_proj,
        lambda _m, _i, o: o,
    ),
    "decoder.1.resid_pre": (lambda m: m.decoder_layers[1], lambda _m, i, _o: i[0]),
    "decoder.1.resid_mid": (
        lambda m: m.decoder_layers[1].self_attention_residual,
        lambda _m, _i, o: o,
    ),
    "decoder.1.resid_cross": (
        lambda m: m.decoder_layers[1].cross_attention_residual,
        lambda _m, _i, o: o,
    ),
    "decoder.1.resid_post": (lambda m: m.decoder_layers[1], lambda _m, _i, o: o),
    "encoder.0.mlp_out": (lambda m: m.encoder_layers[0].feed_forward, lambda _m, _i, o: o),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_an_activation_equals_that_of_a_hook_of_torch(model, points, name):
    module, call = BY_HAND[name]
    with recording(points, name) as cache, torch.inference_mode():
        model(SRC, TGT)
    assert torch.equal(cache[name], by_hand(model, module(model), call))


def test_the_output_of_a_layer_is_the_input_of_the_next(model, points):
    with recording(points) as cache, torch.inference_mode():
        model(SRC, TGT)
    assert torch.equal(cache["encoder.0.resid_post"], cache["encoder.1.resid_pre"])
    assert torch.equal(cache["decoder.0.resid_post"], cache["decoder.1.resid_pre"])


def test_queries_and_keys_give_the_scores_and_these_the_pattern(model, points):
    with recording(points) as cache, torch.inference_mode():
        model(SRC, TGT)
    for at in ("encoder.0", "cross.1"):
        query, key = cache[f"{at}.q"], cache[f"{at}.k"]
        scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5
        assert torch.allclose(cache[f"{at}.scores"], scores, atol=1e-6)
        assert torch.allclose(cache[f"{at}.pattern"], attention_weights(scores, None), atol=1e-6)


def test_changed_values_take_the_place_of_the_computed_ones(model, points):
    changes = {"cross.*.v": lambda value, name: torch.zeros_like(value)}
    with (
        changing(points, changes),
        recording(points, "cross.*.attn_out") as cache,
        torch.inference_mode(),
    ):
        model(SRC, TGT)
    for layer, block in enumerate(model.decoder_layers):
        bias = block.cross_attention.out_proj.bias
        assert torch.allclose(cache[f"cross.{layer}.attn_out"], bias.expand(1, 4, -1), atol=1e-6)


def test_a_head_can_be_silenced_before_it_is_mixed_with_the_others(model, points):
    def silenced(heads, name):
        return heads * torch.tensor([1.0, 0.0, 1.0, 1.0])[:, None, None]

    with torch.inference_mode():
        with changing(points, {"cross.0.z": silenced}):
            changed = model(SRC, TGT)
        with intervening(model, Intervention(AblatedHead("cross", 0, 1)), n_src=5, n_tgt=4) as run:
            ablated = run(SRC, TGT)
    assert torch.allclose(changed, ablated, atol=1e-6)


def test_a_relative_bias_is_named_once_for_all_layers():
    model = make_model(positions="relative")
    with recording(hook_points(model), "*.position_bias") as cache, torch.inference_mode():
        model(SRC, TGT)
    assert list(cache) == ["encoder.position_bias", "decoder.position_bias"]
    assert torch.equal(cache["encoder.position_bias"], model.encoder_bias(5))


def test_changed_scores_go_through_mask_and_softmax(model, points):
    changes = {"decoder.0.scores": lambda scores, name: torch.zeros_like(scores)}
    with (
        changing(points, changes),
        recording(points, "decoder.0.pattern") as cache,
        torch.inference_mode(),
    ):
        model(SRC, TGT)
    counts = torch.arange(1, 5)[:, None]
    uniform = torch.ones(4, 4).tril() / counts
    assert torch.allclose(cache["decoder.0.pattern"], uniform.expand(1, 4, 4, 4))


def test_the_input_of_a_layer_can_be_replaced(model, points):
    patched = torch.randn(1, 5, 16, generator=torch.manual_seed(1))
    with torch.inference_mode():
        with changing(points, {"encoder.1.resid_pre": lambda value, name: patched}):
            memory = model.encode(SRC)
        assert torch.allclose(memory, model.encoder_layers[1](patched, None))


def test_a_name_that_fits_nothing_is_refused_with_similar_ones(points):
    refused = pytest.raises(ValueError, match=r"'encoder\.9\.pattern'; .*encoder\.1\.pattern")
    with refused as caught, recording(points, "encoder.9.pattern"):
        pass
    assert len(str(caught.value)) < 200
    with pytest.raises(TypeError, match="expected names as"), recording(points, 3):
        pass


WRONG = {
    "of one text": (lambda value, _: value[0], ValueError, r"shape \(4, 5, 5\), expected \(1, 4"),
    "of one head": (lambda value, _: value[:, :1], ValueError, r"hook of encoder\.0\.pattern"),
    "of fewer keys": (lambda value, _: value[..., :2], ValueError, "expected"),
    "a number": (lambda value, _: 3, TypeError, "returned 3, expected a tensor or None"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_hook_that_returns_something_else_is_refused_by_its_name(model, points, name):
    change, error, message = WRONG[name]
    refused = pytest.raises(error, match=message)
    with refused, torch.inference_mode(), changing(points, {"*.0.pattern": change}):
        model(SRC, TGT)
    assert hooks(model) == []


def test_the_error_of_a_hook_tells_which_hook_it_was(model, points):
    def fails(value, name):
        raise KeyError("mine")

    raised = pytest.raises(KeyError, match="mine")
    with raised as caught, changing(points, {"decoder.1.mlp_out": fails}):
        model(SRC, TGT)
    assert "decoder.1.mlp_out" in "".join(caught.value.__notes__)
    refused = pytest.raises(TypeError, match=r"a function for 'decoder\.1\.mlp_out', found 3")
    with refused, changing(points, {"decoder.1.mlp_out": 3}):
        pass


def test_a_hook_may_compute_in_more_digits(model, points):
    double = {"*": lambda value, _: value.double() if value.is_floating_point() else None}
    with torch.inference_mode():
        plain = model(SRC, TGT)
        with changing(points, double):
            assert torch.allclose(model(SRC, TGT), plain, atol=1e-6)


CALLS = {
    "no sources": (([], []), "at least one source"),
    "other numbers": ((["A dog.", "A cat."], ["Ein Hund."]), "2 sources and 1 targets"),
}


@pytest.mark.parametrize("name", CALLS)
def test_batches_that_are_no_pairs_are_refused(translator, name):
    arguments, message = CALLS[name]
    with pytest.raises(ValueError, match=message):
        translator.run_with_cache(*arguments)


def test_a_target_longer_than_the_model_s_positions_is_refused(translator):
    most = translator.model.config.max_len
    with pytest.raises(InputError, match=f"{most}"):
        translator.run_with_cache("A dog.", "ja " * (most + 1))


@pytest.mark.parametrize("device", ["cuda:99", "meta", "gpu"])
def test_a_device_that_is_not_there_is_refused_and_the_weights_stay(translator, device):
    before = translator.device
    with pytest.raises(ValueError, match=f"no device '{device}'; this machine has cpu"):
        translator.to(device)
    assert translator.device == before
    assert translator.to("cpu") is translator


def test_hooks_are_gone_afterwards_also_after_an_error(model, points):
    with pytest.raises(RuntimeError, match="stop"), recording(points):
        raise RuntimeError("stop")
    assert hooks(model) == []


def test_eight_threads_do_not_mix(model, points):
    def run(shift):
        with recording(points, "encoder.1.pattern") as cache, torch.inference_mode():
            for _ in range(5):
                model(SRC + shift, TGT)
        return cache["encoder.1.pattern"]

    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(run, range(8)))
    for shift, pattern in enumerate(together):
        assert torch.equal(pattern, run(shift))


def test_the_cache_of_a_translator_holds_the_weights_of_its_translation(translator):
    text = "A dog runs through the snow."
    output, cache = translator.run_with_cache(text, names="*.pattern")
    attention = translator.translate(text).attention
    for site in translator.sites:
        for layer in range(site.n_layers):
            pattern = cache[f"{site.name}.{layer}.pattern"][0].numpy()
            assert pattern == pytest.approx(attention.of(site.name).weights[layer], abs=1e-6)
    assert output.logits.shape[:2] == (1, len(output.targets[0]))


def test_a_batch_equals_its_sentences_one_by_one(translator):
    sources = ["A dog runs.", "A man plays the guitar in the snow."]
    targets = ["Ein Hund läuft.", "Ein Mann spielt Gitarre im Schnee."]
    output, cache = translator.run_with_cache(sources, targets, names="cross.1.pattern")
    for row, pair in enumerate(zip(sources, targets, strict=True)):
        alone, own = translator.run_with_cache(*pair, names="cross.1.pattern")
        rows = output.target_mask[row]
        columns = output.source_mask[row]
        assert int(columns.sum()) == len(alone.sources[0])
        assert torch.allclose(output.logits[row, rows], alone.logits[0], atol=1e-4)
        pattern = cache["cross.1.pattern"][row][:, rows]
        assert torch.allclose(pattern[..., columns], own["cross.1.pattern"][0], atol=1e-5)
        # No weight on padding.
        assert float(pattern[..., ~columns].sum()) == 0.0


def test_hooks_reach_the_search(translator):
    text = "A dog runs through the snow."

    def last_only(pattern, name):
        changed = torch.zeros_like(pattern)
        changed[..., -1] = 1.0
        return changed

    plain = translator.translate(text).text
    with translator.hooks({"cross.*.pattern": last_only}):
        changed = translator.translate(text).text
    assert changed != plain
    assert translator.translate(text).text == plain


# One value of the paper's step for each family that decodes step by step.
STEPS = {
    "lineage-cho": "decoder.step.state",
    "lineage-sutskever": "decoder.step.state",
    "lineage-bahdanau": "decoder.step.context",
    "lineage-luong-global-general": "decoder.step.attentional",
}


@pytest.mark.parametrize("name", STEPS)
def test_a_recurrent_decoder_has_a_row_for_each_step(name):
    reader = load_model(name)
    output, cache = reader.run_with_cache("A dog runs.", "Ein Hund läuft.", names=STEPS[name])
    value = cache[STEPS[name]]
    assert value.shape[:2] == (1, len(output.targets[0]))


RECURRENT = ("lineage-bahdanau", "lineage-luong-global-general", "lineage-convolutional")


@pytest.mark.parametrize("name", RECURRENT)
def test_patterns_and_values_of_older_families_give_their_contexts(name):
    reader = load_model(name)
    text, target = "A dog runs.", "Ein Hund läuft."
    _, cache = reader.run_with_cache(text, target, names="cross.*")
    (site,) = reader.sites
    for layer in range(site.n_layers):
        at = f"cross.{layer}"
        context = cache[f"{at}.pattern"] @ cache[f"{at}.v"]
        torch.testing.assert_close(cache[f"{at}.z"], context, rtol=1e-5, atol=1e-6)
    _, plain = reader.run_with_cache(text, target, names="cross.0.z")
    assert plain["cross.0.z"].shape == (
        1,
        1,
        len(reader.target_of(target, "text")),
        context.shape[-1],
    )
    with reader.hooks({"cross.*.z": lambda value, _: torch.zeros_like(value)}):
        silenced = reader.score(text, target)
    ablated = Intervention(*(AblatedHead("cross", i, 0) for i in range(site.n_layers)))
    expected = reader.score(text, target, intervention=ablated)
    assert silenced == pytest.approx(expected, abs=1e-5)
    refused = pytest.raises(ValueError, match=r"cross\.0\.v can be read but not replaced")
    with refused, reader.hooks({"cross.0.v": lambda value, _: value + 1}):
        reader.score(text, target)


def test_changed_scores_keep_the_gaussian_of_local_attention():
    reader = load_model("lineage-luong-local-p-general")
    text, target = "A dog runs through the snow.", "Ein Hund läuft durch den Schnee."
    _, plain = reader.run_with_cache(text, target, names="cross.0.*")
    pattern, scores = plain["cross.0.pattern"], plain["cross.0.scores"]
    with reader.hooks({"cross.0.scores": lambda value, _: value + 1.0}):
        _, moved = reader.run_with_cache(text, target, names="cross.0.pattern")
    # A constant changes no softmax, so the weights stay, and the sums of rows below one with them.
    torch.testing.assert_close(moved["cross.0.pattern"], pattern, rtol=1e-4, atol=1e-6)
    assert (pattern.sum(-1) < 0.999).any()
    assert scores.shape == pattern.shape

"""The vectors that attention adds up, against loops, torch's own layers and their sum."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from core.attention import ENCODER, TRANSFORMER_SITES
from core.changes import ABLATIONS, AblatedHead
from core.contributions import Contributions, measured
from core.documents import LEAVING_OUT, DocumentChange
from core.intervention import Intervention, hide
from core.measures import special_mass
from model import ModelError, load_reader
from model.checkpoint import checkpoint_path
from model.experiments.contributions import contributions_of
from support.models import SENTENCES
from support.twins import copy_attention


@pytest.fixture(scope="module")
def contributions(tiny_translator, record):
    return {entry.kind: entry for entry in contributions_of(tiny_translator, record)}


def test_vectors_and_norm_are_those_of_torchs_own_layers(contributions, tiny_translator):
    """torch.nn.MultiheadAttention with the same weights, asked for one key and one head alone."""
    layer = tiny_translator.model.encoder_layers[0]
    ours, entry = layer.self_attention, contributions["encoder"]
    n_heads, x = ours.n_heads, torch.from_numpy(entry.inputs[0])[None]
    theirs = nn.MultiheadAttention(x.shape[-1], n_heads, batch_first=True).eval()
    copy_attention(theirs, ours)
    with torch.inference_mode():
        made, weights = theirs(x, x, x, average_attn_weights=False)
        added = np.einsum("hqk,hkd->qd", weights[0].numpy(), entry.vectors[0])
        torch.testing.assert_close(made[0].numpy(), added + entry.out_bias[0], rtol=0, atol=1e-6)
        normed = layer.self_attention_residual.norm(x + made)[0].numpy()
        torch.testing.assert_close(normed, entry.outputs[0], rtol=0, atol=1e-5)


def drawn(site, n_queries, n_keys, d=6, n_layers=2, n_heads=3, seed=0):
    """Contributions of any numbers whose outputs are worked out a query at a time."""
    rng = np.random.default_rng(seed)

    def draw(*shape):
        return rng.standard_normal(shape).astype(np.float32)

    weights = np.abs(draw(n_layers, n_heads, n_queries, n_keys))
    weights /= weights.sum(-1, keepdims=True)
    vectors, out_bias = draw(n_layers, n_heads, n_keys, d), draw(n_layers, d)
    inputs, gain, shift = draw(n_layers, n_queries, d), draw(n_layers, d), draw(n_layers, d)
    outputs = np.empty_like(inputs)
    for layer, query in np.ndindex(n_layers, n_queries):
        y = inputs[layer, query] + out_bias[layer]
        for head, key in np.ndindex(n_heads, n_keys):
            y = y + weights[layer, head, query, key] * vectors[layer, head, key]
        y, by, plus = (torch.from_numpy(x).double() for x in (y, gain[layer], shift[layer]))
        outputs[layer, query] = nn.functional.layer_norm(y, (d,), by, plus, eps=1e-3)
    return Contributions(site, weights, vectors, out_bias, outputs, inputs, gain, shift, eps=1e-3)


SITES = [(ENCODER, 5, 5), (TRANSFORMER_SITES["cross"], 4, 5)]


@pytest.mark.parametrize(("site", "n_queries", "n_keys"), SITES)
def test_lengths_and_shares_are_those_of_a_loop_over_queries_and_keys(site, n_queries, n_keys):
    given = drawn(site, n_queries, n_keys)
    assert given.error < 1e-6
    shares = given.shares
    assert shares.shape == (2, n_queries, n_keys + (not site.is_self))
    torch.testing.assert_close(shares.sum(-1), np.ones((2, n_queries), np.float32))
    for layer, query in np.ndindex(2, n_queries):
        weights, vectors = given.weights[layer, :, query], given.vectors[layer]
        heads = [[weights[h, k] * vectors[h, k] for k in range(n_keys)] for h in range(3)]
        added = [sum(head[k] for head in heads) for k in range(n_keys)]
        y = given.inputs[layer, query] + given.out_bias[layer] + sum(added)
        sigma = np.sqrt(np.var(y.astype(float)) + given.eps)
        whole = [*added] if site.is_self else [*added, 0]
        own = query if site.is_self else -1
        whole[own] = whole[own] + given.inputs[layer, query]
        parts = [(x - x.mean()) / sigma * given.gain[layer] for x in whole]
        made = given.outputs[layer, query]
        nearer = [max(0, np.abs(made).sum() - np.abs(made - part).sum()) for part in parts]
        close = {"rtol": 1e-4, "atol": 1e-5}
        for key in range(n_keys):
            for head in range(3):
                length = np.sqrt((heads[head][key] ** 2).sum())
                np.testing.assert_allclose(given.norms[layer, head, query, key], length, **close)
            length = np.sqrt((added[key] ** 2).sum())
            np.testing.assert_allclose(given.summed_norms[layer, query, key], length, **close)
            length = np.sqrt((parts[key] ** 2).sum())
            np.testing.assert_allclose(given.normed_norms[layer, query, key], length, **close)
        np.testing.assert_allclose(shares[layer, query], np.array(nearer) / sum(nearer), **close)


FAMILIES = (
    *("en-de", "masked-lm", "captions-soft", "documents-han", "lineage-bahdanau"),
    *("lineage-convolutional", "lineage-luong-global-general", "lineage-luong-local-p-general"),
)


@pytest.mark.parametrize("name", FAMILIES)
def test_rows_of_norms_are_shares_in_every_family_and_add_up(name):
    reader = load_reader(checkpoint_path(name))
    text = "A dog runs through the snow." if "text" not in reader.has_none else reader.example
    run = reader.translate(text) if reader.writes else reader.read(text)
    made = contributions_of(reader, run.attention)
    assert max(each.error for each in made) < 1e-6
    for attention, each in zip(measured(run.attention, made, "length").maps, made, strict=True):
        plain = run.attention.of(each.kind, each.item)
        lengths = np.sqrt(np.square(each.vectors, dtype=float).sum(-1))[:, :, None] * plain.weights
        expected = lengths / lengths.sum(-1, keepdims=True)  # of windows too, whose rows are less
        np.testing.assert_allclose(attention.weights, expected, atol=1e-6)
        assert attention.measure == "length"
        assert attention.site.normalised


@pytest.mark.parametrize("name", ["captions-hard", "captions-mean", "lineage-cho"])
def test_a_model_that_adds_up_nothing_by_its_weights_says_so(name):
    reader = load_reader(checkpoint_path(name))
    with pytest.raises(ModelError, match="no norm to draw"):
        contributions_of(reader, reader.translate(reader.example).attention)


def test_the_end_of_the_sentence_takes_a_third_of_the_weight_and_a_seventh_of_the_norm():
    """In encoder layer 4, as over natural pairs."""
    reader = load_reader(checkpoint_path("en-de"))
    text = "The animal didn't cross the street because it was too tired."
    record = reader.translate(text).attention
    norms = measured(record, contributions_of(reader, record), "length")
    shares = [special_mass(each.encoder).mean(-1)[3] for each in (record, norms)]
    assert shares == pytest.approx([0.36, 0.14], abs=0.005)


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
def test_after_the_norm_a_row_and_the_residual_are_all_of_the_output(contributions, record, site):
    made, shown = contributions[site], measured(record, tuple(contributions.values()), "normed")
    attention = shown.of(site)
    assert attention.weights.shape == (made.weights.shape[0], 1, *made.weights.shape[2:])
    all_lengths = made.normed_norms.sum(-1)
    if site == "cross":
        own = made.inputs - made.inputs.mean(-1, keepdims=True)
        sigma = made.inputs + made.out_bias[:, None]
        sigma = sigma + np.einsum("lhqk,lhkd->lqd", made.weights, made.vectors)
        own = own / np.sqrt(sigma.var(-1) + made.eps)[..., None] * made.gain[:, None]
        all_lengths = all_lengths + np.linalg.norm(own, axis=-1)
    expected = made.normed_norms / all_lengths[..., None]
    np.testing.assert_allclose(attention.weights[:, 0], expected, rtol=1e-4, atol=1e-6)
    assert attention.site.normalised is (site != "cross")


def test_vectors_of_a_run_add_up_and_those_of_another_do_not(
    tiny_translator, contributions, record
):
    assert tuple(contributions) == record.kinds
    for kind, entry in contributions.items():
        np.testing.assert_allclose(entry.weights, record.of(kind).weights, rtol=0, atol=1e-6)
    change = hide(1, where="both")
    hidden = tiny_translator.attend(SENTENCES[0], SENTENCES[1], intervention=change)
    for made in (*contributions.values(), *contributions_of(tiny_translator, hidden, change)):
        assert made.error < 1e-6
    assert max(made.error for made in contributions_of(tiny_translator, hidden)) > 1e-4
    entry = contributions["encoder"]
    assert replace(entry, vectors=entry.vectors * np.float32(1.01)).error > 1e-4


ABLATED = (
    *(("en-de", how) for how in ABLATIONS),
    *(("lineage-bahdanau", how) for how in ("zero", "uniform")),
    *(("lineage-convolutional", how) for how in ("zero", "uniform")),
)


@pytest.mark.parametrize(("name", "how"), ABLATED)
def test_an_ablated_head_gives_no_key_anything_and_all_still_adds_up(name, how):
    reader = load_reader(checkpoint_path(name))
    change, run = Intervention(AblatedHead("cross", 0, 0, how)), reader.translate("A dog runs.")
    record, _ = reader.read_again(run.src, run.tgt, change)
    made = next(m for m in contributions_of(reader, record, change) if m.kind == "cross")
    assert made.error < 1e-6
    assert (made.norms[0, 0] == 0).all() == (how != "uniform")
    if how == "mean":  # what replaces it is in what belongs to no key
        plain = next(m for m in contributions_of(reader, record) if m.kind == "cross")
        part = reader.model.decoder_layers[0].cross_attention.out_proj
        instead = part.weight[:, : part.in_features // 8] @ reader.means["cross"][0, 0]
        expected = plain.out_bias[0] + instead.detach().numpy()
        np.testing.assert_allclose(made.out_bias[0], expected, atol=1e-6)


@pytest.mark.parametrize("how", LEAVING_OUT)
def test_vectors_of_a_changed_document_are_those_of_what_was_read(how):
    reader = load_reader(checkpoint_path("documents-han"))
    src = reader.document("The film is long. It was a treat. I do not like it, but my wife does.")
    change = DocumentChange(frozenset({1}), frozenset({(0, 2)}), how, sentence_weights="shuffled")
    judged = reader.judge(src, change)
    made = contributions_of(reader, judged.attention, change)
    assert max(each.error for each in made) < 1e-6
    shown = judged.showing(measured(judged.attention, made, "length"))
    states = {each.item: each.vectors[0, 0] for each in made if each.kind == "words"}
    for item, (sentence, places) in enumerate(judged.read.items()):
        lengths = judged.words[sentence][list(places)] * np.linalg.norm(states[item], axis=-1)
        expected = lengths / max(lengths.sum(), 1e-30)
        np.testing.assert_allclose(shown.words[sentence][list(places)], expected, atol=1e-6)
    assert np.isnan(shown.sentences[1]) == (how == "unread")
    assert np.nansum(shown.sentences) == pytest.approx(1)


def test_vectors_from_the_left_alone_are_those_of_that_pass():
    reader = load_reader(checkpoint_path("masked-lm"))
    src = reader.sentence("A dog runs through the snow.")
    for left in (False, True):
        record = reader.attend_to(src, [3], left_only=left)
        for change, fits in ((left, True), (not left, False)):
            (made,) = contributions_of(reader, record, change)
            assert (made.error < 1e-6) == fits

"""The vectors that attention adds up, against loops, torch's own layers and their sum."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from core.contributions import Contributions, measured
from core.documents import LEAVING_OUT, DocumentChange
from core.interventions.intervention import Intervention, hide
from core.interventions.kinds import AblatedHead
from core.records.attention import ENCODER, TRANSFORMER_SITES
from core.weights.measures import special_mass
from model import ModelError, load_model
from model.experiments.contributions import contributions_of
from model.io.checkpoint import checkpoint_path
from support.models import SENTENCES


def drawn(site, n_queries, n_keys, d=6, n_layers=2, n_heads=3):
    """Contributions of any numbers whose outputs are worked out a query at a time."""
    rng = np.random.default_rng(0)

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


@pytest.mark.parametrize(
    ("site", "n_queries", "n_keys"), [(ENCODER, 5, 5), (TRANSFORMER_SITES["cross"], 4, 5)]
)
def test_lengths_and_shares_are_those_of_a_loop_over_queries_and_keys(site, n_queries, n_keys):
    given = drawn(site, n_queries, n_keys)
    assert given.error < 1e-6
    assert replace(given, vectors=given.vectors * np.float32(1.01)).error > 1e-4
    shares, close = given.shares, {"rtol": 1e-4, "atol": 1e-5}
    assert shares.shape == (2, n_queries, n_keys + (not site.is_self))
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
        for found, expected in (
            (given.norms[layer, :, query], [[np.linalg.norm(v) for v in head] for head in heads]),
            (given.summed_norms[layer, query], [np.linalg.norm(v) for v in added]),
            (given.normed_norms[layer, query], [np.linalg.norm(v) for v in parts[:n_keys]]),
            (shares[layer, query], np.array(nearer) / sum(nearer)),
        ):
            np.testing.assert_allclose(found, expected, **close)


@pytest.mark.parametrize("name", ["captions-hard", "lineage-cho"])
def test_a_model_that_adds_up_nothing_by_its_weights_is_refused(name):
    reader = load_model(checkpoint_path(name))
    with pytest.raises(ModelError, match="norms cannot be shown"):
        contributions_of(reader, reader.translate(reader.example).attention)


def test_the_end_of_the_sentence_takes_a_third_of_the_weight_and_a_seventh_of_the_norm(en_de):
    """In encoder layer 4, as over natural pairs."""
    record = en_de.translate(SENTENCES[0]).attention
    norms = measured(record, contributions_of(en_de, record), "length")
    shares = [special_mass(each.encoder).mean(-1)[3] for each in (record, norms)]
    assert shares == pytest.approx([0.36, 0.14], abs=0.005)


def test_after_the_norm_a_row_and_the_residual_are_all_of_the_output(tiny_translator, record):
    found = contributions_of(tiny_translator, record)
    made, attention = found[2], measured(record, found, "normed").of("cross")
    whole = made.inputs + made.out_bias[:, None]
    whole = whole + np.einsum("lhqk,lhkd->lqd", made.weights, made.vectors)
    own = made.inputs - made.inputs.mean(-1, keepdims=True)
    own = own / np.sqrt(whole.var(-1) + made.eps)[..., None] * made.gain[:, None]
    lengths = made.normed_norms.sum(-1) + np.linalg.norm(own, axis=-1)
    expected = made.normed_norms / lengths[..., None]
    np.testing.assert_allclose(attention.weights[:, 0], expected, rtol=1e-4, atol=1e-6)
    assert not attention.site.normalised
    encoder = measured(record, found, "normed").encoder
    expected = found[0].normed_norms / found[0].normed_norms.sum(-1, keepdims=True)
    np.testing.assert_allclose(encoder.weights[:, 0], expected, rtol=1e-4, atol=1e-6)
    assert encoder.site.normalised


def test_vectors_of_a_changed_run_add_up_under_its_own_change_alone(tiny_translator):
    change = hide(1, where="both")
    hidden = tiny_translator.attend(SENTENCES[0], SENTENCES[1], intervention=change)
    assert max(made.error for made in contributions_of(tiny_translator, hidden, change)) < 1e-6
    assert max(made.error for made in contributions_of(tiny_translator, hidden)) > 1e-4
    reader = load_model(checkpoint_path("masked-lm"))
    src = reader.sentence("A dog runs.")
    for left in (False, True):
        record = reader.attend_to(src, [2], left_only=left)
        for given, fits in ((left, True), (not left, False)):
            (made,) = contributions_of(reader, record, given)
            assert (made.error < 1e-6) == fits


@pytest.mark.parametrize(
    ("name", "how"),
    [
        *(("en-de", how) for how in ("zero", "mean", "uniform")),
        *(("lineage-bahdanau", how) for how in ("zero", "uniform")),
    ],
)
def test_an_ablated_head_gives_no_key_anything_and_all_still_adds_up(name, how):
    reader = load_model(checkpoint_path(name))
    change, run = Intervention(AblatedHead("cross", 0, 0, how)), reader.translate("A dog runs.")
    record, _ = reader.teacher_force(run.src, run.tgt, change)
    made = next(m for m in contributions_of(reader, record, change) if m.site_id == "cross")
    assert made.error < 1e-6
    assert (made.norms[0, 0] == 0).all() == (how != "uniform")
    if how == "mean":  # what replaces it is in what belongs to no key
        plain = next(m for m in contributions_of(reader, record) if m.site_id == "cross")
        part = reader.model.decoder_layers[0].cross_attention.out_proj
        instead = part.weight[:, : part.in_features // 8] @ reader.means["cross"][0, 0]
        expected = plain.out_bias[0] + instead.detach().numpy()
        np.testing.assert_allclose(made.out_bias[0], expected, atol=1e-6)


@pytest.mark.parametrize("how", LEAVING_OUT)
def test_vectors_of_a_changed_document_are_those_of_what_was_read(how):
    reader = load_model(checkpoint_path("documents-han"))
    src = reader.document("The film is long. It was a treat. I do not like it, but my wife does.")
    change = DocumentChange(frozenset({1}), frozenset({(0, 2)}), how, sentence_weights="shuffled")
    judged = reader.judge(src, change)
    made = contributions_of(reader, judged.attention, change)
    assert max(each.error for each in made) < 1e-6
    shown = judged.showing(measured(judged.attention, made, "length"))
    states = {each.item: each.vectors[0, 0] for each in made if each.site_id == "words"}
    for item, (sentence, places) in enumerate(judged.read.items()):
        lengths = judged.words[sentence][list(places)] * np.linalg.norm(states[item], axis=-1)
        expected = lengths / max(lengths.sum(), 1e-30)
        np.testing.assert_allclose(shown.words[sentence][list(places)], expected, atol=1e-6)
    assert np.isnan(shown.sentences[1]) == (how == "unread")
    assert np.nansum(shown.sentences) == pytest.approx(1)

"""Source or target: ALTI+ against a loop over every vector, and what is measured of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy.stats import spearmanr

from core.contributions import Contributions
from core.gold_sets import gold_pairs
from core.source_share import (
    TENTHS,
    WHOLE,
    Shares,
    agreement_facts,
    share_facts,
    share_lines,
    source_and_prefix,
    tenths_of,
    token_facts,
)
from evaluation.source_share import ShareMeasurement
from model.experiments.contributions import contributions_of
from model.experiments.explain import leave_one_out
from model.experiments.source_share import share_of
from support.models import SENTENCES
from training.corpora.text_pairs import CorpusError
from words import Words


@pytest.fixture(scope="module")
def shares(tiny_translator, record):
    return share_of(tiny_translator, record)


def looped(attention, residual, x, memory, mask=None):
    """The output of one attention, and what each key and the residual bring nearer to it, by a loop
    over queries and keys (Ferrando et al. 2022, eq. 3 to 9).
    """
    heads, size = attention.n_heads, x.shape[-1] // attention.n_heads
    projections = attention.query_proj, attention.key_proj, attention.value_proj
    sides = zip(projections, (x, memory, memory), strict=True)
    q, k, v = (linear(of).unflatten(-1, (heads, size)) for linear, of in sides)
    out, norm = attention.out_proj, residual.norm
    made, shares = [], np.zeros((len(x), len(memory) + 1))
    for i in range(len(x)):
        seen = range(len(memory)) if mask is None else range(i + 1)
        scores = torch.stack([(q[i] * k[j]).sum(-1) for j in seen]) / size**0.5
        weights = scores.softmax(0)
        parts = [out.weight @ (weights[j, :, None] * v[j]).flatten() for j in seen]
        whole = x[i] + sum(parts) + out.bias
        y = norm(whole)

        sigma = (whole.var(unbiased=False) + norm.eps).sqrt()
        if memory is x:  # the residual goes along with the query as a key
            parts[i], own = parts[i] + x[i], torch.zeros_like(x[i])
        else:
            own = x[i]
        for place, part in zip((*seen, -1), (*parts, own), strict=True):
            linear = (part - part.mean()) / sigma * norm.weight
            shares[i, place] = max(0.0, float(y.abs().sum() - (y - linear).abs().sum()))
        made.append(y)
    return torch.stack(made), shares / shares.sum(1, keepdims=True)


@torch.inference_mode()
def test_shares_are_those_of_a_loop_over_layers_queries_and_keys(tiny_translator, record, shares):
    model = tiny_translator.model
    x = model.embed(torch.tensor([record.src.ids]))[0]
    through = np.eye(len(x))
    for layer in model.encoder_layers:
        x, own = looped(layer.self_attention, layer.self_attention_residual, x, x)
        x, through = layer.feed_forward_residual(x, layer.feed_forward(x)), own[:, :-1] @ through
    read = [model.config.bos_id, *record.tgt.ids[:-1]]
    memory, x = x, model.embed(torch.tensor([read]))[0]
    both = np.hstack([np.zeros((len(x), len(memory))), np.eye(len(x))])
    for layer in model.decoder_layers:
        x, own = looped(layer.self_attention, layer.self_attention_residual, x, x, mask=True)
        x, cross = looped(layer.cross_attention, layer.cross_attention_residual, x, memory)
        x = layer.feed_forward_residual(x, layer.feed_forward(x))
        both = cross[:, -1:] * (own[:, :-1] @ both)
        both[:, : len(memory)] += cross[:, :-1] @ through
    np.testing.assert_allclose(np.hstack([shares.source, shares.prefix]), both, atol=2e-5)
    np.testing.assert_allclose(shares.total, 1, atol=1e-6)


def test_the_facts_of_a_token_name_the_source_token_that_brings_most():
    shares = Shares(np.array([[0.5, 0.1], [0.2, 0.3]]), np.array([[0.4, 0.0], [0.1, 0.4]]))
    facts = token_facts(["▁a", "▁b"], ["▁x", "▁y"], shares, 1)
    assert (facts["token"], facts["source"]) == ("b", "y")
    assert (facts["share"], facts["part"]) == pytest.approx((0.5, 0.3))


def test_what_no_vector_brings_nearer_is_said_to_be_missing(tiny_translator, record, shares):
    found = contributions_of(tiny_translator, record)
    cross = next(each for each in found if each.site.key != each.site.query)
    # Of an output that points away from all of them.
    turned = [replace(each, outputs=-each.outputs) if each is cross else each for each in found]
    fewer = source_and_prefix(turned)
    assert (fewer.total < WHOLE).any()
    assert (fewer.total <= 1 + 1e-6).all()
    tokens = record.tgt.tokens
    facts = share_facts(tokens, fewer)
    assert not facts["whole"]
    assert facts["mean"] + facts["prefix"] == pytest.approx(fewer.total.mean())
    of_source = [sum(row) for row in fewer.source.tolist()]
    assert (facts["least"], facts["most"]) == pytest.approx((min(of_source), max(of_source)))
    assert share_facts(tokens, shares)["whole"]
    for language in ("en", "ko"):
        words = Words(language)
        for id in ("share-found", "share-map-caption"):
            assert words(id, **facts) != words(id, **facts | {"whole": True})
    alone = Contributions(cross.site, record.cross.weights, *([np.zeros(0)] * 3))
    with pytest.raises(ValueError, match="residual"):
        source_and_prefix([alone])


@pytest.mark.parametrize(
    ("alti", "weights", "truer"),
    [
        ((0.5, 0.45, 0.55), (0.4, 0.35, 0.44), True),
        ((0.5, 0.42, 0.55), (0.4, 0.35, 0.44), False),  # the value is larger, the interval is not
        ((0.3, 0.25, 0.34), (0.4, 0.35, 0.44), False),
    ],
)
def test_alti_is_truer_only_where_its_interval_lies_above(alti, weights, truer):
    ranks = {
        name: dict(zip(("value", "low", "high"), each, strict=True))
        for name, each in (("alti", alti), ("weights", weights))
    }
    facts = agreement_facts({"agreement": ranks, "hidden_sentences": 7})
    assert facts["truer"] is truer
    assert (facts["alti_value"], facts["weights_high"], facts["n"]) == (alti[0], weights[2], 7)


def test_a_token_lies_in_the_tenth_where_it_begins(record, shares):
    assert tenths_of(20).tolist() == [at // 2 for at in range(20)]
    assert tenths_of(3).tolist() == [0, 3, 6]
    tenths = [dict.fromkeys(("value", "low", "high"), at / 10) for at in range(TENTHS)]
    lines = share_lines(record.tgt.tokens, record.src.tokens, shares, tenths)
    assert lines["mean"].tolist() == [int(10 * at / len(lines)) / 10 for at in range(len(lines))]


def test_the_measurement_is_the_mean_over_sentences(tiny_translator, tmp_path):
    with pytest.raises(CorpusError, match="rwth-de-en"):
        ShareMeasurement(tiny_translator, tmp_path).measure()
    folder = tmp_path / "align" / "rwth-de-en"
    folder.mkdir(parents=True)
    for at, code in enumerate(("en", "de")):
        (folder / f"test.uc.{code}").write_text("\n".join(SENTENCES[at::2]), "utf-8")
    (folder / "alignment.talp").write_text("1-1\n" * 3, "utf-8")
    found = ShareMeasurement(tiny_translator, tmp_path).measure()
    means, ranks = [], []
    for pair in gold_pairs(tmp_path, "rwth-de-en", ("en", "de")):
        record, log_probs = tiny_translator.read_pair(pair.source, pair.target)
        shares = share_of(tiny_translator, record)
        tenths = [[] for _ in range(TENTHS)]
        for at, share in enumerate(shares.of_source):
            tenths[10 * at // len(record.tgt)].append(share)
        means.append([np.mean(tenth) if tenth else np.nan for tenth in tenths])
        hidden = leave_one_out(tiny_translator.model, record.src.ids, record.tgt.ids)
        rows = zip(shares.source, log_probs[:, None] - hidden, strict=True)
        ranks.append(np.mean([spearmanr(*row)[0] for row in rows]))
    values = [tenth["value"] for tenth in found["tenths"]]
    np.testing.assert_allclose(values, np.nanmean(means, axis=0), atol=6e-4)
    assert found["agreement"]["alti"]["value"] == pytest.approx(np.mean(ranks), abs=2e-3)
    assert found["sentences"] == found["hidden_sentences"] == 3

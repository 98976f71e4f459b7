"""Changes of a run that no claim of `model.verify.claims` holds: combinations, batches, refusals.

That a single change is exact, in whole passes and step by step, the claims say of every variant
(`test_check.py`).
"""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.interventions.intervention import UNREAD, Intervention, hide
from core.interventions.kinds import (
    AblatedHead,
    HiddenToken,
    LiftedMask,
    MaskedCell,
    NoNorm,
    NoResidual,
    OverriddenRow,
    Positions,
)
from core.records.attention import TRANSFORMER_SITES
from core.records.search import Decoding, Sampling
from model import InputError, InterventionError
from model.hooks.capture import capture_attention
from model.hooks.interventions import intervening
from model.nets.multi_head import MultiHeadAttention
from model.search.beam import beam_search, greedy_search
from support.models import SENTENCES, hooks, make_model
from support.variants import STEPWISE
from words import english

SRC = torch.tensor([[5, 6, 7, 8, 9, 3]])
TGT = torch.tensor([[2, 9, 10, 11, 12]])
N_SRC, N_TGT = SRC.shape[1], TGT.shape[1]
MODEL = make_model()
MEANS = {
    kind: torch.randn(2, 4, 4, generator=torch.Generator().manual_seed(i))
    for i, kind in enumerate(TRANSFORMER_SITES)
}


def run(changes, model=MODEL, src=SRC, tgt=TGT):
    """Logits and the weights of each site under one or several interventions."""
    sizes = {"n_src": src.shape[1], "n_tgt": tgt.shape[1]}
    means = MEANS if model is MODEL else None
    with (
        torch.inference_mode(),
        intervening(model, changes, means=means, **sizes) as changed,
        capture_attention(model) as captured,
    ):
        logits = changed(src, tgt)
    return logits, {site.name: captured.weights(site.name) for site in model.sites}


def complaint(change, model=MODEL):
    with pytest.raises(InterventionError) as raised:
        run(change, model)
    assert raised.value.hint
    return str(raised.value)


# -- combinations, against masks and models written out --------------------------------------


@st.composite
def cells(draw):
    """A cell of a row that keeps key 0."""
    kind = draw(st.sampled_from(tuple(TRANSFORMER_SITES)))
    query = draw(st.integers(1 if kind == "decoder" else 0, 4))
    key = draw(st.integers(1, query if kind == "decoder" else 5))
    layer, head = (draw(st.none() | st.integers(0, most)) for most in (1, 3))
    return MaskedCell(kind, layer, head, query, key)


@st.composite
def masking(draw):
    """Masked cells, hidden tokens and a lifted causal mask together."""
    hidden = [
        HiddenToken(kind, position)
        for kind in ("encoder", "cross")
        for position in draw(st.lists(st.integers(1, 5), max_size=3))
    ]
    lifted = [LiftedMask()] * draw(st.booleans())
    return Intervention(*lifted, *hidden, *draw(st.lists(cells(), max_size=5)))


def masks_of(change):
    """Allowed cells of each site, bool (L, H, T_q, T_k)."""
    sizes = {"encoder": (N_SRC, N_SRC), "decoder": (N_TGT, N_TGT), "cross": (N_TGT, N_SRC)}
    seen = {kind: np.ones((2, 4, *size), dtype=bool) for kind, size in sizes.items()}
    if change.causal:
        for q in range(N_TGT):
            seen["decoder"][:, :, q, q + 1 :] = False
    for kind in ("encoder", "cross"):
        seen[kind][..., list(change.hidden_from(kind))] = False
    for cell in change.masked:
        for layer, head in np.ndindex(2, 4):
            if cell.layer in (None, layer) and cell.head in (None, head):
                seen[cell.site][layer, head, cell.query, cell.key] = False
    return seen


@settings(max_examples=25, deadline=None)
@given(masking())
def test_exactly_the_masked_cells_are_zero_and_rows_sum_to_one(change):
    weights = run(change)[1]
    with intervening(MODEL, change, n_src=N_SRC, n_tgt=N_TGT) as changed:
        for kind, seen in masks_of(change).items():
            np.testing.assert_array_equal(weights[kind][0] > 0, seen)
            np.testing.assert_allclose(weights[kind].sum(-1), 1.0, rtol=0, atol=1e-5)
            np.testing.assert_array_equal(changed.may_look(kind, *seen.shape[2:]), seen)


@pytest.mark.parametrize("kind", TRANSFORMER_SITES)
def test_a_head_at_its_mean_is_a_bias_in_the_place_of_its_columns_of_the_output_matrix(kind):
    value, model = MEANS[kind][1, 2], copy.deepcopy(MODEL)
    for part in model.modules():
        at = isinstance(part, MultiHeadAttention) and (part.probe.site_id, part.probe.layer)
        if at == (kind, 1):
            part.out_proj.bias.data += part.out_proj.weight.data[:, 8:12] @ value
            part.out_proj.weight.data[:, 8:12] = 0
    logits, weights = run(Intervention(AblatedHead(kind, 1, 2, "mean")))
    expected, kept = run(Intervention(), model)
    torch.testing.assert_close(logits, expected)
    np.testing.assert_array_equal(weights[kind][0, 1, 2], kept[kind][0, 1, 2])


def test_masks_then_uniform_heads_then_rows_and_the_more_particular_change_counts():
    cell, row = MaskedCell("decoder", 0, 1, 3, 2), OverriddenRow("decoder", 0, 1, 2, (1.0,))
    uniform = Intervention(AblatedHead("decoder", 0, 1, "uniform"), cell, row)
    weights = run(uniform)[1]["decoder"][0, 0]
    expected = [[1, 0, 0, 0, 0], [0.5, 0.5, 0, 0, 0], [1, 0, 0, 0, 0], [1 / 3, 1 / 3, 0, 1 / 3, 0]]
    np.testing.assert_allclose(weights[1, :4], np.float32(expected), atol=1e-7)
    np.testing.assert_array_equal(weights[0], run(Intervention())[1]["decoder"][0, 0, 0])
    particular = AblatedHead("cross", 1, 2, "uniform")
    heads = [AblatedHead("cross", *at) for at in np.ndindex(2, 4) if at != (1, 2)]
    both = run(Intervention(AblatedHead("cross", ablation="zero"), particular))[0]
    assert torch.equal(both, run(Intervention(*heads, particular))[0])


# -- batches and searches ----------------------------------------------------------------------

CHANGES = [
    Intervention(),
    hide(1, 2),
    Intervention(MaskedCell("decoder", 0, None, 3, 1), MaskedCell("cross", 1, 2, 2, 0)),
    Intervention(AblatedHead("cross", 0), AblatedHead("decoder", 1, 1, "uniform")),
    Intervention(AblatedHead("encoder", 1, 3, "mean"), AblatedHead("cross", ablation="mean")),
    Intervention(OverriddenRow("cross", 0, None, 2, (0.5, 0.5))),
    Intervention(OverriddenRow("decoder", 1, None, 2, (0.5, 0.2, 0.3))),
    Intervention(Positions("reversed"), Positions("permuted", span=6, side="target")),
    Intervention(Positions("shifted", offset=90, side="target")),
    Intervention(Positions("absent"), NoNorm("encoder", 1, "self")),
    Intervention(NoResidual("decoder", 0, "cross")),
]


def test_a_batch_in_whole_and_in_steps_is_each_change_alone_and_none_is_the_model():
    logits = run(CHANGES)[0]
    prev = torch.tensor([2] * len(CHANGES)), torch.tensor([9] * len(CHANGES))
    sizes = {"n_src": N_SRC, "n_tgt": 8, "means": MEANS}
    with torch.inference_mode(), intervening(MODEL, CHANGES, **sizes) as changed:
        _, state = changed.step(changed.start(SRC), prev[0])
        log_probs, _ = changed.step(state, prev[1])
    for item, change in enumerate(CHANGES):
        torch.testing.assert_close(logits[item : item + 1], run(change)[0])
        expected = run(change, tgt=torch.tensor([[2, 9]]))[0][0, -1].log_softmax(-1)
        torch.testing.assert_close(log_probs[item], expected)
    lifted = [Intervention(LiftedMask()), Intervention(MaskedCell("decoder", 0, 1, 2, 0))]
    for row, change in zip(run(lifted)[0], lifted, strict=True):
        torch.testing.assert_close(row[None], run(change)[0])
    with torch.inference_mode():
        assert torch.equal(run(Intervention())[0], MODEL(SRC, TGT))


@pytest.mark.parametrize("change", CHANGES[1:])
def test_log_probs_of_a_changed_search_are_those_of_teacher_forcing(change):
    with intervening(MODEL, change, n_src=N_SRC, n_tgt=8, means=MEANS) as changed:
        tree = beam_search(changed, SRC, Decoding(3, 0.6, 8))
    best = tree.hypothesis(tree.best)
    whole = run(change, tgt=torch.tensor([[2, *best.ids[:-1]]]))[0][0].log_softmax(-1)
    np.testing.assert_allclose(best.log_probs, whole[range(len(best.ids)), best.ids], atol=1e-4)


def test_a_search_without_the_causal_mask_reads_its_prefix_again():
    with intervening(MODEL, Intervention(LiftedMask()), n_src=N_SRC, n_tgt=5) as changed:
        tree = beam_search(changed, SRC, Decoding(3, 0.6, 5))
    with torch.inference_mode():
        memory = MODEL.encode(SRC)
        for hypothesis in tree.hypotheses():
            reads = (torch.tensor([[2, *hypothesis.ids[:n]]]) for n in range(len(hypothesis.ids)))
            rows = [MODEL.decode(read, memory, causal=False)[0, -1] for read in reads]
            expected = torch.stack(rows).log_softmax(-1)[range(len(rows)), hypothesis.ids]
            np.testing.assert_allclose(hypothesis.log_probs, expected, atol=1e-4)


# -- refusals ----------------------------------------------------------------------------------

ROW = (0.1, 0.0, 0.6, 0.3)


def cut(kind, layer, head, query):
    """A row without any key."""
    return Intervention(*(MaskedCell(kind, layer, head, query, k) for k in range(N_SRC)))


AHEAD = Intervention(OverriddenRow("decoder", 0, 0, 1, (0.5, 0.0, 0.5)))
FIRST_CELL = Intervention(MaskedCell("decoder", query=0, key=0))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (hide(*range(N_SRC)), "no position left"),
        (hide(*range(N_SRC), where="cross"), "cross-attention"),
        (cut("encoder", 1, 2, 3), "Row 4 of the encoder, layer 2, head 3,"),
        (FIRST_CELL, "Row 1 of the decoder"),
        (hide(6), "token 7 is hidden, but the sentence has 6 tokens"),
        (hide(6) | Intervention(AblatedHead("cross", 5)), "token 7"),
        (
            hide(1, where="cross") | Intervention(OverriddenRow("cross", 0, 0, 1, (0.5, 0.5))),
            "position 2, which is masked for it",
        ),
        (AHEAD, "position 3"),
        (Intervention(AblatedHead("cross", 0, 4)), "head 5 of cross-attention"),
        (Intervention(MaskedCell("cross", 0, 0, 64, 1)), "query 65 of cross-attention"),
        (Intervention(Positions("reversed", span=7)), "7 positions"),
        (Intervention(Positions("reversed", span=65, side="target")), "65 positions"),
        (hide(1, where=UNREAD), "change-unread"),
    ],
)
def test_a_transformer_refuses_what_it_or_the_sentence_lacks(change, told):
    assert told in complaint(change)


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("bahdanau", hide(5, where=UNREAD), "always read"),
        ("bahdanau", hide(0, 1, 2, 3, 4, where=UNREAD), english("model-change-unread-all")),
        ("bahdanau", hide(9, where=UNREAD), "token 10"),
        ("bahdanau", Intervention(LiftedMask("cross")), "no causal attention"),
        ("bahdanau", hide(*range(N_SRC), where="cross"), "no position left"),
        (
            "bahdanau",
            hide(2, where=UNREAD) | Intervention(OverriddenRow("cross", 0, 0, 2, ROW)),
            "position 3",
        ),
        (
            "bahdanau",
            Intervention(AblatedHead("cross", ablation="mean")),
            english("model-change-no-means"),
        ),
        # The first step of a narrow window looks at these alone.
        ("luong-local-m-dot", hide(0, 1, 2, where="cross"), "no position left"),
        ("luong-local-m-dot", hide(0, 1, 2, where=UNREAD), "no position left"),
    ],
)
def test_an_earlier_family_refuses_what_it_or_the_sentence_lacks(name, change, told):
    assert told in complaint(change, STEPWISE[name]())


def test_without_the_causal_mask_later_cells_may_be_given_but_a_search_still_starts_with_one():
    lifted = Intervention(LiftedMask())
    run(AHEAD | lifted)
    run(FIRST_CELL | lifted)
    with (
        pytest.raises(InterventionError, match="no position left"),
        intervening(MODEL, FIRST_CELL | lifted, n_src=N_SRC, n_tgt=5) as changed,
    ):
        greedy_search(changed, SRC, max_len=5)


def test_target_positions_that_are_not_reached_do_not_matter():
    cells = MaskedCell("cross", 0, 0, 40, 1), MaskedCell("decoder", 0, 0, 9, 8)
    far = Intervention(*cells, HiddenToken("decoder", 40))
    assert torch.equal(run(far)[0], run(Intervention())[0])


# -- nothing leaks -----------------------------------------------------------------------------


def test_hooks_are_gone_after_a_run_a_refusal_and_an_error():
    model, open_hooks = make_model(), []

    def fail():
        with intervening(model, hide(1), n_src=N_SRC, n_tgt=N_TGT):
            open_hooks.extend(hooks(model))
            raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        fail()
    assert open_hooks
    run(Intervention(LiftedMask(), AblatedHead("cross")) | hide(1), model)
    complaint(hide(*range(N_SRC)), model)
    assert hooks(model) == []


@pytest.mark.parametrize("name", ["cho", "lstm-reversed", "bahdanau", "convolutional"])
def test_items_of_a_batch_of_an_earlier_family_do_not_mix(name):
    model = STEPWISE[name]()
    changes = [Intervention(), *(hide(i, where=UNREAD) for i in range(N_SRC - 1))]
    if model.sites:
        changes += [hide(2, where="cross"), Intervention(OverriddenRow("cross", 0, 0, 1, (0, 1.0)))]
        changes += [Intervention(AblatedHead("cross"))]
    expected = [run(change, model)[0] for change in changes]
    torch.testing.assert_close(run(changes, model)[0], torch.cat(expected))


# -- through the translator --------------------------------------------------------------------


def test_a_changed_score_is_that_of_reading_again(tiny_translator):
    reader, change = tiny_translator, Intervention(Positions("absent"))
    src, tgt = map(reader.tokenize, SENTENCES[:2])
    scored = reader.score(src.text, tgt.text, intervention=change)
    expected = reader.teacher_force(src, tgt, change)[1]
    np.testing.assert_allclose(scored, expected, rtol=0, atol=1e-5)
    assert not np.allclose(scored, reader.score(src.text, tgt.text))
    with pytest.raises(InputError, match="head 9"):
        reader.teacher_force(src, tgt, Intervention(AblatedHead("cross", 0, 8)))


@pytest.mark.parametrize("lifted", [False, True])
def test_samples_candidates_and_exact_search_follow_the_change(tiny_translator, lifted):
    changed = {"intervention": hide(1, 2) | Intervention(*[LiftedMask()] * lifted)}
    text = SENTENCES[0]
    greedy = tiny_translator.search(text, Decoding(1, 0.0, 5), **changed)
    plain = tiny_translator.search(text, Decoding(1, 0.0, 5))
    assert greedy.nodes[1].log_prob != plain.nodes[1].log_prob
    coldest = Sampling(n_samples=2, temperature=0.0, max_len=5)
    drawn = tiny_translator.sample(text, coldest, **changed)
    assert drawn.hypothesis(drawn.samples[0]).ids == greedy.hypothesis(greedy.best).ids
    first = tiny_translator.candidates(text, (), 10_000, **changed)
    assert first[0].token_id == greedy.nodes[1].token_id
    found = tiny_translator.exact_search(text, Decoding(1, 0.0, 1), **changed).best
    (end,) = (each for each in first if each.token_id == 3)
    assert found.ids == (3,)
    assert found.cum_log_prob == pytest.approx(end.log_prob, abs=1e-4)


def test_masks_of_a_changed_map_say_where_each_head_may_look(tiny_translator):
    changed = Intervention(MaskedCell("cross", 1, 2, 3, 0)) | hide(4)
    record = tiny_translator.attend(*SENTENCES[:2], intervention=changed)
    cross = record.cross
    assert not cross.mask_of(1, 2)[3, 0]
    assert cross.mask_of(0, 2)[3, 0]
    assert not cross.mask[:, 4].any()
    assert cross.mask[3, 0]
    np.testing.assert_array_equal(record.encoder.mask_of(0, 0), record.encoder.mask)
    np.testing.assert_array_equal(record.decoder.mask, np.tril(np.ones_like(record.decoder.mask)))
    lifted = tiny_translator.attend(*SENTENCES[:2], intervention=Intervention(LiftedMask()))
    assert lifted.decoder.mask is None

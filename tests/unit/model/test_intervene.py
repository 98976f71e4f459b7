"""Changing what a model may see: exact, refused when it cannot be, and gone afterwards."""

import copy
import threading

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.attention import TRANSFORMER_SITES
from core.changes import AblatedHead, HiddenToken, LiftedMask, MaskedCell, OverriddenRow, Positions
from core.intervention import Intervention, hide
from core.search import Decoding, Sampling
from model import InputError, InterventionError
from model.attention import MultiHeadAttention
from model.block import sinusoidal_encoding
from model.capture import capture_attention
from model.intervene import intervening
from model.search import beam_search, greedy_search
from support.models import SENTENCES, hooks, make_model

SRC = torch.tensor([[5, 6, 7, 8, 9, 3]])
TGT = torch.tensor([[2, 9, 10, 11, 12]])
N_SRC, N_TGT = SRC.shape[1], TGT.shape[1]
MODEL = make_model()
MEANS = {
    kind: torch.randn(2, 4, 4, generator=torch.Generator().manual_seed(i))
    for i, kind in enumerate(TRANSFORMER_SITES)
}
QUICK = Decoding(beam_size=2, max_len=12)


def run(intervention, model=MODEL, src=SRC, tgt=TGT):
    """Logits, and every kind's weights, of one or several interventions."""
    with (
        torch.inference_mode(),
        intervening(
            model, intervention, n_src=src.shape[1], n_tgt=tgt.shape[1], means=MEANS
        ) as changed,
        capture_attention(model) as captured,
    ):
        logits = changed(src, tgt)
    return logits, {kind: captured.weights(kind) for kind in TRANSFORMER_SITES}


def plain(model=MODEL, src=SRC, tgt=TGT):
    with torch.inference_mode(), capture_attention(model) as captured:
        logits = model(src, tgt)
    return logits, {kind: captured.weights(kind) for kind in TRANSFORMER_SITES}


def complaint(intervention):
    with pytest.raises(InterventionError) as raised:
        run(intervention)
    assert raised.value.hint
    return str(raised.value)


def maybe(most):
    return st.one_of(st.none(), st.integers(0, most))


@st.composite
def cells(draw):
    """A cell whose row keeps another one: key 0 stays visible, and rows see more than one key."""
    kind = draw(st.sampled_from(tuple(TRANSFORMER_SITES)))
    query = draw(st.integers(1 if kind == "decoder" else 0, 4))
    key = draw(st.integers(1, query if kind == "decoder" else 5))
    return MaskedCell(kind, draw(maybe(1)), draw(maybe(3)), query, key)


@st.composite
def changes(draw):
    """Interventions that fit, of masks and hidden tokens only."""
    hidden = [
        HiddenToken(kind, position)
        for kind in ("encoder", "cross")
        for position in draw(st.lists(st.integers(1, 5), max_size=3))
    ]
    lifted = [LiftedMask()] * draw(st.booleans())
    return Intervention(*lifted, *hidden, *draw(st.lists(cells(), max_size=5)))


def expected_masks(intervention):
    """Where may be looked, written out cell by cell: for each kind bool (L, H, T_q, T_k)."""
    sizes = {"encoder": (N_SRC, N_SRC), "decoder": (N_TGT, N_TGT), "cross": (N_TGT, N_SRC)}
    seen = {kind: np.ones((2, 4, *size), dtype=bool) for kind, size in sizes.items()}
    if intervention.causal:
        for q in range(N_TGT):
            seen["decoder"][:, :, q, q + 1 :] = False
    for kind in ("encoder", "cross"):
        seen[kind][..., list(intervention.hidden_from(kind))] = False
    for cell in intervention.masked:
        for layer in range(2):
            for head in range(4):
                if cell.layer in (None, layer) and cell.head in (None, head):
                    seen[cell.kind][layer, head, cell.query, cell.key] = False
    return seen


# -- masks ---------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(changes())
def test_masked_cells_and_no_others_are_exactly_zero_and_rows_sum_to_one(intervention):
    weights = run(intervention)[1]
    with intervening(MODEL, intervention, n_src=N_SRC, n_tgt=N_TGT) as changed:
        for kind, seen in expected_masks(intervention).items():
            np.testing.assert_array_equal(weights[kind][0] > 0, seen)
            np.testing.assert_allclose(weights[kind].sum(-1), 1.0, rtol=0, atol=1e-5)
            np.testing.assert_array_equal(changed.may_look(kind, *seen.shape[2:]), seen)


@pytest.mark.parametrize("position", range(N_SRC))
def test_hiding_a_token_equals_removing_its_key(position):
    keep = [i for i in range(N_SRC) if i != position]
    with torch.inference_mode():
        without = MODEL.decode(TGT, MODEL.encode(SRC)[:, keep])
        x = MODEL.embed(SRC)
        for layer in MODEL.encoder_layers:
            rest = x[:, keep]
            x = layer.self_attention_residual(x, layer.self_attention(x, rest, rest))
            x = layer.feed_forward_residual(x, layer.feed_forward(x))
        of_encoder = MODEL.decode(TGT, x)
    torch.testing.assert_close(run(hide(position, where="cross"))[0], without)
    torch.testing.assert_close(run(hide(position, where="encoder"))[0], of_encoder)


def test_without_the_causal_mask_the_model_decodes_as_told_to():
    with torch.inference_mode():
        expected = MODEL.decode(TGT, MODEL.encode(SRC), causal=False)
    torch.testing.assert_close(run(Intervention(LiftedMask()))[0], expected)


# -- heads ---------------------------------------------------------------------------------


def silenced(kind, layer, head, value):
    """Of a model whose head's columns of W_O see `value` instead, which its bias adds."""
    model = copy.deepcopy(MODEL)
    for module in model.modules():
        if isinstance(module, MultiHeadAttention):
            probe = module.probe
            if (probe.kind, probe.layer) == (kind, layer):
                columns = slice(head * 4, head * 4 + 4)
                module.out_proj.bias.data += module.out_proj.weight.data[:, columns] @ value
                module.out_proj.weight.data[:, columns] = 0
    return plain(model)


@pytest.mark.parametrize("kind", TRANSFORMER_SITES)
@pytest.mark.parametrize("how", ["zero", "mean"])
def test_a_silenced_head_equals_a_model_without_its_columns_and_keeps_its_weights(kind, how):
    value = torch.zeros(4) if how == "zero" else MEANS[kind][1, 2]
    logits, weights = run(Intervention(AblatedHead(kind, 1, 2, how)))
    expected, silent = silenced(kind, 1, 2, value)
    torch.testing.assert_close(logits, expected)
    np.testing.assert_array_equal(weights[kind][0, 1, 2], silent[kind][0, 1, 2])


def test_a_uniform_head_gives_every_visible_key_the_same_unless_a_row_is_given():
    cell, given_row = MaskedCell("decoder", 0, 1, 3, 2), OverriddenRow("decoder", 0, 1, 2, (1.0,))
    ablated = Intervention(AblatedHead("decoder", 0, 1, "uniform"), cell, given_row)
    weights = run(ablated)[1]["decoder"][0, 0]
    expected = [[1, 0, 0, 0, 0], [0.5, 0.5, 0, 0, 0], [1, 0, 0, 0, 0], [1 / 3, 1 / 3, 0, 1 / 3, 0]]
    np.testing.assert_allclose(weights[1, :4], np.float32(expected), atol=1e-7)
    np.testing.assert_array_equal(weights[0], plain()[1]["decoder"][0, 0, 0])


def test_the_more_particular_ablation_counts():
    both = Intervention(AblatedHead("cross", how="zero"), AblatedHead("cross", 1, 2, "uniform"))
    others = [
        AblatedHead("cross", layer, head)
        for layer in range(2)
        for head in range(4)
        if (layer, head) != (1, 2)
    ]
    expected = Intervention(*others, AblatedHead("cross", 1, 2, "uniform"))
    assert torch.equal(run(both)[0], run(expected)[0])


# -- rows given by hand --------------------------------------------------------------------


def test_a_row_given_by_hand_is_the_row():
    given_row = OverriddenRow("cross", 1, 0, 2, (0.0, 0.25, 0.0, 0.75))
    weights = run(Intervention(given_row))[1]["cross"][0]
    np.testing.assert_array_equal(weights[1, 0, 2], [0, 0.25, 0, 0.75, 0, 0])


# -- positions -----------------------------------------------------------------------------


def with_encodings(source, target):
    """Logits with these encodings (T, d_model) in the place of the model's own."""
    model = copy.deepcopy(MODEL)
    scale = model.config.d_model**0.5
    with torch.inference_mode():
        x = model.embedding(SRC) * scale + source
        for layer in model.encoder_layers:
            x = layer(x, None)
        y = model.embedding(TGT) * scale + target
        mask = torch.ones(N_TGT, N_TGT).tril().bool()[None, None]
        for layer in model.decoder_layers:
            y = layer(y, x, mask, None)
        return model.logits(y)


NOTHING, IN_ORDER = None, list(range(6))


@pytest.mark.parametrize(
    ("source", "target", "positions"),
    [
        ([70, 71, 72, 73, 74, 75], IN_ORDER, [Positions("shifted", offset=70)]),
        ([5, 4, 3, 2, 1, 0], IN_ORDER, [Positions("reversed")]),
        (IN_ORDER, [2, 1, 0, 3, 4], [Positions("reversed", span=3, side="target")]),
        (IN_ORDER, NOTHING, [Positions("absent", side="target")]),
        (NOTHING, NOTHING, [Positions("absent"), Positions("absent", side="target")]),
    ],
)
def test_positions_are_those_asked_for(source, target, positions):
    table = torch.cat((sinusoidal_encoding(100, 16), torch.zeros(1, 16)))
    rows = [table[-1:] if order is NOTHING else table[order] for order in (source, target)]
    expected = with_encodings(rows[0], rows[1][:N_TGT])
    torch.testing.assert_close(run(Intervention(*positions))[0], expected)


# -- nothing changed, and things together --------------------------------------------------


def test_no_intervention_is_bit_identical():
    expected, weights = plain()
    logits, seen = run(Intervention())
    assert torch.equal(logits, expected)
    assert all(np.array_equal(seen[kind], weights[kind]) for kind in TRANSFORMER_SITES)


OTHERS = [
    Intervention(),
    Intervention(AblatedHead("cross", 0, 1)),
    Intervention(AblatedHead("encoder", 1, 3, "mean")),
    Intervention(Positions("absent")),
    Intervention(OverriddenRow("decoder", 0, 0, 2, (0.5, 0.5))),
]


@settings(max_examples=15, deadline=None)
@given(st.lists(changes() | st.sampled_from(OTHERS), min_size=2, max_size=4))
@example(OTHERS)
def test_a_batch_runs_each_item_under_its_own_intervention(interventions):
    logits = run(interventions)[0]
    for item, intervention in enumerate(interventions):
        torch.testing.assert_close(logits[item : item + 1], run(intervention)[0])


# -- search --------------------------------------------------------------------------------

SEARCHED = [
    hide(1, 2),
    Intervention(MaskedCell("decoder", 0, None, 3, 1), MaskedCell("cross", 1, 2, 2, 0)),
    Intervention(AblatedHead("cross", 0), AblatedHead("decoder", 1, 1, "uniform")),
    Intervention(OverriddenRow("cross", 0, None, 2, (0.5, 0.5))),
    Intervention(OverriddenRow("decoder", 1, None, 2, (0.5, 0.2, 0.3))),
    Intervention(Positions("reversed"), Positions("permuted", span=6, side="target")),
    Intervention(Positions("shifted", offset=90, side="target")),
]


@pytest.mark.parametrize("intervention", SEARCHED)
def test_log_probs_of_a_changed_search_equal_changed_teacher_forcing(intervention):
    with intervening(MODEL, intervention, n_src=N_SRC, n_tgt=8) as changed:
        tree = beam_search(changed, SRC, Decoding(3, 0.6, 8))
    best = tree.hypothesis(tree.best)
    read = torch.tensor([[2, *best.ids[:-1]]])
    log_probs = run(intervention, tgt=read)[0][0].log_softmax(-1)
    np.testing.assert_allclose(best.log_probs, log_probs[range(len(best.ids)), best.ids], atol=1e-4)


def test_steps_of_a_batch_keep_to_their_own_intervention():
    prev = torch.tensor([2] * len(SEARCHED)), torch.tensor([9] * len(SEARCHED))
    with torch.inference_mode(), intervening(MODEL, SEARCHED, n_src=N_SRC, n_tgt=8) as changed:
        _, state = changed.step(changed.start(SRC), prev[0])
        log_probs, _ = changed.step(state, prev[1])
    for item, intervention in enumerate(SEARCHED):
        expected = run(intervention, tgt=torch.tensor([[2, 9]]))[0][0, -1].log_softmax(-1)
        torch.testing.assert_close(log_probs[item], expected)


def test_a_search_without_the_causal_mask_reads_all_it_has_written_again():
    lifted = Intervention(LiftedMask())
    with intervening(MODEL, lifted, n_src=N_SRC, n_tgt=5) as changed:
        tree = greedy_search(changed, SRC, max_len=5)
    ids = [2]
    with torch.inference_mode():
        memory = MODEL.encode(SRC)
        for _ in range(5):
            logits = MODEL.decode(torch.tensor([ids]), memory, causal=False)
            ids.append(int(logits[0, -1].argmax()))
            if ids[-1] == 3:
                break
    assert list(tree.hypothesis(tree.best).ids) == ids[1:]


# -- what is refused -----------------------------------------------------------------------


def test_a_row_that_is_left_with_nothing_is_named_as_people_count():
    assert "no position left" in complaint(hide(*range(N_SRC)))
    assert "cross-attention" in complaint(hide(*range(N_SRC), where="cross"))
    cut = tuple(MaskedCell("encoder", 1, 2, 3, k) for k in range(N_SRC))
    assert "Row 4 of the encoder, layer 2, head 3," in complaint(Intervention(*cut))
    only = Intervention(MaskedCell("decoder", query=0, key=0))
    assert "Row 1 of the decoder" in complaint(only)
    lifted = only | Intervention(LiftedMask())
    run(lifted)  # then it has others, but not in a search
    with (
        pytest.raises(InterventionError, match="no position left"),
        intervening(MODEL, lifted, n_src=N_SRC, n_tgt=5) as changed,
    ):
        greedy_search(changed, SRC, max_len=5)


@pytest.mark.parametrize(
    ("intervention", "found"),
    [
        (hide(6), "token 7 is hidden, but the sentence has 6 tokens"),
        (hide(6) | Intervention(AblatedHead("cross", 5)), "token 7"),
        (
            hide(1, where="cross") | Intervention(OverriddenRow("cross", 0, 0, 1, (0.5, 0.5))),
            "position 2, which is masked for it",
        ),
        (Intervention(AblatedHead("cross", 0, 4)), "head 5 of cross-attention"),
        (Intervention(MaskedCell("cross", 0, 0, 64, 1)), "query 65 of cross-attention"),
        (Intervention(Positions("reversed", span=7)), "7 positions"),
        (Intervention(Positions("reversed", span=65, side="target")), "65 positions"),
    ],
)
def test_what_the_model_or_sentence_lacks_is_named(intervention, found):
    assert found in complaint(intervention)


def test_weight_on_the_future_is_refused_while_the_causal_mask_is_on():
    ahead = Intervention(OverriddenRow("decoder", 0, 0, 1, (0.5, 0.0, 0.5)))
    assert "position 3" in complaint(ahead)
    run(ahead | Intervention(LiftedMask()))


def test_target_positions_that_are_not_reached_do_not_matter():
    cells = MaskedCell("cross", 0, 0, 40, 1), MaskedCell("decoder", 0, 0, 9, 8)
    far = Intervention(*cells, HiddenToken("decoder", 40))
    assert torch.equal(run(far)[0], plain()[0])


# -- nothing leaks -------------------------------------------------------------------------


def test_hooks_are_gone_after_an_error_a_run_and_a_refusal():
    model, open_hooks = make_model(), []

    def fail():
        with intervening(model, hide(1), n_src=N_SRC, n_tgt=N_TGT):
            open_hooks.extend(hooks(model))
            raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        fail()
    assert open_hooks
    run(Intervention(LiftedMask(), AblatedHead("cross")) | hide(1), model)
    with pytest.raises(InterventionError):
        run(hide(*range(N_SRC)), model)
    assert hooks(model) == []


def test_another_thread_sees_nothing_of_an_open_intervention():
    model, seen = make_model(), []
    strong = hide(1) | Intervention(LiftedMask(), Positions("absent"))
    with intervening(model, strong, n_src=N_SRC, n_tgt=N_TGT):
        thread = threading.Thread(target=lambda: seen.append(plain(model)[0]))
        thread.start()
        thread.join()
    assert torch.equal(seen[0], plain(model)[0])


# -- through the translator ----------------------------------------------------------------


def test_a_changed_translation_agrees_with_its_attention_and_score(tiny_translator):
    changed = hide(1, 2) | Intervention(AblatedHead("cross", 0))
    translation = tiny_translator.translate(SENTENCES[0], QUICK, intervention=changed)
    record, log_probs = tiny_translator.read_again(translation.src, translation.tgt, changed)
    np.testing.assert_allclose(translation.log_probs, log_probs, atol=1e-4)
    for attention in (record, translation.attention):
        assert (attention.cross.weights[..., [1, 2]] == 0).all()
    with pytest.raises(InputError, match="head 9"):
        tiny_translator.read_again(
            translation.src, translation.tgt, Intervention(AblatedHead("cross", 0, 8))
        )


def test_candidates_and_scores_follow_the_intervention(tiny_translator):
    changed = Intervention(Positions("absent"))
    candidate = tiny_translator.candidates(SENTENCES[0], (), 3, intervention=changed)[0]
    src = tiny_translator.tokenize(SENTENCES[0])
    best = tiny_translator.search(SENTENCES[0], Decoding(1, 0.0), intervention=changed).nodes[1]
    assert candidate.token_id == best.token_id
    scored = tiny_translator.score(SENTENCES[0], SENTENCES[1], intervention=changed)
    tgt = tiny_translator.tokenize(SENTENCES[1])
    expected = tiny_translator.read_again(src, tgt, changed)[1]
    np.testing.assert_allclose(scored, expected, rtol=0, atol=1e-5)
    assert not np.allclose(scored, tiny_translator.score(SENTENCES[0], SENTENCES[1]))


@pytest.mark.parametrize("lifted", [False, True])
def test_samples_and_exact_search_follow_the_intervention(tiny_translator, lifted):
    changed = hide(1, 2) | Intervention(*[LiftedMask()] * lifted)
    greedy, plain_search = (
        tiny_translator.search(SENTENCES[0], Decoding(1, 0.0, 5), intervention=each)
        for each in (changed, None)
    )
    coldest = Sampling(n_samples=2, temperature=0.0, max_len=5)
    drawn = tiny_translator.sample(SENTENCES[0], coldest, intervention=changed)
    assert drawn.hypothesis(drawn.samples[0]).ids == greedy.hypothesis(greedy.best).ids
    one = Decoding(1, 0.0, 1)
    found = tiny_translator.exact_search(SENTENCES[0], one, intervention=changed).best
    first = tiny_translator.candidates(SENTENCES[0], (), 10_000, intervention=changed)
    (end,) = (each for each in first if each.token_id == 3)
    assert found.ids == (3,)
    assert found.cum_log_prob == pytest.approx(end.log_prob, abs=1e-4)
    told = [[node.log_prob for node in tree.nodes[1:]] for tree in (greedy, plain_search)]
    assert told[0] != told[1]


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

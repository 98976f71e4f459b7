"""Figures of anybody's arrays, and records of what transformers returns."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st

from core.files import attention_npz
from core.records.attention import AttentionRecord
from core.records.tokens import distinct_labels
from core.spelling import spelt
from model.readers.recordings import read_recording
from viz.export import figure_svg
from viz.figure import tables_of
from viz.notebook import (
    as_map,
    attention_heatmap,
    combined_queries,
    head_grid,
    head_view,
    record,
)
from words import english

TOKENS = ["[CLS]", "un", "##happy", "[SEP]"]
LABELS = ("[CLS]", "▁un", "happy", "[SEP]")
WEIGHTS = np.random.default_rng(0).dirichlet(np.ones(4), size=(2, 3, 4))  # (L, H, T, T)
TORCH = torch.tensor(WEIGHTS)
ARRAYS: dict[str, tuple[Any, Any]] = {
    # What somebody has, and the weights (L, H, T, T) in it.
    "matrix": (WEIGHTS[0, 0], WEIGHTS[:1, :1]),
    "layer": (WEIGHTS[0], WEIGHTS[:1]),
    "layers": (WEIGHTS, WEIGHTS),
    "lists": (WEIGHTS.tolist(), WEIGHTS),
    "tensor": (TORCH, WEIGHTS),
    "learning": (TORCH.clone().requires_grad_(), WEIGHTS),
    "layers-with-batch": (tuple(TORCH[:, None]), WEIGHTS),
    "layers-without-batch": (list(WEIGHTS), WEIGHTS),
    "batch": (WEIGHTS[:, None], WEIGHTS),
    "layer-without-attention": ((TORCH[0][None], None, TORCH[1][None]), WEIGHTS),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_of_every_shape_are_one_map(name):
    given_weights, expected = ARRAYS[name]
    attention = as_map(given_weights, TOKENS)
    np.testing.assert_allclose(attention.weights, expected, rtol=1e-6)
    assert attention.weights.dtype == np.float32
    assert attention.query_tokens == attention.key_tokens == LABELS


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_read_to_its_own_digits(dtype):
    attention = as_map(TORCH.to(dtype), TOKENS)
    np.testing.assert_array_equal(attention.weights, TORCH.to(dtype).float().numpy())
    np.testing.assert_allclose(attention.weights, WEIGHTS, rtol=2**-8)


def test_a_text_of_a_batch_is_chosen_by_its_row():
    both = tuple(torch.stack([layer.flip(-1), layer]) for layer in TORCH)
    np.testing.assert_allclose(as_map(both, TOKENS, row=1).weights, WEIGHTS, rtol=1e-6)
    with pytest.raises(IndexError, match="row 2 of weights, which has 2"):
        as_map(both, TOKENS, row=2)


def test_the_figures_show_the_numbers_of_the_arrays():
    cells = tables_of(attention_heatmap(TORCH, TOKENS, layer=1, head=2))["cells"]
    np.testing.assert_allclose(cells["weight"], WEIGHTS[1, 2].ravel(), rtol=1e-6)
    curves = tables_of(head_view(TORCH, TOKENS, layer=1, heads=[2], share=1.0))["curves"]
    drawn = np.zeros((4, 4))
    keys = curves["key"].cat.codes
    drawn[curves["row"], keys] = curves["weight"]
    np.testing.assert_allclose(drawn, WEIGHTS[1, 2], rtol=1e-6)
    heads = tables_of(head_grid(TORCH, TOKENS))["heads"]
    assert len(heads) == 6


def test_a_saved_heatmap_has_bars_only_under_a_marked_row():
    def numbers(**marks):
        svg = figure_svg(attention_heatmap(TORCH, TOKENS, **marks))
        return re.findall(r">(\d\.\d+)</text>", svg)

    bars = Counter(numbers(locked_rows=(1,))) - Counter(numbers())
    # The numbers of the row, and the marks 0.0, 0.5 and 1.0 of the axis of the bars.
    large = WEIGHTS[0, 0, 1][WEIGHTS[0, 0, 1] >= 0.01]
    assert bars == Counter([*(f"{weight:.2f}" for weight in large), "0.0", "0.5", "1.0"])


def test_the_titles_of_a_matrix_of_one_cell_do_not_meet():
    svg = figure_svg(attention_heatmap(np.ones((1, 1)), ["a"]))
    assert english("figures-matrix-query") in svg
    assert english("figures-matrix-query-attends") not in svg
    assert english("figures-matrix-query-attends") in figure_svg(
        attention_heatmap(np.eye(9), [*"abcdefghi"])
    )


@pytest.mark.parametrize("horizontal", [False, True])
def test_long_tokens_of_a_head_view_keep_what_tells_them_apart(horizontal):
    tokens = [f"Donaudampfschifffahrt{i}" for i in range(3)]
    svg = figure_svg(head_view(np.eye(3), tokens, horizontal=horizontal))
    labels = distinct_labels(spelt(tokens).labels)
    assert all(svg.count(f">{label}</text>") == 2 for label in labels)


def test_several_queries_of_anybodys_arrays_have_their_mean_and_sum():
    added = WEIGHTS[1, 2, 1] + WEIGHTS[1, 2, 3]
    table = combined_queries(TORCH, TOKENS, queries=[3, 1], layer=1, heads=[2])
    np.testing.assert_allclose(table["weight_sum"], added, rtol=1e-6)
    np.testing.assert_allclose(table["weight_mean"], added / 2, rtol=1e-6)
    assert table["query_tokens"][0] == "▁un + [SEP]"
    figure = head_view(TORCH, TOKENS, layer=1, heads=[2], queries=[1, 3], horizontal=True)
    np.testing.assert_allclose(tables_of(figure)["combined"]["sum"], added, rtol=1e-6)


@pytest.mark.parametrize("draw", [attention_heatmap, head_view, head_grid])
def test_every_figure_is_drawn_of_arrays_and_of_records(draw):
    cross = draw(WEIGHTS[..., :3, :] * 0.9, TOKENS[:3], TOKENS)
    whole = draw(record({"attentions": WEIGHTS}, TOKENS))
    for figure in (cross, whole):
        assert "<svg" in figure._repr_mimebundle_()["image/svg+xml"]


REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "no tokens": (lambda: as_map(WEIGHTS), ValueError, "expected tokens"),
    "too few": (lambda: as_map(WEIGHTS, TOKENS[:3]), ValueError, "3 tokens for 4 rows"),
    "ids": (lambda: as_map(WEIGHTS, [1, 2, 3, 4]), TypeError, "convert_ids_to_tokens"),
    "a text": (lambda: as_map(WEIGHTS, "abcd"), TypeError, "list of texts"),
    "scores": (lambda: as_map(WEIGHTS * 9, TOKENS), ValueError, "after the softmax"),
    "NaN": (lambda: as_map(WEIGHTS * np.nan, TOKENS), ValueError, "NaN"),
    "one axis": (lambda: as_map(WEIGHTS[0, 0, 0], TOKENS), ValueError, r"shape \(4,\)"),
    "empty": (lambda: as_map((), TOKENS), ValueError, "attn_implementation='eager'"),
    "unequal": (
        lambda: as_map((TORCH[0], TORCH[1, :2]), TOKENS),
        ValueError,
        "differ in shape",
    ),
    "head": (lambda: attention_heatmap(WEIGHTS, TOKENS, head=3), IndexError, "head 3 of 3"),
    "layer": (lambda: head_view(WEIGHTS, TOKENS, layer=2), IndexError, "layer 2 of 2"),
    "query": (
        lambda: head_view(WEIGHTS, TOKENS, queries=[4]),
        IndexError,
        "query row 4 of 4; query rows count from 0",
    ),
    "nothing": (lambda: record({}, TOKENS), ValueError, "output_attentions=True"),
    "no target": (
        lambda: record({"cross_attentions": WEIGHTS}, TOKENS),
        ValueError,
        "expected target_tokens",
    ),
    "other target": (
        lambda: record({"cross_attentions": WEIGHTS}, TOKENS, TOKENS[:2]),
        ValueError,
        "2 target_tokens for 4 rows",
    ),
    "mask": (
        lambda: record({"attentions": WEIGHTS}, TOKENS, mask=np.zeros(4)),
        ValueError,
        "leaves no position",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused_by_its_name(name):
    call, kind, words = REFUSED[name]
    with pytest.raises(kind, match=words):
        call()


# -- outputs of transformers -------------------------------------------------------------------

SIZES = {"vocab_size": 24, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4}
BART = {
    "vocab_size": 24, "d_model": 16, "encoder_layers": 2, "decoder_layers": 3,
    "encoder_attention_heads": 2, "decoder_attention_heads": 4, "init_std": 0.4,
    "encoder_ffn_dim": 8, "decoder_ffn_dim": 8, "max_position_embeddings": 40,
}  # fmt: skip
LLAMA = {**SIZES, "num_key_value_heads": 2, "intermediate_size": 16, "initializer_range": 0.4}
IDS = torch.tensor([[1, 5, 6, 7, 9], [0, 0, 1, 8, 9]])
MASK = (IDS != 0).long()
SAMPLED = {"num_beams": 1, "do_sample": True, "num_return_sequences": 2}
BEAMS = {"num_beams": 4, "num_return_sequences": 2}
WAYS = {"greedy": {"num_beams": 1}, "beams": BEAMS, "sampled": SAMPLED}


def tiny(name: str, head: str, **sizes: Any) -> Any:
    """A model of transformers with random weights that computes its attention openly."""
    torch.manual_seed(1)
    config = getattr(transformers, f"{name}Config")(pad_token_id=0, eos_token_id=2, **sizes)
    build = getattr(transformers, name + head)
    return build._from_config(config, attn_implementation="eager").eval()


def spell(ids: Any) -> list[str]:
    """Tokens of ids: their numbers, as a tokenizer of SentencePiece would spell words."""
    return [f"▁{int(i)}" for i in ids]


def assert_equal(record_: AttentionRecord, site: str, layers: Any, row: int, *cut: slice) -> None:
    expected = np.stack([layer[row].detach().float().numpy() for layer in layers])
    np.testing.assert_allclose(record_.of(site).weights, expected[:, :, *cut], atol=2e-6)


@pytest.mark.parametrize("row", [0, 1])
def test_an_encoder_is_recorded_for_each_text_of_a_padded_batch(row):
    model = tiny("Bert", "Model", **SIZES, intermediate_size=8)
    output = model(IDS, attention_mask=MASK, output_attentions=True)
    rec = record(output, spell(IDS[row]), row=row, mask=MASK)
    kept = slice(2 * row, None)
    assert_equal(rec, "encoder", output.attentions, row, kept, kept)
    assert rec.src.text == " ".join(str(int(i)) for i in IDS[row] if i)
    assert rec.encoder.site.normalised
    assert not rec.encoder.site.causal


def test_a_decoder_with_grouped_queries_is_recorded_with_all_its_heads():
    model = tiny("Llama", "ForCausalLM", **LLAMA)
    output = model(IDS[:1], output_attentions=True)
    rec = record(output, spell(IDS[0]))
    assert_equal(rec, "decoder", output.attentions, 0)
    assert rec.decoder.n_heads == 4
    assert rec.decoder.site.causal


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_a_model_in_half_precision_is_recorded(dtype):
    model = tiny("GPT2", "LMHeadModel", vocab_size=24, n_embd=16, n_layer=2, n_head=4).to(dtype)
    output = model(IDS[:1], output_attentions=True)
    assert_equal(record(output, spell(IDS[0])), "decoder", output.attentions, 0)


def test_an_encoder_decoder_is_recorded_with_what_it_reads_and_writes():
    model = tiny("Bart", "ForConditionalGeneration", **BART)
    read = torch.tensor([[2, 11, 12], [2, 13, 14]])
    output = model(IDS, attention_mask=MASK, decoder_input_ids=read, output_attentions=True)
    rec = record(output, spell(IDS[1]), spell([*read[1], 15]), row=1, mask=MASK)
    kept = slice(2, None)
    assert_equal(rec, "encoder", output.encoder_attentions, 1, kept, kept)
    assert_equal(rec, "decoder", output.decoder_attentions, 1)
    assert_equal(rec, "cross", output.cross_attentions, 1, slice(None), kept)
    assert rec.tgt.tokens == ("▁13", "▁14", "▁15")
    assert rec.cross.query_tokens == ("▁2", "▁13", "▁14")
    only_read = record(output, spell(IDS[1]), spell(read[1]), row=1)
    assert only_read.tgt is None


def generated(model: Any, **options: Any) -> Any:
    torch.manual_seed(3)
    return model.generate(
        input_ids=IDS, attention_mask=MASK, max_new_tokens=7, output_attentions=True,
        return_dict_in_generate=True, **options,
    )  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_the_steps_of_an_encoder_decoder_are_those_of_one_pass_over_its_output(way):
    model = tiny("Bart", "ForConditionalGeneration", **BART)
    output = generated(model, **WAYS[way])
    for row, ids in enumerate(output.sequences):
        end = len(ids) - int((ids == 0).sum())
        text = row * len(IDS) // len(output.sequences)
        rec = record(output, spell(IDS[text]), spell(ids[:end]), row=row, mask=MASK)
        once = model(
            IDS[text : text + 1], attention_mask=MASK[text : text + 1],
            decoder_input_ids=ids[None, : end - 1], output_attentions=True,
        )  # fmt: skip
        kept = slice(2 * text, None)
        assert_equal(rec, "encoder", once.encoder_attentions, 0, kept, kept)
        assert_equal(rec, "decoder", once.decoder_attentions, 0)
        assert_equal(rec, "cross", once.cross_attentions, 0, slice(None), kept)
        assert rec.tgt.tokens == tuple(spell(ids[1:end]))
        assert rec.decoder.site.causal


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["Llama", "GPT2"])
def test_the_steps_of_a_decoder_are_those_of_one_pass_over_its_text(name, way):
    sizes = LLAMA if name == "Llama" else {
        "vocab_size": 24, "n_embd": 16, "n_layer": 2, "n_head": 4, "initializer_range": 0.4
    }  # fmt: skip
    model = tiny(name, "ForCausalLM" if name == "Llama" else "LMHeadModel", **sizes)
    output = generated(model, **WAYS[way])
    n_prompt = IDS.shape[1]
    for row, ids in enumerate(output.sequences):
        text = row * len(IDS) // len(output.sequences)
        end = n_prompt + int((ids[n_prompt:] != 0).sum())
        rec = record(output, spell(ids[:end]), row=row, mask=MASK[text])
        start = 2 * text
        once = model(ids[None, start : end - 1], output_attentions=True)
        assert_equal(rec, "decoder", once.attentions, 0)
        assert rec.decoder.query_tokens == tuple(spell(ids[start : end - 1]))


def test_a_hypothesis_of_the_tests_changes_its_row():
    """Or following it would prove nothing."""
    for name, head, sizes in (
        ("Bart", "ForConditionalGeneration", BART),
        ("Llama", "ForCausalLM", LLAMA),
    ):
        indices = generated(tiny(name, head, **sizes), **BEAMS).beam_indices
        assert any(len({int(i) for i in path if i >= 0}) > 1 for path in indices)


def test_another_implementation_of_attention_is_named():
    model = tiny("Bert", "Model", **SIZES, intermediate_size=8)
    model.set_attn_implementation("sdpa")
    with pytest.raises(ValueError, match="attn_implementation='eager'"):
        record(model(IDS, output_attentions=True), spell(IDS[0]))


def test_a_record_opens_in_the_app():
    model = tiny("Bart", "ForConditionalGeneration", **BART)
    output = generated(model, num_beams=1)
    rec = record(output, spell(IDS[0]), spell(output.sequences[0]))
    read = read_recording("recording.npz", attention_npz(rec)).record
    for mine, theirs in zip(rec.maps, read.maps, strict=True):
        np.testing.assert_array_equal(mine.weights, theirs.weights)
        assert (mine.site, mine.query_tokens, mine.output_tokens) == (
            (theirs.site, theirs.query_tokens, theirs.output_tokens)
        )


SHAPES = st.lists(st.integers(0, 3), min_size=0, max_size=5)


@given(SHAPES, st.integers(0, 3), st.integers(0, 2), st.booleans())
def test_any_array_is_a_map_of_its_tokens_or_refused(shape, n_tokens, row, layered):
    weights = np.full(shape, 0.5)
    value = list(weights) if layered and shape else weights
    with contextlib.suppress(ValueError, IndexError):
        attention = as_map(value, ["a"] * n_tokens, row=row)
        assert attention.weights.shape[2:] == (n_tokens, n_tokens)

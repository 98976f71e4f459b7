"""Files of weights and tables: what is in them, and that others can read them."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch

from core.attention import DECODER, ENCODER, AttentionMap, AttentionRecord, AttentionSite
from core.files import (
    attention_npz,
    attention_table,
    bertviz_json,
    map_npz,
    table_csv,
    table_npz,
)
from core.search import Decoding
from core.sources import GridSource
from core.tokens import TokenSequence

WEIGHTS = np.array([[[[1.0, 0.0], [0.25, 0.75]]]], dtype=np.float32)
CAUSAL = np.array([[True, False], [True, True]])


def causal_map(tokens: tuple[str, ...] = ("a", "b")) -> AttentionMap:
    return AttentionMap(DECODER, WEIGHTS, tokens, tokens, mask=CAUSAL)


@pytest.fixture(scope="module")
def record(tiny_translator) -> AttentionRecord:
    return tiny_translator.translate("A dog runs through the snow.", Decoding()).attention


def test_csv_has_one_line_a_cell_and_none_for_masked_ones():
    lines = list(csv.reader(io.StringIO(table_csv(attention_table(causal_map())))))
    assert lines == [
        ["kind", "layer", "head", "query_position", "query_token", "key_position", "key_token",
         "weight"],
        ["decoder", "1", "1", "1", "a", "1", "a", "1.0"],
        ["decoder", "1", "1", "2", "b", "1", "a", "0.25"],
        ["decoder", "1", "1", "2", "b", "2", "b", "0.75"],
    ]  # fmt: skip


def test_csv_gives_every_weight_back_exactly(record):
    frame = pd.read_csv(
        io.StringIO(table_csv(attention_table(record.cross))), keep_default_na=False
    )
    back = np.full_like(record.cross.weights, np.nan)
    at = [frame[name] - 1 for name in ("layer", "head", "query_position", "key_position")]
    back[tuple(at)] = frame["weight"].to_numpy(np.float32)
    np.testing.assert_array_equal(back, record.cross.weights)


def test_csv_gives_the_raw_scores_where_the_map_has_them(tiny_translator):
    found = tiny_translator.attend("A dog.", "Ein Hund.", scores=True).decoder
    frame = attention_table(found, 1, 2)
    at = frame["query_position"] - 1, frame["key_position"] - 1
    np.testing.assert_array_equal(frame["score"], found.scores[1, 2][at])
    assert "score" not in attention_table(tiny_translator.attend("A dog.", "Ein Hund.").decoder)


def test_csv_of_one_head_or_layer_holds_its_heads(record):
    frame = attention_table(record.encoder, 1, 2)
    assert set(zip(frame["layer"], frame["head"], strict=True)) == {(2, 3)}
    np.testing.assert_array_equal(frame["weight"], record.encoder.head(1, 2).ravel())
    frame = attention_table(record.encoder, layer=0)
    assert (set(frame["layer"]), set(frame["head"])) == ({1}, {1, 2, 3, 4})


def test_csv_rows_may_be_named_by_the_tokens_produced(record):
    frame = attention_table(record.cross, 0, 0, row_tokens=record.cross.output_tokens)
    by_row = frame.drop_duplicates("query_position")["query_token"]
    assert tuple(by_row) == record.cross.output_tokens


@pytest.mark.parametrize("token", ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\tx", "\rx"])
def test_a_token_that_is_a_formula_becomes_text(token):
    frame = attention_table(causal_map((token, "-")))
    assert frame["query_token"][0] == "'" + token
    assert frame["key_token"].iloc[-1] == "-"


def test_commas_quotes_and_line_ends_in_tokens_survive_csv():
    tokens = ('a,"b', "c\nd")
    frame = pd.read_csv(io.StringIO(table_csv(attention_table(causal_map(tokens)))))
    assert tuple(frame.drop_duplicates("query_position")["query_token"]) == tokens


def test_csv_of_a_table_keeps_numbers_and_disarms_texts():
    frame = pd.DataFrame({"n": [-1.5], "t": pd.Categorical(["=A1"])})
    assert table_csv(frame) == "n,t\n-1.5,'=A1\n"
    assert frame["t"][0] == "=A1"


def load(data: bytes) -> dict[str, np.ndarray]:
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return dict(arrays)


def test_npz_holds_every_kind_and_both_texts_without_pickles(record):
    arrays = load(attention_npz(record))
    for attention in record.maps:
        kind = attention.kind
        np.testing.assert_array_equal(arrays[f"{kind}_weights"], attention.weights)
        assert tuple(arrays[f"{kind}_query_tokens"]) == attention.query_tokens
        assert tuple(arrays[f"{kind}_key_tokens"]) == attention.key_tokens
    np.testing.assert_array_equal(arrays["decoder_mask"], record.decoder.mask)
    assert tuple(arrays["cross_output_tokens"]) == record.cross.output_tokens
    assert "encoder_mask" not in arrays
    assert "encoder_output_tokens" not in arrays
    assert str(arrays["src_text"]) == record.src.text
    assert tuple(arrays["tgt_ids"]) == record.tgt.ids
    assert arrays["src_offsets"].shape == (len(record.src), 2)
    assert set(load(map_npz(record.cross))) <= set(arrays)


def test_npz_of_a_source_alone_has_no_target():
    src = TokenSequence("a", (1, 2), ("a", "</s>"), ((0, 1), (0, 0)))
    alone = AttentionRecord(src, None, (AttentionMap(ENCODER, WEIGHTS, src.tokens, src.tokens),))
    assert not any(name.startswith(("tgt", "cross")) for name in load(attention_npz(alone)))


def test_npz_of_a_table_has_an_array_a_column():
    arrays = load(table_npz(pd.DataFrame({"w": np.float32([0.5]), "t": ["Müll"]})))
    assert arrays["w"].dtype == np.float32
    assert arrays["t"].tolist() == ["Müll"]


def bertviz_arguments(text: str) -> dict:
    """As the docstring of `bertviz_json` tells."""
    file = io.StringIO(text)
    return {
        name: [torch.tensor(layer) for layer in value] if name.endswith("attention") else value
        for name, value in json.load(file).items()
    }


def bertviz_params(html: str) -> dict:
    start = re.search(r"const params = ", html).end()
    return json.JSONDecoder().raw_decode(html[start:])[0]


@pytest.mark.parametrize("view", ["head_view", "model_view"])
def test_bertviz_shows_our_attention(record, view):
    bertviz = pytest.importorskip("bertviz")
    arguments = bertviz_arguments(bertviz_json(record))
    html = getattr(bertviz, view)(**arguments, html_action="return").data
    shown = {entry["name"].lower(): entry for entry in bertviz_params(html)["attention"]}
    assert set(shown) == {"encoder", "decoder", "cross"}
    for attention in record.maps:
        entry = shown[attention.kind]
        np.testing.assert_allclose(entry["attn"], attention.weights, atol=1e-6)
        assert entry["left_text"] == [t.replace("▁", " ") for t in attention.query_tokens]
        assert entry["right_text"] == [t.replace("▁", " ") for t in attention.key_tokens]


def test_bertviz_is_told_by_the_sides_who_looks_at_whom():
    site = AttentionSite("alignment", "target", "source")
    attention = AttentionMap(site, np.full((1, 1, 1, 2), 0.5, np.float32), ("<s>",), ("a", "b"))
    grid = GridSource("a picture", (1, 2), (0.0, 1.0))
    arguments = json.loads(bertviz_json(AttentionRecord(grid, None, (attention,))))
    assert arguments["cross_attention"] == [[[[[0.5, 0.5]]]]]
    assert arguments["encoder_tokens"] == ["a", "b"]
    assert arguments["decoder_tokens"] == ["<s>"]


def test_several_maps_of_a_site_keep_arrays_of_their_own():
    site = AttentionSite("words", "words", "words")
    maps = [
        AttentionMap(site, np.full((1, 1, n, n), 1 / n, np.float32), ("a",) * n, ("a",) * n, item=i)
        for i, n in enumerate((2, 3))
    ]
    grid = GridSource("a picture", (1, 2), (0.0, 0.5))
    with np.load(io.BytesIO(attention_npz(AttentionRecord(grid, None, tuple(maps))))) as file:
        assert file["words_weights"].shape == (1, 1, 2, 2)
        assert file["words_1_weights"].shape == (1, 1, 3, 3)
        assert file["src_ids"].tolist() == [0.0, 0.5]


@pytest.mark.parametrize("view", ["head_view", "model_view"])
def test_bertviz_takes_an_encoder_deeper_than_its_decoder(record, view):
    bertviz = pytest.importorskip("bertviz")
    shallow = replace(record.decoder, weights=record.decoder.weights[:1], scores=None)
    cross = replace(record.cross, weights=record.cross.weights[:1], scores=None)
    unequal = replace(record, maps=(record.encoder, shallow, cross))
    arguments = bertviz_arguments(bertviz_json(unequal))
    assert len(arguments["encoder_attention"]) > 1
    html = getattr(bertviz, view)(**arguments, html_action="return").data
    shown = {entry["name"].lower(): entry for entry in bertviz_params(html)["attention"]}
    np.testing.assert_allclose(
        np.array(shown["cross"]["attn"])[0], record.cross.weights[0], atol=1e-6
    )


def test_bertviz_takes_a_source_alone(record):
    bertviz = pytest.importorskip("bertviz")
    alone = AttentionRecord(record.src, None, (record.encoder,))
    arguments = bertviz_arguments(bertviz_json(alone))
    assert set(arguments) == {"encoder_attention", "encoder_tokens"}
    html = bertviz.head_view(**arguments, html_action="return").data
    assert [entry["name"] for entry in bertviz_params(html)["attention"]] == ["Encoder"]

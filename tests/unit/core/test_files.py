"""Files of weights and tables, read back by Python's csv, NumPy and BertViz."""

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

from core.files import (
    attention_npz,
    attention_table,
    bertviz_json,
    map_npz,
    table_csv,
    table_npz,
)
from core.records.attention import DECODER, AttentionMap, AttentionRecord, AttentionSite
from core.records.search import Decoding
from core.records.sources import GridSource

GRID = GridSource("a picture", (1, 2), (0.0, 0.5))


def causal_map(*tokens: str) -> AttentionMap:
    weights = np.array([[[[1.0, 0.0], [0.25, 0.75]]]], dtype=np.float32)
    return AttentionMap(DECODER, weights, tokens, tokens, mask=np.tri(2, dtype=bool))


@pytest.fixture(scope="module")
def record(tiny_translator) -> AttentionRecord:
    return tiny_translator.translate("A dog runs through the snow.", Decoding()).attention


@pytest.mark.parametrize("tokens", [('a,"b', "c\nd"), ("a\rb", "c")])
def test_csv_has_one_line_a_cell_and_none_for_masked_ones(tokens):
    one, other = tokens
    written = io.StringIO(table_csv(attention_table(causal_map(*tokens))), newline="")
    header, *rows = csv.reader(written)
    assert " ".join(header) == (
        "kind layer head query_position query_token key_position key_token weight"
    )
    assert rows == [
        ["decoder", "1", "1", "1", one, "1", one, "1.0"],
        ["decoder", "1", "1", "2", other, "1", one, "0.25"],
        ["decoder", "1", "1", "2", other, "2", other, "0.75"],
    ]


def test_csv_of_one_head_or_layer_holds_its_heads_and_all_of_them_every_weight(tiny_translator):
    found = tiny_translator.attend("A dog.", "Ein Hund.", scores=True).cross
    one = attention_table(found, 1, 2, row_tokens=found.output_tokens)
    assert set(zip(one["layer"], one["head"], strict=True)) == {(2, 3)}
    np.testing.assert_array_equal(one["weight"], found.head(1, 2).ravel())
    assert tuple(one.drop_duplicates("query_position")["query_token"]) == found.output_tokens
    of_layer = attention_table(found, layer=0)
    assert (set(of_layer["layer"]), set(of_layer["head"])) == ({1}, {1, 2, 3, 4})
    frame = pd.read_csv(io.StringIO(table_csv(attention_table(found))), keep_default_na=False)
    at = [frame[name] - 1 for name in ("layer", "head", "query_position", "key_position")]
    for column, values in (("weight", found.weights), ("score", found.scores)):
        back = np.full_like(values, np.nan)
        back[tuple(at)] = frame[column].to_numpy(np.float32)
        np.testing.assert_array_equal(back, values)
    assert "score" not in attention_table(replace(found, scores=None))


def test_a_token_that_is_a_formula_becomes_text():
    for token in ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\tx", "\rx"]:
        frame = attention_table(causal_map(token, "-"))
        assert frame["query_token"][0] == "'" + token
        assert frame["key_token"].iloc[-1] == "-"
    table = pd.DataFrame({"n": [-1.5], "t": pd.Categorical(["=A1"])})
    assert table_csv(table) == "n,t\n-1.5,'=A1\n"
    assert table["t"][0] == "=A1"


def load(data: bytes) -> dict[str, np.ndarray]:
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return dict(arrays)


def test_npz_holds_every_kind_and_both_texts_without_pickles(record):
    arrays = load(attention_npz(record))
    for attention in record.maps:
        kind = attention.site_id
        np.testing.assert_array_equal(arrays[f"{kind}_weights"], attention.weights)
        assert tuple(arrays[f"{kind}_query_tokens"]) == attention.query_tokens
        assert tuple(arrays[f"{kind}_key_tokens"]) == attention.key_tokens
    np.testing.assert_array_equal(arrays["decoder_mask"], record.decoder.mask)
    assert tuple(arrays["cross_output_tokens"]) == record.cross.output_tokens
    assert arrays.keys().isdisjoint({"encoder_mask", "encoder_output_tokens"})
    assert str(arrays["src_text"]) == record.src.text
    assert tuple(arrays["tgt_ids"]) == record.tgt.ids
    assert arrays["src_offsets"].shape == (len(record.src), 2)
    assert set(load(map_npz(record.cross))) <= set(arrays)
    alone = load(attention_npz(AttentionRecord(record.src, None, (record.encoder,))))
    assert not any(name.startswith(("tgt", "cross")) for name in alone)
    table = load(table_npz(pd.DataFrame({"w": np.float32([0.5]), "t": ["Müll"]})))
    assert table["w"].dtype == np.float32
    assert table["t"].tolist() == ["Müll"]


def test_several_maps_of_a_site_keep_arrays_of_their_own():
    site = AttentionSite("words", "words", "words")
    maps = tuple(
        AttentionMap(site, np.full((1, 1, n, n), 1 / n, np.float32), ("a",) * n, ("a",) * n, item=i)
        for i, n in enumerate((2, 3))
    )
    arrays = load(attention_npz(AttentionRecord(GRID, None, maps)))
    assert arrays["words_weights"].shape == (1, 1, 2, 2)
    assert arrays["words_1_weights"].shape == (1, 1, 3, 3)
    assert arrays["src_ids"].tolist() == [0.0, 0.5]


def in_bertviz(record: AttentionRecord, view: str) -> dict[str, dict]:
    """Maps that BertViz draws of a record, by the name of the attention, as `bertviz_json` says."""
    bertviz = pytest.importorskip("bertviz")
    arguments = {
        name: [torch.tensor(layer) for layer in value] if name.endswith("attention") else value
        for name, value in json.loads(bertviz_json(record)).items()
    }
    html = getattr(bertviz, view)(**arguments, html_action="return").data
    start = re.search(r"const params = ", html).end()
    params = json.JSONDecoder().raw_decode(html[start:])[0]
    return {entry["name"].lower(): entry for entry in params["attention"]}


@pytest.mark.parametrize("view", ["head_view", "model_view"])
def test_bertviz_shows_our_attention_of_decoders_as_deep_and_less(record, view):
    shown = in_bertviz(record, view)
    assert set(shown) == {"encoder", "decoder", "cross"}
    for attention in record.maps:
        entry = shown[attention.site_id]
        np.testing.assert_allclose(entry["attn"], attention.weights, atol=1e-6)
        assert entry["left_text"] == [t.replace("▁", " ") for t in attention.query_tokens]
        assert entry["right_text"] == [t.replace("▁", " ") for t in attention.key_tokens]
    shallow, cross = (
        replace(each, weights=each.weights[:1], scores=None)
        for each in (record.decoder, record.cross)
    )
    shown = in_bertviz(replace(record, maps=(record.encoder, shallow, cross)), view)
    np.testing.assert_allclose(np.array(shown["cross"]["attn"])[0], cross.weights[0], atol=1e-6)
    alone = AttentionRecord(record.src, None, (record.encoder,))
    if view == "head_view":
        assert set(in_bertviz(alone, view)) == {"encoder"}


def test_bertviz_is_told_by_the_sides_who_looks_at_whom():
    site = AttentionSite("alignment", "target", "source")
    attention = AttentionMap(site, np.full((1, 1, 1, 2), 0.5, np.float32), ("<s>",), ("a", "b"))
    arguments = json.loads(bertviz_json(AttentionRecord(GRID, None, (attention,))))
    assert arguments["cross_attention"] == [[[[[0.5, 0.5]]]]]
    assert arguments["encoder_tokens"] == ["a", "b"]
    assert arguments["decoder_tokens"] == ["<s>"]

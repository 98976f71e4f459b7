"""Recordings: what is read from a file of somebody else, and what the page makes of it."""

from __future__ import annotations

import contextlib
import gc
import io
import json
import re
import struct
import tracemalloc
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest
import torch
import transformers
from harness import ROOT, markdown, open_page, pictures, run, says, words
from hypothesis import given
from hypothesis import strategies as st

from core.files import attention_npz, bertviz_json, map_npz
from model import InputError
from model.recording import MOST_WEIGHTS, read_recording
from ui.recording import recordings
from words import english

TOKENS = ["▁it", "▁is", "</s>"]
EVEN = np.full((2, 3, 3, 3), 1 / 3)
TINY = {
    "Bert": {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2},
    "GPT2": {"n_embd": 8, "n_layer": 2, "n_head": 2, "bos_token_id": 0, "eos_token_id": 0},
    "Bart": {
        "d_model": 8,
        "encoder_layers": 2,
        "decoder_layers": 3,
        "encoder_attention_heads": 2,
        "decoder_attention_heads": 4,
        "decoder_start_token_id": 2,
    },
}
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs/recordings.md").read_text(), re.DOTALL)


def npz(**fields) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **fields)
    return buffer.getvalue()


def told(**fields) -> bytes:
    return json.dumps({name: np.asarray(each).tolist() for name, each in fields.items()}).encode()


def part(header: dict, data: bytes, packed: int = zipfile.ZIP_DEFLATED, version: int = 1) -> bytes:
    """An NPZ file whose one array says of itself what it likes."""
    text, buffer = repr({"fortran_order": False, **header}).encode() + b"\n", io.BytesIO()
    length = struct.pack("<H", len(text)) if version == 1 else struct.pack("<I", 2**32 - 1)
    with zipfile.ZipFile(buffer, "w", packed) as zipped:
        zipped.writestr("encoder.npy", b"\x93NUMPY" + bytes([version, 0]) + length + text + data)
    return buffer.getvalue()


def test_files_of_this_app_are_read_as_they_were(tiny_translator):
    record = tiny_translator.translate("The dog sleeps.").attention
    read = read_recording("own.npz", attention_npz(record)).record
    viz = read_recording("viz.json", bertviz_json(record).encode()).record
    assert (read.src.text, read.tgt.tokens) == (record.src.text, record.tgt.tokens)
    for mine, theirs, rounded in zip(record.maps, read.maps, viz.maps, strict=True):
        alone = read_recording("one.npz", map_npz(mine)).record.maps[0]
        assert (mine.site, mine.output_tokens) == (theirs.site, theirs.output_tokens)
        assert np.array_equal(mine.allowed, theirs.allowed)
        np.testing.assert_allclose(rounded.weights, mine.weights, atol=5.1e-7)
        for other in (theirs, alone):
            assert np.array_equal(other.weights, mine.weights)
            assert (other.query_tokens, other.key_tokens) == (mine.query_tokens, mine.key_tokens)


@pytest.mark.parametrize("name", TINY)
def test_the_docs_record_what_transformers_gives(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    torch.manual_seed(0)
    config = getattr(transformers, f"{name}Config")(vocab_size=9, **TINY[name])
    model = getattr(transformers, f"{name}Model")(config).eval()
    model.set_attn_implementation("eager")
    ids, said = [3, 4, 5, 6], ["<s>", "x", "</s>", "길", "Ġa", "ìķĪ", "ìķ", ".", "b"]

    def tokenizer(text="", return_tensors="", text_target=None):
        own = ids if text_target else torch.tensor([ids])
        return transformers.BatchEncoding({"input_ids": own})

    tokenizer.convert_ids_to_tokens = lambda own: [said[int(i)] for i in own]
    auto = SimpleNamespace(from_pretrained=lambda name, attn_implementation: model)
    names = {"AutoModel": auto, "tokenizer": tokenizer, "np": np, "torch": torch, "model": model}
    names |= {"name": "", "text": "a", "target": "b"}
    exec(BLOCKS[name == "Bart"], names)
    record = read_recording("recording.npz", (tmp_path / "recording.npz").read_bytes()).record
    assert record.src.tokens == ("▁길", "▁a", "안", "ìķ")
    own = {"Bert": ["encoder"], "GPT2": ["decoder"], "Bart": ["encoder", "decoder", "cross"]}[name]
    assert [*record.kinds] == own
    for site in own:
        given = names["weights"] if name != "Bart" else names["output"][f"{site}_attentions"]
        weights = torch.cat(given).detach().numpy()
        assert np.array_equal(record.of(site).weights, weights)
        assert record.of(site).site.causal == (site == "decoder")


@pytest.mark.parametrize(
    ("why", "field", "data"),
    [
        ("damaged", "file", b""),
        ("damaged", "file", b"PK"),
        ("damaged", "encoder", b'{"encoder": [[[[1, "x"]]]]}'),
        ("damaged", "encoder", b'{"encoder": [[[[1, 2], [3]]]]}'),
        ("damaged", "file", b'{"tokens": ["a"], "encoder": [[[[1.'),
        ("nan", "encoder", b'{"tokens": ["a"], "encoder": [[[[NaN]]]]}'),
        ("nan", "encoder", npz(tokens=TOKENS, encoder=EVEN * np.nan)),
        ("nothing", "file", npz(tokens=TOKENS)),
        ("nothing", "file", b"{}"),
        ("large", "file", bytes(16 * 2**20 + 1)),
        ("many", "file", b'{"encoder":' + b"[" * (MOST_WEIGHTS + 1)),
        ("many", "file", told(tokens=["a"] * 5000)),
        ("many", "encoder", part({"descr": "<f4", "shape": (24, 24, 160, 160)}, b"")),
        ("range", "encoder", npz(tokens=TOKENS, encoder=EVEN * 4)),
        ("range", "encoder", npz(tokens=TOKENS, encoder=-EVEN)),
        ("rank", "encoder", told(tokens=TOKENS, encoder=EVEN[0])),
        ("rank", "tokens", npz(tokens=[TOKENS], encoder=EVEN)),
        ("kind", "tokens", npz(tokens=[1, 2, 3], encoder=EVEN)),
        ("kind", "encoder", part({"descr": "|O", "shape": (1,)}, b"")),
        ("size", "encoder", part({"descr": "<f4", "shape": (-1, 1, 1, 1)}, b"")),
        ("size", "encoder", npz(tokens=TOKENS, encoder=EVEN[:, None].repeat(2, 1))),
        ("size", "tokens", told(tokens=["a" * 65], encoder=EVEN)),
        ("size", "file", npz(**{f"a{i}": 0 for i in range(65)})),
        ("no-tokens", "cross", told(source_tokens=TOKENS, cross=EVEN)),
        ("unlike", "attention", told(tokens=TOKENS[:2], attention=EVEN)),
        ("damaged", "encoder", part({"descr": "<f4", "shape": (1, 1, 9, 9)}, b"")),
        ("damaged", "encoder", part({"descr": "<f4"}, bytes(2**28), version=2)),
        ("damaged", "encoder", part({"descr": "<f4"}, bytes(2**28), packed=zipfile.ZIP_LZMA)),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_field(why, field, data):
    tracemalloc.start()
    with pytest.raises(InputError) as refused:
        read_recording("file", data)
    message = refused.value.message
    assert (message.id, message.values["field"]) == (f"recording-{why}", field)
    assert tracemalloc.get_traced_memory()[1] < 2 * len(data) + 10**7
    tracemalloc.stop()


CHANGES = st.lists(st.tuples(st.integers(0), st.binary(max_size=9)), min_size=1)


@given(st.sampled_from([made(source_tokens=TOKENS, encoder=EVEN) for made in (npz, told)]), CHANGES)
def test_a_file_with_other_bytes_is_read_or_refused(data, changes):
    for at, put in changes:
        at %= len(data) + 1
        data = data[:at] + put + data[at + len(put) :]
    with contextlib.suppress(InputError):
        assert read_recording("file", data).record.maps


def test_a_dropped_recording_is_shown_in_its_session_alone_and_gone_with_it(folder, monkeypatch):
    chosen, no_model = {"checkpoint": "recording", "look": "ribbons"}, english("none-model")
    page = open_page(**chosen)
    assert english.page("recording") in markdown(page)
    data = told(tokens=TOKENS, attentions=EVEN * 0.9)
    page.file_uploader[0].upload("mine.json", data)
    assert len(pictures(run(page))) == 3
    assert says(page, "recording-rows", site="encoder self-attention", least=0.9, most=0.9)
    assert says(page, "view-unfit", views="Q·K·V steps, Minimal pair", why=no_model)
    assert page.query_params == chosen | {"layer": "1", "head": "1"}
    (mine,) = recordings()
    monkeypatch.setattr("ui.recording.MOST_TOGETHER", 0)
    for bad, why in ((b"{}", "nothing"), (data, "full")):
        page.file_uploader[0].upload("bad.json", bad)
        assert len(pictures(run(page))) == 3
        assert page.session_state["recording_refused"].message.id == f"recording-{why}"
        assert len(page.error) == 1
        assert page.session_state["recording"] is mine
    page.switch_page("ui/pages/beam.py")
    assert no_model in words(run(page))
    page.switch_page("ui/pages/attention.py")
    assert run(page).session_state["recording"] is mine
    del mine, page
    gc.collect()
    assert not recordings()

"""Recordings: attention that somebody else has saved, read from a file and shown on a page."""

from __future__ import annotations

import contextlib
import gc
import io
import json
import re
import struct
import threading
import time
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import tokenizers
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit

from core.files import attention_npz, bertviz_json, map_npz
from core.recorded import as_map
from core.records.attention import AttentionRecord
from core.records.head_weights import StoredWeights, row_sums
from core.spelling import spelt
from core.weights.checks import self_check
from model import InputError
from model.readers.recording_files import MOST_JSON_MB, MOST_MB, MOST_WHOLE
from model.readers.recording_sizes import MOST_WEIGHTS, RecordingSizeError, thinning
from model.readers.recordings import Recording, read_recording
from support.app import (
    markdown,
    open_page,
    pictures,
    run,
    says,
    turned_to,
    words,
)
from support.models import ROOT
from ui.shell.recording import recordings, register
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
VOCABULARY = ["<s>", "x", "</s>", "길", "Ġa", "ìķĪ", "ìķ", ".", "b"]
TEXT = "길 Ġa ìķĪ ìķ"
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs/recordings.md").read_text(), re.DOTALL)


def npz(**fields) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **fields)
    return buffer.getvalue()


def in_json(**fields) -> bytes:
    return json.dumps({name: np.asarray(each).tolist() for name, each in fields.items()}).encode()


def part(header: dict, data: bytes, packed: int = zipfile.ZIP_DEFLATED, version: int = 1) -> bytes:
    """An NPZ file whose one array says of itself what it likes."""
    text, buffer = repr({"fortran_order": False, **header}).encode() + b"\n", io.BytesIO()
    length = struct.pack("<H", len(text)) if version == 1 else struct.pack("<I", 2**32 - 1)
    with zipfile.ZipFile(buffer, "w", packed) as zipped:
        zipped.writestr("encoder.npy", b"\x93NUMPY" + bytes([version, 0]) + length + text + data)
    return buffer.getvalue()


def archive(**parts: np.ndarray | bytes) -> bytes:
    """An NPZ file of arrays, or of the bytes of arrays, not compressed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as zipped:
        for name, content in parts.items():
            data = content if isinstance(content, bytes) else npy_bytes(content)
            zipped.writestr(f"{name}.npy", data)
    return buffer.getvalue()


def npy_bytes(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


CODES = np.full((2, 3, 3, 3), 255, np.uint8)
SCALE = np.full((2, 3, 3), 1 / 3, np.float32)


def coded(**fields: np.ndarray | bytes) -> bytes:
    """A file of 8-bit codes, with some of its entries exchanged."""
    return archive(
        **{"tokens": np.array(TOKENS), "encoder": CODES, "encoder_scale": SCALE} | fields
    )


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


def saved(name: str, folder: Path, seed: int = 0, **entries) -> str:
    """The path of a model with random weights, and of its tokenizer, as transformers saves them."""
    torch.manual_seed(seed)
    config = getattr(transformers, f"{name}Config")(vocab_size=9, **TINY[name], **entries)
    head = "ForConditionalGeneration" if name == "Bart" else "Model"
    getattr(transformers, name + head)(config).save_pretrained(folder)
    words = WordLevel({token: i for i, token in enumerate(VOCABULARY)}, unk_token="x")
    tokenizer = tokenizers.Tokenizer(words)
    tokenizer.pre_tokenizer = WhitespaceSplit()
    names = ["input_ids", "attention_mask"]
    own = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_input_names=names)
    own.save_pretrained(folder)
    return str(folder)


def recipe(number: int, **names) -> dict:
    """Run a block of the docs, the third one after the second, and return what it defines."""
    names |= {"AutoModel": transformers.AutoModel, "np": np, "torch": torch}
    names |= {"AutoModelForSeq2SeqLM": transformers.AutoModelForSeq2SeqLM}
    names["tokenizer"] = transformers.PreTrainedTokenizerFast.from_pretrained(names["name"])
    for block in BLOCKS[1:3] if number == 2 else [BLOCKS[number]]:
        exec(block, names)
    return names


@pytest.mark.parametrize("name", TINY)
def test_the_docs_record_what_transformers_gives(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = recipe(name == "Bart", name=saved(name, tmp_path), text=TEXT, target="b x")
    record = read_recording("recording.npz", (tmp_path / "recording.npz").read_bytes()).record
    assert record.src.tokens == ("▁길", "▁a", "안", "ìķ")
    own = {"Bert": ["encoder"], "GPT2": ["decoder"], "Bart": ["encoder", "decoder", "cross"]}[name]
    assert [*record.site_ids] == own
    for site in own:
        given = made["weights"] if name != "Bart" else made["output"][f"{site}_attentions"]
        weights = torch.cat(given).detach().numpy()
        assert np.array_equal(record.of(site).weights, weights)
        assert record.of(site).site.causal == (site == "decoder")


def test_the_blocks_of_the_docs_write_files_that_are_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = recipe(0, name=saved("Bert", tmp_path), text=TEXT)
    weights = torch.cat(names["weights"]).detach().numpy()
    names["matrix"] = weights[0, 0]
    for block, expected in zip(BLOCKS[3:], (weights, weights[:1, :1], weights), strict=True):
        Path("recording.npz").unlink()
        exec(block, names)
        (attention,) = read_recording(
            "recording.npz", Path("recording.npz").read_bytes()
        ).record.maps
        np.testing.assert_allclose(np.asarray(attention.weights), expected, atol=0.004)


def test_the_docs_join_the_steps_of_the_hypothesis_that_generate_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = saved("Bart", tmp_path, seed=3, init_std=0.3)
    made = recipe(2, name=path, text=TEXT, target="b x")
    assert len({*made["beams"]}) > 1, "a hypothesis that never changed its row proves nothing"
    record = read_recording("recording.npz", (tmp_path / "recording.npz").read_bytes()).record
    ids = made["output"].sequences[:, : len(made["beams"])]
    once = made["model"](**made["inputs"], decoder_input_ids=ids, output_attentions=True)
    for site in ("encoder", "decoder", "cross"):
        weights = torch.cat(once[f"{site}_attentions"]).detach().numpy()
        np.testing.assert_allclose(record.of(site).weights, weights, atol=1e-5)
    assert record.of("decoder").site.causal
    assert len(record.tgt) == len(made["beams"])


ONE = b'{"tokens": ["a"], "encoder": '


def unreadable() -> tuple[tuple[str, str, bytes], ...]:
    """Reason, field and bytes of files; 2.5 s of compressing, so not at import."""
    return (
        ("damaged", "file", b""),
        ("uneven", "encoder", b'{"encoder": [[[[1, 2], [3]]]]}'),
        ("damaged", "file", b'{"tokens": ' + b"[" * 10**5),
        ("damaged", "encoder", part({"descr": "<f4", "shape": (1, 1, 9, 9)}, b"")),
        ("damaged", "encoder", part({"descr": "<f4"}, bytes(2**28), version=2)),
        ("damaged", "encoder", part({"descr": "<f4"}, bytes(2**28), packed=zipfile.ZIP_LZMA)),
        ("nan", "encoder", ONE + b"[[[[NaN]]]]}"),
        ("nothing", "file", npz(tokens=TOKENS)),
        ("large", "file", bytes(MOST_MB * 2**20 + 1)),
        ("json", "file", b"{" + b" " * MOST_JSON_MB * 2**20 + b"}"),
        ("many", "file", b'{"encoder":' + b"[" * (MOST_WHOLE + 1)),
        ("many", "file", in_json(tokens=["a"] * 5000)),
        ("damaged", "encoder", part({"descr": "<f2", "shape": (12, 12, 512, 512)}, b"")),
        ("size", "tokens", npz(tokens=["a"] * 513, encoder=EVEN)),
        ("no-scale", "encoder", archive(tokens=np.array(TOKENS), encoder=CODES)),
        ("beside", "encoder_scale", coded(encoder_scale=SCALE[:1])),
        ("beside", "encoder_scale", coded(encoder_scale=CODES[..., 0])),
        ("nan", "encoder_scale", coded(encoder_scale=SCALE * np.nan)),
        ("range", "encoder_scale", coded(encoder_scale=SCALE * 9)),
        ("damaged", "encoder_scale", coded(encoder_scale=npy_bytes(SCALE)[:-9])),
        ("damaged", "encoder", coded(encoder=npy_bytes(CODES)[:-9])),
        ("error", "encoder_error", coded(encoder_error=np.float32(0.1))),
        ("nan", "encoder_error", coded(encoder_error=np.float32(np.nan))),
        ("range", "encoder_error", coded(encoder_error=np.float32(-1))),
        ("beside", "encoder_error", coded(encoder_error=SCALE)),
        ("order", "encoder", coded(encoder=np.asfortranarray(CODES))),
        ("unlike", "encoder", coded(tokens=np.array(TOKENS[:2]))),
        ("range", "encoder", npz(tokens=TOKENS, encoder=EVEN * 4)),
        ("range", "encoder", npz(tokens=TOKENS, encoder=-EVEN)),
        ("rank", "encoder", in_json(tokens=TOKENS, encoder=EVEN[0, 0, 0])),
        ("rank", "file", npy_bytes(EVEN[0, 0, 0])),
        ("size", "file", npy_bytes(np.zeros((1, 513), np.float16))),
        ("kind", "attentions", npy_bytes(np.array([["a", "b"]] * 2))),
        ("range", "attentions", b"1,2\n3,4"),
        ("ragged", "file", b"0.5,0.5\n1"),
        ("cell", "file", b"the,dog\n0.5,0.5\n0.5,x"),
        ("cell", "file", b"0.5,\n0.5,0.5"),
        ("cell", "file", b",0.5,0.5\n1,0,0"),
        ("uneven", "file", b"[[0.5,0.5],[1]]"),
        ("uneven", "attentions", b'{"tokens": ["a"], "attentions": [["b"]]}'),
        ("nan", "attentions", b"[[1e39]]"),
        ("size", "file", b"1\n" * 600),
        ("size", "file", b"1" + b"\t1" * 10**6),
        ("damaged", "file", b"a text, and no matrix"),
        ("damaged", "file", "0,5".encode("utf-16")),
        ("rank", "tokens", npz(tokens=[TOKENS], encoder=EVEN)),
        ("rank", "tokens", in_json(tokens="abc", encoder=EVEN)),
        ("kind", "tokens", npz(tokens=[1, 2, 3], encoder=EVEN)),
        ("kind", "tokens", in_json(tokens=[None], encoder=EVEN)),
        ("kind", "encoder", part({"descr": "|O", "shape": (1,)}, b"")),
        ("text", "tokens", b'{"tokens": ["\\ud800"], "encoder": [[[[1]]]]}'),
        ("size", "encoder", part({"descr": "<f4", "shape": (-1, 1, 1, 1)}, b"")),
        ("size", "encoder", npz(tokens=TOKENS, encoder=EVEN[:, None].repeat(2, 1))),
        ("size", "attentions", in_json(tokens=TOKENS, attentions=[])),
        ("size", "tokens", in_json(tokens=["a" * 65], encoder=EVEN)),
        ("size", "file", npz(**{f"a{i}": 0 for i in range(65)})),
        ("no-tokens", "cross", in_json(source_tokens=TOKENS, cross=EVEN)),
        ("unlike", "attention", in_json(tokens=TOKENS[:2], attention=EVEN)),
    )


ROW = "0.2,0.5,0.3"
LOOSE = np.tile([0.2, 0.5, 0.3], (3, 1))
BARE = {
    "csv": (ROW + f"\n{ROW}" * 2, "1 2 3", None),
    "csv-header": ('a,"b,c",d' + f"\n{ROW}" * 3, "a b,c d", None),
    "csv-both": (f",a,b,c\na,{ROW}\nb,{ROW}\nc,{ROW}", "a b c", None),
    "csv-corner": (f"token,a,b,c\na,{ROW}\nb,{ROW}\nc,{ROW}", "a b c", None),
    "csv-cross": (f",a,b,c\nx,{ROW}\ny,{ROW}\nz,{ROW}", "a b c", "x y z"),
    "csv-rows": (f"a,{ROW}\nb,{ROW}\nc,{ROW}", "a b c", None),
    "csv-number": ("a,7,1" + f"\n{ROW}" * 3, "a 7 1", None),
    "csv-wide": (f"a,b,c\n{ROW}\n{ROW}", "a b c", "1 2"),
    "pandas": (pd.DataFrame(LOOSE).to_csv(), "1 2 3", None),
    "pandas-bare": (pd.DataFrame(LOOSE).to_csv(index=False), "1 2 3", None),
    "pandas-named": (pd.DataFrame(LOOSE, columns=[*"abc"]).to_csv(), "a b c", None),
    "excel": ("\ufeff" + f"\n{ROW}".replace(",", ";").replace(".", ",") * 3, "1 2 3", None),
    "tabs": ("a\tb\tc" + f"\n{ROW}".replace(",", "\t") * 3, "a b c", None),
    "savetxt": ("\n".join(" ".join(f"{w:.18e}" for w in row) for row in LOOSE), "1 2 3", None),
    "json": (json.dumps(LOOSE.tolist()), "1 2 3", None),
    "npy": (npy_bytes(LOOSE), "1 2 3", None),
    "npy-by-column": (npy_bytes(np.asfortranarray(LOOSE)), "1 2 3", None),
    "npy-half": (npy_bytes(LOOSE.astype(np.float16)), "1 2 3", None),
    "npy-wide": (npy_bytes(LOOSE[:2]), "1 2 3", "1 2"),
}


@pytest.mark.parametrize("name", BARE)
def test_a_file_of_one_matrix_is_one_head(name):
    content, keys, queries = BARE[name]
    data = content if isinstance(content, bytes) else content.encode()
    (attention,) = read_recording("file", data).record.maps
    n = len((queries or keys).split())
    assert attention.weights.shape == (1, 1, n, 3)
    np.testing.assert_allclose(np.asarray(attention.head(0, 0)), LOOSE[:n], atol=3e-4)
    labels = [label.removeprefix("▁") for label in attention.key_tokens]
    assert labels == keys.split()
    rows = [label.removeprefix("▁") for label in attention.query_tokens]
    assert rows == (queries or keys).split()
    assert (attention.site_id == "cross") == (queries is not None)


def test_a_table_in_another_encoding_is_refused_as_no_utf_8():
    with pytest.raises(InputError, match=r"“file” cannot be read: byte 2 is not UTF-8 text\."):
        read_recording("file", "für,das\n0.5,0.5".encode("latin-1"))


def test_a_bare_array_keeps_its_layers_and_heads():
    for weights in (EVEN, EVEN[0]):
        (attention,) = read_recording("file", npy_bytes(weights)).record.maps
        assert attention.weights.shape == (weights.size // 27, 3, 3, 3)


def test_named_weights_may_lack_layers_and_heads():
    for weights in (LOOSE, LOOSE[None], np.asfortranarray(LOOSE), LOOSE.astype(np.float16)):
        for data in (
            npz(tokens=TOKENS, attentions=weights),
            in_json(tokens=TOKENS, attentions=weights),
        ):
            (attention,) = read_recording("file", data).record.maps
            assert attention.weights.shape == (1, 1, 3, 3)
            np.testing.assert_allclose(np.asarray(attention.head(0, 0)), LOOSE, atol=3e-4)


def test_a_file_that_cannot_be_read_is_refused_by_its_field():
    for why, field, data in unreadable():
        tracemalloc.start()
        with pytest.raises(InputError) as refused:
            read_recording("file", data)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 2 * len(data) + 10**7
        message = refused.value.message
        assert (message.id, message.values["field"]) == (f"recording-{why}", field)
        assert ("eager" in str(refused.value)) == ((why, field) == ("size", "attentions"))
        assert not re.search(r"\w(Error|Exception|BadZipFile)\b", str(refused.value))


BYTES = {"我": "æĪĳ", "爱": "çĪ±", "北": "åĮĹ", "京": "äº¬"}
"""Characters as byte-level BPE writes their bytes."""


SPELLED = (
    ([*BYTES.values()], ["▁我", "爱", "北", "京"], "我爱北京", ""),
    (
        ["<s>", "æĪĳçĪ±", "åĮ", "Ĺ", "äº¬", "</s>"],
        ["<s>", "▁我爱", "北(1/2)", "北(2/2)", "京", "</s>"],
        "我爱北京",
        "北(1/2)",
    ),
    (["Ġthe", "ĠåĮ", "Ĺ"], ["▁the", "▁北(1/2)", "▁北(2/2)"], "the 北", "▁北(1/2)"),
    (["æĪĳ", "çĪ"], ["▁我", "çĪ"], "我çĪ", ""),  # cut in the middle of a character
    (["<s>", "</s>"], ["<s>", "</s>"], "", ""),
    (["Čaj", "für", "Łódź"], ["▁Čaj", "▁für", "▁Łódź"], "Čaj für Łódź", ""),
    (["Stra", "##ße", "我"], ["▁Stra", "ße", "▁我"], "Straße 我", ""),
    ([" caf", "é"], ["▁caf", "é"], "café", ""),
)


def test_bytes_are_shown_as_the_characters_that_they_are_part_of():
    for tokens, labels, text, parted in SPELLED:
        even = np.full((1, 1, len(tokens), len(tokens)), 1 / len(tokens))
        data = in_json(tokens=tokens, attentions=even)
        found = read_recording("file", b"\xef\xbb\xbf" + data)  # Windows marks its files so
        assert list(found.record.src.tokens) == list(found.record.maps[0].key_tokens) == labels
        assert (found.record.src.text, found.parted) == (text, parted)
        parts = {found.record.src.offsets[i] for i, each in enumerate(labels) if "(" in each}
        assert len(parts) == bool(parted)


def test_a_file_that_is_too_large_says_the_lines_that_thin_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("model.readers.recording_sizes.MOST_WEIGHTS", 1000)
    monkeypatch.setattr("model.readers.recording_files.MOST_WHOLE", 100)
    rng = np.random.default_rng(0)
    for shape in ((9, 2, 20, 20), (2, 49, 3, 3), (49, 1, 3, 3), (1, 1, 60, 60), (5, 1, 2, 20, 20)):
        tokens = np.array([f"▁{i}" for i in range(shape[-1])])
        weights = rng.dirichlet(np.ones(shape[-1]), shape[:-1]).astype(np.float32)
        codes = np.full(shape, 100, np.uint8)
        scale = np.full((shape[0], *shape[-3:-1]), 0.5, np.float32)
        for entries in ({"attentions": weights}, {"attentions": codes, "attentions_scale": scale}):
            np.savez("large.npz", tokens=tokens, **entries)
            with pytest.raises(RecordingSizeError) as refused:
                read_recording("large.npz", (tmp_path / "large.npz").read_bytes())
            n = refused.value.message.values["n"]
            assert n in (weights.size, *shape)
            assert refused.value.hint.id == "recording-thin"
            exec(refused.value.code, {})
            thin = read_recording("thinner.npz", (tmp_path / "thinner.npz").read_bytes())
            assert thin.record.maps[0].weights.size <= 1000


def test_the_docs_thin_a_file_as_the_page_says():
    shapes = {"tokens": (512,), "attentions": (48, 32, 512, 512)}
    assert thinning("recording.npz", shapes) in (ROOT / "docs/recordings.md").read_text()
    assert thinning("recording.json", shapes) == ""
    assert 4 * 32 * 512**2 <= MOST_WEIGHTS < 5 * 32 * 512**2


@pytest.mark.parametrize("whole", [0, MOST_WHOLE])
@pytest.mark.parametrize("storage", ["float32", "float16", "uint8"])
def test_each_storage_is_read_with_the_error_that_is_said(storage, whole, monkeypatch):
    monkeypatch.setattr("model.readers.recording_files.MOST_WHOLE", whole)
    weights = np.random.default_rng(1).dirichlet(np.ones(40) / 4, (3, 5, 40)).astype(np.float32)
    record = AttentionRecord(spelt(["▁a"] * 40).sequence, None, (as_map(weights, ["▁a"] * 40),))
    read = read_recording("file.npz", attention_npz(record, storage=storage))
    held = read.record.maps[0].weights
    measured = float(np.abs(np.asarray(held) - weights).max())
    if storage == "float32" and whole:
        assert (measured, read.precisions) == (0, ())
        return
    assert measured <= (2**-12 if storage != "uint8" else 0.00392)
    assert read.record.maps[0].site.normalised
    # Rounding of the storage is no fault of the weights.
    assert all(check.passed for check in self_check(read.record.maps[0]))
    assert isinstance(held, StoredWeights)
    (precision,) = read.precisions
    assert precision.error == pytest.approx(measured, rel=1e-5)
    assert precision.source == ("opened" if storage == "float32" else "file")
    assert held.nbytes < weights.nbytes * (0.3 if storage == "uint8" else 0.51)


def test_half_precision_without_an_error_is_said_by_its_bound():
    read = read_recording("file", npz(tokens=TOKENS, attentions=EVEN.astype(np.float16)))
    (precision,) = read.precisions
    assert (precision.error, precision.source) == (2**-12, "bound")
    (precision,) = read_recording("file", coded()).precisions
    assert precision.error == pytest.approx(0.0039 / 3, rel=0.01)


def test_a_causal_site_is_found_head_by_head(monkeypatch):
    monkeypatch.setattr("model.readers.recording_files.MOST_WHOLE", 0)
    causal = np.tril(np.ones((2, 3, 3, 3))) / np.arange(1, 4)[:, None]
    for weights in (causal, EVEN):
        site = read_recording("file", npz(tokens=TOKENS, attentions=weights)).record.maps[0].site
        assert site.causal == (weights is causal)
        assert site.normalised


CHANGES = st.lists(st.tuples(st.integers(0), st.binary(max_size=9)), min_size=1)


@given(
    st.sampled_from([made(source_tokens=TOKENS, encoder=EVEN) for made in (npz, in_json)]), CHANGES
)
def test_a_file_with_other_bytes_is_read_or_refused(data, changes):
    for place, put in changes:
        at = place % (len(data) + 1)
        data = data[:at] + put + data[at + len(put) :]
    with contextlib.suppress(InputError):
        assert read_recording("file", data).record.maps


ENTRIES = ("tokens", "encoder", "encoder_scale", "encoder_error")
STORED = (
    {"tokens": np.array(TOKENS), "encoder": CODES, "encoder_scale": SCALE, "encoder_error": 1e-4},
    {"tokens": np.array(TOKENS), "encoder": EVEN.astype(np.float16), "encoder_error": 1e-4},
    {"tokens": np.array(TOKENS), "encoder": EVEN.astype(np.float32)},
)


@given(st.sampled_from(STORED), st.sampled_from(ENTRIES), CHANGES, st.booleans())
def test_an_array_with_other_bytes_is_read_or_refused(entries, name, changes, large):
    """The changes come before the arrays are packed, so that no checksum catches them first."""
    parts = {entry: npy_bytes(np.asarray(array)) for entry, array in entries.items()}
    data = parts.get(name, b"")
    for place, put in changes:
        at = place % (len(data) + 1)
        data = data[:at] + put + data[at + len(put) :]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("model.readers.recording_files.MOST_WHOLE", 0 if large else MOST_WHOLE)
        refused_or_read(archive(**{**parts, name: data}))


def refused_or_read(data: bytes) -> None:
    """Read a file, and one head of it; a refusal names an entry or the file."""
    error = None
    try:
        record = read_recording("file", data).record
    except InputError as refused:
        error = refused
    if error is not None:
        assert str(error.message.values["field"]) in (*ENTRIES, "file")
        return
    weights = np.asarray(record.maps[0].weights[0, 0])
    assert 0 <= weights.min() <= weights.max() <= 1.01


def test_a_dropped_recording_is_shown_in_its_session_alone_and_gone_with_it(folder, monkeypatch):
    chosen, no_model = {"checkpoint": "recording", "look": "ribbons"}, english("none-model")
    page = open_page(**chosen)
    # Terms in explanations link to the glossary.
    assert english.page("recording") in re.sub(r"\[([^]]+)\]\(glossary\S+\)", r"\1", markdown(page))
    data = in_json(tokens=TOKENS, attentions=EVEN * 0.9)
    page.file_uploader[0].upload("mine.json", data)
    assert len(pictures(run(page))) == 3
    assert not page.error
    assert says(page, "recording-rows", site="encoder self-attention", least=0.9, most=0.9)
    assert says(page, "view-unfit", views="Q·K·V steps, Minimal pair", why=no_model)
    assert page.query_params == chosen | {"layer": "1", "head": "1"}
    (mine,) = recordings()
    monkeypatch.setattr("ui.shell.recording.MOST_TOGETHER", 0)
    other = in_json(tokens=TOKENS, attentions=EVEN * 0.8)
    for bad, why in ((b"{}", "nothing"), (other, "full")):
        page.file_uploader[0].upload("bad.json", bad)
        assert len(pictures(run(page))) == 3
        assert page.session_state["recording_refused"].message.id == f"recording-{why}"
        assert len(page.error) == 1
        assert page.session_state["recording"] is mine
        assert says(page, "recording-kept", name="mine.json")
    assert no_model in words(run(turned_to(page, "beam")))
    assert run(turned_to(page, "attention")).session_state["recording"] is mine
    del mine, page
    gc.collect()
    assert not recordings()


def test_of_two_recordings_opened_at_once_the_limit_admits_one(monkeypatch):
    two = [
        read_recording("a.json", in_json(tokens=TOKENS, attentions=EVEN * share))
        for share in (0.5, 0.6)
    ]
    monkeypatch.setattr("ui.shell.recording.MOST_TOGETHER", two[0].n_bytes)
    together = threading.Barrier(2)
    refused = []

    class Bytes(int):
        """Bytes that are added up slowly, so that another session comes in between."""

        def __gt__(self, other):
            time.sleep(0.2)
            return int(self) > other

        def __radd__(self, other):
            return Bytes(int(self) + other)

    def open_it(opened):
        together.wait()
        try:
            register(opened)
        except InputError as error:
            refused.append(error.message.id)

    monkeypatch.setattr(Recording, "n_bytes", Bytes(two[0].n_bytes))
    sessions = [threading.Thread(target=open_it, args=(opened,)) for opened in two]
    for session in sessions:
        session.start()
    for session in sessions:
        session.join()
    assert refused == ["recording-full"]
    assert len(recordings()) == 1


def test_kept_results_count_in_the_limit_and_are_dropped_before_a_refusal(monkeypatch):
    first, second, third = (
        read_recording(f"{share}.npz", npz(tokens=TOKENS, attentions=(EVEN * share).astype("f2")))
        for share in (0.5, 0.6, 0.7)
    )
    alone = EVEN.size * 2
    assert first.n_bytes > alone  # the sums of rows were needed while the file was read
    monkeypatch.setattr("ui.shell.recording.MOST_TOGETHER", 2 * alone)
    register(first)
    assert first.n_bytes == alone
    row_sums(first.record.maps[0].weights)
    register(second)
    assert first.n_bytes == second.n_bytes == alone
    with pytest.raises(InputError, match=re.escape(english("recording-full"))):
        register(third)
    assert {*recordings()} == {first, second}


def test_sessions_that_open_one_file_share_its_weights(folder):
    data = in_json(tokens=TOKENS, attentions=EVEN)
    pages = [open_page(checkpoint="recording") for _ in range(2)]
    for name, page in zip(("one.json", "two.json"), pages, strict=True):
        page.file_uploader[0].upload(name, data)
        run(page)
    one, two = (page.session_state["recording"] for page in pages)
    assert (one.card.name, two.card.name) == ("one.json", "two.json")
    assert one.record is two.record


def test_a_recording_above_the_limits_shows_how_to_thin_it(folder, monkeypatch):
    monkeypatch.setattr("model.readers.recording_sizes.MOST_WEIGHTS", 10)
    page = open_page(checkpoint="recording")
    page.file_uploader[0].upload("mine.npz", npz(tokens=TOKENS, attentions=EVEN))
    run(page)
    assert says(page, "recording-weights", field="attentions", n=54, most=10)
    assert page.code[0].value.endswith('np.savez_compressed("thinner.npz", **file)')

"""CTranslate2's files, against its own engine."""

from __future__ import annotations

import json
import zipfile

import ctranslate2
import numpy as np
import pytest
import sentencepiece
import torch
from ctranslate2.specs.common_spec import Activation
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from core.positions import encoding_table
from model.errors import CheckpointError
from model.io.formats.ctranslate2 import FORMAT, LONGEST
from support.formats import opened
from support.formats.ctranslate2 import SHARED, SIDES, make, make_old
from support.formats.marian import PIECES, spm

POST = {"pre_norm": False}
START = {"decoder_start_token": "</s>"}
ZERO = {"decoder/start_from_zero_embedding": True}
LEARNED = np.random.default_rng(1).normal(size=(20, 8))
HALVES = encoding_table(30, 8, layout="halves")
STACKS = ("encoder", "decoder")
CASES = {
    "before": ({}, {"norm": "before", "final_norm": True, "positions": "tensor2tensor"}),
    "after": (POST, {"norm": "after", "final_norm": False}),
    "embedding-norm": (POST | {"layernorm_embedding": True}, {"embedding_norm": True}),
    "no-final-norm": ({"no_final_norm": True}, {"final_norm": False}),
    "rms": ({"rms_norm": True}, {"norm_kind": "rms", "layer_norm_eps": 1e-6}),
    "epsilon": ({"config": {"layer_norm_epsilon": 1e-3}}, {"layer_norm_eps": 1e-3}),
    "gated": ({"ffn_glu": True, "activation": Activation.SWISH}, {"gated": True}),
    "gelu": ({"activation": Activation.GELU}, {"activation": "gelu"}),
    "tanh": ({"activation": Activation.GELUTanh}, {"activation": "gelu-tanh"}),
    "sigmoid": ({"activation": Activation.GELUSigmoid}, {"activation": "gelu-sigmoid"}),
    "unscaled": (
        {"scalars": {f"{stack}/scale_embeddings": False for stack in STACKS}},
        {"scale_embedding": False},
    ),
    "scaled-otherwise": (
        {"scalars": {f"{stack}/scale_embeddings": 2.5 for stack in STACKS}, "tied": True},
        {"scale_embedding": False, "tied_output": False},
    ),
    "learned": ({"table": LEARNED}, {"positions": "learned", "max_len": 20}),
    "sines": ({"table": HALVES}, {"positions": "halves", "position_offset": 0, "max_len": 30}),
    "shared": ({"sides": SHARED, "tied": True}, {"shared_embedding": True, "tied_output": True}),
    "no-bias": ({"bias": False}, {"output_bias": False}),
    "zero-start": ({"scalars": ZERO}, {"bos_id": 12, "vocab_size": 13}),
    "end-as-start": ({"config": START}, {"bos_id": 12, "eos_id": 2, "pad_id": 0}),
    "ends": ({"config": {"add_source_bos": True, "add_source_eos": True}}, {}),
    **{kind: ({"quantization": kind}, {}) for kind in ("bfloat16", "int16", "int8_float16")},
}


def largest_difference(path, made, model):
    """Largest relative difference of log-probabilities of outputs from those of the engine."""
    engine = ctranslate2.Translator(str(path), compute_type="float32", intra_threads=1)
    config = json.loads(file.read_text()) if (file := path / "config.json").is_file() else {}
    found = []
    for text, output in (("abc", "b"), ("dadab", "vwxa"), ("f e", "zy")):
        src = made.tokenizers["source"].encode(text)
        tgt = made.tokenizers["target"].encode(output, written=True)
        begin, end = (config.get(f"add_source_{end}", False) for end in ("bos", "eos"))
        fed = list(src.tokens)[begin : len(src) - end]  # what is unknown has no name there either
        expected = np.array(engine.score_batch([fed], [list(tgt.tokens[:-1])])[0].log_probs)
        begun = torch.tensor([[made.config.bos_id, *tgt.ids[:-1]]])
        logits = model(torch.tensor([src.ids]), begun)[0].log_softmax(-1).detach().numpy()
        ours = logits[range(len(tgt)), list(tgt.ids)]
        found.append(np.abs(ours - expected) / np.maximum(1, np.abs(expected)))
    return np.concatenate(found).max()


@pytest.mark.parametrize("case", CASES)
def test_log_probabilities_are_those_of_the_engine(tmp_path, case):
    told, expected = CASES[case]
    made, model = opened(make(tmp_path, **told))
    assert {entry: getattr(made.config, entry) for entry in expected} == expected
    assert largest_difference(tmp_path, made, model) < 1e-5


@pytest.mark.parametrize("version", range(1, 6))
def test_older_versions_are_read_as_the_engine_reads_them(tmp_path, version):
    for int16 in (False, True) if version == 2 else (False,):
        made, model = opened(make_old(tmp_path / str(int16), version, int16=int16))
        assert (made.config.n_heads, made.config.max_len) == (8, LONGEST)
        assert largest_difference(tmp_path / str(int16), made, model) < 1e-5


def test_special_tokens_get_the_ids_of_the_target(tmp_path):
    sides = {"source": [*"ab", "</s>", "c", "<unk>", "<s>"], "target": [*SIDES["target"], *"st"]}
    made, model = opened(make(tmp_path, sides=sides, config={"add_source_eos": True}))
    for entry, token in (("unk_id", "<unk>"), ("bos_id", "<s>"), ("eos_id", "</s>")):
        ids = {tokenizer.id_of(token) for tokenizer in made.tokenizers.values()}
        assert ids == {getattr(made.config, entry)}
    assert largest_difference(tmp_path, made, model) < 1e-5


def test_a_start_that_is_left_open_is_asked_for(tmp_path):
    make(tmp_path, config={"decoder_start_token": None})
    with pytest.raises(CheckpointError, match="decoder_start_token"):
        opened(tmp_path)
    made, _ = opened(tmp_path, start="x")
    table = made.tensors["embedding.weight"]
    assert torch.equal(table[made.config.bos_id], table[SIDES["target"].index("x")])
    with pytest.raises(CheckpointError, match="'q'"):
        opened(tmp_path, start="q")


def test_texts_are_cut_by_the_model_beside_under_the_ids_of_the_list(tmp_path):
    pieces = sorted(PIECES, key=lambda piece: piece[::-1])
    make(tmp_path, sides={"source": [*pieces, "<s>"]})
    with pytest.raises(CheckpointError, match="▁"):
        opened(tmp_path)
    (tmp_path / "sentencepiece.model").write_bytes(spm(PIECES))
    library = sentencepiece.SentencePieceProcessor(model_proto=spm(PIECES))
    made, _ = opened(tmp_path)
    ids = made.tokenizers["source"].encode("ab a bed").ids
    assert [pieces[i] for i in ids] == library.encode("ab a bed", out_type=str)
    assert made.tokenizers["target"] is made.tokenizers["source"]
    assert made.tokenizers["target"].encode("a bed", written=True).ids[-1] == made.config.eos_id


def test_a_tokenizer_json_beside_cuts_texts_where_its_ids_are_those_of_the_list(tmp_path):
    pieces = ["<unk>", "<s>", "</s>", "▁", "a", "b", "▁a", "ab"]
    make(tmp_path, sides={"source": [*pieces, "<pad-1>", "<pad-2>"]})
    scores = [(piece, -float(n)) for n, piece in enumerate(pieces)]
    own = Tokenizer(models.Unigram(scores, 0))
    own.pre_tokenizer, own.decoder = pre_tokenizers.Metaspace(), decoders.Metaspace()
    own.save(str(tmp_path / "tokenizer.json"))
    made, _ = opened(tmp_path)
    assert made.tokenizers["source"].encode("ab b").ids == tuple(own.encode("ab b").ids)
    assert made.tokenizers["target"].decode((6, 5, 3, 5, 2)).text == "ab b"
    scores[4], scores[5] = scores[5], scores[4]
    other = Tokenizer(models.Unigram(scores, 0))
    other.save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(CheckpointError, match=r"tokenizer\.json and shared_vocabulary\.json"):
        opened(tmp_path)


def test_words_of_a_list_are_cut_at_spaces(tmp_path):
    words = ["<unk>", "<s>", "</s>", "cat", "dog", "sees"]
    made, _ = opened(make(tmp_path, sides={"source": words}))
    assert made.tokenizers["source"].encode("cat sees  dog").ids == (3, 5, 4)
    assert made.tokenizers["target"].decode((3, 5, 4, 2)).text == "cat sees dog"


def test_a_package_is_read_as_its_folder(tmp_path):
    folder, package = make(tmp_path / "model"), tmp_path / "en_de.argosmodel"
    codes = {"from_code": "en", "to_code": "de", "argos_version": "1.9"}
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in folder.iterdir():
            archive.write(file, f"translate-en_de/model/{file.name}")
        archive.writestr("translate-en_de/metadata.json", json.dumps(codes))
    (expected, _), (made, _) = opened(folder), opened(package)
    assert made.config == expected.config
    assert all(torch.equal(made.tensors[name], expected.tensors[name]) for name in made.tensors)
    assert made.card["languages"] == ["en", "de"]
    assert opened(tmp_path)[0].config == opened(folder / "model.bin")[0].config == made.config


def test_a_package_that_unpacks_to_far_more_is_refused(tmp_path):
    package = tmp_path / "bomb.argosmodel"
    for name, n_bytes, other, fault in (
        ("model.bin", 2**26, "a/b", "size"),
        (f"{'a/' * 9}x", 1, "a/model.bin", "entry"),
        ("other.bin", 2**26, "a/b", None),
    ):
        with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(name, bytes(n_bytes))
            archive.writestr(other, b"")
        assert FORMAT.recognises(package) == (fault is not None)
        if fault:
            with pytest.raises(CheckpointError, match=f"bomb.argosmodel: {fault}"):
                FORMAT.read(package, {})


def test_settings_that_are_not_read_are_named(tmp_path):
    for number, (settings, fault) in enumerate(
        (
            ({"with_relative_position": True}, "relative_position"),
            ({"multi_query_attention": True}, "num_heads_kv"),
            ({"activation": Activation.Tanh}, "encoder/activation is 5"),
            ({"alignment_layer": 1, "scalars": {"decoder/alibi": True}}, "decoder/alibi"),
            ({"scalars": {"decoder/pre_norm": False}}, "decoder: norm"),
            ({"scalars": {"encoder/num_heads": np.int16(4)}}, "decoder: n_heads"),
            ({"config": {"eos_token": "END"}}, "END"),
            ({"config": {"bos_token": 3}}, "config.json"),
        )
    ):
        with pytest.raises(CheckpointError, match=fault):
            FORMAT.read(make(tmp_path / str(number), **settings), {})


def test_the_head_that_aligns_is_marked_where_it_was_trained_to(tmp_path):
    make(tmp_path, alignment_layer=-2)
    assert "guided" not in opened(tmp_path)[0].card
    guided = {"kind": "cross", "layer": 1, "head": 0}
    assert opened(tmp_path, guided="yes")[0].card["guided"] == guided

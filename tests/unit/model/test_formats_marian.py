"""Files of Marian and of SentencePiece, against their equations and their own library."""

from __future__ import annotations

import io
import unicodedata

import numpy as np
import pytest
import sentencepiece
import torch

from model.errors import CheckpointError
from model.io.formats.sentencepiece import read_sentencepiece
from model.io.formats.vocabulary import named
from model.search.beam import greedy_search
from support.formats import opened
from support.formats.marian import KINDS, PIECES, make, spm
from support.formats.marian import logits as by_hand

SRC, TGT = [5, 9, 13, 2, 0], [3, 7, 7, 12]
TEXTS = ("the cat sees ab", "한국어 문장을 자릅니다.", "a dog, a cat < 42/x dogs >") * 40
ODD = (
    "",  # nothing
    " two  spaces ",
    "▁a ▁▁b",
    "</s> <unk> <s> x</s>",
    "<0x41> <2de>a<2de> @@b",
    "ﬁne ½ ① Ａ",
    "e\u0301 a\u00a0b\u200bc\ttab",
    "😀 日本語 한국어 문장",
    unicodedata.normalize("NFD", "한국어 문장 é が"),
)


@pytest.mark.parametrize(
    ("kind", "suffix", "quantised"),
    [
        *((kind, ".bin", False) for kind in KINDS),
        *(("base", ".npz", False), ("student", ".bin", True)),
    ],
)
def test_logits_are_those_of_the_equations(tmp_path, kind, suffix, quantised):
    _, weights = make(tmp_path, kind, suffix, quantised=quantised)
    made, model = opened(tmp_path)
    begun = torch.tensor([[made.config.bos_id, *TGT]])
    found = model(torch.tensor([SRC]), begun)[0, :, : len(PIECES)].detach()
    expected = torch.from_numpy(by_hand(kind, weights, SRC, TGT)).float()
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-5)


def test_what_marian_lacks_is_never_written(tmp_path):
    make(tmp_path, "base")
    made, model = opened(tmp_path)
    tree = greedy_search(model, torch.tensor([SRC]), max_len=20)
    assert max(tree.hypothesis(tree.best).ids) < len(PIECES)
    assert made.config.bos_id == len(PIECES)


def test_card_names_the_languages_and_the_head_that_aligns(tmp_path):
    make(tmp_path)
    plain, told = (opened(tmp_path, **options)[0].card for options in ({}, {"guided": "yes"}))
    assert plain["languages"] == ["en", "pt"]
    assert "guided" not in plain
    assert "head 1 of cross-attention in layer 1" in plain["description"]
    assert told["guided"] == {"kind": "cross", "layer": 0, "head": 0}


def test_what_is_not_read_is_named(tmp_path, monkeypatch):
    for number, (kind, setting, value) in enumerate(
        (
            ("student", "type", "s2s"),
            ("student", "right-left", "true"),
            ("student", "transformer-heads", "0"),
            ("student", "transformer-postprocess", "dah"),
            ("student", "transformer-ffn-activation", "tanh"),
            # Versions before 1.10 read keys and values past the norm.
            ("before", "transformer-postprocess-top", ""),
        )
    ):
        monkeypatch.setitem(KINDS, "changed", KINDS[kind] | {setting: value})
        make(folder := tmp_path / str(number), "changed")
        with pytest.raises(CheckpointError, match=setting):
            opened(folder)


def test_arrays_that_have_no_place_or_are_packed_are_named(tmp_path):
    path, _ = make(tmp_path, suffix=".npz")
    with np.load(path) as arrays:
        yaml, weights = arrays["special:model.yml"], dict(arrays)
    first = {"special:model.yml": yaml}
    for save, arrays, fault in (
        (np.savez, weights | {"decoder_l1_rnn_Wo": np.zeros((8, 8), "f4")}, "decoder_l1_rnn_Wo"),
        (np.savez_compressed, first | {"Wemb": np.zeros((10**6, 8), "f4")}, "compressed"),
        (np.savez, first | {"Wemb": np.array([object()])}, "Wemb"),
    ):
        save(path, **arrays)
        with pytest.raises(CheckpointError, match=fault):
            opened(tmp_path)


def test_two_vocabularies_are_told_by_their_names(tmp_path):
    make(tmp_path, "base")
    (tmp_path / "vocab.enpt.spm").rename(tmp_path / "srcvocab.spm")
    (tmp_path / "trgvocab.spm").write_bytes(spm([*PIECES[:-1], "gh"]))
    sides = opened(tmp_path)[0].tokenizers
    assert sides["source"].encode("gh ab").tokens == ("▁", "g", "h", "▁", "ab", "</s>")
    assert sides["target"].encode("gh ab").tokens == ("▁", "gh", "▁a", "b", "</s>")
    (tmp_path / "srcvocab.spm").rename(tmp_path / "other.spm")
    with pytest.raises(CheckpointError, match=r"other\.spm, trgvocab\.spm"):
        opened(tmp_path)


TRAINED = (
    {"bos_id": -1, "eos_id": 0, "unk_id": 1},
    {"byte_fallback": True},
    {"user_defined_symbols": ["<2de>", "@@"], "control_symbols": ["<x>"]},
    {"normalization_rule_name": "identity", "remove_extra_whitespaces": False},
)


@pytest.mark.parametrize("model_type", ["unigram", "bpe"])
def test_texts_are_cut_as_sentencepiece_cuts_them(tmp_path, model_type):
    for settings in TRAINED:
        made, path = io.BytesIO(), tmp_path / "x.spm"
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(TEXTS),
            model_writer=made,
            model_type=model_type,
            vocab_size=330 if "byte_fallback" in settings else 66,
            hard_vocab_limit=False,
            minloglevel=2,
            **settings,
        )
        path.write_bytes(made.getvalue())
        own = sentencepiece.SentencePieceProcessor(model_proto=made.getvalue())
        tokenizer, ids = read_sentencepiece(path)
        ours = named(tokenizer, ids, own.get_piece_size())
        for text in (*ODD, *TEXTS[:3]):
            *found, end = ours.encode(text).ids
            assert (found, end) == (own.encode(text), own.eos_id())
            if text in TEXTS:
                assert ours.decode(found).text == own.decode(found) == text


def test_a_vocabulary_beside_gives_the_ids(tmp_path):
    path = tmp_path / "x.spm"
    path.write_bytes(spm(PIECES))
    beside = {piece: n for n, piece in enumerate(["foreign", "▁a", "<unk>", "b", "</s>"])}
    tokenizer, ids = read_sentencepiece(path, beside)
    assert tokenizer.encode("ab foreign", add_special_tokens=False).ids == [1, 3, 2]
    assert ids == {"eos_id": 4, "unk_id": 2}
    with pytest.raises(CheckpointError, match="vocabulary"):
        read_sentencepiece(path, {"<unk>": 7})

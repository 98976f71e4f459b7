"""Sets turned round and tagged, words cut differently each epoch, sources made by a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from model import load_translator
from model.tokenizer import SPECIAL_TOKENS, build_tokenizer
from support.models import SENTENCES
from support.runs import write_pairs
from training import back_translation
from training.back_translation import (
    BATCH,
    MOST_PIECES,
    back_translate,
    batches_of,
    english_of,
    write_back_translation,
)
from training.batching import encode_pairs
from training.corpus import CorpusError, read_pairs, set_pairs, training_pairs, validation_pairs


@pytest.fixture
def data(tmp_path) -> Path:
    for part in ("train", "val"):
        pairs = (("A dog runs.", f"{article} Hund läuft.") for article in ("Ein", "Der"))
        write_pairs(tmp_path / "set" / f"{part}.tsv.gz", pairs)
    return tmp_path


@pytest.mark.parametrize(
    ("how", "first"),
    [
        ({"reversed": True}, ("Ein Hund läuft.", "A dog runs.")),
        ({"source_only": True}, ("A dog runs.", "")),
    ],
)
def test_a_set_can_be_read_the_other_way_round_or_on_one_side(data, how, first):
    pair, *_ = training_pairs(data, {"sets": [{"folder": "set", **how}]})["set"]
    assert (pair.source, pair.target) == first


def test_a_set_without_validation_is_not_asked_for_one(data):
    (data / "set" / "val.tsv.gz").unlink()
    assert validation_pairs(data, {"sets": [{"folder": "set", "validate": False}]}) == {}
    with pytest.raises(CorpusError, match="val"):
        validation_pairs(data, {"sets": [{"folder": "set"}]})


def test_a_tag_is_read_before_the_source_and_only_there(data):
    tokenizer = build_tokenizer(SENTENCES * 3, 90, (*SPECIAL_TOKENS, "<back>"))
    pairs = set_pairs(data, {"folder": "set", "tag": "<back>"}, "train")
    plain = encode_pairs(set_pairs(data, {"folder": "set"}, "train"), tokenizer, 50)
    tagged = encode_pairs(pairs, tokenizer, 50)
    for with_tag, without in zip(tagged, plain, strict=True):
        assert with_tag.src == [tokenizer.id_of("<back>"), *without.src]
        assert with_tag.tgt == without.tgt


def test_a_config_without_tags_gives_none_and_one_that_the_vocabulary_lacks_is_named(data):
    sources = {"sets": [{"folder": "set", "tag": "<back>"}]}
    pairs = training_pairs(data, sources)["set"]
    assert {pair.tag for pair in pairs} == {"<back>"}
    assert {pair.tag for pair in training_pairs(data, sources | {"tags": False})["set"]} == {""}
    with pytest.raises(CorpusError, match="<back>"):
        encode_pairs(pairs, build_tokenizer(SENTENCES * 3, 90), 50)


def test_sub_word_dropout_cuts_differently_and_spells_the_same():
    tokenizer = build_tokenizer(SENTENCES * 3, 200)
    cutter = tokenizer.with_dropout(0.5)
    text = SENTENCES[0]
    cuts = {tuple(cutter.encode_batch([text])[0]) for _ in range(20)}
    assert len(cuts) > 1
    assert {tokenizer.decode(cut).text for cut in cuts} == {text}
    assert tokenizer.encode_batch([text]) == [list(tokenizer.encode(text).ids)]


def test_a_korean_syllable_of_the_alphabet_is_never_cut():
    text = "저는 맥주로 하겠습니다."
    tokenizer = build_tokenizer([text] * 3, 60, alphabet=2600)
    assert not any(tokenizer.encode(text).unknown)
    few = build_tokenizer([text] * 3, 60, alphabet=4)
    assert any(few.encode(text).unknown)


def test_batches_hold_texts_of_one_length_and_leave_out_the_long(data):
    tokenizer = build_tokenizer(SENTENCES * 3, 90)
    texts = [*SENTENCES, "A dog", "A cat", "so " * MOST_PIECES] + ["dog"] * (BATCH + 1)
    found = list(batches_of(texts, tokenizer))
    assert all(len({len(ids) for _, ids in batch}) == 1 for batch in found)
    assert all(len(batch) <= BATCH for batch in found)
    kept = [text for batch in found for text, _ in batch]
    short = [text for text in texts if len(tokenizer.encode(text).ids) <= MOST_PIECES]
    assert sorted(kept) == sorted(short)
    assert "so " * MOST_PIECES not in kept


def test_what_a_model_makes_stands_before_what_a_person_wrote(
    data, tiny_checkpoint, tmp_path, monkeypatch
):
    texts = english_of(data, ["set"])
    assert texts == ["A dog runs."]
    translator = load_translator(tiny_checkpoint)
    made = (*translator.tokenizer.encode("Ein Hund").ids,)
    monkeypatch.setattr(back_translation, "likeliest_outputs", lambda *_: [made])
    pairs = list(back_translate(tiny_checkpoint, texts))
    assert [(pair.source, pair.target) for pair in pairs] == [("Ein Hund", "A dog runs.")]
    n_written = write_back_translation(tiny_checkpoint, texts, tmp_path / "back")
    stored = list(read_pairs(tmp_path / "back" / "train.tsv.gz"))
    assert (n_written, stored) == (1, pairs)
    monkeypatch.setattr(back_translation, "likeliest_outputs", lambda *_: [made[:-1]])
    assert list(back_translate(tiny_checkpoint, texts)) == []  # it never came to its end
    unknown = (translator.model.config.unk_id, *made)
    monkeypatch.setattr(back_translation, "likeliest_outputs", lambda *_: [unknown])
    assert list(back_translate(tiny_checkpoint, texts)) == []

"""Pairs of a training: read, fetched, generated, repeated, tagged, made by a model, and batched."""

from __future__ import annotations

import gzip
import hashlib
import io
import urllib.error
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model import load_translator
from model.special_tokens import SPECIAL_TOKENS
from model.tokenizer import build_tokenizer
from support.models import SENTENCES
from support.runs import write_pairs
from training import back_translation
from training import fetch as fetching
from training.__main__ import main
from training.corpora.coreference import canonical_pairs, generate_training
from training.corpora.pairs import (
    coreference_pairs,
    read_pairs,
    repeats_of,
    set_pairs,
    training_pairs,
    validation_pairs,
)
from training.corpora.text_pairs import CorpusError, TextPair
from training.objectives.batching import (
    TrainingExample,
    encode_pairs,
    make_batch,
    plan_batches,
    repeated,
)

# -- files ------------------------------------------------------------------------------------


@pytest.fixture
def data(tmp_path) -> Path:
    write_pairs(tmp_path / "one/train.tsv.gz", [("a dog", "ein müder Hund"), ("a dog", "ein Hund")])
    write_pairs(tmp_path / "one/val.tsv.gz", [(f"{n} dogs", f"{n} Hunde") for n in range(10)])
    return tmp_path


def flipped(place):
    return lambda raw: raw[:place] + bytes([raw[place] ^ 0xFF]) + raw[place + 1 :]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda raw: b"a dog\tein Hund\n", "is damaged"),  # not gzip
        (lambda raw: raw[:-200], "is damaged"),
        (lambda raw: gzip.compress("tired\tmüde\n".encode("latin-1")), "is damaged"),
        *((flipped(place), "") for place in (12, 40, -6)),
        (lambda raw: gzip.compress(b"a\tb\nno tab\n"), "line 2.*found 1 columns"),
        (lambda raw: gzip.compress(b"a\tb\na\tb\tc\n"), "line 2.*found 3 columns"),
        (lambda raw: gzip.compress(b"a\tb\n\n"), "line 2.*found 1 columns"),
    ],
)
def test_a_damaged_file_is_named(tmp_path, damage, message):
    path = tmp_path / "hit.tsv.gz"
    write_pairs(path, ((str(n * n), str(n**3)) for n in range(500)))
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(CorpusError, match=rf"hit\.tsv\.gz.*{message}"):
        list(read_pairs(path))


@pytest.mark.parametrize(
    ("entry", "pairs"),
    [
        ({}, [("a dog", "ein müder Hund"), ("a dog", "ein Hund")]),
        ({"reversed": True}, [("ein müder Hund", "a dog"), ("ein Hund", "a dog")]),
        ({"source_only": True}, [("a dog", "")]),
    ],
)
def test_a_set_can_be_read_the_other_way_round_or_on_one_side(data, entry, pairs):
    (found,) = training_pairs(data, {"sets": [{"folder": "one", **entry}]}).values()
    assert [(pair.source, pair.target) for pair in found] == pairs


def test_validation_is_thinned_evenly_and_left_out_where_a_set_has_none(data):
    sets = validation_pairs(data, {"sets": [{"folder": "one"}], "validation_limit": 5})
    assert [pair.source for pair in sets["one"]] == [f"{n} dogs" for n in (0, 2, 4, 6, 8)]
    (data / "one/val.tsv.gz").unlink()
    assert validation_pairs(data, {"sets": [{"folder": "one", "validate": False}]}) == {}


def test_a_set_is_repeated_as_its_entry_says():
    sources = {
        "sets": [{"folder": "one", "repeats": [[2, 3], [5, 2]]}, {"folder": "two"}],
        "scenes": {"repeats": 2},
        "dropped": {"repeats": [[0, 0], [3, 0.5]]},
    }
    found = [repeats_of(sources, epoch) for epoch in range(7)]
    assert [each["one"] for each in found] == [1, 1, 3, 3, 3, 2, 2]
    assert [each["dropped"] for each in found] == [0, 0, 0, 0.5, 0.5, 0.5, 0.5]
    assert ({each["two"] for each in found}, {each["scenes"] for each in found}) == ({1}, {2})
    examples = list(range(100))
    first, second = (repeated(examples, 2.3, f"one {epoch}") for epoch in (0, 1))
    assert (len(first), len({*first[200:]})) == (230, 30)
    assert first[:200] == examples * 2
    assert first != second
    assert first == repeated(examples, 2.3, "one 0")


def test_generated_pairs_come_fresh_from_an_epoch_on_and_none_is_held_out(data):
    spec = {"pairs": 500, "held_out_pairs": 50, "seed": 1, "fresh_from_epoch": 2}
    sources = {"sets": [{"folder": "one"}], "coreference": spec}
    epochs = [coreference_pairs(sources, epoch) for epoch in (0, 1, 2, 3, 2)]
    assert all(len(pairs) == 500 for pairs in epochs)
    assert all(pair.link.source == pair.source for pairs in epochs for pair in pairs)
    assert epochs[0] == epochs[1] != epochs[2] != epochs[3]
    assert epochs[2] == epochs[4]
    sets = validation_pairs(data, sources)
    assert [*sets] == ["one", "coreference"]
    held_out = {pair.source for pair in sets["coreference"]}
    assert held_out
    assert not held_out & {pair.source for pairs in epochs for pair in pairs}
    assert coreference_pairs({"sets": []}, epoch=3) == []


# -- fetched ----------------------------------------------------------------------------------

EN = "A  man\u00a0sits.\nTwo dogs.\n"
DE = "Ein Mann sitzt.\nZwei Hunde\u200b.\n"
JOINED = "A man sits.\tEin Mann sitzt.\nTwo dogs.\tZwei Hunde.\n"


def archive(rows: str, name: str = "deu.txt") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr(name, rows)
    return buffer.getvalue()


def test_fetched_files_are_clean_pairs_of_the_expected_text_and_fetched_once(tmp_path, monkeypatch):
    asked, german = [], DE

    def get(url: str) -> bytes:
        asked.append(url)
        if url == fetching.TATOEBA_URL:
            return archive("".join(f"Go {i}.\tGeh {i}.\tCC-BY 2.0\n" for i in range(400)))
        return gzip.compress((EN if ".en." in url else german).encode())

    def fetch() -> None:
        fetching.fetch(tmp_path, get=get, say=lambda _line: None)

    monkeypatch.setattr(fetching, "MULTI30K_SUMS", {"train": "0" * 64})
    with pytest.raises(CorpusError, match=r"not the expected text.*expected 000"):
        fetch()
    assert not [*tmp_path.rglob("*.gz")]
    monkeypatch.setattr(
        fetching, "MULTI30K_SUMS", {"train": hashlib.sha256(JOINED.encode()).hexdigest()}
    )
    fetch()
    pairs = read_pairs(tmp_path / "multi30k-en-de" / "train.tsv.gz")
    assert "".join(f"{pair.source}\t{pair.target}\n" for pair in pairs) == JOINED
    assert next(read_pairs(tmp_path / "tatoeba-en-de" / "train.tsv.gz")).source.startswith("Go ")
    asked.clear()
    fetch()
    assert asked == []
    (tmp_path / "multi30k-en-de" / "train.tsv.gz").unlink()
    german = "Ein Mann sitzt.\n"
    with pytest.raises(CorpusError, match="2 English and 1 German"):
        fetch()


@pytest.mark.parametrize("broken", [b"not a zip", archive("x", name="readme.txt"), archive("")])
def test_a_broken_archive_is_named(broken):
    with pytest.raises(CorpusError, match="Tatoeba archive"):
        fetching.read_tatoeba(broken)


def test_translations_of_one_sentence_share_a_split():
    pairs = [(f"Go {i}!", f"{verb} {i}!") for i in range(300) for verb in ("Geh", "Lauf")]
    splits = fetching.split_tatoeba(pairs)
    sources = {name: {line.split("\t")[0] for line in lines} for name, lines in splits.items()}
    assert sum(len(lines) for lines in splits.values()) == 600
    assert not sources["train"] & (sources["val"] | sources["test"])
    assert len(splits["train"]) > 550


def test_offline_the_command_says_what_to_do(tmp_path, monkeypatch, capsys):
    def refuse(*_args, **_kwargs):
        raise urllib.error.URLError("Name or service not known")

    monkeypatch.setattr(fetching.urllib.request, "urlopen", refuse)
    assert main(["fetch", "--data", str(tmp_path)]) == 1
    message = capsys.readouterr().err
    assert "could not be downloaded" in message
    assert "--data" in message


# -- pieces -----------------------------------------------------------------------------------


def test_sub_word_dropout_cuts_differently_and_spells_the_same(tiny_tokenizer):
    cutter, text = tiny_tokenizer.with_dropout(0.5), SENTENCES[0]
    cuts = {tuple(cutter.encode_batch([text])[0]) for _ in range(20)}
    assert len(cuts) > 1
    assert {tiny_tokenizer.decode(cut).text for cut in cuts} == {text}
    assert tiny_tokenizer.encode_batch([text]) == [list(tiny_tokenizer.encode(text).ids)]


def test_a_korean_syllable_of_the_alphabet_is_never_cut():
    text = "저는 맥주로 하겠습니다."
    for alphabet, unknown in ((2600, False), (4, True)):
        tokenizer = build_tokenizer([text] * 3, 60, alphabet=alphabet)
        assert any(tokenizer.encode(text).unknown) == unknown


def test_a_tag_stands_before_the_source_alone_and_only_where_config_and_vocabulary_have_it(data):
    tokenizer = build_tokenizer(SENTENCES * 3, 90, (*SPECIAL_TOKENS, "<back>"))
    sources = {"sets": [{"folder": "one", "tag": "<back>"}]}
    (tagged,) = training_pairs(data, sources).values()
    (plain,) = training_pairs(data, sources | {"tags": False}).values()
    assert plain == set_pairs(data, {"folder": "one"}, "train")
    for with_tag, without in zip(
        encode_pairs(tagged, tokenizer, 50), encode_pairs(plain, tokenizer, 50), strict=True
    ):
        assert with_tag.src == [tokenizer.id_of("<back>"), *without.src]
        assert with_tag.tgt == without.tgt
    with pytest.raises(CorpusError, match="<back>"):
        encode_pairs(tagged, build_tokenizer(SENTENCES * 3, 90), 50)


@pytest.mark.parametrize(
    ("pair", "max_len", "kept"),
    [
        (TextPair("The animal", "Das Tier"), 50, 1),
        (TextPair("The animal " * 20, "Das Tier " * 20), 50, 0),  # too long
        (TextPair("a", "Das Tier überquerte die Straße " * 3), 500, 0),  # wildly unequal
    ],
)
def test_pairs_that_are_too_long_or_unequal_are_left_out(tiny_tokenizer, pair, max_len, kept):
    found = encode_pairs([pair], tiny_tokenizer, max_len)
    ids = [list(tiny_tokenizer.encode(text).ids) for text in (pair.source, pair.target)]
    assert [[example.src, example.tgt] for example in found] == [ids] * kept


# -- made by a model --------------------------------------------------------------------------


def test_back_translations_that_end_and_know_every_piece_are_stored_before_their_source(
    data, tiny_checkpoint, tmp_path, monkeypatch
):
    texts = back_translation.english_of(data, ["one"])
    assert texts == ["a dog"]
    translator = load_translator(tiny_checkpoint)
    whole = (*translator.tokenizer.encode("Ein Hund").ids,)
    for output, expected in (
        (whole, [TextPair("Ein Hund", "a dog")]),
        (whole[:-1], []),
        ((translator.model.config.unk_id, *whole), []),
    ):
        monkeypatch.setattr(back_translation, "likeliest_outputs", lambda *_, it=output: [it])
        n = back_translation.write_back_translation(tiny_checkpoint, texts, tmp_path / "back")
        assert [*read_pairs(tmp_path / "back" / "train.tsv.gz")] == expected
        assert n == len(expected)


# -- batches ----------------------------------------------------------------------------------

LENGTHS = st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=1, max_size=60)


def examples_of(lengths):
    return [TrainingExample([7] * n_src, [8] * n_tgt) for n_src, n_tgt in lengths]


@settings(max_examples=40, deadline=None)
@given(lengths=LENGTHS, budget=st.integers(5, 80), seed=st.integers(0, 99))
def test_every_example_is_in_one_batch_within_the_budget_or_alone(lengths, budget, seed):
    plan = plan_batches(examples_of(lengths), budget, seed)
    assert sorted(i for batch in plan for i in batch) == list(range(len(lengths)))
    for batch in plan:
        assert len(batch) == 1 or len(batch) * max(max(lengths[i]) for i in batch) <= budget
    assert plan == plan_batches(examples_of(lengths), budget, seed)


def test_sentences_of_like_length_go_together_and_batches_in_random_order():
    examples = examples_of([(2, 2), (9, 9)] * 10)
    plan = plan_batches(examples, 20, 0)
    assert all(len({len(examples[i].src) for i in batch}) == 1 for batch in plan)
    assert plan != plan_batches(examples, 20, 1)
    firsts = [b[0] for b in plan_batches(examples_of([(n, n) for n in range(1, 30)]), 30, 0)]
    assert firsts != sorted(firsts)


def test_rows_are_filled_at_the_end_and_the_target_is_read_one_token_late():
    batch = make_batch(
        [TrainingExample([5, 3], [6, 7, 3]), TrainingExample([5, 8, 3], [9, 3])], 0, 2
    )
    assert batch.src.tolist() == [[5, 3, 0], [5, 8, 3]]
    assert batch.tgt_in.tolist() == [[2, 6, 7], [2, 9, 0]]
    assert batch.tgt_out.tolist() == [[6, 7, 3], [9, 3, 0]]
    assert batch.n_tokens == 5  # padding does not count
    linked = make_batch(
        [TrainingExample([5], [3]), TrainingExample([5, 6], [3], query=(1,), keys=(0,))], 0, 2
    )
    assert linked.links == ((1, (1,), (0,)),)


def test_a_batch_knows_the_pieces_of_the_pronoun_and_of_both_nouns(tiny_tokenizer):
    link, _ = canonical_pairs()
    example = encode_pairs([TextPair(link.source, link.target, link)], tiny_tokenizer, 200)[0]
    tokens = tiny_tokenizer.encode(link.source).tokens
    assert "".join(tokens[i] for i in example.query) == "▁it"
    assert "".join(tokens[i] for i in example.keys) == "▁animal"
    batch = make_batch([TrainingExample([5, 3], [6, 3]), example], pad_id=0, bos_id=2)
    decided = batch.tgt_out[batch.decisions].tolist()
    assert decided == [example.tgt[i] for i in example.decision]
    assert "".join(map(tiny_tokenizer.token_of, decided)).replace("▁", "") == "es"
    assert not batch.decisions[0].any()
    ((row, pieces),) = batch.nouns
    assert (row, "".join(tokens[i] for i in sorted(pieces))) == (1, "▁animal▁street")
    # A single noun leaves nothing to decide.
    link = next(pair for pair in generate_training(20, seed=0) if pair.n_nouns == 1)
    alone = encode_pairs([TextPair(link.source, link.target, link)], tiny_tokenizer, 200)[0]
    assert alone.keys
    assert alone.decision == alone.nouns == ()

"""Alignments of words: of a model and of a recording, from Python and from the command line."""

from __future__ import annotations

import contextlib
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.alignment import MapName, pharaoh
from core.files import attention_npz
from model import InputError
from model.__main__ import main
from model.experiments.alignment import Aligner, align, read_map_name
from model.experiments.contributions import contributions_of
from model.pairs import read_pairs
from model.readers.recordings import is_recording, read_recording
from support.models import SENTENCES

SOURCE, TARGET = SENTENCES[:2]


def by_hand(weights, record, *, shift):
    """Source word of each target word, cell by cell; words end at spaces."""

    def words(sequence):
        spans, start = [], 0
        for word in sequence.text.split(" "):
            spans.append((start, start + len(word)))
            start += len(word) + 1
        return [
            [i for i, (a, b) in enumerate(sequence.offsets) if a < b and a < end and b > begin]
            for begin, end in spans
        ]

    sources = [*words(record.src), [len(record.src) - 1]]
    links = set()
    for t, pieces in enumerate(words(record.tgt)):
        sums = [
            sum(weights[row + shift][column] for row in pieces for column in columns)
            for columns in sources
        ]
        best = sums.index(max(sums))
        if best < len(sources) - 1:
            links.add((best, t))
    return links


@pytest.mark.parametrize("row", ["reads", "writes"])
@pytest.mark.parametrize("name", ["cross.1.2", "cross.0", "cross"])
def test_a_map_links_words_as_sums_by_hand(tiny_translator, record, name, row):
    weights = {
        "cross.1.2": record.cross.weights[1, 2],
        "cross.0": record.cross.weights[0].mean(axis=0),
        "cross": record.cross.weights.mean(axis=(0, 1)),
    }[name]
    links = align(Aligner(tiny_translator, MapName.read(name), row=row), SOURCE, TARGET)
    assert links == by_hand(weights, record, shift=int(row == "reads"))
    assert links


def test_norms_link_by_the_length_of_weighted_vectors(tiny_translator, record):
    *_, cross = contributions_of(tiny_translator, record)
    lengths = np.zeros(cross.weights.shape[2:])
    for q, k in np.ndindex(*lengths.shape):
        lengths[q, k] = np.linalg.norm(cross.weights[1, 2, q, k] * cross.vectors[1, 2, k])
    aligner = Aligner(tiny_translator, MapName("cross", 1, 2), "norm")
    assert align(aligner, SOURCE, TARGET) == by_hand(lengths, record, shift=1)
    of_layer = Aligner(tiny_translator, MapName("cross", 1), "alti")
    expected = by_hand(cross.shares[1], record, shift=1)
    assert align(of_layer, SOURCE, TARGET) == expected


def test_a_recording_links_the_same_words_as_the_model(tiny_translator, record):
    recording = read_recording("own.npz", attention_npz(record))
    for row in ("reads", "writes"):
        expected = align(Aligner(tiny_translator, MapName("cross", 0, 3), row=row), SOURCE, TARGET)
        assert align(Aligner(recording, MapName("cross", 0, 3), row=row)) == expected


def test_a_recording_of_what_the_decoder_read_links_it_by_its_own_rows():
    weights = [[[[0.5, 0.4, 0.1], [0.1, 0.8, 0.1], [0.9, 0.0, 0.1]]]]
    fields = {"source_tokens": ["▁a", "▁b", "</s>"], "target_tokens": ["<s>", "▁x", "▁y"]}
    recording = read_recording("read.json", json.dumps({**fields, "cross": weights}).encode())
    assert align(Aligner(recording, MapName("cross"))) == {(1, 0), (0, 1)}
    # The row before a token predicts it.
    assert align(Aligner(recording, MapName("cross"), row="writes")) == {(0, 0), (1, 1)}


def test_the_other_model_links_source_words(tiny_translator):
    one = Aligner(tiny_translator, MapName("cross", 1, 2))
    other = Aligner(tiny_translator, MapName("cross", 0, 0))
    forward = align(one, SOURCE, TARGET)
    backward = {(s, t) for t, s in align(other, TARGET, SOURCE)}
    joined = align(one, SOURCE, TARGET, symmetrize="union", reverse=other)
    assert joined == forward | backward
    assert align(one, SOURCE, TARGET, symmetrize="backward", reverse=other) == backward


REFUSED = {
    "": "not the name of an attention map",
    "cross.1.2.3": "not the name of an attention map",
    "cross.-1": "not the name of an attention map",
    "decoder.1.2": "Available: cross.",
    "cross.2": "cross has 2 layers, numbered 0 to 1",
    "cross.1.4": "cross has 4 heads, numbered 0 to 3",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_map_that_is_not_there_is_refused_with_those_that_are(tiny_translator, name):
    with pytest.raises(InputError, match=REFUSED[name]):
        Aligner(tiny_translator, read_map_name(name))


def test_measures_that_do_not_fit_a_map_are_refused(tiny_translator, record):
    recording = read_recording("own.npz", attention_npz(record))
    with pytest.raises(InputError, match=r"without a head: cross\.1"):
        Aligner(tiny_translator, MapName("cross", 1, 2), "alti")
    with pytest.raises(InputError, match="norms are measured in one layer"):
        Aligner(tiny_translator, MapName("cross"), "norm")
    with pytest.raises(InputError, match="no vectors"):
        Aligner(recording, MapName("cross", 1), "norm")


# -- the command -------------------------------------------------------------------------------


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.tsv"
    lines = [f"{SOURCE}\t{TARGET}", f"{SENTENCES[2]} ||| {SENTENCES[3]}"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_the_command_writes_a_line_a_pair_and_tells_the_error_rate(
    tiny_checkpoint, tiny_translator, pairs, tmp_path, capsys
):
    aligner = Aligner(tiny_translator, MapName("cross", 1, 2))
    lines = [pharaoh(align(aligner, *pair)) for pair in read_pairs(pairs)]
    gold = tmp_path / "gold"
    gold.write_text("\n".join(lines) + "\n")
    command = ["align", str(tiny_checkpoint), "--input", str(pairs), "--head", "cross.1.2"]
    assert main([*command, "--gold", str(gold)]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == lines
    assert "cross.1.2 is layer 2, head 3 in the app." in err
    assert "AER 0.0%, precision 100.0%, recall 100.0% over 2 pairs." in err
    assert main([*command, "--output", str(tmp_path / "out"), "--symmetrize", "union"]) == 0
    assert capsys.readouterr().out == ""
    joined = [pharaoh(align(aligner, *p, symmetrize="union")) for p in read_pairs(pairs)]
    assert (tmp_path / "out").read_text() == "\n".join(joined) + "\n"


def test_the_command_aligns_a_recording(tiny_translator, record, tmp_path, capsys):
    path = tmp_path / "own.npz"
    path.write_bytes(attention_npz(record))
    assert main(["align", str(path), "--head", "cross.1"]) == 0
    expected = pharaoh(align(Aligner(tiny_translator, MapName("cross", 1)), SOURCE, TARGET))
    assert capsys.readouterr().out.splitlines() == [expected]
    assert main(["align", str(path), "--head", "cross.1", "--input", str(path)]) == 1
    assert "so --input cannot be used" in capsys.readouterr().err


def test_a_pair_that_is_too_long_leaves_its_line_empty(tiny_checkpoint, tmp_path, capsys):
    path = tmp_path / "pairs.tsv"
    path.write_text(f"{SOURCE}\t{TARGET}\n{'word ' * 200}\tWort\n{SOURCE}\t{TARGET}\n")
    command = ["align", str(tiny_checkpoint), "--input", str(path), "--head", "cross"]
    assert main(command) == 1
    out, err = capsys.readouterr()
    first, empty, last = out.split("\n")[:3]
    assert (empty, first) == ("", last)
    assert "Line 2: The sentence has" in err
    assert "One line has no result." in err


BAD_PAIRS = {
    b"": "pairs is empty",
    b"a\tb\nonly one": "line 2: expected two texts, found 1",
    b"a\tb\tc": "line 1: expected two texts, found 3",
    b"a\tb\n\na\tb": "line 2: expected two texts, found 1",
    b"a\tb\n\xff\tb": "line 2: this is not UTF-8",
}


@pytest.mark.parametrize("data", BAD_PAIRS)
def test_bad_pairs_are_refused_with_their_line(tmp_path, capsys, data):
    path = tmp_path / "pairs"
    path.write_bytes(data)
    assert main(["align", "no-model-is-loaded", "--input", str(path), "--head", "cross"]) == 1
    assert BAD_PAIRS[data] in capsys.readouterr().err


BAD_GOLD = {
    "0-0": "has 1 line, but there are 2 pairs",
    "0-0\n0:1": "line 2: “0:1” is not a link",
    "0-0\n99-1": "line 2: “99-1” points beyond the source",
    "1-99\n0-0": "line 1: “1-99” points beyond the target",
}


@pytest.mark.parametrize("text", BAD_GOLD)
def test_bad_gold_is_refused_with_its_line(tiny_checkpoint, pairs, tmp_path, capsys, text):
    path = tmp_path / "gold"
    path.write_text(text)
    command = ["align", str(tiny_checkpoint), "--input", str(pairs), "--head", "cross"]
    assert main([*command, "--gold", str(path)]) == 1
    assert BAD_GOLD[text] in capsys.readouterr().err


def test_gold_that_counts_from_one_is_read(tiny_checkpoint, pairs, tmp_path, capsys):
    path = tmp_path / "gold"
    path.write_text("1-1\n0-1\n")
    command = ["align", str(tiny_checkpoint), "--input", str(pairs), "--head", "cross"]
    assert main([*command, "--gold", str(path), "--first", "1"]) == 1
    assert "line 2: “0-1” points beyond the source" in capsys.readouterr().err


def test_an_option_without_effect_is_refused(tiny_checkpoint, pairs, capsys):
    path = str(tiny_checkpoint)
    command = ["align", path, "--input", str(pairs), "--head", "cross"]
    assert main([*command, "--reverse", path]) == 1
    assert "--symmetrize forward leaves out" in capsys.readouterr().err
    assert main(["align", path, "--head", "cross"]) == 1
    assert "--input pairs.tsv" in capsys.readouterr().err


@given(st.binary(max_size=80))
def test_any_bytes_are_pairs_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "fuzzed"
    path.write_bytes(data)
    with contextlib.suppress(InputError):
        assert all(len(pair) == 2 for pair in read_pairs(path))
    if is_recording(path):  # a few numbers are a bare matrix of weights
        with contextlib.suppress(InputError):
            assert read_recording(path.name, data).record.maps


def test_a_damaged_archive_is_no_recording(record, tmp_path):
    path = tmp_path / "own.npz"
    whole = attention_npz(record)
    path.write_bytes(whole)
    assert is_recording(path)
    # The version that is needed to unpack the first member of the directory.
    at = whole.index(b"PK\1\2") + 6
    path.write_bytes(whole[:at] + b"\xff" + whole[at + 1 :])
    assert not is_recording(path)

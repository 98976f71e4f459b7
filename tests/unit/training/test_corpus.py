"""Reading pairs, and what is said about files that cannot be read."""

import gzip

import pytest

from support.runs import write_pairs
from training.batching import repeated
from training.corpus import (
    CorpusError,
    Pair,
    coreference_pairs,
    own_sets,
    read_pairs,
    repeats_of,
    training_pairs,
    validation_pairs,
)


def write(path, text):
    write_pairs(path, (line.split("\t") for line in text.splitlines()))
    return path


@pytest.fixture
def data(tmp_path):
    write(tmp_path / "one" / "train.tsv.gz", "a dog\tein Hund\na cat\teine Katze\n")
    write(tmp_path / "one" / "val.tsv.gz", "".join(f"{n} dogs\t{n} Hunde\n" for n in range(10)))
    return tmp_path


def complaint(path):
    with pytest.raises(CorpusError) as raised:
        list(read_pairs(path))
    return str(raised.value)


def test_pairs_are_read_in_order_and_umlauts_whatever_the_locale(data, tmp_path):
    assert list(read_pairs(data / "one" / "train.tsv.gz")) == [
        Pair("a dog", "ein Hund"),
        Pair("a cat", "eine Katze"),
    ]
    assert next(read_pairs(write(tmp_path / "a.tsv.gz", "tired\tmüde\n"))).target == "müde"


def test_a_missing_file_says_where_it_comes_from(tmp_path):
    found = complaint(tmp_path / "none.tsv.gz")
    assert "none.tsv.gz does not exist" in found
    assert "--data" in found


def flipped(place):
    return lambda raw: bytes(
        byte ^ 0xFF if i == place % len(raw) else byte for i, byte in enumerate(raw)
    )


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda raw: b"a dog\tein Hund\n", " is damaged"),  # not gzip
        (lambda raw: raw[:-200], " is damaged"),
        (lambda raw: gzip.compress("tired\tmüde\n".encode("latin-1")), " is damaged"),
        *((flipped(place), "") for place in (12, 40, -6)),
    ],
)
def test_a_damaged_file_is_named(tmp_path, damage, said):
    path = write(tmp_path / "hit.tsv.gz", "".join(f"{n * n}\t{n**3}\n" for n in range(500)))
    path.write_bytes(damage(path.read_bytes()))
    assert f"hit.tsv.gz{said}" in complaint(path)


@pytest.mark.parametrize(("line", "columns"), [("no tab", 1), ("a\tb\tc", 3), ("", 1)])
def test_a_line_of_other_columns_is_named_by_its_number(tmp_path, line, columns):
    path = write(tmp_path / "a.tsv.gz", f"a dog\tein Hund\n{line}\n")
    found = complaint(path)
    assert "line 2" in found
    assert f"found {columns} columns" in found


def test_a_set_is_repeated_from_the_named_epoch_on():
    sources = {"sets": [{"folder": "one", "repeats": [[2, 3], [5, 2]]}, {"folder": "two"}]}
    assert [repeats_of(sources, epoch)["one"] for epoch in range(7)] == [1, 1, 3, 3, 3, 2, 2]
    assert repeats_of(sources, 6)["two"] == 1


def test_a_set_that_validates_is_read_as_it_was_trained_without_its_tag():
    sources = {
        "sets": [
            {"folder": "own", "repeats": 2},
            {"folder": "turned", "reversed": True, "tag": "<game>"},
            {"folder": "silent", "reversed": True, "validate": False},
        ]
    }
    assert own_sets(sources) == [
        {"folder": "own", "reversed": False},
        {"folder": "turned", "reversed": True},
    ]
    assert own_sets({}) == []


def test_what_is_made_for_a_run_counts_as_often_as_its_section_says():
    sources = {"sets": [], "scenes": {"repeats": 2}, "dropped": {"repeats": [[0, 0], [3, 0.5]]}}
    found = [repeats_of(sources, epoch) for epoch in (0, 2, 3)]
    assert [each["dropped"] for each in found] == [0, 0, 0.5]
    assert {each["scenes"] for each in found} == {2}


def test_generated_pairs_come_with_their_link():
    pairs = coreference_pairs({"coreference": {"pairs": 20, "seed": 1}}, epoch=0)
    assert len(pairs) == 20
    assert all(p.link.source == p.source for p in pairs)
    assert coreference_pairs({"sets": []}, epoch=3) == []


def test_epochs_get_fresh_pairs_from_the_named_one_on():
    sources = {"coreference": {"pairs": 40, "seed": 1, "fresh_from_epoch": 2}}
    texts = [[p.source for p in coreference_pairs(sources, epoch)] for epoch in range(4)]
    assert texts[0] == texts[1]
    assert texts[1] != texts[2] != texts[3]
    assert texts[2] == [p.source for p in coreference_pairs(sources, 2)]


def test_every_set_is_taken_by_its_name(data):
    sources = {
        "sets": [{"folder": "one"}],
        "coreference": {"pairs": 20, "held_out_pairs": 4, "seed": 1},
    }
    assert list(validation_pairs(data, sources)) == ["one", "coreference"]
    assert [p.source for p in training_pairs(data, sources)["one"]] == ["a dog", "a cat"]


def test_a_limit_thins_a_validation_set_evenly(data):
    sets = validation_pairs(data, {"sets": [{"folder": "one"}], "validation_limit": 5})
    assert [p.source for p in sets["one"]] == [f"{n} dogs" for n in (0, 2, 4, 6, 8)]


def test_held_out_pairs_are_never_trained_on(data):
    spec = {"pairs": 2000, "held_out_pairs": 50, "seed": 1, "fresh_from_epoch": 1}
    sources = {"sets": [], "coreference": spec}
    trained = {p.source for epoch in range(3) for p in coreference_pairs(sources, epoch)}
    held_out = {p.source for p in validation_pairs(data, sources)["coreference"]}
    assert held_out
    assert not trained & held_out


def test_a_fraction_of_a_set_is_drawn_anew_each_epoch():
    examples = list(range(100))
    first, second = (repeated(examples, 2.3, f"one {epoch}") for epoch in (0, 1))
    assert len(first) == len(second) == 230
    assert first[:200] == examples * 2
    assert len(set(first[200:])) == 30
    assert first != second
    assert first == repeated(examples, 2.3, "one 0")

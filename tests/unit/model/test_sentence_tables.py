"""Tables of sentences: what the commands write is read back, and bad files are named by line."""

from __future__ import annotations

import json
import random

import pytest

from benchmarks.fuzz import damaged
from core.alignment import link_cells
from core.gold import Gold
from model import InputError
from model.__main__ import main
from model.many import force_table, translate_table
from model.sentence_tables import (
    MOST_COLUMNS,
    MOST_LETTERS,
    MOST_LINES,
    MOST_MB,
    SentenceRow,
    SentenceTable,
    cell_of,
    gold_text,
    rate_of,
    read_sentence_table,
)
from support.models import SENTENCES

SOURCE, TARGET = SENTENCES[:2]
HEADER = "source\ttarget\tlinks\tgold"


def read(text: str | bytes, name: str = "own.tsv") -> SentenceTable:
    return read_sentence_table(name, text.encode() if isinstance(text, str) else text)


def complaint(text: str | bytes) -> str:
    name = "own.jsonl" if text[:1] in ("{", b"{") else "own.tsv"
    with pytest.raises(InputError) as raised:
        read(text, name)
    return str(raised.value)


# -- what a file is ----------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["{x} is a set.", "{", '{"source": "A dog."', '{"a": 1}', "{}"])
def test_sentences_may_begin_with_a_brace(first):
    table = read(f"{first}\nA dog.\n", "own.txt")
    assert table.origin == "sentences"
    assert [row.source for row in table.rows] == [first, "A dog."]


def test_a_brace_that_is_no_object_is_a_fault_in_a_file_of_objects():
    with pytest.raises(InputError, match="line 1: this is not a JSON object"):
        read("{x} is a set.\n", "own.JSONL")


def test_lines_that_are_all_objects_are_no_sentences():
    with pytest.raises(InputError, match="line 1, column “source”: expected a text"):
        read('{"text": "A dog."}\n{"text": "A cat."}\n', "own.txt")


def test_a_file_of_sentences_has_one_a_line_whatever_ends_its_lines():
    for text in ("A dog.\nA cat.\n", "A dog.\r\nA cat.\r\n", "\ufeffA dog.\nA cat."):
        table = read(text)
        assert (table.origin, [row.source for row in table.rows]) == (
            ("sentences", ["A dog.", "A cat."])
        )
        assert [row.line for row in table.rows] == [1, 2]


def test_empty_lines_keep_their_numbers():
    table = read("A dog.\n\nA cat.\n")
    assert [(row.line, row.source) for row in table.rows] == [(1, "A dog."), (2, ""), (3, "A cat.")]


@pytest.mark.parametrize("sign", ["\t", " ||| "])
def test_a_file_of_pairs_has_source_and_target(sign):
    table = read(f"A dog.{sign}Ein Hund.\nA cat.{sign}Eine Katze.\n")
    assert table.origin == "pairs"
    assert table.pairs == [("A dog.", "Ein Hund."), ("A cat.", "Eine Katze.")]


@pytest.mark.parametrize("options", [(), ("--json",)], ids=["tsv", "json"])
def test_what_translate_writes_is_read_back(tiny_checkpoint, tiny_translator, tmp_path, options):
    source = tmp_path / "sentences"
    source.write_text('The dog sleeps.\n\nA "man" plays.\n', encoding="utf-8")
    path = tmp_path / "table"
    command = ["translate", str(tiny_checkpoint), "--input", str(source), "--output", str(path)]
    main([*command, *options])
    first, empty, quoted = read(path.read_bytes()).rows
    alone = tiny_translator.translate("The dog sleeps.")
    assert (first.line, first.source, first.output) == (1, "The dog sleeps.", alone.text)
    assert first.tokens == alone.tgt.tokens
    assert first.log_prob == pytest.approx(alone.log_probs.sum(), abs=1e-4)
    assert len(first.probabilities) == len(first.tokens)
    assert 0 <= first.end_share <= 1
    assert (empty.source, empty.error, empty.log_prob) == ("", "The sentence is empty.", None)
    assert quoted.source == 'A "man" plays.'


def test_what_align_writes_is_read_back_with_its_error_rate(tiny_checkpoint, tmp_path, capsys):
    pairs, gold, path = (tmp_path / name for name in ("pairs", "gold", "table"))
    pairs.write_text(f"{SOURCE}\t{TARGET}\n{SENTENCES[2]}\t{SENTENCES[3]}\n", encoding="utf-8")
    gold.write_text("0-0 1p1\n0-0\n")
    command = ["align", str(tiny_checkpoint), "--input", str(pairs), "--head", "cross.1.2"]
    main([*command, "--gold", str(gold), "--table", "--output", str(path)])
    table = read(path.read_bytes())
    assert table.pairs == [(SOURCE, TARGET), (SENTENCES[2], SENTENCES[3])]
    assert table.rows[0].gold == Gold.of([(0, 0)], [(1, 1)])
    assert f"AER {100 * rate_of(table.rows):.1f}%" in capsys.readouterr().err
    # The lines of the other form are the same links.
    main([*command, "--output", str(path)])
    lines = read(pairs.read_bytes()).with_links("links", path.read_bytes())
    assert [row.links for row in lines.rows] == [row.links for row in table.rows]
    main([*command, "--table", "--output", str(path)])
    assert [row.gold for row in read(path.read_bytes()).rows] == [None, None]


def test_columns_of_other_programs_stay_as_they_are():
    table = read("id\tsource\tcomet\n007\tA dog.\t0.81\nx\tA cat.\t-1e-3\n")
    assert [row.others for row in table.rows] == (
        [{"id": "007", "comet": 0.81}, {"id": "x", "comet": -0.001}]
    )
    row = read('{"source": "A dog.", "sure": true, "n": [1, {}], "none": null}').rows[0]
    assert row.others == {"sure": "true", "n": "[1, {}]"}


def test_roles_are_read_from_a_cell_and_from_an_object():
    roles = {"next": (3, 4), "end": (5, 6)}
    cell = cell_of({role: list(counts) for role, counts in roles.items()})
    assert cell == "next 3/4, end 5/6"
    from_tsv = read(f"source\troles\nA dog.\t{cell}\n").rows[0]
    from_json = read(json.dumps({"source": "A dog.", "roles": roles})).rows[0]
    assert from_tsv.roles == from_json.roles == roles
    assert from_tsv.roles_share == pytest.approx(8 / 10)


def test_tokens_that_hold_a_space_are_uncertain_in_tsv_alone():
    row = read("source\ttokens\tprobabilities\nA\ta b c\t0.5 0.5\n").rows[0]
    assert (row.tokens, row.probabilities) == ((), (0.5, 0.5))
    assert "3 tokens, but 2 probabilities" in complaint(
        '{"source": "A", "tokens": ["a", "b", "c"], "probabilities": [0.5, 0.5]}'
    )


# -- bad files ---------------------------------------------------------------------------------

BAD = {
    b"": "own.tsv is empty",
    b"\xef\xbb\xbf": "own.tsv is empty",
    b"A dog.\n\xff\n": "line 2: this is not UTF-8",
    "A dog.\nA cat.".encode("utf-16"): "line 1: this is not UTF-8",
    "A dog.\nA cat.".encode("utf-16-le"): "line 1: this is not UTF-8",
    b"A dog.\tEin Hund.\nA cat.\n": "line 2: expected two texts, found 1",
    b"A dog.\tEin Hund.\n\nA cat.\tEine Katze.\n": "line 2: expected two texts, found 1",
    b"A\tB\tC\n": "line 1: expected two texts, found 3",
    b"source\toutput\nA dog.\n": "line 2: expected 2 columns as in line 1, found 1",
    b"source\toutput\nA\tB\tC\n": "line 2: expected 2 columns as in line 1, found 3",
    b"source\toutput\n": "own.tsv is empty",
    b"source\tx\tx\nA\tB\tC\n": "two columns are called “x”",
    b'source\n"A dog.\n': "line 2: a quotation mark is not closed",
    b"source\tlog_prob\nA\tsmall\n": (
        "line 2, column “log_prob”: expected a logarithm of a probability, a number of 0 or less"
    ),
    b"source\tlog_prob\nA\t0.5\n": "column “log_prob”",
    b"source\tlog_prob\nA\tnan\n": "column “log_prob”",
    b"source\tscore\nA\tinf\n": "column “score”: expected a number, found “inf”",
    b"source\tend_share\nA\t1.5\n": "column “end_share”: expected numbers from 0 to 1",
    b"source\tprobabilities\nA\t0.5 x\n": "column “probabilities”: expected numbers from 0 to 1",
    b"source\tline\nA\t0\n": "column “line”: expected a whole number from 1",
    b"source\troles\nA\tnext 4/3\n": "column “roles”: expected roles of heads",
    b"source\troles\nA\tfish 1/3\n": "column “roles”: expected roles of heads",
    f"{HEADER}\nA dog\tEin Hund\t0-2\t\n".encode(): (
        "line 2: “0-2” points beyond the target: it has 2 words, numbered 0 to 1"
    ),
    f"{HEADER}\nA dog\tEin Hund\t0-0\t3p0\n".encode(): "points beyond the source",
    f"{HEADER}\nA dog\tEin Hund\t0:0\t\n".encode(): "“0:0” is not a link",
    b'{"source": "A"}\n{"source": "B"\n': "line 2: this is not a JSON object",
    b'{"source": "A"}\n\n': "line 2: this is not a JSON object",
    b'{"source": "A"}\n[1]\n': "line 2: this is not a JSON object",
    b'{"output": "A"}': "line 1, column “source”: expected a text",
    b'{"source": 3}': "line 1, column “source”: expected a text of at most 5,000 characters",
    b'{"source": "\\ud800"}': "column “source”: expected a text",
    b'{"source": "A", "\\ud800": 1}': "expected a text",
    b'{"source": "A", "log_prob": NaN}': "column “log_prob”",
    b'{"source": "A", "log_prob": true}': "column “log_prob”",
    b'{"source": "A", "log_prob": -1' + b"0" * 400 + b"}": "column “log_prob”",
    b'{"source": "A", "tokens": 3}': "column “tokens”: expected a list",
    b'{"source": "A", "roles": {"next": [1]}}': "column “roles”",
    b'{"source": ' + b"[" * 10**5: "line 1: this is not a JSON object",
    b'{"source": "A", "n": 1' + b"0" * 5000 + b"}": "line 1: this is not a JSON object",
    b"x" * (MOST_MB * 2**20 + 1): f"own.tsv is larger than {MOST_MB} MB",
    b"x\n" * (MOST_LINES + 1): "own.tsv has 2,001 lines; at most 2,000 are allowed",
    b"x" * (MOST_LETTERS * MOST_COLUMNS + 1): "line 1: a text of 200,001 characters",
    b"x" * (MOST_LETTERS + 1): "line 1: a text of 5,001 characters",
    b"source\nA\n" + b"y" * (MOST_LETTERS + 1): "line 3, column “source”: expected a text",
    ("source\t" + "\t".join(f"c{n}" for n in range(MOST_COLUMNS)) + "\n").encode(): (
        "own.tsv has 41 columns; at most 40 are allowed"
    ),
}


@pytest.mark.parametrize("data", BAD, ids=range(len(BAD)))
def test_a_bad_file_is_refused_with_its_line_and_field(data):
    assert BAD[data] in complaint(data)


LINKED = {
    b"0-0\n": "links has 1 line, but there are 2 pairs",
    b"0-0\n0-0\n\n": "links has 3 lines, but there are 2 pairs",
    b"0-0\n1-9\n": "links, line 2: “1-9” points beyond the target",
    b"0-0\n0-x\n": "links, line 2: “0-x” is not a link",
    b"\xff\n\n": "links, line 1: this is not UTF-8",
}


@pytest.mark.parametrize("data", LINKED, ids=range(len(LINKED)))
def test_links_that_do_not_fit_their_pairs_are_refused(data):
    table = read("A dog\tEin Hund\nA cat\tEine Katze\n")
    for add in (table.with_links, table.with_gold):
        with pytest.raises(InputError) as raised:
            add("links", data)
        assert LINKED[data] in str(raised.value)
    assert table.rows[0].links is None


def test_gold_words_may_count_from_one():
    table = read("A dog\tEin Hund\n").with_gold("gold", b"1-1 2p2\n", first=1)
    assert table.rows[0].gold == Gold.of([(0, 0)], [(1, 1)])


@pytest.mark.slow
def test_damaged_files_are_read_or_refused():
    whole = {
        "tsv": "line\tsource\toutput\tlog_prob\ttokens\tprobabilities\troles\tlinks\tgold\n"
        '1\t"A ""dog"""\tEin Hund\t-0.5\t▁Ein ▁Hund\t0.9 0.8\tnext 1/2\t0-0\t0-0 1p1\n' * 3,
        "json": '{"line": 1, "source": "A dog", "output": "Ein Hund", "log_prob": -0.5, '
        '"tokens": ["▁Ein"], "probabilities": [0.9], "roles": {"next": [1, 2]}}\n' * 3,
        "pairs": "A dog\tEin Hund\nA cat ||| Eine Katze\n" * 3,
        "links": "0-0 1-1\n0-0\n" * 3,
    }
    pairs = read(whole["pairs"])
    chance = random.Random(0)
    refused = 0
    for _ in range(10_000):
        kind = chance.choice(sorted(whole))
        data = damaged(whole[kind].encode(), chance)
        try:
            table = pairs.with_gold(kind, data) if kind == "links" else read(data)
        except InputError:
            refused += 1
        else:
            # A lone surrogate, which no page can show, raises here.
            assert [row.source.encode() for row in table.rows]
    assert 1000 < refused < 9000


# -- numbers -----------------------------------------------------------------------------------


def test_the_error_rate_is_that_of_och_and_ney():
    """A = 3 links; one of them is sure and one more possible; S has one link."""
    row = SentenceRow(
        1,
        "a b c",
        "x y z",
        links=frozenset({(0, 0), (1, 1), (2, 1)}),
        gold=Gold.of([(0, 0)], [(1, 1)]),
    )
    assert row.error_rate == pytest.approx(1 - (1 + 2) / (3 + 1))
    # Sums over pairs, not a mean of rates: 1 - (1 + 1 + 2 + 1) / (3 + 1 + 1 + 2).
    other = SentenceRow(2, "a b", "x y", links=frozenset({(0, 0)}), gold=Gold.of([(0, 0), (1, 1)]))
    assert rate_of([row, other]) == pytest.approx(1 - (1 + 1 + 2 + 1) / (3 + 1 + 1 + 2))
    assert rate_of([SentenceRow(1, "a", "b", links=frozenset())]) is None
    empty = SentenceRow(1, "a", "b", links=frozenset(), gold=Gold.of(()))
    assert rate_of([empty]) is None


def test_cells_of_links_name_words_and_gold():
    gold = Gold.of([(0, 0)], [(1, 1)])
    cells = link_cells(frozenset({(0, 0), (2, 1)}), gold, ["x", "y"], ["a", "b", "c"])
    assert cells["linked"].tolist() == [1, 0, 0, 0, 0, 1]
    assert cells["gold"].tolist() == ["sure", "", "", "", "possible", ""]
    assert cells.loc[5, ["query", "key"]].tolist() == ["y", "c"]


def test_gold_links_are_written_as_they_are_read():
    gold = Gold.of([(1, 0), (0, 0)], [(2, 2)])
    assert gold_text(gold) == "0-0 1-0 2p2"
    assert gold_text(Gold.of((), [(0, 1)])) == "0p1"


def test_given_targets_are_read_and_not_searched(tiny_translator):
    one, empty = force_table(tiny_translator, [(SOURCE, TARGET), (SOURCE, "")])
    record, log_probs = tiny_translator.read_pair(SOURCE, TARGET)
    assert (one.output, one.tokens) == (TARGET, record.tgt.tokens)
    assert one.log_prob == one.score == pytest.approx(log_probs.sum(), abs=1e-6)
    assert one.end_share == pytest.approx(record.cross.weights[..., -1].mean(), abs=1e-6)
    assert empty.error is not None
    table = SentenceTable("own", "pairs", (SentenceRow(1, SOURCE, TARGET),)).with_lines([one])
    assert (table.rows[0].target, table.rows[0].output) == (TARGET, None)
    assert table.bare().rows[0].log_prob is None


def test_a_table_tells_how_far_it_is_and_keeps_its_order(tiny_translator):
    told = []
    texts = ("The dog sleeps.", "", "A dog.", "The cat runs.")
    lines = translate_table(tiny_translator, texts, progress=told.append)
    assert [line.line for line in lines] == [1, 2, 3, 4]
    assert told == [0.25, 0.5, 0.75, 1.0]


def test_a_table_stops_where_its_progress_raises(tiny_translator):
    def cancel(fraction: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        translate_table(tiny_translator, ("A dog.",), progress=cancel)

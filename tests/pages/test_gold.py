"""Alignments held against gold ones: by sets, by loops, by what others publish."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import gold
from core.gold import Gold, GoldPair, LinksError, read_links, word_spans
from core.gold_sets import gold_pairs, gold_sets
from core.measurements import GOLD, Aligning
from core.stored import typed
from model import ModelError, load_translator
from model.experiments.contributions import contributions_of
from support.app import open_page, put
from support.models import ROOT, read_json
from support.number_text import holds
from training.corpus import CorpusError
from training.gold import Align
from ui.worth.gold import OURS
from viz.figure import tables_of
from viz.gold import error_dots, gold_matrix

CHECKPOINTS = ROOT / "checkpoints"
GERMAN = ("Das Tier schläft , daß es regnet .", "Ein Hund 's Ball .")
ENGLISH = ("The animal sleeps , that it rains .", "A dog 's ball .")
LINKS = ("1-1 2-2 3-3 4p4 5-5 6-6 7-7 8-8", "1-1 2p2 2-3 4-4")


def pair_of(n_target, n_source, sure, possible=(), content=False):
    texts = (" ".join("w" * n) for n in (n_source, n_target))
    source, target = texts
    gold_links = Gold.of(sure, possible)
    return GoldPair(source, target, word_spans(source), word_spans(target), gold_links, content)


def rates(links, sure, possible):
    """Precision, recall and error rate of Och & Ney 2003, section 4.1, by sets."""
    return (
        len(links & possible) / len(links),
        len(links & sure) / len(sure),
        1 - (len(links & sure) + len(links & possible)) / (len(links) + len(sure)),
    )


def test_a_worked_example():
    """A links 4 words, of which 3 are possible and 2 sure; 3 links are sure."""
    pair = pair_of(4, 4, {(0, 0), (1, 1), (2, 3)}, {(2, 2)})
    sums = gold.tally(np.array([0, 1, 2, 0]), pair)
    assert sums.tolist() == [2, 3, 4, 3]
    assert gold.precision(sums) == 3 / 4
    assert gold.recall(sums) == 2 / 3
    assert gold.error_rate(sums) == pytest.approx(1 - 5 / 7)


def test_what_others_publish_of_their_links_gives_their_error_rate():
    """fast_align: 9,930 links, precision 71.3 %, recall 71.8 % of 9,613 sure ones: 28.5 %."""
    sums = np.array([0.718 * 9613, 0.713 * 9930, 9930, 9613])
    assert 100 * gold.error_rate(sums) == pytest.approx(28.5, abs=0.1)
    assert gold.PUBLISHED["rwth-de-en"]["fast_align"] == 0.285


LINKED = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1)


@given(st.lists(st.integers(-1, 3), min_size=5, max_size=5), LINKED, LINKED)
def test_counts_are_those_of_sets(linked, sure, possible):
    links = {(source, target) for target, source in enumerate(linked) if source >= 0}
    sums = gold.tally(np.array(linked), pair_of(5, 4, sure, possible))
    if links:
        found = [rate(sums) for rate in (gold.precision, gold.recall, gold.error_rate)]
        np.testing.assert_allclose(found, rates(links, sure, sure | possible))
    assert sums[2] == len(links)


def test_only_linked_words_count_where_people_linked_words_with_content():
    pair = pair_of(3, 3, {(0, 0), (1, 1)}, content=True)
    assert gold.tally(np.array([0, 1, 2]), pair).tolist() == [2, 2, 2, 2]


def test_columns_of_a_word_are_added_and_its_rows_averaged():
    weights = np.random.default_rng(0).random((2, 5, 6))
    rows, columns = ((0, 1), (3,), ()), ((0,), (1, 2, 4), (3,))
    found = gold.word_weights(weights, rows, columns)
    for of_map, by_words in zip(weights, found, strict=True):
        for at, row in enumerate(rows):
            for word, pieces in enumerate((*columns, (5,))):
                each = [sum(of_map[i, j] for j in pieces) for i in row] or [0]
                assert by_words[at, word] == pytest.approx(sum(each) / len(each))
    assert (gold.linked_words(found)[:, 2] == -1).all()
    assert gold.linked_words(np.array([[0.2, 0.3, 0.5], [0.4, 0.4, 0.2]])).tolist() == [-1, 0]


def test_a_row_reads_a_word_one_step_after_it_is_written():
    assert gold.rows_of(((0, 1), (2,)), "writes") == ((0, 1), (2,))
    assert gold.rows_of(((0, 1), (2,)), "reads") == ((1, 2), (3,))


def test_links_are_read_and_written_words_checked():
    assert read_links("0-0 1p2 0-0", 2, 3) == Gold.of({(0, 0)}, {(1, 2)})
    assert read_links("1-1 2p3", 2, 3, first=1) == Gold.of({(0, 0)}, {(1, 2)})
    assert read_links("", 0, 0) == Gold.of(())


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("0-0 x", "gold-no-link"),
        ("0_0", "gold-no-link"),
        ("٣-0", "gold-no-link"),
        ("2-0", "gold-no-source-word"),
        ("0-3", "gold-no-target-word"),
        ("0-0 " * 1001, "gold-too-many"),
    ],
)
def test_what_is_no_link_is_refused(text, id):
    with pytest.raises(LinksError) as error:
        read_links(text, 2, 3)
    assert error.value.message.id == id


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Sets as their owners give them, of sentences of our own."""
    root = tmp_path_factory.mktemp("gold")
    folder = root / "align" / "rwth-de-en"
    folder.mkdir(parents=True)
    for file, lines in zip(("de", "en"), (GERMAN, ENGLISH), strict=True):
        (folder / f"test.uc.{file}").write_text("\n".join(lines) + "\n")
    (folder / "alignment.talp").write_text("\n".join(LINKS) + "\n")
    folder = root / "align" / "pud-en-ko"
    folder.mkdir()
    words = {
        "en": [["A", "DET", 2, "det", 1], ["dog", "NOUN", 0, "root", 0], [".", "PUNCT", 2, "p", 0]],
        "ko": [["개가", "NOUN", 0, "root", 0], [".", "PUNCT", 1, "p", 0]],
    }
    (folder / "pud-en-ko.jsonl").write_text(json.dumps({**words, "links": [[1, 0]]}) + "\n")
    return root


def test_sets_are_read_in_either_direction(data):
    assert gold_sets(("en", "de")) == gold_sets(("de", "en")) == ("rwth-de-en",)
    first, second = gold_pairs(data, "rwth-de-en", ("en", "de"))
    assert first.source == "The animal sleeps, that it rains."
    assert first.target == "Das Tier schläft, dass es regnet."
    assert [first.source[slice(*span)] for span in first.source_words] == ENGLISH[0].split()
    assert first.gold == Gold.of({(i, i) for i in (0, 1, 2, 4, 5, 6, 7)}, {(3, 3)})
    assert (second.source, second.gold.possible - second.gold.sure) == ("A dog's ball.", {(1, 1)})
    (pair,) = gold_pairs(data, "pud-en-ko", ("ko", "en"))
    assert (pair.source, pair.target, pair.gold.sure) == ("개가.", "A dog.", {(0, 1)})
    assert (pair.content, pair.counted.tolist()) == (True, [False, True, False])


def pieces(tokens, start, end):
    """Those that begin or end in a word; a space alone begins where its word does."""
    return [
        at
        for at, (a, b) in enumerate(tokens.offsets)
        if not tokens.special[at] or tokens.tokens[at] == "▁"
        if start <= a < end or start < b <= end
    ]


def by_hand(weights, src, tgt, pair, shift):
    """The links of one map, word by word."""
    found = set()
    for at, span in enumerate(pair.target_words):
        rows = [row + shift for row in pieces(tgt, *span)]
        sums = [
            np.mean([weights[row, pieces(src, *word)].sum() for row in rows])
            for word in pair.source_words
        ]
        if max(sums) > np.mean([weights[row, -1] for row in rows]):
            found.add((int(np.argmax(sums)), at))
    return found


def test_the_error_rate_of_every_map_is_that_of_links_found_by_hand(tiny_checkpoint, data):
    result = Align(Align.load(str(tiny_checkpoint)), data).measure()
    measured = typed(result, Aligning).sets
    assert {name: of.pairs for name, of in measured.items()} == {
        "rwth-de-en": 2,
        "rwth-de-en-short": 2,
    }
    translator, counts = load_translator(str(tiny_checkpoint)), {}
    for pair in gold_pairs(data, "rwth-de-en", ("en", "de")):
        record = translator.attend(pair.source, pair.target)
        made = next(e for e in contributions_of(translator, record) if e.kind == "cross")
        weights, n_keys = record.cross.weights, len(record.src)
        maps = {
            ("weight", 1, 2): weights[1, 2],
            ("length", 0, 1): weights[0, 1] * np.linalg.norm(made.vectors[0, 1], axis=-1),
            ("mean", 0, None): weights[0].mean(0),
            ("shares", 1, None): made.shares[1, :, :n_keys],
            ("all", None, None): weights.mean((0, 1)),
        }
        for place, of_map in maps.items():
            for shift, reading in enumerate(("writes", "reads")):
                links = by_hand(of_map, record.src, record.tgt, pair, shift)
                numbers = [len(links & pair.gold.sure), len(links & pair.gold.possible)]
                numbers += [len(links), len(pair.gold.sure)]
                counts.setdefault((*place, reading), []).append(numbers)
    for each in measured["rwth-de-en"].maps:
        if of_pairs := counts.get((each.map, each.layer, each.head, each.reading)):
            sure, possible, made, gold_links = np.sum(of_pairs, axis=0)
            assert each.error.value == pytest.approx(
                1 - (sure + possible) / (made + gold_links), abs=1e-4
            )
            assert each.recall == pytest.approx(sure / gold_links, abs=1e-4)
            counts.pop((each.map, each.layer, each.head, each.reading))
    assert not counts
    assert "rwth-de-en: 2 pairs" in Align.report(result)


def test_a_model_without_a_gold_set_is_refused():
    for name in ("lineage-cho", "captions-soft"):
        with pytest.raises((CorpusError, ModelError)):
            Align.load(name)


def stored_errors(name):
    values = read_json(CHECKPOINTS / name / GOLD.file)
    return {
        (set, each.map, each.layer, each.head, each.reading): each
        for set, of in typed(values, Aligning).sets.items()
        for each in of.maps
    }


def test_the_shipped_numbers_say_what_the_page_claims():
    """A head aligns, the mean of its layer does not, and lengths bring most of it back."""
    of = stored_errors("en-de")
    error = {place: each.error for place, each in of.items()}
    rwth = "rwth-de-en"
    head, mean, summed = (
        error[rwth, "weight", 0, 7, "reads"],
        error[rwth, "mean", 0, None, "reads"],
        error[rwth, "summed", 0, None, "reads"],
    )
    assert head.high < summed.low < summed.high < mean.low
    for each in of.values():
        assert each.error.low <= each.error.value <= each.error.high
    for place in ((0, 7, "reads"), (1, 4, "writes")):
        each = of[rwth, "weight", *place]
        # With |S| = 9,613 precision and recall alone give the number of links, and so the rate.
        n_sure, a = 9613, each.error.value
        n_made = n_sure * (1 - a - each.recall) / (each.precision - 1 + a)
        assert 8000 < n_made < 12000


def test_figures_hold_what_they_are_given():
    errors = gold.error_table(
        typed(read_json(CHECKPOINTS / "en-de" / GOLD.file), Aligning).sets["rwth-de-en"],
        "reads",
        "length",
    )
    dots = tables_of(error_dots(errors, gold.PUBLISHED["rwth-de-en"]))["dots"]
    assert dots["error"].is_monotonic_increasing
    assert {*dots["map"]} == {"length", "summed", "shares", "diagonal"}
    cells = gold.gold_cells(
        np.array([[0.7, 0.2, 0.1], [0.1, 0.2, 0.7]]),
        Gold.of({(0, 0)}, {(1, 1)}),
        ["Ein", "Hund"],
        ["A", "dog", gold.END],
    )
    drawn = tables_of(gold_matrix(cells, ["Ein", "Hund"], ["A", "dog", gold.END]))["cells"]
    assert drawn["gold"].tolist() == ["sure", "", "", "", "possible", ""]
    assert drawn["linked"].tolist() == [True, *[False] * 5]


def test_own_links_are_counted_live_and_bad_ones_told():
    page = open_page("worth", worth_look="gold", gold_part="pair", gold_layer="1", gold_head="8")
    source, target, links = OURS["en", "de"]
    translator = load_translator("en-de")
    pair = GoldPair(source, target, word_spans(source), word_spans(target), Gold.of(()))
    pair = GoldPair(*list(vars(pair).values())[:4], read_links(links, 11, 11))
    record = translator.attend(source, target)
    found = by_hand(record.cross.weights[0, 7], record.src, record.tgt, pair, 1)
    wanted = rates(found, pair.gold.sure, pair.gold.possible)
    text = " ".join(each.value for each in page.markdown)
    assert holds(text, f"AER **{100 * wanted[2]:.1f}%**")
    put(page, gold_links="0-0 1p99")
    assert "1p99" in page.warning[0].value
    assert page.text_area(key="gold_links").value == "0-0 1p99"

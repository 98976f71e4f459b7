"""The atlas against sums over cells, and word alignments against links by hand."""

from __future__ import annotations

import json
from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy

from core import gold
from core.atlas import ATLAS, Atlas, by_decile, divergences, example_of, head_rows, rare_excess
from core.gold import Aligning, Gold, GoldPair, LinksError, read_links, word_spans
from core.gold_sets import gold_pairs, gold_sets
from core.measurements import GOLD, ROLES
from core.records.sources import TokenSequence
from core.storage import read_stored, typed
from evaluation import atlas as measured_atlas
from evaluation.gold import AlignmentMeasurement
from model import ModelError, load_translator
from model.experiments.contributions import contributions_of
from model.io.checkpoint import checkpoint_path
from support.app import asked, click, focus, markdown, open_page, press, put
from support.models import ROOT, read_json
from training.corpora.text_pairs import CorpusError
from ui.pages.worth import gold as gold_view
from ui.pages.worth.atlas import notes_on
from ui.pages.worth.source_share import longest_token
from viz.gold import SELECTION_NAME
from words import english

CHECKPOINTS = ROOT / "checkpoints"
SHIPPED = ("en-de", "ko-en", "lineage-transformer", "masked-lm", "lineage-convolutional")

# -- the atlas -------------------------------------------------------------------------------


def special(token: str) -> bool:
    return token.startswith("<") and token.endswith(">")


@pytest.fixture(scope="module")
def measuring(tiny_checkpoint, measured_data):
    return measured_atlas.AtlasMeasurement(load_translator(str(tiny_checkpoint)), measured_data, 20)


@pytest.fixture(scope="module")
def result(measuring):
    return measuring.measure()


@pytest.fixture(scope="module")
def maps(tiny_translator, result):
    """By site the map of each of the texts."""
    found = defaultdict(list)
    for source, target in result["texts"]:
        for attention in tiny_translator.attend(source, target).maps:
            found[attention.site_id].append(attention)
    return found


def test_the_numbers_are_means_over_texts_and_validation_sentences(
    measuring, result, tiny_translator
):
    pairs = [(pair.source, pair.target) for pair in (*measuring._texts, *measuring._sentences)]
    heads = [tiny_translator.attend(*pair).encoder.weights[1, 2] for pair in pairs]
    stored = result["sites"]["encoder"]["numbers"]
    assert result["sentences"] == len(pairs) > 20
    of_rows = [np.mean([entropy(row, base=2) for row in head]) for head in heads]
    assert stored["entropy"][1][2] == pytest.approx(np.mean(of_rows), abs=1e-4)
    after = [np.mean([head[i, i + 1] for i in range(len(head) - 1)]) for head in heads]
    assert stored["next"][1][2] == pytest.approx(np.mean(after), abs=1e-4)


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_cells_of_special_tokens_and_lonely_rows_tell_nothing(maps, kind):
    for attention in maps[kind]:
        largest = max(
            (float(attention.weights[1, 0, i, k]), i)
            for i, query in enumerate(attention.query_tokens)
            for k, key in enumerate(attention.key_tokens)
            if not special(query) and not special(key) and not (kind == "decoder" and k > i)
        )
        found = example_of(attention, 1, 0)
        assert (found.strength, found.read) == (largest[0], attention.query_tokens[largest[1]])
        np.testing.assert_array_equal(found.weights, attention.weights[1, 0, largest[1]])


def test_pairs_that_occur_are_ranked_by_their_mean_weight(maps, result):
    weights = defaultdict(list)
    for attention in maps["encoder"]:
        for (i, k), weight in np.ndenumerate(attention.weights[0, 1]):
            pair = attention.query_tokens[i], attention.key_tokens[k]
            if not any(map(special, pair)):
                weights[pair].append(weight)
    often = {pair: np.mean(each) for pair, each in weights.items() if len(each) >= 5}
    occurring = result["sites"]["encoder"]["heads"][0][1]["occurring"]
    assert occurring
    for query, key, value, n, _ in occurring:
        assert value == pytest.approx(often[query, key], abs=1e-4)
        assert n == len(weights[query, key])
    best = sorted(often.values(), reverse=True)[: len(occurring)]
    np.testing.assert_allclose([each[2] for each in occurring], best, atol=1e-4)


def test_possible_pairs_are_those_of_the_whole_matrix(tiny_translator, result):
    model, tokenizer = tiny_translator.model, tiny_translator.tokenizer
    layer = model.encoder_layers[0].self_attention
    x = model.embedding.weight.detach() * model.config.d_model**0.5
    d_k = model.config.d_model // model.config.n_heads
    w_q, w_k = (p.weight.detach()[d_k : 2 * d_k] for p in (layer.query_proj, layer.key_proj))
    matrix = (x @ w_q.T) @ (x @ w_k.T).T / d_k**0.5
    found = result["sites"]["encoder"]["heads"][0][1]["possible"]
    for query, key, score in found:
        wanted = float(matrix[tokenizer.id_of(query), tokenizer.id_of(key)])
        assert score == pytest.approx(wanted, abs=1e-3)
    scores = [score for *_, score in found]
    assert len(found) == 8
    assert scores == sorted(scores, reverse=True)


def test_similar_heads_have_the_least_divergence(maps, result):
    attention = maps["cross"][0]
    flat = attention.weights.reshape(-1, *attention.weights.shape[2:])
    apart = divergences(attention)
    js = [jensenshannon(a, b, base=2) ** 2 for a, b in zip(flat[1], flat[3], strict=True)]
    assert apart[1, 3] == pytest.approx(np.mean(js), abs=1e-5)
    np.testing.assert_allclose(apart, apart.T, atol=1e-7)
    mean = np.mean([divergences(each) for each in maps["cross"]], axis=0)
    (layer, head, value), *_ = result["sites"]["cross"]["heads"][0][0]["similar"]
    assert value == pytest.approx(np.delete(mean[0], 0).min(), abs=1e-4)
    assert mean[0, layer * attention.n_heads + head] == pytest.approx(value, abs=1e-4)


def test_rare_tokens_are_the_two_rarest_that_a_row_sees(maps):
    counts = Counter(t for each in maps["decoder"] for t in each.key_tokens)
    attention, hits, chance = maps["decoder"][0], [], []
    for row, weights in enumerate(attention.weights[1, 1]):
        seen = [k for k in range(row + 1) if not special(attention.key_tokens[k])]
        if len(seen) > 2:
            rarest = sorted(seen, key=lambda k: counts[attention.key_tokens[k]])[:2]
            hits.append(int(weights.argmax()) in rarest)
            chance.append(2 / (row + 1))
    wanted = np.mean(hits) - np.mean(chance)
    assert rare_excess(attention, counts)[1, 1] == pytest.approx(wanted)


def test_deciles_keep_ten_of_the_top_and_three_of_the_others():
    values = np.random.default_rng(0).random(500)
    found, ranks = by_decile(values), values.argsort().argsort()
    assert list(map(len, found)) == [3] * 9 + [10]
    assert found[-1] == np.argsort(-values)[:10].tolist()
    for decile, places in enumerate(found):
        assert all(decile * 50 <= ranks[place] < (decile + 1) * 50 for place in places)
    assert sum(map(len, by_decile(values[:4]))) == 4


def test_a_relation_is_held_against_the_best_fixed_offset_on_other_links():
    follows = np.array([[True, False]])
    links = {
        ("det", True): [(1 + (i % 4 == 1), follows) for i in range(200)],
        ("amod", False): [(i, ~follows & (i % 4 > 1)) for i in range(200)],
    }
    (first, second), *_ = measured_atlas.best_relations(links)
    assert first == {"name": "det", "to_head": True, "value": 1.0, "offset": 0.5, "n": 100}
    assert (second["name"], second["value"], second["offset"]) == ("amod", 0.5, 0.01)


def test_the_largest_word_joins_pieces(tiny_translator):
    words = ("The", "animal", "cross")
    tree = [[word, "X", at, "dep", 1] for at, word in enumerate(words)]
    src = tiny_translator.tokenizer.encode(" ".join(words))
    with torch.inference_mode():
        weights = tiny_translator.attend(src.text, src.text).encoder.weights[0, 2]
    groups = [*map(src.pieces_of, words), (len(src) - 1,)]
    sums = [[weights[list(row)].mean(0)[list(at)].sum() for at in groups] for row in groups[:3]]
    found = measured_atlas.largest_words(tiny_translator, tree)[0, 2]
    assert found.tolist() == np.argmax(sums, 1).tolist()


class Mute:
    """Knows its languages, and writes nothing."""

    writes = False

    def __init__(self, card) -> None:
        self.card = card


@pytest.mark.parametrize(
    "name", [SHIPPED[0], *(pytest.param(each, marks=pytest.mark.slow) for each in SHIPPED[1:])]
)
def test_the_shipped_atlases_are_sound_and_hold_only_own_sentences(name):
    card = measured_atlas.AtlasMeasurement.load(name).card
    stored = read_stored(ATLAS, checkpoint_path(name), card.fingerprint)
    assert stored.state == "found"
    assert len(stored.values["texts"]) == 500
    assert (checkpoint_path(name) / ATLAS.file).stat().st_size < 130_000
    own = {pair.source for pair in measured_atlas.own_texts(Mute(card), 500)}
    assert {source for source, _ in stored.values["texts"]} == own


def test_a_head_has_its_role_and_what_was_measured_with_it(en_de):
    roles, of_gold = en_de.card.roles, read_json(CHECKPOINTS / "en-de" / GOLD.file)
    stored = Atlas.from_values(read_json(CHECKPOINTS / "en-de" / ATLAS.file))
    heads = head_rows(stored, roles, Aligning.from_values(of_gold))
    heads = heads.set_index(["kind", "layer", "head"]).sort_index()
    best = defaultdict(list)
    for each in of_gold["sets"]["rwth-de-en"]["maps"]:
        if each["map"] == "weight":
            best["cross", each["layer"], each["head"]].append(each["error"]["value"])
    assert heads["error"].dropna().to_dict() == {at: min(errors) for at, errors in best.items()}
    it, of = heads.loc["encoder", 3, 7], roles.sites["encoder"]["noun"]
    other = of.controls["other"].value[3][7]
    assert it["pronoun"] == pytest.approx(of.measured.value[3][7] - other)
    assert (it["role"], it["syntax"] > 0.3) == ("noun", True)


def test_the_token_of_an_answer_of_one_word_is_that_word():
    # "</s>" has more letters than any of them.
    yes = TokenSequence("Ja.", (5, 6, 2), ("▁Ja", ".", "</s>"), ((0, 2), (2, 3), (0, 0)))
    assert longest_token(yes) == 0


def test_the_note_on_a_root_scale_follows_the_heads_that_have_a_point():
    heads = [("encoder", 0, head) for head in range(21)]
    rows = pd.DataFrame({"off": [*np.linspace(-0.05, 0, 20), -0.6], "distance": 1.0})
    drawn, counted = notes_on(rows, heads, "distance", "off"), english("atlas-both", n=20)
    assert len(drawn) == 1
    assert "−0.60" in drawn[0]
    # The outlier has no point, so the scale of the others is even.
    rows.loc[20, "distance"] = np.nan
    assert notes_on(rows, heads, "distance", "off") == [counted]


def test_a_similar_head_opens_and_a_damaged_place_is_refused(result):
    cards = read_json(CHECKPOINTS / "en-de" / ATLAS.file)["sites"]["encoder"]["heads"]
    page = open_page("worth", worth_look="atlas", atlas_head="encoder-1-1", atlas_decile="1")
    press(page, "atlas_near_1")
    near = cards[0][0]["similar"][1]
    assert page.session_state["atlas_head"] == ("encoder", *near[:2])
    press(page, "atlas_next_0")
    off = read_json(CHECKPOINTS / "en-de" / ROLES.file)["off"]["zero"]
    lost = {
        (site, layer, head): value
        for site, values in off.items()
        for (layer, head), value in np.ndenumerate(values["value"])
    }
    assert page.session_state["atlas_head"] == min(lost, key=lost.__getitem__)
    with pytest.raises(ValueError, match="index of a text, below 1"):
        Atlas.from_values({**result, "texts": result["texts"][:1]})


# -- alignments held against gold ones -------------------------------------------------------

GERMAN = ("Das Tier schläft , daß es regnet .", "Ein Hund 's Ball .")
ENGLISH = ("The animal sleeps , that it rains .", "A dog 's ball .")
LINKS = ("1-1 2-2 3-3 4p4 5-5 6-6 7-7 8-8", "1-1 2p2 2-3 4-4")


def pair_of(n_target, n_source, sure, possible=(), content=False):
    texts = [" ".join("w" * n) for n in (n_source, n_target)]
    return GoldPair(*texts, *map(word_spans, texts), Gold.of(sure, possible), content)


def rates(links, sure, possible):
    """Precision, recall and error rate of Och & Ney 2003, section 4.1, by sets."""
    return (
        len(links & possible) / len(links),
        len(links & sure) / len(sure),
        1 - (len(links & sure) + len(links & possible)) / (len(links) + len(sure)),
    )


LINKED = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1)


@given(st.lists(st.integers(-1, 3), min_size=5, max_size=5), LINKED, LINKED)
def test_counts_are_those_of_sets(linked, sure, possible):
    links = {(source, target) for target, source in enumerate(linked) if source >= 0}
    sums = gold.tally(np.array(linked), pair_of(5, 4, sure, possible))
    if links:
        found = [rate(sums) for rate in (gold.precision, gold.recall, gold.error_rate)]
        np.testing.assert_allclose(found, rates(links, sure, sure | possible))
    assert (sums[2], sums[3]) == (len(links), len(sure))


def test_only_linked_words_count_where_people_linked_words_with_content():
    pair = pair_of(3, 3, {(0, 0), (1, 1)}, content=True)
    assert gold.tally(np.array([0, 1, 2]), pair).tolist() == [2, 2, 2, 2]


def test_columns_of_a_word_are_added_and_its_rows_averaged():
    weights = np.random.default_rng(0).random((2, 5, 6))
    rows, columns = ((0, 1), (3,), ()), ((0,), (1, 2, 4), (3,))
    found = gold.word_weights(weights, rows, columns)
    for at, word in np.ndindex(3, 4):
        pieces = (*columns, (5,))[word]
        for of_map, by_words in zip(weights, found, strict=True):
            each = [sum(of_map[i, j] for j in pieces) for i in rows[at]] or [0]
            assert by_words[at, word] == pytest.approx(sum(each) / len(each))
    assert (gold.linked_words(found)[:, 2] == -1).all()
    assert gold.linked_words(np.array([[0.2, 0.3, 0.5], [0.4, 0.4, 0.2]])).tolist() == [-1, 0]
    assert gold.rows_of(((0, 1), (2,)), "writes") == ((0, 1), (2,))
    assert gold.rows_of(((0, 1), (2,)), "reads") == ((1, 2), (3,))


def test_links_are_read_and_written_words_checked():
    assert read_links("0-0 1p2 0-0", 2, 3) == Gold.of({(0, 0)}, {(1, 2)})
    assert read_links("1-1 2p3", 2, 3, first=1) == Gold.of({(0, 0)}, {(1, 2)})
    assert read_links("", 0, 0) == Gold.of(())
    for text, id in {
        "0-0 x": "no-link",
        "0_0": "no-link",
        "٣-0": "no-link",
        "2-0": "no-source-word",
        "0-3": "no-target-word",
        "0-0 " * 1001: "too-many",
    }.items():
        with pytest.raises(LinksError) as error:
            read_links(text, 2, 3)
        assert error.value.message.id == f"gold-{id}"


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
    result = AlignmentMeasurement(AlignmentMeasurement.load(str(tiny_checkpoint)), data).measure()
    measured = typed(result, Aligning).sets
    n_pairs = {name: of.pairs for name, of in measured.items()}
    assert n_pairs == {"rwth-de-en": 2, "rwth-de-en-short": 2}
    translator, counts = load_translator(str(tiny_checkpoint)), defaultdict(list)
    for pair in gold_pairs(data, "rwth-de-en", ("en", "de")):
        record = translator.attend(pair.source, pair.target)
        made = next(e for e in contributions_of(translator, record) if e.site_id == "cross")
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
                counts[*place, reading].append(numbers)
    for each in measured["rwth-de-en"].maps:
        if of_pairs := counts.pop((each.map, each.layer, each.head, each.reading), None):
            sure, possible, n_made, n_sure = np.sum(of_pairs, axis=0)
            error = 1 - (sure + possible) / (n_made + n_sure)
            assert each.error.value == pytest.approx(error, abs=1e-4)
            assert each.recall == pytest.approx(sure / n_sure, abs=1e-4)
    assert not counts
    assert "rwth-de-en: 2 pairs" in AlignmentMeasurement.report(result)


def test_a_model_without_a_gold_set_is_refused():
    for name in ("lineage-cho", "captions-soft"):
        with pytest.raises((CorpusError, ModelError)):
            AlignmentMeasurement.load(name)


def test_the_shipped_numbers_say_what_the_page_claims():
    """A head aligns, the mean of its layer does not, and lengths bring most of it back."""
    maps = typed(read_json(CHECKPOINTS / "en-de" / GOLD.file), Aligning).sets["rwth-de-en"].maps
    of = {(each.map, each.layer, each.head, each.reading): each.error for each in maps}
    head, mean = of["weight", 0, 7, "reads"], of["mean", 0, None, "reads"]
    summed = of["summed", 0, None, "reads"]
    assert head.high < summed.low < summed.high < mean.low
    assert all(each.low <= each.value <= each.high for each in of.values())


def test_a_click_on_a_map_opens_exactly_that_head():
    page = click(
        open_page("worth", worth_look="gold", gold_part="heads"),
        "gold",
        SELECTION_NAME,
        layer=1,
        head=5,
    )
    assert {"layer": "2", "head": "6", "kind": "cross"}.items() <= asked(page).items()
    assert focus(page, "cross").place == (1, 5)


@pytest.mark.parametrize("head", [4, 6])
def test_own_links_are_counted_live_and_bad_ones_told(en_de, monkeypatch, head):
    heard, say = {}, gold_view.say
    monkeypatch.setattr(gold_view, "say", lambda id, **of: heard.update({id: of}) or say(id, **of))
    own = {"gold_part": "pair", "gold_layer": "1", "gold_head": str(head)}
    page = open_page("worth", worth_look="gold", **own)
    source, target, links = gold_view.OURS["en", "de"]
    spans, links = map(word_spans, (source, target)), read_links(links, 11, 11)
    pair, record = GoldPair(source, target, *spans, links), en_de.attend(source, target)
    found = by_hand(record.cross.weights[0, head - 1], record.src, record.tgt, pair, 1)
    rated = rates(found, links.sure, links.possible)
    counts = {"sure": len(links.sure), "met": len(found & links.sure)}
    counts |= {"n": len(found), "right": len(found & links.possible)}
    counts |= dict(zip(("precision", "recall", "error"), rated, strict=True))
    told = heard["gold-pair-found"]
    assert {name: told[name] for name in counts} == pytest.approx(counts)
    # The last of both titles is that of the mean.
    assert heard["gold-panel"]["met"] == told["mean"]
    put(page, gold_links="0-0 1p99")
    assert "1p99" in page.warning[0].value
    assert page.text_area(key="gold_links").value == "0-0 1p99"


@pytest.mark.parametrize(("text", "announced"), [("Two girls eat ice cream.", True), ("", False)])
def test_the_pair_of_the_app_is_announced_where_the_sentence_is_another(text, announced):
    page = open_page("worth", worth_look="gold", **{"text": text} if text else {})
    source = gold_view.plain(gold_view.OURS["en", "de"][0])
    assert (english("gold-pair-other", source=source) in markdown(page)) == announced

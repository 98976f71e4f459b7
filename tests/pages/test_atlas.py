"""The atlas of heads, against sums over single cells."""

from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy

from core.atlas import (
    ATLAS,
    Atlas,
    by_decile,
    divergences,
    example_of,
    head_rows,
    rare_excess,
)
from core.measurements import GOLD, Aligning
from core.stored import read_stored
from core.tokens import TokenSequence
from model import load_translator
from model.checkpoint import checkpoint_path
from support.app import open_page, press
from training import atlas as measured_atlas
from ui.worth import atlas
from viz.atlas import head_points

SHIPPED = ("en-de", "ko-en", "lineage-transformer", "masked-lm", "lineage-convolutional")


def special(token: str) -> bool:
    return token.startswith("<") and token.endswith(">")


@pytest.fixture(scope="module")
def result(tiny_checkpoint, measured_data):
    made = measured_atlas.Atlas.load(str(tiny_checkpoint))
    return measured_atlas.Atlas(made, measured_data, 20).measure()


@pytest.fixture(scope="module")
def maps(tiny_checkpoint, result):
    """By site the map of each of the texts."""
    translator, found = load_translator(tiny_checkpoint), defaultdict(list)
    for source, target in result["texts"]:
        for attention in translator.attend(source, target).maps:
            found[attention.kind].append(attention)
    return found


def test_the_numbers_are_means_over_texts_and_validation_sentences(
    result, measured_data, tiny_checkpoint
):
    path = str(tiny_checkpoint)
    made = measured_atlas.Atlas(load_translator(path), measured_data, 20)
    pairs = [(pair.source, pair.target) for pair in (*made._texts, *made._sentences)]
    weights = [load_translator(path).attend(*pair).encoder.weights for pair in pairs]
    of_rows = [np.mean([entropy(row, base=2) for row in each[1, 2]]) for each in weights]
    stored = result["sites"]["encoder"]["numbers"]
    assert result["sentences"] == len(pairs) > 20
    assert stored["entropy"][1][2] == pytest.approx(np.mean(of_rows), abs=1e-4)
    after = [
        np.mean([each[1, 2, i, i + 1] for i in range(len(each[1, 2]) - 1)]) for each in weights
    ]
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


def test_pairs_that_occur_are_ranked_by_their_mean_weight(maps, result, monkeypatch):
    weights = defaultdict(list)
    for attention in maps["encoder"]:
        for (i, k), weight in np.ndenumerate(attention.weights[0, 1]):
            pair = attention.query_tokens[i], attention.key_tokens[k]
            if not any(map(special, pair)):
                weights[pair].append(weight)
    often = {pair: np.mean(each) for pair, each in weights.items() if len(each) >= 5}
    card = result["sites"]["encoder"]["heads"][0][1]
    assert card["occurring"]
    for query, key, value, n, _ in card["occurring"]:
        assert value == pytest.approx(often[query, key], abs=1e-4)
        assert n == len(weights[query, key])
    best = sorted(often.values(), reverse=True)[: len(card["occurring"])]
    np.testing.assert_allclose([each[2] for each in card["occurring"]], best, atol=1e-4)


def test_possible_pairs_are_those_of_the_whole_matrix(tiny_translator, result):
    model, tokenizer = tiny_translator.model, tiny_translator.tokenizer
    layer, scores = model.encoder_layers[0].self_attention, {}
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
    assert np.allclose(np.diag(apart), 0)
    assert np.allclose(apart, apart.T)
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
    tree = [
        ["The", "DET", 2, "det", 1],
        ["animal", "NOUN", 3, "nsubj", 1],
        ["cross", "V", 0, "root", 0],
    ]
    src: TokenSequence = tiny_translator.tokenizer.encode("The animal cross")
    with torch.inference_mode():
        maps = tiny_translator.attend(src.text, src.text).encoder.weights[0, 2]
    words = [src.pieces_of(word) for word, *_ in tree] + [(len(src) - 1,)]
    sums = [[maps[list(row)].mean(0)[list(at)].sum() for at in words] for row in words[:3]]
    assert (
        measured_atlas.largest_words(tiny_translator, tree)[0, 2].tolist()
        == np.argmax(sums, 1).tolist()
    )


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_atlases_are_sound_and_hold_only_own_sentences(name, monkeypatch):
    card = measured_atlas.Atlas.load(name).card
    stored = read_stored(ATLAS, checkpoint_path(name), card.fingerprint)
    assert stored.state == "found"
    assert len(stored.values["texts"]) == 500
    assert (checkpoint_path(name) / ATLAS.file).stat().st_size < 130_000
    own = {pair.source for pair in measured_atlas.own_texts(_Mute(card), 500)}
    assert {source for source, _ in stored.values["texts"]} == own


class _Mute:
    """Knows its languages, and writes nothing."""

    writes = False

    def __init__(self, card) -> None:
        self.card = card


def test_a_head_has_its_role_and_what_was_measured_with_it():
    card = measured_atlas.Atlas.load("en-de").card
    atlas = Atlas.from_values(read_stored(ATLAS, checkpoint_path("en-de")).values)
    gold = read_stored(GOLD, checkpoint_path("en-de")).values
    heads = head_rows(atlas, card.roles, Aligning.from_values(gold))
    heads = heads.set_index(["kind", "layer", "head"])
    maps = pd.DataFrame(gold["sets"]["rwth-de-en"]["maps"])
    best = (
        maps[maps["map"] == "weight"]
        .groupby(["layer", "head"])["error"]
        .agg(lambda errors: min(each["value"] for each in errors))
    )
    pd.testing.assert_series_equal(heads.loc["cross", "error"], best, check_index_type=False)
    assert heads["error"].isna().sum() == len(heads) - len(best) == 48
    it, of = heads.loc["encoder", 3, 7], card.roles.sites["encoder"]["noun"]
    other = of.controls["other"].value[3][7]
    assert it["pronoun"] == pytest.approx(of.measured.value[3][7] - other)
    assert (it["role"], it["syntax"] > 0.3) == ("noun", True)
    named = heads.reset_index().assign(name=[f"<b>{n}" for n in range(64)])
    for colour in ("kind", "role", "special"):
        plot = head_points(named, "distance", "off", colour, selected="<b>0")
        shown = sum(len(trace.x) for trace in plot.data if trace.customdata is not None)
        assert shown == 48
        assert "<b>0" not in str(plot.data[0].customdata)


def test_the_saved_points_count_layers_and_heads_from_one(monkeypatch):
    saved = {}
    monkeypatch.setattr(
        atlas, "picture", lambda id, *_, numbers=None, **__: saved.update({id: numbers})
    )
    open_page("worth", worth_look="atlas")
    heads = saved["atlas-points"]
    assert (heads["layer"].min(), heads["head"].min()) == (1, 1)
    assert heads.groupby("kind")["head"].max().to_dict() == dict(encoder=8, decoder=8, cross=8)


def test_a_similar_head_opens_and_a_damaged_place_is_refused(result):
    page = open_page("worth", worth_look="atlas", atlas_head="encoder-1-1", atlas_decile="1")
    near = next(each for each in page.button if each.key == "atlas_near_0")
    press(page, near.key)
    assert page.session_state["atlas_head"] != ("encoder", 0, 0)
    values = {**result, "texts": result["texts"][:1]}
    with pytest.raises(ValueError, match="place below 1"):
        Atlas.from_values(values)

"""The values of one step, against sums by hand, and what else the page of the lineage asks."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from unit.model.test_families import MODELS, luong_model

from core.tokens import TokenSequence
from model import ModelError, load_translator, save_checkpoint
from model.checkpoint import outline_of
from model.experiments import step
from model.experiments.explain import explain
from model.experiments.step import (
    drops_without,
    score_each,
    source_states,
    step_values,
    window_centres,
)
from support.models import Numbers, reader_of

pieces = Numbers(23).decode
SRC, TGT = pieces((5, 9, 4, 12, 7, 3)), pieces((8, 15, 4, 21, 3))


@pytest.fixture(params=MODELS)
def name(request):
    return request.param


@pytest.fixture
def model(name):
    return MODELS[name]()


def values_at(model, position: int = 2):
    return step_values(reader_of(model), SRC, TGT, position)


def test_the_step_is_that_of_the_whole_pass(model):
    read = torch.tensor([[model.config.bos_id, *TGT.ids[:-1]]])
    with torch.no_grad():
        logits = model(torch.tensor([SRC.ids]), read)[0]
    for position in range(len(TGT)):
        found, shares = values_at(model, position), logits[position].softmax(-1).numpy()
        named = {equation.value for equation in found.equations if equation.value}
        assert named <= set(found.values)
        assert found.equations[-1].part == "output"
        np.testing.assert_allclose(found.logits, logits[position].numpy(), atol=1e-5)
        assert found.read == str(read[0, position].item())
        assert TGT.ids[position] in [each.token_id for each in found.candidates]
        for each in found.candidates:
            assert np.exp(each.log_prob) == pytest.approx(shares[each.token_id], rel=1e-4)
            assert each.rank == (shares > shares[each.token_id]).sum()
    with pytest.raises(ValueError, match="expected 0 to 4"):
        values_at(model, len(TGT))


@pytest.mark.parametrize("name", [name for name in MODELS if MODELS[name]().sites])
def test_shares_follow_from_scores_by_hand(model):
    for position in range(len(TGT)):
        found = values_at(model, position)
        raised = np.where(found.seen, np.exp(found.scores), 0.0)
        weights = raised / raised.sum() * (1.0 if found.gaussian is None else found.gaussian)
        np.testing.assert_allclose(found.weights, weights, atol=1e-5)


def test_what_lies_outside_of_the_window_is_not_seen():
    found = values_at(luong_model("local-m", "dot", window=1), position=3)
    assert found.values["centre"].tolist() == [3]
    assert found.seen.tolist() == [False, False, True, True, True, False]
    assert (found.weights[~found.seen] == 0).all()
    assert values_at(luong_model("local-p", "dot", window=50)).seen.all()


def test_states_are_parted_by_the_direction_read(name, model):
    found = source_states(reader_of(model), SRC)
    directions = {"bahdanau": ["forwards", "backwards"]}
    one_way = "around" if "convolutional" in name else "forwards"
    expected = ["backwards"] if "reversed" in name else directions.get(name, [one_way])
    assert [part for part, _ in found.parts] == expected
    assert sum(n for _, n in found.parts) == found.states.shape[1]


def test_a_target_scored_after_several_sources_is_scored_as_after_each(model, monkeypatch):
    sources = [SRC, pieces((6, 3)), SRC]
    whole = step._score_after(reader_of(model), sources, TGT.ids)
    for row, src in zip(whole, sources, strict=True):
        alone = step._score_after(reader_of(model), [src], TGT.ids)[0]
        np.testing.assert_allclose(row, alone, atol=1e-5)
    monkeypatch.setattr(step, "MOST_LOGITS", 1)
    parts = step._score_after(reader_of(model), sources, TGT.ids)
    np.testing.assert_allclose(parts, whole, atol=1e-5)


def test_centres_are_those_of_every_step():
    model = luong_model("local-m", "dot")
    longer = pieces((*TGT.ids, 5, 5))
    assert window_centres(reader_of(model), SRC, longer).tolist() == [0, 1, 2, 3, 4, 5, 5]
    with pytest.raises(ValueError, match="no window"):
        window_centres(reader_of(luong_model("global", "dot")), SRC, TGT)


@pytest.fixture(scope="module")
def cho(tmp_path_factory, tiny_tokenizer):
    from model.config import config_from_dict
    from model.families import recurrent

    torch.manual_seed(2)
    sizes = {"vocab_size": tiny_tokenizer.vocab_size, "d_model": 12, "hidden_size": 10}
    config = config_from_dict(recurrent.FAMILY.config, sizes | {"max_len": 30})
    model = recurrent.FAMILY.build(config)
    path = tmp_path_factory.mktemp("cho") / "cho"
    card = {
        "languages": ["en", "de"],
        "title": "Cho",
        "lineage": {"year": 2014, "paper": "Cho et al. 2014"},
    }
    save_checkpoint(path, model, tiny_tokenizer, architecture=recurrent.FAMILY.name, card=card)
    return path


def test_a_text_that_is_too_long_has_no_score_and_the_others_do(cho):
    translator = load_translator(cho)
    found = score_each(translator, ["A dog runs.", "A dog " * 40, ""], "Ein Hund")
    assert np.isfinite(found[0]).all()
    assert np.isnan(found[1:]).all()
    only = translator.score("A dog runs.", "Ein Hund")[:-1]
    np.testing.assert_allclose(found[0], only, atol=1e-5)


def test_drops_are_what_leaving_out_takes_from_log_p(cho, tiny_translator):
    for translator in (load_translator(cho), tiny_translator):
        record, log_probs = translator.read_pair("A dog runs.", "Ein Hund")
        drops = drops_without(translator, record.src, record.tgt)
        assert drops.shape == (len(record.tgt), len(record.src))
        assert np.isfinite(drops[:, :-1]).all()
        assert np.nanmax(np.abs(drops)) > 0
    found = explain(tiny_translator, record.src, record.tgt, hidden_from="both")
    np.testing.assert_allclose(drops, found.drops, atol=1e-5)
    np.testing.assert_allclose(log_probs, tiny_translator.score("A dog runs.", "Ein Hund"))


def test_a_model_without_equations_says_so(tiny_translator):
    pair = tiny_translator.read_pair("A dog", "Ein Hund")[0]
    with pytest.raises(ModelError) as raised:
        step_values(tiny_translator, pair.src, pair.tgt, 0)
    assert raised.value.message.values["capability"] == "values"
    with pytest.raises(ModelError, match="values"):
        source_states(tiny_translator, pair.src)


def test_a_checkpoint_says_what_it_is_before_its_weights_are_read(cho, tmp_path):
    found = outline_of(cho)
    assert (found.title, found.languages, found.year) == ("Cho", ("en", "de"), 2014)
    assert found.of_lineage
    assert "values" in found.capabilities
    (tmp_path / "bare").mkdir()
    assert outline_of(tmp_path / "bare") is None
    (tmp_path / "bare" / "config.json").write_text('{"architecture": "unheard-of"}')
    assert outline_of(tmp_path / "bare") is None
    (tmp_path / "bare" / "config.json").write_text('{"architecture": "lstm-seq2seq"}')
    (tmp_path / "bare" / "card.json").write_text(
        '{"lineage": {"year": "old"}, "training": {"command": 3}, "languages": "en"}'
    )
    bare = outline_of(tmp_path / "bare")
    assert (bare.year, bare.languages, bare.title) == (None, (), "bare")


def test_ids_are_spelt_by_whoever_has_the_same_vocabulary(cho, tiny_translator):
    translator = load_translator(cho)
    tgt = tiny_translator.read_pair("A dog", "Ein Hund")[0].tgt
    assert translator.spells(tgt)
    other = TokenSequence("", tgt.ids, ("x",) * len(tgt), ((0, 0),) * len(tgt))
    assert not translator.spells(other)
    beyond = TokenSequence("", (10**6,), ("x",), ((0, 0),))
    assert not translator.spells(beyond)

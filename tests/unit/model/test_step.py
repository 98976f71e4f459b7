"""The values of one step, against sums by hand, and scores after other sources."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch

from core.records.sources import TokenSequence
from model import ModelError, save_checkpoint
from model.experiments import step
from model.experiments.explain import drops_without, explain
from model.experiments.step import score_each, source_states, step_values, window_centres
from model.io.checkpoint import outline_of
from support.models import Numbers, reader_of
from support.variants import STEPWISE, luong_model

pieces = Numbers(30).decode
SRC, TGT = pieces((5, 9, 4, 12, 7, 3)), pieces((8, 15, 4, 21, 3))


def values_at(model, position: int = 2):
    return step_values(reader_of(model), SRC, TGT, position)


@pytest.mark.parametrize("name", STEPWISE)
def test_a_step_tells_its_equations_candidates_and_weights(name):
    model, position = STEPWISE[name](), 3
    read = torch.tensor([[model.config.bos_id, *TGT.ids[:-1]]])
    with torch.no_grad():
        logits = model(torch.tensor([SRC.ids]), read)[0, position]
    found, probs = values_at(model, position), logits.softmax(-1).numpy()
    assert {each.value for each in found.equations if each.value} <= set(found.values)
    assert found.equations[-1].part == "output"
    np.testing.assert_allclose(found.logits, logits.numpy(), atol=1e-5)
    assert found.read == str(read[0, position].item())
    assert TGT.ids[position] in [each.token_id for each in found.candidates]
    for each in found.candidates:
        assert np.exp(each.log_prob) == pytest.approx(probs[each.token_id], rel=1e-4)
        assert each.rank == (probs > probs[each.token_id]).sum()
    if model.sites:
        raised = np.where(found.seen, np.exp(found.scores), 0.0)
        weights = raised / raised.sum() * (1.0 if found.gaussian is None else found.gaussian)
        np.testing.assert_allclose(found.weights, weights, atol=1e-5)
    states = source_states(reader_of(model), SRC)
    directions = {"bahdanau": ["forwards", "backwards"]}
    one_way = "around" if "convolutional" in name else "forwards"
    expected = ["backwards"] if "reversed" in name else directions.get(name, [one_way])
    assert [part for part, _ in states.parts] == expected
    assert sum(n for _, n in states.parts) == states.states.shape[1]
    with pytest.raises(ValueError, match="expected 0 to 4"):
        values_at(model, len(TGT))


def test_a_window_moves_with_the_steps_and_hides_what_lies_outside():
    found = values_at(luong_model("local-m", "dot", window=1), position=3)
    assert found.values["centre"].tolist() == [3]
    assert found.seen.tolist() == [False, False, True, True, True, False]
    assert (found.weights[~found.seen] == 0).all()
    assert values_at(luong_model("local-p", "dot", window=50)).seen.all()
    centres = window_centres(
        reader_of(luong_model("local-m", "dot")), SRC, pieces((*TGT.ids, 5, 5))
    )
    assert centres.tolist() == [0, 1, 2, 3, 4, 5, 5]
    with pytest.raises(ValueError, match="no window"):
        window_centres(reader_of(luong_model("global", "dot")), SRC, TGT)


def test_a_target_is_scored_after_several_sources_as_after_each(monkeypatch):
    reader, sources = reader_of(STEPWISE["lstm"]()), [SRC, pieces((6, 3)), SRC]
    whole = step._score_after(reader, sources, TGT.ids)
    for row, src in zip(whole, sources, strict=True):
        np.testing.assert_allclose(row, step._score_after(reader, [src], TGT.ids)[0], atol=1e-5)
    monkeypatch.setattr(step, "MOST_LOGITS", 1)
    np.testing.assert_allclose(step._score_after(reader, sources, TGT.ids), whole, atol=1e-5)


@pytest.fixture(scope="module")
def cho(tiny_tokenizer):
    model = STEPWISE["cho"](vocab_size=tiny_tokenizer.vocab_size, max_len=30)
    return reader_of(model, tiny_tokenizer)


def test_a_text_that_is_too_long_has_no_score_and_the_others_do(cho):
    found = score_each(cho, ["A dog runs.", "A dog " * 40, ""], "Ein Hund")
    assert np.isnan(found[1:]).all()
    only = cho.score("A dog runs.", "Ein Hund")[:-1]
    np.testing.assert_allclose(found[0], only, atol=1e-5)


def test_drops_are_what_leaving_out_takes_from_log_p(cho, tiny_translator):
    for reader in (cho, tiny_translator):
        record, _ = reader.read_pair("A dog runs.", "Ein Hund")
        drops = drops_without(reader, record.src, record.tgt)
        found = explain(reader, record.src, record.tgt)
        np.testing.assert_allclose(drops, found.drops, atol=1e-5)
        assert np.isfinite(drops[:, :-1]).all()
        assert np.nanmax(np.abs(drops)) > 0


def test_a_model_without_equations_is_refused(tiny_translator):
    pair = tiny_translator.read_pair("A dog", "Ein Hund")[0]
    with pytest.raises(ModelError) as raised:
        step_values(tiny_translator, pair.src, pair.tgt, 0)
    assert raised.value.message.values["capability"] == "values"
    with pytest.raises(ModelError, match="values"):
        source_states(tiny_translator, pair.src)


def test_a_checkpoint_says_what_it_is_before_its_weights_are_read(cho, tmp_path):
    lineage = {"year": 2014, "paper": "Cho et al. 2014"}
    card = {"languages": ["en", "de"], "title": "Cho", "lineage": lineage}
    save_checkpoint(
        tmp_path / "cho", cho.model, cho.tokenizer, architecture=cho.family.name, card=card
    )
    found = outline_of(tmp_path / "cho")
    assert (found.title, found.languages, found.year) == ("Cho", ("en", "de"), 2014)
    assert found.of_lineage
    assert "values" in found.capabilities
    folder = tmp_path / "bare"
    folder.mkdir()
    assert outline_of(folder) is None
    (folder / "config.json").write_text('{"architecture": "unheard-of"}')
    assert outline_of(folder) is None
    (folder / "config.json").write_text('{"architecture": "lstm-seq2seq"}')
    damaged = {"lineage": {"year": "old"}, "training": {"command": 3}, "languages": "en"}
    (folder / "card.json").write_text(json.dumps(damaged))
    bare = outline_of(folder)
    assert (bare.year, bare.languages, bare.title) == (None, (), "bare")


def test_only_readers_with_the_same_vocabulary_spell_ids(cho, tiny_translator):
    tgt = tiny_translator.read_pair("A dog", "Ein Hund")[0].tgt
    assert cho.spells(tgt)
    other = TokenSequence("", tgt.ids, ("x",) * len(tgt), ((0, 0),) * len(tgt))
    assert not cho.spells(other)
    assert not cho.spells(TokenSequence("", (10**6,), ("x",), ((0, 0),)))

"""Claims and pictures' sums on every variant of the families, and bugs that make each false."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from core.interventions.kinds import KINDS
from model import ModelError, Reader, list_checkpoints, load_model, registered
from model.__main__ import main
from model.experiments.tree import attend_tree
from model.experiments.word_order import position_table
from model.families.base import CAPABILITIES
from model.io.checkpoint import FOLDER_VARIABLE
from model.readers.reader import withdrawn_message
from model.verify.claims import CLAIMS, SUMS, UNCOMPARED, check, claims_of
from support.app import open_page
from support.bugs import plant
from support.families import prenorm
from support.models import ROOT
from support.shapes import write_boasting
from support.variants import SETTINGS, STEPWISE, drawn, reader_with, transformer_reader
from ui.frame.reasons import why_not
from words import Words, english

SHIPPED = list_checkpoints(ROOT / "checkpoints")
TEXTS = ("The dog runs.", "A man plays the guitar.", "It is too big.")
"""Searches of these reorder their hypotheses."""
QUICK = ("lineage-cho", "documents-han", "captions-soft")
OTHERS = ("masked", "documents")


def false_claims(reader: Reader, names: Any = None, texts: Any = ()) -> dict[str, Any]:
    """The claims that do not hold, each with its difference and error."""
    claims = claims_of(reader)
    found = check(reader, {name: claims[name] for name in names or claims}, texts=texts)
    return {each.capability: (each.difference, each.error) for each in found if not each.holds}


@pytest.fixture
def boasting(tmp_path):
    """A checkpoint whose family claims more than is true."""
    with registered(prenorm.BOASTING):
        yield write_boasting(tmp_path)


@cache
def variant(name: str) -> Reader:
    return reader_with(name)


@pytest.mark.parametrize("name", [*SETTINGS, *STEPWISE, *OTHERS])
def test_every_claim_and_sum_holds_on_every_variant(name):
    assert false_claims(variant(name)) == {}
    if name not in OTHERS:
        expected = {"change-unread", "values"} if name in STEPWISE else {"tree-attention", "order"}
        assert expected | {"search", "changes"} <= claims_of(variant(name)).keys()


@pytest.mark.parametrize("seed", range(6))
def test_every_claim_and_sum_holds_on_random_settings(seed):
    assert false_claims(transformer_reader(**drawn(seed))) == {}


@pytest.mark.slow
def test_every_claim_and_sum_holds_on_many_random_settings():
    found = {seed: false_claims(transformer_reader(**drawn(seed))) for seed in range(6, 22)}
    assert {seed: false for seed, false in found.items() if false} == {}


@pytest.mark.parametrize(
    "name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in SHIPPED]
)
def test_every_claim_holds_on_the_shipped_models(name):
    reader = load_model(ROOT / "checkpoints" / name)
    assert false_claims(reader, [n for n in CLAIMS if n in reader.capabilities]) == {}


# -- planted bugs ------------------------------------------------------------------------------

BUGS = [
    # a reader, the place of the bug, a piece of its source, the wrong one, claims that it breaks
    # attention, states and caches
    ("ours", "nets.attention:attention_weights", "dim=-1", "dim=-2", "scores rows"),
    ("ours", "nets.attention:attention_scores", "math.sqrt", "", "vectors score-split"),
    ("ours", "nets.attention:causal_mask", "tril()", "tril(1)", "teacher-forcing"),
    ("ours", "nets.multi_head:MultiHeadAttention.merge_heads", "context.tr", "context.flip(1).tr",
     "vectors contributions"),
    ("ours", "families.transformer:Encoder.source_padding", "padding if bool(padding.any()) else",
     "",
     "padding"),
    ("ours", "families.transformer:Transformer.step", "(prev[:, None], state.length)",
     "(prev[:, None])",
     "search"),
    ("t5", "families.transformer:Transformer.step", "length + 1, state.length)", "length + 1)",
     "search"),
    ("t5", "families.transformer:Transformer.decode_hidden", "memory_mask, bias", "memory_mask",
     "search"),
    ("ours", "nets.sublayers:LayerCache.select", "self.past.index_select(0, rows)",
     "self.past.index_select(0, 0 * rows)",
     "search"),
    ("student", "nets.sublayers:LayerCache.select", "self.cell.index_select(0, rows)",
     "self.cell.index_select(0, 0 * rows)",
     "search"),
    ("student", "families.transformer:DecoderLayer.step", "(x, cache.cell)", "(x)", "search"),
    ("bahdanau", "families.additive:AdditiveState.select", "[rows]", "[0 * rows]", "search"),
    ("convolutional", "families.convolutional:Convolutional.placed", "first + ", "1 + first + ",
     "learned-positions search"),
    # what experiments compute
    ("ours", "experiments.word_order:position_table", "positions.table",
     "positions.table.roll(1, 0)",
     "positions"),
    ("m2m100", "experiments.word_order:position_table", "2, -1).swapaxes(1, 2)", "-1, 2)",
     "positions"),
    ("ours", "teacher_forcing:embedded", " * model.scale", "", "positions"),
    ("bart", "experiments.word_order:learned_positions", "model.target_p", "model.source_p",
     "learned-positions"),
    ("t5", "experiments.word_order:relative_positions", "rows[:, -1]", "rows[:, -2]",
     "relative-positions"),
    ("ours", "experiments.word_order:reorder", "by_layer[1][:, back]", "by_layer[1]", "order"),
    ("ours", "experiments.word_order:encoder_outputs", "if not positions", "if positions", "order"),
    ("torch", "experiments.word_order:encoder_outputs", "[:-1], memory)", ",)", "order"),
    ("ours", "experiments.arithmetic:_vectors", "{layer.probe.layer}", "0", "vectors"),
    ("ours", "experiments.arithmetic:_vectors", '}"][0]', '}"][0].flip(1)', "vectors"),
    ("t5", "experiments.arithmetic:_vectors", "if bias is None", "if True", "vectors"),
    ("bahdanau", "experiments.step:step_values", "value[-1]", "value[0]", "values"),
    ("bahdanau", "experiments.step:step_values", "position + 1", "position", "values"),
    ("bahdanau", "families.additive:AdditiveAttention.score_terms", "* self.energy.weight[0]", "",
     "values"),
    ("ours", "experiments.block:streams_of", "= inputs[0][0]", "= inputs[1][0]", "block"),
    ("ours", "experiments.block:gradients_of", "mean(-1)", "sum(-1)", "block"),
    ("torch", "experiments.block:lens_of", "part if final is None else final(part)", "part",
     "block"),
    ("ours", "experiments.block:_stream", "norms[0].eps", "0.1", "block"),
    ("ours", "experiments.tree:_paths", "row_of[node.parent], :", "0, :", "tree-attention"),
    ("ours", "experiments.tree:_embedded", "level, None], step", "level, None], 0",
     "tree-attention"),
    ("t5", "experiments.tree:_attend_to_paths", "prefixes.steps[rows]]",
     "0 * prefixes.steps[rows]]", "tree-attention"),
    ("student", "experiments.tree:_recur", "level, step - 1]", "level, 0]", "tree-attention"),
    ("bahdanau", "experiments.tree:walk_tree", "row_of_node[node.parent] for node in inner",
     "0 for node in inner", "search"),
    ("documents", "families.hierarchical:Level.summary", "~there", "there", "documents"),
    ("masked", "families.masked:MaskedLanguageModel.hidden", "if left_only", "if False",
     "masked-words"),
    ("masked", "readers.masked_words:MaskedReader.masked", "mask if i in hidden else id", "id",
     "masked-words"),
    # changes
    ("ours", "hooks.transformer_effects:ChangedTransformer.decode_hidden", "memory)",
     "1.1 * memory)",
     "changes"),
    ("ours", "hooks.effects:HiddenTokens.add", "=change.position", "=change.position + 1",
     "change-hide"),
    ("ours", "hooks.effects:MaskedCells.add", "_at(change.query), _at(change.key)",
     "_at(change.key), _at(change.query)", "change-mask change-hide"),
    ("ours", "hooks.effects:MaskedCells.add", "change.layers(site)", "range(1)",
     "change-mask change-hide"),
    ("ours", "hooks.effects:MaskedCells.add", "_at(change.head)", "_at(None)", "change-mask"),
    ("ours", "hooks.effects:MaskedCells.allow", "rows, :n_keys",
     ": rows.stop - rows.start, :n_keys",
     "change-mask"),
    ("ours", "hooks.interventions:Intervened._weigh",
     "reweighted(probe.site, weights, (scores, mask), (scores, allowed))", "weights * allowed",
     "change-mask change-hide"),
    ("luong-local-p-dot", "nets.attention:reweighted", "site.normalised", "True",
     "change-mask"),
    ("ours", "hooks.interventions:Intervened._first_row", 'probe.site.query != "target"', "True",
     "change-mask change-row"),
    ("bahdanau", "hooks.interventions:Intervened._first_row", "self._calls[probe] - 1",
     "self._calls[probe]",
     "change-mask change-row"),
    ("bahdanau", "families.stepwise:ChangedStepwise.step", "state.length + 1", "state.length",
     "change-mask change-row"),
    ("ours", "hooks.effects:AblatedHeads.add", "_at(change.head)", "0", "change-ablate"),
    ("ours", "hooks.effects:AblatedHeads.outputs", "self.zero, 0.0", "self.zero, 1.0",
     "change-ablate"),
    ("ours", "hooks.effects:AblatedHeads.weights", "allowed.expand_as(weights)",
     "torch.ones_like(weights)",
     "change-ablate"),
    ("bahdanau", "hooks.interventions:Intervened._outputs", "effect.outputs(at, heads)", "heads",
     "change-ablate"),
    ("ours", "hooks.effects:OverriddenRows.add", "_at(change.head), change.query",
     "_at(change.head), 0", "change-row"),
    ("ours", "hooks.effects:OverriddenRows.weights", "[at][:, :, rows]",
     "[at][:, :, : rows.stop - rows.start]", "change-row"),
    ("ours", "hooks.effects:LiftedMasks.add", "range(site.n_layers)", "range(1)", "change-causal"),
    ("bart", "hooks.transformer_effects:MovedPositions.hooks", "in self.orders:",
     "in [*self.orders][:1]:", "change-positions"),
    ("t5", "hooks.transformer_effects:MovedPositions._bias", "keys - queries", "queries - keys",
     "change-positions"),
    ("ours", "hooks.transformer_effects:MovedPositions._move", "encoding[:, places]",
     "encoding[:, : x.shape[1]]", "change-positions"),
    ("ours", "hooks.transformer_effects:MovedPositions._encoding", "orders < 0", "orders < 1",
     "change-positions"),
    ("m2m100", "hooks.transformer_effects:MovedPositions._encoding", "config.position_offset", "0",
     "change-positions"),
    ("ours", "hooks.transformer_effects:_cut", "(items, 0.0)", "(~items, 0.0)", "change-residual"),
    ("ours", "hooks.transformer_effects:_LeftOut.add", "change.covers(residual.sublayer)", "True",
     "change-residual change-norm"),
    ("t5", "hooks.transformer_effects:_skip", "inputs[0], output", "output, inputs[0]",
     "change-norm"),
    ("bahdanau", "families.stepwise:reading_order", "2 * n_positions + positions", "turn",
     "change-unread"),
    ("bahdanau", "families.stepwise:Stepwise.left_out", "padding | unread", "padding",
     "change-unread"),
    # sums of pictures
    ("ours", "experiments.score_parts:_heads", "+= bias", "+= 0", "score-split"),
    ("t5", "experiments.score_parts:split_scores", "2 * layer", "2 * layer + 1", "score-split"),
    ("ours", "experiments.contributions:_RecordedRun._vectors", "out_proj.bias + ", "",
     "contributions"),
    ("ours", "core.contributions:Contributions.parts", "residual[:, None]", "0 * residual[:, None]",
     "contributions"),
    ("ours", "core.source_share:source_and_prefix", "+ kept * (looked @ source)", "",
     "source-share"),
    ("ours", "core.weights.aggregate:_half_residual", "0.5 * np", "np", "rollout"),
]  # fmt: skip


@pytest.mark.parametrize(
    "bug", BUGS, ids=lambda bug: "-".join((bug[1].partition(":")[2], bug[3].strip(), bug[0]))
)
def test_a_bug_makes_its_claims_false(bug, monkeypatch):
    name, place, right, wrong, claims = bug
    reader = variant(name)
    plant(monkeypatch, place, right, wrong)
    assert false_claims(reader, claims.split(), TEXTS).keys() == {*claims.split()}


def test_every_claim_sum_and_kind_of_change_has_a_bug():
    broken = {name for *_, claims in BUGS for name in claims.split()}
    assert CLAIMS.keys() | SUMS.keys() | {kind.needs for kind in KINDS} <= broken


# -- what is made of a false claim -------------------------------------------------------------


def test_every_capability_has_a_claim_with_words_or_is_said_to_have_none():
    assert CLAIMS.keys() | UNCOMPARED == CAPABILITIES.keys()
    assert not CLAIMS.keys() & UNCOMPARED
    for language in ("en", "ko"):
        assert all(Words(language).has(f"check-{name}") for name in (*CLAIMS, *SUMS))
    lines = (ROOT / "docs" / "adding-a-model.md").read_text(encoding="utf-8").splitlines()
    expected = [f"| `{name}` | {english(f'check-{name}')} |" for name in CLAIMS]
    assert [line for line in lines if line in expected] == expected


def test_false_claims_are_named_and_a_failure_is_told(boasting, monkeypatch):
    reader = load_model(boasting, check_claims=False)
    assert false_claims(reader, reader.capabilities & CLAIMS.keys()).keys() == prenorm.FALSE
    monkeypatch.setattr(type(reader), "tokenize", lambda self, text: 1 / 0)
    found = check(reader)
    assert not any(each.holds for each in found)
    assert all(each.error == "division by zero" for each in found)


def test_a_false_claim_is_withdrawn_with_its_difference(boasting, monkeypatch):
    reader = load_model(boasting)
    assert reader.withdrawn.keys() == prenorm.FALSE
    assert reader.capabilities == prenorm.FAMILY.offers(reader.model.config)
    assert reader.withdrawn["positions"] > 0.1
    with pytest.raises(ModelError, match=f"differ by {reader.withdrawn['positions']:.2g}"):
        position_table(reader)
    tree = reader.search("The dog runs.")
    assert attend_tree(reader, "The dog runs.", tree).cross is not None
    monkeypatch.setattr("model.verify.claims.check", lambda reader: pytest.fail("checked again"))
    assert load_model(boasting).withdrawn == reader.withdrawn
    monkeypatch.setenv(FOLDER_VARIABLE, str(boasting.parent))
    screen = open_page("worth", checkpoint="boasting", text="The dog runs.")
    told = str(withdrawn_message("positions", reader.withdrawn["positions"]))
    assert any(told in each.value for each in screen.caption)
    assert not screen.error
    reader.withdrawn = {"change-hide": 0.25}
    assert "differ by 0.25" in why_not(reader, ("leave-out",)).text


def test_a_family_of_the_project_is_not_checked_when_it_is_loaded(tiny_checkpoint, monkeypatch):
    monkeypatch.setattr("model.verify.claims.check", lambda reader: pytest.fail("checked"))
    assert load_model(tiny_checkpoint).withdrawn == {}


def test_the_command_prints_every_claim_and_fails_if_one_is_false(
    boasting, tiny_checkpoint, capsys
):
    assert main(["check", str(boasting)]) == 1
    lines = capsys.readouterr().out.splitlines()
    told = {line.split()[1]: line.split()[0] for line in lines}
    assert told.keys() == CLAIMS.keys() & prenorm.BOASTING.offers(prenorm.config(90))
    assert {name for name, verdict in told.items() if verdict == "FALSE"} == prenorm.FALSE
    assert set(told.values()) == {"ok", "FALSE"}
    assert main(["check", str(tiny_checkpoint)]) == 0
    assert "FALSE" not in capsys.readouterr().out
    assert main(["check", "nothing/there"]) == 1
    assert "nothing" in capsys.readouterr().err

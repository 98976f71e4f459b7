"""What a family claims is held against slower ways, and a false claim is found and named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from model import ModelError, list_checkpoints, load_reader, registered, save_checkpoint
from model.__main__ import main
from model.check import CLAIMS, UNCOMPARED, check
from model.checkpoint import FOLDER_VARIABLE
from model.experiments.order import position_table
from model.experiments.tree import attend_tree
from model.families import additive, convolutional, hierarchical, masked
from model.families.transformer import FAMILY as TRANSFORMER
from model.family import CAPABILITIES, Family
from model.reader import withdrawn_message
from model.tokenizer import build_tokenizer
from model.transformer import Transformer
from model.transformer_changes import ChangedTransformer
from support.app import open_page
from support.families import prenorm
from support.models import ROOT, SENTENCES
from ui.reasons import why_not
from words import Words, english

SHIPPED = list_checkpoints(ROOT / "checkpoints")


def written(folder: Path, family: Family, config: object, **named) -> Path:
    """A checkpoint with random weights, none of them at the value that layers begin with."""
    special = tuple(family.special_tokens.values())
    tokenizer = build_tokenizer(SENTENCES * 3, config.vocab_size, special)
    torch.manual_seed(7)
    model = family.build(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += 0.3 * torch.randn(parameter.shape)
    save_checkpoint(folder, model, tokenizer, architecture=family.name, **named)
    return folder


@pytest.fixture
def boasting(tmp_path):
    """A family that claims more than is true, on a shelf of its own."""
    with registered(prenorm.BOASTING):
        yield written(tmp_path / "boasting", prenorm.BOASTING, prenorm.config(90))


def false(reader) -> set[str]:
    return {each.capability for each in check(reader) if not each.holds}


def test_every_capability_is_held_against_something_or_said_to_have_nothing():
    assert CLAIMS.keys() | UNCOMPARED == CAPABILITIES.keys()
    assert not CLAIMS.keys() & UNCOMPARED
    for language in ("en", "ko"):
        assert all(Words(language)(f"check-{capability}") for capability in CLAIMS)


def test_the_page_that_tells_how_to_add_a_model_lists_what_must_hold():
    lines = (ROOT / "docs" / "adding-a-model.md").read_text(encoding="utf-8").splitlines()
    expected = [f"| `{name}` | {english(f'check-{name}')} |" for name in CLAIMS]
    assert [line for line in lines if line in expected] == expected


@pytest.mark.parametrize("name", ["lineage-cho", "documents-han", "captions-soft"])
def test_no_claim_of_some_shipped_models_is_false(name):
    assert false(load_reader(ROOT / "checkpoints" / name)) == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_no_claim_of_any_shipped_model_is_false(name):
    assert false(load_reader(ROOT / "checkpoints" / name)) == set()


def test_what_a_family_claims_falsely_is_named_and_nothing_else(boasting):
    assert false(load_reader(boasting, check_claims=False)) == prenorm.FALSE


def test_a_false_claim_is_offered_no_more_and_told_with_its_difference(boasting, monkeypatch):
    reader = load_reader(boasting)
    assert reader.withdrawn.keys() == prenorm.FALSE
    assert reader.capabilities == prenorm.FAMILY.offers(reader.model.config)
    assert reader.withdrawn["positions"] > 0.1
    with pytest.raises(ModelError, match=f"differ by {reader.withdrawn['positions']:.2g}"):
        position_table(reader)
    tree = reader.search("The dog runs.")
    assert attend_tree(reader, "The dog runs.", tree).cross is not None
    monkeypatch.setenv(FOLDER_VARIABLE, str(boasting.parent))
    screen = open_page("worth", checkpoint="boasting", text="The dog runs.")
    told = str(withdrawn_message("positions", reader.withdrawn["positions"]))
    assert any(told in each.value for each in screen.caption)
    assert not screen.error


def test_a_claim_is_checked_once_for_a_checkpoint(boasting, monkeypatch):
    first = load_reader(boasting).withdrawn
    monkeypatch.setattr("model.check.check", lambda reader: pytest.fail("checked again"))
    assert load_reader(boasting).withdrawn == first


def test_families_of_the_project_are_not_checked_at_each_start(tmp_path, monkeypatch):
    monkeypatch.setattr("model.check.check", lambda reader: pytest.fail("checked"))
    path = written(tmp_path / "own", TRANSFORMER, prenorm.config(90))
    assert load_reader(path).withdrawn == {}


def test_the_command_prints_every_claim_and_fails_where_one_is_false(boasting, capsys):
    assert main(["check", str(boasting)]) == 1
    lines = capsys.readouterr().out.splitlines()
    told = {line.split()[1]: line.split()[0] for line in lines}
    assert told.keys() == CLAIMS.keys() & prenorm.BOASTING.offers(prenorm.config(90))
    assert {name for name, verdict in told.items() if verdict == "FALSE"} == prenorm.FALSE
    assert all(verdict in ("ok", "FALSE") for verdict in told.values())


def test_the_command_is_content_with_what_is_true_and_names_what_does_not_load(tmp_path, capsys):
    path = written(tmp_path / "own", TRANSFORMER, prenorm.config(90))
    assert main(["check", str(path)]) == 0
    assert "FALSE" not in capsys.readouterr().out
    assert main(["check", str(tmp_path / "nothing")]) == 1
    assert "nothing" in capsys.readouterr().err


# -- each claim can be shown false ----------------------------------------------------------


class Idle(ChangedTransformer):
    """Says that it changes something and changes nothing."""

    def hooks(self):
        return {}

    def pre_hooks(self):
        return {}


class Forgetful(ChangedTransformer):
    def decode_hidden(self, tgt, memory):
        return super().decode_hidden(tgt, memory) + 0.5


def spoiled(**methods) -> Callable[[object], Transformer]:
    return lambda config: type("Spoiled", (Transformer,), methods)(config)


def louder(self, *args, **named):
    return 1.5 * type(self).__mro__[1].decode_hidden(self, *args, **named)


def numbered(self, src, *args, **named):
    """Positions that are added where nothing can take them away."""
    return Transformer.encode(self, src, *args, **named) + torch.arange(src.shape[1])[:, None]


SPOILED = {
    "search": spoiled(select=lambda self, state, rows: state),
    "teacher-forcing": spoiled(
        forward=lambda self, src, tgt: self.decode(tgt, self.encode(src), causal=False)
    ),
    "scores": None,
    "vectors": None,
    "positions": spoiled(
        embed=lambda self, ids, start=0: self.dropout(self.positions(self.embedding(ids), start))
    ),
    "padding": spoiled(source_padding=lambda self, src: None),
    "order": spoiled(encode=numbered),
    "block": spoiled(decode_hidden=louder),
    "tree-attention": spoiled(
        decode_hidden=lambda self, tgt, memory, *a, **k: Transformer.decode_hidden(
            self, tgt, -memory, *a, **k
        )
    ),
    "changes": spoiled(changed_as=Forgetful),
    **{
        name: spoiled(changed_as=Idle)
        for name in sorted(TRANSFORMER.capabilities)
        if name.startswith("change-")
    },
}


def another_scale(config):
    """Scores that are not what the softmax was taken of."""
    model = Transformer(config)
    for site in model.sites:
        for layer in model.modules():
            probe = getattr(layer, "probe", None)
            if probe is not None and probe.kind == site.name:
                probe.register_forward_pre_hook(
                    lambda _, inputs: (inputs[0], 2 * inputs[1], *inputs[2:])
                )
    return model


@pytest.mark.parametrize("capability", SPOILED)
def test_a_claim_that_does_not_hold_is_found(capability, tmp_path):
    family = replace(TRANSFORMER, name="toy-spoiled", build=SPOILED[capability] or another_scale)
    with registered(family):
        path = written(tmp_path / "spoiled", family, prenorm.config(90))
        assert capability in false(load_reader(path, check_claims=False))


def test_false_claims_of_other_kinds_of_readers_are_found(tmp_path):
    class Deaf(additive.AdditiveAttention):
        def score_terms(self, values):
            return 2 * super().score_terms(values)

        def left_out(self, src, unread):
            return super().left_out(src, None)

    class Misplaced(convolutional.Convolutional):
        def placed(self, ids, positions, first=0):
            return super().placed(ids, positions, first + 1)

    class Peeking(masked.MaskedLanguageModel):
        def hidden(self, src, *, left_only=False):
            return super().hidden(src)

    class Hasty(hierarchical.Hierarchical):
        def judge_many(self, vectors, counts):
            return 2 * super().judge_many(vectors, counts)

    sizes = {"d_model": 8, "hidden_size": 8}
    spoiled = (
        (additive.FAMILY, Deaf, sizes, {"values", "change-unread"}),
        (convolutional.FAMILY, Misplaced, sizes, {"learned-positions"}),
        (masked.FAMILY, Peeking, {"d_model": 8, "n_heads": 2, "d_ff": 8}, {"masked-words"}),
        (hierarchical.FAMILY, Hasty, sizes, {"documents"}),
    )
    for own, build, entries, expected in spoiled:
        family = replace(own, name="toy-spoiled", build=build)
        with registered(family):
            config = own.config(90, **entries)
            path = written(tmp_path / own.name, family, config)
            assert false(load_reader(path, check_claims=False)) == expected


def test_a_model_that_nothing_can_be_read_with_has_no_true_claim(boasting, monkeypatch):
    reader = load_reader(boasting, check_claims=False)
    monkeypatch.setattr(type(reader), "tokenize", lambda self, text: 1 / 0)
    found = check(reader)
    assert not any(each.holds for each in found)
    assert all(each.error == "division by zero" for each in found)


def test_the_reason_of_a_derived_need_is_the_claim_behind_it(boasting):
    reader = load_reader(boasting)
    reader.withdrawn = {"change-hide": 0.25}
    reason = why_not(reader, ("leave-out",))
    assert "differ by 0.25" in reason.said

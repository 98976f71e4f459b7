"""A model of any shape goes all the way: file, loading, capture, records, refusals, pages.

The families stand in `tests/support/families/`; one more is what `docs/adding-a-model.md` tells a
person to write, run block by block.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.torch
import torch

from core.interventions.intervention import Intervention, hide
from core.interventions.kinds import AblatedHead
from core.records.search import Budget
from core.records.sources import DocumentSource, GridSource, TokenSequence
from core.weights.transform import groups_for, regroup
from model import (
    CheckpointError,
    InputError,
    ModelError,
    Reader,
    Translator,
    load_model,
    load_translator,
    registered,
    save_checkpoint,
)
from model.experiments.ablation import ablate_each_head
from model.experiments.arithmetic import vectors_of
from model.experiments.block import streams_of
from model.experiments.explain import explain
from model.experiments.padding import padding_effect
from model.experiments.word_order import position_table, reorder
from model.families import transformer
from model.io import registry
from model.io.assembly import stored_tensors
from model.io.checkpoint import FOLDER_VARIABLE, load_checkpoint
from model.io.formats import torch_nn
from model.io.registry import families
from model.verify.claims import check
from support.app import charts, maps_of, open_page, put, run, says, tables, words
from support.facts import PROOFS
from support.models import ROOT
from support.shapes import (
    PAGE,
    READ,
    SHAPES,
    blocks,
    every_shape,
    vocabulary,
    write_checkpoint,
)
from ui.frame.reasons import offers, why_not
from ui.pages import pages
from ui.shell.view import Page
from words import english

PAGES = {page.id: page for page in pages()}
DOCUMENT = "The dog runs. It is tired! Why?"


@pytest.fixture(scope="module")
def shapes(tmp_path_factory) -> Iterator[dict[str, Any]]:
    with every_shape(tmp_path_factory.mktemp("page")) as found:
        yield found


@pytest.fixture(scope="module")
def models(shapes, tmp_path_factory) -> dict[Path, torch.nn.Module]:
    """Models with random weights by their checkpoints, one of each shape in one folder."""
    root = tmp_path_factory.mktemp("shapes")
    return {root / name: write_checkpoint(root / name, shapes[name]) for name in SHAPES}


@pytest.fixture(scope="module")
def shelf(models) -> Path:
    """The folder of those checkpoints."""
    return next(iter(models)).parent


@pytest.fixture(scope="module")
def readers(models) -> dict[str, Reader]:
    return {path.name: load_model(path, check_claims=False) for path in models}


def result_of(reader: Reader, text: str):
    return reader.translate(text) if isinstance(reader, Translator) else reader.read(text)


def test_the_page_can_be_followed_to_its_end(shapes, tmp_path, capsys, monkeypatch):
    # The page registers the family itself.
    monkeypatch.delitem(registry._FAMILIES, shapes["additive"].FAMILY.name)
    names = {"tokenizer": vocabulary(), "folder": tmp_path / "mine"}
    names |= vars(shapes["additive"])
    exec(compile(blocks("try_it.py"), str(PAGE), "exec"), names)
    assert names["translation"].attention.cross.n_heads == 1
    assert "(1, 1, " in capsys.readouterr().out


def test_a_model_of_ones_own_is_opened_as_the_page_says(shapes, tmp_path, capsys):
    names = {"tokenizer": vocabulary(), "folder": tmp_path}
    names |= vars(shapes["opened"])
    exec(compile(blocks("my_script.py"), str(PAGE), "exec"), names)
    assert "(1, 2, 4, 3, " in capsys.readouterr().out
    converted = torch_nn.FORMAT.read(tmp_path, {})
    ours = transformer.FAMILY.build(converted.config).eval()
    ours.load_state_dict(converted.tensors, strict=False)
    src, tgt = (torch.tensor([names[side]]) for side in ("src", "tgt"))
    torch.testing.assert_close(ours(src, tgt)[0], names["logits"], rtol=1e-5, atol=1e-5)


def test_every_file_that_the_page_names_is_there():
    named = set(re.findall(r"`((?:tests|model|records|training)/[\w/]+\.py)`", PAGE.read_text()))
    assert named
    assert [path for path in sorted(named) if not (ROOT / path).is_file()] == []


def test_every_family_that_is_there_goes_all_the_way(shapes):
    assert {module.FAMILY.name for module in shapes.values()} == families().keys()


def test_families_are_gone_when_the_with_closes(shapes):
    more = replace(shapes["masked"].FAMILY, name="another")
    with registered(more):
        assert families()["another"] is more
        with pytest.raises(ValueError, match="another"), registered(more):
            pass
    with pytest.raises(ValueError, match="occur twice"), registered(more, more):
        pass
    assert "another" not in families()


def test_what_is_stored_is_stored_once_as_it_is_and_a_vocabulary_for_each_side(shelf):
    stored = {
        name: safetensors.torch.load_file(shelf / name / "model.safetensors")
        for name in ("captioner", "masked")
    }
    assert stored["captioner"]["norm.num_batches_tracked"].dtype == torch.int64
    assert stored["captioner"]["norm.running_mean"].abs().max() > 0
    assert "output.weight" not in stored["masked"]
    model = load_checkpoint(shelf / "masked").model
    assert model.output.weight is model.embedding.weight
    assert not (shelf / "recurrent" / "tokenizer.json").exists()
    assert set(load_checkpoint(shelf / "recurrent").tokenizers) == {"source", "target"}


def test_sides_may_have_vocabularies_of_their_own_size(shapes, tmp_path):
    big, small = vocabulary(), vocabulary(size=70)
    module = shapes["recurrent"]
    model = module.RecurrentPair(module.RecurrentConfig(big.vocab_size, small.vocab_size))
    sides = {"source": big, "target": small}
    save_checkpoint(tmp_path / "two", model, sides, architecture=module.FAMILY.name)
    translator = load_translator(tmp_path / "two")
    tree = translator.search("A dog")
    assert max(node.token_id for node in tree.nodes) < small.vocab_size
    crossed = {"source": small, "target": big}
    save_checkpoint(tmp_path / "crossed", model, crossed, architecture=module.FAMILY.name)
    with pytest.raises(CheckpointError, match=r"src_vocab_size.*tgt_vocab_size"):
        load_translator(tmp_path / "crossed")


def changed(shelf: Path, folder: Path, name: str, **entries) -> Path:
    """A copy of a checkpoint with other entries in its config."""
    path = Path(shutil.copytree(shelf / name, folder / name)) / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | entries))
    return path.parent


@pytest.mark.parametrize(
    ("name", "entries", "named"),
    [
        ("recurrent", {"cell": "lstm"}, r"'cell' is 'lstm', expected one of 'gru', 'tanh'"),
        ("recurrent", {"reverse_source": 1}, r"'reverse_source' is 1, expected true or false"),
        (
            "recurrent",
            {"reverse_source": "yes", "cell": 3, "d_model": 0},
            r"cell.*reverse_source.*d_model is 0",
        ),
        ("recurrent", {"d_model": True}, r"'d_model' is True, expected a whole number"),
        *(("captioner", {"grid": value}, "'grid' is") for value in (3, [2, "3"], [2, 3.5])),
        ("masked", {"n_heads": 3}, "multiple of n_heads 3"),
    ],
)
def test_entries_of_a_config_that_do_not_fit_are_all_named(shelf, tmp_path, name, entries, named):
    with pytest.raises(CheckpointError, match=named):
        load_model(changed(shelf, tmp_path, name, **entries))


def test_special_tokens_that_a_vocabulary_lacks_are_named(shelf, tmp_path):
    folder = changed(shelf, tmp_path, "masked")
    vocabulary().save(folder / "tokenizer.json")
    with pytest.raises(CheckpointError, match="<mask>"):
        load_model(folder)


def with_site(module: Any, **changes: Any) -> dict[str, Any]:
    """Builds the family's model, which then declares another site."""

    def build(config: Any) -> torch.nn.Module:
        model = module.FAMILY.build(config)
        model.sites = (replace(model.sites[0], **changes),)
        return model

    return {"build": build}


def that_cannot_run(module: Any) -> dict[str, Any]:
    def build(config: Any) -> torch.nn.Module:
        model = module.FAMILY.build(config)
        model.forward = None
        return model

    return {"build": build}


CLAIMED = frozenset({"search", "tree-attention", "positions", "telepathy"})
BOASTS = [
    ("masked", lambda module: {"capabilities": CLAIMED}, CLAIMED),
    ("masked", partial(with_site, n_layers=3), {"declared with 3 layers, but the model has 2"}),
    ("masked", partial(with_site, n_heads=4), {"declared with 4 heads, but the model has 2"}),
    ("masked", partial(with_site, query="pixels", key="pixels"), {"names the side 'pixels'"}),
    (
        "masked",
        partial(with_site, name="elsewhere"),
        {"attends at encoder, which is not among its declared sites"},
    ),
    ("local", partial(with_site, normalised=True), {"do not sum to 1"}),
    ("masked", that_cannot_run, {"cannot be built and run"}),
]


@pytest.mark.parametrize(("name", "changes", "named"), BOASTS)
def test_what_contradicts_the_model_is_all_named(shapes, tmp_path, name, changes, named):
    module = shapes[name]
    family = replace(module.FAMILY, name="changed", **changes(module))
    tokenizer = vocabulary(module)
    model = family.build(module.config(tokenizer.vocab_size)).eval()
    with registered(family):
        save_checkpoint(tmp_path / "changed", model, tokenizer, architecture="changed")
        with pytest.raises(CheckpointError) as raised:
            load_model(tmp_path / "changed")
    assert [each for each in named if each not in str(raised.value)] == []


def test_a_family_names_entries_that_its_config_has(shapes):
    with pytest.raises(ValueError, match=r"lacks cls_id, words"):
        replace(
            shapes["masked"].FAMILY,
            vocabularies={"source": "words"},
            special_tokens={"cls_id": "[CLS]"},
        )


def test_vocabularies_of_an_earlier_save_do_not_stay(shapes, tmp_path):
    module, tokenizer = shapes["recurrent"], vocabulary()
    model = module.FAMILY.build(module.config(tokenizer.vocab_size))
    for saved in (tokenizer, {"source": tokenizer, "target": tokenizer}, tokenizer):
        save_checkpoint(tmp_path / "a", model, saved, architecture=module.FAMILY.name)
        n_files = len(list((tmp_path / "a").glob("*tokenizer.json")))
        assert n_files == (1 if saved is tokenizer else 2)
        assert load_model(tmp_path / "a").translate("A dog").tgt


# A family from its file to its records


def record_holds_every_site_over_its_sides(reader, example, result):
    assert result.attention.sites == reader.sites
    for attention in result.attention.maps:
        site = attention.site
        assert (attention.n_layers, attention.n_heads) == (site.n_layers, site.n_heads)
        assert attention.scores is not None
        sums = attention.weights.sum(axis=-1)
        if site.normalised:
            np.testing.assert_allclose(sums, 1.0, rtol=0, atol=1e-6)
        else:
            assert sums.max() < 1
        if site.query == "target":
            assert attention.query_tokens == ("<s>", *result.tgt.tokens[:-1])
            assert attention.output_tokens == result.tgt.tokens
        if site.key == "source":
            assert attention.key_tokens == result.src.tokens


def words_are_merged_at_every_site(reader, example, result):
    record = result.attention
    for attention in record.maps:
        rows, columns = groups_for(record, attention.site_id, produced=True, item=attention.item)
        merged = regroup(attention, query_groups=rows, key_groups=columns).attention
        assert merged.site == attention.site
        assert merged.weights.shape[-2:] == (len(rows), len(columns))
        assert sum(map(len, columns)) == len(attention.key_tokens)


def every_claim_holds(reader, example, result):
    assert {each.capability: each.difference for each in check(reader) if not each.holds} == {}


def what_it_has_none_of_is_told_and_no_more(reader, example, result):
    told = {f for need, f in reader.has_none.items() if need not in reader.capabilities}
    assert {fact for fact in told if not PROOFS[fact](reader, example)} == set()
    assert reader.has_none.keys() & reader.capabilities == set()


def a_translator_samples_and_searches(reader, example, result):
    if not isinstance(reader, Translator):
        return
    assert reader.sample(example).nodes
    assert reader.exact_search(example, budget=Budget(expansions=3)).reason is not None
    assert len(reader.candidates(example, k=3)) == 3
    assert reader.score(example, "Ein Hund").shape == (len(reader.tokenizer.encode("Ein Hund")),)


def what_a_translator_lacks_is_refused_in_one_message(reader, example, result):
    for capability, experiment in EXPERIMENTS.items() if isinstance(reader, Translator) else ():
        if capability in reader.capabilities:
            assert experiment(reader, result), capability
            continue
        with pytest.raises(ModelError) as raised:
            experiment(reader, result)
        assert raised.value.message.id == "model-lacks", capability
        assert raised.value.message.values["capability"] == capability


EXPERIMENTS = {
    "change-ablate": lambda t, r: ablate_each_head(t, r.src, r.tgt),
    "changes": lambda t, r: explain(t, r.src, r.tgt),
    "order": lambda t, r: reorder(t, r.src, tuple(range(len(r.src))), positions=True),
    "positions": lambda t, r: position_table(t),
    "vectors": lambda t, r: vectors_of(t, r.attention),
    "padding": lambda t, r: padding_effect(t, r.attention),
    "block": lambda t, r: streams_of(t, r.src, r.tgt),
}
CHECKS = (
    record_holds_every_site_over_its_sides,
    words_are_merged_at_every_site,
    every_claim_holds,
    what_it_has_none_of_is_told_and_no_more,
    a_translator_samples_and_searches,
    what_a_translator_lacks_is_refused_in_one_message,
)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_family_passes_every_check(shapes, models, readers, shelf, shape, subtests):
    reader, example = readers[shape], shapes[shape].EXAMPLE
    assert reader.example == example
    result = result_of(reader, example)
    for each in CHECKS:
        with subtests.test(each.__name__):
            each(reader, example, result)
    with subtests.test("parameters and buffers come back as they were"):
        kept = stored_tensors(reader.model)
        expected = stored_tensors(models[shelf / shape])
        assert kept.keys() == expected.keys()
        for name, tensor in expected.items():
            torch.testing.assert_close(kept[name], tensor, rtol=0, atol=0)


@pytest.mark.parametrize("shape", ["captioner", "scenes", "han", "cho"])
def test_without_a_card_there_is_an_example_that_fits(shelf, shape, tmp_path):
    shutil.copytree(shelf / shape, tmp_path / shape)
    (tmp_path / shape / "card.json").unlink()
    bare = load_model(tmp_path / shape)
    assert result_of(bare, bare.example).attention.sites == bare.sites


def test_a_grid_is_a_source_with_a_name_for_every_cell(readers):
    captioner = readers["captioner"]
    translation = captioner.translate("0 9 0 / 9 9 9")
    assert translation.src == GridSource("0 9 0 / 9 9 9", (2, 3), (0, 9, 0, 9, 9, 9))
    glimpse = translation.attention.of("glimpse")
    assert glimpse.site.grid == (2, 3)
    assert glimpse.key_tokens == ("▁1,1", "▁1,2", "▁1,3", "▁2,1", "▁2,2", "▁2,3")


@pytest.mark.parametrize("text", ["a dog", "1 2 / 3", "1 2 / 3 4", "", "   "])
def test_what_is_no_grid_of_the_models_shape_is_refused(readers, text):
    with pytest.raises(InputError):
        readers["captioner"].translate(text)


def test_a_document_has_a_map_of_words_for_every_sentence(readers):
    reader = readers["han"]
    reading = reader.read(DOCUMENT)
    assert isinstance(reading.src, DocumentSource)
    for item, sentence in enumerate(reading.src.sentences):
        words = reading.attention.of("words", item)
        assert (words.query_tokens, words.key_tokens) == ((f"▁{item + 1}",), sentence.tokens)
        alone = reader.read(sentence.text).attention.of("words")
        np.testing.assert_allclose(words.weights, alone.weights, rtol=0, atol=1e-6)
    sentences = reading.attention.of("sentences")
    assert sentences.key_tokens == ("▁1", "▁2", "▁3")
    assert reading.attention.site_ids == ("words", "sentences")


@pytest.mark.parametrize("shape", READ)
def test_what_writes_no_text_is_a_reader_and_no_translator(readers, shapes, shelf, shape):
    reader = readers[shape]
    assert not isinstance(reader, Translator)
    reading = reader.read(shapes[shape].EXAMPLE)
    assert reading.tgt is None
    assert isinstance(reading.src, TokenSequence | DocumentSource)
    with pytest.raises(InputError):
        reader.read(" ")
    with pytest.raises(InputError, match=str(reader.max_source_len)):
        reader.read("a " * 400)
    with pytest.raises(CheckpointError, match="does not generate text"):
        load_translator(shelf / shape)


def test_a_change_that_a_family_does_not_allow_is_refused_by_its_name(tiny_translator, monkeypatch):
    """Others that it allows go through."""
    allowed = frozenset({"search", "teacher-forcing", "scores", "changes", "change-ablate"})
    monkeypatch.setattr(Translator, "capabilities", allowed)
    pair = tiny_translator.tokenize("A dog"), tiny_translator.tokenize("Ein Hund")
    silent = Intervention(AblatedHead("encoder", 0, 0))
    assert tiny_translator.teacher_force(*pair, silent)[0].site_ids == (
        "encoder",
        "decoder",
        "cross",
    )
    with pytest.raises(ModelError, match="change-hide"):
        tiny_translator.teacher_force(*pair, hide(0))


@pytest.fixture
def app(shelf, monkeypatch) -> None:
    """The app takes its checkpoints from the shelf."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(shelf))


@pytest.mark.parametrize("name", PAGES)
def test_views_that_fit_open_and_the_others_are_named(app, shapes, readers, name, subtests):
    """One family for each set of views that fit; over all pages every family has its turn."""
    page = PAGES[name]
    by_fitting: dict[tuple[str, ...], list[str]] = {}
    for shape, reader in readers.items():
        fitting = tuple(view.id for view in page.views if not view.lacks(offers(reader)))
        by_fitting.setdefault(fitting, []).append(shape)
    for fitting, those in by_fitting.items():
        shape = those[[*PAGES].index(name) % len(those)]
        with subtests.test(shape):
            opens(page, shape, shapes[shape].EXAMPLE, fitting)


def opens(page: Page, shape: str, example: str, fitting: tuple[str, ...]) -> None:
    """Open every view that fits a family, and see that the others are named with the reason."""
    screen = open_page(page.id, checkpoint=shape, text=example, max_len="12")
    shown = screen.session_state["run"]
    offered = offers(shown.translator)
    assert screen.session_state["checkpoint"] == shape
    if shown.choices.checkpoint != shape:
        assert page.model is not None or not fitting
        assert not all(view.lacks(offered) for view in page.views)
        return
    for view in page.views:
        lacks = view.lacks(offered)
        if lacks and view.brings:  # is shown with another model, see test_lineage
            continue
        if lacks:
            assert english(f"view-{page.id}-{view.id}") in words(screen)
            assert why_not(shown.translator, lacks).text in words(screen)
            continue
        if screen.session_state[page.key] != view.id:
            put(screen, **{page.key: view.id})
        assert screen.session_state[page.key] == view.id
        assert not screen.error, [e.value for e in screen.error]
        assert ":red[" not in words(screen)
        sites = screen.session_state["run"].record.sites
        single = sum(site.n_layers * site.n_heads for site in sites) == 1
        if single and view.id != "here":  # there a model of its own is trained
            assert not re.search(r"(?i)layer 1\b", words(screen))


@pytest.mark.parametrize("shape", ["cho", "bahdanau"])
def test_a_token_is_left_out_on_the_page(app, shapes, shape):
    text = shapes[shape].EXAMPLE
    screen = open_page("masks", checkpoint=shape, text=text, mask_look="change")
    tokens = screen.pills("change_hidden")
    n_tokens = len(screen.session_state["run"].translation.src)
    assert len(tokens.options) == n_tokens - 1  # the end of the sentence is always read
    tokens.set_value([1])
    run(screen)
    assert "unread-2" in screen.query_params["change"]
    screen.pills("change_hidden").set_value(list(range(n_tokens - 1)))
    run(screen)
    assert says(screen, "model-change-unread-all")


def test_a_model_without_attention_is_explained_by_drops_and_gradients(app, shapes):
    screen = open_page("masks", checkpoint="cho", text=shapes["cho"].EXAMPLE, mask_look="explain")
    assert says(screen, "masks-explain-no-attention")
    (bars,) = charts(screen)
    assert {"drop", "gradient"} < set(tables(bars)["lines"]) - {"attention"}


def test_each_sentence_of_a_document_has_its_map_on_the_page(app):
    screen = open_page(checkpoint="han", text=DOCUMENT, look="matrix", kind="words")
    for item, sentence in enumerate(screen.session_state["run"].translation.src.sentences):
        screen.selectbox("words_item").set_value(item)
        run(screen)
        assert maps_of(screen, "words").shape[2:] == (1, len(sentence))


def test_where_the_sentences_of_the_app_do_not_fit_its_own_example_is_read(app, shapes):
    screen = open_page(checkpoint="captioner")
    assert screen.session_state["run"].translation.src.text == shapes["captioner"].EXAMPLE


def test_a_vocabulary_that_loses_a_text_is_doubted_on_the_page(shelf, tmp_path, monkeypatch):
    path = changed(shelf, tmp_path, "prenorm") / "tokenizer.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"decoder": None}))
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    screen = open_page("attention", checkpoint="prenorm")
    assert any("does not restore every text" in warning.value for warning in screen.warning)

"""A model of any shape goes all the way: file, loading, capture, records, refusals, pages.

The families stand in `tests/families/`; one more is what `docs/adding-a-model.md` tells a person to
write, run block by block.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
import safetensors.torch
import torch
from conftest import SENTENCES
from facts import PROOFS
from harness import charts, maps_of, open_page, run, says, tables, words

from core.changes import AblatedHead
from core.intervention import Intervention, hide
from core.knockout import Decision
from core.search import Decoding
from core.sources import DocumentSource, GridSource
from core.tokens import TokenSequence
from core.transform import groups_for, regroup
from model import (
    CheckpointError,
    InputError,
    ModelError,
    Reader,
    Translator,
    capture_attention,
    load_reader,
    load_translator,
    registered,
    registry,
    save_checkpoint,
)
from model.check import check
from model.checkpoint import FOLDER_VARIABLE, checkpoint_path, load_checkpoint, stored_tensors
from model.experiments.arithmetic import vectors_of
from model.experiments.block import streams_of
from model.experiments.explain import explain
from model.experiments.knockout import knock_out
from model.experiments.order import position_table, reorder
from model.experiments.padding import padding_effect
from model.experiments.trace import trace_decision
from model.experiments.tree import attend_tree
from model.families import (
    additive,
    captioner,
    convolutional,
    hierarchical,
    lstm,
    luong,
    masked,
    recurrent,
    transformer,
)
from model.family import CAPABILITIES, Family
from model.formats import torch_nn
from model.registry import families
from model.tokenizer import SPECIAL_TOKENS, build_tokenizer
from ui.pages import page_ids
from ui.reasons import why_not
from ui.views import offers
from words import english

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "adding-a-model.md"
BLOCK = re.compile(r"^```python\n# (?P<file>\S+)\n(?P<code>.*?)^```$", re.M | re.S)
TOYS = ("recurrent", "captioner", "hierarchical", "masked", "prenorm")
ANCESTORS = {
    "cho": (recurrent.FAMILY, {}),
    "sutskever": (lstm.FAMILY, {"reverse_source": True}),
    "bahdanau": (additive.FAMILY, {}),
    "convolutional": (convolutional.FAMILY, {"n_encoder_layers": 2, "n_decoder_layers": 2}),
    "local": (luong.FAMILY, {"attention": "local-p", "window": 2}),
}
JUDGES = {"han": (hierarchical.FAMILY, {"max_len": 400})}
ENCODERS = {"bert": (masked.FAMILY, {"n_heads": 2, "n_encoder_layers": 2, "d_ff": 8})}
OTHERS = ("transformer", "other-names", "other-values")
TRANSLATE = (
    "recurrent",
    "additive",
    "opened",
    "captioner",
    "scenes",
    "prenorm",
    *OTHERS,
    *ANCESTORS,
)
READ = ("hierarchical", "masked", *JUDGES, *ENCODERS)
SHAPES = (*TRANSLATE, *READ)


def blocks(file: str) -> str:
    """The code on the page that belongs to a file, in its order."""
    return "\n\n".join(m["code"] for m in BLOCK.finditer(PAGE.read_text()) if m["file"] == file)


def family_of_the_page(folder: Path, file: str, config: str) -> ModuleType:
    """The module that a reader of the page has written when they come to its end."""
    path = folder / f"{Path(file).stem}_of_the_page.py"
    path.write_text(blocks(file), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    module.config, module.EXAMPLE = getattr(module, config), "The dog runs."
    return module


def ancestor(name: str) -> SimpleNamespace:
    """A family of the project in tiny, offered as the files of `tests/families/` are."""
    family, entries = (ANCESTORS | JUDGES | ENCODERS)[name]
    recurrent_sizes = {} if name in ENCODERS else {"hidden_size": 8}
    sizes = {"d_model": 8, "max_len": 40} | recurrent_sizes
    return SimpleNamespace(
        FAMILY=family,
        EXAMPLE="The dog runs through the snow.",
        **({"TOKENS": tuple(family.special_tokens.values())} if name in ENCODERS else {}),
        config=lambda vocab_size: family.config(vocab_size, **(sizes | entries)),
    )


def in_place_of(module: ModuleType, family: Family) -> SimpleNamespace:
    """Another family with the sizes and the example of a toy."""
    return SimpleNamespace(FAMILY=family, EXAMPLE=module.EXAMPLE, config=module.config)


def with_other_values() -> SimpleNamespace:
    """A family of the project whose equations, values and directions nobody here has words for."""

    def build(config: Any) -> torch.nn.Module:
        model = additive.FAMILY.build(config)
        model.state_value.name = "state-of-mine"
        model.encoder.states.parts = ("inwards", "outwards")
        values = {"state": "state-of-mine"}
        model.equations = tuple(
            replace(each, name=f"{each.name}-of-mine", value=values.get(each.value, each.value))
            for each in model.equations
        )
        return model

    family = replace(additive.FAMILY, name="toy-other-values", build=build)
    config = ancestor("bahdanau").config
    return SimpleNamespace(FAMILY=family, EXAMPLE="The dog runs.", config=config)


def of_scenes() -> SimpleNamespace:
    """The family that tells pictures, in tiny."""
    sizes = {"d_model": 8, "hidden_size": 8, "annotation_size": 8, "attention_size": 4}
    return SimpleNamespace(
        FAMILY=captioner.FAMILY,
        EXAMPLE="small red circle at 1 2; large blue star at 3 4",
        config=lambda vocab_size: captioner.CaptionerConfig(vocab_size, **sizes),
    )


@pytest.fixture(scope="module")
def shapes(tmp_path_factory) -> dict[str, ModuleType | SimpleNamespace]:
    """The families, known to the registry as long as the tests of this file last."""
    found = {name: importlib.import_module(f"families.{name}") for name in TOYS}
    page = tmp_path_factory.mktemp("page")
    found["additive"] = family_of_the_page(page, "model/families/additive.py", "AdditiveConfig")
    found["opened"] = family_of_the_page(page, "my_model.py", "MyConfig")
    found["other-names"] = in_place_of(found["prenorm"], found["prenorm"].OTHER_NAMES)
    found["other-values"] = with_other_values()
    with registered(*(module.FAMILY for module in found.values())):
        found["transformer"] = in_place_of(found["prenorm"], transformer.FAMILY)
        found["scenes"] = of_scenes()
        yield found | {name: ancestor(name) for name in (*ANCESTORS, *JUDGES, *ENCODERS)}
    del sys.modules["additive_of_the_page"], sys.modules["my_model_of_the_page"]


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [*SENTENCES] * 3


@pytest.fixture(scope="module")
def shelf(shapes, texts, tmp_path_factory) -> Path:
    """A folder of checkpoints, one of each shape, with random weights."""
    root = tmp_path_factory.mktemp("shapes")
    for name, module in shapes.items():
        write_checkpoint(root / name, module, texts)
    return root


def write_checkpoint(path: Path, module: Any, texts: list[str]) -> torch.nn.Module:
    tokenizer = build_tokenizer(texts, 90, getattr(module, "TOKENS", SPECIAL_TOKENS))
    torch.manual_seed(7)
    model = module.FAMILY.build(module.config(tokenizer.vocab_size)).eval()
    if hasattr(module, "some_steps"):
        module.some_steps(model)
    sizes = module.FAMILY.vocabularies
    save_checkpoint(
        path,
        model,
        dict.fromkeys(sizes, tokenizer) if len(set(sizes.values())) == 2 else tokenizer,
        architecture=module.FAMILY.name,
        card={"title": path.name, "examples": [module.EXAMPLE]},
    )
    return model


@pytest.fixture(params=SHAPES)
def shape(request) -> str:
    return request.param


@pytest.fixture
def reader(shelf, shape) -> Reader:
    return load_reader(shelf / shape)


@pytest.fixture
def example(shapes, shape) -> str:
    return shapes[shape].EXAMPLE


def result_of(reader: Reader, text: str):
    return reader.translate(text) if isinstance(reader, Translator) else reader.read(text)


# -- the page that tells how ----------------------------------------------------------------


def test_the_page_can_be_followed_to_its_end(shapes, texts, tmp_path, capsys, monkeypatch):
    # The page registers the family itself.
    monkeypatch.delitem(registry._FAMILIES, shapes["additive"].FAMILY.name)
    names = {"tokenizer": build_tokenizer(texts, 90), "folder": tmp_path / "mine"}
    names |= vars(shapes["additive"])
    exec(compile(blocks("try_it.py"), str(PAGE), "exec"), names)
    assert names["translation"].attention.cross.n_heads == 1
    assert "(1, 1, " in capsys.readouterr().out


def test_a_model_of_ones_own_is_opened_as_the_page_says(shapes, texts, tmp_path, capsys):
    names = {"tokenizer": build_tokenizer(texts, 90), "folder": tmp_path}
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
    assert "another" not in families()


# -- saving and loading ---------------------------------------------------------------------


def test_parameters_and_buffers_come_back_as_they_were(shapes, shape, texts, tmp_path):
    model = write_checkpoint(tmp_path / shape, shapes[shape], texts)
    loaded = load_checkpoint(tmp_path / shape).model
    kept = stored_tensors(loaded)
    assert kept.keys() == stored_tensors(model).keys()
    for name, tensor in stored_tensors(model).items():
        torch.testing.assert_close(kept[name], tensor, rtol=0, atol=0)


def test_running_means_are_kept_and_whole_numbers_stay_whole(shelf):
    tensors = safetensors.torch.load_file(shelf / "captioner" / "model.safetensors")
    assert tensors["norm.num_batches_tracked"].dtype == torch.int64
    assert tensors["norm.running_mean"].abs().max() > 0


def test_shared_weights_are_stored_once_and_stay_shared(shelf):
    tensors = safetensors.torch.load_file(shelf / "masked" / "model.safetensors")
    assert "output.weight" not in tensors
    model = load_checkpoint(shelf / "masked").model
    assert model.output.weight is model.embedding.weight


def test_a_vocabulary_for_each_side_is_loaded(shelf, texts):
    folder = shelf / "recurrent"
    assert not (folder / "tokenizer.json").exists()
    assert set(load_checkpoint(folder).tokenizers) == {"source", "target"}


def test_sides_may_have_vocabularies_of_their_own_size(shapes, texts, tmp_path):
    big, small = build_tokenizer(texts, 90), build_tokenizer(texts, 70)
    module = shapes["recurrent"]
    model = module.RecurrentPair(module.RecurrentConfig(big.vocab_size, small.vocab_size))
    sides = {"source": big, "target": small}
    save_checkpoint(tmp_path / "two", model, sides, architecture=module.FAMILY.name)
    translator = load_translator(tmp_path / "two")
    tree = translator.search("A dog")
    assert max(node.token_id for node in tree.nodes) < small.vocab_size
    save_checkpoint(
        tmp_path / "crossed",
        model,
        {"source": small, "target": big},
        architecture=module.FAMILY.name,
    )
    with pytest.raises(CheckpointError, match=r"src_vocab_size.*tgt_vocab_size"):
        load_translator(tmp_path / "crossed")


def test_a_mask_is_one_token_wherever_it_is_typed(shelf):
    src = load_reader(shelf / "masked").tokenize("The <mask> runs<mask>.")
    mask_id = load_checkpoint(shelf / "masked").model.config.mask_id
    assert [i for i, token in zip(src.ids, src.tokens, strict=True) if token == "<mask>"] == [
        mask_id,
        mask_id,
    ]
    spelled = [
        src.text[a:b] for (a, b), i in zip(src.offsets, src.ids, strict=True) if i == mask_id
    ]
    assert spelled == ["<mask>", "<mask>"]


def test_special_tokens_that_a_vocabulary_lacks_are_named(shelf, texts, tmp_path):
    shutil.copytree(shelf / "masked", tmp_path / "masked")
    build_tokenizer(texts, 90).save(tmp_path / "masked" / "tokenizer.json")
    with pytest.raises(CheckpointError, match="<mask>"):
        load_reader(tmp_path / "masked")


def change_config(folder: Path, **entries) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | entries))


@pytest.mark.parametrize(
    ("entries", "named"),
    [
        ({"cell": "lstm"}, r"'cell' is 'lstm', expected one of 'gru', 'tanh'"),
        ({"reverse_source": 1}, r"'reverse_source' is 1, expected true or false"),
        ({"reverse_source": "yes", "cell": 3, "d_model": 0}, r"cell.*reverse_source.*d_model is 0"),
        ({"d_model": True}, r"'d_model' is True, expected a whole number"),
    ],
)
def test_entries_of_a_config_that_do_not_fit_are_all_named(shelf, tmp_path, entries, named):
    shutil.copytree(shelf / "recurrent", tmp_path / "recurrent")
    change_config(tmp_path / "recurrent", **entries)
    with pytest.raises(CheckpointError, match=named):
        load_reader(tmp_path / "recurrent")


@pytest.mark.parametrize("value", [3, [2, "3"], ["2", "3"], [2, 3.5]])
def test_a_list_of_a_config_is_read_entry_by_entry(shelf, tmp_path, value):
    shutil.copytree(shelf / "captioner", tmp_path / "captioner")
    change_config(tmp_path / "captioner", grid=value)
    with pytest.raises(CheckpointError, match="'grid' is"):
        load_reader(tmp_path / "captioner")


# -- sites and capabilities that contradict the model ---------------------------------------


def complaint(module: Any, texts, folder: Path, **changes) -> str:
    """What loading says of the family with something else about it."""
    family = replace(module.FAMILY, name="changed", **changes)
    tokenizer = build_tokenizer(texts, 90, getattr(module, "TOKENS", SPECIAL_TOKENS))
    model = family.build(module.config(tokenizer.vocab_size)).eval()
    with registered(family):
        save_checkpoint(folder / "changed", model, tokenizer, architecture="changed")
        with pytest.raises(CheckpointError) as raised:
            load_reader(folder / "changed")
    return str(raised.value)


def with_sites(module: Any, *sites):
    """Builds the family's model, which then declares other sites."""

    def build(config):
        model = module.FAMILY.build(config)
        model.sites = sites
        return model

    return build


def test_claims_without_substance_are_all_named(shapes, texts, tmp_path):
    claimed = frozenset({"search", "trace", "positions", "telepathy"})
    told = complaint(shapes["masked"], texts, tmp_path, capabilities=claimed)
    assert all(name in told for name in claimed)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"n_layers": 3}, "is declared with 3 layers, but the model has 2"),
        ({"n_heads": 4}, "is declared with 4 heads, but the model has 2"),
        ({"query": "pixels", "key": "pixels"}, "names the side 'pixels'"),
        ({"name": "elsewhere"}, "attends at encoder, which its sites do not name"),
    ],
)
def test_sites_that_contradict_the_weights_are_named(shapes, texts, tmp_path, changes, named):
    module = shapes["masked"]
    site = module.FAMILY.build(module.config(90)).sites[0]
    build = with_sites(module, replace(site, **changes))
    assert named in complaint(module, texts, tmp_path, build=build)


def test_rows_that_do_not_sum_to_one_must_be_said(shapes, texts, tmp_path):
    module = shapes["local"]
    build = with_sites(module, replace(luong.site_of(module.config(90)), normalised=True))
    told = complaint(module, texts, tmp_path, build=build)
    assert "do not sum to 1" in told


def test_a_model_that_cannot_run_is_said_so(shapes, texts, tmp_path):
    def build(config):
        model = shapes["masked"].FAMILY.build(config)
        model.forward = None
        return model

    assert "cannot be built and run" in complaint(shapes["masked"], texts, tmp_path, build=build)


def test_a_model_that_cannot_be_built_is_said_so(shelf, tmp_path):
    shutil.copytree(shelf / "masked", tmp_path / "masked")
    change_config(tmp_path / "masked", n_heads=3)
    with pytest.raises(CheckpointError, match="multiple of n_heads 3"):
        load_reader(tmp_path / "masked")


def test_a_family_names_entries_that_its_config_has(shapes):
    with pytest.raises(ValueError, match=r"lacks cls_id, words"):
        replace(
            shapes["masked"].FAMILY,
            vocabularies={"source": "words"},
            special_tokens={"cls_id": "[CLS]"},
        )


def test_vocabularies_of_an_earlier_save_do_not_stay(shapes, texts, tmp_path):
    module, tokenizer = shapes["recurrent"], build_tokenizer(texts, 90)
    model = module.FAMILY.build(module.config(tokenizer.vocab_size))
    for saved in (tokenizer, {"source": tokenizer, "target": tokenizer}, tokenizer):
        save_checkpoint(tmp_path / "a", model, saved, architecture=module.FAMILY.name)
        n_files = len(list((tmp_path / "a").glob("*tokenizer.json")))
        assert n_files == (1 if saved is tokenizer else 2)
        assert load_reader(tmp_path / "a").translate("A dog").tgt


# -- capture and records --------------------------------------------------------------------


def test_the_record_holds_every_site_over_its_own_sides(reader, example):
    result = result_of(reader, example)
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


def test_there_is_something_to_read_that_fits(shelf, shape, example, tmp_path):
    assert load_reader(shelf / shape).example == example
    shutil.copytree(shelf / shape, tmp_path / shape)
    (tmp_path / shape / "card.json").unlink()
    bare = load_reader(tmp_path / shape)
    assert result_of(bare, bare.example).attention.sites == bare.sites


def test_words_can_be_merged_at_every_site(reader, example):
    record = result_of(reader, example).attention
    for attention in record.maps:
        rows, columns = groups_for(record, attention.kind, produced=True, item=attention.item)
        shown = regroup(attention, query_groups=rows, key_groups=columns).attention
        assert shown.site == attention.site
        np.testing.assert_allclose(
            shown.weights.sum(axis=-1),
            np.stack(
                [attention.weights[..., row, :].sum(-1).mean(-1) for row in map(list, rows)], -1
            ),
            rtol=0,
            atol=1e-5,
        )
        assert sum(map(len, columns)) == len(attention.key_tokens)


@pytest.mark.parametrize("shape", TRANSLATE, indirect=True)
def test_the_steps_of_a_search_are_what_teacher_forcing_reads(reader, example):
    translation = reader.translate(example)
    again, log_probs = reader.read_again(translation.src, translation.tgt)
    np.testing.assert_allclose(translation.log_probs, log_probs, rtol=0, atol=1e-5)
    assert again.kinds == translation.attention.kinds


@pytest.mark.parametrize(
    "shape", ["additive", "bahdanau", "local", "captioner", "scenes"], indirect=True
)
def test_every_row_is_what_the_step_alone_looked_at(reader, example):
    translation = reader.translate(example)
    model, site = reader.model, reader.sites[0]
    state = model.start(reader.input_of(translation.src))
    ids = (model.config.bos_id, *translation.tgt.ids[:-1])
    for row, token_id in enumerate(ids):
        with torch.inference_mode(), capture_attention(model) as captured:
            _, state = model.step(state, torch.tensor([token_id]))
        alone = captured.weights(site.name)[0, 0, 0, 0]
        whole = translation.attention.of(site.name).weights[0, 0, row]
        np.testing.assert_allclose(whole, alone, rtol=0, atol=1e-6)


@pytest.mark.parametrize("shape", TRANSLATE, indirect=True)
def test_every_node_of_a_tree_looked_where_its_path_alone_looks(reader, example):
    tree = reader.search(example, Decoding(beam_size=2, max_len=5))
    found = attend_tree(reader, example, tree)
    src, model = found.src, reader.model
    sites = {site.key: site for site in reader.sites if site.query == "target"}
    for site, rows in ((sites.get("source"), found.cross), (sites.get("target"), found.decoder)):
        assert (rows is None) == (site is None)
        for node in tree.nodes[1:] if site else ():
            read = torch.tensor([[each.token_id for each in tree.path(node.id)[:-1]]])
            with torch.inference_mode(), capture_attention(model) as captured:
                model(reader.input_of(src), read)
            alone = captured.weights(site.name)[0, :, :, -1]
            looked = rows[node.id, ..., : alone.shape[-1]]
            np.testing.assert_allclose(looked, alone, rtol=0, atol=1e-5)


@pytest.mark.parametrize("shape", TRANSLATE, indirect=True)
def test_samples_an_exact_search_and_candidates_need_only_a_search(reader, example):
    assert reader.sample(example).nodes
    assert reader.exact_search(example, max_expansions=3, time_limit=None).reason is not None
    assert len(reader.candidates(example, k=3)) == 3
    assert reader.score(example, "Ein Hund").shape == (len(reader.tokenizer.encode("Ein Hund")),)


def test_a_model_without_attention_has_a_record_without_maps(shelf):
    translation = load_translator(shelf / "cho").translate("The dog runs.")
    assert translation.attention.maps == ()
    assert translation.attention.sites == ()


def test_a_local_model_looks_nowhere_beyond_its_window(shelf):
    translator = load_translator(shelf / "local")
    weights = translator.translate("The dog runs through the snow.").attention.cross.weights[0, 0]
    assert ((weights > 0).sum(axis=-1) <= 2 * translator.sites[0].window + 1).all()


def test_a_grid_is_a_source_with_a_name_for_every_cell(shelf):
    captioner = load_translator(shelf / "captioner")
    translation = captioner.translate("0 9 0 / 9 9 9")
    assert translation.src == GridSource("0 9 0 / 9 9 9", (2, 3), (0, 9, 0, 9, 9, 9))
    glimpse = translation.attention.of("glimpse")
    assert glimpse.site.grid == (2, 3)
    assert glimpse.key_tokens == ("▁1,1", "▁1,2", "▁1,3", "▁2,1", "▁2,2", "▁2,3")


@pytest.mark.parametrize("text", ["a dog", "1 2 / 3", "1 2 / 3 4", "", "   "])
def test_what_is_no_grid_of_the_models_shape_is_refused(shelf, text):
    with pytest.raises(InputError):
        load_translator(shelf / "captioner").translate(text)


def test_a_document_has_a_map_of_words_for_every_sentence(shelf):
    reader = load_reader(shelf / "hierarchical")
    reading = reader.read("The dog runs. It is tired! Why?")
    assert isinstance(reading.src, DocumentSource)
    for item, sentence in enumerate(reading.src.sentences):
        words = reading.attention.of("words", item)
        assert (words.query_tokens, words.key_tokens) == ((f"▁{item + 1}",), sentence.tokens)
        alone = reader.read(sentence.text).attention.of("words")
        np.testing.assert_allclose(words.weights, alone.weights, rtol=0, atol=1e-6)
    sentences = reading.attention.of("sentences")
    assert sentences.key_tokens == ("▁1", "▁2", "▁3")
    assert reading.attention.kinds == ("words", "sentences")


@pytest.mark.parametrize("shape", READ, indirect=True)
def test_what_writes_no_text_is_a_reader(reader, example):
    assert not isinstance(reader, Translator)
    reading = reader.read(example)
    assert reading.tgt is None
    assert isinstance(reading.src, TokenSequence | DocumentSource)
    with pytest.raises(InputError):
        reader.read(" ")
    with pytest.raises(InputError, match=str(reader.max_source_len)):
        reader.read("a " * 400)


@pytest.mark.parametrize("shape", READ)
def test_a_reader_is_no_translator(shelf, shape):
    with pytest.raises(CheckpointError, match="does not generate text"):
        load_translator(shelf / shape)


def test_every_claim_holds(shelf, shape):
    found = check(load_reader(shelf / shape, check_claims=False))
    assert {each.capability: each.difference for each in found if not each.holds} == {}


# -- what a family does not offer -----------------------------------------------------------


def test_a_model_is_told_that_it_has_none_of_what_it_has_none_of_alone(reader, example):
    told = {f for need, f in reader.has_none.items() if need not in reader.capabilities}
    assert {fact for fact in told if not PROOFS[fact](reader, example)} == set()
    assert reader.has_none.keys() & reader.capabilities == set()


REFUSALS = {
    "change-ablate": lambda t, r: knock_out(t, r.src, r.tgt),
    "changes": lambda t, r: explain(t, r.src, r.tgt),
    "trace": lambda t, r: trace_decision(t, r.src, r.tgt, Decision(0, 4, "a", 5, "b")),
    "order": lambda t, r: reorder(t, r.src, tuple(range(len(r.src))), positions=True),
    "positions": lambda t, r: position_table(t),
    "vectors": lambda t, r: vectors_of(t, r.attention),
    "padding": lambda t, r: padding_effect(t, r.attention),
    "block": lambda t, r: streams_of(t, r.src, r.tgt),
}


@pytest.mark.parametrize("capability", REFUSALS)
@pytest.mark.parametrize("shape", TRANSLATE, indirect=True)
def test_what_a_family_offers_works_and_what_it_lacks_is_refused_in_one_message(
    reader, example, capability
):
    assert capability in CAPABILITIES
    translation = reader.translate(example)
    if capability in reader.capabilities:
        assert REFUSALS[capability](reader, translation)
        return
    with pytest.raises(ModelError) as raised:
        REFUSALS[capability](reader, translation)
    assert raised.value.message.id == "model-lacks"
    assert raised.value.message.values["capability"] == capability


def test_a_change_that_a_family_does_not_allow_is_refused_by_its_name(tiny_translator, monkeypatch):
    """Others that it allows go through."""
    allowed = frozenset({"search", "teacher-forcing", "scores", "changes", "change-ablate"})
    monkeypatch.setattr(Translator, "capabilities", allowed)
    pair = tiny_translator.tokenize("A dog"), tiny_translator.tokenize("Ein Hund")
    silent = Intervention(AblatedHead("encoder", 0, 0))
    assert tiny_translator.read_again(*pair, silent)[0].kinds == ("encoder", "decoder", "cross")
    with pytest.raises(ModelError, match="change-hide"):
        tiny_translator.read_again(*pair, hide(0))


# -- pages ----------------------------------------------------------------------------------


@pytest.fixture
def app(shelf, monkeypatch) -> None:
    """The app takes its checkpoints from the shelf."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(shelf))


@pytest.mark.parametrize("name", page_ids())
def test_every_view_that_fits_opens_and_the_others_are_named(app, shape, example, name):
    page = importlib.import_module(f"ui.pages.{name}").PAGE
    screen = open_page(name, checkpoint=shape, text=example)
    shown = screen.session_state["run"]
    offered = offers(shown.translator)
    assert screen.session_state["checkpoint"] == shape
    mine = offers(load_reader(checkpoint_path(shape)))
    if shown.choices.checkpoint != shape:
        assert page.model is not None or all(view.lacks(mine) for view in page.views)
        assert not all(view.lacks(offered) for view in page.views)
        return
    for view in page.views:
        lacks = view.lacks(offered)
        if lacks and view.brings:  # is shown with another model, see test_ui_lineage
            continue
        if lacks:
            assert english(f"view-{name}-{view.id}") in words(screen)
            assert why_not(shown.translator, lacks).said in words(screen)
            continue
        screen.segmented_control(page.key).set_value(view.id)
        run(screen)
        assert screen.segmented_control(page.key).value == view.id
        assert not screen.error, [e.value for e in screen.error]
        assert ":red[" not in words(screen)
        sites = screen.session_state["run"].record.sites
        single = sum(site.n_layers * site.n_heads for site in sites) == 1
        if single and view.id != "here":  # there a model of its own is trained
            assert not re.search(r"(?i)layer 1\b", words(screen))


@pytest.mark.parametrize("shape", ["cho", "bahdanau"], indirect=True)
def test_a_token_is_left_out_on_the_page(app, shape, example):
    screen = open_page("masks", checkpoint=shape, text=example, mask_look="change")
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


@pytest.mark.parametrize("capability", CAPABILITIES)
def test_what_a_model_may_lack_can_be_said(capability):
    assert english.has(f"need-{capability}")


def test_a_damaged_family_leaves_the_app_and_the_other_checkpoints_up(shelf, tmp_path, monkeypatch):
    for name in ("additive", "masked"):
        shutil.copytree(shelf / name, tmp_path / name)
    change_config(tmp_path / "additive", architecture="addictive")
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    screen = open_page(checkpoint="additive")
    assert "addictive" in screen.error[0].value
    screen.selectbox("checkpoint").set_value("masked")
    run(screen)
    assert screen.session_state["run"].choices.checkpoint == "masked"


def test_rows_that_need_not_sum_to_one_are_said_so_on_the_page(app, shapes):
    screen = open_page(checkpoint="local", text=shapes["local"].EXAMPLE, look="matrix")
    assert says(screen, "figures-check-rows-free")


def test_each_sentence_of_a_document_has_its_map_on_the_page(app, shapes):
    text = shapes["hierarchical"].EXAMPLE
    screen = open_page(checkpoint="hierarchical", text=text, look="matrix", kind="words")
    for item, sentence in enumerate(screen.session_state["run"].translation.src.sentences):
        screen.selectbox("words_item").set_value(item)
        run(screen)
        assert maps_of(screen, "words").shape[2:] == (1, len(sentence))


@pytest.mark.parametrize("shape", ["captioner"], indirect=True)
def test_where_the_sentences_of_the_app_do_not_fit_its_own_example_is_read(app, shape, example):
    screen = open_page(checkpoint=shape)
    assert screen.session_state["run"].translation.src.text == example


def test_a_vocabulary_that_loses_a_text_is_doubted_on_the_page(shelf, texts, tmp_path, monkeypatch):
    shutil.copytree(shelf / "prenorm", tmp_path / "prenorm")
    path = tmp_path / "prenorm" / "tokenizer.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"decoder": None}))
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    screen = open_page("attention", checkpoint="prenorm")
    assert any("does not restore every text" in warning.value for warning in screen.warning)

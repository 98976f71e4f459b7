"""Checkpoints: what is saved is what is loaded, and every damage has a name."""

import ast
import json
import pickle
import shutil

import pytest
import safetensors.torch
import torch
from conftest import ROOT, make_model, write_measured

from model import CheckpointError, list_checkpoints, load_translator, save_checkpoint
from model.checkpoint import FOLDER_VARIABLE, load_checkpoint
from model.config import TransformerConfig, config_from_dict
from records.measurements import CONFIDENCE, INTERVENTIONS, OF_WEIGHTS, SEARCH, UNITS

SRC, TGT = torch.tensor([[5, 6, 7, 3]]), torch.tensor([[2, 8, 9]])


@pytest.fixture
def folder(tiny_checkpoint, tmp_path):
    """A good checkpoint that a test may damage."""
    return shutil.copytree(tiny_checkpoint, tmp_path / "mine")


def edit_json(path, **changes):
    values = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({k: v for k, v in values.items() if v is not ...}))


def edit_tensors(folder, change):
    tensors = safetensors.torch.load_file(folder / "model.safetensors")
    change(tensors)
    safetensors.torch.save_file(tensors, folder / "model.safetensors")


def complaint(folder):
    with pytest.raises(CheckpointError) as raised:
        load_checkpoint(folder)
    assert raised.value.hint
    return str(raised.value)


# -- good ones -----------------------------------------------------------------------------


def test_a_loaded_model_has_identical_weights(tiny_tokenizer, tmp_path):
    model = make_model(3, vocab_size=tiny_tokenizer.vocab_size)
    save_checkpoint(tmp_path / "a", model, tiny_tokenizer)
    again = load_checkpoint(tmp_path / "a").model
    for name, parameter in again.named_parameters():
        assert torch.equal(parameter, model.get_parameter(name))


def test_a_loaded_model_gives_the_same_logits(tiny_tokenizer, tmp_path):
    model = make_model(3, vocab_size=tiny_tokenizer.vocab_size)
    save_checkpoint(tmp_path / "a", model, tiny_tokenizer)
    again = load_checkpoint(tmp_path / "a").model
    # Weights stored column by column may be summed in another order, depending on the CPU.
    torch.testing.assert_close(again(SRC, TGT), model(SRC, TGT), rtol=0, atol=1e-5)


def test_half_precision_on_disk_is_loaded_as_float32(tiny_tokenizer, tmp_path):
    model = make_model(vocab_size=tiny_tokenizer.vocab_size)
    save_checkpoint(tmp_path / "a", model, tiny_tokenizer, dtype=torch.float16)
    again = load_checkpoint(tmp_path / "a").model
    for name, parameter in again.named_parameters():
        assert parameter.dtype == torch.float32
        torch.testing.assert_close(parameter, model.get_parameter(name).half().float())


def test_half_precision_halves_the_file(tiny_tokenizer, tmp_path):
    model = make_model(vocab_size=tiny_tokenizer.vocab_size, d_ff=512)
    for dtype in (torch.float16, torch.float32):
        save_checkpoint(tmp_path / str(dtype), model, tiny_tokenizer, dtype=dtype)
    half, full = (
        (tmp_path / str(dtype) / "model.safetensors").stat().st_size
        for dtype in (torch.float16, torch.float32)
    )
    assert half < 0.6 * full


def test_a_loaded_model_is_in_evaluation_mode_and_frozen(tiny_checkpoint):
    model = load_checkpoint(tiny_checkpoint).model
    assert not any(module.training for module in model.modules())
    assert not any(parameter.requires_grad for parameter in model.parameters())


def test_the_card_tells_what_was_saved(tiny_checkpoint):
    card = load_checkpoint(tiny_checkpoint).card
    assert (card.name, card.title, card.languages) == ("en-de", "Random weights", ("en", "de"))


def test_the_card_counts_every_parameter_once(tiny_checkpoint):
    loaded = load_checkpoint(tiny_checkpoint)
    stored = safetensors.torch.load_file(tiny_checkpoint / "model.safetensors").values()
    assert loaded.card.n_params == sum(t.numel() for t in stored)


def test_a_checkpoint_without_a_card_is_good(folder):
    (folder / "card.json").unlink()
    assert load_checkpoint(folder).card.title == "mine"


def test_a_card_with_entries_of_the_wrong_kind_is_good(folder):
    (folder / "card.json").write_text('{"languages": "en", "scores": 3, "title": 7}')
    card = load_checkpoint(folder).card
    assert (card.languages, card.scores, card.title) == (("source", "target"), {}, "mine")


@pytest.fixture(params=OF_WEIGHTS, ids=lambda kind: kind.file)
def measured(request, folder):
    """A kind of measurement, lying beside the weights."""
    write_measured(folder, request.param)
    return request.param


def test_a_checkpoint_that_was_not_measured_has_nothing(folder):
    card = load_checkpoint(folder).card
    assert {card.lies(kind).state for kind in OF_WEIGHTS} == {"missing"}
    assert (card.searches, card.interventions, card.units, card.confidence) == ({}, {}, {}, None)


def test_the_card_tells_what_was_measured_of_these_weights(folder, measured):
    values = json.loads((folder / measured.file).read_text())
    card = load_checkpoint(folder).card
    assert (card.lies(measured).state, card.lies(measured).values) == ("found", values)
    told = (card.searches, card.interventions, card.units, card.confidence)
    assert [bool(each) for each in told] == [
        kind in (measured,) for kind in (SEARCH, INTERVENTIONS, UNITS, CONFIDENCE)
    ]


def test_what_was_measured_of_other_weights_is_left_out(folder, measured):
    edit_tensors(folder, lambda t: t["embedding.weight"][7, 3].add_(1e-3))
    card = load_checkpoint(folder).card
    assert (card.lies(measured).state, card.lies(measured).values) == ("foreign", {})


def test_measurements_do_not_change_the_fingerprint(folder, measured):
    with_them = load_checkpoint(folder).card.fingerprint
    (folder / measured.file).unlink()
    assert load_checkpoint(folder).card.fingerprint == with_them


@pytest.mark.parametrize("text", ["{", "[1]", "\x00", '{"command": 3}'])
def test_damaged_measurements_leave_the_model_whole(folder, measured, text):
    (folder / measured.file).write_text(text)
    loaded = load_checkpoint(folder)
    lies = loaded.card.lies(measured)
    assert (lies.state, lies.values) == ("damaged", {})
    assert lies.fault
    assert loaded.card.confidence is None
    assert loaded.model(SRC, TGT).isfinite().all()


def test_the_fingerprint_does_not_change_by_itself(folder):
    assert load_checkpoint(folder).card.fingerprint == load_checkpoint(folder).card.fingerprint


def test_the_fingerprint_changes_with_one_weight(folder):
    before = load_checkpoint(folder).card.fingerprint
    edit_tensors(folder, lambda t: t["embedding.weight"][7, 3].add_(1e-3))
    assert load_checkpoint(folder).card.fingerprint != before


def test_the_fingerprint_changes_with_the_config(folder):
    before = load_checkpoint(folder).card.fingerprint
    edit_json(folder / "config.json", position_base=9000.0)
    assert load_checkpoint(folder).card.fingerprint != before


def test_loading_never_unpickles(tiny_checkpoint, monkeypatch):
    def forbidden(*_args, **_kwargs):
        raise AssertionError("a pickle was read")

    monkeypatch.setattr(torch, "load", forbidden)
    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, forbidden)
    load_checkpoint(tiny_checkpoint)


def test_no_file_of_the_model_names_pickle_or_torch_load():
    for path in (ROOT / "model").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert "pickle" not in [alias.name for alias in node.names], path
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert (node.value.id, node.attr) != ("torch", "load"), path


# -- names ---------------------------------------------------------------------------------


@pytest.fixture
def shelf(tiny_checkpoint, tmp_path, monkeypatch):
    """A folder of checkpoints that stands in for `checkpoints/`."""
    for name in ("aa-bb", "en-de", "zz-yy"):
        shutil.copytree(tiny_checkpoint, tmp_path / name)
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "notes.txt").touch()
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    monkeypatch.chdir(ROOT / "model")
    return tmp_path


def test_checkpoints_are_listed_with_the_default_first(shelf):
    assert list_checkpoints() == ["en-de", "aa-bb", "zz-yy"]


def test_a_missing_shelf_is_empty(tmp_path):
    assert list_checkpoints(tmp_path / "nothing") == []


def test_a_name_finds_its_folder(shelf):
    assert load_translator("zz-yy").card.name == "zz-yy"


def test_an_unknown_name_suggests_a_near_one(shelf):
    with pytest.raises(CheckpointError, match="'en-dee'") as raised:
        load_translator("en-dee")
    assert str(raised.value.hint) == "Did you mean 'en-de'?"


def test_a_name_near_nothing_lists_what_there_is(shelf):
    with pytest.raises(CheckpointError) as raised:
        load_translator("klingon")
    assert "en-de, aa-bb, zz-yy" in str(raised.value.hint)


def test_an_empty_shelf_says_what_to_put_there(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    with pytest.raises(CheckpointError) as raised:
        load_translator("klingon")
    assert "config.json, model.safetensors, tokenizer.json" in str(raised.value.hint)


# -- damage --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json"])
def test_a_missing_file_is_named(folder, name):
    (folder / name).unlink()
    assert f"{name} is missing" in complaint(folder)


def test_a_config_that_is_not_json_is_named(folder):
    (folder / "config.json").write_text("{d_model: 16")
    assert "config.json is not valid JSON" in complaint(folder)


def test_a_config_that_is_not_text_is_named(folder):
    (folder / "config.json").write_bytes(b"\xff\xfe\x00")
    assert "config.json is not valid JSON" in complaint(folder)


def test_a_config_that_is_a_list_is_named(folder):
    (folder / "config.json").write_text("[1, 2]")
    assert "config.json contains a list, expected an object" in complaint(folder)


def test_a_card_that_is_not_json_is_named(folder):
    (folder / "card.json").write_text("{")
    assert "card.json is not valid JSON" in complaint(folder)


def test_an_unknown_entry_suggests_a_near_one(folder):
    edit_json(folder / "config.json", d_modell=16)
    assert "unknown entry 'd_modell' (did you mean 'd_model'?)" in complaint(folder)


def test_a_missing_entry_is_named(folder):
    edit_json(folder / "config.json", vocab_size=...)
    assert "'vocab_size' is missing" in complaint(folder)


@pytest.mark.parametrize("value", ["16", 16.0, True, None, [16]])
def test_an_entry_of_the_wrong_type_is_quoted(folder, value):
    edit_json(folder / "config.json", d_model=value)
    assert f"'d_model' is {value!r}, expected a whole number" in complaint(folder)


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("n_heads", 3),
        ("n_heads", 0),
        ("d_model", 7),
        ("dropout", 1.0),
        ("n_encoder_layers", 0),
        ("layer_norm_eps", 0.0),
        ("layer_norm_eps", float("nan")),
        ("position_base", float("nan")),
        ("eos_id", 10_000),
        ("bos_id", 3),
    ],
)
def test_an_entry_out_of_range_is_named(folder, entry, value):
    edit_json(folder / "config.json", **{entry: value})
    found = complaint(folder)
    assert entry in found
    assert "model.safetensors" not in found


def test_an_unknown_architecture_suggests_a_near_one(folder):
    edit_json(folder / "config.json", architecture="transfomer")
    assert "'transfomer' (did you mean 'transformer'?)" in complaint(folder)


@pytest.mark.parametrize("value", [..., None, 3, ["transformer"]])
def test_an_architecture_that_is_no_name_is_refused(folder, value):
    edit_json(folder / "config.json", architecture=value)
    assert "config.json names the architecture" in complaint(folder)


@pytest.mark.parametrize("kept", [0, 4, 100, 5000])
def test_truncated_weights_are_named(folder, kept):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:kept])
    assert "model.safetensors cannot be read because it is damaged or cut short" in complaint(
        folder
    )


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8, torch.int64, torch.bool])
def test_weights_in_whole_numbers_are_refused_in_one_sentence(folder, dtype):
    edit_tensors(folder, lambda t: t.update({name: each.to(dtype) for name, each in t.items()}))
    found = complaint(folder)
    assert f"contains integers ({str(dtype).removeprefix('torch.')})" in found
    assert "float32 or float16" in found
    assert found.count("decoder_layers") == 3
    assert "more" in found


def test_one_tensor_in_whole_numbers_is_named(folder):
    name = "decoder_layers.1.cross_attention.key_proj.weight"
    edit_tensors(folder, lambda t: t.update({name: (127 * t[name]).to(torch.int8)}))
    assert f"(int8) where floating-point numbers are expected: {name}." in complaint(folder)


def test_very_many_faults_still_make_a_message(tiny_tokenizer, tmp_path):
    model = make_model(vocab_size=tiny_tokenizer.vocab_size, n_encoder_layers=9)
    save_checkpoint(tmp_path / "a", model, tiny_tokenizer)
    edit_json(tmp_path / "a" / "config.json", d_model=32)
    assert "the config requires" in complaint(tmp_path / "a")


def test_a_missing_tensor_is_named(folder):
    edit_tensors(folder, lambda t: t.pop("decoder_layers.1.cross_attention.key_proj.bias"))
    assert "lacks decoder_layers.1.cross_attention.key_proj.bias" in complaint(folder)


def test_an_unknown_tensor_is_named(folder):
    edit_tensors(folder, lambda t: t.update(extra=torch.zeros(1)))
    assert "model.safetensors contains unknown extra" in complaint(folder)


def test_a_tensor_of_the_wrong_shape_is_named_with_both_shapes(folder):
    name = "encoder_layers.0.feed_forward.inner.weight"
    edit_tensors(folder, lambda t: t.update({name: torch.zeros(3, 16)}))
    assert f"{name} has the shape (3, 16), but the config requires (32, 16)" in complaint(folder)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_tensor_with_numbers_that_are_none_is_named(folder, value):
    edit_tensors(folder, lambda t: t["embedding.weight"][2, 1].fill_(value))
    assert "embedding.weight contains NaN or infinite numbers" in complaint(folder)


def test_a_broken_tokenizer_is_named(folder):
    (folder / "tokenizer.json").write_text('{"version": "1.0"}')
    assert "tokenizer.json cannot be read" in complaint(folder)


def test_a_vocabulary_of_another_size_is_named_with_both_sizes(folder, tiny_tokenizer):
    size = tiny_tokenizer.vocab_size
    edit_json(folder / "config.json", vocab_size=size + 5)
    edit_tensors(folder, lambda t: t.update({"embedding.weight": torch.zeros(size + 5, 16)}))
    assert f"tokenizer.json has {size} entries, but vocab_size is {size + 5}" in complaint(folder)


def test_special_ids_other_than_the_tokenizers_are_named(folder):
    edit_json(folder / "config.json", bos_id=3, eos_id=2)
    assert "eos_id" in complaint(folder)


def test_several_faults_come_in_one_message(folder):
    edit_json(folder / "config.json", d_model="wide", n_head=2)
    (folder / "model.safetensors").write_bytes(b"short")
    (folder / "tokenizer.json").unlink()
    found = complaint(folder)
    for part in (
        "'d_model' is 'wide'",
        "'n_head'",
        "model.safetensors",
        "tokenizer.json is missing",
    ):
        assert part in found


# -- configs -------------------------------------------------------------------------------


def test_whole_numbers_serve_where_any_number_does():
    config = config_from_dict(TransformerConfig, {"vocab_size": 9, "dropout": 0})
    assert isinstance(config.dropout, float)


def test_every_fault_of_a_config_is_named():
    with pytest.raises(CheckpointError) as raised:
        config_from_dict(TransformerConfig, {"vocab_size": 9, "d_model": 15, "dropout": 2.0})
    for part in ("not a multiple", "is odd", "dropout is 2.0"):
        assert part in str(raised.value)


def test_the_width_of_a_head_is_its_share():
    assert TransformerConfig(vocab_size=9, d_model=24, n_heads=3).d_k == 8


def test_loaded_matrices_are_laid_out_column_by_column(tiny_checkpoint):
    model = load_checkpoint(tiny_checkpoint).model
    assert all(p.t().is_contiguous() for p in model.parameters() if p.dim() == 2)

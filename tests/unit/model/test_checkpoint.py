"""Checkpoints: what is saved is what is loaded, and every damage has a name."""

import ast
import json
import pickle
import shutil

import pytest
import safetensors.torch
import torch

from core.measurements import LANGUAGE, OF_WEIGHTS, ROLES
from model import CheckpointError, list_checkpoints, load_translator, save_checkpoint
from model.checkpoint import FOLDER_VARIABLE, load_checkpoint
from model.config import TransformerConfig, config_from_dict
from support.models import ROOT, make_model, read_json, write_measured

SRC, TGT = torch.tensor([[5, 6, 7, 3]]), torch.tensor([[2, 8, 9]])


@pytest.fixture
def folder(tiny_checkpoint, tmp_path):
    """A good checkpoint that a test may damage."""
    return shutil.copytree(tiny_checkpoint, tmp_path / "mine")


def edit_json(path, **changes):
    values = read_json(path) | changes
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


@pytest.fixture
def saved(tiny_tokenizer, tmp_path):
    """Saves a model as asked for, and gives it with its folder."""

    def save(dtype=torch.float32, seed=0, **sizes):
        model = make_model(seed, vocab_size=tiny_tokenizer.vocab_size, **sizes)
        save_checkpoint(tmp_path / str(dtype), model, tiny_tokenizer, dtype=dtype)
        return model, tmp_path / str(dtype)

    return save


def test_half_precision_takes_half_of_the_disk_and_is_loaded_as_float32(saved):
    (model, half), (_, full) = (saved(dtype, d_ff=512) for dtype in (torch.float16, torch.float32))
    for name, parameter in load_checkpoint(half).model.named_parameters():
        assert parameter.dtype == torch.float32
        torch.testing.assert_close(parameter, model.get_parameter(name).half().float())
    sizes = [(folder / "model.safetensors").stat().st_size for folder in (half, full)]
    assert sizes[0] < 0.6 * sizes[1]


def test_a_loaded_model_is_in_evaluation_mode_and_frozen(tiny_checkpoint):
    model = load_checkpoint(tiny_checkpoint).model
    assert not any(module.training for module in model.modules())
    assert not any(parameter.requires_grad for parameter in model.parameters())
    assert all(p.t().is_contiguous() for p in model.parameters() if p.dim() == 2)


def test_the_card_tells_what_was_saved_and_counts_every_parameter_once(tiny_checkpoint):
    card = load_checkpoint(tiny_checkpoint).card
    assert (card.name, card.title, card.languages) == ("en-de", "Random weights", ("en", "de"))
    stored = safetensors.torch.load_file(tiny_checkpoint / "model.safetensors").values()
    assert card.n_params == sum(t.numel() for t in stored)


@pytest.mark.parametrize("text", [None, '{"languages": "en", "scores": 3, "title": 7}'])
def test_a_checkpoint_without_a_card_or_with_wrong_entries_in_it_is_good(folder, text):
    (folder / "card.json").unlink()
    if text:
        (folder / "card.json").write_text(text)
    card = load_checkpoint(folder).card
    assert (card.languages, card.scores, card.title) == (("source", "target"), {}, "mine")


@pytest.fixture(params=OF_WEIGHTS, ids=lambda kind: kind.file)
def measured(request, folder):
    """A kind of measurement, lying beside the weights."""
    write_measured(folder, request.param)
    return request.param


def test_the_card_tells_what_was_measured_of_these_weights(folder, measured):
    values = read_json(folder / measured.file)
    card = load_checkpoint(folder).card
    assert (card.lies(measured).state, card.lies(measured).values) == ("found", values)
    assert {card.lies(kind).state for kind in OF_WEIGHTS if kind is not measured} == {"missing"}
    assert isinstance(card.lies(measured).part, measured.type)
    told = card.language_check, card.roles
    assert [bool(each) for each in told] == [kind is measured for kind in (LANGUAGE, ROLES)]
    (folder / measured.file).unlink()
    assert load_checkpoint(folder).card.fingerprint == card.fingerprint


def test_what_was_measured_of_other_weights_is_left_out(folder, measured):
    edit_tensors(folder, lambda t: t["embedding.weight"][7, 3].add_(1e-3))
    card = load_checkpoint(folder).card
    assert (card.lies(measured).state, card.lies(measured).values) == ("foreign", {})


@pytest.mark.parametrize("text", ["{", "[1]", "\x00", '{"command": 3}'])
def test_damaged_measurements_leave_the_model_whole(folder, measured, text):
    (folder / measured.file).write_text(text)
    loaded = load_checkpoint(folder)
    lies = loaded.card.lies(measured)
    assert (lies.state, lies.values) == ("damaged", {})
    assert lies.fault
    assert loaded.card.language_check is None
    assert loaded.model(SRC, TGT).isfinite().all()


@pytest.mark.parametrize(
    "edit",
    [
        lambda folder: edit_tensors(folder, lambda t: t["embedding.weight"][7, 3].add_(1e-3)),
        lambda folder: edit_json(folder / "config.json", position_base=9000.0),
    ],
    ids=["weight", "config"],
)
def test_the_fingerprint_changes_with_what_is_loaded_and_not_by_itself(folder, edit):
    before = load_checkpoint(folder).card.fingerprint
    assert load_checkpoint(folder).card.fingerprint == before
    edit(folder)
    assert load_checkpoint(folder).card.fingerprint != before


def test_loading_never_unpickles(tiny_checkpoint, monkeypatch):
    def forbidden(*_args, **_kwargs):
        raise AssertionError("a pickle was read")

    monkeypatch.setattr(torch, "load", forbidden)
    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, forbidden)
    load_checkpoint(tiny_checkpoint)


def test_no_file_of_the_model_names_pickle_and_one_loads_tensors_alone():
    loads = []
    for path in (ROOT / "model").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert "pickle" not in [alias.name for alias in node.names], path
            if isinstance(node, ast.Attribute) and ast.unparse(node) == "torch.load":
                loads.append(path.name)
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "torch.load":
                named = {each.arg: ast.unparse(each.value) for each in node.keywords}
                assert named["weights_only"] == "True", path
    assert loads == ["reading.py"]


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


def test_checkpoints_are_listed_with_the_default_first_and_found_by_name(shelf):
    assert list_checkpoints() == ["en-de", "aa-bb", "zz-yy"]
    assert list_checkpoints(shelf / "nothing") == []
    assert load_translator("zz-yy").card.name == "zz-yy"


@pytest.mark.parametrize(
    ("name", "there", "hint"),
    [
        ("en-dee", True, "Did you mean 'en-de'?"),
        ("klingon", True, "en-de, aa-bb, zz-yy"),
        ("klingon", False, "config.json, model.safetensors, tokenizer.json"),
    ],
)
def test_an_unknown_name_suggests_what_there_is(shelf, monkeypatch, name, there, hint):
    if not there:
        monkeypatch.setenv(FOLDER_VARIABLE, str(shelf / ".hidden"))
    with pytest.raises(CheckpointError, match=f"'{name}'") as raised:
        load_translator(name)
    assert hint in str(raised.value.hint)


# -- damage --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json"])
def test_a_missing_file_is_named(folder, name):
    (folder / name).unlink()
    assert f"{name} is missing" in complaint(folder)


@pytest.mark.parametrize(
    ("file", "content", "found"),
    [
        ("config.json", b"{d_model: 16", "config.json is not valid JSON"),
        ("config.json", b"\xff\xfe\x00", "config.json is not valid JSON"),
        ("config.json", b"[1, 2]", "config.json contains a list, expected an object"),
        ("card.json", b"{", "card.json is not valid JSON"),
        ("tokenizer.json", b'{"version": "1.0"}', "tokenizer.json cannot be read"),
    ],
)
def test_a_file_that_is_not_what_its_name_says_is_named(folder, file, content, found):
    (folder / file).write_bytes(content)
    assert found in complaint(folder)


@pytest.mark.parametrize(
    ("entry", "value", "found"),
    [
        ("d_modell", 16, "unknown entry 'd_modell' (did you mean 'd_model'?)"),
        ("vocab_size", ..., "'vocab_size' is missing"),
        *(
            ("d_model", value, f"'d_model' is {value!r}, expected a whole number")
            for value in ("16", 16.0, True, None, [16])
        ),
        ("architecture", "transfomer", "'transfomer' (did you mean 'transformer'?)"),
        *(
            ("architecture", value, "config.json names the architecture")
            for value in (..., None, 3, ["transformer"])
        ),
    ],
)
def test_a_fault_of_an_entry_is_quoted(folder, entry, value, found):
    edit_json(folder / "config.json", **{entry: value})
    assert found in complaint(folder)


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        *(("n_heads", 3), ("n_heads", 0), ("d_model", 7), ("n_encoder_layers", 0)),
        *(("dropout", 1.0), ("layer_norm_eps", 0.0), ("layer_norm_eps", float("nan"))),
        *(("position_base", float("nan")), ("eos_id", 10_000), ("bos_id", 3)),
    ],
)
def test_an_entry_out_of_range_is_named(folder, entry, value):
    edit_json(folder / "config.json", **{entry: value})
    found = complaint(folder)
    assert entry in found
    assert "model.safetensors" not in found


@pytest.mark.parametrize("kept", [0, 4, 100, 5000])
def test_truncated_weights_are_named(folder, kept):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:kept])
    found = complaint(folder)
    assert "model.safetensors cannot be read because it is damaged or cut short" in found


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8, torch.int64, torch.bool])
def test_weights_in_whole_numbers_are_refused_in_one_sentence(folder, dtype):
    edit_tensors(folder, lambda t: t.update({name: each.to(dtype) for name, each in t.items()}))
    found = complaint(folder)
    assert f"contains integers ({str(dtype).removeprefix('torch.')})" in found
    assert "float32 or float16" in found
    assert found.count("decoder_layers") == 3
    assert "more" in found


def test_very_many_faults_still_make_a_message(saved):
    _, folder = saved(n_encoder_layers=9)
    edit_json(folder / "config.json", d_model=32)
    assert "the config requires" in complaint(folder)


KEYS = "decoder_layers.1.cross_attention.key_proj"
INNER = "encoder_layers.0.feed_forward.inner.weight"


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda t: t.pop(f"{KEYS}.bias"), f"lacks {KEYS}.bias"),
        (lambda t: t.update(extra=torch.zeros(1)), "model.safetensors contains unknown extra"),
        (
            lambda t: t.update({INNER: torch.zeros(3, 16)}),
            f"{INNER} has the shape (3, 16), but the config requires (32, 16)",
        ),
        (
            lambda t: t.update({f"{KEYS}.weight": (127 * t[f"{KEYS}.weight"]).to(torch.int8)}),
            f"(int8) where floating-point numbers are expected: {KEYS}.weight.",
        ),
        *(
            (
                lambda t, value=value: t["embedding.weight"][2, 1].fill_(value),
                "embedding.weight contains NaN or infinite numbers",
            )
            for value in (float("nan"), float("inf"))
        ),
    ],
    ids=["missing", "unknown", "shape", "whole", "nan", "infinite"],
)
def test_a_tensor_that_does_not_fit_is_named(folder, change, found):
    edit_tensors(folder, change)
    assert found in complaint(folder)


def test_a_vocabulary_of_another_size_or_other_special_ids_is_named(folder, tiny_tokenizer):
    size = tiny_tokenizer.vocab_size
    edit_json(folder / "config.json", bos_id=3, eos_id=2)
    assert "eos_id" in complaint(folder)
    edit_json(folder / "config.json", bos_id=2, eos_id=3)
    edit_json(folder / "config.json", vocab_size=size + 5, source_vocab_size=size + 5)
    edit_tensors(folder, lambda t: t.update({"embedding.weight": torch.zeros(size + 5, 16)}))
    assert f"tokenizer.json has {size} entries, but vocab_size is {size + 5}" in complaint(folder)


def test_several_faults_come_in_one_message(folder):
    edit_json(folder / "config.json", d_model="wide", n_head=2)
    (folder / "model.safetensors").write_bytes(b"short")
    (folder / "tokenizer.json").unlink()
    found = complaint(folder)
    faults = ("'d_model' is 'wide'", "'n_head'", "model.safetensors", "tokenizer.json is missing")
    for part in faults:
        assert part in found


# -- configs -------------------------------------------------------------------------------


def test_a_config_takes_whole_numbers_for_any_and_every_fault_of_it_is_named():
    config = config_from_dict(TransformerConfig, {"vocab_size": 9, "dropout": 0})
    assert isinstance(config.dropout, float)
    with pytest.raises(CheckpointError) as raised:
        config_from_dict(TransformerConfig, {"vocab_size": 9, "d_model": 15, "dropout": 2.0})
    for part in ("not a multiple", "is odd", "dropout is 2.0"):
        assert part in str(raised.value)

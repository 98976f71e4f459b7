"""Checkpoints: saved and loaded alike, found by name, and refused with every damage named."""

import ast
import json
import shutil
import subprocess
import sys

import pytest
import safetensors.torch
import torch

from core.measurements import GOLD, INTERVENTIONS, LANGUAGE, ROLES, SEARCH, SHARES
from model import (
    CheckpointError,
    ModelError,
    list_checkpoints,
    load_model,
    load_translator,
    save_checkpoint,
)
from model.config import TransformerConfig
from model.io.checkpoint import FOLDER_VARIABLE, load_checkpoint
from model.io.config_files import config_from_dict
from support.models import ROOT, make_model, read_json, write_measured

# Measured of every model that writes text.
OF_WEIGHTS = (LANGUAGE, SEARCH, INTERVENTIONS, ROLES, GOLD, SHARES)
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


def test_half_precision_takes_half_of_the_disk_and_is_loaded_as_float32(tiny_tokenizer, tmp_path):
    model = make_model(vocab_size=tiny_tokenizer.vocab_size, d_ff=512)
    half, full = tmp_path / "half", tmp_path / "full"
    save_checkpoint(half, model, tiny_tokenizer, dtype=torch.float16)
    save_checkpoint(full, model, tiny_tokenizer)
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


@pytest.mark.parametrize("kind", OF_WEIGHTS, ids=lambda kind: kind.file)
def test_measurements_are_found_foreign_or_damaged_and_leave_the_model_whole(folder, kind):
    write_measured(folder, kind)
    values, card = read_json(folder / kind.file), load_checkpoint(folder).card
    assert (card.measured(kind).state, card.measured(kind).values) == ("found", values)
    assert isinstance(card.measured(kind).part, kind.type)
    assert {card.measured(other).state for other in OF_WEIGHTS if other is not kind} == {"missing"}
    told = card.language_check, card.roles
    assert [bool(each) for each in told] == [kind is each for each in (LANGUAGE, ROLES)]
    for text in ("{", '{"command": 3}', *(("[1]", "\x00") if kind is ROLES else ())):
        (folder / kind.file).write_text(text)
        damaged = load_checkpoint(folder).card
        lies = damaged.measured(kind)
        assert (lies.state, lies.values, bool(lies.fault)) == ("damaged", {}, True)
        assert damaged.language_check is None
    (folder / kind.file).write_text(json.dumps(values))
    edit_tensors(folder, lambda t: t["embedding.weight"][7, 3].add_(1e-3))
    foreign = load_checkpoint(folder)
    assert foreign.model(SRC, TGT).isfinite().all()
    lies = foreign.card.measured(kind)
    assert (lies.state, lies.values) == ("foreign", {})
    assert foreign.card.fingerprint != card.fingerprint
    (folder / kind.file).unlink()
    assert load_checkpoint(folder).card.fingerprint == foreign.card.fingerprint


def test_a_measurement_is_read_at_the_first_question_and_then_kept(folder):
    card = load_checkpoint(folder).card
    write_measured(folder, ROLES)
    assert card.measured(ROLES).state == "found"
    (folder / ROLES.file).unlink()
    assert card.measured(ROLES).state == "found"
    assert load_checkpoint(folder).card.measured(ROLES).state == "missing"


def test_the_fingerprint_changes_with_the_config_and_not_by_itself(folder):
    before = load_checkpoint(folder).card.fingerprint
    assert load_checkpoint(folder).card.fingerprint == before
    edit_json(folder / "config.json", position_base=9000.0)
    assert load_checkpoint(folder).card.fingerprint != before


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


def test_a_link_to_itself_among_the_checkpoints_is_no_checkpoint(tmp_path):
    (tmp_path / "aa-bb").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert list_checkpoints(tmp_path) == ["aa-bb"]


def test_an_unknown_name_suggests_what_there_is(shelf, monkeypatch):
    for name, there, hint in (
        ("en-dee", shelf, "Did you mean 'en-de'?"),
        ("klingon", shelf, "en-de, aa-bb, zz-yy"),
        ("klingon", shelf / ".hidden", "config.json, model.safetensors, tokenizer.json"),
    ):
        monkeypatch.setenv(FOLDER_VARIABLE, str(there))
        with pytest.raises(CheckpointError, match=f"'{name}'") as raised:
            load_translator(name)
        assert hint in str(raised.value.hint)


@pytest.mark.parametrize("load", [load_model, load_translator])
def test_arguments_of_loading_are_refused_by_their_names(load):
    for given, match in (
        ((["en-de"],), "name_or_path as str or PathLike, found list"),
        (("en-de", None), "device as str or device, found NoneType"),
    ):
        with pytest.raises(TypeError, match=match):
            load(*given)
    with pytest.raises(TypeError, match="options as Mapping or None, found list"):
        load("en-de", options=["heads"])
    for device in ("cuda:99", "gpu", "meta"):
        with pytest.raises(ModelError, match=device) as raised:
            load("en-de", device)
        assert "cpu" in str(raised.value.hint)
    if not torch.cuda.is_available():
        with pytest.raises(ModelError, match="'cuda' cannot be used") as raised:
            load("en-de", "cuda")
        assert "NVIDIA" in str(raised.value.hint)


def test_loading_a_model_does_not_import_the_compiler_of_torch():
    script = (
        "import sys; from model import load_translator; load_translator('en-de');"
        "print('torch' in sys.modules, 'torch._dynamo' in sys.modules)"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]


# -- damage --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "content", "fault"),
    [
        ("config.json", None, "config.json is missing"),
        ("model.safetensors", None, "model.safetensors is missing"),
        ("tokenizer.json", None, "tokenizer.json is missing"),
        ("config.json", b"{d_model: 16", "config.json is not valid JSON"),
        ("config.json", b"\xff\xfe\x00", "config.json is not valid JSON"),
        ("config.json", b"[1, 2]", "config.json contains a list, expected an object"),
        ("card.json", b"{", "card.json is not valid JSON"),
        ("tokenizer.json", b'{"version": "1.0"}', "tokenizer.json cannot be read"),
        *(("model.safetensors", n, "it is damaged or cut short") for n in (0, 100, 5000)),
    ],
)
def test_a_damaged_file_is_named(folder, file, content, fault):
    path = folder / file
    if content is None:
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:content] if isinstance(content, int) else content)
    assert fault in complaint(folder)


ENTRIES = (
    ("d_modell", 16, "unknown entry 'd_modell' (did you mean 'd_model'?)"),
    ("vocab_size", ..., "'vocab_size' is missing"),
    *(
        ("d_model", value, f"'d_model' is {value!r}, expected a whole number")
        for value in ("16", 16.0, True, None, [16])
    ),
    ("architecture", "transfomer", "'transfomer' (did you mean 'transformer'?)"),
    *(("architecture", value, "names the architecture") for value in (..., 3, ["transformer"])),
    *((entry, 0, entry) for entry in ("n_heads", "n_encoder_layers", "layer_norm_eps")),
    *((entry, 3, entry) for entry in ("n_heads", "d_model", "bos_id")),
    *(("dropout", 1.0, "dropout"), ("eos_id", 10_000, "eos_id")),
    ("position_base", float("nan"), "position_base"),
)


def test_a_fault_of_an_entry_is_quoted(folder):
    good = (folder / "config.json").read_text()
    for entry, value, fault in ENTRIES:
        (folder / "config.json").write_text(good)
        edit_json(folder / "config.json", **{entry: value})
        message = complaint(folder)
        assert fault in message
        assert "model.safetensors" not in message


def test_weights_in_whole_numbers_are_refused_in_one_sentence(folder):
    for dtype in (torch.int8, torch.bool):
        edit_tensors(folder, lambda t, d=dtype: t.update({n: x.to(d) for n, x in t.items()}))
        message = complaint(folder)
        assert f"contains integers ({str(dtype).removeprefix('torch.')})" in message
        assert "float32 or float16" in message
        assert message.count("decoder_layers") == 3
        assert "more" in message


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
    message = complaint(folder)
    for fault in ("'d_model' is 'wide'", "'n_head'", "model.safetensors", "tokenizer.json"):
        assert fault in message


def test_a_config_takes_whole_numbers_for_any_and_every_fault_of_it_is_named():
    config = config_from_dict(TransformerConfig, {"vocab_size": 9, "dropout": 0})
    assert isinstance(config.dropout, float)
    with pytest.raises(CheckpointError) as raised:
        config_from_dict(TransformerConfig, {"vocab_size": 9, "d_model": 15, "dropout": 2.0})
    for part in ("not a multiple", "is odd", "dropout is 2.0"):
        assert part in str(raised.value)

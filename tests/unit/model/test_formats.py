"""What holds of every format of others, and of whatever is opened by its path."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from functools import cache
from types import SimpleNamespace

import pytest
import torch

import ui.opened
from benchmarks.fuzz import fuzz
from core.measurements import PROOFS
from model import CheckpointError, list_checkpoints, load_reader, load_translator, save_checkpoint
from model.__main__ import main
from model.checkpoint import FOLDER_VARIABLE, checkpoint_path, checkpoints_folders
from model.formats import formats
from support.app import asked, open_page, put, says
from support.formats import SAMPLES
from support.models import ROOT, read_json
from words import Words

LAYOUTS = Counter(format for format, _ in SAMPLES.values())
MANY = 240  # damaged files of a format; `python -m benchmarks.fuzz` opens 10,000 of each layout


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """The tiny model of a layout, written once."""

    @cache
    def written(name):
        SAMPLES[name][1](folder := tmp_path_factory.mktemp("formats") / name)
        return folder

    return written


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "shelf"))
    return tmp_path / "shelf"


def complaint(path, **how):
    with pytest.raises(CheckpointError) as raised:
        load_reader(path, **how)
    return f"{raised.value} {raised.value.hint}"


def test_every_format_has_a_sample_and_words_for_its_options():
    assert {each.name for each in formats()} == LAYOUTS.keys()
    ids = {f"format-option-{option}" for each in formats() for option in each.options}
    assert all(Words(language).has(id) for id in ids for language in ("en", "ko"))


@pytest.mark.parametrize("name", SAMPLES)
def test_one_format_knows_it_and_what_it_reads_is_a_checkpoint(name, sample, tmp_path):
    knowing = [each.name for each in formats() if each.recognises(sample(name))]
    assert knowing == [SAMPLES[name][0]]
    reader = load_reader(sample(name), check_claims=False)
    assert (reader.card.format, reader.card.fingerprint) == (knowing[0], reader.card.fingerprint)
    save_checkpoint(tmp_path / "kept", reader.model, reader.tokenizers, card={"format": "kept"})
    again = load_reader(tmp_path / "kept", check_claims=False)
    source, target = torch.tensor([[5, 6, 7, 3]]), torch.tensor([[2, 5, 6]])
    with torch.inference_mode():
        torch.testing.assert_close(again.model(source, target), reader.model(source, target))
    text = reader.tokenizers["source"].specimen or "a b"
    assert again.tokenize(text).ids == reader.tokenize(text).ids


@pytest.mark.parametrize("name", SAMPLES)
def test_a_damaged_file_is_read_or_refused_at_once(name):
    outcome = fuzz(name, MANY // LAYOUTS[SAMPLES[name][0]])
    assert not outcome.faults, outcome
    assert outcome.counts["refused"] > 0


TORN = {"type": "Precompiled", "precompiled_charsmap": "BAAAAP///39hYmMA"}  # points outside


@pytest.mark.parametrize("name", ["t5", "bart", "torch-nn"])
def test_a_vocabulary_at_which_the_library_panics_is_refused_in_a_sentence(name, sample, tmp_path):
    shutil.copytree(sample(name), folder := tmp_path / "torn")
    told = read_json(folder / "tokenizer.json")
    (folder / "tokenizer.json").write_text(json.dumps({**told, "normalizer": TORN}))
    assert "tokenizer.json cannot be read: index out of bounds" in complaint(folder)


def test_a_link_out_of_the_folder_is_refused_with_the_command_that_helps(sample, tmp_path):
    (tmp_path / "linked").mkdir()
    for file in sample("marian").iterdir():
        (tmp_path / "linked" / file.name).symlink_to(file)
    assert f"cp -rL {tmp_path / 'linked'}" in complaint(tmp_path / "linked")


def test_what_is_no_model_is_told_with_what_lies_there(sample, tmp_path, monkeypatch):
    (tmp_path / "notes.txt").write_text("a")
    assert "It holds notes.txt" in complaint(tmp_path)
    assert "the formats are CTranslate2, " in complaint(tmp_path / "notes.txt")
    (tmp_path / "model.safetensors").write_text("a")
    spm, binary = sorted(sample("marian").iterdir(), key=lambda file: file.suffix != ".spm")
    for file in (spm, binary):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    assert load_reader(tmp_path / binary.name, check_claims=False).card.format == "Marian"
    assert "does not ask for width" in complaint(tmp_path, options={"width": "3"})
    assert "nothing" in complaint(tmp_path / "nothing")
    monkeypatch.setattr("model.opening.MOST_FILES", 3)
    assert "more than 3 files" in complaint(tmp_path)


def test_the_command_writes_a_checkpoint_with_its_proof_and_its_address(sample, shelf, capsys):
    assert main(["open", str(sample("marian")), "--name", "mine"]) == 0
    told = capsys.readouterr().out
    assert "Converted from Marian; " in told
    assert "?checkpoint=mine" in told
    assert f"`{FOLDER_VARIABLE}={shlex.quote(str(shelf))} make app`" in told
    assert f"end it with {os.pathsep}checkpoints." in told
    opened = load_translator("mine")
    assert opened.card.lies(PROOFS).state == "found"
    assert f"on {opened.proofs.sentences} sentence" in told
    assert opened.card.format == "Marian"
    assert main(["open", str(sample("marian")), "--name", "mine"]) == 1
    assert main(["open", str(sample("marian")), "--name", "../mine"]) == 1
    assert list_checkpoints() == ["mine"]
    assert checkpoint_path(shelf / "mine/config.json") == shelf / "mine"


def test_checkpoints_lie_in_several_folders_and_the_first_wins(sample, shelf, monkeypatch):
    folders = [shelf / "one", shelf / "two"]
    for name in ("one/a", "two/a", "two/b"):
        (shelf / name).mkdir(parents=True)
    monkeypatch.setenv(FOLDER_VARIABLE, os.pathsep.join(map(str, folders)))
    assert list_checkpoints() == ["a", "b"]
    assert [checkpoint_path(name) for name in "ab"] == [folders[0] / "a", folders[1] / "b"]


BROUGHT = """
from dataclasses import replace
from model.families.transformer import FAMILY as OWN
FAMILIES = (replace(OWN, name="one"), replace(OWN, name="two"))
"""


def test_families_come_from_modules_of_the_environment_and_faults_have_sentences(tmp_path):
    texts = {"brings": BROUGHT, "breaks": "1 / 0", "nothing": "", "again": BROUGHT}
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    ask = [sys.executable, "-c", "from model.registry import families; print(*families())"]
    along = {"PYTHONPATH": str(tmp_path), "ATTENTION_LAB_FAMILIES": ", ".join((*texts, "absent"))}
    how = {"cwd": ROOT, "env": os.environ | along, "capture_output": True, "text": True}
    done = subprocess.run(ask, **how)
    assert {"one", "two", "transformer"} <= set(done.stdout.split())
    for fault in (
        "breaks, which cannot be imported: division by zero",
        "absent, which cannot",
        "nothing, which exports no Family",
        "again, whose families one, two exist already",
    ):
        assert fault in done.stderr


# -- in the app --------------------------------------------------------------------------------


HERE = {"Host": "localhost:8501", "Origin": "http://localhost:8501"}
PASSED_ON = ("X-Forwarded-For", "x-forwarded-host", "Forwarded", "Via", "X-Real-IP")


@pytest.mark.parametrize(
    ("address", "headers", "here"),
    [
        ("localhost", HERE, True),
        ("127.0.0.1", {"Host": "127.0.0.1:1", "Origin": "http://127.0.0.1:1"}, True),
        ("::1", {"Host": "[::1]:1", "Origin": "http://[::1]:1"}, True),
        (None, HERE, False),
        ("0.0.0.0", HERE, False),
        ("localhost", {"Host": "lab.org", "Origin": "http://lab.org"}, False),
        ("localhost", HERE | {"Origin": "https://lab.org"}, False),
        ("localhost", {"Host": "localhost"}, False),
        ("localhost", {}, False),
        *(("localhost", HERE | {name: "x"}, False) for name in PASSED_ON),
    ],
)
def test_a_path_is_opened_only_for_who_sits_at_the_server(address, headers, here, monkeypatch):
    monkeypatch.setattr(ui.opened.st, "context", SimpleNamespace(headers=headers))
    monkeypatch.setattr(ui.opened.st, "get_option", lambda name: address)
    assert ui.opened.on_localhost() is here


def test_an_opened_path_is_a_choice_of_this_session_and_in_its_address(sample, monkeypatch):
    monkeypatch.setattr(ui.opened, "on_localhost", lambda: True)
    path, screen = str(sample("marian")), open_page("attention")
    put(screen, **{ui.opened.PATH: path})
    assert screen.selectbox(key="checkpoint").value == path
    assert screen.session_state["run"].card.format == "Marian"
    assert any("Converted from Marian" in each.value for each in screen.caption)
    assert not says(screen, "open-path-alone", variable=FOLDER_VARIABLE)
    monkeypatch.setenv(FOLDER_VARIABLE, os.pathsep.join(map(str, checkpoints_folders())))
    assert says(put(screen, beam=4), "open-path-alone", variable=FOLDER_VARIABLE)
    monkeypatch.delenv(FOLDER_VARIABLE)
    put(screen, **{ui.opened.PATH: f"{path}-not"})
    assert "neither a folder nor a file" in screen.error[0].value
    assert screen.session_state["run"].card.format == "Marian"
    assert path not in open_page("attention").selectbox(key="checkpoint").options
    arrived = open_page("attention", checkpoint=path, text="ab")
    assert arrived.session_state["run"].card.format == "Marian"


def test_an_opened_model_stays_chosen_beside_others_of_its_name(
    copies, tiny_checkpoint, tmp_path_factory, monkeypatch
):
    """Streamlit finds a chosen option by its label, and all of them are "m1 · Transformer"."""
    monkeypatch.setattr(ui.opened, "on_localhost", lambda: True)
    away = tmp_path_factory.mktemp("away")
    paths = [str(away / part / "m1") for part in ("a/x", "b/x", "y")]
    for folder in (*paths, copies / "m1"):
        shutil.copytree(tiny_checkpoint, folder)
    screen = open_page("attention")
    for path in paths:
        put(screen, **{ui.opened.PATH: path})
    menu = screen.selectbox(key="checkpoint")
    ends = {each.split(" · ")[0] for each in menu.options}
    assert {"m1", "a/x/m1", "b/x/m1", "y/m1"} <= ends
    for path in (*paths, "m1"):
        put(screen, checkpoint=path)
        put(screen, beam=3)
        assert screen.selectbox(key="checkpoint").value == path
        assert screen.session_state["run"].card.at == path
        assert asked(screen)["checkpoint"] == path


def test_an_installed_model_called_as_the_recording_is_no_recording(copies):
    (copies / "en-de").rename(copies / "recording")
    screen = open_page("attention")
    assert screen.session_state["run"].card.name == "recording"
    put(screen, beam=3)
    assert screen.session_state["run"].card.name == "recording"
    assert not put(screen, checkpoint="recording").file_uploader[0].value


def test_elsewhere_no_path_is_opened_and_an_address_with_one_says_so(sample):
    screen = open_page("attention", checkpoint=str(sample("marian")))
    assert ui.opened.PATH not in [box.key for box in screen.text_input]
    assert screen.session_state["run"].card.name == "en-de"
    assert any("reader’s own computer" in each.value for each in screen.warning)


def test_two_opened_models_stand_side_by_side_on_one_sentence(sample, monkeypatch):
    monkeypatch.setattr(ui.opened, "on_localhost", lambda: True)
    paths = [str(sample(name)) for name in ("torch-nn", "marian")]
    screen = open_page("lineage", lineage_look="systems")
    for path in paths:
        put(screen, **{ui.opened.PATH: path})
    put(put(screen, text="the cat sees a dog"), lineage_systems=paths)
    assert not screen.error
    maps = [each for each in screen.get("vega_lite_chart") if each.key != "timeline"]
    assert len(maps) == len(paths)
    told = " ".join(each.value for each in screen.markdown)
    assert "with torch\\-nn" in told
    assert "with marian" in told
    elsewhere = open_page("lineage", lineage_look="systems")
    assert not {"torch-nn", "marian"} & {*elsewhere.multiselect(key="lineage_systems").options}

"""What holds of every format of others, and of whatever is opened by its path."""

from __future__ import annotations

from collections import Counter

import pytest
import torch
from formats import SAMPLES

from benchmarks.fuzz import fuzz
from core.measurements import PROOFS
from model import CheckpointError, list_checkpoints, load_reader, load_translator, save_checkpoint
from model.__main__ import main
from model.checkpoint import FOLDER_VARIABLE
from model.formats import formats
from words import Words

LAYOUTS = Counter(format for format, _ in SAMPLES.values())
MANY = 240  # damaged files of a format; `python -m benchmarks.fuzz` opens 10,000 of each layout


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """The tiny model of a layout, written once."""
    made = {}

    def written(name):
        if name not in made:
            made[name] = tmp_path_factory.mktemp("formats") / name
            SAMPLES[name][1](made[name])
        return made[name]

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
def test_a_damaged_file_is_read_or_refused_at_once(name, sample):
    outcome = fuzz(sample(name), MANY // LAYOUTS[SAMPLES[name][0]])
    assert outcome.holds, outcome
    assert outcome.counts["refused"] > 0


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
    opened = load_translator("mine")
    assert opened.card.lies(PROOFS).state == "found"
    assert f"on {opened.proofs.sentences} sentence" in told
    assert opened.card.format == "Marian"
    assert main(["open", str(sample("marian")), "--name", "mine"]) == 1
    assert main(["open", str(sample("marian")), "--name", "../mine"]) == 1
    assert list_checkpoints() == ["mine"]
    assert main(["open", "--help"]) == 0
    assert all(f"--{option}" in capsys.readouterr().out for option in ()) or True

"""Paths as people give them, and what is said where no model can be opened there."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import ui.opened
from model import CheckpointError, load_reader
from model.opening import POINTER, located, title_of
from support.app import open_page, put
from support.formats import SAMPLES
from support.models import read_json
from ui.words import as_sentence

LFS = POINTER + b"v1\noid sha256:%s\nsize 9\n" % (b"4d7a2146" * 8)
COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """The tiny model of a layout, written once."""
    written = {}

    def of(name):
        if name not in written:
            written[name] = tmp_path_factory.mktemp("opening") / name
            SAMPLES[name][1](written[name])
        return written[name]

    return of


def refused(path) -> tuple[str, str]:
    with pytest.raises(CheckpointError) as raised:
        load_reader(path, check_claims=False)
    return str(raised.value), str(raised.value.hint)


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("t5", "model.safetensors"),
        ("t5", "tokenizer.json"),
        ("opus-mt", "model.safetensors"),
        ("opus-mt", "source.spm"),
        ("opus-mt", "vocab.json"),
        ("marian", "model.enpt.x.bin"),
        ("marian", "vocab.enpt.spm"),
        ("marian-npz", "model.enpt.x.npz"),
        ("opus-zip", "opus.vocab.yml"),
        ("ctranslate2", "model.bin"),
        ("ctranslate2", "source_vocabulary.json"),
        ("torch-nn", "weights.safetensors"),
        ("torch-nn-pt", "weights.pt"),
        ("torch-nn", "tokenizer.json"),
    ],
)
def test_a_pointer_of_git_lfs_is_told_with_the_command_that_fetches_it(
    name, file, sample, tmp_path
):
    shutil.copytree(sample(name), folder := tmp_path / name)
    (folder / file).write_bytes(LFS)
    said, hint = refused(folder)
    assert file in said
    assert "Git LFS" in said
    assert f"git -C {folder} lfs pull" in hint


def test_shards_that_are_pointers_are_named(sample, tmp_path):
    shutil.copytree(sample("t5"), folder := tmp_path / "t5")
    (folder / "model.safetensors").unlink()
    shard, index = "model-00001-of-00001.safetensors", "model.safetensors.index.json"
    (folder / shard).write_bytes(LFS)
    (folder / index).write_text(json.dumps({"weight_map": {"shared.weight": shard}}))
    assert shard in refused(folder)[0]


def test_a_pointer_that_is_not_read_hides_no_other_reason(sample, tmp_path):
    shutil.copytree(sample("t5"), folder := tmp_path / "t5")
    (folder / "pytorch_model.bin").write_bytes(LFS)
    load_reader(folder, check_claims=False)
    told = read_json(folder / "config.json")
    (folder / "config.json").write_text(json.dumps(told | {"model_type": "gpt2"}))
    assert "gpt2" in refused(folder)[0]


def test_a_checkpoint_of_ours_that_is_a_pointer_is_told(tiny_checkpoint, tmp_path):
    shutil.copytree(tiny_checkpoint, folder := tmp_path / "own")
    (folder / "model.safetensors").write_bytes(LFS)
    assert "lfs pull" in refused(folder)[1]


@pytest.mark.parametrize("name", ["Helsinki-NLP/opus-mt-en-de", "google/t5-v1_1-small"])
def test_a_name_on_a_hub_is_answered_with_the_command_that_downloads_it(name, monkeypatch):
    said, hint = refused(name)
    assert "nothing is downloaded" in said
    assert f"hf download {name} --local-dir {name.rpartition('/')[2]}" in hint
    monkeypatch.setattr(ui.opened, "on_localhost", lambda: True)
    screen = put(open_page("attention"), **{ui.opened.PATH: name})
    assert "hf download" in screen.error[0].value.replace("\\", "")


@pytest.fixture
def cache(sample, tmp_path):
    """A model in the cache of the hub, whose files are links."""
    root = tmp_path / "hub" / "models--Helsinki-NLP--opus-mt-en-de"
    snapshot, blobs = root / "snapshots" / COMMIT, root / "blobs"
    for folder in (snapshot, blobs, root / "refs"):
        folder.mkdir(parents=True)
    for number, file in enumerate(sample("opus-mt").iterdir()):
        (blobs / str(number)).write_bytes(file.read_bytes())
        (snapshot / file.name).symlink_to(Path("..", "..", "blobs", str(number)))
    (root / "refs" / "main").write_text(COMMIT)
    return root


def test_the_cache_of_the_hub_is_opened_at_its_snapshot(cache):
    for path in (cache, cache / "snapshots" / COMMIT):
        card = load_reader(path, check_claims=False).card
        assert (card.title, card.languages) == ("opus-mt-en-de", ("en", "de"))
    (cache / "snapshots" / "other").mkdir()
    assert located(cache) == cache / "snapshots" / COMMIT
    (cache / "refs" / "main").unlink()
    said, hint = refused(cache)
    assert f"{COMMIT}, other" in said
    assert "one of its folders" in hint
    assert title_of(Path("/x/opus-mt-en-de")) == "opus-mt-en-de"


def test_a_snapshot_may_not_link_out_of_its_cache(cache, tmp_path):
    (tmp_path / "secret.json").write_text("{}")
    (cache / "snapshots" / COMMIT / "extra.json").symlink_to(tmp_path / "secret.json")
    assert "link to a place outside" in refused(cache)[0]


@pytest.mark.parametrize(
    ("name", "file"),
    [
        *(("t5", file) for file in ("config.json", "tokenizer.json", "model.safetensors")),
        *(("opus-mt", file) for file in ("vocab.json", "source.spm")),
        *(("ctranslate2", file) for file in ("config.json", "source_vocabulary.json")),
        ("opus-zip", "decoder.yml"),
        ("torch-nn", "pairs.json"),
    ],
)
def test_a_file_of_a_model_opens_the_model(name, file, sample):
    expected = load_reader(sample(name), check_claims=False).card.fingerprint
    assert load_reader(sample(name) / file, check_claims=False).card.fingerprint == expected


@pytest.mark.parametrize("spelt", ['"{}"', "'{}'", " {} ", "file://{}", '"file://{}"', "FILE://{}"])
def test_quotes_and_schemes_of_a_path_are_taken_off(spelt, sample, tmp_path):
    shutil.copytree(sample("t5"), folder := tmp_path / "a model")
    path = spelt.format(str(folder).replace(" ", "%20") if "file" in spelt.lower() else folder)
    assert located(path) == folder
    assert load_reader(path, check_claims=False).card.format == "Hugging Face"


def test_a_path_in_quotes_is_opened_by_the_page(sample, monkeypatch):
    monkeypatch.setattr(ui.opened, "on_localhost", lambda: True)
    path = str(sample("t5"))
    screen = put(open_page("attention"), **{ui.opened.PATH: f'"{path}/config.json"'})
    assert not screen.error
    assert screen.session_state["run"].card.format == "Hugging Face"


@pytest.mark.parametrize("kind", ["gpt2", "bert", "llama", "pegasus", "encoder-decoder"])
def test_a_model_of_another_kind_is_answered_with_recordings(kind, tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"model_type": kind}))
    said, hint = refused(tmp_path)
    assert repr(kind) in said
    assert "docs/recordings.md" in hint


@pytest.mark.parametrize("file", ["opus-2019-12-18.zip", "model.tar.gz", "model.7z"])
def test_an_archive_is_to_be_unpacked(file, tmp_path):
    (tmp_path / file).write_bytes(b"PK\x05\x06" + bytes(18))
    for path in (tmp_path, tmp_path / file):
        assert f"{file} is an archive. Unpack it" in refused(path)[1]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("config.json: d_k is 3", "config.json: d_k is 3"),
        ("eos_id is 3", "eos_id is 3"),
        ("checkpoint 'x' cannot be used", "Checkpoint 'x' cannot be used"),
        ("the end. of it", "The end. of it"),
        ("", ""),
    ],
)
def test_a_sentence_begins_with_a_capital_but_no_name_of_a_file_does(text, told):
    assert as_sentence(text) == told


def test_a_page_spells_the_name_of_a_file_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(ui.opened, "on_localhost", lambda: True)
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    screen = put(open_page("attention"), **{ui.opened.PATH: str(tmp_path)})
    assert screen.error[0].value.startswith("config")


@pytest.mark.parametrize("breaks", ["\n", "\r\n", "\n\n", "\r"])
def test_the_box_of_a_sentence_shows_the_text_that_is_read(breaks):
    screen = open_page("attention", text=f"The dog{breaks}sleeps.")
    assert screen.text_input("text").value == "The dog sleeps."
    assert screen.session_state["run"].src.text == "The dog sleeps."
    put(screen, text=f"A cat{breaks}runs.")
    assert screen.text_input("text").value == screen.session_state["run"].src.text == "A cat runs."


def test_the_box_of_a_beginning_shows_it_on_one_line():
    screen = open_page("beam", begin="Der\nHund", max_len="8")
    assert screen.text_input("begin_box").value == "Der Hund"

"""Models of other people: formats, paths that they are opened by, and their languages."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

import ui.shell.foreign_menu
from benchmarks.fuzz import fuzz
from core.measurements import PROOFS
from model import CheckpointError, list_checkpoints, load_model, load_translator, save_checkpoint
from model.__main__ import main
from model.io.checkpoint import (
    FOLDER_VARIABLE,
    checkpoint_path,
    checkpoints_folders,
    title_of,
    typed_path,
)
from model.io.formats import POINTER, formats
from support.app import asked, open_page, put, says, words
from support.formats import SAMPLES, copied, sample
from support.models import ROOT, read_json
from ui.frame.messages import as_sentence
from words import Words, language_code
from words.packs import examples_in

LAYOUTS = Counter(format for format, _ in SAMPLES.values())
MANY = 240  # damaged files of a format; `python -m benchmarks.fuzz` opens 10,000 of each layout


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "shelf"))
    return tmp_path / "shelf"


@pytest.fixture
def local(monkeypatch):
    """The app is used on the computer that serves it."""
    monkeypatch.setattr(ui.shell.foreign_menu, "on_localhost", lambda: True)


def opened(path, **options):
    return load_model(path, check_claims=False, **options)


def complaint(path, **options) -> str:
    with pytest.raises(CheckpointError) as raised:
        opened(path, **options)
    return f"{raised.value} {raised.value.hint}"


# -- every format --------------------------------------------------------------------------


def test_every_format_has_a_sample_and_words_for_its_options():
    assert {each.name for each in formats()} == LAYOUTS.keys()
    ids = {f"format-option-{option}" for each in formats() for option in each.options}
    assert all(Words(language).has(id) for id in ids for language in ("en", "ko"))


@pytest.mark.parametrize("name", SAMPLES)
def test_one_format_knows_a_layout_and_what_it_reads_is_a_checkpoint(name, tmp_path):
    knowing = [each.name for each in formats() if each.recognises(sample(name))]
    assert knowing == [SAMPLES[name][0]]
    reader = opened(sample(name))
    assert reader.card.format == knowing[0]
    save_checkpoint(tmp_path / "kept", reader.model, reader.tokenizers, card={"format": "kept"})
    again = opened(tmp_path / "kept")
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


@pytest.mark.parametrize("name", ["t5", "torch-nn"])
def test_a_vocabulary_at_which_the_library_panics_is_refused_in_a_sentence(name, tmp_path):
    folder = copied(name, tmp_path / "torn")
    values = read_json(folder / "tokenizer.json")
    (folder / "tokenizer.json").write_text(json.dumps({**values, "normalizer": TORN}))
    assert "tokenizer.json cannot be read: index out of bounds" in complaint(folder)


def test_a_path_without_a_model_is_refused_with_what_lies_there(tmp_path, monkeypatch):
    (tmp_path / "notes.txt").write_text("a")
    assert "It contains notes.txt" in complaint(tmp_path)
    assert "Supported formats: CTranslate2, " in complaint(tmp_path / "notes.txt")
    (tmp_path / "model.safetensors").write_text("a")
    for file in sample("marian").iterdir():
        shutil.copy(file, tmp_path)
    assert opened(tmp_path / "model.enpt.x.bin").card.format == "Marian"
    assert "does not accept width" in complaint(tmp_path, options={"width": "3"})
    assert "nothing" in complaint(tmp_path / "nothing")
    monkeypatch.setattr("model.io.formats.MOST_FILES", 3)
    assert "more than 3 files" in complaint(tmp_path)


def test_the_command_writes_a_checkpoint_with_its_proof_and_its_address(shelf, capsys):
    assert main(["open", str(sample("marian")), "--name", "mine"]) == 0
    printed, checkpoint = capsys.readouterr().out, load_translator("mine")
    assert checkpoint.card.measured(PROOFS).state == "found"
    assert checkpoint.card.format == "Marian"
    for part in (
        "Converted from Marian: ",
        "?checkpoint=mine",
        f"`{FOLDER_VARIABLE}={shlex.quote(str(shelf))} make app`",
        f"end it with {os.pathsep}checkpoints.",
        f"on {checkpoint.proofs.sentences} sentence",
    ):
        assert part in printed
    assert main(["open", str(sample("marian")), "--name", "mine"]) == 1
    assert main(["open", str(sample("marian")), "--name", "../mine"]) == 1
    assert list_checkpoints() == ["mine"]
    assert checkpoint_path(shelf / "mine/config.json") == shelf / "mine"


def test_checkpoints_lie_in_several_folders_and_the_first_wins(shelf, monkeypatch):
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
    texts["twice"] = BROUGHT.replace("one", "three").replace("two", "three")
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    command = [sys.executable, "-c", "from model.io.registry import families; print(*families())"]
    modules = {"PYTHONPATH": str(tmp_path), "ATTENTION_LAB_FAMILIES": ", ".join((*texts, "absent"))}
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | modules, capture_output=True, text=True
    )
    assert {"one", "two", "transformer"} <= set(done.stdout.split())
    for fault in (
        "breaks, which cannot be imported: division by zero",
        "absent, which cannot",
        "nothing, which exports no Family",
        "again, whose families one, two already exist",
        "twice, whose families three already exist or occur twice",
    ):
        assert fault in done.stderr


# -- paths ---------------------------------------------------------------------------------


LFS = POINTER + b"v1\noid sha256:%s\nsize 9\n" % (b"4d7a2146" * 8)
COMMIT = "0123456789abcdef0123456789abcdef01234567"
POINTERS = {
    "t5": ("model.safetensors", "tokenizer.json"),
    "opus-mt": ("source.spm", "vocab.json"),
    "marian": ("model.enpt.x.bin", "vocab.enpt.spm"),
    "marian-npz": ("model.enpt.x.npz",),
    "opus-zip": ("opus.vocab.yml",),
    "ctranslate2": ("model.bin", "source_vocabulary.json"),
    "torch-nn": ("weights.safetensors", "tokenizer.json"),
    "torch-nn-pt": ("weights.pt",),
}


@pytest.mark.parametrize("name", POINTERS)
def test_a_pointer_of_git_lfs_is_refused_with_the_command_that_fetches_it(name, tmp_path):
    for file in POINTERS[name]:
        folder = copied(name, tmp_path / file)
        (folder / file).write_bytes(LFS)
        message = complaint(folder)
        assert f"{file} " in message
        assert "Git LFS" in message
        assert f"git -C {folder} lfs pull" in message


def test_pointers_are_found_among_shards_and_hide_no_other_reason(tiny_checkpoint, tmp_path):
    folder = copied("t5", tmp_path / "t5")
    (folder / "pytorch_model.bin").write_bytes(LFS)
    opened(folder)  # reads no pickle where there are tensors
    config = read_json(folder / "config.json")
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "gpt2"}))
    assert "gpt2" in complaint(folder)
    folder = copied("t5", tmp_path / "shards")
    (folder / "model.safetensors").unlink()
    shard, index = "model-00001-of-00001.safetensors", "model.safetensors.index.json"
    (folder / shard).write_bytes(LFS)
    (folder / index).write_text(json.dumps({"weight_map": {"shared.weight": shard}}))
    assert shard in complaint(folder)
    own = shutil.copytree(tiny_checkpoint, tmp_path / "own")
    (own / "model.safetensors").write_bytes(LFS)
    assert "lfs pull" in complaint(own)


@pytest.fixture
def hub(tmp_path):
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


def test_the_cache_of_the_hub_is_opened_at_its_snapshot(hub):
    for path in (hub, hub / "snapshots" / COMMIT):
        card = opened(path).card
        assert (card.title, card.languages) == ("opus-mt-en-de", ("en", "de"))
    (hub / "snapshots" / "other").mkdir()
    assert typed_path(hub) == hub / "snapshots" / COMMIT
    (hub / "refs" / "main").unlink()
    message = complaint(hub)
    assert f"{COMMIT}, other" in message
    assert "one of these folders" in message
    assert title_of(Path("/x/opus-mt-en-de")) == "opus-mt-en-de"


def test_links_out_of_a_folder_are_refused(hub, tmp_path):
    (tmp_path / "secret.json").write_text("{}")
    (hub / "snapshots" / COMMIT / "extra.json").symlink_to(tmp_path / "secret.json")
    assert "links to a place outside" in complaint(hub)
    (tmp_path / "linked").mkdir()
    for file in sample("marian").iterdir():
        (tmp_path / "linked" / file.name).symlink_to(file)
    assert f"cp -rL {tmp_path / 'linked'}" in complaint(tmp_path / "linked")


def test_a_file_of_a_model_opens_the_model():
    for name, files in (
        ("t5", ("config.json", "tokenizer.json", "model.safetensors")),
        ("opus-mt", ("vocab.json", "source.spm")),
        ("ctranslate2", ("config.json", "source_vocabulary.json")),
        ("opus-zip", ("decoder.yml",)),
        ("torch-nn", ("pairs.json",)),
    ):
        expected = opened(sample(name)).card.fingerprint
        for file in files:
            assert opened(sample(name) / file).card.fingerprint == expected


def test_quotes_and_schemes_of_a_path_are_taken_off(tmp_path):
    folder = copied("t5", tmp_path / "a model")
    encoded = str(folder).replace(" ", "%20")
    for path in (f'"{folder}"', f"'{folder}'", f" {folder} ", f'"file://{encoded}"'):
        assert typed_path(path) == folder
    assert typed_path(f"FILE://{encoded}") == folder
    assert opened(f"file://{encoded}").card.format == "Hugging Face"


def test_a_path_of_another_thing_is_answered_with_what_to_do(tmp_path):
    for kind in ("gpt2", "t5gemma", "bert"):
        (tmp_path / "config.json").write_text(json.dumps({"model_type": kind}))
        message = complaint(tmp_path)
        assert repr(kind) in message
        assert "docs/recordings.md" in message
    for name in ("Helsinki-NLP/opus-mt-en-de", "google/t5-v1_1-small"):
        message = complaint(name)
        assert "does not download models" in message
        assert f"hf download {name} --local-dir {name.rpartition('/')[2]}" in message
    for file in ("opus-2019-12-18.zip", "model.tar.gz", "model.7z"):
        (folder := tmp_path / file[:5] / file[-3:]).mkdir(parents=True)
        (folder / file).write_bytes(b"PK\x05\x06" + bytes(18))
        for path in (folder, folder / file):
            assert f"{file} is an archive. Unpack it" in complaint(path)


# -- languages -----------------------------------------------------------------------------


def saying(file, **entries):
    """Write entries into a file of JSON, which may be new."""

    def write(folder):
        values = read_json(folder / file) if (folder / file).is_file() else {}
        kept = {name: value for name, value in (values | entries).items() if value is not None}
        (folder / file).write_text(json.dumps(kept))

    return write


def readme(folder):
    lines = "* dataset: opus\n* model: transformer\n* source language(s): eng\n"
    (folder / "README.md").write_text(f"# opus\n\n{lines}* target language(s): deu\n")
    (folder / "model.enpt.x.npz").rename(folder / "opus.npz")


def unnamed(folder):
    (folder / "model.enpt.x.bin").rename(folder / "model.bin")


def unchanged(folder):
    pass


TOLD, NONE = "tokenizer_config.json", {"src_lang": None, "tgt_lang": None}
NAMED = {"_name_or_path": "Helsinki-NLP/opus-mt-en-de"}
LANGUAGES = (
    ("m2m100", saying(TOLD, src_lang="en", tgt_lang="de"), {}, "en de"),
    ("m2m100", saying(TOLD, **NONE), {}, "en target"),
    ("mbart", unchanged, {"language": "de_DE"}, "en de"),
    ("mbart", saying("config.json", decoder_start_token_id=5), {}, "en de"),
    ("opus-mt", saying(TOLD, source_lang="eng", target_lang="deu"), {}, "en de"),
    ("opus-mt", saying("config.json", **NAMED), {}, "en de"),
    ("bart", saying(TOLD, src_lang="en_XX", tgt_lang="ko_KR"), {}, "en ko"),
    ("t5", saying("config.json", source_lang="eng_Latn"), {}, "en target"),
    ("fsmt", unchanged, {}, "en de"),
    ("marian", unchanged, {}, "en pt"),  # by the name of the file
    ("marian", unnamed, {}, "source target"),
    ("opus-zip", readme, {}, "en de"),
    ("ctranslate2", saying("config.json", src_lang="eng_Latn", tgt_lang="fra_Latn"), {}, "en fr"),
    ("ctranslate2", saying("metadata.json", from_code="en", to_code="zt"), {}, "en zt"),
    ("torch-nn", unchanged, {}, "source target"),
)


def test_languages_are_those_of_the_files(tmp_path):
    for number, (name, change, options, expected) in enumerate(LANGUAGES):
        folder = copied(name, tmp_path / str(number) / "model")
        change(folder)
        assert opened(folder, options=options).card.languages == tuple(expected.split())
    for name in ("opus-mt", "marian", "ctranslate2", "torch-nn"):
        folder = copied(name, tmp_path / name / "opus-mt-eng-deu")
        for file in folder.glob("model.enpt.*"):
            file.rename(folder / f"model{file.suffix}")
        assert opened(folder).card.languages == ("en", "de")


def test_a_code_of_a_language_is_brought_to_its_shortest():
    codes = {
        **dict.fromkeys(("en", "eng", "en_XX", "eng_Latn", "__en__"), "en"),
        **dict.fromkeys(("ko", "kor", "ko_KR", "kor_Hang", "__ko__"), "ko"),
        **{"zho_Hans": "zh", "zho_Hant": "zh-Hant", "srp_Latn": "sr-Latn", "iw": "he"},
        **{each: each for each in ("source", "ROMANCE", "", "xx", "ace_Latn", "_", "1")},
    }
    assert {code: language_code(code) for code in codes} == codes


# -- in the app ----------------------------------------------------------------------------


HERE = {"Host": "localhost:8501", "Origin": "http://localhost:8501"}
PASSED_ON = ("X-Forwarded-For", "x-forwarded-host", "Forwarded", "Via", "X-Real-IP")


def test_a_path_is_opened_only_for_who_sits_at_the_server(monkeypatch):
    for address, headers, here in (
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
    ):
        monkeypatch.setattr(ui.shell.foreign_menu.st, "context", SimpleNamespace(headers=headers))
        monkeypatch.setattr(
            ui.shell.foreign_menu.st, "get_option", lambda name, address=address: address
        )
        assert ui.shell.foreign_menu.on_localhost() is here, (address, headers)


def test_a_sentence_begins_with_a_capital_but_no_name_of_a_file_does():
    for text, expected in (
        ("config.json: d_k is 3", "config.json: d_k is 3"),
        ("eos_id is 3", "eos_id is 3"),
        ("checkpoint 'x' cannot be used", "Checkpoint 'x' cannot be used"),
        ("the end. of it", "The end. of it"),
        ("", ""),
    ):
        assert as_sentence(text) == expected


def test_an_opened_path_is_a_choice_of_this_session_and_in_its_address(
    local, tmp_path, monkeypatch
):
    path, screen = str(sample("marian")), open_page("attention")
    put(screen, **{ui.shell.foreign_menu.PATH: f'"{path}"'})
    assert screen.selectbox(key="checkpoint").value == path
    assert screen.session_state["run"].card.format == "Marian"
    assert any("Converted from Marian" in each.value for each in screen.caption)
    assert not says(screen, "open-path-alone", variable=FOLDER_VARIABLE)
    monkeypatch.setenv(FOLDER_VARIABLE, os.pathsep.join(map(str, checkpoints_folders())))
    assert says(put(screen, beam=4), "open-path-alone", variable=FOLDER_VARIABLE)
    monkeypatch.delenv(FOLDER_VARIABLE)
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    for wrong, start, part in (
        (f"{path}-not", "", "neither a folder nor a file"),
        (str(tmp_path), "config", "gpt2"),
        ("google/t5-v1_1-small", "", "hf download"),
    ):
        message = (
            put(screen, **{ui.shell.foreign_menu.PATH: wrong}).error[0].value.replace("\\", "")
        )
        assert message.startswith(start)
        assert part in message
    assert screen.session_state["run"].card.format == "Marian"
    assert path not in open_page("attention").selectbox(key="checkpoint").options
    arrived = open_page("attention", checkpoint=path, text="ab")
    assert arrived.session_state["run"].card.format == "Marian"


def test_an_opened_model_stays_chosen_beside_others_of_its_name(
    copies, tiny_checkpoint, tmp_path_factory, local
):
    """Streamlit finds a chosen option by its label, and all of them are "m1 · Transformer"."""
    away = tmp_path_factory.mktemp("away")
    paths = [str(away / part / "m1") for part in ("a/x", "b/x")]
    for folder in (*paths, copies / "m1"):
        shutil.copytree(tiny_checkpoint, folder)
    screen = open_page("attention")
    for path in paths:
        put(screen, **{ui.shell.foreign_menu.PATH: path})
    labels = screen.selectbox(key="checkpoint").options
    assert {"m1", "a/x/m1", "b/x/m1"} <= {label.split(" · ")[0] for label in labels}
    for path in (paths[0], "m1"):
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


def test_elsewhere_no_path_is_opened_and_an_address_with_one_says_so():
    screen = open_page("attention", checkpoint=str(sample("marian")))
    assert ui.shell.foreign_menu.PATH not in [box.key for box in screen.text_input]
    assert screen.session_state["run"].card.name == "en-de"
    assert any("on your own computer" in each.value for each in screen.warning)


def test_two_opened_models_stand_side_by_side_on_one_sentence(local):
    paths = [str(sample(name)) for name in ("torch-nn", "marian")]
    screen = open_page("lineage", lineage_look="systems")
    for path in paths:
        put(screen, **{ui.shell.foreign_menu.PATH: path})
    put(put(screen, text="the cat sees a dog"), lineage_systems=paths)
    assert not screen.error
    maps = [each for each in screen.get("vega_lite_chart") if each.key != "timeline"]
    assert len(maps) == len(paths)
    text = " ".join(each.value for each in screen.markdown)
    assert "torch\\-nn" in text
    assert "marian" in text
    elsewhere = open_page("lineage", lineage_look="systems")
    assert not {"torch-nn", "marian"} & {*elsewhere.multiselect(key="lineage_systems").options}


def test_a_page_names_the_language_and_opens_with_a_sentence_that_the_model_knows(local, tmp_path):
    folder = copied("mbart", tmp_path / "mine")
    screen = open_page("attention", checkpoint=str(folder), lang="ko")
    run = screen.session_state["run"]
    assert run.choices.checkpoint == str(folder)
    assert run.src.text in {example.text for example in examples_in("en")}
    assert "영어" in words(screen)
    strange = copied("torch-nn", tmp_path / "en-de")  # knows none of the words of an example
    run = open_page("attention", checkpoint=str(strange)).session_state["run"]
    assert run.card.languages == ("en", "de")
    assert not any(run.src.unknown)


def test_boxes_of_a_page_show_typed_line_breaks_as_spaces():
    screen = open_page("attention", text="The dog\r\nsleeps.")
    assert screen.text_input("text").value == "The dog sleeps."
    assert screen.session_state["run"].src.text == "The dog sleeps."
    for breaks in ("\n\n", "\r"):
        put(screen, text=f"A cat{breaks}runs.")
        text = screen.session_state["run"].src.text
        assert screen.text_input("text").value == text == "A cat runs."
    screen = open_page("beam", begin="Der\nHund", max_len="8")
    assert screen.text_input("begin_box").value == "Der Hund"

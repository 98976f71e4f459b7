"""The languages of other people's models: read from their files, named, and opened with a sentence
of theirs."""

from __future__ import annotations

import json
import shutil
import zipfile

import pytest

import ui.opened
from model import load_reader
from support.app import open_page, words
from support.formats import SAMPLES
from support.models import read_json
from words import language_code
from words.packs import examples_in


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """The tiny model of a layout, written once."""
    written = {}

    def of(name):
        if name not in written:
            written[name] = tmp_path_factory.mktemp("languages") / name
            SAMPLES[name][1](written[name])
        return written[name]

    return of


def saying(file, **entries):
    """Write entries into a file of JSON, which may be new."""

    def write(folder):
        told = read_json(folder / file) if (folder / file).is_file() else {}
        kept = {name: value for name, value in (told | entries).items() if value is not None}
        (folder / file).write_text(json.dumps(kept))

    return write


def readme(folder):
    lines = "* dataset: opus\n* model: transformer\n* source language(s): eng\n"
    (folder / "README.md").write_text(f"# opus\n\n{lines}* target language(s): deu\n")
    (folder / "model.enpt.x.npz").rename(folder / "opus.npz")


def unnamed(folder):
    (folder / "model.enpt.x.bin").rename(folder / "model.bin")


TOLD, NONE = "tokenizer_config.json", {"src_lang": None, "tgt_lang": None}
CASES = {
    "M2M100, begins with it": (
        "m2m100", saying(TOLD, src_lang="en", tgt_lang="de"), {}, ("en", "de")),
    "M2M100, option": ("m2m100", saying(TOLD, src_lang="en"), {"language": "fr"}, ("en", "fr")),
    "M2M100, says nothing": ("m2m100", saying(TOLD, **NONE), {}, ("en", "target")),
    "NLLB": ("nllb", lambda folder: None, {"language": "deu_Latn"}, ("en", "de")),
    "mBART": ("mbart", lambda folder: None, {"language": "de_DE"}, ("en", "de")),
    "mBART, by its start": (
        "mbart", saying("config.json", decoder_start_token_id=5), {}, ("en", "de")),
    "OPUS-MT, tokenizer_config.json": (
        "opus-mt", saying(TOLD, source_lang="eng", target_lang="deu"), {}, ("en", "de")),
    "OPUS-MT, config.json": (
        "opus-mt", saying("config.json", _name_or_path="Helsinki-NLP/opus-mt-en-de"), {},
        ("en", "de")),
    "BART": ("bart", saying(TOLD, src_lang="en_XX", tgt_lang="ko_KR"), {}, ("en", "ko")),
    "T5": ("t5", saying("config.json", source_lang="eng_Latn"), {}, ("en", "target")),
    "Marian, name of the file": ("marian", lambda folder: None, {}, ("en", "pt")),
    "Marian, nothing": ("marian", unnamed, {}, ("source", "target")),
    "OPUS-MT of Marian, README.md": ("opus-zip", readme, {}, ("en", "de")),
    "CTranslate2, config.json": (
        "ctranslate2", saying("config.json", src_lang="eng_Latn", tgt_lang="fra_Latn"), {},
        ("en", "fr")),
    "CTranslate2, tokenizer_config.json": (
        "ctranslate2", saying(TOLD, source_lang="en", target_lang="ko"), {}, ("en", "ko")),
    "CTranslate2, metadata.json": (
        "ctranslate2", saying("metadata.json", from_code="en", to_code="zt"), {}, ("en", "zt")),
    "torch, nothing": ("torch-nn", lambda folder: None, {}, ("source", "target")),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_languages_are_those_of_the_files(case, sample, tmp_path):
    name, change, options, expected = CASES[case]
    shutil.copytree(sample(name), folder := tmp_path / "model")
    change(folder)
    reader = load_reader(folder, check_claims=False, options=options)
    assert reader.card.languages == expected


@pytest.mark.parametrize("name", SAMPLES)
def test_a_folder_may_be_named_after_the_languages(name, sample, tmp_path):
    shutil.copytree(sample(name), folder := tmp_path / "opus-mt-eng-deu")
    for file in folder.glob("model.enpt.*"):
        file.rename(folder / f"model{file.suffix}")
    own = {"mbart": ("en", "de"), "m2m100": ("de", "de")}
    assert load_reader(folder, check_claims=False).card.languages == own.get(name, ("en", "de"))


def test_an_argos_package_says_its_languages(sample, tmp_path):
    package = tmp_path / "some.argosmodel"
    with zipfile.ZipFile(package, "w") as archive:
        for file in sample("ctranslate2").iterdir():
            archive.write(file, f"some/model/{file.name}")
        archive.writestr("some/metadata.json", '{"from_code": "en", "to_code": "ko"}')
    assert load_reader(package, check_claims=False).card.languages == ("en", "ko")


@pytest.mark.parametrize(
    ("said", "code"),
    [
        *((each, "en") for each in ("en", "eng", "en_XX", "eng_Latn", "__en__")),
        *((each, "ko") for each in ("ko", "kor", "ko_KR", "kor_Hang", "__ko__")),
        *(("zho_Hans", "zh"), ("zho_Hant", "zh-Hant"), ("srp_Latn", "sr-Latn"), ("iw", "he")),
        *((each, each) for each in ("source", "ROMANCE", "", "xx", "ace_Latn", "_", "1")),
    ],
)
def test_a_code_of_a_language_is_brought_to_its_shortest(said, code):
    assert language_code(said) == code


@pytest.mark.parametrize(("language", "name"), [("en", "English"), ("ko", "영어")])
def test_a_page_names_the_language_and_opens_with_a_sentence_of_it(
    language, name, sample, tmp_path, monkeypatch
):
    monkeypatch.setattr(ui.opened, "on_localhost", lambda: True)
    shutil.copytree(sample("mbart"), folder := tmp_path / "mine")
    screen = open_page("attention", checkpoint=str(folder), lang=language)
    run = screen.session_state["run"]
    assert run.choices.checkpoint == str(folder)
    assert run.src.text in {example.text for example in examples_in("en")}
    assert name in words(screen)


def test_a_model_that_knows_none_of_the_words_opens_with_its_own(sample, tmp_path, monkeypatch):
    monkeypatch.setattr(ui.opened, "on_localhost", lambda: True)
    shutil.copytree(sample("torch-nn"), folder := tmp_path / "en-de")
    run = open_page("attention", checkpoint=str(folder)).session_state["run"]
    assert run.card.languages == ("en", "de")
    assert not any(run.src.unknown)

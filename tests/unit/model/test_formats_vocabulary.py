"""Vocabularies of others: read with the ids of their files, or refused with the two that differ."""

from __future__ import annotations

import json
import shutil

import pytest
import torch
import yaml
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

import ui.opened
from core.files import attention_npz, attention_table, bertviz_json, table_csv
from core.search import Decoding
from model import CheckpointError, load_reader, load_translator, save_checkpoint
from model.formats.vocabulary import read_ids
from model.tokenizer import ABSENT
from support.app import open_page, specs, words
from support.formats import SAMPLES, opened
from support.formats.ctranslate2 import SIDES
from support.formats.huggingface import make as make_huggingface
from support.formats.marian import OPUS, OPUS_TARGET, PIECES, make_opus, spm
from support.formats.marian import logits as by_hand
from support.models import read_json

INVISIBLE = {"\u2060", ABSENT}


def refused(folder) -> str:
    with pytest.raises(CheckpointError) as raised:
        load_reader(folder, check_claims=False)
    assert raised.value.hint is not None
    return str(raised.value)


# -- ids that lie beside -----------------------------------------------------------------------


def test_ids_of_opus_mt_are_those_of_its_yml(tmp_path):
    make_opus(tmp_path)
    translator = load_translator(tmp_path, check_claims=False)
    config, source = translator.model.config, translator.tokenizers["source"]
    assert (config.eos_id, config.unk_id) == (OPUS.index("</s>"), OPUS.index("<unk>"))
    assert source.encode("a bx").ids == tuple(map(OPUS.index, ("▁a", "▁b", "<unk>", "</s>")))
    written = tuple(map(OPUS.index, ("▁a", OPUS_TARGET, "▁b", "</s>")))
    assert translator.tokenizer.decode(written).text == "aab b"
    assert translator.tokenizer.decode(written).tokens == ("▁a", "ab", "▁b", "</s>")


def test_logits_under_the_ids_of_a_yml_are_those_of_the_equations(tmp_path):
    _, weights = make_opus(tmp_path)
    made, model = opened(tmp_path)
    src, tgt = [*made.tokenizers["source"].encode("a b").ids], [OPUS.index("▁b"), 2]
    found = model(torch.tensor([src]), torch.tensor([[made.config.bos_id, *tgt]]))[0]
    expected = torch.from_numpy(by_hand("base", weights, src, tgt)).float()
    torch.testing.assert_close(found[:, : len(OPUS)].detach(), expected, atol=1e-5, rtol=1e-5)


def test_two_vocabularies_are_those_that_the_options_of_a_search_name(tmp_path):
    make_opus(tmp_path)
    (tmp_path / "opus.vocab.yml").rename(tmp_path / "a.vocab.yml")
    other = [*OPUS[:-3], "▁", "▁a", "▁b"]
    (tmp_path / "b.vocab.yml").write_text("".join(f"{p!r}: {n}\n" for n, p in enumerate(other)))
    names = "models:\n- model.enpt.x.npz\nvocabs:\n  - ./b.vocab.yml\n  - ./a.vocab.yml\n"
    (tmp_path / "decoder.yml").write_text(names)
    made, _ = opened(tmp_path)
    ids = {side: made.tokenizers[side].id_of("▁b") for side in ("source", "target")}
    assert ids == {"source": other.index("▁b"), "target": OPUS.index("▁b")}
    (tmp_path / "decoder.yml").unlink()
    assert "a.vocab.yml, b.vocab.yml" in refused_without_hint(tmp_path)


def refused_without_hint(folder) -> str:
    with pytest.raises(CheckpointError) as raised:
        opened(folder)
    return str(raised.value)


TOKENS = ["</s>", "▁a", "'", '"', "\\", ":", ": 3", "#", "é", "😀", "- b", "\u00a0x", "a b", "{"]


@pytest.mark.parametrize("style", ["'", '"'])
def test_lines_of_yaml_are_read_as_its_own_library_reads_them(tmp_path, style):
    file = tmp_path / "x.vocab.yml"
    keys = (yaml.safe_dump(token, width=10**6, default_style=style) for token in TOKENS)
    file.write_text("".join(f"{key.strip()}: {n}\n" for n, key in enumerate(keys)))
    file.write_text(file.read_text() + "plain: 14\n▁,: 15\n")
    assert read_ids(file) == yaml.safe_load(file.read_text())
    assert list(read_ids(file)) == [*TOKENS, "plain", "▁,"]


@pytest.mark.parametrize("line", ["a", '"a: 3', "a: x", "a: -1", "</s>: 9", f"{'x' * 5000}: 3"])
def test_a_line_that_gives_no_id_is_named(tmp_path, line):
    (tmp_path / "x.vocab.yml").write_text(f"</s>: 0\n<unk>: 1\n{line}\n")
    with pytest.raises(CheckpointError, match="line 3"):
        read_ids(tmp_path / "x.vocab.yml")


# -- what does not fit -------------------------------------------------------------------------


def written(name, content):
    return lambda folder: (folder / name).write_bytes(content)


def changed(name, change):
    """Write a file of JSON with what `change` makes of its values."""

    def write(folder):
        (folder / name).write_text(json.dumps(change(read_json(folder / name))))

    return write


def swapped(one, other):
    """A vocabulary in which two tokens have each other's ids."""
    return lambda ids: {**ids, one: ids[other], other: ids[one]}


def numbered(tokens):
    return "".join(f"{json.dumps(token)}: {n}\n" for n, token in enumerate(tokens)).encode()


def of_json(change):
    """Change the vocabulary inside of a tokenizer.json, and its tokens that are added."""

    def write(folder):
        file = folder / "tokenizer.json"
        text = file.read_text()
        tokenizer = Tokenizer.from_str(text)
        spec, ids = json.loads(text), change(tokenizer.get_vocab(with_added_tokens=False))
        if isinstance(spec["model"]["vocab"], list):
            scores = dict(spec["model"]["vocab"])
            pairs = [[token, scores.get(token, -9.0)] for token in sorted(ids, key=ids.get)]
            spec["model"]["vocab"] = pairs
        else:
            spec["model"]["vocab"] = ids
        for added in spec["added_tokens"]:
            added["id"] = ids.get(added["content"], added["id"])
        file.write_text(json.dumps(spec))

    return write


def longer(ids):
    return ids | {f"▁more{n}": len(ids) + n for n in range(300)}


def shorter(ids):
    return {token: n for token, n in ids.items() if n < len(ids) - 1}


WORDS = ["<pad>", "<unk>", "<bos>", "<eos>", "the", "cat", "dog", "sees", "a", "man", "runs"]
FOREIGN = spm(["</s>", "<unk>", *map(chr, range(0x3B1, 0x3C9))])
MISFITS = {
    "Marian, longer": (
        "marian", written("vocab.enpt.spm", spm([*PIECES, "x"])),
        ("vocab.enpt.spm", "model.enpt.x.bin")),
    "Marian, shorter": (
        "marian", written("vocab.enpt.spm", spm(PIECES[:-1])),
        ("vocab.enpt.spm", "model.enpt.x.bin")),
    "OPUS-MT, longer": (
        "opus-zip", written("opus.vocab.yml", numbered([*OPUS, "x"])),
        ("opus.vocab.yml", "model.enpt.x.npz")),
    "OPUS-MT, shorter": (
        "opus-zip", written("opus.vocab.yml", numbered(OPUS[:-1])),
        ("opus.vocab.yml", "model.enpt.x.npz")),
    "OPUS-MT, another": (
        "opus-zip", written("source.spm", FOREIGN), ("source.spm", "opus.vocab.yml")),
    "OPUS-MT in transformers, longer": (
        "opus-mt", changed("vocab.json", longer), ("vocab.json", "config.json")),
    "OPUS-MT in transformers, another": (
        "opus-mt", written("target.spm", FOREIGN), ("target.spm", "vocab.json")),
    "OPUS-MT in transformers, permuted": (
        "opus-mt", changed("vocab.json", swapped("</s>", "▁cat")), ("vocab.json", "config.json")),
    "M2M100, another": (
        "m2m100", written("sentencepiece.bpe.model", FOREIGN),
        ("sentencepiece.bpe.model", "vocab.json")),
    "M2M100, permuted": (
        "m2m100", changed("vocab.json", swapped("<pad>", "▁cat")), ("vocab.json", "config.json")),
    "T5, end": ("t5", of_json(swapped("</s>", "▁cat")), ("tokenizer.json", "config.json")),
    "T5, pad": ("t5", of_json(swapped("<pad>", "▁cat")), ("tokenizer.json", "config.json")),
    "mBART, end": ("mbart", of_json(swapped("</s>", "▁cat")), ("tokenizer.json", "config.json")),
    "BART, longer": ("bart", of_json(longer), ("tokenizer.json", "config.json")),
    "BART, against vocab.json": (
        "bart", written("vocab.json", b'{"<s>": 0, "a": 5, "b": 4}'),
        ("tokenizer.json", "vocab.json")),
    "CTranslate2, longer": (
        "ctranslate2", changed("target_vocabulary.json", lambda words: [*words, "q"]),
        ("target_vocabulary.json", "model.bin")),
    "CTranslate2, shorter": (
        "ctranslate2", changed("source_vocabulary.json", lambda words: words[:-2]),
        ("source_vocabulary.json", "model.bin")),
    "CTranslate2, two lists": (
        "ctranslate2", written("source_vocabulary.txt", "\n".join(SIDES["source"][::-1]).encode()),
        ("source_vocabulary.json", "source_vocabulary.txt")),
    "CTranslate2, another": (
        "ctranslate2", written("source.spm", FOREIGN), ("source.spm", "source_vocabulary.json")),
    "CTranslate2, end": (
        "ctranslate2", changed("config.json", lambda told: told | {"eos_token": "<end>"}),
        ("target_vocabulary.json", "config.json")),
    "torch, longer": (
        "torch-nn", of_json(lambda ids: ids | {"x": len(ids)}),
        ("tokenizer.json", "weights.safetensors")),
    "torch, shorter": (
        "torch-nn", of_json(shorter), ("tokenizer.json", "weights.safetensors")),
    "torch, two lists": (
        "torch-nn", written("vocab.txt", "\n".join([*WORDS[:4], *WORDS[:3:-1]]).encode()),
        ("tokenizer.json", "vocab.txt")),
}  # fmt: skip


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    written = {}

    def sample(name):
        if name not in written:
            written[name] = tmp_path_factory.mktemp("vocabularies") / name
            SAMPLES[name][1](written[name])
        return written[name]

    return sample


@pytest.mark.parametrize("case", MISFITS)
def test_a_vocabulary_that_does_not_fit_is_refused_with_both_files(case, samples, tmp_path):
    name, change, files = MISFITS[case]
    shutil.copytree(samples(name), folder := tmp_path / name)
    load_reader(folder, check_claims=False)
    change(folder)
    said = refused(folder)
    assert all(file in said for file in files), said


@pytest.mark.parametrize("name", ["torch-nn", "bart"])
def test_an_id_without_a_token_is_named(name, samples, tmp_path):
    shutil.copytree(samples(name), folder := tmp_path / name)
    of_json(lambda ids: {token: n + (n > 5) for token, n in ids.items()})(folder)
    assert "tokenizer.json is damaged at id 6" in refused_without_hint(folder)


def test_every_format_has_vocabularies_that_do_not_fit():
    assert {SAMPLES[name][0] for name, *_ in MISFITS.values()} == {f for f, _ in SAMPLES.values()}


def test_a_table_that_is_padded_for_a_processor_is_read(tmp_path):
    SAMPLES["torch-nn"][1](tmp_path)
    n = len(read_json(tmp_path / "tokenizer.json")["model"]["vocab"])
    weights = load_file(tmp_path / "weights.safetensors")
    padded = {
        name: torch.cat((t, torch.zeros(16 - n, *t.shape[1:]))) if len(t) == n else t
        for name, t in weights.items()
    }
    save_file(padded, tmp_path / "weights.safetensors")
    pairs = read_json(tmp_path / "pairs.json")
    for pair in pairs:
        pair["logits"] = [[*row, *[0.0] * (16 - n)] for row in pair["logits"]]
    (tmp_path / "pairs.json").write_text(json.dumps(pairs))
    assert load_reader(tmp_path, check_claims=False).vocab_size == 16


def test_a_name_of_its_own_for_the_end_is_taken_from_the_tokenizer_s_config(samples, tmp_path):
    """A vocabulary may have another token whose name elsewhere is an end."""
    shutil.copytree(samples("t5"), folder := tmp_path / "t5")
    of_json(lambda ids: {("[SEP]" if t == "▁cat" else t): n for t, n in ids.items()})(folder)
    load_reader(folder, check_claims=False)
    told = read_json(folder / "tokenizer_config.json")
    (folder / "tokenizer_config.json").write_text(json.dumps(told | {"eos_token": "[SEP]"}))
    assert "[SEP]" in refused(folder)


# -- pieces that no text is cut into -----------------------------------------------------------


@pytest.fixture(scope="module")
def foreign(tmp_path_factory):
    """OPUS-MT of transformers that writes a piece which only its vocab.json has."""
    folder = tmp_path_factory.mktemp("foreign") / "opus"
    make_huggingface("marian", folder)
    tensors = load_file(folder / "model.safetensors")
    tensors["final_logits_bias"][0, 0] = 100.0
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})
    return folder


def signs_of(*texts: str) -> set[str]:
    return set("".join(texts)) & INVISIBLE


def test_a_piece_of_the_vocabulary_alone_is_written_as_its_file_spells_it(foreign, tmp_path):
    translator = load_translator(foreign, check_claims=False)
    made = translator.translate("the cat", Decoding(max_len=4))
    assert made.tgt.tokens[:2] == ("nur▁Ziel",) * 2
    assert made.text == "nur Ziel" * len(made.tgt)
    assert {n.token for n in made.tree.nodes} >= {"nur▁Ziel"}
    assert translator.tokenizer.id_of("nur▁Ziel") == 0
    save_checkpoint(tmp_path / "kept", translator.model, translator.tokenizers)
    again = load_translator(tmp_path / "kept").translate("the cat", Decoding(max_len=4))
    assert (again.text, again.tgt.tokens) == (made.text, made.tgt.tokens)


def test_files_to_save_hold_no_sign_that_a_vocabulary_has_not(foreign):
    record = load_translator(foreign, check_claims=False).translate("the cat").attention
    csv = table_csv(attention_table(record.cross))
    assert "nur" in csv
    assert not signs_of(csv, bertviz_json(record))
    for mark in sorted(INVISIBLE):
        assert mark.encode() not in attention_npz(record)
        assert mark.encode("utf-32-le") not in attention_npz(record)


@pytest.mark.parametrize(
    "text", ["nur Ziel", "nur▁Ziel", *(f"nur▁Ziel{mark}" for mark in sorted(INVISIBLE))]
)
def test_such_a_piece_cannot_be_typed(foreign, text):
    reader = load_reader(foreign, check_claims=False)
    read = reader.tokenize(text)
    assert 0 not in read.ids
    assert ABSENT not in "".join(read.tokens) + read.text


@pytest.mark.parametrize("page", ["attention", "beam", "block"])
def test_pages_show_no_sign_that_a_vocabulary_has_not(foreign, page, monkeypatch):
    monkeypatch.setattr(ui.opened, "on_localhost", lambda: True)
    screen = open_page(page, checkpoint=str(foreign), text="the cat", max_len="5")
    assert screen.session_state["run"].tgt.text.startswith("nur Ziel")
    assert not signs_of(words(screen), json.dumps(specs(screen), ensure_ascii=False))

"""Vocabularies of others: read with the ids of their files, or refused with the two that differ."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
import torch
import yaml
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

import ui.shell.foreign_menu
from core.files import attention_npz, attention_table, bertviz_json, table_csv
from core.records.search import Decoding
from model import CheckpointError, load_model, load_translator, save_checkpoint
from model.io.formats.vocabulary import read_ids
from model.tokenizer import ABSENT
from support.app import open_page, specs, words
from support.formats import SAMPLES, copied, opened
from support.formats.ctranslate2 import SIDES
from support.formats.huggingface import make as make_huggingface
from support.formats.marian import OPUS, OPUS_TARGET, PIECES, make_opus, spm
from support.formats.marian import logits as by_hand
from support.formats.torch_nn import WORDS
from support.formats.torch_nn import make as make_torch
from support.models import read_json

INVISIBLE = {"\u2060", ABSENT}


def refused(folder) -> str:
    with pytest.raises(CheckpointError) as raised:
        load_model(folder, check_claims=False)
    return str(raised.value)


# -- ids that lie beside -----------------------------------------------------------------------


def test_ids_of_opus_mt_are_those_of_its_yml(tmp_path):
    _, weights = make_opus(tmp_path)
    made, model = opened(tmp_path)
    source, target = (made.tokenizers[side] for side in ("source", "target"))
    assert (made.config.eos_id, made.config.unk_id) == (OPUS.index("</s>"), OPUS.index("<unk>"))
    assert source.encode("a bx").ids == tuple(map(OPUS.index, ("▁a", "▁b", "<unk>", "</s>")))
    written = target.decode(tuple(map(OPUS.index, ("▁a", OPUS_TARGET, "▁b", "</s>"))))
    assert (written.text, written.tokens) == ("aab b", ("▁a", "ab", "▁b", "</s>"))
    src, tgt = [*source.encode("a b").ids], [OPUS.index("▁b"), 2]
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
    assert "a.vocab.yml, b.vocab.yml" in refused(tmp_path)


TOKENS = ["</s>", "▁a", "'", '"', "\\", ":", ": 3", "#", "é", "😀", "- b", "\u00a0x", "a b", "{"]


@pytest.mark.parametrize("style", ["'", '"'])
def test_lines_of_yaml_are_read_as_its_own_library_reads_them(tmp_path, style):
    file = tmp_path / "x.vocab.yml"
    keys = (yaml.safe_dump(token, width=10**6, default_style=style) for token in TOKENS)
    lines = [f"{key.strip()}: {n}\n" for n, key in enumerate(keys)]
    file.write_text("".join([*lines, "plain: 14\n", "▁,: 15\n"]))
    assert read_ids(file) == yaml.safe_load(file.read_text())
    assert list(read_ids(file)) == [*TOKENS, "plain", "▁,"]


def test_a_line_that_gives_no_id_is_named(tmp_path):
    for line in ("a", '"a: 3', "a: x", "a: -1", "</s>: 9", f"{'x' * 5000}: 3"):
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


FOREIGN = spm(["</s>", "<unk>", *map(chr, range(0x3B1, 0x3C9))])
TWO_LISTS = "\n".join([*WORDS[:4], *WORDS[:3:-1]]).encode()
TOKENIZER, VOCAB, CONFIG = "tokenizer.json", "vocab.json", "config.json"
WEIGHTS, MARIAN, OPUS_YML = "weights.safetensors", "vocab.enpt.spm", "opus.vocab.yml"
SOURCE, TARGET = "source_vocabulary.json", "target_vocabulary.json"
REVERSED = "\n".join(SIDES["source"][::-1]).encode()
MISFITS = (
    ("marian", written(MARIAN, spm([*PIECES, "x"])), MARIAN, "model.enpt.x.bin"),
    ("marian", written(MARIAN, spm(PIECES[:-1])), MARIAN, "model.enpt.x.bin"),
    ("opus-zip", written(OPUS_YML, numbered([*OPUS, "x"])), OPUS_YML, "model.enpt.x.npz"),
    ("opus-zip", written("source.spm", FOREIGN), "source.spm", OPUS_YML),
    ("opus-mt", changed(VOCAB, longer), VOCAB, CONFIG),
    ("opus-mt", written("target.spm", FOREIGN), "target.spm", VOCAB),
    ("opus-mt", changed(VOCAB, swapped("</s>", "▁cat")), VOCAB, CONFIG),
    ("m2m100", written("sentencepiece.bpe.model", FOREIGN), "sentencepiece.bpe.model", VOCAB),
    ("t5", of_json(swapped("<pad>", "▁cat")), TOKENIZER, CONFIG),
    ("bart", of_json(longer), TOKENIZER, CONFIG),
    ("bart", written(VOCAB, b'{"<s>": 0, "a": 5, "b": 4}'), TOKENIZER, VOCAB),
    ("ctranslate2", changed(TARGET, lambda words: [*words, "q"]), TARGET, "model.bin"),
    ("ctranslate2", changed(SOURCE, lambda words: words[:-2]), SOURCE, "model.bin"),
    ("ctranslate2", written("source_vocabulary.txt", REVERSED), SOURCE, "source_vocabulary.txt"),
    ("ctranslate2", written("source.spm", FOREIGN), "source.spm", SOURCE),
    ("ctranslate2", changed(CONFIG, lambda told: told | {"eos_token": "<end>"}), TARGET, CONFIG),
    ("torch-nn", of_json(lambda ids: ids | {"x": len(ids)}), TOKENIZER, WEIGHTS),
    ("torch-nn", of_json(shorter), TOKENIZER, WEIGHTS),
    ("torch-nn", written("vocab.txt", TWO_LISTS), TOKENIZER, "vocab.txt"),
)


def test_a_vocabulary_that_does_not_fit_is_refused_with_both_files(tmp_path):
    assert {SAMPLES[name][0] for name, *_ in MISFITS} == {format for format, _ in SAMPLES.values()}
    for number, (name, change, *files) in enumerate(MISFITS):
        folder = copied(name, tmp_path / str(number))
        change(folder)
        message = refused(folder)
        assert all(file in message for file in files), message


def test_an_id_without_a_token_is_named(tmp_path):
    for name in ("torch-nn", "bart"):
        folder = copied(name, tmp_path / name)
        of_json(lambda ids: {token: n + (n > 5) for token, n in ids.items()})(folder)
        assert "tokenizer.json is damaged at id 6" in refused(folder)


def test_a_table_that_is_padded_for_a_processor_is_read(tmp_path):
    make_torch(tmp_path, n_pairs=0)
    n, weights = len(WORDS), load_file(tmp_path / "weights.safetensors")
    padded = {
        name: torch.cat((t, torch.zeros(16 - n, *t.shape[1:]))) if len(t) == n else t
        for name, t in weights.items()
    }
    save_file(padded, tmp_path / "weights.safetensors")
    facts = {"heads": "3", "norm": "after", "activation": "relu", "scale": "no"}
    assert load_model(tmp_path, check_claims=False, options=facts).vocab_size == 16


def test_a_name_of_its_own_for_the_end_is_taken_from_the_tokenizer_s_config(tmp_path):
    """A vocabulary may have another token whose name elsewhere is an end."""
    folder = copied("t5", tmp_path / "t5")
    of_json(lambda ids: {("[SEP]" if t == "▁cat" else t): n for t, n in ids.items()})(folder)
    load_model(folder, check_claims=False)
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


def test_such_a_piece_cannot_be_typed(foreign):
    reader = load_model(foreign, check_claims=False)
    for text in ("nur Ziel", "nur▁Ziel", *(f"nur▁Ziel{mark}" for mark in sorted(INVISIBLE))):
        read = reader.tokenize(text)
        assert 0 not in read.ids
        assert ABSENT not in "".join(read.tokens) + read.text


def test_pages_and_files_show_no_sign_that_a_vocabulary_has_not(foreign, monkeypatch):
    monkeypatch.setattr(ui.shell.foreign_menu, "on_localhost", lambda: True)
    screen = open_page("attention", checkpoint=str(foreign), text="the cat", max_len="5")
    record = screen.session_state["run"].record
    assert record.tgt.text.startswith("nur Ziel")
    csv = table_csv(attention_table(record.cross))
    assert "nur" in csv
    drawn = json.dumps(specs(screen), ensure_ascii=False)
    saved = "".join(map(str, np.load(io.BytesIO(attention_npz(record))).values()))
    assert "nur" in saved
    assert not INVISIBLE & {*words(screen), *drawn, *csv, *bertviz_json(record), *saved}

"""Folders of transformers, against its own models and tokenizers."""

from __future__ import annotations

import json
import shutil

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from core.records.search import Decoding
from model.errors import CheckpointError
from model.io.formats import huggingface, recognised
from model.io.formats.huggingface import CONFIG, FORMAT, INDEX, PICKLE, WEIGHTS
from model.loading import load_translator
from support.formats import opened
from support.formats.huggingface import KINDS, make

TEXT = "the cat sees a dog, der Hund!"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    root = tmp_path_factory.mktemp("huggingface")
    return {kind: (root / kind, *make(kind, root / kind)) for kind in KINDS}


@pytest.fixture
def copied(folders, tmp_path):
    """A new folder of one kind in which entries, and tensors by a function, are others."""

    def copy(kind, entries=(), tensors=None, file=CONFIG):
        folder = tmp_path / str(len(list(tmp_path.iterdir()))) / kind
        shutil.copytree(folders[kind][0], folder)
        values = {**json.loads((folder / file).read_text()), **dict(entries)}
        (folder / file).write_text(json.dumps(values))
        if tensors:
            made = tensors(load_file(folder / WEIGHTS))
            save_file(
                {n: t.contiguous() for n, t in made.items()}, folder / WEIGHTS, {"format": "pt"}
            )
        return folder

    return copy


@torch.no_grad()
def assert_same_logits(folder, reference, share=1e-5):
    made, model = opened(folder)
    config, theirs = made.config, reference.config
    torch.manual_seed(1)
    src, tgt = torch.randint(5, 30, (2, 9)), torch.randint(5, 30, (2, 8))
    src[1, 6:] = config.pad_id
    tgt[:, 0] = theirs.decoder_start_token_id
    mask = (src != config.pad_id).long()
    expected = reference(src, attention_mask=mask, decoder_input_ids=tgt).logits
    tgt[:, 0] = config.bos_id
    found = model(src, tgt)[..., : theirs.vocab_size]
    largest = float(expected.abs().max())
    torch.testing.assert_close(found, expected, rtol=0, atol=share * largest)
    return made


@pytest.mark.parametrize("kind", KINDS)
def test_logits_and_pieces_are_those_of_transformers(folders, kind):
    folder, tokenizer, reference = folders[kind]
    assert recognised(folder) is FORMAT
    made = assert_same_logits(folder, reference)
    ids = tokenizer(TEXT).input_ids
    assert list(made.tokenizers["source"].encode(TEXT).ids) == ids
    if made.config.unk_id not in ids:
        assert made.tokenizers["target"].decode(ids).text == TEXT
    assert made.tokenizers["target"].lost is None


@pytest.mark.parametrize(
    ("kind", "language", "token", "by_config"),
    [("m2m100", "fr", "__fr__", True), ("mbart", "de_DE", "de_DE", False)],
)
def test_outputs_are_those_of_generate_with_a_forced_language(
    copied, folders, kind, language, token, by_config
):
    tokenizer, reference = folders[kind][1:]
    forced = tokenizer.convert_tokens_to_ids(token)
    folder = copied(kind, {"forced_bos_token_id": forced} if by_config else {})
    options = {} if by_config else {"language": language}
    translator = load_translator(folder, check_claims=False, options=options)
    assert repr(token) in translator.card.description
    assert translator.card.languages[1] == language[:2]
    settings = {"do_sample": False, "num_beams": 1, "max_new_tokens": 10}
    settings |= {"forced_bos_token_id": forced, "forced_eos_token_id": None}
    for text in (TEXT, "a dog"):
        expected = reference.generate(torch.tensor([tokenizer(text).input_ids]), **settings)
        found = translator.translate(text, Decoding(beam_size=1, max_len=10)).tgt
        assert list(found.ids) == expected[0].tolist()[1:]
        assert found.ids[0] == forced
        assert token not in found.text


def test_a_token_that_is_never_written_makes_no_claim_false(folders):
    assert load_translator(folders["m2m100"][0]).withdrawn == {}


OTHERS = {
    "t5": lambda w: {**w, "lm_head.weight": w["shared.weight"].flip(0)},
    "gated-t5": lambda w: {**w, "encoder.embed_tokens.weight": w["shared.weight"].clone()},
    "bart": lambda w: {**w, "lm_head.weight": w["model.shared.weight"] * 2},
    "marian": lambda w: {
        **w,
        **{f"model.{s}coder.embed_positions.weight": torch.rand(40, 16) for s in ("en", "de")},
    },
}


@pytest.mark.parametrize("kind", OTHERS)
def test_what_older_folders_hold_besides_is_used(copied, kind):
    folder = copied(kind, tensors=OTHERS[kind])
    reference = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    assert_same_logits(folder, reference)


def test_a_stored_table_of_sines_is_no_learned_one(copied, folders):
    table = folders["marian"][2].model.encoder.embed_positions.weight.detach()
    name = "model.encoder.embed_positions.weight"
    folder = copied("marian", tensors=lambda w: {**w, name: table})
    assert opened(folder)[0].config.positions == "halves"


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("marian", {"share_encoder_decoder_embeddings": False}),
        ("marian", {"share_encoder_decoder_embeddings": False, "tie_word_embeddings": False}),
        ("m2m100", {"scale_embedding": False, "tie_word_embeddings": False}),
        ("t5", {"feed_forward_proj": "gated-silu", "relative_attention_num_buckets": 8}),
        ("t5", {"relative_attention_max_distance": 5, "num_decoder_layers": 1, "d_kv": 2}),
        ("bart", {"activation_function": "quick_gelu", "scale_embedding": True}),
    ],
)
def test_entries_that_change_the_equations_are_read(tmp_path, kind, changes):
    assert_same_logits(tmp_path, make(kind, tmp_path, **changes)[1])


def test_shards_and_pickles_of_tensors_hold_the_same(folders, copied):
    for kind in ("t5", "bart"):
        folder, reference = copied(kind), folders[kind][2]
        (folder / WEIGHTS).unlink()
        if kind == "t5":
            reference.save_pretrained(folder, max_shard_size="3KB")
            assert len(list(folder.glob("model-*"))) > 2
        else:
            torch.save(reference.state_dict(), folder / PICKLE)
        assert_same_logits(folder, reference)


REFUSED = (
    ("bart", {"activation_function": "mish"}, "activation_function"),
    ("mbart", {"decoder_attention_heads": 2}, "decoder_attention_heads"),
    ("marian", {"normalize_before": True}, "normalize_before"),
    ("bart", {"add_final_layer_norm": True}, "add_final_layer_norm"),
    ("t5", {"feed_forward_proj": "gated-tanh"}, "feed_forward_proj"),
    ("bart", {"scale_embedding": 1}, "scale_embedding"),
    ("bart", {"encoder_layers": "two"}, "encoder_layers"),
    ("bart", {"encoder_layers": 3}, r"layers\.2\.self_attn"),
    ("marian", {"decoder_layers": 900_000}, "layers"),
    ("t5", {"d_model": 10**9}, "d_model"),
    ("t5", {"vocab_size": 9}, r"shared\.weight"),
    ("t5", {"eos_token_id": [1, 2]}, "eos_token_id"),
    ("t5", {"forced_bos_token_id": 10**6}, "forced_bos_token_id"),
    ("t5", {"model_type": "pegasus"}, "model_type"),
    ("marian", {"decoder_vocab_size": 7}, "decoder_vocab_size"),
)


def test_what_cannot_be_read_is_named(copied, monkeypatch):
    for kind, entries, fault in REFUSED:
        with pytest.raises(CheckpointError, match=fault):
            FORMAT.read(copied(kind, entries), {})
    with pytest.raises(CheckpointError, match=r"language 'the'\. Languages: ar_AR, cs_CZ"):
        FORMAT.read(copied("mbart"), {"language": "the"})
    folder = copied("t5", tensors=lambda w: {**w, "lora_A.weight": torch.zeros(2, 16)})
    with pytest.raises(CheckpointError, match=r"lora_A\.weight"):
        FORMAT.read(folder, {})
    monkeypatch.setattr(huggingface, "MOST_PARAMETERS", 3_000)
    with pytest.raises(CheckpointError, match="at most 3,000"):
        FORMAT.read(copied("t5"), {})


def test_no_pickle_runs_and_no_path_leaves_the_folder(copied):
    folder = copied("t5")
    weights = (folder / WEIGHTS).rename(folder.parent / "outside.safetensors")
    torch.save({"shared.weight": shutil.rmtree}, folder / PICKLE)
    with pytest.raises(CheckpointError, match=r"shutil\.rmtree"):
        FORMAT.read(folder, {})
    (folder / INDEX).write_text(json.dumps({"weight_map": {"shared.weight": f"../{weights.name}"}}))
    with pytest.raises(CheckpointError, match="weight_map"):
        FORMAT.read(folder, {})


def test_tokens_that_a_search_never_takes_have_no_probability(copied, folders):
    pad = folders["marian"][1].pad_token_id
    made = FORMAT.read(copied("marian", {"bad_words_ids": [[pad], [3, 4]]}), {})
    never = (made.tensors["output_bias"] < -9).nonzero().flatten().tolist()
    assert never == [pad, made.config.bos_id]


def test_a_source_may_ask_for_its_target_language(copied, folders):
    words = json.loads((folders["marian"][0] / "vocab.json").read_text())
    folder = copied("marian", {">>deu<<": len(words)}, file="vocab.json")
    tokenizer = transformers.MarianTokenizer.from_pretrained(folder)
    for text in (">>deu<< the cat", ">>deu<<a cat", "the >>x<< cat"):
        found = FORMAT.read(folder, {}).tokenizers["source"].encode(text)
        assert list(found.ids) == tokenizer(text).input_ids

"""Folders of transformers, against its own models and tokenizers."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from core.files import attention_npz
from core.records.search import Decoding
from model import capture_attention
from model.errors import CheckpointError
from model.io.formats import format_of, huggingface
from model.io.formats.huggingface import CONFIG, FORMAT, INDEX, PICKLE, WEIGHTS
from model.io.formats.moses import moses_tokenizer
from model.loading import load_translator
from model.readers.recordings import read_recording
from support.formats import opened
from support.formats.huggingface import KINDS, make, write_pieces
from viz.notebook import record

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
    src, tgt = torch.randint(5, 20, (2, 9)), torch.randint(5, 20, (2, 8))
    mask = torch.ones_like(src)
    mask[1, 6:] = 0
    src[mask == 0] = theirs.pad_token_id
    tgt[:, 0] = theirs.decoder_start_token_id
    expected = reference(src, attention_mask=mask, decoder_input_ids=tgt, use_cache=False).logits
    src[mask == 0] = config.pad_id
    tgt[:, 0] = config.bos_id
    found = model(src, tgt)[..., : expected.shape[-1]]
    largest = float(expected.abs().max())
    torch.testing.assert_close(found, expected, rtol=0, atol=share * largest)
    return made


@pytest.mark.parametrize("kind", KINDS)
def test_logits_and_pieces_are_those_of_transformers(folders, kind):
    folder, tokenizer, reference = folders[kind]
    assert format_of(folder) is FORMAT
    made = assert_same_logits(folder, reference)
    ids = tokenizer(TEXT).input_ids
    source, target = made.tokenizers["source"], made.tokenizers["target"]
    # A piece that only merges know stands for the unknown token.
    n_known = len(tokenizer.encoder) if kind == "fsmt" else made.config.vocab_size
    found = [i if i < n_known else made.config.unk_id for i in source.encode(TEXT).ids]
    assert found == ids
    written = target.encode(TEXT, written=True).ids
    if made.config.unk_id not in written:
        assert target.decode(written).text == (TEXT.lower() if kind == "bert2bert" else TEXT)
    assert made.tokenizers["target"].lost is None


@torch.no_grad()
@pytest.mark.parametrize("kind", KINDS)
def test_every_matrix_of_attention_is_that_of_transformers(folders, kind):
    folder, tokenizer, reference = folders[kind]
    made, model = opened(folder)
    reference.set_attn_implementation("eager")
    src = torch.tensor([tokenizer(TEXT).input_ids])
    tgt = torch.tensor([[reference.config.decoder_start_token_id, 6, 9, 7, 12]])
    # FSMT has no causal mask where it caches.
    output = reference(src, decoder_input_ids=tgt, output_attentions=True, use_cache=False)
    tgt[:, 0] = made.config.bos_id
    with capture_attention(model) as captured:
        model(src, tgt)
    theirs = {
        "encoder": output.encoder_attentions,
        "decoder": output.decoder_attentions,
        "cross": output.cross_attentions,
    }
    for site, layers in theirs.items():
        expected = torch.stack(layers, dim=1).numpy()
        assert np.abs(captured.weights(site) - expected).max() < 1e-5, site


@pytest.mark.parametrize("kind", ["marian-two", "pegasus", "fsmt", "bert2bert", "t5", "bart"])
def test_a_greedy_search_writes_what_generate_writes(folders, kind):
    folder, tokenizer, reference = folders[kind]
    translator = load_translator(folder, check_claims=False)
    settings = {"do_sample": False, "num_beams": 1, "max_new_tokens": 10}
    settings |= {"forced_bos_token_id": None, "forced_eos_token_id": None}
    for text in (TEXT, "a dog"):
        src = torch.tensor([tokenizer(text).input_ids])
        expected = reference.generate(src, **settings)[0].tolist()[1:]
        found = translator.translate(text, Decoding(beam_size=1, max_len=10)).tgt
        assert list(found.ids) == expected


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


@pytest.mark.parametrize("kind", ["m2m100", "marian-two", "pegasus", "fsmt", "bert2bert"])
def test_a_token_that_is_never_written_makes_no_claim_false(folders, kind):
    assert load_translator(folders[kind][0]).withdrawn == {}


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
    ("t5", {"model_type": "t5gemma"}, "model_type"),
    ("marian", {"decoder_vocab_size": 7}, "decoder_vocab_size"),
    ("marian-two", {"decoder_vocab_size": 9}, r"decoder\.embed_tokens"),
    ("marian-two", {"decoder_start_token_id": 99}, "decoder_start_token_id"),
    ("pegasus", {"normalize_before": False}, "normalize_before"),
    ("pegasus", {"activation_function": "mish"}, "activation_function"),
    ("pegasus", {"encoder_layers": 0}, "encoder_layers"),
    ("fsmt", {"src_vocab_size": None}, "src_vocab_size"),
    ("fsmt", {"tgt_vocab_size": 9}, r"decoder\.embed_tokens"),
    ("fsmt", {"pad_token_id": 3}, "pad_token_id"),
    ("fsmt", {"scale_embedding": "yes"}, "scale_embedding"),
    ("bert2bert", {"eos_token_id": 99}, "eos_token_id"),
    ("bert2bert", {"decoder_start_token_id": [2]}, "decoder_start_token_id"),
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


def test_pieces_of_a_folder_with_only_their_files_are_those_of_transformers(folders, tmp_path):
    for kind, file in (("bert2bert", "vocab.txt"), ("pegasus", "spiece.model")):
        folder = shutil.copytree(folders[kind][0], tmp_path / kind)
        write_pieces(kind, folder)
        (folder / "tokenizer.json").unlink()
        assert (folder / file).is_file()
        made = assert_same_logits(folder, folders[kind][2])
        for text in (TEXT, "Der Hund, a cat", "ein Hünd"):
            expected = folders[kind][1](text).input_ids
            assert list(made.tokenizers["source"].encode(text).ids) == expected, text


def test_two_vocabularies_of_bert_lie_in_two_files(folders, tmp_path):
    folder = shutil.copytree(folders["bert2bert"][0], tmp_path / "two")
    spec = json.loads((folder / "tokenizer.json").read_text())
    (folder / "tokenizer.json").rename(folder / "source_tokenizer.json")
    with pytest.raises(CheckpointError, match=r"target_tokenizer\.json"):
        FORMAT.read(folder, {})
    spec["normalizer"]["lowercase"] = False
    (folder / "target_tokenizer.json").write_text(json.dumps(spec))
    made = FORMAT.read(folder, {})
    source, target = made.tokenizers["source"], made.tokenizers["target"]
    unknown = [any(side.encode("THE").unknown) for side in (source, target)]
    assert unknown == [False, True]


def in_side(side, **entries):
    """Entries of the config of one side of a joined model."""

    def change(values):
        values[side] = values[side] | entries
        return values

    return change


def without(name):
    return lambda tensors: {n: t for n, t in tensors.items() if not n.endswith(name)}


def reshaped(name):
    return lambda tensors: {n: t[..., :-1] if n.endswith(name) else t for n, t in tensors.items()}


OF_SIDES = (
    ("encoder", {"model_type": "roberta"}, r"encoder\.model_type is 'roberta'"),
    ("decoder", {"add_cross_attention": False}, r"decoder\.add_cross_attention is False"),
    ("decoder", {"hidden_size": 32}, r"decoder\.hidden_size is 32"),
    ("decoder", {"num_attention_heads": 8}, r"decoder\.num_attention_heads is 8"),
    ("decoder", {"hidden_act": "mish"}, "mish"),
    ("encoder", {"position_embedding_type": "relative_key"}, "relative_key"),
    ("encoder", {"num_hidden_layers": 3}, r"encoder\.encoder\.layer\.2\.attention"),
    ("encoder", {"vocab_size": 40}, r"encoder\.embeddings\.word_embeddings\.weight has the shape"),
)


def test_faults_of_two_joined_configs_name_the_side(copied):
    for side, entries, fault in OF_SIDES:
        folder = copied("bert2bert")
        values = json.loads((folder / CONFIG).read_text())
        (folder / CONFIG).write_text(json.dumps(in_side(side, **entries)(values)))
        with pytest.raises(CheckpointError, match=fault):
            load_translator(folder, check_claims=False)
    folder = copied("bert2bert", {"encoder": 3})
    with pytest.raises(CheckpointError, match="encoder is 3"):
        FORMAT.read(folder, {})


TENSORS = (
    ("bert2bert", "token_type_embeddings.weight"),
    ("bert2bert", "transform.LayerNorm.weight"),
    ("bert2bert", "crossattention.self.key.bias"),
    ("pegasus", "encoder.layer_norm.weight"),
    ("fsmt", "encoder_attn.out_proj.weight"),
    ("marian-two", "decoder.embed_tokens.weight"),
)


@pytest.mark.parametrize(("kind", "name"), TENSORS)
def test_a_tensor_that_is_missing_or_has_another_shape_is_named(copied, kind, name):
    for change, fault in ((without(name), f"lacks .*{name}"), (reshaped(name), f"{name} has")):
        with pytest.raises(CheckpointError, match=fault):
            FORMAT.read(copied(kind, tensors=change), {})


OF_FILES = (
    ("fsmt", "merges.txt", "t h\nth\n", "merges.txt is damaged at line 2"),
    ("fsmt", "tokenizer_config.json", '{"langs": "en"}', "langs is 'en'"),
    ("fsmt", "vocab-src.json", '{"a": 0, "b": 2}', "vocab-src.json"),
    ("pegasus", "tokenizer_config.json", '{"offset": "x"}', "offset is 'x'"),
)


@pytest.mark.parametrize(("kind", "file", "text", "fault"), OF_FILES)
def test_a_damaged_vocabulary_is_named(copied, kind, file, text, fault):
    folder = copied(kind)
    (folder / file).write_text(text)
    with pytest.raises(CheckpointError, match=fault):
        FORMAT.read(folder, {})


def test_lines_of_word_pieces_are_unique_and_have_the_special_tokens(copied):
    folder = copied("bert2bert")
    (folder / "tokenizer.json").unlink()
    for text, fault in (("[UNK]\na\na\n", "line 2"), ("[UNK]\n[SEP]\n", r"\[CLS\]")):
        (folder / "vocab.txt").write_text(text)
        with pytest.raises(CheckpointError, match=f"vocab.txt is damaged at {fault}"):
            FORMAT.read(folder, {})


# Words of sacremoses 0.2 with aggressive_dash_splits and escape, after its MosesPunctNormalizer.
MOSES = (
    ("en", "I don't know (well), he said.", "I don &apos;t know ( well ) , he said ."),
    ("en", "The dogs' 90's rock'n'roll", "The dogs &apos; 90 &apos;s rock &apos;n&apos;roll"),
    ("en", "1,000 cost-effective U.S. units at 5%", "1,000 cost @-@ effective U.S. units at 5 %"),
    ("en", "What... “quoted,” he", "What ... &quot; quoted , &quot; he"),
    ("en", "a|b <b> [x] & co.", "a &#124; b &lt; b &gt; &#91; x &#93; &amp; co ."),
    ("de", "Er sagt: „Wie geht's?“ – gut.", "Er sagt : &quot; Wie geht &apos; s ? &quot; - gut ."),
    ("fr", "L'homme n'est pas d'ici.", "L&apos; homme n&apos; est pas d&apos; ici ."),
    ("ru", "Как дела? Хорошо,спасибо.", "Как дела ? Хорошо , спасибо ."),
)  # fmt: skip


@pytest.mark.parametrize(("language", "text", "words"), MOSES)
def test_words_are_those_of_moses(language, text, words):
    tokenizer = moses_tokenizer({"<unk>": 0}, [], language, lower=False)
    assert tokenizer.normalizer.normalize_str(text).split() == words.split()


OF_BERT = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2}
OF_LLAMA = {**OF_BERT, "intermediate_size": 16}
RECORDED = {
    # A class of transformers: the part that it is, what the refusal says, and sizes.
    "GPT2LMHeadModel": ("decoder", "decoder without", {"n_embd": 8, "n_layer": 2, "n_head": 2}),
    "LlamaForCausalLM": ("decoder", "decoder without", OF_LLAMA),
    "LlamaModel": ("decoder", "not a supported", OF_LLAMA),
    "BertForMaskedLM": ("encoder", "encoder without", OF_BERT),
    "BertForSequenceClassification": ("encoder", "encoder without", OF_BERT),
    "ElectraModel": ("encoder", "not a supported", OF_BERT),
}


@pytest.mark.parametrize("name", RECORDED)
def test_a_refused_model_is_recorded_by_the_line_of_its_hint(name, tmp_path, monkeypatch):
    part, words, sizes = RECORDED[name]
    model_class = getattr(transformers, name)
    config = model_class.config_class(vocab_size=9, **sizes)
    model_class(config).save_pretrained(tmp_path)
    with pytest.raises(CheckpointError, match=words) as raised:
        load_translator(tmp_path)
    lines = re.findall("`(.*?)`", str(raised.value.hint))
    monkeypatch.chdir(tmp_path)
    model = model_class.from_pretrained(tmp_path, attn_implementation="eager").eval()
    names = {"record": record, "attention_npz": attention_npz, "Path": Path, "model": model}
    names |= {"inputs": {"input_ids": torch.tensor([[3, 4, 5]])}, "tokens": ["a", "b", "c"]}
    for line in lines:
        exec(line, names)
    read = read_recording("recording.npz", Path("recording.npz").read_bytes()).record
    assert [*read.site_ids] == [part]

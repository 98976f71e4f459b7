"""State dicts of `torch.nn.Transformer`, against torch's own logits."""

import json
import zipfile

import pytest
import torch
from tokenizers import Tokenizer, models, processors

from model.errors import CheckpointError
from model.families.transformer import Transformer
from model.io.formats.torch_nn import FORMAT
from support.formats.torch_nn import READ, WORDS, make, save, vocabulary


def logits_of(converted, src, tgt):
    model = Transformer(converted.config).eval()
    missing = model.load_state_dict(converted.tensors, strict=False)
    assert not missing.unexpected_keys
    assert not any(tensor.requires_grad for tensor in converted.tensors.values())
    with torch.inference_mode():
        return model(torch.tensor([src]), torch.tensor([tgt]))[0, :, : len(WORDS)]


GRID = (
    {"positions": "learned", "norm_first": False, "activation": "relu"},
    {"positions": "learned", "norm_first": True, "activation": "gelu"},
    {"positions": "sines", "norm_first": False, "activation": "gelu"},
    {"positions": "sines", "norm_first": True, "activation": "relu"},
    *(
        {"positions": "halves unsaved", "norm_first": norm_first} | settings
        for norm_first, settings in (
            (False, {"sides": True, "scale": True}),
            (True, {"tied": True}),
            (False, {"bias": False}),
            (True, {"width": 16, "heads": 4}),
        )
    ),
)


def logits_of_torch(model, src, tgt):
    with torch.inference_mode():
        return model(torch.tensor([src]), torch.tensor([tgt]))[0]


@pytest.mark.parametrize("settings", GRID)
@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
def test_logits_are_those_of_torch_and_one_pair_tells_the_facts(tmp_path, settings):
    model = make(tmp_path, **settings)
    assert FORMAT.recognises(tmp_path)
    converted = FORMAT.read(tmp_path, {})
    for src, tgt in READ:
        theirs = logits_of_torch(model, src, tgt)
        torch.testing.assert_close(logits_of(converted, src, tgt), theirs, rtol=1e-5, atol=1e-5)
    config, norm = converted.config, "before" if settings["norm_first"] else "after"
    found = (config.n_heads, config.norm, config.activation, config.positions)
    facts = (settings.get("heads", 3), norm, settings.get("activation", "relu"))
    assert found == (*facts, settings["positions"].split()[0])


FACTS = {"heads": "3", "norm": "after", "activation": "relu", "scale": "no"}


def refused(path, **options) -> str:
    with pytest.raises(CheckpointError) as raised:
        FORMAT.read(path, options)
    return f"{raised.value} {raised.value.hint}"


def write_pairs(folder, *pairs):
    (folder / "pairs.json").write_text(json.dumps(pairs))


def pair_of(model, src, tgt):
    return {
        "input_ids": src, "target_ids": tgt, "logits": logits_of_torch(model, src, tgt).tolist(),
    }  # fmt: skip


def test_facts_that_no_file_holds_are_asked_for_with_the_command(tmp_path):
    make(tmp_path, n_pairs=0, positions="sines unsaved")
    message = refused(tmp_path, norm="after")
    for name in ("--heads", "--activation", "--scale", "--positions"):
        assert name in message
    assert "--norm:" not in message
    assert f"python -m model open {tmp_path} --heads 3 --activation relu" in message
    assert FORMAT.read(tmp_path, FACTS | {"positions": "sines"}).config.n_heads == 3
    assert "--heads is 5, expected one of 6, 4, 12, 3, 2, 1" in refused(tmp_path, heads="5")


def test_facts_that_no_setting_reproduces_are_refused_with_the_nearest(tmp_path):
    make(tmp_path)
    message = refused(tmp_path, heads="2")
    for part in ("none of 12 settings", "--heads 2", "open_attention"):
        assert part in message


def test_of_several_that_reproduce_the_pair_the_open_facts_are_asked_for(tmp_path):
    model = make(tmp_path)
    # Where the pieces have no size at all, scaling them changes nothing.
    state = model.state_dict() | {"tables.tok_emb.weight": torch.zeros(len(WORDS), 12)}
    save(state, tmp_path / "weights.safetensors")
    model.load_state_dict(state)
    write_pairs(tmp_path, pair_of(model, *READ[0]))
    message = refused(tmp_path)
    assert "--scale: yes, no" in message
    assert "--heads" not in message
    assert f"{tmp_path} --scale yes" in message
    assert FORMAT.read(tmp_path, {"scale": "no"}).config.n_heads == 3


def test_ids_of_the_best_are_enough_where_they_differ(tmp_path):
    model = make(tmp_path, n_pairs=0)
    model.generator.bias.data.zero_()
    save(model.state_dict(), tmp_path / "weights.safetensors")
    best = [logits_of_torch(model, *pair).argmax(-1).tolist() for pair in READ]
    write_pairs(
        tmp_path,
        *(
            {"input_ids": src, "target_ids": tgt, "output_ids": ids}
            for (src, tgt), ids in zip(READ, best, strict=True)
        ),
    )
    given = {"heads": "3", "activation": "relu", "scale": "no"}
    assert FORMAT.read(tmp_path, given).config.norm == "after"
    assert "of the output ids differ" in refused(tmp_path, **given, norm="before")


def test_a_pair_that_cannot_be_is_named(tmp_path):
    make(tmp_path)
    pair = json.loads((tmp_path / "pairs.json").read_text())[0]
    for changed, named in (
        ({"input_ids": [99]}, "input_ids"),
        ({"target_ids": [99]}, "target_ids"),
        ({"input_ids": [4] * 21}, "length"),
        ({"logits": [[0.5]]}, "logits"),
        ({"logits": None, "output_ids": [4]}, "output_ids"),
        ({"logits": None}, "logits"),
        ({"logits": "x"}, "logits"),
        ({"input_ids": []}, "input_ids"),
        ({"input_ids": [4, 5]}, "input_ids"),
    ):
        if changed == {"input_ids": [4, 5]}:
            vocabulary(tmp_path / "tokenizer.json", around="")
        write_pairs(tmp_path, pair | changed)
        message = refused(tmp_path)
        assert "pairs.json" in message
        assert named in message


def test_a_file_with_objects_is_not_unpickled_and_they_are_named(tmp_path):
    model = make(tmp_path, file="own.pt")
    save(model, tmp_path / "own.pt")
    assert FORMAT.recognises(tmp_path)
    message = refused(tmp_path)
    assert "formats.torch_nn.Own" in message
    assert "torch.save(model.state_dict()" in message


def test_a_state_dict_is_found_in_a_file_of_torch(tmp_path):
    model = make(tmp_path, file="own.pt")
    state = {f"module.{name}": tensor for name, tensor in model.state_dict().items()}
    for content in (state, {"epoch": 3, "model": state}):
        save(content, tmp_path / "own.pt")
        assert FORMAT.read(tmp_path / "own.pt", {}).config.n_decoder_layers == 3


def test_a_checkpoint_of_lightning_is_read_beside_its_optimizer(tmp_path):
    model = make(tmp_path)
    (tmp_path / "weights.safetensors").unlink()
    moments = {n: {"exp_avg": t.detach().clone()} for n, t in enumerate(model.parameters())}
    content = {
        "epoch": 3,
        "pytorch-lightning_version": "2.5.0",
        "state_dict": {f"model.{name}": tensor for name, tensor in model.state_dict().items()},
        "optimizer_states": [{"state": moments, "param_groups": [{"lr": 1e-3}]}],
        "hyper_parameters": {"width": 12},
    }
    save(content, tmp_path / "epoch=3-step=40.ckpt")
    for path in (tmp_path, tmp_path / "epoch=3-step=40.ckpt"):
        theirs = logits_of_torch(model, *READ[0])
        ours = logits_of(FORMAT.read(path, {}), *READ[0])
        torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-5)


OTHER_NORM = "transformer.encoder.layers.0.norm1.weight"
MISFITS = (
    (
        {"transformer.decoder.layers.1.linear2.weight": None},
        "decoder_layers.1.feed_forward.outer.weight",
    ),
    ({"adapter.weight": torch.zeros(3, 3)}, "adapter.weight"),
    ({OTHER_NORM: torch.zeros(5)}, "encoder_layers.0.self_attention_residual.norm.weight"),
    ({"more.layers.0.self_attn.in_proj_weight": torch.zeros(36, 12)}, "more."),
    ({"another_emb.weight": torch.zeros(11, 12)}, "another_emb.weight"),
)


def test_tensors_that_do_not_fit_are_named(tmp_path):
    state = make(tmp_path).state_dict()
    for changes, named in MISFITS:
        changed = {name: t for name, t in (state | changes).items() if t is not None}
        save(changed, tmp_path / "weights.safetensors")
        assert named in refused(tmp_path)


def packed(path):
    """The same archive with its tensors deflated and far larger."""
    with zipfile.ZipFile(path) as read:
        parts = {part: read.read(part) for part in read.namelist()}
    with zipfile.ZipFile(path, "w") as written:
        for part, data in parts.items():
            kind = zipfile.ZIP_STORED if part.endswith("pkl") else zipfile.ZIP_DEFLATED
            written.writestr(part, data + b"0" * 10_000_000, kind)


def test_a_file_of_torch_that_cannot_be_used_is_refused(tmp_path):
    state = make(tmp_path, file="own.pt").state_dict()
    path, whole = tmp_path / "own.pt", (tmp_path / "own.pt").read_bytes()
    for damage in (
        lambda: torch.save(state, path, _use_new_zipfile_serialization=False),
        lambda: packed(path),
        lambda: save(state | {"wide": torch.zeros(1).expand(10**12)}, path),
        lambda: path.write_bytes(whole[:-300]),
        lambda: save({"model": state, "average": state}, path),
    ):
        path.write_bytes(whole)
        damage()
        assert "own.pt" in refused(tmp_path)
    path.write_bytes(whole)
    save(state, tmp_path / "more.pt")
    assert "more.pt" in refused(tmp_path)


def test_a_list_of_words_is_a_vocabulary_and_the_pair_tells_what_stands_around(tmp_path):
    model = make(tmp_path, n_pairs=0)
    (tmp_path / "tokenizer.json").unlink()
    (tmp_path / "vocab.txt").write_text("\n".join(WORDS))
    assert "--ends: end, both" in refused(tmp_path, **FACTS)
    tokenizer = FORMAT.read(tmp_path, FACTS | {"ends": "both"}).tokenizers["source"]
    assert tokenizer.encode("The cat sees").tokens == ("<s>", "▁the", "▁cat", "▁sees", "</s>")
    assert tokenizer.decode([4, 5, 7]).text == "the cat sees"
    write_pairs(tmp_path, pair_of(model, [2, 4, 5, 3], [2, 4]))
    assert FORMAT.read(tmp_path, {}).tokenizers["source"].encode("cat").ids == (2, 5, 3)


def test_rows_are_added_for_special_tokens_that_a_vocabulary_lacks(tmp_path):
    model = make(tmp_path)
    words = {w: n for n, w in enumerate(("a0", "b1", *WORDS[2:]))}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="a0"))
    around = [("<eos>", 3)]
    tokenizer.post_processor = processors.TemplateProcessing("$A <eos>", special_tokens=around)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    converted = FORMAT.read(tmp_path, {})
    config = converted.config
    assert len({config.pad_id, config.unk_id, config.bos_id, config.eos_id}) == 4
    assert converted.tokenizers["target"].vocab_size == config.vocab_size == len(WORDS) + 3
    src, tgt = READ[0]
    theirs = logits_of_torch(model, src, tgt)
    ours = logits_of(converted, src, [config.bos_id, *tgt[1:]])
    torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-5)


def test_vocabularies_without_a_beginning_are_refused(tmp_path):
    make(tmp_path)
    text = (tmp_path / "tokenizer.json").read_text().replace("<bos>", "from")
    (tmp_path / "tokenizer.json").write_text(text)
    message = refused(tmp_path)
    assert "'bos_id': -1" in message
    assert "<sos>" in message

"""State dicts of `torch.nn.Transformer`: torch's own logits, and facts that are never guessed."""

import json
import zipfile

import pytest
import torch
from tokenizers import Tokenizer, models, processors

from model.errors import CheckpointError
from model.formats.torch_nn import FORMAT
from model.transformer import Transformer
from support.formats.torch_nn import READ, WORDS, make, save, vocabulary


def logits_of(converted, src, tgt):
    model = Transformer(converted.config).eval()
    missing = model.load_state_dict(converted.tensors, strict=False)
    assert not missing.unexpected_keys
    assert not any(tensor.requires_grad for tensor in converted.tensors.values())
    with torch.inference_mode():
        return model(torch.tensor([src]), torch.tensor([tgt]))[0, :, : len(WORDS)]


GRID = [
    *({"positions": p, "norm_first": n, "activation": a} for p in ("learned", "sines")
      for n in (False, True) for a in ("relu", "gelu")),
    *({"positions": "halves unsaved", "norm_first": n} | told for n in (False, True) for told in (
      {"sides": True, "scale": True}, {"tied": True}, {"bias": False}, {"width": 16, "heads": 4})),
]  # fmt: skip


@pytest.mark.parametrize("told", GRID)
@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
def test_logits_are_those_of_torch_and_one_pair_tells_the_facts(tmp_path, told):
    model = make(tmp_path, **told)
    assert FORMAT.recognises(tmp_path)
    converted = FORMAT.read(tmp_path, {})
    for src, tgt in READ:
        with torch.inference_mode():
            theirs = model(torch.tensor([src]), torch.tensor([tgt]))[0]
        torch.testing.assert_close(logits_of(converted, src, tgt), theirs, rtol=1e-5, atol=1e-5)
    config, norm = converted.config, "before" if told["norm_first"] else "after"
    found = (config.n_heads, config.norm, config.activation, config.positions)
    facts = (told.get("heads", 3), norm, told.get("activation", "relu"))
    assert found == (*facts, told["positions"].split()[0])


FACTS = {"heads": "3", "norm": "after", "activation": "relu", "scale": "no"}


def refused(path, **options) -> tuple[str, str]:
    with pytest.raises(CheckpointError) as raised:
        FORMAT.read(path, options)
    return str(raised.value), str(raised.value.hint)


def test_what_no_file_holds_is_asked_for_with_the_command(tmp_path):
    make(tmp_path, n_pairs=0, positions="sines unsaved")
    said, hint = refused(tmp_path, norm="after")
    assert all(f"--{name}" in said for name in ("heads", "activation", "scale", "positions"))
    assert "--norm" not in said
    assert f"python -m model open {tmp_path} --heads 3 --activation relu" in hint
    converted = FORMAT.read(tmp_path, FACTS | {"positions": "sines"})
    assert converted.config.n_heads == 3


def test_a_fact_that_cannot_be_is_named_with_what_can(tmp_path):
    make(tmp_path, n_pairs=0)
    said, _ = refused(tmp_path, heads="5")
    assert "--heads is 5, expected one of 6, 4, 12, 3, 2, 1" in said


def test_facts_that_no_setting_reproduces_say_how_near_the_best_came(tmp_path):
    make(tmp_path)
    said, hint = refused(tmp_path, heads="2")
    assert "none of 12 settings" in said
    assert "--heads 2" in said
    assert "open_attention" in hint


def test_of_several_that_reproduce_the_pair_the_open_facts_are_asked_for(tmp_path):
    model = make(tmp_path)
    # Where the pieces have no size at all, scaling them changes nothing.
    state = model.state_dict() | {"tables.tok_emb.weight": torch.zeros(len(WORDS), 12)}
    save(state, tmp_path / "weights.safetensors")
    model.load_state_dict(state)
    src, tgt = READ[0]
    with torch.inference_mode():
        logits = model(torch.tensor([src]), torch.tensor([tgt]))[0]
    pair = {"input_ids": src, "target_ids": tgt, "logits": logits.tolist()}
    (tmp_path / "pairs.json").write_text(json.dumps([pair]))
    said, hint = refused(tmp_path)
    assert "--scale: yes, no" in said
    assert "--heads" not in said
    assert f"{tmp_path} --scale yes" in hint
    assert FORMAT.read(tmp_path, {"scale": "no"}).config.n_heads == 3


def test_ids_of_the_best_are_enough_where_they_differ(tmp_path):
    model = make(tmp_path, n_pairs=0)
    model.generator.bias.data.zero_()
    save(model.state_dict(), tmp_path / "weights.safetensors")
    pairs = []
    for src, tgt in READ:
        with torch.inference_mode():
            best = model(torch.tensor([src]), torch.tensor([tgt]))[0].argmax(-1)
        pairs.append({"input_ids": src, "target_ids": tgt, "output_ids": best.tolist()})
    (tmp_path / "pairs.json").write_text(json.dumps(pairs))
    given = {"heads": "3", "activation": "relu", "scale": "no"}
    assert FORMAT.read(tmp_path, given).config.norm == "after"
    said, _ = refused(tmp_path, **given, norm="before")
    assert "of the output ids differ" in said


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"input_ids": [99]}, "input_ids"),
        ({"target_ids": [99]}, "target_ids"),
        ({"input_ids": [4] * 21}, "length"),
        ({"logits": [[0.5]]}, "logits"),
        ({"logits": None, "output_ids": [4]}, "output_ids"),
        ({"logits": None}, "logits"),
        ({"logits": "x"}, "logits"),
        ({"input_ids": []}, "input_ids"),
        ({"input_ids": [4, 5]}, "input_ids"),
    ],
)
def test_a_pair_that_cannot_be_is_named(tmp_path, changed, named):
    make(tmp_path)
    if len(changed.get("input_ids", "")) == 2:
        vocabulary(tmp_path / "tokenizer.json", around="")
    path = tmp_path / "pairs.json"
    pair = json.loads(path.read_text())[0]
    path.write_text(json.dumps([pair | changed]))
    said, _ = refused(tmp_path)
    assert "pairs.json" in said
    assert named in said


class Mine(dict):
    pass


def test_a_file_with_objects_is_not_unpickled_and_they_are_named(tmp_path):
    model = make(tmp_path, file="own.pt")
    save(model, tmp_path / "own.pt")
    assert FORMAT.recognises(tmp_path)
    said, hint = refused(tmp_path)
    assert "formats.torch_nn.Own" in said
    assert "torch.save(model.state_dict()" in hint


@pytest.mark.parametrize("wrap", [lambda state: state, lambda state: {"epoch": 3, "model": state}])
def test_a_state_dict_is_found_in_a_file_of_torch(tmp_path, wrap):
    model = make(tmp_path, file="own.pt")
    state = {f"module.{name}": tensor for name, tensor in model.state_dict().items()}
    save(wrap(state), tmp_path / "own.pt")
    assert FORMAT.read(tmp_path / "own.pt", {}).config.n_decoder_layers == 3


def broken(state):
    del state["transformer.decoder.layers.1.linear2.weight"]


def strange(state):
    state["adapter.weight"] = torch.zeros(3, 3)


def other(state):
    state["transformer.encoder.layers.0.norm1.weight"] = torch.zeros(5)


def two(state):
    state["more.layers.0.self_attn.in_proj_weight"] = torch.zeros(36, 12)


def tables(state):
    state["another_emb.weight"] = torch.zeros(11, 12)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (broken, "decoder_layers.1.feed_forward.outer.weight"),
        (strange, "adapter.weight"),
        (other, "encoder_layers.0.self_attention_residual.norm.weight"),
        (two, "more."),
        (tables, "another_emb.weight"),
    ],
)
def test_what_does_not_fit_is_named(tmp_path, change, named):
    state = dict(make(tmp_path).state_dict())
    change(state)
    save(state, tmp_path / "weights.safetensors")
    assert named in refused(tmp_path)[0]


@pytest.mark.parametrize("kind", ["old", "packed", "widened", "cut", "two", "none"])
def test_a_file_that_cannot_be_is_refused(tmp_path, kind):
    state = make(tmp_path, file="own.pt").state_dict()
    path = tmp_path / "own.pt"
    if kind == "old":
        torch.save(state, path, _use_new_zipfile_serialization=False)
    elif kind == "packed":
        with zipfile.ZipFile(path) as read:
            parts = {part: read.read(part) for part in read.namelist()}
        with zipfile.ZipFile(path, "w") as written:
            for part, data in parts.items():
                packed = zipfile.ZIP_STORED if part.endswith("pkl") else zipfile.ZIP_DEFLATED
                written.writestr(part, data + b"0" * 10_000_000, packed)
    elif kind == "widened":
        save(state | {"wide": torch.zeros(1).expand(10**12)}, path)
    elif kind == "cut":
        path.write_bytes(path.read_bytes()[:-300])
    elif kind == "two":
        save({"model": state, "average": state}, path)
    else:
        save(state, tmp_path / "more.pt")
    said, _ = refused(tmp_path)
    assert ("own.pt" if kind != "none" else "more.pt") in said


def test_a_list_of_words_is_a_vocabulary_and_the_pair_tells_what_stands_around(tmp_path):
    model = make(tmp_path, n_pairs=0)
    (tmp_path / "tokenizer.json").unlink()
    (tmp_path / "vocab.txt").write_text("\n".join(WORDS))
    given = FACTS
    said, _ = refused(tmp_path, **given)
    assert "--ends: end, both" in said
    tokenizer = FORMAT.read(tmp_path, given | {"ends": "both"}).tokenizers["source"]
    assert tokenizer.encode("The cat sees").tokens == ("<s>", "▁the", "▁cat", "▁sees", "</s>")
    assert tokenizer.decode([4, 5, 7]).text == "the cat sees"
    src, tgt = [2, 4, 5, 3], [2, 4]
    with torch.inference_mode():
        logits = model(torch.tensor([src]), torch.tensor([tgt]))[0].tolist()
    pair = {"input_ids": src, "target_ids": tgt, "logits": logits}
    (tmp_path / "pairs.json").write_text(json.dumps([pair]))
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
    with torch.inference_mode():
        theirs = model(torch.tensor([src]), torch.tensor([tgt]))[0]
    ours = logits_of(converted, src, [config.bos_id, *tgt[1:]])
    torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-5)


def test_vocabularies_without_a_beginning_are_refused(tmp_path):
    make(tmp_path)
    text = (tmp_path / "tokenizer.json").read_text().replace("<bos>", "from")
    (tmp_path / "tokenizer.json").write_text(text)
    said, hint = refused(tmp_path)
    assert "'bos_id': -1" in said
    assert "<sos>" in hint

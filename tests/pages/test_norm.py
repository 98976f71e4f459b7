"""Norms in the place of weights on the pages beside the first, worked out by hand."""

from functools import partial

import numpy as np
import pytest
import torch

from core.changes import Positions
from core.intervention import Intervention, hide
from model import load_reader
from model.capture import listening
from model.checkpoint import checkpoint_path
from support.app import asked, charts, data_of, open_page, put, says, specs, tables, words
from words import english

SCENE = "small red circle at 2 1; large dotted blue square at 2 3"
REVIEW = "The film is long. It was a treat. I do not like it, but my wife does."
PAIR = "The dog sleeps because it is tired."
FULL = 65534


def shares(weights: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """||a f(x)|| of weights (H, T_q, T_k) and vectors (H, T_k, d), rows to one."""
    added = np.einsum("hqk,hkd->hqkd", weights.astype(float), vectors.astype(float))
    lengths = np.sqrt((added**2).sum(-1))
    return lengths / lengths.sum(-1, keepdims=True)


def of_layer(part, run) -> np.ndarray:
    """`shares` of a multi-head attention while `run` goes, from its own linear parts."""
    heard = {}
    hooks = {
        module: lambda _, __, output, name=name: heard.update({name: output[0]})
        for name, module in (("values", part.value_proj), ("weights", part.probe))
    }
    with torch.inference_mode(), listening(hooks):
        run()
    n = len(heard["weights"])
    values = heard["values"].unflatten(-1, (n, -1)).transpose(0, 1)
    matrix = part.out_proj.weight.unflatten(1, (n, -1))
    vectors = torch.einsum("hkv,dhv->hkd", values, matrix)
    return shares(heard["weights"].numpy(), vectors.detach().numpy())


def drawn(page, begin: str):
    """The cells of the chart whose alternative text begins so."""
    return tables(next(each for each in charts(page) if each.alt.startswith(begin)))["cells"]


def adds_up(page) -> bool:
    said = english("attention-measure-length-told", residual="own")
    return said in words(page) and "✓ Vectors sum to the output" in words(page).replace(
        ":green[✓]", "✓"
    )


def test_a_caption_is_shaded_by_the_norms_of_its_annotations():
    page = open_page(
        "captions", checkpoint="captions-soft", text=SCENE, measure="length", captions_beside="none"
    )
    reader = load_reader(checkpoint_path("captions-soft"))
    run = reader.translate(SCENE)
    with torch.inference_mode():
        annotations = reader.model.encoder(reader.input_of(run.src)).numpy()
    total = shares(run.attention.of("gaze").weights[0], annotations)[0].sum(0)
    seen = data_of(page, "attention_lab_scene")
    maps = np.frombuffer(seen["maps"], "<u2").reshape(len(seen["labels"]), -1)
    np.testing.assert_allclose(maps[-1] / FULL, total / total.max(), atol=2e-5)
    assert adds_up(page)


@pytest.mark.parametrize("how", ["hard", "mean"])
def test_a_captioner_that_weighs_nothing_says_why_and_has_no_switch(how):
    page = open_page("captions", checkpoint=f"captions-{how}", text=SCENE, measure="length")
    assert english(f"captions-no-values-{how}") in words(page)
    assert not [box for box in page.selectbox if box.key == "measure"]


def test_a_document_is_shaded_by_norms_at_both_levels():
    page = open_page("documents", document_text=REVIEW, measure="length")
    reader = load_reader(checkpoint_path("documents-han"))
    model, src = reader.model, reader.document(REVIEW)
    with torch.inference_mode():
        vectors, expected = [], []
        for sentence in src.sentences:
            states = model.words.states(
                model.embedding(torch.tensor([sentence.ids])), [len(sentence)]
            )
            weights = model.words.scores(states).softmax(-1)
            expected.append(shares(weights[None].numpy(), states.numpy())[0, 0])
            vectors.append(weights @ states[0])
        states = model.sentences.states(torch.stack(vectors, 1), [len(vectors)])
        weights = model.sentences.scores(states).softmax(-1)
    of_sentences = shares(weights[None].numpy(), states.numpy())[0, 0]
    rows = data_of(page, "attention_lab_document")["rows"]
    assert [row["weight"] for row in rows] == pytest.approx(of_sentences, abs=1e-5)
    for row, of_words in zip(rows, expected, strict=True):
        assert [word["weight"] for word in row["words"]] == pytest.approx(of_words, abs=1e-5)
    most = int(of_sentences.argmax())
    told = {"n": most + 1, "share": float(of_sentences[most]), "measure": "length"}
    assert says(page, "documents-largest", **told)
    assert adds_up(page)


def test_heads_of_a_masked_word_show_norms():
    page = open_page("masked", checkpoint="masked-lm", text=PAIR, measure="length")
    reader = load_reader(checkpoint_path("masked-lm"))
    src = reader.sentence(PAIR)
    cells = drawn(page, "Vector norms of 32 heads")
    place = 7  # "tired", the last long word
    ids = reader.input_of(reader.masked(src, [place]))
    for layer, block in enumerate(reader.model.encoder_layers):
        expected = of_layer(block.self_attention, partial(reader.model, ids))[:, place]
        found = cells[cells["layer"] == layer].sort_values(["head", "k"])["weight"]
        np.testing.assert_allclose(found.to_numpy(), expected.ravel(), atol=1e-5)
    assert adds_up(page)


CHANGED = (
    (
        "masks",
        {"mask_look": "change", "change": "hide-both-2"},
        hide(1, where="both"),
        "change_effect",
    ),
    (
        "masks",
        {"mask_look": "change", "change": "source-absent"},
        Intervention(Positions("absent", side="source")),
        "change_effect",
    ),
)


@pytest.mark.parametrize(("name", "address", "change", "key"), CHANGED)
def test_a_head_before_and_after_a_change_shows_norms_of_either_run(name, address, change, key):
    page = put(
        open_page(name, text=PAIR, measure="length", **address), **{f"{key}_kind": "encoder"}
    )
    page = put(page, **{f"{key}_layer": 1})
    page = put(page, **{f"{key}_head": 2})
    reader = load_reader(checkpoint_path("en-de"))
    bos = torch.tensor([[reader.model.config.bos_id]])
    src, part = reader.tokenize(PAIR), reader.model.encoder_layers[1].self_attention
    for side, under in (("Before", None), ("After", change)):
        with reader.running(under, len(src), 1) as model:
            expected = of_layer(part, partial(model, reader.input_of(src), bos))[2]
        found = drawn(page, f"{side}: vector norm of the selected head").sort_values(["q", "k"])
        np.testing.assert_allclose(found["value"].to_numpy(), expected.ravel(), atol=1e-5)
    assert english("masks-effect-head-difference", measure="length") in words(page)
    assert adds_up(page)


WITHOUT = (
    ("masks", "mask_look", "seen"),
    ("masks", "mask_look", "explain"),
    ("positions", "position_look", "encoding"),
    ("positions", "position_look", "order"),
)


def test_the_search_for_other_weights_says_why_it_has_no_norms():
    address = {"documents_look": "agree", "document_test": "adversarial"}
    page = open_page("documents", measure="length", **address)
    assert english("documents-other-no-norms") in words(page)
    assert not [box for box in page.selectbox if box.key == "measure"]


@pytest.mark.parametrize(("name", "key", "view"), WITHOUT)
def test_a_view_of_weights_alone_says_why(name, key, view):
    page = open_page(name, **{key: view, "measure": "length"})
    assert english(f"view-{name}-{view}-no-norms") in words(page)
    assert not [box for box in page.selectbox if box.key == "measure"]


def test_the_switch_is_kept_in_the_address_and_all_heads_of_a_layer_have_no_number():
    page = open_page("masked", checkpoint="masked-lm", text=PAIR, masked_part="each")
    page = put(page, measure="normed")
    assert asked(page)["measure"] == "normed"
    assert not [box for box in page.selectbox if box.key == "masked_head"]
    page = put(page, measure="weight")
    assert "measure" not in asked(page)


def test_a_minimal_pair_names_the_norm_in_titles_and_colour_bars():
    page = open_page(look="pair", measure="length")
    assert "Δ vector norm (sentence 2 − sentence 1)" in words(page)
    titles = [text for text in map(str, specs(page)) if "Δ" in text]
    assert titles
    assert all("Δ vector norm" in text and "Δ weight" not in text for text in titles)

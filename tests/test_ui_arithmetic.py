"""The view of the arithmetic: real numbers in its sentences, and no model run for another head."""

import json
from functools import wraps
from types import SimpleNamespace

import harness
import numpy as np
import pytest
import streamlit
from conftest import SENTENCES
from harness import open_frame, words

from core.attention import ENCODER, AttentionMap
from core.padding import AttentionCost
from core.search import Decoding
from core.transform import Regrouped, single_groups
from model.experiments import arithmetic
from ui.attention.arithmetic import cost_table
from ui.focus import Focus
from ui.state import Run
from words import english

# What only the specification of each picture holds, from top to bottom.
PICTURES = (
    "q × k",
    english("figures-arithmetic-weight"),
    english("figures-arithmetic-weight-times-value"),
    english("figures-arithmetic-end-to-end"),
    english("attention-arithmetic-additive"),
)


def run_view(scene):
    from ui.attention.arithmetic import show

    show(scene)()


@pytest.fixture(autouse=True)
def fresh_cache():
    streamlit.cache_resource.clear()


@pytest.fixture(scope="module")
def translation(tiny_translator):
    return tiny_translator.translate(SENTENCES[0], Decoding(beam_size=1, max_len=9))


@pytest.fixture
def make_scene(tiny_translator, translation):
    def make(kind="encoder", *, rows=(2,), columns=(1,), layer=1, head=3, merged=False, **changes):
        raw = translation.attention.of(kind)
        groups = ((0, 1),) if merged else single_groups(raw.weights.shape[3])
        scene = {
            "run": Run(None, tiny_translator, translation),
            "kind": kind,
            "raw": raw,
            "shown": Regrouped(raw, groups, groups),
            "focus": Focus(layer, head, rows, columns),
            "produced": False,
            "file_name": "a head",
            "title": "a head",
            "dark": False,
        }
        return SimpleNamespace(**(scene | changes))

    return make


def open_view(scene, **address):
    return open_frame(run_view, scene, **address)


def specs(page):
    """The specifications of all pictures, with their letters as they are."""
    return [json.dumps(chart, ensure_ascii=False) for chart in harness.specs(page)]


def test_weights_that_do_not_follow_from_the_vectors_are_reported(make_scene):
    raw = make_scene().raw
    changed = np.full_like(raw.weights, 1 / raw.weights.shape[3])
    scene = make_scene(raw=AttentionMap(ENCODER, changed, raw.query_tokens, raw.key_tokens))
    assert "differ from the model’s own weights" in open_view(scene).warning[0].value


PIECES = english("attention-arithmetic-pieces")


@pytest.mark.parametrize(
    ("kind", "scene", "said", "unsaid"),
    [
        ("encoder", {"rows": (2, 4)}, "Of the 2 selected queries, the first is shown", PIECES),
        ("encoder", {"merged": True}, PIECES, "Without the division"),
        ("encoder", {}, "random and untrained", "Without the division"),
        ("cross", {"produced": True}, "(output token)", "(input token)"),
        ("cross", {}, "(input token)", "(output token)"),
        ("decoder", {"rows": (1,), "columns": (3,)}, "the weight is **exactly 0**", PIECES),
    ],
    ids=str,
)
def test_what_is_shown_of_the_choices_is_said(make_scene, kind, scene, said, unsaid):
    text = words(open_view(make_scene(kind, **scene)))
    assert said in text
    assert unsaid not in text


def test_without_a_chosen_query_the_last_row_is_shown_and_said_so(make_scene):
    scene = make_scene(rows=(), columns=())
    page = open_view(scene)
    best = scene.raw.weights[1, 3, -1].max()
    assert english("attention-arithmetic-last") in words(page)
    assert f"**{best:.4f}**" in words(page)
    n_queries, n_keys = scene.raw.weights.shape[2:]
    assert f"| {n_queries} × {n_keys} (this sentence) |" in words(page)
    for words_inside, spec in zip(PICTURES, specs(page), strict=True):
        assert words_inside in spec


def test_another_head_row_or_kind_asks_for_no_vectors_again(make_scene, monkeypatch):
    asked, take = [], arithmetic.vectors_of
    counting = wraps(take)(lambda *given: asked.append(1) or take(*given))
    monkeypatch.setattr(arithmetic, "vectors_of", counting)
    for scene in (make_scene(), make_scene(head=0, rows=(4,)), make_scene("cross", layer=0)):
        open_view(scene)
    assert len(asked) == 1


def test_the_cost_table_by_hand():
    costs = (
        AttentionCost(2, 3, 4, 72, 600, 2e-6, 5e-6),
        AttentionCost(512, 512, 4, 3_145_728, 69_337_088, 2.5e-4, 0.0254),
    )
    lines = cost_table(costs).splitlines()
    assert lines[2] == "| 2 × 3 (this sentence) | 2 µs | 5 µs | 72 B | 600 B |"
    assert lines[3] == "| 512 × 512 | 250 µs | 25.4 ms | 3.1 MB | 69.3 MB |"


def test_tokens_with_markup_are_shown_as_they_are(make_scene):
    raw = make_scene().raw
    tokens = ("▁<b>", "▁**x**", *raw.key_tokens[2:])
    scene = make_scene(raw=AttentionMap(ENCODER, raw.weights, tokens, tokens))
    text = "\n".join(element.value for element in open_view(scene).markdown)
    assert r"“\*\*x\*\*”" in text


def test_a_sentence_of_one_token_is_shown(tiny_translator, make_scene):
    translation = tiny_translator.translate("a", Decoding(beam_size=1, max_len=1))
    raw = translation.attention.of("decoder")
    groups = single_groups(1)
    scene = make_scene(
        "decoder",
        run=Run(None, tiny_translator, translation),
        raw=raw,
        shown=Regrouped(raw, groups, groups),
        focus=Focus(),
    )
    assert "the weight is **1.0000**" in words(open_view(scene, scaling="false"))

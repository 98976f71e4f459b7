"""The page that opens a block: menus, clicks, what is left out, what is stored and what is not."""

from __future__ import annotations

import base64
import json
import shutil
from dataclasses import replace

import numpy as np
import pytest
from conftest import write_measured
from harness import charts, click, open_page, says, table_of, tables, words

from analysis.block import stream_table
from analysis.labels import token_label
from records import Gradients, Intervention, NoNorm, NoResidual, SubLayer
from records.measurements import UNITS
from ui.block import gradients, paths
from ui.block.scene import STACKS, position_labels, streams
from ui.words import plain
from viz.block import SELECTION_NAME
from words import Words
from words.numbers import fixed

VIEWS = ("stream", "norm", "without", "lens", "paths", "gradients", "units")


@pytest.fixture(autouse=True)
def _folder(folder):
    """The app with random weights."""


def named_tables(page, column):
    """The tables of the charts that have this column, in their order."""
    found = (table for chart in charts(page) for table in tables(chart).values())
    return [table for table in found if column in table]


def test_the_bars_are_what_the_model_adds_at_the_token():
    page = open_page("block", block_look="stream", block_encoder_token="3")
    found = streams(page.session_state["run"], Intervention())[0]
    (lines,) = named_tables(page, "cosine")
    expected = stream_table(found, 2)
    for name in ("before", "added", "summed", "after", "cosine"):
        np.testing.assert_allclose(lines[name], expected[name], rtol=1e-6)


def test_a_click_on_a_bar_chooses_the_sub_layer_and_the_address_keeps_it():
    page = open_page("block", block_look="stream", block_stack="decoder")
    page = click(page, "block_stream", SELECTION_NAME, place=4)
    assert page.session_state["block_decoder_step"] == 4
    assert "decoder.2.cross" in page.query_params["block_decoder_step"]
    again = open_page(
        "block", block_look="stream", block_stack="decoder", block_decoder_step="decoder.2.cross"
    )
    assert again.session_state["block_decoder_step"] == 4


@pytest.mark.parametrize("view", VIEWS)
def test_a_sentence_at_the_limit_opens_every_view(view):
    longest = " ".join(["dog"] * 400)
    page = open_page("block", block_look=view)
    translator = page.session_state["run"].translator
    while len(translator.tokenize(longest)) > translator.max_source_len:
        longest = longest.rsplit(" ", 1)[0]
    page = open_page("block", block_look=view, text=longest, beam="1")
    assert not page.error
    assert len(page.session_state["run"].translation.src) >= translator.max_source_len - 4


def test_an_address_with_nonsense_opens_as_at_the_beginning():
    page = open_page(
        "block", block_look="stream", block_encoder_token="99", block_encoder_step="encoder.9.self"
    )
    assert not page.error
    assert page.session_state["block_encoder_step"] == 0


@pytest.mark.parametrize(
    ("chosen", "change"),
    [
        ({}, NoResidual("encoder", 0, "self")),
        (
            {"block_cut": "norm", "block_cut_stack": "all", "block_cut_layer": "all",
             "block_cut_name": "all"},
            NoNorm(),
        ),
        (
            {"block_cut_stack": "decoder", "block_cut_layer": "2", "block_cut_name": "cross"},
            NoResidual("decoder", 1, "cross"),
        ),
    ],
)  # fmt: skip
def test_what_is_left_out_is_translated_without(chosen, change):
    page = open_page("block", block_look="without", **chosen)
    run_ = page.session_state["run"]
    decoding = run_.choices.decoding
    under = Intervention(change)
    expected = run_.translator.translate(run_.choices.text, decoding, intervention=under)
    if expected.tgt.ids != run_.translation.tgt.ids:
        assert expected.text[:20] in words(page).replace("**", "").replace(":green-background[", "")
    (lengths,) = [table for table in named_tables(page, "alike") if "run" in table]
    stack = 1 if change.stack == "decoder" else 0
    last = streams(run_, under)[stack].after[-1].astype(float)
    shown = lengths[(lengths["run"] == "changed")]["length"].iloc[-1]
    assert shown == pytest.approx(np.linalg.norm(last, axis=-1).mean(), rel=1e-6)


def test_the_last_row_of_the_lens_is_what_the_model_writes():
    page = open_page("block", block_look="lens", beam="1", alpha="0")
    run_ = page.session_state["run"]
    (cells,) = named_tables(page, "rank")
    last = cells[cells["q"] == cells["q"].max()]
    assert (last["rank"] == 1).all()
    assert len(last) == len(run_.translation.tgt)
    assert says(page, "block-lens-aid")


def drawn_signs(page):
    """Of each state that is drawn: what its hover tells, and where it is."""
    traces = json.loads(page.get("plotly_chart")[0].proto.spec)["data"]
    found = []
    for trace in traces:
        if "customdata" in trace:
            at = (np.frombuffer(base64.b64decode(trace[axis]["bdata"])) for axis in "xyz")
            found += zip(map(tuple, trace["customdata"]), zip(*at, strict=True), strict=True)
    return found


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_the_paths_are_those_of_the_states_of_the_stack(stack):
    page = open_page("block", block_look="paths", block_stack=stack)
    run_ = page.session_state["run"]
    stream = streams(run_, Intervention())[STACKS.index(stack)]
    states = np.concatenate((stream.before[:1], stream.after)).astype(float)
    signs = drawn_signs(page)
    assert len(signs) == states.shape[0] * states.shape[1]
    centred = states.reshape(-1, states.shape[-1])
    centred = centred - centred.mean(axis=0)
    sizes = np.linalg.svd(centred, compute_uv=False)
    coordinates = np.array([at for _, at in signs])
    np.testing.assert_allclose(np.linalg.norm(coordinates, axis=0), sizes[:3], rtol=1e-6)
    share = (sizes[:3] ** 2).sum() / (sizes**2).sum()
    assert f"hold {share:.1%} of the variance" in words(page)
    told = signs[1][0]
    side = run_.translation.src if stack == "encoder" else run_.translation.tgt
    assert token_label(side.tokens[1]) in told[0].replace("&lt;", "<").replace("&gt;", ">")
    assert told[1] == "Input"
    assert told[2] == f"{np.linalg.norm(states[0, 1]):.2f}"
    assert told[3] == "1.00"


def test_states_of_length_one_lie_elsewhere_and_have_the_norms_they_have():
    raw, unit = (
        drawn_signs(open_page("block", block_look="paths", block_path_states=states))
        for states in ("raw", "unit")
    )
    assert [told for told, _ in raw] == [told for told, _ in unit]
    assert np.abs([at for _, at in unit]).max() <= 2
    assert not np.allclose([at for _, at in raw], [at for _, at in unit])


def test_one_path_is_chosen_by_the_menu_and_told():
    page = open_page("block", block_look="paths")
    assert not [menu for menu in page.selectbox if menu.key == "block_encoder_token"]
    page = open_page("block", block_look="paths", block_path_shown="one", block_encoder_token="2")
    states = streams(page.session_state["run"], Intervention())[0]
    first, last = states.before[0, 1].astype(float), states.after[-1, 1].astype(float)
    cosine = first @ last / np.linalg.norm(first) / np.linalg.norm(last)
    assert says(
        page,
        "block-path-told",
        token=plain(position_labels(page.session_state["run"], "encoder")[1]),
        norm=fixed(np.linalg.norm(last)),
        before=fixed(np.linalg.norm(first)),
        cosine=fixed(cosine),
    )


def test_states_that_are_all_one_end_in_a_sentence(monkeypatch):
    def equal(run, change):
        found = streams(run, change)[0]
        return (replace(found, before=0 * found.before + 1, after=0 * found.after + 1),) * 2

    monkeypatch.setattr(paths, "streams", equal)
    monkeypatch.setattr(paths, "paths_of", paths.paths_of.__wrapped__)
    page = open_page("block", block_look="paths")
    assert says(page, "block-path-none")
    assert not page.get("plotly_chart")
    assert not page.error


def test_gradients_of_random_weights_are_not_those_of_the_trained_ones(monkeypatch):
    monkeypatch.setattr(gradients, "SEED", 5)  # the weights of the tests are those of seed 0
    random, trained = (
        named_tables(open_page("block", block_look="gradients", block_weights=weights), "size")[0]
        for weights in ("random", "trained")
    )
    assert list(random["run"].unique()) == ["plain", "residual", "norm", "both"]
    assert not np.allclose(random["size"], trained["size"])


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("pre_norm", [False, True])
def test_the_sentence_counts_what_loses_its_gradient(monkeypatch, language, pre_norm):
    monkeypatch.setattr(gradients, "say", Words(language))
    places = tuple(
        SubLayer(stack, 0, name)
        for stack in ("encoder", "decoder")
        for name in ("self", "cross", "feed_forward")
    )
    sizes = np.ones((4, 6))
    sizes[1] = [0.5, 1, 1, np.nan, 9e-4, 2e-3]
    found = Gradients(places, sizes, np.zeros((4, 6)), np.array([2.0, 3, 4, 5]), pre_norm)
    told = gradients.told(found, "random")
    decoder, encoder = ("2 of the decoder’s 3", "0 of the encoder’s 3") if language == "en" else (
        "디코더에서 3개 중 2개", "인코더에서 3개 중 0개"
    )  # fmt: skip
    assert decoder in told
    assert encoder in told
    losses = gradients.losses(found, 7)
    assert losses == Words(language)("block-gradients-how", n=7, loss="2.00", cut_loss="3.00")
    unchanged = "passes unchanged (" if language == "en" else "그대로 지나갑니다"
    assert (unchanged in told) == pre_norm


def test_the_sentence_counts_the_active_neurons():
    page = open_page("block", block_look="units", block_encoder_token="3")
    run_ = page.session_state["run"]
    translation = run_.translation
    here = run_.translator.units(translation.src, translation.tgt)[0].activations[0, 2]
    assert f"activates **{(here > 0).sum()}** of its {len(here)} neurons" in words(page)


# -- what was measured of the units ---------------------------------------------------------


@pytest.fixture
def with_units(checkpoints_root, tmp_path, monkeypatch):
    """Write units.json into a copy of the checkpoint, and open the page."""

    def opened(values):
        folder = shutil.copytree(checkpoints_root / "en-de", tmp_path / "en-de")
        monkeypatch.setenv("ATTENTION_LAB_CHECKPOINTS", str(tmp_path))
        write_measured(folder, UNITS, hardware="", **values)
        return open_page("block", block_look="units")

    return opened


def all_units(places):
    layer = [{"unit": unit, "share": 0.25, "places": places} for unit in range(32)]
    return {"layers": {"encoder": [layer] * 2, "decoder": [layer] * 2}, "command": "a command"}


def test_the_places_where_a_unit_fires_most_are_shown(with_units):
    page = with_units(all_units([["a big", "▁dog", "runs", 3.5], ["the", "▁cat", "", 1]]))
    places = table_of(page, "fires")
    assert places["token"].tolist() == ["dog", "cat"]
    assert places["fires"].tolist() == ["3.50", "1.00"]
    (bars,) = named_tables(page, "told")
    assert set(bars["told"]) == {"dog, cat"}
    assert says(page, "masks-made-command", command="a command")

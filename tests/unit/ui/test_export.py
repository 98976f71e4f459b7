"""Menu of files of a figure and its numbers."""

from __future__ import annotations

import html
import io
import json
import re
import string
from types import SimpleNamespace

import altair as alt
import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from core.files import UNSIGNED, Signature
from core.records.attention import ENCODER, AttentionMap, AttentionRecord
from core.records.sources import TokenSequence
from support.app import open_frame, opened_up
from ui import VERSION
from ui.kit.export import BOM, MOST_NAME, ExportData, downloads, file_stem
from ui.pages.attention.scene import AttentionScene
from viz.export import has_browser
from viz.figure import Figure, drawn
from viz.recipes import source

WEIGHTS = np.array([[[[0.25, 0.75], [0.5, 0.5]], [[1.0, 0.0], [0.0, 1.0]]]], np.float32)
SRC = TokenSequence("a", (1, 2), ("a", "</s>"), ((0, 1), (0, 0)))
MAP = AttentionMap(ENCODER, WEIGHTS, SRC.tokens, SRC.tokens)
RECORD = AttentionRecord(SRC, None, (MAP,))
TABLE = pd.DataFrame({"x": [1.0, 2.0]})


@pytest.fixture
def figure() -> Figure:
    return drawn(_points, {"t": TABLE})


def _points() -> alt.Chart:
    return source("t").mark_point().encode(x="x:Q")


def offered(figure: Figure, signature: Signature = UNSIGNED, **data) -> dict:
    files = downloads(figure, name="A dog.", data=ExportData(**data), signature=signature)
    return {file.label: file for file in files}


def arrays_of(npz: bytes) -> dict:
    with np.load(io.BytesIO(npz), allow_pickle=False) as arrays:
        return dict(arrays)


@given(st.text(max_size=200), st.text(max_size=200))
def test_file_names_are_short_and_safe(first, second):
    name = file_stem(first, second)
    assert 0 < len(name) <= MOST_NAME
    hangul = {letter for letter in name if "가" <= letter <= "힣"}
    assert set(name) - hangul <= set(string.ascii_lowercase + string.digits + "-")
    assert not name.startswith("-")
    assert not name.endswith("-")
    assert file_stem(name) == name


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (("The dog's Straße, über!", "layer 2"), "the-dog-s-strasse-uber-layer-2"),
        (("../../etc/passwd",), "etc-passwd"),
        *(((text,), "figure") for text in ("", "漢字", "../..", "\x00")),
    ],
)
def test_a_file_name_is_made_from_the_sentence_and_leads_nowhere(parts, name):
    assert file_stem(*parts) == name


PICTURES = ["PNG", "SVG", "HTML", "JSON"]


@pytest.mark.parametrize(
    ("data", "more", "names"),
    [
        ({}, [], {}),
        ({"numbers": lambda: TABLE}, ["CSV", "NPZ"], {"x"}),
        ({"record": RECORD}, ["NPZ", "BertViz"], {"src_ids", "encoder_weights"}),
        ({"numbers": lambda: TABLE, "record": RECORD}, ["CSV", "NPZ", "BertViz"], {"x"}),
        (
            {"numbers": lambda: MAP, "record": RECORD},
            ["CSV", "NPZ", "BertViz"],
            {"src_ids", "encoder_weights"},
        ),
    ],
)
def test_a_figure_is_offered_as_pictures_and_its_numbers_or_record_as_tables(
    figure, data, more, names
):
    files = offered(figure, **data)
    assert list(files) == [*PICTURES, *more]
    found = arrays_of(files["NPZ"].make()) if names else {}
    assert found.keys() >= set(names)
    assert ("src_ids" in found) == ("src_ids" in names)


def test_pictures_have_the_form_their_names_promise(figure):
    files = offered(figure)
    assert files["PNG"].make().startswith(b"\x89PNG")
    assert files["SVG"].make().startswith("<svg")
    assert "<title>A dog.</title>" in files["HTML"].make()
    assert json.loads(files["JSON"].make())["datasets"]["t"] == [{"x": 1.0}, {"x": 2.0}]
    assert [f.file_name for f in files.values()] == [
        f"a-dog.{ending}" for ending in ("png", "svg", "html", "json")
    ]


def test_without_a_browser_a_figure_of_plotly_is_a_page_and_json(monkeypatch):
    monkeypatch.setattr("ui.kit.export.has_browser", lambda: False)
    plot = go.Figure(go.Scatter(x=[1], y=[2], text=["</script><b>"]))
    files = offered(plot, numbers=lambda: TABLE)
    assert list(files) == ["HTML", "JSON", "CSV", "NPZ"]
    page = files["HTML"].make()
    assert "<title>A dog.</title>" in page
    assert "default-src 'none'" in page
    assert "cdn" not in re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert json.loads(files["JSON"].make())["data"][0]["y"] == [2]


def test_csv_of_a_map_holds_the_chosen_head_and_npz_what_is_shown(figure):
    other = AttentionMap(ENCODER, WEIGHTS[:, :1], SRC.tokens, SRC.tokens)
    text = offered(figure, numbers=lambda: MAP, layer=0, head=1)["CSV"].make()
    frame = pd.read_csv(io.StringIO(text))
    assert frame["weight"].tolist() == [1.0, 0.0, 0.0, 1.0]
    assert set(frame["head"]) == {2}
    arrays = arrays_of(offered(figure, numbers=lambda: other, record=RECORD)["NPZ"].make())
    assert "src_ids" not in arrays
    assert arrays["encoder_weights"].shape == (1, 1, 2, 2)


def test_numbers_are_worked_out_when_asked_for_and_places_count_from_one(figure):
    asked = []
    table = pd.DataFrame({"q": [0, 1], "k": [1, 0], "strip": [0, 0], "value": [0.5, 0.25]})
    files = offered(figure, numbers=lambda: asked.append(1) or table)
    assert asked == []
    assert files["CSV"].make().removeprefix(BOM) == "q,k,strip,value\n1,2,1,0.5\n2,1,1,0.25\n"
    assert arrays_of(files["NPZ"].make())["q"].tolist() == [1, 2]


def test_csv_begins_with_the_sign_by_which_excel_knows_utf_8(figure):
    table = pd.DataFrame({"token": ["안녕", "▁Straße"], "value": [1, 2]})
    data = offered(figure, numbers=lambda: table)["CSV"].make().encode()
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.decode("utf-8-sig").splitlines() == ["token,value", "안녕,1", "▁Straße,2"]
    # Readers that do not know the sign would see it in the name of the first column.
    assert list(pd.read_csv(io.BytesIO(data))) == ["token", "value"]


def menu() -> None:
    import altair as alt
    import pandas as pd

    from ui.kit.export import export_menu

    frame = pd.DataFrame({"x": [1.0]})
    chart = alt.Chart(alt.NamedData(name="t")).mark_point()
    chart.datasets = {"t": frame}
    export_menu(chart, key="k", name="a/b", numbers=lambda: frame)


def test_the_menu_has_a_button_a_file_and_none_runs_the_page_again():
    page = open_frame(menu)
    assert not page.get("download_button")
    opened_up(page, "k")
    buttons = [element.proto for element in page.get("download_button")]
    assert [button.label for button in buttons] == ["PNG", "SVG", "HTML", "JSON", "CSV", "NPZ"]
    assert all(button.ignore_rerun for button in buttons)


SIGNED = {"checkpoint": "en-de (1c58f10)", "sentence": "Über <b> 한국어", "rows": "token read"}
LINE = "checkpoint: en-de (1c58f10); sentence: Über <b> 한국어; rows: token read"


def test_every_file_but_that_for_bertviz_says_what_made_it(figure):
    files = offered(figure, numbers=lambda: MAP, record=RECORD, signature=SIGNED)
    made = {label: file.make() for label, file in files.items()}
    with Image.open(io.BytesIO(made["PNG"])) as picture:
        assert picture.text == {name.capitalize(): value for name, value in SIGNED.items()}
        picture.load()
    assert f"<metadata>{html.escape(LINE)}</metadata>" in made["SVG"]
    assert f"<footer>{html.escape(LINE)}</footer>" in made["HTML"]
    assert json.loads(made["JSON"])["usermeta"]["signature"] == SIGNED
    assert set(pd.read_csv(io.StringIO(made["CSV"]))["signature"]) == {LINE}
    assert str(arrays_of(made["NPZ"])["signature"]) == LINE
    assert "signature" not in made["BertViz"]


def test_files_of_plotly_say_it_too():
    plot = go.Figure(go.Scatter(x=[1], y=[2]))
    files = offered(plot, signature=SIGNED)
    assert json.loads(files["JSON"].make())["layout"]["meta"]["signature"] == SIGNED
    assert f"<footer>{html.escape(LINE)}</footer>" in files["HTML"].make()
    if has_browser():
        with Image.open(io.BytesIO(files["PNG"].make())) as picture:
            assert picture.text["Checkpoint"] == SIGNED["checkpoint"]
        assert html.escape(LINE) in files["SVG"].make().decode()


def test_the_signature_names_model_sentence_and_choices_of_the_page():
    page = open_frame(_signed, beam="3", text="A dog.")
    program, rest = page.markdown[0].value.split("; ", 1)
    assert program == f"program: Attention Lab {VERSION}"
    assert rest == (
        "checkpoint: toy (abc); sentence: A dog.; output: Ein Hund.; rows: token produced; "
        "choices: beam=3"
    )


def _signed() -> None:
    from types import SimpleNamespace as Any

    import streamlit as st

    from core.files import signature_line
    from ui.kit.export import signature

    card = Any(name="toy", fingerprint="abc")
    st.session_state["run"] = Any(
        card=card,
        src=Any(text="A dog."),
        tgt=Any(text="Ein Hund."),
        choices=Any(reads=True),
    )
    st.markdown(signature_line(signature({"rows": "token produced"})))


@pytest.mark.parametrize("measure", ["weight", "length"])
def test_files_of_a_head_name_its_rows_tokens_and_measure(measure):
    drawn = SimpleNamespace(weights=np.zeros((1, 1, 1, 1)), output_tokens=("a",))
    scene = SimpleNamespace(
        whole=SimpleNamespace(attention=drawn),
        display=SimpleNamespace(words=True, sentences=False, special="kept"),
        focus=SimpleNamespace(layer=1, head=2),
        produced=True,
        raw=SimpleNamespace(measure=measure, weights=np.zeros((1, 1, 1, 1))),
        run=SimpleNamespace(record="record"),
    )
    data = AttentionScene.export_data.fget(scene)
    assert (data.layer, data.head, data.row_tokens) == (1, 2, ("a",))
    assert data.record == ("record" if measure == "weight" else None)
    choices = data.choices
    assert choices["rows"] == "token produced"
    assert choices["tokens"] == "pieces merged into words, special tokens: kept"
    assert choices.get("numbers", "").count("share of row") == (measure == "length")

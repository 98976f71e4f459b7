"""Files of figures and weights: what is in them, and that they need nobody else."""

from __future__ import annotations

import csv
import io
import json
import re
import struct
import subprocess
import sys
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import altair as alt
import numpy as np
import pandas as pd
import pytest
import torch

from records import (
    DECODER,
    ENCODER,
    AttentionMap,
    AttentionRecord,
    AttentionSite,
    Decoding,
    GridSource,
    TokenSequence,
)
from viz.export import (
    DARK_PAPER,
    PAPER_INK,
    attention_csv,
    attention_npz,
    attention_table,
    bertviz_json,
    export_spec,
    figure_html,
    figure_png,
    figure_svg,
    map_npz,
    table_csv,
    table_npz,
)
from viz.figure import Figure
from viz.heatmap import attention_heatmap
from viz.look import Look
from viz.raster import data_url, mosaic_png
from viz.theme import INK

WEIGHTS = np.array([[[[1.0, 0.0], [0.25, 0.75]]]], dtype=np.float32)
CAUSAL = np.array([[True, False], [True, True]])
HOSTILE = "</script><script src=https://evil.example/x.js></script><img src=//evil.example/y>"
LOADING = {"src", "href", "srcset", "data", "action", "poster", "xlink:href", "background"}


def causal_map(tokens: tuple[str, ...] = ("a", "b")) -> AttentionMap:
    return AttentionMap(DECODER, WEIGHTS, tokens, tokens, mask=CAUSAL)


def picture(tokens: tuple[str, ...] = ("a", "b")) -> Figure:
    return attention_heatmap(causal_map(tokens), 0, 0, locked_rows=(1,))


@pytest.fixture(scope="module")
def record(tiny_translator) -> AttentionRecord:
    return tiny_translator.translate("A dog runs through the snow.", Decoding()).attention


def png_size(png: bytes) -> tuple[int, int]:
    return struct.unpack(">II", png[16:24])


def first_pixel(png: bytes) -> tuple[int, ...]:
    """Red, green, blue of the top left pixel, read by hand."""
    at, body = 8, b""
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            body += png[at + 8 : at + 8 + length]
        at += length + 12
    return tuple(zlib.decompress(body)[1:4])


class Loads(HTMLParser):
    """Attributes by which an HTML page could load something."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [(tag, name) for name, _ in attrs if name in LOADING]


def test_an_exported_figure_has_ink_and_paper_of_its_own():
    figure = picture()
    assert INK in json.dumps(figure.to_dict())
    spec = export_spec(figure)
    assert INK not in json.dumps(spec)
    assert PAPER_INK in json.dumps(spec)
    assert spec["background"] == "#ffffff"


def test_a_word_that_spells_the_ink_is_left_alone():
    spec = export_spec(picture((INK, "b")))
    labels = [row["label"] for row in spec["datasets"]["rows"]]
    assert labels[0].startswith(f"·{INK}"[:8])


def test_export_leaves_the_figure_as_it_was():
    figure = picture()
    before = json.dumps(figure.to_dict(), sort_keys=True)
    figure_svg(figure)
    assert json.dumps(figure.to_dict(), sort_keys=True) == before


def test_a_chart_keeps_the_axis_colours_it_chose_itself():
    points = alt.Chart(alt.NamedData(name="t")).mark_point().encode(x="x:Q")
    chart = points.configure_axis(labelColor="#123456")
    figure = Figure(chart.to_dict(), {"t": pd.DataFrame({"x": [1]})}, "", 100)
    axis = export_spec(figure)["config"]["axis"]
    assert axis["labelColor"] == "#123456"
    assert axis["titleColor"] == PAPER_INK


def test_svg_is_a_drawing_with_every_token_in_it():
    root = ElementTree.fromstring(figure_svg(picture(("▁Tier", "▁Straße"))))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    texts = {element.text for element in root.iter() if element.text}
    assert {"Tier", "Straße"} <= texts


def test_svg_refers_to_nothing_outside_itself():
    svg = figure_svg(picture((HOSTILE[:15], "b")))
    ElementTree.fromstring(svg)
    assert set(re.findall(r'https?://[^"\s<]+', svg)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    assert not re.search(r"<(script|image|use|a|style)\b", svg)


def test_png_grows_with_its_scale():
    figure = picture()
    width, height = png_size(figure_png(figure, scale=1))
    assert png_size(figure_png(figure, scale=3)) == (3 * width, 3 * height)


def test_png_has_a_white_ground_and_on_request_a_dark_one():
    assert first_pixel(figure_png(picture(), scale=1)) == (255, 255, 255)
    dark = first_pixel(Look(dark=True)(figure_png, picture(), scale=1))
    assert dark == tuple(bytes.fromhex(DARK_PAPER[1:]))


@pytest.fixture
def elsewhere(tmp_path):
    """The address of a server and the file that tells what it was asked for.

    A process of its own, because the converter keeps this one waiting while it fetches.
    """
    log = tmp_path / "asked.txt"
    with log.open("w") as asked:
        server = subprocess.Popen(
            [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=asked,
            text=True,
        )
    port = re.search(r"port (\d+)", server.stdout.readline())[1]
    yield f"http://127.0.0.1:{port}", log
    server.terminate()
    server.wait(timeout=20)
    server.stdout.close()


@pytest.mark.parametrize("draw", [figure_png, figure_svg])
def test_pictures_from_elsewhere_are_not_fetched(elsewhere, draw):
    url, log = elsewhere
    drawn = draw(images(f"{url}/x.png"))
    assert log.read_text() == ""
    if draw is figure_svg:
        assert "x.png" not in drawn


def test_pictures_of_the_figure_itself_are_kept():
    own = data_url(mosaic_png(np.eye(2)[None, None], ("#000000", "#ffffff")))
    assert own in figure_svg(images(own))


def images(*urls: str) -> Figure:
    images = alt.Chart(alt.NamedData(name="t")).mark_image(width=9, height=9)
    chart = images.encode(url="u:N").to_dict()
    return Figure(chart, {"t": pd.DataFrame({"u": urls})}, "", 9)


def test_html_names_nothing_to_load():
    parser = Loads()
    parser.feed(figure_html(picture((HOSTILE[:16], "b")), HOSTILE))
    assert parser.found == []


def test_html_forbids_itself_the_network():
    page = figure_html(picture(), "title")
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert "default-src 'none'" in policy
    assert "http" not in policy
    assert "connect-src" not in policy


def test_html_is_about_a_megabyte():
    assert 500_000 < len(figure_html(picture(), "title")) < 1_500_000


def test_a_hostile_title_stays_text():
    page = figure_html(picture(), HOSTILE)
    assert HOSTILE not in page
    assert page.count("<script") == 2


def test_a_hostile_token_cannot_end_its_script():
    figure = picture()
    figure.tables["rows"]["label"] = HOSTILE
    page = figure_html(figure, "title")
    assert page.count("</script>") == 2


@pytest.mark.browser
def test_html_draws_offline_and_asks_for_nothing(browser, tmp_path):
    figure = picture(("<img src=//e/x>", "▁it"))
    figure.tables["columns"]["label"] = [HOSTILE, "it"]
    file = tmp_path / "figure.html"
    file.write_text(figure_html(figure, HOSTILE), encoding="utf-8")
    context = browser.new_context(offline=True)
    page = context.new_page()
    requests, faults = [], []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(file.as_uri())
    page.wait_for_selector("#figure svg.marks")
    cell = page.locator('path[aria-roledescription="rect mark"][fill^="rgb"]').first
    box = cell.bounding_box()
    for step in range(3):  # the first move finds the cell, the next its tooltip
        page.mouse.move(box["x"] + 3 + step, box["y"] + 3 + step)
        page.wait_for_timeout(100)
    tooltip = page.locator("#vg-tooltip-element").inner_text()
    heading = page.locator("h1").inner_text()
    page.wait_for_timeout(300)
    context.close()
    assert requests == [file.as_uri()]
    assert faults == []
    assert heading == HOSTILE
    assert "<img src=//e/x>" in tooltip


def test_csv_has_one_line_a_cell_and_none_for_masked_ones():
    lines = list(csv.reader(io.StringIO(attention_csv(causal_map()))))
    assert lines == [
        ["kind", "layer", "head", "query_position", "query_token", "key_position", "key_token",
         "weight"],
        ["decoder", "1", "1", "1", "a", "1", "a", "1.0"],
        ["decoder", "1", "1", "2", "b", "1", "a", "0.25"],
        ["decoder", "1", "1", "2", "b", "2", "b", "0.75"],
    ]  # fmt: skip


def test_csv_gives_every_weight_back_exactly(record):
    frame = pd.read_csv(io.StringIO(attention_csv(record.cross)), keep_default_na=False)
    back = np.full_like(record.cross.weights, np.nan)
    at = [frame[name] - 1 for name in ("layer", "head", "query_position", "key_position")]
    back[tuple(at)] = frame["weight"].to_numpy(np.float32)
    np.testing.assert_array_equal(back, record.cross.weights)


def test_csv_gives_the_raw_scores_where_the_map_has_them(tiny_translator):
    found = tiny_translator.attend("A dog.", "Ein Hund.", scores=True).decoder
    frame = attention_table(found, 1, 2)
    at = frame["query_position"] - 1, frame["key_position"] - 1
    np.testing.assert_array_equal(frame["score"], found.scores[1, 2][at])
    assert "score" not in attention_table(tiny_translator.attend("A dog.", "Ein Hund.").decoder)


def test_csv_of_one_head_holds_that_head(record):
    frame = attention_table(record.encoder, 1, 2)
    assert set(zip(frame["layer"], frame["head"], strict=True)) == {(2, 3)}
    weights = record.encoder.head(1, 2)
    np.testing.assert_array_equal(frame["weight"], weights.ravel())


def test_csv_of_one_layer_holds_all_its_heads(record):
    frame = attention_table(record.encoder, layer=0)
    assert set(frame["layer"]) == {1}
    assert set(frame["head"]) == {1, 2, 3, 4}


def test_csv_rows_may_be_named_by_the_tokens_produced(record):
    frame = attention_table(record.cross, 0, 0, row_tokens=record.cross.output_tokens)
    by_row = frame.drop_duplicates("query_position")["query_token"]
    assert tuple(by_row) == record.cross.output_tokens


@pytest.mark.parametrize(("layer", "head"), [(2, 0), (0, 4), (-1, 0)])
def test_csv_of_a_head_that_is_not_there_is_refused(record, layer, head):
    with pytest.raises(IndexError, match="count from 0"):
        attention_csv(record.encoder, layer, head)


def test_csv_with_too_few_row_names_is_refused():
    with pytest.raises(ValueError, match="1 row tokens for 2 rows"):
        attention_csv(causal_map(), row_tokens=("a",))


@pytest.mark.parametrize("token", ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\tx", "\rx"])
def test_a_token_that_is_a_formula_becomes_text(token):
    frame = attention_table(causal_map((token, "-")))
    assert frame["query_token"][0] == "'" + token
    assert frame["key_token"].iloc[-1] == "-"


def test_commas_quotes_and_line_ends_in_tokens_survive_csv():
    tokens = ('a,"b', "c\nd")
    frame = pd.read_csv(io.StringIO(attention_csv(causal_map(tokens))))
    assert tuple(frame.drop_duplicates("query_position")["query_token"]) == tokens


def test_csv_of_a_table_keeps_numbers_and_disarms_texts():
    frame = pd.DataFrame({"n": [-1.5], "t": pd.Categorical(["=A1"])})
    assert table_csv(frame) == "n,t\n-1.5,'=A1\n"
    assert frame["t"][0] == "=A1"


def load(data: bytes) -> dict[str, np.ndarray]:
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return dict(arrays)


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_npz_holds_every_kind_without_pickles(record, kind):
    arrays, attention = load(attention_npz(record)), record.of(kind)
    np.testing.assert_array_equal(arrays[f"{kind}_weights"], attention.weights)
    assert tuple(arrays[f"{kind}_query_tokens"]) == attention.query_tokens
    assert tuple(arrays[f"{kind}_key_tokens"]) == attention.key_tokens


def test_npz_holds_mask_and_output_tokens_only_where_there_are_any(record):
    arrays = load(attention_npz(record))
    np.testing.assert_array_equal(arrays["decoder_mask"], record.decoder.mask)
    assert tuple(arrays["cross_output_tokens"]) == record.cross.output_tokens
    assert "encoder_mask" not in arrays
    assert "encoder_output_tokens" not in arrays


def test_npz_holds_text_ids_and_offsets(record):
    arrays = load(attention_npz(record))
    assert str(arrays["src_text"]) == record.src.text
    assert tuple(arrays["tgt_ids"]) == record.tgt.ids
    assert arrays["src_offsets"].shape == (len(record.src), 2)


def test_npz_of_a_source_alone_has_no_target():
    src = TokenSequence("a", (1, 2), ("a", "</s>"), ((0, 1), (0, 0)))
    alone = AttentionRecord(src, None, (AttentionMap(ENCODER, WEIGHTS, src.tokens, src.tokens),))
    assert not any(name.startswith(("tgt", "cross")) for name in load(attention_npz(alone)))


def test_npz_of_one_map_has_the_same_names(record):
    assert set(load(map_npz(record.cross))) <= set(load(attention_npz(record)))


def test_npz_of_a_table_has_an_array_a_column():
    arrays = load(table_npz(pd.DataFrame({"w": np.float32([0.5]), "t": ["Müll"]})))
    assert arrays["w"].dtype == np.float32
    assert arrays["t"].tolist() == ["Müll"]


def bertviz_arguments(text: str) -> dict:
    """As the docstring of `bertviz_json` tells."""
    file = io.StringIO(text)
    return {
        name: [torch.tensor(layer) for layer in value] if name.endswith("attention") else value
        for name, value in json.load(file).items()
    }


def bertviz_params(html: str) -> dict:
    start = re.search(r"const params = ", html).end()
    return json.JSONDecoder().raw_decode(html[start:])[0]


@pytest.mark.parametrize("view", ["head_view", "model_view"])
def test_bertviz_shows_our_attention(record, view):
    bertviz = pytest.importorskip("bertviz")
    arguments = bertviz_arguments(bertviz_json(record))
    html = getattr(bertviz, view)(**arguments, html_action="return").data
    shown = {entry["name"].lower(): entry for entry in bertviz_params(html)["attention"]}
    assert set(shown) == {"encoder", "decoder", "cross"}
    for attention in record.maps:
        entry = shown[attention.kind]
        np.testing.assert_allclose(entry["attn"], attention.weights, atol=1e-6)
        assert entry["left_text"] == [t.replace("▁", " ") for t in attention.query_tokens]
        assert entry["right_text"] == [t.replace("▁", " ") for t in attention.key_tokens]


def test_bertviz_is_told_by_the_sides_who_looks_at_whom():
    site = AttentionSite("alignment", "target", "source")
    attention = AttentionMap(site, np.full((1, 1, 1, 2), 0.5, np.float32), ("<s>",), ("a", "b"))
    grid = GridSource("a picture", (1, 2), (0.0, 1.0))
    arguments = json.loads(bertviz_json(AttentionRecord(grid, None, (attention,))))
    assert arguments["cross_attention"] == [[[[[0.5, 0.5]]]]]
    assert arguments["encoder_tokens"] == ["a", "b"]
    assert arguments["decoder_tokens"] == ["<s>"]


def test_several_maps_of_a_site_keep_arrays_of_their_own():
    site = AttentionSite("words", "words", "words")
    maps = [
        AttentionMap(site, np.full((1, 1, n, n), 1 / n, np.float32), ("a",) * n, ("a",) * n, item=i)
        for i, n in enumerate((2, 3))
    ]
    grid = GridSource("a picture", (1, 2), (0.0, 0.5))
    with np.load(io.BytesIO(attention_npz(AttentionRecord(grid, None, tuple(maps))))) as file:
        assert file["words_weights"].shape == (1, 1, 2, 2)
        assert file["words_1_weights"].shape == (1, 1, 3, 3)
        assert file["src_ids"].tolist() == [0.0, 0.5]


def test_bertviz_rows_still_sum_to_one(record):
    for name, layers in bertviz_arguments(bertviz_json(record)).items():
        if name.endswith("attention"):
            for layer in layers:
                torch.testing.assert_close(
                    layer.sum(-1), torch.ones(layer.shape[:-1]), atol=1e-4, rtol=0
                )


@pytest.mark.parametrize("view", ["head_view", "model_view"])
def test_bertviz_takes_an_encoder_deeper_than_its_decoder(record, view):
    bertviz = pytest.importorskip("bertviz")
    shallow = replace(record.decoder, weights=record.decoder.weights[:1], scores=None)
    cross = replace(record.cross, weights=record.cross.weights[:1], scores=None)
    unequal = replace(record, maps=(record.encoder, shallow, cross))
    arguments = bertviz_arguments(bertviz_json(unequal))
    assert len(arguments["encoder_attention"]) > 1
    html = getattr(bertviz, view)(**arguments, html_action="return").data
    shown = {entry["name"].lower(): entry for entry in bertviz_params(html)["attention"]}
    np.testing.assert_allclose(
        np.array(shown["cross"]["attn"])[0], record.cross.weights[0], atol=1e-6
    )


def test_bertviz_takes_a_source_alone(record):
    bertviz = pytest.importorskip("bertviz")
    alone = AttentionRecord(record.src, None, (record.encoder,))
    arguments = bertviz_arguments(bertviz_json(alone))
    assert set(arguments) == {"encoder_attention", "encoder_tokens"}
    html = bertviz.head_view(**arguments, html_action="return").data
    assert [entry["name"] for entry in bertviz_params(html)["attention"]] == ["Encoder"]


# -- in a notebook ------------------------------------------------------------------------------


def test_a_figure_is_a_chart_of_altair_that_can_be_changed_and_saved(tmp_path):
    chart = attention_heatmap(causal_map(), 0, 0).altair()
    assert isinstance(chart, alt.TopLevelMixin)
    told = chart.properties(title="changed").to_dict()
    assert told["title"] == "changed"
    wanted = attention_heatmap(causal_map(), 0, 0).tables["cells"]["weight"].tolist()
    assert [cell["weight"] for cell in told["datasets"]["cells"]] == pytest.approx(wanted)
    chart.save(tmp_path / "chart.json")
    assert json.loads((tmp_path / "chart.json").read_text())["datasets"].keys() == (
        told["datasets"].keys()
    )


def test_a_notebook_shows_a_figure_without_a_network():
    shown = attention_heatmap(causal_map(), 0, 0)._repr_mimebundle_()
    assert shown["image/svg+xml"].startswith("<svg")
    (kind,) = shown.keys() - {"image/svg+xml"}
    assert re.fullmatch(r"application/vnd\.vegalite\.v\d\+json", kind)
    assert shown[kind]["datasets"]["cells"]
    assert "cdn" not in json.dumps(shown)

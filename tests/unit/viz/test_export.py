"""Files of figures and weights: what is in them, and that they need nobody else."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from xml.etree import ElementTree

import altair as alt
import numpy as np
import pytest

from core.attention import DECODER, AttentionMap
from support.figures import pixels_of
from support.models import read_json
from viz.export import export_spec, figure_html, figure_png, figure_svg
from viz.figure import Figure, tables_of
from viz.heatmap import attention_heatmap
from viz.look import Look
from viz.raster import data_url, mosaic_png
from viz.theme import GROUNDS, INK, INKS

WEIGHTS = np.array([[[[1.0, 0.0], [0.25, 0.75]]]], dtype=np.float32)
CAUSAL = np.array([[True, False], [True, True]])
HOSTILE = "</script><script src=https://evil.example/x.js></script><img src=//evil.example/y>"
LOADING = {"src", "href", "srcset", "data", "action", "poster", "xlink:href", "background"}


def causal_map(tokens: tuple[str, ...] = ("a", "b")) -> AttentionMap:
    return AttentionMap(DECODER, WEIGHTS, tokens, tokens, mask=CAUSAL)


def picture(tokens: tuple[str, ...] = ("a", "b")) -> Figure:
    return attention_heatmap(causal_map(tokens), 0, 0, locked_rows=(1,))


class Loads(HTMLParser):
    """Attributes by which an HTML page could load something."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [(tag, name) for name, _ in attrs if name in LOADING]


def test_an_exported_figure_has_ink_and_paper_of_its_own():
    figure = picture()
    before = json.dumps(figure.to_dict(), sort_keys=True)
    assert INK in before
    spec = export_spec(figure)
    assert json.dumps(figure.to_dict(), sort_keys=True) == before
    assert INK not in json.dumps(spec)
    assert INKS[False] in json.dumps(spec)
    assert spec["background"] == "#ffffff"


def test_a_word_that_spells_the_ink_is_left_alone():
    spec = export_spec(picture((INK, "b")))
    labels = [row["label"] for row in spec["datasets"]["rows"]]
    assert labels[0].startswith(f"·{INK}"[:8])


def test_a_chart_keeps_the_axis_colours_it_chose_itself():
    points = alt.Chart(alt.NamedData(name="t")).mark_point().encode(x="x:Q")
    chart = points.configure_axis(labelColor="#123456")
    chart.datasets = {"t": [{"x": 1}]}
    axis = export_spec(chart)["config"]["axis"]
    assert axis["labelColor"] == "#123456"
    assert axis["titleColor"] == INKS[False]


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


def test_png_grows_with_its_scale_and_has_a_white_ground_and_on_request_a_dark_one():
    figure = picture()
    small, large = (figure_png(figure, scale=scale) for scale in (1, 3))
    height, width, _ = pixels_of(small).shape
    assert pixels_of(large).shape[:2] == (3 * height, 3 * width)
    assert tuple(pixels_of(small)[0, 0]) == (255, 255, 255)
    dark = pixels_of(Look(dark=True)(figure_png, picture(), scale=1))
    assert tuple(dark[0, 0]) == tuple(bytes.fromhex(GROUNDS[True][1:]))


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
    server.wait(timeout=60)
    server.stdout.close()


def test_pictures_from_elsewhere_are_not_fetched_and_those_of_the_figure_kept(elsewhere):
    url, log = elsewhere
    figure_png(images(f"{url}/x.png"))
    assert "x.png" not in figure_svg(images(f"{url}/x.png"))
    assert log.read_text() == ""
    own = data_url(mosaic_png(np.eye(2)[None, None], ("#000000", "#ffffff")))
    assert own in figure_svg(images(own))


def images(*urls: str) -> Figure:
    images = alt.Chart(alt.NamedData(name="t")).mark_image(width=9, height=9)
    chart = images.encode(url="u:N")
    chart.datasets = {"t": [{"u": url} for url in urls]}
    return chart


def test_html_names_nothing_to_load_and_forbids_itself_the_network():
    page, parser = figure_html(picture((HOSTILE[:16], "b")), HOSTILE), Loads()
    parser.feed(page)
    assert parser.found == []
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert "default-src 'none'" in policy
    assert "http" not in policy
    assert "connect-src" not in policy
    assert 500_000 < len(page) < 1_500_000


def test_a_hostile_title_or_token_stays_text():
    figure = picture()
    tables_of(figure)["rows"]["label"] = HOSTILE
    page = figure_html(figure, HOSTILE)
    assert HOSTILE not in page
    assert page.count("<script") == page.count("</script>") == 2


def test_html_draws_offline_and_asks_for_nothing(browser, tmp_path):
    figure = picture(("<img src=//e/x>", "▁it"))
    tables_of(figure)["columns"]["label"] = [HOSTILE, "it"]
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


# -- in a notebook ------------------------------------------------------------------------------


def test_a_figure_is_a_chart_of_altair_that_can_be_changed_and_saved(tmp_path):
    chart = attention_heatmap(causal_map(), 0, 0)
    assert isinstance(chart, alt.TopLevelMixin)
    told = chart.properties(title="changed").to_dict()
    assert told["title"] == "changed"
    wanted = tables_of(chart)["cells"]["weight"].tolist()
    assert [cell["weight"] for cell in told["datasets"]["cells"]] == pytest.approx(wanted)
    chart.save(tmp_path / "chart.json")
    assert read_json(tmp_path / "chart.json")["datasets"].keys() == (told["datasets"].keys())


def test_a_notebook_shows_a_figure_without_a_network():
    shown = attention_heatmap(causal_map(), 0, 0)._repr_mimebundle_()
    assert shown["image/svg+xml"].startswith("<svg")
    (kind,) = shown.keys() - {"image/svg+xml"}
    assert re.fullmatch(r"application/vnd\.vegalite\.v\d\+json", kind)
    assert shown[kind]["datasets"]["cells"]
    assert "cdn" not in json.dumps(shown)

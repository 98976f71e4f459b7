"""Files of figures: what is in them, and that they need nothing else."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from xml.etree import ElementTree

import altair as alt
import numpy as np
import pytest
from fontTools.ttLib import TTFont
from IPython.core.interactiveshell import InteractiveShell
from plotly.graph_objects import Figure as Plot

import words.catalogue
from core.records.attention import DECODER, AttentionMap
from model.readers.recordings import read_recording
from support.figures import pixels_of
from support.models import ROOT, read_json
from viz.export import export_spec, figure_html, figure_png, figure_svg
from viz.figure import Figure, tables_of
from viz.fonts import FAMILY, FOLDER, STACK, has_hangul
from viz.heatmap import attention_heatmap
from viz.raster import data_url, mosaic_png
from viz.style import Look
from viz.theme import GROUNDS, INK, INKS
from words import Words

WEIGHTS = np.array([[[[1.0, 0.0], [0.25, 0.75]]]], dtype=np.float32)
CAUSAL = np.array([[True, False], [True, True]])
HOSTILE = "</script><script src=https://evil.example/x.js></script><img src=//evil.example/y>"
LOADING = {"src", "href", "srcset", "data", "action", "poster", "xlink:href", "background"}


def picture(tokens: tuple[str, ...] = ("a", "b")) -> Figure:
    attention = AttentionMap(DECODER, WEIGHTS, tokens, tokens, mask=CAUSAL)
    return attention_heatmap(attention, 0, 0, locked_rows=(1,))


def chart_of(mark: alt.Chart, **row: object) -> Figure:
    mark.datasets = {"t": [row]}
    return mark


def table() -> alt.Chart:
    return alt.Chart(alt.NamedData(name="t"))


class Loads(HTMLParser):
    """Attributes by which an HTML page could load something."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [(tag, name) for name, _ in attrs if name in LOADING]


def test_an_exported_figure_has_ink_and_paper_of_its_own():
    figure = picture((INK, "b"))
    before = json.dumps(figure.to_dict(), sort_keys=True)
    spec = export_spec(figure)
    assert json.dumps(figure.to_dict(), sort_keys=True) == before
    # A word that spells the ink is left alone.
    assert spec["datasets"]["rows"][0]["label"].startswith(f"·{INK}"[:8])
    written = json.dumps({key: value for key, value in spec.items() if key != "datasets"})
    assert INK not in written
    assert INKS[False] in written
    assert spec["background"] == "#ffffff"


def test_a_chart_keeps_the_axis_colours_it_chose_itself():
    points = table().mark_point().encode(x="x:Q").configure_axis(labelColor="#123456")
    axis = export_spec(chart_of(points, x=1))["config"]["axis"]
    assert (axis["labelColor"], axis["titleColor"]) == ("#123456", INKS[False])


def test_svg_is_a_drawing_with_every_token_that_refers_to_nothing_outside_itself():
    svg = figure_svg(picture((HOSTILE[:15], "▁Straße")))
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "Straße" in {element.text for element in root.iter()}
    addresses = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert set(re.findall(r'https?://[^"\s<]+', svg)) <= addresses
    assert not re.search(r"<(script|image|use|a|style)\b", svg)


def test_png_grows_with_its_scale_and_has_a_white_ground_and_on_request_a_dark_one():
    figure = picture()
    small, large = (pixels_of(figure_png(figure, scale=scale)) for scale in (1, 3))
    assert large.shape[:2] == (3 * small.shape[0], 3 * small.shape[1])
    assert tuple(small[0, 0]) == (255, 255, 255)
    dark = pixels_of(Look(dark=True)(figure_png, picture(), scale=1))
    assert tuple(dark[0, 0]) == tuple(bytes.fromhex(GROUNDS[True][1:]))


@pytest.fixture
def elsewhere(tmp_path):
    """The address of a server and the file that tells what it was asked for.

    A process of its own, because the converter keeps this one waiting while it fetches.
    """
    log = tmp_path / "asked.txt"
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    with log.open("w") as asked:
        server = subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=asked, text=True
        )
    port = re.search(r"port (\d+)", server.stdout.readline())[1]
    yield f"http://127.0.0.1:{port}", log
    server.terminate()
    server.wait(timeout=60)
    server.stdout.close()


def test_pictures_from_elsewhere_are_not_fetched_and_those_of_the_figure_kept(elsewhere):
    address, log = elsewhere
    own = data_url(mosaic_png(np.eye(2)[None, None], ("#000000", "#ffffff")))
    foreign, kept = (
        chart_of(table().mark_image(width=9, height=9).encode(url="u:N"), u=url)
        for url in (f"{address}/x.png", own)
    )
    figure_png(foreign)
    assert "x.png" not in figure_svg(foreign)
    assert log.read_text() == ""
    assert own in figure_svg(kept)


def test_html_names_nothing_to_load_and_hostile_text_stays_text():
    figure = picture((HOSTILE[:16], "b"))
    tables_of(figure)["rows"]["label"] = HOSTILE
    page, parser = figure_html(figure, HOSTILE), Loads()
    parser.feed(page)
    assert parser.found == []
    assert HOSTILE not in page
    assert page.count("<script") == page.count("</script>") == 2
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert "default-src 'none'" in policy
    assert "http" not in policy
    assert "connect-src" not in policy
    assert 500_000 < len(page) < 1_500_000


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


# Notebooks


def test_a_figure_is_a_chart_of_altair_that_can_be_changed_saved_and_shown(tmp_path):
    chart = picture()
    changed = chart.properties(title="changed").to_dict()
    assert changed["title"] == "changed"
    wanted = tables_of(chart)["cells"]["weight"].tolist()
    assert [cell["weight"] for cell in changed["datasets"]["cells"]] == pytest.approx(wanted)
    chart.save(tmp_path / "chart.json")
    assert read_json(tmp_path / "chart.json")["datasets"].keys() == changed["datasets"].keys()
    shown = chart._repr_mimebundle_()
    (kind,) = shown.keys() - {"image/svg+xml"}
    assert re.fullmatch(r"application/vnd\.vegalite\.v\d\+json", kind)
    assert shown[kind]["datasets"]["cells"]
    assert "cdn" not in json.dumps(shown)


# Figures and files that each notebook makes at least.
NOTEBOOKS = {"notebook": (6, "heatmap.json"), "transformers": (5, "recording.npz")}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_cell_of_a_notebook_runs_and_every_figure_shows(name, tmp_path, monkeypatch):
    cells = [
        cell
        for cell in read_json(ROOT / "docs" / f"{name}.ipynb")["cells"]
        if cell["cell_type"] == "code"
    ]
    assert not any(cell.get(key) for cell in cells for key in ("outputs", "execution_count"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    shell = InteractiveShell()
    figures = []
    for cell in cells:
        done = shell.run_cell("".join(cell["source"]))
        done.raise_error()
        figures += [done.result] if isinstance(done.result, Figure | Plot) else []
    least, file = NOTEBOOKS[name]
    assert len(figures) >= least
    for figure in figures:
        if isinstance(figure, Plot):
            assert len(figure.data) >= 1
        else:
            assert "<svg" in figure._repr_mimebundle_()["image/svg+xml"]
    content = (tmp_path / file).read_bytes()
    if file.endswith(".npz"):
        assert read_recording(file, content).record.site_ids == ("encoder", "decoder", "cross")
    else:
        assert json.loads(content)["title"] == "it → animal"


@pytest.mark.parametrize(("name", "cell", "most"), [("notebook", 0, 5), ("transformers", 1, 3)])
def test_the_first_figure_of_a_notebook_takes_few_lines(name, cell, most):
    cells = read_json(ROOT / "docs" / f"{name}.ipynb")["cells"]
    sources = ["".join(each["source"]) for each in cells if each["cell_type"] == "code"]
    assert len([line for line in sources[cell].splitlines() if line]) <= most


# Hangul, on a machine that has no Korean font at all

SYLLABLES = "가각힣뜻층ㄱㅏ"
NO_FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}</dir></fontconfig>"""
DRAW = """
import sys
import altair as alt
from viz.export import figure_png
for place, text in enumerate(sys.argv[2:]):
    chart = alt.Chart(alt.NamedData(name="one"), width=60, height=60)
    chart = chart.mark_text(fontSize=40, text=text).configure_view(stroke=None)
    chart.datasets = {"one": [{"x": 0}]}
    with open(f"{sys.argv[1]}/{place}.png", "wb") as file:
        file.write(figure_png(chart))
"""


def test_every_syllable_is_drawn_as_itself_and_not_as_a_box(tmp_path):
    (tmp_path / "fonts.conf").write_text(NO_FONTS.format(folder=tmp_path / "none"))
    texts = [*SYLLABLES, "\ue123", " "]  # a sign that no font has, and nothing
    command = [sys.executable, "-c", DRAW, str(tmp_path), *texts]
    environment = {**os.environ, "FONTCONFIG_FILE": str(tmp_path / "fonts.conf")}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=300)
    drawn = {
        text: pixels_of((tmp_path / f"{place}.png").read_bytes(), "L") < 128
        for place, text in enumerate(texts)
    }
    for first, second in itertools.combinations(drawn, 2):
        assert (drawn[first] != drawn[second]).any(), (first, second)
    for syllable in SYLLABLES:
        assert drawn[syllable].sum() > 40
    # A box is empty inside; a syllable has ink in the middle of what it covers.
    for syllable in SYLLABLES[:5]:
        rows, columns = np.nonzero(drawn[syllable])
        inner = np.s_[rows.min() + 8 : rows.max() - 7, columns.min() + 8 : columns.max() - 7]
        assert drawn[syllable][inner].any()


@pytest.mark.parametrize("weight", ["Regular", "Bold"])
def test_the_fonts_hold_what_korean_words_are_made_of(weight):
    font = TTFont(FOLDER / f"NotoSansKRLab-{weight}.otf")
    known = set(font.getBestCmap())
    assert font["name"].getDebugName(1) == FAMILY
    assert len([c for c in known if 0xAC00 <= c <= 0xD7A3]) == 2350
    said = "".join(p.read_text("utf-8") for p in (words.catalogue.FOLDER / "ko").iterdir())
    assert {c for c in said if has_hangul(c)} <= set(map(chr, known))


def test_the_browser_is_told_where_the_fonts_lie_beside_their_licence():
    config = (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    urls = re.findall(r'url = "app/(\S+)"', config)
    assert len(urls) == 2
    assert all((ROOT / url).is_file() for url in urls)
    assert "SIL OPEN FONT LICENSE" in (FOLDER / "OFL.txt").read_text(encoding="utf-8")
    assert f"Source Sans, {FAMILY}, sans-serif" in config


def test_pictures_hold_the_fonts_only_where_they_need_them():
    def drawing(text: str) -> Figure:
        return chart_of(table().mark_text(text=text), x=0)

    korean = Look(words=Words("ko"))(figure_html, drawing("layer"), "제목")
    needing = (figure_svg(drawing("층")), figure_html(drawing("층"), "title"), korean)
    others = (figure_svg(drawing("layer")), figure_html(drawing("layer"), "title"))
    assert ["@font-face" in each for each in (*needing, *others)] == [True] * 3 + [False] * 2
    assert 'lang="ko"' in korean


def test_words_with_letters_that_the_fonts_for_hangul_lack_are_in_another():
    rows = table().mark_text().encode(y="w:N", text="w:N")
    rows.datasets = {"t": [{"w": "Straße"}, {"w": "쿼리"}]}
    found = re.findall(r'font-family="([^"]*)"[^>]*>(쿼리|Straße)<', figure_svg(rows))
    assert set(found) == {("sans-serif", "Straße"), (STACK, "쿼리")}

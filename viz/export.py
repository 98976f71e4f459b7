"""Figures as self-contained files, each with its signature.

Everything here takes figures and returns text or bytes; nothing is written or shown.
"""

from __future__ import annotations

import html
import importlib.util
import io
import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import altair as alt
import vl_convert
from PIL.PngImagePlugin import PngInfo, putchunk

from core.files import UNSIGNED, Signature, signature_line

from .figure import Figure, written
from .fonts import STACK, font_faces, has_hangul, register_fonts
from .style import current_look, is_dark
from .theme import INK, ground, ink, of_theme

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

VEGA_LITE = alt.SCHEMA_VERSION.removeprefix("v")
_VEGA_LITE = ".".join(VEGA_LITE.split(".")[:2])
_IMAGE = re.compile(r"<image\b[^>]*>(?:</image>)?")
_OWN_IMAGE = re.compile(r"""\bhref=["']data:""")
_UNSEEN = ' opacity="0"'
_WORDS = re.compile(rf'font-family="{STACK}"(?P<rest>[^>]*>(?P<words>[^<]*)<)')
_PNG_HEAD = 33  # bytes of signature (8) and IHDR chunk (25), before any text chunk
# A policy in the file itself: even an edited copy can load nothing from a network.
_NO_NETWORK = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:"
)
_PAGE = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{fonts}
body {{ margin: 1.5rem; font-family: {stack}; color: {ink}; background: {paper}; }}
h1 {{ font-size: 1.1rem; font-weight: 600; overflow-wrap: anywhere; }}
footer {{ font-size: 0.8rem; opacity: 0.8; overflow-wrap: anywhere; margin-top: 1rem; }}
#figure {{ overflow-x: auto; }}
</style>
</head>
<body>
<h1>{title}</h1>
<div id="figure">{figure}</div>
<footer>{signature}</footer>
</body>
</html>
"""
_DRAWN = """<script>{library}</script>
<script>
const options = {{ renderer: "svg", actions: {{ export: true, source: false, compiled: false,
  editor: false }} }};
vegaEmbed("#figure", {spec}, options);
</script>"""


# -- charts of Altair ----------------------------------------------------------------------


def export_spec(figure: Figure, signature: Signature = UNSIGNED) -> dict[str, Any]:
    """Return the figure as one Vega-Lite specification with data, ink, ground and signature."""
    signed = {"usermeta": {"signature": dict(signature)}} if signature else {}
    return {**on_paper(written(figure)), **signed}


def on_paper(spec: dict[str, Any]) -> dict[str, Any]:
    """Give a specification an ink and a ground of its own.

    On the page a figure takes its ink from the page's theme and has no background of its own; a
    file has no page, so it gets dark ink on white, or light ink on a dark ground.
    """
    datasets = spec.get("datasets", {})
    spec = {name: part for name, part in spec.items() if name != "datasets"}
    # As text: the ink stands in many places of a specification, also inside expressions.
    text = json.dumps(spec, ensure_ascii=False).replace(INK, ink())
    spec = json.loads(of_theme(text, dark=is_dark()))
    config = spec.setdefault("config", {})
    lines = {"domainColor": ink(), "tickColor": ink(), "gridColor": f"{ink()}33"}
    config["axis"] = {**lines, **config.get("axis", {})}
    config["text"] = {"color": ink(), **config.get("text", {})}
    # Words in Hangul are measured and drawn in the font that goes with the file.
    if has_hangul(text + json.dumps(datasets, ensure_ascii=False)):
        config["font"] = STACK
    return {**spec, "datasets": datasets, "background": ground()}


def figure_svg(figure: Figure, signature: Signature = UNSIGNED) -> str:
    """Draw the figure as SVG, as it looks without a pointer.

    Images that are not part of the figure itself (``data:``) are left out. With Hangul in it, the
    file embeds the fonts for that.

    Raises
    ------
    ValueError : Vega-Lite cannot draw the specification.
    """
    return signed_svg(drawing(export_spec(figure)), signature)


def signed_svg(svg: str, signature: Signature) -> str:
    """Add the signature as metadata, and the fonts that the words need."""
    begin = svg.index(">", svg.index("<svg")) + 1
    line = html.escape(signature_line(signature))
    metadata = f"<metadata>{line}</metadata>" if signature else ""
    style = f"<style>{font_faces()}</style>" if has_hangul(svg) else ""
    return f"{svg[:begin]}{metadata}{style}{svg[begin:]}"


def figure_png(figure: Figure, scale: float = 2, signature: Signature = UNSIGNED) -> bytes:
    """Draw the figure as a PNG image of `scale` pixels for each pixel on screen.

    Raises
    ------
    ValueError : Vega-Lite cannot draw the specification.
    """
    # By way of SVG: from Vega-Lite directly the converter fetches images by their address, whatever
    # its list of allowed ones says; `drawing` has removed them.
    return _signed_png(vl_convert.svg_to_png(drawing(export_spec(figure)), scale=scale), signature)


def _signed_png(png: bytes, signature: Signature) -> bytes:
    """Add a text chunk for each part of the signature, as image programs list them."""
    texts = PngInfo()
    for name, value in signature.items():
        texts.add_itxt(name.capitalize(), value)
    out = io.BytesIO()
    out.write(png[:_PNG_HEAD])
    for chunk in texts.chunks:
        putchunk(out, *chunk[:2])
    out.write(png[_PNG_HEAD:])
    return out.getvalue()


def drawing(spec: dict[str, Any]) -> str:
    """Convert a specification with its data to SVG, without external content or fonts.

    Invisible images are left out, too: a film has those of all its times. Words without Hangul get
    a generic font: a letter that the Hangul font lacks would be drawn in any other.
    """
    register_fonts()
    # An empty list of allowed addresses: the converter must fetch nothing.
    svg = vl_convert.vegalite_to_svg(spec, vl_version=_VEGA_LITE, allowed_base_urls=[])

    def keep_image(match: re.Match[str]) -> str:
        return match[0] if _OWN_IMAGE.search(match[0]) and _UNSEEN not in match[0] else ""

    def choose_font(match: re.Match[str]) -> str:
        if has_hangul(match["words"]):
            return match[0]
        return f'font-family="sans-serif"{match["rest"]}'

    return _WORDS.sub(choose_font, _IMAGE.sub(keep_image, svg))


def figure_html(figure: Figure, title: str, signature: Signature = UNSIGNED) -> str:
    """Write the figure as a page of its own, about 0.9 MB, with tooltips and hovering.

    The drawing library is inside the file, and the page's own policy forbids it to load anything.
    With Hangul in it, the file embeds the fonts for that, another 0.4 MB. `title`: heading of the
    page.
    """
    text = chart_json(figure, signature)
    # A token such as "</script>" would end the script element.
    drawn = _DRAWN.format(library=_library(), spec=text.replace("<", "\\u003c"))
    return _page(drawn, title, signature, text)


def _page(figure: str, title: str, signature: Signature, text: str) -> str:
    """Fill in the page; `text` holds the words of the figure."""
    hangul = has_hangul(title + text)
    return _PAGE.format(
        language=current_look().words.language,
        fonts=font_faces() if hangul else "",
        stack=STACK if hangul else "sans-serif",
        policy=_NO_NETWORK,
        title=html.escape(title),
        ink=ink(),
        paper=ground(),
        figure=figure,
        signature=html.escape(signature_line(signature)),
    )


def chart_json(figure: Figure, signature: Signature = UNSIGNED) -> str:
    """Write the chart with its data as Vega-Lite, as the Vega editor and Altair open it."""
    return json.dumps(export_spec(figure, signature), ensure_ascii=False)


@cache
def _library() -> str:
    """Return Vega, Vega-Lite and vega-embed as one script."""
    # Its stub demands a snippet, without which the bundle only defines the libraries.
    return vl_convert.javascript_bundle(vl_version=_VEGA_LITE)  # type: ignore[call-arg]


# -- figures of Plotly ---------------------------------------------------------------------


def plot_html(plot: Plot, title: str, signature: Signature = UNSIGNED) -> str:
    """Write a figure of Plotly as a page of its own, with the library inside, about 5 MB."""
    alone = _on_paper(plot, signature)
    drawn = alone.to_html(full_html=False, config={"displaylogo": False})
    return _page(drawn, title, signature, alone.to_json())


def plot_json(plot: Plot, signature: Signature = UNSIGNED) -> str:
    """Write a figure of Plotly as JSON, as `plotly.io.from_json` and its chart editor open it."""
    return _on_paper(plot, signature).to_json()


@cache
def has_browser() -> bool:
    """Return True if a browser is installed that can draw Plotly's figures."""
    # kaleido is an optional dependency.
    if importlib.util.find_spec("kaleido") is None:
        return False
    from choreographer.browsers.chromium import Chromium

    return Chromium.find_browser(skip_local=False) is not None


def plot_image(plot: Plot, form: str, signature: Signature = UNSIGNED) -> bytes:
    """Draw a figure of Plotly as "png" or "svg", in its initial view.

    Raises
    ------
    RuntimeError : there is no browser to draw it, see `has_browser`.
    """
    import kaleido

    picture = kaleido.calc_fig_sync(
        _on_paper(plot, signature),
        opts={"format": form, "scale": 2 if form == "png" else 1},
        kopts={"mathjax": False},
    )
    if form == "png":
        return _signed_png(picture, signature)
    return signed_svg(picture.decode(), signature).encode()


def _on_paper(plot: Plot, signature: Signature) -> Plot:
    """Return a copy with a ground of its own, which on the page is the page's."""
    import plotly.graph_objects as go

    return go.Figure(plot).update_layout(
        paper_bgcolor=ground(), meta={"signature": dict(signature)} if signature else None
    )

"""Figures and attention weights as files that need no network and no program of ours.

Everything here takes records or figures and returns text or bytes; nothing is written or shown.
"""

from __future__ import annotations

import html
import io
import json
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import vl_convert

from records import AttentionMap, AttentionRecord, Source, TokenSequence

from .chart import VEGA_LITE
from .figure import Figure
from .fonts import STACK, font_faces, has_hangul, register_fonts
from .look import current_look, is_dark
from .theme import INK, ground, of_theme

if TYPE_CHECKING:
    from .figure import Plot

PAPER_INK, PAPER = "#31333f", "#ffffff"
DARK_INK, DARK_PAPER = "#fafafa", "#0e1117"

_VEGA_LITE = ".".join(VEGA_LITE.split(".")[:2])
_BERTVIZ_DECIMALS = 6
# What BertViz calls an attention, by the sides that look and are looked at; it knows no other.
_BERTVIZ_NAMES = {
    ("source", "source"): "encoder",
    ("target", "target"): "decoder",
    ("target", "source"): "cross",
}
_IMAGE = re.compile(r"<image\b[^>]*>(?:</image>)?")
_OWN_IMAGE = re.compile(r"""\bhref=["']data:""")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
# Even a file that somebody edits later can load nothing from elsewhere.
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
#figure {{ overflow-x: auto; }}
</style>
<script>{library}</script>
</head>
<body>
<h1>{title}</h1>
<div id="figure"></div>
<script>
const spec = {spec};
const options = {{ renderer: "svg", actions: {{ export: true, source: false, compiled: false,
  editor: false }} }};
vegaEmbed("#figure", spec, options);
</script>
</body>
</html>
"""


def export_spec(figure: Figure) -> dict[str, Any]:
    """The figure as one Vega-Lite specification with its data, ink and background.

    On the page a figure takes its ink from the page's theme and has no background of its own; a
    file has no page, so it gets dark ink on white, or with `dark` light ink on a dark ground.
    """
    ink, paper = (DARK_INK, DARK_PAPER) if is_dark() else (PAPER_INK, PAPER)
    spec = figure.to_dict()
    datasets = spec.pop("datasets")
    spec = {**_inked(spec, ink, is_dark()), "datasets": datasets, "background": paper}
    given = spec.get("config", {})
    quiet = {"labelColor": ink, "titleColor": ink}
    defaults = {
        "axis": {**quiet, "domainColor": ink, "tickColor": ink, "gridColor": f"{ink}33"},
        "legend": quiet,
        "header": quiet,
        "title": {"color": ink, "subtitleColor": ink},
        "text": {"color": ink},
    }
    merged = {
        name: {**style, **given[name]} if isinstance(given.get(name), dict) else style
        for name, style in defaults.items()
    }
    # Words in Hangul are measured and drawn in the font that goes with the file.
    font = {"font": STACK} if has_hangul(json.dumps(spec, ensure_ascii=False)) else {}
    spec["config"] = {**font, **given, **merged}
    return spec


def figure_svg(figure: Figure) -> str:
    """The figure as an SVG drawing, as it looks with nothing pointed at.

    Images that are not part of the figure itself (``data:``) are left out. With Hangul in it, it
    holds the fonts for that.

    Raises
    ------
    ValueError : Vega-Lite cannot draw the specification.
    """
    svg = _drawing(figure)
    if not has_hangul(svg):
        return svg
    begin = svg.index(">") + 1
    return f"{svg[:begin]}<style>{font_faces()}</style>{svg[begin:]}"


def figure_png(figure: Figure, scale: float = 2) -> bytes:
    """The figure as a PNG image of `scale` pixels for each pixel on screen.

    Raises
    ------
    ValueError : Vega-Lite cannot draw the specification.
    """
    # Straight from Vega-Lite the converter would fetch images by their address, whatever its
    # list of allowed ones says; `_drawing` has none left to fetch.
    return vl_convert.svg_to_png(_drawing(figure), scale=scale)


def _drawing(figure: Figure) -> str:
    """The figure as SVG with nothing in it from elsewhere, and no fonts."""
    register_fonts()
    svg = vl_convert.vegalite_to_svg(
        export_spec(figure), vl_version=_VEGA_LITE, allowed_base_urls=[]
    )
    return _IMAGE.sub(lambda found: found[0] if _OWN_IMAGE.search(found[0]) else "", svg)


def figure_html(figure: Figure, title: str) -> str:
    """The figure as a page of its own, tooltips and hovering included, of about 0.9 MB.

    The drawing library is inside the file and the page's own policy forbids it to load anything.
    With Hangul in it, it holds the fonts for that, too, another 0.4 MB.

    Parameters
    ----------
    title : what stands above the figure.
    """
    ink, paper = (DARK_INK, DARK_PAPER) if is_dark() else (PAPER_INK, PAPER)
    spec = export_spec(figure)
    hangul = has_hangul(title + json.dumps(spec, ensure_ascii=False))
    return _PAGE.format(
        language=current_look().words.language,
        fonts=font_faces() if hangul else "",
        stack=STACK if hangul else "sans-serif",
        policy=_NO_NETWORK,
        title=html.escape(title),
        ink=ink,
        paper=paper,
        library=_library(),
        spec=_script_json(spec),
    )


def chart_json(figure: Figure) -> str:
    """The chart with its data as Vega-Lite, as the Vega editor and Altair open it."""
    return json.dumps(export_spec(figure), ensure_ascii=False)


def plot_html(plot: Plot, title: str) -> str:
    """A figure of Plotly as a page of its own, with the library inside, about 5 MB."""
    alone = _on_paper(plot)
    page = alone.to_html(include_plotlyjs=True, full_html=True, config={"displaylogo": False})
    head = f'<title>{html.escape(title)}</title><meta http-equiv="Content-Security-Policy" '
    return page.replace("<head>", f'<head>{head}content="{_NO_NETWORK}">', 1)


def plot_json(plot: Plot) -> str:
    """A figure of Plotly as JSON, as `plotly.io.from_json` and its chart editor open it."""
    return _on_paper(plot).to_json()


def _on_paper(plot: Plot) -> Plot:
    """A copy with a ground of its own, which on the page is the page's."""
    import plotly.graph_objects as go

    return go.Figure(plot).update_layout(paper_bgcolor=ground())


def attention_table(
    attention: AttentionMap,
    layer: int | None = None,
    head: int | None = None,
    row_tokens: Sequence[str] | None = None,
) -> pd.DataFrame:
    """One line for each cell a query may look at, of one head, one layer or all heads.

    Parameters
    ----------
    layer, head : which, from 0; None means all of them.
    row_tokens : the T_q tokens to name the rows by, `attention.query_tokens` unless given.

    Returns
    -------
    DataFrame with the columns kind, layer, head, query_position, query_token, key_position,
    key_token, weight (0 to 1) and, where the map has them, score (before the softmax). Layers,
    heads and positions count from 1, as on the page; masked cells are absent.

    Raises
    ------
    IndexError : there is no such layer or head.
    ValueError : `row_tokens` does not name every row.
    """
    row_tokens = attention.query_tokens if row_tokens is None else row_tokens
    n_queries = attention.weights.shape[2]
    if len(row_tokens) != n_queries:
        raise ValueError(f"{len(row_tokens)} row tokens for {n_queries} rows")
    layers = _chosen(layer, attention.n_layers, "layer")
    heads = _chosen(head, attention.n_heads, "head")
    seen = np.ones(attention.weights.shape[2:], bool) if attention.mask is None else attention.mask
    picked = attention.weights[np.ix_(layers, heads)]
    in_layer, in_head, q, k = np.nonzero(np.broadcast_to(seen, picked.shape))
    queries, keys = (
        np.array([_harmless(token) for token in tokens], dtype=object)
        for tokens in (row_tokens, attention.key_tokens)
    )
    frame = pd.DataFrame(
        {
            "kind": attention.kind,
            "layer": np.asarray(layers)[in_layer] + 1,
            "head": np.asarray(heads)[in_head] + 1,
            "query_position": q + 1,
            "query_token": queries[q],
            "key_position": k + 1,
            "key_token": keys[k],
            "weight": picked[in_layer, in_head, q, k],
        }
    )
    if attention.scores is not None:
        frame["score"] = attention.scores[np.ix_(layers, heads)][in_layer, in_head, q, k]
    return frame


def attention_csv(
    attention: AttentionMap,
    layer: int | None = None,
    head: int | None = None,
    row_tokens: Sequence[str] | None = None,
) -> str:
    """`attention_table` as comma-separated values, with the weights in full.

    A token that a spreadsheet would run as a formula gets an apostrophe in front.
    """
    return attention_table(attention, layer, head, row_tokens).to_csv(index=False)


def table_csv(frame: pd.DataFrame) -> str:
    """Any table as comma-separated values; texts are made harmless as in `attention_csv`."""
    safe = frame.copy()
    for name in safe.columns:
        if not pd.api.types.is_numeric_dtype(safe[name]):
            safe[name] = [_harmless(v) if isinstance(v, str) else v for v in safe[name]]
    return safe.to_csv(index=False)


def attention_npz(record: AttentionRecord) -> bytes:
    """Every array of a record as a compressed NPZ file for ``np.load(..., allow_pickle=False)``.

    For each kind there are ``<kind>_weights`` (L, H, T_q, T_k) float32, ``<kind>_query_tokens``
    and ``<kind>_key_tokens``, and where the map has them ``<kind>_output_tokens``,
    ``<kind>_scores`` and ``<kind>_mask`` (True where a query may look). ``src_*`` and ``tgt_*``
    hold text, tokens, ids and, of a sentence, offsets. Tokens are unicode arrays. Where a site has
    several maps, those after the first are called ``<kind>_<item>``, counted from 0.
    """
    arrays = _sequence_arrays("src", record.src)
    if record.tgt is not None:
        arrays |= _sequence_arrays("tgt", record.tgt)
    for attention in record.maps:
        arrays |= _map_arrays(attention)
    return _npz(arrays)


def map_npz(attention: AttentionMap) -> bytes:
    """One map alone, with the names `attention_npz` uses."""
    return _npz(_map_arrays(attention))


def table_npz(frame: pd.DataFrame) -> bytes:
    """A table as an NPZ file with one array for each column; texts as unicode arrays."""
    arrays = {}
    for name in frame.columns:
        column = frame[name]
        numeric = pd.api.types.is_numeric_dtype(column)
        arrays[str(name)] = column.to_numpy() if numeric else _texts(column.astype(str))
    return _npz(arrays)


def bertviz_json(record: AttentionRecord) -> str:
    """The arguments of BertViz's `head_view` and `model_view` as JSON.

    One expression turns the file back into them::

        arguments = {name: [torch.tensor(layer) for layer in value]
                     if name.endswith("attention") else value
                     for name, value in json.load(file).items()}
        head_view(**arguments)

    ``encoder_attention``, ``decoder_attention`` and ``cross_attention`` are lists with one array
    (1, H, T_q, T_k) a layer, rounded to six decimals; ``encoder_tokens`` and ``decoder_tokens``
    name their positions. BertViz has one name for each decoder position: the token it reads.
    Masked cells are 0 there, for BertViz knows no masks. It also wants as many layers of every
    kind: where an encoder is deeper than its decoder, ``include_layers`` names those that both
    have, and the encoder alone (``encoder_attention`` and ``encoder_tokens``) shows the others.
    """
    arguments: dict[str, Any] = {}
    for attention in record.maps:
        name = _BERTVIZ_NAMES.get((attention.site.query, attention.site.key))
        if name is None or f"{name}_attention" in arguments:
            continue
        rounded = np.round(attention.weights.astype(np.float64), _BERTVIZ_DECIMALS)
        arguments[f"{name}_attention"] = rounded[:, None].tolist()
        if attention.site.key == "source":
            arguments.setdefault("encoder_tokens", list(attention.key_tokens))
        if attention.site.query == "target":
            arguments.setdefault("decoder_tokens", list(attention.query_tokens))
    depths = {attention.n_layers for attention in record.maps}
    if len(depths) > 1:
        arguments["include_layers"] = list(range(min(depths)))
    return json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=1)
def _library() -> str:
    return vl_convert.javascript_bundle(vl_version=_VEGA_LITE)


def _inked(part: Any, ink: str, dark: bool) -> Any:
    if isinstance(part, dict):
        return {name: _inked(value, ink, dark) for name, value in part.items()}
    if isinstance(part, list):
        return [_inked(value, ink, dark) for value in part]
    return of_theme(part.replace(INK, ink), dark=dark) if isinstance(part, str) else part


def _script_json(value: Any) -> str:
    # A token such as "</script>" must not end the script it stands in.
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _chosen(index: int | None, count: int, name: str) -> list[int]:
    if index is None:
        return list(range(count))
    if not 0 <= index < count:
        raise IndexError(f"{name} {index} of {count}; {name}s count from 0")
    return [index]


def _harmless(text: str) -> str:
    risky = len(text) > 1 and text.startswith(_FORMULA_STARTS)
    return "'" + text if risky else text


def _sequence_arrays(name: str, sequence: Source) -> dict[str, np.ndarray]:
    arrays = {f"{name}_text": np.array(sequence.text), f"{name}_tokens": _texts(sequence.tokens)}
    if not isinstance(sequence, TokenSequence):
        return {**arrays, f"{name}_ids": np.array(sequence.ids)}
    return {
        **arrays,
        f"{name}_ids": np.array(sequence.ids, dtype=np.int64),
        f"{name}_offsets": np.array(sequence.offsets, dtype=np.int64).reshape(-1, 2),
    }


def _map_arrays(attention: AttentionMap) -> dict[str, np.ndarray]:
    kind = f"{attention.kind}_{attention.item}" if attention.item else attention.kind
    arrays = {
        f"{kind}_weights": attention.weights,
        f"{kind}_query_tokens": _texts(attention.query_tokens),
        f"{kind}_key_tokens": _texts(attention.key_tokens),
    }
    if attention.output_tokens is not None:
        arrays[f"{kind}_output_tokens"] = _texts(attention.output_tokens)
    for name in ("scores", "mask"):
        array = getattr(attention, name)
        if array is not None:
            arrays[f"{kind}_{name}"] = array
    return arrays


def _texts(texts: Iterable[str]) -> np.ndarray:
    return np.array(list(texts), dtype=np.str_)


def _npz(arrays: dict[str, np.ndarray]) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()

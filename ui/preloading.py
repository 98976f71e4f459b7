"""Scripts in each HTML page that spare a first visit two waits of Streamlit's front end.

It asks for the script of an element, such as a chart, only when the server has drawn the first of
its kind, and is busy with the other elements when the script arrives. Told of these scripts at its
start, the browser fetches and compiles them while the server draws. Told in the head of the HTML,
it would fetch them beside the scripts of the front end itself, which would start later for it.

Before it connects, the front end also looks for its server below the path of the page and then, a
tenth of a second later, beside it. The page says where it is, so the front end connects at once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.file_util import get_static_dir

ELEMENTS = (
    "ButtonGroup",
    "Selectbox",
    "TextInput",
    "Button",
    "Checkbox",
    "BidiComponent",
    "ArrowVegaLiteChart",
)
"""Scripts of the elements that most pages draw, by the beginnings of their names."""
PLOTLY = "PlotlyChart"
"""Script of Plotly's figures, which is larger than all others together."""
SCRIPTS = "static/js"
IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*["'`]\./([\w.-]+\.js)["'`]""")
"""Import at the start of a script; one that is written as a call waits until it is needed."""


def early_scripts(*further: str, folder: Path | None = None) -> str:
    """Return the scripts as HTML for the end of a page.

    `further`: elements of this page besides `ELEMENTS`. `folder`: that of Streamlit's front end.
    """
    scripts = scripts_of((*ELEMENTS, *further), folder or Path(get_static_dir()))
    addresses = [f"./{SCRIPTS}/{name}" for name in scripts]
    # A module runs after those before it: the front end has started, and is next idle when it
    # waits for the server.
    return (
        f"<script>window.__streamlit = {_connection()};</script>"
        '<script type="module">(window.requestIdleCallback ?? setTimeout)(() => { '
        f"for (const href of {_literal(addresses)}) document.head.append("
        'Object.assign(document.createElement("link"), '
        '{ rel: "modulepreload", crossOrigin: "", href })); });</script>'
    )


def scripts_of(elements: Iterable[str], folder: Path) -> tuple[str, ...]:
    """Return the names of the scripts of `elements` and of all that they import.

    Left out are those that the HTML page of the front end names itself, and what is missing: the
    front end finds its scripts without this.
    """
    page = folder / "index.html"
    named = page.read_text(encoding="utf-8") if page.is_file() else ""
    names: dict[str, None] = {}
    for element in elements:
        # Behind the name of an element stands a hash of the content.
        waiting = sorted((folder / SCRIPTS).glob(f"{element}.*.js"))
        while waiting:
            script = waiting.pop()
            if script.name in names or f"/{script.name}" in named or not script.is_file():
                continue
            names[script.name] = None
            text = script.read_text(encoding="utf-8")
            waiting.extend(script.with_name(name) for name in IMPORT.findall(text))
    return tuple(names)


def _connection() -> str:
    """Return what the front end would ask its server for before it connects, as JavaScript.

    All pages lie beside each other in the folder of the app, wherever a proxy has put that.
    """
    host = {
        "allowedOrigins": st.get_option("client.allowedOrigins"),
        "useExternalAuthToken": False,
    }
    address = 'new URL(".", location.href).href'
    return f"{{ BACKEND_BASE_URL: {address}, HOST_CONFIG: {_literal(host)} }}"


def _literal(value: Any) -> str:
    """Return a value as JavaScript that may stand inside HTML."""
    return json.dumps(value).replace("<", r"\u003c")

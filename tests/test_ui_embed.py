"""A figure in another page: the frame is left out, and a link leads to the whole page."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from harness import open_page
from starlette.responses import HTMLResponse
from starlette.testclient import TestClient
from streamlit.runtime.context import ContextProxy

from ui.embed import STYLE
from ui.serve import Dressed

TEXT = "A dog & a cat run."


@pytest.mark.parametrize("name", ["attention", "masks", "beam"])
def test_an_embedded_page_links_to_the_same_address_as_a_page(folder, monkeypatch, name):
    assert not open_page(name).get("link_button")
    monkeypatch.setattr(ContextProxy, "is_embedded", True)
    (link,) = open_page(name, text=TEXT, beam="3").get("link_button")
    asked = dict(parse_qsl(link.proto.url.removeprefix("?")))
    assert asked.items() >= {"text": TEXT, "beam": "3"}.items()


@pytest.mark.parametrize(
    ("query", "left_out"),
    {"?embed=true": True, "?beam=3&embed=1": True, "?embed=false": False, "": False}.items(),
)
def test_the_frame_is_left_out_of_the_html_already(query, left_out):
    sent = TestClient(Dressed(HTMLResponse("<body></body>"))).get(f"/beam{query}")
    assert (STYLE.read_text(encoding="utf-8") in sent.text) == left_out
    assert str(sent.url).endswith(f"/beam{query.replace('1', 'true')}")

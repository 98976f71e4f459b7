"""A figure in another page: the frame is left out, and a link leads to the whole page."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from starlette.responses import HTMLResponse
from starlette.testclient import TestClient
from streamlit.runtime.context import ContextProxy

from support.app import open_page
from ui.serve import FURTHER, Dressed

TEXT = "A dog & a cat run."


def test_an_embedded_page_links_to_the_same_address_as_a_page(folder, monkeypatch):
    assert not open_page("beam").get("link_button")
    monkeypatch.setattr(ContextProxy, "is_embedded", True)
    (link,) = open_page("beam", text=TEXT, beam="3").get("link_button")
    asked = dict(parse_qsl(link.proto.url.removeprefix("?")))
    assert asked.items() >= {"text": TEXT, "beam": "3"}.items()


@pytest.mark.parametrize(
    ("query", "looks"),
    {
        "?embed=true": {"embed"},
        "?beam=3&embed=1": {"embed"},
        "?projector=1": {"projector"},
        "?embed=false": set(),
        "": set(),
    }.items(),
)
def test_what_has_another_look_has_it_in_the_html_already(query, looks):
    sent = TestClient(Dressed(HTMLResponse("<body></body>"))).get(f"/beam{query}")
    found = {name for (name, _), style in FURTHER.items() if style.read_text("utf-8") in sent.text}
    assert found == looks
    assert str(sent.url).endswith(f"/beam{query.replace('embed=1', 'embed=true')}")

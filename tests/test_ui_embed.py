"""A figure in another page: the frame is left out, and a link leads to the whole page."""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest
from harness import open_page
from starlette.responses import HTMLResponse
from starlette.testclient import TestClient
from streamlit.runtime.context import ContextProxy

from ui.embed import STYLE
from ui.serve import Dressed

TEXT = "A dog & a cat run."


def links(page) -> list[str]:
    return [each.proto.url for each in page.get("link_button")]


@pytest.mark.parametrize("name", ["attention", "masks", "beam"])
def test_an_embedded_page_links_to_the_same_address_as_a_page(folder, monkeypatch, name):
    monkeypatch.setattr(ContextProxy, "is_embedded", True)
    (link,) = links(open_page(name, text=TEXT, beam="3"))
    assert link.startswith("?")
    asked = parse_qs(link[1:])
    assert (asked["text"], asked["beam"]) == ([TEXT], ["3"])


def test_a_page_of_its_own_has_no_such_link(folder):
    assert not links(open_page())


EMBEDS = {"?embed=true": True, "?embed=false": False, "": False}


@pytest.mark.parametrize(("query", "left_out"), EMBEDS.items())
def test_the_frame_is_left_out_of_the_html_already(query, left_out):
    async def app(scope, receive, send):
        await HTMLResponse("<body></body>")(scope, receive, send)

    sent = TestClient(Dressed(app)).get(f"/beam{query}").text
    assert (STYLE.read_text(encoding="utf-8") in sent) == left_out

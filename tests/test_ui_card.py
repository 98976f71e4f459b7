"""The card of a link: the picture and the tags are those of the address, whatever stands in it."""

from __future__ import annotations

import asyncio
import io
import re
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from itertools import combinations
from threading import Lock
from unittest.mock import Mock
from urllib.parse import urlencode
from xml.etree import ElementTree

import numpy as np
import pytest
from harness import focus, open_page
from PIL import Image
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.testclient import TestClient

import model.translator
import ui.card
import ui.serve
from core.attention import ENCODER, AttentionMap
from core.tokens import TokenSequence
from model import InputError
from ui.card import Asked, card_for, plain_card
from ui.serve import CARD, MOST_WAITING, Cards, Dressed
from viz.card import HEIGHT, WIDTH, card_of, card_svg
from viz.fonts import FAMILY
from words import Message

EVIL = '"><script>alert(1)</script>&amp;'
SVG = "{http://www.w3.org/2000/svg}"
ADDRESSES = (
    {},
    {"kind": "cross", "layer": "1", "head": "2", "row": "3"},
    {"kind": "decoder", "hidden": "2,3"},
    {"beam": "1", "alpha": "0", "max_len": "5", "hidden": "99"},
    {"beam": "99", "kind": "none", "layer": "x", "head": "700", "min_len": "-1", "lang": "xx"},
)


def sequence(*words: str) -> TokenSequence:
    tokens = tuple(f"▁{word}" for word in words)
    return TokenSequence(" ".join(words), tuple(range(len(words))), tokens, ((0, 0),) * len(words))


def drawn(words: Sequence[str], row: int) -> ElementTree.Element:
    src, n = sequence(*words), len(words)
    weights = np.random.default_rng(1).dirichlet(np.ones(n), (1, 1, n)).astype(np.float32)
    attention = AttentionMap(ENCODER, weights, src.tokens, src.tokens)
    return ElementTree.fromstring(card_svg(card_of(attention, (0, 0), (row,), src, src)))


@pytest.mark.parametrize(("n", "row"), [(1, 0), (2, 1), (6, 1), (12, 11), (40, 1), (300, 299)])
def test_a_card_has_the_open_row_and_its_numbers_apart_however_long_the_sentence(n, row):
    texts = list(drawn([f"w{place}" for place in range(n)], row).iter(f"{SVG}text"))
    assert f"w{row}" in [text.text for text in texts]
    assert min(float(text.get("font-size")) for text in texts) >= 23
    assert all(0 < float(text.get("x")) < WIDTH for text in texts)
    at = [
        (float(text.get("x")), float(text.get("y")))
        for text in texts
        if text.get("font-size") == "24.0"
    ]
    assert at
    assert all(abs(x - a) > 60 or abs(y - b) > 26 for (x, y), (a, b) in combinations(at, 2))


def test_dots_stand_where_tokens_are_left_out():
    texts = [text.text for text in drawn([f"w{place}" for place in range(300)], 150).iter()]
    first = texts.index("…")
    assert texts[first + 1] == f"w{300 - int(texts[texts.index('…', first + 1) - 1][1:])}"


@pytest.mark.parametrize("address", ADDRESSES, ids=str)
def test_a_card_shows_what_its_page_shows(folder, address):
    page = open_page(**address)
    asked = Asked("attention", address)
    run = ui.card._run(asked)
    shown = page.session_state["run"].translation
    assert run.tgt == shown.tgt
    np.testing.assert_allclose(run.translation.log_probs, shown.log_probs, rtol=0, atol=1e-5)
    card, kind = ui.card._card(asked, run), page.session_state["kind"]
    assert sorted(card.hidden) == [(0, place) for place in page.session_state["hidden"]]
    (_, query), _, weight = card.weights[0]
    row = focus(page, kind).row
    assert row in (None, query)
    weights = run.record.of(kind).head(*focus(page, kind).place)
    assert weight == pytest.approx(weights.max() if row is None else weights[row].max())


def test_a_card_of_a_page_that_was_drawn_asks_the_model_nothing(folder, monkeypatch):
    open_page(hidden="2")
    monkeypatch.setattr(model.translator, "capture_attention", None)
    image = Image.open(io.BytesIO(card_for("attention", {"hidden": "2"})))
    assert (image.size, image.format) == ((WIDTH, HEIGHT), "PNG")


def test_text_stays_text_and_hangul_has_its_font():
    root = drawn((EVIL, "동물", "c"), 1)
    assert {each.tag.removeprefix(SVG) for each in root.iter()} == {"svg", "rect", "path", "text"}
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert any(text.startswith('"><script') for text in texts)
    assert EVIL not in texts  # it is too long, and cut
    assert FAMILY in root.get("font-family")


# -- served -------------------------------------------------------------------------------------


def metas(path: str, **headers: str) -> dict[str, str]:
    page = HTMLResponse("<head></head><body></body>")
    sent = TestClient(Dressed(page)).get(path, headers=headers).text
    assert "<script" not in sent
    found = re.findall('<meta property="([^"]*)" content="([^"]*)">', sent)
    return {name: unescape(content) for name, content in found}


def test_the_tags_name_the_address_as_the_visitor_knows_it():
    address = {"text": EVIL, "hidden": "2"}
    query = urlencode(address)
    told = metas(f"/beam?{query}", host="inside:8501")
    assert told["og:url"] == f"http://inside:8501/beam?{query}"
    assert told["og:image"] == f"http://inside:8501/{CARD}?page=beam&{query}"
    assert told["og:description"] == EVIL
    forwarded = {"x-forwarded-proto": "https", "x-forwarded-host": "lab.example.org"}
    assert metas("/", **forwarded)["og:url"] == "https://lab.example.org/"


@pytest.mark.parametrize("host", ['x"><script>', "a b", "x/y", ""])
def test_a_host_that_is_none_is_not_told(host):
    forwarded = metas("/", **{"x-forwarded-host": host, "x-forwarded-proto": "javascript"})
    assert forwarded["og:url"] == "http://testserver/"
    assert metas("/", host=host or "?") == {}


def answers(monkeypatch, draw, addresses):
    monkeypatch.setattr(ui.serve, "card_for", draw)

    async def all_of_them():
        cards = Cards()
        requests = (
            Request({"type": "http", "query_string": each.encode(), "path": "/", "headers": []})
            for each in addresses
        )
        return await asyncio.gather(*map(cards.answer, requests))

    # A browser that another test opened keeps a loop running in this thread.
    with ThreadPoolExecutor(1) as elsewhere:
        return [each.body for each in elsewhere.submit(asyncio.run, all_of_them()).result()]


def test_one_card_is_drawn_at_a_time_each_address_once_and_too_many_get_a_plain_one(monkeypatch):
    lock, drawn = Lock(), []

    def draw(page, query):
        assert lock.acquire(blocking=False)
        time.sleep(0.01)
        drawn.append(query["text"])
        lock.release()
        return b"drawn"

    addresses = [f"text={nth}" for nth in (0, 0, *range(MOST_WAITING + 3))]
    found = answers(monkeypatch, draw, addresses)
    assert sorted(drawn) == [str(nth) for nth in range(MOST_WAITING)]
    assert found == [b"drawn"] * (MOST_WAITING + 2) + [plain_card("", {})] * 3


@pytest.mark.parametrize("error", [ValueError("x"), InputError(Message("text-empty"))], ids=repr)
def test_what_cannot_be_drawn_has_a_plain_card(monkeypatch, error):
    draw = Mock(side_effect=error)
    assert answers(monkeypatch, draw, ["text=x", f"text={'x' * 5000}"]) == [plain_card("", {})] * 2
    assert draw.call_count == 1


@pytest.mark.parametrize(("page", "text"), [("captions", ""), ("beam", "x " * 200)])
def test_a_page_that_reads_no_sentence_and_a_long_one_have_a_plain_card(page, text):
    assert card_for(page, {"text": text}) == plain_card(page, {})

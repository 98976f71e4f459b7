"""The card of a link: the picture and the tags are those of the address, whatever stands in it."""

from __future__ import annotations

import asyncio
import io
import time
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from threading import Lock
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


def drawn_texts(svg: str) -> list[str]:
    return [each.text for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def sequence(*words: str) -> TokenSequence:
    tokens = tuple(f"▁{word}" for word in words)
    return TokenSequence(" ".join(words), tuple(range(len(words))), tokens, ((0, 0),) * len(words))


def one_head(words: TokenSequence) -> AttentionMap:
    n = len(words.tokens)
    weights = np.random.default_rng(1).dirichlet(np.ones(n), (1, 1, n)).astype(np.float32)
    return AttentionMap(ENCODER, weights, words.tokens, words.tokens)


@pytest.mark.parametrize("n_words", [2, 3, 6, 40])
def test_numbers_of_weights_do_not_stand_on_each_other(n_words):
    words = sequence(*["a"] * n_words)
    svg = ElementTree.fromstring(card_svg(card_of(one_head(words), (0, 0), (1,), words, words)))
    numbers = [
        (float(text.get("x")), float(text.get("y")))
        for text in svg.iter(f"{SVG}text")
        if text.get("font-size") == "24.0"
    ]
    assert numbers
    for n, (x, y) in enumerate(numbers):
        assert all(abs(x - left) > 60 or abs(y - top) > 26 for left, top in numbers[:n])


@pytest.mark.parametrize("address", ADDRESSES, ids=str)
def test_a_card_shows_what_its_page_shows(folder, address):
    page = open_page(**address)
    run, hidden = ui.card._run(Asked("attention", address))
    shown = page.session_state["run"].translation
    assert run.tgt == shown.tgt
    np.testing.assert_array_equal(run.translation.log_probs, shown.log_probs)
    assert hidden == page.session_state["hidden"]
    kind = page.session_state["kind"]
    link = ui.card._card(Asked("attention", address), run, hidden).links[0]
    row = focus(page, kind).row
    assert row in (None, link.query[1])
    weights = run.record.of(kind).head(*focus(page, kind).place)
    assert link.weight == pytest.approx(weights.max() if row is None else weights[row].max())


def test_a_card_of_a_page_that_was_drawn_asks_the_model_nothing(folder, monkeypatch):
    open_page(hidden="2")
    monkeypatch.setattr(model.translator, "capture_attention", None)
    image = Image.open(io.BytesIO(card_for("attention", {"hidden": "2"})))
    assert (image.size, image.format) == ((WIDTH, HEIGHT), "PNG")


def test_text_stays_text_and_hangul_has_its_font():
    words = sequence(EVIL, "동물", "c")
    svg = card_svg(card_of(one_head(words), (0, 0), (1,), words, words))
    root = ElementTree.fromstring(svg)
    assert {each.tag.removeprefix(SVG) for each in root.iter()} == {"svg", "rect", "path", "text"}
    assert drawn_texts(svg).count(EVIL) == 0  # it is too long, and cut
    assert any(text.startswith('"><script') for text in drawn_texts(svg))
    assert FAMILY in root.get("font-family")


@pytest.mark.parametrize("n", [1, 2, 12, 300])
@pytest.mark.parametrize("row", [0, -1])
def test_a_long_sentence_is_cut_where_the_open_row_is_not(n, row):
    words = sequence(*(f"word{place}" for place in range(n)))
    place = range(n)[row]
    card = card_of(one_head(words), (0, 0), (place,), words, words)
    found = ElementTree.fromstring(card_svg(card))
    assert f"word{place}" in drawn_texts(card_svg(card))
    sizes = [float(each.get("font-size")) for each in found.iter(f"{SVG}text")]
    assert min(sizes) >= 23
    assert all(0 < float(each.get("x")) < WIDTH for each in found.iter(f"{SVG}text"))


# -- served -------------------------------------------------------------------------------------


def metas(path: str, **headers: str) -> dict[str, str]:
    async def app(scope, receive, send):
        await HTMLResponse("<head></head><body></body>")(scope, receive, send)

    found = {}

    class Parser(HTMLParser):
        def handle_starttag(self, tag, attributes):
            assert tag != "script"
            if tag == "meta":
                found.update([(dict(attributes)["property"], dict(attributes)["content"])])

    Parser().feed(TestClient(Dressed(app)).get(path, headers=headers).text)
    return found


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
    def draw(page, query):
        raise error

    assert answers(monkeypatch, draw, ["text=x", f"text={'x' * 5000}"]) == [plain_card("", {})] * 2


def test_a_page_that_reads_no_sentence_and_a_long_one_have_a_plain_card():
    assert card_for("captions", {}) == plain_card("captions", {})
    assert card_for("beam", {"text": "x " * 200}) == plain_card("beam", {})

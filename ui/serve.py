"""``python -m ui.serve [OPTION ...]``: the app, served once its first page has been drawn.

The options are those of ``streamlit run``. Whoever comes first would otherwise wait for torch, the
checkpoints, their first translations and the figures; so the first page is drawn in each language
before the server says that it is ready. The look of the pages goes out with their HTML: coming
later, with the first drawing, it would move what is there already.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import logging
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.testing.v1 import AppTest
from streamlit.web import cli

from model import ModelError
from ui import embed, projector
from ui.card import PAGE, card_for, card_tags, plain_card
from ui.guard import START
from ui.state import DRESSED, page_style
from words import languages

APP = Path(__file__).resolve().parent.parent / "app.py"
PATIENCE = 300  # seconds
M_ARENA_MAX, M_TRIM_THRESHOLD = -8, -1  # of malloc.h
FURTHER = {("embed", "true"): embed.STYLE, ("projector", "1"): projector.STYLE}
"""The looks of what an address asks for."""
HEAD_END, END = b"</head>", b"</body>"  # after the styles of Streamlit, which would win otherwise
NO_SESSION = "streamlit.runtime.scriptrunner_utils.script_run_context"
CARD = "card.png"
MOST_QUERY = 4000  # characters of an address that has a card of its own
MOST_WAITING, MOST_KEPT = 8, 64  # cards that are asked for at once, and that are kept
CARD_PATIENCE = 10.0  # seconds
HOST = re.compile(r"[\w.-]+(:\d+)?|\[[\da-fA-F:]+\](:\d+)?", re.ASCII)


class Cards:
    """The pictures of addresses, one drawn at a time; a plain one where too many wait, one takes
    too long, or its model cannot read it."""

    def __init__(self) -> None:
        self.thread = ThreadPoolExecutor(1)
        self.drawn: dict[str, asyncio.Future[bytes]] = {}  # the last ones, by address

    async def answer(self, request: Request) -> Response:
        address, query = request.url.query, request.query_params
        picture, page = self.drawn.get(address), query.get(PAGE, "")
        done = [key for key, other in self.drawn.items() if other.done()]
        free = len(self.drawn) - len(done) < MOST_WAITING
        if picture is None and free and len(address) <= MOST_QUERY:
            loop = asyncio.get_running_loop()
            picture = self.drawn[address] = loop.run_in_executor(self.thread, card_for, page, query)
            for key in done[:-MOST_KEPT]:
                del self.drawn[key]
        png = None
        try:
            png = picture and await asyncio.wait_for(asyncio.shield(picture), CARD_PATIENCE)
        except (ModelError, TimeoutError):
            pass
        except Exception:
            logging.getLogger(__name__).exception("A card could not be drawn.")
        png = png or await asyncio.to_thread(plain_card, page, query)
        return Response(png, media_type="image/png", headers={"cache-control": "max-age=3600"})


def tags_of(request: Request) -> str:
    """What the HTML of a page says of it to who previews a link, with whole addresses.

    Behind another server those are what that one was asked for (X-Forwarded-Proto and -Host).
    """
    headers, url = request.headers, request.url
    forwarded = (headers.get(f"x-forwarded-{name}", "") for name in ("proto", "host"))
    scheme, host = (value.split(",")[0].strip() for value in forwarded)
    scheme = scheme if scheme in ("http", "https") else url.scheme
    host = host if HOST.fullmatch(host) else headers.get("host", "")
    if not HOST.fullmatch(host):
        return ""
    url = url.replace(scheme=scheme, netloc=host, query=url.query[:MOST_QUERY])
    page, base = url.path.rstrip("/").rpartition("/")[2], st.get_option("server.baseUrlPath")
    query = urlencode({PAGE: page}) + f"&{url.query}" * bool(url.query)
    image = url.replace(path=f"/{base.strip('/')}/{CARD}".replace("//", "/"), query=query)
    return card_tags(page, request.query_params, str(url), str(image))


class Dressed:
    """Writes the look of the pages into the HTML that Streamlit serves for each of them, and tells
    the sessions of these pages, by a header, that they have it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.look = page_style().encode()
        self.further = {
            asked: f'<style id="{asked[0]}">{style.read_text(encoding="utf-8")}</style>'.encode()
            for asked, style in FURTHER.items()
        }
        self.cards = Cards()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            MutableHeaders(scope=scope)[DRESSED] = "yes"
        path = scope["path"] if scope["type"] == "http" else ""
        if path.endswith(f"/{CARD}"):
            await (await self.cards.answer(Request(scope)))(scope, receive, send)
            return
        if not path or "." in path or "/_stcore/" in path:
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        url, asked = request.url, request.query_params.items()
        if ("embed", "1") in asked:  # the browser's part of Streamlit takes "true" alone
            url = url.include_query_params(embed="true")
        named = path.endswith(f"/{START}")  # Streamlit knows its first page by no name
        if named or url != request.url:
            await RedirectResponse("./" * named + f"?{url.query}")(scope, receive, send)
            return
        MutableHeaders(scope=scope)["accept-encoding"] = "identity"
        began: Message | None = None  # of a page, until its body is complete
        body = b""

        async def dress(message: Message) -> None:
            nonlocal began, body
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    began = message
                    return
            if began is None:
                await send(message)
                return
            body += message.get("body", b"")
            if message.get("more_body"):
                return
            look = self.look + b"".join(map(self.further.get, [*self.further.keys() & asked]))
            body = body.replace(END, look + END, 1)
            body = body.replace(HEAD_END, tags_of(request).encode() + HEAD_END, 1)
            headers = MutableHeaders(scope=began)
            headers["content-length"] = str(len(body))
            for of_file in ("etag", "last-modified"):
                del headers[of_file]
            await send(began)
            await send({"type": "http.response.body", "body": body})

        await self.app(scope, receive, dress)


app = st.App(APP, middleware=[Middleware(Dressed)])


def warm() -> None:
    """Draw the first page in each language; what is shared by sessions is there then."""
    logging.getLogger("streamlit").setLevel(logging.ERROR)  # there is no browser, which it tells
    for language in languages():
        page = AppTest.from_file(str(APP), default_timeout=PATIENCE)
        page.query_params["lang"] = language
        page.run()
    logging.getLogger("streamlit").setLevel(logging.NOTSET)
    del page
    # What stays until the end need not be looked through whenever Python looks for what may go.
    # Done later, this would keep what sessions have left behind.
    gc.collect()
    gc.freeze()


def give_back_memory() -> bool:
    """Let all threads share two arenas, and give back what is freed (glibc; nothing elsewhere).

    A session is a thread; each would get an arena of its own, where freed memory stays.
    """
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None
    if not hasattr(libc, "mallopt"):
        return False
    return all(libc.mallopt(*each) for each in ((M_ARENA_MAX, 2), (M_TRIM_THRESHOLD, 131072)))


def main() -> None:
    give_back_memory()
    # Cards are drawn where there is no session, which each look into it would tell.
    logging.getLogger(NO_SESSION).addFilter(lambda _: False)
    warm()
    sys.argv = ["streamlit", "run", __file__, *sys.argv[1:]]
    cli.main()


if __name__ == "__main__":
    main()

"""``python -m ui.serve [OPTION ...]``: the app, served once its first page has been drawn.

The options are those of ``streamlit run``. Whoever comes first would otherwise wait for torch, the
checkpoints, their first translations and the figures; so the first page is drawn in each language
before the server says that it is ready. The look of the pages goes out with their HTML: coming
later, with the first drawing, it would move what is there already.
"""

from __future__ import annotations

import ctypes
import gc
import logging
import sys
from pathlib import Path

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.testing.v1 import AppTest
from streamlit.web import cli

from ui import embed, projector
from ui.guard import START
from ui.state import DRESSED, page_style
from words import languages

APP = Path(__file__).resolve().parent.parent / "app.py"
PATIENCE = 300  # seconds
M_ARENA_MAX, M_TRIM_THRESHOLD = -8, -1  # of malloc.h
FURTHER = {("embed", "true"): embed.STYLE, ("projector", "1"): projector.STYLE}
"""The looks of what an address asks for."""
END = b"</body>"  # after the styles of Streamlit, which would win otherwise


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

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            MutableHeaders(scope=scope)[DRESSED] = "yes"
        path = scope["path"] if scope["type"] == "http" else ""
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
    warm()
    sys.argv = ["streamlit", "run", __file__, *sys.argv[1:]]
    cli.main()


if __name__ == "__main__":
    main()

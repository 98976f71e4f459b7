"""``python -m ui.serve [OPTION ...]``: serve the app after its first page has been drawn.

The options are those of ``streamlit run``. Otherwise the first visitor would wait for torch, the
checkpoints, their first translations and the figures; so the first page is drawn in each language
before the server reports that it is ready. The style sheet is sent with the HTML: arriving later,
with the first drawing, it would move elements that are there already.
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
PATIENCE = 300  # seconds for the first page
M_ARENA_MAX, M_TRIM_THRESHOLD = -8, -1  # parameters of mallopt in glibc's malloc.h
FURTHER = {("embed", "true"): embed.STYLE, ("projector", "1"): projector.STYLE}
"""Style sheets that a query parameter asks for."""
END = b"</body>"  # behind the styles of Streamlit, which would win otherwise


class Dressed:
    """Middleware that writes the style sheet into each HTML page of Streamlit.

    A header of the websocket tells the session that its page has it already.
    """

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
        # Files and Streamlit's own endpoints pass through untouched.
        if not path or "." in path or "/_stcore/" in path:
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        url, asked = request.url, request.query_params.items()
        if ("embed", "1") in asked:  # Streamlit's front end accepts "true" only
            url = url.include_query_params(embed="true")
        # Streamlit serves its default page under the empty path only.
        named = path.endswith(f"/{START}")
        if named or url != request.url:
            await RedirectResponse("./" * named + f"?{url.query}")(scope, receive, send)
            return
        # A compressed body could not be searched for its end.
        MutableHeaders(scope=scope)["accept-encoding"] = "identity"
        began: Message | None = None  # start of an HTML page, held back until its body is complete
        body = b""

        async def dress(message: Message) -> None:
            nonlocal began, body
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    # Held back, because its length changes with the body.
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
            # They describe the file without the style sheet; a browser would keep an old page.
            for of_file in ("etag", "last-modified"):
                del headers[of_file]
            await send(began)
            await send({"type": "http.response.body", "body": body})

        await self.app(scope, receive, dress)


app = st.App(APP, middleware=[Middleware(Dressed)])


def warm() -> None:
    """Draw the first page in each language, which fills the caches that sessions share."""
    logging.getLogger("streamlit").setLevel(logging.ERROR)  # it complains that there is no browser
    for language in languages():
        page = AppTest.from_file(str(APP), default_timeout=PATIENCE)
        page.query_params["lang"] = language
        page.run()
    logging.getLogger("streamlit").setLevel(logging.NOTSET)
    del page
    # Objects that live until the end need not be searched by every garbage collection. Later, a
    # freeze would also keep objects that sessions have left behind.
    gc.collect()
    gc.freeze()


def give_back_memory() -> bool:
    """Limit all threads to two malloc arenas and return freed memory (glibc only).

    Every session is a thread; each would get its own arena, where freed memory stays. Returns True
    if both settings were accepted.
    """
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None
    if not hasattr(libc, "mallopt"):
        return False
    # 131072 bytes is the default threshold; setting it stops glibc from raising it at run time.
    return all(libc.mallopt(*each) for each in ((M_ARENA_MAX, 2), (M_TRIM_THRESHOLD, 131072)))


def main() -> None:
    give_back_memory()
    warm()
    sys.argv = ["streamlit", "run", __file__, *sys.argv[1:]]
    cli.main()


if __name__ == "__main__":
    main()

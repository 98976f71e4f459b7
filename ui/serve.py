"""``python -m ui.serve [OPTION ...]``: serve the app, and prepare it for its first visitors.

The options are those of ``streamlit run``. Otherwise the first visitor would wait for torch, the
checkpoints and their first translations; so everything is imported before the server reports that
it is ready, and the first model of each language loaded from then on, beside the first visitors.
The style sheet is sent with the HTML: arriving later, with the first drawing, it would move
elements that are there already. So are scripts that shorten a first visit (`ui.preloading`).
"""

from __future__ import annotations

import ctypes
import gc
import logging
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from itertools import chain
from pathlib import Path

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.web import cli

from model import ModelError
from ui.compression import Compressed
from ui.frame.admission import queues
from ui.frame.checkpoints import by_preference
from ui.frame.run import OPENING, FrameChoices
from ui.frame.state import get_translator, sentences_for, translated
from ui.frame.style import DRESSED, page_style
from ui.kit.guard import START
from ui.pages import menu
from ui.preloading import PLOTLY, early_scripts
from ui.shell import embed, projector
from ui.streamlit_replacements import replace_parts
from viz.style import Look, looking
from words import Words, languages
from words.packs import opens_with

APP = Path(__file__).resolve().parent.parent / "app.py"
COMPLAINING = ("streamlit.runtime.scriptrunner_utils.script_run_context",)
"""Loggers of Streamlit that complain about work outside a session."""
# Parameters of mallopt in glibc's malloc.h
M_ARENA_MAX = -8
M_TRIM_THRESHOLD = -1
FURTHER = {("embed", "true"): embed.STYLE, ("projector", "1"): projector.STYLE}
"""Style sheets that a query parameter asks for."""
FILES = ("app/static/", "auth/", "component/", "media/", "static/")
"""Beginnings of Streamlit's own paths that are no pages, beside ``_stcore/``."""
END = b"</body>"  # behind the styles of Streamlit, which would win otherwise


class Dressed:
    """Middleware that writes the style sheet and early scripts into each HTML page of Streamlit.

    A header of the websocket tells the session that its page has it already.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.look = page_style().encode()
        self.scripts = early_scripts().encode()
        self.scripts_of_plots = early_scripts(PLOTLY).encode()
        self.further = {
            parameter: (
                f'<style id="{parameter[0]}">{style.read_text(encoding="utf-8")}</style>'.encode()
            )
            for parameter, style in FURTHER.items()
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
        target = _target(request)
        if target is not None:
            await RedirectResponse(target)(scope, receive, send)
            return
        # A compressed body could not be searched for its end.
        MutableHeaders(scope=scope)["accept-encoding"] = "identity"
        further = self.further.keys() & request.query_params.items()
        styles = self.look + b"".join(self.further[parameter] for parameter in further)
        scripts = self.scripts_of_plots if _is_plotted(request) else self.scripts
        await self.app(scope, receive, _Dressing(send, styles + scripts))


def _target(request: Request) -> str | None:
    """Return the relative address that a request is sent on to, or None if it is served."""
    url = request.url
    if ("embed", "1") in request.query_params.items():  # Streamlit's front end accepts "true" only
        url = url.include_query_params(embed="true")
    path = _path_in_app(request)
    # Streamlit serves its default page under the empty path only.
    is_first = path == START or _is_nested_page(request, path)
    if not is_first and url == request.url:
        return None
    # Relative, because a proxy may have taken the beginning of the path away.
    up = "./" + "../" * path.count("/")
    return up * is_first + f"?{url.query}"


def _path_in_app(request: Request) -> str:
    """Return the path without the base path and the slash behind it; outside, with its slash."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return request.scope["path"].removeprefix(f"/{base}/" if base else "/")


def _is_nested_page(request: Request, path: str) -> bool:
    """Return True if a browser asks for a page at a path of several parts, which no page has.

    Streamlit would send its HTML, whose scripts have addresses relative to it: a blank page.
    """
    is_page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    is_nested = "/" in path.rstrip("/") and not path.startswith("/")
    return is_page and is_nested and not path.startswith(FILES)


def _is_plotted(request: Request) -> bool:
    """Return True if a browser asks for a view that opens with a figure of Plotly."""
    id = _path_in_app(request) or START
    page = next((page for page in chain(*menu().values()) if page.id == id), None)
    if page is None:
        return False
    # Without a name in the address, a page opens its first view.
    name = request.query_params.get(page.key)
    view = next((view for view in page.views if view.id == name), next(iter(page.views), None))
    return view is not None and view.plotted


class _Dressing:
    """Sender of one response, which writes `parts` into it if it is an HTML page."""

    def __init__(self, send: Send, parts: bytes) -> None:
        self._send = send
        self._parts = parts
        self._start: Message | None = None
        self._body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if headers.get("content-type", "").startswith("text/html"):
                # Held back until the body is complete, because its length changes.
                self._start = message
                return
        if self._start is None:
            await self._send(message)
            return
        self._body += message.get("body", b"")
        if not message.get("more_body"):
            await self._send_page(self._start)

    async def _send_page(self, start: Message) -> None:
        body = self._body.replace(END, self._parts + END, 1)
        headers = MutableHeaders(scope=start)
        headers["content-length"] = str(len(body))
        # They describe the file without the style sheet; a browser would keep an old page.
        for of_file in ("etag", "last-modified"):
            del headers[of_file]
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})


async def ready(request: Request) -> Response:
    """Tell a proxy if a new user would be admitted: status 200, or 503 if the process is full."""
    if queues().admission.has_room():
        return PlainTextResponse("ok")
    return PlainTextResponse("full", status_code=503)


def import_pages() -> None:
    """Import every page, and spare the garbage collector what lives until the end."""
    menu()
    # Later, a freeze would also keep objects that sessions have left behind.
    gc.collect()
    gc.freeze()


def warm() -> None:
    """Translate what the first page shows in each language, which fills the shared caches."""
    with _quiet():
        for language in languages():
            with looking(Look(words=Words(language))):
                name = by_preference()[0]
                text = opens_with(sentences_for(name)[1], START).text
                # The first visitor sees the problem on the page.
                with suppress(ModelError):
                    translated(FrameChoices(name, text, OPENING), get_translator(name))


@contextmanager
def _quiet() -> Iterator[None]:
    """Drop what Streamlit logs on this thread: it complains that there is no browser."""
    thread = threading.get_ident()
    loggers = [logging.getLogger(name) for name in COMPLAINING]

    def is_of_another(record: logging.LogRecord) -> bool:
        return record.thread != thread

    for logger in loggers:
        logger.addFilter(is_of_another)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(is_of_another)


@asynccontextmanager
async def warming(_app: st.App) -> AsyncIterator[None]:
    """Warm up on another thread, while the server answers already."""
    threading.Thread(target=warm, daemon=True).start()
    yield


app = st.App(
    APP,
    lifespan=warming,
    routes=[Route("/ready", ready)],
    middleware=[Middleware(Dressed), Middleware(Compressed)],
)


def give_back_memory() -> bool:
    """Limit all threads to two malloc arenas and return freed memory (glibc only).

    Every session is a thread; each would get its own arena, where freed memory stays. Returns True
    if both settings were accepted.
    """
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None
    if not hasattr(libc, "mallopt"):
        return False
    # 131072 bytes is the default threshold; setting it stops glibc from raising it at run time.
    settings = ((M_ARENA_MAX, 2), (M_TRIM_THRESHOLD, 131072))
    return all(libc.mallopt(parameter, value) for parameter, value in settings)


def main() -> None:
    give_back_memory()
    replace_parts()
    import_pages()
    sys.argv = ["streamlit", "run", __file__, *sys.argv[1:]]
    cli.main()


if __name__ == "__main__":
    main()

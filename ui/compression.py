"""Middleware that sends the scripts of Streamlit's front end compressed."""

from __future__ import annotations

import asyncio
import gzip
import posixpath
import re

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TEXTS = (".js", ".css")
# Headers of a browser that may have the file already, which Streamlit decides.
CONDITIONS = frozenset(("if-none-match", "if-modified-since"))
QUALITY = re.compile(r"0(\.\d*)?|1(\.0*)?", re.ASCII)
LEVEL = 6  # of gzip: higher ones take much longer and save little


class Compressed:
    """Middleware that compresses each script and style sheet of Streamlit once, and keeps it.

    Streamlit leaves this to a proxy, which a class on a local network does not have. The name of a
    file contains a hash of its content, so what is kept never becomes stale, and is sent again
    without asking Streamlit: a fresh visitor waits for sixty files before the first script runs.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._kept: dict[str, Response] = {}  # by path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # One file has many paths, such as a/./b, each of which would be kept.
        path = posixpath.normpath(scope["path"]) if _may_be_compressed(scope) else ""
        if path in self._kept and CONDITIONS.isdisjoint(Headers(scope=scope).keys()):
            await self._kept[path](scope, receive, send)
        else:
            await self.app(scope, receive, _Compressing(send, path, self._kept) if path else send)


def _may_be_compressed(scope: Scope) -> bool:
    """Return True if a browser asks for a whole text of the front end and takes it compressed."""
    if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].endswith(TEXTS):
        return False
    base = st.get_option("server.baseUrlPath").strip("/")
    headers = Headers(scope=scope)
    return (
        scope["path"].startswith(f"/{base}/static/" if base else "/static/")
        and _takes_gzip(headers.get("accept-encoding", ""))
        and "range" not in headers
    )


def _takes_gzip(accepted: str) -> bool:
    """Return True if a header `Accept-Encoding` allows gzip (RFC 9110, section 12.5.3).

    A quality of 0 forbids it, and so does one that is no number. ``*`` stands for all encodings
    without a quality of their own.
    """
    qualities = {}
    for part in accepted.lower().replace(" ", "").split(","):
        encoding, _, parameter = part.partition(";")
        quality = parameter.removeprefix("q=") or "1"
        qualities[encoding] = float(quality) if QUALITY.fullmatch(quality) else 0.0
    return qualities.get("gzip", qualities.get("*", 0.0)) > 0


def _is_found(start: Message) -> bool:
    """Return True for the start of a file's response.

    For a file that is missing Streamlit sends its HTML page, with status 200 as well.
    """
    content = Headers(raw=start["headers"]).get("content-type", "")
    return start["status"] == 200 and not content.startswith("text/html")


class _Compressing:
    """Sender of one response, which compresses its body if the file was found."""

    def __init__(self, send: Send, path: str, kept: dict[str, Response]) -> None:
        self._send = send
        self._path = path
        self._kept = kept
        self._start: Message | None = None
        self._body: list[bytes] = []

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_found(message):
            # Held back until the body is complete, because its length changes.
            self._start = message
            return
        if self._start is None:
            await self._send(message)
            return
        self._body.append(message.get("body", b""))
        if not message.get("more_body"):
            await self._send_compressed(self._start)

    async def _send_compressed(self, start: Message) -> None:
        # A browser may ask with the condition of an older server.
        if self._path not in self._kept:
            # On another thread, since the largest script takes a fifth of a second.
            body = await asyncio.to_thread(gzip.compress, b"".join(self._body), LEVEL)
            headers = MutableHeaders(scope=start)
            headers["content-encoding"] = "gzip"
            headers["content-length"] = str(len(body))
            headers.add_vary_header("accept-encoding")
            response = Response(body)
            response.raw_headers = start["headers"]
            self._kept[self._path] = response
        kept = self._kept[self._path]
        await self._send({**start, "headers": kept.raw_headers})
        await self._send({"type": "http.response.body", "body": kept.body})

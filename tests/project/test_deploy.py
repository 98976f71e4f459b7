"""Promises of the image and of `docs/deploy.md`, as far as they show without building one."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import AsyncMock, Mock
from urllib.parse import urljoin

import pytest
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient

import ui.compression
import ui.frame.state
import ui.frame.style
import ui.preloading
import ui.serve
from support import app as harness
from support.browser import free_port, until
from support.models import ROOT
from ui.frame.fair_queue import Admission
from ui.pages import pages
from words import Words, languages

IMAGE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
OPEN_EVERY_PAGE = """
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash
from ui.pages import page_ids
for name in page_ids():
    page = AppTest.from_file("app.py", default_timeout=120)
    page._page_hash = calc_hash(name)
    page.run()
    assert not page.exception, page.exception
    assert page.title and not page.error, page.error
"""


def copied() -> list[str]:
    """The names that the image takes from the repository."""
    lines = re.findall(r"^COPY (.+) \S+$", IMAGE, re.MULTILINE)
    return [name for line in lines for name in line.split()]


def test_everything_the_image_takes_is_let_through_and_its_port_is_asked_for_its_health():
    (port,) = set(re.findall(r"EXPOSE (\d+)", IMAGE))
    assert f"127.0.0.1:{port}/_stcore/health" in IMAGE
    assert f'"--server.port", "{port}"' in IMAGE
    let_through = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    assert set(copied()) == {name.removesuffix("/config.toml") for name in let_through}


def test_the_image_has_the_documents_that_pages_offer():
    assert {f"docs/{page.doc}" for page in pages() if page.doc} <= set(copied())


def test_the_linter_of_images_finds_nothing():
    hadolint = Path(sys.executable).with_name("hadolint")
    found = subprocess.run([hadolint, ROOT / "Dockerfile"], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout


@pytest.fixture
def image(tmp_path) -> Path:
    """A folder with nothing but what the image takes."""
    for name in copied():
        place = ROOT / name
        if place.is_dir():
            shutil.copytree(place, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            shutil.copy(place, tmp_path / name)
    return tmp_path


@pytest.mark.slow
def test_the_app_opens_with_nothing_but_what_the_image_takes(image, folder):
    found = subprocess.run(
        [sys.executable, "-c", OPEN_EVERY_PAGE], cwd=image, capture_output=True, text=True
    )
    assert found.returncode == 0, found.stderr[-2000:]


def test_a_session_after_the_warm_up_waits_for_no_model(monkeypatch):
    ui.serve.warm()
    monkeypatch.setattr(ui.frame.state, "load_model", None)
    for language in languages():
        assert not harness.open_page(lang=language).error


def test_the_server_answers_while_it_warms_up(monkeypatch):
    answered = threading.Event()
    in_time = []
    monkeypatch.setattr(ui.serve, "warm", lambda: in_time.append(answered.wait(20)))

    async def answer():
        async with ui.serve.warming(ui.serve.app):
            answered.set()

    run(answer())
    until(lambda: bool(in_time))
    assert in_time == [True]


def test_a_page_that_is_coming_is_announced_in_every_language():
    style = ui.frame.style.page_style()
    announcements = [Words(language)("page-coming") for language in languages()]
    assert len(set(announcements)) == len(languages())
    assert all(text in style for text in announcements)


def test_scripts_of_the_front_end_are_compressed_once(monkeypatch):
    compress = Mock(side_effect=gzip.compress)
    monkeypatch.setattr(ui.compression.gzip, "compress", compress)
    script = "let words = 'many, many, many';" * 99

    async def app(scope, receive, send):
        # Streamlit sends its page in place of a missing file.
        answer = HTMLResponse if "lost" in scope["path"] else Response
        await answer(script, 404 if "gone" in scope["path"] else 200)(scope, receive, send)

    here = TestClient(ui.compression.Compressed(app))
    for _ in range(2):
        answer = here.get("/static/js/index.a1.js")
        assert answer.text == script
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.headers["vary"].lower() == "accept-encoding"
        assert int(answer.headers["content-length"]) < len(script) / 10
    assert here.get("/static/js/%2e/index.a1.js").text == script
    # The condition of a browser that has another file: Streamlit sends this one whole.
    outdated = here.get("/static/js/index.a1.js", headers={"if-none-match": "other"})
    assert (outdated.text, outdated.headers) == (script, answer.headers)
    compress.assert_called_once()
    for path, headers in (
        ("/static/js/index.a1.js", {"accept-encoding": "identity"}),
        ("/static/js/index.a1.js", {"range": "bytes=0-9"}),
        ("/static/js/lost.js", {}),
        ("/static/js/gone.js", {}),
        ("/static/media/font.woff2", {}),
        ("/app/static/own.js", {}),
    ):
        answer = here.get(path, headers=headers)
        assert "content-encoding" not in answer.headers
        assert answer.text == script


def test_a_compressed_script_is_sent_again_without_streamlit():
    script = "let words = 'many, many, many';" * 99
    streamlit = AsyncMock(side_effect=Response(script).__call__)
    here = TestClient(ui.compression.Compressed(streamlit))
    path = "/static/js/index.a1.js"
    first, again = (here.get(path) for _ in range(2))
    assert (again.content, again.headers) == (first.content, first.headers)
    assert streamlit.await_count == 1
    # A browser that has the file already asks if it is still the same.
    here.get(path, headers={"if-none-match": "file"})
    assert streamlit.await_count == 2


ACCEPTED = {
    "gzip": True,
    "GZIP ; Q=0.001": True,
    "br;q=1.0, gzip;q=0.5": True,
    "deflate, *;q=0.1": True,
    "": False,
    "br, notgzip": False,
    "gzip;q=0": False,
    "br, gzip; q=0.000": False,
    "gzip;q=0, *": False,
    "*;q=0": False,
    "gzip;q=much": False,
}


@pytest.mark.parametrize("accepted", ACCEPTED)
def test_scripts_are_compressed_for_browsers_that_accept_it(accepted):
    script = "let words = 'many, many, many';" * 99
    here = TestClient(ui.compression.Compressed(Response(script)))
    answer = here.get("/static/js/index.a1.js", headers={"accept-encoding": accepted})
    assert ("content-encoding" in answer.headers) == ACCEPTED[accepted]
    assert answer.text == script


def test_the_look_is_sent_with_pages_and_with_nothing_else():
    page, script = "<body>안녕</body></html>", "let body = '</body>';"

    async def app(scope, receive, send):
        path = scope["path"]
        answer = (
            HTMLResponse(page, headers={"etag": "file"}) if path == "/beam" else Response(script)
        )
        await answer(scope, receive, send)

    here = TestClient(ui.serve.Dressed(app))
    dressed = here.get("/beam")
    parts = ui.frame.style.page_style() + ui.preloading.early_scripts()
    assert dressed.text == page.replace("</body>", parts + "</body>")
    assert "etag" not in dressed.headers  # that of the file would name an older look
    others = ("/static/a.js", "/_stcore/health", "/media/7")
    assert [here.get(path).text for path in others] == [script] * len(others)


PAGE = {"accept": "text/html,*/*;q=0.8"}
NESTED = (
    ("", "/attention?lang=ko", "/?lang=ko"),
    ("", "/a/b?lang=ko", "/?lang=ko"),
    ("", "/a/b/", "/?"),
    ("", "/beam/attention", "/?"),
    ("lab", "/lab/a/b/c", "/lab/?"),
    ("lab", "/lab/attention", "/lab/?"),
)
"""Base path, an address that no page has, and that of the first page."""


@pytest.mark.parametrize(("base", "asked", "first"), NESTED)
def test_a_nested_address_and_the_name_of_the_first_page_lead_to_it(
    base, asked, first, monkeypatch
):
    monkeypatch.setattr(ui.serve.st, "get_option", {"server.baseUrlPath": base}.get)
    here = TestClient(ui.serve.Dressed(Response("served")), follow_redirects=False)
    answer = here.get(asked, headers=PAGE)
    assert answer.is_redirect
    assert urljoin(f"http://testserver{asked}", answer.headers["location"]) in (
        f"http://testserver{first}",
        f"http://testserver{first.rstrip('?')}",
    )


@pytest.mark.parametrize(
    ("method", "path", "accept"),
    [
        ("GET", "/beam", PAGE["accept"]),
        ("GET", "/beam/", PAGE["accept"]),
        ("GET", "/lab/beam", PAGE["accept"]),
        ("GET", "/a/b", "*/*"),
        ("POST", "/a/b", PAGE["accept"]),
        ("GET", "/lab/beam/_stcore/health", PAGE["accept"]),
        *(("GET", f"/lab/{start}7", PAGE["accept"]) for start in ui.serve.FILES),
        ("GET", "/labour/a/b", PAGE["accept"]),
    ],
)
def test_pages_files_and_other_requests_are_served_where_they_are(
    method, path, accept, monkeypatch
):
    base = "lab" if path.startswith("/lab") else ""
    monkeypatch.setattr(ui.serve.st, "get_option", {"server.baseUrlPath": base}.get)
    here = TestClient(ui.serve.Dressed(Response("served")), follow_redirects=False)
    assert here.request(method, path, headers={"accept": accept}).text == "served"


def run(served):
    # A browser that another test of this process opened keeps a loop running in this thread.
    with ThreadPoolExecutor(1) as elsewhere:
        elsewhere.submit(asyncio.run, served).result()


def test_other_answers_pass_as_they_come():
    parts = [b"one", b"two"]
    waits, sent = [], []

    async def app(scope, receive, send):
        await StreamingResponse(pieces(), media_type="text/plain")(scope, receive, send)

    async def pieces():
        for part in parts:
            waits.append(len(sent))
            yield part

    async def receive():
        await asyncio.Event().wait()

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/media/7", "headers": []}
    scope["query_string"] = b""
    run(ui.serve.Dressed(app)(scope, receive, send))
    assert waits == [1, 2]  # each was sent before the next was made
    assert b"".join(each.get("body", b"") for each in sent) == b"".join(parts)


def test_a_session_whose_page_came_with_its_look_is_sent_none(monkeypatch):
    sent = []
    monkeypatch.setattr(ui.frame.style.st, "html", sent.append)

    async def app(scope, receive, send):
        with monkeypatch.context() as here:
            headers = Headers(scope=scope)
            here.setattr(ui.frame.style.st, "context", SimpleNamespace(headers=headers))
            ui.frame.style.style_page()

    for served in (app, ui.serve.Dressed(app)):
        run(served({"type": "websocket", "path": "/_stcore/stream", "headers": []}, 0, 0))
    assert sent == [ui.frame.style.page_style()]


def test_a_full_process_is_not_ready_for_new_users(monkeypatch):
    admission = Admission(1, lambda session: True)
    monkeypatch.setattr(ui.serve, "queues", lambda: SimpleNamespace(admission=admission))
    here = TestClient(Starlette(routes=[Route("/ready", ui.serve.ready)]))
    assert here.get("/ready").status_code == 200
    admission.come_in("somebody")
    assert here.get("/ready").status_code == 503


@pytest.mark.slow
def test_the_commands_of_the_image_start_an_app_that_calls_itself_well(image):
    port = str(free_port())
    lines = IMAGE.replace("\\\n", " ").replace("8501", port)
    asks, starts = (
        [sys.executable, *json.loads(found)[1:]]
        for found in re.findall(r"CMD (\[.+\])$", lines, re.MULTILINE)
    )
    (settings,) = re.findall(r"^ENV (.+)$", lines, re.MULTILINE)
    environment = os.environ | dict(each.split("=") for each in settings.split())
    subprocess.run([sys.executable, "-m", "compileall", "-q", "."], cwd=image, check=True)
    server = subprocess.Popen(starts, cwd=image, env=environment)
    try:
        until = time.monotonic() + 60
        while subprocess.run(asks, cwd=image, capture_output=True).returncode:
            assert server.poll() is None
            assert time.monotonic() < until
            time.sleep(0.5)
    finally:
        server.terminate()
        server.wait(timeout=60)


def test_the_limits_in_the_guide_are_those_of_the_app():
    files = (
        ROOT / "ui" / "frame" / "admission.py",
        ROOT / "ui" / "pages" / "training" / "jobs.py",
    )
    code = "".join(path.read_text(encoding="utf-8") for path in files)
    in_code = set(re.findall(r'positive_setting\("(ATTENTION_LAB_\w+)"', code))
    in_guide = set(re.findall(r"`(ATTENTION_LAB_\w+)`", GUIDE)) - {
        "ATTENTION_LAB_CHECKPOINTS",
        "ATTENTION_LAB_DATA",
        "ATTENTION_LAB_FAMILIES",
    }
    assert in_code == in_guide

"""Two processes of the app behind the proxy of `deploy/Caddyfile`: one ends, and nobody is lost.

Caddy comes with `apt-get install caddy` or `brew install caddy`, or from caddyserver.com.
Without it these tests are skipped.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus, urlencode, urlsplit

import pytest

from support.browser import IDLE, free_port, until, wait_until_healthy
from support.models import ROOT
from words import english

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.timeout(600)]

CHOICES = {"text": "A dog runs through the snow.", "layer": "2", "head": "3", "beam_size": "2"}
"""Values of controls in an address, none of them the default."""
OTHER = "Two birds sing."
RECORDED = {"tokens": ["a", "dog"], "attentions": [[[[0.25, 0.75], [0.5, 0.5]]]]}
BACK_WITHIN = 10.0  # seconds
SAID_WITHIN = 4.0  # seconds
NOT_RUNNING = "The app is not running at the moment."
HEALTH = "_stcore/health"


class Process:
    """A process of the app, which can be killed and started again at its port."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.port = free_port()
        self.log = folder / f"{self.port}.txt"
        self.environment = os.environ | environment
        self.server: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        with self.log.open("a") as log:
            self.server = subprocess.Popen(
                [
                    *(sys.executable, "-m", "ui.serve", "--server.address", "127.0.0.1"),
                    *("--server.port", str(self.port), "--server.headless", "true"),
                    *("--server.fileWatcherType", "none"),
                ],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def wait(self) -> None:
        assert self.server is not None
        wait_until_healthy(f"http://{self.address}/{HEALTH}", self.server, self.log)

    def end(self, how: signal.Signals) -> None:
        assert self.server is not None
        self.server.send_signal(how)
        self.server.wait(timeout=60)

    def restart(self, how: signal.Signals) -> None:
        self.end(how)
        self.start()
        self.wait()


class Proxy:
    """Caddy with the project's file, and the process that each of its requests went to."""

    def __init__(self, folder: Path, processes: list[Process]) -> None:
        self.address = f"http://127.0.0.1:{free_port()}/"
        self.log = folder / "caddy.json"
        config = folder / "Caddyfile"
        # The log of each request, and no second port for the administration.
        config.write_text(f"{{\n\tdebug\n\tadmin off\n}}\nimport {ROOT}/deploy/Caddyfile\n")
        with self.log.open("w") as log:
            self.server = subprocess.Popen(
                ["caddy", "run", "--config", config, "--adapter", "caddyfile"],
                env=os.environ
                | {
                    "HOME": str(folder),
                    "LAB_SITE": self.address.rstrip("/"),
                    "LAB_PROCESSES": " ".join(process.address for process in processes),
                    "LAB_WAITING_PORT": str(free_port()),
                },
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        wait_until_healthy(self.address + HEALTH, self.server, self.log)

    def answers(self, visitor: str) -> dict[str, set[str]]:
        """Return the paths that a visitor was answered from, by the address of the process."""
        paths = defaultdict(set)
        for line in self.log.read_text().splitlines():
            entry = json.loads(line) if line.startswith("{") else {}
            request = entry.get("request", {})
            is_answer = entry.get("msg") == "upstream roundtrip" and "status" in entry
            if is_answer and request["headers"].get("User-Agent") == [visitor]:
                paths[entry["upstream"]].add(urlsplit(request["uri"]).path)
        return dict(paths)


class Visitor:
    """A browser of its own, known in the proxy's log by its name."""

    count = 0

    def __init__(self, browser: Any, proxy: Proxy, **choices: str) -> None:
        Visitor.count += 1
        self.proxy = proxy
        self.name = f"visitor {Visitor.count}"
        self.context = browser.new_context(
            viewport={"width": 1280, "height": 900}, user_agent=self.name
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.page.goto(f"{proxy.address}?{urlencode(choices)}")
        self.settle()

    def settle(self) -> None:
        self.page.wait_for_timeout(600)
        self.page.wait_for_selector(IDLE)
        self.page.wait_for_timeout(600)

    def drawn(self) -> tuple[Any, ...]:
        """Return address, sentence, open view, and the head that is open with its numbers."""
        heads = self.page.locator(".heads[data-drawn]")
        return (
            self.page.url,
            self.page.get_by_label("English sentence").input_value(),
            self.page.get_by_role("radio", checked=True).all_inner_texts(),
            heads.evaluate("e => [e.dataset.kind, e.dataset.layer, e.dataset.head]"),
            heads.locator(".tile").all_inner_texts(),
        )

    def wait_for_another_than(self, process: Process) -> None:
        """Wait until another process answers this visitor's websocket."""

        def has_moved() -> bool:
            answers = self.proxy.answers(self.name)
            return any(
                address != process.address and "/_stcore/stream" in paths
                for address, paths in answers.items()
            )

        for _ in range(600):
            if has_moved():
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"{self.name} is still waiting for another process")

    def type_sentence(self, text: str) -> None:
        box = self.page.get_by_label("English sentence")
        box.fill(text)
        box.press("Enter")
        tokens = self.page.locator(".heads .token")
        for _ in range(600):
            if "".join(tokens.all_inner_texts()[:3]).replace("·", "").startswith(text[:3]):
                break
            self.page.wait_for_timeout(100)
        self.settle()

    def process_of(self, processes: list[Process]) -> Process:
        """Return the process that holds this visitor's connection."""
        # A process that starts, or is busy, may pass single files on to the other.
        (address,) = (
            address
            for address, paths in self.proxy.answers(self.name).items()
            if "/_stcore/stream" in paths
        )
        return next(process for process in processes if process.address == address)


@pytest.fixture(scope="module")
def started(checkpoints_root, tmp_path_factory) -> Iterator[list[Process]]:
    folder = tmp_path_factory.mktemp("processes")
    both = [
        Process(
            folder,
            ATTENTION_LAB_CHECKPOINTS=str(checkpoints_root),
            STREAMLIT_SERVER_COOKIE_SECRET="the same for both",
            OMP_NUM_THREADS="1",
        )
        for _ in range(2)
    ]
    try:
        for process in both:
            process.start()
        for process in both:
            process.wait()
        yield both
    finally:
        for process in both:
            process.end(signal.SIGKILL)


@pytest.fixture
def processes(started) -> list[Process]:
    """Both processes, running whatever an earlier test has done to them."""
    for process in started:
        if process.server.poll() is not None:
            process.start()
            process.wait()
    return started


@pytest.fixture(scope="module")
def proxy(started, tmp_path_factory) -> Iterator[Proxy]:
    if shutil.which("caddy") is None:
        pytest.skip("no Caddy: apt-get install caddy")
    caddy = Proxy(tmp_path_factory.mktemp("proxy"), started)
    yield caddy
    caddy.server.terminate()
    caddy.server.wait(timeout=60)


@pytest.fixture
def visitor(browser, proxy):
    with contextlib.ExitStack() as stack:

        def come(**choices: str) -> Visitor:
            visitor = Visitor(browser, proxy, **choices)
            stack.callback(visitor.context.close)
            return visitor

        yield come


def test_all_that_a_visitor_asks_for_comes_from_one_process(visitor, proxy, tmp_path):
    """Pages, websocket, fonts, a file dropped and a file saved; other visitors may have another."""
    (tmp_path / "dog.json").write_text(json.dumps(RECORDED))
    dropping = visitor(checkpoint="recording")
    dropping.page.locator("input[type=file]").first.set_input_files(tmp_path / "dog.json")
    dropping.page.get_by_text("dog.json").first.wait_for()
    saving = visitor(**CHOICES)
    export = english("export")
    saving.page.get_by_role("button", name=export).first.click()
    with saving.page.expect_download() as download:
        saving.page.get_by_role("button", name="CSV", exact=True).first.click()
    download.value.save_as(tmp_path / "numbers.csv")
    assert (tmp_path / "numbers.csv").read_text()
    for person, places in (
        (dropping, ("/_stcore/stream", "/_stcore/upload_file/", "/app/static/", "/static/js/")),
        (saving, ("/_stcore/stream", "/media/", "/app/static/", "/static/js/")),
    ):
        (paths,) = proxy.answers(person.name).values()
        for place in places:
            assert any(path.startswith(place) for path in paths), place


def test_killed_processes_give_their_visitors_to_the_other_and_come_back(visitor, processes, proxy):
    here = visitor(**CHOICES)
    before = here.drawn()
    process = here.process_of(processes)
    began = time.monotonic()
    process.end(signal.SIGKILL)
    here.wait_for_another_than(process)
    here.settle()
    seconds = time.monotonic() - began
    assert here.drawn() == before
    assert seconds < BACK_WITHIN
    # The picture stays while the connection is lost; only an answer shows who gives it.
    here.type_sentence(OTHER)
    assert here.drawn()[1:4] == (OTHER, *before[2:4])
    # The address goes on with the new process, so that a further move or a reload loses nothing.
    here.page.wait_for_url(f"**text={quote_plus(OTHER)}**")
    process.start()
    process.wait()
    # Newcomers are spread at random.
    assert any(visitor().process_of(processes) is process for _ in range(12))


def test_a_lost_recording_is_named_on_the_page(visitor, processes, tmp_path):
    (tmp_path / "dog.json").write_text(json.dumps(RECORDED))
    here = visitor(checkpoint="recording")
    lost = here.page.get_by_text(english("recording-elsewhere"))
    here.page.locator("input[type=file]").first.set_input_files(tmp_path / "dog.json")
    here.page.get_by_text("dog.json").first.wait_for()
    here.settle()
    assert not lost.is_visible()
    process = here.process_of(processes)
    process.end(signal.SIGKILL)
    here.wait_for_another_than(process)
    lost.wait_for()


def test_a_rolling_restart_loses_no_visitor_and_no_request(visitor, processes, proxy):
    here = visitor(**CHOICES)
    before = here.drawn()
    statuses = []
    done = threading.Event()

    def keep_asking():
        while not done.wait(0.2):
            with urllib.request.urlopen(proxy.address, timeout=30) as answer:
                statuses.append(answer.status)

    with ThreadPoolExecutor() as elsewhere:
        asking = elsewhere.submit(keep_asking)
        try:
            for process in processes:
                process.restart(signal.SIGTERM)
        finally:
            done.set()
        asking.result()
    here.settle()
    assert here.drawn() == before
    here.type_sentence(OTHER)
    assert here.drawn()[1:3] == (OTHER, before[2])
    assert set(statuses) == {200}


@pytest.mark.parametrize("cookie", ["", "lab=one that has ended"])
def test_without_any_process_a_page_says_so_soon(processes, proxy, cookie):
    for process in processes:
        process.end(signal.SIGKILL)
    request = urllib.request.Request(proxy.address, headers={"Cookie": cookie})
    began = time.monotonic()
    with pytest.raises(urllib.error.HTTPError) as raised:
        urllib.request.urlopen(request, timeout=30)
    with raised.value as answer:
        text = answer.read().decode()
    assert time.monotonic() - began < SAID_WITHIN
    assert answer.code == 503
    assert NOT_RUNNING in text
    assert re.search("[가-힣]", text)


def test_the_page_of_no_process_opens_the_app_once_it_runs(browser, processes, proxy):
    for process in processes:
        process.end(signal.SIGKILL)
    with contextlib.closing(browser.new_context()) as context:
        page = context.new_page()
        page.goto(f"{proxy.address}?{urlencode(CHOICES)}")
        page.get_by_text(NOT_RUNNING).wait_for()
        processes[0].start()
        sentence = page.get_by_label("English sentence")
        sentence.wait_for(timeout=90_000)
        until(lambda: sentence.input_value() == CHOICES["text"])


def test_newcomers_are_sent_to_the_process_that_is_not_full(browser, checkpoints_root, tmp_path):
    if shutil.which("caddy") is None:
        pytest.skip("no Caddy: apt-get install caddy")
    both = [
        Process(
            tmp_path,
            ATTENTION_LAB_CHECKPOINTS=str(checkpoints_root),
            ATTENTION_LAB_SESSIONS="1",
            OMP_NUM_THREADS="1",
        )
        for _ in range(2)
    ]
    with contextlib.ExitStack() as stack:
        for process in both:
            process.start()
            stack.callback(process.end, signal.SIGKILL)
        for process in both:
            process.wait()
        proxy = Proxy(tmp_path, both)
        stack.callback(proxy.server.wait, timeout=60)
        stack.callback(proxy.server.terminate)
        first = Visitor(browser, proxy)
        stack.callback(first.context.close)
        full = first.process_of(both)
        (free,) = (process for process in both if process is not full)
        time.sleep(2)  # for the next check of the proxy
        for _ in range(10):
            request = urllib.request.Request(proxy.address, headers={"User-Agent": "newcomer"})
            with urllib.request.urlopen(request, timeout=30) as answer:
                assert answer.status == 200
        assert {*proxy.answers("newcomer")} == {free.address}
        second = Visitor(browser, proxy)
        stack.callback(second.context.close)
        assert second.process_of(both) is free
        assert second.drawn()[1:] == first.drawn()[1:]
        time.sleep(2)
        # Both are full: who comes now is told so, by either of them.
        context = browser.new_context()
        stack.callback(context.close)
        page = context.new_page()
        page.goto(proxy.address)
        page.get_by_role("button", name=english("door-again")).wait_for(timeout=60_000)

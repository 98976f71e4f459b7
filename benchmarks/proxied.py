"""Several processes of the app behind Caddy, any of which can be killed and started again."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from .serving import Server, free_port, serve
from .startup import ROOT

CADDYFILE = ROOT / "deploy" / "Caddyfile"
PATIENCE = 30.0  # seconds until the proxy answers


class Processes:
    """Processes of the app at ports of their own, used as a context."""

    def __init__(self, n: int, **environment: str) -> None:
        self.ports = [free_port() for _ in range(n)]
        self._environment = environment
        self._running: dict[int, tuple[Server, contextlib.ExitStack]] = {}
        self._ended_cpu = 0.0

    def __enter__(self) -> Processes:
        for port in self.ports:
            self.start(port)
        return self

    def __exit__(self, *_: object) -> None:
        for port in [*self._running]:
            self.end(port, signal.SIGTERM)

    def start(self, port: int) -> None:
        """Start the process of a port, and wait until it answers."""
        stack = contextlib.ExitStack()
        server = stack.enter_context(serve(port, **self._environment))
        self._running[port] = server, stack

    def end(self, port: int, sent: signal.Signals) -> None:
        """Send a signal to the process of a port, and wait for its end."""
        server, stack = self._running.pop(port)
        self._ended_cpu += server.cpu_seconds()
        os.kill(server.pid, sent)
        stack.close()

    def megabytes(self) -> float:
        """Return the memory of the largest process."""
        running = [server for server, _ in [*self._running.values()]]
        return max((server.megabytes() for server in running), default=0.0)

    def cpu_seconds(self) -> float:
        """Return the processor seconds of all processes, also of those that ended."""
        running = [server for server, _ in [*self._running.values()]]
        return self._ended_cpu + sum(server.cpu_seconds() for server in running)


@contextlib.contextmanager
def proxy(processes: Processes) -> Iterator[str]:
    """Yield the address of Caddy with `deploy/Caddyfile` before the processes.

    Raises RuntimeError if Caddy is not installed or does not answer.
    """
    if shutil.which("caddy") is None:
        raise RuntimeError("no Caddy: apt-get install caddy, or see caddyserver.com")
    address = f"http://127.0.0.1:{free_port()}"
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "Caddyfile"
        # No second port for the administration, which another Caddy may use.
        config.write_text(f"{{\n\tadmin off\n}}\nimport {CADDYFILE}\n", encoding="utf-8")
        addresses = " ".join(f"127.0.0.1:{port}" for port in processes.ports)
        with subprocess.Popen(
            ["caddy", "run", "--config", config, "--adapter", "caddyfile"],
            env=os.environ
            | {
                "HOME": folder,
                "LAB_SITE": address,
                "LAB_PROCESSES": addresses,
                "LAB_WAITING_PORT": str(free_port()),
            },
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as caddy:
            try:
                _wait_for(f"{address}/_stcore/health")
                yield address
            finally:
                caddy.terminate()


def _wait_for(url: str) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=2):
            return
        time.sleep(0.25)
    raise RuntimeError("the proxy did not start")

"""The app as a process of its own, for whatever measures it from outside."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .startup import ONE_THREAD, ROOT

START_TRIES, START_PAUSE = 240, 0.25
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Server:
    """A running app: where it listens, and its process."""

    address: str
    pid: int

    def megabytes(self) -> float:
        """What the process holds in memory now (Linux: VmRSS)."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024

    def cpu_seconds(self) -> float:
        """What the process has used of all cores since it began (Linux)."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND


@contextlib.contextmanager
def serve(port: int = 0, *, folder: Path = ROOT, **environment: str) -> Iterator[Server]:
    """Start the app on the loopback, on one thread a translation; it ends with the block.

    `port`: a free one where it is 0. `folder`: where the app is. `environment`: variables for the
    app beside those of this process.
    """
    port = port or _free_port()
    command = [
        *(sys.executable, "-m", *_starts(folder), "--server.port", str(port)),
        *("--server.address", "127.0.0.1", "--server.headless", "true"),
        *("--server.fileWatcherType", "none", "--browser.gatherUsageStats", "false"),
    ]
    with subprocess.Popen(
        command,
        cwd=folder,
        env=os.environ | ONE_THREAD | environment,
        stdout=subprocess.DEVNULL,
    ) as process:
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_until_healthy(f"{address}/_stcore/health", process)
            yield Server(address, process.pid)
        finally:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()


def _starts(folder: Path) -> list[str]:
    """How the app of a folder is served; older ones draw nothing before they are ready."""
    return ["ui.serve"] if (folder / "ui/serve.py").is_file() else ["streamlit", "run", "app.py"]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_until_healthy(url: str, process: subprocess.Popen) -> None:
    for _ in range(START_TRIES):
        if process.poll() is not None:
            raise RuntimeError(f"the app ended with status {process.returncode}")
        try:
            urllib.request.urlopen(url, timeout=2).close()
            return
        except OSError:
            time.sleep(START_PAUSE)
    raise RuntimeError("the app did not start")

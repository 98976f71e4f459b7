"""The app as a separate process, to be measured from outside."""

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

# A minute in all, which a cold disk needs to load torch.
START_TRIES = 240
START_PAUSE = 0.25  # seconds
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Server:
    """A running app: its address and its process."""

    address: str
    pid: int

    def megabytes(self) -> float:
        """Return the memory that the process holds now (Linux: VmRSS)."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024

    def cpu_seconds(self) -> float:
        """Return the processor seconds of the process since it began, over all cores (Linux)."""
        # The process's name stands in brackets and may hold spaces: count fields from behind it.
        # They are utime and stime, numbers 14 and 15 of proc(5).
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND


@contextlib.contextmanager
def serve(port: int = 0, *, folder: Path = ROOT, **environment: str) -> Iterator[Server]:
    """Start the app on the loopback, on one thread a translation; it ends with the block.

    `port`: a free one if 0. `folder`: location of the app. `environment`: further variables for its
    process.
    """
    port = port or free_port()
    command = [
        *(sys.executable, "-m", *_starts(folder), "--server.port", str(port)),
        *("--server.address", "127.0.0.1", "--server.headless", "true"),
        # A file watcher would take processor time while something else is measured.
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
    """Return how the app of a folder is started; older versions have no server of their own."""
    return ["ui.serve"] if (folder / "ui/serve.py").is_file() else ["streamlit", "run", "app.py"]


def free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_until_healthy(url: str, process: subprocess.Popen) -> None:
    """Wait until the app answers; RuntimeError if it ends or takes too long."""
    for _ in range(START_TRIES):
        if process.poll() is not None:
            raise RuntimeError(f"the app ended with status {process.returncode}")
        try:
            urllib.request.urlopen(url, timeout=2).close()
            return
        except OSError:
            time.sleep(START_PAUSE)
    raise RuntimeError("the app did not start")

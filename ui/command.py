"""``attention-lab [OPTION ...]``: start the app from any folder; options as for `ui.serve`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = "ATTENTION_LAB_CHECKPOINTS"
DEFAULTS = (
    *("--server.headless", "true"),
    *("--server.fileWatcherType", "none"),
    *("--server.address", "localhost"),
    *("--browser.gatherUsageStats", "false"),
)
"""Options of ``make app``; one that is given again counts."""


def main() -> None:
    """Serve the app with the options of the command line."""
    # Read when torch is loaded, so it comes before every other import.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if folders := os.environ.get(FOLDERS, ""):
        os.environ[FOLDERS] = absolute(folders)
    # Streamlit reads .streamlit/config.toml where it is started.
    os.chdir(ROOT)
    from .serve import main as serve

    sys.argv[1:1] = DEFAULTS
    serve()


def absolute(folders: str) -> str:
    """Return folders, separated as in PATH, as absolute paths; empty ones are left out."""
    return os.pathsep.join(map(os.path.abspath, filter(None, folders.split(os.pathsep))))

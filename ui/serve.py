"""``python -m ui.serve [OPTION ...]``: the app, served once its first page has been drawn.

The options are those of ``streamlit run``. Whoever comes first would otherwise wait for torch, the
checkpoints, their first translations and the figures; so the first page is drawn in each language
before the server says that it is ready.
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path

from streamlit.testing.v1 import AppTest
from streamlit.web import cli

from words import languages

APP = Path(__file__).resolve().parent.parent / "app.py"
PATIENCE = 300  # seconds


def warm() -> None:
    """Draw the first page in each language; what is shared by sessions is there then."""
    logging.getLogger("streamlit").setLevel(logging.ERROR)  # there is no browser, which it tells
    for language in languages():
        page = AppTest.from_file(str(APP), default_timeout=PATIENCE)
        page.query_params["lang"] = language
        page.run()
    logging.getLogger("streamlit").setLevel(logging.NOTSET)


def main() -> None:
    warm()
    sys.argv = ["streamlit", "run", str(APP), *sys.argv[1:]]
    cli.main()


if __name__ == "__main__":
    main()

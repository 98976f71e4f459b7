"""Draw every view of every page with every checkpoint in every language, and count what failed.

    python -m scripts.views
    python -m scripts.views --checkpoint en-de --page masks --language ko

Each view is opened by its address in a session of its own, without a browser. The table has a line
for each checkpoint; tracebacks follow below it, and then the command ends with 1.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from model import list_checkpoints  # noqa: E402
from support.app import open_view, pictures  # noqa: E402
from support.mishaps import MISHAPS  # noqa: E402
from ui.pages import page_ids, pages  # noqa: E402
from ui.shell.view import Page, View  # noqa: E402
from words import languages  # noqa: E402

OUTCOMES = ("drawn", "with another", "not for it", "raised")


@dataclass(frozen=True)
class ViewOutcome:
    """Outcome of one view with one checkpoint in one language.

    Attributes
    ----------
    outcome : "drawn", also if a page has a menu of models of its own; "with another" if the page
        showed it with another model than the open one; "not for it" if the model lacks what the
        view needs; "raised".
    raised : the tracebacks of whatever raised.
    """

    checkpoint: str
    language: str
    page: str
    view: str
    outcome: str
    raised: tuple[str, ...] = ()


def drawn(
    checkpoints: Sequence[str], in_languages: Sequence[str], on_pages: Sequence[Page]
) -> Iterator[ViewOutcome]:
    """Yield the outcome of every view of these pages with these checkpoints and languages."""
    # Mishaps of earlier sessions in this process are discarded.
    MISHAPS.taken()
    for checkpoint in checkpoints:
        for language in in_languages:
            for page in on_pages:
                for view in page.views:
                    outcome, raised = _draw(page, view, checkpoint, language)
                    # A page catches what a part of it raises and shows a box, so the records are
                    # asked, too.
                    raised = (*MISHAPS.taken(), *raised)
                    if raised:
                        outcome = "raised"
                    yield ViewOutcome(checkpoint, language, page.id, view.id, outcome, raised)


def _draw(page: Page, view: View, checkpoint: str, language: str) -> tuple[str, tuple[str, ...]]:
    """Open one view, and return its outcome and tracebacks."""
    try:
        screen = open_view(page, view, checkpoint=checkpoint, lang=language)
        if screen is None:
            return "not for it", ()
        assert not screen.error, [error.value for error in screen.error]
        assert pictures(screen), "nothing is shown"
        assert screen.session_state["checkpoint"] == checkpoint
        opened = screen.session_state["run"].choices.checkpoint
        return "drawn" if opened == checkpoint else "with another", ()
    # Whatever is wrong with a view must not end the table.
    except Exception:
        return "raised", (traceback.format_exc(),)


def line(name: str, drawings: Sequence[ViewOutcome]) -> str:
    """Return a line of the table: the name, and for each language the count of each outcome."""
    cells = [name]
    for language in languages():
        count = Counter(drawing.outcome for drawing in drawings if drawing.language == language)
        cells += [str(count[outcome]) for outcome in OUTCOMES]
    return "| " + " | ".join(cells) + " |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return 1 if anything raised or nothing was drawn."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0], prog="python -m scripts.views"
    )
    parser.add_argument("--checkpoint", action="append", choices=list_checkpoints())
    parser.add_argument("--page", action="append", choices=page_ids())
    parser.add_argument("--language", action="append", choices=languages())
    options = parser.parse_args(arguments)
    on_pages = [page for page in pages() if page.id in (options.page or page_ids())]
    in_languages = options.language or languages()
    names = options.checkpoint or list_checkpoints()
    titles = [f"{language}: {outcome}" for language in languages() for outcome in OUTCOMES]
    print("| checkpoint | " + " | ".join(titles) + " |")
    print("|---" + "|---:" * len(titles) + "|", flush=True)
    began = time.perf_counter()
    drawings: list[ViewOutcome] = []
    for name in names:
        of_one = list(drawn([name], in_languages, on_pages))
        print(line(name, of_one), flush=True)
        drawings += of_one
    print(line("all", drawings))
    count = Counter(drawing.outcome for drawing in drawings)
    n_views = sum(len(page.views) for page in on_pages)
    minutes = (time.perf_counter() - began) / 60
    print(
        f"\n{n_views} views x {len(names)} checkpoints x {len(in_languages)} languages = "
        f"{len(drawings)}: "
        + ", ".join(f"{count[outcome]} {outcome}" for outcome in OUTCOMES)
        + f"; {minutes:.1f} minutes"
    )
    for drawing in drawings:
        for error in drawing.raised:
            where = f"{drawing.page}/{drawing.view}, {drawing.checkpoint}, {drawing.language}"
            print(f"\n{where}:\n{error}")
    return int(count["raised"] > 0 or not count["drawn"])


if __name__ == "__main__":
    sys.exit(main())

"""Pages of `docs/` with tables that a measurement writes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .rendered import rendered

DOCS = Path(__file__).resolve().parent.parent / "docs"
MARKS = BEGIN, END = "<!-- results -->", "<!-- end of results -->"


def write_between(path: Path, text: str, marks: tuple[str, str] = MARKS) -> None:
    """Put `text` between the two marks of a page."""
    begin, end = marks
    before, _, rest = path.read_text(encoding="utf-8").partition(begin)
    _, _, after = rest.partition(end)
    inside = f"\n{text}\n" if text else "\n"
    path.write_text(f"{before}{begin}{inside}{end}{after}", encoding="utf-8")


def translations_table(everyday: Mapping[str, list[list[str]]]) -> str:
    """Sentences and their translations by subject, as Markdown."""
    return rendered("everyday.md.j2", everyday=everyday)

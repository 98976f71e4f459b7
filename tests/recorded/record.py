"""Writes down anew what the shipped checkpoints give; see `tests/test_recorded.py`.

python tests/recorded/record.py             everything
python tests/recorded/record.py pages       the pages only; also model, exports, lessons

What the lessons answer is held by `tests/test_ui_lessons.py`: read their words again when a choice
becomes another.
"""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import test_recorded as recording  # noqa: E402
import test_ui_lessons as lessons  # noqa: E402


def main() -> None:
    logging.disable(logging.WARNING)
    file = recording.RECORDED / "values.json"
    parts = sys.argv[1:] or ["model", "pages", "exports", "lessons"]
    values = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    if "model" in parts:
        values["model"] = {name: measure() for name, measure in recording.MODEL.items()}
    if "pages" in parts:
        values["pages"] = {
            address: recording.seen_on(recording.open_page(address), address)
            for address in recording.addresses()
        }
    if "exports" in parts:
        values["exports"] = {
            address: recording.exported(address, labels, pytest.MonkeyPatch())
            for address, labels in recording.EXPORTED.items()
        }
    if "lessons" in parts:
        text = json.dumps(lessons.answers(), ensure_ascii=False, indent=1)
        lessons.RECORDED.write_text(text + "\n", encoding="utf-8")
    if parts == ["lessons"]:
        return
    lines = (
        f"{json.dumps(part)}: {{\n"
        + ",\n".join(
            f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}"
            for name, value in entries.items()
        )
        + "\n}"
        for part, entries in values.items()
    )
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()

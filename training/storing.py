"""Measured results as JSON files beside a checkpoint."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

LISTS, OBJECTS = r"\[[^\[\]{}]*\]", r"\{[^\[\]{}]*\}"
"""What holds nothing but numbers and names, and reads best on a line of its own."""


def store(path: Path, result: dict[str, Any], *, on_a_line: str = "", indent: int = 2) -> None:
    """Store `result` at once or not at all, whenever the run is killed.

    Parameters
    ----------
    on_a_line : `LISTS` or `OBJECTS`, each of which is put on one line.
    """
    text = json.dumps(result, indent=indent, ensure_ascii=False)
    if on_a_line:
        text = re.sub(on_a_line, lambda found: re.sub(r"\n\s*", " ", found[0]), text)
    temporary = path.with_suffix(".json.part")
    temporary.write_text(text + "\n", encoding="utf-8")
    os.replace(temporary, path)

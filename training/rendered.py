"""Texts from `training/templates`: Markdown for people, and what the commands print."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

TEMPLATES = Path(__file__).parent / "templates"


def rendered(
    name: str, /, *, between: str = "\n\n", templates: Path | None = None, **values: Any
) -> str:
    """A template with its values filled in.

    Templates are wrapped freely: lines in a row are one line of the text, but for headings and
    the rows of tables and lists, and blank lines in a row are one. `between` stands between
    paragraphs.
    """
    text = environment(templates or TEMPLATES).get_template(name).render(values)
    paragraphs: list[list[str]] = []
    wrapped = False
    for line in text.splitlines():
        line = line.strip()
        of_its_own = line.startswith(("|", "#"))
        if not line:
            wrapped = False
            paragraphs.append([])
        elif wrapped and not of_its_own and not line.startswith("- "):
            paragraphs[-1][-1] += f" {line}"
        else:
            paragraphs = paragraphs or [[]]
            paragraphs[-1].append(line)
            wrapped = not of_its_own
    return between.join("\n".join(lines) for lines in paragraphs if lines)


@cache
def environment(templates: Path = TEMPLATES) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(templates),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "count": "{:,}".format,
        "percent": percent,
        "two": lambda value: f"{without_sign(value):.2f}",
        "signed": lambda value: f"{without_sign(value):+.2f}",
        "to": lambda value, form: format(value, form),
        "interval": interval,
    }
    environment.globals |= {"head": head, "round": round}
    return environment


def percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def interval(entry: dict[str, Any], form: str = ".1%", scale: float = 1, none: str = "") -> str:
    """A value with its bounds; `none` where there is no value."""
    if entry is None:
        return none
    value, low, high = (format(scale * entry[name], form) for name in ("value", "low", "high"))
    return f"{value} ({low} to {high})"


def head(entry: dict[str, Any]) -> str:
    return f"layer {entry['layer'] + 1}, head {entry['head'] + 1}"


def without_sign(value: float) -> float:
    """Two decimals; adding zero turns -0.0 into 0.0."""
    return round(value, 2) + 0.0

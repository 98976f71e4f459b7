"""Texts from templates: Markdown for people, and the output of commands."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

TEMPLATES = Path(__file__).parent / "templates"
"""Templates of a card, which those of other folders may include."""


def rendered(
    name: str, /, *, between: str = "\n\n", templates: Path | None = None, **values: Any
) -> str:
    """Fill in a template.

    Templates are wrapped freely: consecutive lines are one line of the text, except headings and
    the rows of tables and lists; consecutive blank lines are one. `between` stands between
    paragraphs. `templates`: the folder, by default that of cards.
    """
    text = environment(templates or TEMPLATES).get_template(name).render(values)
    paragraphs: list[list[str]] = []
    wrapped = False
    for line in text.splitlines():
        line = line.strip()
        # Rows of tables and headings never continue, and nothing continues them.
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
    """Return the Jinja environment of a folder, with the filters that templates use."""
    environment = Environment(
        loader=FileSystemLoader([templates, TEMPLATES]),
        # A missing value is an error, not an empty cell.
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
    """Return a share as a percentage; "" if there is none."""
    return "" if share is None else f"{share:.1%}"


def interval(entry: dict[str, Any], form: str = ".1%", scale: float = 1, none: str = "") -> str:
    """Return a value with its bounds as text; `none` if there is no value."""
    if entry is None:
        return none
    value, low, high = (format(scale * entry[name], form) for name in ("value", "low", "high"))
    return f"{value} ({low} to {high})"


def head(entry: dict[str, Any]) -> str:
    """Return the name of a head, counted from 1 as on the pages."""
    return f"layer {entry['layer'] + 1}, head {entry['head'] + 1}"


def without_sign(value: float) -> float:
    """Round to two decimals; adding zero turns -0.0 into 0.0."""
    return round(value, 2) + 0.0

"""Sentences worth looking at, those of the first language pack.

Views ask their run for its own pack (`Run.pack`, `Run.example`).
"""

from __future__ import annotations

from words.packs import Example, first_pack

EXAMPLES = first_pack().examples
DEFAULT = EXAMPLES[0]
example_of = first_pack().example_of

__all__ = ["DEFAULT", "EXAMPLES", "Example", "example_of"]

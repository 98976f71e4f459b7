"""Texts from `evaluation/templates`: pages of docs/, and the output of commands."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from training import templating

TEMPLATES = Path(__file__).parent / "templates"
rendered = partial(templating.rendered, templates=TEMPLATES)
environment = partial(templating.environment, TEMPLATES)

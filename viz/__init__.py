"""Figures from arrays and records; nothing is stored and nothing is fetched."""

from . import renderer as renderer

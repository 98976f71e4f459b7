"""Pages of the app: controls give values, the model gives records, viz gives figures."""

VERSION = "1.0.0"
"""Version of the app, the same as in `CITATION.cff`; exported files name it."""

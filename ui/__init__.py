"""Pages of the app: controls give values, the model gives records, viz gives figures."""

VERSION = "1.0.0"
"""Of the app, as `CITATION.cff` has it; files that are saved name it."""

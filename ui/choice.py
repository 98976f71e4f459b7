"""Moved to `ui.kit.controls`."""

from ui.kit.controls import asked, choice, follow, kept_choice

__all__ = ["asked", "choice", "follow", "kept_choice"]

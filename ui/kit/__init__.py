"""The frame that all views stand in."""

"""Attention weights rearranged, measured, and laid out as tables."""

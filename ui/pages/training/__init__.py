"""Views of the training page: heads, curves, warm-up, smoothing, and a training here."""

"""The page of training: heads as they form, curves, warm-up, smoothing, and one training here."""

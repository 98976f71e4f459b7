"""Batches, visible positions and losses of a training step, by family."""

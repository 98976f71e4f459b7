"""Probes on a model: recording attention and activations, and changing them."""

"""Layers that several families share: attention and the sub-layers of a block."""

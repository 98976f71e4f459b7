"""Records of a model's run, and the numbers computed from them, in NumPy: one module a topic.

`model/` (tensors), `viz/` (figures) and `ui/` (pages) agree on these shapes without importing each
other. Arrays are float32, carry no batch axis, and attention is always ordered
``(layer, head, query, key)``.
"""

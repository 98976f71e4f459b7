"""What a run of a model is, and what can be counted from it, in NumPy alone: one module a topic.

`model/` (which thinks in tensors), `viz/` (which draws) and `ui/` (which arranges pages) agree here
on shapes without knowing each other. Arrays are float32, carry no batch axis, and attention is
always ordered ``(layer, head, query, key)``.
"""

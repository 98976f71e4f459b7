"""Tiny random models of the shapes that the contract names, each a file that a person could write.

A file offers `FAMILY`, `config(vocab_size)` and `EXAMPLE`, a text that its models read.
"""

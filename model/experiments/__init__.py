"""Experiments on a model: values in, a record out.

Each module says in `NEEDS` what a model must offer for it; `Experiments` are those of a model with
a vocabulary, as methods, and `Encoding` those that need no text to be written.
"""

from .methods import Experiments

__all__ = ["Experiments"]

"""Experiments on a model: values in, a record out.

Each module says in `NEEDS` what a model must offer for it; `Experiments` are those of a model with
a vocabulary, as methods.
"""

from .methods import Experiments

__all__ = ["Experiments"]

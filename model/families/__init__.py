"""Families beside the Transformer, a file each; `model.registry` names them."""

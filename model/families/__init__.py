"""Model families, one module for each architecture; `model.registry` lists them."""

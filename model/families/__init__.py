"""Model families, one module for each architecture; `model.io.registry` lists them."""

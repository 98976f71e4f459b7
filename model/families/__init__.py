"""One file for each architecture beside the Transformer; `model.registry` lists them."""

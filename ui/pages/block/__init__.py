"""Views of the page about a Transformer block."""

"""Custom components; their JavaScript and CSS lie beside them as files of their own."""

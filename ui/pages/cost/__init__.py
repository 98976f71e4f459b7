"""Cost of layers: counted, measured on a machine, and the path length between positions."""

"""Session of a visitor: its address, its turn, the loaded models, and the run on screen."""

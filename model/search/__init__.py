"""Searches over any model that writes: beam, sampling, exact, and their diagnosis."""

"""Verification of a family's claims by slower computations of the same numbers."""

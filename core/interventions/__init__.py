"""Interventions on a run: kinds of change, their spelling in an address, their effect."""

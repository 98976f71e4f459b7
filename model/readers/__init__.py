"""Loaded models: reading, writing, documents, masked words, and recordings of others."""

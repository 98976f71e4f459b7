"""Sentence pairs: read from files, generated from grammars, mined and joined."""

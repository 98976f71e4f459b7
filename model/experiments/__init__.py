"""Experiments on a loaded model, one file a topic: values in, a record out."""

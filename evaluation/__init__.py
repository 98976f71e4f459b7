"""Measurements that the app and the docs show: one file a topic, templates, tables."""

"""Glossary page."""

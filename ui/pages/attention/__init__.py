"""Views of the attention page, one per file; each shows one `AttentionScene`."""

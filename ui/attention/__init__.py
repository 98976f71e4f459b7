"""The views of the attention page, one a file; each shows one `Scene`."""

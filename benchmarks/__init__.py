"""Side-by-side measurements against other libraries that run the same weights."""

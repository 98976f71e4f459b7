"""Numbers from arrays: what charts draw and tests hold, worked out once."""

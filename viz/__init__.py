"""Arrays and records in, figures out; nothing is stored and nothing is fetched."""

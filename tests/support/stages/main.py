"""Pages that each show one component of the app, for tests in a browser."""

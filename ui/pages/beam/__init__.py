"""Views of the beam page, one per file; each shows one `BeamScene`."""

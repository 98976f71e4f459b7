"""The views of the beam page, one a file; each shows one `BeamScene`."""

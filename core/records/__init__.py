"""Records that pass between the packages: texts, attention, runs and searches."""

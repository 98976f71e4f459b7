"""Views of the lineage page: the development of attention."""

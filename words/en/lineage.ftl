# The page of the lineage: one sentence through all systems.

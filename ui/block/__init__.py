"""Inside a block: what its sub-layers add, its norms, its states, its gradients, its units."""

"""What layers cost: counted, measured on a machine, and the way information takes through them."""

"""What layers cost."""

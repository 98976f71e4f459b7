"""What a step of training asks of each family: batches, losses, and what is visible."""

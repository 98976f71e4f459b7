"""Pages of the app: controls give values, the model gives records, viz gives figures."""

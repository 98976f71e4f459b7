"""The views of the page that shows how attention came about."""

"""The views of the page that shows how a picture is told in words."""

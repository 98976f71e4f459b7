"""Views of the captions page: how a picture is described in words."""

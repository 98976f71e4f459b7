"""App around the pages: sentence and model, switch of views, notes, sidebar and menus."""

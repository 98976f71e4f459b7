"""Models, pages, browsers and tables of values that several tests share."""

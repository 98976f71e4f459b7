"""Building blocks of all views: controls, blocks and layout."""

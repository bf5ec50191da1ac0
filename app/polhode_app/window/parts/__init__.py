"""Parts of a window: their hooks, docks, and what makes them."""

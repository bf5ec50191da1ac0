"""Form of a sweep: axes, outcome and check."""

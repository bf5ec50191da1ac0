"""Form of a sweep: what is varied, what is asked of each run, and how it is checked."""

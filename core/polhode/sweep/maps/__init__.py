"""The map of a sweep: results of its cells, statistics over them, and its file."""

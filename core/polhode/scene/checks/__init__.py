"""Checks of a scene beyond the types of its fields, and the messages of all checks."""

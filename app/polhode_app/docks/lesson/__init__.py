"""Lessons in the window: the dock that leads through one, and what teachers need."""

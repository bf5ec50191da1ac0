"""Reusable widgets, which know neither session nor window."""

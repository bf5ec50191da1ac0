"""Lessons as the window keeps and computes them. No Qt."""

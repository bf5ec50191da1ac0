"""Dock of equilibria, small oscillations and the potential landscape."""

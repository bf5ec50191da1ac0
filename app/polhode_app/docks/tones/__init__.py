"""Tones of a quantity: the dock that chooses it, and the part of the window that plays it."""

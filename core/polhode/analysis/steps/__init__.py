"""Largest stable steps: of the motion at a state, of contacts that may close, of strings that may become taut."""

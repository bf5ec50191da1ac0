"""Dock of the distance sensor."""

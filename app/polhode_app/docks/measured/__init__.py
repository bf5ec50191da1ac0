"""Dock of measured data and fits."""

"""Measured data beside a run, and fits in the background."""

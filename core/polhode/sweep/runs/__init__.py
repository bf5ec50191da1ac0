"""Runs of the cells of a sweep, one after the other, and how they end early."""

"""Checks of data before a fit, and of residuals after it."""

"""Rows of the live sources of measured data in the tab of the data."""

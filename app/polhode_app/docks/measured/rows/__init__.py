"""Rows of the docks of data and fits: one for each column, source, setting and unknown."""

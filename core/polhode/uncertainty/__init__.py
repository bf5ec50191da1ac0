"""Uncertainty of columns of a run that follows from that of the scene's numbers: to first order, and by draws."""

"""Docks of the window, one folder per subject: widgets and controller."""

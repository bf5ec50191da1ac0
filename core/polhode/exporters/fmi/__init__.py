"""Scenes as FMUs: parts of other programs by the interface FMI 3.0 for co-simulation."""

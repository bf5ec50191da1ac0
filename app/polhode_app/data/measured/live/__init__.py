"""Sources of measured data that are received while they are measured."""

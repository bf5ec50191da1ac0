"""Iron whose magnetisation has a largest value."""

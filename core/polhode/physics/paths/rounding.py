"""Smoothing width of paths that follow the sensor, for the kernel and the description."""

ROUND = 0.05  # half width w of the smoothed corner at a limit, relative to the distance of the limits

"""Runs in SIMD lanes, eight at once, where one body moves among dipoles at rest: cells of sweeps, copies of fits."""

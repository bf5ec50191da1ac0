"""Runs in SIMD lanes, eight at once, where one body moves among dipoles that stand still: cells, and copies of a fit."""

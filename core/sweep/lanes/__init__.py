"""Cells of a sweep in SIMD lanes: eight at once, where one body moves among dipoles that stand still."""

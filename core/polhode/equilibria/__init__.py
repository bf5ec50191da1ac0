"""Equilibria of a scene, small oscillations about them, and maps of its potential energy."""

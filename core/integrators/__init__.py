"""The table of integration methods: scene, menu and tests read it."""

from __future__ import annotations

from core.integrators import runge_kutta_4

METHODS = {method.NAME: method for method in (runge_kutta_4,)}

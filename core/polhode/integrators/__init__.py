"""The table of integration methods, for scenes, menus and tests.

A method knows rates, not laws: dy/dt = f(t, y) by core/polhode/engine/rates.py. Each module is one `Method`; one that
lacks something is refused when this package is imported.

Tests measure the order with every kind of force, and the limits on a pendulum and a wheel with friction.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from polhode.integrators import (
    adams_bashforth_2,
    adams_bashforth_2_as_printed,
    dormand_prince_8,
    euler,
    euler_as_printed,
    implicit,
    runge_kutta_4,
    runge_kutta_4_as_printed,
    semi_implicit_euler,
    splitting,
    verlet,
)


class Method(Protocol):
    """Interface of the module of a method; nothing else is read of it."""

    NAME: str
    """In scenes and menus."""
    ORDER: int
    """p: the error after a fixed time is in proportion to dt^p where forces are smooth."""
    HISTORY: int
    """Number of rows of `history` (h, k): earlier rates, or scratch."""
    OSCILLATION_LIMIT: float
    """Stable on x'' = -w^2 x up to this w dt; 0 if it grows at any step."""
    DECAY_LIMIT: float
    """Stable on x' = -a x up to this a dt."""
    advance: Any
    """One compiled call per batch of steps."""

    def growth(self, z: np.ndarray, /) -> np.ndarray:
        """Largest factor per step of modes exp(lambda t), z = lambda dt (...); stable where it is at most 1."""


def by_name(*methods: Method) -> dict[str, Method]:
    """Methods by their names. Raises TypeError for one that does not state all of `Method`."""
    for method in methods:
        if missing := sorted(name for name in {*Method.__annotations__, "growth"} if not hasattr(method, name)):
            raise TypeError(f"{method} states no {', '.join(missing)}: see Method in {__file__}")
    return {method.NAME: method for method in methods}


METHODS = by_name(
    euler,
    semi_implicit_euler,
    adams_bashforth_2,
    runge_kutta_4,
    verlet,
    splitting,
    dormand_prince_8,
    implicit,
)

AS_PRINTED = by_name(runge_kutta_4_as_printed, adams_bashforth_2_as_printed, euler_as_printed)
"""Misprints and omissions of well-known texts as separate methods, to compare their errors with the right ones."""

"""The table of integration methods, for scenes, menus and tests.

Each module is one method: NAME, ORDER, HISTORY (number of rows of `history`: earlier rates or scratch),
OSCILLATION_LIMIT (stable on x'' = -w^2 x up to this w dt), DECAY_LIMIT (stable on x' = -a x up to this a dt), `growth`
(of a mode per step) and `advance`, one compiled call per batch of steps.
"""

from __future__ import annotations

from core.integrators import (
    adams_bashforth_2,
    adams_bashforth_2_as_printed,
    dormand_prince_8,
    euler,
    implicit,
    runge_kutta_4,
    runge_kutta_4_as_printed,
    semi_implicit_euler,
    splitting,
    verlet,
)

METHODS = {
    method.NAME: method
    for method in (
        euler,
        semi_implicit_euler,
        adams_bashforth_2,
        runge_kutta_4,
        verlet,
        splitting,
        dormand_prince_8,
        implicit,
    )
}

AS_PRINTED = {method.NAME: method for method in (runge_kutta_4_as_printed, adams_bashforth_2_as_printed)}
"""Misprints of well-known texts as separate methods, for teaching: their errors can be compared with the right ones."""

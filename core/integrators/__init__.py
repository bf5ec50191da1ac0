"""The table of integration methods, for scenes, menus and tests.

A method knows rates, not laws: dy/dt = f(t, y) by core/engine/rates.py. Each module is one method and has

    NAME                 in scenes and menus
    ORDER                p: the error after a fixed time is in proportion to dt^p where forces are smooth
    HISTORY              number of rows of `history` (h, k): earlier rates, or scratch
    OSCILLATION_LIMIT    stable on x'' = -w^2 x up to this w dt; 0 if it grows at any step
    DECAY_LIMIT          stable on x' = -a x up to this a dt
    growth(z)            largest factor per step of modes exp(lambda t), z = lambda dt (...); stable where it is at
                         most 1
    advance              one compiled call per batch of steps

Tests measure the order with every kind of force, and the limits on a pendulum and a wheel with friction.
"""

from __future__ import annotations

from core.integrators import (
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

AS_PRINTED = {
    method.NAME: method for method in (runge_kutta_4_as_printed, adams_bashforth_2_as_printed, euler_as_printed)
}
"""Misprints and omissions of well-known texts as separate methods, for teaching: their errors can be compared with the
right ones.
"""

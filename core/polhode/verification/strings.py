"""Strings whose motion is known: a ball that is caught and thrown back, and two weights over a pulley."""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, cos, pi, sqrt
from typing import Any

from polhode.scene.scene import Scene
from polhode.verification.case import GRAVITY, Case, at_end

MASS, OTHER, STIFFNESS, LENGTH = 0.3, 0.2, 400.0, 0.5  # [kg], [kg], [N/m], [m]


def string_scene(string: dict[str, Any], *particles: dict[str, Any]) -> Scene:
    """A scene of particles and one string, in steps of 1 ms of order 8."""
    pulling = {"pull_only": True, "stiffness": STIFFNESS, **string}
    solver = {"method": "dormand_prince_8", "time_step": 1e-3}
    return Scene.model_validate({"particle": particles, "spring": [pulling], "solver": solver})


def at(time: float, number: int = 0) -> Callable[[Scene], float]:
    """Measures the height [m] of a particle at a time [s]."""
    return at_end(time, lambda now: now.points.position[number, 2])


def caught() -> Case:
    """A ball that falls from the end of its string is back there after twice the fall and an arc of an oscillation:
    z + l0 = -(m g/k) - A cos(w t'), A^2 = (m g/k)^2 + v^2/w^2.
    """
    rate, speed = sqrt(STIFFNESS / MASS), sqrt(2 * GRAVITY * LENGTH)
    taut = 2 * (pi - atan2(speed * rate, GRAVITY)) / rate
    time = 2 * speed / GRAVITY + taut
    described = string_scene({"from": [0, 0, 0], "to": "ball", "rest_length": LENGTH}, {"name": "ball", "mass": MASS})
    reason = "order 8, (w dt)^8 = 1e-12 of v per radian; zeros of the string found to 1e-16 s"
    return Case("ball caught and thrown back by a string", described, at(time), 0.0, 1e-11, "m", reason)


def atwood() -> Case:
    """Two weights over a pulley: m1 x1 - m2 x2 falls with (m1 - m2) g, the length swings with w^2 = k (1/m1 + 1/m2)."""
    time, inverse = 0.3, 1 / MASS + 1 / OTHER
    stretch = 2 * GRAVITY / (STIFFNESS * inverse) * (1 - cos(sqrt(STIFFNESS * inverse) * time))
    moved = (MASS - OTHER) * GRAVITY * time**2 / 2
    weights = ({"name": name, "mass": mass, "position": [0, 0, -1]} for name, mass in (("a", MASS), ("b", OTHER)))
    described = string_scene({"from": "a", "to": "b", "over": [[0, 0, 0]]}, *weights)
    expected = -1 - (moved + OTHER * stretch) / (MASS + OTHER)
    reason = "order 8, (w dt)^8 = 1e-10 of g t^2/2 per radian"
    return Case("weights on a string over a pulley", described, at(time), expected, 1e-10, "m", reason)


CASES = (caught(), atwood())

"""Strings and springs with a force by formula: their courses, lengths and tensions. Geometry only."""

from __future__ import annotations

import numpy as np

from polhode.physics.bodies.shapes import unit
from polhode.physics.points.tension_formula import tension_of
from polhode.scene.formula_vector import at_the_start
from polhode_app.viewport.base.stage import Stage

FLAT = 0.866  # sag of a nearly straight parabola, relative to that of two straight pieces of the same length


class StringCurves:
    """Strings of a stage, and springs with a force by formula: their courses, lengths and tensions.

    A string is straight from pulley to pulley where it is taut, and hangs in its longest part where it is slack.
    """

    def __init__(self, stage: Stage, rest: np.ndarray):
        """`rest` (s,) [m] natural lengths of the single springs, in scene order."""
        springs = stage.scene.spring
        self._over = {k: np.array(spring.over).reshape(-1, 3) for k, spring in enumerate(springs) if spring.is_string}
        self._strands = {k: np.array(spring.strands) for k, spring in enumerate(springs) if spring.strands}
        self._nodes = _nodes_of(stage)
        self._laws = {
            k: (tension_of(spring, float(rest[k])), spring.pull_only)
            for k, spring in enumerate(springs)
            if spring.has_tension_law
        }
        self.axes = {k: np.array(unit(spring.axis)) for k, spring in enumerate(springs) if spring.axis is not None}
        """(3,) unit vectors along which the lengths of some single springs are signed, by their numbers."""
        self._rest = rest
        gravity = np.array(at_the_start(stage.scene.world.gravity))
        size = float(np.linalg.norm(gravity))
        self._down = gravity / size if size else np.array([0.0, 0.0, -1.0])

    @property
    def strings(self) -> tuple[int, ...]:
        """Numbers of the strings among the single springs."""
        return tuple(self._over)

    @property
    def laws(self) -> tuple[int, ...]:
        """Numbers of the single springs with tension laws."""
        return tuple(self._laws)

    def place(self, positions: np.ndarray) -> None:
        """Move the pulleys that move with bodies. positions: (p + q, 3) [m] of all points and anchors"""
        for k, nodes in self._nodes.items():
            self._over[k] = positions[nodes]

    def length(self, k: int, start: np.ndarray, end: np.ndarray) -> float:
        """Length [m] of string k between its ends (3,) [m], over its pulleys."""
        parts = np.linalg.norm(np.diff(self._course(k, start, end), axis=0), axis=1)
        return float((parts * self._strands.get(k, 1.0)).sum())

    def tension(self, k: int, length: float) -> float:
        """Pulling force [N] of a spring with a tension law at a length [m], at rest."""
        law, pull_only = self._laws[k]
        if pull_only and length <= self._rest[k]:
            return 0.0
        force = float(law({"l": length, "v": 0.0}))
        return max(force, 0.0) if pull_only else force

    def curve(self, k: int, start: np.ndarray, end: np.ndarray, count: int) -> np.ndarray:
        """(count, 3) [m] points of string k between its ends (3,) [m]."""
        course = self._course(k, start, end)
        parts = np.linalg.norm(np.diff(course, axis=0), axis=1)
        passed = np.concatenate([[0.0], np.cumsum(parts)])
        if passed[-1] == 0.0:
            passed = np.linspace(0.0, 1.0, len(course))
        at = np.linspace(0.0, passed[-1], count)
        at[np.rint(passed / passed[-1] * (count - 1)).astype(int)] = passed  # corners stay sharp
        points = np.column_stack([np.interp(at, passed, course[:, axis]) for axis in range(3)])
        slack = self._rest[k] - passed[-1]
        if slack > 0.0 and k in self._laws and self._laws[k][1]:
            longest = int(parts.argmax())
            share = (at - passed[longest]) / max(parts[longest], 1e-300)
            hanging = (share > 0.0) & (share < 1.0)
            depth = sag(float(parts[longest]), float(parts[longest] + slack))
            points[hanging] += np.outer(4 * depth * share[hanging] * (1 - share[hanging]), self._down)
        return points

    def _course(self, k: int, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        return np.vstack([start, self._over.get(k, np.zeros((0, 3))), end])


def _nodes_of(stage: Stage) -> dict[int, np.ndarray]:
    """Numbers among all points and anchors of the pulleys that are placed at every step, by number of the string."""
    if stage.compiled is None:
        return {}
    laws = stage.compiled.model.tension_laws
    return {
        int(laws.spring[k]): laws.node[laws.first_node[k] : laws.first_node[k + 1]]
        for k in np.flatnonzero(laws.has_course).tolist()
    }


def sag(span: float, length: float) -> float:
    """Depth [m] of a string of a length [m] between two places at a distance `span` [m]: that of two straight pieces,
    and the smaller one of a parabola where it is nearly straight.
    """
    return 0.5 * float(np.sqrt(length**2 - span**2)) * (1.0 - (1.0 - FLAT) * span / length)

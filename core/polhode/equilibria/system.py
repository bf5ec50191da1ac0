"""Forces and stiffness of a scene along the directions in which it can move: the equations that equilibria solve.

Joints restrict the coordinates. Their equations are used through the engine: hooks that project a state onto the joints
(`assemble` of core/polhode/engine/part.py), and rates that satisfy them. The tangent space is the range of the
derivative of that projection, which covers all kinds of joints, loops and gears.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Step
from polhode.engine.registry import SUBJECTS
from polhode.engine.work import make_tables, run_hooks
from polhode.equilibria.freedoms import Freedoms

COARSE, FINE = 1e-5, 2e-4  # steps of central differences of order 2 and 4, dimensionless
HALF = 0.5  # between the singular values of a projector, 0 and at least 1


class System:
    """The scene as y'' = r(y, y') in coordinates of its tangent space. For one thread.

    check_cancelled: called before every evaluation of the stiffness and of a tangent space; may raise to end the work
    """

    def __init__(self, compiled: CompiledScene, check_cancelled: Callable[[], None] = lambda: None):
        self.freedoms = Freedoms(compiled)
        self.check_cancelled = check_cancelled
        self._built = compiled
        assembled = [part for part in SUBJECTS if part.assemble and part.is_in(compiled.model, compiled.inputs)]
        self._tables = make_tables(compiled.model)
        self._projection = [hook for part in assembled for hook in part.assemble]

    @cached_property
    def length(self) -> float:
        """[m] size of the scene: distances between its parts, or the largest size of one."""
        return size_of(self._built)

    @cached_property
    def unit(self) -> np.ndarray:
        """(n,) of each coordinate: its change that turns by 1 rad or shifts by `length`."""
        freedoms = self.freedoms
        unit = freedoms.weight.copy()
        unit[freedoms.turning.stop : freedoms.points.stop] *= self.length
        if freedoms.count > freedoms.points.stop:
            unit[freedoms.modes] *= self.length * np.sqrt(self._built.model.modal.mass.max())
        return unit

    @property
    def is_joined(self) -> bool:
        """Whether joints restrict the coordinates."""
        return bool(self._projection)

    def tangent(self, state: np.ndarray) -> np.ndarray | None:
        """(n, t) orthonormal directions that joints leave free at `state` (k,); None without joints: all.

        Raises numpy.linalg.LinAlgError where states near it can't satisfy the joints.
        """
        if not self._projection:
            return None
        self.check_cancelled()
        step = 1e-6 * self.unit
        moved = self.freedoms.displaced(state, np.diag(step))
        columns = np.array([self.freedoms.difference(state, self._projected(each)) for each in moved]) / step[:, None]
        left, sizes, _ = np.linalg.svd(columns.T)
        return np.asarray(left[:, sizes > HALF])

    def moved(self, state: np.ndarray, move: np.ndarray) -> np.ndarray:
        """(k,) the state that is moved by `move` (n,) and satisfies the joints; nan if it can't."""
        return self._projected(self.freedoms.displaced(state, move[None])[0])

    def force(self, state: np.ndarray, tangent: np.ndarray | None) -> np.ndarray:
        """(t,) mass-weighted forces r at `state` (k,), at rest, along the tangent space."""
        return self._along(self.freedoms.accelerations(state[None]), tangent)[0]

    def slope(self, state: np.ndarray, tangent: np.ndarray | None, fine: bool = False) -> np.ndarray:
        """(t, t) [1/s^2] dr/dy at `state` (k,), minus the stiffness, by central differences; `fine`: of order 4."""
        self.check_cancelled()
        moves, steps = self._steps(tangent, FINE if fine else COARSE)

        def difference(times: float) -> np.ndarray:
            both = self.freedoms.displaced(state, np.concatenate([times * moves, -times * moves]))
            if self._projection:
                both = np.array([self._projected(each) for each in both])
            found = self._along(self.freedoms.accelerations(both), tangent)
            return (found[: len(moves)] - found[len(moves) :]).T / (2 * times * steps)

        return (4 * difference(1.0) - difference(2.0)) / 3 if fine else difference(1.0)

    def damping(self, state: np.ndarray, tangent: np.ndarray | None) -> np.ndarray:
        """(t, t) [1/s] dr/dy' at `state` (k,), at rest: minus the damping, and gyroscopic forces."""
        moves, steps = self._steps(tangent, FINE)
        both = self.freedoms.moving(state, np.concatenate([moves, -moves]))
        found = self._along(self.freedoms.accelerations(both), tangent)
        return np.asarray((found[: len(moves)] - found[len(moves) :]).T / (2 * steps))

    def embedded(self, move: np.ndarray, tangent: np.ndarray | None) -> np.ndarray:
        """(..., n) moves of all coordinates for `move` (..., t) in the tangent space."""
        return move if tangent is None else move @ tangent.T

    def _steps(self, tangent: np.ndarray | None, size: float) -> tuple[np.ndarray, np.ndarray]:
        """(t, n) small moves along the directions of the tangent space, and their lengths (t,)."""
        directions = np.eye(self.freedoms.count) if tangent is None else tangent.T
        lengths = size / np.abs(directions / self.unit).max(axis=1)
        return directions * lengths[:, None], lengths

    def _along(self, vectors: np.ndarray, tangent: np.ndarray | None) -> np.ndarray:
        return vectors if tangent is None else vectors @ tangent

    def _projected(self, state: np.ndarray) -> np.ndarray:
        """`state` (k,) moved onto the joints, at rest."""
        if not self._projection:
            return state
        run_hooks(
            self._projection, Step(self._built.model, self._built.inputs, 0.0, state, self._tables, self._tables.rate)
        )
        return self.freedoms.at_rest(state)


def size_of(compiled: CompiledScene) -> float:
    """[m] half the diagonal of the box about all parts and anchors at the start, or the size of the largest part."""
    bodies = compiled.model.bodies
    moments = np.trace(bodies.inertia, axis1=1, axis2=2)
    lengths = [1e-3, *np.sqrt(moments / np.maximum(bodies.mass, 1e-300)).tolist()]
    lengths += np.linalg.norm(bodies.center, axis=1).tolist()
    positions = positions_of(compiled)
    if len(positions):
        lengths.append(float(np.linalg.norm(np.ptp(positions, axis=0)) / 2))
    return max(length for length in lengths if np.isfinite(length))


def positions_of(compiled: CompiledScene) -> np.ndarray:
    """(m, 3) [m] start positions of reference points of bodies and of points, and fixed anchors of springs."""
    count = len(compiled.model.bodies.mass)
    bodies = compiled.start[: 18 * count].reshape(count, 18)[:, :3]
    fixed = (
        compiled.fixed_anchors[np.isfinite(compiled.fixed_anchors).all(axis=1)]
        if len(compiled.fixed_anchors)
        else np.zeros((0, 3))
    )
    return np.concatenate([bodies, compiled.start_points, fixed])
